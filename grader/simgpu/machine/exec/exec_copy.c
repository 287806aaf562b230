/* exec_copy.c - cp.async: copies from global to shared memory that finish later (PTX ISA 9.7.9.25).
 *
 * A copy is noted when it is issued and carried out when it is waited for, no earlier: a kernel
 * that forgets the wait finds the old contents, as it may on a device. A copy that no thread ever
 * waits for is dropped.
 *
 * Copies may also arrive at an mbarrier when they are done: such an arrival is queued after them,
 * and happens when a thread waits for that barrier. Next: exec_mbarrier.c.
 */
#include "lanes.h"
#include "opcode.h"

#include <stdlib.h>

/* --- Written down ----------------------------------------------------------------------------- */

/* The oldest of those under way, which follow each other. */
static struct copy *oldest(const struct warp *warp)
{
    return warp->copies + warp->copies_over;
}

/* Room for one more: that of copies which are over, if it is at least half of all. */
static bool make_room(struct warp *warp)
{
    if (warp->copies_over + warp->copy_count < warp->copy_room)
        return true;
    if (warp->copies_over < warp->copy_room / 2 || warp->copy_room == 0) {
        uint32_t room = warp->copy_room ? 2 * warp->copy_room : 16;
        struct copy *grown = realloc(warp->copies, room * sizeof *grown);
        if (!grown)
            return false;
        warp->copies = grown;
        warp->copy_room = room;
    }
    memmove(warp->copies, oldest(warp), warp->copy_count * sizeof *warp->copies);
    warp->copies_over = 0;
    return true;
}

static struct copy *new_copy(struct warp *warp, const struct op *op, lane_mask active,
                             uint32_t bytes)
{
    if (!make_room(warp)) {
        fault_raise(warp, op, SIM_FAULT_HOST_MEMORY, -1, "has too many copies under way");
        return NULL;
    }
    struct copy *copy = oldest(warp) + warp->copy_count++;
    copy->op = op;
    copy->active = active;
    copy->bytes = bytes;
    return copy;
}

/* Lanes that copy the end of a buffer: all they read lies in it, though all they write, read from
 * the same address, would not. They mostly read one buffer. */
static lane_mask tails(const struct warp *warp, lane_mask lanes, const uint64_t *from,
                       const uint32_t *sizes, uint32_t bytes)
{
    const struct allocation *buffer = NULL;
    lane_mask found = 0;
    FOR_ACTIVE (lane, lanes & MASK_OF(sizes[lane] < bytes)) {
        if (!buffer || from[lane] - buffer->address >= buffer->size_bytes)
            buffer = memory_find(block_launch(warp)->context, from[lane]);
        uint64_t left = buffer ? buffer->address + buffer->size_bytes - from[lane] : 0;
        if (sizes[lane] <= left && left < bytes)
            found |= UINT32_C(1) << lane;
    }
    return found;
}

/* src[1] is the global address. sizes tells how many of each lane's bytes come from there; NULL:
 * all of them. The others are zeros. */
static void copy_later(struct warp *warp, const struct op *op, lane_mask active,
                       const uint32_t *sizes)
{
    uint32_t bytes = op->bytes;
    VECTOR uint64_t to[WARP_LANES], from[WARP_LANES];
    for (int lane = 0; lane < WARP_LANES; lane++) {
        to[lane] = op->src_bytes == 8 ? ((uint64_t *)reg(warp, op->src[0]))[lane]
                                      : ((uint32_t *)reg(warp, op->src[0]))[lane];
        from[lane] = ((uint64_t *)reg(warp, op->src[1]))[lane] + (uint64_t)(int32_t)op->target;
        to[lane] += (uint64_t)op->offset;
    }
    struct access read, write;
    lane_mask reads = active;
    if (sizes) {
        reads &= MASK_OF(sizes[lane] != 0);
        reads &= ~tails(warp, reads, from, sizes, bytes);
    }
    if (reads && !access_begin(&read, warp, op, reads, ACCESS_LOAD, SPACE_GLOBAL, from, bytes))
        return;
    if (!access_begin(&write, warp, op, active, ACCESS_STORE, SPACE_SHARED, to, bytes))
        return;
    struct copy *copy = new_copy(warp, op, active, bytes);
    if (!copy)
        return;
    FOR_LANES
    {
        copy->shared[lane] = (uint32_t)to[lane];
        copy->global[lane] = from[lane];
        uint32_t size = sizes ? sizes[lane] : bytes;
        copy->source_bytes[lane] = (uint8_t)(size < bytes ? size : bytes);
    }
}

/* cp.async [shared], [global], bytes, source bytes */
HANDLER(copy_async)
{
    copy_later(warp, op, active, op->source_count > 2 ? reg(warp, op->src[2]) : NULL);
}

/* cp.async [shared], [global], bytes, q: nothing is read where q holds. */
HANDLER(copy_async_unless)
{
    lane_mask ignores = predicate_source(warp, op, 2);
    VECTOR uint32_t sizes[WARP_LANES];
    FOR_LANES sizes[lane] = ignores >> lane & 1 ? 0 : op->bytes;
    copy_later(warp, op, active, sizes);
}

bool copies_arrive_later(struct warp *warp, const struct op *op, lane_mask active,
                         const uint64_t *offset)
{
    struct copy *arrival = new_copy(warp, op, active, 0);
    if (!arrival)
        return false;
    FOR_LANES arrival->shared[lane] = (uint32_t)offset[lane];
    observers_issued(warp, arrival);
    return true;
}

/* --- Carried out ------------------------------------------------------------------------------ */

static bool is_arrival(const struct copy *copy)
{
    return copy->op->run == copy_arrive;
}

/* What is not read becomes zeros. Where the size is a constant, none of this is a call. */
static inline void copy_bytes(unsigned char *to, const unsigned char *from, uint32_t given,
                              uint32_t bytes)
{
    if (given == bytes) {
        memcpy(to, from, bytes);
        return;
    }
    memset(to, 0, bytes);
    if (given)
        memcpy(to, from, given);
}

static inline __attribute__((always_inline)) void
copy_lanes(const struct warp *warp, const struct copy *copy, lane_mask lanes, uint32_t bytes)
{
    unsigned char *shared = warp->block->shared;
    const struct sim_memory *memory = block_launch(warp)->context->machine->memory;
    FOR_ACTIVE (lane, copy->active & lanes)
        copy_bytes(shared + copy->shared[lane], memory_host(memory, copy->global[lane]),
                   copy->source_bytes[lane], bytes);
}

static void carry_out(struct warp *warp, const struct copy *copy, lane_mask lanes)
{
    if (is_arrival(copy)) {
        mbarrier_copies_arrived(warp, copy);
        return;
    }
    switch (copy->bytes) { /* no other size exists */
    case 4: copy_lanes(warp, copy, lanes, 4); break;
    case 8: copy_lanes(warp, copy, lanes, 8); break;
    default: copy_lanes(warp, copy, lanes, 16); break;
    }
}

static void finish_first(struct warp *warp, uint32_t count, lane_mask lanes)
{
    const struct copy *copies = oldest(warp);
    for (uint32_t i = 0, next = 0; i < count; i++) {
        while (next < count && (next < i || !is_arrival(&copies[next])))
            next++;
        carry_out(warp, &copies[i], lanes);
        observers_copied(warp, &copies[i], next < count ? &copies[next] : NULL);
    }
    warp->copy_count -= count;
    warp->copies_over = warp->copy_count ? warp->copies_over + count : 0;
}

HANDLER(copy_commit)
{
    (void)active;
    uint32_t before = 0;
    for (uint32_t i = 0; i < warp->group_count; i++)
        before += warp->committed[i];
    if (warp->group_count == sizeof warp->committed / sizeof *warp->committed) {
        /* more groups than can be waited for */
        finish_first(warp, warp->committed[0], warp_live(warp));
        before -= warp->committed[0];
        memmove(warp->committed, warp->committed + 1,
                (--warp->group_count) * sizeof *warp->committed);
    }
    warp->committed[warp->group_count++] = warp->copy_count - before;
    (void)op;
}

static void wait_until(struct warp *warp, uint32_t groups_left)
{
    while (warp->group_count > groups_left) {
        finish_first(warp, warp->committed[0], warp_live(warp));
        memmove(warp->committed, warp->committed + 1,
                (--warp->group_count) * sizeof *warp->committed);
    }
}

HANDLER(copy_wait_group)
{
    (void)active;
    wait_until(warp, (uint32_t)op->offset);
}

HANDLER(copy_wait_all)
{
    (void)op, (void)active;
    wait_until(warp, 0);
    finish_first(warp, warp->copy_count, warp_live(warp));
}

/* --- Arriving at barriers --------------------------------------------------------------------- */

/* The oldest copies of a warp, whichever group they are in; threads that have ended are
 * included. */
static void finish_oldest(struct warp *warp, uint32_t count)
{
    finish_first(warp, count, ALL_LANES);
    for (uint32_t i = 0; i < warp->group_count && count; i++) {
        uint32_t part = warp->committed[i] < count ? warp->committed[i] : count;
        warp->committed[i] -= part;
        count -= part;
    }
}

static bool arrives_at(const struct copy *copy, uint64_t offset)
{
    return is_arrival(copy) && (MASK_OF(copy->shared[lane] == offset) & copy->active);
}

void copies_arrive_at(struct block *block, uint64_t offset)
{
    for (uint32_t w = 0; w < block->warp_count; w++) {
        struct warp *warp = &block->warps[w];
        uint32_t count = warp->copy_count;
        while (count && !arrives_at(&oldest(warp)[count - 1], offset))
            count--;
        finish_oldest(warp, count);
    }
}
