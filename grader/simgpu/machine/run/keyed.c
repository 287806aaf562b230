/* keyed.c - see keyed.h. A digit that is the same in all keys is skipped. */
#include "keyed.h"

#include <string.h>

enum { DIGIT_BITS = 11, DIGITS = 1 << DIGIT_BITS, KEY_BITS = 64 };

static unsigned digit_of(const struct keyed *item, unsigned shift)
{
    return item->key >> shift & (DIGITS - 1);
}

/* Bits in which any two keys differ. */
static uint64_t differing(const struct keyed *list, size_t count)
{
    uint64_t bits = 0;
    for (size_t i = 1; i < count; i++)
        bits |= list[i].key ^ list[0].key;
    return bits;
}

static void sort_by_digit(const struct keyed *from, struct keyed *to, size_t count, unsigned shift)
{
    uint32_t start[DIGITS] = {0}, sum = 0;
    for (size_t i = 0; i < count; i++)
        start[digit_of(&from[i], shift)]++;
    for (unsigned digit = 0; digit < DIGITS; digit++) {
        uint32_t here = start[digit];
        start[digit] = sum;
        sum += here;
    }
    for (size_t i = 0; i < count; i++)
        to[start[digit_of(&from[i], shift)]++] = from[i];
}

void keyed_sort(struct keyed *list, struct keyed *scratch, size_t count)
{
    uint64_t bits = differing(list, count);
    struct keyed *from = list, *to = scratch;
    for (unsigned shift = 0; shift < KEY_BITS; shift += DIGIT_BITS) {
        if (!(bits >> shift & (DIGITS - 1)))
            continue;
        sort_by_digit(from, to, count, shift);
        struct keyed *sorted = to;
        to = from;
        from = sorted;
    }
    if (from != list)
        memcpy(list, from, count * sizeof *list);
}
