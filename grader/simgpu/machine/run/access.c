/* access.c - one access of one warp: what its lanes touch, and whether they may.
 *
 * The lanes' addresses are described as a base and a shape (see struct shape). Checking bounds is
 * then two comparisons, and everything that depends on the shape alone (is it contiguous? how many
 * sectors? how many bank conflicts?) is computed once and remembered at the op's site. Next:
 * access.h, the fast path for accesses that repeat.
 */
#include "access.h"
#include "absent.h"
#include "cluster.h"
#include "provenance.h"
#include "queue.h"
#include "sample.h"
#include "undefined.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

static struct site *new_site(struct worker *worker, uint32_t index)
{
    struct site *site = aligned_alloc(64, (sizeof *site + 63) / 64 * 64);
    if (!site)
        return &worker->lost;
    memset(site, 0, sizeof *site);
    site->made_before = worker->latest_site;
    worker->latest_site = site;
    return worker->sites[index] = site;
}

struct site *access_site(struct worker *worker, const struct op *op, enum space space)
{
    uint32_t index = 2 * op->id + (space == SPACE_SHARED || space == SPACE_CLUSTER);
    struct site *site = worker->sites[index];
    return site ? site : new_site(worker, index);
}

/* --- Shapes ----------------------------------------------------------------------------------- */

/* Of a tile that is 16 or 8 words wide, a warp reads several rows at once. */
static uint8_t row_lanes(const int64_t *delta)
{
    enum { WORD = 4, EACH_16TH = 0x00010000, EACH_8TH = 0x01010100 };
    lane_mask starts = 0;
    for (int lane = 1; lane < WARP_LANES; lane++)
        starts |= delta[lane] != delta[lane - 1] + WORD ? UINT32_C(1) << lane : 0;
    return !starts ? 0 : !(starts & ~EACH_16TH) ? 16 : !(starts & ~EACH_8TH) ? 8 : 0;
}

void access_new_shape(struct shape *shape, lane_mask active, const uint64_t *address, uint64_t base,
                      uint32_t bytes)
{
    int64_t lowest = 0, highest = 0, bits = 0, uneven = 0;
    shape->active = active;
    shape->age++;
    for (int lane = 0; lane < WARP_LANES; lane++) {
        int64_t delta = active >> lane & 1 ? (int64_t)(address[lane] - base) : 0;
        shape->delta[lane] = delta;
        shape->near[lane] = (int32_t)delta;
        lowest = delta < lowest ? delta : lowest;
        highest = delta > highest ? delta : highest;
        bits |= delta;
        uneven |= delta ^ (int64_t)lane * bytes;
    }
    shape->lowest = lowest;
    shape->highest = highest;
    shape->low_bits = (uint16_t)bits;
    shape->row_lanes = active == ALL_LANES ? row_lanes(shape->delta) : 0;
    shape->is_near = lowest >= INT32_MIN && highest <= INT32_MAX;
    shape->compact = highest - lowest <= 4 * (WARP_LANES - 1) && bits % 4 == 0;
    for (int lane = 0; lane < WARP_LANES; lane++)
        shape->pick[lane] = (uint8_t)((shape->delta[lane] - lowest) / 4);
    shape->uniform = bits == 0;
    shape->contiguous = uneven == 0 && active == ALL_LANES;
}

/* --- Spaces ----------------------------------------------------------------------------------- */

enum space address_space(const struct warp *warp, uint64_t address, uint64_t *start)
{
    uint64_t windows = windows_of(warp);
    *start = 0;
    switch ((address - windows) >> WINDOW_BITS) {
    case SHARED_WINDOW >> WINDOW_BITS: *start = windows + SHARED_WINDOW; return SPACE_SHARED;
    case LOCAL_WINDOW >> WINDOW_BITS: *start = windows + LOCAL_WINDOW; return SPACE_LOCAL;
    case PARAM_WINDOW >> WINDOW_BITS: *start = windows + PARAM_WINDOW; return SPACE_PARAM;
    default: return SPACE_GLOBAL;
    }
}

unsigned char *local_word(const struct warp *warp, uint64_t address, int lane)
{
    return warp->local + (address / 4 * WARP_LANES + (uint64_t)lane) * 4 + address % 4;
}

/* --- Faults ----------------------------------------------------------------------------------- */

static const char *verb(enum access_kind kind)
{
    return kind == ACCESS_LOAD ? "reads" : kind == ACCESS_STORE ? "writes" : "updates";
}

static const char *space_name(enum space space)
{
    switch (space) {
    case SPACE_SHARED: return "shared memory";
    case SPACE_LOCAL: return "local memory";
    case SPACE_CONST: return "constant memory";
    case SPACE_PARAM: return "the kernel's parameters";
    default: return "global memory";
    }
}

/* "just past its end", of bytes at an address of a space that starts at 0. */
static void place_in_room(uint64_t address, uint32_t bytes, uint64_t room_bytes, char *text,
                          size_t size)
{
    int64_t before = -(int64_t)address;
    if (before > 0)
        snprintf(text, size, "%" PRId64 " bytes before its start", before);
    else if (address < room_bytes)
        snprintf(text, size, "that start inside and end %" PRIu64 " bytes past its end",
                 address + bytes - room_bytes);
    else if (address == room_bytes)
        snprintf(text, size, "just past its end");
    else
        snprintf(text, size, "%" PRIu64 " bytes past its end", address - room_bytes);
}

static bool out_of_bounds(const struct access *access, int lane, uint64_t address,
                          uint64_t room_bytes)
{
    static const char *const OWNERS[] = {
        [SPACE_SHARED] = "block", [SPACE_LOCAL] = "thread", [SPACE_PARAM] = "kernel"};
    char where[100];
    bool none = access->space == SPACE_SHARED && room_bytes == 0;
    if (access->space == SPACE_SHARED && access->op->src_bytes == 4)
        address = (uint64_t)(int32_t)address; /* a little before the start */
    place_in_room(address, access->bytes, room_bytes, where, sizeof where);
    fault_raise(access->warp, access->op, SIM_FAULT_OUT_OF_BOUNDS, lane,
                "%s %u bytes of %s %s: the %s has %" PRIu64 " bytes%s", verb(access->kind),
                access->bytes, space_name(access->space), where, OWNERS[access->space], room_bytes,
                none ? "; an array that is extern __shared__ gets its size with the launch, "
                       "<<<blocks, threads, bytes>>>"
                     : "");
    return false;
}

static bool bad_global(const struct access *access, int lane, uint64_t address)
{
    struct sim_context *context = block_launch(access->warp)->context;
    struct provenance from = provenance_of(access->warp, access->op);
    bool strayed = from.is_known && !from.was_freed; /* all that it came from is there */
    bool was_freed = !strayed && memory_was_freed(context, address);
    enum sim_fault_kind kind = address < 4096 ? SIM_FAULT_NULL_POINTER
                               : was_freed    ? SIM_FAULT_USE_AFTER_FREE
                                              : SIM_FAULT_OUT_OF_BOUNDS;
    char where[300];
    if (strayed)
        memory_describe_strayed(context, from.of, address, access->bytes, where, sizeof where);
    else
        memory_describe(context, address, access->bytes, where, sizeof where);
    fault_raise(access->warp, access->op, kind, lane, "%s %u bytes of %s at 0x%" PRIx64 ": %s",
                verb(access->kind), access->bytes, space_name(access->space), address, where);
    return false;
}

/* An address far from all memory tells of a wrong pointer, whatever it is a multiple of. */
bool access_misaligned(const struct access *access, int lane, uint64_t address, uint32_t alignment)
{
    if (access->space == SPACE_GLOBAL &&
        !memory_is_near(block_launch(access->warp)->context, address))
        return bad_global(access, lane, address);
    fault_raise(access->warp, access->op, SIM_FAULT_MISALIGNED, lane,
                "%s %u bytes of %s at 0x%" PRIx64 ", which is not a multiple of %u",
                verb(access->kind), access->bytes, space_name(access->space), address, alignment);
    return false;
}

/* --- Checks ----------------------------------------------------------------------------------- */

static bool check_alignment(const struct access *access)
{
    uint64_t mask = access->bytes - 1;
    if (!((access->base | access->shape->low_bits) & mask))
        return true;
    FOR_ACTIVE (lane, access->active) {
        uint64_t address = access->base + (uint64_t)access->shape->delta[lane];
        if (address & mask)
            return access_misaligned(access, lane, address, access->bytes);
    }
    return true;
}

/* Memory of room bytes, starting at offset 0. */
static bool check_room(const struct access *access, uint64_t room_bytes)
{
    const struct shape *shape = access->shape;
    int64_t low = (int64_t)access->base + shape->lowest;
    int64_t high = (int64_t)access->base + shape->highest + access->bytes;
    if (low >= 0 && high >= 0 && (uint64_t)high <= room_bytes)
        return true;
    FOR_ACTIVE (lane, access->active) {
        uint64_t address = access->base + (uint64_t)shape->delta[lane];
        if (address > room_bytes || access->bytes > room_bytes - address)
            return out_of_bounds(access, lane, address, room_bytes);
    }
    return true;
}

static bool inside(const struct allocation *allocation, uint64_t address, uint32_t bytes)
{
    return allocation && address - allocation->address <= allocation->size_bytes &&
           bytes <= allocation->size_bytes - (address - allocation->address);
}

/* A sampled launch leaves gaps, which the blocks that did not run would have written. */
static void note_use(const struct access *access, struct allocation *allocation)
{
    struct launch *launch = block_launch(access->warp);
    if (access->kind != ACCESS_LOAD)
        __atomic_store_n(&allocation->stored, true, __ATOMIC_RELAXED);
    uint64_t by = __atomic_load_n(&allocation->sampled_by, __ATOMIC_RELAXED);
    if (absent_is_of(launch, allocation))
        return;
    const char *doubt = launch->sample ? sample_doubt(access, allocation) : NULL;
    if (doubt)
        sim_note_unsampled(launch->context->machine, doubt);
    if (by && by != launch->serial && access->kind != ACCESS_STORE)
        sim_note_unsampled(launch->context->machine, SIM_ACROSS);
    if (!by && launch->sample && access->kind != ACCESS_LOAD)
        __atomic_store_n(&allocation->sampled_by, launch->serial, __ATOMIC_RELAXED);
}

/* Are the lanes far apart, in pieces that they have touched before? They mostly are where each lane
 * goes along a row of its own. */
static bool were_touched(const struct access *access, const struct site *site)
{
    return site->made.age == access->shape->age && site->made.allocation == site->allocation &&
           access->base + site->made.below >= site->made.base &&
           access->base <= site->made.base + site->made.above;
}

static void touch_each(const struct access *access, struct site *site)
{
    struct allocation *allocation = site->allocation;
    struct sim_memory *memory = block_launch(access->warp)->context->machine->memory;
    uint64_t below = MADE_BYTES, above = MADE_BYTES;
    FOR_ACTIVE (lane, access->active) {
        uint64_t offset = access->base + (uint64_t)access->shape->delta[lane] - allocation->address;
        uint64_t in_piece = offset % MADE_BYTES, end = in_piece + access->bytes;
        pieces_touch(memory, allocation, offset, access->bytes);
        below = in_piece < below ? in_piece : below;
        above = end > MADE_BYTES ? 0 : MADE_BYTES - end < above ? MADE_BYTES - end : above;
    }
    site->made.age = access->shape->age;
    site->made.base = access->base;
    site->made.below = below;
    site->made.above = above;
    site->made.allocation = allocation;
}

/* Make the pieces that the lanes touch. The site remembers the pieces around them if all lanes are
 * near each other, and otherwise none, since what lies between the lanes may not have been made. */
static void touch_pieces(const struct access *access, struct site *site, uint64_t low,
                         uint64_t high)
{
    enum { NEAR_BYTES = 4096 };
    struct allocation *allocation = site->allocation;
    struct sim_memory *memory = block_launch(access->warp)->context->machine->memory;
    struct range made = {low, low, NULL};
    bool near = high - low <= NEAR_BYTES;
    if (near) {
        pieces_touch(memory, allocation, low - allocation->address, high - low);
        made = pieces_around(allocation, low, high);
    } else if (!were_touched(access, site)) {
        touch_each(access, site);
    }
    site->low = made.low;
    site->high = made.high;
}

/* The slow way: each lane on its own, since lanes may fall into different allocations. */
static bool check_each_lane(struct access *access, struct site *site)
{
    struct sim_context *context = block_launch(access->warp)->context;
    FOR_ACTIVE (lane, access->active) {
        uint64_t address = access->base + (uint64_t)access->shape->delta[lane];
        struct allocation *allocation = memory_find(context, address);
        if (!inside(allocation, address, access->bytes))
            return bad_global(access, lane, address);
        note_use(access, allocation);
        if (allocation->pieces)
            pieces_touch(context->machine->memory, allocation, address - allocation->address,
                         access->bytes);
        site->allocation = allocation;
        site->low = allocation->address;
        site->high = allocation->address + (allocation->pieces ? 0 : allocation->size_bytes);
    }
    return true;
}

/* Do all lanes fall into the allocation with pieces that the site knows? A shortcut of the slow
 * path. */
static bool is_in_pieces(const struct site *site, uint64_t low, uint64_t high)
{
    const struct allocation *allocation = site->allocation;
    return allocation && allocation->pieces && low < high && low >= allocation->address &&
           high <= allocation->address + allocation->size_bytes;
}

static bool check_global(struct access *access, struct site *site)
{
    const struct shape *shape = access->shape;
    uint64_t low = access->base + (uint64_t)shape->lowest;
    uint64_t high = access->base + (uint64_t)shape->highest + access->bytes;
    bool known = low >= site->low && high <= site->high && low < high;
    if (!known && !is_in_pieces(site, low, high) && !check_each_lane(access, site))
        return false;
    bool in_pieces = !known && is_in_pieces(site, low, high);
    access->allocation =
        in_pieces || (low >= site->low && high <= site->high) ? site->allocation : NULL;
    if (in_pieces)
        touch_pieces(access, site, low, high);
    access->host = memory_host(block_launch(access->warp)->context->machine->memory, access->base);
    return true;
}

bool access_check_space(struct access *access, struct site *site)
{
    struct warp *warp = access->warp;
    switch (access->space) {
    case SPACE_SHARED:
        access->host = warp->block->shared + access->base;
        return check_room(access, warp->block->shared_bytes);
    case SPACE_CLUSTER: return cluster_check_access(access);
    case SPACE_LOCAL:
        return check_room(access, warp->split->local_base + warp->split->function->local_bytes);
    case SPACE_PARAM:
        access->host = block_launch(warp)->parameters + access->base;
        return check_room(access, block_launch(warp)->function->parameter_bytes);
    default: return check_global(access, site);
    }
}

bool access_begin(struct access *access, struct warp *warp, const struct op *op, lane_mask active,
                  enum access_kind kind, enum space space, const uint64_t *address, uint32_t bytes)
{
    struct site *site = access_site(warp->worker, op, space);
    uint64_t base = address[__builtin_ctz(active)];
    if (!SAME_SHAPE(uint64_t, address, site->shape.delta, &site->shape, active))
        access_new_shape(&site->shape, active, address, base, bytes);
    site->kind = kind;
    *access = (struct access){.warp = warp,
                              .op = op,
                              .kind = kind,
                              .space = space,
                              .active = active,
                              .bytes = bytes,
                              .base = base,
                              .shape = &site->shape};
    if (!check_alignment(access) || !access_check_space(access, site))
        return false;
    bool is_met = absent_is_of(block_launch(warp), access->allocation);
    if (is_met)
        absent_access(access);
    else if (kind == ACCESS_ATOMIC && space == SPACE_GLOBAL && block_launch(warp)->sample)
        queue_draw(access);
    site->last = *access;
    site->may_repeat =
        space == op->space && !is_met && (space == SPACE_SHARED || access->allocation);
    return access_tell(access, site);
}

/* The lanes' sectors of one allocation. */
static void count_prefetch(struct warp *warp, const struct op *op, lane_mask active,
                           const uint64_t *sector, struct allocation *allocation)
{
    struct site *site = access_site(warp->worker, op, SPACE_GLOBAL);
    uint64_t base = sector[__builtin_ctz(active)];
    if (!SAME_SHAPE(uint64_t, sector, site->shape.delta, &site->shape, active))
        access_new_shape(&site->shape, active, sector, base, SECTOR_BYTES);
    const struct access access = {.warp = warp,
                                  .op = op,
                                  .kind = ACCESS_LOAD,
                                  .space = SPACE_GLOBAL,
                                  .active = active,
                                  .bytes = SECTOR_BYTES,
                                  .base = base,
                                  .shape = &site->shape,
                                  .allocation = allocation};
    site->kind = ACCESS_LOAD;
    observers_access_as(&access, site, 1 << LOOKS_AT_TRAFFIC);
}

void access_prefetch(struct warp *warp, const struct op *op, lane_mask active,
                     const uint64_t *address)
{
    struct sim_context *context = block_launch(warp)->context;
    struct allocation *allocation[WARP_LANES];
    VECTOR uint64_t sector[WARP_LANES];
    lane_mask left = 0;
    FOR_LANES sector[lane] = address[lane] / SECTOR_BYTES * SECTOR_BYTES;
    FOR_ACTIVE (lane, active) {
        allocation[lane] = memory_find(context, sector[lane]);
        if (inside(allocation[lane], sector[lane], SECTOR_BYTES))
            left |= UINT32_C(1) << lane;
    }
    for (lane_mask together; left; left &= ~together) {
        struct allocation *of = allocation[__builtin_ctz(left)];
        together = 0;
        FOR_ACTIVE (lane, left)
            if (allocation[lane] == of)
                together |= UINT32_C(1) << lane;
        count_prefetch(warp, op, together, sector, of);
    }
}

bool access_read_lane(struct warp *warp, const struct op *op, int lane, uint64_t generic_address,
                      void *to, uint32_t bytes)
{
    uint64_t start;
    enum space space = address_space(warp, generic_address, &start);
    uint64_t address = generic_address - start;
    struct launch *launch = block_launch(warp);
    const unsigned char *from = NULL;
    if (space == SPACE_LOCAL && address + bytes <= warp->local_bytes) {
        if (warp->undefined)
            undefined_library_reads(warp, op, lane, address, bytes);
        for (uint32_t i = 0; i < bytes; i++)
            ((unsigned char *)to)[i] = *local_word(warp, address + i, lane);
        return true;
    }
    if (space == SPACE_SHARED && address + bytes <= warp->block->shared_bytes)
        from = warp->block->shared + address;
    struct allocation *allocation =
        space == SPACE_GLOBAL ? memory_find(launch->context, address) : NULL;
    if (inside(allocation, address, bytes)) {
        struct sim_memory *memory = launch->context->machine->memory;
        if (allocation->pieces)
            pieces_touch(memory, allocation, address - allocation->address, bytes);
        from = memory_host(memory, address);
    }
    if (!from) {
        fault_raise(warp, op, SIM_FAULT_OUT_OF_BOUNDS, lane,
                    "passes 0x%" PRIx64 ", which cannot be read, to a library function",
                    generic_address);
        return false;
    }
    memcpy(to, from, bytes);
    return true;
}

/* --- Addresses -------------------------------------------------------------------------------- */

/* The address each lane asks for: a 32- or 64-bit register and a constant. */
static void lane_addresses(const struct warp *warp, const struct op *op, uint64_t *address)
{
    uint64_t offset = (uint64_t)op->offset;
    if (op->src_bytes == 8) {
        SOURCE(uint64_t, base, 0);
        FOR_LANES address[lane] = base[lane] + offset;
    } else {
        SOURCE(uint32_t, base, 0);
        FOR_LANES address[lane] = (uint32_t)(base[lane] + (uint32_t)offset);
    }
}

/* Shared memory may be a peer block's where a kernel runs in clusters. */
static void move_shared(struct warp *warp, const struct op *op, lane_mask active,
                        access_mover *move, uint64_t *address)
{
    bool reaches = warp->block->cluster && (op->space == SPACE_GENERIC || op->in_cluster);
    move(warp, op, active, reaches ? cluster_space(warp->block, active, address) : SPACE_SHARED,
         address);
}

/* A generic address may mean any space, and a different one for each lane: the lanes that mean the
 * same space go together. */
void access_by_space(struct warp *warp, const struct op *op, lane_mask active, access_mover *move)
{
    VECTOR uint64_t address[WARP_LANES];
    lane_addresses(warp, op, address);
    if (op->space == SPACE_SHARED) {
        move_shared(warp, op, active, move, address);
        return;
    }
    if (op->space != SPACE_GENERIC) {
        move(warp, op, active, op->space, address);
        return;
    }
    while (active) {
        uint64_t start, unused;
        enum space space = address_space(warp, address[__builtin_ctz(active)], &start);
        lane_mask together = 0;
        FOR_ACTIVE (lane, active)
            if (address_space(warp, address[lane], &unused) == space)
                together |= UINT32_C(1) << lane;
        FOR_LANES address[lane] -= together >> lane & 1 ? start : 0;
        if (space == SPACE_SHARED)
            move_shared(warp, op, together, move, address);
        else
            move(warp, op, together, space, address);
        active &= ~together;
    }
}
