/* exec_surface.c - surfaces, textures that kernels may write: suld.b and sust.b (PTX ISA 9.7.11).
 *
 * They move bytes as they are. The first coordinate counts bytes, the others rows, planes and
 * layers. A place outside is a fault (.trap), becomes the nearest element inside (.clamp), or reads
 * as zeros and is not written (.zero).
 */
#include "lanes.h"
#include "opcode.h"
#include "texture.h"

#include <inttypes.h>

/* Where the lanes' elements are. */
struct surface_place {
    VECTOR uint64_t address[WARP_LANES];
    lane_mask inside;
};

/* The coordinate that counts row, plane or layer number axis, as a place in op->list; 0 where the
 * surface has none. */
static const uint32_t *coordinate_of(const struct op *op, enum texture_shape shape, unsigned axis)
{
    static const uint8_t ORDER[TEXTURE_SHAPES][TEXTURE_AXES] = {[TEXTURE_1D] = {1, 0, 0},
                                                                [TEXTURE_2D] = {1, 2, 0},
                                                                [TEXTURE_3D] = {1, 2, 3},
                                                                [TEXTURE_A1D] = {2, 0, 1},
                                                                [TEXTURE_A2D] = {2, 3, 1}};
    uint8_t at = ORDER[shape][axis];
    return at ? &op->list[LIST_COORDINATES + at - 1] : NULL;
}

static int64_t nearest(int64_t value, int64_t most)
{
    return value < 0 ? 0 : value < most ? value : most;
}

static void raise_outside(struct warp *warp, const struct op *op, int lane,
                          const struct texture *surface, const int64_t *at)
{
    const struct sim_texture *is = &surface->is;
    fault_raise(
        warp, op, SIM_FAULT_SURFACE, lane,
        "%s %u bytes at byte x = %" PRId64 " of row y = %" PRId64 ", plane or layer %" PRId64
        ": the surface has rows of %" PRIu64 " bytes, %u rows, %u planes or layers",
        op->run == surface_load ? "reads" : "writes", (unsigned)op->bytes * op->count, at[0], at[1],
        at[2], (uint64_t)is->width * surface->texel_bytes, is->height, is->depth);
}

static void raise_askew(struct warp *warp, const struct op *op, int lane, int64_t x)
{
    unsigned bytes = (unsigned)op->bytes * op->count;
    fault_raise(warp, op, SIM_FAULT_SURFACE, lane,
                "%s %u bytes at byte x = %" PRId64 " of a row, which is not a multiple of %u",
                op->run == surface_load ? "reads" : "writes", bytes, x, bytes);
}

/* Where one lane's coordinates are, clamped if they may be. False when they are outside. */
static bool place_lane(const struct sim_texture *is, const int64_t most[TEXTURE_AXES],
                       int64_t at[TEXTURE_AXES], bool clamps, uint64_t *address)
{
    bool inside = most[0] >= 0;
    for (unsigned axis = 0; axis < TEXTURE_AXES; axis++) {
        int64_t near = nearest(at[axis], most[axis]);
        inside &= clamps || near == at[axis];
        at[axis] = clamps ? near : at[axis];
    }
    *address =
        is->address + (uint64_t)at[0] + (uint64_t)at[1] * is->pitch + (uint64_t)at[2] * is->slice;
    return inside;
}

/* False after a fault. */
static bool find_place(struct surface_place *place, struct warp *warp, const struct op *op,
                       lane_mask lanes, const struct texture *surface)
{
    const struct sim_texture *is = &surface->is;
    enum texture_shape shape = texture_shape_of(op);
    enum surface_boundary boundary = texture_boundary_of(op);
    uint32_t bytes = (uint32_t)op->bytes * op->count;
    const int64_t most[TEXTURE_AXES] = {(int64_t)is->width * surface->texel_bytes - bytes,
                                        (int64_t)is->height - 1, (int64_t)is->depth - 1};
    const uint32_t *list[TEXTURE_AXES];
    for (unsigned axis = 0; axis < TEXTURE_AXES; axis++)
        list[axis] = coordinate_of(op, shape, axis);
    place->inside = 0;
    FOR_ACTIVE (lane, lanes) {
        int64_t at[TEXTURE_AXES];
        for (unsigned axis = 0; axis < TEXTURE_AXES; axis++)
            at[axis] = list[axis] ? ((const int32_t *)reg(warp, *list[axis]))[lane] : 0;
        if (at[0] % bytes) {
            raise_askew(warp, op, lane, at[0]);
            return false;
        }
        if (place_lane(is, most, at, boundary == BOUNDARY_CLAMP, &place->address[lane])) {
            place->inside |= UINT32_C(1) << lane;
        } else if (boundary == BOUNDARY_TRAP) {
            raise_outside(warp, op, lane, surface, at);
            return false;
        }
    }
    return true;
}

/* The elements of one lane, between memory and its registers. */
static void load_lane(struct warp *warp, const struct op *op, int lane, const unsigned char *from)
{
    for (unsigned i = 0; i < op->count; i++) {
        uint64_t value = 0;
        if (from)
            memcpy(&value, from + (size_t)i * op->bytes, op->bytes);
        if (op->list[i] != NO_REGISTER)
            memcpy((unsigned char *)reg(warp, op->list[i]) + (size_t)lane * op->dst_bytes, &value,
                   op->dst_bytes);
    }
}

static void store_lane(struct warp *warp, const struct op *op, int lane, unsigned char *to)
{
    for (unsigned i = 0; i < op->count; i++)
        memcpy(to + (size_t)i * op->bytes,
               (unsigned char *)reg(warp, op->list[i]) + (size_t)lane * op->dst_bytes, op->bytes);
}

static bool move(struct warp *warp, const struct op *op, lane_mask lanes,
                 const struct texture *surface, enum access_kind kind)
{
    struct surface_place place;
    struct access access;
    if (!find_place(&place, warp, op, lanes, surface))
        return false;
    if (place.inside && !access_begin(&access, warp, op, place.inside, kind, SPACE_GLOBAL,
                                      place.address, (uint32_t)op->bytes * op->count))
        return false;
    FOR_ACTIVE (lane, lanes) {
        bool inside = place.inside >> lane & 1;
        unsigned char *host = inside ? access.host + access.shape->delta[lane] : NULL;
        if (kind == ACCESS_LOAD)
            load_lane(warp, op, lane, host);
        else if (inside)
            store_lane(warp, op, lane, host);
    }
    return true;
}

static void move_all(struct warp *warp, const struct op *op, lane_mask active,
                     enum access_kind kind)
{
    SOURCE(uint64_t, handle, 0);
    for (lane_mask lanes; active; active &= ~lanes) {
        const struct texture *surface = texture_of_first(warp, op, active, true, handle, &lanes);
        if (!surface || !move(warp, op, lanes, surface, kind))
            return;
    }
}

HANDLER(surface_load)
{
    move_all(warp, op, active, ACCESS_LOAD);
}

HANDLER(surface_store)
{
    move_all(warp, op, active, ACCESS_STORE);
}
