# Mutants: mistakes made mechanically from the right entries. Only this needs libclang, so only
# `make mutants` asks for it. Its headers are in a folder of their own where several versions may be
# installed side by side (Debian), otherwise among the others.

MUTATE_SOURCES := $(wildcard grader/mutants/*.c)
LIBCLANG_HEADERS = $(sort $(wildcard /usr/lib/llvm-*/include/clang-c/Index.h \
	/usr/lib64/llvm*/include/clang-c/Index.h))
LIBCLANG_HOME ?= $(patsubst %/include/clang-c/Index.h,%,$(lastword $(LIBCLANG_HEADERS)))
LIBCLANG_CFLAGS = $(if $(LIBCLANG_HOME),-isystem $(LIBCLANG_HOME)/include)
LIBCLANG_LIBS = $(if $(LIBCLANG_HOME),-L$(LIBCLANG_HOME)/lib) -lclang

$(B)/obj/grader/mutants/%.o: OBJ_CFLAGS = -Igrader -Igrader/mutants $(JANSSON_CFLAGS) \
	$(LIBCLANG_CFLAGS)

$(B)/bin/mutate: $(patsubst %.c,$(B)/obj/%.o,$(MUTATE_SOURCES)) $(B)/lib/libcheck.a \
		$(B)/lib/libgrader.a
	@mkdir -p $(@D)
	$(call say,LD,$@)$(CC) $^ -o $@ $(LIBCLANG_LIBS) $(JANSSON_LIBS)

# Says what is missing, in a sentence; NO_LIBCLANG=1 stands for a machine without it.
has_libclang = $(if $(NO_LIBCLANG),false,$(CC) -shared -x c -include clang-c/Index.h /dev/null \
	-o /dev/null $(LIBCLANG_CFLAGS) $(LIBCLANG_LIBS) 2>/dev/null)

##@ Writing lessons
.PHONY: mutants
mutants: check ## judge right entries with one mistake put in (LESSON=n, SAMPLE=n, SEED=n)
	@if [ -z '$(LESSON)' ]; then \
		echo 'which lesson? Give its number: make mutants LESSON=1'; exit 64; fi
	@if ! $(has_libclang); then echo "mutants are made with libclang, which is not here: install" \
		"libclang-dev (apt-get), clang-devel (dnf, zypper) or clang (pacman)"; exit 8; fi
	+@$(MAKE) -s $(B)/bin/mutate
	@$(WARPQUEST) mutants $(call quoted,$(LESSON)) $(call option,sample,SAMPLE) \
		$(call option,seed,SEED)

##@ Build, test, measure
.PHONY: code-mutants
code-mutants: compile-commands
code-mutants: ## check that the tests notice mistakes in our C code (SAMPLE=n, SEED=n)
	@if ! $(has_libclang); then echo "mistakes are put in with libclang, which is not here: install" \
		"libclang-dev (apt-get), clang-devel (dnf, zypper) or clang (pacman)"; exit 8; fi
	+@$(MAKE) -s $(B)/bin/mutate built-for-tests
	@grader/mutants/code_mutants.sh list $(B)
	@SAMPLE='$(SAMPLE)' SEED='$(SEED)' grader/mutants/code_mutants.sh judge $(B)

# Texts and lists need no libclang; the rest is left out where that is missing.
$(B)/obj/grader/tests/check_mutations.o: OBJ_CFLAGS += -Igrader/mutants $(JANSSON_CFLAGS)
$(B)/test/check_mutations: $(B)/obj/grader/tests/check_mutations.o \
		$(B)/obj/grader/mutants/mutations.o $(B)/obj/grader/mutants/texts.o
	@mkdir -p $(@D)
	$(call say,LD,$@)$(CC) $^ -o $@ $(CHECK_LIBS) $(JANSSON_LIBS) -lm

.PHONY: test-mutants
TEST_PARTS += test-mutants
test-mutants: check ## test that mutants are made as expected, and judge some of lesson 1
	+@if $(has_libclang); then $(MAKE) -s $(B)/bin/mutate && has=1; fi; MAKE='$(MAKE)' \
		CUDA_INCLUDE='$(CUDA_INCLUDE)' CUDART_SONAME_MAJOR='$(CUDART_SONAME_MAJOR)' \
		grader/tests/mutants.sh $(B) $$has
