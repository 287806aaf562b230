# Timing programs, which need a GPU to say anything (but not to be built), and small programs
# whose output the notes quote.

BENCH_CODE ?= compute_80,sm_90
BENCH_FLAGS = -O3 -Icommon -gencode arch=compute_80,code=[$(BENCH_CODE)]
BENCH_HEADERS := $(wildcard common/*.h common/contracts/*.h)
BENCH_OUT = $(or $(OUT),$(B)/gpu)

$(B)/bench/%: grader/bench/%.cu $(wildcard grader/bench/*.h) $(BENCH_HEADERS)
	@mkdir -p $(@D)
	$(call say,NVCC,$@)$(NVCC) $(BENCH_FLAGS) -cudart shared $< -o $@ $(BENCH_LIBS) -ldl \
		-Xlinker -rpath,$(CUDA_LIB)

# What they time, built as the grader builds a submission: solutions and their steps, and the
# corpus's slow entries. A lesson's bar has to lie between these and the solutions.
define BENCH_SUBMISSION
	@mkdir -p $(@D)
	$(call say,NVCC,$@)$(NVCC) $(BENCH_FLAGS) -shared -Xcompiler -fPIC -cudart none \
		-lineinfo $< -o $@
endef
$(B)/bench/%.so: solutions/%.cu $(BENCH_HEADERS)
	$(BENCH_SUBMISSION)
$(B)/bench/%.so: grader/judges/%.cu $(BENCH_HEADERS)
	$(BENCH_SUBMISSION)
$(B)/bench/%.so: $(B)/corpus/%.cu $(BENCH_HEADERS)
	$(BENCH_SUBMISSION)
$(B)/bench/%.so: grader/bench/%.cu $(wildcard grader/bench/*.h) $(BENCH_HEADERS)
	$(BENCH_SUBMISSION)

# The solutions with other constants.
VARIANTS := $(patsubst %,$(B)/bench/variants/%.so,$(shell grader/bench/variants.sh))
GEMM_VARIANTS = $(foreach of,sgemm epilogue,$(filter $(B)/bench/variants/$(of)_%,$(VARIANTS)))
$(B)/bench/variants/%.cu: grader/bench/variants.sh common/tile_gemm.h \
		$(wildcard solutions/*/*.cu solutions/*/steps/*.cu)
	@mkdir -p $(@D)
	@grader/bench/variants.sh $* >$@
$(VARIANTS): $(B)/bench/variants/%.so: $(B)/bench/variants/%.cu $(BENCH_HEADERS)
	$(BENCH_SUBMISSION)

$(B)/bench/counters: $(B)/obj/grader/bench/counters.o
	@mkdir -p $(@D)
	$(call say,LD,$@)$(CC) $^ -o $@

$(B)/obj/grader/bench/%.o: OBJ_CFLAGS = -Igrader

# Entries are stored whole or as patches: slow/* of a lesson is both.
entries_of = $(foreach ending,cu patch,$(2:%=grader/judges/$(1)/%.$(ending)))
benched = $(patsubst %,$(B)/bench/%.so,$(basename $(patsubst solutions/%,%,$(patsubst \
	grader/judges/%,%,$(1)))))

ELEMENTWISE_SOURCES := $(wildcard solutions/02_tiling/tiling.cu \
	solutions/02_tiling/steps/transpose_*.cu \
	$(call entries_of,02_tiling,slow/transpose_* right/*) \
	$(foreach lesson,01_coalescing 03_divergence 05_dropout,solutions/$(lesson)/*.cu \
	solutions/$(lesson)/steps/*.cu grader/judges/$(lesson)/exercise.cu \
	$(call entries_of,$(lesson),slow/* right/*)))
ELEMENTWISE := $(call benched,$(ELEMENTWISE_SOURCES)) \
	$(filter-out $(GEMM_VARIANTS),$(VARIANTS))

# The solution comes first: it is the reference for the others.
GEMM_SOURCES := $(wildcard solutions/02_tiling/tiling.cu solutions/02_tiling/steps/sgemm_*.cu \
	$(call entries_of,02_tiling,slow/sgemm_* right/*) \
	solutions/04_epilogue/epilogue.cu grader/judges/04_epilogue/exercise.cu \
	$(call entries_of,04_epilogue,slow/* right/*) \
	solutions/07_layout/layout.cu grader/judges/07_layout/exercise.cu \
	$(call entries_of,07_layout,slow/* right/*))
GEMM := $(call benched,$(GEMM_SOURCES)) $(GEMM_VARIANTS)

.PHONY: bench-check bench-build bench-elementwise bench-gemm bench-gemm-build bench-peers \
	bench-peers-build show-counters
bench: bench-check bench-elementwise bench-gemm bench-peers
bench-check: check ## time make check-lessonN of each solution, with its parts
	@grader/bench/check.sh

bench-build: $(B)/bench/elementwise $(ELEMENTWISE) ## build the timing programs and what they time
bench-elementwise: ## time lessons 1, 2, 3 and 5 against the copy rate (GPU; OUT=folder)
	@mkdir -p $(BENCH_OUT)
	$(call on_gpu,$(MAKE) bench-build && \
		$(B)/bench/elementwise -o $(BENCH_OUT)/elementwise.csv $(ELEMENTWISE))

bench-gemm-build: $(B)/bench/gemm $(GEMM)
bench-gemm: ## time lessons 2, 4 and 7 against cuBLAS (GPU; OUT=folder)
	@mkdir -p $(BENCH_OUT)
	$(call on_gpu,$(MAKE) bench-gemm-build && $(B)/bench/gemm -o $(BENCH_OUT)/gemm.csv $(GEMM))

BACKWARD := $(call benched,$(wildcard solutions/08_backward/backward.cu \
	solutions/08_backward/steps/*.cu \
	grader/judges/08_backward/exercise.cu $(call entries_of,08_backward,slow/* right/*)))
.PHONY: bench-backward bench-backward-build
bench: bench-backward
bench-backward-build: $(B)/bench/backward $(BACKWARD)
bench-backward: ## time lesson 8 against cuBLAS's two products (GPU; OUT=folder)
	@mkdir -p $(BENCH_OUT)
	$(call on_gpu,$(MAKE) bench-backward-build && \
		$(B)/bench/backward -o $(BENCH_OUT)/backward.csv $(BACKWARD))

# The solution comes first here, too.
ADAMW := $(call benched,$(wildcard solutions/09_adamw/adamw.cu \
	grader/judges/09_adamw/exercise.cu $(call entries_of,09_adamw,slow/* right/*)))
.PHONY: bench-adamw bench-adamw-build
bench: bench-adamw
bench-adamw-build: $(B)/bench/adamw $(ADAMW)
bench-adamw: ## time lesson 9 on GPT-2's tensors against a copy of the same bytes (GPU; OUT=folder)
	@mkdir -p $(BENCH_OUT)
	$(call on_gpu,$(MAKE) bench-adamw-build && $(B)/bench/adamw -o $(BENCH_OUT)/adamw.csv $(ADAMW))

# And here.
GRAPHS := $(call benched,$(wildcard solutions/10_graphs/graphs.cu \
	grader/judges/10_graphs/exercise.cu $(call entries_of,10_graphs,slow/* right/*)))
.PHONY: bench-graphs bench-graphs-build
bench: bench-graphs
bench-graphs-build: $(B)/bench/graphs $(GRAPHS)
bench-graphs: ## time lesson 10: short steps, hidden copies, tiles on streams (GPU; OUT=folder)
	@mkdir -p $(BENCH_OUT)
	$(call on_gpu,$(MAKE) bench-graphs-build && $(B)/bench/graphs -o $(BENCH_OUT)/graphs.csv $(GRAPHS))

# The top of lesson 2's ladders, and the solution, at sizes that no check times.
SIZES := $(patsubst %,$(B)/bench/02_tiling/%.so,tiling steps/sgemm_10_largest \
	steps/sgemm_11_shapes steps/transpose_5_vectorised steps/transpose_6_sectors)
.PHONY: bench-sizes bench-sizes-build
bench: bench-sizes
bench-sizes-build: $(B)/bench/sizes $(SIZES)
bench-sizes: ## time lesson 2 at many sizes against cuBLAS and a copy (GPU; OUT=folder)
	@mkdir -p $(BENCH_OUT)
	$(call on_gpu,$(MAKE) bench-sizes-build && \
		$(B)/bench/sizes -o $(BENCH_OUT)/sizes.csv $(SIZES))

# Lesson 6 is timed by the top of its ladder: its solution is the plain answer.
TOP_GEMM := 06_gemm/steps/gemm_4_finished

# PyTorch loads the CUDA runtime that it came with; our solutions then use the same one.
PYTHON ?= python3
PEERS := $(foreach lesson,01_coalescing/coalescing 02_tiling/tiling 03_divergence/divergence \
	04_epilogue/epilogue 05_dropout/dropout 08_backward/backward 09_adamw/adamw \
	10_graphs/graphs $(TOP_GEMM),$(B)/bench/$(lesson).so) \
	$(B)/bench/read.so
bench-peers-build: $(PEERS)
bench-peers: ## time PyTorch and the solutions of lessons 1 to 6 and 8 to 10 (GPU; OUT=folder)
	@mkdir -p $(BENCH_OUT)
	$(call on_gpu,$(MAKE) bench-peers-build && \
		$(PYTHON) grader/bench/peers.py -o $(BENCH_OUT)/peers.csv $(PEERS))

# The program counts the queries to cuBLASLt, so its own function has to be found first.
$(B)/bench/cublaslt: BENCH_LIBS = -lcublasLt -Xlinker --export-dynamic
.PHONY: bench-cublaslt bench-cublaslt-build
bench: bench-cublaslt
bench-cublaslt-build: $(B)/bench/cublaslt $(B)/bench/$(TOP_GEMM).so
bench-cublaslt: ## time lesson 6 against plain calls of cuBLASLt (GPU; OUT=folder)
	@mkdir -p $(BENCH_OUT)
	$(call on_gpu,$(MAKE) bench-cublaslt-build && $(B)/bench/cublaslt \
		-o $(BENCH_OUT)/cublaslt.csv $(B)/bench/$(TOP_GEMM).so)

# For awkward rows: against the best that the library does without its epilogue, plus one pass.
$(B)/bench/unfused: BENCH_LIBS = -lcublasLt
.PHONY: bench-unfused bench-unfused-build
bench: bench-unfused
bench-unfused-build: $(B)/bench/unfused $(B)/bench/$(TOP_GEMM).so
bench-unfused: ## time lesson 6 against unfused products and one pass (GPU; OUT=folder)
	@mkdir -p $(BENCH_OUT)
	$(call on_gpu,$(MAKE) bench-unfused-build && $(B)/bench/unfused \
		-o $(BENCH_OUT)/unfused.csv $(B)/bench/$(TOP_GEMM).so)

show-counters: $(B)/bench/counters
show-counters: ## show what happens to lesson 5's counters if they are mixed by xor
	@$(B)/bench/counters
