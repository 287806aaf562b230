/* texture.c - texture and surface objects: a table of them for each context.
 *
 * A handle is a place in the table and the number of the object there, which no other object ever
 * has: so a stale or invented handle can be told from a good one. Workers look objects up while the
 * program makes new ones, so pages of the table stay where they are.
 */
#include "texture.h"

#include "lanes.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

enum { PLACE_BITS = 16, PAGE_TEXTURES = 256, PAGES = (1 << PLACE_BITS) / PAGE_TEXTURES };

struct texture_table {
    struct texture *_Atomic pages[PAGES];
    uint64_t made; /* how many objects there have been */
};

/* The largest sizes that a device of compute capability 8.0 or 9.0 allows, over all kinds of
 * texture (CUDA C++ Programming Guide, table Technical Specifications per Compute Capability). */
enum { MOST_WIDTH = 1 << 28, MOST_HEIGHT = 1 << 16, MOST_DEPTH = 1 << 14 };

static bool fail(struct sim_error *error, enum sim_error_code code, const char *sentence)
{
    error->code = code;
    snprintf(error->message, sizeof error->message, "%s", sentence);
    return false;
}

/* --- What may be one -------------------------------------------------------------------------- */

static uint32_t texel_bytes(const struct sim_texture *texture)
{
    return texture->channels * texture->channel_bits / 8;
}

static bool has_known_texels(const struct sim_texture *texture)
{
    uint32_t bits = texture->channel_bits, channels = texture->channels;
    bool sized = (bits == 8 || bits == 16 || bits == 32) &&
                 (channels == 1 || channels == 2 || channels == 4);
    return sized && texture->texel_kind < SIM_TEXEL_KINDS &&
           !(texture->texel_kind == SIM_TEXEL_FLOAT && bits == 8);
}

static bool gives_floats(const struct sim_texture *texture)
{
    return texture->texel_kind == SIM_TEXEL_FLOAT || texture->normalised_values;
}

static bool has_known_reading(const struct sim_texture *texture)
{
    bool exact = texture->normalised_values && texture->texel_kind != SIM_TEXEL_FLOAT &&
                 texture->channel_bits == 32; /* no float holds 32 bits */
    for (int axis = 0; axis < TEXTURE_AXES; axis++)
        if (texture->mode[axis] >= SIM_TEXTURE_MODES)
            return false;
    return !exact && (!texture->filters || gives_floats(texture));
}

/* From the first byte to the last; 0 when rows or planes overlap or lie askew. */
static uint64_t span_bytes(const struct sim_texture *texture)
{
    uint64_t each = texel_bytes(texture), row = texture->width * each;
    if (texture->width < 1 || texture->width > MOST_WIDTH || texture->height < 1 ||
        texture->height > MOST_HEIGHT || texture->depth < 1 || texture->depth > MOST_DEPTH)
        return 0;
    unsigned __int128 plane = (unsigned __int128)(texture->height - 1) * texture->pitch + row;
    unsigned __int128 span = (unsigned __int128)(texture->depth - 1) * texture->slice + plane;
    bool overlaps = (texture->height > 1 && texture->pitch < row) ||
                    (texture->depth > 1 && texture->slice < plane);
    bool askew = texture->address % each || (texture->height > 1 && texture->pitch % each) ||
                 (texture->depth > 1 && texture->slice % each);
    return overlaps || askew || span > INT64_MAX ? 0 : (uint64_t)span;
}

static bool check(struct sim_context *context, const struct sim_texture *texture,
                  struct sim_error *error)
{
    if (!has_known_texels(texture))
        return fail(error, SIM_UNSUPPORTED,
                    "a texel has 1, 2 or 4 channels of 8, 16 or 32 bits, "
                    "and floats have 16 or 32");
    if (!texture->is_surface && !has_known_reading(texture))
        return fail(error, SIM_UNSUPPORTED,
                    "linear filtering needs texels that are read as "
                    "floats, and integers of 32 bits cannot be");
    uint64_t span = span_bytes(texture);
    if (!span)
        return fail(error, SIM_BAD_ADDRESS,
                    "the size, pitch or alignment of a texture does not "
                    "fit its texels");
    return sim_host_pointer(context, texture->address, span, false, error);
}

/* --- The table -------------------------------------------------------------------------------- */

/* A place that is free; NULL when there is none, or no memory. */
static struct texture *free_place(struct texture_table *table, uint32_t *number)
{
    for (uint32_t page = 0; page < PAGES; page++) {
        struct texture *textures = atomic_load(&table->pages[page]);
        if (!textures) {
            textures = calloc(PAGE_TEXTURES, sizeof *textures);
            atomic_store(&table->pages[page], textures);
        }
        for (uint32_t i = 0; textures && i < PAGE_TEXTURES; i++)
            if (!textures[i].handle) {
                *number = page * PAGE_TEXTURES + i;
                return &textures[i];
            }
    }
    return NULL;
}

/* The place that handle names, whether or not the object is still there. */
static struct texture *place_of(const struct sim_context *context, uint64_t handle)
{
    uint32_t number = handle & ((1 << PLACE_BITS) - 1);
    struct texture_table *table = __atomic_load_n(&context->textures, __ATOMIC_ACQUIRE);
    struct texture *page = table ? atomic_load(&table->pages[number / PAGE_TEXTURES]) : NULL;
    return page ? &page[number % PAGE_TEXTURES] : NULL;
}

static struct texture *find(const struct sim_context *context, uint64_t handle)
{
    struct texture *place = handle ? place_of(context, handle) : NULL;
    return place && __atomic_load_n(&place->handle, __ATOMIC_ACQUIRE) == handle ? place : NULL;
}

uint64_t sim_texture_new(struct sim_context *context, const struct sim_texture *texture,
                         struct sim_error *error)
{
    uint32_t number;
    if (!check(context, texture, error))
        return 0;
    struct texture_table *table = context->textures;
    if (!table) {
        table = calloc(1, sizeof *table);
        __atomic_store_n(&context->textures, table, __ATOMIC_RELEASE);
    }
    struct texture *place = table ? free_place(table, &number) : NULL;
    if (!place)
        return fail(error, SIM_HOST_OUT_OF_MEMORY, "the program holds too many textures");
    place->is = *texture;
    place->texel_bytes = texel_bytes(texture);
    place->gives_floats = gives_floats(texture);
    uint64_t handle = ++table->made << PLACE_BITS | number;
    __atomic_store_n(&place->handle, handle, __ATOMIC_RELEASE);
    return handle;
}

bool sim_texture_free(struct sim_context *context, uint64_t handle, bool is_surface)
{
    struct texture *texture = find(context, handle);
    if (!texture || texture->is.is_surface != is_surface)
        return false;
    texture->handle = 0;
    return true;
}

void textures_free(struct sim_context *context)
{
    for (uint32_t page = 0; context->textures && page < PAGES; page++)
        free(atomic_load(&context->textures->pages[page]));
    free(context->textures);
    context->textures = NULL;
}

/* --- What an instruction uses ----------------------------------------------------------------- */

static void raise(struct warp *warp, const struct op *op, int lane, bool is_surface,
                  uint64_t handle)
{
    const struct sim_context *context = block_launch(warp)->context;
    const struct texture *other = find(context, handle);
    bool was_one = context->textures && handle >> PLACE_BITS != 0 &&
                   handle >> PLACE_BITS <= context->textures->made && place_of(context, handle);
    const char *noun = is_surface ? "surface" : "texture";
    if (other)
        fault_raise(warp, op, SIM_FAULT_TEXTURE, lane,
                    "uses 0x%" PRIx64 " as a %s object, but it is a %s object", handle, noun,
                    is_surface ? "texture" : "surface");
    else
        fault_raise(warp, op, SIM_FAULT_TEXTURE, lane, "uses 0x%" PRIx64 " as a %s object, %s",
                    handle, noun,
                    was_one ? "which was destroyed" : "which no call of the program has made");
}

const struct texture *texture_of_first(struct warp *warp, const struct op *op, lane_mask active,
                                       bool is_surface, const uint64_t *handle, lane_mask *together)
{
    int first = __builtin_ctz(active);
    uint64_t wanted = handle[first];
    const struct texture *texture = find(block_launch(warp)->context, wanted);
    *together = MASK_OF(handle[lane] == wanted) & active;
    if (texture && texture->is.is_surface == is_surface)
        return texture;
    raise(warp, op, first, is_surface, wanted);
    return NULL;
}
