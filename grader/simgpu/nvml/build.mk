# The drop-in libnvidia-ml. The toolkit need not have NVML: its functions are named in a file here.

NVML := grader/simgpu/nvml
NVML_BUILD := $(B)/obj/$(NVML)
NVML_LIBRARY := $(B)/lib/sim/libnvidia-ml.so.1
NVML_OBJECTS := $(patsubst %.c,$(B)/obj/%.o,$(wildcard $(NVML)/*.c))
$(NVML_BUILD)/%.o: OBJ_CFLAGS = -fPIC -isystem $(CUDA_INCLUDE)

$(NVML_BUILD)/stubs.c: $(NVML_OBJECTS) $(NVML)/stubs.awk $(NVML)/functions.txt
	$(call say,GEN,$@)nm --defined-only -g $(NVML_OBJECTS) | awk 'NF == 3 { print $$3 }' \
		>$(@D)/ours.txt && awk -f $(NVML)/stubs.awk $(@D)/ours.txt $(NVML)/functions.txt >$@

$(NVML_LIBRARY): $(NVML_OBJECTS) $(NVML_BUILD)/stubs.c $(NVML)/libnvidia-ml.map $$(SIM_CUDART)
	@mkdir -p $(@D)
	$(call say,LD,$@)$(PLAIN_CC) -shared -fPIC -Wl,-soname,$(@F) -Wl,--no-undefined \
		-Wl,--version-script=$(filter %.map,$^) $(filter %.o %.c,$^) $(SIM_CUDART) -o $@

simgpu check: $(NVML_LIBRARY)
