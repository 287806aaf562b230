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
 * exchange between the two sides of a branch) do not wait for ever. Next: block.c.
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
 * arguments, results, (place, bytes) of each; see operand.c. */
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
        if (next == NO_SPLIT) {
            warp->status = WARP_WAITS;
            return;
        }
        enter(warp, next);
    }
}

/* --- What handlers do with the current split --------------------------------------------------- */

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
        if (split->state != SPLIT_FREE && split->register_base + split->function->register_bytes > top)
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

/* --- Waiting ---------------------------------------------------------------------------------- */

static void wait_here(struct warp *warp, enum split_state state)
{
    warp->split->state = state;
    warp->again = true;
}

/* What the lanes put down, for a split to pick up when it has its turn: until then others may have
 * met again. */
static bool keep_exchange(struct warp *warp, uint32_t index)
{
    if (warp->kept_room < warp->split_room) {
        void *grown = realloc(warp->kept, warp->split_room * sizeof *warp->kept);
        if (!grown)
            return false;
        warp->kept = grown;
        warp->kept_room = warp->split_room;
    }
    memcpy(warp->kept[index], warp->exchange, sizeof warp->exchange);
    return true;
}

/* Splits that wait for the same members and together are all of them may go on. */
static void release_gathered(struct warp *warp, const struct op *op, lane_mask members)
{
    lane_mask here = 0;
    for (uint32_t i = 0; i < warp->split_count; i++)
        if (warp->splits[i].state == SPLIT_WAITS_FOR_LANES && warp->splits[i].waits_for == members)
            here |= warp->splits[i].mask;
    if ((members & ~warp->idle & ~here) != 0)
        return;
    for (uint32_t i = 0; i < warp->split_count; i++) {
        struct split *split = &warp->splits[i];
        if (split->state != SPLIT_WAITS_FOR_LANES || split->waits_for != members)
            continue;
        split->state = SPLIT_RUNS;
        split->released = true;
        if (!keep_exchange(warp, i))
            fault_raise(warp, op, SIM_FAULT_HOST_MEMORY, -1, "cannot exchange values");
    }
}

static bool check_members(struct warp *warp, const struct op *op, lane_mask active,
                          lane_mask members)
{
    if (!(active & ~members))
        return true;
    fault_raise(warp, op, SIM_FAULT_MEMBER_MASK, __builtin_ctz(active & ~members),
                "takes part in a warp-wide operation whose member mask 0x%08x leaves it out",
                members);
    return false;
}

bool warp_gather(struct warp *warp, const struct op *op, lane_mask active, lane_mask members)
{
    if (warp->split->released) {
        warp->split->released = false;
        memcpy(warp->exchanged, warp->kept[warp->current], sizeof warp->exchanged);
        return true;
    }
    if (!check_members(warp, op, active, members))
        return false;
    if ((members & ~warp->idle & ~active) == 0) {
        memcpy(warp->exchanged, warp->exchange, sizeof warp->exchanged);
        return true;
    }
    warp->split->waits_for = members;
    wait_here(warp, SPLIT_WAITS_FOR_LANES);
    release_gathered(warp, op, members);
    return false;
}

void warp_release(struct warp *warp, uint32_t barrier)
{
    for (uint32_t i = 0; i < warp->split_count; i++) {
        struct split *split = &warp->splits[i];
        if (split->state != SPLIT_WAITS_AT_BARRIER || split->barrier != barrier)
            continue;
        split->state = SPLIT_RUNS;
        split->released = true;
    }
    if (warp->status == WARP_WAITS)
        warp->status = WARP_READY;
}

bool warp_barrier(struct warp *warp, const struct op *op, lane_mask active, uint32_t id,
                  uint32_t count, bool waits)
{
    if (warp->split->released) {
        warp->split->released = false;
        warp->worker->barriers++;
        if (warp->trace)
            trace_barrier_passed(warp, id % BARRIERS);
        return true;
    }
    struct barrier *barrier = &warp->block->barriers[id % BARRIERS];
    if (!barrier->waiting)
        barrier->first_op = op->id;
    barrier->waiting = true;
    barrier->expected = count;
    if (waits) {
        barrier->arrived[warp->index] |= active;
        warp->split->barrier = id % BARRIERS;
        wait_here(warp, SPLIT_WAITS_AT_BARRIER);
    } else {
        barrier->arriving += WARP_LANES; /* a warp counts whole: PTX ISA 9.7.13.1 */
    }
    block_check_barriers(warp->block);
    return false;
}

const struct op *warp_waiting_op(const struct warp *warp)
{
    for (uint32_t i = 0; i < warp->split_count; i++) {
        const struct split *split = &warp->splits[i];
        if (split->state == SPLIT_WAITS_AT_BARRIER || split->state == SPLIT_WAITS_FOR_LANES)
            return &split->function->ops[split->function->blocks[split->at].first];
    }
    return NULL;
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

/* A split has run very long while lanes wait for it at a join. Perhaps it spins on something that
 * those lanes would do next (a lock they hold): since Volta a device lets them go on, so let
 * them, as a split of their own beside their parent. */
static void let_arrived_go(struct warp *warp)
{
    for (uint32_t i = 0; i < warp->split_count; i++) {
        struct split *parent = &warp->splits[i];
        if (parent->state != SPLIT_WAITS_FOR_CHILDREN || parent->at == EXIT_BLOCK ||
            parent->at == parent->join)
            continue;
        lane_mask arrived = parent->mask & ~warp->idle;
        for (uint32_t j = 0; j < warp->split_count; j++)
            if (warp->splits[j].state != SPLIT_FREE && warp->splits[j].parent == i)
                arrived &= ~warp->splits[j].mask;
        if (!arrived)
            continue;
        uint32_t back = warp->current;
        enter(warp, i);
        uint32_t ahead = open_child(warp, arrived);
        parent = warp->split;
        parent->children--;
        if (ahead != NO_SPLIT) {
            warp->splits[ahead].parent = parent->parent;
            warp->splits[ahead].call = parent->call;
            if (parent->parent != NO_SPLIT)
                warp->splits[parent->parent].children++;
            parent->mask &= ~arrived;
        }
        enter(warp, back);
        return;
    }
}

void warp_run(struct warp *warp, uint64_t budget)
{
    uint64_t end = warp->steps + budget;
    struct launch *launch = block_launch(warp);
    warp->status = WARP_READY;
    uint32_t next = next_runnable(warp);
    if (next == NO_SPLIT) {
        warp->status = WARP_WAITS;
        return;
    }
    enter(warp, next);
    settle(warp);
    while (warp->watched && warp->status == WARP_READY && warp->steps < end && !launch->faulted) {
        run_basic_block(warp, true);
        settle(warp);
    }
    while (warp->status == WARP_READY && warp->steps < end && !launch->faulted) {
        run_basic_block(warp, false);
        settle(warp);
    }
    if (warp->status == WARP_READY && warp->steps - warp->changed_at > LONG_RUN) {
        let_arrived_go(warp);
        warp->changed_at = warp->steps;
    }
}

void warp_start(struct warp *warp, lane_mask lanes)
{
    const struct launch *launch = block_launch(warp);
    const struct function *kernel = launch->function;
    warp->idle = ~lanes;
    warp->status = WARP_READY;
    warp->again = false;
    warp->steps = warp->changed_at = 0;
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
    memset(warp->clock, 0, sizeof warp->clock);
    memset(warp->lane_time, 0, sizeof warp->lane_time);
    enter(warp, 0);
}

bool warp_init(struct warp *warp, struct block *block, uint32_t index)
{
    const struct function *kernel = block->launch->function;
    struct split root = {.function = kernel};
    *warp = (struct warp){.block = block, .worker = block->worker, .index = index};
    warp->splits = calloc(FIRST_SPLITS, sizeof *warp->splits);
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
