/* run.h - one run of `make grade`; for grade.c and run_*.c.
 *
 *     grade.c        what was handed in is collected, judged and entered; tables are written
 *     run_judge.c    on this machine, as many files at a time as there are processors
 *     run_slurm.c    by jobs of Slurm
 *     run_screen.c   what is left to say at the end
 */
#ifndef CLASS_RUN_H
#define CLASS_RUN_H

#include "class/grade.h"
#include "class/plan.h"

struct run {
    const struct grade_request *request;
    const struct terminal *terminal;
    struct task_settings settings;
    struct book *book; /* NULL while jobs of Slurm judge */
    struct plan plan;
    struct lesson lesson; /* the one that was asked for */
    bool began;           /* the gradebook knows what was handed in */
    size_t told;          /* tasks whose outcome is known */
    size_t lost;          /* those whose process was ended */
    int64_t start_ns;
    char reason[PATH_MAX + 400]; /* why the run cannot go on; empty while it can */
};

/* The first reason stays. Returns false. */
bool run_stop(struct run *run, const char *what, const char *why);
bool run_open_book(struct run *run);

/* --- run_judge.c ------------------------------------------------------------------------------ */

/* Judgements that an earlier run left, which was ended before they were entered. */
bool run_enter_left_behind(struct run *run);
/* The plan's tasks; each is entered as it ends. False when interrupted or stopped. */
bool run_judge(struct run *run);

/* --- run_slurm.c ------------------------------------------------------------------------------ */

bool run_judge_by_slurm(struct run *run);
/* For the jobs of a command that was interrupted since. */
bool run_wait_for_earlier(struct run *run);

/* --- run_screen.c ----------------------------------------------------------------------------- */

size_t run_count_standing(const struct marks *marks, enum standing standing);
void run_show_end(const struct run *run, const struct marks *marks);

#endif
