# What the check and the simulated device both use: files, processes, terminals, clocks. It uses
# nothing else of the grader.

$(B)/obj/grader/lib/%.o: OBJ_CFLAGS = -Igrader

GRADER_LIB_OBJECTS := $(patsubst %.c,$(B)/obj/%.o,$(wildcard grader/lib/*.c))
$(B)/lib/libgrader.a: $(GRADER_LIB_OBJECTS)
	@mkdir -p $(@D)
	$(call say,AR,$@)rm -f $@ && $(AR) rcs $@ $^
