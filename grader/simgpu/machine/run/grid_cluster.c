/* grid_cluster.c - how a grid falls into clusters, and what the device allows (CUDA C++ Programming
 * Guide, "Thread Block Clusters"). The cluster that a kernel was compiled for is the rule; a launch
 * may say the same, or choose where the kernel does not. Next: cluster.c.
 */
#include "grid.h"

#include <inttypes.h>
#include <stdio.h>

/* False when neither launch nor kernel asks for clusters: size is then 1 along each axis. */
static bool size_of(const struct function *kernel, const struct sim_launch_config *config,
                    uint32_t size[3])
{
    bool by_launch = config->cluster[0] || config->cluster[1] || config->cluster[2];
    const uint32_t *from = by_launch ? config->cluster : kernel->cluster;
    for (int axis = 0; axis < 3; axis++)
        size[axis] = from[axis] ? from[axis] : 1;
    return by_launch || kernel->cluster[0];
}

static bool refuse(struct sim_error *error, const char *message)
{
    error->code = SIM_BAD_CLUSTER;
    snprintf(error->message, sizeof error->message, "%s", message);
    return false;
}

static bool differs(const struct function *kernel, const uint32_t size[3])
{
    bool other = false;
    for (int axis = 0; axis < 3; axis++)
        other |= size[axis] != kernel->cluster[axis];
    return kernel->cluster[0] && other;
}

bool launch_check_cluster(struct sim_context *context, const struct function *kernel,
                          const struct sim_launch_config *config, struct sim_error *error)
{
    uint32_t size[3], most = config->wide_clusters ? SIM_MOST_CLUSTER : SIM_PORTABLE_CLUSTER;
    char message[300];
    if (!size_of(kernel, config, size))
        return !kernel->explicit_cluster ||
               refuse(error, "the kernel runs in clusters only, and the launch does not say of how "
                             "many blocks: cudaLaunchAttributeClusterDimension");
    if (kernel->most_cluster && kernel->most_cluster < most)
        most = kernel->most_cluster;
    uint64_t blocks = (uint64_t)size[0] * size[1] * size[2];
    if (size[0] > SIM_MOST_CLUSTER || size[1] > SIM_MOST_CLUSTER || size[2] > SIM_MOST_CLUSTER ||
        blocks > most) {
        snprintf(message, sizeof message,
                 "a cluster of %u x %u x %u blocks is more than the %u "
                 "allowed%s",
                 size[0], size[1], size[2], most,
                 blocks <= SIM_MOST_CLUSTER && !kernel->most_cluster
                     ? "; cudaFuncAttributeNonPortableClusterSizeAllowed allows 16"
                     : "");
        return refuse(error, message);
    }
    if (differs(kernel, size)) {
        snprintf(message, sizeof message,
                 "clusters of %u x %u x %u blocks are asked for, and the "
                 "kernel was compiled for %u x %u x %u",
                 size[0], size[1], size[2], kernel->cluster[0], kernel->cluster[1],
                 kernel->cluster[2]);
        return refuse(error, message);
    }
    for (int axis = 0; axis < 3; axis++)
        if (config->grid[axis] % size[axis]) {
            snprintf(message, sizeof message,
                     "a grid of %u x %u x %u blocks is not a multiple of its "
                     "clusters of %u x %u x %u",
                     config->grid[0], config->grid[1], config->grid[2], size[0], size[1], size[2]);
            return refuse(error, message);
        }
    unsigned threads = config->block[0] * config->block[1] * config->block[2];
    if (sim_active_clusters(context, kernel, threads, config->dynamic_shared_bytes,
                            (unsigned)blocks) == 0)
        return refuse(error, "the device has no room for the blocks of one cluster at once");
    return true;
}

void launch_set_cluster(struct launch *launch)
{
    launch->is_clustered = size_of(launch->function, &launch->config, launch->cluster);
    launch->cluster_blocks = launch->cluster[0] * launch->cluster[1] * launch->cluster[2];
}

/* The blocks of a cluster share a GPC. The multiprocessors of an H200's are not all known: with 132
 * of them in 8, most have 16 and some 18 (NVIDIA H100 whitepaper, 2022). */
unsigned sim_active_clusters(const struct sim_context *context, const struct function *kernel,
                             unsigned block_threads, uint32_t dynamic_shared_bytes,
                             unsigned cluster_blocks)
{
    enum { GROUP = 16 };
    const struct sim_profile *profile = &context->machine->profile;
    unsigned blocks = sim_occupancy(context, kernel, block_threads, dynamic_shared_bytes, NULL);
    unsigned groups = profile->multiprocessors / GROUP, rest = profile->multiprocessors % GROUP;
    if (profile->compute_major < 9 || cluster_blocks == 0)
        return 0;
    return groups * (GROUP * blocks / cluster_blocks) + rest * blocks / cluster_blocks;
}
