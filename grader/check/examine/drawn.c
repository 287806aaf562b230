/* drawn.c - copies a judge, and appends drawn cases to its lists. */
#include "check/examine/drawn.h"

#include "check/examine/data.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_DRAWN = 32, MOST_PAIRS = 64 };
/* Streams that differ from any case's index. */
static const uint64_t DRAWN_PURPOSE = 0x647261776E, LARGE_PURPOSE = 0x6C61726765,
                      REDRAWN_PURPOSE = 0x726564726177, BACK_PURPOSE = 0x6261636B;

static struct {
    struct judge judge;
    struct judge_case *cases, *large;
} with;

/* Of the pairs in which a call follows another one that differs in one argument, reverse one: from
 * a given pointer to NULL, from unaligned to aligned. */
static void add_way_back(struct judge_case *cases, size_t *count, uint64_t seed)
{
    size_t pairs[MOST_PAIRS], found = 0;
    for (size_t i = 0; i < *count && found < MOST_PAIRS; i++)
        if (cases[i].after)
            pairs[found++] = i;
    if (found == 0)
        return;
    size_t drawn = pairs[data_word(seed, 0) % found];
    const struct judge_case *then = &cases[drawn];
    struct judge_case back = *(then - then->after);
    back.after = (uint32_t)(*count - drawn);
    snprintf(back.name, sizeof back.name, "%.40s, back", then->name);
    cases[(*count)++] = back;
}

/* The list, a reversed pair, and then the drawn cases, in newly allocated memory; NULL if memory is
 * exhausted. */
static struct judge_case *longer(const struct judge_case *list, size_t *count, uint64_t seed,
                                 size_t (*draw)(uint64_t, struct judge_case *, size_t))
{
    struct judge_case *cases = calloc(*count + 1 + MOST_DRAWN, sizeof *cases);
    if (!cases)
        return NULL;
    if (*count)
        memcpy(cases, list, *count * sizeof *cases);
    add_way_back(cases, count, data_seed(seed, BACK_PURPOSE));
    size_t listed = *count;
    if (draw)
        *count += draw(seed, cases + listed, MOST_DRAWN);
    for (size_t i = listed; i < *count; i++)
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
