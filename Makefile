# Warpquest: a quest course in C and CUDA C on making GPU kernels fast.
#
# `make` alone shows where you are and what to type next. Every product goes under build/; each
# part of the tree has a build.mk of its own, found by wildcard, so adding one edits no list.

SHELL := /bin/bash
.DEFAULT_GOAL := status
.SECONDEXPANSION:
.DELETE_ON_ERROR:
.SECONDARY:
MAKEFLAGS += --no-builtin-rules --no-print-directory

B := build

# SANITIZE=thread or address: the machine, the device and the unit tests with that sanitizer, in a
# folder of their own. CUDA programs, and the libraries that are loaded into them, stay plain.
# ThreadSanitizer leaves a program few addresses, so device memory is placed lower then. All of it
# is slow, so tests wait longer.
PLAIN := $(B)
PLAIN_CC := $(CC)
ifneq ($(SANITIZE),)
B := $(PLAIN)/$(SANITIZE)
override CC += -fsanitize=$(SANITIZE) $(if $(filter thread,$(SANITIZE)),-Wno-tsan)
export CK_TIMEOUT_MULTIPLIER ?= 40
export PROGRAM_SECONDS ?= 1200
endif

# A command for learners builds with all processors, but only if it is the only one, since the
# output of several would be interleaved.
PROCESSORS := $(shell nproc)
ALONE := check check-% quest watch notes profile-% hint-% diff-% reset-% submit-% grade regrade \
	reproduce corpus entry-% verify-% verdicts simgpu
ifneq ($(filter $(ALONE),$(if $(word 2,$(MAKECMDGOALS)),,$(MAKECMDGOALS))),)
MAKEFLAGS += -j$(PROCESSORS)
endif

# make V=1 shows the commands; otherwise each is shown as a word and a name.
ifeq ($(V),1)
say =
else
say = @printf '  %-5s %s\n' $(1) $(2);
endif

# Do something where there is a GPU; elsewhere say that it is left out.
on_gpu = @if [ -e /dev/nvidiactl ] || [ -e /dev/dxg ]; then $(1); \
	else echo '$@: left out, since there is no GPU here'; fi

# What tests and measurements check is no learner's progress.
test test-% redteam redteam-% bench bench-% gpu-test verdicts noise: \
	export WARPQUEST_PROGRESS := $(abspath $(B))/test/progress.db

# What setup found or installed; missing until it has run once.
-include $(B)/config.mk

WARNINGS := -Wall -Wextra -Werror -Wno-missing-field-initializers -Wno-format-truncation
CFLAGS ?= -O2 -g
# What takes long is compiled for the processor that builds it; or for another kind, by its name.
MACHINE_ARCH ?= native
C17 := -std=c17 -D_GNU_SOURCE $(if $(filter thread,$(SANITIZE)),-DLOW_ARENA) $(WARNINGS) -MMD -MP

# Tests are targets that can be made by themselves: TEST_PARTS run side by side, TEST_CREWS use all
# processors themselves (grader/tests/test.sh). First everything that they need (TEST_PRODUCTS) is
# built, with all processors unless the caller said -j. Each part of the tree adds to these.
.PHONY: test test-products built-for-tests
test: test-products ## run every test (needs no GPU)
	+@MAKE='$(MAKE)' grader/tests/test.sh $(B) $(TEST_PARTS) -- $(TEST_CREWS)
test-products:
	+@$(MAKE) $(if $(findstring jobserver,$(MAKEFLAGS)),,-j$(PROCESSORS)) built-for-tests
built-for-tests: $$(TEST_PRODUCTS)
	@:

include $(sort $(wildcard grader/*/build.mk grader/*/*/build.mk lessons/build.mk))

# Objects keep their path under build/obj, so that two files of the same name do not collide.
$(B)/obj/%.o: %.c
	@mkdir -p $(@D)
	$(call say,CC,$<)$(if $(findstring -fPIC,$(OBJ_CFLAGS)),$(PLAIN_CC),$(CC)) $(C17) $(CFLAGS) \
		$(OBJ_CFLAGS) -c $< -o $@

-include $(shell find $(B)/obj -name '*.d' 2>/dev/null)

.PHONY: help bench clean
help: ## show this list
	@awk -f grader/quest/help.awk grader/check/build.mk \
		$(filter-out %/check/build.mk,$(filter %/build.mk Makefile,$(MAKEFILE_LIST)))

# Each part of the tree adds its own bench-...; what needs a GPU says so where there is none.
bench: ## measure how fast everything is, one figure to a line

# For editors: clangd finds this file by itself. For gdb: slow code that a debugger can follow, in a
# folder of its own; grader/simgpu/warp_gdb.py prints a warp there.
.PHONY: compile-commands debug
compile-commands: ## write build/compile_commands.json, so that clangd finds every header
	@mkdir -p $(B)
	@$(MAKE) --dry-run --always-make V=1 check simgpu $(CHECKS) | awk -v folder='$(CURDIR)' \
		-f grader/setup/compile_commands.awk >$(B)/compile_commands.json && \
		echo '$(B)/compile_commands.json: for clangd'

debug: ## build for gdb into build/debug: no optimisation, all symbols
	+@$(MAKE) B=$(B)/debug CFLAGS='-O0 -g3' MACHINE_OPTIMISED='-O0 -g3' check simgpu
	@echo 'gdb -x grader/simgpu/warp_gdb.py --args $(B)/debug/bin/simgpu run -- ./program'

clean: ## remove everything that was built, but not progress
	rm -rf $(B)/obj $(B)/bin $(B)/lib $(B)/wasm $(B)/notes $(B)/test $(B)/work $(B)/corpus
