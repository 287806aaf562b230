/* exec_texture.c - fetches of texels: tex and tld4 (PTX ISA 9.7.10), in unified mode, where one
 * object is texture and sampler. There are no mipmaps, so that a level of detail, or derivatives to
 * find it by, make no difference.
 *
 * Next to a coordinate lie up to eight texels, two along each axis; "corner" is one of them, with a
 * bit for each axis. Each corner is one access by the lanes that need it (texture.h says why); a
 * texel whose weight is 0 is not read.
 */
#include "opcode.h"
#include "texture.h"

static lane_mask corner_inside(const struct texture_place *place, unsigned axes, unsigned corner)
{
    lane_mask inside = ALL_LANES;
    for (unsigned axis = 0; axis < axes; axis++)
        inside &= place->axis[axis].inside[corner >> axis & 1];
    return inside;
}

static void corner_weights(float *weight, const struct texture_place *place, unsigned axes,
                           unsigned corner)
{
    FOR_LANES weight[lane] = 1;
    for (unsigned axis = 0; axis < axes; axis++) {
        const float *second = place->axis[axis].weight;
        if (corner >> axis & 1)
            FOR_LANES weight[lane] *= second[lane];
        else
            FOR_LANES weight[lane] *= 1 - second[lane];
    }
}

/* For a fetch in one dimension whose other half is border (texture_place.c): the second texel's
 * share of 256 is halved and rounded up, and the first texel has the rest of the half. */
static void halve_weights(float *weight, const struct texture_place *place, unsigned corner)
{
    const float *second = place->axis[0].weight;
    FOR_LANES
    {
        int share = ((int)(second[lane] * 256) + 1) / 2;
        weight[lane] = (float)(corner ? share : 128 - share) / 256;
    }
}

static void add_half_of_border(const struct texture *texture, lane_mask lanes,
                               double (*sum)[WARP_LANES])
{
    struct texels border;
    texels_border(texture, lanes, &border);
    for (unsigned i = 0; i < texture->is.channels; i++)
        FOR_LANES sum[i][lane] +=
            lanes >> lane & 1 ? 0.5 * (double)BITS(float, border.of[i][lane]) : 0;
}

/* The texels of the lanes at one corner. False after a fault. */
static bool read_corner(struct warp *warp, const struct op *op, lane_mask lanes,
                        const struct texture *texture, const struct texture_place *place,
                        unsigned corner, struct texels *texels)
{
    VECTOR uint64_t address[WARP_LANES];
    unsigned axes = texture_axes(texture_shape_of(op));
    lane_mask inside = lanes & corner_inside(place, axes, corner);
    struct access access;
    texture_addresses(address, texture, place, axes, corner);
    if (inside && !access_begin(&access, warp, op, inside, ACCESS_LOAD, SPACE_GLOBAL, address,
                                texture->texel_bytes))
        return false;
    if (inside)
        texels_read(texture, &access, texels);
    if (lanes & ~inside)
        texels_border(texture, lanes & ~inside, texels);
    return true;
}

/* The weighted sum of all corners. */
static bool read_filtered(struct warp *warp, const struct op *op, lane_mask lanes,
                          const struct texture *texture, const struct texture_place *place,
                          struct texels *texels)
{
    unsigned axes = texture_axes(texture_shape_of(op));
    bool half_is_border = texture_shape_of(op) == TEXTURE_1D && !texture->is.is_linear &&
                          texture->is.mode[1] == SIM_TEXTURE_BORDER;
    VECTOR double sum[TEXEL_CHANNELS][WARP_LANES];
    memset(sum, 0, texture->is.channels * sizeof *sum);
    if (half_is_border)
        add_half_of_border(texture, lanes, sum);
    for (unsigned corner = 0; corner < 1u << axes; corner++) {
        VECTOR float weight[WARP_LANES];
        corner_weights(weight, place, axes, corner);
        if (half_is_border)
            halve_weights(weight, place, corner);
        lane_mask needed = MASK_OF(weight[lane] > 0) & lanes;
        if (needed && !read_corner(warp, op, needed, texture, place, corner, texels))
            return false;
        for (unsigned i = 0; i < texture->is.channels; i++)
            FOR_LANES
            {
                float texel = BITS(float, texels->of[i][lane]);
                double part = (double)weight[lane] * (double)texel;
                sum[i][lane] += needed >> lane & 1 ? part : 0;
            }
    }
    for (unsigned i = 0; i < texture->is.channels; i++)
        FOR_LANES texels->of[i][lane] = BITS(uint32_t, (float)sum[i][lane]);
    return true;
}

static void put(struct warp *warp, const struct op *op, lane_mask lanes,
                const struct texels *texels)
{
    for (unsigned i = 0; i < TEXEL_CHANNELS; i++)
        if (op->list[i] != NO_REGISTER)
            pick_lanes(warp, op->list[i], lanes, texels->of[i], sizeof(uint32_t));
}

/* All texels are resident, as the predicate after the result says. */
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
        struct texels texels;
        if (!texture)
            return;
        texture_place(&place, warp, op, texture, false);
        bool filters = texture->is.filters && !texture_by_index(op);
        if (!(filters ? read_filtered(warp, op, lanes, texture, &place, &texels)
                      : read_corner(warp, op, lanes, texture, &place, 0, &texels)))
            return;
        texels_complete(texture, &texels);
        put(warp, op, lanes, &texels);
    }
    tell_resident(warp, op, active);
}

/* tld4: one channel of the four texels that a filter would use, in PTX's order: anticlockwise from
 * the lower left. */
HANDLER(texture_gather)
{
    static const unsigned CORNERS[TEXEL_CHANNELS] = {2, 3, 1, 0};
    SOURCE(uint64_t, handle, 0);
    lane_mask left = active, lanes;
    unsigned channel = texture_channel_of(op);
    for (; left; left &= ~lanes) {
        const struct texture *texture = texture_of_first(warp, op, left, false, handle, &lanes);
        struct texture_place place;
        struct texels texels, gathered;
        if (!texture)
            return;
        texture_place(&place, warp, op, texture, true);
        for (unsigned i = 0; i < TEXEL_CHANNELS; i++) {
            if (!read_corner(warp, op, lanes, texture, &place, CORNERS[i], &texels))
                return;
            texels_complete(texture, &texels);
            memcpy(gathered.of[i], texels.of[channel], sizeof gathered.of[i]);
        }
        put(warp, op, lanes, &gathered);
    }
    tell_resident(warp, op, active);
}
