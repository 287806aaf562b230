/* warp_wait.c - lanes that wait: for others of their warp, at a warp-wide operation that names
 * them; or for other warps, at a barrier. A split that waits is at its op, which runs again when
 * what it waited for has come. Next: block.c. */
#include "lanes.h"
#include "opcode.h"
#include "split.h"

#include <stdlib.h>

static void wait_here(struct warp *warp, enum split_state state)
{
    warp->split->state = state;
    warp->again = true;
}

/* Save what the lanes put down until the split has its turn and picks it up: before that, others
 * may have met again. */
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

/* Does split i wait for members, with the same operation as op? The current split stands at op. */
static bool waits_with(const struct warp *warp, uint32_t i, const struct op *op, lane_mask members)
{
    const struct split *split = &warp->splits[i];
    return split->state == SPLIT_WAITS_FOR_LANES && split->waits_for == members &&
           (i == warp->current || split_waiting_op(split)->run == op->run);
}

/* Splits that wait for the same members and together are all of them may go on. */
static void release_gathered(struct warp *warp, const struct op *op, lane_mask members)
{
    lane_mask here = 0, at_op = 0;
    for (uint32_t i = 0; i < warp->split_count; i++)
        if (waits_with(warp, i, op, members)) {
            here |= warp->splits[i].mask;
            at_op |= split_waiting_op(&warp->splits[i]) == op ? warp->splits[i].mask : 0;
        }
    if ((members & ~warp->idle & ~here) != 0)
        return;
    if (at_op == warp_live(warp))
        warp->owed = 0;
    for (uint32_t i = 0; i < warp->split_count; i++) {
        struct split *split = &warp->splits[i];
        if (!waits_with(warp, i, op, members))
            continue;
        split->state = SPLIT_RUNS;
        split->released = true;
        split->gathered = here;
        if (!keep_exchange(warp, i))
            fault_raise(warp, op, SIM_FAULT_HOST_MEMORY, -1, "cannot exchange values");
    }
}

static bool check_members(struct warp *warp, const struct op *op, lane_mask active,
                          lane_mask members)
{
    if (!(active & ~members))
        return true;
    return fault_report(warp, op, SIM_FAULT_MEMBER_MASK, __builtin_ctz(active & ~members),
                        "takes part in a warp-wide operation whose member mask 0x%08x leaves it "
                        "out",
                        members);
}

/* Did lanes that went ahead leave without coming here, where a mask names them? */
static bool check_owed(struct warp *warp, const struct op *op, lane_mask active, lane_mask members)
{
    lane_mask left = members & warp->owed & warp->idle;
    if (!left || !(block_launch(warp)->config.checks & SIM_CHECK_BARRIERS))
        return true;
    return fault_report(warp, op, SIM_FAULT_MEMBER_MASK, __builtin_ctz(active),
                        "waits with member mask 0x%08x for lanes 0x%08x of its warp, which met it "
                        "elsewhere and left",
                        members, left);
}

void warp_release_gathered(struct warp *warp)
{
    for (uint32_t i = 0; i < warp->split_count; i++) {
        const struct split *split = &warp->splits[i];
        if (split->state == SPLIT_WAITS_FOR_LANES)
            release_gathered(warp, split_waiting_op(split), split->waits_for);
    }
}

bool warp_gather(struct warp *warp, const struct op *op, lane_mask active, lane_mask members)
{
    if (warp->split->released) {
        warp->split->released = false;
        memcpy(warp->exchanged, warp->kept[warp->current], sizeof warp->exchanged);
        warp->gathered = warp->split->gathered;
        return true;
    }
    if (!check_members(warp, op, active, members) || !check_owed(warp, op, active, members))
        return false;
    if ((members & ~warp->idle & ~active) == 0) {
        if (active == warp_live(warp))
            warp->owed = 0;
        memcpy(warp->exchanged, warp->exchange, sizeof warp->exchanged);
        warp->gathered = active & members;
        return true;
    }
    if (warp->split->ahead)
        warp_raise_absent_barrier(warp, active, op); /* others wait for it elsewhere */
    warp->split->waits_for = members;
    wait_here(warp, SPLIT_WAITS_FOR_LANES);
    release_gathered(warp, op, members);
    return false;
}

void warp_release(struct warp *warp, uint32_t barrier)
{
    lane_mask released = 0;
    for (uint32_t i = 0; i < warp->split_count; i++) {
        struct split *split = &warp->splits[i];
        if (split->state != SPLIT_WAITS_AT_BARRIER || split->barrier != barrier)
            continue;
        split->state = SPLIT_RUNS;
        split->released = true;
        released |= split->mask;
    }
    if (released == warp_live(warp)) { /* they have met */
        warp->may_skip = false;
        for (uint32_t i = 0; i < warp->split_count; i++)
            warp->splits[i].ahead = false;
    }
    if (warp->status == WARP_WAITS)
        warp->status = WARP_READY;
}

/* All threads must come to the same __syncthreads(): one that says how many come (bar.sync 1, 64)
 * may be reached from several places, and so may barrier.sync, which is not aligned. */
static bool same_barrier(struct warp *warp, const struct op *op, const struct barrier *barrier,
                         uint32_t count)
{
    const struct launch *launch = block_launch(warp);
    if (count || barrier->expected || op->run == barrier_sync ||
        !(launch->config.checks & SIM_CHECK_BARRIERS) ||
        place_is_same(launch->function->module, op->id, barrier->first_op))
        return true;
    static const uint32_t WHOLE_WARP[3] = {UINT32_MAX, UINT32_MAX, UINT32_MAX};
    fault_raise_between(warp, op, SIM_FAULT_BARRIER, -1, barrier->first_op, WHOLE_WARP, NULL,
                        "waits here, while warp %u waits at another barrier, at line %u",
                        barrier->first_warp, fault_line_of(warp, barrier->first_op)->line);
    return false;
}

/* PTX ISA 9.7.13.1: barriers are numbered from 0 to 15, and the threads of one are counted in whole
 * warps; an instruction that only arrives has to say how many come. */
static bool check_operands(struct warp *warp, const struct op *op, lane_mask active, uint32_t id,
                           uint32_t count, bool waits)
{
    int lane = __builtin_ctz(active);
    if (!(block_launch(warp)->config.checks & SIM_CHECK_BARRIERS))
        return true;
    if (id >= BARRIERS)
        fault_raise(warp, op, SIM_FAULT_BARRIER_OPERAND, lane,
                    "comes to barrier %u, but a block has barriers 0 to %u", id, BARRIERS - 1);
    else if (count % WARP_LANES || (!waits && !count))
        fault_raise(warp, op, SIM_FAULT_BARRIER_OPERAND, lane,
                    "comes to a barrier of %u threads, which is not a whole number of warps",
                    count);
    return !block_launch(warp)->faulted;
}

bool warp_barrier(struct warp *warp, const struct op *op, lane_mask active, uint32_t id,
                  uint32_t count, bool waits)
{
    if (warp->split->released) {
        warp->split->released = false;
        warp->worker->barriers++;
        if (warp->followed)
            observers_passed(warp, id % BARRIERS);
        return true;
    }
    if (!check_operands(warp, op, active, id, count, waits))
        return false;
    struct barrier *barrier = block_barrier(warp->block, id);
    bool is_first = !(warp->block->barriers_met >> id % BARRIERS & 1);
    if (is_first) {
        barrier->first_op = op->id;
        barrier->first_warp = warp->index;
    } else if (!same_barrier(warp, op, barrier, count)) {
        return false;
    }
    warp->block->barriers_met |= UINT32_C(1) << id % BARRIERS;
    barrier->expected = count;
    barrier->whole_warps = op->run != barrier_sync &&
                           block_launch(warp)->config.checks & SIM_CHECK_BARRIERS &&
                           !warp->ran_ahead;
    if (waits) {
        barrier->arrived[warp->index] |= active;
        warp->split->barrier = id % BARRIERS;
        wait_here(warp, SPLIT_WAITS_AT_BARRIER);
    } else {
        barrier->arriving += WARP_LANES; /* a warp counts whole: PTX ISA 9.7.13.1 */
        observers_arrive(warp, id % BARRIERS);
    }
    block_check_barriers(warp->block);
    return false;
}

void warp_wait_for_phase(struct warp *warp)
{
    wait_here(warp, SPLIT_WAITS_FOR_PHASE);
}

/* All splits that wait like this run their op again. */
static bool recheck(struct warp *warp, enum split_state waits, bool answer)
{
    bool any = false;
    for (uint32_t i = 0; i < warp->split_count; i++) {
        struct split *split = &warp->splits[i];
        if (split->state != waits)
            continue;
        split->state = SPLIT_RUNS;
        split->released = answer;
        any = true;
    }
    if (any && warp->status == WARP_WAITS)
        warp->status = WARP_READY;
    return any;
}

bool warp_recheck_waits(struct warp *warp, bool answer)
{
    return recheck(warp, SPLIT_WAITS_FOR_PHASE, answer);
}

void warp_wait_for_cluster(struct warp *warp)
{
    wait_here(warp, SPLIT_WAITS_FOR_CLUSTER);
}

void warp_recheck_cluster(struct warp *warp)
{
    recheck(warp, SPLIT_WAITS_FOR_CLUSTER, false);
}

const struct split *warp_waiting_split(const struct warp *warp)
{
    for (uint32_t i = 0; i < warp->split_count; i++) {
        const struct split *split = &warp->splits[i];
        if (split->state == SPLIT_WAITS_AT_BARRIER || split->state == SPLIT_WAITS_FOR_LANES ||
            split->state == SPLIT_WAITS_FOR_PHASE || split->state == SPLIT_WAITS_FOR_CLUSTER)
            return split;
    }
    return NULL;
}

const struct op *warp_waiting_op(const struct warp *warp)
{
    const struct split *split = warp_waiting_split(warp);
    return split ? split_waiting_op(split) : NULL;
}
