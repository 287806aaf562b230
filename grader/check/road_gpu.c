/* road_gpu.c - a submission on a GPU: its numerics again, and its times.
 *
 * The GPU is asked about what the simulated device found to be right. Where that does no harm, its
 * numerics begin before that is known, in a process of their own; nobody hears of them if the
 * simulated device finds something. Times are taken when nothing else of the check is at work.
 */
#include "check/record.h"
#include "check/road_beside.h"
#include "check/settings.h"
#include "lib/processors.h"

#include <string.h>

/* An endless kernel stops the display of its GPU until its deadline, and other checks that wait for
 * the GPU should not wait for what the simulated device refuses. */
static bool may_begin_early(const struct road *road)
{
    const struct check_request *request = road->request;
    const json_t *device = json_object_get(road->record, "device");
    return !road->simulated && !request->pretend_zeros && !request->ask_gpu_anyway &&
           request->threads == 0 && processors_allowed() > 1 &&
           json_is_false(json_object_get(device, "display"));
}

/* If the GPU found the same as the simulated device, its gate says what that device said: a GPU
 * stops a kernel without saying where. */
static void say_where(json_t *judged, const json_t *sim)
{
    static const char *const PLACE[] = {"file", "line", "other_line"};
    json_t *numerics = json_object_get(judged, "numerics");
    const json_t *seen = json_object_get(sim, "numerics");
    if (judged == sim || !numerics || !seen || record_verdict(seen) == VERDICT_PASS ||
        record_verdict(seen) != record_verdict(numerics) ||
        strcmp(record_text(seen, "case"), record_text(numerics, "case")) != 0)
        return;
    for (size_t i = 0; i < sizeof PLACE / sizeof *PLACE; i++)
        if (!json_object_get(numerics, PLACE[i]) && json_object_get(seen, PLACE[i]))
            json_object_set(numerics, PLACE[i], json_object_get(seen, PLACE[i]));
}

/* The class's bar and tolerance for this GPU, while they apply. */
static void add_settings(const struct road *road, json_t *job)
{
    const char *device = record_text(json_object_get(road->record, "device"), "name");
    json_t *settings = settings_of(road->request->course, device, road->lesson.key, time(NULL));
    if (settings) {
        json_object_set(job, "bar", json_object_get(settings, "bar"));
        json_object_set(job, "delta", json_object_get(settings, "delta"));
        json_object_set(road->record, "settings", settings);
    }
    json_decref(settings);
}

static json_t *job_of_both(const struct road *road)
{
    json_t *job = road_job(road, road->lesson.key, road->submission.library.text,
                           road->reference.library.text);
    add_settings(road, job);
    return job;
}

static json_t *examine_numerics(struct road *road, int which, struct run *run)
{
    json_t *job = job_of_both(road);
    (void)which;
    road_add_stage(job, "numerics");
    return road_examine_surely(road, "numerics on the GPU", RUN_ON_GPU, job, run);
}

void road_begin_gpu(struct road *road, struct beside *early)
{
    *early = (struct beside){.road = road, .examine = examine_numerics};
    if (may_begin_early(road))
        beside_begin(early);
}

/* Times of a submission whose numerics passed early; otherwise NULL, and all is done anew: what
 * follows from a failure is more than one stage tells. */
static json_t *examine_times(struct road *road, struct beside *early, struct run *run)
{
    struct run numerics;
    json_t *result = NULL;
    if (beside_end(early, &numerics) &&
        road_stage_gave(numerics.result, "numerics", VERDICT_PASS)) {
        json_t *job = job_of_both(road);
        road_keep_log(road, numerics.result);
        road_add_stage(job, "timing");
        result = road_examine_surely(road, "GPU", RUN_ON_GPU, job, run);
        if (result)
            json_object_set(result, "numerics", json_object_get(numerics.result, "numerics"));
    }
    run_free(&numerics);
    return result;
}

json_t *road_examine_on_gpu(struct road *road, struct beside *early, const json_t *sim,
                            struct run *run)
{
    road_tell(road, "numerics");
    json_t *result = examine_times(road, early, run);
    if (!result && !road->interrupted) {
        json_t *job = job_of_both(road);
        bool is_endless = road_stage_gave(sim, "numerics", VERDICT_TIMEOUT);
        run_free(run);
        json_object_set_new(job, "endless", json_boolean(is_endless));
        road_add_stage(job, "numerics");
        road_add_stage(job, "timing");
        result = road_examine_surely(road, "GPU", RUN_ON_GPU, job, run);
    }
    road_keep_log(road, result);
    say_where(result, sim);
    return result;
}
