# What authors of lessons type; a learner's commands are in ../check/build.mk.

##@ Writing lessons
.PHONY: new-lesson test-new-lesson
new-lesson: ## make the folders of a new lesson, complete from the start (NAME=slug)
	@grader/quest/new_lesson/new_lesson.sh $(call quoted,$(NAME))

TEST_PARTS += test-new-lesson
test-new-lesson: check ## test that a new lesson is complete, and bad names are refused
	@grader/tests/new_lesson.sh $(B)
