/* initialised.c - which bytes of memory have been written, a bit for each; and loads of those that
 * have not. Such a load is no fault: what it brings is followed until it decides something
 * (undefined.h). An atomic update of unwritten memory is a fault at once, except for an exchange,
 * which reads only if its result is used.
 */
#include "cluster.h"
#include "observers.h"
#include "opcode.h"
#include "undefined.h"

#include <stdlib.h>

static size_t words_of(const struct block *block)
{
    return block->shared_bytes / 64 + 1;
}

static bool initialised_block_make(struct block *block)
{
    block->shared_written = worker_alloc(words_of(block), sizeof(uint64_t));
    block->held_fault = worker_alloc(1, sizeof *block->held_fault);
    for (uint32_t i = 0; i < block->warp_count; i++)
        if (!undefined_init(&block->warps[i]))
            return false;
    return block->shared_written && block->held_fault;
}

static void initialised_block_begin(struct block *block)
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
    for (uint32_t i = 0; i < block->warp_count; i++)
        undefined_start(&block->warps[i]);
    undefined_forget_notes(block);
}

static void initialised_block_free(struct block *block)
{
    for (uint32_t i = 0; block->warps && i < block->warp_count; i++)
        undefined_free(&block->warps[i]);
    free(block->undefined_notes);
    free(block->shared_written);
    free(block->held_fault);
}

/* --- Marks ------------------------------------------------------------------------------------ */

/* Accesses are aligned and at most 16 bytes, so their bits lie in one word. */
static uint64_t bits_of(uint32_t bytes)
{
    return (UINT64_C(1) << bytes) - 1;
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

/* Most accesses are of bytes that have been written before. A run of bytes is checked word by word,
 * scattered lanes all at once (the padding of a tile, which no thread writes, makes each access of
 * the tile need a check). Inactive lanes count as the first active one. */
static bool all_written(const struct access *access, const uint64_t *written, uint64_t start)
{
    const struct shape *shape = access->shape;
    uint64_t first = access->base - start, missing = 0, mask = bits_of(access->bytes);
    if (shape->contiguous || shape->uniform)
        return run_is_set(written, first, (uint64_t)shape->highest + access->bytes);
    FOR_LANES
    {
        uint64_t offset = first + (uint64_t)shape->delta[lane];
        missing |= ~(written[offset / 64] >> offset % 64) & mask;
    }
    return missing == 0;
}

/* The marks of the memory around an address, where they are kept; NULL where all counts as
 * written. */
struct marks {
    uint64_t *written, start;
    struct allocation *allocation; /* NULL for shared memory, */
    struct block *block;           /* which is this block's */
};

/* The same for shared memory that is another block's, or may be. */
static struct marks marks_of_cluster(struct block *block, uint64_t address)
{
    uint64_t offset = address;
    struct block *home = cluster_block_at(block, &offset);
    return home && offset < home->shared_bytes
               ? (struct marks){home->shared_written, address - offset, NULL, home}
               : (struct marks){NULL, 0, NULL, NULL};
}

static struct marks marks_at(struct warp *warp, enum space space, uint64_t address)
{
    struct block *block = warp->block;
    if (space == SPACE_SHARED)
        return (struct marks){block->shared_written, 0, NULL, block};
    if (space == SPACE_CLUSTER)
        return marks_of_cluster(block, address);
    struct allocation *allocation =
        space == SPACE_GLOBAL ? memory_find(block_launch(warp)->context, address) : NULL;
    return allocation ? (struct marks){allocation->written, allocation->address, allocation, NULL}
                      : (struct marks){NULL, 0, NULL, NULL};
}

uint16_t initialised_missing(struct warp *warp, enum space space, uint64_t address, int lane,
                             uint32_t bytes)
{
    if (space == SPACE_LOCAL)
        return undefined_local_missing(warp->undefined, address, lane, bytes);
    struct marks marks = marks_at(warp, space, address);
    uint64_t offset = address - marks.start;
    if (!marks.written)
        return 0;
    return (uint16_t)(~(marks.written[offset / 64] >> offset % 64) & bits_of(bytes));
}

/* Of a lane's bytes at offset, those in mask count as not written from now on, the others as
 * written. */
static void set_marks(const struct marks *marks, uint64_t offset, uint64_t mask, uint64_t others)
{
    struct block *block = marks->block;
    uint64_t *word = &marks->written[offset / 64], before;
    mask <<= offset % 64;
    others <<= offset % 64;
    if (!marks->allocation) {
        before = *word;
        *word = (before | others) & ~mask;
        block->shared_unwritten_bytes += (uint32_t)__builtin_popcountll(mask & before);
        block->shared_unwritten_bytes -= (uint32_t)__builtin_popcountll(others & ~before);
        return;
    }
    before = __atomic_fetch_or(word, others, __ATOMIC_RELAXED);
    uint64_t more = (uint64_t)__builtin_popcountll(others & ~before);
    before = mask ? __atomic_fetch_and(word, ~mask, __ATOMIC_RELAXED) : 0;
    uint64_t less = (uint64_t)__builtin_popcountll(mask & before);
    if (more != less)
        __atomic_fetch_add(&marks->allocation->unwritten_bytes, less - more, __ATOMIC_RELAXED);
}

void initialised_forget(struct warp *warp, enum space space, uint64_t address, uint16_t mask)
{
    struct marks marks = marks_at(warp, space, address);
    if (marks.written && mask)
        set_marks(&marks, address - marks.start, mask, 0);
}

/* --- Loads and updates ------------------------------------------------------------------------ */

static bool only_exchanges(const struct access *access)
{
    bool is_atomic = access->kind != ACCESS_LOAD && access->kind != ACCESS_STORE;
    return is_atomic && access->op->kind == COMBINE_EXCHANGE && !access->op->is_mbarrier;
}

/* Lanes take turns at an address: what the first leaves there the next one finds. */
static void exchange(const struct access *access, const struct marks *marks)
{
    uint64_t all = bits_of(access->bytes);
    FOR_ACTIVE (lane, access->active) {
        uint64_t address = access->base + (uint64_t)access->shape->delta[lane];
        uint64_t offset = address - marks->start;
        uint64_t missing = ~(marks->written[offset / 64] >> offset % 64) & all;
        if (missing && access->op->dst != NO_REGISTER)
            undefined_brings(access, lane, address, (uint16_t)missing);
        set_marks(marks, offset, 0, all);
    }
}

static void check(const struct access *access, const struct marks *marks)
{
    uint64_t mask = bits_of(access->bytes);
    if (all_written(access, marks->written, marks->start))
        return;
    FOR_ACTIVE (lane, access->active) {
        uint64_t address = access->base + (uint64_t)access->shape->delta[lane];
        uint64_t offset = address - marks->start;
        uint64_t missing = ~(marks->written[offset / 64] >> offset % 64) & mask;
        if (!missing)
            continue;
        if (access->kind == ACCESS_LOAD && undefined_is_followed(access)) {
            undefined_brings(access, lane, address, (uint16_t)missing);
            continue;
        }
        undefined_updates(access, lane, address);
        return;
    }
}

/* --- Stores ----------------------------------------------------------------------------------- */

/* cp.async stores what it has loaded, zeros where it has loaded less. */
static uint16_t copied(const struct access *access, int lane)
{
    const struct undefined *undefined = access->warp->undefined;
    const struct op *op = access->op;
    const uint32_t *sizes = op->source_count > 2 ? reg(access->warp, op->src[2]) : NULL;
    uint16_t missing = undefined->brought >> lane & 1 ? undefined->missing[lane] : 0;
    return sizes && sizes[lane] < 16 ? missing & (uint16_t)((1u << sizes[lane]) - 1) : missing;
}

/* Bytes of what lane stores that are undefined; and where they were read. */
static uint16_t undefined_bytes(const struct access *access, int lane, struct origin *origin)
{
    const struct undefined *undefined = access->warp->undefined;
    if (access->op->run != copy_async) {
        *origin = undefined->stored ? undefined->stored[lane] : (struct origin){0};
        return undefined->stored ? undefined->storing[lane] : 0;
    }
    *origin = (struct origin){.op = access->op,
                              .line = fault_own_line(access->warp, access->op),
                              .address = undefined->address[lane],
                              .space = SPACE_GLOBAL,
                              .lane = (uint8_t)lane,
                              .bytes = (uint8_t)access->bytes};
    return copied(access, lane);
}

/* Lanes store something undefined, here and there. marks->written may be NULL. */
static void store_undefined(const struct access *access, const struct marks *marks)
{
    struct warp *warp = access->warp;
    uint64_t all = bits_of(access->bytes);
    FOR_ACTIVE (lane, access->active) {
        struct origin origin;
        uint64_t address = access->base + (uint64_t)access->shape->delta[lane];
        uint16_t mask = undefined_bytes(access, lane, &origin);
        bool leaves =
            access->space == SPACE_GLOBAL &&
            (warp->undefined->results >> lane & 1 ||
             (mask == all && !undefined_is_member(access, lane, warp->undefined->stored)));
        if (leaves) {
            undefined_decides(warp, access->op, lane, &origin, "is stored in global memory");
            mask = 0; /* told once */
        }
        if (mask)
            undefined_note_stored(warp, access->space, address, lane, mask, &origin);
        if (access->space == SPACE_LOCAL)
            undefined_local_store(warp->undefined, address, lane, access->bytes, mask);
        else if (marks->written)
            set_marks(marks, address - marks->start, mask, all & ~mask);
    }
}

static bool stores_undefined(const struct access *access)
{
    const struct undefined *undefined = access->warp->undefined;
    return access->warp->doubt && access->kind != ACCESS_LOAD &&
           (undefined->stored || (access->op->run == copy_async && undefined->brought));
}

static void mark(const struct access *access, const struct marks *marks)
{
    uint64_t mask = bits_of(access->bytes);
    if (all_written(access, marks->written, marks->start))
        return;
    FOR_ACTIVE (lane, access->active)
        set_marks(marks, access->base + (uint64_t)access->shape->delta[lane] - marks->start, 0,
                  mask);
}

/* --- Spaces ----------------------------------------------------------------------------------- */

static void access_marked(const struct access *access, const struct marks *marks, bool is_whole)
{
    bool store_is_undefined = stores_undefined(access);
    if (is_whole && !store_is_undefined)
        return;
    if (marks->written && !is_whole && only_exchanges(access))
        exchange(access, marks);
    else if (marks->written && !is_whole && access->kind != ACCESS_STORE)
        check(access, marks);
    if (access->kind == ACCESS_LOAD)
        return;
    if (store_is_undefined)
        store_undefined(access, marks);
    else if (marks->allocation && access->shape->contiguous)
        memory_mark_written(marks->allocation, access->base - marks->start,
                            (uint64_t)access->bytes * WARP_LANES);
    else
        mark(access, marks);
}

static void access_shared(const struct access *access)
{
    struct block *block = access->warp->block;
    const struct marks marks = {block->shared_written, 0, NULL, block};
    if (block->shared_unwritten_bytes || access->warp->doubt)
        access_marked(access, &marks, block->shared_unwritten_bytes == 0);
}

/* Lanes that fall into different allocations, or blocks, are checked one by one. */
static void access_scattered(const struct access *access)
{
    FOR_ACTIVE (lane, access->active) {
        struct shape shape = {.active = UINT32_C(1) << lane};
        struct access one = *access;
        one.active = shape.active;
        one.base += (uint64_t)access->shape->delta[lane];
        one.shape = &shape;
        struct marks marks = marks_at(access->warp, access->space, one.base);
        bool is_whole =
            !marks.written || (marks.allocation ? marks.allocation->unwritten_bytes == 0
                                                : marks.block->shared_unwritten_bytes == 0);
        access_marked(&one, &marks, is_whole);
    }
}

static void access_global(const struct access *access)
{
    struct allocation *allocation = access->allocation;
    if (!allocation) {
        access_scattered(access);
        return;
    }
    const struct marks marks = {allocation->written, allocation->address, allocation, NULL};
    bool is_whole = !allocation->written ||
                    __atomic_load_n(&allocation->unwritten_bytes, __ATOMIC_RELAXED) == 0;
    if (!is_whole || access->warp->doubt)
        access_marked(access, &marks, is_whole);
}

static void access_local(const struct access *access)
{
    struct warp *warp = access->warp;
    if (stores_undefined(access)) {
        store_undefined(access, &(const struct marks){0});
        return;
    }
    FOR_ACTIVE (lane, access->active) {
        uint64_t address = access->base + (uint64_t)access->shape->delta[lane];
        uint16_t missing;
        if (access->kind != ACCESS_LOAD)
            undefined_local_store(warp->undefined, address, lane, access->bytes, 0);
        else if ((missing = undefined_local_missing(warp->undefined, address, lane, access->bytes)))
            undefined_brings(access, lane, address, missing);
    }
}

/* Memory of which every byte has been written needs no check. */
static void initialised_access(const struct access *access, struct site *site)
{
    (void)site;
    if (access->space == SPACE_SHARED)
        access_shared(access);
    else if (access->space == SPACE_GLOBAL)
        access_global(access);
    else if (access->space == SPACE_CLUSTER)
        access_scattered(access);
    else if (access->space == SPACE_LOCAL)
        access_local(access);
}

/* --- Bulk copies ------------------------------------------------------------------------------ */

static struct marks marks_of(const struct access *access)
{
    const struct allocation *allocation = access->allocation;
    if (access->space == SPACE_GLOBAL && allocation && !allocation->unwritten_bytes &&
        access->kind == ACCESS_LOAD)
        return (struct marks){0};
    return marks_at(access->warp, access->space, access->base);
}

/* Where 16 bytes were read of which some are missing. */
static struct origin origin_of_copied(const struct access *read, uint64_t address, uint64_t missing)
{
    int lane = __builtin_ctz(read->active);
    const struct origin *noted = undefined_noted(
        read->warp, read->space, address + (unsigned)__builtin_ctzll(missing), lane);
    if (noted)
        return *noted;
    return (struct origin){.op = read->op,
                           .line = fault_own_line(read->warp, read->op),
                           .address = address,
                           .space = (uint8_t)read->space,
                           .lane = (uint8_t)lane,
                           .bytes = 16};
}

/* 16 bytes at a time, so that their marks lie in one word. If all 16 are undefined and leave shared
 * memory, that decides. */
static void initialised_copied(const struct access *read, const struct access *write)
{
    const struct marks from = marks_of(read), to = marks_of(write);
    const uint64_t all = bits_of(16);
    for (uint64_t done = 0; done < read->bytes; done += 16) {
        uint64_t at = read->base + done - from.start, there = write->base + done;
        uint64_t missing = from.written ? ~(from.written[at / 64] >> at % 64) & all : 0;
        if (missing) {
            struct origin origin = origin_of_copied(read, read->base + done, missing);
            int lane = origin.op == read->op ? origin.lane : __builtin_ctz(read->active);
            if (write->space == SPACE_GLOBAL && missing == all) {
                undefined_decides(read->warp, read->op, lane, &origin,
                                  "is stored in global memory");
                missing = 0; /* told once */
            } else {
                undefined_note_stored(read->warp, write->space, there, lane, (uint16_t)missing,
                                      &origin);
            }
        }
        if (to.written)
            set_marks(&to, there - to.start, missing, all & ~missing);
    }
}

static bool initialised_wants(const struct launch *launch)
{
    return launch->config.checks & SIM_CHECK_INITIALISED;
}

const struct observer observer_initialised = {
    .name = "initialised",
    .spaces = ALL_SPACES,
    .looks_at = LOOKS_AT_VALUES,
    .wants = initialised_wants,
    .block_make = initialised_block_make,
    .block_begin = initialised_block_begin,
    .block_free = initialised_block_free,
    .access = initialised_access,
    .bulk_asked = initialised_copied,
    .shuffled_absent = undefined_from_absent,
};
