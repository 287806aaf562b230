/* content.c - what a node of a graph does, whatever graph it is in.
 *
 * A content is filled from the API's arguments, checked in full, and then only copied, shown to the
 * program again, or put on the wire (graph_wire.c). It owns what it points to, so a program may
 * discard its own parameters at once.
 */
#include "client.h"

#include <stdlib.h>
#include <string.h>

/* --- Kernels ---------------------------------------------------------------------------------- */

/* Room for the parameters of from->kernel, and a pointer to each. */
static bool make_room(struct launch *launch, const struct launch *from)
{
    const struct kernel_reply *info = &from->kernel->info;
    *launch = *from;
    launch->parameters = calloc(1, info->parameter_bytes + 1);
    launch->pointers = calloc(info->parameter_count + 1, sizeof *launch->pointers);
    if (!launch->parameters || !launch->pointers) {
        free(launch->parameters);
        free(launch->pointers);
        return false;
    }
    for (uint32_t i = 0; i < info->parameter_count; i++)
        launch->pointers[i] = launch->parameters + from->kernel->parameters[i][0];
    return true;
}

cudaError_t content_launch(struct content *content, const struct launch *from)
{
    *content = (struct content){.type = cudaGraphNodeTypeKernel};
    if (!make_room(&content->launch, from))
        return cudaErrorMemoryAllocation;
    memcpy(content->launch.parameters, from->parameters, from->kernel->info.parameter_bytes);
    return cudaSuccess;
}

/* The other way to give parameters: pairs of a key and a value. The keys are the driver's
 * (CU_LAUNCH_PARAM_*): 0 ends the list, 1 is the packed bytes, 2 their number. */
static cudaError_t copy_packed(const struct launch *launch, void **extra)
{
    const void *bytes = NULL;
    size_t size_bytes = 0;
    for (; *extra; extra += 2) {
        if (*extra == (void *)1)
            bytes = extra[1];
        else if (*extra == (void *)2)
            size_bytes = *(const size_t *)extra[1];
        else
            return cudaErrorInvalidValue;
    }
    if (!bytes || size_bytes > launch->kernel->info.parameter_bytes)
        return cudaErrorInvalidValue;
    memcpy(launch->parameters, bytes, size_bytes);
    return cudaSuccess;
}

static cudaError_t copy_parameters(const struct launch *launch,
                                   const struct cudaKernelNodeParams *from)
{
    const struct kernel *kernel = launch->kernel;
    if (from->extra)
        return from->kernelParams ? cudaErrorInvalidValue : copy_packed(launch, from->extra);
    if (!from->kernelParams && kernel->info.parameter_count)
        return cudaErrorInvalidValue;
    for (uint32_t i = 0; i < kernel->info.parameter_count; i++)
        memcpy(launch->pointers[i], from->kernelParams[i], kernel->parameters[i][1]);
    return cudaSuccess;
}

static bool is_empty(const dim3 *size)
{
    return size->x == 0 || size->y == 0 || size->z == 0;
}

cudaError_t content_kernel(struct content *content, const struct cudaKernelNodeParams *from)
{
    struct kernel *kernel;
    if (!from)
        return cudaErrorInvalidValue;
    cudaError_t error = program_kernel(from->func, &kernel);
    if (error != cudaSuccess)
        return error;
    const struct launch launch = {.kernel = kernel,
                                  .grid = from->gridDim,
                                  .block = from->blockDim,
                                  .shared_bytes = from->sharedMemBytes};
    if (is_empty(&launch.grid) || is_empty(&launch.block) ||
        (uint64_t)launch.block.x * launch.block.y * launch.block.z > kernel->info.max_threads ||
        (int64_t)launch.shared_bytes > kernel->dynamic_shared_most)
        return cudaErrorInvalidValue;
    *content = (struct content){.type = cudaGraphNodeTypeKernel};
    if (!make_room(&content->launch, &launch))
        return cudaErrorMemoryAllocation;
    error = copy_parameters(&content->launch, from);
    if (error != cudaSuccess)
        content_drop(content);
    return error;
}

/* --- Copies and memsets ----------------------------------------------------------------------- */

cudaError_t content_copy(struct content *content, const struct cudaMemcpy3DParms *from)
{
    struct box box;
    cudaError_t error = from ? box_of(from, &box) : cudaErrorInvalidValue;
    if (error == cudaSuccess && box.width && box.height && box.depth)
        error = box_check(&box);
    if (error == cudaSuccess)
        *content = (struct content){.type = cudaGraphNodeTypeMemcpy, .copy = *from};
    return error;
}

cudaError_t content_copy_flat(struct content *content, void *to, const void *from, size_t count,
                              enum cudaMemcpyKind kind)
{
    const struct cudaMemcpy3DParms parameters = {.srcPtr = {(void *)from, count, count, 1},
                                                 .dstPtr = {to, count, count, 1},
                                                 .extent = {count, 1, 1},
                                                 .kind = kind};
    return content_copy(content, &parameters);
}

cudaError_t content_copy_symbol(struct content *content, const void *symbol, size_t offset,
                                void *other, size_t count, bool to_symbol, enum cudaMemcpyKind kind)
{
    void *place;
    cudaError_t error = program_symbol_part(symbol, offset, count, &place);
    if (error != cudaSuccess)
        return error;
    return to_symbol ? content_copy_flat(content, place, other, count, kind)
                     : content_copy_flat(content, other, place, count, kind);
}

cudaError_t content_set(struct content *content, const struct cudaMemsetParams *from)
{
    struct set_request request;
    cudaError_t error = from ? set_request_of(from, &request) : cudaErrorInvalidValue;
    if (error == cudaSuccess)
        *content = (struct content){.type = cudaGraphNodeTypeMemset, .set = *from};
    return error;
}

/* --- The rest --------------------------------------------------------------------------------- */

cudaError_t content_host(struct content *content, const struct cudaHostNodeParams *from)
{
    if (!from || !from->fn)
        return cudaErrorInvalidValue;
    *content = (struct content){.type = cudaGraphNodeTypeHost, .host = *from};
    return cudaSuccess;
}

/* A graph that allocates cannot be copied into a node, since two nodes would own its memory; nor
 * can one with conditions. */
cudaError_t content_child(struct content *content, cudaGraph_t child)
{
    const struct CUgraph_st *graph = graph_of(child);
    if (!graph || graph_allocates(graph) || graph_has_conditionals(graph))
        return cudaErrorInvalidValue;
    *content = (struct content){.type = cudaGraphNodeTypeGraph, .child = graph_clone(graph)};
    return content->child ? cudaSuccess : cudaErrorMemoryAllocation;
}

cudaError_t content_event(struct content *content, enum cudaGraphNodeType type, cudaEvent_t event)
{
    *content = (struct content){.type = type, .event = event_of(event)};
    return content->event ? cudaSuccess : cudaErrorInvalidValue;
}

cudaError_t content_alloc(struct content *content, struct cudaMemAllocNodeParams *parameters)
{
    cudaError_t error;
    if (!parameters || parameters->poolProps.allocType != cudaMemAllocationTypePinned ||
        parameters->poolProps.handleTypes != cudaMemHandleTypeNone ||
        parameters->poolProps.location.type != cudaMemLocationTypeDevice ||
        parameters->poolProps.location.id != 0 || parameters->bytesize == 0)
        return cudaErrorInvalidValue;
    struct graph_memory *memory = graph_memory_new(parameters, &error);
    if (!memory)
        return error;
    *content = (struct content){.type = cudaGraphNodeTypeMemAlloc, .memory = memory};
    parameters->dptr = graph_memory_parameters(memory)->dptr;
    return cudaSuccess;
}

cudaError_t content_free_memory(struct content *content, void *pointer)
{
    *content = (struct content){.type = cudaGraphNodeTypeMemFree, .freed = pointer};
    return graph_memory_is((uint64_t)pointer) ? cudaSuccess : cudaErrorInvalidValue;
}

cudaError_t content_request(struct content *content, enum cudaGraphNodeType type,
                            const struct call *call)
{
    *content = (struct content){.type = type, .is_request = true};
    content->payload = malloc(call->payload_bytes + 1);
    if (!content->payload)
        return cudaErrorMemoryAllocation;
    content->request = call->request;
    content->payload_bytes = call->payload_bytes;
    if (call->payload_bytes)
        memcpy(content->payload, call->payload, call->payload_bytes);
    return cudaSuccess;
}

/* --- By one structure for all types ----------------------------------------------------------- */

static cudaError_t generic_kernel(struct content *content,
                                  const struct cudaKernelNodeParamsV2 *from)
{
    const struct cudaKernelNodeParams parameters = {from->func,         from->gridDim,
                                                    from->blockDim,     from->sharedMemBytes,
                                                    from->kernelParams, from->extra};
    return content_kernel(content, &parameters);
}

static cudaError_t generic_set(struct content *content, const struct cudaMemsetParamsV2 *from)
{
    const struct cudaMemsetParams parameters = {from->dst,         from->pitch, from->value,
                                                from->elementSize, from->width, from->height};
    return content_set(content, &parameters);
}

static cudaError_t generic_alloc(struct content *content, struct cudaMemAllocNodeParamsV2 *from)
{
    struct cudaMemAllocNodeParams parameters = {from->poolProps, from->accessDescs,
                                                from->accessDescCount, from->bytesize, NULL};
    cudaError_t error = content_alloc(content, &parameters);
    from->dptr = error == cudaSuccess ? parameters.dptr : NULL;
    return error;
}

cudaError_t content_generic(struct content *content, struct cudaGraphNodeParams *from)
{
    if (!from)
        return cudaErrorInvalidValue;
    const struct cudaHostNodeParams host = {from->host.fn, from->host.userData};
    switch (from->type) {
    case cudaGraphNodeTypeKernel: return generic_kernel(content, &from->kernel);
    case cudaGraphNodeTypeMemcpy: return content_copy(content, &from->memcpy.copyParams);
    case cudaGraphNodeTypeMemset: return generic_set(content, &from->memset);
    case cudaGraphNodeTypeHost: return content_host(content, &host);
    case cudaGraphNodeTypeGraph: return content_child(content, from->graph.graph);
    case cudaGraphNodeTypeEmpty:
        *content = (struct content){.type = cudaGraphNodeTypeEmpty};
        return cudaSuccess;
    case cudaGraphNodeTypeWaitEvent:
        return content_event(content, from->type, from->eventWait.event);
    case cudaGraphNodeTypeEventRecord:
        return content_event(content, from->type, from->eventRecord.event);
    case cudaGraphNodeTypeMemAlloc: return generic_alloc(content, &from->alloc);
    case cudaGraphNodeTypeMemFree: return content_free_memory(content, from->free.dptr);
    case cudaGraphNodeTypeConditional: return content_conditional(content, &from->conditional);
    case cudaGraphNodeTypeExtSemaphoreSignal:
    case cudaGraphNodeTypeExtSemaphoreWait: return missing("External semaphores in a graph");
    default: return cudaErrorInvalidValue;
    }
}

/* --- Copying and dropping --------------------------------------------------------------------- */

cudaError_t content_clone(struct content *to, const struct content *from)
{
    const struct call call = {
        .request = from->request, .payload = from->payload, .payload_bytes = from->payload_bytes};
    if (from->is_request)
        return content_request(to, from->type, &call);
    *to = *from;
    switch (from->type) {
    case cudaGraphNodeTypeKernel: return content_launch(to, &from->launch);
    case cudaGraphNodeTypeGraph:
        to->child = graph_clone(from->child);
        return to->child ? cudaSuccess : cudaErrorMemoryAllocation;
    case cudaGraphNodeTypeConditional:
        to->conditional = conditional_clone(from->conditional);
        return to->conditional ? cudaSuccess : cudaErrorMemoryAllocation;
    case cudaGraphNodeTypeMemAlloc: graph_memory_keep(to->memory); return cudaSuccess;
    default: return cudaSuccess;
    }
}

void content_drop(struct content *content)
{
    if (content->is_request) {
        free(content->payload);
    } else if (content->type == cudaGraphNodeTypeKernel) {
        free(content->launch.parameters);
        free(content->launch.pointers);
    } else if (content->type == cudaGraphNodeTypeGraph) {
        graph_free(content->child);
    } else if (content->type == cudaGraphNodeTypeConditional) {
        conditional_free(content->conditional);
    } else if (content->type == cudaGraphNodeTypeMemAlloc) {
        graph_memory_drop(content->memory);
    }
    *content = (struct content){.type = cudaGraphNodeTypeEmpty};
}
