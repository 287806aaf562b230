# cuFFT on the simulated device: transforms are computed on the host.

FFT := grader/simgpu/fft
FFT_BUILD := $(B)/obj/$(FFT)
FFT_OBJECTS := $(patsubst %.c,$(B)/obj/%.o,$(wildcard $(FFT)/*.c))
CUFFT := $(notdir $(lastword $(sort \
	$(filter-out %.so,$(wildcard $(CUDA_LIB)/libcufft.so.??)))))
$(FFT_BUILD)/%.o: OBJ_CFLAGS = -fPIC -isystem $(CUDA_INCLUDE) \
	-Wno-unused-parameter

$(FFT_BUILD)/stubs.c: $(FFT_OBJECTS) grader/simgpu/client/stubs.awk
	$(call stubs_of,$(FFT_OBJECTS),$(CUDA_LIB)/$(CUFFT),cufft,fft_missing)

$(FFT_BUILD)/libcufft.map: $(FFT)/libcufft.map
	@mkdir -p $(@D)
	@sed 's/@SONAME@/$(CUFFT)/' $< >$@

# Before set-up, or without it, the target is a name that nothing asks for.
$(B)/lib/sim/$(or $(CUFFT),no-cufft): $(FFT_OBJECTS) $(FFT_BUILD)/stubs.c \
		$(FFT_BUILD)/libcufft.map \
		$$(SIM_CUDART)
	@mkdir -p $(@D)
	$(call say,LD,$@)$(PLAIN_CC) -shared -fPIC -Wl,-soname,$(CUFFT) -Wl,--no-undefined \
		-Wl,--version-script=$(FFT_BUILD)/libcufft.map $(FFT_OBJECTS) \
		$(FFT_BUILD)/stubs.c $(SIM_CUDART) -o $@ -lm -pthread

# A toolkit may come without it.
HAVE_CUFFT := $(if $(CUFFT),$(wildcard $(CUDA_INCLUDE)/cufft.h))
simgpu check: $(if $(HAVE_CUFFT),$(B)/lib/sim/$(CUFFT))
