# The library that NVTX loads in a program under `simgpu run`. A toolkit without NVTX's headers gets
# none: its programs have no ranges either.

NVTX_LIBRARY := $(B)/lib/sim/libwarpquest-nvtx.so

$(B)/obj/grader/simgpu/nvtx/%.o: OBJ_CFLAGS = -fPIC \
	-Wno-cast-function-type -isystem $(CUDA_INCLUDE)

$(NVTX_LIBRARY): $(B)/obj/grader/simgpu/nvtx/nvtx.o grader/simgpu/nvtx/libwarpquest-nvtx.map
	@mkdir -p $(@D)
	$(call say,LD,$@)$(PLAIN_CC) -shared -fPIC -Wl,--no-undefined \
		-Wl,--version-script=$(filter %.map,$^) $(filter %.o,$^) -o $@ -ldl

HAVE_NVTX := $(wildcard $(CUDA_INCLUDE)/nvtx3/nvToolsExt.h)
simgpu check: $(if $(HAVE_NVTX),$(NVTX_LIBRARY))
