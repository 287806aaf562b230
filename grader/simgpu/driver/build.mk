# The drop-in libcuda: a program's own calls of the driver API become calls of the drop-in
# libcudart. NVIDIA's own runtime and libraries find it, too, if a program has brought them along,
# but are refused. The toolkit's cuda.h says what it must have.

DRIVER := grader/simgpu/driver
DRIVER_LIBRARY := $(B)/lib/sim/libcuda.so.1
DRIVER_BUILD := $(B)/obj/$(DRIVER)
DRIVER_OBJECTS := $(patsubst %.c,$(B)/obj/%.o,$(wildcard $(DRIVER)/*.c) grader/simgpu/socket.c)
$(DRIVER_BUILD)/%.o: OBJ_CFLAGS = -fPIC -isystem $(CUDA_INCLUDE) \
	-DSERVED_RUNTIME='"libcudart.so.$(CUDART_SONAME_MAJOR)"'

# All versions of each function, the oldest too: older runtimes ask for those.
$(DRIVER_BUILD)/stubs.c: $(DRIVER)/stubs.awk $(DRIVER)/declared.h $(CUDA_INCLUDE)/cuda.h \
		$(DRIVER_OBJECTS)
	@mkdir -p $(@D)
	@nm --defined-only -g $(DRIVER_OBJECTS) | awk 'NF == 3 { print $$3 }' >$(@D)/ours.txt
	$(call say,GEN,$@)$(CC) -E -P -D__CUDA_API_VERSION_INTERNAL -isystem $(CUDA_INCLUDE) \
		-x c $(DRIVER)/declared.h | awk -f $(DRIVER)/stubs.awk $(@D)/ours.txt - >$@

$(DRIVER_BUILD)/versions.c: $(DRIVER)/versions.awk $(CUDA_INCLUDE)/cudaTypedefs.h
	@mkdir -p $(@D)
	$(call say,GEN,$@)awk -f $^ >$@

$(DRIVER_LIBRARY): $(DRIVER_OBJECTS) $(DRIVER_BUILD)/stubs.c $(DRIVER_BUILD)/versions.c \
		$(DRIVER)/libcuda.map
	@mkdir -p $(@D)
	$(call say,LD,$@)$(PLAIN_CC) -I$(DRIVER) -shared -fPIC -Wl,-soname,$(@F) -Wl,--no-undefined \
		-Wl,--version-script=$(filter %.map,$^) $(filter %.o %.c,$^) -o $@ -ldl -pthread

simgpu check: $(DRIVER_LIBRARY)
