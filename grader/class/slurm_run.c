/* slurm_run.c - submits, then counts records, and asks now and then whether the collecting job is
 * still there.
 */
#include "class/slurm_run.h"

#include "lib/process.h"

#include <stdio.h>
#include <string.h>
#include <time.h>

/* Slurm's controller serves everybody on the cluster, so it is asked seldom. */
enum { SECONDS_BETWEEN = 10, MOST_ABSENT = 2 };

bool slurm_run_submit(const struct grade_request *request, const struct terminal *terminal,
                      struct task *tasks, size_t count, char *reason, size_t reason_bytes)
{
    const char *options = request->job_options ? request->job_options : "";
    struct slurm_jobs jobs = {.most = request->most ? request->most : SLURM_MOST_USUAL};
    struct task_list list = {.device = request->device,
                             .seed = request->seed,
                             .no_ipc = request->no_ipc,
                             .chunk = request->chunk ? request->chunk : CHUNK_USUAL,
                             .tasks = tasks,
                             .count = count};
    if (strlen(options) >= sizeof jobs.options) {
        snprintf(reason, reason_bytes, "SBATCH is longer than %zu bytes", sizeof jobs.options - 1);
        return false;
    }
    snprintf(jobs.options, sizeof jobs.options, "%s", options);
    if (!slurm_submit(&jobs, &list, request->course, request->out, reason, reason_bytes))
        return false;
    fprintf(terminal->out,
            "Slurm judges %zu files in %zu jobs: array %s, then job %s collects; their logs are in "
            "%s/queue\n",
            count, task_list_chunks(&list), jobs.array, jobs.collector, request->out);
    fflush(terminal->out);
    return true;
}

/* --- Waiting ---------------------------------------------------------------------------------- */

struct watch {
    const struct course *course;
    const char *out;
    struct task_list list;
    struct slurm_jobs jobs;
    size_t judged;   /* of the list; never less than before, since collecting removes records */
    unsigned absent; /* how often in succession Slurm did not know the job */
    bool silent;     /* Slurm does not answer now */
    int64_t asked_ns;
};

static size_t count_records(const struct watch *watch)
{
    size_t count = 0;
    for (size_t i = 0; i < watch->list.count; i++)
        count +=
            file_exists(path_of("%s/judged/%s.json", watch->out, watch->list.tasks[i].key).text);
    return count;
}

static void show(struct watch *watch)
{
    size_t now = count_records(watch);
    watch->judged = now > watch->judged ? now : watch->judged;
    char text[200];
    snprintf(text, sizeof text, "%zu of %zu files judged by the jobs of Slurm, array %s%s%s",
             watch->judged, watch->list.count, watch->jobs.array,
             watch->judged == watch->list.count ? "; collecting" : "",
             watch->silent ? "; Slurm does not answer now" : "");
    terminal_progress(text);
}

/* The newest jobs; others when what was left has been submitted again. */
static void read_jobs(struct watch *watch)
{
    struct slurm_jobs jobs;
    char reason[2 * PATH_MAX];
    if (!slurm_jobs_read(&jobs, watch->out))
        return;
    bool same = strcmp(jobs.array, watch->jobs.array) == 0;
    watch->jobs = jobs;
    if (same)
        return;
    watch->absent = 0;
    watch->judged = 0;
    task_list_free(&watch->list);
    task_list_read(&watch->list, watch->course, watch->out, reason, sizeof reason);
}

static bool is_lost(struct watch *watch)
{
    char reason[SLURM_REASON_BYTES];
    int64_t now_ns = process_now_ns();
    if (now_ns - watch->asked_ns < SECONDS_BETWEEN * INT64_C(1000000000))
        return false;
    watch->asked_ns = now_ns;
    enum slurm_answer answer = slurm_ask(&watch->jobs, reason, sizeof reason);
    watch->silent = answer == SLURM_SILENT;
    watch->absent = answer == SLURM_GONE ? watch->absent + 1 : 0;
    return watch->absent >= MOST_ABSENT;
}

static enum slurm_end watch_jobs(struct watch *watch, char *reason, size_t reason_bytes)
{
    while (!process_interrupted()) {
        read_jobs(watch);
        if (watch->jobs.done)
            return SLURM_DONE;
        if (is_lost(watch)) {
            snprintf(reason, reason_bytes,
                     "job %s, which collects what was judged, has ended before it was done: see "
                     "queue/collect-%s.log; the same command goes on from here",
                     watch->jobs.collector, watch->jobs.collector);
            return SLURM_LOST;
        }
        show(watch);
        nanosleep(&(struct timespec){.tv_sec = 1}, NULL);
    }
    return SLURM_INTERRUPTED;
}

enum slurm_end slurm_run_wait(const struct grade_request *request, char *reason,
                              size_t reason_bytes)
{
    struct watch watch = {
        .course = request->course, .out = request->out, .asked_ns = process_now_ns()};
    enum slurm_end end = watch_jobs(&watch, reason, reason_bytes);
    terminal_progress(NULL);
    task_list_free(&watch.list);
    return end;
}

enum slurm_end slurm_run_wait_for_earlier(const struct grade_request *request,
                                          const struct terminal *terminal, char *reason,
                                          size_t reason_bytes)
{
    struct slurm_jobs jobs;
    if (!slurm_jobs_read(&jobs, request->out) || jobs.done)
        return SLURM_DONE;
    enum slurm_answer answer = slurm_ask(&jobs, reason, reason_bytes);
    if (answer != SLURM_THERE)
        return answer == SLURM_GONE ? SLURM_DONE : SLURM_LOST;
    fprintf(terminal->out, "the jobs of Slurm that were submitted before, array %s, are awaited\n",
            jobs.array);
    fflush(terminal->out);
    /* If nothing collects, this run enters what they have judged. */
    enum slurm_end end = slurm_run_wait(request, reason, reason_bytes);
    return end == SLURM_LOST ? SLURM_DONE : end;
}
