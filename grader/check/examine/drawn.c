/* drawn.c - copies a judge, and makes its lists longer. */
#include "check/examine/drawn.h"

#include "check/examine/data.h"

#include <stdlib.h>
#include <string.h>

enum { MOST_DRAWN = 16 };
/* Streams that differ from any case's index. */
static const uint64_t DRAWN_PURPOSE = 0x647261776E, LARGE_PURPOSE = 0x6C61726765,
                      REDRAWN_PURPOSE = 0x726564726177;

static struct {
    struct judge judge;
    struct judge_case *cases, *large;
} with;

/* The list and the drawn cases after it, in memory of its own; NULL when there is none. */
static struct judge_case *longer(const struct judge_case *list, size_t *count, uint64_t seed,
                                 size_t (*draw)(uint64_t, struct judge_case *, size_t))
{
    struct judge_case *cases = calloc(*count + MOST_DRAWN, sizeof *cases);
    size_t own = *count;
    if (!cases)
        return NULL;
    if (own)
        memcpy(cases, list, own * sizeof *cases);
    if (draw)
        *count += draw(seed, cases + own, MOST_DRAWN);
    for (size_t i = own; i < *count; i++)
        cases[i].drawn = 1;
    return cases;
}

void drawn_anew(const struct judge *judge, uint64_t seed, struct judge_case *problem)
{
    if (judge->redrawn)
        judge->redrawn(data_seed(seed, REDRAWN_PURPOSE), problem);
}

const struct judge *drawn_judge(const struct judge *judge, uint64_t seed)
{
    if (!judge->drawn)
        return judge;
    struct judge whole = *judge;
    struct judge_case *cases =
        longer(judge->cases, &whole.case_count, data_seed(seed, DRAWN_PURPOSE), judge->drawn);
    struct judge_case *large = longer(judge->large, &whole.large_count,
                                      data_seed(seed, LARGE_PURPOSE), judge->drawn_large);
    if (!cases || !large) {
        free(cases);
        free(large);
        return judge;
    }
    for (size_t i = 0; i < judge->large_count; i++)
        drawn_anew(judge, data_seed(seed, 1 + i), &large[i]);
    free(with.cases);
    free(with.large);
    whole.cases = with.cases = cases;
    whole.large = with.large = large;
    with.judge = whole;
    return &with.judge;
}
