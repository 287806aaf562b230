/* cut.h - when is a block of a sampled launch cut off?
 *
 * A persistent block works on tile after tile, and all of it may be more than a sampled launch may
 * take. So it is cut off after a tile: when it has stored something, and then nothing for a while.
 * This is done only where it is known how much each block stores (shares.h): what a block counted
 * is then scaled up by the part of it that it had stored. One block, which chance chose among all,
 * goes on to its end, or as far as there is time, so that late tiles are seen, too.
 */
#ifndef SIM_CUT_H
#define SIM_CUT_H

#include "launch.h"

struct cut;
struct ledger;
struct shares;

struct cut *cut_new(void);
void cut_free(struct cut *cut);
/* The worker's next block begins; it may go on for as long as there is time, or be cut off. */
void cut_block_begins(struct cut *cut, const struct worker *worker, bool goes_on);
/* The worker's block, the only one under way, has stored so many bytes. Is this the moment to cut
 * it off? Before the first time that it may be, cut_asks for the shares of blocks. */
bool cut_is_due(struct cut *cut, const struct worker *worker, uint64_t bytes);
bool cut_asks(const struct cut *cut);
/* ledger: to be kept meanwhile; or NULL. */
void cut_find_shares(struct cut *cut, struct worker *worker, struct ledger *ledger);
/* If it is due: does it have much left to do? Then it counts as cut off. */
bool cut_off(struct cut *cut, const struct worker *worker);
/* What blocks store, if one was cut off; or NULL. */
const struct shares *cut_shares(const struct cut *cut);
/* Of the worker's block under way, whose number is block: how many steps it, or a warp of it, takes
 * in the end, if it has taken so many; and how many it has taken since it last stored something. */
uint64_t cut_all_steps(const struct cut *cut, const struct worker *worker, uint64_t block,
                       uint64_t steps);
uint64_t cut_since(const struct cut *cut, const struct worker *worker);
/* Thread instructions of blocks that go on. */
uint64_t cut_spared(const struct cut *cut);

#endif
