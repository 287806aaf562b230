# How fast the simulated device is: make bench-simgpu [CASE=matmul]. Needs no GPU.

SIMGPU_BENCH := grader/simgpu/bench
$(B)/bench/simgpu/%.ptx: $(SIMGPU_BENCH)/%.cu
	@mkdir -p $(@D)
	$(call say,NVCC,$@)$(NVCC) -ptx -O3 -lineinfo -arch=compute_80 $< -o $@

$(B)/bench/simgpu/program: $(SIMGPU_BENCH)/program.cu
	@mkdir -p $(@D)
	$(call say,NVCC,$@)$(NVCC) -O2 -cudart shared -gencode arch=compute_80,code=compute_80 $< -o $@

$(B)/obj/$(SIMGPU_BENCH)/%.o: OBJ_CFLAGS = -I$(MACHINE)
$(B)/bench/simgpu/bench: $(B)/obj/$(SIMGPU_BENCH)/bench.o $(B)/lib/libmachine.a
	@mkdir -p $(@D)
	$(call say,LD,$@)$(CC) $^ -o $@ -lzstd -lm -pthread

.PHONY: bench-simgpu
bench: bench-simgpu
bench-simgpu: $(addprefix $(B)/bench/simgpu/,bench kernels.ptx program)
bench-simgpu: simgpu ## measure how fast the simulated device is
	@$(B)/bench/simgpu/bench $(B)/bench/simgpu/kernels.ptx $(B)/bin/simgpu \
		$(B)/bench/simgpu/program $(CASE)
