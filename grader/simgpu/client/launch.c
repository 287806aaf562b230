/* launch.c - launching kernels. Queries about them are in function.c. */
#include "client.h"

#include <stdlib.h>
#include <string.h>

/* The names the generated stubs call. */
unsigned __cudaPushCallConfiguration(dim3 grid, dim3 block, size_t shared, cudaStream_t stream);
cudaError_t __cudaPopCallConfiguration(dim3 *grid, dim3 *block, size_t *shared, void *stream);
cudaError_t __cudaLaunchKernel(cudaKernel_t kernel, dim3 grid, dim3 block, void **arguments,
                               size_t shared, cudaStream_t stream);
cudaError_t __cudaLaunchKernel_ptsz(cudaKernel_t kernel, dim3 grid, dim3 block, void **arguments,
                                    size_t shared, cudaStream_t stream);

/* --- <<<grid, block, shared, stream>>> -------------------------------------------------------- */

enum { DEEPEST = 16 };
static _Thread_local struct {
    dim3 grid, block;
    size_t shared;
    cudaStream_t stream;
    uint32_t place; /* of <<<>>> itself: the call that launches is in code of nvcc's */
} configurations[DEEPEST];
static _Thread_local int depth;
static _Thread_local uint32_t launch_place; /* of the launch that comes next; 0: its own call's */

unsigned __cudaPushCallConfiguration(dim3 grid, dim3 block, size_t shared, cudaStream_t stream)
{
    if (depth == DEEPEST)
        return cudaErrorMissingConfiguration;
    configurations[depth].grid = grid;
    configurations[depth].block = block;
    configurations[depth].shared = shared;
    configurations[depth].stream = stream;
    configurations[depth].place = connection_place();
    depth++;
    return cudaSuccess;
}

cudaError_t __cudaPopCallConfiguration(dim3 *grid, dim3 *block, size_t *shared, void *stream)
{
    if (depth == 0)
        return api(cudaErrorMissingConfiguration);
    depth--;
    *grid = configurations[depth].grid;
    *block = configurations[depth].block;
    *shared = configurations[depth].shared;
    *(cudaStream_t *)stream = configurations[depth].stream;
    launch_place = configurations[depth].place;
    return cudaSuccess;
}

/* --- Launching -------------------------------------------------------------------------------- */

/* What <<<>>> and its relatives say. */
struct configuration {
    dim3 grid, block;
    size_t shared;
    cudaStream_t stream;
    bool cooperative;
    bool may_begin_early;
    dim3 cluster; /* 0 along each axis: nothing said */
    int policy;
};

/* More dynamic shared memory than 48 KiB has to be opted in to. */
static cudaError_t more_shared_than_allowed(const struct kernel *kernel,
                                            const struct configuration *configuration)
{
    explain("a block asks for %zu bytes of dynamic shared memory and this kernel may have %d: "
            "allow more with cudaFuncSetAttribute(kernel, "
            "cudaFuncAttributeMaxDynamicSharedMemorySize, bytes)",
            (size_t)configuration->shared, kernel->dynamic_shared_most);
    return cudaErrorInvalidValue;
}

static cudaError_t send_launch(struct CUstream_st *stream, const struct launch *launch)
{
    struct call call = new_call(REQUEST_LAUNCH);
    call.request.place = launch_place;
    call.request.launch = (struct launch_request){
        .kernel = launch->kernel->handle,
        .stream = stream->number,
        .grid = {launch->grid.x, launch->grid.y, launch->grid.z},
        .block = {launch->block.x, launch->block.y, launch->block.z},
        .dynamic_shared_bytes = launch->shared_bytes,
        .cooperative = launch->cooperative,
        .may_begin_early = launch->may_begin_early,
        .cluster = {launch->cluster.x, launch->cluster.y, launch->cluster.z},
        .wide_clusters = launch->kernel->allows_wide_clusters};
    call.payload = launch->parameters;
    call.payload_bytes = launch->kernel->info.parameter_bytes;
    cudaError_t error = perform(&call);
    if (error == cudaErrorInvalidConfiguration || error == cudaErrorLaunchOutOfResources ||
        error == cudaErrorCooperativeLaunchTooLarge || error == cudaErrorInvalidClusterSize)
        explain("%.250s", call.reply.message);
    return error;
}

/* 0 is more than any, too. */
static bool is_within(dim3 sides, dim3 most)
{
    return sides.x - 1 < most.x && sides.y - 1 < most.y && sides.z - 1 < most.z;
}

/* Outside a capture the device refuses what an axis cannot hold. Inside one the launch is refused
 * as well, and the capture is invalid from then on (an H200 with CUDA 13.0). */
static cudaError_t capture_launch(struct CUstream_st *stream, const struct launch *launch)
{
    const dim3 most_grid = {MOST_GRID_X, MOST_GRID_YZ, MOST_GRID_YZ};
    const dim3 most_block = {MOST_BLOCK_XY, MOST_BLOCK_XY, MOST_BLOCK_Z};
    struct content content;
    if (!is_within(launch->grid, most_grid) || !is_within(launch->block, most_block)) {
        capture_spoil(stream);
        explain("a grid of %u x %u x %u blocks of %u x %u x %u threads is more than its axes hold",
                launch->grid.x, launch->grid.y, launch->grid.z, launch->block.x, launch->block.y,
                launch->block.z);
        return cudaErrorInvalidConfiguration;
    }
    cudaError_t error = content_launch(&content, launch);
    return error == cudaSuccess ? capture_content(stream, &content, NULL) : error;
}

/* With the parameters in one block, as the kernel reads them. */
static cudaError_t launch_packed(struct CUstream_st *stream, struct kernel *kernel,
                                 const struct configuration *configuration, void **arguments,
                                 unsigned char *block)
{
    struct launch launch = {.kernel = kernel,
                            .grid = configuration->grid,
                            .block = configuration->block,
                            .shared_bytes = (unsigned)configuration->shared,
                            .cooperative = configuration->cooperative,
                            .may_begin_early = configuration->may_begin_early,
                            .policy = configuration->policy,
                            .parameters = block};
    cudaError_t error = cluster_of(kernel, &configuration->cluster, &launch.cluster);
    if (error != cudaSuccess)
        return error;
    memset(block, 0, kernel->info.parameter_bytes);
    for (uint32_t i = 0; i < kernel->info.parameter_count; i++)
        memcpy(block + kernel->parameters[i][0], arguments[i], kernel->parameters[i][1]);
    error = stream->capture ? capture_launch(stream, &launch) : send_launch(stream, &launch);
    return error == cudaErrorInvalidConfiguration ? SINCE_13(error) : error;
}

static cudaError_t launch_checked(const void *function, const struct configuration *configuration,
                                  void **arguments, uint64_t default_stream)
{
    struct kernel *kernel;
    unsigned char small[1024], *block = small;
    struct CUstream_st *stream = stream_of(configuration->stream, default_stream);
    cudaError_t error = program_kernel(function, &kernel);
    if (error != cudaSuccess)
        return error;
    if (!stream)
        return cudaErrorInvalidResourceHandle;
    if (!arguments && kernel->info.parameter_count)
        return cudaErrorInvalidValue;
    if (configuration->shared > INT32_MAX ||
        (int)configuration->shared > kernel->dynamic_shared_most)
        return more_shared_than_allowed(kernel, configuration);
    error = capture_check_work(stream);
    if (error != cudaSuccess)
        return error;
    if (kernel->info.parameter_bytes > sizeof small)
        block = malloc(kernel->info.parameter_bytes);
    if (!block)
        return cudaErrorMemoryAllocation;
    error = launch_packed(stream, kernel, configuration, arguments, block);
    if (block != small)
        free(block);
    return error;
}

static cudaError_t launch(const void *function, const struct configuration *configuration,
                          void **arguments, uint64_t default_stream)
{
    cudaError_t error = launch_checked(function, configuration, arguments, default_stream);
    launch_place = 0;
    return error;
}

#define PLAIN \
    (&(struct configuration){.grid = grid, .block = block, .shared = shared, .stream = stream})
#define COOPERATIVE           \
    (&(struct configuration){ \
        .grid = grid, .block = block, .shared = shared, .stream = stream, .cooperative = true})

cudaError_t __cudaLaunchKernel(cudaKernel_t kernel, dim3 grid, dim3 block, void **arguments,
                               size_t shared, cudaStream_t stream)
{
    return api(launch(kernel, PLAIN, arguments, STREAM_LEGACY));
}

cudaError_t __cudaLaunchKernel_ptsz(cudaKernel_t kernel, dim3 grid, dim3 block, void **arguments,
                                    size_t shared, cudaStream_t stream)
{
    return api(launch(kernel, PLAIN, arguments, STREAM_PER_THREAD));
}

BOTH(_ptsz, cudaLaunchKernel,
     (const void *function, dim3 grid, dim3 block, void **arguments, size_t shared,
      cudaStream_t stream),
     launch(function, PLAIN, arguments, default_stream))
BOTH(_ptsz, cudaLaunchCooperativeKernel,
     (const void *function, dim3 grid, dim3 block, void **arguments, size_t shared,
      cudaStream_t stream),
     launch(function, COOPERATIVE, arguments, default_stream))

/* --- Launching with attributes ---------------------------------------------------------------- */

/* Tell the device, so that a grader knows that the program was not at fault. */
static cudaError_t lack(const char *what)
{
    struct call call = new_call(REQUEST_LACK);
    call.payload = what;
    call.payload_bytes = strlen(what) + 1;
    perform(&call);
    return missing(what);
}

/* Attributes that change the launch's meaning are honoured or refused; the others are advice. */
static cudaError_t read_attribute(const cudaLaunchAttribute *attribute,
                                  struct configuration *configuration)
{
    switch (attribute->id) {
    case cudaLaunchAttributeCooperative:
        configuration->cooperative = attribute->val.cooperative != 0;
        return cudaSuccess;
    case cudaLaunchAttributeProgrammaticStreamSerialization:
        configuration->may_begin_early = attribute->val.programmaticStreamSerializationAllowed != 0;
        return cudaSuccess;
    case cudaLaunchAttributeClusterDimension:
        configuration->cluster.x = attribute->val.clusterDim.x;
        configuration->cluster.y = attribute->val.clusterDim.y;
        configuration->cluster.z = attribute->val.clusterDim.z;
        return cudaSuccess;
    case cudaLaunchAttributeClusterSchedulingPolicyPreference:
        configuration->policy = (int)attribute->val.clusterSchedulingPolicyPreference;
        return cudaSuccess;
    case cudaLaunchAttributeProgrammaticEvent:
    case cudaLaunchAttributeLaunchCompletionEvent:
    case cudaLaunchAttributeDeviceUpdatableKernelNode:
        return lack("a launch attribute that ties a kernel to events or graph updates");
    default: return cudaSuccess;
    }
}

static cudaError_t launch_ex(const cudaLaunchConfig_t *config, const void *function,
                             void **arguments, uint64_t default_stream)
{
    if (!config || (config->numAttrs && !config->attrs))
        return cudaErrorInvalidValue;
    struct configuration configuration = {.grid = config->gridDim,
                                          .block = config->blockDim,
                                          .shared = config->dynamicSmemBytes,
                                          .stream = config->stream};
    for (unsigned i = 0; i < config->numAttrs; i++) {
        cudaError_t error = read_attribute(&config->attrs[i], &configuration);
        if (error != cudaSuccess)
            return error;
    }
    return launch(function, &configuration, arguments, default_stream);
}

BOTH(_ptsz, cudaLaunchKernelExC,
     (const cudaLaunchConfig_t *config, const void *function, void **arguments),
     launch_ex(config, function, arguments, default_stream))
