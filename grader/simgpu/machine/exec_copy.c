/* exec_copy.c - cp.async: copies from global to shared memory that finish later (PTX ISA 9.7.9.25).
 *
 * A copy is written down when it is issued and carried out when it is waited for, no earlier: a
 * kernel that forgets the wait finds the old contents, as it may on a device. A copy nobody ever
 * waited for is dropped.
 */
#include "lanes.h"
#include "opcode.h"

#include <stdlib.h>

static struct copy *new_copy(struct warp *warp)
{
    if (warp->copy_count == warp->copy_room) {
        uint32_t room = warp->copy_room ? 2 * warp->copy_room : 16;
        struct copy *grown = realloc(warp->copies, room * sizeof *grown);
        if (!grown)
            return NULL;
        warp->copies = grown;
        warp->copy_room = room;
    }
    return &warp->copies[warp->copy_count++];
}

/* Lanes that copy the end of a buffer: all they read lies in it, though all they write, read from
 * the same address, would not. */
static lane_mask tails(const struct warp *warp, lane_mask lanes, const uint64_t *from,
                       const uint32_t *sizes, uint32_t bytes)
{
    lane_mask found = 0;
    FOR_ACTIVE(lane, lanes)
    {
        const struct allocation *buffer = memory_find(block_launch(warp)->context, from[lane]);
        uint64_t left = buffer ? buffer->address + buffer->size_bytes - from[lane] : 0;
        if (sizes[lane] <= left && left < bytes)
            found |= UINT32_C(1) << lane;
    }
    return found;
}

/* cp.async [shared], [global], bytes, source bytes: what the source lacks is filled with zeros.
 * src[1] is the global address; src[2], if there, the source size. */
HANDLER(copy_async)
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
    const uint32_t *sizes = op->source_count > 2 ? reg(warp, op->src[2]) : NULL;
    if (sizes)
        reads &= MASK_OF(sizes[lane] != 0) & ~tails(warp, active, from, sizes, bytes);
    if (reads && !access_begin(&read, warp, op, reads, ACCESS_LOAD, SPACE_GLOBAL, from, bytes))
        return;
    if (!access_begin(&write, warp, op, active, ACCESS_STORE, SPACE_SHARED, to, bytes))
        return;
    struct copy *copy = new_copy(warp);
    if (!copy) {
        fault_raise(warp, op, SIM_FAULT_HOST_MEMORY, -1, "has too many copies under way");
        return;
    }
    copy->active = active;
    copy->bytes = bytes;
    copy->op_id = op->id;
    FOR_LANES
    {
        copy->shared[lane] = (uint32_t)to[lane];
        copy->global[lane] = from[lane];
        uint32_t size = sizes ? sizes[lane] : bytes;
        copy->source_bytes[lane] = (uint8_t)(size < bytes ? size : bytes);
    }
}

static void carry_out(struct warp *warp, const struct copy *copy)
{
    struct sim_memory *memory = block_launch(warp)->context->machine->memory;
    FOR_ACTIVE(lane, copy->active & ~warp->idle)
    {
        unsigned char *to = warp->block->shared + copy->shared[lane];
        memset(to, 0, copy->bytes);
        if (copy->source_bytes[lane])
            memcpy(to, memory_host(memory, copy->global[lane]), copy->source_bytes[lane]);
    }
}

static void finish_first(struct warp *warp, uint32_t count)
{
    for (uint32_t i = 0; i < count; i++) {
        carry_out(warp, &warp->copies[i]);
        observers_copied(warp, &warp->copies[i]);
    }
    warp->copy_count -= count;
    if (warp->copy_count)
        memmove(warp->copies, warp->copies + count, warp->copy_count * sizeof(struct copy));
}

HANDLER(copy_commit)
{
    (void)active;
    uint32_t before = 0;
    for (uint32_t i = 0; i < warp->group_count; i++)
        before += warp->committed[i];
    if (warp->group_count == sizeof warp->committed / sizeof *warp->committed) {
        finish_first(warp, warp->committed[0]); /* more groups than anyone can wait for */
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
        finish_first(warp, warp->committed[0]);
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
    finish_first(warp, warp->copy_count);
}
