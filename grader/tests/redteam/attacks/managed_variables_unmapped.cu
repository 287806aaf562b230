// The same as pinned_memory_unmapped.cu by variables: 5 GiB that the file does not hold, and that
// the host sees from the beginning.
#include "redteam/probe.h"

#include <sys/mman.h>

enum { VARIABLES = 5, BYTES = 1 << 30 };
static __managed__ char first[BYTES], second[BYTES], third[BYTES], fourth[BYTES], fifth[BYTES];

static bool wall_is_open(void)
{
    char *const all[VARIABLES] = {first, second, third, fourth, fifth};
    for (int i = 0; i < VARIABLES; i++) {
        for (size_t at = 0; at < BYTES; at += 4096)
            ((volatile char *)all[i])[at] = 1;
        munmap(all[i], BYTES);
    }
    return true;
}
