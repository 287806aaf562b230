# cuSPARSE on the simulated device: what is asked of it is computed on the host.

SPARSE := grader/simgpu/sparse
SPARSE_BUILD := $(B)/obj/$(SPARSE)
SPARSE_OBJECTS := $(patsubst %.c,$(B)/obj/%.o,$(wildcard $(SPARSE)/*.c))
CUSPARSE := $(notdir $(lastword $(sort \
	$(filter-out %.so,$(wildcard $(CUDA_LIB)/libcusparse.so.??)))))
$(SPARSE_BUILD)/%.o: OBJ_CFLAGS = -fPIC -isystem $(CUDA_INCLUDE) -DDISABLE_CUSPARSE_DEPRECATED \
	-Wno-unused-parameter

$(SPARSE_BUILD)/stubs.c: $(SPARSE_OBJECTS) grader/simgpu/client/stubs.awk
	$(call stubs_of,$(SPARSE_OBJECTS),$(CUDA_LIB)/$(CUSPARSE),cusparse,sparse_missing)

$(SPARSE_BUILD)/libcusparse.map: $(SPARSE)/libcusparse.map
	@mkdir -p $(@D)
	@sed 's/@SONAME@/$(CUSPARSE)/' $< >$@

# Before set-up, or without it, the target is a name that nothing asks for.
$(B)/lib/sim/$(or $(CUSPARSE),no-cusparse): $(SPARSE_OBJECTS) $(SPARSE_BUILD)/stubs.c \
		$(SPARSE_BUILD)/libcusparse.map \
		$$(SIM_CUDART)
	@mkdir -p $(@D)
	$(call say,LD,$@)$(PLAIN_CC) -shared -fPIC -Wl,-soname,$(CUSPARSE) -Wl,--no-undefined \
		-Wl,--version-script=$(SPARSE_BUILD)/libcusparse.map $(SPARSE_OBJECTS) \
		$(SPARSE_BUILD)/stubs.c $(SIM_CUDART) -o $@ -lm -pthread

# A toolkit may come without it.
HAVE_CUSPARSE := $(if $(CUSPARSE),$(wildcard $(CUDA_INCLUDE)/cusparse.h))
simgpu check: $(if $(HAVE_CUSPARSE),$(B)/lib/sim/$(CUSPARSE))
