# What authors of lessons type; a learner's commands are in ../check/build.mk.

##@ Writing lessons
.PHONY: new-lesson test-new-lesson
new-lesson: ## the folders of a new lesson, whole as they are (NAME=slug)
	@grader/quest/new_lesson/new_lesson.sh $(call quoted,$(NAME))

TEST_PARTS += test-new-lesson
test-new-lesson: check ## a new lesson is whole as it is, and bad names are refused
	@grader/tests/new_lesson.sh $(B)
