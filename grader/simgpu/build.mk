# The simulated device: the machine (a library), the device process, the drop-in libraries.

MACHINE := grader/simgpu/machine
MACHINE_ROOMS := program exec run observe timing ptx
MACHINE_SOURCES := $(wildcard $(MACHINE)/*.c $(MACHINE_ROOMS:%=$(MACHINE)/%/*.c))
# Its own files, and those that look into it, name a header without its folder.
MACHINE_INCLUDES := -I$(MACHINE) $(MACHINE_ROOMS:%=-I$(MACHINE)/%)
MACHINE_OBJECTS := $(MACHINE_SOURCES:%.c=$(B)/obj/%.o)

# The machine's loops over 32 lanes are a few vector instructions each. Contraction stays off, since
# PTX says itself where a multiply-add is fused.
MACHINE_OPTIMISED ?= -O3
MACHINE_VECTORS := $(if $(filter x86_64%,$(shell $(CC) -dumpmachine)),-mprefer-vector-width=512)
$(B)/obj/$(MACHINE)/%.o: OBJ_CFLAGS = $(MACHINE_OPTIMISED) -march=$(MACHINE_ARCH) \
	$(MACHINE_VECTORS) -fno-math-errno -fno-trapping-math -ffp-contract=off $(MACHINE_INCLUDES)
# Files that switch the processor's rounding, which the compiler must know of.
$(addprefix $(B)/obj/$(MACHINE)/exec/,exec_float_mode.o exec_convert.o): OBJ_CFLAGS += \
	-frounding-math

$(B)/lib/libmachine.a: $(MACHINE_OBJECTS)
	@mkdir -p $(@D)
	$(call say,AR,$@)$(AR) rcs $@ $^

# The device process.
DEVICE_FOLDER := grader/simgpu/device
DEVICE_OBJECTS := $(patsubst %.c,$(B)/obj/%.o,$(wildcard $(DEVICE_FOLDER)/*.c) \
	grader/simgpu/line.c grader/simgpu/socket.c)
$(B)/obj/$(DEVICE_FOLDER)/%.o: OBJ_CFLAGS = -I$(MACHINE) -Igrader $(JANSSON_CFLAGS)
$(B)/obj/$(DEVICE_FOLDER)/page.o: $(DEVICE_FOLDER)/page.css
SIMGPU_LIBS = $(JANSSON_LIBS) $(ZSTD_LIBS) -lm -ldl -pthread

$(B)/bin/simgpu: $(DEVICE_OBJECTS) $(B)/lib/libmachine.a $(B)/lib/libgrader.a
	@mkdir -p $(@D)
	$(call say,LD,$@)$(CC) $^ -o $@ $(SIMGPU_LIBS)

# The drop-in libcudart: ours in front of the toolkit's, under the soname of the toolkit at hand.
# A function that the toolkit's library has and ours lacks becomes a stub that says its name. Names
# are bound at once, since pages.c must not run into the dynamic linker while it swaps pages.
CLIENT := grader/simgpu/client
CLIENT_OBJECTS := $(patsubst %.c,$(B)/obj/%.o,$(wildcard $(CLIENT)/*.c) grader/simgpu/socket.c)
CUDART := libcudart.so.$(CUDART_SONAME_MAJOR)
$(B)/obj/grader/simgpu/socket.o: OBJ_CFLAGS = -fPIC
$(B)/obj/$(CLIENT)/%.o: OBJ_CFLAGS = -fPIC -fvisibility=default -isystem $(CUDA_INCLUDE)

# stubs_of OBJECTS,LIBRARY,PREFIX,REFUSE: what LIBRARY has and OBJECTS lack; see stubs.awk.
stubs_of = $(call say,GEN,$@)nm --defined-only -g $(1) | awk 'NF == 3 { print $$3 }' \
	>$(@D)/ours.txt && nm -D --defined-only $(2) | \
	awk '{ sub(/@.*/, "", $$3); print $$3 }' >$(@D)/theirs.txt && \
	awk -v prefix=$(3) -v refuse=$(4) -f $(CLIENT)/stubs.awk $(@D)/ours.txt $(@D)/theirs.txt >$@

# $(eval $(call host_library,FOLDER,NAME,FLAGS,LIBRARIES)): the drop-in libNAME, which computes on
# the host, from the sources in FOLDER. A toolkit may come without NAME: HAVE_NAME is empty then.
# Before set-up, or without it, the target is a name that nothing asks for.
define host_library
$(1)_FROM := grader/simgpu/$(1)
$(1)_BUILD := $$(B)/obj/$$($(1)_FROM)
$(1)_OBJECTS := $$(patsubst %.c,$$(B)/obj/%.o,$$(wildcard $$($(1)_FROM)/*.c))
$(1)_SONAME := $$(notdir $$(lastword $$(sort \
	$$(filter-out %.so,$$(wildcard $$(CUDA_LIB)/lib$(2).so.??)))))
$$($(1)_BUILD)/%.o: OBJ_CFLAGS = -fPIC -isystem $$(CUDA_INCLUDE) $(3)

$$($(1)_BUILD)/stubs.c: $$($(1)_OBJECTS) $$(CLIENT)/stubs.awk
	$$(call stubs_of,$$($(1)_OBJECTS),$$(CUDA_LIB)/$$($(1)_SONAME),$(2),$(1)_missing)

$$($(1)_BUILD)/lib$(2).map: $$($(1)_FROM)/lib$(2).map
	@mkdir -p $$(@D)
	@sed 's/@SONAME@/$$($(1)_SONAME)/' $$< >$$@

$$(B)/lib/sim/$$(or $$($(1)_SONAME),no-$(2)): $$($(1)_OBJECTS) $$($(1)_BUILD)/stubs.c \
		$$($(1)_BUILD)/lib$(2).map $$$$(SIM_CUDART)
	@mkdir -p $$(@D)
	$$(call say,LD,$$@)$$(PLAIN_CC) -shared -fPIC -Wl,-soname,$$($(1)_SONAME) -Wl,--no-undefined \
		-Wl,--version-script=$$($(1)_BUILD)/lib$(2).map $$($(1)_OBJECTS) \
		$$($(1)_BUILD)/stubs.c $$(SIM_CUDART) -o $$@ $(4) -pthread

HAVE_$(2) := $$(if $$($(1)_SONAME),$$(wildcard $$(CUDA_INCLUDE)/$(2).h))
simgpu check: $$(if $$(HAVE_$(2)),$$(B)/lib/sim/$$($(1)_SONAME))
endef

$(B)/obj/$(CLIENT)/stubs.c: $(CLIENT_OBJECTS) $(CLIENT)/stubs.awk
	$(call stubs_of,$(CLIENT_OBJECTS),$(CUDA_LIB)/$(CUDART),cuda,missing)

$(B)/obj/$(CLIENT)/libcudart.map: $(CLIENT)/libcudart.map
	@mkdir -p $(@D)
	@sed 's/@SONAME@/$(CUDART)/' $< >$@

$(B)/lib/sim/$(CUDART): $(CLIENT_OBJECTS) $(B)/obj/$(CLIENT)/stubs.c \
		$(B)/obj/$(CLIENT)/libcudart.map
	@mkdir -p $(@D)
	$(call say,LD,$@)$(PLAIN_CC) -shared -fPIC -Wl,-soname,$(CUDART) -Wl,--no-undefined \
		-Wl,-z,now -Wl,--version-script=$(B)/obj/$(CLIENT)/libcudart.map $(CLIENT_OBJECTS) \
		$(B)/obj/$(CLIENT)/stubs.c -o $@ -pthread

.PHONY: simgpu
simgpu: $(B)/bin/simgpu $(B)/lib/sim/$(CUDART) ## build the simulated device
