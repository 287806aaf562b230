/* sample.h - a launch of which some blocks run and stand for the others.
 *
 * (Where blocks form clusters, a block brings its whole cluster: read cluster for block below.)
 *
 * The grid falls into groups by where a block lies along each axis: first, last, between. Edges are
 * what differs in most kernels, so the blocks of a group are mostly alike. The blocks that the
 * timing model traces are a group of their own. Where blocks are so long that few can run, and
 * chance is to choose among all (sim_sampling.anywhere), the blocks of a late group are only begun:
 * one that ends at once has shown that it does nothing, and one that has stored nothing after a
 * while is abandoned. They stand for no others, and neither do the blocks of the last group, which
 * seem to store what another block does, or nothing (twins.h). Each group has a worker, so that
 * what it has counted can be multiplied by its own weight (result.c, footprint.c, timing/); all
 * groups run in one thread, one after the other, and every run of a launch takes the same blocks.
 */
#ifndef SIM_SAMPLE_H
#define SIM_SAMPLE_H

#include "launch.h"

/* NULL when the launch has too few blocks to choose from, or memory is exhausted. */
struct sample *sample_new(const struct launch *launch);
void sample_free(struct sample *sample);
uint32_t sample_workers(const struct sample *sample);
/* Choose the blocks. To be called after observers have asked for theirs, which are among them. */
bool sample_draw(struct sample *sample, const struct launch *launch);
/* The next word of a stream. */
uint64_t sample_random(uint64_t *state);
/* If a part of the launch is asked for, why no part can stand for the whole; or NULL. */
const char *sample_refusal(const struct launch *launch);
/* Why such an access to an allocation that all blocks share makes that doubtful; or NULL. */
const char *sample_doubt(const struct access *access, const struct allocation *allocation);

/* The next block of worker's group. False when it has none left, or has had enough. */
bool sample_take(struct worker *worker, uint64_t *number);
/* Has the current block, of the group whose blocks are only begun, gone on for long enough? Then it
 * is abandoned. */
bool sample_leaves(struct worker *worker);
/* Is the current block, the only one under way, to be cut off? (cut.h) */
bool sample_cuts(struct worker *worker);
/* How many steps a warp whose block has ended, or is being cut off, would have taken. */
uint64_t sample_warp_steps(const struct warp *warp);
/* Where blocks were cut off: how many times as long the multiprocessor with most to do takes as
 * number own (of stride; block n is on number n % stride), times how much longer late tiles take
 * than first ones. Otherwise 0. */
double sample_busiest(const struct launch *launch, uint64_t stride, uint64_t own);
/* Thread instructions that do not count against what a sampled launch may take. */
uint64_t sample_spared(const struct launch *launch);
/* Has worker taken more steps than its blocks may? */
bool sample_is_over(const struct worker *worker);
/* Decide how many blocks each block that ran stands for. To be called before any result is read. */
void sample_weigh(struct launch *launch);
/* The last worker has no block left. */
void sample_ends(struct worker *worker);
struct heard *sample_heard(const struct sample *sample);
struct queue *sample_queue(const struct sample *sample);
/* Of what scouts saw; NULL before they went. */
struct ledger *sample_ledger(const struct sample *sample);

static inline bool is_among(const uint64_t *numbers, uint32_t count, uint64_t number)
{
    for (uint32_t i = 0; i < count; i++)
        if (numbers[i] == number)
            return true;
    return false;
}

/* count, of what ran, scaled up to the blocks that worker stands for. */
static inline uint64_t sample_scale(const struct worker *worker, uint64_t count)
{
    if (worker->stands_for == worker->ran)
        return count;
    return (uint64_t)(((unsigned __int128)count * worker->stands_for + worker->ran / 2) /
                      worker->ran);
}

#endif
