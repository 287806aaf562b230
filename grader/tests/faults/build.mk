# Faults planted in kernels, each of which the simulated device has to find and tell right, and
# correct kernels, none of which it may report. `make sanitizer` asks compute-sanitizer the same.

FAULTS := grader/tests/faults
PLANTED_SOURCES := $(filter-out %/planted.cu,$(wildcard $(FAULTS)/planted/*.cu))
CORRECT_SOURCES := $(filter-out %/correct.cu,$(wildcard $(FAULTS)/correct/*.cu))
FAULTS_ARCH ?= -gencode arch=compute_80,code=compute_80
# 186: an unsigned number compared with zero, which is one of the faults.
FAULTS_NVCC := -std=c++17 -g -lineinfo -cudart shared -diag-suppress 186 -Igrader

# All of one kind in one file: nvcc spends most of its time on its own headers.
$(B)/test/faults/all_%.cu: $$(wildcard $(FAULTS)/$$*/*.cu) $(FAULTS)/build.mk
	@mkdir -p $(@D)
	@printf '#include "$(CURDIR)/%s"\n' $(filter %.cu,$^) >$@

FAULT_KINDS := planted correct
$(FAULT_KINDS:%=$(B)/test/faults/%): $(B)/test/faults/%: $(B)/test/faults/all_%.cu \
		$(B)/obj/$(FAULTS)/checks.o $$(wildcard $(FAULTS)/$$*/*.h)
	$(call say,NVCC,$@)$(NVCC) $(FAULTS_NVCC) $(FAULTS_ARCH) $(filter %.cu %.o,$^) -o $@

# The same for the GPU at hand.
$(FAULT_KINDS:%=$(B)/test/faults/gpu_%): $(B)/test/faults/gpu_%: $(B)/test/faults/all_%.cu \
		$(B)/obj/$(FAULTS)/checks.o $$(wildcard $(FAULTS)/$$*/*.h)
	$(call say,NVCC,$@)$(NVCC) $(FAULTS_NVCC) -arch=native $(filter %.cu %.o,$^) -o $@

$(B)/obj/$(FAULTS)/%.o: OBJ_CFLAGS = -Igrader
$(B)/test/faults/verify: $(B)/obj/$(FAULTS)/verify.o $(B)/obj/$(FAULTS)/expectation.o
	@mkdir -p $(@D)
	$(call say,LD,$@)$(CC) $^ -o $@

VERIFY_FAULTS := $(B)/test/faults/verify $(B)/bin/simgpu $(B)/test/faults/planted \
	$(B)/test/faults/found.txt $(PLANTED_SOURCES)
FAULTS_BUILT := $(FAULT_KINDS:%=$(B)/test/faults/%) $(B)/test/faults/verify

.PHONY: faults sanitizer
faults: simgpu $(FAULTS_BUILT) ## find every planted fault, report no correct kernel
	@$(VERIFY_FAULTS)
	@$(B)/bin/simgpu run -- $(B)/test/faults/correct all >$(B)/test/faults/correct.txt 2>&1 || \
		{ head -20 $(B)/test/faults/correct.txt; exit 1; }
	@grep '^  ok' $(B)/test/faults/correct.txt

# Faults that are told otherwise here are no reason not to ask the sanitizer.
sanitizer: OUT ?= $(B)/gpu
sanitizer: $(FAULTS_BUILT) $(FAULT_KINDS:%=$(B)/test/faults/gpu_%)
sanitizer: simgpu ## on a GPU: does compute-sanitizer agree on those faults?
	@mkdir -p $(OUT)
	-@$(VERIFY_FAULTS) >$(OUT)/faults.txt; tail -1 $(OUT)/faults.txt
	@$(FAULTS)/sanitizer.sh $(FAULT_KINDS:%=$(B)/test/faults/gpu_%) $(B)/test/faults/found.txt $(OUT)

TEST_PARTS += faults
