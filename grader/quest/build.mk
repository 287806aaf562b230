# What authors of lessons type; a learner's commands are in ../check/build.mk.

##@ Writing lessons
.PHONY: new-lesson test-new-lesson picture test-front
new-lesson: ## make the folders of a new lesson, complete from the start (NAME=slug)
	@grader/quest/new_lesson/new_lesson.sh $(call quoted,$(NAME))

TEST_PARTS += test-new-lesson
test-new-lesson: check ## test that a new lesson is complete, and bad names are refused
	@grader/tests/new_lesson.sh $(B)

# The first thing that people see: the report in the README, drawn as a terminal shows it.
picture: ## draw the README's report again (grader/quest/report.svg)
	@awk -f grader/quest/picture.awk README.md >$(B)/report.svg
	@mv $(B)/report.svg grader/quest/report.svg

TEST_PARTS += test-front
test-front: ## test that the README's picture matches its report, and that its figures have sources
	@grader/tests/front.sh

# Somebody at a terminal.
$(B)/test/in_terminal: $(B)/obj/grader/tests/in_terminal.o
	@mkdir -p $(@D)
	$(call say,LD,$@)$(CC) $^ -o $@ -lutil
.PHONY: test-watch
TEST_PARTS += test-watch
TEST_PRODUCTS += $(B)/test/in_terminal
test-watch: check $(B)/test/in_terminal ## test make watch: saves, keys, and every way that it ends
	@grader/tests/watch.sh $(B)
