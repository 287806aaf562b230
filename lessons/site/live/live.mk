# Figures that a reader can touch: the machine as WebAssembly, by Debian's clang-14, lld-14,
# wasi-libc and libclang-rt-14-dev-wasm32. Without these, pages have their drawings alone.

LIVE := $(SITE)/live
WASM := $(B)/wasm
WASM_CC ?= clang-14
WASM_FLAGS := --target=wasm32-wasi -O2 -std=c17 -D_GNU_SOURCE -isystem $(LIVE)/wasi $(WARNINGS) \
	-Wno-unknown-warning-option -Wno-unknown-pragmas -Wno-unused-function \
	-Wno-unused-const-variable -fno-math-errno -fno-trapping-math -ffp-contract=off -MD -MP \
	$(MACHINE_INCLUDES) -I$(LIVE) -Igrader -DMORE_OBSERVERS='"live.def"'
WASM_NEEDS := /usr/include/wasm32-wasi/stdlib.h /usr/bin/wasm-ld-14 \
	/usr/lib/llvm-14/lib/clang/%/lib/wasi/libclang_rt.builtins-wasm32.a
HAVE_WASM := $(if $(filter 3,$(words $(wildcard $(subst %,14*,$(WASM_NEEDS))))),$(shell \
	command -v $(WASM_CC)))

# The stack comes first, so that one that overflows traps.
WASM_LINK := --target=wasm32-wasi -Wl,--stack-first -Wl,-z,stack-size=4194304

LIVE_LOADER := $(if $(HAVE_WASM),$(LIVE)/loader.js)
LIVE_SOURCES := $(wildcard $(LIVE)/*.c)
WASM_SOURCES := $(MACHINE_SOURCES) $(LIVE_SOURCES) $(wildcard $(LIVE)/wasi/*.c)
WASM_OBJECTS := $(WASM_SOURCES:%.c=$(WASM)/obj/%.o)
LIVE_CALLS := open error load allocate bytes fill parameter watch sample launch result steps \
	device gave_up

$(WASM)/obj/%.o: %.c
	@mkdir -p $(@D)
	$(call say,WASM,$<)$(WASM_CC) $(WASM_FLAGS) -c $< -o $@

$(WASM)/machine.wasm: $(WASM_OBJECTS)
	$(call say,LD,$@)$(WASM_CC) $(WASM_LINK) -mexec-model=reactor -Wl,--strip-all \
		$(LIVE_CALLS:%=-Wl,--export=live_%) -Wl,--export=malloc -Wl,--export=free $^ -o $@

-include $(shell find $(WASM)/obj -name '*.d' 2>/dev/null)

# --- What a page loads when a figure is touched ---------------------------------------------------
# Scripts, since a page from the disk can fetch nothing else.
LIVE_OUT := $(NOTES)/live
LIVE_LESSONS := $(patsubst lessons/%/figures/live.cu,%,$(wildcard lessons/*/figures/live.cu))
LIVE_FIGURES := $(filter-out machine ui playground,\
	$(basename $(notdir $(wildcard $(LIVE)/js/*.js))))
LIVE_PAGES := $(LIVE_OUT)/machine.js $(LIVE_LESSONS:%=$(LIVE_OUT)/%.js) \
	$(LIVE_FIGURES:%=$(LIVE_OUT)/%.js) $(LIVE_OUT)/playground.js
packed = echo "LIVE_DATA['$(1)'] = '$$(gzip -9nc $(2) | base64 -w 0)';"

# Code for the H200's kind, not compressed, so that registers are known; and PTX.
$(LIVE_OUT)/%.fatbin: lessons/%/figures/live.cu
	@mkdir -p $(@D)
	$(call say,NVCC,$@)$(NVCC) -fatbin -O3 -lineinfo -Icommon -Igrader --no-compress \
		-Wno-deprecated-gpu-targets -gencode arch=compute_80,code=[compute_80,sm_80] $< -o $@

$(LIVE_LESSONS:%=$(LIVE_OUT)/%.js): $(LIVE_OUT)/%.js: $(LIVE_OUT)/%.fatbin \
		lessons/%/figures/live.cu
	@{ $(call packed,$*.fatbin,$<); $(call packed,$*.cu,$(lastword $^)); } >$@

$(LIVE_OUT)/machine.js: $(LIVE)/js/machine.js $(LIVE)/js/ui.js $(LIVE)/live.css $(WASM)/machine.wasm
	@mkdir -p $(@D)
	@{ cat $(LIVE)/js/machine.js $(LIVE)/js/ui.js; $(call packed,live.css,$(LIVE)/live.css); \
		$(call packed,machine.wasm,$(WASM)/machine.wasm); } >$@

$(LIVE_FIGURES:%=$(LIVE_OUT)/%.js): $(LIVE_OUT)/%.js: $(LIVE)/js/%.js
	@mkdir -p $(@D)
	@cp $< $@

# The playground's kernels, as the text that nvcc writes, come with its script.
$(LIVE_OUT)/playground.ptx: $(LIVE)/playground.cu
	@mkdir -p $(@D)
	$(call say,NVCC,$@)$(NVCC) -ptx -O3 -arch=compute_80 $< -o $@
$(LIVE_OUT)/playground.js: $(LIVE)/js/playground.js $(LIVE_OUT)/playground.ptx
	@{ cat $<; $(call packed,playground.ptx,$(lastword $^)); } >$@

$(NOTES)/playground.html: $(SITE)/playground.md $(NOTES_SITE)
	$(call say,PAGE,$@)$(call render,)

# Pages are rendered anew when the compiler has come or gone.
LIVE_OR_NOT := $(NOTES)/data/live.$(if $(HAVE_WASM),yes,no)
.PHONY: look-for-compiler
$(LIVE_OR_NOT): look-for-compiler
	@mkdir -p $(@D) && { [ -e $@ ] || { rm -f $(NOTES)/data/live.* && touch $@; }; }

notes: $(if $(HAVE_WASM),$(LIVE_PAGES) $(NOTES)/playground.html,live-without)
.PHONY: live-without
live-without:
	@echo '  figures cannot be touched: there is no compiler to WebAssembly (Debian: clang-14 lld-14' \
		'wasi-libc libclang-rt-14-dev-wasm32)'

# The same calls by the machine as it is: alike prints what it gives, natively and as WebAssembly.
ALIKE := grader/tests/live
ALIKE_SOURCES := $(wildcard $(ALIKE)/*.c) $(wildcard grader/tests/ptx_*.c)
LIVE_NATIVE := $(LIVE_SOURCES:%.c=$(B)/obj/%.o) $(B)/obj/$(LIVE)/observers.o
$(B)/obj/$(LIVE)/%.o: OBJ_CFLAGS = $(MACHINE_INCLUDES) -I$(LIVE) -DMORE_OBSERVERS='"live.def"'
$(B)/obj/$(ALIKE)/%.o: OBJ_CFLAGS = $(MACHINE_INCLUDES) -I$(LIVE) -Igrader
$(B)/obj/$(LIVE)/observers.o: $(MACHINE)/observe/observers.c
	@mkdir -p $(@D)
	$(call say,CC,$@)$(CC) $(C17) $(CFLAGS) $(OBJ_CFLAGS) -c $< -o $@

$(B)/test/alike: $(ALIKE_SOURCES:%.c=$(B)/obj/%.o) $(LIVE_NATIVE) $(B)/lib/libmachine.a
	@mkdir -p $(@D)
	$(call say,LD,$@)$(CC) $^ -o $@ $(ZSTD_LIBS) -lm -pthread

$(WASM)/alike.wasm: $(ALIKE_SOURCES:%.c=$(WASM)/obj/%.o) $(WASM_OBJECTS)
	$(call say,LD,$@)$(WASM_CC) $(WASM_LINK) $^ -o $@

.PHONY: test-wasm
TEST_PARTS += test-wasm
ifneq ($(HAVE_WASM),)
test-wasm: $(WASM)/machine.wasm $(WASM)/alike.wasm $(B)/test/alike \
		$(LIVE_LESSONS:%=$(LIVE_OUT)/%.fatbin)
	@grader/tests/live/alike.sh $(B) $(NOTES)/live
else
test-wasm: ## test that the machine gives the same as WebAssembly
	@echo '  --    machine as WebAssembly: not tested: its compiler is not installed (Debian:' \
		'clang-14 lld-14 wasi-libc libclang-rt-14-dev-wasm32)'
endif
