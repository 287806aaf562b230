# Ordinary CUDA programs that check themselves, run unmodified on the simulated device; `make
# gpu-test` runs the same files on a GPU.

PROGRAMS := $(patsubst grader/tests/programs/%.cu,$(PLAIN)/test/programs/%,\
	$(wildcard grader/tests/programs/*.cu))

# A toolkit may come without cuBLAS.
CUBLAS_PROGRAMS := $(filter $(PLAIN)/test/programs/cublas_%,$(PROGRAMS))
ifeq ($(HAVE_CUBLAS),)
PROGRAMS := $(filter-out $(CUBLAS_PROGRAMS),$(PROGRAMS))
endif
$(CUBLAS_PROGRAMS): grader/tests/programs/cublas_program.h
$(CUBLAS_PROGRAMS): PROGRAM_LIBS = -lcublas

# Or without cuRAND, cuSPARSE, cuFFT or NVRTC.
ifeq ($(HAVE_curand),)
PROGRAMS := $(filter-out %/curand,$(PROGRAMS))
endif
ifeq ($(HAVE_cusparse),)
PROGRAMS := $(filter-out %/cusparse,$(PROGRAMS))
endif
ifeq ($(HAVE_cufft),)
PROGRAMS := $(filter-out %/cufft,$(PROGRAMS))
endif
ifeq ($(HAVE_NVRTC),)
PROGRAMS := $(filter-out %/nvrtc,$(PROGRAMS))
endif
$(PLAIN)/test/programs/nvrtc: PROGRAM_LIBS = -L$(CUDA_LIB)/stubs -lnvrtc -lcuda
$(PLAIN)/test/programs/curand: PROGRAM_LIBS = -lcurand
$(PLAIN)/test/programs/cusparse: PROGRAM_LIBS = -lcusparse
$(PLAIN)/test/programs/cufft: PROGRAM_LIBS = -lcufft
$(PLAIN)/test/programs/cusparse: PROGRAM_FLAGS = -DDISABLE_CUSPARSE_DEPRECATED
# No toolkit brings NVML's library, which a driver does: the program is linked with ours.
$(PLAIN)/test/programs/nvml: $(NVML_LIBRARY)
$(PLAIN)/test/programs/nvml: PROGRAM_FLAGS = -Igrader
$(PLAIN)/test/programs/nvml: PROGRAM_LIBS = -L$(B)/lib/sim -l:libnvidia-ml.so.1
$(PLAIN)/test/programs/driver: PROGRAM_LIBS = -L$(CUDA_LIB)/stubs -lcuda

PROGRAM_ARCH := -gencode arch=compute_80,code=[compute_80,sm_80]
$(PLAIN)/test/programs/%: grader/tests/programs/%.cu grader/tests/programs/program.h
	@mkdir -p $(@D)
	$(call say,NVCC,$@)$(NVCC) -O3 -lineinfo -cudart shared -Wno-deprecated-gpu-targets \
		$(PROGRAM_ARCH) \
		$(PROGRAM_FLAGS) $< -o $@ $(PROGRAM_LIBS)

# A program in pieces, linked: -rdc=true.
PROGRAMS += $(PLAIN)/test/programs/linked
LINKED_PIECES := $(wildcard grader/tests/programs/linked/*)
$(PLAIN)/test/programs/linked: $(LINKED_PIECES) grader/tests/programs/program.h
	@mkdir -p $(@D)
	$(call say,NVCC,$@)$(NVCC) -O3 -lineinfo -cudart shared -Wno-deprecated-gpu-targets -rdc=true \
		-gencode arch=compute_80,code=[compute_80,sm_80] $(filter %.cu,$(LINKED_PIECES)) -o $@

# Programs that the simulated device cannot serve, or only in part: refused.sh. Their library exists
# twice, the second time under the name of one of NVIDIA's.
REFUSED := $(PLAIN)/test/programs/refused
REFUSED_SOURCES := grader/tests/programs/refused
REFUSED_PRODUCTS := $(REFUSED)/program $(REFUSED)/static_runtime $(REFUSED)/kernel \
	$(REFUSED)/named/libcusolver.so.12 $(if $(HAVE_CUBLAS),$(REFUSED)/cublas)
REFUSED_NVCC = $(call say,NVCC,$@)$(NVCC) -Wno-deprecated-gpu-targets -arch=compute_80
$(REFUSED)/liblibrary.so: $(REFUSED_SOURCES)/library.cu
	@mkdir -p $(@D)
	$(REFUSED_NVCC) -shared -Xcompiler -fPIC -cudart static $< -o $@
$(REFUSED)/named/libcusolver.so.12: $(REFUSED)/liblibrary.so
	@mkdir -p $(@D) && cp $< $@
$(REFUSED)/static_runtime: RUNTIME := static
$(REFUSED)/program: RUNTIME := shared
$(REFUSED)/program $(REFUSED)/static_runtime: $(REFUSED_SOURCES)/program.cu $(REFUSED)/liblibrary.so
	@mkdir -p $(@D)
	$(REFUSED_NVCC) -cudart $(RUNTIME) $< -o $@ -L$(@D) -llibrary -ldl \
		-Xlinker -rpath='$$ORIGIN'
$(REFUSED)/kernel: $(REFUSED_SOURCES)/kernel.cu
	@mkdir -p $(@D)
	$(REFUSED_NVCC) -cudart shared $< -o $@
$(REFUSED)/cublas: $(REFUSED_SOURCES)/cublas.cu
	@mkdir -p $(@D)
	$(REFUSED_NVCC) -cudart shared $< -o $@ -lcublas

# The same programs as another compiler would build them: nothing inlined, all variables in memory.
DEBUG_PROGRAMS := $(PLAIN)/test/programs/early_exits_debug $(PLAIN)/test/programs/waits_debug
PROGRAMS += $(DEBUG_PROGRAMS)
$(DEBUG_PROGRAMS): $(PLAIN)/test/programs/%_debug: grader/tests/programs/%.cu \
		grader/tests/programs/program.h
	@mkdir -p $(@D)
	$(call say,NVCC,$@)$(NVCC) -G -cudart shared -Wno-deprecated-gpu-targets \
		-gencode arch=compute_80,code=[compute_80,sm_80] $< -o $@

# What some need besides the runtime, and how some are compiled.
$(PLAIN)/test/programs/per_thread: PROGRAM_FLAGS = --default-stream per-thread
$(addprefix $(PLAIN)/test/programs/,bulk_copies clusters): \
	PROGRAM_ARCH = -gencode arch=compute_90,code=[compute_90,sm_90]
$(PLAIN)/test/programs/older: PROGRAM_FLAGS = -Wno-deprecated-declarations
$(PLAIN)/test/programs/grader_kernels: PROGRAM_FLAGS = -std=c++17 -Igrader -Icommon
$(PLAIN)/test/programs/grader_kernels: $(wildcard grader/check/examine/d*.[ch]*) \
	$(wildcard grader/check/examine/watch.*)
$(PLAIN)/test/programs/blaslt: PROGRAM_LIBS = -lcublasLt

without_cublas = $(if $(HAVE_CUBLAS),,@echo '  left out, since this toolkit has no cuBLAS:' \
	$(notdir $(CUBLAS_PROGRAMS)))

.PHONY: programs
programs: simgpu $(PROGRAMS) $(REFUSED_PRODUCTS) ## run whole CUDA programs on the simulated device
	$(without_cublas)
	@grader/tests/programs/run.sh "$(B)/bin/simgpu run --quiet --" $(PROGRAMS)
	@grader/tests/programs/run.sh "$(B)/bin/simgpu run --check --quiet --" \
		$(filter %bulk_copies %clusters %early_exits %waits,$(PROGRAMS)) $(DEBUG_PROGRAMS)
	@grader/tests/programs/races.sh $(B)/bin/simgpu $(PLAIN)/test/programs/order
	@grader/tests/programs/waits.sh $(B)/bin/simgpu $(PLAIN)/test/programs/waits
	@grader/tests/programs/sentences.sh $(B)/bin/simgpu $(PLAIN)/test/programs/memory_mistakes
	@grader/tests/programs/refused.sh $(B)/bin/simgpu $(REFUSED) $(CUDA_LIB)
	$(if $(HAVE_CUBLAS),@grader/tests/programs/cublas.sh $(B)/bin/simgpu $(REFUSED)/cublas)
	$(if $(SANITIZE),,@grader/tests/programs/start.sh $(B)/bin/simgpu \
		$(PLAIN)/test/programs/first_launch)

TEST_PARTS += programs
TEST_PRODUCTS += $(PROGRAMS) $(REFUSED_PRODUCTS)

.PHONY: gpu-programs
gpu-programs: $(PROGRAMS) ## run the same programs on the GPU at hand
	$(without_cublas)
	@grader/tests/programs/run.sh "" $(PROGRAMS)
