/* texture_place.c - from the coordinates of a fetch to the texels next to them.
 *
 * After CUDA C++ Programming Guide, Texture Fetching: a coordinate is first brought to texels, by
 * the address mode of its axis. Without filtering it falls into the texel floor(x). With filtering
 * xB = x - 0.5 lies between texels i = floor(xB) and i + 1, and the second has the weight
 * frac(xB), kept with 8 bits: here xB is rounded to the nearest 256th.
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

/* A coordinate in texels; far outside, and for what is no number, only as far as it matters. */
static double in_texels(double coordinate, uint32_t size, bool normalised,
                        enum sim_texture_mode mode)
{
    if (!(fabs(coordinate) < 1e18))
        coordinate = coordinate > 0 ? 1e18 : coordinate < 0 ? -1e18 : 0;
    double whole = floor(coordinate);
    if (mode == SIM_TEXTURE_WRAP)
        coordinate -= whole;
    if (mode == SIM_TEXTURE_MIRROR)
        coordinate = fmod(whole, 2) != 0 ? 1 - (coordinate - whole) : coordinate - whole;
    double texel = normalised ? coordinate * size : coordinate;
    return texel < -2 ? -2 : texel > (double)size + 2 ? (double)size + 2 : texel;
}

/* An index next to the texture as the mode sees it; *inside tells whether it is a texel. */
static int32_t settle(int32_t index, int32_t size, enum sim_texture_mode mode, bool *inside)
{
    *inside = index >= 0 && index < size;
    if (*inside || mode == SIM_TEXTURE_BORDER)
        return index;
    *inside = true;
    if (mode == SIM_TEXTURE_WRAP)
        return index < 0 ? size - 1 : 0;
    return index < 0 ? 0 : size - 1;
}

/* place's axis from a coordinate in texels, between two of them if filters. */
static void set_axis(struct axis_place *axis, int lane, double texel, uint32_t size,
                     enum sim_texture_mode mode, bool filters)
{
    bool inside[2] = {false, false};
    double steps = filters ? rint((texel - 0.5) * WEIGHT_STEPS) : 0;
    double first = filters ? floor(steps / WEIGHT_STEPS) : floor(texel);
    axis->weight[lane] = filters ? (float)((steps - first * WEIGHT_STEPS) / WEIGHT_STEPS) : 0;
    for (int i = 0; i < 2; i++) {
        axis->index[i][lane] = settle((int32_t)first + i, (int32_t)size, mode, &inside[i]);
        axis->inside[i] |= (lane_mask)inside[i] << lane;
    }
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

static void place_in_cube(struct texture_place *place, int lane, const float direction[3],
                          const struct sim_texture *texture, bool filters)
{
    const uint32_t size[2] = {texture->width, texture->height};
    double coordinate[2];
    uint32_t face = cube_face(direction, coordinate), plane = 6 * place->plane[lane] + face;
    place->plane[lane] = plane < texture->depth ? plane : texture->depth - 1;
    for (int axis = 0; axis < 2; axis++) {
        double texel = in_texels(coordinate[axis], size[axis], true, SIM_TEXTURE_CLAMP);
        set_axis(&place->axis[axis], lane, texel, size[axis], SIM_TEXTURE_CLAMP, filters);
    }
}

/* Integer coordinates are indices of texels: they are neither normalised nor filtered. */
static void place_on_axis(struct texture_place *place, int axis, int lane, double coordinate,
                          bool by_index, const struct sim_texture *texture, bool filters)
{
    const uint32_t size[TEXTURE_AXES] = {texture->width, texture->height, texture->depth};
    bool normalised = texture->normalised_coordinates && !by_index;
    enum sim_texture_mode mode =
        texture->is_linear ? SIM_TEXTURE_BORDER : mode_of(texture, normalised, axis);
    double texel = in_texels(coordinate, size[axis], normalised, mode);
    set_axis(&place->axis[axis], lane, texel, size[axis], mode, filters && !by_index);
}

static uint32_t layer_of(const struct sim_texture *texture, enum texture_shape shape,
                         uint32_t layer)
{
    uint32_t layers = shape == TEXTURE_ACUBE ? texture->depth / 6 : texture->depth;
    return layers == 0 ? 0 : (int32_t)layer < 0 ? 0 : layer < layers ? layer : layers - 1;
}

void texture_place(struct texture_place *place, const struct warp *warp, const struct op *op,
                   lane_mask active, const struct texture *texture, bool pairs)
{
    enum texture_shape shape = texture_shape_of(op);
    bool by_index = texture_by_index(op), layered = texture_is_layered(shape);
    bool filters = texture->is.filters || pairs;
    bool is_cube = shape == TEXTURE_CUBE || shape == TEXTURE_ACUBE;
    unsigned axes = texture_axes(shape), count = axes + is_cube;
    const uint32_t *list = op->list + LIST_COORDINATES;
    memset(place, 0, sizeof *place);
    FOR_ACTIVE(lane, active)
    {
        float coordinate[TEXTURE_AXES];
        if (layered)
            place->plane[lane] =
                layer_of(&texture->is, shape, ((const uint32_t *)reg(warp, list[0]))[lane]);
        for (unsigned i = 0; i < count; i++) {
            const void *from = reg(warp, list[i + layered]);
            coordinate[i] = ((const float *)from)[lane];
            if (!is_cube)
                place_on_axis(place, (int)i, lane,
                              by_index ? ((const int32_t *)from)[lane] : (double)coordinate[i],
                              by_index, &texture->is, filters);
        }
        if (is_cube)
            place_in_cube(place, lane, coordinate, &texture->is, filters);
    }
}

void texture_addresses(uint64_t *address, const struct texture *texture,
                       const struct texture_place *place, unsigned axes, unsigned corner,
                       lane_mask lanes)
{
    const struct sim_texture *is = &texture->is;
    const uint64_t step[TEXTURE_AXES] = {texture->texel_bytes, is->pitch, is->slice};
    FOR_ACTIVE(lane, lanes)
    {
        address[lane] = is->address + place->plane[lane] * is->slice;
        for (unsigned axis = 0; axis < axes; axis++)
            address[lane] +=
                (uint64_t)place->axis[axis].index[corner >> axis & 1][lane] * step[axis];
    }
}
