# Unit tests: every check_*.c is a program of its own, named after the file it tests.

CHECKS := $(patsubst grader/tests/%.c,$(B)/test/%,$(wildcard grader/tests/check_*.c))

$(B)/obj/grader/tests/%.o: OBJ_CFLAGS = $(MACHINE_INCLUDES) -Igrader

$(B)/test/check_%: $(B)/obj/grader/tests/check_%.o $(B)/obj/grader/tests/bench_machine.o \
		$(B)/lib/libmachine.a
	@mkdir -p $(@D)
	$(call say,LD,$@)$(CC) $^ -o $@ $(CHECK_LIBS) $(ZSTD_LIBS) -lm -pthread

# The cases of *.test: check_ptx asks the machine, gpu_ptx (not part of `make test`) a GPU.
PTX_CASES := $(patsubst %.c,$(B)/obj/%.o,$(wildcard grader/tests/ptx_*.c))
$(PTX_CASES) $(B)/obj/grader/tests/check_ptx.o: $(MACHINE)/program/opcodes.def
$(B)/test/check_ptx: $(PTX_CASES)

# It sets the processor's rounding.
$(B)/obj/grader/tests/check_soft_rounding.o: OBJ_CFLAGS += -frounding-math -ffp-contract=off
$(B)/test/check_line: $(B)/obj/grader/simgpu/line.o
$(B)/test/check_idleness: $(B)/obj/grader/simgpu/device/idleness.o
$(B)/test/check_order: $(B)/obj/grader/simgpu/device/order.o
$(B)/test/check_timeline: $(addprefix $(B)/obj/grader/simgpu/device/timeline_,\
		model.o copies.o share.o places.o costs.o)

# check_observer has an observer of its own: the list is compiled once more, with told.def.
TOLD := $(addprefix $(B)/obj/grader/tests/,check_observer.o observers.o)
$(TOLD): OBJ_CFLAGS += -Igrader/tests -DMORE_OBSERVERS='"told.def"'
$(B)/obj/grader/tests/observers.o: $(MACHINE)/observe/observers.c
	@mkdir -p $(@D)
	$(call say,CC,$@)$(CC) $(C17) $(CFLAGS) $(OBJ_CFLAGS) -c $< -o $@
$(B)/test/check_observer: $(TOLD) $(B)/obj/grader/tests/bench_machine.o $(B)/lib/libmachine.a
	@mkdir -p $(@D)
	$(call say,LD,$@)$(CC) $^ -o $@ $(CHECK_LIBS) $(ZSTD_LIBS) -lm -pthread

$(B)/obj/grader/tests/gpu_ptx.o: OBJ_CFLAGS += -isystem $(CUDA_INCLUDE)
$(B)/test/gpu_ptx: $(B)/obj/grader/tests/gpu_ptx.o $(PTX_CASES) \
		$(addprefix $(B)/obj/$(MACHINE)/,ptx/types.o program/letters.o)
	@mkdir -p $(@D)
	$(call say,LD,$@)$(CC) $^ -o $@ $(LINK_CUDART) -lm

# Matrix instructions: check_tensor runs tensor_kernels.cu on the machine, gpu_tensor (not part of
# `make test`) the same kernels on a GPU.
TENSOR_CASES := grader/tests/tensor_cases.h grader/tests/tensor_cases.def
$(B)/test/tensor_kernels.ptx: grader/tests/tensor_kernels.cu $(TENSOR_CASES)
	@mkdir -p $(@D)
	$(call say,NVCC,$@)$(NVCC) -ptx -arch=compute_90 -Igrader/tests $< -o $@
$(B)/test/check_tensor: | $(B)/test/tensor_kernels.ptx
$(B)/test/gpu_tensor: grader/tests/gpu_tensor.cu grader/tests/tensor_kernels.cu $(TENSOR_CASES)
	@mkdir -p $(@D)
	$(call say,NVCC,$@)$(NVCC) -O2 -cudart shared -Igrader/tests \
		-gencode arch=compute_80,code=sm_80 -gencode arch=compute_90,code=[sm_90,compute_90] \
		$< -o $@

# What a user with a GPU runs: all of the above on it, and the first checks.
.PHONY: gpu-test
gpu-test: check ## compare the simulated device with this GPU (logs in build/gpu, or OUT=folder)
	+@OUT='$(OUT)' MAKE='$(MAKE)' NVCC='$(NVCC)' CUDA_HOME='$(CUDA_HOME)' \
		grader/tests/gpu_test.sh $(B)

.PHONY: unit
TEST_PARTS += unit
TEST_PRODUCTS += $(CHECKS)
unit: $(CHECKS) ## run the unit tests
	@grader/tests/run_checks.sh $^

.PHONY: steps test-steps
steps: check ## test that each step of a ladder is right, and as fast as its table says
	@grader/tests/steps.sh $(B)
TEST_PARTS += test-steps
test-steps: check # one of each ladder
	@grader/tests/steps.sh $(B) 1
.PHONY: ladder
ladder: check ## tabulate the steps' speeds for reports (solutions/NN_slug/ladder.csv)
	@grader/tests/steps.sh $(B) || true
	@grader/bench/ladder.sh $(B)

.PHONY: test-processors test-all-processors
TEST_PARTS += test-processors
test-processors: ## test the machine as it is built for processors with AVX2, as most laptops have
	+@MAKE='$(MAKE)' grader/tests/processors.sh $(B) x86-64-v3
test-all-processors: ## test the machine as it is built for AVX2, and for any x86-64
	+@MAKE='$(MAKE)' grader/tests/processors.sh $(B)

.PHONY: test-arm64
test-arm64: ## test the machine as it is built for 64-bit ARM, under qemu (takes long)
	+@MAKE='$(MAKE)' grader/tests/arm64.sh $(B)

.PHONY: test-style
TEST_PARTS += test-style
test-style: ## test that lines are short, C is formatted, fields are read, and links work
	@grader/tests/style.sh
	@grader/tests/format.sh check
	@grader/tests/links.sh

.PHONY: format
format: ## format all .c and .h files with clang-format 14
	@grader/tests/format.sh write

.PHONY: test-layers
TEST_PARTS += test-layers
test-layers: ## test that files include only what the READMEs allow
	@grader/tests/layers.sh
