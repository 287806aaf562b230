/* measure.c - see measure.h.
 *
 * The case is the one that a GPU is timed with, if some blocks can represent all (large.h). If they
 * cannot (because the blocks share atomics, say), all blocks run, of it or of a smaller one.
 */
#include "check/examine/measure.h"

#include "check/examine/bars.h"
#include "check/examine/data.h"
#include "check/examine/drawn.h"
#include "check/examine/large.h"
#include "check/examine/observed.h"
#include "check/examine/history.h"
#include "check/examine/spread_again.h"
#include "check/examine/stages.h"
#include "check/examine/time_line.h"
#include "lib/large_pages.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Thread instructions of a timed case. */
static const uint64_t MOST_STEPS = UINT64_C(1) << 29;
/* The same if every block runs, with a page of memory counted as 4096 instructions: a few
 * seconds. */
static const uint64_t MOST_STEPS_OF_ALL = UINT64_C(1) << 31;
/* The same for a brief run: this few show what a launch's commonest blocks take. */
enum { BRIEF_BLOCKS = 8, BRIEF_STEPS = 1 << 22, BRIEF_ELEMENTS = 1 << 12 };
/* With the safety checks on, an instruction takes about this many times as long. */
enum { CHECKS_COST = 4 };
/* Two calls, and two more over what they left: fewer blocks of each where they are long. */
enum { CALLS = 4 };
static const uint64_t AFRESH_PURPOSE = 4000; /* a stream that no other draw of a case has */

void measure_forget(struct lab *lab, struct measured *measured)
{
    if (measured->report)
        lab->simgpu->report_free(measured->report);
    measured->report = NULL;
}

bool measure_say_unsampled(const struct timed *timed, const char *advice, struct finding *finding)
{
    finding_set(finding, VERDICT_NOT_SIMULATED,
                "the case %s cannot be judged without a GPU, although the timed case could: here "
                "some blocks of a launch must represent all, and they cannot: %s",
                timed->problem->name, timed->unsampled);
    snprintf(finding->advice, sizeof finding->advice, "%s", advice);
    return false;
}

bool measure_is_long(const struct lab *lab, const struct judge_case *problem)
{
    enum { MUCH = 16 }; /* operations a byte */
    struct judge_work work = lab->judge->work(problem);
    return work.flop + work.tensor_flop > MUCH * work.bytes;
}

uint64_t measure_patience(const struct figures_reference *reference)
{
    enum { TIMES = 64, WARP_LANES = 32 };
    return UINT64_C(1000000000) + (uint64_t)(TIMES * WARP_LANES * reference->warp_instructions);
}

void measure_options(struct lab *lab, const struct timed *timed, bool what_if, uint64_t step_budget)
{
    bool is_on_slice = !timed->sampled && !timed->whole_device;
    struct simgpu_options options = {.checks = timed->checked ? SIMGPU_CHECK_ALL : 0,
                                     .seed = timed->checked ? timed->draw : 0, /* 0: in order */
                                     .count = true,
                                     .what_if = what_if,
                                     .hold_back = true,
                                     .timeline = lab->judge->by_time_line,
                                     .slice = is_on_slice ? lab->judge->slice : 0,
                                     .fewer = bars_fewer(lab->judge, timed->problem)};
    if (timed->sampled) {
        uint64_t draw = timed->draw ? timed->draw : MEASURE_DRAW;
        options.sampling = large_options(lab, timed->problem, draw).sampling;
        options.sampling.most_steps = MOST_STEPS;
        options.sampling.anywhere = timed->draw != 0;
        if (timed->brief) {
            options.sampling.blocks = BRIEF_BLOCKS;
            options.sampling.steps = BRIEF_STEPS;
        }
        if (timed->all)
            options.sampling = (struct simgpu_sampling){.most_steps = MOST_STEPS_OF_ALL};
        if (timed->checked && timed->draw)
            options.sampling.steps /= CHECKS_COST;
        else if (timed->two && measure_is_long(lab, timed->problem))
            options.sampling.steps /= CALLS;
    }
    options.step_budget = step_budget;
    lab->simgpu->set_options(&options);
}

const struct judge_case *measure_real_size(const struct lab *lab, const struct judge_case *small,
                                           struct judge_case *cases)
{
    struct judge_device gpu = lab->device;
    gpu.simulated = false;
    size_t count = lab->judge->timed(&gpu, cases, MOST_TIMED_CASES);
    if (!lab->judge->truth_at || lab->judge->libraries || lab->shared)
        return NULL;
    for (size_t i = 0; i < count; i++)
        if (cases[i].launcher == small->launcher && cases[i].processes <= 1) {
            drawn_anew(lab->judge, lab->seed, &cases[i]);
            return &cases[i];
        }
    return NULL;
}

/* --- Running ---------------------------------------------------------------------------------- */

static bool is_right(struct lab *lab, struct room *room, const struct prepared *prepared,
                     struct finding *finding)
{
    struct comparison comparison;
    size_t buffer;
    uint64_t bytes = prepared->image.total_bytes;
    unsigned char *after = in_large_pages(malloc(bytes), bytes);
    bool right = after && room_read(lab, room, after, bytes) &&
                 verify(prepared, after, &comparison, &buffer, finding);
    free(after);
    return right;
}

/* A case whose buffers are in one room. */
struct whole {
    struct lab *lab;
    const struct timed *timed;
    struct prepared prepared; /* of the last process, which is the one that is counted */
    struct room room;
};

/* Each process finds other inputs, and unwritten outputs, so the results of one do not include what
 * an earlier one left. */
static bool write_whole(void *context, unsigned process, struct finding *finding)
{
    struct whole *whole = context;
    struct lab *lab = whole->lab;
    const struct judge_case *problem = whole->timed->problem;
    struct image own = {.bytes = NULL}, *image = &whole->prepared.image;
    bool is_last = process + 1 >= problem->processes;
    if (!is_last)
        image = image_make(lab->judge, problem, data_seed(whole->timed->seed, process), &own)
                    ? &own
                    : NULL;
    if (image)
        image_poison(image, IMAGE_POISON_DRAWN, data_seed(whole->timed->seed, 4000 + process));
    bool written = image && room_write(lab, &whole->room, image->bytes, image->total_bytes);
    image_free(&own);
    return written || finding_set(finding, VERDICT_DEVICE, "the device does not take a copy");
}

/* All blocks. */
static bool measure_whole(struct lab *lab, struct link *link, struct timed *timed,
                          const struct figures_reference *reference, struct measured *measured,
                          struct finding *finding)
{
    struct whole whole = {.lab = lab, .timed = timed};
    struct runner_command command = {
        .launch = {.problem = *timed->problem, .sets = 1, .launches = timed->two ? 2 : 1}};
    struct runner_answer answer;
    const struct image *image = &whole.prepared.image;
    bool (*ready)(const struct lab *, const struct judge_case *, uint64_t, struct prepared *,
                  struct finding *) = timed->two ? prepare_unjudged : prepare;
    bool done = ready(lab, timed->problem, timed->seed, &whole.prepared, finding) &&
                room_open(lab, 0, image->total_bytes, &whole.room, finding);
    lab_places(image, 0, &command.launch.set[0]);
    done =
        done && link_open(link, 0, &whole.room.open) &&
        lab_run(lab, link, &command, &(struct lab_fill){write_whole, &whole}, &answer, finding) &&
        lab->simgpu->report(&measured->report) == SIMGPU_OK;
    if (done && !timed->two) {
        measured->time_line = time_line_read(lab);
        bars_read(lab, timed->problem, measured->report, reference, measured->time_line.span_ns,
                  &measured->figures);
        done = is_right(lab, &whole.room, &whole.prepared, finding) &&
               observed(lab, timed->problem, measured->report, &measured->figures, finding);
    }
    lab_resume(lab);
    if (whole.room.size_bytes && link->pid)
        link_close(link, 0);
    room_close(lab, &whole.room);
    prepared_free(&whole.prepared);
    return done;
}

static void leave_unsampled(struct lab *lab, struct link *link, struct timed *timed,
                            const char *why, struct finding *finding)
{
    snprintf(timed->unsampled, sizeof timed->unsampled, "%s", why);
    *finding = (struct finding){.verdict = VERDICT_PASS};
    lab_stop(lab, link);
}

/* The results of the blocks that ran must be right; and if the blocks were chosen at random, or all
 * ran, no output may have a gap where others should have written. */
static bool some_are_right(struct lab *lab, struct link *link, struct timed *timed,
                           struct spread *spread, const struct simgpu_report *report,
                           struct finding *finding)
{
    struct comparison comparison;
    size_t buffer;
    uint64_t most = large_most_elements(lab, timed->problem);
    if (timed->brief && most > BRIEF_ELEMENTS)
        most = BRIEF_ELEMENTS;
    bool right = spread_verify(lab, spread, report, most, &comparison, &buffer, finding) &&
                 large_is_covered(lab, report, spread, finding);
    if (!right && finding->verdict == VERDICT_WRONG && spread_is_mixed(report))
        leave_unsampled(lab, link, timed, "several launches write the outputs", finding);
    return right;
}

/* What a later call finds: a few outputs spoilt, or a few inputs changed. */
struct over {
    struct spread_kept kept;
    enum repeat repeat;
    uint64_t patience; /* thread instructions that the call may take */
};

static bool write_over(void *context, unsigned process, struct finding *finding)
{
    struct over *over = context;
    (void)process; /* such a case has one */
    struct spread *spread = over->kept.spread;
    uint64_t seed = repeat_seed(spread->seed, over->repeat);
    return over->repeat == REPEAT_CHANGED ? spread_change(spread, seed, finding)
                                          : spread_spoil(&over->kept, seed, finding);
}

/* Where inputs have changed, so have the right results, and blocks that did nothing show in a few
 * of their elements. */
static bool is_right_over(struct lab *lab, const struct over *over,
                          const struct simgpu_report *report, struct finding *finding)
{
    enum { FEWER = 16 };
    struct spread *spread = over->kept.spread;
    struct comparison comparison;
    size_t buffer;
    return over->repeat == REPEAT_CHANGED
               ? spread_verify(lab, spread, report,
                               large_most_elements(lab, spread->problem) / FEWER, &comparison,
                               &buffer, finding)
               : spread_is_restored(&over->kept, finding);
}

static bool launches_only(const struct simgpu_report *report, const struct simgpu_launch *wanted)
{
    bool is_only = true;
    for (size_t i = 0; i < report->launch_count; i++) {
        const struct simgpu_launch *launch = &report->launches[i];
        is_only = is_only && strcmp(launch->kernel, wanted->kernel) == 0 &&
                  memcmp(launch->grid, wanted->grid, sizeof launch->grid) == 0 &&
                  memcmp(launch->block, wanted->block, sizeof launch->block) == 0;
    }
    return is_only;
}

/* Do all these calls launch the same kernel with the same grid? Then the same blocks ran in
 * each. */
static bool is_same_launch(const struct simgpu_report *before, const struct simgpu_report *now)
{
    if (before->launch_count == 0 || now->launch_count == 0)
        return before->launch_count == now->launch_count;
    return launches_only(before, before->launches) && launches_only(now, before->launches);
}

/* The first call could be sampled, and a later one with the same arguments cannot: so the later one
 * is another launch, which reads, say, what an earlier call has kept. Nothing is known about its
 * results. */
static bool can_be_sampled(struct timed *timed, const struct simgpu_report *later,
                           struct finding *finding)
{
    if (!later->unsampled[0] || later->cut_short || timed->all)
        return true;
    snprintf(timed->unsampled, sizeof timed->unsampled, "%s", later->unsampled);
    return measure_say_unsampled(timed, "let each call do its work as the first does", finding);
}

/* One more call. report: the caller frees it; NULL if there is none. */
static bool call_again(struct lab *lab, struct link *link, struct runner_command *command,
                       const struct lab_fill *fill, struct simgpu_report **report,
                       struct finding *finding)
{
    struct runner_answer answer;
    *report = NULL;
    return lab_run(lab, link, command, fill, &answer, finding) &&
           lab->simgpu->report(report) == SIMGPU_OK;
}

/* A call whose launch differs. Other blocks ran in it, and they need not write what was spoilt in
 * the outputs: it is judged like a first call, by blocks that chance chooses, so that a part of the
 * outputs that has no block shows. */
static bool call_afresh(struct lab *lab, struct link *link, struct timed *timed,
                        const struct over *over, struct runner_command *command,
                        struct finding *finding)
{
    struct simgpu_report *report;
    struct spread *spread = over->kept.spread;
    timed->draw = data_seed(spread->seed, AFRESH_PURPOSE) | 1;
    spread->is_drawn = true;
    measure_options(lab, timed, false, over->patience);
    bool right =
        call_again(lab, link, command, &(struct lab_fill){spread_fill, spread}, &report, finding);
    if (right && !report->unsampled[0])
        right = some_are_right(lab, link, timed, spread, report, finding);
    if (report)
        lab->simgpu->report_free(report);
    return right;
}

/* The same call and the same blocks once more, over what the last call left (spread_again.h). */
static bool call_over(struct lab *lab, struct link *link, struct timed *timed, struct over *over,
                      struct runner_command *command, const struct simgpu_report *before,
                      struct finding *finding)
{
    struct simgpu_report *report;
    bool right =
        call_again(lab, link, command, &(struct lab_fill){write_over, over}, &report, finding);
    if (right && !report->unsampled[0])
        right = is_same_launch(before, report)
                    ? is_right_over(lab, over, report, finding)
                    : call_afresh(lab, link, timed, over, command, finding);
    else if (right)
        right = can_be_sampled(timed, report, finding);
    if (report)
        lab->simgpu->report_free(report);
    spread_kept_free(&over->kept);
    if (!right)
        repeat_note(over->repeat, finding);
    return right;
}

/* A third call and a fourth one, both the same as the first. Where all blocks run, each takes a
 * second or two, so one is enough. */
static bool calls_over(struct lab *lab, struct link *link, struct timed *timed,
                       struct spread *spread, struct runner_command *command,
                       const struct simgpu_report *before, uint64_t patience,
                       struct finding *finding)
{
    struct over spoilt = {{spread, NULL, 0}, REPEAT_SPOILT, patience};
    struct over changed = {{spread, NULL, 0}, REPEAT_CHANGED, patience};
    command->launch.launches = 1;
    return call_over(lab, link, timed, &spoilt, command, before, finding) &&
           (timed->all || call_over(lab, link, timed, &changed, command, before, finding));
}

/* Run some blocks. False without a finding if they cannot represent all: timed says why. */
static bool measure_some(struct lab *lab, struct link *link, struct timed *timed,
                         const struct figures_reference *reference, struct measured *measured,
                         struct finding *finding)
{
    struct spread spread;
    struct runner_command command;
    struct runner_answer answer;
    bool done = spread_open(lab, timed->problem, timed->seed, &spread, finding);
    spread.all_blocks = timed->all;
    spread.is_timed = true;
    spread.is_drawn = timed->draw || timed->all;
    if (done)
        spread_command(link, &spread, &command);
    command.launch.launches = timed->two ? 2 : 1;
    command.launch.thread = timed->draw ? RUNNER_OTHER_THREAD : RUNNER_FIRST_THREAD;
    const struct lab_fill fill = {spread_fill, &spread};
    done = done && (lab_run(lab, link, &command, &fill, &answer, finding), true) &&
           lab->simgpu->report(&measured->report) == SIMGPU_OK;
    if (done && timed->two) {
        const struct simgpu_report *report = measured->report;
        bool is_one_launch = report->launch_count + report->calls.copies <= 2 &&
                             report->calls.sets <= RUNNER_OWN_SETS;
        bool may_go_on = spread_may_be_called_again(&spread) && is_one_launch;
        done = finding->verdict == VERDICT_PASS && can_be_sampled(timed, report, finding) &&
               (!may_go_on || calls_over(lab, link, timed, &spread, &command, report,
                                         measure_patience(reference), finding));
    } else if (done && measured->report->unsampled[0]) {
        timed->too_long = measured->report->cut_short || large_is_too_much(measured->report);
        timed->timed_alone = measured->report->is_timed && !timed->too_long;
        if (timed->timed_alone)
            bars_read(lab, timed->problem, measured->report, reference, 0, &measured->figures);
        leave_unsampled(lab, link, timed, measured->report->unsampled, finding);
        done = false;
    } else if (done && finding->verdict == VERDICT_PASS && !timed->draw &&
               !observed_stand_for_all(lab, timed->problem, measured->report)) {
        leave_unsampled(lab, link, timed, "those that ran store too little to represent all",
                        finding);
        done = false;
    } else if (done && finding->verdict == VERDICT_PASS) {
        bars_read(lab, timed->problem, measured->report, reference, 0, &measured->figures);
        done = some_are_right(lab, link, timed, &spread, measured->report, finding) &&
               observed(lab, timed->problem, measured->report, &measured->figures, finding);
    }
    spread_close(lab, link, &spread);
    return done && finding->verdict == VERDICT_PASS;
}

bool measure(struct lab *lab, struct link *link, struct timed *timed,
             const struct figures_reference *reference, struct measured *measured,
             struct finding *finding)
{
    bool done = (timed->sampled ? measure_some : measure_whole)(lab, link, timed, reference,
                                                                measured, finding);
    if (!done && finding->verdict == VERDICT_PASS && !timed->unsampled[0])
        finding_set(finding, VERDICT_DEVICE, "the device does not answer");
    return done;
}

void measure_alone(struct lab *lab, struct timed *timed, uint64_t step_budget,
                   const struct figures_reference *reference, struct measured *measured)
{
    struct finding unused = {.verdict = VERDICT_PASS}; /* results are not looked at */
    measure_options(lab, timed, false, step_budget);
    if (lab_ensure(lab, &unused))
        measure(lab, &lab->link, timed, reference, measured, &unused);
}
