/* counter.c - the names of judge.h's counters in reports and records. */
#include "check/examine/stages.h"

#include <string.h>

static const char *const NAMES[JUDGE_COUNTERS] = {
    [JUDGE_COUNTER_NONE] = "",
    [JUDGE_LOAD_EFFICIENCY] = "load efficiency",
    [JUDGE_STORE_EFFICIENCY] = "store efficiency",
    [JUDGE_SECTORS_PER_LOAD] = "sectors per load",
    [JUDGE_SECTORS_PER_STORE] = "sectors per store",
    [JUDGE_WAVEFRONT_RATIO] = "shared wavefronts over the least",
    [JUDGE_LANES_ON] = "lanes switched on (of 32)",
    [JUDGE_WARP_INSTRUCTIONS] = "warp instructions over the reference's",
    [JUDGE_BYTES_RATIO] = "bytes over the least",
    [JUDGE_LOAD_BYTES_RATIO] = "bytes loaded over the reference's",
    [JUDGE_ALL_BYTES_RATIO] = "bytes over the reference's",
    [JUDGE_LAUNCHES] = "kernel launches",
    [JUDGE_DIRECT_LAUNCHES] = "kernel launches outside a graph",
    [JUDGE_GRAPHS_MADE] = "graphs instantiated",
    [JUDGE_OBJECTS_MADE] = "streams and events made",
    [JUDGE_COPIES] = "copies and sets",
    [JUDGE_PAGEABLE_COPIES] = "copies from pageable memory",
    [JUDGE_ALLOCATIONS] = "allocations",
    [JUDGE_SYNCHRONISATIONS] = "synchronisations",
    [JUDGE_QUERIES] = "queries",
    [JUDGE_REPEATED_CHECKS] = "repeated checks",
    [JUDGE_HANDLES] = "cuBLASLt handles",
    [JUDGE_HANDED_BYTES] = "bytes from the process before",
    [JUDGE_TENSOR_INSTRUCTIONS] = "tensor-core instructions",
    [JUDGE_FP64_INSTRUCTIONS] = "FP64 instructions",
    [JUDGE_LOCAL_REQUESTS] = "local-memory requests",
};

const char *counter_name(enum judge_counter counter)
{
    return NAMES[counter];
}

enum judge_counter counter_named(const char *name)
{
    for (int i = 1; name && i < JUDGE_COUNTERS; i++)
        if (strcmp(NAMES[i], name) == 0)
            return (enum judge_counter)i;
    return JUDGE_COUNTER_NONE;
}
