/* front.c - lesson 8, in the runner: functions in front of the runtime's that ask the device, whose
 * names are found before the library's. They pass every call on, and count it: lesson8_workspace()
 * must not ask. */
#include "check/judge_graph.h"

#include <dlfcn.h>
#include <stddef.h>

/* The name that a header's macro may have given a function. */
#define LINKED_NAME(name) SPELLED(name)
#define SPELLED(name) #name

/* The runtime's own function, found once, is called in place of this one. */
#define PASS_ON(name, ...)                                                \
    static __typeof__(&name) behind;                                      \
    judge_device_questions++;                                             \
    if (!behind)                                                          \
        behind = (__typeof__(behind))dlsym(RTLD_NEXT, LINKED_NAME(name)); \
    return behind ? behind(__VA_ARGS__) : cudaErrorSharedObjectSymbolNotFound

cudaError_t cudaDeviceGetAttribute(int *value, enum cudaDeviceAttr attribute, int device)
{
    PASS_ON(cudaDeviceGetAttribute, value, attribute, device);
}

cudaError_t cudaGetDeviceCount(int *count)
{
    PASS_ON(cudaGetDeviceCount, count);
}

cudaError_t cudaMemGetInfo(size_t *free_bytes, size_t *all_bytes)
{
    PASS_ON(cudaMemGetInfo, free_bytes, all_bytes);
}

cudaError_t cudaDeviceGetLimit(size_t *value, enum cudaLimit limit)
{
    PASS_ON(cudaDeviceGetLimit, value, limit);
}

cudaError_t cudaFuncGetAttributes(struct cudaFuncAttributes *attributes, const void *function)
{
    PASS_ON(cudaFuncGetAttributes, attributes, function);
}

cudaError_t cudaOccupancyMaxActiveBlocksPerMultiprocessor(int *blocks, const void *function,
                                                          int threads, size_t shared_bytes)
{
    PASS_ON(cudaOccupancyMaxActiveBlocksPerMultiprocessor, blocks, function, threads, shared_bytes);
}

cudaError_t cudaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(int *blocks,
                                                                   const void *function,
                                                                   int threads, size_t shared_bytes,
                                                                   unsigned flags)
{
    PASS_ON(cudaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags, blocks, function, threads,
            shared_bytes, flags);
}
