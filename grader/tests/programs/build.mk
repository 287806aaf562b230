# Ordinary CUDA programs that check themselves, run unmodified on the simulated device; `make
# gpu-test` runs the same files on a GPU.

PROGRAMS := $(patsubst grader/tests/programs/%.cu,$(B)/test/programs/%,\
	$(wildcard grader/tests/programs/*.cu))

$(B)/test/programs/%: grader/tests/programs/%.cu grader/tests/programs/program.h
	@mkdir -p $(@D)
	$(call say,NVCC,$@)$(NVCC) -O3 -lineinfo -cudart shared -Wno-deprecated-gpu-targets \
		-gencode arch=compute_80,code=[compute_80,sm_80] \
		$(PROGRAM_FLAGS) $< -o $@ $(PROGRAM_LIBS)

# A program in pieces, linked: -rdc=true.
PROGRAMS += $(B)/test/programs/linked
LINKED_PIECES := $(wildcard grader/tests/programs/linked/*)
$(B)/test/programs/linked: $(LINKED_PIECES) grader/tests/programs/program.h
	@mkdir -p $(@D)
	$(call say,NVCC,$@)$(NVCC) -O3 -lineinfo -cudart shared -Wno-deprecated-gpu-targets -rdc=true \
		-gencode arch=compute_80,code=[compute_80,sm_80] $(filter %.cu,$(LINKED_PIECES)) -o $@

# What some need beside the runtime, and how some are compiled.
$(B)/test/programs/per_thread: PROGRAM_FLAGS = --default-stream per-thread
$(B)/test/programs/older: PROGRAM_FLAGS = -Wno-deprecated-declarations
$(B)/test/programs/blaslt: PROGRAM_LIBS = -lcublasLt

.PHONY: programs
programs: simgpu $(PROGRAMS) ## run whole CUDA programs on the simulated device
	@grader/tests/programs/run.sh "$(B)/bin/simgpu run --quiet --" $(PROGRAMS)
	@grader/tests/programs/races.sh $(B)/bin/simgpu $(B)/test/programs/order
	@grader/tests/programs/sentences.sh $(B)/bin/simgpu $(B)/test/programs/memory_mistakes
	@grader/tests/programs/start.sh $(B)/bin/simgpu $(B)/test/programs/first_launch

TEST_PARTS += programs
TEST_PRODUCTS += $(PROGRAMS)

.PHONY: gpu-programs
gpu-programs: $(PROGRAMS) ## run the same programs on the GPU at hand
	@grader/tests/programs/run.sh "" $(PROGRAMS)
