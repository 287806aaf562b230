/* walk.c - see walk.h. */
#include "walk.h"
#include "allocation.h"
#include "drawn_pattern.h"
#include "lanes.h"
#include "opcode.h"
#include "prime_to.h"
#include "queue.h"
#include "sample.h"
#include "slice.h"
#include "split.h"
#include "store_ledger.h"

#include <stdlib.h>

enum role {
    ROLE_SKIP,
    ROLE_RUN,
    ROLE_COMPARE,
    ROLE_CALL,
    ROLE_BRINGS,
    ROLE_WAITS,
    ROLE_STORES,
    ROLE_PASSES,
    ROLE_DRAWS,
    ROLE_SPOILS /* it brings zeros, and stores what is not followed */
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
            return op->row->flags & OP_ATOMIC && op->dst != NO_REGISTER ? ROLE_DRAWS : ROLE_SPOILS;
        __attribute__((fallthrough));
    case SIM_OP_SHARED:
    case SIM_OP_LOCAL:
        if (op->space == SPACE_CONST) /* no launch changes it */
            return ROLE_RUN;
        if (op->row->flags & OP_PHASE)
            return ROLE_WAITS;
        if (op->run == store && op->space == SPACE_SHARED)
            return ROLE_PASSES;
        return op->run == load || op->dst != NO_REGISTER ? ROLE_BRINGS : ROLE_SKIP;
    case SIM_OP_BARRIER:
    case SIM_OP_TENSOR: return ROLE_SKIP;
    default: return op->row->flags & OP_COMPARES ? ROLE_COMPARE : ROLE_RUN;
    }
}

static void find_roles(struct walk *walk)
{
    const struct module *module = walk->worker->launch->function->module;
    for (uint32_t f = 0; f < module->function_count; f++) {
        const struct function *function = &module->functions[f];
        for (uint32_t i = 0; i < function->op_count; i++) {
            const struct op *op = &function->ops[i];
            walk->roles[op->id] = (uint8_t)role_of(op);
        }
    }
}

/* --- One op ----------------------------------------------------------------------------------- */

/* Zeros, as memory that was never written has. Lanes on another path may keep something else where
 * this register is. */
static void bring_zeros(struct walk *walk, struct warp *warp, const struct op *op, lane_mask active)
{
    walk->is_blind = true;
    uint32_t count = op->list && op->run == load ? op->count : 1;
    for (uint32_t i = 0; i < count; i++) {
        uint32_t to = op->list && op->run == load ? op->list[i] : op->dst;
        if (to != NO_REGISTER && covers(warp, active))
            memset(reg(warp, to), 0, (size_t)WARP_LANES * op->dst_bytes);
        else if (to != NO_REGISTER)
            FOR_ACTIVE (lane, active)
                memset((char *)reg(warp, to) + (size_t)lane * op->dst_bytes, 0, op->dst_bytes);
    }
}

/* The allocation that the first lane's address is in: repeated memory, or other (false). */
static bool is_repeated(struct walk *walk, struct warp *warp, const struct op *op, lane_mask active,
                        const struct allocation **allocation)
{
    SOURCE(uint64_t, addresses, 0);
    uint64_t address = addresses[__builtin_ctz(active)] + (uint64_t)op->offset;
    struct vast *vast = &walk->vast[op->id];
    *allocation = NULL;
    if (address >= vast->low && address < vast->high)
        return true;
    *allocation = memory_find(walk->worker->launch->context, address);
    if (!*allocation || !(*allocation)->pieces)
        return false;
    *vast =
        (struct vast){(*allocation)->address, (*allocation)->address + (*allocation)->size_bytes};
    return true;
}

/* Does it read a variable, or other memory that a kernel may keep tables in? Then what it loads is
 * not data but a part of the program, and is read. */
static bool reads_a_table(struct walk *walk, struct warp *warp, const struct op *op,
                          lane_mask active)
{
    if (op->run != load || op->src_bytes != 8 ||
        (op->space != SPACE_GLOBAL && op->space != SPACE_GENERIC))
        return false;
    const struct allocation *allocation;
    return !is_repeated(walk, warp, op, active, &allocation) && allocation;
}

static void note_store(struct warp *warp, const struct op *op, lane_mask active, enum space space,
                       const uint64_t *address)
{
    if (space == SPACE_GLOBAL)
        ledger_store(sample_ledger(block_launch(warp)->sample), active, address,
                     (uint32_t)op->bytes * op->count);
}

/* Each lane for its own block. */
static void note_print(struct warp *warp, const struct op *op, lane_mask active, enum space space,
                       const uint64_t *address)
{
    struct block_print *prints = warp->block->lanes->prints;
    if (space != SPACE_GLOBAL)
        return;
    FOR_ACTIVE (lane, active) {
        prints[lane].hash += sim_stream_word(address[lane], (uint64_t)op->bytes * op->count);
        if (address[lane] < prints[lane].lowest)
            prints[lane].lowest = address[lane];
    }
}

/* What sample.c will count, too, when the block runs. */
static void note_bytes(struct walk *walk, struct warp *warp, const struct op *op, lane_mask active)
{
    const struct allocation *allocation;
    if (op->src_bytes == 8 && is_repeated(walk, warp, op, active, &allocation))
        walk->stored += (uint64_t)__builtin_popcount(active) * op->bytes * op->count;
}

static void note_stores(struct walk *walk, struct warp *warp, const struct op *op, lane_mask active)
{
    if (walk->adds_up)
        note_bytes(walk, warp, op, active);
    if (warp->block->lanes)
        access_by_space(warp, op, active, note_print);
    else if (!ledger_is_spoilt(walk->ledger))
        access_by_space(warp, op, active, note_store);
}

static void spoil(struct walk *walk, struct warp *warp, const struct op *op, lane_mask active)
{
    ledger_spoil(walk->ledger);
    if (warp->block->lanes)
        warp->block->lanes->is_spoilt = true;
    bring_zeros(walk, warp, op, active);
}

/* False when the warp is followed no further. */
static bool step(struct walk *walk, struct warp *warp, const struct op *op, lane_mask active)
{
    switch ((enum role)walk->roles[op->id]) {
    case ROLE_SKIP:
        walk->is_blind |= op->dst != NO_REGISTER || op->row->class == SIM_OP_TENSOR;
        return true;
    case ROLE_STORES:
        note_stores(walk, warp, op, active);
        draws_note_store(&walk->draws, warp, op, active);
        return true;
    case ROLE_PASSES: draws_pass(&walk->draws, warp, op, active); return true;
    case ROLE_DRAWS:
        if (warp->block->lanes || !draws_give(&walk->draws, warp, op, active))
            spoil(walk, warp, op, active);
        return true;
    case ROLE_SPOILS: spoil(walk, warp, op, active); return true;
    case ROLE_BRINGS:
        if (!warp->block->lanes && draws_bring(&walk->draws, warp, op, active))
            return true;
        if (!reads_a_table(walk, warp, op, active)) {
            bring_zeros(walk, warp, op, active);
            return true;
        }
        __attribute__((fallthrough));
    case ROLE_RUN:
        walk->is_blind |= op_reads_clock(op);
        op->run(warp, op, active);
        break;
    case ROLE_WAITS: *predicate(warp, op->dst) |= active; return true;
    case ROLE_CALL:
        if (warp->undefined) /* its frame would have values to follow */
            return false;
        op->run(warp, op, active);
        break;
    case ROLE_COMPARE:
        op->run(warp, op, active);
        if (walk->compared)
            walk->compared(walk, warp, op, active);
        break;
    }
    return !warp->again && !block_launch(warp)->faulted;
}

/* --- One warp --------------------------------------------------------------------------------- */

static bool one_op(struct walk *walk, struct warp *warp, const struct op *op, lane_mask mask)
{
    lane_mask guard = op->guard == NO_REGISTER ? ALL_LANES : *predicate(warp, op->guard);
    lane_mask active = mask & (op->guard_negated ? ~guard : guard);
    return !active || step(walk, warp, op, active);
}

static bool basic_block(struct walk *walk, struct warp *warp)
{
    struct split *split = warp->split;
    const struct function *function = split->function;
    uint32_t at = split->at;
    const struct basic_block *block = &function->blocks[at];
    lane_mask mask = split->mask;
    bool some = walk->first;
    uint32_t from = some ? walk->first[at] : 0, count = block->count;
    if (some)
        count = walk->first[at + 1] - from;
    split->at = at + 1 < function->block_count ? at + 1 : EXIT_BLOCK;
    warp->steps += block->count;
    walk->cost += count + 1;
    for (uint32_t i = 0; i < count; i++)
        if (!one_op(walk, warp, &function->ops[some ? walk->ops[from + i] : block->first + i],
                    mask))
            return false;
    if (some && walk->joins[at])
        split->at = block->join;
    return true;
}

/* A fault here means nothing, since the data are not the program's. */
static void forget_fault(struct launch *launch)
{
    launch->faulted = false;
    memset(&launch->fault, 0, sizeof launch->fault);
}

/* Nothing is learned from going on. */
static bool is_over(const struct walk *walk)
{
    return (walk->adds_up && walk->is_blind) || (walk->most_cost && walk->cost > walk->most_cost);
}

/* A warp that has been placed: has it come to its end? */
static bool follow(struct walk *walk, struct warp *warp, uint64_t most)
{
    warp_settle(warp);
    while (warp->status == WARP_READY && warp->steps < most && !is_over(walk) &&
           basic_block(walk, warp))
        warp_settle(warp);
    warp->again = false;
    if (walk->worker->launch->faulted)
        forget_fault(walk->worker->launch);
    return warp->status == WARP_DONE && !is_over(walk);
}

bool walk_through(struct walk *walk, uint64_t number, uint32_t index, uint64_t most)
{
    block_place(walk->block, number, index);
    draws_begin(&walk->draws, walk->worker->launch);
    return follow(walk, &walk->block->warps[index], most);
}

bool walk_through_lanes(struct walk *walk, struct block_lanes *lanes, uint32_t count, uint64_t most)
{
    block_place_lanes(walk->block, lanes, count);
    return follow(walk, &walk->block->warps[0], most) && !lanes->is_spoilt;
}

/* --- The walk --------------------------------------------------------------------------------- */

/* Where nothing is decided, control goes on as it does. */
static bool only_goes_on(const struct function *function, uint32_t block, const struct op *op)
{
    return op->row->flags & (OP_BRANCH | OP_ENDS | OP_STOPS) &&
           flow_successor_count(function, block) < 2;
}

/* The ops of the slice, block by block. False without memory, or if not all stores that are to be
 * added up are. */
static bool list_ops(struct walk *walk, const bool *slice)
{
    const struct function *function = walk->worker->launch->function;
    bool has_draws = queue_is_used(sample_queue(walk->worker->launch->sample));
    uint32_t count = 0;
    walk->ops = malloc((function->op_count + 1) * sizeof *walk->ops);
    walk->first = malloc((function->block_count + 1) * sizeof *walk->first);
    walk->joins = calloc(function->block_count + 1, sizeof *walk->joins);
    if (!walk->ops || !walk->first || !walk->joins)
        return false;
    for (uint32_t i = 0; i < function->block_count; i++) {
        const struct basic_block *block = &function->blocks[i];
        uint32_t end = block->first + block->count;
        walk->first[i] = count;
        for (uint32_t op = block->first; op < end; op++) {
            enum role role = walk->roles[function->ops[op].id];
            bool is_lost = role == ROLE_SPOILS || (role == ROLE_DRAWS && !has_draws);
            if (walk->adds_up && is_lost)
                return false;
            if (slice[op] || only_goes_on(function, i, &function->ops[op]))
                walk->ops[count++] = op;
        }
        walk->joins[i] = flow_successor_count(function, i) > 1 && !slice[end - 1];
    }
    walk->first[function->block_count] = count;
    return true;
}

bool walk_begin(struct walk *walk, struct worker *worker, struct ledger *ledger, const bool *slice)
{
    const struct module *module = worker->launch->function->module;
    *walk = (struct walk){.worker = worker,
                          .block = block_new(worker, NULL),
                          .ledger = ledger,
                          .adds_up = slice != NULL,
                          .roles = calloc(module->op_count + 1, sizeof *walk->roles),
                          .vast = calloc(module->op_count + 1, sizeof *walk->vast)};
    walk->before = (struct before){.watchers = worker->watchers,
                                   .steps = worker->steps,
                                   .clock_reads = worker->clock_reads,
                                   .divergent = worker->divergent};
    worker->watchers = &NO_WATCHERS;
    worker->divergent = worker_alloc(module->op_count, sizeof *worker->divergent);
    if (!walk->block || !walk->roles || !walk->vast || !worker->divergent)
        return false;
    find_roles(walk);
    return !slice || list_ops(walk, slice);
}

/* Does it only give a register a value, with no other effect here, whatever its operands are? */
static bool only_makes_data(const struct op *op)
{
    if (op->run == load && (op->space == SPACE_SHARED || op->space == SPACE_LOCAL))
        return true; /* it brings zeros */
    switch (op->row->class) {
    case SIM_OP_INTEGER:
    case SIM_OP_FLOAT:
    case SIM_OP_DOUBLE:
    case SIM_OP_HALF:
    case SIM_OP_SPECIAL:
    case SIM_OP_CONVERT:
    case SIM_OP_MOVE:
    case SIM_OP_PARAM: return !(op->row->flags & OP_COMPARES) && !op_reads_clock(op);
    default: return false;
    }
}

static void forget_list(struct walk *walk)
{
    free(walk->ops);
    free(walk->first);
    free(walk->joins);
    walk->ops = walk->first = NULL;
    walk->joins = NULL;
}

void walk_leave_out_data(struct walk *walk)
{
    const struct function *function = walk->worker->launch->function;
    bool has_draws = queue_is_used(sample_queue(walk->worker->launch->sample));
    bool *kept = calloc(function->op_count + 1, sizeof *kept);
    for (uint32_t i = 0; kept && i < function->op_count; i++) {
        const struct op *op = &function->ops[i];
        enum role role = walk->roles[op->id];
        bool does_nothing = role == ROLE_SKIP || (role == ROLE_PASSES && !has_draws);
        kept[i] = !does_nothing && !only_makes_data(op);
    }
    bool *slice = kept ? slice_of_ops(function, kept) : NULL;
    if (slice && !list_ops(walk, slice))
        forget_list(walk);
    free(slice);
    free(kept);
}

void walk_end(struct walk *walk)
{
    struct worker *worker = walk->worker;
    free(worker->divergent);
    worker->watchers = walk->before.watchers;
    worker->steps = walk->before.steps;
    worker->clock_reads = walk->before.clock_reads;
    worker->divergent = walk->before.divergent;
    if (walk->block)
        block_free(walk->block);
    free(walk->roles);
    free(walk->vast);
    forget_list(walk);
}

struct order walk_order(const struct launch *launch)
{
    uint64_t random = launch->config.sampling.seed ^ UINT64_C(0x73636F757473);
    uint64_t count = launch->block_count, at = sample_random(&random) % count;
    return (struct order){count, at, prime_to(count, sample_random(&random) % count)};
}
