# cuBLAS on the simulated device: the drop-in library, and the arithmetic of everything but
# products, which are cuBLASLt's (../blaslt).

BLAS := grader/simgpu/blas
BLAS_CLIENT := $(BLAS)/client
BLAS_BUILD := $(B)/obj/$(BLAS_CLIENT)
CUBLAS := libcublas.so.$(or $(CUDART_SONAME_MAJOR),13)

BLAS_ARITHMETIC := $(patsubst %,$(B)/obj/$(BLAS)/%.o,arithmetic arithmetic_stored \
	arithmetic_triangle arithmetic_complex shapes sound)
$(BLAS_ARITHMETIC): OBJ_CFLAGS = -O3 -march=$(MACHINE_ARCH) -fno-math-errno -ffp-contract=off
$(B)/bin/simgpu: $(BLAS_ARITHMETIC)
$(B)/test/check_blas_call: $(addprefix $(B)/obj/$(BLAS)/,shapes.o sound.o)

# The soname of the toolkit at hand, and all its names, as with libcublasLt.
BLAS_OBJECTS := $(patsubst %.c,$(B)/obj/%.o,$(wildcard $(BLAS_CLIENT)/*.c)) \
	$(B)/obj/grader/simgpu/blaslt/client/status.o
$(BLAS_BUILD)/%.o: OBJ_CFLAGS = -fPIC -isystem $(CUDA_INCLUDE)

$(BLAS_BUILD)/stubs.c: $(BLAS_OBJECTS) grader/simgpu/client/stubs.awk
	$(call stubs_of,$(BLAS_OBJECTS),$(CUDA_LIB)/libcublas.so,cublas,blas_missing)

$(BLAS_BUILD)/libcublas.map: $(BLAS_CLIENT)/libcublas.map
	@mkdir -p $(@D)
	@sed 's/@SONAME@/$(CUBLAS)/' $< >$@

$(B)/lib/sim/$(CUBLAS): $(BLAS_OBJECTS) $(BLAS_BUILD)/stubs.c $(BLAS_BUILD)/libcublas.map \
		$$(SIM_CUDART)
	@mkdir -p $(@D)
	$(call say,LD,$@)$(PLAIN_CC) -shared -fPIC -Wl,-soname,$(CUBLAS) -Wl,--no-undefined \
		-Wl,--version-script=$(BLAS_BUILD)/libcublas.map $(BLAS_OBJECTS) \
		$(BLAS_BUILD)/stubs.c $(SIM_CUDART) -o $@ -lm

# A toolkit may come without it.
HAVE_CUBLAS := $(if $(wildcard $(CUDA_LIB)/libcublas.so),$(wildcard $(CUDA_INCLUDE)/cublas_v2.h))
simgpu check: $(if $(HAVE_CUBLAS),$(B)/lib/sim/$(CUBLAS))
