/* fill.c - lesson 10: what p, m, v and *step hold before the runs, and what overwrites
 * them. */
#include "judges/10_graphs/parts.h"
#include "judges/10_graphs/problem.h"

/* m and the root of v are alike in size, as those of gradients are, and v is never negative. */
static float number(size_t which, uint64_t word)
{
    float value = judge_uniform(word);
    return which == P ? value / 4 : which == M ? value / 64 : value * value / 4096;
}

void graphs_fill(const struct judge_case *problem, size_t buffer, void *input, uint64_t count,
                 uint64_t seed)
{
    for (uint64_t i = 0; i < count; i++)
        if (buffer == LAUNCH_SEED && problem->script == STEADY)
            ((uint32_t *)input)[i] = (uint32_t)judge_word(seed, i);
        else if (buffer % OF_NETWORK == STEP)
            ((uint64_t *)input)[i] = (uint64_t)problem->size[FIRST];
        else
            ((float *)input)[i] = number(buffer % OF_NETWORK, judge_word(seed, i));
}
