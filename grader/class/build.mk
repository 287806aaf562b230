# Grading a class: hand-ins, roster, gradebook, tables, pages, exports.

CLASS_SOURCES := $(filter-out %/gradebook.c,$(wildcard grader/class/*.c))
CLASS_FLAGS = $(CHECK_FLAGS) $(SQLITE_CFLAGS) $(if $(HAVE_LIBZIP),-DHAVE_LIBZIP $(LIBZIP_CFLAGS))
CLASS_LIBS = $(SQLITE_LIBS) $(LIBZIP_LIBS)
$(B)/obj/grader/class/%.o: OBJ_CFLAGS = $(CLASS_FLAGS)

# The tables of the gradebook, as a text of C.
$(B)/obj/class/book.sql.inc: grader/class/book.sql
	@mkdir -p $(@D)
	$(call say,GEN,$@)sed 's/\\/\\\\/g; s/"/\\"/g; s/.*/"&\\n"/' $< >$@
$(B)/obj/grader/class/book.o: $(B)/obj/class/book.sql.inc
$(B)/obj/grader/class/book.o: OBJ_CFLAGS = $(CLASS_FLAGS) -I$(B)/obj

$(B)/lib/libclass.a: $(call object,$(CLASS_SOURCES))
	@mkdir -p $(@D)
	$(call say,AR,$@)rm -f $@ && $(AR) rcs $@ $^

# A unit's test is linked with the libraries below it; check_<unit>.c belongs to <unit>.c.
CLASS_TESTS := $(patsubst grader/tests/%.c,$(B)/test/%,$(wildcard \
	$(CLASS_SOURCES:grader/class/%.c=grader/tests/check_%.c)))
$(CLASS_TESTS:$(B)/test/%=$(B)/obj/grader/tests/%.o): OBJ_CFLAGS = $(CLASS_FLAGS)
$(CLASS_TESTS): $(B)/test/%: $(B)/obj/grader/tests/%.o $(B)/lib/libclass.a \
		$(B)/lib/libcheck.a $(B)/lib/libgrader.a
	@mkdir -p $(@D)
	$(call say,LD,$@)$(CC) $^ -o $@ $(CHECK_LIBS) $(JANSSON_LIBS) $(CLASS_LIBS) -lm -pthread

.PHONY: test-exports
TEST_PARTS += test-exports
TEST_PRODUCTS += $(B)/test/check_export
test-exports: $(B)/test/check_export ## test the files for other systems: their readers count right
	@grader/tests/exports.sh $(B)
