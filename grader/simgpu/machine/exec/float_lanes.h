/* float_lanes.h - operations on 32 lanes whose results are floats: every NaN is one (one_nan).
 *
 *     FLOATS2(add_f32, a + b)
 *
 * Hardly any result is a NaN. So a handler stores its results as they are, and asks about all lanes
 * at once: a branch that is hardly ever taken, which what uses the results does not wait for.
 */
#ifndef SIM_FLOAT_LANES_H
#define SIM_FLOAT_LANES_H

#include "lanes.h"
#include "numbers.h"

#ifdef __AVX__
#include <immintrin.h>
#endif

/* A comparison for order finds a NaN on either side: each does for two vectors. */
static inline bool any_is_nan(const float *lanes)
{
#if defined __AVX512F__
    __m512 low = _mm512_loadu_ps(lanes), high = _mm512_loadu_ps(lanes + 16);
    return _mm512_cmp_ps_mask(low, high, _CMP_UNORD_Q) != 0;
#elif defined __AVX__
    __m256 first = _mm256_loadu_ps(lanes), second = _mm256_loadu_ps(lanes + 8);
    __m256 third = _mm256_loadu_ps(lanes + 16), fourth = _mm256_loadu_ps(lanes + 24);
    __m256 low = _mm256_cmp_ps(first, second, _CMP_UNORD_Q);
    __m256 high = _mm256_cmp_ps(third, fourth, _CMP_UNORD_Q);
    return _mm256_movemask_ps(_mm256_or_ps(low, high)) != 0;
#else
    bool any = false;
    for (int lane = 0; lane < WARP_LANES; lane++)
        any |= lanes[lane] != lanes[lane];
    return any;
#endif
}

/* Not cold, which would be compiled for size, lane by lane: inputs of some cases have many NaN. */
static __attribute__((noinline, unused)) void make_one_nan(float *lanes)
{
    FOR_LANES lanes[lane] = one_nan(lanes[lane]);
}

static inline void mend_nans(float *lanes)
{
    if (__builtin_expect(any_is_nan(lanes), 0))
        make_one_nan(lanes);
}

/* The body of a handler whose result is a vector of floats. */
#define WRITE_FLOATS(D, expression) WRITE_LANES_THEN(D, expression, mend_nans)

#define FLOATS1(name, expression) LANES1_BY(WRITE_FLOATS, name, float, float, expression)
#define FLOATS2(name, expression) LANES2_BY(WRITE_FLOATS, name, float, float, expression)
#define FLOATS3(name, expression) LANES3_BY(WRITE_FLOATS, name, float, float, float, expression)

#endif
