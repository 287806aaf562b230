# Which lines of the C code the tests run: gcov's counts, by part of the tree.
#
#     make test-coverage                         unit tests, whole programs and planted faults
#     make test-coverage PARTS="unit corpus"     or any other targets
#
# Everything is built again, with counters, in build/coverage. Not counted are processes that are
# killed, and those in the sandbox, which may write no files: gcov complains of that, so tests that
# read what a sandboxed process says fail here. The table is made all the same.

COVERAGE := $(PLAIN)/coverage
PARTS ?= unit programs faults

.PHONY: test-coverage test-coverage-table
test-coverage: ## show which lines of C the tests run, and the files with the fewest (PARTS="...")
	@find $(COVERAGE) -name '*.gcda' -delete 2>/dev/null || true
	+@$(MAKE) B=$(COVERAGE) PLAIN=$(PLAIN) CC='$(CC) --coverage' MACHINE_OPTIMISED=-O1 \
		CFLAGS='-O1 -g -Wno-maybe-uninitialized' --keep-going simgpu check $(PARTS) || \
		echo 'a part failed, as said above: its lines up to there are counted'
	@grader/tests/coverage/coverage.sh $(COVERAGE)

TEST_PARTS += test-coverage-table
test-coverage-table: ## test that the table of make test-coverage counts correctly
	@CC='$(CC)' grader/tests/coverage/check.sh
