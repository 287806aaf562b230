/* shares.h - how much does each block of a launch store, before it has run?
 *
 * A block that goes from tile to tile for as long as there are any may take billions of
 * instructions. A sampled launch cuts it off after its first tiles (cut.h), if it knows what share
 * of the block's work these are. So all warps are gone through by the few instructions that decide
 * what they store to (slice.h), which for a matrix product are one in thousands. A ledger of these
 * stores tells besides that no tile is left out, cut off or not.
 */
#ifndef SIM_SHARES_H
#define SIM_SHARES_H

#include "launch.h"

struct ledger;
struct shares;

/* NULL if that is not known, since what is loaded decides it, since warps use atomics, or since
 * there are too many stores. worker: any of the launch, at any time; it is left as it was. ledger:
 * NULL if nothing is to be kept. */
struct shares *shares_find(struct worker *worker, struct ledger *ledger);
void shares_free(struct shares *shares);
/* Bytes that a block stores; what it stores twice counts twice. */
uint64_t shares_of_block(const struct shares *shares, uint64_t block);

#endif
