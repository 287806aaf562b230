/* drawn_pattern.h - a pattern of bytes in an order that a seed draws, of any length.
 *
 * A pattern that is repeated has a period: a kernel that reads one period off reads the right
 * value. Here every cache line (SIM_DRAWN_BYTES) is one of the pattern's lines, drawn by the line's
 * number: it is just as cheap to make at any place, and has no period. The device fills memory with
 * it (pieces.c), and the verifier asks what was there.
 */
#ifndef SIM_DRAWN_PATTERN_H
#define SIM_DRAWN_PATTERN_H

#include <stdint.h>
#include <string.h>

enum { SIM_DRAWN_BYTES = 128 };

/* The finaliser of splitmix64 (Steele, Lea, Flood: Fast Splittable Pseudorandom Number Generators,
 * OOPSLA 2014). */
static inline uint64_t sim_mixed(uint64_t word)
{
    word = (word ^ word >> 30) * UINT64_C(0xBF58476D1CE4E5B9);
    word = (word ^ word >> 27) * UINT64_C(0x94D049BB133111EB);
    return word ^ word >> 31;
}

/* Word i of the stream of seed: splitmix64. */
static inline uint64_t sim_stream_word(uint64_t seed, uint64_t i)
{
    return sim_mixed(seed + (i + 1) * UINT64_C(0x9E3779B97F4A7C15));
}

/* Where in the pattern, which has so many bytes, at least a line, the byte at offset comes from. */
static inline uint64_t sim_drawn_from(uint64_t seed, uint64_t offset, uint64_t pattern_bytes)
{
    uint64_t lines = pattern_bytes / SIM_DRAWN_BYTES;
    uint64_t high = sim_stream_word(seed, offset / SIM_DRAWN_BYTES) >> 32;
    return (high * lines >> 32) * SIM_DRAWN_BYTES + offset % SIM_DRAWN_BYTES;
}

/* The bytes from offset on. */
static inline void sim_read_drawn(uint64_t seed, const unsigned char *pattern,
                                  uint64_t pattern_bytes, uint64_t offset, uint64_t bytes,
                                  unsigned char *to)
{
    for (uint64_t part; bytes; to += part, offset += part, bytes -= part) {
        const unsigned char *from = pattern + sim_drawn_from(seed, offset, pattern_bytes);
        part = SIM_DRAWN_BYTES - offset % SIM_DRAWN_BYTES;
        if (part == SIM_DRAWN_BYTES && bytes >= part) {
            memcpy(to, from, SIM_DRAWN_BYTES); /* a known size: the usual case is a few moves */
            continue;
        }
        part = part < bytes ? part : bytes;
        memcpy(to, from, part);
    }
}

#endif
