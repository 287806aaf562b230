/* counters.c - the timed case on the simulated device: counters against bars, and a modelled time.
 *
 * The device counts the same PTX everywhere, so these figures are the same on every machine. The
 * launch that is counted is verified like any other: no fast nonsense gets past this gate.
 *
 * The case is the one that a GPU is timed with, if some blocks can stand for all (large.h); where
 * they cannot (the blocks share atomics, say), it is a smaller one, all of whose blocks run, and
 * the record says why.
 */
#include "check/examine/bars.h"
#include "check/examine/data.h"
#include "check/examine/every_case.h"
#include "check/examine/facts.h"
#include "check/examine/figures.h"
#include "check/examine/large.h"
#include "check/examine/spread.h"
#include "check/examine/stages.h"
#include "check/files.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* A timed case may take this many times the reference's instructions, and some. */
enum { PATIENCE = 64 };
#define STEP_BUDGET_BASE UINT64_C(1000000000)

/* The same blocks in every check: what a kernel costs is no matter of luck, and the reference's
 * figures may be those of an earlier check. */
enum { SAMPLING_SEED = 1 };

/* --- Measuring -------------------------------------------------------------------------------- */

struct measured {
    struct figures figures;
    struct simgpu_report *report;      /* the figures' texts lie in it */
};

/* A timed case, and how it is run. */
struct timed {
    const struct judge_case *problem;
    uint64_t seed;
    bool sampled;                      /* some blocks of each launch, and why that cannot be: */
    char unsampled[128];
};

static void forget(struct lab *lab, struct measured *measured)
{
    if (measured->report)
        lab->simgpu->report_free(measured->report);
    measured->report = NULL;
}

static bool is_right(struct lab *lab, struct room *room, const struct prepared *prepared,
                     struct finding *finding)
{
    struct comparison comparison;
    size_t buffer;
    unsigned char *after = malloc(prepared->image.total_bytes);
    bool right = after && room_read(lab, room, after, prepared->image.total_bytes) &&
                 verify(prepared, after, IMAGE_POISON_NAN, &comparison, &buffer, finding);
    free(after);
    return right;
}

/* All blocks. */
static bool measure_whole(struct lab *lab, struct link *link, struct timed *timed,
                          const struct figures_reference *reference, struct measured *measured,
                          struct finding *finding)
{
    struct prepared prepared;
    struct runner_command command = {
        .launch = {.problem = *timed->problem, .sets = 1, .launches = 1}};
    struct runner_answer answer;
    struct room room = {.size_bytes = 0};
    bool done = prepare(lab, timed->problem, timed->seed, &prepared, finding);
    const struct image *image = &prepared.image;
    if (done) {
        image_poison(&prepared.image, IMAGE_POISON_NAN);
        done = room_open(lab, 0, image->total_bytes, &room, finding);
    }
    lab_places(image, 0, &command.launch.set[0]);
    done = done && room_write(lab, &room, image->bytes, image->total_bytes) &&
           link_open(link, 0, &room.open) && lab_settle(lab, link, finding) &&
           lab_launch(lab, link, &command, &answer, finding) &&
           lab->simgpu->report(&measured->report) == SIMGPU_OK;
    if (done) {
        bars_read(lab, timed->problem, measured->report, reference, &measured->figures);
        done = is_right(lab, &room, &prepared, finding);
    }
    if (room.size_bytes && link->pid)
        link_close(link, 0);
    room_close(lab, &room);
    prepared_free(&prepared);
    return done;
}

/* Some blocks. False without a finding when they cannot stand for all: timed says why. */
static bool measure_some(struct lab *lab, struct link *link, struct timed *timed,
                         const struct figures_reference *reference, struct measured *measured,
                         struct finding *finding)
{
    struct spread spread;
    struct runner_command command;
    struct runner_answer answer;
    struct comparison comparison;
    size_t buffer;
    bool done = spread_open(lab, timed->problem, timed->seed, &spread, finding);
    if (done)
        spread_command(link, &spread, &command);
    done = done && lab_settle(lab, link, finding) &&
           (lab_launch(lab, link, &command, &answer, finding), true) &&
           lab->simgpu->report(&measured->report) == SIMGPU_OK;
    if (done && measured->report->unsampled[0]) {
        snprintf(timed->unsampled, sizeof timed->unsampled, "%s", measured->report->unsampled);
        *finding = (struct finding){.verdict = VERDICT_PASS};
        lab_stop(lab, link);
        done = false;
    } else if (done && finding->verdict == VERDICT_PASS) {
        bars_read(lab, timed->problem, measured->report, reference, &measured->figures);
        done = spread_verify(lab, &spread, large_most_elements(lab, timed->problem), &comparison,
                             &buffer, finding);
    }
    spread_close(lab, link, &spread);
    return done && finding->verdict == VERDICT_PASS;
}

/* Run the case once on link, verify what it left, and read the counters. */
static bool measure(struct lab *lab, struct link *link, struct timed *timed,
                    const struct figures_reference *reference, struct measured *measured,
                    struct finding *finding)
{
    bool done = (timed->sampled ? measure_some : measure_whole)(lab, link, timed, reference,
                                                               measured, finding);
    if (!done && finding->verdict == VERDICT_PASS && !timed->unsampled[0])
        finding_set(finding, VERDICT_DEVICE, "the device does not answer");
    return done;
}

/* --- The reference ---------------------------------------------------------------------------- */

static json_t *reference_json(const struct figures_reference *sums)
{
    return json_pack("{s:f, s:f, s:f, s:f}", "warp_instructions", sums->warp_instructions,
                     "load_bytes", sums->load_bytes, "asked_bytes", sums->asked_bytes,
                     "modelled_ns", sums->modelled_ns);
}

static double real_of(const json_t *object, const char *key)
{
    const json_t *value = json_object_get(object, key);
    return json_is_number(value) ? json_number_value(value) : NAN;
}

/* Of launches that may take so many thread instructions; 0 for any number. */
static void set_options(struct lab *lab, const struct timed *timed, bool what_if,
                        uint64_t step_budget)
{
    struct simgpu_options options = {.count = true, .what_if = what_if,
                                     .what_if_fewer = what_if};
    if (timed->sampled)
        options.sampling = large_options(lab, timed->problem, SAMPLING_SEED).sampling;
    options.step_budget = step_budget;
    lab->simgpu->set_options(&options);
}

/* From what was kept of an earlier check, or by running the reference now. */
static bool know_reference(struct lab *lab, const json_t *kept, struct timed *timed,
                           struct figures_reference *reference, struct finding *finding)
{
    struct measured measured = {.report = NULL};
    struct link *link = calloc(1, sizeof *link);
    *reference = (struct figures_reference){real_of(kept, "warp_instructions"),
                                            real_of(kept, "load_bytes"),
                                            real_of(kept, "asked_bytes"),
                                            real_of(kept, "modelled_ns")};
    bool known = isfinite(reference->modelled_ns);
    if (!known && link) {
        lab_progress("counting the reference");
        set_options(lab, timed, false, 0);
        known = lab_start(lab, link, lab->reference, finding) &&
                measure(lab, link, timed, reference, &measured, finding);
        link_stop(link);
        *reference = measured.figures.sums;
        forget(lab, &measured);
    }
    if (!known && !timed->unsampled[0]) /* whatever it was, it is not the learner's fault */
        finding->verdict = VERDICT_INTERNAL;
    free(link);
    return known;
}

/* --- The gate --------------------------------------------------------------------------------- */

static json_t *counters_json(const double counter[JUDGE_COUNTERS])
{
    json_t *object = json_object();
    for (int i = 1; i < JUDGE_COUNTERS; i++)
        if (!isnan(counter[i]))
            json_object_set_new(object, counter_name((enum judge_counter)i),
                                json_real(counter[i]));
    return object;
}

/* The line to blame for the counter, or for the time when none was missed. */
static void name_line(const struct lab *lab, const struct measured *measured,
                      enum judge_counter counter, json_t *result)
{
    struct path file = path_of("%s.cu", strchr(lab->judge->lesson, '_') + 1);
    char text[256], time[256], gain[160];
    size_t count = 0;
    struct simgpu_line *lines = figures_lines(measured->report, file.text, &count);
    const struct simgpu_line *worst = figures_worst(lines, count, counter);
    if (worst) {
        double own[JUDGE_COUNTERS];
        figures_of_line(worst, own);
        figures_say(lines, count, worst, counter, text, sizeof text);
        figures_say_time(measured->report, lines, count, worst, time, sizeof time);
        figures_say_gain(measured->report, worst, gain, sizeof gain);
        json_object_set_new(result, "worst_line",
                            json_pack("{s:s, s:i, s:s, s:s, s:s, s:o}", "file",
                                      path_base(worst->place.file), "line",
                                      (int)worst->place.line, "says", text, "time", time,
                                      "gain", gain, "counters", counters_json(own)));
        json_object_set_new(json_object_get(result, "worst_line"), "facts",
                            facts_of_line(worst));
    }
    free(lines);
}

static json_t *modelled_json(const struct lab *lab, const struct judge_case *problem,
                             const struct measured *measured,
                             const struct figures_reference *reference)
{
    struct judge_work work = lab->judge->work(problem);
    const struct simgpu_report *report = measured->report;
    uint64_t blocks = 0, run = 0;
    double time_ns = fmax(measured->figures.sums.modelled_ns, 1); /* no kernel: truth said so */
    for (size_t i = 0; i < report->launch_count; i++) {
        blocks += report->launches[i].blocks;
        run += report->launches[i].blocks_run;
    }
    return json_pack("{s:s, s:s, s:f, s:f, s:f, s:f, s:f, s:f, s:s, s:I, s:I}", "case",
                     problem->name, "launcher", lab->judge->launchers[problem->launcher],
                     "time_ns", time_ns, "reference_ns", reference->modelled_ns, "ratio",
                     reference->modelled_ns / time_ns, "bytes", work.bytes, "flop", work.flop,
                     "tensor_flop", work.tensor_flop, "bound", measured->figures.bound, "blocks",
                     (json_int_t)blocks, "blocks_run", (json_int_t)run);
}

/* Judge one timed case; outcome gets what its launch showed. */
static void judge_case(struct lab *lab, struct timed *timed,
                       const struct figures_reference *reference, json_t *outcome,
                       struct finding *finding)
{
    struct measured measured = {.report = NULL};
    double budget = PATIENCE * 32 * reference->warp_instructions;
    set_options(lab, timed, true, STEP_BUDGET_BASE + (uint64_t)budget);
    lab_progress("counting");
    if ((lab->link.pid || lab_start(lab, &lab->link, lab->submission, finding)) &&
        measure(lab, &lab->link, timed, reference, &measured, finding)) {
        json_t *list = json_array(), *remarks = json_array();
        const struct bars_call call = {timed->problem, &measured.figures, measured.report,
                                       reference->modelled_ns};
        struct bars_refused refused = bars_hold(lab->judge, &call, list, remarks, finding);
        json_object_set_new(outcome, "figures", list);
        json_object_set_new(outcome, "remarks", remarks);
        if (refused.counter != JUDGE_COUNTER_NONE)
            json_object_set_new(outcome, refused.is_rule ? "broken_rule" : "refused",
                                json_string(counter_name(refused.counter)));
        json_object_set_new(outcome, "all", counters_json(measured.figures.counter));
        json_object_set_new(outcome, "modelled",
                            modelled_json(lab, timed->problem, &measured, reference));
        json_object_set_new(outcome, "kernel", facts_of_kernel(measured.report));
        name_line(lab, &measured, refused.counter, outcome);
    }
    forget(lab, &measured);
}

/* The outcome of one case; references gets what the reference took. */
static json_t *count_case(struct lab *lab, struct timed *timed, const json_t *kept,
                          json_t *references, struct finding *finding)
{
    struct figures_reference reference;
    const char *name = timed->problem->name;
    json_t *outcome = json_pack("{s:s}", "case", name);
    if (know_reference(lab, json_object_get(kept, name), timed, &reference, finding)) {
        json_object_set_new(references, name, reference_json(&reference));
        judge_case(lab, timed, &reference, outcome, finding);
    }
    json_object_set_new(outcome, "verdict", json_string(verdict_name(finding->verdict)));
    return outcome;
}

/* The case that a GPU is timed with, of the same launcher; NULL when there is none, or when it
 * cannot be sampled. */
static const struct judge_case *of_real_size(const struct lab *lab,
                                             const struct judge_case *small,
                                             struct judge_case *cases)
{
    struct judge_device gpu = lab->device;
    gpu.simulated = false;
    size_t count = lab->judge->timed(&gpu, cases, MOST_TIMED_CASES);
    if (!lab->judge->truth_at || lab->shared)
        return NULL;
    for (size_t i = 0; i < count; i++)
        if (cases[i].launcher == small->launcher && cases[i].processes <= 1)
            return &cases[i];
    return NULL;
}

struct gate {
    struct lab *lab;
    const json_t *kept;
    json_t *list, *references;         /* outcomes of cases; what the reference took in each */
    struct finding first;              /* of the first case that has one, which is number shown */
    size_t shown;
};

/* The record and the report say that this is a smaller case than a GPU's, and why. */
static void note_unsampled(json_t *outcome, const char *why)
{
    json_t *modelled = json_object_get(outcome, "modelled");
    if (modelled)
        json_object_set_new(modelled, "unsampled", json_string(why));
}

/* Count a case, and add its outcome unless it cannot be sampled. unsampled: why a larger one could
 * not; or empty. False when nothing more is to be launched. */
static bool add_case(struct gate *gate, struct timed *timed, const char *unsampled)
{
    struct finding finding = {.verdict = VERDICT_PASS};
    json_t *outcome = count_case(gate->lab, timed, gate->kept, gate->references, &finding);
    if (timed->unsampled[0]) {
        json_decref(outcome);
        return true;
    }
    if (*unsampled)
        note_unsampled(outcome, unsampled);
    json_array_append_new(gate->list, outcome);
    if (gate->first.verdict == VERDICT_PASS && finding.verdict != VERDICT_PASS) {
        gate->first = finding;
        gate->shown = json_array_size(gate->list) - 1;
    }
    return finding.verdict == VERDICT_PASS || finding.verdict == VERDICT_SLOW;
}

/* At the size of a GPU's case, if some blocks can stand for all; else, or if the lesson wants both,
 * at the smaller one. */
static bool add_launcher(struct gate *gate, const struct judge_case *small, uint64_t seed)
{
    struct judge_case cases[MOST_TIMED_CASES];
    struct timed whole = {.problem = small, .seed = seed};
    struct timed some = {.problem = of_real_size(gate->lab, small, cases), .seed = seed,
                         .sampled = true};
    bool small_too = gate->lab->judge->small_too;
    if (small_too && !add_case(gate, &whole, ""))
        return false;
    if (some.problem && !add_case(gate, &some, ""))
        return false;
    if (small_too && some.unsampled[0])
        note_unsampled(json_array_get(gate->list, json_array_size(gate->list) - 1),
                       some.unsampled);
    bool is_judged = some.problem && !some.unsampled[0];
    return is_judged || small_too || add_case(gate, &whole, some.unsampled);
}

/* The gate's finding is the first case's that has one; "shown" says which case that is. */
json_t *counters_stage(struct lab *lab, const json_t *kept)
{
    struct judge_case cases[MOST_TIMED_CASES];
    struct gate gate = {.lab = lab, .kept = kept, .list = json_array(),
                        .references = json_object(), .first = {.verdict = VERDICT_PASS}};
    size_t count = judged_cases(lab, cases, MOST_TIMED_CASES);
    if (count == 0)
        finding_set(&gate.first, VERDICT_INTERNAL, "the lesson has no timed case");
    for (size_t i = 0; i < count; i++)
        if (!add_launcher(&gate, &cases[i], data_seed(lab->seed, lab->judge->case_count + i)))
            break;
    bool small_ones_hold =
        gate.first.verdict != VERDICT_PASS || every_case_holds(lab, &gate.first);
    json_t *result = finding_json(&gate.first);
    json_object_set_new(result, "cases", gate.list);
    json_object_set_new(result, "shown", json_integer((json_int_t)gate.shown));
    json_t *rule = json_object_get(json_array_get(gate.list, gate.shown), "broken_rule");
    if (rule)
        json_object_set(result, "broken_rule", rule);
    if (!small_ones_hold) {
        json_object_set_new(result, "broken_rule",
                            json_string(counter_name(lab->missed_bar->counter)));
        json_object_set_new(result, "broken_in_small", json_true());
    }
    json_object_set_new(result, "reference", gate.references);
    return result;
}
