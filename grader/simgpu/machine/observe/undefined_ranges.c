/* undefined_ranges.c - from the undefined bits of integers to those of what is made of them. */
#include "undefined_ranges.h"

/* --- Ranges ----------------------------------------------------------------------------------- */

struct range {
    uint64_t least, most;
};

/* With the sign bit flipped, signed integers have the order of unsigned ones. */
static uint64_t turned(struct reading reading)
{
    return reading.is_signed ? UINT64_C(1) << (reading.bits - 1) : 0;
}

static struct range range_of(struct partly a, struct reading reading)
{
    uint64_t known = (a.value ^ turned(reading)) & ~a.undefined;
    return (struct range){known, known | a.undefined};
}

/* All bits from the highest one of x down. */
static uint64_t downwards(uint64_t x)
{
    return x ? UINT64_MAX >> __builtin_clzll(x) : 0;
}

static uint64_t lesser(uint64_t a, uint64_t b)
{
    return a < b ? a : b;
}

static uint64_t larger(uint64_t a, uint64_t b)
{
    return a > b ? a : b;
}

/* --- Operations ------------------------------------------------------------------------------- */

uint64_t undefined_of_sum(struct partly a, struct partly b)
{
    uint64_t least = (a.value & ~a.undefined) + (b.value & ~b.undefined);
    uint64_t most = least + a.undefined + b.undefined;
    return (least ^ most) | a.undefined | b.undefined;
}

uint64_t undefined_of_difference(struct partly a, struct partly b)
{
    uint64_t known = (a.value & ~a.undefined) - (b.value & ~b.undefined);
    return ((known + a.undefined) ^ (known - b.undefined)) | a.undefined | b.undefined;
}

uint64_t undefined_of_choice(struct partly a, struct partly b, struct reading reading,
                             bool is_largest)
{
    struct range x = range_of(a, reading), y = range_of(b, reading);
    uint64_t least = is_largest ? larger(x.least, y.least) : lesser(x.least, y.least);
    uint64_t most = is_largest ? larger(x.most, y.most) : lesser(x.most, y.most);
    return downwards(least ^ most);
}

uint64_t undefined_of_leading(struct partly a)
{
    uint64_t least = a.value & ~a.undefined, most = least | a.undefined;
    if (!least)
        return most ? UINT64_MAX : 0; /* for 0 the answer may be -1 */
    return downwards((uint64_t)(__builtin_clzll(least) ^ __builtin_clzll(most)));
}

bool is_less_undefined(struct partly a, struct partly b, struct reading reading, bool or_equal)
{
    struct range x = range_of(a, reading), y = range_of(b, reading);
    bool always = or_equal ? x.most <= y.least : x.most < y.least;
    bool never = or_equal ? x.least > y.most : x.least >= y.most;
    return !always && !never;
}
