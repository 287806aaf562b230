/* block.c - a thread block: its warps take turns; barriers make them wait for each other.
 *
 * A warp runs until it has to wait, or its turn is over. When every warp waits and none can be
 * released, the block is deadlocked, and the message says which threads wait where. Next: grid.c.
 */
#include "cluster.h"
#include "spin.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Steps of a turn: long, since warps seldom wait for each other without a barrier. */
enum { TURN = 8192 };
/* After so many turns of all warps, no thread is expected to write what was read too early. */
enum { ROUNDS_TO_HOLD = 2 };
/* After this many fruitless wake-ups, a wait for an mbarrier counts as a deadlock (it may have a
 * time-out of its own). */
enum { MOST_WAITS_IN_VAIN = 1 << 16 };

/* --- Threads ---------------------------------------------------------------------------------- */

static void number_threads(struct block *block)
{
    const uint32_t *size = block->launch->config.block;
    size_t room = (size_t)block->warp_count * 32;
    for (size_t thread = 0; thread < room; thread++) {
        block->tids[thread] = (uint32_t)(thread % size[0]);
        block->tids[room + thread] = (uint32_t)(thread / size[0] % size[1]);
        block->tids[2 * room + thread] = (uint32_t)(thread / size[0] / size[1]);
    }
}

static lane_mask lanes_of(const struct block *block, uint32_t warp)
{
    uint32_t left = block->launch->block_threads - warp * WARP_LANES;
    return left >= WARP_LANES ? ALL_LANES : (UINT32_C(1) << left) - 1;
}

/* --- Life ------------------------------------------------------------------------------------- */

static bool block_init(struct block *block, struct worker *worker)
{
    struct launch *launch = worker->launch;
    block->worker = worker;
    block->launch = launch;
    block->shared_bytes = launch->shared_bytes;
    block->warp_count = launch->warp_count;
    if (!block->shared) {
        block->shared = aligned_alloc(64, ((size_t)launch->shared_bytes + 255) / 64 * 64);
        block->owns_shared = true;
    }
    block->warps = worker_alloc(launch->warp_count, sizeof *block->warps);
    block->tids = worker_alloc((size_t)launch->warp_count * WARP_LANES * 3, sizeof *block->tids);
    if (!block->shared || !block->warps || !block->tids)
        return false;
    memset(block->shared, 0, launch->shared_bytes);
    number_threads(block);
    for (uint32_t i = 0; i < block->warp_count; i++)
        if (!warp_init(&block->warps[i], block, i))
            return false;
    return observers_block_make(block);
}

struct block *block_new(struct worker *worker, unsigned char *shared)
{
    struct block *block = worker_alloc(1, sizeof *block);
    if (block)
        block->shared = shared;
    if (block && block_init(block, worker))
        return block;
    block_free(block);
    return NULL;
}

void block_free(struct block *block)
{
    if (!block)
        return;
    for (uint32_t i = 0; block->warps && i < block->warp_count; i++)
        warp_free(&block->warps[i]);
    observers_block_free(block);
    free(block->bulk);
    free(block->transactions);
    free(block->warps);
    if (block->owns_shared)
        free(block->shared);
    free(block->tids);
    free(block);
}

static void number_block(struct block *block, uint64_t number)
{
    const uint32_t *grid = block->launch->config.grid;
    block->number = number;
    block->index[0] = (uint32_t)(number % grid[0]);
    block->index[1] = (uint32_t)(number / grid[0] % grid[1]);
    block->index[2] = (uint32_t)(number / grid[0] / grid[1]);
}

void block_place(struct block *block, uint64_t number, uint32_t warp)
{
    number_block(block, number);
    warp_start(&block->warps[warp], lanes_of(block, warp));
}

void block_place_lanes(struct block *block, struct block_lanes *lanes, uint32_t count)
{
    struct warp *warp = &block->warps[0];
    block->lanes = lanes;
    for (int axis = 0; axis < 3; axis++)
        warp->tid[axis] = lanes->tid;
    warp_start(warp, count < WARP_LANES ? (UINT32_C(1) << count) - 1 : ALL_LANES);
}

void block_start(struct block *block, uint64_t number)
{
    number_block(block, number);
    block->done_count = 0;
    block->waits_in_vain = 0;
    block->idle = block->has_ended = block->is_met = false;
    for (uint32_t left = block->barriers_used; left; left &= left - 1)
        block->barriers[__builtin_ctz(left)] = (struct barrier){0};
    block->barriers_met = block->barriers_used = 0;
    block->bulk_count = block->transaction_count = 0;
    for (uint32_t i = 0; i < block->warp_count; i++)
        warp_start(&block->warps[i], lanes_of(block, i));
    observers_block_begin(block);
    observers_follow(block);
}

/* --- Barriers --------------------------------------------------------------------------------- */

/* How many threads have arrived. A warp whose lanes have all arrived counts as 32 threads, even if
 * some lanes do not exist. */
static uint32_t arrived_threads(const struct block *block, const struct barrier *barrier)
{
    uint32_t count = barrier->arriving;
    for (uint32_t i = 0; i < block->warp_count; i++) {
        lane_mask live = warp_live(&block->warps[i]), here = barrier->arrived[i];
        if (here && (live & ~here) == 0)
            count += WARP_LANES;
        else if (here && !barrier->whole_warps)
            count += (uint32_t)__builtin_popcount(here);
    }
    return count;
}

static bool everyone_arrived(const struct block *block, const struct barrier *barrier)
{
    for (uint32_t i = 0; i < block->warp_count; i++)
        if (warp_live(&block->warps[i]) & ~barrier->arrived[i])
            return false;
    return true;
}

static void complete(struct block *block, uint32_t id)
{
    struct barrier *barrier = &block->barriers[id];
    lane_mask arrived[MOST_WARPS];
    bool of_all = barrier->expected == 0;
    memcpy(arrived, barrier->arrived, sizeof arrived);
    block->barriers_met &= ~(UINT32_C(1) << id);
    *barrier = (struct barrier){.result_ones = barrier->ones, .result_votes = barrier->votes};
    observers_barrier(block, id, arrived, of_all);
    for (uint32_t i = 0; i < block->warp_count; i++)
        if (arrived[i])
            warp_release(&block->warps[i], id);
}

void block_check_barriers(struct block *block)
{
    for (uint32_t left = block->barriers_met; left; left &= left - 1) {
        uint32_t id = (uint32_t)__builtin_ctz(left);
        const struct barrier *barrier = &block->barriers[id];
        if (barrier->expected ? arrived_threads(block, barrier) >= barrier->expected
                              : everyone_arrived(block, barrier))
            complete(block, id);
    }
    if (block->cluster || block->is_met)
        cluster_check_barrier(block);
}

void block_recheck_waits(struct block *block)
{
    block->waits_in_vain = 0;
    for (uint32_t i = 0; i < block->warp_count; i++)
        warp_recheck_waits(&block->warps[i], false);
}

bool block_go_ahead(struct block *block)
{
    bool progress = false;
    for (uint32_t i = 0; i < block->warp_count; i++)
        progress |= warp_go_ahead(&block->warps[i]);
    return progress;
}

bool block_go_on_in_vain(struct block *block)
{
    bool progress = false;
    if (++block->waits_in_vain > MOST_WAITS_IN_VAIN)
        return false;
    for (uint32_t i = 0; i < block->warp_count; i++)
        progress |= warp_recheck_waits(&block->warps[i], true);
    return progress;
}

/* --- Turns ------------------------------------------------------------------------------------ */

/* Which of the threads that warp waits for at a barrier is missing, and where it is; or how many
 * threads there would have to be. Empty when that is not known. */
static void describe_missing(struct block *block, const struct warp *warp, char *text, size_t size)
{
    const struct split *split = warp_waiting_split(warp);
    *text = 0;
    if (split->state == SPLIT_WAITS_FOR_PHASE && block->transaction_count)
        snprintf(text, size,
                 ": the mbarrier at offset %" PRIu64 " waits for %" PRId64 " more bytes",
                 block->transactions[0].offset, block->transactions[0].bytes);
    if (split->state == SPLIT_WAITS_FOR_CLUSTER)
        cluster_describe_missing(block, text, size);
    if (split->state != SPLIT_WAITS_AT_BARRIER)
        return;
    const struct barrier *barrier = &block->barriers[split->barrier];
    for (uint32_t i = 0; i < block->warp_count; i++) {
        lane_mask missing = warp_live(&block->warps[i]) & ~barrier->arrived[i];
        if (!missing)
            continue;
        memcpy(text, ": ", 3);
        warp_describe_lane(&block->warps[i], __builtin_ctz(missing), text + 2, size - 2);
        return;
    }
    if (barrier->expected)
        snprintf(text, size, ": %u of %u have come, and no thread is left",
                 arrived_threads(block, barrier), barrier->expected);
}

void block_raise_deadlock(struct block *block)
{
    struct warp *first = NULL;
    for (uint32_t i = 0; i < block->warp_count; i++)
        if (block->warps[i].status != WARP_DONE &&
            warp_raise_absent(&block->warps[i], ALL_LANES, NULL))
            return;
    for (uint32_t i = 0; i < block->warp_count && !first; i++)
        if (block->warps[i].status != WARP_DONE && warp_waiting_split(&block->warps[i]))
            first = &block->warps[i];
    if (!first)
        return;
    char missing[120];
    describe_missing(block, first, missing, sizeof missing);
    const struct op *op = warp_waiting_op(first);
    for (uint32_t i = 0; i < block->warp_count && !*missing; i++) {
        const struct warp *warp = &block->warps[i];
        const struct op *other = warp->status == WARP_DONE ? NULL : warp_waiting_op(warp);
        if (other && other != op)
            snprintf(missing, sizeof missing, ": warp %u waits at line %u", i,
                     fault_line(warp, other)->line);
    }
    fault_raise(first, op, SIM_FAULT_DEADLOCK, -1, "waits here for threads that never come%s",
                missing);
}

/* The warp whose turn it is: in order, or at random when the launch has a seed. */
static uint32_t pick_warp(struct block *block, uint32_t turn)
{
    struct worker *worker = block->worker;
    if (!block->launch->config.seed)
        return turn;
    worker->random = worker->random * UINT64_C(6364136223846793005) + 1442695040888963407u;
    return (uint32_t)(worker->random >> 33) % block->warp_count;
}

static bool run_warp(struct block *block, uint32_t index)
{
    struct warp *warp = &block->warps[index];
    if (warp->spinning)
        spin_recheck(warp);
    if (warp->status != WARP_READY)
        return false;
    uint64_t before = warp->steps;
    warp_run(warp, TURN);
    block->worker->steps += warp->steps - before;
    if (warp->status == WARP_DONE)
        block->done_count++;
    return true;
}

bool block_spins(const struct block *block)
{
    for (uint32_t i = 0; i < block->warp_count; i++)
        if (block->warps[i].spinning)
            return true;
    return false;
}

bool block_run(struct block *block)
{
    bool progress = false;
    if (block->held_fault && block->held_fault->kind && ++block->held_rounds > ROUNDS_TO_HOLD)
        fault_release(block);
    for (uint32_t turn = 0; turn < block->warp_count; turn++) {
        progress |= run_warp(block, pick_warp(block, turn));
        if (block->launch->faulted)
            return false;
    }
    for (uint32_t i = 0; !progress && i < block->warp_count; i++)
        progress |= run_warp(block, i); /* chance may have missed the only one that can run */
    if (block->done_count == block->warp_count)
        return false;
    block->idle = !progress && (block_spins(block) || cluster_has_others(block));
    if (!progress && !block->idle && !block_go_ahead(block) && !block_go_on_in_vain(block))
        block_raise_deadlock(block);
    return !block->launch->faulted;
}
