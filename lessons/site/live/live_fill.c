/* live_fill.c - numbers for a kernel to read. A figure's data are made here, so that every build
 * has the same. */
#include "live_internal.h"

#include <string.h>

bool live_fill(double address, uint32_t count)
{
    unsigned char *bytes = live_bytes(address, count * (uint32_t)sizeof(float));
    for (uint32_t i = 0; bytes && i < count; i++) {
        float value = (float)((i * 37 + 11) % 101) / 51.0f - 1.0f;
        memcpy(bytes + i * sizeof value, &value, sizeof value);
    }
    return bytes;
}
