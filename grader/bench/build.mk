# Timing programs, which need a GPU to say anything (but not to be built), and small programs
# whose output the notes quote.

NVCC ?= nvcc
BENCH_CODE ?= compute_80,sm_90
BENCH_FLAGS = -O3 -Icommon -gencode arch=compute_80,code=[$(BENCH_CODE)]
BENCH_HEADERS := $(wildcard common/*.h common/contracts/*.h)

$(B)/bench/%: grader/bench/%.cu $(BENCH_HEADERS)
	@mkdir -p $(@D)
	$(call say,NVCC,$@)$(NVCC) $(BENCH_FLAGS) -cudart shared $< -o $@ -ldl

# What they time, built as the grader builds a submission: solutions and their steps, and the slow
# ones of the corpus, between which and the solutions a lesson's bar has to lie.
define BENCH_SUBMISSION
	@mkdir -p $(@D)
	$(call say,NVCC,$@)$(NVCC) $(BENCH_FLAGS) -shared -Xcompiler -fPIC -cudart none \
		-lineinfo $< -o $@
endef
$(B)/bench/%.so: solutions/%.cu $(BENCH_HEADERS)
	$(BENCH_SUBMISSION)
$(B)/bench/%.so: grader/judges/%.cu $(BENCH_HEADERS)
	$(BENCH_SUBMISSION)

$(B)/bench/counters: $(B)/obj/grader/bench/counters.o
	@mkdir -p $(@D)
	$(call say,LD,$@)$(CC) $^ -o $@

$(B)/obj/grader/bench/%.o: OBJ_CFLAGS = -Igrader

ELEMENTWISE_SOURCES := $(wildcard solutions/02_tiling/tiling.cu \
	solutions/02_tiling/steps/transpose_*.cu grader/judges/02_tiling/slow/transpose_*.cu \
	$(foreach lesson,03_divergence 05_dropout,solutions/$(lesson)/*.cu \
	solutions/$(lesson)/steps/*.cu grader/judges/$(lesson)/exercise.cu \
	grader/judges/$(lesson)/slow/*.cu))
ELEMENTWISE := $(patsubst %.cu,$(B)/bench/%.so,$(patsubst solutions/%,%,$(patsubst \
	grader/judges/%,%,$(ELEMENTWISE_SOURCES))))

.PHONY: bench-build bench-elementwise show-counters
bench-build: $(B)/bench/elementwise $(ELEMENTWISE) ## build the timing programs and what they time
bench-elementwise: bench-build ## time lessons 2, 3 and 5 against the copy rate (GPU)
	$(B)/bench/elementwise $(ELEMENTWISE)

show-counters: $(B)/bench/counters ## lesson 5: what happens to counters that are mixed by xor
	@$(B)/bench/counters
