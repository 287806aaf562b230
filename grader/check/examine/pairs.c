/* pairs.c - see pairs.h. */
#include "check/examine/pairs.h"

#include "check/examine/data.h"
#include "check/examine/rules.h"

#include <math.h>
#include <string.h>

enum {
    WARM_UPS = 3,
    ANCHOR_BLOCKS = 6,
    ANCHOR_TRIES = 24,
    LEAST_SETS = 2,
    CLEAR_TRIES = 3, /* new contents this often, until the device is found empty */
    LENGTHEN = 3,
    PATIENCE = 4, /* a submission's block may take this many times the reference's */
};

#define BLOCK_NS 0.8e6 /* a third of the time that a GPU gives a process at a time */
#define WARM_UP_NS 4e6
/* Launches after the pairs: about eight times as many as a case takes that is fast at once. */
#define ENDURANCE_NS 2e8
enum { MOST_ENDURED = 1000 };

/* Write new contents, and find the device idle since then. False with a finding, or if it is not
 * empty (clear). */
static bool prepare_block(struct pairs *pairs, bool *clear)
{
    *clear = false;
    for (int i = 0; i < CLEAR_TRIES && !*clear; i++) {
        if (!sets_refresh(pairs->lab, &pairs->sets))
            return finding_set(&pairs->finding, VERDICT_DEVICE, "the device takes no inputs");
        *clear = timed_window_is_clear(&pairs->patience);
    }
    return true;
}

static struct rule_side *side_of(struct pairs *pairs, enum sets_side side)
{
    return side == SETS_OF_REFERENCE ? &pairs->seen.reference : &pairs->seen.submission;
}

/* One window on what has been prepared. */
static bool block(struct pairs *pairs, enum sets_side side, uint32_t launches,
                  struct timed_window *window)
{
    struct runner_command command;
    sets_command(&pairs->sets, side, launches, &command);
    bool done = timed_window_launch(pairs->lab, &pairs->runners[side], &command, &pairs->patience,
                                    window, &pairs->finding);
    if (!done && side == SETS_OF_REFERENCE) /* no fault of the learner's */
        pairs->finding.verdict = VERDICT_INCONCLUSIVE;
    return done;
}

/* The first launches of a runner: twice one (the first also loads the kernel), then each of the
 * sets WARM_UPS times, unless that takes long. */
static bool warm_up(struct pairs *pairs, enum sets_side side, double *event_ns)
{
    struct timed_window window;
    if (!sets_refresh(pairs->lab, &pairs->sets))
        return finding_set(&pairs->finding, VERDICT_DEVICE, "the device takes no inputs");
    if (!block(pairs, side, 1, &window) || !block(pairs, side, 1, &window))
        return false;
    *event_ns = window.event_ns;
    double most = WARM_UPS * (double)pairs->sets.count;
    double launches = fmin(most, WARM_UP_NS / fmax(window.event_ns, 1));
    return launches < 2 || block(pairs, side, (uint32_t)launches, &window);
}

/* As many launches as give a block the wanted length, each on a different set: a repeated launch
 * could be skipped. */
static void size_blocks(struct pairs *pairs)
{
    struct sets *sets = &pairs->sets;
    double wanted = fmax(ceil(pairs->block_ns / fmax(pairs->launch_ns, 1)), 1);
    sets->count = (size_t)fmin(fmax(wanted, LEAST_SETS), (double)pairs->most_sets);
    pairs->seen.reference.launches = (uint32_t)fmin(wanted, (double)sets->count);
}

/* Work before a call would be in its window, and the runner is stopped after that work: nothing
 * would let it continue, since on a GPU times have separate windows. So such a case creates what it
 * keeps in its first call. */
static bool can_be_timed(const struct judge_case *problem, struct finding *finding)
{
    return (!problem->prepares && problem->processes <= 1) ||
           finding_set(finding, VERDICT_INTERNAL,
                       "a GPU cannot be timed with a case that prepares, or takes several "
                       "processes: \"%s\"",
                       problem->name);
}

bool pairs_open(struct pairs *pairs, struct lab *lab, const struct judge_case *problem,
                struct link *reference, double bar, double delta, double block_ns)
{
    memset(pairs, 0, sizeof *pairs);
    pairs->lab = lab;
    pairs->runners[SETS_OF_REFERENCE].link = reference;
    pairs->runners[SETS_OF_SUBMISSION].link = &lab->link;
    pairs->seen.bar = bar;
    pairs->seen.delta = delta;
    pairs->block_ns = block_ns > 0 ? block_ns : BLOCK_NS;
    if (!can_be_timed(problem, &pairs->finding))
        return false;
    if (!reference->pid && !lab_start(lab, reference, lab->reference, &pairs->finding))
        return false;
    if (!sets_open(lab, problem, RUNNER_MOST_SETS, SETS_SIDES, &pairs->sets, &pairs->finding))
        return false;
    pairs->most_sets = pairs->sets.count;
    sets_show(&pairs->sets, SETS_OF_REFERENCE, reference);
    if (!lab_settle(lab, reference, &pairs->finding) ||
        !timed_window_stop(&pairs->runners[SETS_OF_REFERENCE], &pairs->finding) ||
        !timed_window_learn(lab, &pairs->patience) ||
        !warm_up(pairs, SETS_OF_REFERENCE, &pairs->launch_ns))
        return false;
    size_blocks(pairs);
    return true;
}

void pairs_lengthen(struct pairs *pairs)
{
    pairs->block_ns *= LENGTHEN;
    size_blocks(pairs);
}

void pairs_dismiss(struct pairs *pairs)
{
    timed_window_release(&pairs->runners[SETS_OF_SUBMISSION]);
    lab_stop(pairs->lab, &pairs->lab->link);
    pairs->runners[SETS_OF_SUBMISSION].tree.count = 0;
}

void pairs_close(struct pairs *pairs)
{
    struct finding ignored;
    struct link *reference = pairs->runners[SETS_OF_REFERENCE].link;
    timed_window_release(&pairs->runners[SETS_OF_REFERENCE]);
    sets_hide(reference);
    if (reference->pid) /* memory is freed after it has been forgotten */
        lab_settle(pairs->lab, reference, &ignored);
    pairs_dismiss(pairs);
    sets_close(pairs->lab, &pairs->sets);
}

enum rule_answer pairs_anchor(struct pairs *pairs, double *median_ns)
{
    double times[ANCHOR_BLOCKS];
    size_t count = 0;
    for (int tries = 0; tries < ANCHOR_TRIES && count < ANCHOR_BLOCKS; tries++) {
        struct timed_window window;
        bool clear;
        if (!prepare_block(pairs, &clear))
            return RULE_MORE;
        if (!clear)
            continue;
        if (!block(pairs, SETS_OF_REFERENCE, pairs->seen.reference.launches, &window))
            return RULE_MORE;
        if (window.clear)
            times[count++] = window.event_ns;
    }
    *median_ns = statistics_median(times, count);
    return count < ANCHOR_BLOCKS ? RULE_BUSY : RULE_FAST;
}

/* A submission that is much slower gets fewer launches, so that its blocks do not take too long. */
static void size_own_block(struct pairs *pairs, double launch_ns)
{
    uint32_t launches = pairs->seen.reference.launches;
    double most = PATIENCE * pairs->seen.before_ns / fmax(launch_ns, 1) * launches;
    pairs->seen.submission.launches = (uint32_t)fmax(fmin(launches, most), 1);
}

/* Both runners listen for this, since nothing is timed. */
bool pairs_keep_rules(struct pairs *pairs)
{
    struct timed_runner *runners = pairs->runners;
    bool keeps = true, stopped = true;
    for (size_t side = 0; side < SETS_SIDES; side++)
        timed_window_release(&runners[side]);
    keeps = rules_hold(pairs->lab, &pairs->sets, runners[SETS_OF_REFERENCE].link, &pairs->finding);
    for (size_t side = 0; side < SETS_SIDES && keeps; side++)
        stopped = stopped && timed_window_stop(&runners[side], &pairs->finding);
    return keeps && stopped;
}

bool pairs_meet(struct pairs *pairs)
{
    struct lab *lab = pairs->lab;
    double launch_ns;
    sets_show(&pairs->sets, SETS_OF_SUBMISSION, &lab->link);
    if (!lab_settle(lab, &lab->link, &pairs->finding) ||
        !timed_window_stop(&pairs->runners[SETS_OF_SUBMISSION], &pairs->finding) ||
        !warm_up(pairs, SETS_OF_SUBMISSION, &launch_ns))
        return false;
    size_own_block(pairs, launch_ns);
    return true;
}

/* One pair; which side comes first is drawn. It counts when the device was empty at the ends of
 * both windows. */
static bool pair(struct pairs *pairs)
{
    struct rule_seen *seen = &pairs->seen;
    struct timed_window windows[SETS_SIDES];
    uint64_t draw = data_word(data_seed(pairs->sets.key, 0), pairs->order++);
    bool clear;
    if (!prepare_block(pairs, &clear))
        return false;
    for (size_t turn = 0; turn < SETS_SIDES && clear; turn++) {
        enum sets_side side =
            (draw + turn) % SETS_SIDES == 0 ? SETS_OF_SUBMISSION : SETS_OF_REFERENCE;
        if (!block(pairs, side, side_of(pairs, side)->launches, &windows[side]))
            return false;
        clear = windows[side].clear;
    }
    if (!clear) {
        seen->left_out++;
        return true;
    }
    for (size_t side = 0; side < SETS_SIDES; side++) {
        side_of(pairs, (enum sets_side)side)->event_ns[seen->pairs] = windows[side].event_ns;
        side_of(pairs, (enum sets_side)side)->wall_ns[seen->pairs] = windows[side].wall_ns;
    }
    seen->pairs++;
    return sets_verify(pairs->lab, &pairs->sets, seen->submission.launches, &pairs->finding);
}

/* A submission that counts its calls may do less work from some call on. The launches in between
 * write the same sets again and again, so work that they leave out does not show; those after them
 * have new contents, and poisoned outputs, like a pair's. */
bool pairs_endure(struct pairs *pairs)
{
    struct rule_seen *seen = &pairs->seen;
    struct timed_window window;
    uint32_t last = seen->submission.launches;
    bool clear;
    double launch_ns = seen->pairs ? seen->submission.event_ns[0] : ENDURANCE_NS;
    uint32_t launches = (uint32_t)fmin(ENDURANCE_NS / launch_ns, MOST_ENDURED);
    lab_progress("timing, %u more launches", launches);
    return (launches == 0 || block(pairs, SETS_OF_SUBMISSION, launches, &window)) &&
           prepare_block(pairs, &clear) && block(pairs, SETS_OF_REFERENCE, last, &window) &&
           block(pairs, SETS_OF_SUBMISSION, last, &window) &&
           sets_verify(pairs->lab, &pairs->sets, last, &pairs->finding);
}

enum rule_answer pairs_measure(struct pairs *pairs, size_t least)
{
    struct rule_seen *seen = &pairs->seen;
    enum rule_answer answer = RULE_MORE;
    seen->pairs = seen->left_out = 0;
    while (answer == RULE_MORE) {
        lab_progress("timing, pair %zu", seen->pairs + 1);
        if (!pair(pairs))
            return RULE_MORE;
        if (least && seen->pairs >= least)
            return RULE_FAST;
        answer = rule_decide(seen);
        if (least && answer != RULE_BUSY)
            answer = RULE_MORE;
    }
    return answer;
}
