/* data.h - where the inputs of a case come from: random words that depend only on a seed.
 *
 * Word i of a stream is a hash of (seed, i), so data of any size can be drawn in any order, and the
 * seed that a report prints is enough to reproduce a case.
 */
#ifndef EXAMINE_DATA_H
#define EXAMINE_DATA_H

#include "check/judge.h"

#include <stdint.h>

#ifdef __CUDACC__
#define DATA_ANYWHERE __host__ __device__ /* device.cu draws the same words on a GPU */
#else
#define DATA_ANYWHERE
#endif

/* Word i of the stream of seed: the finaliser of splitmix64. */
static inline DATA_ANYWHERE uint64_t data_word(uint64_t seed, uint64_t i)
{
    uint64_t word = seed + (i + 1) * UINT64_C(0x9E3779B97F4A7C15);
    word = (word ^ word >> 30) * UINT64_C(0xBF58476D1CE4E5B9);
    word = (word ^ word >> 27) * UINT64_C(0x94D049BB133111EB);
    return word ^ word >> 31;
}

/* Uniform in [-1, 1], from 24 bits, so that every value is a float exactly. */
static inline DATA_ANYWHERE float data_uniform(uint64_t word)
{
    return (float)((int32_t)(word >> 40) - (1 << 23)) * 0x1p-23f;
}

/* From -8 to 8 and not 0: a product that is left out always changes the sum. */
static inline DATA_ANYWHERE float data_small_integer(uint64_t word)
{
    int value = (int)(word >> 60) - 8;
    return (float)(value < 0 ? value : value + 1);
}

/* JUDGE_DATA_BITS: every other NaN is signalling, with a payload other than 0. No word has four
 * equal bytes: outputs are filled with such words before a call, and an element that still has one
 * is unwritten. */
float data_any_bits(uint64_t word);

/* A separate seed for one purpose, so that streams do not overlap. */
static inline uint64_t data_seed(uint64_t seed, uint64_t purpose)
{
    return data_word(data_word(seed, purpose), purpose);
}

/* Fill count elements of buffer number index as the judge or the case specifies. */
void data_fill(const struct judge *judge, const struct judge_case *problem, size_t index,
               const struct judge_buffer *buffer, void *input, uint64_t seed);

#endif
