/* log.c - `make log`: a lab notebook that keeps itself. Each check of an exercise in order: what
 * changed since the one before, what it came to, and which line to look at.
 */
#include "check/record.h"
#include "quest/changes.h"
#include "quest/progress.h"
#include "quest/quest.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* A lesson's last source that was kept, to compare the next one with. */
struct last {
    char lesson[64];
    char *source;
};

static void remember(struct last *last, const char *lesson, const char *source)
{
    free(last->source);
    last->source = strdup(source);
    snprintf(last->lesson, sizeof last->lesson, "%s", lesson);
}

/* "+3 -1", "none", or "" where nothing is known. */
static void changes_text(const struct last *last, const char *lesson, const char *source,
                         char text[32])
{
    *text = '\0';
    if (!last->source || !*last->source || !*source || strcmp(last->lesson, lesson) != 0)
        return;
    struct changes changes = changes_between(last->source, source);
    if (changes.added == 0 && changes.removed == 0)
        snprintf(text, 32, "none");
    else
        snprintf(text, 32, "+%zu -%zu", changes.added, changes.removed);
}

/* "0.31 sim": the fraction of the reference's speed, and what it was modelled or measured on. */
static void speed_text(const json_t *record, char text[32])
{
    const json_t *gate = record_gate(record, "utilization");
    double ratio = gate ? record_real(gate, "ratio") : NAN;
    bool measured = json_is_true(json_object_get(gate, "measured"));
    *text = '\0';
    if (isfinite(ratio))
        snprintf(text, 32, "%.3g %s", ratio, measured ? "GPU" : "sim");
}

/* In what is left of the row, if that is enough to be read. */
static void print_rest(const struct terminal *terminal, const char *text, int columns_left)
{
    enum { LEAST_COLUMNS = 8 };
    if (columns_left >= LEAST_COLUMNS)
        terminal_cell(terminal, text, 0, columns_left);
    putc('\n', terminal->out);
}

/* "16: out[i] = ...", or "". */
static void line_text(const json_t *line, char text[300])
{
    const char *code = record_text(line, "text");
    *text = '\0';
    if (line)
        snprintf(text, 300, "%d: %s", record_integer(line, "number"), code + strspn(code, " \t"));
}

static void print_row(const struct terminal *terminal, const json_t *record, const char *changes)
{
    enum { VERDICT_COLUMNS = 13 };
    char speed[32], line[300];
    const char *started = record_text(record, "started"), *clock = strchr(started, 'T');
    enum verdict verdict = record_verdict(record);
    speed_text(record, speed);
    line_text(json_object_get(record, "line"), line);
    int used = fprintf(terminal->out, "%-10.10s %-5.5s %2d  ", started, clock ? clock + 1 : "",
                       record_integer(record, "number"));
    terminal_print(terminal, verdict == VERDICT_PASS ? STYLE_GOOD : STYLE_PLAIN, "%-*s",
                   VERDICT_COLUMNS, verdict_name(verdict));
    used += VERDICT_COLUMNS + fprintf(terminal->out, " %-11s %-9s ", speed, changes);
    print_rest(terminal, line, terminal->columns - used);
}

static void print_head(const struct terminal *terminal)
{
    int used = fprintf(terminal->out, "%-16s %2s  %-13s %-11s %-9s ", "when (UTC)", "L", "verdict",
                       "speed", "lines");
    print_rest(terminal, "line to look at", terminal->columns - used);
}

static void print_foot(const struct terminal *terminal)
{
    fputs("\n", terminal->out);
    terminal_wrap(terminal,
                  "L: the lesson. speed: of the reference's, modelled (sim) or measured (GPU). "
                  "lines: added and removed since the check before. make log LESSON=n shows one "
                  "lesson alone.",
                  0, 0);
}

static void print_all(sqlite3_stmt *rows, const struct terminal *terminal)
{
    struct last last = {.lesson = ""};
    while (sqlite3_step(rows) == SQLITE_ROW) {
        char changes[32];
        const char *lesson = database_text(rows, 0), *source = database_text(rows, 1);
        json_t *record = json_loads(database_text(rows, 2), 0, NULL);
        changes_text(&last, lesson, source, changes);
        if (record)
            print_row(terminal, record, changes);
        remember(&last, lesson, source);
        json_decref(record);
    }
    free(last.source);
}

int quest_log(const struct course *course, const struct lesson *lesson,
              const struct terminal *terminal)
{
    char reason[600];
    const char *const key[] = {lesson ? lesson->key : NULL};
    sqlite3 *db = progress_open(course, false, reason, sizeof reason);
    sqlite3_stmt *rows =
        db ? database_prepare(db,
                              "SELECT lesson, source, record FROM attempt WHERE file = '' AND "
                              "(?1 IS NULL OR lesson = ?1) ORDER BY lesson, number",
                              key, 1)
           : NULL;
    progress_tell(reason);
    if (!rows && !*reason)
        fputs("no check has been made yet: make check-lesson1 is the first\n", terminal->out);
    if (rows) {
        print_head(terminal);
        print_all(rows, terminal);
        print_foot(terminal);
    }
    sqlite3_finalize(rows);
    sqlite3_close(db);
    return *reason ? EXIT_USAGE : 0;
}
