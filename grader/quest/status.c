/* status.c - what `make` alone prints: what this is, where you stand, what to type next. */
#include "check/ceilings.h"
#include "check/record.h"
#include "lib/units.h"
#include "quest/quest.h"

#include <glob.h>
#include <string.h>

/* One line of a lesson. Returns whether it is passed. */
static bool print_lesson(const struct course *course, const struct lesson *lesson,
                         const struct terminal *terminal)
{
    json_t *best = quest_best(course, lesson->key);
    bool passed = best && record_verdict(best) == VERDICT_PASS;
    bool gold = json_is_true(json_object_get(best, "gold"));
    terminal_print(terminal, passed ? STYLE_GOOD : STYLE_PLAIN, "  %2d  %-36s %s", lesson->number,
                   lesson->title,
                   !best    ? "not tried yet"
                   : passed ? "passed"
                            : "not yet");
    if (best)
        fprintf(terminal->out, ", %d points%s", record_integer(best, "points"),
                gold ? ", gold" : "");
    if (best && !passed)
        fprintf(terminal->out, "  (%s)", verdict_name(record_verdict(best)));
    putc('\n', terminal->out);
    json_decref(best);
    return passed;
}

static void print_ceilings(const struct course *course, const struct terminal *terminal)
{
    glob_t found;
    struct path pattern = path_of("%s/ceilings-*.json", course->build.text);
    size_t count = glob(pattern.text, 0, NULL, &found) == 0 ? found.gl_pathc : 0;
    for (size_t i = 0; i < count; i++) {
        char copy[32], fma[32];
        json_t *ceilings = json_load_file(found.gl_pathv[i], 0, NULL);
        units_rate(ceilings_value(ceilings, "copy rate"), "B/s", copy, sizeof copy);
        units_rate(ceilings_value(ceilings, "FMA rate"), "FLOP/s", fma, sizeof fma);
        fprintf(terminal->out, "  %s: copy rate %s, FMA rate %s\n", record_text(ceilings, "device"),
                copy, fma);
        json_decref(ceilings);
    }
    if (count == 0)
        fputs("  ceilings of your device: not measured yet (make check-lesson0)\n", terminal->out);
    globfree(&found);
}

int quest_status(const struct course *course, const struct terminal *terminal)
{
    int next = -1;
    terminal_print(terminal, STYLE_BOLD, "Warpquest");
    fputs(": write CUDA kernels; learn if they are right, how fast, and which line holds them "
          "back\n\n",
          terminal->out);
    for (size_t i = 0; i < course_lesson_count(course); i++) {
        struct lesson lesson;
        course_lesson_at(course, i, &lesson);
        if (!print_lesson(course, &lesson, terminal) && next < 0)
            next = lesson.number;
    }
    putc('\n', terminal->out);
    print_ceilings(course, terminal);
    if (next < 0) {
        fputs("  all lessons passed. make help lists all commands\n", terminal->out);
        return 0;
    }
    struct lesson lesson;
    char reason[200];
    course_lesson(course, path_of("%d", next).text, &lesson, reason, sizeof reason);
    fprintf(terminal->out,
            "  next: %-19s renders the notes (half a minute): read build/notes/%s.html\n"
            "        %-19s judges what you make of exercises/%s/%s.cu\n"
            "        %-19s all commands\n",
            "make notes", lesson.key, path_of("make check-lesson%d", next).text, lesson.key,
            lesson.slug, "make help");
    return 0;
}
