# Faults planted in kernels, each of which the simulated device has to find and tell right, and
# correct kernels, none of which it may report. `make gpu-test` asks compute-sanitizer the same.

FAULTS := grader/tests/faults
PLANTED_SOURCES := $(filter-out %/planted.cu,$(wildcard $(FAULTS)/planted/*.cu))
CORRECT_SOURCES := $(filter-out %/correct.cu,$(wildcard $(FAULTS)/correct/*.cu))
FAULTS_ARCH ?= -gencode arch=compute_80,code=compute_80
# 186: an unsigned number compared with zero, which is one of the faults.
FAULTS_NVCC := -std=c++17 -g -lineinfo -cudart shared -diag-suppress 186 $(FAULTS_ARCH) -Igrader

# All of one kind in one file: nvcc spends most of its time on its own headers.
$(B)/test/faults/all_%.cu: $$(wildcard $(FAULTS)/$$*/*.cu) $(FAULTS)/build.mk
	@mkdir -p $(@D)
	@printf '#include "$(CURDIR)/%s"\n' $(filter %.cu,$^) >$@

$(B)/test/faults/%: $(B)/test/faults/all_%.cu $(B)/obj/$(FAULTS)/checks.o \
		$$(wildcard $(FAULTS)/$$*/*.h)
	$(call say,NVCC,$@)$(NVCC) $(FAULTS_NVCC) $(filter %.cu %.o,$^) -o $@

$(B)/obj/$(FAULTS)/%.o: OBJ_CFLAGS = -Igrader
$(B)/test/faults/verify: $(B)/obj/$(FAULTS)/verify.o $(B)/obj/$(FAULTS)/expectation.o
	@mkdir -p $(@D)
	$(call say,LD,$@)$(CC) $^ -o $@

.PHONY: faults
faults: simgpu $(B)/test/faults/planted $(B)/test/faults/verify ## find every planted fault, report no correct kernel
	@$(B)/test/faults/verify $(B)/bin/simgpu $(B)/test/faults/planted $(B)/test/faults/found.txt \
		$(PLANTED_SOURCES)
