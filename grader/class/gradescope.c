/* gradescope.c - results.json of Gradescope's autograder: a test for each lesson handed in.
 *
 * https://gradescope-autograders.readthedocs.io/en/latest/specs/ lists the members. All output is
 * "text": as HTML or Markdown, a student's words could look like the grader's.
 */
#include "check/record.h"
#include "class/field_json.h"
#include "class/formats.h"
#include "class/mark_text.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* To find what a score was given for. */
static json_t *extra_data(const struct mark *mark)
{
    return json_pack("{s:o, s:s, s:o, s:o, s:o}", "lesson", field_json(mark->lesson), "verdict",
                     mark_verdict(mark), "sha256", field_json(mark->sha256), "seed",
                     field_json(record_text(mark->record, "seed")), "grader",
                     field_json(record_text(mark->record, "grader")));
}

static json_t *make_test(const struct mark *mark)
{
    char name[300], *text = mark_text(mark);
    snprintf(name, sizeof name, "Lesson %d: %s", mark->number, mark->title);
    double score = mark_stands(mark) ? mark->points : 0;
    json_t *test = json_pack(
        "{s:o, s:o, s:s, s:o, s:s, s:s, s:s, s:s, s:o}", "score", field_json_number(score),
        "max_score", field_json_number(mark->of), "status", mark_passed(mark) ? "passed" : "failed",
        "name", field_json(name), "name_format", "text", "output", text ? text : "",
        "output_format", "text", "visibility", "visible", "extra_data", extra_data(mark));
    free(text);
    return text ? test : (json_decref(test), NULL);
}

/* One column has one name in the whole class, whichever lessons a student has handed in. */
static void add_ratio(json_t *leaderboard, const struct marks *marks, const struct mark *mark)
{
    char name[300] = "ratio";
    double ratio = record_real(record_gate(mark->record, "utilization"), "ratio");
    if (!isfinite(ratio) || mark->standing != MARK_JUDGED)
        return;
    if (marks->lesson_count > 1)
        snprintf(name, sizeof name, "ratio of lesson %d", mark->number);
    json_array_append_new(leaderboard,
                          json_pack("{s:o, s:f, s:s}", "name", field_json(name), "value",
                                    round(ratio * 1000) / 1000, "order", "desc"));
}

static bool write_results(const struct marks *marks, const struct student *student, FILE *out)
{
    json_t *tests = json_array(), *leaderboard = json_array();
    bool complete = true;
    const struct mark *of_student = marks_of(marks, student);
    for (size_t i = 0; of_student && i < marks->lesson_count; i++) {
        const struct mark *mark = &of_student[i];
        if (mark->standing == MARK_ABSENT)
            continue;
        complete &= json_array_append_new(tests, make_test(mark)) == 0;
        add_ratio(leaderboard, marks, mark);
    }
    bool none = json_array_size(tests) == 0, ranked = json_array_size(leaderboard) > 0;
    json_t *results = json_pack("{s:s, s:s, s:s, s:o}", "visibility", "visible", "output_format",
                                "text", "test_output_format", "text", "tests", tests);
    if (none) { /* then the score has to be at the top */
        json_object_set_new(results, "score", json_integer(0));
        json_object_set_new(results, "output", json_string("Nothing was handed in."));
    }
    if (ranked)
        json_object_set(results, "leaderboard", leaderboard);
    json_decref(leaderboard);
    return export_json(results, out) && complete;
}

const struct export_format export_gradescope = {
    .name = "gradescope", .file = "results.json", .for_each = true, .write = write_results};
