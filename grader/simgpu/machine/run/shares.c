/* shares.c - see shares.h. */
#include "shares.h"
#include "slice.h"
#include "store_ledger.h"
#include "walk.h"

#include <stdlib.h>

/* Instructions and basic blocks that all warps may take together, a few tenths of a second. A grid
 * with more blocks is not one of persistent blocks. After a few blocks the rest is estimated. */
enum { MOST_COST = 48 << 20, MOST_BLOCKS = 1 << 18, TRIED = 8 };

struct shares {
    uint64_t *bytes; /* by block */
};

static bool go_through(struct walk *walk, struct shares *shares, uint64_t block)
{
    walk->stored = 0;
    for (uint32_t i = 0; i < walk->block->warp_count; i++)
        if (!walk_through(walk, block, i, UINT64_MAX))
            return false;
    shares->bytes[block] = walk->stored;
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
    bool found = walk_begin(&walk, worker, ledger, slice) && shares;
    if (found) {
        shares->bytes = malloc(launch->block_count * sizeof *shares->bytes);
        walk.most_cost = MOST_COST;
        found = shares->bytes && go_through_all(&walk, shares);
    }
    walk_end(&walk);
    free(slice);
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
