# The check: warpquest (what people type), examine (the trusted CUDA program), runner (the untrusted
# one), and the judges that the last two are linked with.

CHECK_SOURCES := $(filter-out %/warpquest.c,$(wildcard grader/check/*.c grader/quest/*.c)) \
	grader/runner/sandbox.c grader/runner/libraries.c grader/runner/starved.c \
	grader/runner/tree.c grader/check/examine/statistics.c
RUNNER_SOURCES := $(addprefix grader/runner/,runner.c caller.c ordinary.c walk.c)
# What judges call, in the runner as well as in the grader.
JUDGES_CALL := $(addprefix grader/check/,judge.c judge_graph.c judge_in_turn.c judge_seen.c) \
	grader/lib/processors.c
EXAMINE_SOURCES := $(wildcard grader/check/examine/*.c)
JUDGE_SOURCES := $(wildcard grader/judges/*/*.c)

object = $(patsubst %.c,$(B)/obj/%.o,$(1))
CHECK_FLAGS = -Igrader -Icommon -isystem $(CUDA_INCLUDE) $(JANSSON_CFLAGS)
$(B)/obj/grader/check/%.o $(B)/obj/grader/runner/%.o \
	$(B)/obj/grader/judges/%.o $(B)/obj/grader/tests/course/%.o: OBJ_CFLAGS = $(CHECK_FLAGS)
# Inputs, truth and comparisons are loops over millions of elements, half of a check's time. They
# are built for the processor at hand, like the machine, and stay exact, since no two operations are
# fused.
TRUTH_OBJECTS := $(call object,$(JUDGE_SOURCES) grader/check/judge.c \
	$(addprefix grader/check/examine/,compare.c data.c image.c spread.c spread_data.c truth.c))
$(TRUTH_OBJECTS): OBJ_CFLAGS = $(CHECK_FLAGS) -O3 -march=$(MACHINE_ARCH) -fno-math-errno \
	-fno-trapping-math -ffp-contract=off

# The table of a learner's checks, as a text of C.
$(B)/obj/quest/progress.sql.inc: grader/quest/progress.sql
	@mkdir -p $(@D)
	$(call say,GEN,$@)$(call as_text_of_c,$<) >$@
$(B)/obj/grader/quest/progress.o: $(B)/obj/quest/progress.sql.inc
$(B)/obj/grader/quest/%.o: OBJ_CFLAGS = $(CHECK_FLAGS) $(SQLITE_CFLAGS) -I$(B)/obj

$(B)/lib/libcheck.a: $(call object,$(CHECK_SOURCES))
	@mkdir -p $(@D)
	$(call say,AR,$@)rm -f $@ && $(AR) rcs $@ $^

# The grader's own kernels.
EXAMINE_KERNELS := $(addprefix $(B)/obj/grader/check/examine/,device.o watch.o)
$(EXAMINE_KERNELS): $(B)/obj/%.o: %.cu
	@mkdir -p $(@D)
	$(call say,NVCC,$<)$(NVCC) -O3 -std=c++17 -Wno-deprecated-gpu-targets -Igrader -Icommon \
		-gencode arch=compute_80,code=[compute_80,sm_80] -gencode arch=compute_80,code=sm_90 \
		-Xcompiler -Wall,-fno-threadsafe-statics,-fno-exceptions -MMD -MP -c $< -o $@

$(B)/lib/libexamine.a: $(call object,$(filter-out %/examine.c,$(EXAMINE_SOURCES)) \
		grader/simgpu/line.c) $(EXAMINE_KERNELS)
	@mkdir -p $(@D)
	$(call say,AR,$@)rm -f $@ && $(AR) rcs $@ $^

# Written anew only when there is another judge, or one less: then the programs are linked anew,
# even if the judge is older than they are.
JUDGE_LIST := $(B)/obj/judges.list
.PHONY: look
look:
$(JUDGE_LIST): look
	@mkdir -p $(@D)
	@echo '$(JUDGE_SOURCES)' | cmp -s - $@ || echo '$(JUDGE_SOURCES)' >$@

# The runtime library is found where the toolkit has it, unless LD_LIBRARY_PATH names another:
# that is how `simgpu run` puts the simulated device's in its place.
LINK_CUDART = -pthread -L$(CUDA_LIB) -l:libcudart.so.$(CUDART_SONAME_MAJOR) \
	-Wl,--enable-new-dtags,-rpath,$(CUDA_LIB)

$(B)/bin/warpquest: $(B)/obj/grader/check/warpquest.o $(B)/lib/libcheck.a $(B)/lib/libgrader.a
	@mkdir -p $(@D)
	$(call say,LD,$@)$(CC) $^ -o $@ $(JANSSON_LIBS) $(SQLITE_LIBS) -lm

$(B)/bin/examine: $(B)/obj/grader/check/examine/examine.o $(call object,$(JUDGE_SOURCES)) \
		$(B)/lib/libexamine.a $(B)/lib/libcheck.a $(B)/lib/libgrader.a $(JUDGE_LIST)
	@mkdir -p $(@D)
	$(call say,LD,$@)$(CC) $(filter-out %.list,$^) -o $@ $(JANSSON_LIBS) $(LINK_CUDART) -lm -ldl

# Functions with which lesson 6's judge overrides cuBLASLt's (front.h): a submission finds these
# first.
IN_FRONT = -Wl,--export-dynamic-symbol='cublasLt*'

$(B)/bin/runner: $(call object,$(RUNNER_SOURCES)) $(call object,$(JUDGE_SOURCES)) \
		$(call object,$(JUDGES_CALL)) $(JUDGE_LIST)
	@mkdir -p $(@D)
	$(call say,LD,$@)$(CC) $(filter-out %.list,$^) -o $@ $(LINK_CUDART) -lm -ldl $(IN_FRONT)

# The launcher of everything that is not trusted.
WALLS_SOURCES := $(addprefix grader/runner/,walls.c filter.c landlock.c starved.c tree.c)
$(B)/bin/walls: $(call object,$(WALLS_SOURCES)) $(B)/lib/libgrader.a
	@mkdir -p $(@D)
	$(call say,LD,$@)$(CC) $^ -o $@

# What warpquest needs to know of the judges, which it is not linked with.
$(B)/judges.json: $(B)/bin/examine
	$(call say,GEN,$@)$< --judges >$@

# What a verdict depends on: the judging code, the contracts, the solutions, the toolkit. So one
# commit has one version, on every machine. Several makes may be at work here.
$(B)/version: look
	@mkdir -p $(@D)
	@new=$@.$$$$; NVCC_VERSION='$(NVCC_VERSION)' grader/check/version.sh >$$new || exit; \
		if cmp -s $$new $@; then rm $$new; else mv $$new $@; fi

CHECK_PROGRAMS := $(B)/version $(B)/bin/warpquest $(B)/bin/examine $(B)/bin/runner $(B)/bin/walls \
	$(B)/bin/simgpu \
	$(B)/lib/sim/libcudart.so.$(CUDART_SONAME_MAJOR) $(B)/judges.json

WARPQUEST := $(B)/bin/warpquest
export NVCC CUDA_HOME

# --name 'value' for a variable that the caller has set, on the command line or in the environment,
# as it was typed: make would expand a $ in it, and the shell ends a command at a line's end.
define NEWLINE


endef
quoted = '$(subst $(NEWLINE), ,$(subst ','\'',$(1)))'
is_set = $(filter command environment,$(firstword $(origin $(1))))
option = $(if $(call is_set,$(2)),--$(1) $(call quoted,$(value $(2))))

.PHONY: check status verify-course corpus entry entry-patch clauses seeds verdicts distances \
	calibration calibrate
check: $(CHECK_PROGRAMS)

##@ The quest
# On a bare machine, where nothing is built yet, only the welcome is shown.
status: ## show what this is, where you stand and what to type next (also: make)
	@if [ -x $(WARPQUEST) ] && [ -f $(B)/judges.json ]; then $(WARPQUEST) status; \
	else cat grader/quest/welcome.txt; fi

# A verdict on the submission (exit status 1 to 10) is not an error of make, whose own line would
# follow it; with STATUS=1 it is one, for scripts.
check-lesson%: check ## judge exercise N (ONLY=launcher, SUBMISSION=, DEVICE=, SEED=n, JSON=1)
	@$(WARPQUEST) check $* $(call option,submission,SUBMISSION) $(call option,only,ONLY) \
		$(call option,device,DEVICE) $(call option,seed,SEED) $(if $(JSON),--json) \
		$(if $(STATUS),,|| { status=$$?; [ $$status -le 10 ] || exit $$status; })

# Should it be killed, the terminal is put back here.
.PHONY: watch
watch: check ## check the exercise whenever it is saved, with keys for the rest (LESSON=n, DEVICE=)
	@saved=$$(stty -g 2>/dev/null); \
	$(WARPQUEST) watch $(if $(call is_set,LESSON),$(call quoted,$(value LESSON))) \
		$(call option,device,DEVICE); status=$$?; \
	[ -z "$$saved" ] || stty "$$saved"; exit $$status

profile-lesson%: check ## write a page about your kernel, line by line (SUBMISSION=file)
	@$(WARPQUEST) profile $* $(call option,submission,SUBMISSION)

.PHONY: quest
quest: check ## show your bands, level and achievements (QUEST=0: never told)
	@$(WARPQUEST) quest

.PHONY: quest-export quest-import
quest-export: check ## copy all your checks to a new file, for another machine (FILE=)
	@$(WARPQUEST) quest-export $(if $(call is_set,FILE),$(call quoted,$(value FILE)))
quest-import: check ## add the checks of such a file to yours (FILE=)
	@$(WARPQUEST) quest-import $(if $(call is_set,FILE),$(call quoted,$(value FILE)))

.PHONY: log
log: check ## show what you tried, in order, and what it came to (LESSON=n)
	@$(WARPQUEST) log $(if $(call is_set,LESSON),$(call quoted,$(value LESSON)))

hint-lesson%: check ## show the next hint for lesson N (LEVEL=1..3, SUBMISSION=file)
	@$(WARPQUEST) hint $* $(LEVEL) $(call option,submission,SUBMISSION)

diff-lesson%: check ## show your exercise next to the solution, once it passes (GIVEUP=1: now)
	@$(WARPQUEST) diff $* $(if $(GIVEUP),--giveup)

reset-lesson%: check ## restore exercise N as it was shipped, and keep yours in build/stash
	@$(WARPQUEST) reset $*

submit-lesson%: check ## write the one file to hand in for lesson N: build/submit/slug.cu
	@$(WARPQUEST) submit $*

WITHOUT_NUMBER := check-lesson profile-lesson hint-lesson diff-lesson reset-lesson submit-lesson
.PHONY: $(WITHOUT_NUMBER)
$(WITHOUT_NUMBER):
	@echo 'which lesson? Give its number: make $@1'; exit 64

##@ Writing lessons
verify-course: check ## check that every lesson is complete: parts, regions, verdicts
	@$(WARPQUEST) verify-course $(LESSON) $(call option,device,DEVICE) \
		$(call option,seed,SEED)

corpus: check ## check that each known mistake is recognised (LESSON=n, SEED=n, SAMPLE=n)
	@$(WARPQUEST) corpus $(LESSON) $(call option,device,DEVICE) $(call option,seed,SEED) \
		$(call option,sample,SAMPLE)

# What is stored as a patch is found whole below build/corpus. It is written only when its text
# changes, and a file redirected from `make entry` has nothing else in it.
$(B)/corpus/%.cu: grader/judges/%.patch look $(CHECK_PROGRAMS)
	@$(WARPQUEST) entry $* >/dev/null

entry: ## show an entry of the corpus whole (NAME=06_gemm/wrong/table_full)
	+@$(MAKE) -s check >&2
	@$(WARPQUEST) entry $(call quoted,$(NAME))

entry-patch: check ## store an entry as a patch, or repair its patch (NAME=, FILE=edited.cu, BASE=)
	@grader/judges/make_patch.sh $(WARPQUEST) $(call quoted,$(NAME)) $(call quoted,$(FILE)) \
		$(call quoted,$(BASE))

clauses: check ## show each clause of a contract, and the cases that test it (LESSON=n)
	@$(WARPQUEST) clauses $(LESSON)

# What may depend on the drawn inputs: answers that are wrong for few values, or by little; answers
# that lose a race only sometimes; and right ones that are close to a bar.
# An entry that is stored as a patch is meant as it is found whole.
in_corpus = $(foreach name,$(2),$(if $(wildcard grader/judges/$(1)/$(name).patch),$(B)/corpus,\
	grader/judges)/$(1)/$(name).cu)
BORDERLINE := \
	$(call in_corpus,01_coalescing,wrong/infinities_clamped wrong/zero_b_shortcut) \
	$(call in_corpus,02_tiling,wrong/sgemm_edge_clamped wrong/sgemm_long_sum_cut \
		wrong/sgemm_tf32_inputs wrong/sgemm_zeros_skipped right/products_from_l1) \
	$(call in_corpus,03_divergence,wrong/atomics_in_long_rows wrong/long_row_cut \
		wrong/order_of_atomics wrong/relies_on_lockstep right/exchanged_by_shuffles) \
	$(call in_corpus,04_epilogue,wrong/tanh_approx wrong/half_epilogue \
		wrong/nan_lost_at_the_edge right/other_formulas) \
	$(call in_corpus,05_dropout,wrong/threshold_rounded wrong/equal_is_dropped \
		wrong/compared_as_floats right/curand_device)
SEED_FILES = $(if $(FILES),$(FILES),$(if $(LESSON),,$(BORDERLINE)))

seeds: $$(filter $(B)/corpus/%,$$(SEED_FILES))
seeds: check
seeds: ## check that all seeds give one verdict; resumes (FILES="a.cu b.cu", LESSON=n, SEEDS=200)
	@$(WARPQUEST) seeds $(LESSON) $(if $(SEED_FILES),--files '$(SEED_FILES)') \
		$(call option,seeds,SEEDS) $(call option,device,DEVICE)

calibrate: check ## measure how often a bar errs on this GPU, and keep it (LESSON=n BAR=x TIMES=n)
	@$(WARPQUEST) calibrate $(LESSON) $(call option,bar,BAR) $(call option,times,TIMES) \
		$(call option,device,DEVICE)

calibration: ## tabulate each lesson's measured times (TIMES=times.csv, from make verdicts)
	@grader/judges/calibrate.sh $(or $(TIMES),$(B)/verdicts/times.csv)

distances: check ## show each bar and the nearest entries on either side (LESSON=n)
	@mkdir -p $(B)/distances
	@$(WARPQUEST) verdicts $(LESSON) --device sim --out $(B)/distances/$(or $(LESSON),all) \
		$(call option,seed,SEED) >$(B)/distances/log || true
	@$(WARPQUEST) distances $(LESSON) --out $(B)/distances/$(or $(LESSON),all)

verdicts: check ## compare simulated and GPU verdicts (LESSON=n, OUT=folder, KNOWN=table)
	@$(WARPQUEST) verdicts $(LESSON) $(call option,out,OUT) $(call option,known,KNOWN) \
		$(call option,device,DEVICE) $(call option,seed,SEED)

##@ Build, test, measure
# A unit's test is linked with the two libraries; check_<unit>.c belongs to <unit>.c.
CHECK_TESTED := $(sort $(basename $(notdir $(CHECK_SOURCES) $(EXAMINE_SOURCES) \
	$(wildcard grader/lib/*.c))))
WITH_JUDGES := $(addprefix $(B)/test/check_,tolerances drawn gradients mistakes regimes levels \
	truths)
CHECK_TESTS := $(filter-out $(WITH_JUDGES),$(patsubst grader/tests/%.c,$(B)/test/%,$(wildcard \
	$(CHECK_TESTED:%=grader/tests/check_%.c))))
$(CHECK_TESTS:$(B)/test/%=$(B)/obj/grader/tests/%.o): OBJ_CFLAGS = $(CHECK_FLAGS)
$(CHECK_TESTS): $(B)/test/%: $(B)/obj/grader/tests/%.o $(B)/lib/libexamine.a \
		$(B)/lib/libcheck.a $(B)/lib/libgrader.a | $(B)/bin/walls
	@mkdir -p $(@D)
	$(call say,LD,$@)$(CC) $^ -o $@ $(CHECK_LIBS) $(JANSSON_LIBS) $(LINK_CUDART) \
		-lm -ldl -pthread

# Tests of the judges themselves are linked with them: of their bounds, against honest arithmetic
# and too few bits, of the cases that they draw, of their regimes, and of their hints, against the
# evidence.
$(WITH_JUDGES:$(B)/test/%=$(B)/obj/grader/tests/%.o): OBJ_CFLAGS = $(CHECK_FLAGS)
$(WITH_JUDGES): $(B)/test/%: $(B)/obj/grader/tests/%.o \
		$(call object,$(JUDGE_SOURCES)) $(B)/lib/libexamine.a $(B)/lib/libcheck.a $(B)/lib/libgrader.a
	@mkdir -p $(@D)
	$(call say,LD,$@)$(CC) $^ -o $@ $(CHECK_LIBS) $(JANSSON_LIBS) $(LINK_CUDART) \
		-lm -ldl -pthread

# What `make noise` runs: lesson 1's solution, the same with more to do, and a program that
# disturbs.
NOISE := $(B)/noise
NOISE_PRODUCTS := $(NOISE)/once.so $(NOISE)/padded.so $(NOISE)/disturb
NOISE_NVCC = $(NVCC) -O3 -std=c++17 -Icommon -Wno-deprecated-gpu-targets \
	-gencode arch=compute_80,code=[compute_80,sm_80] -gencode arch=compute_90,code=sm_90
$(NOISE)/once.so: solutions/01_coalescing/coalescing.cu
$(NOISE)/padded.so: grader/tests/noise/padded.cu solutions/01_coalescing/coalescing.cu
$(NOISE)/%.so:
	@mkdir -p $(@D)
	$(call say,NVCC,$@)$(NOISE_NVCC) -shared -Xcompiler -fPIC -cudart none $< -o $@
$(NOISE)/disturb: grader/tests/noise/disturb.cu
	@mkdir -p $(@D)
	$(call say,NVCC,$@)$(NOISE_NVCC) -cudart shared $< -o $@
.PHONY: noise
noise: check $(NOISE_PRODUCTS)
noise: ## measure how often a verdict on speed is wrong on this GPU (VERDICTS=n)
	$(call on_gpu,$(WARPQUEST) noise $(call option,out,OUT) $(call option,verdicts,VERDICTS) \
		$(call option,seconds,SECONDS_EACH))

RULE_SIMULATION := $(B)/obj/grader/tests/rule_simulation.o
$(RULE_SIMULATION): OBJ_CFLAGS = $(CHECK_FLAGS)
$(B)/test/check_rule: $(RULE_SIMULATION)
.PHONY: noise-table
noise-table: $(B)/test/check_rule ## simulate how often the rule on times errs (VERDICTS=n)
	@$< TABLE $(or $(VERDICTS),10000)

# A course of its own, one tiny lesson for each verdict, judged by the same programs.
FIXTURE := grader/tests/course
FIXTURE_BUILD := $(B)/test/course
FIXTURE_JUDGES := $(call object,$(wildcard $(FIXTURE)/judges/*/*.c))
$(FIXTURE_BUILD)/bin/examine: $(B)/obj/grader/check/examine/examine.o $(FIXTURE_JUDGES) \
		$(B)/lib/libexamine.a $(B)/lib/libcheck.a $(B)/lib/libgrader.a
	@mkdir -p $(@D)
	$(call say,LD,$@)$(CC) $^ -o $@ $(JANSSON_LIBS) $(LINK_CUDART) -lm -ldl
$(FIXTURE_BUILD)/bin/runner: $(call object,$(RUNNER_SOURCES)) $(FIXTURE_JUDGES) \
		$(call object,$(JUDGES_CALL))
	@mkdir -p $(@D)
	$(call say,LD,$@)$(CC) $^ -o $@ $(LINK_CUDART) -lm -ldl
$(FIXTURE_BUILD)/bin/walls: $(B)/bin/walls
	@mkdir -p $(@D)
	@cp $< $@
$(FIXTURE_BUILD)/judges.json: $(FIXTURE_BUILD)/bin/examine
	$(call say,GEN,$@)$< --judges >$@

# A test gives the same result each time it runs. make corpus draws a seed, and so tries other
# inputs.
TEST_SEED := 20
# This many of each kind of each lesson's entries; make corpus runs all of them.
TEST_CORPUS := 1
# These are wrong for some inputs only, unless a case makes sure of them.
SEED_SAMPLE := $(call in_corpus,01_coalescing,wrong/infinities_clamped) \
	$(call in_corpus,02_tiling,wrong/sgemm_long_sum_cut) \
	$(call in_corpus,03_divergence,wrong/atomics_in_long_rows)
TEST_PRODUCTS += check $(CHECK_PROGRAMS) $(FIXTURE_BUILD)/bin/runner $(FIXTURE_BUILD)/bin/walls \
	$(FIXTURE_BUILD)/judges.json
.PHONY: test-input test-quest test-verdicts
TEST_PARTS += test-input test-quest test-fixture test-as-gpu
TEST_CREWS += test-verdicts
test-input: check ## test that bad input gets one clear sentence
	@grader/tests/bad_input.sh $(B)
test-quest: check ## test the commands of a learner other than a check
	@grader/tests/make_targets.sh
	@grader/tests/quest.sh $(B)
test-verdicts: $(filter $(B)/corpus/%,$(SEED_SAMPLE))
test-verdicts: check ## test the verdicts of solutions, exercises and a sample of the corpus
	@$(WARPQUEST) corpus --device sim --seed $(TEST_SEED) --sample $(TEST_CORPUS)
	@$(WARPQUEST) verify-course --device sim --seed $(TEST_SEED)
	@$(WARPQUEST) seeds --device sim --seeds 2 --files '$(SEED_SAMPLE)'
.PHONY: test-entries
TEST_PARTS += test-entries
test-entries: check ## test how an entry of the corpus is stored as a patch, and shown
	@grader/tests/entries.sh $(B)
.PHONY: test-fixture
FIXTURE_PROGRAMS := $(FIXTURE_BUILD)/bin/runner $(FIXTURE_BUILD)/bin/walls
test-fixture: check $(FIXTURE_PROGRAMS) $(FIXTURE_BUILD)/judges.json
test-fixture: ## test that a fixture course gets each verdict
	@grader/tests/fixture_course.sh $(B) $(TEST_SEED)
.PHONY: test-earned
TEST_PARTS += test-earned
test-earned: check $(FIXTURE_PROGRAMS) $(FIXTURE_BUILD)/judges.json
test-earned: ## test what checks earn, on the fixture course
	@grader/tests/earned.sh $(B)
# The same with a device and a clock that follow a script.
SCRIPTED := $(B)/test/scripted
$(SCRIPTED)/examine: $(B)/obj/grader/check/examine/examine.o \
		$(B)/obj/grader/tests/scripted/device.o $(FIXTURE_JUDGES) \
		$(B)/lib/libexamine.a $(B)/lib/libcheck.a $(B)/lib/libgrader.a
	@mkdir -p $(@D)
	$(call say,LD,$@)$(CC) $^ -o $@ $(JANSSON_LIBS) $(LINK_CUDART) -lm -ldl
$(SCRIPTED)/scripted-runner: $(FIXTURE_BUILD)/bin/runner $(B)/bin/walls
	@mkdir -p $(@D)
	@cp $(B)/bin/walls $(@D)/ && cp $< $@
TEST_PRODUCTS += $(SCRIPTED)/examine $(SCRIPTED)/scripted-runner
TEST_PARTS += test-scripted
.PHONY: test-scripted
test-scripted: check $(SCRIPTED)/examine $(SCRIPTED)/scripted-runner
test-scripted: ## test every outcome of a timing, with a scripted clock
	@grader/tests/scripted/scripted.sh $(B) $(NVCC)
.PHONY: test-as-gpu
test-as-gpu: check $(SCRIPTED)/examine $(FIXTURE_PROGRAMS) ## test a check as it runs on a GPU
	@grader/tests/as_gpu.sh $(B) $(NVCC)
