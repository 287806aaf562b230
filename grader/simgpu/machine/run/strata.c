/* strata.c - see strata.h. */
#include "strata.h"

#include "sample.h"

static const double GOLDEN_SECTION = 0.6180339887498949;

static uint64_t common_divisor(uint64_t a, uint64_t b)
{
    while (b) {
        uint64_t rest = a % b;
        a = b;
        b = rest;
    }
    return a;
}

static uint64_t even_step(uint64_t parts)
{
    uint64_t step = (uint64_t)((double)parts * GOLDEN_SECTION + 0.5);
    while (step > 1 && common_divisor(step, parts) > 1)
        step--;
    return step ? step : 1;
}

struct strata strata_of(uint64_t range, uint64_t parts, uint64_t *random)
{
    struct strata strata = {.range = range ? range : 1, .parts = parts ? parts : 1};
    if (strata.parts > strata.range)
        strata.parts = strata.range;
    strata.step = even_step(strata.parts);
    strata.part = sample_random(random) % strata.parts;
    return strata;
}

/* The first number of a part: part * range / parts, without its overflow. */
static uint64_t start_of(const struct strata *strata, uint64_t part)
{
    uint64_t each = strata->range / strata->parts, rest = strata->range % strata->parts;
    return part * each + part * rest / strata->parts;
}

uint64_t strata_draw(struct strata *strata, uint64_t *random)
{
    uint64_t from = start_of(strata, strata->part), to = start_of(strata, strata->part + 1);
    strata->part = (strata->part + strata->step) % strata->parts;
    return from + sample_random(random) % (to - from);
}
