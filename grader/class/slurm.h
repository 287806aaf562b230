/* slurm.h - a run's tasks as jobs of Slurm: an array that judges them, a chunk to each job of it,
 * and after it a job that collects what was judged (collect.h).
 *
 *     OUT/queue/tasks.json          the tasks (task_list.h)
 *     OUT/queue/jobs.json           the jobs that were submitted for them, and how
 *     OUT/queue/ARRAY_CHUNK.log     what judging a chunk said
 *     OUT/queue/collect-JOB.log     what collecting said
 *
 * Slurm decides where and when a job runs, and runs it again when its node fails. Nothing here
 * schedules: it submits, and asks whether jobs are still there.
 */
#ifndef CLASS_SLURM_H
#define CLASS_SLURM_H

#include "check/course.h"
#include "class/task_list.h"

enum { SLURM_MOST_USUAL = 8, SLURM_MOST_AGAIN = 2, SLURM_REASON_BYTES = 2000 };

struct slurm_jobs {
    unsigned most;      /* jobs of the array that run at a time */
    char options[2000]; /* words for sbatch, between blanks */
    unsigned again;     /* how often tasks that left no record were submitted again */
    char array[32], collector[32];
    bool done; /* all that there will be is in the gradebook */
};

/* Writes the tasks and submits the jobs; jobs.json is written last. An interrupt does not stop it
 * halfway. False with a sentence that has Slurm's own words, and then no job is left. */
bool slurm_submit(struct slurm_jobs *jobs, const struct task_list *list,
                  const struct course *course, const char *out, char *reason, size_t reason_bytes);

/* False when there are none. */
bool slurm_jobs_read(struct slurm_jobs *jobs, const char *out);
/* False with errno. */
bool slurm_jobs_write(const struct slurm_jobs *jobs, const char *out);

/* Is the collecting job still waiting or running? */
enum slurm_answer { SLURM_THERE, SLURM_GONE, SLURM_SILENT };
/* SLURM_SILENT: with a sentence, since Slurm does not answer. */
enum slurm_answer slurm_ask(const struct slurm_jobs *jobs, char *reason, size_t reason_bytes);
/* What Slurm says of the end of a chunk's job, such as NODE_FAIL or TIMEOUT; "" if it has forgotten
 * it. */
void slurm_end_of(const struct slurm_jobs *jobs, size_t chunk, char end[64]);

#endif
