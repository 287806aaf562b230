# Fidelity: the simulated device compared with the hardware. measured/ has what an H200 measured,
# and measure.sh how; `make fidelity` runs the same programs on the simulated device and compares.

FIDELITY := grader/simgpu/fidelity
FIDELITY_BUILD := $(B)/fidelity
FIDELITY_PROGRAMS := $(addprefix $(FIDELITY_BUILD)/,bank patterns kernels \
	fresh second third fourth fifth)
FIDELITY_TOOLS := $(FIDELITY_BUILD)/compare $(FIDELITY_BUILD)/join

SIMGPU ?= $(B)/bin/simgpu
FIDELITY_ARCHS := -gencode arch=compute_80,code=[compute_80,sm_80] \
	-gencode arch=compute_90,code=sm_90
FIDELITY_NVCC = $(NVCC) -std=c++17 $(FIDELITY_ARCHS) -O3 -lineinfo -cudart shared \
	-Xcompiler -Wall

BANK_SOURCES := $(wildcard $(FIDELITY)/bank/*.cu)
BANK_OBJECTS := $(BANK_SOURCES:%.cu=$(B)/obj/%.o)

$(BANK_OBJECTS): $(B)/obj/%.o: %.cu $(FIDELITY)/bank/bank.h
	@mkdir -p $(@D)
	$(call say,NVCC,$<)$(FIDELITY_NVCC) -c $< -o $@

$(FIDELITY_BUILD)/bank: $(BANK_OBJECTS)
	@mkdir -p $(@D)
	$(call say,LD,$@)$(FIDELITY_NVCC) $^ -o $@

# The same program with other families, once for each round of fresh launches.
FIDELITY_ROUNDS := fresh second third fourth fifth
# Those that an H200 has measured: a round may be written before that.
MEASURED_ROUNDS := $(foreach round,$(FIDELITY_ROUNDS),\
	$(if $(wildcard $(FIDELITY)/measured/$(round).csv),$(round)))
ROUND_COMMON := $(addprefix $(B)/obj/$(FIDELITY)/bank/,data.o stopwatch.o)
round_defines = -DBANK_$(shell echo $(1) | tr a-z A-Z)

define ROUND_PROGRAM
$(1)_OBJECTS := $$(patsubst %.cu,$(B)/obj/%.o,$$(wildcard $(FIDELITY)/bank/$(1)/*.cu))

$$($(1)_OBJECTS): $(B)/obj/%.o: %.cu $(FIDELITY)/bank/bank.h
	@mkdir -p $$(@D)
	$$(call say,NVCC,$$<)$$(FIDELITY_NVCC) $(call round_defines,$(1)) -c $$< -o $$@

$(FIDELITY_BUILD)/$(1): $(FIDELITY)/bank/bank.cu $$($(1)_OBJECTS) $(ROUND_COMMON)
	@mkdir -p $$(@D)
	$$(call say,NVCC,$$@)$$(FIDELITY_NVCC) $(call round_defines,$(1)) $$^ -o $$@
endef
$(foreach round,$(FIDELITY_ROUNDS),$(eval $(call ROUND_PROGRAM,$(round))))

$(addprefix $(FIDELITY_BUILD)/,patterns kernels calls): $(FIDELITY_BUILD)/%: $(FIDELITY)/%.cu
	@mkdir -p $(@D)
	$(call say,NVCC,$<)$(FIDELITY_NVCC) $< -o $@

FIDELITY_COMMON := csv.o kernel_name.o
$(FIDELITY_BUILD)/join: $(addprefix $(B)/obj/$(FIDELITY)/,join.o $(FIDELITY_COMMON))
$(FIDELITY_BUILD)/compare: $(addprefix $(B)/obj/$(FIDELITY)/,compare.o comparison.o \
		halves.o machine_code.o set_aside.o statistics.o table.o $(FIDELITY_COMMON))
$(FIDELITY_TOOLS):
	@mkdir -p $(@D)
	$(call say,LD,$@)$(CC) $^ -o $@ -lm

$(B)/test/check_fidelity: $(addprefix $(B)/obj/$(FIDELITY)/,statistics.o comparison.o \
		halves.o machine_code.o set_aside.o table.o $(FIDELITY_COMMON))

# What the model predicts for each pair's fix, from the launch before the fix alone. Each round has
# its table of pairs.
GAINS := $(FIDELITY_BUILD)/gains
round_pairs = $(FIDELITY)/bank/$(1)/pairs.csv
round_profiles = $(patsubst %,$(FIDELITY_BUILD)/gains.d/$(1)/%_before.json,\
	$(filter pair_%,$(shell cut -d, -f1 $(call round_pairs,$(1)))))
PAIR_PROFILES := $(foreach round,$(MEASURED_ROUNDS),$(call round_profiles,$(round)))

$(B)/obj/$(FIDELITY)/gains.o: OBJ_CFLAGS = $(JANSSON_CFLAGS)
$(GAINS): $(addprefix $(B)/obj/$(FIDELITY)/,gains.o csv.o set_aside.o statistics.o)
	@mkdir -p $(@D)
	$(call say,LD,$@)$(CC) $^ -o $@ $(JANSSON_LIBS) -lm

define ROUND_PROFILES
$(call round_profiles,$(1)): $(FIDELITY_BUILD)/gains.d/$(1)/%.json: $(FIDELITY_BUILD)/$(1) simgpu
	@mkdir -p $$(@D)
	@$$(SIMGPU) run --quiet --json $$@ -- $$< once --only $$* >/dev/null
endef
$(foreach round,$(FIDELITY_ROUNDS),$(eval $(call ROUND_PROFILES,$(round))))

# Every measured round is shown, even if one of them misses a demand.
FIDELITY_GAINS = missed=0; for round in $(MEASURED_ROUNDS); do \
	printf '\n=== Pairs of the round %s\n' $$round; sealed=; \
	[ $$round = fifth ] && [ "$(SET_ASIDE)" != fifth ] && sealed=--held-in; \
	$(GAINS) $(if $(1),$(1),$$sealed) $(FIDELITY)/bank/$$round/pairs.csv \
		$(FIDELITY)/measured/$$round.csv $(FIDELITY)/bank/$$round \
		$(FIDELITY_BUILD)/gains.d/$$round || missed=1; \
	done; exit $$missed

.PHONY: fidelity-gains fidelity-gains-held-in
fidelity-gains: $(GAINS) $(PAIR_PROFILES) ## compare predicted gains of fixes with an H200
	@$(call FIDELITY_GAINS,)
fidelity-gains-held-in: $(GAINS) $(PAIR_PROFILES)
	@$(call FIDELITY_GAINS,--held-in)

.PHONY: fidelity fidelity-held-in fidelity-programs
fidelity-programs: $(FIDELITY_PROGRAMS) $(FIDELITY_BUILD)/calls
fidelity-programs: $(FIDELITY_TOOLS) ## build the programs that measure.sh runs on a GPU

# A table of the simulated device for each program, then all of them next to the measured ones.
$(FIDELITY_BUILD)/%.csv: $(FIDELITY_BUILD)/% simgpu
	$(call say,SIM,$@)$(SIMGPU) run --csv $@ -- $< $(if $(filter bank $(FIDELITY_ROUNDS),$*),once) \
		>$@.log 2>&1 || { cat $@.log; rm -f $@; exit 1; }

COMPARED := patterns kernels bank $(MEASURED_ROUNDS)
FIDELITY_COMPARE = $(FIDELITY_BUILD)/compare $(1) --sass $(FIDELITY)/measured/sass.csv \
	$(foreach name,$(COMPARED),\
	$(FIDELITY)/measured/$(name).csv $(FIDELITY_BUILD)/$(name).csv)

fidelity: $(COMPARED:%=$(FIDELITY_BUILD)/%.csv)
fidelity: $(FIDELITY_BUILD)/compare
fidelity: ## compare the simulated device with an H200 (SET_ASIDE=fifth: once)
	@$(call FIDELITY_COMPARE,$(SET_ASIDE:%=--set-aside %))

fidelity-held-in: $(COMPARED:%=$(FIDELITY_BUILD)/%.csv)
fidelity-held-in: $(FIDELITY_BUILD)/compare ## compare them without the set-aside launches
	@$(call FIDELITY_COMPARE,--held-in)

# The timeline: programs of several streams and graphs. held-in is what its constants are fitted to.
TIMELINE := $(FIDELITY)/timeline
TIMELINE_OBJECTS := $(patsubst %.cu,$(B)/obj/%.o,$(wildcard $(TIMELINE)/*.cu))
TIMELINE_COMPARE := $(FIDELITY_BUILD)/timeline_compare

$(TIMELINE_OBJECTS): $(B)/obj/%.o: %.cu $(wildcard $(TIMELINE)/*.h $(TIMELINE)/*.def)
	@mkdir -p $(@D)
	$(call say,NVCC,$<)$(FIDELITY_NVCC) -c $< -o $@

$(FIDELITY_BUILD)/timeline: $(TIMELINE_OBJECTS)
	@mkdir -p $(@D)
	$(call say,LD,$@)$(FIDELITY_NVCC) $^ -o $@ -ldl

$(B)/obj/$(TIMELINE)/compare.o: OBJ_CFLAGS = $(JANSSON_CFLAGS)
$(TIMELINE_COMPARE): $(addprefix $(B)/obj/$(FIDELITY)/,timeline/compare.o csv.o statistics.o)
	@mkdir -p $(@D)
	$(call say,LD,$@)$(CC) $^ -o $@ $(JANSSON_LIBS) -lm

$(FIDELITY_BUILD)/timeline-%.json: $(FIDELITY_BUILD)/timeline simgpu
	$(call say,SIM,$@)$(SIMGPU) run --quiet --timeline $@ -- $< --once $* >$@.log || \
		{ cat $@.log; rm -f $@; exit 1; }

fidelity-programs: $(FIDELITY_BUILD)/timeline
.PHONY: fidelity-timeline fidelity-timeline-held-in fidelity-timeline-fresh fidelity-timeline-second
TIMELINE_MEASURED = $(FIDELITY)/measured/timeline_$(subst -,_,$(1))
fidelity-timeline-held-in: $(TIMELINE_COMPARE) $(FIDELITY_BUILD)/timeline-held-in.json
	@$^ $(call TIMELINE_MEASURED,held-in).csv $(call TIMELINE_MEASURED,held-in)_again.csv
fidelity-timeline: $(TIMELINE_COMPARE) $(FIDELITY_BUILD)/timeline-set-aside.json
fidelity-timeline: fidelity-timeline-fresh fidelity-timeline-second
fidelity-timeline: fidelity-timeline-held-in ## compare times of streams and graphs with an H200
	@printf '\nset-aside\n'
	@$(TIMELINE_COMPARE) $(FIDELITY_BUILD)/timeline-set-aside.json \
		$(call TIMELINE_MEASURED,set-aside).csv
# Written when the model was done, and looked at since.
fidelity-timeline-fresh: $(TIMELINE_COMPARE) $(FIDELITY_BUILD)/timeline-fresh.json
fidelity-timeline-fresh: ## compare the programs that the timeline had not seen at first
	@$^ $(call TIMELINE_MEASURED,fresh).csv $(call TIMELINE_MEASURED,fresh)_again.csv
# Written when fresh.def had been looked at, and looked at since.
fidelity-timeline-second: $(TIMELINE_COMPARE) $(FIDELITY_BUILD)/timeline-second.json
fidelity-timeline-second: ## compare the programs of the next set
	@$^ $(call TIMELINE_MEASURED,second).csv $(call TIMELINE_MEASURED,second)_again.csv

# Part of the tests, since it takes seconds; the programs need NVTX's header.
ifneq ($(wildcard $(CUDA_INCLUDE)/nvtx3/nvToolsExt.h),)
TEST_PARTS += fidelity-timeline
TEST_PRODUCTS += $(FIDELITY_BUILD)/timeline $(TIMELINE_COMPARE)
endif
