/* arena.c - memory for the machines of the harnesses: one range of addresses, used by one machine
 * after the other. */
#include "fuzz.h"

#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>

/* Far from where the address sanitizer keeps its shadow. */
static const uint64_t ARENA = UINT64_C(0x200000000000), ARENA_BYTES = UINT64_C(1) << 42;

static bool commit(void *owner, uint64_t address, uint64_t bytes)
{
    (void)owner;
    return bytes == 0 || mprotect((void *)address, bytes, PROT_READ | PROT_WRITE) == 0;
}

/* New pages without rights over the old ones. */
static bool clear(uint64_t address, uint64_t bytes)
{
    void *at = mmap((void *)address, bytes, PROT_NONE,
                    MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_FIXED, -1, 0);
    return at == (void *)address;
}

static void release(void *owner, uint64_t address, uint64_t bytes)
{
    (void)owner;
    if (bytes)
        clear(address, bytes);
}

struct sim_arena fuzz_arena(void)
{
    if (!clear(ARENA, ARENA_BYTES)) {
        perror("fuzz: no addresses for device memory");
        exit(EXIT_FAILURE);
    }
    return (struct sim_arena){.address = ARENA,
                              .bytes = ARENA_BYTES,
                              .host = (unsigned char *)ARENA,
                              .commit = commit,
                              .release = release};
}
