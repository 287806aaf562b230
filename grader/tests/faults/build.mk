# Faults planted in kernels, each of which the simulated device has to find and describe rightly,
# and correct kernels, none of which it may report. `make sanitizer` asks compute-sanitizer the
# same.

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

# What needs sm_90: clusters of blocks.
SM90_FAULTS := $(B)/test/faults/planted_sm90 $(B)/test/faults/correct_sm90
FAULTS_SM90_ALL := $(SM90_FAULTS:$(B)/test/faults/%=$(B)/test/faults/all_%.cu)
PLANTED_SM90_SOURCES := $(wildcard $(FAULTS)/planted_sm90/*.cu)
$(SM90_FAULTS): FAULTS_ARCH := -gencode arch=compute_90,code=compute_90
$(FAULTS_SM90_ALL): $(B)/test/faults/all_%_sm90.cu: \
		$$(wildcard $(FAULTS)/$$*_sm90/*.cu) $(FAULTS)/$$*/$$*.cu $(FAULTS)/build.mk
	@mkdir -p $(@D)
	@printf '#include "$(CURDIR)/%s"\n' $(filter %.cu,$^) >$@
$(SM90_FAULTS): $(B)/test/faults/%_sm90: $(B)/test/faults/all_%_sm90.cu \
		$(B)/obj/$(FAULTS)/checks.o $$(wildcard $(FAULTS)/$$*/*.h)
	$(call say,NVCC,$@)$(NVCC) $(FAULTS_NVCC) $(FAULTS_ARCH) $(filter %.cu %.o,$^) -o $@

FAULT_KINDS := planted correct
$(FAULT_KINDS:%=$(B)/test/faults/%): $(B)/test/faults/%: $(B)/test/faults/all_%.cu \
		$(B)/obj/$(FAULTS)/checks.o $$(wildcard $(FAULTS)/$$*/*.h)
	$(call say,NVCC,$@)$(NVCC) $(FAULTS_NVCC) $(FAULTS_ARCH) $(filter %.cu %.o,$^) -o $@

# As a debugger wants it: with -G nothing is inlined or kept in registers, and structures go through
# local memory.
$(B)/test/faults/debug: $(B)/test/faults/all_correct.cu $(B)/obj/$(FAULTS)/checks.o \
		$(wildcard $(FAULTS)/correct/*.h)
	$(call say,NVCC,$@)$(NVCC) $(FAULTS_NVCC:-lineinfo=-G) $(FAULTS_ARCH) \
		$(filter %.cu %.o,$^) -o $@

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
VERIFY_SM90_FAULTS := $(B)/test/faults/verify $(B)/bin/simgpu $(B)/test/faults/planted_sm90 \
	$(B)/test/faults/found_sm90.txt $(PLANTED_SM90_SOURCES)
FAULTS_BUILT := $(FAULT_KINDS:%=$(B)/test/faults/%) $(B)/test/faults/verify
RUNS_CORRECT := $(B)/test/faults/correct $(B)/test/faults/debug $(B)/test/faults/correct_sm90

.PHONY: faults sanitizer
faults: $(SM90_FAULTS)
faults: simgpu $(FAULTS_BUILT) $(RUNS_CORRECT) ## test that planted faults are found, and no others
	@$(VERIFY_FAULTS)
	@$(VERIFY_SM90_FAULTS)
	@for program in $(RUNS_CORRECT); do \
		$(B)/bin/simgpu run --control -- $$program all >$$program.txt 2>&1 || \
			{ head -20 $$program.txt; exit 1; }; \
		grep '^  ok' $$program.txt; done

# If faults are described otherwise here, the sanitizer is still asked.
sanitizer: OUT ?= $(B)/gpu
sanitizer: $(FAULTS_BUILT) $(FAULT_KINDS:%=$(B)/test/faults/gpu_%)
sanitizer: simgpu ## compare those faults with compute-sanitizer's findings (GPU)
	@mkdir -p $(OUT)
	-@$(VERIFY_FAULTS) >$(OUT)/faults.txt; tail -1 $(OUT)/faults.txt
	@$(FAULTS)/sanitizer.sh $(FAULT_KINDS:%=$(B)/test/faults/gpu_%) $(B)/test/faults/found.txt $(OUT)

TEST_PARTS += faults
