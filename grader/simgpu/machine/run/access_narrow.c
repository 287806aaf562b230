/* access_narrow.c - tells of a vector load of which ptxas loads some elements only (narrow.c).
 *
 * Observers that count traffic or follow the warp are told of the loads that the device makes. All
 * others are told of the whole vector, since that is what the program asks for.
 */
#include "access.h"

/* How many elements from i on one load of the device brings: two where they are half the vector,
 * and none where i is not loaded. */
static uint32_t run_from(uint32_t loaded, uint32_t i)
{
    if (!(loaded >> i & 1))
        return 0;
    return i % 2 == 0 && loaded >> (i + 1) & 1 ? 2 : 1;
}

bool narrow_tell(const struct access *access, struct site *site)
{
    const struct op *op = access->op;
    observers_access_as(access, site, ~(1U << LOOKS_AT_TRAFFIC));
    for (uint32_t i = 0, run; op->loaded >> i; i += run ? run : 1) {
        struct access part = *access;
        run = run_from(op->loaded, i);
        if (run == 0)
            continue;
        part.base += i * op->bytes;
        part.bytes = run * op->bytes;
        observers_access_as(&part, site, 1 << LOOKS_AT_TRAFFIC);
    }
    return !block_launch(access->warp)->faulted;
}
