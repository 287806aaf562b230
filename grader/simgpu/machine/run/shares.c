/* shares.c - see shares.h. */
#include "shares.h"
#include "queue.h"
#include "sample.h"
#include "slice.h"
#include "store_ledger.h"
#include "walk.h"

#include <stdlib.h>

/* Instructions and basic blocks that all warps may take together, a few tenths of a second. A grid
 * with more blocks is not one of persistent blocks. After a few blocks the rest is estimated. */
enum { MOST_COST = 48 << 20, MOST_BLOCKS = 1 << 18, TRIED = 8 };

/* Instructions of a warp in which it draws a few times. */
enum { STEPS_OF_DRAWS = 1 << 21, LEAST_DRAWN = 2 };

struct shares {
    uint64_t *bytes; /* by block */
    uint64_t draws;  /* of all blocks */
};

/* --- Draws ------------------------------------------------------------------------------------ */

/* Go through the warp that draws, of any block, or of the one that comes last. */
static bool go_through_drawer(struct worker *worker, bool ends, struct draws *draws)
{
    struct queue *queue = sample_queue(worker->launch->sample);
    struct walk walk;
    uint32_t warp;
    if (!queue_drawer(queue, &warp))
        return false;
    bool has_memory = walk_begin(&walk, worker, NULL, NULL), has_ended = false;
    walk.draws.learns = !ends;
    walk.draws.ends = ends;
    if (has_memory)
        has_ended = walk_through(&walk, queue_last(queue), warp, STEPS_OF_DRAWS);
    *draws = walk.draws;
    bool is_blind = walk.is_blind;
    walk_end(&walk);
    return has_memory && (!ends || (has_ended && !is_blind));
}

/* Which word do the warps of a block read them from? */
static void learn_draws(struct worker *worker)
{
    struct queue *queue = sample_queue(worker->launch->sample);
    struct draws draws;
    if (queue_is_used(queue) && !queue_slot(queue)->is_known &&
        go_through_drawer(worker, false, &draws) && (draws.is_odd || draws.drawn < LEAST_DRAWN))
        queue_slot(queue)->is_known = false;
}

/* How the counters are left: by all draws, and by the block that comes last. */
static void note_draws(struct worker *worker, const struct shares *shares)
{
    struct queue *queue = sample_queue(worker->launch->sample);
    struct draws draws;
    if (!queue_is_used(queue) || !queue_slot(queue)->is_known)
        return;
    queue_note_total(queue, queue_slot(queue)->counter, shares->draws);
    go_through_drawer(worker, true, &draws);
}

/* --- All blocks ------------------------------------------------------------------------------- */

static bool go_through(struct walk *walk, struct shares *shares, uint64_t block)
{
    walk->stored = 0;
    for (uint32_t i = 0; i < walk->block->warp_count; i++)
        if (!walk_through(walk, block, i, UINT64_MAX))
            return false;
    shares->bytes[block] = walk->stored;
    shares->draws += walk->draws.read;
    return !walk->ledger || !ledger_is_spoilt(walk->ledger);
}

static bool go_through_all(struct walk *walk, struct shares *shares)
{
    struct order order = walk_order(walk->worker->launch);
    for (uint64_t i = 0; i < order.count; i++) {
        if (!go_through(walk, shares, order.at) ||
            (i + 1 == TRIED && walk->cost / TRIED * order.count > MOST_COST))
            return false;
        order.at = (order.at + order.step) % order.count;
    }
    return true;
}

struct shares *shares_find(struct worker *worker, struct ledger *ledger)
{
    const struct launch *launch = worker->launch;
    bool *slice = launch->cluster_blocks <= 1 && launch->block_count <= MOST_BLOCKS
                      ? slice_of(launch->function)
                      : NULL;
    if (!slice)
        return NULL;
    struct walk walk;
    struct shares *shares = calloc(1, sizeof *shares);
    learn_draws(worker);
    bool found = walk_begin(&walk, worker, ledger, slice) && shares;
    if (found) {
        shares->bytes = malloc(launch->block_count * sizeof *shares->bytes);
        walk.most_cost = MOST_COST;
        found = shares->bytes && go_through_all(&walk, shares);
    }
    walk_end(&walk);
    free(slice);
    if (found)
        note_draws(worker, shares);
    if (found)
        return shares;
    ledger_spoil(ledger);
    shares_free(shares);
    return NULL;
}

void shares_free(struct shares *shares)
{
    if (shares)
        free(shares->bytes);
    free(shares);
}

uint64_t shares_of_block(const struct shares *shares, uint64_t block)
{
    return shares->bytes[block];
}
