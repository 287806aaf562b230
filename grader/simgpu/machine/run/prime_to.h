/* prime_to.h - coprime numbers: steps of one go exactly once round the other. */
#ifndef SIM_PRIME_TO_H
#define SIM_PRIME_TO_H

#include <stdbool.h>
#include <stdint.h>

static inline bool is_prime_to(uint64_t a, uint64_t b)
{
    while (b) {
        uint64_t rest = a % b;
        a = b;
        b = rest;
    }
    return a == 1;
}

/* The largest such number up to most; 1 at least. */
static inline uint64_t prime_to(uint64_t count, uint64_t most)
{
    while (most > 1 && !is_prime_to(most, count))
        most--;
    return most ? most : 1;
}

#endif
