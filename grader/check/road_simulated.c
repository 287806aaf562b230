/* road_simulated.c - a submission on the simulated device: what is examined, by how many processes.
 *
 * The small cases, the large ones and the timed ones are three examinations, each with a device of
 * its own. Where a lesson has no large cases, the small ones are two, unless their order matters. A
 * check that has the machine to itself runs them side by side; otherwise one after the other. What
 * they find is the same (halves.h).
 */
#include "check/halves.h"
#include "check/record.h"
#include "check/road.h"
#include "check/road_beside.h"
#include "lib/memory_limits.h"
#include "lib/process.h"
#include "lib/processors.h"

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

/* --- The examinations ------------------------------------------------------------------------- */

/* An honest check's device may take 3.3 GB (memory_limits.h), and the other two take less. */
static const uint64_t ROOM_FOR_ALL = UINT64_C(16) * 1000 * 1000 * 1000;

/* Is the rest of the machine unused by other checks, and large enough? */
static bool has_room_for_all(const struct road *road)
{
    return road->request->threads == 0 && processors_allowed() > 1 &&
           memory_of_machine() >= ROOM_FOR_ALL;
}

/* A job about the submission. The machine is tested with the reference (road_again.c). */
static json_t *job_of_submission(const struct road *road)
{
    json_t *job = road_job(road, road->lesson.key, road->submission.library.text, "");
    json_object_set_new(job, "probe", json_string(road->reference.library.text));
    return job;
}

enum { SMALL, OTHER_SMALL, LARGE, TIMED, EXAMINATIONS };
enum { MOST_STAGES = 3 };

static const struct examination {
    const char *part; /* of the record's "parts" */
    const char *stages[MOST_STAGES];
} EXAMINATION[EXAMINATIONS] = {
    [SMALL] = {"small cases", {"safety", "small", "calls"}},
    [OTHER_SMALL] = {"other small cases", {"safety", "small", "calls"}},
    [LARGE] = {"large cases", {"large", "calls"}},
    [TIMED] = {"timed cases", {"counters"}},
};

static bool judge_says(const struct road *road, const char *what)
{
    return json_is_true(json_object_get(road->lesson.judge, what));
}

static bool is_in_two(const struct road *road)
{
    return !judge_says(road, "has_large") && !judge_says(road, "in_order");
}

static bool is_needed(const struct road *road, int which)
{
    return which == LARGE         ? judge_says(road, "has_large")
           : which == OTHER_SMALL ? is_in_two(road)
                                  : true;
}

/* If one ends with a launcher wrong, it then judges the others in all respects. */
static json_t *job_of(const struct road *road, int which)
{
    const struct examination *examination = &EXAMINATION[which];
    json_t *job = job_of_submission(road);
    if (is_in_two(road) && (which == SMALL || which == OTHER_SMALL))
        json_object_set_new(job, "half", json_integer(which == SMALL ? 1 : 2));
    if (road->figures)
        json_object_set(job, "reference_figures", road->figures);
    json_object_set_new(job, "stages_of_others",
                        json_pack("[s, s, s]", "safety", "numerics", "counters"));
    for (int i = 0; i < MOST_STAGES && examination->stages[i]; i++)
        road_add_stage(job, examination->stages[i]);
    return job;
}

static json_t *examine_one(struct road *road, int which, struct run *run)
{
    return road_examine_surely(road, EXAMINATION[which].part, RUN_SIMULATED, job_of(road, which),
                               run);
}

/* Its result becomes a part of small's. One without a result ends the check as a case would. */
static void join(json_t *small, struct beside *beside)
{
    struct run run = {.result = NULL};
    struct road *road = beside->road;
    road_tell(road, EXAMINATION[beside->which].part);
    if (!beside_end(beside, &run) && !process_interrupted())
        examine_one(road, beside->which, &run);
    road->interrupted |= process_interrupted();
    if (!road->interrupted && run.result)
        halves_join(small, run.result);
    else if (!road->interrupted)
        json_object_update_new(json_object_get(small, "numerics"),
                               record_outcome(run.verdict, run.reason));
    run_free(&run);
}

static json_t *examine_in_parts(struct road *road, struct run *run)
{
    struct beside beside[EXAMINATIONS];
    for (int i = OTHER_SMALL; i < EXAMINATIONS; i++) {
        beside[i] = (struct beside){.road = road, .examine = examine_one, .which = i};
        if (is_needed(road, i) && has_room_for_all(road))
            beside_begin(&beside[i]);
    }
    json_t *small = examine_one(road, SMALL, run);
    road->interrupted |= process_interrupted();
    for (int i = OTHER_SMALL; i < EXAMINATIONS; i++) {
        bool is_asked = i == OTHER_SMALL ? small != NULL : halves_go_on(small);
        if (is_needed(road, i) && is_asked && !road->interrupted)
            join(small, &beside[i]);
        else
            beside_cancel(&beside[i]);
    }
    if (small)
        halves_end(small);
    return small;
}

json_t *road_examine_simulated(struct road *road, struct run *run)
{
    if (!road->request->pretend_zeros) {
        road->figures = reference_figures(road);
        return examine_in_parts(road, run);
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
    json_t *job = job_of(road, TIMED);
    json_object_set_new(job, "for_page", json_true());
    struct run_request request = {.course = road->request->course,
                                  .on = RUN_SIMULATED,
                                  .page = road->request->page,
                                  .timeline = road->request->timeline,
                                  .folder = road->submission.folder.text,
                                  .job = job,
                                  .deadline_ms = ROAD_DEADLINE_MS};
    run_examine(&request, &run);
    run_free(&run);
    json_decref(job);
}
