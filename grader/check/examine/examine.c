/* examine.c - the trusted half of a check: owns buffers, truth, clock and device, and judges.
 *
 * It is an ordinary CUDA program. Started directly it runs on the GPU; started by `simgpu run` it
 * runs on the simulated device, and can then ask it what the kernels did. It reads one job, JSON,
 * from its standard input, writes lines of JSON to fd 3 (progress, and last {"result": ...}), and
 * never maps a submission's code: runners do that (link.h).
 *
 * A job: {"lesson": "01_coalescing", "stages": ["safety", "numerics", ...], "submission": path,
 *         "reference": path, "runner": path, "sandbox": "bubblewrap", "ipc": true,
 *         "seed": "0x...", "pretend_zeros": false, "evidence": {...},
 *         "reference_figures": {...} of the stage "reference", which runs in a job of its own,
 *         "turn": path of turn.h's file, on a GPU, "endless": false, "as_gpu": false,
 *         "only": a launcher's name or "", "others": false, "half": 0, "for_page": false,
 *         "bar": of the class, "delta": its tolerance; each 0 or absent for the usual}
 *
 * half: which small cases. 0: all; 1: every second one, from the first one on; 2: the others.
 *
 * only: the cases of that launcher alone (only.h). others: if a launcher is wrong, examine the
 * others as well (others.h), as "others" of the result.
 *
 * as_gpu: a simulated device is used as if it were a GPU, and not queried. For tests of timing.
 *
 * Stages: describe, reference, safety, numerics, counters, timing, noise, probes, recognise; see
 * stages.h. A stage whose verdict is not PASS does not keep later ones from running, since their
 * figures are shown as information; but nothing more is launched once safety or numerics has
 * failed. Something that the simulated device does not know is not a failure of safety: numerics
 * may show that results were wrong before.
 *
 *     examine --judges      prints what warpquest needs to know of all lessons, as JSON
 */
#include "check/examine/again.h"
#include "check/examine/drawn.h"
#include "check/examine/only.h"
#include "check/examine/others.h"
#include "check/examine/stages.h"

#include "lib/process.h"

#include <malloc.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* --- What the judges say about themselves
 * -------------------------------------------------------- */

static json_t *judge_json(const struct judge *judge)
{
    json_t *mistakes = json_array(), *hints = json_array();
    for (size_t i = 0; judge->mistakes && i < judge->mistakes->count; i++) {
        const struct judge_mistake *mistake = &judge->mistakes->rows[i];
        json_array_append_new(
            mistakes, json_pack("{s:s, s:s}", "name", mistake->name, "hint", mistake->hint));
    }
    for (size_t i = 0; judge->hints && i < 3 && judge->hints[i]; i++)
        json_array_append_new(hints, json_string(judge->hints[i]));
    return json_pack(
        "{s:s, s:s, s:o, s:o, s:b, s:s?, s:o, s:o, s:f, s:f, s:f, s:f, s:s?, s:o, s:o, s:b, s:b, "
        "s:b}",
        "lesson", judge->lesson, "title", judge->title, "launchers",
        describe_texts(judge->launchers), "libraries", describe_texts(judge->libraries),
        "passes_as_shipped", judge->passes_as_shipped, "as_shipped", judge->as_shipped, "hints",
        hints, "mistakes", mistakes, "utilization_bar", judge->utilization_bar, "modelled_bar",
        judge->modelled_bar, "gold_bar", judge->gold_bar, "gold_of_ladder", judge->gold_of_ladder,
        "ceiling", judge->ceiling, "contract", describe_contract(judge), "parts", only_parts(judge),
        "has_large", judge->large_count > 0, "in_order", judge->in_order, "by_time_line",
        judge->by_time_line);
}

static int print_judges(void)
{
    const struct judge *const *list;
    size_t count = judge_all(&list);
    json_t *array = json_array();
    for (size_t i = 0; i < count; i++)
        json_array_append_new(array, judge_json(list[i]));
    int failed = json_dumpf(array, stdout, JSON_INDENT(1)) != 0 || putchar('\n') == EOF;
    json_decref(array);
    return failed;
}

enum { LEAST_COMPUTE_MAJOR = 8 };

/* --- The job ---------------------------------------------------------------------------------- */

static const char *text_of_json(const json_t *text)
{
    return json_is_string(text) ? json_string_value(text) : "";
}

static const char *text_of(const json_t *job, const char *key)
{
    return text_of_json(json_object_get(job, key));
}

static json_t *device_json(const struct lab *lab)
{
    return json_pack("{s:s, s:b, s:i, s:f, s:f, s:b, s:b}", "name", lab->device_name, "simulated",
                     lab->device.simulated, "compute", lab->compute_major * 10 + lab->compute_minor,
                     "memory_bytes", (double)lab->device.memory_bytes, "l2_bytes",
                     (double)lab->device.l2_bytes, "ipc", !lab->shared, "display",
                     lab->has_display);
}

/* For one launcher alone that has no timed case, these do nothing. */
static bool is_empty(const struct lab *lab, const char *stage)
{
    bool is_of_time = strcmp(stage, "counters") == 0 || strcmp(stage, "timing") == 0;
    return is_of_time && lab->judge->timed && !only_is_timed(lab->judge, &lab->device);
}

/* The names of a stage: "small" is numerics without the large cases. */
static bool is_small(const char *stage)
{
    return strcmp(stage, "safety") == 0 || strcmp(stage, "numerics") == 0 ||
           strcmp(stage, "small") == 0;
}

static bool is_asked_for(const json_t *job, const char *name)
{
    size_t i;
    json_t *stage;
    json_array_foreach (json_object_get(job, "stages"), i, stage)
        if (strcmp(text_of_json(stage), name) == 0)
            return true;
    return false;
}

static json_t *run_small(struct lab *lab, const json_t *job)
{
    bool zeros = json_is_true(json_object_get(job, "pretend_zeros"));
    struct small_asked asked = {.safety = lab->simgpu && is_asked_for(job, "safety"),
                                .numerics =
                                    is_asked_for(job, "numerics") || is_asked_for(job, "small"),
                                .large = is_asked_for(job, "numerics") && !zeros,
                                .pretend_zeros = zeros,
                                .half = (unsigned)json_integer_value(json_object_get(job, "half"))};
    return small_stage(lab, &asked);
}

static json_t *run_stage(struct lab *lab, const json_t *job, const char *stage)
{
    if (is_empty(lab, stage))
        return json_pack("{s:s, s:s, s:b}", "verdict", verdict_name(VERDICT_PASS), "reason",
                         "this launcher is not timed", "untimed", true);
    if (is_small(stage) && (lab->simgpu || strcmp(stage, "numerics") == 0))
        return run_small(lab, job);
    if (strcmp(stage, "large") == 0)
        return large_stage(lab);
    if (strcmp(stage, "calls") == 0)
        return calls_stage(lab);
    if (strcmp(stage, "reference") == 0 && lab->simgpu)
        return reference_stage(lab);
    if (strcmp(stage, "counters") == 0 && lab->simgpu)
        return counters_stage(lab, json_object_get(job, "reference_figures"));
    if (strcmp(stage, "timing") == 0)
        return timing_stage(lab);
    if (strcmp(stage, "noise") == 0)
        return noise_stage(lab, json_object_get(job, "noise"));
    if (strcmp(stage, "probes") == 0)
        return probes_stage(lab);
    return json_pack("{s:s, s:s}", "verdict", verdict_name(VERDICT_INTERNAL), "reason",
                     "there is no such stage on this device");
}

/* After these nothing more is launched: the submission does harm, or its figures are
 * meaningless. */
static bool ends_examination(const char *stage, const json_t *outcome)
{
    const char *verdict = text_of(outcome, "verdict");
    bool is_safety = strcmp(stage, "safety") == 0;
    bool passed = strcmp(verdict, verdict_name(VERDICT_PASS)) == 0;
    bool unknown = strcmp(verdict, verdict_name(VERDICT_NOT_SIMULATED)) == 0;
    bool is_numerics = strcmp(stage, "numerics") == 0 || strcmp(stage, "large") == 0;
    return !passed && !(is_safety && unknown) && (is_safety || is_numerics);
}

struct call {
    const json_t *job;
    const char *stage;
};

static json_t *call_stage(struct lab *lab, void *context)
{
    const struct call *call = context;
    return run_stage(lab, call->job, call->stage);
}

/* Run a stage, and the one that belongs to it. False when nothing more may be launched. */
static bool add_stage(struct lab *lab, const json_t *job, const char *name, json_t *result)
{
    static const char *const SMALL[] = {"safety", "numerics"};
    int64_t start_ns = process_now_ns();
    json_t *outcome = again_run(lab, call_stage, &(struct call){job, name});
    double seconds = (double)(process_now_ns() - start_ns) * 1e-9;
    bool goes_on = true;
    size_t parts = is_small(name) ? 2 : 1;
    for (size_t i = 0; i < parts && goes_on; i++) {
        const char *part = is_small(name) ? SMALL[i] : name;
        json_t *own = is_small(name) ? json_object_get(outcome, part) : outcome;
        if (!own)
            continue;
        json_object_set_new(own, "seconds", json_real(seconds / (double)parts));
        json_object_set(result, part, own);
        goes_on = !ends_examination(part, own);
    }
    json_decref(outcome);
    return goes_on;
}

static bool has_run(const json_t *result, const char *stage)
{
    return json_object_get(result, strcmp(stage, "small") == 0 ? "numerics" : stage) != NULL;
}

static void run_stages(struct lab *lab, const json_t *job, json_t *result)
{
    size_t i;
    json_t *stage;
    json_array_foreach (json_object_get(job, "stages"), i, stage) {
        const char *name = text_of_json(stage);
        if (strcmp(name, "describe") == 0 || has_run(result, name))
            continue;
        if (!add_stage(lab, job, name, result))
            break;
    }
}

static bool wants_only(const json_t *job, const char *stage)
{
    const json_t *stages = json_object_get(job, "stages");
    const char *first = json_string_value(json_array_get(stages, 0));
    return json_array_size(stages) == 1 && first && strcmp(first, stage) == 0;
}

static void examine(struct lab *lab, const json_t *job, json_t *result)
{
    char reason[256] = "";
    const char *only = text_of(job, "only");
    lab->judge = judge_named(text_of(job, "lesson"));
    lab->seed = strtoull(text_of(job, "seed"), NULL, 0);
    if (lab->judge)
        lab->judge = drawn_judge(lab->judge, lab->seed);
    if (lab->judge && *only)
        lab->judge = only_judge(lab->judge, only);
    lab->submission = text_of(job, "submission");
    lab->reference = text_of(job, "reference");
    lab->probe = text_of(job, "probe");
    lab->bar = json_number_value(json_object_get(job, "bar"));
    lab->delta = json_number_value(json_object_get(job, "delta"));
    lab->endless = json_is_true(json_object_get(job, "endless"));
    lab->for_page = json_is_true(json_object_get(job, "for_page"));
    lab->runner = (struct link_spec){.runner = text_of(job, "runner"),
                                     .lesson = text_of(job, "lesson"),
                                     .sandbox = sandbox_kind_named(text_of(job, "sandbox")),
                                     .shared_fd = -1,
                                     .handed_fd = -1};
    lab->shared_fd = lab->handed_fd = -1;
    turn_open(&lab->turn, text_of(job, "turn"));
    if (!lab->judge && !wants_only(job, "describe")) {
        json_object_set_new(result, "error", json_string("the lesson has no judge"));
        return;
    }
    if (wants_only(job, "recognise")) { /* needs no device */
        json_object_set_new(result, "mistake",
                            recognise_stage(lab->judge, json_object_get(job, "evidence")));
        return;
    }
    turn_share(&lab->turn);
    if (!lab_find_device(lab, !json_is_false(json_object_get(job, "ipc")), reason, sizeof reason)) {
        json_object_set_new(result, "no_device", json_string(reason));
        return;
    }
    if (lab->compute_major < LEAST_COMPUTE_MAJOR) { /* of what build.c compiles for */
        json_object_set_new(result, "no_device",
                            json_string("this GPU is older than the one that lessons are compiled "
                                        "for (compute capability 8.0); DEVICE=sim judges without "
                                        "it"));
        return;
    }
    if (!lab_admit(lab, lab->submission, reason, sizeof reason) ||
        !lab_admit(lab, lab->reference, reason, sizeof reason) ||
        !lab_admit(lab, lab->probe, reason, sizeof reason)) {
        json_object_set_new(result, "no_device", json_string(reason));
        return;
    }
    if (json_is_true(json_object_get(job, "as_gpu")))
        lab->simgpu = NULL;
    json_object_set_new(result, "device", device_json(lab));
    run_stages(lab, job, result);
    if (json_is_true(json_object_get(job, "others")))
        json_object_set_new(result, "others", others_examine(lab, job, result, run_stages));
}

/* Cases are made and compared in buffers of some megabytes, again and again: freed memory stays in
 * the process, since getting new memory costs more than filling it; and memory that one thread
 * allocates and another one frees is available to both. */
static void keep_memory(void)
{
    mallopt(M_ARENA_MAX, 1);
    mallopt(M_MMAP_THRESHOLD, 32 << 20);
    mallopt(M_TRIM_THRESHOLD, 1 << 30);
}

int main(int argc, char **argv)
{
    keep_memory();
    if (argc == 2 && strcmp(argv[1], "--judges") == 0)
        return print_judges();
    json_error_t error;
    json_t *job = json_loadf(stdin, 0, &error), *result = json_object();
    struct lab *lab = calloc(1, sizeof *lab);
    if (!job || !lab) {
        fprintf(stderr,
                "examine: the job is not JSON (line %d: %s); warpquest starts this "
                "program\n",
                error.line, error.text);
        return 64;
    }
    examine(lab, job, result);
    lab_stop(lab, &lab->link);
    if (lab->log)
        json_object_set(result, "log", lab->log);
    json_object_set_new(result, "log_capped", json_boolean(lab->log_capped));
    lab_close(lab);
    json_object_set_new(result, "waited", json_real(lab->turn.waited_seconds));
    lab_say(json_pack("{s:o}", "result", result));
    json_decref(job);
    free(lab);
    return 0;
}
