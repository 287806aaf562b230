/* drawn.c - copies a judge, and makes its list longer. */
#include "check/examine/drawn.h"

#include "check/examine/data.h"

#include <stdlib.h>
#include <string.h>

enum { MOST_DRAWN = 16 };
static const uint64_t DRAWN_PURPOSE = 0x647261776E; /* a stream no case's index can be */

static struct {
    struct judge judge;
    struct judge_case *cases;
} with;

const struct judge *drawn_judge(const struct judge *judge, uint64_t seed)
{
    if (!judge->drawn)
        return judge;
    struct judge_case *cases = calloc(judge->case_count + MOST_DRAWN, sizeof *cases);
    if (!cases)
        return judge;
    memcpy(cases, judge->cases, judge->case_count * sizeof *cases);
    size_t count = judge->drawn(data_seed(seed, DRAWN_PURPOSE), cases + judge->case_count,
                                MOST_DRAWN);
    for (size_t i = 0; i < count; i++)
        cases[judge->case_count + i].drawn = 1;
    with.judge = *judge;
    with.judge.case_count += count;
    free(with.cases);
    with.judge.cases = with.cases = cases;
    return &with.judge;
}
