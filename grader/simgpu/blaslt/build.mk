# cuBLASLt on the simulated device: the drop-in library, what the device knows of algorithms, and
# the arithmetic, which the device loads when it is first asked for a product.

BLASLT := grader/simgpu/blaslt
OPENBLAS_LIBS ?= -lopenblas

$(B)/bin/simgpu: $(B)/obj/$(BLASLT)/algo.o | $(B)/lib/libproduct.so
$(B)/obj/$(BLASLT)/algo.o: OBJ_CFLAGS = -fPIC

PRODUCT_OBJECTS := $(patsubst %,$(B)/obj/$(BLASLT)/%.o,product product_double \
	product_complex product_integer)
$(PRODUCT_OBJECTS): OBJ_CFLAGS = -O3 -march=$(MACHINE_ARCH) -fPIC -fno-math-errno \
	-ffp-contract=off $(OPENBLAS_CFLAGS)
$(B)/lib/libproduct.so: $(PRODUCT_OBJECTS)
	@mkdir -p $(@D)
	$(call say,LD,$@)$(PLAIN_CC) -shared $^ -o $@ $(OPENBLAS_LIBS) -lm

# The soname of the toolkit at hand, as with libcudart, and all its names, those too that only other
# libraries of NVIDIA's call. A toolkit without cuBLASLt gets none.
CUDART_MAJOR ?= $(or $(CUDART_SONAME_MAJOR),13)
CUBLASLT := libcublasLt.so.$(CUDART_MAJOR)
SIM_CUDART := $(B)/lib/sim/libcudart.so.$(CUDART_MAJOR)
BLASLT_CLIENT := $(BLASLT)/client
BLASLT_OBJECTS := $(patsubst %.c,$(B)/obj/%.o,$(wildcard $(BLASLT_CLIENT)/*.c)) \
	$(B)/obj/$(BLASLT)/algo.o
BLASLT_BUILD := $(B)/obj/$(BLASLT_CLIENT)
$(BLASLT_BUILD)/%.o: OBJ_CFLAGS = -fPIC -isystem $(CUDA_INCLUDE)

$(BLASLT_BUILD)/stubs.c: $(BLASLT_OBJECTS) grader/simgpu/client/stubs.awk
	$(call stubs_of,$(BLASLT_OBJECTS),$(CUDA_LIB)/libcublasLt.so,cublasLt,blaslt_missing)

$(BLASLT_BUILD)/libcublasLt.map: $(BLASLT_CLIENT)/libcublasLt.map
	@mkdir -p $(@D)
	@sed 's/@SONAME@/$(CUBLASLT)/' $< >$@

$(B)/lib/sim/$(CUBLASLT): $(BLASLT_OBJECTS) $(BLASLT_BUILD)/stubs.c \
		$(BLASLT_BUILD)/libcublasLt.map $(SIM_CUDART)
	@mkdir -p $(@D)
	$(call say,LD,$@)$(PLAIN_CC) -shared -fPIC -Wl,-soname,$(CUBLASLT) -Wl,--no-undefined \
		-Wl,--version-script=$(BLASLT_BUILD)/libcublasLt.map $(BLASLT_OBJECTS) \
		$(BLASLT_BUILD)/stubs.c $(SIM_CUDART) -o $@

ifneq ($(if $(filter undefined,$(origin HAVE_CUBLASLT)),1,$(HAVE_CUBLASLT)),)
simgpu check: $(B)/lib/sim/$(CUBLASLT)
endif

# Unit tests: check_algo.c and check_blaslt_search.c.
$(B)/test/check_algo $(B)/test/check_blaslt_search: $(B)/obj/$(BLASLT)/algo.o
$(B)/test/check_blaslt_search: $(B)/obj/grader/simgpu/device/blaslt_search.o \
	$(B)/obj/grader/simgpu/device/blaslt_model.o
