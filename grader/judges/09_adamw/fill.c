/* fill.c - lesson 9: what p, g, m and v hold before a call.
 *
 * A p that is large hides its update: of p = 1 and an update of 0.001, rounding to FP32 leaves no
 * more than fourteen bits of the latter. So one in four is tiny, and one in sixteen is 0. v is what
 * squares can be, 0 or more.
 */
#include "judges/09_adamw/parts.h"
#include "judges/09_adamw/problem.h"

#include <math.h>

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

/* By what an element is multiplied: gradient, m and the root of v alike, so that each counts. */
static float scale_of(const struct judge_case *problem, size_t buffer, uint64_t word)
{
    if (problem->data == JUDGE_DATA_WIDE)
        return ldexpf(1, (int)(word % 65) - 40);
    if (problem->data == JUDGE_DATA_SUBNORMAL)
        return buffer == V || buffer == P ? 0x1p-126f : 0x1p-120f;
    if (buffer == P)
        return word % 16 == 0 ? 0 : word % 4 == 1 ? 0x1p-26f : 1;
    return buffer == G && word % 8 == 0 ? 0x1p-20f : 1;
}

static bool is_zero(const struct judge_case *problem, size_t buffer, uint64_t word)
{
    bool is_state = buffer == M || buffer == V || buffer == P,
         is_gradient = buffer == G || buffer == G16;
    return (problem->data == JUDGE_DATA_ZEROS_IN_FIRST && is_state) ||
           (problem->data == JUDGE_DATA_ZEROS_IN_SECOND && is_gradient) ||
           (is_gradient && word % 32 == 2);
}

/* Where all else is 0, the first gradients are neither 0 nor tiny: there eps makes no difference,
 * and how far off p is tells what is wrong with it (mistakes.c). */
static bool leads(const struct judge_case *problem, size_t buffer, uint64_t i)
{
    enum { LEADING = 4 };
    return problem->data == JUDGE_DATA_ZEROS_IN_FIRST && buffer == G && i < LEADING;
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

void adamw_fill(const struct judge_case *problem, size_t buffer, void *input, uint64_t count,
                uint64_t seed)
{
    for (uint64_t i = 0; i < count; i++)
        if (buffer == STEPS)
            ((uint64_t *)input)[i] = adamw_step_of_run(problem, (int)i);
        else if (buffer == G16)
            ((uint16_t *)input)[i] = half_number(problem, judge_word(seed, i));
        else
            ((float *)input)[i] = number(problem, buffer, i, judge_word(seed, i));
}
