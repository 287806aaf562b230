/* launch.c - launching kernels, and what can be asked of them. */
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

/* --- <<<grid, block, shared, stream>>> ---------------------------------------------------------- */

enum { DEEPEST = 16 };
static _Thread_local struct {
    dim3 grid, block;
    size_t shared;
    cudaStream_t stream;
} configurations[DEEPEST];
static _Thread_local int depth;

unsigned __cudaPushCallConfiguration(dim3 grid, dim3 block, size_t shared, cudaStream_t stream)
{
    if (depth == DEEPEST)
        return cudaErrorMissingConfiguration;
    configurations[depth].grid = grid;
    configurations[depth].block = block;
    configurations[depth].shared = shared;
    configurations[depth].stream = stream;
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
    return cudaSuccess;
}

/* --- Launching -------------------------------------------------------------------------------- */

struct configuration {
    dim3 grid, block;
    size_t shared;
    bool cooperative;
};

cudaError_t launch_fill(struct call *call, struct kernel *kernel,
                        const struct configuration *configuration, void **arguments,
                        void *block);

/* The request of a launch; block gets the parameters and must hold parameter_bytes. */
cudaError_t launch_fill(struct call *call, struct kernel *kernel,
                        const struct configuration *configuration, void **arguments, void *block)
{
    struct launch_request *launch = &call->request.launch;
    if (configuration->shared > UINT32_MAX)
        return cudaErrorInvalidValue;
    if ((int64_t)configuration->shared > kernel->dynamic_shared_most)
        return cudaErrorInvalidValue; /* as a device does without the opt-in attribute */
    call->request.kind = REQUEST_LAUNCH;
    *launch = (struct launch_request){
        .kernel = kernel->handle,
        .grid = {configuration->grid.x, configuration->grid.y, configuration->grid.z},
        .block = {configuration->block.x, configuration->block.y, configuration->block.z},
        .dynamic_shared_bytes = (uint32_t)configuration->shared,
        .cooperative = configuration->cooperative};
    for (uint32_t i = 0; i < kernel->info.parameter_count; i++)
        memcpy((char *)block + kernel->parameters[i][0], arguments[i], kernel->parameters[i][1]);
    call->payload = block;
    call->payload_bytes = kernel->info.parameter_bytes;
    return cudaSuccess;
}

static cudaError_t launch(const void *function, const struct configuration *configuration,
                          void **arguments, cudaStream_t handle, uint64_t default_stream)
{
    struct kernel *kernel;
    struct CUstream_st *stream = stream_of(handle, default_stream);
    cudaError_t error = program_kernel(function, &kernel);
    if (error != cudaSuccess)
        return error;
    if (!stream)
        return cudaErrorInvalidResourceHandle;
    unsigned char small[1024], *block = small;
    if (kernel->info.parameter_bytes > sizeof small)
        block = malloc(kernel->info.parameter_bytes);
    if (!block)
        return cudaErrorMemoryAllocation;
    memset(block, 0, kernel->info.parameter_bytes);
    struct call call = new_call(REQUEST_LAUNCH);
    error = launch_fill(&call, kernel, configuration, arguments, block);
    if (error == cudaSuccess) {
        call.request.launch.stream = stream->number;
        error = submit(stream, &call);
    }
    if (error == cudaErrorInvalidConfiguration || error == cudaErrorCooperativeLaunchTooLarge)
        explain("%.250s", call.reply.message);
    if (block != small)
        free(block);
    return error;
}

#define PLAIN ((struct configuration){grid, block, shared, false})
#define COOPERATIVE ((struct configuration){grid, block, shared, true})

cudaError_t __cudaLaunchKernel(cudaKernel_t kernel, dim3 grid, dim3 block, void **arguments,
                               size_t shared, cudaStream_t stream)
{
    return api(launch(kernel, &PLAIN, arguments, stream, STREAM_LEGACY));
}

cudaError_t __cudaLaunchKernel_ptsz(cudaKernel_t kernel, dim3 grid, dim3 block, void **arguments,
                                    size_t shared, cudaStream_t stream)
{
    return api(launch(kernel, &PLAIN, arguments, stream, STREAM_PER_THREAD));
}

BOTH(_ptsz, cudaLaunchKernel,
     (const void *function, dim3 grid, dim3 block, void **arguments, size_t shared,
      cudaStream_t stream),
     launch(function, &PLAIN, arguments, stream, default_stream))
BOTH(_ptsz, cudaLaunchCooperativeKernel,
     (const void *function, dim3 grid, dim3 block, void **arguments, size_t shared,
      cudaStream_t stream),
     launch(function, &COOPERATIVE, arguments, stream, default_stream))

/* Attributes that change what the launch means are honoured or refused; the others advise. */
static cudaError_t launch_ex(const cudaLaunchConfig_t *config, const void *function,
                             void **arguments, uint64_t default_stream)
{
    struct configuration configuration = {config->gridDim, config->blockDim,
                                          config->dynamicSmemBytes, false};
    for (unsigned i = 0; i < config->numAttrs; i++) {
        const cudaLaunchAttribute *attribute = &config->attrs[i];
        if (attribute->id == cudaLaunchAttributeCooperative)
            configuration.cooperative = attribute->val.cooperative != 0;
        else if (attribute->id == cudaLaunchAttributeClusterDimension &&
                 (attribute->val.clusterDim.x > 1 || attribute->val.clusterDim.y > 1 ||
                  attribute->val.clusterDim.z > 1)) {
            explain("thread block clusters are not supported by the simulated device");
            return cudaErrorNotSupported;
        }
    }
    return launch(function, &configuration, arguments, config->stream, default_stream);
}

BOTH(_ptsz, cudaLaunchKernelExC,
     (const cudaLaunchConfig_t *config, const void *function, void **arguments),
     launch_ex(config, function, arguments, default_stream))

/* --- Asking ----------------------------------------------------------------------------------- */

cudaError_t cudaFuncGetAttributes(struct cudaFuncAttributes *attributes, const void *function)
{
    struct kernel *kernel;
    cudaError_t error = program_kernel(function, &kernel);
    if (error != cudaSuccess)
        return api(error);
    memset(attributes, 0, sizeof *attributes);
    attributes->sharedSizeBytes = kernel->info.static_shared_bytes;
    attributes->constSizeBytes = kernel->info.constant_bytes;
    attributes->localSizeBytes = kernel->info.local_bytes;
    attributes->maxThreadsPerBlock = (int)kernel->info.max_threads;
    attributes->numRegs = (int)kernel->info.registers;
    attributes->ptxVersion = 80;
    attributes->binaryVersion = 80;
    attributes->maxDynamicSharedSizeBytes = kernel->dynamic_shared_most;
    attributes->preferredShmemCarveout = -1;
    return cudaSuccess;
}

cudaError_t cudaFuncSetAttribute(const void *function, enum cudaFuncAttribute attribute, int value)
{
    struct kernel *kernel;
    cudaError_t error = program_kernel(function, &kernel);
    if (error == cudaSuccess && attribute == cudaFuncAttributeMaxDynamicSharedMemorySize) {
        struct call call = new_call(REQUEST_DEVICE);
        error = perform(&call);
        uint32_t most = call.reply.device.shared_bytes_block;
        if (error == cudaSuccess &&
            (value < 0 || (uint32_t)value + kernel->info.static_shared_bytes > most))
            error = cudaErrorInvalidValue;
        if (error == cudaSuccess)
            kernel->dynamic_shared_most = value;
    }
    return api(error); /* the others advise a real device */
}

cudaError_t cudaFuncSetCacheConfig(const void *function, enum cudaFuncCache config)
{
    struct kernel *kernel;
    (void)config;
    return api(program_kernel(function, &kernel));
}

cudaError_t cudaFuncGetName(const char **name, const void *function)
{
    struct kernel *kernel;
    cudaError_t error = program_kernel(function, &kernel);
    if (error == cudaSuccess)
        *name = kernel->name;
    return api(error);
}

cudaError_t cudaOccupancyMaxActiveBlocksPerMultiprocessor(int *blocks, const void *function,
                                                          int threads, size_t shared)
{
    struct kernel *kernel;
    struct call call = new_call(REQUEST_OCCUPANCY);
    cudaError_t error = program_kernel(function, &kernel);
    if (error == cudaSuccess && threads <= 0)
        error = cudaErrorInvalidValue;
    if (error == cudaSuccess) {
        call.request.occupancy.kernel = kernel->handle;
        call.request.occupancy.block_threads = (uint32_t)threads;
        call.request.occupancy.dynamic_shared_bytes = (uint32_t)shared;
        error = perform(&call);
    }
    *blocks = error == cudaSuccess ? (int)call.reply.value[0] : 0;
    return api(error);
}

cudaError_t cudaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(int *blocks,
                                                                   const void *function,
                                                                   int threads, size_t shared,
                                                                   unsigned flags)
{
    (void)flags;
    return cudaOccupancyMaxActiveBlocksPerMultiprocessor(blocks, function, threads, shared);
}

cudaError_t cudaOccupancyAvailableDynamicSMemPerBlock(size_t *bytes, const void *function,
                                                      int blocks, int threads)
{
    struct call call = new_call(REQUEST_DEVICE);
    struct kernel *kernel;
    cudaError_t error = program_kernel(function, &kernel);
    (void)threads;
    if (error == cudaSuccess)
        error = blocks > 0 ? perform(&call) : cudaErrorInvalidValue;
    if (error != cudaSuccess)
        return api(error);
    const struct device_reply *device = &call.reply.device;
    size_t share = device->shared_bytes / (unsigned)blocks;
    size_t taken = device->shared_bytes_reserved + kernel->info.static_shared_bytes;
    size_t most = device->shared_bytes_block - kernel->info.static_shared_bytes;
    *bytes = share < taken ? 0 : share - taken < most ? share - taken : most;
    return cudaSuccess;
}
