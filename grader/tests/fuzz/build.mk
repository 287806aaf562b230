# Fuzzers of what any program may send to the device: see README.md.
#
# The machine and the device process are compiled once more for them, with sanitizers. A fuzzer is
# that code, a harness, coverage.c and clang's libFuzzer; for `make test` replay.c takes the place
# of the latter two.

FUZZ := grader/tests/fuzz
FUZZERS := fatbin ptx protocol
MINUTES ?= 1
SEED ?= 0
FUZZ_SOURCES = $(patsubst $(B)/obj/%.o,%.c,$(MACHINE_OBJECTS) \
	$(filter-out %/database.o,$(GRADER_LIB_OBJECTS)) \
	$(filter-out %/run.o,$(DEVICE_OBJECTS)) $(B)/obj/$(BLASLT)/algo.o $(BLAS_ARITHMETIC) \
	$(B)/obj/$(FUZZ)/arena.o)
# What has no source here is generated data, and is used as it is.
FUZZ_LIBRARY_OBJECTS = $(foreach source,$(FUZZ_SOURCES),\
	$(B)/$(if $(wildcard $(source)),fuzz/)obj/$(source:.c=.o))
FUZZ_LIBS = $(JANSSON_LIBS) $(ZSTD_LIBS) -lm -ldl -pthread
FUZZ_SANITIZERS := -fsanitize=address,undefined -fno-sanitize-recover=undefined
FUZZ_CFLAGS := -O1 -g $(FUZZ_SANITIZERS) $(MACHINE_INCLUDES) -Igrader -Igrader/tests \
	-Igrader/simgpu \
	$(JANSSON_CFLAGS)

$(B)/fuzz/obj/%.o: %.c
	@mkdir -p $(@D)
	$(call say,CC,$@)$(CC) $(C17) $(OBJ_CFLAGS) $(FUZZ_CFLAGS) \
		$(if $(filter %/coverage.c,$<),,-fsanitize-coverage=trace-pc$(comma)trace-cmp) -c $< -o $@
comma := ,
$(B)/fuzz/obj/$(MACHINE)/%.o: OBJ_CFLAGS = -march=$(MACHINE_ARCH) -ffp-contract=off

-include $(shell find $(B)/fuzz/obj -name '*.d' 2>/dev/null)

LIBFUZZER = $(shell clang -print-resource-dir)/lib/linux/libclang_rt.fuzzer-x86_64.a
$(B)/fuzz/fuzz_%: $(B)/fuzz/obj/$(FUZZ)/fuzz_%.o $(B)/fuzz/obj/$(FUZZ)/coverage.o \
		$(FUZZ_LIBRARY_OBJECTS)
	@command -v clang >/dev/null || { echo 'fuzzing needs clang, whose libFuzzer leads it;' \
		'install it (Debian: apt-get install clang)'; exit 1; }
	$(call say,LD,$@)$(CC) $(FUZZ_SANITIZERS) -Wl,--wrap=__sanitizer_cov_trace_pc $^ $(LIBFUZZER) \
		-o $@ -lstdc++ $(FUZZ_LIBS)

# gcc calls a function at every basic block; without libFuzzer it is one that does nothing.
$(B)/fuzz/obj/no_coverage.o:
	@mkdir -p $(@D)
	@printf 'void %s(void) {}\n' __sanitizer_cov_trace_pc >$(@:.o=.c)
	@printf 'void __sanitizer_cov_trace_%s(void) {}\n' const_cmp1 const_cmp2 const_cmp4 \
		const_cmp8 cmp1 cmp2 cmp4 cmp8 cmpf cmpd switch >>$(@:.o=.c)
	$(call say,CC,$@)$(CC) -O2 -c $(@:.o=.c) -o $@
$(B)/fuzz/replay_%: $(B)/fuzz/obj/$(FUZZ)/fuzz_%.o $(B)/fuzz/obj/$(FUZZ)/replay.o \
		$(B)/fuzz/obj/no_coverage.o $(FUZZ_LIBRARY_OBJECTS)
	$(call say,LD,$@)$(CC) $(FUZZ_SANITIZERS) $^ -o $@ $(FUZZ_LIBS)

# --- What a fuzzer starts from ----------------------------------------------------------------

SEED_PROGRAMS := $(wildcard grader/tests/programs/*.cu)
SEED_PIECES := $(wildcard grader/tests/programs/linked/*.cu)
SEED_CODE := -gencode arch=compute_80,code=[compute_80,sm_80]

$(B)/fuzz/ptx_seeds: $(B)/obj/$(FUZZ)/ptx_seeds.o $(PTX_CASES) $(B)/obj/$(MACHINE)/ptx/types.o
	@mkdir -p $(@D)
	$(call say,LD,$@)$(CC) $^ -o $@ -lm
$(B)/obj/$(FUZZ)/%.o: OBJ_CFLAGS = -Igrader/tests $(MACHINE_INCLUDES)

$(B)/fuzz/ptx/seeds: $(B)/fuzz/ptx_seeds $(wildcard grader/tests/ptx/*.test) $(SEED_PROGRAMS) \
		$(SEED_PIECES)
	@rm -rf $@ && mkdir -p $@
	$(call say,GEN,$@)$(B)/fuzz/ptx_seeds $@ $(wildcard grader/tests/ptx/*.test)
	@for program in $(SEED_PROGRAMS); do $(NVCC) -ptx -arch=compute_80 -lineinfo $$program \
		-o $@/$$(basename $$program .cu).ptx || exit 1; done
	@for piece in $(SEED_PIECES); do $(NVCC) -ptx -rdc=true -arch=compute_80 -lineinfo $$piece \
		-o $@/piece || exit 1; cat $@/piece; done >$@/linked.ptx && rm $@/piece

# The linked program's containers follow each other, as a program hands them over.
$(B)/fuzz/fatbin/seeds: $(SEED_PROGRAMS) $(SEED_PIECES)
	@rm -rf $@ && mkdir -p $@
	$(call say,GEN,$@)for mode in none size speed; do for program in $(SEED_PROGRAMS); do \
		$(NVCC) -fatbin -compress-mode=$$mode $(SEED_CODE) \
		$$program -o $@/$$(basename $$program .cu)_$$mode.fatbin || exit 1; done; \
		$(NVCC) -rdc=true -compress-mode=$$mode $(SEED_CODE) $(SEED_PIECES) -o $@.linked && \
		for part in .nv_fatbin __nv_relfatbin; do objcopy -O binary -j $$part $@.linked $@.part && \
		cat $@.part; done >$@/linked_$$mode.fatbin || exit 1; done; rm -f $@.linked $@.part

$(B)/fuzz/protocol_seeds: $(B)/obj/$(FUZZ)/protocol_seeds.o
	@mkdir -p $(@D)
	$(call say,LD,$@)$(CC) $^ -o $@
$(B)/obj/$(FUZZ)/protocol_seeds.o: OBJ_CFLAGS = -Igrader/simgpu

$(B)/fuzz/protocol/seeds: $(B)/fuzz/protocol_seeds $(B)/fuzz/fatbin/seeds
	@rm -rf $@ && mkdir -p $@
	$(call say,GEN,$@)$(B)/fuzz/protocol_seeds $@ \
		$(B)/fuzz/fatbin/seeds/first_launch_none.fatbin _Z3setPi

# The words of PTX, for the fuzzer to try.
$(B)/fuzz/ptx/words: $(MACHINE)/program/opcodes.def $(MACHINE)/program/modifiers.def \
		$(MACHINE)/ptx/types.def
	@mkdir -p $(@D)
	$(call say,GEN,$@)grep -oh '"[a-z_.][a-z0-9_.:]*"' $^ | sort -u >$@
$(B)/fuzz/%/words:
	@mkdir -p $(@D) && touch $@

# --- Running ------------------------------------------------------------------------------------

FUZZ_OPTIONS := -timeout=20 -rss_limit_mb=3000 -print_final_stats=1 -use_value_profile=1
FUZZ_ENVIRONMENT := ASAN_OPTIONS=allocator_may_return_null=1:detect_leaks=1

.PHONY: $(FUZZERS:%=fuzz-%) fuzz-corpus
$(FUZZERS:%=fuzz-%): fuzz-%: $(B)/fuzz/fuzz_% $(B)/fuzz/%/seeds $(B)/fuzz/%/words
	@mkdir -p $(B)/fuzz/$*/found
	cd $(B)/fuzz/$* && $(FUZZ_ENVIRONMENT) ../fuzz_$* -max_total_time=$$(($(MINUTES) * 60)) \
		-seed=$(SEED) $$(test -s words && echo -dict=words) $(FUZZ_OPTIONS) found seeds \
		$(wildcard $(abspath $(FUZZ)/corpus/$*))

FUZZ_CORPORA := $(patsubst $(FUZZ)/corpus/%,%,$(wildcard $(FUZZ)/corpus/*))
fuzz-corpus: $(FUZZ_CORPORA:%=$(B)/fuzz/replay_%) ## replay the inputs that once crashed the device
	@for name in $(FUZZ_CORPORA); do \
		$(FUZZ_ENVIRONMENT) $(B)/fuzz/replay_$$name $(FUZZ)/corpus/$$name \
			2>$(B)/fuzz/$$name.log >$(B)/fuzz/$$name.out && \
		printf '  ok    fuzz %s: %s\n' $$name "$$(cat $(B)/fuzz/$$name.out)" || \
		{ printf '  FAIL  fuzz %s\n' $$name; tail -40 $(B)/fuzz/$$name.log; exit 1; }; done

TEST_PARTS += fuzz-corpus
