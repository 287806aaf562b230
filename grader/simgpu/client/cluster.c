/* cluster.c - clusters of blocks: how large they are, and how many fit. The device checks a launch;
 * this file handles the attributes of functions and launches. */
#include "client.h"

/* The portable number of blocks, and that which has to be allowed: see machine.h. */
enum { PORTABLE_BLOCKS = 8, MOST_BLOCKS = 16 };

static bool is_given(const dim3 *size)
{
    return size && (size->x || size->y || size->z);
}

/* By compilation, or by cudaFuncSetAttribute; 0 along each axis without. */
static dim3 required(const struct kernel *kernel)
{
    const unsigned *from = kernel->info.cluster[0] ? kernel->info.cluster : kernel->cluster;
    return (dim3){from[0], from[1], from[2]};
}

cudaError_t cluster_of(const struct kernel *kernel, const dim3 *by_launch, dim3 *cluster)
{
    dim3 by_kernel = required(kernel);
    *cluster = is_given(by_launch) ? *by_launch : by_kernel;
    if (is_given(by_launch) && is_given(&by_kernel) &&
        (by_launch->x != by_kernel.x || by_launch->y != by_kernel.y ||
         by_launch->z != by_kernel.z)) {
        explain("clusters of %u x %u x %u blocks are asked for, and the kernel requires %u x %u x "
                "%u",
                by_launch->x, by_launch->y, by_launch->z, by_kernel.x, by_kernel.y, by_kernel.z);
        return cudaErrorInvalidClusterSize;
    }
    if (!is_given(cluster) && kernel->must_cluster) {
        explain("the kernel must be launched with a cluster dimension "
                "(cudaFuncAttributeClusterDimMustBeSet)");
        return cudaErrorInvalidClusterSize;
    }
    return cudaSuccess;
}

cudaError_t cluster_require(struct kernel *kernel, int axis, int blocks)
{
    if (kernel->info.cluster[0] || blocks < 0) /* it was compiled for one size */
        return cudaErrorInvalidValue;
    kernel->cluster[axis] = (unsigned)blocks;
    return cudaSuccess;
}

/* --- Occupancy -------------------------------------------------------------------------------- */

static unsigned product(const dim3 *size)
{
    return (size->x ? size->x : 1) * (size->y ? size->y : 1) * (size->z ? size->z : 1);
}

static unsigned threads_of(const cudaLaunchConfig_t *config)
{
    return product(&config->blockDim);
}

/* How many clusters of so many of config's blocks fit on the device. */
static cudaError_t active(const struct kernel *kernel, const cudaLaunchConfig_t *config,
                          unsigned blocks, int *clusters)
{
    struct call call = new_call(REQUEST_OCCUPANCY);
    *clusters = 0;
    if ((int64_t)config->dynamicSmemBytes > kernel->dynamic_shared_most ||
        threads_of(config) > kernel->info.max_threads)
        return cudaSuccess; /* no block of that size fits */
    call.request.occupancy.kernel = kernel->handle;
    call.request.occupancy.block_threads = threads_of(config);
    call.request.occupancy.dynamic_shared_bytes = (uint32_t)config->dynamicSmemBytes;
    call.request.occupancy.cluster_blocks = blocks;
    cudaError_t error = perform(&call);
    *clusters = error == cudaSuccess ? (int)call.reply.value[1] : 0;
    return error;
}

static dim3 asked_for(const cudaLaunchConfig_t *config)
{
    for (unsigned i = 0; i < config->numAttrs; i++)
        if (config->attrs[i].id == cudaLaunchAttributeClusterDimension)
            return (dim3){config->attrs[i].val.clusterDim.x, config->attrs[i].val.clusterDim.y,
                          config->attrs[i].val.clusterDim.z};
    return (dim3){0, 0, 0};
}

static cudaError_t begin(const void *out, const void *function, const cudaLaunchConfig_t *config,
                         struct kernel **kernel)
{
    if (!out || !config || (config->numAttrs && !config->attrs))
        return cudaErrorInvalidValue;
    return program_kernel(function, kernel);
}

/* The cluster that the launch asks for, if it may run: CUDA's own queries fail for it as well. */
static cudaError_t possible(const struct kernel *kernel, const cudaLaunchConfig_t *config,
                            dim3 *cluster)
{
    dim3 asked = asked_for(config);
    cudaError_t error = cluster_of(kernel, &asked, cluster);
    unsigned most = kernel->allows_wide_clusters ? MOST_BLOCKS : PORTABLE_BLOCKS;
    return error == cudaSuccess && is_given(cluster) && product(cluster) > most
               ? cudaErrorInvalidClusterSize
               : error;
}

static cudaError_t most_active(int *clusters, const void *function,
                               const cudaLaunchConfig_t *config)
{
    struct kernel *kernel;
    dim3 cluster;
    cudaError_t error = begin(clusters, function, config, &kernel);
    if (error != cudaSuccess)
        return error;
    error = possible(kernel, config, &cluster);
    if (error != cudaSuccess)
        return error;
    if (!is_given(&cluster))
        return cudaErrorInvalidClusterSize;
    return active(kernel, config, product(&cluster), clusters);
}

static cudaError_t most_potential(int *blocks, const void *function,
                                  const cudaLaunchConfig_t *config)
{
    struct kernel *kernel;
    dim3 cluster;
    cudaError_t error = begin(blocks, function, config, &kernel);
    if (error == cudaSuccess)
        error = possible(kernel, config, &cluster);
    if (error != cudaSuccess)
        return error;
    dim3 by_kernel = required(kernel);
    int clusters = 0, most = kernel->allows_wide_clusters ? MOST_BLOCKS : PORTABLE_BLOCKS;
    if (is_given(&by_kernel)) {
        *blocks = (int)product(&by_kernel);
        return cudaSuccess;
    }
    for (; most && error == cudaSuccess && !clusters; most -= !clusters)
        error = active(kernel, config, (unsigned)most, &clusters);
    *blocks = most;
    return error;
}

cudaError_t cudaOccupancyMaxActiveClusters(int *clusters, const void *function,
                                           const cudaLaunchConfig_t *config)
{
    return api(most_active(clusters, function, config));
}

cudaError_t cudaOccupancyMaxPotentialClusterSize(int *blocks, const void *function,
                                                 const cudaLaunchConfig_t *config)
{
    return api(most_potential(blocks, function, config));
}
