/* initialised.c - observes reads of memory that nobody has written: a bit for each byte.
 *
 * A thread's access is reported when none of its bytes has been written. Where some have, it is
 * taken for the copy of a structure, whose padding and unset members nobody writes.
 */
#include "lanes.h"
#include "observers.h"

#include <inttypes.h>
#include <stdlib.h>

static size_t words_of(const struct block *block)
{
    return block->shared_bytes / 64 + 1;
}

bool initialised_block_init(struct block *block)
{
    block->shared_written = worker_alloc(words_of(block), sizeof(uint64_t));
    block->held_fault = worker_alloc(1, sizeof *block->held_fault);
    return block->shared_written && block->held_fault;
}

void initialised_block_start(struct block *block)
{
    memset(block->shared_written, 0, words_of(block) * sizeof(uint64_t));
    block->held_fault->kind = SIM_FAULT_NONE;
    block->held_rounds = 0;
    /* what the last block left must not look like an answer */
    uint32_t reserved = block->launch->reserved_bytes, own = block->shared_bytes - reserved;
    memset(block->shared, 0xCD, own);
    memset(block->shared + own, 0, reserved);
    for (uint32_t at = own; at < block->shared_bytes; at++)
        block->shared_written[at / 64] |= UINT64_C(1) << at % 64;
    block->shared_unwritten_bytes = own;
}

void initialised_block_free(struct block *block)
{
    free(block->shared_written);
    free(block->held_fault);
}

/* Accesses are aligned and at most 16 bytes, so their bits lie in one word. */
static bool any_set(const uint64_t *written, uint64_t offset, uint64_t mask)
{
    return written[offset / 64] >> offset % 64 & mask;
}

static bool run_is_set(const uint64_t *written, uint64_t first, uint64_t bytes)
{
    for (uint64_t at = first, end = first + bytes; at < end; at = (at / 64 + 1) * 64) {
        uint64_t rest = end - at, count = 64 - at % 64 < rest ? 64 - at % 64 : rest;
        uint64_t bits = (count == 64 ? UINT64_MAX : (UINT64_C(1) << count) - 1) << at % 64;
        if ((written[at / 64] & bits) != bits)
            return false;
    }
    return true;
}

/* Most accesses are of bytes that have been written before: one run of them is looked at by the
 * word, and lanes here and there all at once (the padding of a tile, which nobody writes, makes
 * each access of the tile be looked at). Inactive lanes count as the first active one. */
static bool all_written(const struct access *access, const uint64_t *written, uint64_t start)
{
    const struct shape *shape = access->shape;
    uint64_t first = access->base - start, missing = 0;
    uint64_t mask = (UINT64_C(1) << access->bytes) - 1;
    if (shape->contiguous || shape->uniform)
        return run_is_set(written, first, (uint64_t)shape->highest + access->bytes);
    FOR_LANES
    {
        uint64_t offset = first + (uint64_t)shape->delta[lane];
        missing |= ~(written[offset / 64] >> offset % 64) & mask;
    }
    return missing == 0;
}

static void unwritten(const struct access *access, int lane, uint64_t offset)
{
    const char *verb = access->kind == ACCESS_LOAD ? "reads" : "updates";
    char name[240];
    if (access->space == SPACE_SHARED) {
        /* If a thread writes it before the next barrier, this is a race: races.c will say so. */
        fault_hold(access->warp, access->op, SIM_FAULT_UNINITIALISED, lane,
                   "%s shared memory at offset %" PRIu64 ", which no thread of the block has "
                   "written", verb, offset);
        if (!access->warp->block->race_shadow)
            fault_release(access->warp->block);
        return;
    }
    memory_name(access->allocation, name, sizeof name);
    fault_raise(access->warp, access->op, SIM_FAULT_UNINITIALISED, lane,
                "%s byte %" PRIu64 " of %s, which nobody has written", verb, offset, name);
}

static void check(const struct access *access, const uint64_t *written, uint64_t start)
{
    uint64_t mask = (UINT64_C(1) << access->bytes) - 1;
    if (all_written(access, written, start))
        return;
    FOR_ACTIVE(lane, access->active)
    {
        uint64_t offset = access->base + (uint64_t)access->shape->delta[lane] - start;
        if (any_set(written, offset, mask))
            continue;
        unwritten(access, lane, offset);
        return;
    }
}

/* Returns how many bytes were written for the first time. */
static uint64_t mark(const struct access *access, uint64_t *written, uint64_t start,
                     bool is_shared)
{
    uint64_t mask = (UINT64_C(1) << access->bytes) - 1, fresh = 0;
    if (all_written(access, written, start))
        return 0;
    FOR_ACTIVE(lane, access->active)
    {
        uint64_t offset = access->base + (uint64_t)access->shape->delta[lane] - start;
        uint64_t bits = mask << offset % 64, before = written[offset / 64];
        if ((before & bits) == bits)
            continue;
        if (is_shared)
            written[offset / 64] |= bits;
        else
            before = __atomic_fetch_or(&written[offset / 64], bits, __ATOMIC_RELAXED);
        fresh += (unsigned)__builtin_popcountll(bits & ~before);
    }
    return fresh;
}

static void access_shared(const struct access *access)
{
    struct block *block = access->warp->block;
    if (block->shared_unwritten_bytes == 0)
        return;
    if (access->kind != ACCESS_STORE)
        check(access, block->shared_written, 0);
    if (access->kind != ACCESS_LOAD)
        block->shared_unwritten_bytes -= (uint32_t)mark(access, block->shared_written, 0, true);
}

static void access_global(const struct access *access)
{
    struct allocation *allocation = access->allocation;
    if (!allocation || !allocation->written ||
        __atomic_load_n(&allocation->unwritten_bytes, __ATOMIC_RELAXED) == 0)
        return;
    if (access->kind != ACCESS_STORE)
        check(access, allocation->written, allocation->address);
    if (access->kind != ACCESS_LOAD && access->shape->contiguous)
        memory_mark_written(allocation, access->base - allocation->address,
                            (uint64_t)access->bytes * WARP_LANES);
    else if (access->kind != ACCESS_LOAD)
        __atomic_fetch_sub(&allocation->unwritten_bytes,
                           mark(access, allocation->written, allocation->address, false),
                           __ATOMIC_RELAXED);
}

/* Memory of which every byte has been written needs no looking at. */
void initialised_access(const struct access *access, struct site *site)
{
    (void)site;
    if (access->space == SPACE_SHARED)
        access_shared(access);
    else if (access->space == SPACE_GLOBAL)
        access_global(access);
}
