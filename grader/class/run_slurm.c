/* run_slurm.c - files are judged by jobs of Slurm, and entered by the job that collects. */
#include "class/run.h"

#include "class/slurm_run.h"
#include "lib/process.h"

#include <string.h>

/* What nothing can be judged of is refused here, and the others are *rest. */
static bool refuse_without_text(struct run *run, struct task **rest, size_t *rest_count)
{
    size_t count = 0, all = run->plan.task_count;
    struct task *tasks = run->plan.tasks;
    for (size_t i = 0; i < all; i++)
        if (tasks[i].refusal) {
            struct task task = tasks[i];
            tasks[i] = tasks[count];
            tasks[count++] = task;
        }
    *rest = tasks + count;
    *rest_count = all - count;
    run->plan.task_count = count;
    bool good = count == 0 || run_judge(run);
    run->plan.task_count = all;
    return good;
}

/* Meanwhile the gradebook is closed: the job that collects needs it, and so may the instructor. */
bool run_judge_by_slurm(struct run *run)
{
    char reason[SLURM_REASON_BYTES];
    struct task *tasks;
    size_t count;
    bool good = refuse_without_text(run, &tasks, &count);
    if (!good || process_interrupted() || count == 0)
        return good && count == 0;
    if (!slurm_run_submit(run->request, run->terminal, tasks, count, reason, sizeof reason))
        return run_stop(run, "no jobs were submitted", reason);
    book_close(run->book);
    run->book = NULL;
    enum slurm_end end = slurm_run_wait(run->request, reason, sizeof reason);
    if (end == SLURM_LOST)
        run_stop(run, run->request->out, reason);
    return end != SLURM_INTERRUPTED && run_open_book(run) && end == SLURM_DONE;
}

/* Jobs of a command that was interrupted since. */
bool run_wait_for_earlier(struct run *run)
{
    char reason[SLURM_REASON_BYTES];
    enum slurm_end end =
        slurm_run_wait_for_earlier(run->request, run->terminal, reason, sizeof reason);
    if (end == SLURM_LOST)
        run_stop(run, run->request->out, reason);
    return end == SLURM_DONE;
}
