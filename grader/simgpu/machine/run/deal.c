/* deal.c - see deal.h. */
#include "deal.h"

#include "drawn_pattern.h"

static uint64_t common_divisor(uint64_t a, uint64_t b)
{
    while (b) {
        uint64_t rest = a % b;
        a = b;
        b = rest;
    }
    return a;
}

/* Multiples of a number that has no divisor in common with count meet each place once. From 2 on,
 * so that the places are not in order; count - 1 is such a number, so the search ends. */
static uint64_t step_among(uint64_t seed, uint64_t count)
{
    uint64_t step = 2 + sim_mixed(seed) % (count - 2);
    while (common_divisor(step, count) != 1)
        step++;
    return step;
}

uint64_t deal_turn(uint64_t seed, uint64_t turn, uint64_t count, uint64_t together)
{
    uint64_t first = turn - turn % together, among = count - first;
    among = among < together ? among : together;
    if (among < 3)
        return first + (among - 1 - turn % together);
    uint64_t start = sim_mixed(~seed) % among;
    return first + (start + turn % together * step_among(seed, among)) % among;
}
