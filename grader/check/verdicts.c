/* verdicts.c - checks all entries on both devices, in many processes: while one has its turn on the
 * GPU, the others compile and count.
 */
#include "check/verdicts.h"

#include "lib/crew.h"
#include "lib/process.h"
#include "lib/processors.h"
#include "check/record.h"
#include "check/run.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
    INTERRUPTED = 130,
    DESCRIBE_MS = 60000,
    MOST_WORKERS = 8, /* more would disturb the clock of the one that is timed */
    MOST_TABLE_BYTES = 1 << 20
};

struct comparing {
    const struct verdicts_request *request;
    const struct terminal *terminal;
    struct entry *entries;
    struct verdicts_row *rows;
    size_t count;
    size_t *asked, asked_count; /* the rows that are checked now, by index */
    struct path out;
    unsigned threads; /* of each simulated device: the processors are shared out */
    bool both;
    json_t *gpu; /* "device" of the records on it; NULL when there is none */
    uint64_t seed;
};

static const char *const SIDES[VERDICTS_SIDES] = {"simulated", "gpu"};

/* --- One check -------------------------------------------------------------------------------- */

static struct path record_file(const struct comparing *comparing, size_t index,
                               enum verdicts_side side)
{
    return path_of("%s/records/%s-%zu.json", comparing->out.text, SIDES[side], index);
}

/* In a worker: it hands its result over in a file, if that can be written. False when
 * interrupted. */
static bool check_side(const struct comparing *comparing, size_t index, enum verdicts_side side)
{
    const struct entry *entry = &comparing->entries[index];
    struct path file = record_file(comparing, index, side);
    bool simulated = side == VERDICTS_SIMULATED;
    remove(file.text); /* of an earlier run */
    struct check_request check = {.course = comparing->request->course,
                                  .lesson = entry->lesson.key,
                                  .submission = entry->path.text,
                                  .device = simulated ? DEVICE_SIM : DEVICE_GPU,
                                  .seed = comparing->seed,
                                  .gpu = comparing->gpu,
                                  .ask_gpu_anyway = true,
                                  .threads = comparing->threads};
    json_t *record = check_run(&check);
    if (record)
        record_write(record, file.text);
    json_decref(record);
    return record != NULL;
}

static bool check_one(void *context, size_t task, struct crew_outcome *outcome)
{
    const struct comparing *comparing = context;
    size_t index = comparing->asked[task];
    outcome->holds = check_side(comparing, index, VERDICTS_SIMULATED) &&
                     (!comparing->both || check_side(comparing, index, VERDICTS_GPU));
    return outcome->holds;
}

/* A check that left no record: its process died, or the disk is full. */
static json_t *no_record(void)
{
    return json_pack("{s:s, s:s}", "verdict", verdict_name(VERDICT_INTERNAL), "reason",
                     "the check left no record behind");
}

static void take_record(void *context, size_t task, const struct crew_outcome *outcome)
{
    struct comparing *comparing = context;
    size_t index = comparing->asked[task];
    struct verdicts_row *row = &comparing->rows[index];
    for (int side = 0; side < (comparing->both ? VERDICTS_SIDES : 1); side++) {
        struct path file = record_file(comparing, index, (enum verdicts_side)side);
        json_t *record = outcome->holds ? json_load_file(file.text, 0, NULL) : NULL;
        row->record[side] = record ? record : no_record();
    }
    verdicts_print_row(row, comparing->terminal);
}

static bool check_all(struct comparing *comparing)
{
    size_t workers = crew_workers(MOST_WORKERS);
    comparing->threads = crew_share(workers);
    struct crew crew = {.tasks = comparing->asked_count,
                        .workers = workers,
                        .work = check_one,
                        .tell = take_record,
                        .context = comparing};
    course_version(comparing->request->course); /* remembered: workers need not each find out */
    return crew_run(&crew);
}

/* --- The devices ------------------------------------------------------------------------------ */

/* The GPU, or a sentence why it is not asked. */
static void find_gpu(struct comparing *comparing, char *why, size_t why_bytes)
{
    const struct course *course = comparing->request->course;
    json_t *job =
        json_pack("{s:s, s:[s]}", "lesson", comparing->entries[0].lesson.key, "stages", "describe");
    struct run_request request = {
        .course = course, .on = RUN_ON_GPU, .job = job, .deadline_ms = DESCRIBE_MS};
    struct run run = {.result = NULL};
    if (comparing->request->device == DEVICE_SIM) {
        snprintf(why, why_bytes, "DEVICE=sim");
    } else if (!run_sees_gpu()) {
        snprintf(why, why_bytes, "this machine has no GPU");
    } else {
        run_examine(&request, &run);
        snprintf(why, why_bytes, "%s", run.reason);
        comparing->gpu = json_incref(json_object_get(run.result, "device"));
    }
    comparing->both = comparing->gpu != NULL;
    run_free(&run);
    json_decref(job);
}

/* --- The command ------------------------------------------------------------------------------ */

static int conclude(const struct comparing *comparing)
{
    FILE *out = comparing->terminal->out;
    size_t differ = 0, unexpected = 0, count = comparing->asked_count;
    for (size_t i = 0; i < count; i++) {
        const struct verdicts_row *row = &comparing->rows[comparing->asked[i]];
        differ += !verdicts_agree(row);
        unexpected += !verdicts_expected(row);
    }
    bool pass = differ == 0 && unexpected == 0;
    if (comparing->both)
        fprintf(out, "%s: %zu of %zu verdicts are the same on both devices, ",
                pass ? "PASS" : "FAIL", count - differ, count);
    else
        fprintf(out, "%s: ", pass ? "PASS" : "FAIL");
    fprintf(out, "%zu of %zu are as expected; %s/verdicts.csv\n", count - unexpected, count,
            comparing->out.text);
    return pass ? 0 : 1;
}

static int compare(struct comparing *comparing)
{
    char why[512] = "";
    FILE *out = comparing->terminal->out;
    comparing->seed = check_seed(comparing->request->seed);
    find_gpu(comparing, why, sizeof why);
    fprintf(out, "%zu checks a device, seed 0x%llx, %zu processors\n", comparing->asked_count,
            (unsigned long long)comparing->seed, processors_allowed());
    if (comparing->asked_count < comparing->count)
        fprintf(out, "%zu more have their row in %s\n", comparing->count - comparing->asked_count,
                comparing->request->known);
    if (!comparing->both) {
        fprintf(out, "Only the simulated device's column, since the GPU was not asked: %s.\n", why);
    }
    const char *gpu = record_text(comparing->gpu, "name");
    verdicts_print_head(comparing->both ? gpu : NULL, comparing->terminal);
    bool whole = check_all(comparing);
    if (!verdicts_write(comparing->rows, comparing->count, gpu, comparing->out.text)) {
        fprintf(out, "%s: the tables cannot be written: %s\n", comparing->out.text,
                strerror(errno));
        return verdict_exit_code(VERDICT_INTERNAL);
    }
    if (!whole) {
        fprintf(out, "interrupted: the tables in %s hold what was checked until then\n",
                comparing->out.text);
        return INTERRUPTED;
    }
    return conclude(comparing);
}

/* The rows of all entries, with what is known of them. False with a sentence. */
static bool list_rows(struct comparing *comparing, char *reason, size_t reason_bytes)
{
    const struct verdicts_request *request = comparing->request;
    comparing->entries =
        entries_list(request->course, request->lesson, &comparing->count, reason, reason_bytes);
    if (!comparing->entries)
        return false;
    char *table = request->known ? file_read(request->known, MOST_TABLE_BYTES, NULL) : NULL;
    if (request->known && !table) {
        snprintf(reason, reason_bytes, "%s: %s", request->known, strerror(errno));
        return false;
    }
    comparing->rows = calloc(comparing->count + 1, sizeof *comparing->rows);
    comparing->asked = calloc(comparing->count + 1, sizeof *comparing->asked);
    bool room = comparing->rows && comparing->asked;
    for (size_t i = 0; room && i < comparing->count; i++) {
        struct verdicts_row *row = &comparing->rows[i];
        row->entry = &comparing->entries[i];
        row->known = table ? verdicts_known_line(table, row->entry) : NULL;
        if (!row->known)
            comparing->asked[comparing->asked_count++] = i;
    }
    free(table);
    snprintf(reason, reason_bytes, "no memory is left");
    return room;
}

static void free_rows(struct comparing *comparing)
{
    for (size_t i = 0; comparing->rows && i < comparing->count; i++) {
        for (int side = 0; side < VERDICTS_SIDES; side++)
            json_decref(comparing->rows[i].record[side]);
        free(comparing->rows[i].known);
    }
    json_decref(comparing->gpu);
    free(comparing->rows);
    free(comparing->asked);
    free(comparing->entries);
}

int verdicts(const struct verdicts_request *request, const struct terminal *terminal)
{
    struct comparing comparing = {.request = request, .terminal = terminal};
    char reason[PATH_MAX + 400];
    const char *build = request->course->build.text;
    int status = verdict_exit_code(VERDICT_REFUSED);
    comparing.out = request->out ? path_of("%s", request->out) : path_of("%s/verdicts", build);
    if (!list_rows(&comparing, reason, sizeof reason))
        fprintf(terminal->out, "%s\n", reason);
    else if (!folder_make(path_of("%s/records", comparing.out.text).text))
        fprintf(terminal->out, "%s: %s\n", comparing.out.text, strerror(errno));
    else
        status = compare(&comparing);
    free_rows(&comparing);
    return status;
}
