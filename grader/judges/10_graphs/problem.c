/* problem.c - lesson 10: what follows from a case. */
#include "judges/10_graphs/problem.h"

struct graphs_network graphs_network(const struct judge_case *problem, int which)
{
    const int64_t *size = problem->size;
    if (problem->script == STEADY && which > 0)
        return (struct graphs_network){STEADY_BATCH, STEADY_IN, STEADY_HIDDEN, STEADY_OUT,
                                       STEADY_RUNS};
    if (problem->script == MIXED && which > 0)
        return (struct graphs_network){WIDE_SIDE, WIDE_SIDE, WIDE_HIDDEN, WIDE_OUT, WIDE_RUNS};
    return (struct graphs_network){(int)size[BATCH], (int)size[IN], (int)size[HIDDEN],
                                   (int)size[OUT], (int)size[RUNS]};
}

int graphs_networks(const struct judge_case *problem)
{
    bool has_two =
        problem->script == HELD_UP || problem->script == MIXED || problem->script == STEADY;
    return problem->script == IN_TURN ? (int)problem->size[IN_ALL] : has_two ? PAIR : 1;
}

size_t graphs_parameters(const struct graphs_network *network)
{
    return ((size_t)network->in + 1) * (size_t)network->hidden +
           ((size_t)network->hidden + 1) * (size_t)network->out;
}

size_t graphs_batch_floats(const struct graphs_network *network)
{
    return (size_t)network->batch * ((size_t)network->in + (size_t)network->out);
}

struct quest_rng_key graphs_key(const struct judge_case *problem, int which)
{
    uint64_t word = judge_word((uint64_t)problem->size[SEED], (uint64_t)which);
    return (struct quest_rng_key){(uint32_t)word, (uint32_t)(word >> 32)};
}

/* Which number of the batch a run of NUDGED changes. First only targets do, of which the last is
 * the batch's last number; then any number of x. So two runs differ in targets alone or in x alone,
 * wherever in a few places each batch is. */
static uint64_t nudged_place(const struct judge_case *problem, int run)
{
    enum { LAST_NUMBER = 2, LAST_OF_TARGETS };
    const struct graphs_network network = graphs_network(problem, 0);
    uint64_t floats = graphs_batch_floats(&network);
    uint64_t x = (uint64_t)network.batch * (uint64_t)network.in;
    uint64_t word = judge_word((uint64_t)problem->size[SEED], (uint64_t)run);
    return run <= LAST_NUMBER       ? floats - 1
           : run <= LAST_OF_TARGETS ? x + word % (floats - x)
                                    : word % x;
}

/* The run that gave number i what it is in this one. */
static int nudged_in(const struct judge_case *problem, int run, uint64_t i)
{
    while (run > 0 && nudged_place(problem, run) != i)
        run--;
    return run;
}

float graphs_batch_number(const struct judge_case *problem, int which, int run, uint64_t i)
{
    uint64_t seed = (uint64_t)problem->size[SEED];
    if (problem->script == NUDGED)
        run = nudged_in(problem, run, i);
    return judge_uniform(judge_word(judge_word(~seed, (uint64_t)(which * MOST_RUNS + run)), i));
}

float graphs_launch_number(uint32_t seed, int which, int run, uint64_t i)
{
    return judge_uniform(judge_word(judge_word(seed, (uint64_t)(which * MOST_RUNS + run)), i));
}

int graphs_back_before(const struct judge_case *problem, int which)
{
    const struct graphs_network network = graphs_network(problem, which);
    uint64_t word = judge_word((uint64_t)problem->size[FIRST], (uint64_t)problem->size[SEED]);
    if (problem->script == GONE_BACK)
        return network.runs / 2;
    if (problem->script != MIXED)
        return 0;
    return 1 + (int)(which == 0 ? word % 2 * 2 : word / 2 % (uint64_t)(network.runs - 1));
}

size_t graphs_back_to(const struct judge_case *problem, int which)
{
    return (size_t)(graphs_networks(problem) + which) * OF_NETWORK;
}

uint64_t graphs_step(const struct judge_case *problem, int which, int run)
{
    uint64_t before = (uint64_t)graphs_back_before(problem, which);
    return (uint64_t)problem->size[FIRST] + (uint64_t)run - ((uint64_t)run >= before ? before : 0);
}
