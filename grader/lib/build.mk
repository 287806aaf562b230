# What the check and the simulated device both use: files, processes, terminals, clocks. It uses
# nothing else of the grader.

$(B)/obj/grader/lib/%.o: OBJ_CFLAGS = -Igrader
$(B)/obj/grader/lib/database.o: OBJ_CFLAGS = -Igrader $(SQLITE_CFLAGS)

# A file as a text of C, to be included.
as_text_of_c = sed 's/\\/\\\\/g; s/"/\\"/g; s/.*/"&\\n"/' $(1)

GRADER_LIB_OBJECTS := $(patsubst %.c,$(B)/obj/%.o,$(wildcard grader/lib/*.c))
$(B)/lib/libgrader.a: $(GRADER_LIB_OBJECTS)
	@mkdir -p $(@D)
	$(call say,AR,$@)rm -f $@ && $(AR) rcs $@ $^
