# The libcuda that refuses: what NVIDIA's own runtime and libraries find in place of a driver when
# a program under `simgpu run` has brought them along. The toolkit's cuda.h says what it must have.

DRIVER := grader/simgpu/driver
DRIVER_LIBRARY := $(B)/lib/sim/libcuda.so.1
DRIVER_BUILD := $(B)/obj/$(DRIVER)
DRIVER_OBJECTS := $(patsubst %.c,$(B)/obj/%.o,$(wildcard $(DRIVER)/*.c) grader/simgpu/socket.c)
$(DRIVER_BUILD)/%.o: OBJ_CFLAGS = -fPIC -DSERVED_RUNTIME='"libcudart.so.$(CUDART_SONAME_MAJOR)"'

# All versions of each function, the oldest too: older runtimes ask for those.
$(DRIVER_BUILD)/stubs.c: $(DRIVER)/stubs.awk $(DRIVER)/declared.h $(CUDA_INCLUDE)/cuda.h
	@mkdir -p $(@D)
	$(call say,GEN,$@)$(CC) -E -P -D__CUDA_API_VERSION_INTERNAL -isystem $(CUDA_INCLUDE) \
		-x c $(DRIVER)/declared.h | awk -f $(DRIVER)/stubs.awk >$@

$(DRIVER_LIBRARY): $(DRIVER_OBJECTS) $(DRIVER_BUILD)/stubs.c $(DRIVER)/libcuda.map
	@mkdir -p $(@D)
	$(call say,LD,$@)$(CC) -shared -fPIC -Wl,-soname,$(@F) -Wl,--no-undefined \
		-Wl,--version-script=$(filter %.map,$^) $(filter %.o %.c,$^) -o $@ -ldl -pthread

simgpu check: $(DRIVER_LIBRARY)
