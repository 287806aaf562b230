# The cache torture of lesson 6: a program of its own, since it kills processes and takes its time.

TORTURE := grader/judges/06_gemm/torture
TORTURE_OBJECTS := $(patsubst %.c,$(B)/obj/%.o,$(wildcard $(TORTURE)/*.c))
$(B)/obj/$(TORTURE)/%.o: OBJ_CFLAGS = $(CHECK_FLAGS)

# It counts the library's questions by standing in front of it, so its names are shown to what it
# loads.
$(B)/bin/torture-lesson6: $(TORTURE_OBJECTS)
	@mkdir -p $(@D)
	$(call say,LD,$@)$(CC) -rdynamic $^ -o $@ $(LINK_CUDART) -L$(CUDA_LIB) \
		-Wl,--no-as-needed -l:libcublasLt.so.$(CUDART_SONAME_MAJOR) -lm -ldl

# DEVICE=gpu runs it on the GPU at hand. The submission is built anew each time: it may be any file.
TORTURED = $(if $(SUBMISSION),$(SUBMISSION),$(firstword $(wildcard exercises/06_gemm/*.cu)))
ON_SIM = $(if $(filter gpu,$(DEVICE)),,$(B)/bin/simgpu run --quiet --)

.PHONY: torture-lesson6
torture-lesson6: simgpu $(B)/bin/torture-lesson6
torture-lesson6: ## test a cache of plans as in service (SUBMISSION=file)
	@mkdir -p $(B)/torture
	@$(NVCC) -std=c++17 -O3 -shared -cudart none -Xcompiler -fPIC -Icommon \
		-gencode arch=compute_80,code=[compute_80,sm_80] '$(TORTURED)' -o $(B)/torture/lesson6.so
	@echo 'cache torture of lesson 6   $(TORTURED)'
	@$(ON_SIM) $(B)/bin/torture-lesson6 $(B)/torture/lesson6.so $(or $(SEED),1)
