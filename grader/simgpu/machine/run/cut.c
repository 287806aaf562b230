/* cut.c - see cut.h. */
#include "cut.h"
#include "shares.h"

#include <stdlib.h>

/* Thread instructions: a block that has more of them is long; until its last store it has taken so
 * many, if it is cut off; and so many, if it went on. */
enum { LONG = 1 << 27, LEAST = 1 << 25, MOST_ON = 1 << 30 };
/* A while: this part of what the block has taken so far. */
enum { QUIET_PART = 64 };

struct cut {
    struct shares *shares;
    bool was_asked; /* for the shares */
    bool has_cut;
    bool goes_on;                         /* the block under way */
    uint64_t began_at, bytes, changed_at; /* the worker's steps; bytes stored until the latter */
    uint64_t spared;                      /* steps */
};

struct cut *cut_new(void)
{
    return calloc(1, sizeof(struct cut));
}

void cut_free(struct cut *cut)
{
    if (cut)
        shares_free(cut->shares);
    free(cut);
}

void cut_block_begins(struct cut *cut, const struct worker *worker, bool goes_on)
{
    cut->goes_on = goes_on;
    cut->began_at = cut->changed_at = worker->steps;
    cut->bytes = 0;
}

/* Has it stored something, and nothing for a while? */
static bool is_between(struct cut *cut, const struct worker *worker, uint64_t bytes)
{
    if (bytes != cut->bytes)
        cut->changed_at = worker->steps;
    cut->bytes = bytes;
    return bytes &&
           (worker->steps - cut->changed_at) * QUIET_PART > cut->changed_at - cut->began_at;
}

bool cut_is_due(struct cut *cut, const struct worker *worker, uint64_t bytes)
{
    bool is_between_tiles = is_between(cut, worker, bytes);
    uint64_t least = cut->goes_on ? MOST_ON : LEAST;
    if (cut->goes_on)
        cut->spared = worker->steps - cut->began_at;
    return is_between_tiles && (cut->changed_at - cut->began_at) * WARP_LANES >= least &&
           (!cut->was_asked || cut->shares);
}

bool cut_asks(const struct cut *cut)
{
    return !cut->was_asked;
}

void cut_find_shares(struct cut *cut, struct worker *worker, struct ledger *ledger)
{
    cut->shares = shares_find(worker, ledger);
    cut->was_asked = true;
}

uint64_t cut_since(const struct cut *cut, const struct worker *worker)
{
    return worker->steps - cut->changed_at;
}

uint64_t cut_all_steps(const struct cut *cut, const struct worker *worker, uint64_t block,
                       uint64_t steps)
{
    uint64_t bytes = cut->shares ? shares_of_block(cut->shares, block) : 0;
    double all = (double)steps * (double)(cut->changed_at - cut->began_at) /
                 (double)(worker->steps - cut->began_at + 1);
    return bytes > cut->bytes && cut->bytes ? (uint64_t)(all * (double)bytes / (double)cut->bytes)
                                            : steps;
}

bool cut_off(struct cut *cut, const struct worker *worker)
{
    uint64_t done = worker->steps - cut->began_at;
    uint64_t all = cut_all_steps(cut, worker, worker->resident[0]->number, done);
    bool is_long = all * WARP_LANES > LONG && all > done + done / 2;
    cut->has_cut |= is_long;
    return is_long;
}

const struct shares *cut_shares(const struct cut *cut)
{
    return cut->has_cut ? cut->shares : NULL;
}

uint64_t cut_spared(const struct cut *cut)
{
    return cut->spared * WARP_LANES;
}
