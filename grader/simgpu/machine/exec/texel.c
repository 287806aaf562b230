/* texel.c - from the bytes of a texel to the values that a fetch gives.
 *
 * Integers are read as they are, or as floats (CUDA C++ Programming Guide, Texture Memory: "read
 * mode"): unsigned ones from 0 to 1, signed ones from -1 to 1. Channels that a texel lacks are 0,
 * and the fourth is 1. (Integers of 32 bits are never read as floats: texture.c.)
 */
#include "numbers.h"
#include "texture.h"

#include <math.h>

/* IEC 61966-2-1, from the stored to the linear value. */
static float linear_of_srgb(float stored)
{
    return stored <= 0.04045f ? stored / 12.92f : powf((stored + 0.055f) / 1.055f, 2.4f);
}

/* The channel's bits as a 32-bit number, sign-extended if its kind is signed. */
static uint32_t channel_bits(const struct sim_texture *texture, const unsigned char *bytes)
{
    bool is_signed = texture->texel_kind == SIM_TEXEL_SIGNED;
    uint32_t value = 0;
    memcpy(&value, bytes, texture->channel_bits / 8);
    unsigned unused = 32 - texture->channel_bits;
    return is_signed ? (uint32_t)((int32_t)(value << unused) >> unused) : value;
}

static float normalised(const struct sim_texture *texture, uint32_t bits)
{
    bool is_signed = texture->texel_kind == SIM_TEXEL_SIGNED;
    float largest = (float)((UINT32_C(1) << (texture->channel_bits - is_signed)) - 1);
    float value = is_signed ? (float)(int32_t)bits / largest : (float)bits / largest;
    return value < -1 ? -1 : value; /* the least integer and the one above both mean -1 */
}

static uint32_t channel_value(const struct texture *texture, const unsigned char *bytes,
                              unsigned channel)
{
    const struct sim_texture *is = &texture->is;
    uint32_t bits = channel_bits(is, bytes + channel * is->channel_bits / 8);
    if (is->texel_kind == SIM_TEXEL_FLOAT)
        return is->channel_bits == 16 ? BITS(uint32_t, float_of_f16((uint16_t)bits)) : bits;
    if (!is->normalised_values)
        return bits;
    float value = normalised(is, bits);
    bool is_colour = is->srgb && is->channel_bits == 8 && channel < 3;
    return BITS(uint32_t, is_colour ? linear_of_srgb(value) : value);
}

/* Channels of 32 bits that are read as they are. */
static void read_words(const struct access *access, uint32_t channels, struct texels *texels)
{
    for (uint32_t i = 0; i < channels; i++) {
        const unsigned char *from = access->host + 4 * i;
        if (access->active == ALL_LANES)
            FOR_LANES texels->of[i][lane] = *(const uint32_t *)(from + access->shape->delta[lane]);
        else
            FOR_ACTIVE (lane, access->active)
                texels->of[i][lane] = *(const uint32_t *)(from + access->shape->delta[lane]);
    }
}

void texels_read(const struct texture *texture, const struct access *access, struct texels *texels)
{
    if (texture->is.channel_bits == 32) {
        read_words(access, texture->is.channels, texels);
        return;
    }
    FOR_ACTIVE (lane, access->active)
        for (unsigned i = 0; i < texture->is.channels; i++)
            texels->of[i][lane] =
                channel_value(texture, access->host + access->shape->delta[lane], i);
}

/* A border of integers is given by their bits. */
void texels_border(const struct texture *texture, lane_mask lanes, struct texels *texels)
{
    for (unsigned i = 0; i < texture->is.channels; i++) {
        uint32_t value = texture->is.is_linear ? 0 : BITS(uint32_t, texture->is.border[i]);
        FOR_ACTIVE (lane, lanes)
            texels->of[i][lane] = value;
    }
}

void texels_complete(const struct texture *texture, struct texels *texels)
{
    uint32_t one = texture->gives_floats ? BITS(uint32_t, 1.0f) : 1;
    for (unsigned i = texture->is.channels; i < TEXEL_CHANNELS; i++)
        FOR_LANES texels->of[i][lane] = i == 3 ? one : 0;
}
