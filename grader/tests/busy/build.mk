# Verdicts on a busy machine: busy.sh.

BUSY := grader/tests/busy/busy.sh
BUSY_ENDLESS = 1:$(REDTEAM)/attacks/infinite_kernel.cu:TIMEOUT \
	1:$(REDTEAM)/attacks/host_runs_for_ever.cu:TIMEOUT
BUSY_SAMPLE = 1:solutions/01_coalescing/coalescing.cu:PASS
BUSY_ALL = $(BUSY_SAMPLE) $(BUSY_ENDLESS) \
	1:$(REDTEAM)/attacks/host_sleeps_for_ever.cu:TIMEOUT \
	4:solutions/04_epilogue/epilogue.cu:PASS 6:solutions/06_gemm/gemm.cu:PASS \
	1:grader/judges/01_coalescing/right/grid_stride.cu:PASS \
	4:grader/judges/04_epilogue/right/float4_bias.cu:PASS \
	6:grader/judges/06_gemm/right/behind_a_mutex.cu:PASS

.PHONY: test-busy busy-sample
test-busy: check $(B)/test/warden ## test verdicts while the machine has other work (LOOPS=24)
	@$(BUSY) $(B) $(or $(LOOPS),24) $(BUSY_ALL)

TEST_CREWS += busy-sample
busy-sample: check $(B)/test/warden
	@$(BUSY) $(B) 2 $(BUSY_SAMPLE)
