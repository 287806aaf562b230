/* collect.c - enters what the jobs of a run have judged, and submits what they have not. */
#include "class/collect.h"

#include "check/record.h"
#include "class/derived.h"
#include "class/enter.h"
#include "class/slurm.h"
#include "lib/process.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { INTERRUPTED = 130, SECONDS_TO_OPEN = 600 };

struct collection {
    const struct terminal *terminal;
    const struct course *course;
    const char *out;
    struct slurm_jobs jobs;
    struct task_list list;
    struct book *book;
    struct task_settings settings;
    struct waiting waiting; /* hand-ins without a mark */
    bool *left;             /* of each task: it has no record, and somebody waits for it */
    size_t left_count, entered;
    char reason[PATH_MAX + SLURM_REASON_BYTES]; /* why it cannot go on; empty while it can */
};

static bool stop(struct collection *collection, const char *what, const char *why)
{
    if (!*collection->reason)
        snprintf(collection->reason, sizeof collection->reason, "%s: %s", what, why);
    return false;
}

static bool stop_book(struct collection *collection)
{
    return stop(collection, collection->out, book_reason(collection->book));
}

/* --- What was judged -------------------------------------------------------------------------- */

/* Hand-ins that wait for a key; they are in order of their keys. */
static size_t find_waiting(const struct waiting *waiting, const char *key,
                           const struct hand_in_note **found)
{
    size_t low = 0, high = waiting->count, count = 0;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (strcmp(waiting->notes[middle].key, key) < 0)
            low = middle + 1;
        else
            high = middle;
    }
    while (low < waiting->count && strcmp(waiting->notes[low].key, key) == 0)
        found[count++] = &waiting->notes[low++];
    return count;
}

static bool enter_task(struct collection *collection, size_t number,
                       const struct hand_in_note **found)
{
    const char *key = collection->list.tasks[number].key;
    json_t *record;
    size_t count = find_waiting(&collection->waiting, key, found);
    if (!enter_judgement(collection->book, &collection->settings, key, found, count, &record))
        return stop_book(collection);
    collection->left[number] = count && !record;
    collection->left_count += collection->left[number];
    collection->entered += record ? count : 0;
    if (!collection->left[number])
        enter_tidy(&collection->settings, key);
    json_decref(record);
    return true;
}

static bool enter_all(struct collection *collection)
{
    if (!book_waiting(collection->book, &collection->waiting))
        return stop_book(collection);
    const struct hand_in_note **found = calloc(collection->waiting.count + 1, sizeof *found);
    collection->left = calloc(collection->list.count + 1, sizeof *collection->left);
    bool good = found && collection->left;
    if (!good)
        stop(collection, collection->out, strerror(errno));
    for (size_t i = 0; good && i < collection->list.count; i++)
        good = enter_task(collection, i, found);
    free(found);
    return good;
}

/* --- What was not ----------------------------------------------------------------------------- */

static bool submit_again(struct collection *collection)
{
    struct task_list rest = collection->list;
    char reason[SLURM_REASON_BYTES];
    struct slurm_jobs jobs = collection->jobs;
    rest.count = 0;
    rest.tasks = calloc(collection->left_count, sizeof *rest.tasks);
    for (size_t i = 0; rest.tasks && i < collection->list.count; i++)
        if (collection->left[i])
            rest.tasks[rest.count++] = collection->list.tasks[i];
    jobs.again++;
    bool good = rest.tasks && slurm_submit(&jobs, &rest, collection->course, collection->out,
                                           reason, sizeof reason);
    if (good)
        fprintf(collection->terminal->out,
                "%zu tasks left no record and are submitted again: array %s, collected by %s\n",
                rest.count, jobs.array, jobs.collector);
    else
        fprintf(collection->terminal->out, "they cannot be submitted again: %s\n",
                rest.tasks ? reason : strerror(ENOMEM));
    free(rest.tasks);
    return good;
}

/* The last line of a text that says something. */
static char *last_line(char *text)
{
    char *line = text ? text + strlen(text) : NULL;
    while (line && line > text && (line[-1] == '\n' || line[-1] == ' '))
        *--line = '\0';
    while (line && line > text && line[-1] != '\n')
        line--;
    return line;
}

/* Why a chunk's job left tasks, as far as it is known, as a sentence with the log's name. */
static void find_cause(const struct collection *collection, size_t chunk, char *cause, size_t bytes)
{
    enum { MOST_LOG_BYTES = 1 << 20, MOST_SHOWN = 200 };
    char end[64];
    struct path name = path_of("queue/%s_%zu.log", collection->jobs.array, chunk);
    char *log = file_read(path_of("%s/%s", collection->out, name.text).text, MOST_LOG_BYTES, NULL);
    char *line = last_line(log);
    json_t *clean = record_clean(line ? line : "", strnlen(line ? line : "", MOST_SHOWN));
    slurm_end_of(&collection->jobs, chunk, end);
    snprintf(cause, bytes,
             "not judged: its job on the cluster ended %u time%s without a judgement%s%s; the last "
             "line of %s: %s",
             collection->jobs.again + 1, collection->jobs.again ? "s" : "",
             *end ? ", at last with " : "", end, name.text,
             line && *line ? json_string_value(clean) : "(there is none)");
    json_decref(clean);
    free(log);
}

static bool leave_one(struct collection *collection, size_t number, const char *cause,
                      const struct hand_in_note **found)
{
    const char *key = collection->list.tasks[number].key;
    size_t count = find_waiting(&collection->waiting, key, found);
    for (size_t i = 0; i < count; i++) {
        struct hand_in_note note = *found[i];
        note.problem = cause;
        if (!book_note_hand_in(collection->book, &note))
            return stop_book(collection);
    }
    return true;
}

/* The marks stay undecided and say why; the next `make grade` begins with them anew. */
static bool leave_undecided(struct collection *collection)
{
    char cause[PATH_MAX];
    size_t asked = SIZE_MAX;
    const struct hand_in_note **found = calloc(collection->waiting.count + 1, sizeof *found);
    bool good = found || stop(collection, collection->out, strerror(errno));
    for (size_t i = 0; good && i < collection->list.count; i++) {
        size_t chunk = i / collection->list.chunk;
        if (!collection->left[i])
            continue;
        if (chunk != asked)
            find_cause(collection, chunk, cause, sizeof cause);
        asked = chunk;
        good = leave_one(collection, i, cause, found);
    }
    free(found);
    fprintf(collection->terminal->out, "%zu tasks are left undecided\n", collection->left_count);
    return good;
}

/* --- The job ---------------------------------------------------------------------------------- */

/* Somebody may be working on one mark, or the run that submitted this may not be done yet. */
static bool open_patiently(struct collection *collection)
{
    char reason[PATH_MAX];
    int64_t end_ns = process_now_ns() + SECONDS_TO_OPEN * INT64_C(1000000000);
    for (;;) {
        collection->book = book_open(collection->out, reason, sizeof reason);
        if (collection->book)
            return true;
        if (process_interrupted() || process_now_ns() > end_ns)
            return stop(collection, collection->out, reason);
        nanosleep(&(struct timespec){.tv_sec = 1}, NULL);
    }
}

static bool write_tables(struct collection *collection)
{
    char reason[PATH_MAX + 400];
    struct marks marks;
    if (!derived_marks(collection->book, collection->course, collection->out, &marks, reason,
                       sizeof reason))
        return stop(collection, collection->out, reason);
    bool written = derived_write(&marks, collection->out, reason, sizeof reason) ||
                   stop(collection, collection->out, reason);
    marks_free(&marks);
    return written;
}

/* *again: other jobs will judge what is left. */
static bool collect_all(struct collection *collection, bool *again)
{
    *again = false;
    if (!enter_all(collection))
        return false;
    fprintf(collection->terminal->out, "%zu hand-ins of %zu tasks are in the gradebook now\n",
            collection->entered, collection->list.count);
    if (collection->left_count && !process_interrupted()) {
        *again = collection->jobs.again < SLURM_MOST_AGAIN && submit_again(collection);
        if (!*again && !leave_undecided(collection))
            return false;
    }
    return write_tables(collection);
}

static bool read_files(struct collection *collection)
{
    if (!slurm_jobs_read(&collection->jobs, collection->out))
        return stop(collection, collection->out,
                    "no jobs were submitted for this gradebook: `make grade ENGINE=slurm` does");
    return task_list_read(&collection->list, collection->course, collection->out,
                          collection->reason, sizeof collection->reason);
}

int grade_collect(const struct course *course, const char *out, const struct terminal *terminal)
{
    struct collection collection = {.terminal = terminal, .course = course, .out = out};
    bool again = false;
    bool good = open_patiently(&collection) && read_files(&collection);
    if (good) {
        collection.settings =
            task_list_settings(&collection.list, course, out, book_key(collection.book));
        good = collect_all(&collection, &again);
    }
    waiting_free(&collection.waiting);
    free(collection.left);
    book_close(collection.book);
    task_list_free(&collection.list);
    collection.jobs.done = true;
    if (good && !again && !process_interrupted() && !slurm_jobs_write(&collection.jobs, out))
        good = stop(&collection, out, strerror(errno));
    if (!good)
        fprintf(terminal->out, "%s\n", collection.reason);
    if (process_interrupted())
        return INTERRUPTED;
    return good ? 0 : verdict_exit_code(VERDICT_REFUSED);
}
