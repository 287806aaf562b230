/* road_examine.c - a check from two compiled files to the gates of its record. */
#include "check/ceilings.h"
#include "check/record.h"
#include "check/road_beside.h"
#include "check/utilization.h"

#include <stdlib.h>
#include <string.h>

/* For all stages together, which also have their own: about ten times what a check takes on an idle
 * machine, and acceptable for a class. With a GPU it includes the wait for it. */
enum { DEADLINE_MS = ROAD_DEADLINE_MS, GPU_DEADLINE_MS = 600000 };

/* --- Jobs ------------------------------------------------------------------------------------- */

json_t *road_job(const struct road *road, const char *lesson, const char *submission,
                 const char *reference)
{
    struct path runner = course_program(road->request->course, "runner");
    json_t *job =
        json_pack("{s:s, s:s, s:s, s:s, s:s, s:b, s:s, s:b, s:[]}", "lesson", lesson, "submission",
                  submission, "reference", reference, "runner", runner.text, "sandbox",
                  sandbox_kind_name(road->sandbox), "ipc", !road->request->no_ipc, "seed",
                  road->seed, "pretend_zeros", road->request->pretend_zeros, "stages");
    if (*submission)
        road_name_launchers(road, job);
    return job;
}

void road_add_stage(json_t *job, const char *stage)
{
    json_array_append_new(json_object_get(job, "stages"), json_string(stage));
}

json_t *road_examine(struct road *road, const char *part, enum run_on on, json_t *job,
                     struct run *run)
{
    struct run_request request = {.course = road->request->course,
                                  .on = on,
                                  .threads = road->request->threads,
                                  .job = job,
                                  .deadline_ms = on == RUN_ON_GPU ? GPU_DEADLINE_MS : DEADLINE_MS,
                                  .progress = road->request->progress};
    json_t *parts = json_object_get(road->record, "parts");
    run_examine(&request, run);
    json_object_set_new(parts, part, json_real(run->seconds));
    if (on == RUN_ON_GPU) {
        double before = json_number_value(json_object_get(parts, "waiting for the GPU"));
        json_object_set_new(parts, "waiting for the GPU", json_real(before + run->waited_seconds));
    }
    road->interrupted |= run->interrupted;
    json_decref(job);
    return run->result;
}

/* --- Ceilings --------------------------------------------------------------------------------- */

/* Measure with lesson 0's solution and keep the result; NULL when that is not possible. */
static json_t *measure_ceilings(struct road *road, const struct lesson *machine, const char *device)
{
    struct build build;
    struct run run;
    json_t *ceilings = NULL;
    if (road_build_solution(road, machine, &build)) {
        json_t *job = road_job(road, machine->key, "", build.library.text);
        road_add_stage(job, "probes");
        road_tell(road, "measuring the device's ceilings");
        json_t *result =
            road_examine(road, "ceilings", road->simulated ? RUN_SIMULATED : RUN_ON_GPU, job, &run);
        json_t *probes = json_object_get(result, "probes");
        if (probes && record_verdict(probes) == VERDICT_PASS)
            ceilings = ceilings_of_probes(device, course_version(road->request->course),
                                          json_object_get(probes, "probes"));
        if (ceilings)
            ceilings_store(road->request->course, ceilings);
        run_free(&run);
    }
    build_free(&build);
    return ceilings;
}

/* Ceilings are known from an earlier check, or measured now; lesson 0 always measures them. */
static void find_ceilings(struct road *road)
{
    struct lesson machine;
    const char *device = record_text(json_object_get(road->record, "device"), "name");
    course_lesson_at(road->request->course, 0, &machine);
    bool is_lesson_zero = road->lesson.number == 0;
    json_t *ceilings = is_lesson_zero ? NULL : ceilings_load(road->request->course, device);
    if (!ceilings && machine.number == 0)
        ceilings = measure_ceilings(road, &machine, device);
    if (ceilings)
        json_object_set_new(road->record, "ceilings", ceilings);
}

/* --- Examination ------------------------------------------------------------------------------ */

void road_keep_log(struct road *road, const json_t *result)
{
    json_t *log = json_object_get(result, "log");
    if (log)
        json_object_set(road->record, "log", log);
    if (json_is_true(json_object_get(result, "log_capped")))
        json_object_set_new(road->record, "log_capped", json_true());
}

bool road_stage_gave(const json_t *result, const char *stage, enum verdict verdict)
{
    const json_t *outcome = json_object_get(result, stage);
    return outcome && record_verdict(outcome) == verdict;
}

static json_t *examine_simulated(struct road *road, struct run *run)
{
    json_t *result = road_examine_simulated(road, run);
    json_t *device = json_object_get(result, "device");
    if (device && road->simulated)
        json_object_set(road->record, "device", device);
    road_keep_log(road, result);
    return result;
}

/* Add a stage's outcome as a gate, if the stage was run. */
static void add_gate(struct road *road, const char *name, const json_t *result, const char *device)
{
    json_t *outcome = json_object_get(result, name);
    if (outcome)
        road_set_text(record_add_gate(road->record, name, json_copy(outcome)), "device", device);
}

static void add_utilization(struct road *road, const json_t *stage, const char *device)
{
    json_t *outcome = utilization_outcome(&road->lesson, stage, !road->simulated,
                                          json_object_get(road->record, "ceilings"));
    if (outcome)
        road_set_text(record_add_gate(road->record, "utilization", outcome), "device", device);
}

static const char *device_of(const json_t *result)
{
    return record_text(json_object_get(result, "device"), "name");
}

/* Was the stage run, and passed? */
static bool stage_passed(const json_t *result, const char *stage)
{
    return road_stage_gave(result, stage, VERDICT_PASS);
}

/* If the simulated device meets something that it does not know, it counts nothing; then the
 * counters gate says why. */
static void add_counters(struct road *road, const json_t *sim)
{
    bool unknown = road_stage_gave(sim, "numerics", VERDICT_NOT_SIMULATED);
    const json_t *why = json_object_get(sim, "numerics");
    if (json_object_get(sim, "counters") || !unknown)
        add_gate(road, "counters", sim, device_of(sim));
    else
        road_set_text(
            record_add_gate(road->record, "counters",
                            record_outcome(VERDICT_NOT_SIMULATED, record_text(why, "reason"))),
            "device", device_of(sim));
}

/* Did the simulated device alone refuse it? A GPU is not asked about all cases, cannot see some of
 * what is wrong (a store of what was there before), and may not show the rest. make verdicts asks
 * it anyway. */
static bool only_simulated(const json_t *sim, const json_t *judged)
{
    const json_t *seen = json_object_get(sim, "numerics");
    return seen && record_verdict(seen) != VERDICT_PASS && stage_passed(judged, "numerics");
}

/* The simulated device counted everything that is timed, and left large numerics cases to a GPU.
 * Has this one judged them all? */
static bool gpu_judged_the_large(const json_t *sim, const json_t *judged)
{
    size_t i;
    json_t *entry;
    const json_t *numerics = json_object_get(judged, "numerics");
    if (judged == sim || !stage_passed(judged, "numerics") ||
        !json_is_true(json_object_get(json_object_get(sim, "counters"), "only_large")))
        return false;
    json_array_foreach (json_object_get(numerics, "large"), i, entry)
        if (json_object_get(entry, "unjudged"))
            return false;
    return true;
}

/* The gates after safety. sim is the simulated device's result, judged that of the device at hand,
 * which may be the same. */
static void add_gates(struct road *road, const json_t *sim, const json_t *judged)
{
    bool by_ipc = json_is_true(json_object_get(json_object_get(judged, "device"), "ipc"));
    if (!by_ipc)
        json_object_set_new(road->record, "self_check", json_true());
    const json_t *numerics = only_simulated(sim, judged) ? sim : judged;
    if (numerics != judged)
        json_object_set_new(road->record, "passed_on_gpu_alone", json_true());
    add_gate(road, "numerics", numerics, device_of(numerics));
    json_t *counters = json_object_get(sim, "counters");
    if (gpu_judged_the_large(sim, judged)) {
        json_object_update_new(counters, record_outcome(VERDICT_PASS, ""));
        json_object_del(counters, "advice");
    }
    add_counters(road, sim);
    find_ceilings(road);
    add_utilization(road, json_object_get(judged, road->simulated ? "counters" : "timing"),
                    device_of(judged));
}

/* With a GPU: safety and counters from the simulated device; numerics from both, but from the GPU
 * only if the simulated device found nothing, or something that it does not know; times from the
 * GPU. */
void road_examine_all(struct road *road)
{
    struct run simulated, gpu = {.result = NULL};
    struct beside early;
    road_begin_gpu(road, &early);
    json_t *sim = examine_simulated(road, &simulated), *judged = sim;
    if (!sim && !road->interrupted)
        road_stop(road, "safety", simulated.verdict, simulated.reason);
    add_gate(road, "safety", sim, device_of(sim));
    bool safe = stage_passed(sim, "safety") || road->request->pretend_zeros ||
                road_stage_gave(sim, "safety", VERDICT_NOT_SIMULATED);
    bool ask_gpu = stage_passed(sim, "numerics") || road->request->ask_gpu_anyway ||
                   road_stage_gave(sim, "numerics", VERDICT_NOT_SIMULATED);
    if (safe && !road->simulated && ask_gpu) {
        judged = road_examine_on_gpu(road, &early, sim, &gpu);
        if (!judged && !road->interrupted)
            road_stop(road, "numerics", gpu.verdict, gpu.reason);
    }
    beside_cancel(&early);
    if (safe && judged && !road->interrupted)
        add_gates(road, sim, judged);
    if (judged && !road->interrupted)
        road_note_others(road, judged);
    if (stage_passed(sim, "numerics") && road->request->page && !road->interrupted)
        road_write_page(road);
    run_free(&simulated);
    run_free(&gpu);
}
