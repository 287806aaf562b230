/* access_wide.c - tells of stores to shared memory of which ptxas made a wider one (wide_stores.h).
 *
 * Observers that count traffic or follow the warp are told of the wide store once, at the last of
 * the stores. All others are told of each store, as the program asks for it.
 */
#include "access.h"

bool wide_tell(const struct access *access, struct site *site)
{
    const struct op *op = access->op;
    observers_access_as(access, site, ~(1U << LOOKS_AT_TRAFFIC));
    if (op->loaded != STORE_CARRIED) {
        struct access wide = *access;
        wide.bytes = op->loaded;
        wide.base -= access->base % wide.bytes; /* it need not be the first of them */
        observers_access_as(&wide, site, 1 << LOOKS_AT_TRAFFIC);
    }
    return !block_launch(access->warp)->faulted;
}
