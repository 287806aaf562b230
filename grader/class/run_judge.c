/* run_judge.c - files are judged several at a time, and entered as they end. */
#include "class/run.h"

#include "check/record.h"
#include "class/enter.h"
#include "lib/crew.h"
#include "lib/memory_limits.h"
#include "lib/process.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_WORKERS = 64 };
enum { VERDICT_COLUMNS = 16, ID_COLUMNS = 20, MOST_ID_COLUMNS = 40 }; /* on the screen */

/* --- Entering what was judged ----------------------------------------------------------------- */

static void show_one(const struct run *run, const struct hand_in_note *note, const json_t *record)
{
    const struct terminal *terminal = run->terminal;
    enum verdict verdict = record_verdict(record);
    terminal_progress(NULL);
    terminal_print(terminal, verdict == VERDICT_PASS ? STYLE_GOOD : STYLE_PLAIN, "  %-*s ",
                   VERDICT_COLUMNS, verdict_name(verdict));
    int at = 2 + VERDICT_COLUMNS + 1 +
             terminal_cell(terminal, note->student, ID_COLUMNS, MOST_ID_COLUMNS);
    at += fprintf(terminal->out, " %2d  ", record_integer(record, "number"));
    terminal_cell(terminal, record_text(record, "reason"), 0, terminal->columns - at);
    putc('\n', terminal->out);
    fflush(terminal->out);
}

/* All who handed in that file get the judgement. Without one its worker was ended, and the next run
 * judges it. */
static bool enter(struct run *run, const char *key)
{
    const struct hand_in_note **notes = calloc(run->plan.wanted_count + 1, sizeof *notes);
    size_t count = 0;
    json_t *record = NULL;
    if (!notes)
        return run_stop(run, run->request->out, strerror(errno));
    for (size_t i = 0; i < run->plan.wanted_count; i++) {
        struct wanted *wanted = &run->plan.wanted[i];
        if (strcmp(wanted->key, key) == 0 && !wanted->from_before && !wanted->entered)
            notes[count++] = &wanted->note;
    }
    bool good = enter_judgement(run->book, &run->settings, key, notes, count, &record);
    for (size_t i = 0; good && record && i < count; i++)
        show_one(run, notes[i], record);
    for (size_t i = 0; good && record && i < run->plan.wanted_count; i++)
        run->plan.wanted[i].entered |= strcmp(run->plan.wanted[i].key, key) == 0;
    json_decref(record);
    free(notes);
    return good || run_stop(run, run->request->out, book_reason(run->book));
}

/* --- Judging ---------------------------------------------------------------------------------- */

static bool judge(void *context, size_t number, struct crew_outcome *outcome)
{
    const struct run *run = context;
    return task_judge(&run->settings, &run->plan.tasks[number], &outcome->holds);
}

/* One check may take half of the machine's memory, though few take a tenth of that: so many at a
 * time that their usual needs fit with a large one among them. */
static size_t workers(void)
{
    enum { GIB_EACH = 3 };
    size_t most = (size_t)(memory_of_machine() >> 30) / GIB_EACH;
    most = most < MOST_WORKERS ? most : MOST_WORKERS;
    return crew_workers(most ? most : 1);
}

static void show_progress(const struct run *run)
{
    char text[160];
    size_t left = run->plan.task_count - run->told, at_work = workers();
    double seconds = (double)(process_now_ns() - run->start_ns) * 1e-9;
    at_work = at_work < left ? at_work : left;
    double each = run->told ? seconds / (double)run->told : 0;
    snprintf(text, sizeof text, "%zu of %zu files judged, %zu at work, %zu waiting", run->told,
             run->plan.task_count, at_work, left - at_work);
    size_t length = strlen(text);
    if (run->told)
        snprintf(text + length, sizeof text - length, "; about %.0f min left",
                 each * (double)left / 60 + 0.5);
    terminal_progress(text);
}

static void note_outcome(void *context, size_t number, const struct crew_outcome *outcome)
{
    struct run *run = context;
    run->told++;
    run->lost += !outcome->done;
    if (!*run->reason && outcome->done && !outcome->holds)
        run_stop(run, run->request->out, "a record cannot be written there: is the disk full?");
    if (!*run->reason)
        enter(run, run->plan.tasks[number].key);
    show_progress(run);
}

/* Judgements that an earlier run left, which was ended before they were entered. */
bool run_enter_left_behind(struct run *run)
{
    for (size_t i = 0; i < run->plan.wanted_count; i++) {
        const struct wanted *wanted = &run->plan.wanted[i];
        bool waits = *wanted->key && !wanted->from_before && !wanted->entered;
        if (waits && !enter(run, wanted->key))
            return false;
    }
    return true;
}

bool run_judge(struct run *run)
{
    struct crew crew = {.tasks = run->plan.task_count,
                        .workers = workers(),
                        .in_any_order = true,
                        .work = judge,
                        .tell = note_outcome,
                        .context = run};
    run->settings.threads = crew_share(crew.workers);
    run->start_ns = process_now_ns();
    if (run->plan.task_count)
        show_progress(run);
    bool whole = crew_run(&crew);
    terminal_progress(NULL);
    return whole && !*run->reason;
}
