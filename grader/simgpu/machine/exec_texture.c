/* exec_texture.c - fetches of texels: tex and tld4 (PTX ISA 9.7.10), in unified mode, where one
 * object is texture and sampler. There are no mipmaps, so that a level of detail, or derivatives to
 * find it by, make no difference.
 *
 * Next to a coordinate lie up to eight texels, two along each axis; "corner" is one of them, with a
 * bit for each axis. Each corner is one access of the lanes that need it, texture.h says why; a
 * texel whose weight is 0 is not read.
 */
#include "lanes.h"
#include "opcode.h"
#include "texture.h"

/* The values of each lane, channel by channel. */
struct values {
    VECTOR uint32_t of[TEXEL_CHANNELS][WARP_LANES];
};

static lane_mask corner_inside(const struct texture_place *place, unsigned axes, unsigned corner)
{
    lane_mask inside = ALL_LANES;
    for (unsigned axis = 0; axis < axes; axis++)
        inside &= place->axis[axis].inside[corner >> axis & 1];
    return inside;
}

static float corner_weight(const struct texture_place *place, unsigned axes, unsigned corner,
                           int lane)
{
    float weight = 1;
    for (unsigned axis = 0; axis < axes; axis++) {
        float second = place->axis[axis].weight[lane];
        weight *= corner >> axis & 1 ? second : 1 - second;
    }
    return weight;
}

/* The texels of the lanes at one corner. False after a fault. */
static bool read_corner(struct warp *warp, const struct op *op, lane_mask lanes,
                        const struct texture *texture, const struct texture_place *place,
                        unsigned corner, struct values *values)
{
    VECTOR uint64_t address[WARP_LANES] = {0};
    unsigned axes = texture_axes(texture_shape_of(op));
    lane_mask inside = lanes & corner_inside(place, axes, corner);
    uint32_t value[TEXEL_CHANNELS];
    struct access access;
    texture_addresses(address, texture, place, axes, corner, inside);
    if (inside && !access_begin(&access, warp, op, inside, ACCESS_LOAD, SPACE_GLOBAL, address,
                                texture->texel_bytes))
        return false;
    FOR_ACTIVE(lane, lanes)
    {
        if (inside >> lane & 1)
            texel_read(texture, access.host + access.shape->delta[lane], value);
        else
            texel_border(texture, value);
        for (unsigned i = 0; i < TEXEL_CHANNELS; i++)
            values->of[i][lane] = value[i];
    }
    return true;
}

/* The weighted sum of all corners. */
static bool read_filtered(struct warp *warp, const struct op *op, lane_mask lanes,
                          const struct texture *texture, const struct texture_place *place,
                          struct values *values)
{
    unsigned axes = texture_axes(texture_shape_of(op));
    double sum[TEXEL_CHANNELS][WARP_LANES] = {{0}};
    for (unsigned corner = 0; corner < 1u << axes; corner++) {
        float weight[WARP_LANES];
        lane_mask needed = 0;
        FOR_ACTIVE(lane, lanes)
        {
            weight[lane] = corner_weight(place, axes, corner, lane);
            needed |= weight[lane] > 0 ? UINT32_C(1) << lane : 0;
        }
        if (needed && !read_corner(warp, op, needed, texture, place, corner, values))
            return false;
        FOR_ACTIVE(lane, needed)
        for (unsigned i = 0; i < TEXEL_CHANNELS; i++)
            sum[i][lane] += (double)weight[lane] * (double)BITS(float, values->of[i][lane]);
    }
    FOR_ACTIVE(lane, lanes)
    for (unsigned i = 0; i < TEXEL_CHANNELS; i++)
        values->of[i][lane] = BITS(uint32_t, (float)sum[i][lane]);
    return true;
}

static void put(struct warp *warp, const struct op *op, lane_mask lanes,
                const struct values *values)
{
    for (unsigned i = 0; i < TEXEL_CHANNELS; i++)
        if (op->list[i] != NO_REGISTER)
            pick_lanes(warp, op->list[i], lanes, values->of[i], sizeof(uint32_t));
}

/* All texels are resident, which the predicate behind the result tells. */
static void tell_resident(struct warp *warp, const struct op *op, lane_mask active)
{
    if (op->dst2 != NO_REGISTER)
        WRITE_PREDICATE(op->dst2, ALL_LANES);
}

HANDLER(texture_fetch)
{
    SOURCE(uint64_t, handle, 0);
    lane_mask left = active, lanes;
    for (; left; left &= ~lanes) {
        const struct texture *texture = texture_of_first(warp, op, left, false, handle, &lanes);
        struct texture_place place;
        struct values values;
        if (!texture)
            return;
        texture_place(&place, warp, op, lanes, texture, false);
        bool filters = texture->is.filters && !texture_by_index(op);
        if (!(filters ? read_filtered(warp, op, lanes, texture, &place, &values)
                      : read_corner(warp, op, lanes, texture, &place, 0, &values)))
            return;
        put(warp, op, lanes, &values);
    }
    tell_resident(warp, op, active);
}

/* tld4: one channel of the four texels that a filter would use, in PTX's order: counted from the
 * lower left, against the clock. */
HANDLER(texture_gather)
{
    static const unsigned CORNERS[TEXEL_CHANNELS] = {2, 3, 1, 0};
    SOURCE(uint64_t, handle, 0);
    lane_mask left = active, lanes;
    unsigned channel = texture_channel_of(op);
    for (; left; left &= ~lanes) {
        const struct texture *texture = texture_of_first(warp, op, left, false, handle, &lanes);
        struct texture_place place;
        struct values values, gathered;
        if (!texture)
            return;
        texture_place(&place, warp, op, lanes, texture, true);
        for (unsigned i = 0; i < TEXEL_CHANNELS; i++) {
            if (!read_corner(warp, op, lanes, texture, &place, CORNERS[i], &values))
                return;
            memcpy(gathered.of[i], values.of[channel], sizeof gathered.of[i]);
        }
        put(warp, op, lanes, &gathered);
    }
    tell_resident(warp, op, active);
}
