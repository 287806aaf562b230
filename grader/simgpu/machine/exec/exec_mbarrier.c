/* exec_mbarrier.c - barriers that lie in shared memory and count arrivals (PTX ISA 9.7.13.15): what
 * cuda::barrier and cuda::pipeline are made of.
 *
 * A phase takes as many arrivals as init said; the last one ends it and starts the next. A thread
 * that arrives gets the barrier's state at that moment, and waits with it: the wait is over when
 * the barrier is in another phase. To PTX the state is opaque; ours is
 *
 *      63     56 55        40 39         20 19          0
 *     |   MARK  |   phase    |  expected   |  pending    |
 *
 * where `pending` of `expected` arrivals are still to come. A wait for a phase that is not over is
 * not answered: the lanes wait there until a phase ends somewhere in the block (block.c), as the
 * loop around the wait would. A copy that is to arrive at a barrier (exec_copy.c, exec_bulk.c) does
 * so when the barrier is waited for. A phase may wait for bytes, too (transactions.c): it is over
 * when no arrival and no byte is still to come.
 */
#include "cluster.h"
#include "lanes.h"
#include "opcode.h"

#include <inttypes.h>

enum { MARK = 0xB5, MOST_ARRIVALS = (1 << 20) - 1, BARRIER_BYTES = 8, MOST_BYTES = (1 << 20) - 1 };

static uint64_t state_of(uint32_t phase, uint32_t expected, uint32_t pending)
{
    return (uint64_t)MARK << 56 | (uint64_t)(phase & 0xFFFF) << 40 | (uint64_t)expected << 20 |
           pending;
}

static bool is_barrier(uint64_t state)
{
    return state >> 56 == MARK;
}

static uint32_t phase_of(uint64_t state)
{
    return (uint32_t)(state >> 40) & 0xFFFF;
}

static uint32_t expected_of(uint64_t state)
{
    return (uint32_t)(state >> 20) & MOST_ARRIVALS;
}

static uint32_t pending_of(uint64_t state)
{
    return (uint32_t)state & MOST_ARRIVALS;
}

static uint64_t load_state(const struct block *block, uint64_t offset)
{
    uint64_t state;
    memcpy(&state, block->shared + offset, sizeof state);
    return state;
}

static void store_state(struct block *block, uint64_t offset, uint64_t state)
{
    memcpy(block->shared + offset, &state, sizeof state);
}

/* --- Where the barriers of active lanes are --------------------------------------------------- */

/* Places in shared memory, maybe a peer block's. False after a fault. */
static bool find(struct warp *warp, const struct op *op, lane_mask active, uint64_t *offset)
{
    for (int lane = 0; lane < WARP_LANES; lane++)
        offset[lane] = (op->src_bytes == 8 ? ((uint64_t *)reg(warp, op->src[0]))[lane]
                                           : ((uint32_t *)reg(warp, op->src[0]))[lane]) +
                       (uint64_t)op->offset;
    if (op->space == SPACE_SHARED)
        return true;
    FOR_ACTIVE (lane, active) {
        uint64_t start;
        if (address_space(warp, offset[lane], &start) != SPACE_SHARED) {
            fault_raise(warp, op, SIM_FAULT_MBARRIER, lane,
                        "takes 0x%" PRIx64 ", which is not in shared memory, for an mbarrier",
                        offset[lane]);
            return false;
        }
        offset[lane] -= start;
    }
    return true;
}

/* The same, of barriers that must be the block's own. */
static bool find_own(struct warp *warp, const struct op *op, lane_mask active, uint64_t *offset)
{
    if (!find(warp, op, active, offset))
        return false;
    if (!warp->block->cluster || cluster_space(warp->block, active, offset) == SPACE_SHARED)
        return true;
    fault_raise(warp, op, SIM_FAULT_MBARRIER, __builtin_ctz(active),
                "takes another block's mbarrier: threads of other blocks may only arrive there, "
                "and say what bytes it is to expect");
    return false;
}

/* The block that a lane's barrier is in, once begin has found it; *offset is its place in there. */
static struct block *home_of(const struct warp *warp, uint64_t *offset)
{
    return cluster_block_at(warp->block, offset);
}

/* Tell observers of the access, and make sure that what is there is a barrier. */
static bool begin(struct warp *warp, const struct op *op, lane_mask active, uint64_t *offset)
{
    struct access access;
    enum space space =
        warp->block->cluster ? cluster_space(warp->block, active, offset) : SPACE_SHARED;
    if (!access_begin(&access, warp, op, active, ACCESS_ATOMIC, space, offset, BARRIER_BYTES))
        return false;
    FOR_ACTIVE (lane, active) {
        uint64_t at = offset[lane];
        const struct block *home = home_of(warp, &at);
        if (is_barrier(load_state(home, at)))
            continue;
        fault_raise(warp, op, SIM_FAULT_MBARRIER, lane,
                    "uses shared memory at offset %" PRIu64 " as an mbarrier, which no thread "
                    "has made one",
                    at);
        return false;
    }
    return true;
}

/* --- Making and ending ------------------------------------------------------------------------ */

HANDLER(mbarrier_init)
{
    VECTOR uint64_t offset[WARP_LANES];
    struct access access;
    SOURCE(uint32_t, count, 1);
    if (!find_own(warp, op, active, offset) ||
        !access_begin(&access, warp, op, active, ACCESS_STORE, SPACE_SHARED, offset, BARRIER_BYTES))
        return;
    FOR_ACTIVE (lane, active) {
        if (count[lane] == 0 || count[lane] > MOST_ARRIVALS) {
            fault_raise(warp, op, SIM_FAULT_MBARRIER, lane,
                        "makes an mbarrier of %u arrivals: 1 to %d are possible", count[lane],
                        MOST_ARRIVALS);
            return;
        }
        transactions_forget(warp->block, offset[lane]);
        store_state(warp->block, offset[lane], state_of(0, count[lane], count[lane]));
    }
}

HANDLER(mbarrier_inval)
{
    VECTOR uint64_t offset[WARP_LANES];
    if (!find_own(warp, op, active, offset) || !begin(warp, op, active, offset))
        return;
    FOR_ACTIVE (lane, active) {
        transactions_forget(warp->block, offset[lane]);
        store_state(warp->block, offset[lane], 0);
    }
}

/* --- Arriving --------------------------------------------------------------------------------- */

/* The phase goes on, with so many arrivals still to come, or is over. */
static void settle(struct block *block, uint64_t offset, uint32_t expected, uint32_t pending)
{
    uint32_t phase = phase_of(load_state(block, offset));
    bool ends = pending == 0 && transactions_of(block, offset) == 0;
    store_state(block, offset,
                ends ? state_of(phase + 1, expected, expected)
                     : state_of(phase, expected, pending));
    if (ends) {
        observers_phase_over(block, offset);
        block_recheck_waits(block);
    }
}

/* One lane counts itself count times, and no more in later phases if it drops out. False after a
 * fault. */
static bool arrive(struct warp *warp, const struct op *op, int lane, struct block *block,
                   uint64_t offset, uint32_t count, bool drops)
{
    uint64_t before = load_state(block, offset);
    uint32_t pending = pending_of(before), expected = expected_of(before) - (drops ? count : 0);
    if (count == 0 || count > pending) {
        fault_raise(warp, op, SIM_FAULT_MBARRIER, lane,
                    "arrives %u times at an mbarrier that waits for %u more in this phase", count,
                    pending);
        return false;
    }
    settle(block, offset, expected, pending - count);
    return true;
}

/* The phase waits for more bytes. False after a fault. */
static bool expect(struct warp *warp, const struct op *op, int lane, struct block *block,
                   uint64_t offset, uint32_t bytes)
{
    int64_t before = transactions_of(block, offset);
    if (bytes > MOST_BYTES || before + bytes > MOST_BYTES) {
        fault_raise(warp, op, SIM_FAULT_MBARRIER, lane,
                    "expects %u bytes at an mbarrier that waits for %" PRId64 ": it counts %d at "
                    "most",
                    bytes, before, MOST_BYTES);
        return false;
    }
    if (transactions_add(block, offset, bytes))
        return true;
    fault_raise(warp, op, SIM_FAULT_HOST_MEMORY, lane, "has too many mbarriers that expect bytes");
    return false;
}

/* How often each lane arrives (NULL: once), and for how many bytes (NULL: none). */
static void arrive_all(struct warp *warp, const struct op *op, lane_mask active,
                       const uint32_t *count, const uint32_t *bytes, bool drops)
{
    VECTOR uint64_t offset[WARP_LANES];
    uint64_t *state = reg(warp, op->dst);
    if (!find(warp, op, active, offset) || !begin(warp, op, active, offset))
        return;
    observers_release(warp, active);
    observers_phase_arrival(warp, op, offset[__builtin_ctz(active)]);
    FOR_ACTIVE (lane, active) {
        struct block *block = home_of(warp, &offset[lane]);
        uint64_t before = load_state(block, offset[lane]);
        uint32_t arrivals = count ? count[lane] : 1;
        if (op->kind && arrivals == pending_of(before)) {
            fault_raise(warp, op, SIM_FAULT_MBARRIER, lane,
                        "ends a phase with an arrival that says .noComplete");
            return;
        }
        if ((bytes && !expect(warp, op, lane, block, offset[lane], bytes[lane])) ||
            !arrive(warp, op, lane, block, offset[lane], arrivals, drops))
            return;
        state[lane] = before;
    }
}

static const uint32_t *second_source(const struct warp *warp, const struct op *op)
{
    return op->source_count > 1 ? reg(warp, op->src[1]) : NULL;
}

HANDLER(mbarrier_arrive)
{
    arrive_all(warp, op, active, second_source(warp, op), NULL, false);
}

HANDLER(mbarrier_arrive_drop)
{
    arrive_all(warp, op, active, second_source(warp, op), NULL, true);
}

HANDLER(mbarrier_arrive_expect)
{
    arrive_all(warp, op, active, NULL, second_source(warp, op), false);
}

HANDLER(mbarrier_drop_expect)
{
    arrive_all(warp, op, active, NULL, second_source(warp, op), true);
}

/* --- Bytes ------------------------------------------------------------------------------------ */

/* More of them, or fewer, are still to come in the phase. */
static void resettle(struct block *block, uint64_t offset)
{
    uint64_t state = load_state(block, offset);
    settle(block, offset, expected_of(state), pending_of(state));
}

HANDLER(mbarrier_expect)
{
    VECTOR uint64_t offset[WARP_LANES];
    SOURCE(uint32_t, bytes, 1);
    if (!find(warp, op, active, offset) || !begin(warp, op, active, offset))
        return;
    FOR_ACTIVE (lane, active) {
        struct block *block = home_of(warp, &offset[lane]);
        if (!expect(warp, op, lane, block, offset[lane], bytes[lane]))
            return;
        resettle(block, offset[lane]);
    }
}

HANDLER(mbarrier_complete)
{
    VECTOR uint64_t offset[WARP_LANES];
    SOURCE(uint32_t, bytes, 1);
    if (!find(warp, op, active, offset) || !begin(warp, op, active, offset))
        return;
    observers_phase_arrival(warp, op, offset[__builtin_ctz(active)]);
    FOR_ACTIVE (lane, active) {
        struct block *block = home_of(warp, &offset[lane]);
        if (!transactions_add(block, offset[lane], -(int64_t)bytes[lane]))
            return;
        resettle(block, offset[lane]);
    }
}

void mbarrier_bytes_stored(struct block *block, uint64_t offset, uint32_t bytes)
{
    if (transactions_add(block, offset, -(int64_t)bytes))
        resettle(block, offset);
}

bool mbarrier_is_made(struct warp *warp, const struct op *op, int lane, struct block *block,
                      uint64_t offset)
{
    uint32_t room = block->shared_bytes;
    bool inside = offset <= room && room - offset >= BARRIER_BYTES;
    if (inside && offset % BARRIER_BYTES == 0 && is_barrier(load_state(block, offset)))
        return true;
    if (!inside || offset % BARRIER_BYTES)
        fault_raise(warp, op, SIM_FAULT_MBARRIER, lane,
                    "takes shared memory at offset %" PRIu64 " for an mbarrier, which %s", offset,
                    inside ? "needs a multiple of 8" : "its block does not have");
    else
        fault_raise(warp, op, SIM_FAULT_MBARRIER, lane,
                    "uses shared memory at offset %" PRIu64 " as an mbarrier, which no thread "
                    "has made one",
                    offset);
    return false;
}

void mbarrier_bytes_come(const struct bulk_copy *copy)
{
    struct block *block = copy->home;
    if (is_barrier(load_state(block, copy->mbarrier)) &&
        transactions_add(block, copy->mbarrier, -(int64_t)copy->bytes))
        resettle(block, copy->mbarrier);
}

/* --- Arrivals of copies ----------------------------------------------------------------------- */

HANDLER(mbarrier_pending_count)
{
    SOURCE(uint64_t, state, 0);
    WRITE_LANES(uint32_t, pending_of(state[lane]));
}

/* The copies of each lane so far will arrive at these barriers. */
HANDLER(copy_arrive)
{
    VECTOR uint64_t offset[WARP_LANES];
    if (!find_own(warp, op, active, offset) || !begin(warp, op, active, offset) ||
        !copies_arrive_later(warp, op, active, offset))
        return;
    observers_phase_arrival(warp, op, offset[__builtin_ctz(active)]);
    if (op->kind) /* noinc: init has counted these arrivals */
        return;
    FOR_ACTIVE (lane, active) {
        uint64_t state = load_state(warp->block, offset[lane]);
        store_state(warp->block, offset[lane],
                    state_of(phase_of(state), expected_of(state), pending_of(state) + 1));
    }
}

void mbarrier_copies_arrived(struct warp *warp, const struct copy *arrival)
{
    const struct op *op = arrival->op;
    observers_arrived(warp, arrival);
    FOR_ACTIVE (lane, arrival->active)
        if (!is_barrier(load_state(warp->block, arrival->shared[lane])) ||
            !arrive(warp, op, lane, warp->block, arrival->shared[lane], 1, false))
            return;
}

/* --- Waiting ---------------------------------------------------------------------------------- */

/* Which active lanes' phases are over. A place without a barrier counts as over: begin() reports
 * it. */
static lane_mask phases_over(struct warp *warp, const struct op *op, lane_mask active,
                             const uint64_t *offset, bool by_parity)
{
    struct block *block = warp->block;
    lane_mask over = 0;
    FOR_ACTIVE (lane, active) {
        bool inside = offset[lane] <= block->shared_bytes &&
                      block->shared_bytes - offset[lane] >= BARRIER_BYTES;
        uint64_t state = 0;
        if (inside) {
            if (lane == __builtin_ctz(active) || offset[lane] != offset[lane - 1]) {
                copies_arrive_at(block, offset[lane]);
                bulk_come_to(block, offset[lane]);
            }
            state = load_state(block, offset[lane]);
        }
        uint32_t asked = by_parity ? ((uint32_t *)reg(warp, op->src[1]))[lane] & 1
                                   : phase_of(((uint64_t *)reg(warp, op->src[1]))[lane]);
        uint32_t phase = by_parity ? phase_of(state) & 1 : phase_of(state);
        over |= !is_barrier(state) || phase != asked ? UINT32_C(1) << lane : 0;
    }
    return over;
}

/* A thread that asks by try_wait for a phase that is not over is suspended for as long as it says,
 * or else as long as the device likes: 1 us is a guess. */
static void wait_in_vain(struct warp *warp, const struct op *op, lane_mask active)
{
    enum { UNSAID_NS = 1000 };
    uint32_t longest = op->source_count > 2 ? 0 : UNSAID_NS;
    FOR_ACTIVE (lane, op->source_count > 2 ? active : 0) {
        uint32_t ns = ((uint32_t *)reg(warp, op->src[2]))[lane];
        longest = ns > longest ? ns : longest;
    }
    observers_slept(warp, op, longest);
}

static void wait(struct warp *warp, const struct op *op, lane_mask active, bool by_parity)
{
    VECTOR uint64_t offset[WARP_LANES];
    if (!find_own(warp, op, active, offset))
        return;
    bool must_answer = warp->split->released;
    lane_mask over = phases_over(warp, op, active, offset, by_parity);
    warp->split->released = false;
    if (!over && !must_answer) {
        warp_wait_for_phase(warp);
        return;
    }
    if (!begin(warp, op, active, offset))
        return;
    observers_acquire(warp, over);
    if (over)
        observers_phase_passed(warp, op, offset[__builtin_ctz(over)]);
    else if (op->run == mbarrier_try || op->run == mbarrier_try_parity)
        wait_in_vain(warp, op, active);
    WRITE_PREDICATE(op->dst, over);
}

HANDLER(mbarrier_wait)
{
    wait(warp, op, active, false);
}

HANDLER(mbarrier_wait_parity)
{
    wait(warp, op, active, true);
}

HANDLER(mbarrier_try)
{
    wait(warp, op, active, false);
}

HANDLER(mbarrier_try_parity)
{
    wait(warp, op, active, true);
}
