/* trial.c - runs one turn of a warp's loop on trial: what does it read, and does it only wait?
 *
 * Nothing is counted and no observer is told. Besides computing, it may only load, write local
 * memory (which is the warp's own), and poll by an atomic that changes nothing, such as a
 * compare-and-swap that fails. An atomic that does change something is taken back and ends the
 * trial; so does any other effect that could be seen from outside, before it happens. Only blocks
 * of this worker see the memory meanwhile (meeting.c).
 */
#include "lanes.h"
#include "opcode.h"
#include "spin.h"
#include "split.h"

#include <stdlib.h>

/* The most basic blocks, and memory cells, that a loop which only waits may have. */
enum { MOST_BLOCKS = 64, MOST_CELLS = 512 };

struct trial {
    struct warp *warp;
    uint32_t index; /* of the split it begins with */
    uint32_t root;  /* of the outermost that it has come to */
    struct spin *spin;
    bool reads_clock;
};

/* --- What is read ----------------------------------------------------------------------------- */

static bool note_cell(struct trial *trial, const struct op *op, const struct access *access,
                      int lane)
{
    struct spin *spin = trial->spin;
    if (spin->count == MOST_CELLS)
        return false;
    if (spin->count == spin->room) {
        uint32_t room = spin->room ? 2 * spin->room : 4;
        struct spin_cell *grown = realloc(spin->cells, room * sizeof *grown);
        if (!grown)
            return false;
        spin->cells = grown;
        spin->room = room;
    }
    if (!spin->op)
        spin->op = op;
    struct spin_cell *cell = &spin->cells[spin->count++];
    cell->at = access->host + access->shape->delta[lane];
    cell->bytes = access->bytes;
    memcpy(cell->value, cell->at, cell->bytes);
    if (access->space == SPACE_GLOBAL) {
        const struct allocation *allocation =
            memory_find(block_launch(trial->warp)->context,
                        access->base + (uint64_t)access->shape->delta[lane]);
        spin->by_host |= !allocation || allocation->kind == SIM_MEMORY_HOST ||
                         allocation->kind == SIM_MEMORY_MANAGED;
    }
    return true;
}

/* The access that op has just made for all active lanes; NULL when it was more than one. */
static const struct access *access_of(const struct warp *warp, const struct op *op,
                                      lane_mask active, enum space space)
{
    const struct site *site = warp->worker->sites[2 * op->id + (space == SPACE_SHARED)];
    if (!site || site->last.active != active)
        return NULL;
    bool of_peers = space == SPACE_SHARED && site->last.space == SPACE_CLUSTER;
    return site->last.space == space || of_peers ? &site->last : NULL;
}

static bool note_cells(struct trial *trial, const struct op *op, lane_mask active, enum space space)
{
    const struct access *access = access_of(trial->warp, op, active, space);
    if (!access || access->bytes > SPIN_CELL_BYTES)
        return false;
    int before = -1;
    FOR_ACTIVE (lane, active) {
        bool is_known = before >= 0 && access->shape->delta[lane] == access->shape->delta[before];
        if (!is_known && !note_cell(trial, op, access, lane))
            return false;
        before = lane;
    }
    return true;
}

/* The space that all active lanes' addresses are in; SPACE_GENERIC when they differ. */
static enum space space_of(const struct warp *warp, const struct op *op, lane_mask active)
{
    enum space found = SPACE_GENERIC;
    if (op->space != SPACE_GENERIC)
        return op->space;
    FOR_ACTIVE (lane, active) {
        uint64_t start, address = op->src_bytes == 8 ? ((uint64_t *)reg(warp, op->src[0]))[lane]
                                                     : ((uint32_t *)reg(warp, op->src[0]))[lane];
        enum space space = address_space(warp, address + (uint64_t)op->offset, &start);
        if (found != SPACE_GENERIC && found != space)
            return SPACE_GENERIC;
        found = space;
    }
    return found;
}

static bool is_read_by_others(enum space space)
{
    return space == SPACE_GLOBAL || space == SPACE_SHARED;
}

static bool try_load(struct trial *trial, const struct op *op, lane_mask active)
{
    enum space space = space_of(trial->warp, op, active);
    if (space == SPACE_GENERIC)
        return false;
    op->run(trial->warp, op, active);
    return !is_read_by_others(space) || block_launch(trial->warp)->faulted ||
           note_cells(trial, op, active, space);
}

/* --- Atomics ---------------------------------------------------------------------------------- */

static uint64_t cell_value(const struct access *access, int lane)
{
    uint64_t value = 0;
    memcpy(&value, access->host + access->shape->delta[lane], access->bytes);
    return value;
}

/* What was there before lane's turn; old is the op's destination. */
static uint64_t old_value(const struct access *access, const unsigned char *old, int lane)
{
    uint64_t value = 0;
    memcpy(&value, old + (size_t)lane * access->bytes, access->bytes);
    return value;
}

/* Did the atomic change memory? Then take it back. */
static bool undo(const struct access *access, const unsigned char *old)
{
    bool changed = false;
    FOR_ACTIVE (lane, access->active)
        changed |= cell_value(access, lane) != old_value(access, old, lane);
    for (int lane = WARP_LANES; changed && lane-- > 0;)
        if (access->active >> lane & 1)
            memcpy(access->host + access->shape->delta[lane], old + (size_t)lane * access->bytes,
                   access->bytes);
    return changed;
}

static bool try_atomic(struct trial *trial, const struct op *op, lane_mask active)
{
    struct warp *warp = trial->warp;
    enum space space = space_of(warp, op, active);
    if (op->dst == NO_REGISTER || !is_read_by_others(space))
        return false;
    op->run(warp, op, active);
    if (block_launch(warp)->faulted)
        return false;
    const struct access *access = access_of(warp, op, active, space);
    return access && !undo(access, reg(warp, op->dst)) && note_cells(trial, op, active, space);
}

/* --- Ops and basic blocks --------------------------------------------------------------------- */

static bool try_memory(struct trial *trial, const struct op *op, lane_mask active)
{
    if (op->run == load)
        return try_load(trial, op, active);
    if (op->row->flags & OP_ATOMIC)
        return try_atomic(trial, op, active);
    if (op->run == prefetch) /* of what a trial does nothing is counted */
        return true;
    if (op->run != store || space_of(trial->warp, op, active) != SPACE_LOCAL)
        return false;
    op->run(trial->warp, op, active);
    return true;
}

static bool try_control(struct trial *trial, const struct op *op, lane_mask active)
{
    struct warp *warp = trial->warp;
    const struct function *function = warp->split->function;
    bool is_branch = op->row->flags & OP_BRANCH;
    uint32_t join = function->blocks[split_block_of(warp->split, op)].join;
    bool may_leave =
        function->is_kernel &&
        (op->run == ret || (is_branch && join == EXIT_BLOCK && active != warp->split->mask));
    bool is_call = op_calls(op) || op->run == ret;
    if (is_call && warp->undefined) /* the variables that a call sets are not restored */
        return false;
    if (may_leave || !(is_call || op->row->flags & (OP_BRANCH | OP_PASSES)))
        return false;
    uint64_t divergent = warp->worker->divergent[op->id];
    op->run(warp, op, active);
    warp->worker->divergent[op->id] = divergent;
    return true;
}

static bool try_op(struct trial *trial, const struct op *op, lane_mask active)
{
    struct warp *warp = trial->warp;
    switch (op->row->class) {
    case SIM_OP_GLOBAL:
    case SIM_OP_SHARED:
    case SIM_OP_LOCAL:
    case SIM_OP_CONST: return try_memory(trial, op, active);
    case SIM_OP_CONTROL: return try_control(trial, op, active);
    case SIM_OP_BARRIER:
    case SIM_OP_TENSOR: return false;
    default:
        if (op_reads_clock(op)) {
            trial->reads_clock = true;
            trial->spin->op = trial->spin->op ? trial->spin->op : op;
        }
        op->run(warp, op, active);
        return true;
    }
}

static bool try_block(struct trial *trial)
{
    struct warp *warp = trial->warp;
    struct split *split = warp->split;
    const struct function *function = split->function;
    const struct basic_block *block = &function->blocks[split->at];
    lane_mask mask = split->mask;
    split->at = split->at + 1 < function->block_count ? split->at + 1 : EXIT_BLOCK;
    for (uint32_t i = 0; i < block->count; i++) {
        const struct op *op = &function->ops[block->first + i];
        lane_mask guard = op->guard == NO_REGISTER ? ALL_LANES : *predicate(warp, op->guard);
        lane_mask active = mask & (op->guard_negated ? ~guard : guard);
        if (active && !try_op(trial, op, active))
            return false;
        if (warp->again || block_launch(warp)->faulted)
            return false;
    }
    return true;
}

/* The split has come to its join. False when others are still to come there, or the kernel ends. */
static bool close_split(struct trial *trial)
{
    struct warp *warp = trial->warp;
    uint32_t parent = warp->split->parent;
    bool is_root = warp->current == trial->root;
    if (parent == NO_SPLIT || (is_root && warp->splits[parent].children > 1))
        return false;
    if (is_root) /* as when the loop is around a call, and the trial began inside */
        trial->root = parent;
    split_close(warp);
    return true;
}

/* After a basic block: the next split of the loop that can run. False when the loop is left. */
static bool settle(struct trial *trial)
{
    struct warp *warp = trial->warp;
    for (;;) {
        struct split *split = warp->split;
        if (split->state == SPLIT_RUNS && split->mask && split->at != split->join)
            return true;
        if (split->state == SPLIT_RUNS && !close_split(trial))
            return false;
        if (warp->split->state == SPLIT_RUNS)
            continue;
        uint32_t i = 0;
        while (i < warp->split_count && (warp->splits[i].state != SPLIT_RUNS ||
                                         !split_is_below(warp, i, &warp->splits[trial->root])))
            i++;
        if (i == warp->split_count)
            return false;
        split_enter(warp, i);
    }
}

/* --- A round ---------------------------------------------------------------------------------- */

static bool goes_round(struct trial *trial)
{
    struct warp *warp = trial->warp;
    uint32_t start = warp->split->at;
    for (uint32_t blocks = 0; blocks < MOST_BLOCKS; blocks++) {
        if (!try_block(trial) || !settle(trial))
            return false;
        if (warp->current == trial->index && warp->split->at == start)
            return true;
    }
    return false;
}

bool trial_goes_round(struct warp *warp, uint32_t index, struct spin *spin, bool *reads_clock)
{
    struct worker *worker = warp->worker;
    struct trial trial = {.warp = warp, .index = index, .root = index, .spin = spin};
    uint32_t followed = warp->followed;
    const struct watchers *watchers = worker->watchers;
    spin->op = NULL;
    spin->count = 0;
    spin->by_host = false;
    worker->watchers = &NO_WATCHERS;
    worker->clock_stands = true;
    warp->followed = 0;
    bool round = goes_round(&trial);
    warp->followed = followed;
    worker->clock_stands = false;
    worker->watchers = watchers;
    *reads_clock = trial.reads_clock;
    return round;
}
