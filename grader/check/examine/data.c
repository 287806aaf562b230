/* data.c - fills inputs: uniform, uniform with special values planted, or small integers. */
#include "check/examine/data.h"

#include <math.h>
#include <string.h>

/* Uniform in [-1, 1], from 24 bits, so that every value is a float exactly. */
static float uniform(uint64_t word)
{
    return (float)((int32_t)(word >> 40) - (1 << 23)) * 0x1p-23f;
}

static float small_integer(uint64_t word)
{
    return (float)((int)(word >> 60) - 8);
}

static float planted(uint64_t word)
{
    static const float SPECIALS[] = {NAN,   INFINITY, -INFINITY, -0.0f,
                                     0.0f, 0x1p-149f, -0x1p-130f, 0x1.fffffep127f};
    return SPECIALS[word % (sizeof SPECIALS / sizeof *SPECIALS)];
}

/* One element in eight is special; which one differs from buffer to buffer. */
static float special(uint64_t word)
{
    return (word & 7) == 0 ? planted(word >> 3) : uniform(word);
}

static float drawn(uint32_t data, uint64_t word)
{
    switch ((enum judge_data)data) {
    case JUDGE_DATA_SPECIALS:
        return special(word);
    case JUDGE_DATA_INTEGERS:
        return small_integer(word);
    case JUDGE_DATA_UNIFORM:
        break;
    }
    return uniform(word);
}

static void fill_f32(float *input, uint32_t data, uint64_t count, uint64_t seed)
{
    if (data == JUDGE_DATA_UNIFORM) /* the large ones: a loop without a choice in it */
        for (uint64_t i = 0; i < count; i++)
            input[i] = uniform(data_word(seed, i));
    else
        for (uint64_t i = 0; i < count; i++)
            input[i] = drawn(data, data_word(seed, i));
}

/* Rounded to nearest even; a NaN keeps its upper bits, of which the first fraction bit is set. */
static uint16_t bf16(float value)
{
    uint32_t bits;
    memcpy(&bits, &value, sizeof bits);
    return (uint16_t)(isnan(value) ? bits >> 16 : (bits + 0x7FFF + (bits >> 16 & 1)) >> 16);
}

static void fill_narrow(enum judge_type type, void *input, uint32_t data, uint64_t count,
                        uint64_t seed)
{
    for (uint64_t i = 0; i < count; i++) {
        float value = drawn(data, data_word(seed, i));
        if (type == JUDGE_F16)
            ((_Float16 *)input)[i] = (_Float16)value;
        else
            ((uint16_t *)input)[i] = bf16(value);
    }
}

static void fill_words(void *input, uint64_t bytes, uint64_t seed)
{
    unsigned char *to = input;
    for (uint64_t i = 0; i < bytes; i += sizeof(uint64_t)) {
        uint64_t word = data_word(seed, i / sizeof word);
        memcpy(to + i, &word, bytes - i < sizeof word ? bytes - i : sizeof word);
    }
}

void data_fill(const struct judge *judge, const struct judge_case *problem, size_t index,
               const struct judge_buffer *buffer, void *input, uint64_t seed)
{
    uint64_t own = data_seed(seed, index);
    if (judge->fill && !problem->refused_with)
        judge->fill(problem, index, input, buffer->count, own);
    else if (buffer->type == JUDGE_F32)
        fill_f32(input, problem->data, buffer->count, own);
    else if (buffer->type == JUDGE_F16 || buffer->type == JUDGE_BF16)
        fill_narrow(buffer->type, input, problem->data, buffer->count, own);
    else
        fill_words(input, buffer->count * judge_type_bytes(buffer->type), own);
}
