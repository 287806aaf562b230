/* warp.c - a warp: 32 lanes that step together, and what happens when they disagree.
 *
 * A warp starts as one split: all lanes, at the kernel's first basic block. When the lanes of a
 * split part at a branch, the split waits at the join (where all paths from the branch meet
 * again, see flow.c) and opens a child for each path. A child that reaches the join hands its
 * lanes back; when the last has done so, the parent walks on with all of them:
 *
 *     if (lane < 8) a(); else b();        parent  ########........................   waits at c
 *     c();                                child   ########                           runs a
 *                                         child           ########################   runs b
 *
 * A call is the same: the caller waits behind the call, and a child walks through the function.
 *
 * Children take turns, so lanes that wait for their neighbours (a spin lock inside a warp, an
 * exchange between the two sides of a branch) do not wait for ever. Next: warp_wait.c, block.c.
 */
#include "lanes.h"
#include "opcode.h"
#include "timing/timing.h"

#include <stdlib.h>

enum { FIRST_SPLITS = 16, MOST_SPLITS = 4096, CALL_BYTES = 32 };
/* A stack of cudaLimitStackSize bytes holds machine frames, which are tighter than PTX's. */
enum { STACK_SLACK = 16 };
/* Steps without a change after which lanes that wait at a join may go ahead. */
enum { LONG_RUN = 1 << 17 };
/* The same, if it keeps asking memory for what others may change: that is waiting. */
enum { LONG_WAIT = 1 << 12, ASKED_LATELY = 64 };
static const size_t MOST_REGISTER_BYTES = (size_t)64 << 20;

/* --- Frames ----------------------------------------------------------------------------------- */

static bool reserve_registers(struct warp *warp, size_t bytes)
{
    if (bytes <= warp->register_stack_bytes)
        return true;
    size_t room = warp->register_stack_bytes ? warp->register_stack_bytes : 4096;
    while (room < bytes)
        room *= 2;
    unsigned char *grown = room > MOST_REGISTER_BYTES ? NULL : aligned_alloc(64, room);
    if (!grown)
        return false;
    memset(grown, 0, room);
    if (warp->register_stack)
        memcpy(grown, warp->register_stack, warp->register_stack_bytes);
    free(warp->register_stack);
    warp->register_stack = grown;
    warp->register_stack_bytes = room;
    return true;
}

static bool reserve_local(struct warp *warp, uint32_t bytes)
{
    if (bytes <= warp->local_bytes)
        return true;
    uint32_t room = (bytes + 255) & ~UINT32_C(255);
    unsigned char *grown = realloc(warp->local, (size_t)room * WARP_LANES);
    if (!grown)
        return false;
    memset(grown + (size_t)warp->local_bytes * WARP_LANES, 0,
           (size_t)(room - warp->local_bytes) * WARP_LANES);
    warp->local = grown;
    warp->local_bytes = room;
    return true;
}

/* Constants that depend on the launch or the frame: add what is known only now. */
static void fill_constant(struct warp *warp, const struct split *split,
                          const struct constant *constant)
{
    unsigned char *to = warp->register_stack + split->register_base + constant->reg;
    uint64_t value = constant->value;
    value += constant->kind == CONSTANT_LOCAL ? split->local_base
                                              : block_launch(warp)->dynamic_shared;
    for (int lane = 0; lane < WARP_LANES; lane++)
        memcpy(to + (size_t)lane * constant->bytes, &value, constant->bytes);
}

static bool prepare_frame(struct warp *warp, const struct split *split)
{
    const struct function *function = split->function;
    if (!reserve_registers(warp, split->register_base + function->register_bytes) ||
        !reserve_local(warp, split->local_base + function->local_bytes))
        return false;
    if (function->constant_bytes)
        memcpy(warp->register_stack + split->register_base + function->constant_start,
               function->constant_image, function->constant_bytes);
    for (uint32_t i = 0; i < function->constant_count; i++)
        if (function->constants[i].kind != CONSTANT_VALUE)
            fill_constant(warp, split, &function->constants[i]);
    return true;
}

/* --- Splits ----------------------------------------------------------------------------------- */

static void enter(struct warp *warp, uint32_t index)
{
    if (warp->current != index)
        warp->changed_at = warp->steps;
    warp->current = index;
    warp->split = &warp->splits[index];
    warp->registers = warp->register_stack + warp->split->register_base;
}

/* A free split, as a child of the current one; its index, or NO_SPLIT. Splits may move. */
static uint32_t open_child(struct warp *warp, lane_mask lanes)
{
    uint32_t index = 0;
    while (index < warp->split_count && warp->splits[index].state != SPLIT_FREE)
        index++;
    if (index == warp->split_room) {
        uint32_t room = warp->split_room ? 2 * warp->split_room : FIRST_SPLITS;
        struct split *grown =
            room > MOST_SPLITS ? NULL : realloc(warp->splits, room * sizeof *grown);
        if (!grown)
            return NO_SPLIT;
        warp->splits = grown;
        warp->split_room = room;
        warp->split = &warp->splits[warp->current];
    }
    if (index == warp->split_count)
        warp->split_count++;
    struct split *parent = warp->split, *child = &warp->splits[index];
    *child = *parent;
    child->state = SPLIT_RUNS;
    child->mask = lanes;
    child->returned = 0;
    child->parent = warp->current;
    child->children = 0;
    child->released = false;
    child->call = NULL;
    parent->children++;
    parent->state = SPLIT_WAITS_FOR_CHILDREN;
    return index;
}

lane_mask warp_live(const struct warp *warp)
{
    return ~warp->idle;
}

/* The next split that can run, in turn; NO_SPLIT when all wait. */
static uint32_t next_runnable(const struct warp *warp)
{
    for (uint32_t i = 1; i <= warp->split_count; i++) {
        uint32_t index = (warp->current + i) % warp->split_count;
        if (warp->splits[index].state == SPLIT_RUNS)
            return index;
    }
    return NO_SPLIT;
}

static bool overflow(struct warp *warp, const struct op *op)
{
    fault_raise(warp, op, SIM_FAULT_STACK_OVERFLOW, __builtin_ctz(warp->split->mask),
                "needs more stack than a thread has: calls nest too deep");
    return false;
}

/* Copy a call's variables from one frame to another, for lanes. */
static void pass_variables(struct warp *warp, size_t from_base, size_t to_base, uint32_t count,
                           const uint32_t *from, uint32_t from_step, const uint32_t *to,
                           uint32_t to_step, const uint32_t *bytes, uint32_t bytes_step,
                           lane_mask lanes)
{
    for (uint32_t i = 0; i < count; i++) {
        const unsigned char *source = warp->register_stack + from_base + from[i * from_step];
        unsigned char *target = warp->register_stack + to_base + to[i * to_step];
        uint32_t size = bytes[i * bytes_step];
        FOR_ACTIVE(lane, lanes)
        memcpy(target + (size_t)lane * size, source + (size_t)lane * size, size);
    }
}

/* The first split of a call is done: its results go to the caller's variables. op->list is:
 * arguments, results, (place, bytes) of each; see operation.c. */
static void fetch_results(struct warp *warp, const struct split *child, const struct split *parent)
{
    const uint32_t *list = child->call->list;
    const struct function *function = child->function;
    uint32_t count = list[1] < function->result_count ? list[1] : function->result_count;
    const uint32_t *places = list + 2 + 2 * list[0];
    pass_variables(warp, child->register_base, parent->register_base, count,
                   &function->results[0].offset, 2, places, 2, places + 1, 2,
                   (child->mask | child->returned) & ~warp->idle);
}

/* The current split has no lanes left to run, or has come to its join: give them back. */
static void close_split(struct warp *warp)
{
    struct split *split = warp->split;
    uint32_t parent_index = split->parent;
    if (parent_index == NO_SPLIT) {
        warp_exit(warp, split->mask);
        split->state = SPLIT_FREE;
        return;
    }
    struct split *parent = &warp->splits[parent_index];
    if (split->call)
        fetch_results(warp, split, parent);
    split->state = SPLIT_FREE;
    while (warp->split_count && warp->splits[warp->split_count - 1].state == SPLIT_FREE)
        warp->split_count--;
    if (--parent->children > 0)
        return;
    parent->state = SPLIT_RUNS;
    parent->mask &= ~warp->idle;
    enter(warp, parent_index);
}

/* --- Lanes that need not wait ----------------------------------------------------------------- */

/* Lanes that wait at split i's join for the others of the split. */
static lane_mask arrived_at_join(const struct warp *warp, uint32_t i)
{
    const struct split *parent = &warp->splits[i];
    if (parent->state != SPLIT_WAITS_FOR_CHILDREN || parent->at == EXIT_BLOCK)
        return 0;
    lane_mask arrived = parent->mask & ~warp->idle;
    for (uint32_t j = 0; j < warp->split_count; j++)
        if (warp->splits[j].state != SPLIT_FREE && warp->splits[j].parent == i)
            arrived &= ~warp->splits[j].mask;
    return arrived;
}

/* A split of its own for lanes that need not wait at split i's join: beside it, not below it. */
static uint32_t open_sibling(struct warp *warp, uint32_t i, lane_mask lanes)
{
    uint32_t back = warp->current;
    enter(warp, i);
    uint32_t ahead = open_child(warp, lanes);
    struct split *parent = warp->split;
    parent->children--;
    if (ahead != NO_SPLIT) {
        warp->splits[ahead].parent = parent->parent;
        warp->splits[ahead].call = parent->call;
        if (parent->parent != NO_SPLIT)
            warp->splits[parent->parent].children++;
        parent->mask &= ~lanes;
    }
    enter(warp, back);
    return ahead;
}

/* Since Volta a device lets lanes go on that have arrived where others are still to come, and so
 * must we when nothing else moves: what they do next (give back a lock, exit) may be what the
 * others wait for. Returns the split they go on as, or NO_SPLIT. */
static uint32_t let_arrived_go(struct warp *warp)
{
    for (bool changed = true; changed;) {
        changed = false;
        for (uint32_t i = 0; i < warp->split_count; i++) {
            struct split *parent = &warp->splits[i];
            lane_mask arrived = arrived_at_join(warp, i);
            if (!arrived)
                continue;
            if (parent->at != parent->join)
                return open_sibling(warp, i, arrived);
            if (parent->call || parent->parent == NO_SPLIT)
                continue;
            parent->mask &= ~arrived; /* a join of two branches: they wait at the outer one */
            changed = true;
        }
    }
    return NO_SPLIT;
}

/* Lanes wait for some of their warp, and nobody runs. Those that wait at a join may be about to
 * exit; if not, the mask was wrong. */
static bool go_on_to_exit(struct warp *warp)
{
    bool waits = false;
    for (uint32_t i = 0; i < warp->split_count; i++)
        waits |= warp->splits[i].state == SPLIT_WAITS_FOR_LANES;
    uint32_t ahead = waits ? let_arrived_go(warp) : NO_SPLIT;
    if (ahead == NO_SPLIT)
        return false;
    warp->splits[ahead].ahead = true;
    return true;
}

bool warp_go_ahead(struct warp *warp)
{
    bool waits = false;
    for (uint32_t i = 0; i < warp->split_count; i++)
        waits |= warp->splits[i].state == SPLIT_WAITS_FOR_PHASE;
    if (!waits || let_arrived_go(warp) == NO_SPLIT)
        return false;
    warp->ran_ahead = true;
    warp->status = WARP_READY;
    return true;
}

/* --- Turns of splits -------------------------------------------------------------------------- */

/* After a basic block: hand back lanes that have arrived, and find a split that can run. */
static void settle(struct warp *warp)
{
    for (;;) {
        struct split *split = warp->split;
        if (split->state == SPLIT_RUNS && split->mask && split->at != split->join)
            return;
        if (split->state == SPLIT_RUNS) {
            close_split(warp);
            if (warp->idle == ALL_LANES) {
                warp->status = WARP_DONE;
                return;
            }
            if (warp->split->state == SPLIT_RUNS)
                continue;
        }
        uint32_t next = next_runnable(warp);
        if (next == NO_SPLIT && go_on_to_exit(warp))
            next = next_runnable(warp);
        if (next == NO_SPLIT) {
            warp->status = WARP_WAITS;
            return;
        }
        enter(warp, next);
    }
}

/* --- What handlers do with the current split -------------------------------------------------- */

static const struct basic_block *block_of(const struct split *split, const struct op *op)
{
    const struct function *function = split->function;
    uint32_t index = (uint32_t)(op - function->ops), low = 0, high = function->block_count;
    while (high - low > 1) {
        uint32_t middle = low + (high - low) / 2;
        if (function->blocks[middle].first <= index)
            low = middle;
        else
            high = middle;
    }
    return &function->blocks[low];
}

void warp_part(struct warp *warp, const struct op *op, uint32_t count, const lane_mask *lanes,
               const uint32_t *target)
{
    if (count == 1) {
        warp->split->at = target[0];
        return;
    }
    warp->worker->divergent[op->id]++;
    uint32_t join = block_of(warp->split, op)->join, paths = 0, only = 0;
    for (uint32_t i = 0; i < count; i++)
        if (target[i] != join) {
            paths++;
            only = i;
        }
    if (join == warp->split->join && paths == 1) {
        /* The others wait where this split itself will hand back: just let them go. A loop whose
         * lanes leave one by one needs no split for each. */
        lane_mask leaving = warp->split->mask & ~lanes[only];
        warp->split->returned |= leaving;
        warp->split->mask = lanes[only];
        warp->split->at = target[only];
        if (join == EXIT_BLOCK && warp->split->function->is_kernel)
            warp_exit(warp, leaving);
        return;
    }
    warp->split->at = join;
    uint32_t child = NO_SPLIT;
    for (uint32_t i = 0; i < count; i++) {
        if (target[i] == join)
            continue;
        child = open_child(warp, lanes[i]);
        if (child == NO_SPLIT) {
            overflow(warp, op);
            return;
        }
        warp->splits[child].at = target[i];
        warp->splits[child].join = join;
    }
    enter(warp, child);
}

void warp_run_apart(struct warp *warp, const struct op *op, lane_mask some, lane_mask others)
{
    const struct split *split = warp->split;
    uint32_t here = (uint32_t)(block_of(split, op) - split->function->blocks);
    lane_mask rest = split->mask & ~(some | others);
    const lane_mask lanes[] = {some, others, rest};
    const uint32_t targets[] = {here, here, split->at};
    warp_part(warp, op, rest ? 3 : 2, lanes, targets);
}

void warp_exit(struct warp *warp, lane_mask lanes)
{
    warp->idle |= lanes;
    for (uint32_t i = 0; i < warp->split_count; i++)
        warp->splits[i].mask &= ~warp->idle;
    warp_release_gathered(warp);
    block_check_barriers(warp->block);
}

void warp_return(struct warp *warp, lane_mask lanes)
{
    struct split *split = warp->split;
    split->returned |= lanes;
    if (split->mask == lanes)
        split->at = EXIT_BLOCK;
    else
        split->mask &= ~lanes; /* a path that returns has the function's end as its join */
}

/* Frames of splits that wait elsewhere must stay: a new one goes on top of all. */
static size_t frame_top(const struct warp *warp)
{
    size_t top = 0;
    for (uint32_t i = 0; i < warp->split_count; i++) {
        const struct split *split = &warp->splits[i];
        if (split->state != SPLIT_FREE &&
            split->register_base + split->function->register_bytes > top)
            top = split->register_base + split->function->register_bytes;
    }
    return top;
}

void warp_call(struct warp *warp, const struct op *op, lane_mask lanes,
               const struct function *function)
{
    const struct launch *launch = block_launch(warp);
    size_t base = frame_top(warp);
    uint32_t child_index = open_child(warp, lanes);
    if (child_index == NO_SPLIT) {
        overflow(warp, op);
        return;
    }
    struct split *parent = warp->split, *child = &warp->splits[child_index];
    child->call = op;
    child->join = EXIT_BLOCK;
    child->at = function->block_count ? 0 : EXIT_BLOCK;
    child->register_base = base;
    child->local_base = parent->local_base + parent->function->local_bytes + CALL_BYTES;
    child->function = function;
    uint64_t stack_bytes = launch->context->stack_bytes * STACK_SLACK;
    if (child->local_base > stack_bytes + launch->function->local_bytes ||
        !prepare_frame(warp, child)) {
        overflow(warp, op);
        return;
    }
    const uint32_t *list = op->list;
    uint32_t count = list[0] < function->parameter_count ? list[0] : function->parameter_count;
    pass_variables(warp, parent->register_base, base, count, list + 2, 2,
                   &function->parameters[0].offset, 2, list + 3, 2, lanes);
    enter(warp, child_index);
}

/* --- Running ---------------------------------------------------------------------------------- */

static lane_mask guarded(const struct warp *warp, const struct op *op, lane_mask mask)
{
    lane_mask guard = *predicate(warp, op->guard);
    lane_mask active = mask & (op->guard_negated ? ~guard : guard);
    warp->worker->guarded_off[op->id] += (unsigned)__builtin_popcount(mask & ~active);
    return active;
}

static void run_op_watched(struct warp *warp, const struct op *op, lane_mask mask,
                           lane_mask active)
{
    lane_mask live = warp_live(warp);
    uint32_t depth = watch_depth(warp);
    if (active)
        op->run(warp, op, active);
    if (warp->watched && !warp->again)
        watch_step(warp, op, live, mask, active, depth);
}

/* All ops of the split's basic block. Its lanes cannot change before the last op, so counting
 * the block once counts them all. Compiled twice, so that warps nobody watches pay nothing. */
static inline __attribute__((always_inline)) void run_basic_block(struct warp *warp, bool watched)
{
    struct split *split = warp->split;
    const struct function *function = split->function;
    uint32_t here = split->at;
    const struct basic_block *block = &function->blocks[here];
    struct block_counters *counters = &warp->worker->blocks[block->id];
    lane_mask mask = split->mask;
    unsigned lanes = (unsigned)__builtin_popcount(mask);
    counters->entries++;
    counters->lanes += lanes;
    warp->steps += block->count;
    if (warp->trace)
        trace_enter(warp, block);
    split->at = here + 1 < function->block_count ? here + 1 : EXIT_BLOCK;
    const struct op *end = function->ops + block->first + block->count;
    for (const struct op *op = function->ops + block->first; op < end; op++) {
        lane_mask active = op->guard == NO_REGISTER ? mask : guarded(warp, op, mask);
        if (watched)
            run_op_watched(warp, op, mask, active);
        else if (active)
            op->run(warp, op, active);
    }
    if (warp->again) { /* it waits: what was counted will be counted when it goes on */
        warp->again = false;
        counters->entries--;
        counters->lanes -= lanes;
        warp->steps -= block->count;
        if (warp->trace)
            trace_leave(warp, block);
        warp->split->at = here;
    }
}

void warp_run(struct warp *warp, uint64_t budget)
{
    warp->turn_end = warp->steps + budget;
    warp->asked = 0;
    struct launch *launch = block_launch(warp);
    warp->status = WARP_READY;
    uint32_t next = next_runnable(warp);
    if (next == NO_SPLIT) {
        warp->status = WARP_WAITS;
        return;
    }
    enter(warp, next);
    settle(warp);
    while (warp->watched && warp->status == WARP_READY && warp->steps < warp->turn_end &&
           !launch->faulted) {
        run_basic_block(warp, true);
        settle(warp);
    }
    while (warp->status == WARP_READY && warp->steps < warp->turn_end && !launch->faulted) {
        run_basic_block(warp, false);
        settle(warp);
    }
    bool asks = warp->steps - warp->asked_at < ASKED_LATELY;
    if (warp->status == WARP_READY &&
        warp->steps - warp->changed_at > (asks ? LONG_WAIT : LONG_RUN)) {
        warp->ran_ahead |= let_arrived_go(warp) != NO_SPLIT;
        warp->changed_at = warp->steps;
    }
}

void warp_start(struct warp *warp, lane_mask lanes)
{
    const struct launch *launch = block_launch(warp);
    const struct function *kernel = launch->function;
    warp->idle = ~lanes;
    warp->status = WARP_READY;
    warp->again = warp->ran_ahead = false;
    warp->steps = warp->changed_at = warp->asked_at = 0;
    warp->carry = 0;
    warp->copy_count = warp->group_count = 0;
    warp->splits[0] = (struct split){.state = SPLIT_RUNS,
                                     .mask = lanes,
                                     .at = kernel->block_count ? 0 : EXIT_BLOCK,
                                     .join = EXIT_BLOCK,
                                     .parent = NO_SPLIT,
                                     .function = kernel};
    warp->split_count = 1;
    warp->watched_steps = 0;
    warp->watched = launch->config.watch.step && watch_wants(warp);
    enter(warp, 0);
}

bool warp_init(struct warp *warp, struct block *block, uint32_t index)
{
    const struct function *kernel = block->launch->function;
    struct split root = {.function = kernel};
    *warp = (struct warp){.block = block, .worker = block->worker, .index = index};
    warp->splits = worker_alloc(FIRST_SPLITS, sizeof *warp->splits);
    warp->split_room = FIRST_SPLITS;
    for (int axis = 0; axis < 3; axis++)
        warp->tid[axis] =
            block->tids + ((size_t)axis * block->warp_count + index) * WARP_LANES;
    return warp->splits && prepare_frame(warp, &root);
}

void warp_free(struct warp *warp)
{
    free(warp->splits);
    free(warp->register_stack);
    free(warp->local);
    free(warp->copies);
    free(warp->kept);
}
