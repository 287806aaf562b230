/* judge_chunk.c - first the node is tried with a known answer, then its tasks are judged. */
#include "class/judge_chunk.h"

#include "check/record.h"
#include "check/source.h"
#include "class/task_list.h"
#include "lib/crew.h"
#include "lib/process.h"
#include "runner/sandbox.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { INTERRUPTED = 130, MOST_WORKERS = 64 };

/* Slurm ends a job by a signal to each of its processes. So a submission may die of it before this
 * process has heard of it: what failed is only believed if no signal has come by then. */
static const struct timespec SIGNAL_PATIENCE = {.tv_nsec = 300000000};

struct chunk {
    const struct terminal *terminal;
    struct task_list list;
    struct seal_key key;
    struct task_settings settings;
    const char *name;
    size_t first, count;
    size_t left; /* tasks that have got no record */
};

static int refuse(const struct chunk *chunk, const char *reason)
{
    fprintf(chunk->terminal->out, "chunk %s: %s\n", chunk->name, reason);
    return verdict_exit_code(VERDICT_REFUSED);
}

/* --- Is this node fit? ------------------------------------------------------------------------ */

static int unfit(const struct chunk *chunk, const char *why)
{
    fprintf(chunk->terminal->out, "chunk %s: this node is not fit to judge: %s\n", chunk->name,
            why);
    return JUDGE_UNFIT;
}

/* The course's first solution has to pass. *workers: how many tasks at a time; on a GPU one, since
 * two would disturb each other's times. */
static int probe(const struct chunk *chunk, size_t *workers)
{
    struct lesson lesson;
    if (sandbox_find() == SANDBOX_NONE)
        return unfit(chunk, "no sandbox works here (`make doctor` says what is in the way)");
    course_lesson_at(chunk->settings.course, 0, &lesson);
    json_t *record = task_check(&chunk->settings, lesson.key, lesson.solution.text);
    if (!record)
        return INTERRUPTED;
    int status = 0;
    if (record_verdict(record) != VERDICT_PASS)
        status = unfit(chunk, path_of("the course's own solution of lesson %d ends with %s: %s",
                                      lesson.number, record_text(record, "verdict"),
                                      record_text(record, "reason"))
                                  .text);
    if (!json_is_true(json_object_get(json_object_get(record, "device"), "simulated")))
        *workers = 1;
    json_decref(record);
    return status;
}

/* What Slurm has given to this job, where it does not bind the job to it. */
static size_t most_workers(void)
{
    const char *given = getenv("SLURM_CPUS_ON_NODE");
    size_t most = given ? strtoul(given, NULL, 10) : 0;
    return crew_workers(most && most < MOST_WORKERS ? most : MOST_WORKERS);
}

/* --- One task --------------------------------------------------------------------------------- */

static const struct task *task_at(const struct chunk *chunk, size_t number)
{
    return &chunk->list.tasks[chunk->first + number];
}

static bool has_record(const struct chunk *chunk, const struct task *task)
{
    json_t *record = task_record(&chunk->settings, task->key);
    json_decref(record);
    return record != NULL;
}

/* Is the text that the key is of still there? A student is not judged by what became of it. */
static bool text_is_there(const struct chunk *chunk, const struct task *task, char *reason,
                          size_t bytes)
{
    struct source source;
    char key[HASH_TEXT] = "";
    if (!source_read(task->file.text, true, &source, reason, bytes))
        return false;
    task_key(&chunk->settings, task->lesson, source.sha256, key);
    source_free(&source);
    if (strcmp(key, task->key) == 0)
        return true;
    snprintf(reason, bytes, "%s: it was changed since it was handed in", task->file.text);
    return false;
}

/* Forgets a failure that the end of this job may have caused. */
static bool is_sound(const struct chunk *chunk, const struct task *task)
{
    json_t *record = task_record(&chunk->settings, task->key);
    bool passes = record_verdict(record) == VERDICT_PASS;
    json_decref(record);
    if (passes)
        return true;
    nanosleep(&SIGNAL_PATIENCE, NULL);
    if (process_interrupted())
        task_forget(&chunk->settings, task->key);
    return !process_interrupted();
}

static bool judge(void *context, size_t number, struct crew_outcome *outcome)
{
    const struct chunk *chunk = context;
    const struct task *task = task_at(chunk, number);
    outcome->holds = has_record(chunk, task);
    if (outcome->holds || !text_is_there(chunk, task, outcome->reason, sizeof outcome->reason))
        return true;
    if (!task_judge(&chunk->settings, task, &outcome->holds))
        return false;
    if (!outcome->holds)
        snprintf(outcome->reason, sizeof outcome->reason,
                 "its record cannot be written: is the disk full?");
    return !outcome->holds || is_sound(chunk, task);
}

static void tell(void *context, size_t number, const struct crew_outcome *outcome)
{
    enum { SHOWN_DIGITS = 12 };
    struct chunk *chunk = context;
    const struct task *task = task_at(chunk, number);
    json_t *record = task_record(&chunk->settings, task->key);
    const char *end = record          ? record_text(record, "verdict")
                      : outcome->done ? outcome->reason
                                      : "the process that judged it has ended";
    chunk->left += record == NULL;
    fprintf(chunk->terminal->out, "  %.*s  %s  %s\n", SHOWN_DIGITS, task->key, task->lesson, end);
    fflush(chunk->terminal->out);
    json_decref(record);
}

/* --- The chunk -------------------------------------------------------------------------------- */

static size_t count_judged(const struct chunk *chunk)
{
    size_t judged = 0;
    for (size_t i = 0; i < chunk->count; i++)
        judged += has_record(chunk, task_at(chunk, i));
    return judged;
}

static int judge_tasks(struct chunk *chunk)
{
    FILE *out = chunk->terminal->out;
    size_t workers = most_workers(), judged = count_judged(chunk);
    fprintf(out, "chunk %s: %zu tasks, %zu of them judged before\n", chunk->name, chunk->count,
            judged);
    fflush(out);
    if (judged == chunk->count)
        return 0;
    chunk->settings.threads = crew_share(1);
    int status = probe(chunk, &workers);
    if (status)
        return status;
    chunk->settings.threads = crew_share(workers);
    struct crew crew = {.tasks = chunk->count,
                        .workers = workers,
                        .in_any_order = true,
                        .work = judge,
                        .tell = tell,
                        .context = chunk};
    if (!crew_run(&crew)) {
        fprintf(out, "chunk %s: interrupted; what it has judged is kept\n", chunk->name);
        return INTERRUPTED;
    }
    fprintf(out, "chunk %s: %zu tasks are left without a judgement\n", chunk->name, chunk->left);
    return chunk->left ? verdict_exit_code(VERDICT_DEVICE) : 0;
}

static bool find_chunk(struct chunk *chunk, char *reason, size_t bytes)
{
    char *end;
    size_t chunks = task_list_chunks(&chunk->list), number = strtoul(chunk->name, &end, 10);
    if (!*chunk->name || *end || strchr(chunk->name, '-') || number >= chunks) {
        snprintf(reason, bytes, "there is no such chunk: there are 0 to %zu", chunks - 1);
        return false;
    }
    chunk->first = number * chunk->list.chunk;
    size_t rest = chunk->list.count - chunk->first;
    chunk->count = rest < chunk->list.chunk ? rest : chunk->list.chunk;
    return true;
}

int judge_chunk(const struct course *course, const char *out, const char *name,
                const struct terminal *terminal)
{
    struct chunk chunk = {.terminal = terminal, .name = name};
    char reason[2 * PATH_MAX];
    struct path key = path_of("%s/gradebook.key", out);
    if (!task_list_read(&chunk.list, course, out, reason, sizeof reason))
        return refuse(&chunk, reason);
    int status;
    if (!file_exists(key.text)) /* another one would not fit the records */
        status = refuse(&chunk, path_of("%s is not on this node: OUT has to be a folder that all "
                                        "nodes share",
                                        key.text)
                                    .text);
    else if (!seal_key_open(key.text, &chunk.key, reason, sizeof reason) ||
             !find_chunk(&chunk, reason, sizeof reason))
        status = refuse(&chunk, reason);
    else {
        chunk.settings = task_list_settings(&chunk.list, course, out, &chunk.key);
        status = judge_tasks(&chunk);
    }
    task_list_free(&chunk.list);
    return status;
}
