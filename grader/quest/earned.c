/* earned.c - see earned.h; and the lines below a report. */
#include "quest/earned.h"

#include "check/record.h"
#include "quest/progress.h"
#include "quest/quest.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

bool earned_index(const struct course *course, const char *key, size_t *index)
{
    for (*index = 0; *index < course_lesson_count(course); (*index)++) {
        struct lesson lesson;
        course_lesson_at(course, *index, &lesson);
        if (strcmp(lesson.key, key) == 0)
            return true;
    }
    return false;
}

/* Adds rows up to the one with that text, and returns whether it came; of NULL, all rows. */
static bool add_rows(const struct course *course, sqlite3_stmt *rows, const char *last,
                     struct earning *earning)
{
    while (rows && sqlite3_step(rows) == SQLITE_ROW) {
        const char *text = database_text(rows, 1);
        size_t index;
        if (last && strcmp(text, last) == 0)
            return true;
        json_t *record = json_loads(text, 0, NULL);
        if (record && earned_index(course, database_text(rows, 0), &index))
            earning_add(earning, index, record);
        json_decref(record);
    }
    return !last;
}

bool earned_before(const struct course *course, const char *key, const json_t *record,
                   struct earning *earning)
{
    char reason[600], *last = record ? json_dumps(record, JSON_COMPACT) : NULL;
    if (!earning_start(earning, course_lesson_count(course))) {
        free(last);
        return false;
    }
    sqlite3 *db = progress_open(course, false, reason, sizeof reason);
    sqlite3_stmt *rows = db ? database_prepare(db,
                                               "SELECT lesson, record FROM attempt WHERE "
                                               "file = '' AND only_part = 0 AND "
                                               "(?1 IS NULL OR lesson = ?1) ORDER BY number",
                                               &key, 1)
                            : NULL;
    progress_tell(reason);
    bool found = add_rows(course, rows, last, earning) && !*reason;
    sqlite3_finalize(rows);
    sqlite3_close(db);
    free(last);
    return found;
}

/* --- Below a report --------------------------------------------------------------------------- */

static void tell_band(const struct earning *earning, const json_t *record,
                      const struct earning_lesson *lesson, int gained,
                      const struct terminal *terminal)
{
    const json_t *gate = record_gate(record, "utilization");
    int experience = earning_experience(earning), level = earning_level(experience);
    terminal_print(terminal, STYLE_GOOD, "EARNED");
    fprintf(terminal->out, " +%d experience: %d, level %d (%s); lesson %d is %s", gained,
            experience, level, earning_level_name(level), record_integer(record, "number"),
            earning_band_name(lesson->band));
    if (gate && lesson->best_ratio > 0)
        fprintf(terminal->out, ", speed %.3g %s", lesson->best_ratio,
                lesson->best_is_measured ? "GPU" : "sim");
    putc('\n', terminal->out);
}

/* The first new achievement with its figure, and how many more there are. */
static void tell_achievements(const bool *open_before, const struct earning *earning,
                              const struct terminal *terminal)
{
    char line[300];
    int first = -1, more = 0;
    for (int i = ACHIEVEMENTS - 1; i >= 0; i--)
        if (open_before[i] && *earning->figures[i]) {
            more += first >= 0;
            first = i;
        }
    if (first < 0)
        return;
    int used = snprintf(line, sizeof line, "       \"%s\": %s", achievement_title(first),
                        earning->figures[first]);
    if (more > 0)
        snprintf(line + used, sizeof line - used, "; %d more: make quest", more);
    terminal_cell(terminal, line, 0, terminal->columns);
    putc('\n', terminal->out);
}

/* What this check earns beyond those before it, of all lessons or of one alone; told if terminal is
 * not NULL. */
static int gained(const struct course *course, const char *key, const json_t *record, size_t index,
                  const struct terminal *terminal)
{
    struct earning earning;
    bool open_before[ACHIEVEMENTS];
    int experience = 0;
    if (earned_before(course, key, record, &earning)) {
        int before = earning_experience(&earning);
        for (int i = 0; i < ACHIEVEMENTS; i++)
            open_before[i] = !*earning.figures[i];
        earning_add(&earning, index, record);
        experience = earning_experience(&earning) - before;
    }
    if (terminal && experience > 0) {
        tell_band(&earning, record, &earning.lessons[index], experience, terminal);
        tell_achievements(open_before, &earning, terminal);
    }
    earning_free(&earning);
    return experience;
}

/* Records are long, and most checks earn nothing: those of other lessons are read only if those of
 * this one say that there may be something to tell. */
void quest_tell_earned(const struct course *course, const json_t *record,
                       const struct terminal *terminal)
{
    const char *wanted = getenv("QUEST"), *key = record_text(record, "lesson");
    size_t index;
    if ((wanted && strcmp(wanted, "0") == 0) || *record_text(record, "only") ||
        json_is_false(json_object_get(json_object_get(record, "submission"), "is_own")) ||
        !earned_index(course, key, &index))
        return;
    if (gained(course, key, record, index, NULL) > 0)
        gained(course, NULL, record, index, terminal);
}
