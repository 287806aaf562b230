/* spread_again.h - a sampled call once more, over what the previous one left (history.h).
 *
 * This is for the simulated device, and for the same blocks: the caller requests the same choice of
 * blocks (simgpu.h) each time, so the blocks have to write again what they wrote before.
 */
#ifndef EXAMINE_SPREAD_AGAIN_H
#define EXAMINE_SPREAD_AGAIN_H

#include "check/examine/spread.h"

/* May the call be followed by others like it? */
bool spread_may_be_called_again(const struct spread *spread);
/* Some of what blocks had written, before a few elements of it were spoilt. */
struct spread_kept {
    struct spread *spread;
    struct spread_piece *list;
    size_t count;
};

/* A few of the elements that blocks have written get other bits; inputs stay. kept is empty at
 * first. False, with a finding, if the device refuses. */
bool spread_spoil(struct spread_kept *kept, uint64_t seed, struct finding *finding);
/* Does memory again hold what is kept, to the last bit? Elements with other bits are compared with
 * the truth, and are right if the lesson allows float atomics. False with a finding. */
bool spread_is_restored(const struct spread_kept *kept, struct finding *finding);
void spread_kept_free(struct spread_kept *kept);

/* A few elements of the inputs change, and outputs stay. False, with a finding, if the device
 * refuses. */
bool spread_change(struct spread *spread, uint64_t seed, struct finding *finding);

#endif
