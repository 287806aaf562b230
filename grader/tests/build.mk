# Unit tests: every check_*.c is a program of its own, named after the file it tests.

CHECKS := $(patsubst grader/tests/%.c,$(B)/test/%,$(wildcard grader/tests/check_*.c))

$(B)/obj/grader/tests/%.o: OBJ_CFLAGS = -I$(MACHINE) -I$(MACHINE)/ptx -Igrader

$(B)/test/check_%: $(B)/obj/grader/tests/check_%.o $(B)/obj/grader/tests/bench_machine.o \
		$(B)/lib/libmachine.a
	@mkdir -p $(@D)
	$(call say,LD,$@)$(CC) $^ -o $@ $$(pkg-config --libs check) -lzstd -lm -pthread

.PHONY: test unit
test: unit ## run every test; needs no GPU

unit: $(CHECKS)
	@grader/tests/run_checks.sh $^
