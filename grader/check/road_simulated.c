/* road_simulated.c - a submission on the simulated device: what is examined, by how many processes.
 *
 * The small cases and the others (large, and timed) are two examinations, each with a device of its
 * own. A check that has the machine to itself runs them side by side; otherwise the second one
 * follows the first. What they find is the same (halves.h).
 */
#include "check/halves.h"
#include "check/record.h"
#include "check/road.h"
#include "lib/aside.h"
#include "lib/crew.h"
#include "lib/memory_limits.h"
#include "lib/process.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* --- The reference ---------------------------------------------------------------------------- */

/* Figures of the reference are the same in every check on one simulated device, so they are kept in
 * its folder. The folder's name identifies the solution and the toolkit, the file's name the judge
 * and the grader. */
static struct path figures_file(const struct road *road)
{
    const char *device = getenv("SIMGPU_DEVICE");
    return path_of("%s/figures-%s-%.16s.json", road->reference.folder.text,
                   device && *device ? device : "default", course_version(road->request->course));
}

/* Counted alone, on a device that no submission runs on; NULL when that is not possible. The caller
 * owns them. */
static json_t *reference_figures(struct road *road)
{
    struct run run;
    json_t *kept = json_load_file(figures_file(road).text, 0, NULL);
    if (kept)
        return kept;
    json_t *job = road_job(road, road->lesson.key, "", road->reference.library.text);
    road_add_stage(job, "reference");
    road_tell(road, "counting the reference");
    json_t *result = road_examine(road, "reference", RUN_SIMULATED, job, &run);
    json_t *stage = json_object_get(result, "reference");
    if (stage && record_verdict(stage) == VERDICT_PASS) {
        kept = json_incref(json_object_get(stage, "reference"));
        record_write(kept, figures_file(road).text); /* if it fails they are counted again */
    }
    run_free(&run);
    return kept;
}

/* --- Two examinations ------------------------------------------------------------------------- */

/* An honest check's device may take 3.3 GB (memory_limits.h), and here are two. */
static const uint64_t ROOM_FOR_TWO = UINT64_C(16) * 1000 * 1000 * 1000;

/* Is the rest of the machine unused by other checks, and large enough? */
static bool has_room_for_two(const struct road *road)
{
    return road->request->threads == 0 && crew_processors() > 1 &&
           memory_of_machine() >= ROOM_FOR_TWO;
}

/* A job about the submission. The machine is tested with the reference (road_again.c). */
static json_t *job_of_submission(const struct road *road)
{
    json_t *job = road_job(road, road->lesson.key, road->submission.library.text, "");
    json_object_set_new(job, "probe", json_string(road->reference.library.text));
    return job;
}

/* Either half may end with one launcher wrong, and then judges the others in all respects. */
static json_t *job_of_half(const struct road *road)
{
    json_t *job = job_of_submission(road);
    if (road->figures)
        json_object_set(job, "reference_figures", road->figures);
    json_object_set_new(job, "stages_of_others",
                        json_pack("[s, s, s]", "safety", "numerics", "counters"));
    return job;
}

static json_t *examine_small(struct road *road, struct run *run)
{
    json_t *job = job_of_half(road);
    road_add_stage(job, "safety");
    road_add_stage(job, "small");
    road_add_stage(job, "calls");
    return road_examine_surely(road, "small cases", RUN_SIMULATED, job, run);
}

static json_t *examine_rest(struct road *road, struct run *run)
{
    json_t *job = job_of_half(road);
    road_add_stage(job, "large");
    road_add_stage(job, "counters");
    return road_examine_surely(road, "large and timed cases", RUN_SIMULATED, job, run);
}

/* In the process beside this one; {"result", "verdict", "reason", "parts"}. */
static char *rest_as_text(void *context)
{
    struct road own = *(const struct road *)context;
    struct check_request request = *own.request;
    struct run run;
    request.progress = NULL; /* the small cases' is shown */
    own.request = &request;
    json_t *result = examine_rest(&own, &run), *answer = json_object();
    if (result)
        json_object_set(answer, "result", result);
    json_object_set_new(answer, "verdict", json_string(verdict_name(run.verdict)));
    json_object_set_new(answer, "reason", json_string(run.reason));
    json_object_set(answer, "parts", json_object_get(own.record, "parts"));
    char *text = own.interrupted ? NULL : json_dumps(answer, JSON_COMPACT);
    json_decref(answer);
    run_free(&run);
    return text;
}

/* Fill in run, as if it had been this process's. False without an answer. */
static bool take_rest(struct road *road, struct aside *aside, struct run *run)
{
    char *text = aside_end(aside);
    json_t *answer = text ? json_loads(text, 0, NULL) : NULL;
    free(text);
    if (!answer)
        return false;
    run->result = json_incref(json_object_get(answer, "result"));
    run->verdict = record_verdict(answer);
    snprintf(run->reason, sizeof run->reason, "%s", record_text(answer, "reason"));
    json_object_update_missing(json_object_get(road->record, "parts"),
                               json_object_get(answer, "parts"));
    json_decref(answer);
    return true;
}

/* An examination without a result ends the check as a case would. */
static void join(json_t *small, const struct run *rest)
{
    if (rest->result)
        halves_join(small, rest->result);
    else
        json_object_update_new(json_object_get(small, "numerics"),
                               record_outcome(rest->verdict, rest->reason));
}

static json_t *examine_both(struct road *road, struct run *run)
{
    struct aside aside;
    struct run second = {.result = NULL};
    bool is_beside = has_room_for_two(road) && aside_begin(&aside, rest_as_text, road);
    json_t *small = examine_small(road, run);
    road->interrupted |= process_interrupted();
    if (!halves_go_on(small) || road->interrupted) {
        if (is_beside)
            aside_cancel(&aside);
        return small;
    }
    road_tell(road, "large and timed cases");
    if ((!is_beside || !take_rest(road, &aside, &second)) && !process_interrupted())
        examine_rest(road, &second);
    road->interrupted |= process_interrupted();
    if (!road->interrupted)
        join(small, &second);
    run_free(&second);
    return small;
}

json_t *road_examine_simulated(struct road *road, struct run *run)
{
    if (!road->request->pretend_zeros) {
        road->figures = reference_figures(road);
        return examine_both(road, run);
    }
    json_t *job = job_of_submission(road);
    road_add_stage(job, "numerics");
    return road_examine_surely(road, "simulated device", RUN_SIMULATED, job, run);
}

/* The timed cases once more, on a device of their own that writes a page about them. The
 * reference's figures are known by now, so that none of its launches is on the page. */
void road_write_page(struct road *road)
{
    struct run run;
    if (!road->figures)
        return;
    json_t *job = job_of_half(road);
    road_add_stage(job, "counters");
    struct run_request request = {.course = road->request->course,
                                  .on = RUN_SIMULATED,
                                  .page = road->request->page,
                                  .folder = road->submission.folder.text,
                                  .job = job,
                                  .deadline_ms = ROAD_DEADLINE_MS};
    run_examine(&request, &run);
    run_free(&run);
    json_decref(job);
}
