# What `simgpu run` shows: profile.sh runs profile.cu and looks at its profile.

PROFILE_TEST := $(B)/test/profile
JANSSON_LIBS ?= -ljansson

$(PROFILE_TEST)/profile: grader/tests/profile/profile.cu
	@mkdir -p $(@D)
	$(call say,NVCC,$@)$(NVCC) -O3 -lineinfo -cudart shared -Wno-deprecated-gpu-targets \
		-gencode arch=compute_80,code=[compute_80,sm_80] $< -o $@

$(PROFILE_TEST)/ranges: grader/tests/profile/ranges.cu
	@mkdir -p $(@D)
	$(call say,NVCC,$@)$(NVCC) -O3 -lineinfo -cudart shared -Wno-deprecated-gpu-targets \
		-gencode arch=compute_80,code=[compute_80,sm_80] $< -o $@ -ldl -lpthread
PROFILE_RANGES := $(if $(wildcard $(CUDA_INCLUDE)/nvtx3/nvToolsExt.h),$(PROFILE_TEST)/ranges)

$(PROFILE_TEST)/json_value: $(B)/obj/grader/tests/profile/json_value.o
	@mkdir -p $(@D)
	$(call say,LD,$@)$(CC) $^ -o $@ $(JANSSON_LIBS)
$(B)/obj/grader/tests/profile/%.o: OBJ_CFLAGS = $(JANSSON_CFLAGS)

$(PROFILE_TEST)/continue: grader/tests/profile/continue.cu
	@mkdir -p $(@D)
	$(call say,NVCC,$@)$(NVCC) -O3 -lineinfo -cudart shared -Wno-deprecated-gpu-targets \
		-gencode arch=compute_80,code=compute_80 $< -o $@

$(PROFILE_TEST)/timeline: grader/tests/profile/timeline.cu
	@mkdir -p $(@D)
	$(call say,NVCC,$@)$(NVCC) -O3 -lineinfo -Xcompiler -g -cudart shared \
		-Wno-deprecated-gpu-targets -gencode arch=compute_80,code=[compute_80,sm_80] $< -o $@

# The same with machine code and without.
$(PROFILE_TEST)/stores: STORES_CODE = [compute_80,sm_90]
$(PROFILE_TEST)/stores_ptx: STORES_CODE = compute_80
$(PROFILE_TEST)/stores $(PROFILE_TEST)/stores_ptx: grader/tests/profile/stores.cu
	@mkdir -p $(@D)
	$(call say,NVCC,$@)$(NVCC) -O3 -lineinfo -cudart shared -Wno-deprecated-gpu-targets \
		-gencode arch=compute_80,code=$(STORES_CODE) $< -o $@

.PHONY: test-profile
TEST_PARTS += test-profile
test-profile: $(PROFILE_TEST)/profile $(PROFILE_TEST)/json_value $(PROFILE_RANGES)
test-profile: $(PROFILE_TEST)/continue $(PROFILE_TEST)/stores $(PROFILE_TEST)/stores_ptx
test-profile: $(PROFILE_TEST)/timeline
test-profile: simgpu ## test what simgpu run shows about a program
	@grader/tests/profile/profile.sh $(B)/bin/simgpu $(PROFILE_TEST)/profile \
		$(PROFILE_TEST)/json_value $(PROFILE_RANGES)
	@grader/tests/profile/continue.sh $(B)/bin/simgpu $(PROFILE_TEST)/continue \
		$(PROFILE_TEST)/json_value
	@grader/tests/profile/timeline.sh $(B)/bin/simgpu $(PROFILE_TEST)/timeline \
		$(PROFILE_TEST)/json_value
	@grader/tests/profile/stores.sh $(B)/bin/simgpu $(PROFILE_TEST)/stores \
		$(PROFILE_TEST)/stores_ptx
