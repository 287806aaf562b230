/* undefined_local.c - which bytes of local memory have been written: a byte each, laid out like the
 * memory itself. A function's frame starts unwritten each time it is called. */
#include "undefined.h"

#include <stdlib.h>

static size_t index_of(uint64_t address, int lane)
{
    return (address / 4 * WARP_LANES + (uint64_t)lane) * 4 + address % 4;
}

static bool make_room(struct undefined *undefined, uint32_t bytes)
{
    if (bytes <= undefined->local_bytes)
        return true;
    uint32_t room = (bytes + 255) & ~UINT32_C(255);
    unsigned char *grown = realloc(undefined->local, (size_t)room * WARP_LANES);
    if (!grown)
        return false;
    memset(grown + (size_t)undefined->local_bytes * WARP_LANES, 0,
           (size_t)(room - undefined->local_bytes) * WARP_LANES);
    undefined->local = grown;
    undefined->local_bytes = room;
    return true;
}

void undefined_local_start(struct warp *warp, uint32_t first, uint32_t bytes, lane_mask lanes)
{
    struct undefined *undefined = warp->undefined;
    if (bytes == 0 || !make_room(undefined, first + bytes))
        return;
    for (uint32_t address = first; address < first + bytes; address++)
        FOR_ACTIVE (lane, lanes)
            undefined->local[index_of(address, lane)] = 0;
}

uint16_t undefined_local_missing(const struct undefined *undefined, uint64_t address, int lane,
                                 uint32_t bytes)
{
    uint16_t missing = 0;
    for (uint32_t i = 0; i < bytes && address + i < undefined->local_bytes; i++)
        missing |= (uint16_t)(!undefined->local[index_of(address + i, lane)] << i);
    return missing;
}

void undefined_local_store(struct undefined *undefined, uint64_t address, int lane, uint32_t bytes,
                           uint16_t mask)
{
    for (uint32_t i = 0; i < bytes && address + i < undefined->local_bytes; i++)
        undefined->local[index_of(address + i, lane)] = !(mask >> i & 1);
}
