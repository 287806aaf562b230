# cuRAND's host library on the simulated device: its numbers are drawn by the toolkit's own.

RAND := grader/simgpu/rand
RAND_BUILD := $(B)/obj/$(RAND)
RAND_OBJECTS := $(patsubst %.c,$(B)/obj/%.o,$(wildcard $(RAND)/*.c))
CURAND := $(notdir $(lastword $(sort $(filter-out %.so,$(wildcard $(CUDA_LIB)/libcurand.so.??)))))
$(RAND_BUILD)/%.o: OBJ_CFLAGS = -fPIC -isystem $(CUDA_INCLUDE) \
	-DTOOLKIT_LIBRARY='"$(CUDA_LIB)/$(CURAND)"'

$(RAND_BUILD)/stubs.c: $(RAND_OBJECTS) grader/simgpu/client/stubs.awk
	$(call stubs_of,$(RAND_OBJECTS),$(CUDA_LIB)/$(CURAND),curand,rand_missing)

$(RAND_BUILD)/libcurand.map: $(RAND)/libcurand.map
	@mkdir -p $(@D)
	@sed 's/@SONAME@/$(CURAND)/' $< >$@

# Before set-up, or without it, the target is a name that nothing asks for.
$(B)/lib/sim/$(or $(CURAND),no-curand): $(RAND_OBJECTS) $(RAND_BUILD)/stubs.c \
		$(RAND_BUILD)/libcurand.map \
		$$(SIM_CUDART)
	@mkdir -p $(@D)
	$(call say,LD,$@)$(PLAIN_CC) -shared -fPIC -Wl,-soname,$(CURAND) -Wl,--no-undefined \
		-Wl,--version-script=$(RAND_BUILD)/libcurand.map $(RAND_OBJECTS) \
		$(RAND_BUILD)/stubs.c $(SIM_CUDART) -o $@ -ldl -pthread

# A toolkit may come without it.
HAVE_CURAND := $(if $(CURAND),$(wildcard $(CUDA_INCLUDE)/curand.h))
simgpu check: $(if $(HAVE_CURAND),$(B)/lib/sim/$(CURAND))
