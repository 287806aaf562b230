# The grader's window on the simulated device: which program works when, and what is reported.

WINDOW := $(B)/test/window
$(B)/obj/grader/tests/window/window.o: OBJ_CFLAGS = -Igrader -isystem $(CUDA_INCLUDE)
$(WINDOW): $(B)/obj/grader/tests/window/window.o grader/tests/window/kernels.cu
	@mkdir -p $(@D)
	$(call say,NVCC,$@)$(NVCC) -O3 -std=c++17 -cudart shared -Wno-deprecated-gpu-targets \
		-gencode arch=compute_80,code=[compute_80,sm_80] $(filter %.o %.cu,$^) -o $@

.PHONY: window
window: simgpu $(WINDOW) ## test the grader's window on the simulated device
	@grader/tests/programs/run.sh "$(B)/bin/simgpu run --quiet --control --memory 256 --" $(WINDOW)

TEST_PARTS += window
TEST_PRODUCTS += $(WINDOW)
