/* function.c - queries about a kernel, and its settings: attributes, occupancy. */
#include "client.h"

#include <string.h>

/* --- Attributes ------------------------------------------------------------------------------- */

cudaError_t cudaFuncGetAttributes(struct cudaFuncAttributes *attributes, const void *function)
{
    struct kernel *kernel;
    if (!attributes)
        return api(cudaErrorInvalidValue);
    cudaError_t error = program_kernel(function, &kernel);
    if (error != cudaSuccess)
        return api(error);
    memset(attributes, 0, sizeof *attributes);
    attributes->sharedSizeBytes = kernel->info.static_shared_bytes;
    attributes->constSizeBytes = kernel->info.constant_bytes;
    attributes->localSizeBytes = kernel->info.local_bytes;
    attributes->maxThreadsPerBlock = (int)kernel->info.max_threads;
    attributes->numRegs = (int)kernel->info.registers;
    attributes->ptxVersion = (int)kernel->info.architecture;
    attributes->binaryVersion = (int)kernel->info.architecture;
    attributes->maxDynamicSharedSizeBytes = kernel->dynamic_shared_most;
    attributes->preferredShmemCarveout = kernel->carveout;
    dim3 cluster;
    cluster_of(kernel, NULL, &cluster);
    attributes->clusterDimMustBeSet = kernel->must_cluster || kernel->info.must_cluster;
    attributes->requiredClusterWidth = (int)cluster.x;
    attributes->requiredClusterHeight = (int)cluster.y;
    attributes->requiredClusterDepth = (int)cluster.z;
    attributes->clusterSchedulingPolicyPreference = kernel->policy;
    attributes->nonPortableClusterSizeAllowed = kernel->allows_wide_clusters;
    return cudaSuccess;
}

/* More dynamic shared memory than a kernel gets by default. */
static cudaError_t set_dynamic_shared(struct kernel *kernel, int value)
{
    struct call call = new_call(REQUEST_DEVICE);
    cudaError_t error = perform(&call);
    uint32_t most = call.reply.device.shared_bytes_block;
    if (error == cudaSuccess &&
        (value < 0 || (uint32_t)value + kernel->info.static_shared_bytes > most))
        error = cudaErrorInvalidValue;
    if (error == cudaSuccess)
        kernel->dynamic_shared_most = value;
    return error;
}

static cudaError_t set_attribute(const void *function, enum cudaFuncAttribute attribute, int value)
{
    struct kernel *kernel;
    cudaError_t error = program_kernel(function, &kernel);
    if (error != cudaSuccess)
        return error;
    switch (attribute) {
    case cudaFuncAttributeMaxDynamicSharedMemorySize: return set_dynamic_shared(kernel, value);
    case cudaFuncAttributePreferredSharedMemoryCarveout:
        if (value < -1 || value > 100)
            return cudaErrorInvalidValue;
        kernel->carveout = value; /* advice */
        return cudaSuccess;
    case cudaFuncAttributeNonPortableClusterSizeAllowed:
        kernel->allows_wide_clusters = value != 0;
        return cudaSuccess;
    case cudaFuncAttributeClusterDimMustBeSet:
        kernel->must_cluster = value != 0;
        return cudaSuccess;
    case cudaFuncAttributeRequiredClusterWidth: return cluster_require(kernel, 0, value);
    case cudaFuncAttributeRequiredClusterHeight: return cluster_require(kernel, 1, value);
    case cudaFuncAttributeRequiredClusterDepth: return cluster_require(kernel, 2, value);
    case cudaFuncAttributeClusterSchedulingPolicyPreference:
        kernel->policy = value; /* advice */
        return cudaSuccess;
    default: return cudaErrorInvalidValue;
    }
}

cudaError_t cudaFuncSetAttribute(const void *function, enum cudaFuncAttribute attribute, int value)
{
    return api(set_attribute(function, attribute, value));
}

#if CUDART_VERSION >= 12080
cudaError_t cudaKernelSetAttributeForDevice(cudaKernel_t kernel, enum cudaFuncAttribute attribute,
                                            int value, int device)
{
    return api(device ? cudaErrorInvalidDevice : set_attribute(kernel, attribute, value));
}
#endif

/* Advice for devices whose L1 cache and shared memory are one. */
static cudaError_t take_advice(const void *function)
{
    struct kernel *kernel;
    return program_kernel(function, &kernel);
}

cudaError_t cudaFuncSetCacheConfig(const void *function, enum cudaFuncCache config)
{
    (void)config;
    return api(take_advice(function));
}

cudaError_t cudaFuncSetSharedMemConfig(const void *function, enum cudaSharedMemConfig config)
{
    (void)config;
    return api(take_advice(function));
}

cudaError_t cudaFuncGetName(const char **name, const void *function)
{
    struct kernel *kernel;
    if (!name)
        return api(cudaErrorInvalidValue);
    cudaError_t error = program_kernel(function, &kernel);
    if (error == cudaSuccess)
        *name = kernel->name;
    return api(error);
}

cudaError_t cudaFuncGetParamInfo(const void *function, size_t index, size_t *offset, size_t *size)
{
    struct kernel *kernel;
    if (!offset)
        return api(cudaErrorInvalidValue);
    cudaError_t error = program_kernel(function, &kernel);
    if (error == cudaSuccess && index >= kernel->info.parameter_count)
        error = cudaErrorInvalidValue;
    if (error != cudaSuccess)
        return api(error);
    *offset = kernel->parameters[index][0];
    if (size)
        *size = kernel->parameters[index][1];
    return cudaSuccess;
}

/* --- Occupancy -------------------------------------------------------------------------------- */

static cudaError_t occupancy(int *blocks, const void *function, int threads, size_t shared)
{
    struct kernel *kernel;
    struct call call = new_call(REQUEST_OCCUPANCY);
    if (!blocks)
        return cudaErrorInvalidValue;
    *blocks = 0;
    cudaError_t error = program_kernel(function, &kernel);
    if (error != cudaSuccess)
        return error;
    if (threads <= 0)
        return cudaErrorInvalidValue;
    if ((int64_t)shared > kernel->dynamic_shared_most ||
        (unsigned)threads > kernel->info.max_threads)
        return cudaSuccess; /* no block of that size fits */
    call.request.occupancy.kernel = kernel->handle;
    call.request.occupancy.block_threads = (uint32_t)threads;
    call.request.occupancy.dynamic_shared_bytes = (uint32_t)shared;
    error = perform(&call);
    *blocks = error == cudaSuccess ? (int)call.reply.value[0] : 0;
    return error;
}

cudaError_t cudaOccupancyMaxActiveBlocksPerMultiprocessor(int *blocks, const void *function,
                                                          int threads, size_t shared)
{
    return api(occupancy(blocks, function, threads, shared));
}

cudaError_t cudaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(int *blocks,
                                                                   const void *function,
                                                                   int threads, size_t shared,
                                                                   unsigned flags)
{
    return api(flags > cudaOccupancyDisableCachingOverride
                   ? cudaErrorInvalidValue
                   : occupancy(blocks, function, threads, shared));
}

cudaError_t cudaOccupancyAvailableDynamicSMemPerBlock(size_t *bytes, const void *function,
                                                      int blocks, int threads)
{
    struct call call = new_call(REQUEST_DEVICE);
    struct kernel *kernel;
    if (!bytes)
        return api(cudaErrorInvalidValue);
    cudaError_t error = program_kernel(function, &kernel);
    if (error == cudaSuccess)
        error = blocks > 0 && threads > 0 ? perform(&call) : cudaErrorInvalidValue;
    if (error != cudaSuccess)
        return api(error);
    const struct device_reply *device = &call.reply.device;
    size_t share = device->shared_bytes / (unsigned)blocks;
    size_t taken = device->shared_bytes_reserved + kernel->info.static_shared_bytes;
    size_t most = device->shared_bytes_block - kernel->info.static_shared_bytes;
    *bytes = share < taken ? 0 : share - taken < most ? share - taken : most;
    return cudaSuccess;
}
