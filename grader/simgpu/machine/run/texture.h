/* texture.h - textures and surfaces: what an object names, how its texels are read and written.
 *
 * A CUDA array lies here in rows (pitch-linear), where hardware swizzles it; so what a fetch costs
 * is an approximation: each texel that it needs counts as a load of that texel from global memory.
 * A fetch that filters in two dimensions is up to four such loads, one for each corner.
 *
 * Reading order: texture.c (objects), texel.c (from bytes to values), texture_place.c (from
 * coordinates to texels), exec_texture.c, exec_surface.c (the instructions).
 */
#ifndef SIM_TEXTURE_H
#define SIM_TEXTURE_H

#include "lanes.h"

struct texture {
    uint64_t handle; /* 0: nothing is here */
    struct sim_texture is;
    uint32_t texel_bytes;
    bool gives_floats; /* a fetch gives floats: they are, or are made, such values */
};

/* texture.c. The lanes of active that use the same object as the first of them, and that object;
 * NULL after a fault. handle has one for each lane. */
const struct texture *texture_of_first(struct warp *warp, const struct op *op, lane_mask active,
                                       bool is_surface, const uint64_t *handle,
                                       lane_mask *together);
void textures_free(struct sim_context *context);

/* --- Instructions: operand_texture.c ---------------------------------------------------------- */

enum { TEXEL_CHANNELS = 4, TEXTURE_AXES = 3 };

/* op->list of a texture or surface instruction: registers of the texel's parts, then of the
 * coordinates in the order of PTX: the layer first. */
enum { LIST_COORDINATES = TEXEL_CHANNELS, LIST_ENTRIES = LIST_COORDINATES + 4 };

/* What op->target holds. */
enum texture_shape {
    TEXTURE_1D,
    TEXTURE_2D,
    TEXTURE_3D,
    TEXTURE_A1D,
    TEXTURE_A2D,
    TEXTURE_CUBE,
    TEXTURE_ACUBE,
    TEXTURE_SHAPES
};
enum surface_boundary { BOUNDARY_TRAP, BOUNDARY_CLAMP, BOUNDARY_ZERO };
enum { BOUNDARY_SHIFT = 3, CHANNEL_SHIFT = 5, BY_INDEX = 128 };

static inline enum texture_shape texture_shape_of(const struct op *op)
{
    return op->target & 7;
}

static inline enum surface_boundary texture_boundary_of(const struct op *op)
{
    return op->target >> BOUNDARY_SHIFT & 3;
}

/* Which channel a gather gathers. */
static inline unsigned texture_channel_of(const struct op *op)
{
    return op->target >> CHANNEL_SHIFT & 3;
}

/* Are the coordinates integers, which name a texel each? */
static inline bool texture_by_index(const struct op *op)
{
    return op->target & BY_INDEX;
}

static inline bool texture_is_layered(enum texture_shape shape)
{
    return shape == TEXTURE_A1D || shape == TEXTURE_A2D || shape == TEXTURE_ACUBE;
}

/* How many axes an index of a texel has, besides its layer or face. */
static inline unsigned texture_axes(enum texture_shape shape)
{
    return shape == TEXTURE_1D || shape == TEXTURE_A1D ? 1 : shape == TEXTURE_3D ? 3 : 2;
}

/* --- Texels: texel.c -------------------------------------------------------------------------- */

/* The values of each lane, channel by channel. */
struct texels {
    VECTOR uint32_t of[TEXEL_CHANNELS][WARP_LANES];
};

/* The values that a fetch gives for the texels of access, in the channels that the texture has:
 * floats, or integers of 32 bits. */
void texels_read(const struct texture *texture, const struct access *access, struct texels *texels);
/* The same for lanes whose place is outside. */
void texels_border(const struct texture *texture, lane_mask lanes, struct texels *texels);
/* The channels that the texture lacks. */
void texels_complete(const struct texture *texture, struct texels *texels);

/* --- Places: texture_place.c ------------------------------------------------------------------ */

/* Along one axis, the one or two texels next to each lane's coordinate. Without a second one,
 * index[1] and weight mean nothing. */
struct axis_place {
    VECTOR int32_t index[2][WARP_LANES];
    VECTOR float weight[WARP_LANES]; /* of index[1], in 256ths; index[0] has the rest */
    lane_mask inside[2];             /* others read the border */
};

struct texture_place {
    struct axis_place axis[TEXTURE_AXES];
    VECTOR uint32_t plane[WARP_LANES]; /* layer, or face of a cube; 0 where there are none */
};

/* Where the lanes' coordinates, at op->list, lie in texture; of lanes that are off, somewhere.
 * pairs: with two texels on each axis, whether the texture filters or not (a gather). */
void texture_place(struct texture_place *place, const struct warp *warp, const struct op *op,
                   const struct texture *texture, bool pairs);

/* Address of each lane's texel: that of index[corner bit] along each axis. Only those inside are
 * addresses of texels. */
void texture_addresses(uint64_t *address, const struct texture *texture,
                       const struct texture_place *place, unsigned axes, unsigned corner);

#endif
