/* memory_limits.c - see memory_limits.h. */
#include "lib/memory_limits.h"

#include "lib/process_seen.h"

#include <stdlib.h>
#include <unistd.h>

static const uint64_t MEBIBYTE = UINT64_C(1) << 20;

uint64_t memory_of_machine(void)
{
    /* Limits of a control group, version 2 and 1, as a container sees its own. */
    static const char *const FILES[] = {"/sys/fs/cgroup/memory.max",
                                        "/sys/fs/cgroup/memory/memory.limit_in_bytes"};
    uint64_t bytes = (uint64_t)sysconf(_SC_PHYS_PAGES) * (uint64_t)sysconf(_SC_PAGESIZE);
    for (size_t i = 0; i < sizeof FILES / sizeof *FILES; i++) {
        char text[64];
        uint64_t limit = process_read(FILES[i], text, sizeof text) ? strtoull(text, NULL, 10) : 0;
        if (limit && limit < bytes) /* "max" is no number */
            bytes = limit;
    }
    return bytes;
}

static uint64_t between(uint64_t least, uint64_t bytes, uint64_t most)
{
    return bytes < least ? least : bytes > most ? most : bytes;
}

struct memory_limits memory_limits_of(uint64_t machine_bytes)
{
    const uint64_t m = machine_bytes;
    uint64_t device = between(1024 * MEBIBYTE, m / 2, 5120 * MEBIBYTE);
    return (struct memory_limits){
        .device = device,
        .shared = between(128 * MEBIBYTE, m / 16, 1024 * MEBIBYTE),
        .runner = between(256 * MEBIBYTE, m / 8, 4096 * MEBIBYTE),
        .device_ends = device / 4 * 5,
    };
}

struct memory_limits memory_limits(void)
{
    return memory_limits_of(memory_of_machine());
}
