/* autolab.c - what an autograder prints for Autolab: feedback, and scores in the last line.
 *
 * https://docs.autolabproject.com/lab/: "The last text line on stdout must be a JSON string". The
 * names in it are those of the problems that the instructor has made: the lessons' keys. A lesson
 * without a standing mark is left out, so that Autolab keeps what it has.
 */
#include "class/field_json.h"
#include "class/formats.h"
#include "class/mark_text.h"
#include "lib/field.h"

#include <stdlib.h>

static void put_feedback(const struct mark *mark, FILE *out)
{
    fprintf(out, "Lesson %d: ", mark->number);
    field_line(out, mark->title);
    putc('\n', out);
    mark_write(mark, out);
    putc('\n', out);
}

static bool write_scores(const struct marks *marks, const struct student *student, FILE *out)
{
    json_t *scores = json_object();
    bool complete = true;
    const struct mark *of_student = marks_of(marks, student);
    for (size_t i = 0; of_student && i < marks->lesson_count; i++) {
        const struct mark *mark = &of_student[i];
        if (mark->standing == MARK_ABSENT)
            continue;
        put_feedback(mark, out);
        if (mark_stands(mark))
            complete &=
                json_object_set_new(scores, mark->lesson, field_json_number(mark->points)) == 0;
    }
    json_t *result = json_pack("{s:o}", "scores", scores);
    complete &= result && json_dumpf(result, out, EXPORT_JSON | JSON_COMPACT) == 0;
    json_decref(result);
    putc('\n', out);
    return export_done(out) && complete;
}

const struct export_format export_autolab = {
    .name = "autolab", .file = "autolab.txt", .for_each = true, .write = write_scores};
