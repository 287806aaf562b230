/* scout.c - see scout.h. */
#include "scout.h"
#include "allocation.h"
#include "lanes.h"
#include "store_ledger.h"
#include "opcode.h"
#include "prime_to.h"
#include "sample.h"
#include "split.h"

#include <stdlib.h>

/* Warp instructions for all warps together, a tenth of a second; for the first warp of each block;
 * and for each other warp. A start costs as much as some instructions. */
enum { MOST_STEPS = 24 << 20, STEPS_OF_FIRST = 1024, STEPS_OF_OTHERS = 8192, START_STEPS = 16 };
/* Where all warps together end within STEPS_OF_ALL, each is followed to its end; TRIED warps are
 * tried first, to find out, and none of them may take longer than STEPS_OF_ONE. */
enum { STEPS_OF_ALL = 96 << 20, TRIED = 64, STEPS_OF_ONE = 1 << 16 };
/* An outcome in one of RARE warps, or fewer, is rare; fewer than LEAST_WARPS warps say nothing. */
enum { RARE = 512, LEAST_WARPS = 512 };

enum role {
    ROLE_SKIP,
    ROLE_RUN,
    ROLE_COMPARE,
    ROLE_CALL,
    ROLE_BRINGS,
    ROLE_WAITS,
    ROLE_STORES,
    ROLE_SPOILS /* it brings zeros, and stores what is not followed */
};

/* In how many warps a comparison was false, and true, for any lane; the last of these warps, and
 * the block of the first. */
struct outcome {
    uint32_t count[2], last[2];
    uint64_t first[2];
};

/* Repeated memory (sim_repeat) that a load met last: it is as good as data, and is not made. */
struct vast {
    uint64_t low, high;
};

struct scout {
    struct worker *worker;
    struct block *block;
    uint8_t *roles;           /* by op id: enum role */
    struct outcome *outcomes; /* by op id */
    struct vast *vast;        /* by op id */
    struct ledger *ledger;    /* may be NULL */
    uint32_t warps;           /* that were gone through */
    uint64_t steps;
};

/* --- What an op is here ----------------------------------------------------------------------- */

static enum role role_of_control(const struct op *op)
{
    if (op->row->flags & (OP_BRANCH | OP_ENDS))
        return ROLE_RUN;
    return op_calls(op) ? ROLE_CALL : ROLE_SKIP;
}

static enum role role_of(const struct op *op)
{
    switch (op->row->class) {
    case SIM_OP_CONTROL: return role_of_control(op);
    case SIM_OP_GLOBAL:
        if (op->run == store && (op->space == SPACE_GLOBAL || op->space == SPACE_GENERIC))
            return ROLE_STORES;
        if (op->run != store && op->space != SPACE_SHARED && !(op->row->flags & OP_STORES_NOTHING))
            return ROLE_SPOILS;
        __attribute__((fallthrough));
    case SIM_OP_SHARED:
    case SIM_OP_LOCAL:
        if (op->space == SPACE_CONST) /* no launch changes it */
            return ROLE_RUN;
        if (op->row->flags & OP_PHASE)
            return ROLE_WAITS;
        return op->run == load || op->dst != NO_REGISTER ? ROLE_BRINGS : ROLE_SKIP;
    case SIM_OP_BARRIER:
    case SIM_OP_TENSOR: return ROLE_SKIP;
    default: return op->row->flags & OP_COMPARES ? ROLE_COMPARE : ROLE_RUN;
    }
}

static void find_roles(struct scout *scout)
{
    const struct module *module = scout->worker->launch->function->module;
    for (uint32_t f = 0; f < module->function_count; f++) {
        const struct function *function = &module->functions[f];
        for (uint32_t i = 0; i < function->op_count; i++) {
            const struct op *op = &function->ops[i];
            scout->roles[op->id] = (uint8_t)role_of(op);
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

/* Does it read a variable, or other memory that a kernel may keep tables in? Then what it loads is
 * not data but a part of the program, and is read. */
static bool reads_a_table(struct scout *scout, struct warp *warp, const struct op *op,
                          lane_mask active)
{
    if (op->run != load || op->src_bytes != 8 ||
        (op->space != SPACE_GLOBAL && op->space != SPACE_GENERIC))
        return false;
    SOURCE(uint64_t, addresses, 0);
    uint64_t address = addresses[__builtin_ctz(active)] + (uint64_t)op->offset;
    struct vast *vast = &scout->vast[op->id];
    if (address >= vast->low && address < vast->high)
        return false;
    const struct allocation *allocation = memory_find(scout->worker->launch->context, address);
    if (allocation && allocation->pieces)
        *vast = (struct vast){allocation->address, allocation->address + allocation->size_bytes};
    return allocation && !allocation->pieces;
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

static void note_store(struct warp *warp, const struct op *op, lane_mask active, enum space space,
                       const uint64_t *address)
{
    if (space == SPACE_GLOBAL)
        ledger_store(sample_ledger(block_launch(warp)->sample), active, address,
                     (uint32_t)op->bytes * op->count);
}

/* False when the warp is followed no further. */
static bool step(struct scout *scout, struct warp *warp, const struct op *op, lane_mask active)
{
    switch ((enum role)scout->roles[op->id]) {
    case ROLE_SKIP: return true;
    case ROLE_STORES:
        if (!ledger_is_spoilt(scout->ledger))
            access_by_space(warp, op, active, note_store);
        return true;
    case ROLE_SPOILS:
        ledger_spoil(scout->ledger);
        bring_zeros(warp, op);
        return true;
    case ROLE_BRINGS:
        if (!reads_a_table(scout, warp, op, active)) {
            bring_zeros(warp, op);
            return true;
        }
        __attribute__((fallthrough));
    case ROLE_RUN: op->run(warp, op, active); break;
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

/* A fault here means nothing, since the data are not the program's. */
static void forget_fault(struct launch *launch)
{
    launch->faulted = false;
    memset(&launch->fault, 0, sizeof launch->fault);
}

/* Has it come to its end? */
static bool go_through(struct scout *scout, uint64_t number, uint32_t index, uint64_t most)
{
    struct warp *warp = &scout->block->warps[index];
    block_place(scout->block, number, index);
    warp_settle(warp);
    while (warp->status == WARP_READY && warp->steps < most && basic_block(scout, warp))
        warp_settle(warp);
    scout->steps += START_STEPS + warp->steps;
    scout->warps++;
    warp->again = false;
    if (scout->worker->launch->faulted)
        forget_fault(scout->worker->launch);
    return warp->status == WARP_DONE;
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

/* All blocks, each once, by steps of a number that is coprime to their count. */
struct order {
    uint64_t count, at, step;
};

static struct order draw_order(const struct launch *launch)
{
    uint64_t random = launch->config.sampling.seed ^ UINT64_C(0x73636F757473);
    uint64_t count = launch->block_count, at = sample_random(&random) % count;
    return (struct order){count, at, prime_to(count, sample_random(&random) % count)};
}

/* One warp of each block, then another one of each, until the steps are spent. */
static void go_through_many(struct scout *scout, struct order order)
{
    uint32_t warps = scout->worker->launch->warp_count;
    for (uint32_t round = 0; round < warps; round++)
        for (uint64_t i = 0; i < order.count && scout->steps < MOST_STEPS; i++) {
            go_through(scout, order.at, (uint32_t)((order.at + round) % warps),
                       round ? STEPS_OF_OTHERS : STEPS_OF_FIRST);
            order.at = (order.at + order.step) % order.count;
        }
}

/* Do those that are tried end, and would the steps of all warps stay within what all may take? */
static bool may_all_end(struct scout *scout, struct order order)
{
    const struct launch *launch = scout->worker->launch;
    uint64_t tried = order.count < TRIED ? order.count : TRIED;
    for (uint64_t i = 0; i < tried; i++) {
        if (!go_through(scout, order.at, (uint32_t)(order.at % launch->warp_count), STEPS_OF_ONE) ||
            ledger_is_spoilt(scout->ledger))
            return false;
        order.at = (order.at + order.step) % order.count;
    }
    return scout->steps / tried * order.count * launch->warp_count <= STEPS_OF_ALL;
}

/* To the end. */
static void go_through_all(struct scout *scout, struct order order)
{
    uint32_t warps = scout->worker->launch->warp_count;
    for (uint64_t i = 0; i < order.count; i++, order.at = (order.at + order.step) % order.count)
        for (uint32_t warp = 0; warp < warps; warp++) {
            if (scout->steps > 2 * (uint64_t)STEPS_OF_ALL) {
                ledger_spoil(scout->ledger);
                return;
            }
            if (!go_through(scout, order.at, warp, STEPS_OF_ONE))
                ledger_spoil(scout->ledger);
        }
}

static void go(struct scout *scout)
{
    const struct order order = draw_order(scout->worker->launch);
    if (may_all_end(scout, order)) {
        go_through_all(scout, order);
    } else {
        ledger_spoil(scout->ledger);
        go_through_many(scout, order);
    }
}

/* What scouts change of the worker, as it was before: it is restored when they have gone. */
struct before {
    const struct watchers *watchers;
    uint64_t steps, clock_reads;
};

static struct before begin(struct worker *worker)
{
    const struct before before = {
        .watchers = worker->watchers, .steps = worker->steps, .clock_reads = worker->clock_reads};
    worker->watchers = &NO_WATCHERS;
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

uint32_t scout_blocks(struct worker *worker, struct ledger *ledger, uint64_t *numbers,
                      uint32_t most)
{
    const struct module *module = worker->launch->function->module;
    struct scout scout = {.worker = worker,
                          .block = block_new(worker, NULL),
                          .ledger = ledger,
                          .roles = calloc(module->op_count + 1, sizeof *scout.roles),
                          .outcomes = calloc(module->op_count + 1, sizeof *scout.outcomes),
                          .vast = calloc(module->op_count + 1, sizeof *scout.vast)};
    bool has_memory = scout.block && scout.roles && scout.outcomes && scout.vast;
    uint32_t found = 0;
    if (!has_memory)
        ledger_spoil(ledger);
    if (has_memory) {
        const struct before before = begin(worker);
        find_roles(&scout);
        go(&scout);
        end(worker, &before);
        while (scout.warps >= LEAST_WARPS && found < most && next_rarest(&scout, numbers, found))
            found++;
    }
    if (scout.block)
        block_free(scout.block);
    free(scout.roles);
    free(scout.outcomes);
    free(scout.vast);
    return found;
}
