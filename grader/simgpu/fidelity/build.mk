# Fidelity: the simulated device held to the hardware. measured/ has what an H200 said, measure.sh
# how it was asked; `make fidelity` runs the same programs on the simulated device and compares.

FIDELITY := grader/simgpu/fidelity
FIDELITY_BUILD := $(B)/fidelity
FIDELITY_PROGRAMS := $(addprefix $(FIDELITY_BUILD)/,bank patterns kernels fresh)
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

# The same program with other families.
FRESH_OBJECTS := $(patsubst %.cu,$(B)/obj/%.o,$(wildcard $(FIDELITY)/bank/fresh/*.cu))
FRESH_COMMON := $(addprefix $(B)/obj/$(FIDELITY)/bank/,data.o stopwatch.o)

$(FRESH_OBJECTS): $(B)/obj/%.o: %.cu $(FIDELITY)/bank/bank.h
	@mkdir -p $(@D)
	$(call say,NVCC,$<)$(FIDELITY_NVCC) -DBANK_FRESH -c $< -o $@

$(FIDELITY_BUILD)/fresh: $(FIDELITY)/bank/bank.cu $(FRESH_OBJECTS) $(FRESH_COMMON)
	@mkdir -p $(@D)
	$(call say,NVCC,$@)$(FIDELITY_NVCC) -DBANK_FRESH $^ -o $@

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

# What the model predicts of each pair's mend, from its launch before the mend alone.
GAINS := $(FIDELITY_BUILD)/gains
PAIRS := $(FIDELITY)/bank/fresh/pairs.csv
PAIR_NAMES := $(filter pair_%,$(shell cut -d, -f1 $(PAIRS)))
PAIR_PROFILES := $(PAIR_NAMES:%=$(FIDELITY_BUILD)/gains.d/%_before.json)

$(B)/obj/$(FIDELITY)/gains.o: OBJ_CFLAGS = $(JANSSON_CFLAGS)
$(GAINS): $(addprefix $(B)/obj/$(FIDELITY)/,gains.o csv.o set_aside.o statistics.o)
	@mkdir -p $(@D)
	$(call say,LD,$@)$(CC) $^ -o $@ $(JANSSON_LIBS) -lm

$(PAIR_PROFILES): $(FIDELITY_BUILD)/gains.d/%.json: $(FIDELITY_BUILD)/fresh simgpu
	@mkdir -p $(@D)
	@$(SIMGPU) run --quiet --json $@ -- $< once --only $* >/dev/null

FIDELITY_GAINS = $(GAINS) $(1) $(PAIRS) $(FIDELITY)/measured/fresh.csv $(FIDELITY)/bank/fresh \
	$(FIDELITY_BUILD)/gains.d

.PHONY: fidelity-gains fidelity-gains-held-in
fidelity-gains: $(GAINS) $(PAIR_PROFILES) ## hold what the model says a mend gains to an H200
	@$(call FIDELITY_GAINS,)
fidelity-gains-held-in: $(GAINS) $(PAIR_PROFILES)
	@$(call FIDELITY_GAINS,--held-in)

.PHONY: fidelity fidelity-held-in fidelity-programs
fidelity-programs: $(FIDELITY_PROGRAMS) $(FIDELITY_BUILD)/calls
fidelity-programs: $(FIDELITY_TOOLS) ## build what measure.sh runs on a GPU

# A table of the simulated device for each program, then all of them beside the measured ones.
$(FIDELITY_BUILD)/%.csv: $(FIDELITY_BUILD)/% simgpu
	$(call say,SIM,$@)$(SIMGPU) run --csv $@ -- $< $(if $(filter bank fresh,$*),once) \
		>$@.log 2>&1 || { cat $@.log; rm -f $@; exit 1; }

FIDELITY_COMPARE = $(FIDELITY_BUILD)/compare $(1) --sass $(FIDELITY)/measured/sass.csv \
	$(foreach name,patterns kernels bank fresh,\
	$(FIDELITY)/measured/$(name).csv $(FIDELITY_BUILD)/$(name).csv)

fidelity: $(FIDELITY_PROGRAMS:%=%.csv)
fidelity: $(FIDELITY_BUILD)/compare ## hold the simulated device to an H200
	@$(call FIDELITY_COMPARE,)

fidelity-held-in: $(FIDELITY_PROGRAMS:%=%.csv)
fidelity-held-in: $(FIDELITY_BUILD)/compare ## the same without what is set aside
	@$(call FIDELITY_COMPARE,--held-in)
