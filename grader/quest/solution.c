/* solution.c - `make diff-lessonN`: the learner's exercise next to the solution. */
#include "lib/process.h"
#include "quest/quest.h"

#include <stdio.h>

enum { LOCKED = 1, CANNOT = 70, DEADLINE_MS = 10000, MOST_BYTES = 1 << 20 };

int quest_diff(const struct course *course, const struct lesson *lesson, bool give_up,
               const struct terminal *terminal)
{
    if (!give_up && !quest_has_passed(course, lesson->key)) {
        fprintf(terminal->out,
                "the solution opens when the lesson passes; make diff-lesson%d GIVEUP=1 shows it "
                "now\n",
                lesson->number);
        return LOCKED;
    }
    struct path mine = path_of("exercises/%s/%s.cu", lesson->key, lesson->slug);
    struct path theirs = path_of("solutions/%s/%s.cu", lesson->key, lesson->slug);
    const char *argv[] = {"diff", "-u", "--", mine.text, theirs.text, NULL};
    struct process_job job = {.spec = {.argv = argv, .folder = course->root.text},
                              .deadline_ms = DEADLINE_MS,
                              .most_output_bytes = MOST_BYTES};
    struct process_result result;
    process_run(&job, &result);
    bool compared = result.started && !result.timed_out;
    if (compared && result.output_bytes == 0)
        fprintf(terminal->out, "%s and %s are the same\n", mine.text, theirs.text);
    else
        fputs(compared ? result.output : "diff cannot be started\n", terminal->out);
    process_result_free(&result);
    return compared ? 0 : CANNOT;
}
