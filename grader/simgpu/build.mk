# The simulated device: the machine (a library), the device process, the drop-in libraries.

MACHINE := grader/simgpu/machine
MACHINE_SOURCES := $(wildcard $(MACHINE)/*.c $(MACHINE)/ptx/*.c)
MACHINE_OBJECTS := $(MACHINE_SOURCES:%.c=$(B)/obj/%.o)

# The machine is built for the processor it is built on: its loops over 32 lanes are a few vector
# instructions there. Contraction stays off, since PTX says itself where a multiply-add is fused.
$(B)/obj/$(MACHINE)/%.o: OBJ_CFLAGS = -O3 -march=native -mprefer-vector-width=512 \
	-fno-math-errno -fno-trapping-math -ffp-contract=off -I$(MACHINE) -I$(MACHINE)/ptx
$(MACHINE_SOURCES:%.c=$(B)/obj/%.o): OBJ_CFLAGS += $(if $(findstring exec_,$(@F)),-frounding-math)

$(B)/lib/libmachine.a: $(MACHINE_OBJECTS)
	@mkdir -p $(@D)
	$(call say,AR,$@)$(AR) rcs $@ $^
