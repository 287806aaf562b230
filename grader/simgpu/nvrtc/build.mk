# NVRTC on the simulated device: the toolkit's own, which is made to compile to PTX.

NVRTC := grader/simgpu/nvrtc
NVRTC_BUILD := $(B)/obj/$(NVRTC)
LIBNVRTC := $(notdir $(lastword $(sort $(wildcard $(CUDA_LIB)/libnvrtc.so.??))))
$(NVRTC_BUILD)/%.o: OBJ_CFLAGS = -fPIC -isystem $(CUDA_INCLUDE) \
	-DTOOLKIT_LIBRARY='"$(CUDA_LIB)/$(LIBNVRTC)"'

$(NVRTC_BUILD)/forward.c: $(NVRTC_BUILD)/compile.o $(NVRTC)/forward.awk
	$(call say,GEN,$@)nm --defined-only -g $< | awk 'NF == 3 { print $$3 }' >$(@D)/ours.txt && \
	nm -D --defined-only $(CUDA_LIB)/$(LIBNVRTC) | \
		awk '{ sub(/@.*/, "", $$3); print $$3 }' >$(@D)/theirs.txt && \
	awk -f $(NVRTC)/forward.awk $(@D)/ours.txt $(@D)/theirs.txt >$@

$(NVRTC_BUILD)/libnvrtc.map: $(NVRTC)/libnvrtc.map
	@mkdir -p $(@D)
	@sed 's/@SONAME@/$(LIBNVRTC)/' $< >$@

# Before set-up, or without it, the target is a name that nothing asks for.
$(B)/lib/sim/$(or $(LIBNVRTC),no-nvrtc): $(NVRTC_BUILD)/compile.o $(NVRTC_BUILD)/forward.c \
		$(NVRTC_BUILD)/libnvrtc.map
	@mkdir -p $(@D)
	$(call say,LD,$@)$(PLAIN_CC) -shared -fPIC -Wl,-soname,$(LIBNVRTC) -Wl,--no-undefined \
		-Wl,--version-script=$(NVRTC_BUILD)/libnvrtc.map $(filter %.o %.c,$^) -o $@ -ldl

# A toolkit may come without it.
HAVE_NVRTC := $(if $(LIBNVRTC),$(wildcard $(CUDA_INCLUDE)/nvrtc.h))
simgpu check: $(if $(HAVE_NVRTC),$(B)/lib/sim/$(LIBNVRTC))
