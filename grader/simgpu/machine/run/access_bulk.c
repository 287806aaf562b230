/* access_bulk.c - what a bulk copy touches: many bytes side by side, all of them its thread's.
 *
 * The copy engine moves whole lines. Observers that count what the device does are told of accesses
 * as a warp would make them: 16 bytes a lane, none across a multiple of 512 bytes. Observers that
 * check the order of threads are told of accesses by the one lane that asked, and those that check
 * values of the copy as a whole. Next: exec_bulk.c.
 */
#include "access.h"

enum { LANE_BYTES = 16, PIECE_BYTES = WARP_LANES * LANE_BYTES };

/* Observers recognise a shape by its age, so each lane has an age of its own here. */
static void one_lane(struct shape *shape, int lane)
{
    memset(shape, 0, sizeof *shape);
    shape->active = UINT32_C(1) << lane;
    shape->age = (uint32_t)lane + 1;
    shape->is_near = shape->uniform = shape->compact = true;
}

bool access_bulk_begin(struct access *access, struct shape *shape, struct warp *warp,
                       const struct op *op, int lane, enum access_kind kind, enum space space,
                       uint64_t address, uint32_t bytes)
{
    struct site *site = access_site(warp->worker, op, space);
    one_lane(shape, lane);
    *access = (struct access){.warp = warp,
                              .op = op,
                              .kind = kind,
                              .space = space,
                              .active = shape->active,
                              .bytes = bytes,
                              .base = address,
                              .shape = shape};
    if (address % LANE_BYTES)
        return access_misaligned(access, lane, address, LANE_BYTES);
    return access_check_space(access, site);
}

/* The part of an access that has so many bytes, from first on. */
static struct access part_of(const struct access *access, uint32_t first, uint32_t bytes)
{
    struct access part = *access;
    part.base += first;
    part.host += first;
    part.bytes = bytes;
    return part;
}

/* How many bytes, from first on, lie before the next address that is divisible by multiple. */
static uint32_t bytes_within(const struct access *access, uint32_t first, uint32_t multiple)
{
    uint32_t to_end = multiple - (uint32_t)((access->base + first) % multiple);
    return to_end < access->bytes - first ? to_end : access->bytes - first;
}

/* As a warp would touch them. */
static void tell_traffic(const struct access *access)
{
    struct site *site = access_site(access->warp->worker, access->op, access->space);
    VECTOR uint64_t address[WARP_LANES];
    site->kind = access->kind;
    for (uint32_t first = 0, bytes; first < access->bytes; first += bytes) {
        bytes = bytes_within(access, first, PIECE_BYTES);
        struct access piece = part_of(access, first, LANE_BYTES);
        lane_mask active = ALL_LANES >> (WARP_LANES - bytes / LANE_BYTES);
        piece.active = active;
        piece.shape = &site->shape;
        FOR_LANES address[lane] = piece.base + (uint64_t)lane * LANE_BYTES;
        if (!SAME_SHAPE(uint64_t, address, site->shape.delta, &site->shape, active))
            access_new_shape(&site->shape, active, address, piece.base, LANE_BYTES);
        observers_access_as(&piece, site, 1 << LOOKS_AT_TRAFFIC | 1 << LOOKS_AT_PLACES);
    }
}

/* As the thread touches them; global memory is watched line by line. */
static void tell_order(const struct access *access)
{
    struct site *site = access_site(access->warp->worker, access->op, access->space);
    uint32_t most = access->space == SPACE_GLOBAL ? LINE_BYTES : UINT32_C(1) << 31;
    for (uint32_t first = 0, bytes; first < access->bytes; first += bytes) {
        bytes = bytes_within(access, first, most);
        const struct access part = part_of(access, first, bytes);
        observers_access_as(&part, site, 1 << LOOKS_AT_ORDER);
    }
}

bool access_bulk_tell_one(const struct access *write)
{
    tell_traffic(write);
    tell_order(write);
    return !block_launch(write->warp)->faulted;
}

bool access_bulk_tell(const struct access *read, const struct access *write)
{
    tell_traffic(read);
    tell_traffic(write);
    tell_order(read);
    tell_order(write);
    observers_bulk_asked(read, write);
    return !block_launch(read->warp)->faulted;
}
