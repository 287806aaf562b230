/* run_screen.c - what a run says at its end: first what is left to do. */
#include "class/run.h"

#include <stdio.h>
#include <string.h>

enum { ID_COLUMNS = 20, MOST_ID_COLUMNS = 40 };

static void show_undecided(const struct run *run, const struct marks *marks)
{
    enum { MOST_SHOWN = 12 };
    FILE *out = run->terminal->out;
    size_t count = 0;
    for (size_t i = 0; i < marks->mark_count; i++) {
        const struct mark *mark = &marks->marks[i];
        if (mark->standing != MARK_UNDECIDED || ++count > MOST_SHOWN)
            continue;
        if (count == 1)
            fputs("not judged yet, and so counted as not handed in until the next run:\n", out);
        int at = fprintf(out, "  ");
        at += terminal_cell(run->terminal, mark->student->id, ID_COLUMNS, MOST_ID_COLUMNS);
        at += fprintf(out, " %2d  ", mark->number);
        terminal_cell(run->terminal, mark->why, 0, run->terminal->columns - at);
        putc('\n', out);
    }
    if (count > MOST_SHOWN)
        fprintf(out, "  and %zu more: see grades.csv\n", count - MOST_SHOWN);
}

/* A student's file, or one that might be: others are only counted. */
static bool is_worth_showing(const struct notice *notice)
{
    size_t bytes = strlen(notice->file);
    return *notice->student ||
           (bytes > 3 && strcasecmp(notice->file + bytes - strlen(".cu"), ".cu") == 0);
}

static void show_notice(const struct run *run, const struct notice *notice)
{
    FILE *out = run->terminal->out;
    int at = fprintf(out, "  ");
    at += terminal_cell(run->terminal, notice->file, ID_COLUMNS, MOST_ID_COLUMNS);
    at += fprintf(out, "  ");
    terminal_cell(run->terminal, notice_what(notice), 0, run->terminal->columns - at);
    putc('\n', out);
}

static void show_notices(const struct run *run, const struct marks *marks)
{
    enum { MOST_SHOWN = 8 };
    size_t shown = 0;
    for (size_t i = 0; i < marks->notice_count && shown < MOST_SHOWN; i++) {
        if (!is_worth_showing(&marks->notices[i]))
            continue;
        if (shown++ == 0)
            fputs("left out:\n", run->terminal->out);
        show_notice(run, &marks->notices[i]);
    }
    if (marks->notice_count > shown)
        fprintf(run->terminal->out, "%s%zu more file%s: see class.html\n",
                shown ? "  and " : "left out: ", marks->notice_count - shown,
                marks->notice_count - shown == 1 ? "" : "s");
}

size_t run_count_standing(const struct marks *marks, enum standing standing)
{
    size_t count = 0;
    for (size_t i = 0; i < marks->mark_count; i++)
        count += marks->marks[i].standing == standing;
    return count;
}

void run_show_end(const struct run *run, const struct marks *marks)
{
    size_t before = 0;
    for (size_t i = 0; i < run->plan.wanted_count; i++)
        before += run->plan.wanted[i].from_before;
    size_t count = run_count_standing(marks, MARK_JUDGED) + run_count_standing(marks, MARK_DECIDED);
    show_undecided(run, marks);
    show_notices(run, marks);
    if (run->lost)
        fprintf(run->terminal->out,
                "%zu file%s not judged, since the processes that judge were ended: is memory "
                "short?\n",
                run->lost, run->lost == 1 ? " was" : "s were");
    if (run->plan.blocked)
        fputs("some of what was handed in cannot be read here: the next run tries again\n",
              run->terminal->out);
    fprintf(run->terminal->out,
            "%zu mark%s in %s (%zu judged before):\n"
            "grades.csv, and class.html with a page for each student\n",
            count, count == 1 ? "" : "s", run->request->out, before);
}
