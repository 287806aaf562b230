/* exec_bulk.c - cp.async.bulk: copies of many bytes that one thread asks for, and that finish later
 * (PTX ISA 9.7.9.25.4). Those from tensor maps, and to several blocks, are not here.
 *
 * Like cp.async (exec_copy.c), a copy is written down when it is issued, and carried out when it is
 * waited for: at the mbarrier that its bytes are counted at, or, when it goes out of shared memory,
 * with the group that its thread has put it in. What nobody has waited for when the block ends goes
 * out all the same, as it mostly would on a device; the check for races says so.
 */
#include "access.h"
#include "opcode.h"

#include <inttypes.h>
#include <stdlib.h>

enum { BULK_ALIGNMENT = 16 };

/* --- Asking ----------------------------------------------------------------------------------- */

/* A lane's value of a source that has 32 or 64 bits. */
static uint64_t source_of(const struct warp *warp, const struct op *op, unsigned slot, int lane)
{
    const struct op_info *info = &block_launch(warp)->function->module->ops[op->id];
    return info->source_bytes[slot] == 8 ? ((uint64_t *)reg(warp, op->src[slot]))[lane]
                                         : ((uint32_t *)reg(warp, op->src[slot]))[lane];
}

static struct bulk_copy what_is_asked(struct warp *warp, const struct op *op, int lane)
{
    struct bulk_copy copy = {.op = op, .warp = warp, .lane = lane, .mbarrier = NO_MBARRIER};
    copy.to = source_of(warp, op, 0, lane) + (uint64_t)op->offset;
    copy.from = source_of(warp, op, 1, lane) + (uint64_t)(int32_t)op->target;
    copy.bytes = (uint32_t)source_of(warp, op, 2, lane);
    copy.group = warp->bulk_groups[lane];
    return copy;
}

/* The mbarrier at which the bytes are counted. False after a fault. */
static bool find_mbarrier(struct bulk_copy *copy)
{
    const struct op *op = copy->op;
    uint64_t offset = source_of(copy->warp, op, 3, copy->lane) + (uint64_t)(int32_t)op->list[0];
    copy->mbarrier = (uint32_t)offset;
    return mbarrier_is_made(copy->warp, op, copy->lane, offset);
}

static bool check_size(struct warp *warp, const struct op *op, int lane, uint32_t bytes)
{
    if (bytes % BULK_ALIGNMENT == 0)
        return true;
    fault_raise(warp, op, SIM_FAULT_MISALIGNED, lane,
                "asks for %u bytes in bulk, which is not a multiple of %d", bytes, BULK_ALIGNMENT);
    return false;
}

static bool write_down(const struct bulk_copy *copy)
{
    struct block *block = copy->warp->block;
    if (block->bulk_count == block->bulk_room) {
        uint32_t room = block->bulk_room ? 2 * block->bulk_room : 8;
        struct bulk_copy *grown = realloc(block->bulk, room * sizeof *grown);
        if (!grown) {
            fault_raise(copy->warp, copy->op, SIM_FAULT_HOST_MEMORY, -1,
                        "has too many copies under way");
            return false;
        }
        block->bulk = grown;
        block->bulk_room = room;
    }
    block->bulk[block->bulk_count++] = *copy;
    return true;
}

static enum space space_to(const struct op *op)
{
    return op->run == bulk_store ? SPACE_GLOBAL : SPACE_SHARED;
}

static enum space space_from(const struct op *op)
{
    return op->run == bulk_load ? SPACE_GLOBAL : SPACE_SHARED;
}

/* One lane asks. False after a fault. */
static bool ask(struct warp *warp, const struct op *op, int lane)
{
    struct bulk_copy copy = what_is_asked(warp, op, lane);
    struct access read, write;
    struct shape shape;
    if (!check_size(warp, op, lane, copy.bytes) ||
        (op->run != bulk_store && !find_mbarrier(&copy)))
        return false;
    if (copy.bytes == 0)
        return true;
    if (!access_bulk_begin(&read, &shape, warp, op, lane, ACCESS_LOAD, space_from(op), copy.from,
                           copy.bytes) ||
        !access_bulk_begin(&write, &shape, warp, op, lane, ACCESS_STORE, space_to(op), copy.to,
                           copy.bytes) ||
        !access_bulk_tell(&read, &write))
        return false;
    if (copy.mbarrier != NO_MBARRIER)
        trace_arrival(warp, op, copy.mbarrier);
    return write_down(&copy);
}

static void ask_all(struct warp *warp, const struct op *op, lane_mask active)
{
    FOR_ACTIVE(lane, active)
    if (!ask(warp, op, lane))
        return;
}

HANDLER(bulk_load)
{
    ask_all(warp, op, active);
}

HANDLER(bulk_store)
{
    ask_all(warp, op, active);
}

HANDLER(bulk_move)
{
    ask_all(warp, op, active);
}

/* Of what a lane wants there, the part that lies in one allocation, 32 sectors at a time. */
static void prefetch_for(struct warp *warp, const struct op *op, uint64_t first, uint32_t bytes)
{
    const struct allocation *in = memory_find(block_launch(warp)->context, first);
    VECTOR uint64_t sector[WARP_LANES];
    uint64_t left = in ? in->address + in->size_bytes - first : 0;
    uint64_t count = ((left < bytes ? left : bytes) + SECTOR_BYTES - 1) / SECTOR_BYTES;
    for (uint64_t done = 0; done < count; done += WARP_LANES) {
        uint64_t lanes = count - done < WARP_LANES ? count - done : WARP_LANES;
        FOR_LANES sector[lane] = first + (done + (uint64_t)lane) * SECTOR_BYTES;
        access_prefetch(warp, op, ALL_LANES >> (WARP_LANES - lanes), sector);
    }
}

HANDLER(bulk_prefetch)
{
    SOURCE(uint32_t, bytes, 1);
    FOR_ACTIVE(lane, active)
    {
        uint64_t first = source_of(warp, op, 0, lane) + (uint64_t)op->offset;
        if (!check_size(warp, op, lane, bytes[lane]))
            return;
        if (first % BULK_ALIGNMENT) {
            fault_raise(warp, op, SIM_FAULT_MISALIGNED, lane,
                        "prefetches in bulk from 0x%" PRIx64 ", which is not a multiple of %d",
                        first, BULK_ALIGNMENT);
            return;
        }
        prefetch_for(warp, op, first, bytes[lane]);
    }
}

/* --- Carrying out ----------------------------------------------------------------------------- */

static unsigned char *host_of(const struct bulk_copy *copy, enum space space, uint64_t address)
{
    const struct launch *launch = block_launch(copy->warp);
    return space == SPACE_SHARED ? copy->warp->block->shared + address
                                 : memory_host(launch->context->machine->memory, address);
}

/* The copy at place i of those under way is done. */
static void finish(struct block *block, uint32_t i)
{
    const struct bulk_copy copy = block->bulk[i];
    const struct op *op = copy.op;
    memmove(host_of(&copy, space_to(op), copy.to), host_of(&copy, space_from(op), copy.from),
            copy.bytes);
    block->bulk_count--;
    memmove(block->bulk + i, block->bulk + i + 1, (block->bulk_count - i) * sizeof *block->bulk);
    observers_bulk_done(&copy);
    if (copy.mbarrier != NO_MBARRIER)
        mbarrier_bytes_come(&copy);
}

void bulk_come_to(struct block *block, uint64_t offset)
{
    for (uint32_t i = 0; i < block->bulk_count;)
        if (block->bulk[i].mbarrier == offset)
            finish(block, i);
        else
            i++;
}

HANDLER(bulk_commit)
{
    (void)op;
    FOR_ACTIVE(lane, active)
    warp->bulk_groups[lane]++;
}

/* The thread's data has left shared memory no earlier than it is where it goes: .read is the same
 * here, but for its time. */
HANDLER(bulk_wait)
{
    struct block *block = warp->block;
    for (uint32_t i = 0; i < block->bulk_count;) {
        const struct bulk_copy *copy = &block->bulk[i];
        bool is_own = copy->warp == warp && active >> copy->lane & 1;
        if (is_own && copy->mbarrier == NO_MBARRIER &&
            copy->group + (uint64_t)op->offset < warp->bulk_groups[copy->lane])
            finish(block, i);
        else
            i++;
    }
}

void bulk_end(struct block *block)
{
    while (block->bulk_count) {
        observers_bulk_left(&block->bulk[0]);
        if (block->bulk[0].mbarrier == NO_MBARRIER)
            finish(block, 0);
        else
            memmove(block->bulk, block->bulk + 1, --block->bulk_count * sizeof *block->bulk);
    }
}
