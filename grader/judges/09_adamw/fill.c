/* fill.c - lesson 9: what p, g, m and v hold before a call.
 *
 * With JUDGE_DATA_TINY the root is 0, and eps is all that m is divided by. Otherwise
 * a p that is large hides its update: of p = 1 and an update of 0.001, rounding to FP32 leaves no
 * more than fourteen bits of the latter. So one in four is tiny, and one in sixteen is 0. v is what
 * squares can be, 0 or more.
 */
#include "judges/09_adamw/parts.h"
#include "judges/09_adamw/problem.h"

#include <math.h>
#include <string.h>

/* --- Special values --------------------------------------------------------------------------- */

enum { SPECIALS = 8 };

/* Of m and p no infinities: what is left of them depends on the order of operations. A gradient of
 * 2^100 has a square that no float holds, however it is scaled, and divided by its root is 0. */
static float special(size_t buffer, uint64_t kind)
{
    static const float OF_G[SPECIALS] = {NAN,        INFINITY,  -INFINITY, -0.0f,
                                         -0x1p-130f, 0x1p-149f, 0x1p100f,  0.0f};
    static const float OF_OTHERS[SPECIALS] = {NAN,        -0.0f,     NAN,     0.0f,
                                              -0x1p-130f, 0x1p-149f, 0x1p40f, -0x1p-126f};
    float value = buffer == G ? OF_G[kind % SPECIALS] : OF_OTHERS[kind % SPECIALS];
    return buffer == V ? fabsf(value) : value;
}

static uint16_t special_half(uint64_t kind)
{
    static const uint16_t BITS[SPECIALS] = {0x7E00, 0x7C00, 0xFC00, 0x8000,
                                            0x0001, 0x83FF, 0x7BFF, 0x0000};
    return BITS[kind % SPECIALS];
}

/* 0: none; else one element in so many is special. */
static uint64_t special_in(const struct judge_case *problem)
{
    return problem->data == JUDGE_DATA_SPECIALS          ? 8
           : problem->data == JUDGE_DATA_SPARSE_SPECIALS ? 64
                                                         : 0;
}

/* --- Numbers ---------------------------------------------------------------------------------- */

static inline float plain_scale(size_t buffer, uint64_t word)
{
    if (buffer == P)
        return word % 16 == 0 ? 0 : word % 4 == 1 ? 0x1p-26f : 1;
    return buffer == G && word % 8 == 0 ? 0x1p-20f : 1;
}

/* By what an element is multiplied: gradient, m and the root of v alike, so that each counts. */
static float scale_of(const struct judge_case *problem, size_t buffer, uint64_t word)
{
    if (problem->data == JUDGE_DATA_WIDE)
        return ldexpf(1, (int)(word % 65) - 40);
    if (problem->data == JUDGE_DATA_SUBNORMAL)
        return buffer == V || buffer == P ? 0x1p-126f : 0x1p-120f;
    if (problem->data == JUDGE_DATA_TINY && buffer == M)
        return 0x1p-100f;
    return plain_scale(buffer, word);
}

static bool is_zero_gradient(uint64_t word)
{
    return word % 32 == 2;
}

static bool is_zero(const struct judge_case *problem, size_t buffer, uint64_t word)
{
    bool is_state = buffer == M || buffer == V || buffer == P,
         is_gradient = buffer == G || buffer == G16;
    bool is_under_root = buffer == V || is_gradient;
    return (problem->data == JUDGE_DATA_ZEROS_IN_FIRST && is_state) ||
           (problem->data == JUDGE_DATA_TINY && is_under_root) ||
           (problem->data == JUDGE_DATA_ZEROS_IN_SECOND && is_gradient) ||
           (is_gradient && is_zero_gradient(word));
}

/* Where all else is 0, the first gradients are neither 0 nor tiny: there eps makes no difference,
 * and how far off p is tells what is wrong with it (mistakes.c). */
static bool leads(const struct judge_case *problem, size_t buffer, uint64_t i)
{
    enum { LEADING = 4 };
    return problem->data == JUDGE_DATA_ZEROS_IN_FIRST && buffer == G && i < LEADING;
}

/* What is 0 in element i of a tensor, a bit for each buffer. In 512 elements there are single ones,
 * fours and eights of which g, m and v are 0, then a run that a warp may have for itself, and runs
 * in which only some of the three are. With ZERO_TENSORS every other pair of tensors, one of either
 * type, is 0 but for p. */
static unsigned zeros_at(enum zeros zeros, int tensor, int64_t i)
{
    enum { GRADIENT = 1 << G | 1 << G16, STATE = 1 << M | 1 << V, ALL = GRADIENT | STATE };
    if (zeros == ONLY_P || (zeros == ZERO_TENSORS && tensor % 4 >= 2))
        return ALL;
    switch (i / 64 % 8) {
    case 0: return i % 16 == 5 ? ALL : 0;
    case 1: return i / 4 % 4 == 1 ? ALL : 0;
    case 2: return i / 8 % 2 == 1 ? ALL : 0;
    case 3: return ALL;
    case 4: return STATE;
    case 5: return GRADIENT;
    case 6: return GRADIENT | 1 << M;
    default: return 0;
    }
}

/* Is element i of a buffer one that zeros_at() says is 0? *tensor is that of the element before. */
static bool is_in_zeros(const struct judge_case *problem, size_t buffer, int64_t i, int *tensor)
{
    enum zeros zeros = (enum zeros)problem->size[ZEROS];
    if (zeros == FEW_ZEROS || buffer == P)
        return false;
    const struct adamw_list *list = adamw_list(problem);
    if (*tensor < 0 || i >= list->of[*tensor].at[buffer] + list->of[*tensor].n)
        *tensor = adamw_tensor_at(list, buffer, i);
    return *tensor >= 0 && zeros_at(zeros, *tensor, i - list->of[*tensor].at[buffer]) >> buffer & 1;
}

static float number(const struct judge_case *problem, size_t buffer, uint64_t i, uint64_t word)
{
    uint64_t in = special_in(problem);
    if (leads(problem, buffer, i))
        return (judge_uniform(word) + copysignf(1, judge_uniform(word))) / 2;
    if (in && word % in == 0)
        return special(buffer, word / in);
    if (is_zero(problem, buffer, word))
        return 0;
    float value = judge_uniform(word), scale = scale_of(problem, buffer, word >> 8);
    if (buffer != V)
        return value * scale;
    return problem->data == JUDGE_DATA_SUBNORMAL ? fabsf(value) * scale
                                                 : value * value * scale * scale;
}

/* Any exponent up to 2^0 is as likely as another: one in sixteen is subnormal. */
static uint16_t half_number(const struct judge_case *problem, uint64_t word)
{
    enum { ONE = 0x3C00, SIGN = 0x8000, LARGEST_SUBNORMAL = 0x3FF };
    uint64_t in = special_in(problem);
    uint16_t sign = word >> 63 ? SIGN : 0;
    if (in && word % in == 0)
        return special_half(word / in);
    if (is_zero(problem, G16, word))
        return 0;
    bool is_subnormal = problem->data == JUDGE_DATA_SUBNORMAL;
    return (uint16_t)(sign | (word >> 20) % (is_subnormal ? LARGEST_SUBNORMAL + 1 : ONE));
}

/* Has the buffer floats that are neither special nor of a scale of their case's? */
static bool is_plain(const struct judge_case *problem, size_t buffer)
{
    bool keeps_zeros = problem->size[ZEROS] != FEW_ZEROS && buffer != P;
    return problem->data == JUDGE_DATA_UNIFORM && !keeps_zeros && buffer <= G;
}

static inline float plain_number(size_t buffer, uint64_t word)
{
    float value = judge_uniform(word) * plain_scale(buffer, word >> 8);
    return buffer == G && is_zero_gradient(word) ? 0 : buffer == V ? value * value : value;
}

/* Of a buffer that several processors fill. */
struct filling {
    size_t buffer;
    float *input;
    uint64_t seed;
};

/* The same as number() of each; a loop for each buffer, so that it has few branches or none. */
static void fill_from(void *context, uint64_t first, uint64_t end)
{
    const struct filling *of = context;
    float *input = of->input;
    uint64_t seed = of->seed;
    switch (of->buffer) {
    case M:
        for (uint64_t i = first; i < end; i++)
            input[i] = plain_number(M, judge_word(seed, i));
        break;
    case V:
        for (uint64_t i = first; i < end; i++)
            input[i] = plain_number(V, judge_word(seed, i));
        break;
    case P:
        for (uint64_t i = first; i < end; i++)
            input[i] = plain_number(P, judge_word(seed, i));
        break;
    default:
        for (uint64_t i = first; i < end; i++)
            input[i] = plain_number(G, judge_word(seed, i));
    }
}

void adamw_fill(const struct judge_case *problem, size_t buffer, void *input, uint64_t count,
                uint64_t seed)
{
    int tensor = -1;
    if (is_plain(problem, buffer)) {
        struct filling of = {buffer, input, seed};
        judge_rows_side_by_side(count, 1, fill_from, &of);
        return;
    }
    for (uint64_t i = 0; i < count; i++)
        if (buffer == STEPS)
            ((uint64_t *)input)[i] = adamw_step_of_run(problem, (int)i);
        else if (is_in_zeros(problem, buffer, (int64_t)i, &tensor))
            memset((char *)input + i * (buffer == G16 ? 2 : 4), 0, buffer == G16 ? 2 : 4);
        else if (buffer == G16)
            ((uint16_t *)input)[i] = half_number(problem, judge_word(seed, i));
        else
            ((float *)input)[i] = number(problem, buffer, i, judge_word(seed, i));
}
