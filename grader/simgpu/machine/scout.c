/* scout.c - see scout.h. */
#include "scout.h"
#include "lanes.h"
#include "opcode.h"
#include "prime_to.h"
#include "sample.h"
#include "split.h"

#include <stdlib.h>

/* Warp instructions of all warps that are gone through, a tenth of a second; of the first warp that
 * is looked at in each block, and of others. A start costs as much as some instructions. */
enum { MOST_STEPS = 24 << 20, STEPS_OF_FIRST = 1024, STEPS_OF_OTHERS = 8192, START_STEPS = 16 };
/* What comes out so in one of so many warps, or fewer, is rare; of few warps nothing is said. */
enum { RARE = 512, LEAST_WARPS = 512 };

enum role { ROLE_SKIP, ROLE_RUN, ROLE_COMPARE, ROLE_CALL, ROLE_BRINGS, ROLE_WAITS };

/* In how many warps a comparison came out false, and true, for any lane; the last of them, and the
 * block of the first. */
struct outcome {
    uint32_t count[2], last[2];
    uint64_t first[2];
};

struct scout {
    struct worker *worker;
    struct block *block;
    uint8_t *roles;                /* by op id: enum role */
    struct outcome *outcomes;      /* by op id */
    uint32_t warps;                /* that were gone through */
    uint64_t steps;
};

/* --- What an op is here ----------------------------------------------------------------------- */

static enum role role_of_control(const struct op *op)
{
    bool moves = op->run == bra || op->run == brx || op->run == ret || op->run == exit_thread;
    return moves ? ROLE_RUN : op->run == call || op->run == call_indirect ? ROLE_CALL : ROLE_SKIP;
}

static enum role role_of(const struct op *op, const struct opcode *opcode)
{
    switch (opcode->class) {
    case SIM_OP_CONTROL: return role_of_control(op);
    case SIM_OP_GLOBAL:
    case SIM_OP_SHARED:
    case SIM_OP_LOCAL:
        if (op->space == SPACE_CONST) /* no launch changes it */
            return ROLE_RUN;
        if (op_waits_for_phase(op))
            return ROLE_WAITS;
        return op->run == load || op->dst != NO_REGISTER ? ROLE_BRINGS : ROLE_SKIP;
    case SIM_OP_BARRIER:
    case SIM_OP_TENSOR: return ROLE_SKIP;
    default: return strncmp(opcode->mnemonic, "setp", 4) == 0 ? ROLE_COMPARE : ROLE_RUN;
    }
}

static void find_roles(struct scout *scout)
{
    const struct module *module = scout->worker->launch->function->module;
    for (uint32_t f = 0; f < module->function_count; f++) {
        const struct function *function = &module->functions[f];
        for (uint32_t i = 0; i < function->op_count; i++) {
            const struct op *op = &function->ops[i];
            scout->roles[op->id] =
                (uint8_t)role_of(op, opcode_at(module->ops[op->id].row));
        }
    }
}

/* --- One op ----------------------------------------------------------------------------------- */

/* Zeros, as memory that was never written has. */
static void bring_zeros(struct warp *warp, const struct op *op)
{
    uint32_t count = op->list && op->run == load ? op->count : 1;
    for (uint32_t i = 0; i < count; i++) {
        uint32_t to = op->list && op->run == load ? op->list[i] : op->dst;
        if (to != NO_REGISTER)
            memset(reg(warp, to), 0, (size_t)WARP_LANES * op->dst_bytes);
    }
}

static void note_outcome(struct scout *scout, struct warp *warp, const struct op *op,
                         lane_mask active)
{
    struct outcome *outcome = &scout->outcomes[op->id];
    lane_mask is_true = op->dst == NO_REGISTER ? 0 : *predicate(warp, op->dst) & active;
    const bool any[2] = {is_true != active, is_true != 0};
    for (int i = 0; i < 2 && op->dst != NO_REGISTER; i++) {
        if (!any[i] || (outcome->count[i] && outcome->last[i] == scout->warps))
            continue;
        if (outcome->count[i]++ == 0)
            outcome->first[i] = warp->block->number;
        outcome->last[i] = scout->warps;
    }
}

/* False when the warp is gone through no further. */
static bool step(struct scout *scout, struct warp *warp, const struct op *op, lane_mask active)
{
    switch ((enum role)scout->roles[op->id]) {
    case ROLE_SKIP: return true;
    case ROLE_BRINGS: bring_zeros(warp, op); return true;
    case ROLE_WAITS: *predicate(warp, op->dst) |= active; return true;
    case ROLE_CALL:
        if (warp->undefined) /* its frame would have values to follow */
            return false;
        op->run(warp, op, active);
        break;
    case ROLE_COMPARE:
        op->run(warp, op, active);
        note_outcome(scout, warp, op, active);
        break;
    case ROLE_RUN: op->run(warp, op, active); break;
    }
    return !warp->again && !block_launch(warp)->faulted;
}

/* --- One warp --------------------------------------------------------------------------------- */

static bool basic_block(struct scout *scout, struct warp *warp)
{
    struct split *split = warp->split;
    const struct function *function = split->function;
    const struct basic_block *block = &function->blocks[split->at];
    lane_mask mask = split->mask;
    split->at = split->at + 1 < function->block_count ? split->at + 1 : EXIT_BLOCK;
    warp->steps += block->count;
    for (uint32_t i = 0; i < block->count; i++) {
        const struct op *op = &function->ops[block->first + i];
        lane_mask guard = op->guard == NO_REGISTER ? ALL_LANES : *predicate(warp, op->guard);
        lane_mask active = mask & (op->guard_negated ? ~guard : guard);
        if (active && !step(scout, warp, op, active))
            return false;
    }
    return true;
}

/* What goes wrong here says nothing: its data are no data. */
static void forget_fault(struct launch *launch)
{
    launch->faulted = false;
    memset(&launch->fault, 0, sizeof launch->fault);
}

static void go_through(struct scout *scout, uint64_t number, uint32_t index, uint64_t most)
{
    struct warp *warp = &scout->block->warps[index];
    block_place(scout->block, number, index);
    warp_settle(warp);
    while (warp->status == WARP_READY && warp->steps < most &&
           basic_block(scout, warp))
        warp_settle(warp);
    scout->steps += START_STEPS + warp->steps;
    scout->warps++;
    warp->again = false;
    if (scout->worker->launch->faulted)
        forget_fault(scout->worker->launch);
}

/* --- All of them ------------------------------------------------------------------------------ */

static bool is_among(const uint64_t *numbers, uint32_t count, uint64_t number)
{
    for (uint32_t i = 0; i < count; i++)
        if (numbers[i] == number)
            return true;
    return false;
}

/* The block whose outcome is the rarest of those not yet named. */
static bool next_rarest(const struct scout *scout, uint64_t *numbers, uint32_t count)
{
    uint32_t least = scout->warps / RARE;
    bool found = false;
    uint32_t ops = scout->worker->launch->function->module->op_count;
    for (uint32_t i = 0; i < 2 * ops; i++) {
        const struct outcome *outcome = &scout->outcomes[i / 2];
        uint32_t times = outcome->count[i % 2];
        if (times == 0 || times > least || is_among(numbers, count, outcome->first[i % 2]))
            continue;
        least = found && times == least ? least : times;
        numbers[count] = outcome->first[i % 2];
        found = true;
    }
    return found;
}

/* All blocks in an order without repetition, by steps of a number that is prime to theirs: of each
 * a warp, then of each another one, until the steps are spent. */
static void go_through_all(struct scout *scout)
{
    const struct launch *launch = scout->worker->launch;
    uint64_t random = launch->config.sampling.seed ^ UINT64_C(0x73636F757473);
    uint64_t count = launch->block_count, at = sample_random(&random) % count;
    uint64_t step = prime_to(count, sample_random(&random) % count);
    for (uint32_t round = 0; round < launch->warp_count; round++)
        for (uint64_t i = 0; i < count && scout->steps < MOST_STEPS; i++) {
            go_through(scout, at, (uint32_t)((at + round) % launch->warp_count),
                       round ? STEPS_OF_OTHERS : STEPS_OF_FIRST);
            at = (at + step) % count;
        }
}

/* The worker's counters, while nobody counts: as they were before. */
struct before {
    struct watchers watchers;
    uint64_t steps, clock_reads;
};

static struct before begin(struct worker *worker)
{
    const struct before before = {.watchers = worker->watchers,
                                  .steps = worker->steps,
                                  .clock_reads = worker->clock_reads};
    memset(&worker->watchers, 0, sizeof worker->watchers);
    return before;
}

static void end(struct worker *worker, const struct before *before)
{
    const struct module *module = worker->launch->function->module;
    worker->watchers = before->watchers;
    worker->steps = before->steps;
    worker->clock_reads = before->clock_reads;
    memset(worker->divergent, 0, module->op_count * sizeof *worker->divergent);
}

uint32_t scout_blocks(struct worker *worker, uint64_t *numbers, uint32_t most)
{
    const struct module *module = worker->launch->function->module;
    struct scout scout = {.worker = worker,
                          .block = block_new(worker, NULL),
                          .roles = calloc(module->op_count + 1, sizeof *scout.roles),
                          .outcomes = calloc(module->op_count + 1, sizeof *scout.outcomes)};
    uint32_t found = 0;
    if (scout.block && scout.roles && scout.outcomes) {
        const struct before before = begin(worker);
        find_roles(&scout);
        go_through_all(&scout);
        end(worker, &before);
        while (scout.warps >= LEAST_WARPS && found < most && next_rarest(&scout, numbers, found))
            found++;
    }
    if (scout.block)
        block_free(scout.block);
    free(scout.roles);
    free(scout.outcomes);
    return found;
}
