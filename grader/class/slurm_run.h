/* slurm_run.h - what `make grade ENGINE=slurm` does beside the gradebook: it submits the jobs of a
 * run, and shows how far they are.
 */
#ifndef CLASS_SLURM_RUN_H
#define CLASS_SLURM_RUN_H

#include "class/grade.h"
#include "class/slurm.h"

/* Submits tasks whose text is in the gradebook's folder, and says so. False with a sentence. */
bool slurm_run_submit(const struct grade_request *request, const struct terminal *terminal,
                      struct task *tasks, size_t count, char *reason, size_t reason_bytes);

enum slurm_end {
    SLURM_DONE,        /* all that there will be is in the gradebook */
    SLURM_INTERRUPTED, /* the jobs go on */
    SLURM_LOST         /* with a sentence: nothing will collect what was judged */
};

/* Until the jobs are done, and those that follow them. The gradebook has to be closed. */
enum slurm_end slurm_run_wait(const struct grade_request *request, char *reason,
                              size_t reason_bytes);
/* The same for jobs of an earlier command that are still there, if any. SLURM_LOST: Slurm does not
 * answer. */
enum slurm_end slurm_run_wait_for_earlier(const struct grade_request *request,
                                          const struct terminal *terminal, char *reason,
                                          size_t reason_bytes);

#endif
