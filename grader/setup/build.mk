# Set-up: what a command needs is found, or installed, before anything is built.
#
# GNU make first makes the makefiles it includes, if there is a rule for them, and then starts
# again with the new ones. So a stamp is included for each set-up goal that the command line
# calls for: it is made once, by setup.sh, which also writes config.mk, and after that costs
# nothing. A command that needs nothing includes no stamp, and nothing is installed on its
# account.

SETUP := grader/setup
SETUP_FILES := $(filter-out %/doctor.sh %/machine.sh %/test_setup.sh,$(wildcard $(SETUP)/*.sh)) \
	$(wildcard $(SETUP)/*.txt $(SETUP)/*.cu)

# Commands that work on a bare machine; those that need more than a check does; the rest need a
# check.
SETUP_FREE := status help clean setup doctor test-setup new-lesson gradescope-zip uninstall
SETUP_TESTS := test unit test-%
SETUP_NOTES := notes notes-%
SETUP_CLUSTER := test-slurm

SETUP_ASKED := $(filter-out $(SETUP_FREE),$(MAKECMDGOALS))
SETUP_GOALS := $(if $(filter $(SETUP_TESTS),$(SETUP_ASKED)),test) \
	$(if $(filter $(SETUP_NOTES),$(SETUP_ASKED)),notes) \
	$(if $(filter $(SETUP_CLUSTER),$(SETUP_ASKED)),cluster) \
	$(if $(filter-out $(SETUP_TESTS) $(SETUP_NOTES),$(SETUP_ASKED)),check)

# make -n, -q and -t promise to do nothing.
SETUP_FLAGS := $(filter-out --%,$(firstword -$(MAKEFLAGS)))
ifneq ($(findstring n,$(SETUP_FLAGS))$(findstring q,$(SETUP_FLAGS))$(findstring t,$(SETUP_FLAGS)),)
SETUP_GOALS :=
endif
SETUP_STAMPS := $(patsubst %,$(B)/setup/%.mk,$(SETUP_GOALS))

# config.mk gives CUDA_HOME the value found; what the reader asked for is what it was before that.
# A makefile's own default does not come from the reader.
ifeq ($(origin CUDA_HOME_ASKED),undefined)
CUDA_HOME_ASKED := $(if $(filter file,$(origin CUDA_HOME)),,$(CUDA_HOME))
endif

# What the choice of a toolkit depends on. When it changes, or nvcc itself does, set-up looks again;
# but only once a run, or make would start again for ever.
SETUP_FOR := $(CUDA_HOME_ASKED):$(firstword $(wildcard $(addsuffix /nvcc,$(subst :, ,$(PATH)))))
ifeq ($(MAKE_RESTARTS),)
SETUP_STALE := $(or $(wildcard $(NVCC)),look-again)
ifneq ($(SETUP_FOR),$(SETUP_FOUND_FOR))
SETUP_STALE := look-again
endif
endif

RUN_SETUP = B=$(B) CC='$(CC)' CUDA_HOME='$(CUDA_HOME_ASKED)' SETUP_FOR='$(SETUP_FOR)' \
	$(SETUP)/setup.sh

# If an included file is missing, make complains even if the file is made in the end; it does not
# complain about one that is older than anything.
SETUP_UNBORN := $(filter-out $(wildcard $(SETUP_STAMPS)),$(SETUP_STAMPS))
ifneq ($(SETUP_UNBORN),)
$(shell mkdir -p $(B)/setup && touch -d @0 $(SETUP_UNBORN))
endif
ifneq ($(strip $(SETUP_STAMPS)),)
include $(SETUP_STAMPS)
endif

$(B)/setup/%.mk: $(SETUP_FILES) $(SETUP_STALE)
	@SETUP_QUIET=1 $(RUN_SETUP) $*

##@ Setting up
.PHONY: look-again setup doctor test-setup
setup: ## show what is missing, and install it (as root or with sudo)
	@$(RUN_SETUP) all

doctor: ## show what is needed and what this machine has
	@B=$(B) CC='$(CC)' CUDA_HOME='$(CUDA_HOME_ASKED)' $(SETUP)/doctor.sh

# A shell cannot trap what it was started without, as in the background or under nohup: Ctrl-C is
# tested as a terminal gives it.
test-setup: ## test set-up itself (needs no network)
	@env --default-signal=INT $(SETUP)/test_setup.sh

TEST_PARTS += test-setup
