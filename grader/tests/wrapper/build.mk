# `simgpu run` as the wrapper of another project's tests, and `make install`.

WRAPPER_TEST := $(B)/test/wrapper

$(WRAPPER_TEST)/wrapper: grader/tests/wrapper/wrapper.cu grader/tests/wrapper/each.h
	@mkdir -p $(@D)
	$(call say,NVCC,$@)$(NVCC) -O3 -lineinfo -cudart shared -Wno-deprecated-gpu-targets \
		-gencode arch=compute_80,code=compute_80 $< -o $@

.PHONY: test-wrapper test-install
TEST_PARTS += test-wrapper test-install
TEST_PRODUCTS += $(WRAPPER_TEST)/wrapper
test-wrapper: $(WRAPPER_TEST)/wrapper $(PLAIN)/test/programs/refused/static_runtime
test-wrapper: simgpu
test-wrapper: ## test simgpu run as a wrapper of tests: exit status, JUnit, SARIF, suppressions
	@grader/tests/wrapper/wrapper.sh $(B)/bin/simgpu $(WRAPPER_TEST)/wrapper \
		$(PLAIN)/test/programs/refused/static_runtime

test-install: $(WRAPPER_TEST)/wrapper
test-install: installable
test-install: ## test that what make install installs works elsewhere, and that make uninstall works
	@grader/tests/wrapper/install.sh $(B) $(WRAPPER_TEST)/wrapper
