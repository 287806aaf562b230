# The notes: lessons/NN_slug/notes.md becomes build/notes/NN_slug.html, by Pandoc and the Lua
# filters in lessons/site/filter. A page stands by itself: it can be opened from the disk, mailed,
# printed.

SITE := lessons/site
NOTES := $(B)/notes
NOTES_LESSONS := $(patsubst lessons/%/notes.md,%,$(sort $(wildcard lessons/*/notes.md)))
NOTES_FILTERS := $(wildcard $(SITE)/filter/*.lua)
NOTES_SITE := $(NOTES_FILTERS) $(SITE)/page.html $(SITE)/cuda.xml $(NOTES)/data/head.html
NOTES_PAGES := $(NOTES_LESSONS:%=$(NOTES)/%.html)
# Pages in Korean, by their English sources: what is not translated has no page.
NOTES_KO := $(patsubst %.ko.md,%.md,$(wildcard lessons/*/notes.ko.md $(SITE)/*.ko.md))
NOTES_KO_LESSONS := $(patsubst lessons/%/notes.md,%,$(filter %/notes.md,$(sort $(NOTES_KO))))
NOTES_KO_PAGES := $(NOTES_KO_LESSONS:%=$(NOTES)/ko/%.html)
PANDOC ?= pandoc

include $(SITE)/live/live.mk

# --- What the kernels in the figures do -----------------------------------------------------------
# The simulated device with one observer more, the recorder, and for each lesson a program that
# launches the kernels its notes show. The list of observers, which the machine's library has too,
# comes before the library, so the linker takes this one.
RECORDER := $(B)/obj/$(SITE)/recorder
$(RECORDER)/%.o: OBJ_CFLAGS = $(MACHINE_INCLUDES) -I$(SITE)/recorder \
	-DMORE_OBSERVERS='"recorder.def"'

$(RECORDER)/observers.o: $(MACHINE)/observe/observers.c
	@mkdir -p $(@D)
	$(call say,CC,$@)$(CC) $(C17) $(CFLAGS) $(OBJ_CFLAGS) -c $< -o $@

$(B)/bin/recorder: $(RECORDER)/recorder.o $(RECORDER)/observers.o $(DEVICE_OBJECTS) \
		$(B)/obj/$(BLASLT)/algo.o $(BLAS_ARITHMETIC) $(B)/lib/libmachine.a $(B)/lib/libgrader.a \
		| $(B)/lib/libproduct.so
	@mkdir -p $(@D)
	$(call say,LD,$@)$(CC) $^ -o $@ $(SIMGPU_LIBS)

# An entry of the corpus that is stored as a patch is included from where it is found whole.
patched_in = $(foreach program,$(wildcard lessons/$(1)/figures/record.cu),$(shell \
	sed -n 's|^.include "\(corpus/.*\)"|$(B)/\1|p' $(program)))
$(NOTES)/record/%: lessons/%/figures/record.cu $$(call patched_in,$$*)
	@mkdir -p $(@D)
	$(call say,NVCC,$@)$(NVCC) -O3 -lineinfo -cudart shared -Icommon -Igrader -I$(B) \
		-Wno-deprecated-gpu-targets -gencode arch=compute_80,code=compute_80 -MD -MF $@.d $< -o $@

$(NOTES)/record/%.steps.csv: $(NOTES)/record/% $(B)/bin/recorder \
		$(B)/lib/sim/libcudart.so.$(CUDART_SONAME_MAJOR)
	$(call say,RUN,$@)RECORD=$@ $(B)/bin/recorder run --quiet --threads 1 \
		--csv $(@:.steps.csv=.counters.csv) -- $<

# --- Pages ----------------------------------------------------------------------------------------
$(NOTES)/data/head.html: $(SITE)/style.css $(SITE)/page.js $(LIVE_LOADER) $(LIVE_OR_NOT)
	@mkdir -p $(@D)
	@{ echo '<style>'; cat $<; echo '</style><script>'; cat $(SITE)/page.js $(LIVE_LOADER); \
		echo '</script>'; } >$@

# $(1) is the lesson, or nothing; $(2) the language, where it is not English.
render = $(PANDOC) $< -o $@ --from markdown --to html5 --wrap none --standalone \
	--template $(SITE)/page.html \
	--syntax-definition $(SITE)/cuda.xml --include-in-header $(NOTES)/data/head.html \
	--lua-filter $(SITE)/filter/notes.lua -M page=$< -M build=$(B) -M lesson=$(1) \
	-M lessons='$(NOTES_LESSONS)' -M translated='$(NOTES_KO)' $(if $(2),-M language=$(2)) \
	$(if $(HAVE_WASM),-M live=yes)

recorded = $(if $(wildcard lessons/$(1)/figures/record.cu),$(NOTES)/record/$(1).steps.csv)

$(NOTES_PAGES): $(NOTES)/%.html: lessons/%/notes.md $(NOTES_SITE) $$(call recorded,$$*)
	$(call say,PAGE,$@)$(call render,$*)

$(NOTES)/index.html: $(SITE)/index.md $(NOTES_SITE) $(NOTES_PAGES)
	$(call say,PAGE,$@)$(call render,)

$(NOTES)/glossary.html: $(SITE)/glossary.md $(NOTES_SITE)
	$(call say,PAGE,$@)$(call render,)

# When a page gets a translation, or loses it, every page's links to the other language change.
.PHONY: which-are-translated
$(NOTES)/data/translated: which-are-translated
	@mkdir -p $(@D)/ko
	@echo '$(NOTES_KO)' | cmp -s - $@ || echo '$(NOTES_KO)' >$@
$(foreach folder,$(NOTES) $(NOTES)/ko,$(NOTES_LESSONS:%=$(folder)/%.html) \
	$(folder)/index.html $(folder)/glossary.html $(folder)/search.html): $(NOTES)/data/translated

# It has the words of all other pages in it, which each writes down as it is rendered.
search_head = @{ echo '<script type="application/json" id="sections">['; \
	cat $(1) | sed '$$s/,$$//'; echo ']</script><script>'; cat $<; echo '</script>'; } >$@
NOTES_SEARCHED := $(NOTES_PAGES) $(NOTES)/glossary.html
$(NOTES)/data/search_head.html: $(SITE)/search.js $(NOTES_SEARCHED)
	$(call search_head,$(NOTES_SEARCHED:$(NOTES)/%.html=$(NOTES)/data/%.sections))

$(NOTES)/search.html: $(SITE)/search.md $(NOTES_SITE) $(NOTES)/data/search_head.html
	$(call say,PAGE,$@)$(call render,) --include-in-header $(NOTES)/data/search_head.html

# --- Pages in Korean ------------------------------------------------------------------------------
$(NOTES_KO_PAGES): $(NOTES)/ko/%.html: lessons/%/notes.ko.md lessons/%/notes.md $(NOTES_SITE) \
		$$(call recorded,$$*)
	@mkdir -p $(@D)
	$(call say,PAGE,$@)$(call render,$*,ko)

$(NOTES)/ko/index.html: $(SITE)/index.ko.md $(NOTES_SITE) $(NOTES_PAGES) $(NOTES_KO_PAGES)
	@mkdir -p $(@D)
	$(call say,PAGE,$@)$(call render,,ko)

$(NOTES)/ko/glossary.html: $(SITE)/glossary.ko.md $(NOTES_SITE)
	@mkdir -p $(@D)
	$(call say,PAGE,$@)$(call render,,ko)

NOTES_KO_SEARCHED := $(NOTES_KO_PAGES) $(NOTES)/ko/glossary.html
$(NOTES)/data/ko/search_head.html: $(SITE)/search.js $(NOTES_KO_SEARCHED)
	$(call search_head,$(NOTES_KO_SEARCHED:$(NOTES)/ko/%.html=$(NOTES)/data/ko/%.sections))

$(NOTES)/ko/search.html: $(SITE)/search.ko.md $(NOTES_SITE) $(NOTES)/data/ko/search_head.html
	$(call say,PAGE,$@)$(call render,,ko) --include-in-header $(NOTES)/data/ko/search_head.html

NOTES_KO_SITE := $(filter $(SITE)/%,$(NOTES_KO))
NOTES_KO_ALL := $(NOTES_KO_PAGES) $(NOTES_KO_SITE:$(SITE)/%.md=$(NOTES)/ko/%.html)

-include $(wildcard $(NOTES)/data/*.d $(NOTES)/data/ko/*.d $(NOTES)/record/*.d)

##@ Writing lessons
.PHONY: notes curriculum translated test-notes
notes: $(NOTES)/index.html $(NOTES)/glossary.html $(NOTES)/search.html $(NOTES_PAGES)
notes: $(NOTES_KO_ALL)
notes: ## render the notes, in English and Korean: build/notes
	@awk -f $(SITE)/translated.awk $(NOTES_KO_ALL:$(NOTES)/ko/%.html=$(NOTES)/data/ko/%.facts)
	@echo "  open $(NOTES)/index.html"

translated: ## say that a PAGE (01_coalescing, site/index), or its SECTION, is translated as it is
	@$(SITE)/translated.sh "$(PAGE)" "$(SECTION)"

curriculum: notes ## show what the lessons do not yet teach, and numbers not yet measured
	@awk -f $(SITE)/curriculum.awk $(SITE)/curriculum.csv $(NOTES_LESSONS:%=$(NOTES)/data/%.facts)

# Without Pandoc and gnuplot there are no pages; the test then says so.
TEST_PARTS += test-notes
test-notes: $(if $(and $(shell command -v $(PANDOC)),$(shell command -v gnuplot)),notes \
		$(if $(HAVE_WASM),$(B)/test/alike))
	@grader/tests/notes/run.sh $(B)
	@grader/tests/notes/browser.sh $(B)
