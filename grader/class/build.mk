# Grading a class: hand-ins, roster, gradebook, tables, pages, exports.

CLASS_SOURCES := $(filter-out %/gradebook.c,$(wildcard grader/class/*.c))
CLASS_FLAGS = $(CHECK_FLAGS) $(SQLITE_CFLAGS) $(if $(HAVE_LIBZIP),-DHAVE_LIBZIP $(LIBZIP_CFLAGS))
CLASS_LIBS = $(SQLITE_LIBS) $(LIBZIP_LIBS)
$(B)/obj/grader/class/%.o: OBJ_CFLAGS = $(CLASS_FLAGS)

# The tables of the gradebook, as a text of C.
$(B)/obj/class/book.sql.inc: grader/class/book.sql
	@mkdir -p $(@D)
	$(call say,GEN,$@)$(call as_text_of_c,$<) >$@
$(B)/obj/grader/class/book.o: $(B)/obj/class/book.sql.inc
$(B)/obj/grader/class/book.o: OBJ_CFLAGS = $(CLASS_FLAGS) -I$(B)/obj

$(B)/lib/libclass.a: $(call object,$(CLASS_SOURCES))
	@mkdir -p $(@D)
	$(call say,AR,$@)rm -f $@ && $(AR) rcs $@ $^

$(B)/bin/gradebook: $(B)/obj/grader/class/gradebook.o $(B)/lib/libclass.a \
		$(B)/lib/libcheck.a $(B)/lib/libgrader.a
	@mkdir -p $(@D)
	$(call say,LD,$@)$(CC) $^ -o $@ $(JANSSON_LIBS) $(CLASS_LIBS) -lm

GRADEBOOK := $(B)/bin/gradebook
.PHONY: gradebook grade regrade override reproduce export \
	gradescope-zip test-slurm test-no-slurm
gradebook: check $(GRADEBOOK)

##@ A class
grade: gradebook ## judge what a class handed in (SUBMISSIONS=, OUT=; ROSTER=, LESSON=, ENGINE=)
	@$(GRADEBOOK) grade $(call quoted,$(value SUBMISSIONS)) --out $(call quoted,$(value OUT)) \
		$(call option,roster,ROSTER) $(call option,lesson,LESSON) \
		$(call option,device,DEVICE) $(call option,seed,SEED) \
		$(call option,engine,ENGINE) $(call option,chunk,CHUNK) $(call option,most,MOST) \
		$(call option,sbatch,SBATCH)

of_mark = --out $(call quoted,$(value OUT)) $(call option,student,STUDENT) \
	$(call option,lesson,LESSON)
regrade: gradebook ## judge a student's file once more (OUT=folder STUDENT=id LESSON=n)
	@$(GRADEBOOK) regrade $(of_mark)

override: gradebook ## decide a mark yourself (OUT= STUDENT= LESSON= POINTS=n REASON="...")
	@$(GRADEBOOK) override $(of_mark) $(call option,points,POINTS) $(call option,reason,REASON)

reproduce: gradebook ## repeat a judgement from its sealed source and seed (OUT=folder RECORD=n)
	@$(GRADEBOOK) reproduce $(call quoted,$(value RECORD)) --out $(call quoted,$(value OUT))

export: gradebook ## write the marks for another system (OUT=folder FORMAT=canvas, LESSON=n)
	@$(GRADEBOOK) export --out $(call quoted,$(value OUT)) $(call option,format,FORMAT) \
		$(call option,lesson,LESSON)

gradescope-zip: ## write Gradescope's autograder of a lesson (LESSON=n)
	@grader/class/gradescope/make_zip.sh $(B) $(call quoted,$(value LESSON))

##@ Build, test, measure
# A unit's test is linked with the libraries below it; check_<unit>.c belongs to <unit>.c.
CLASS_TESTS := $(patsubst grader/tests/%.c,$(B)/test/%,$(wildcard \
	$(CLASS_SOURCES:grader/class/%.c=grader/tests/check_%.c)))
$(CLASS_TESTS:$(B)/test/%=$(B)/obj/grader/tests/%.o): OBJ_CFLAGS = $(CLASS_FLAGS)
$(CLASS_TESTS): $(B)/test/%: $(B)/obj/grader/tests/%.o $(B)/lib/libclass.a \
		$(B)/lib/libcheck.a $(B)/lib/libgrader.a
	@mkdir -p $(@D)
	$(call say,LD,$@)$(CC) $^ -o $@ $(CHECK_LIBS) $(JANSSON_LIBS) $(CLASS_LIBS) -lm -pthread

.PHONY: test-grade test-exports
TEST_PARTS += test-grade
TEST_PRODUCTS += $(GRADEBOOK)
test-grade: check $(GRADEBOOK) $(FIXTURE_BUILD)/bin/runner $(FIXTURE_BUILD)/bin/walls \
		$(FIXTURE_BUILD)/judges.json
test-grade: ## test grading a class: whatever is handed in, however a run ends
	@grader/tests/grade.sh $(B)
TEST_PARTS += test-exports
TEST_PRODUCTS += $(B)/test/check_export
test-exports: $(B)/test/check_export ## test the files for other systems: their readers count right
	@grader/tests/exports.sh $(B)

# The whole, with a Slurm of its own, takes minutes; what needs none is a part of all tests.
TEST_PARTS += test-no-slurm
TEST_PRODUCTS += $(GRADEBOOK)
test-no-slurm: gradebook ## test how jobs of Slurm judge a class, as far as that needs no Slurm
	@grader/tests/no_slurm.sh $(B)
test-slurm: gradebook ## test that a Slurm whose node dies judges a class (as root; takes minutes)
	@grader/tests/slurm.sh $(B)

# It takes minutes, and so is no part of `make test`.
.PHONY: test-gradescope
test-gradescope: gradebook ## test Gradescope's autograder of a lesson (MEASURE="1 2" measures)
	@MEASURE=$(call quoted,$(MEASURE)) grader/tests/gradescope.sh $(B)
