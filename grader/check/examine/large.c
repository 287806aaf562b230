/* large.c - tests what a contract says about 2^31 elements and more.
 *
 * On the simulated device some blocks of each launch run (simgpu.h), over memory that is created
 * where it is touched; what they wrote must be right, and some block must write each element. On a
 * GPU all blocks run, if there is memory for the case, and windows of the outputs are read. A case
 * that cannot be judged is reported, and costs no points.
 */
#include "check/examine/large.h"

#include "check/examine/coverage.h"
#include "check/examine/data.h"
#include "check/examine/every_case.h"
#include "check/examine/spread.h"
#include "check/examine/stages.h"
#include "check/examine/truth.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Blocks of a listed case, and of a drawn one; there are several drawn cases for each listed
 * one. */
enum { BLOCKS = 64, DRAWN_BLOCKS = 24 };
/* Thread instructions: the usual budget, one or two tenths of a second; and the most for a large
 * case, a few seconds: each block of a grid that the device holds at once does a thousandth of
 * it. */
static const uint64_t STEPS = UINT64_C(1) << 25, MOST_STEPS = UINT64_C(1) << 31;
/* Thread instructions that a launch may take for each element and operation of the case; and the
 * least for any launch, above MOST_STEPS: a launch that takes longer than a case may is left
 * unjudged, not called endless. A block that walks along a row of 1,000,000 in tiles of 64 x 64
 * takes 1.2e9. */
enum { PATIENCE = 64 };
static const double LEAST_PATIENCE = 0x1p32;
/* Thread instructions for the cases of which all blocks run. Once another case has been left to a
 * GPU, these can only show an error, and about one of them is tried. */
static const uint64_t ENOUGH_STEPS = UINT64_C(1) << 28;
/* The same for each sum of many elements: a whole block of 1024 threads may compute it, however few
 * its elements are. */
enum { PATIENCE_OF_A_SUM = 1024 * 256 };
/* Operations for the truth: they take half a second or less. */
static const double MOST_OPERATIONS = 0x1p28;
/* Share of a GPU's free memory. */
static const double MEMORY_SHARE = 0.8;
/* Which a case does not use itself. */
enum { GROUND_SLOT = RUNNER_MOST_SLOTS - 1 };
/* On a GPU a good answer takes a tenth of a second, and opening the memory about as long. */
enum { GPU_DEADLINE_MS = 3000 };

/* How many outputs are sums over several inputs; 0 if each input has an output of its own. */
static double sums_of(const struct image *image)
{
    uint64_t inputs = 0, outputs = 0;
    for (size_t i = 0; i < image->count; i++) {
        uint64_t count = image->part[i].buffer.count;
        if (image_is_output(&image->part[i]))
            outputs += count;
        else
            inputs = count > inputs ? count : inputs;
    }
    return inputs > outputs ? (double)outputs : 0;
}

struct simgpu_options large_options(const struct lab *lab, const struct judge_case *problem,
                                    uint64_t seed)
{
    struct judge_work work = lab->judge->work(problem);
    double operations = work.bytes / 4 + work.flop + work.tensor_flop;
    struct image image;
    uint64_t most = 0;
    image_layout(lab->judge, problem, IMAGE_ALIGNMENT, &image);
    double patience = PATIENCE * operations + PATIENCE_OF_A_SUM * sums_of(&image);
    struct simgpu_options options = {.count = true, /* which lines store: stray.h */
                                     .step_budget =
                                         (uint64_t)fmax(patience, LEAST_PATIENCE) + STEPS,
                                     .hold_back = true,
                                     .sampling = {.blocks = problem->drawn ? DRAWN_BLOCKS : BLOCKS,
                                                  .steps = STEPS,
                                                  .most_steps = MOST_STEPS,
                                                  .seed = seed}};
    for (size_t i = 0; i < image.count; i++)
        most = image.part[i].buffer.count > most ? image.part[i].buffer.count : most;
    for (int i = 0; i < SIMGPU_SAMPLE_PLACES; i++) /* where an index of 31 to 34 bits ends */
        options.sampling.around[i] = (double)(UINT64_C(1) << (31 + i)) / (double)(most + 1);
    return options;
}

uint64_t large_most_elements(const struct lab *lab, const struct judge_case *problem)
{
    return truth_elements(lab->judge, problem, MOST_OPERATIONS);
}

/* --- Coverage --------------------------------------------------------------------------------- */

/* Say that no block writes `wrong` of the elements, of which `element` is the first; count if that
 * is unknown. */
static void note_gap(const struct spread *spread, size_t part, uint64_t element, uint64_t wrong,
                     const char *why, struct finding *finding)
{
    const struct image_part *of = &spread->image.part[part];
    uint64_t count = of->buffer.count;
    if (element == count)
        finding_set(finding, VERDICT_WRONG,
                    "case %s: no block writes some of the %llu elements of "
                    "%s: %s",
                    spread->problem->name, (unsigned long long)count, of->buffer.name, why);
    else
        finding_set(finding, VERDICT_WRONG, "case %s: no block writes %s[%llu] of %llu: %s",
                    spread->problem->name, of->buffer.name, (unsigned long long)element,
                    (unsigned long long)count, why);
    snprintf(finding->advice, sizeof finding->advice,
             "follow n into the number of blocks and the index: is a cap or a type too small?");
    enum compare_pattern pattern = wrong == count             ? COMPARE_ALL
                                   : element + wrong == count ? COMPARE_TAIL
                                                              : COMPARE_SCATTERED;
    struct comparison comparison = {.total = count,
                                    .looked_at = count,
                                    .wrong = wrong,
                                    .first_wrong = element,
                                    .last_wrong = count - 1,
                                    .unwritten = wrong,
                                    .pattern = pattern,
                                    .got = NAN,
                                    .want = 0,
                                    .largest_error = INFINITY};
    finding_wrong(finding, of->buffer.name, &comparison);
}

bool large_is_covered(struct lab *lab, const struct simgpu_report *report,
                      const struct spread *spread, struct finding *finding)
{
    for (size_t i = 0; i < spread->image.count; i++) {
        const struct image_part *part = &spread->image.part[i];
        struct stretches stretches;
        char why[160];
        uint64_t element;
        if (!image_is_output(part) || part->buffer.optional ||
            !spread_stretches(lab, spread, part->home, &stretches))
            continue;
        const struct coverage_output output = {
            .address = (uint64_t)(uintptr_t)spread->rooms[part->home].device,
            .offset = spread->problem->offset_bytes[part->home],
            .count = part->buffer.count,
            .element_bytes = judge_type_bytes(part->buffer.type),
            .touched = stretches.list,
            .touched_count = stretches.count,
            .is_input = part->home != i || part->buffer.role == JUDGE_INOUT,
            .by_chance = !spread->is_timed,
            .is_timed = spread->is_timed && !spread->is_drawn};
        enum coverage found = part->buffer.count
                                  ? coverage_of(report, &output, &element, why, sizeof why)
                                  : COVERAGE_NO_GAP;
        free(stretches.list);
        if (found == COVERAGE_UNKNOWN)
            return finding_set(finding, VERDICT_NOT_SIMULATED, "%s", why);
        if (found == COVERAGE_GAP) {
            uint64_t count = part->buffer.count;
            note_gap(spread, i, element, element < count ? count - element : count, why, finding);
            return false;
        }
    }
    return true;
}

/* On a GPU every block ran, so unwritten elements are found directly. */
static bool is_all_written(struct spread *spread, struct finding *finding)
{
    for (size_t i = 0; i < spread->image.count; i++) {
        struct device_found found;
        char why[64];
        if (!spread_unwritten(spread, i, &found))
            return finding_set(finding, VERDICT_DEVICE, "the device does not search its memory");
        if (found.count == 0)
            continue;
        snprintf(why, sizeof why, "%llu elements are as they were before",
                 (unsigned long long)found.count);
        note_gap(spread, i, found.first, found.count, why, finding);
        return false;
    }
    return true;
}

/* --- A case ----------------------------------------------------------------------------------- */

static void note_blocks(const struct simgpu_report *report, json_t *entry)
{
    uint64_t blocks = 0, run = 0;
    for (size_t i = 0; i < report->launch_count; i++) {
        blocks += report->launches[i].blocks;
        run += report->launches[i].blocks_run;
    }
    json_object_set_new(entry, "blocks", json_integer((json_int_t)blocks));
    json_object_set_new(entry, "blocks_run", json_integer((json_int_t)run));
}

static void leave_unjudged(struct large *large, json_t *entry, const char *why)
{
    large->unjudged++;
    json_object_set_new(entry, "unjudged", json_string(why));
}

static bool verify_case(struct lab *lab, struct spread *spread, const struct simgpu_report *report,
                        struct large *large, struct finding *finding)
{
    struct comparison comparison = {.total = 0};
    size_t buffer = 0;
    bool right = spread_verify(lab, spread, report, large_most_elements(lab, spread->problem),
                               &comparison, &buffer, finding);
    if (right && comparison.worst_share > large->worst_share) {
        large->worst_share = comparison.worst_share;
        large->worst_case = spread->problem->name;
    }
    return right;
}

/* Faults of kernels and refused launches are the submission's own at any size. If its host code
 * fails (on arrays that it copies, or for lack of memory in a sandbox), it has already broken a
 * rule in a small case; a process that breaks no rule has no reason to end. A GPU comes after the
 * simulated device has checked all that. */
static bool is_of_host(const struct lab *lab, const struct finding *finding)
{
    bool may_have_broken = !lab->simgpu || lab->missed_bar || lab->apart;
    return finding->verdict == VERDICT_CRASH && may_have_broken;
}

/* Whether the small cases break a rule is not known here: they tell whether this counts. */
static void keep_crash(const struct lab *lab, const struct judge_case *problem,
                       const struct finding *finding, struct large *large)
{
    if (!lab->apart || lab->missed_bar || large->crash)
        return;
    large->crash = finding_json(finding);
    json_object_set_new(large->crash, "case", json_string(problem->name));
}

static void forgive(struct lab *lab, struct large *large, json_t *entry, const char *why,
                    struct finding *finding)
{
    leave_unjudged(large, entry, why);
    *finding = (struct finding){.verdict = VERDICT_PASS};
    lab_stop(lab, &lab->link);
}

/* May this finding arise only because other blocks did not run? Faults do not. */
static bool may_be_of_sampling(enum verdict verdict)
{
    return verdict == VERDICT_WRONG || verdict == VERDICT_TIMEOUT || verdict == VERDICT_BARRIER ||
           verdict == VERDICT_LAUNCH_ERROR;
}

/* Have long blocks that were stopped written part of their share, and is all of it right? Then they
 * do what they should, as far as was observed. */
static bool is_right_so_far(struct lab *lab, struct spread *spread,
                            const struct simgpu_report *report, struct large *large)
{
    static const double LEAST_PART = 1.0 / 64;
    struct finding finding = {.verdict = VERDICT_PASS};
    if (!report->cut_short || report->hearsay || report->launch_count != 1)
        return false;
    const struct simgpu_launch *launch = report->launches;
    for (size_t i = 0; i < spread->image.count; i++) {
        const struct image_part *part = &spread->image.part[i];
        double share =
                   (double)part->size_bytes * (double)launch->blocks_run / (double)launch->blocks,
               written = 0;
        if (!image_is_output(part) || part->buffer.optional)
            continue;
        for (size_t j = 0; j < launch->stretch_count; j++)
            if (launch->stretches[j].address ==
                (uint64_t)(uintptr_t)spread->rooms[part->home].device)
                written += (double)launch->stretches[j].bytes;
        if (written < LEAST_PART * share || written == 0)
            return false;
    }
    return verify_case(lab, spread, report, large, &finding);
}

/* What was not observed is not proved: a case that cannot be judged here does not pass, but
 * everything else is judged before that is reported (counters.c). */
static void leave_open(struct lab *lab, const struct judge_case *problem, struct large *large,
                       json_t *entry, const char *why, struct finding *finding)
{
    if (!lab->unjudged) {
        lab->unjudged = problem;
        snprintf(lab->why_unjudged, sizeof lab->why_unjudged, "%s", why);
    }
    forgive(lab, large, entry, why, finding);
    large->is_open = true;
}

/* Why the blocks that ran may say nothing about the others; "" if there is no doubt. */
static const char *doubt_of(const struct simgpu_report *report)
{
    return report->unsampled[0]      ? report->unsampled
           : spread_is_mixed(report) ? "several launches write the outputs"
                                     : "";
}

/* A case is wrong: because of the submission, or because the launch ran only in part? */
static void settle(struct lab *lab, struct spread *spread, const struct simgpu_report *report,
                   struct large *large, bool launched, json_t *entry, struct finding *finding)
{
    const char *doubt = doubt_of(report);
    if (!launched && is_right_so_far(lab, spread, report, large)) {
        every_case_note(lab, spread->problem);
        forgive(lab, large, entry, "its blocks take too long; right as far as they came", finding);
    } else if (finding->verdict == VERDICT_NOT_SIMULATED && launched) {
        leave_open(lab, spread->problem, large, entry, finding->reason, finding);
    } else if (*doubt && may_be_of_sampling(finding->verdict)) {
        leave_open(lab, spread->problem, large, entry, doubt, finding);
    }
}

static uint64_t steps_of(const struct simgpu_report *report)
{
    uint64_t steps = 0;
    for (size_t i = 0; i < report->launch_count; i++)
        steps += report->launches[i].thread_instructions;
    return steps;
}

/* Judge one case on the simulated device. */
static bool read_report(struct lab *lab, struct spread *spread, struct large *large, bool launched,
                        json_t *entry, struct finding *finding)
{
    struct simgpu_report *report = NULL;
    if (lab->simgpu->report(&report) != SIMGPU_OK)
        return finding_set(finding, VERDICT_DEVICE, "the device does not answer");
    if (launched)
        note_blocks(report, entry);
    if (launched && verify_case(lab, spread, report, large, finding) &&
        large_is_covered(lab, report, spread, finding)) {
        every_case_note(lab, spread->problem);
        if (report->hearsay) /* blocks that did not run might have read something else */
            leave_open(lab, spread->problem, large, entry, report->unsampled, finding);
    } else
        settle(lab, spread, report, large, launched, entry, finding);
    large->is_too_much = large_is_too_much(report);
    large->whole_steps += large->all_blocks ? steps_of(report) : 0;
    if (finding->verdict != VERDICT_PASS && !finding->launch.count && report->launch_count)
        finding_note_launch(finding, report, report->launch_count - 1);
    lab->simgpu->report_free(report);
    return finding->verdict == VERDICT_PASS;
}

/* On a GPU, a launch that misses its deadline may be endless or slow: the simulated device, which
 * counts steps, has told the two apart. */
static bool read_gpu(struct lab *lab, struct spread *spread, struct large *large, bool launched,
                     json_t *entry, struct finding *finding)
{
    if (launched)
        return verify_case(lab, spread, NULL, large, finding) && is_all_written(spread, finding);
    if (finding->verdict != VERDICT_TIMEOUT || lab->endless)
        return false;
    forgive(lab, large, entry, "it takes longer than this check does", finding);
    return true;
}

static bool judge_in_memory(struct lab *lab, const struct judge_case *problem, uint64_t seed,
                            struct large *large, json_t *entry, struct finding *finding)
{
    struct spread spread;
    struct runner_command command;
    struct runner_answer answer;
    bool right = spread_open(lab, problem, seed, &spread, finding) && lab_ensure(lab, finding);
    spread.all_blocks = large->all_blocks;
    if (right) {
        spread_command(&lab->link, &spread, &command);
        const struct lab_fill fill = {spread_fill, &spread};
        bool launched = lab_run(lab, &lab->link, &command, &fill, &answer, finding);
        right =
            (lab->simgpu ? read_report : read_gpu)(lab, &spread, large, launched, entry, finding);
        if (!launched && !right && is_of_host(lab, finding)) {
            keep_crash(lab, problem, finding, large);
            forgive(lab, large, entry, "its process does not finish", finding);
            right = true;
        }
    }
    spread_close(lab, &lab->link, &spread);
    /* The next case needs this one's memory, which is free once the runner has closed it. */
    return right && (!lab->link.pid || lab_settle(lab, &lab->link, finding));
}

/* --- Their memory on a GPU -------------------------------------------------------------------- */

/* What a case takes of it. */
static uint64_t ground_bytes(const struct lab *lab, const struct judge_case *problem)
{
    return spread_bytes(lab, problem) + JUDGE_MOST_BUFFERS * ROOM_CUT_BYTES;
}

/* As much as the largest case takes for which there is memory. */
static bool open_ground(struct lab *lab, struct finding *finding)
{
    uint64_t most = 0;
    turn_take_memory(&lab->turn);
    lab_look_at_memory(lab);
    double limit = MEMORY_SHARE * (double)lab->device.memory_bytes;
    for (size_t i = 0; i < lab->judge->large_count; i++) {
        uint64_t bytes = ground_bytes(lab, &lab->judge->large[i]);
        most = (double)bytes <= limit && bytes > most ? bytes : most;
    }
    return most == 0 || room_open(lab, GROUND_SLOT, most, &lab->ground, finding);
}

/* It is free when the runner has closed it as well. */
static void close_ground(struct lab *lab)
{
    struct finding ignored;
    lab_resume(lab);
    if (lab->link.pid && lab->link.open[GROUND_SLOT].size_bytes) {
        link_close(&lab->link, GROUND_SLOT);
        lab_settle(lab, &lab->link, &ignored);
    }
    room_close(lab, &lab->ground);
    turn_give_memory(&lab->turn);
}

static bool judge_one(struct lab *lab, const struct judge_case *problem, uint64_t seed,
                      struct large *large, json_t *entry, struct finding *finding)
{
    if (!lab->simgpu && ground_bytes(lab, problem) > lab->ground.size_bytes) {
        leave_unjudged(large, entry, "the device has no memory for it");
        return true;
    }
    return judge_in_memory(lab, problem, seed, large, entry, finding);
}

/* A drawn case, with a size between the listed ones, is tried if it moves this many times less than
 * one that was left unjudged: otherwise it would take too long as well. */
static const double LESS = 32;

/* Was a case of the same launcher that moves no more bytes left unjudged? */
static bool gave_up(const json_t *cases, const struct judge *judge,
                    const struct judge_case *problem)
{
    size_t i;
    json_t *entry;
    double bytes = judge->work(problem).bytes * (problem->drawn ? LESS : 1);
    json_array_foreach (cases, i, entry)
        if (json_object_get(entry, "unjudged") && judge->large[i].launcher == problem->launcher &&
            judge->work(&judge->large[i]).bytes <= bytes)
            return true;
    return false;
}

bool large_is_too_much(const struct simgpu_report *report)
{
    /* Some blocks show what a launch takes, unless they did the work of others, which is rare with
     * many launches that read each other's results. The estimate may err by a factor of 2. */
    enum { MANY = 16, TIMES = 2 };
    return report->across && report->launch_count >= MANY && steps_of(report) > TIMES * MOST_STEPS;
}

/* If the blocks that ran prove nothing, all of them run if that takes only a few seconds: a page of
 * memory counts as 4096 thread instructions, so a byte counts as one. */
static bool judge_all_blocks(struct lab *lab, const struct judge_case *problem, uint64_t seed,
                             struct large *large, json_t *entry, struct finding *finding)
{
    struct simgpu_options options = large_options(lab, problem, seed);
    if (spread_bytes(lab, problem) > MOST_STEPS / 2)
        return true;
    bool is_left_anyway = lab->unjudged && lab->unjudged != problem;
    if (large->is_too_much) {
        json_object_set_new(entry, "unjudged", json_string("it takes too many launches"));
        return true;
    }
    if (is_left_anyway && large->whole_steps > ENOUGH_STEPS) {
        json_object_set_new(entry, "unjudged", json_string("others have taken long enough"));
        return true;
    }
    /* The case's patience is for some blocks: all may take longer, though each of them ends. */
    options.step_budget += 2 * MOST_STEPS;
    options.sampling = (struct simgpu_sampling){.most_steps = MOST_STEPS};
    lab->simgpu->set_options(&options);
    lab->unjudged = lab->unjudged == problem ? NULL : lab->unjudged;
    large->unjudged--;
    json_object_set(entry, "whole", json_object_get(entry, "unjudged"));
    json_object_del(entry, "unjudged");
    large->all_blocks = true;
    bool right = judge_one(lab, problem, seed, large, entry, finding);
    large->all_blocks = false;
    return right;
}

static bool judge_simulated(struct lab *lab, const struct judge_case *problem, uint64_t seed,
                            struct large *large, json_t *entry, struct finding *finding)
{
    struct simgpu_options options = large_options(lab, problem, seed);
    options.sampling.untimed = true;
    lab->simgpu->set_options(&options);
    large->is_open = false;
    return judge_one(lab, problem, seed, large, entry, finding) &&
           (!large->is_open || judge_all_blocks(lab, problem, seed, large, entry, finding));
}

/* The next case. False when it is wrong. */
static bool judge_next(struct lab *lab, struct large *large, struct finding *finding)
{
    const struct judge *judge = lab->judge;
    const struct judge_case *problem = &judge->large[large->done];
    uint64_t seed = data_seed(lab->seed, 1000 + large->done);
    json_t *entry = json_pack("{s:s}", "case", problem->name);
    json_array_append_new(large->cases, entry);
    lab_progress("numerics, large %zu of %zu", large->done + 1, judge->large_count);
    if (gave_up(large->cases, judge, problem))
        leave_unjudged(large, entry, "another one of its launcher could not be judged");
    else if (lab->shared)
        leave_unjudged(large, entry, "no memory can be shared with this device");
    else
        return (lab->simgpu ? judge_simulated : judge_one)(lab, problem, seed, large, entry,
                                                           finding);
    return true;
}

bool large_judge(struct lab *lab, struct large *large, struct finding *finding)
{
    bool has_ground = !lab->simgpu && !lab->shared && lab->judge->large_count;
    bool right = !has_ground || open_ground(lab, finding);
    large->cases = json_array();
    lab->deadline_ms = GPU_DEADLINE_MS;
    for (; right && large->done < lab->judge->large_count; large->done += right)
        right = judge_next(lab, large, finding);
    lab->deadline_ms = 0;
    if (has_ground)
        close_ground(lab);
    return right;
}

json_t *large_stage(struct lab *lab)
{
    struct large large = {.done = 0};
    struct finding finding = {.verdict = VERDICT_PASS};
    lab->apart = true;
    bool right = large_judge(lab, &large, &finding);
    lab->apart = false;
    json_t *result = finding_json(&finding);
    json_object_set_new(result, "done", json_integer((json_int_t)(large.done - large.unjudged)));
    json_object_set_new(result, "worst_share", json_real(large.worst_share));
    if (large.worst_case)
        json_object_set_new(result, "worst_case", json_string(large.worst_case));
    if (!right)
        json_object_set_new(result, "case", json_string(lab->judge->large[large.done].name));
    json_object_set_new(result, "large", large.cases);
    if (large.crash)
        json_object_set_new(result, "crash", large.crash);
    if (lab->unjudged) {
        struct finding open = {.verdict = VERDICT_PASS};
        lab_say_unjudged(lab, &open);
        json_object_set_new(result, "open", finding_json(&open));
    }
    return result;
}
