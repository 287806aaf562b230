/* texture_place.c - from the coordinates of a fetch to the texels next to them.
 *
 * After CUDA C++ Programming Guide, Texture Fetching: a coordinate is first brought to texels, by
 * the address mode of its axis. Without filtering it falls into the texel floor(x). With filtering
 * xB = x - 0.5 lies between texels i = floor(xB) and i + 1, and the second has the weight
 * frac(xB), kept with 8 bits: xB is rounded to the nearest 256th, upwards from the middle between
 * two, as an H200 does. There, a fetch in one dimension is one in two dimensions at y = 0: with a
 * border around it and a filter, half of the result is border.
 */
#include "lanes.h"
#include "texture.h"

#include <math.h>

static const double WEIGHT_STEPS = 256;

/* Without normalised coordinates, wrap and mirror mean clamp. */
static enum sim_texture_mode mode_of(const struct sim_texture *texture, bool normalised, int axis)
{
    enum sim_texture_mode mode = texture->mode[axis];
    bool repeats = mode == SIM_TEXTURE_WRAP || mode == SIM_TEXTURE_MIRROR;
    return repeats && !normalised ? SIM_TEXTURE_CLAMP : mode;
}

/* Coordinates in texels. Those far outside are cut off where their size no longer matters, and NaN
 * becomes 0. All 32 lanes at once: a loop without a condition is a few vector instructions. */
static void bring_to_texels(double *coordinate, uint32_t size, bool normalised,
                            enum sim_texture_mode mode)
{
    double scale = normalised ? size : 1;
    double most = (double)size * (mode == SIM_TEXTURE_MIRROR ? 2 : 1) + 2;
    FOR_LANES
    {
        double x = coordinate[lane];
        coordinate[lane] = fabs(x) < 1e18 ? x : x > 0 ? 1e18 : x < 0 ? -1e18 : 0;
    }
    if (mode == SIM_TEXTURE_WRAP)
        FOR_LANES coordinate[lane] -= floor(coordinate[lane]);
    if (mode == SIM_TEXTURE_MIRROR) /* in a texture and its mirror image: settle reflects */
        FOR_LANES coordinate[lane] -= 2 * floor(coordinate[lane] / 2);
    FOR_LANES
    {
        double texel = coordinate[lane] * scale;
        coordinate[lane] = texel < -2 ? -2 : texel > most ? most : texel;
    }
}

/* Indices next to the texture as the mode sees them, and which of them are texels. */
static lane_mask settle(int32_t *index, int32_t size, enum sim_texture_mode mode)
{
    if (mode == SIM_TEXTURE_BORDER)
        return MASK_OF((uint32_t)index[lane] < (uint32_t)size);
    if (mode == SIM_TEXTURE_MIRROR)
        FOR_LANES
        {
            int32_t i = index[lane];
            index[lane] = i < 0 ? -1 - i : i < size ? i : 2 * size - 1 - i;
        }
    bool wraps = mode == SIM_TEXTURE_WRAP;
    int32_t below = wraps ? size - 1 : 0, above = wraps ? 0 : size - 1;
    FOR_LANES
    {
        int32_t i = index[lane];
        index[lane] = i < 0 ? below : i < size ? i : above;
    }
    return ALL_LANES;
}

/* One axis from coordinates in texels, between two of them if filters. */
static void set_axis(struct axis_place *axis, const double *texel, uint32_t size,
                     enum sim_texture_mode mode, bool filters)
{
    if (filters)
        FOR_LANES
        {
            double steps = floor((texel[lane] - 0.5) * WEIGHT_STEPS + 0.5);
            double first = floor(steps / WEIGHT_STEPS);
            axis->index[0][lane] = (int32_t)first;
            axis->index[1][lane] = (int32_t)first + 1;
            axis->weight[lane] = (float)((steps - first * WEIGHT_STEPS) / WEIGHT_STEPS);
        }
    else
        FOR_LANES axis->index[0][lane] = (int32_t)floor(texel[lane]);
    for (int i = 0; i < 1 + filters; i++)
        axis->inside[i] = settle(axis->index[i], (int32_t)size, mode);
}

/* The face that a direction points to, and where on it (CUDA C++ Programming Guide, Cubemap
 * Textures): the largest of x, y, z names it. */
static uint32_t cube_face(const float direction[3], double coordinate[2])
{
    double x = direction[0], y = direction[1], z = direction[2];
    double largest, s, t;
    uint32_t face;
    if (fabs(x) >= fabs(y) && fabs(x) >= fabs(z)) {
        face = x < 0;
        largest = fabs(x), s = x < 0 ? z : -z, t = -y;
    } else if (fabs(y) >= fabs(z)) {
        face = 2 + (y < 0);
        largest = fabs(y), s = x, t = y < 0 ? -z : z;
    } else {
        face = 4 + (z < 0);
        largest = fabs(z), s = z < 0 ? -x : x, t = -y;
    }
    coordinate[0] = largest > 0 ? (s / largest + 1) / 2 : 0;
    coordinate[1] = largest > 0 ? (t / largest + 1) / 2 : 0;
    return face;
}

/* Turn the coordinates of all lanes along each axis, and the layer, into a place on faces. */
static void place_in_cubes(struct texture_place *place, const struct warp *warp,
                           const uint32_t *list, const struct sim_texture *texture, bool filters)
{
    const uint32_t size[2] = {texture->width, texture->height};
    VECTOR double texel[2][WARP_LANES];
    const float *x = reg(warp, list[0]), *y = reg(warp, list[1]), *z = reg(warp, list[2]);
    for (int lane = 0; lane < WARP_LANES; lane++) {
        const float direction[3] = {x[lane], y[lane], z[lane]};
        double coordinate[2];
        uint32_t plane = 6 * place->plane[lane] + cube_face(direction, coordinate);
        place->plane[lane] = plane < texture->depth ? plane : texture->depth - 1;
        texel[0][lane] = coordinate[0];
        texel[1][lane] = coordinate[1];
    }
    for (int axis = 0; axis < 2; axis++) {
        bring_to_texels(texel[axis], size[axis], true, SIM_TEXTURE_CLAMP);
        set_axis(&place->axis[axis], texel[axis], size[axis], SIM_TEXTURE_CLAMP, filters);
    }
}

/* Integer coordinates are indices of texels: they are neither normalised nor filtered. */
static void place_on_axis(struct texture_place *place, int axis, const void *coordinates,
                          bool by_index, const struct sim_texture *texture, bool filters)
{
    const uint32_t size[TEXTURE_AXES] = {texture->width, texture->height, texture->depth};
    bool normalised = texture->normalised_coordinates && !by_index;
    enum sim_texture_mode mode =
        texture->is_linear ? SIM_TEXTURE_BORDER : mode_of(texture, normalised, axis);
    VECTOR double texel[WARP_LANES];
    if (by_index)
        FOR_LANES texel[lane] = ((const int32_t *)coordinates)[lane];
    else
        FOR_LANES texel[lane] = (double)((const float *)coordinates)[lane];
    bring_to_texels(texel, size[axis], normalised, mode);
    set_axis(&place->axis[axis], texel, size[axis], mode, filters && !by_index);
}

/* The layer is unsigned (PTX ISA, tex): a negative one is past the last. */
static uint32_t layer_of(const struct sim_texture *texture, enum texture_shape shape,
                         uint32_t layer)
{
    uint32_t layers = shape == TEXTURE_ACUBE ? texture->depth / 6 : texture->depth;
    return layers == 0 ? 0 : layer < layers ? layer : layers - 1;
}

void texture_place(struct texture_place *place, const struct warp *warp, const struct op *op,
                   const struct texture *texture, bool pairs)
{
    enum texture_shape shape = texture_shape_of(op);
    bool layered = texture_is_layered(shape), filters = texture->is.filters || pairs;
    const uint32_t *list = op->list + LIST_COORDINATES;
    if (layered) {
        const uint32_t *layer = reg(warp, list[0]);
        FOR_LANES place->plane[lane] = layer_of(&texture->is, shape, layer[lane]);
    } else {
        memset(place->plane, 0, sizeof place->plane);
    }
    if (shape == TEXTURE_CUBE || shape == TEXTURE_ACUBE) {
        place_in_cubes(place, warp, list + layered, &texture->is, filters);
        return;
    }
    for (unsigned axis = 0; axis < texture_axes(shape); axis++)
        place_on_axis(place, (int)axis, reg(warp, list[axis + layered]), texture_by_index(op),
                      &texture->is, filters);
}

void texture_addresses(uint64_t *address, const struct texture *texture,
                       const struct texture_place *place, unsigned axes, unsigned corner)
{
    const struct sim_texture *is = &texture->is;
    const uint64_t step[TEXTURE_AXES] = {texture->texel_bytes, is->pitch, is->slice};
    FOR_LANES address[lane] = is->address + place->plane[lane] * is->slice;
    for (unsigned axis = 0; axis < axes; axis++) {
        const int32_t *index = place->axis[axis].index[corner >> axis & 1];
        FOR_LANES address[lane] += (uint64_t)index[lane] * step[axis];
    }
}
