/* heard.h - what a block of a sampled launch learns of other blocks through plain loads and stores.
 *
 * Most blocks of such a launch do not run. So a block must not read what another one may have
 * written: the blocks that run might then behave as no block of a whole launch does. Refused are
 * - reads of an output that the block has not itself written: no other bytes mean anything there;
 * - reads of other memory that the launch writes to, but for what the block itself has written;
 * - of an input that is an output, too: reads of what the block does not itself write in the end.
 * For a read-only input or table, all this costs one comparison an access.
 */
#ifndef SIM_HEARD_H
#define SIM_HEARD_H

#include "launch.h"

struct heard;

/* NULL without memory. */
struct heard *heard_new(void);
void heard_free(struct heard *heard);
/* The worker's next block begins; no other is under way. */
void heard_forget(struct heard *heard);
/* Has the block read what it has perhaps yet to store? */
bool heard_is_open(const struct heard *heard);

#endif
