/* check_nearly.c - which files of a class are near each other. */
#include "class/nearly.h"

#include "lib/files.h"
#include "tests/check_main.h"

#include <glob.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_FILES = 64, MOST_BYTES = 1 << 20 };

/* A class whose students hand in these sources. */
struct school {
    struct student students[MOST_FILES];
    struct mark marks[MOST_FILES], *list[MOST_FILES];
    char ids[MOST_FILES][16];
    size_t count;
};

static void hand_in(struct school *school, const char *source)
{
    size_t i = school->count++;
    ck_assert_uint_lt(i, MOST_FILES);
    snprintf(school->ids[i], sizeof *school->ids, "s%zu", i);
    school->students[i].id = school->ids[i];
    school->marks[i] = (struct mark){.student = &school->students[i], .source = source};
    school->list[i] = &school->marks[i];
}

static char *read_file(const char *path)
{
    char *text = file_read(path, MOST_BYTES, NULL);
    ck_assert_msg(text != NULL, "%s cannot be read", path);
    return text;
}

static size_t flagged(const struct school *school)
{
    size_t count = 0;
    for (size_t i = 0; i < school->count; i++)
        count += school->marks[i].flag_count;
    return count;
}

static void close_school(struct school *school)
{
    for (size_t i = 0; i < school->count; i++) {
        for (size_t k = 0; k < school->marks[i].flag_count; k++)
            free(school->marks[i].flags[k]);
        free(school->marks[i].flags);
    }
}

START_TEST(right_answers_that_were_written_apart_are_not)
{
    static struct school school;
    glob_t files;
    char *exercise = read_file("exercises/01_coalescing/coalescing.cu");
    ck_assert_int_eq(glob("grader/judges/01_coalescing/right/*.cu", 0, NULL, &files), 0);
    ck_assert_uint_ge(files.gl_pathc, 10);
    for (size_t i = 0; i < files.gl_pathc; i++)
        hand_in(&school, read_file(files.gl_pathv[i]));
    nearly_flag(school.list, school.count, exercise, "");
    ck_assert_uint_eq(flagged(&school), 0);
    for (size_t i = 0; i < school.count; i++)
        free((char *)school.marks[i].source);
    close_school(&school);
    globfree(&files);
    free(exercise);
}
END_TEST

/* The text with each one word replaced. */
static char *replaced(const char *text, const char *word, const char *by)
{
    char *result = calloc(2 * strlen(text) + 1, 1), *end = result;
    for (const char *at; (at = strstr(text, word)); text = at + strlen(word))
        end += sprintf(end, "%.*s%s", (int)(at - text), text, by);
    strcpy(end, text);
    return result;
}

START_TEST(a_copy_that_was_worked_over_is)
{
    static struct school school;
    char *exercise = read_file("exercises/03_divergence/divergence.cu");
    char *mine = read_file("grader/judges/03_divergence/right/rows_in_turn.cu");
    char *another = read_file("grader/judges/03_divergence/right/thrust_for_each.cu");
    char *renamed = replaced(mine, "row", "zeile");
    char *copy =
        replaced(renamed, "return cudaGetLastError();",
                 "cudaError_t err = cudaGetLastError();\nif (err) return err;\nreturn err;");
    ck_assert_str_ne(renamed, mine);
    hand_in(&school, mine);
    hand_in(&school, another);
    hand_in(&school, copy);
    nearly_flag(school.list, school.count, exercise, "");
    ck_assert_uint_eq(school.marks[0].flag_count, 1);
    ck_assert_uint_eq(school.marks[1].flag_count, 0);
    ck_assert_uint_eq(school.marks[2].flag_count, 1);
    ck_assert_ptr_nonnull(strstr(school.marks[2].flags[0], "with the file of s0"));
    close_school(&school);
    for (size_t i = 0; i < 3; i++)
        free((char *)school.marks[i].source);
    free(renamed);
    free(exercise);
}
END_TEST

START_TEST(a_copy_of_the_solution_is_and_the_exercise_is_not)
{
    static struct school school;
    char *exercise = read_file("exercises/03_divergence/divergence.cu");
    char *solution = read_file("solutions/03_divergence/divergence.cu");
    char *copy = replaced(solution, "lane", "spur");
    hand_in(&school, exercise);
    hand_in(&school, copy);
    nearly_flag(school.list, school.count, exercise, solution);
    ck_assert_uint_eq(school.marks[0].flag_count, 0);
    ck_assert_uint_eq(school.marks[1].flag_count, 1);
    ck_assert_ptr_nonnull(strstr(school.marks[1].flags[0], "the course's own solution"));
    close_school(&school);
    free(exercise);
    free(solution);
    free(copy);
}
END_TEST

START_TEST(what_a_whole_class_has_is_the_lessons)
{
    static struct school school;
    char *solution = read_file("solutions/03_divergence/divergence.cu");
    for (size_t i = 0; i < 12; i++)
        hand_in(&school, solution);
    nearly_flag(school.list, school.count, "", "");
    ck_assert_uint_eq(flagged(&school), 0);
    close_school(&school);
    free(solution);
}
END_TEST

TESTS("nearly", right_answers_that_were_written_apart_are_not, a_copy_that_was_worked_over_is,
      a_copy_of_the_solution_is_and_the_exercise_is_not, what_a_whole_class_has_is_the_lessons)
