/* exec_param.c - parameters, and addresses of one state space in another (PTX ISA 9.7.9). */
#include "access.h"
#include "cluster.h"
#include "opcode.h"

/* --- Parameters ------------------------------------------------------------------------------- */

/* A kernel's parameters are the same for all lanes. Whole registers, as nearly all are, need no
 * widening. */
static void load_kernel_param(struct warp *warp, const struct op *op, lane_mask active)
{
    const unsigned char *from = block_launch(warp)->parameters + op->offset;
    for (uint32_t i = 0; i < op->count; i++, from += op->bytes) {
        uint64_t value = 0;
        if (op->bytes == 8)
            memcpy(&value, from, 8);
        else if (op->bytes == 4 && op->dst_bytes == 4)
            memcpy(&value, from, 4);
        else
            value = widened(op, from, op->bytes);
        if (op->list[i] != NO_REGISTER)
            spread_lanes(warp, op->list[i], active, value, op->dst_bytes);
    }
}

/* The variables of a call lie in the frame, one for each lane. */
static __attribute__((noinline)) void load_call_param(struct warp *warp, const struct op *op,
                                                      lane_mask active)
{
    const unsigned char *variable = reg(warp, op->src[3]);
    for (uint32_t i = 0; i < op->count; i++) {
        if (op->list[i] == NO_REGISTER)
            continue;
        unsigned char *to = reg(warp, op->list[i]);
        FOR_ACTIVE (lane, active) {
            const unsigned char *from =
                variable + (size_t)lane * op->target + op->offset + (size_t)i * op->bytes;
            uint64_t value = widened(op, from, op->bytes);
            memcpy(to + (size_t)lane * op->dst_bytes, &value, op->dst_bytes);
        }
    }
}

HANDLER(load_param)
{
    if (op->kind == 0)
        load_kernel_param(warp, op, active);
    else
        load_call_param(warp, op, active);
}

HANDLER(store_param)
{
    unsigned char *variable = reg(warp, op->src[3]);
    for (uint32_t i = 0; i < op->count; i++) {
        const unsigned char *from = reg(warp, op->list[i]);
        FOR_ACTIVE (lane, active)
            memcpy(variable + (size_t)lane * op->target + op->offset + (size_t)i * op->bytes,
                   from + (size_t)lane * op->dst_bytes, op->bytes);
    }
}

/* --- Addresses -------------------------------------------------------------------------------- */

static uint64_t window_of(const struct warp *warp, enum space space)
{
    switch (space) {
    case SPACE_SHARED: return windows_of(warp) + SHARED_WINDOW;
    case SPACE_LOCAL: return windows_of(warp) + LOCAL_WINDOW;
    case SPACE_PARAM: return windows_of(warp) + PARAM_WINDOW;
    default: return 0; /* global and constant addresses are generic already */
    }
}

/* The window is looked up once, not lane by lane: for most addresses the conversion is a
 * formality. */
static inline void move_addresses(struct warp *warp, const struct op *op, lane_mask active,
                                  uint64_t distance)
{
    SOURCE(uint64_t, a, 0);
    WRITE_LANES(uint64_t, a[lane] + distance);
}

HANDLER(cvta_from)
{
    move_addresses(warp, op, active, window_of(warp, op->space));
}

HANDLER(cvta_to)
{
    move_addresses(warp, op, active, -window_of(warp, op->space));
}

/* A peer's shared memory is the cluster's, and not the block's own. */
HANDLER(isspacep)
{
    SOURCE(uint64_t, a, 0);
    uint64_t start;
    enum space asked = op->space == SPACE_CONST ? SPACE_GLOBAL : op->space;
    bool of_block = op->space == SPACE_SHARED && !op->in_cluster && warp->block->cluster;
    WRITE_PREDICATE(op->dst, MASK_OF(address_space(warp, a[lane], &start) == asked &&
                                     (!of_block || cluster_rank_at(warp->block, a[lane] - start) ==
                                                       warp->block->rank)));
}
