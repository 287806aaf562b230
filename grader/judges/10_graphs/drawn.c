/* drawn.c - lesson 10: cases of drawn shapes, and a timed case of drawn batches. */
#include "judges/10_graphs/clauses.h"
#include "judges/10_graphs/parts.h"
#include "judges/10_graphs/problem.h"

#include <stdio.h>

size_t graphs_draw(uint64_t seed, struct judge_case *cases, size_t room)
{
    static const enum script SCRIPTS[] = {BACK_TO_BACK, TWO_STREAMS, IN_TURN, NUDGED};
    enum { DRAWN = 4, LONG_SIDE = 20, MOST_SIDE = 50, LEAST_RUNS = 3, MOST_DRAWN_RUNS = 7 };
    size_t count = 0;
    for (; count < DRAWN && count < room; count++) {
        bool is_nudged = SCRIPTS[count] == NUDGED;
        int64_t least = is_nudged ? LONG_SIDE : 1;
        int64_t batch = judge_draw_size(&seed, least, MOST_SIDE);
        int64_t in = judge_draw_size(&seed, least, MOST_SIDE);
        int64_t hidden = judge_draw_size(&seed, 1, MOST_SIDE);
        int64_t out = judge_draw_size(&seed, 1, MOST_SIDE);
        int64_t runs = judge_draw(&seed, is_nudged ? MOST_DRAWN_RUNS : LEAST_RUNS, MOST_DRAWN_RUNS);
        int64_t networks = SCRIPTS[count] == IN_TURN ? judge_draw(&seed, PAIR, NETWORKS) : 1;
        cases[count] = (struct judge_case){
            .launcher = is_nudged ? CREATE : RUN, /* which is not counted */
            .script = SCRIPTS[count],
            .prepares = 1,
            .on_default = (uint32_t)judge_draw(&seed, 0, 1),
            .calls = is_nudged ? 0 : (uint32_t)(runs * networks),
            .size = {batch, in, hidden, out, runs, judge_draw(&seed, 0, INT64_C(1) << 40),
                     judge_draw(&seed, 1, INT64_MAX), networks},
            .real = {0.001F, 0.9F, 0.999F, 1e-8F, 0.01F, (float)judge_draw(&seed, 0, 9) / 10},
            .asks = JUDGE_ASKS(ONE_STEP) | JUDGE_ASKS(AFTER_RUNS)};
        snprintf(cases[count].name, sizeof cases[count].name, "%lld x %lld-%lld-%lld, drawn",
                 (long long)batch, (long long)in, (long long)hidden, (long long)out);
    }
    return count;
}

void graphs_redraw(uint64_t seed, struct judge_case *problem)
{
    problem->size[SEED] = judge_draw(&seed, 1, INT64_MAX);
    problem->size[FIRST] = judge_draw(&seed, 0, INT64_C(1) << 40);
}
