/* check.c - one check, gate by gate. */
#include "check/check.h"

#include "check/conclude.h"
#include "lib/files.h"
#include "lib/process.h"
#include "lib/timestamp.h"
#include "check/record.h"
#include "check/redact.h"
#include "check/road.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>

/* --- Start ------------------------------------------------------------------------------------ */

enum { SEED_BYTES = 6 }; /* enough, and short enough to be typed */

uint64_t check_seed(uint64_t seed)
{
    if (seed == 0 && getrandom(&seed, SEED_BYTES, 0) != SEED_BYTES)
        seed = (uint64_t)process_now_ns();
    return seed;
}

static void start_record(struct road *road)
{
    char started[TIMESTAMP_TEXT];
    snprintf(road->seed, sizeof road->seed, "0x%llx",
             (unsigned long long)check_seed(road->request->seed));
    road->record = json_pack("{s:i, s:s, s:s, s:s, s:{}, s:[]}", "schema", RECORD_SCHEMA, "started",
                             timestamp_now(started), "seed", road->seed, "grader",
                             course_version(road->request->course), "parts", "gates");
}

static void note_lesson(struct road *road)
{
    road_set_text(road->record, "lesson", road->lesson.key);
    road_set_text(road->record, "title", road->lesson.title);
    json_object_set_new(road->record, "number", json_integer(road->lesson.number));
}

static bool find_lesson(struct road *road)
{
    char reason[300];
    const struct check_request *request = road->request;
    if (!request->lesson)
        return true; /* once the source is there */
    if (!course_lesson(request->course, request->lesson, &road->lesson, reason, sizeof reason))
        return road_stop(road, "build", VERDICT_REFUSED, reason);
    note_lesson(road);
    return true;
}

/* Without a lesson's name: the one that the file says itself. */
static bool guess_lesson(struct road *road)
{
    if (course_lesson_of_source(road->request->course, road->source.text, &road->lesson)) {
        note_lesson(road);
        return true;
    }
    road->lesson = (struct lesson){.number = -1};
    return road_stop(road, "build", VERDICT_REFUSED,
                     "it defines no lesson's function, so it is not clear which lesson it is for");
}

/* The exercise's path as the learner would type it at the top of the course. */
static const char *shown_path(struct road *road)
{
    if (road->request->shown)
        return road->request->shown;
    if (road->request->submission)
        return road->request->submission;
    road->exercise = path_of("exercises/%s/%s.cu", road->lesson.key, road->lesson.slug);
    return road->exercise.text;
}

static bool read_source(struct road *road)
{
    char reason[PATH_MAX + 200];
    const struct check_request *request = road->request;
    const char *path = request->submission ? request->submission : road->lesson.exercise.text;
    road->shown_path = shown_path(road);
    json_t *submission = json_object();
    json_object_set_new(road->record, "submission", submission);
    road_set_text(submission, "path", road->shown_path);
    json_object_set_new(submission, "is_own", json_boolean(!request->submission));
    json_object_set_new(submission, "is_graded", json_boolean(request->strict));
    if (!source_read_as(path, request->submission ? road->shown_path : path, request->strict,
                        &road->source, reason, sizeof reason)) {
        if (!request->submission && !file_exists(path))
            snprintf(reason, sizeof reason, "%s is not there: make reset-lesson%d brings it back",
                     road->shown_path, road->lesson.number);
        return road_stop(road, "build", VERDICT_REFUSED, reason);
    }
    road_set_text(submission, "sha256", road->source.sha256);
    json_object_set_new(submission, "bytes", json_integer((json_int_t)road->source.bytes));
    return request->lesson || guess_lesson(road);
}

/* The submission is never blamed for what the grader lacks. */
static bool find_grader(struct road *road)
{
    char reason[PATH_MAX + 200];
    return course_is_built(road->request->course, reason, sizeof reason) ||
           road_stop(road, "build", VERDICT_INTERNAL, reason);
}

/* --- End -------------------------------------------------------------------------------------- */

/* Which known mistake is it? The lesson's judge says, in the examining program. */
static void recognise(struct road *road)
{
    struct run run;
    json_t *job = road_job(road, road->lesson.key, "", "");
    road_add_stage(job, "recognise");
    json_object_set_new(job, "evidence", conclude_evidence(road->record));
    json_t *result = road_examine(road, "recognising", RUN_WITHOUT_DEVICE, job, &run);
    json_t *mistake = json_object_get(result, "mistake");
    if (json_object_get(mistake, "levels"))
        json_object_set(road->record, "levels", json_object_get(mistake, "levels"));
    if (json_object_get(mistake, "name"))
        json_object_set_new(road->record, "mistake",
                            json_pack("{s:O, s:O}", "name", json_object_get(mistake, "name"),
                                      "hint", json_object_get(mistake, "hint")));
    run_free(&run);
}

static void finish(struct road *road)
{
    if (road->request->only)
        road_complete_untimed(road);
    conclude_verdict(road->record, road->request->strict);
    if (road->request->only)
        road_conclude_only(road);
    if (!road->source.text || !road->lesson.judge)
        return;
    conclude_line(road->record, &road->source, road->lesson.slug);
    road_conclude_others(road);
    if (verdict_points(record_verdict(road->record)) != POINTS_AGAIN &&
        record_verdict(road->record) != VERDICT_PASS)
        recognise(road);
}

enum verdict check_verdict(const json_t *record)
{
    return record_verdict(record);
}

json_t *check_run(const struct check_request *request)
{
    struct road road = {.request = request};
    int64_t start = process_now_ns();
    start_record(&road);
    if (find_lesson(&road) && read_source(&road) && find_grader(&road) && road_find_device(&road) &&
        road_build_submission(&road) && road_build_reference(&road))
        road_examine_all(&road);
    road.interrupted |= process_interrupted();
    if (!road.interrupted)
        finish(&road);
    if (request->strict && request->submission)
        redact_record(road.record, request->course, request->submission);
    json_object_set_new(road.record, "seconds",
                        json_real((double)(process_now_ns() - start) * 1e-9));
    source_free(&road.source);
    build_free(&road.submission);
    build_free(&road.reference);
    json_decref(road.figures);
    if (!road.interrupted)
        return road.record;
    json_decref(road.record);
    return NULL;
}
