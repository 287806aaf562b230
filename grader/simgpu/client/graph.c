/* graph.c - graphs as a program builds them: nodes, what each does, what each depends on. Making
 * them executable is in graph_exec.c, adding and changing nodes by hand in graph_nodes.c.
 *
 * A node holds the request the device will carry out for it, with its payload. Copies that touch
 * ordinary host memory go through pinned memory of the node's own: the bytes are read when the
 * graph runs, not when it was made, as on a device.
 */
#include "client.h"

#include <stdlib.h>
#include <string.h>

struct CUgraph_st *graph_new(void)
{
    return calloc(1, sizeof(struct CUgraph_st));
}

static void free_node(struct CUgraphNode_st *node)
{
    if (!node)
        return;
    memory_pinned_free(node->staging);
    graph_free(node->child);
    free(node->payload);
    free(node->before);
    free(node);
}

void graph_free(struct CUgraph_st *graph)
{
    if (!graph)
        return;
    for (size_t i = 0; i < graph->count; i++)
        free_node(graph->nodes[i]);
    free(graph->nodes);
    free(graph);
}

bool graph_depend(struct CUgraphNode_st *node, struct CUgraphNode_st *before)
{
    for (size_t i = 0; i < node->before_count; i++)
        if (node->before[i] == before)
            return true;
    if (node->before_count == node->before_room) {
        size_t room = node->before_room ? 2 * node->before_room : 4;
        struct CUgraphNode_st **grown = realloc(node->before, room * sizeof *grown);
        if (!grown)
            return false;
        node->before = grown;
        node->before_room = room;
    }
    node->before[node->before_count++] = before;
    return true;
}

struct CUgraphNode_st *graph_add(struct CUgraph_st *graph, enum cudaGraphNodeType type,
                                 struct CUgraphNode_st *const *before, size_t before_count)
{
    if (graph->count == graph->room) {
        size_t room = graph->room ? 2 * graph->room : 8;
        struct CUgraphNode_st **grown = realloc(graph->nodes, room * sizeof *grown);
        if (!grown)
            return NULL;
        graph->nodes = grown;
        graph->room = room;
    }
    struct CUgraphNode_st *node = calloc(1, sizeof *node);
    if (!node)
        return NULL;
    node->graph = graph;
    node->type = type;
    node->request.kind = REQUEST_NOTE; /* an empty node, until it is filled */
    for (size_t i = 0; i < before_count; i++)
        if (!graph_depend(node, before[i])) {
            free_node(node);
            return NULL;
        }
    graph->nodes[graph->count++] = node;
    return node;
}

static cudaError_t keep_payload(struct CUgraphNode_st *node, const struct call *call)
{
    unsigned char *copy = malloc(call->payload_bytes + 1);
    if (!copy)
        return cudaErrorMemoryAllocation;
    if (call->payload_bytes)
        memcpy(copy, call->payload, call->payload_bytes);
    free(node->payload);
    node->payload = copy;
    node->payload_bytes = call->payload_bytes;
    return cudaSuccess;
}

/* --- Copies of ordinary host memory ---------------------------------------------------------------- */

struct staged { /* what the host function of a staged copy moves; stands before the staging bytes */
    void *to;
    const void *from;
    size_t bytes;
};

static void move_staged(void *data)
{
    struct staged *staged = data;
    memcpy(staged->to, staged->from, staged->bytes);
}

/* A host function node before or behind the copy moves the bytes; the copy itself is between the
 * device and pinned memory. */
static cudaError_t stage_copy(struct CUgraphNode_st *node, const struct copy_request *copy,
                              void *host_bytes)
{
    size_t bytes = copy->width * copy->height * copy->depth;
    struct staged *staged = memory_pinned(sizeof *staged + bytes);
    if (!staged)
        return cudaErrorMemoryAllocation;
    unsigned char *middle = (unsigned char *)(staged + 1);
    bool to_device = copy->kind == COPY_FROM_HOST;
    *staged = (struct staged){to_device ? middle : host_bytes, to_device ? host_bytes : middle,
                              bytes};
    memory_pinned_free(node->staging);
    node->staging = staged;
    node->request.copy = *copy;
    node->request.copy.kind = COPY_ON_DEVICE;
    node->request.copy.over_bus = 1;
    if (to_device)
        node->request.copy.from = (uint64_t)middle;
    else
        node->request.copy.to = (uint64_t)middle;
    return cudaSuccess;
}

/* The host function that belongs to a staged copy. */
void graph_staging_request(const struct CUgraphNode_st *node, struct request *request)
{
    *request = (struct request){.kind = REQUEST_HOST_FUNCTION};
    request->host_function.function = (uint64_t)(uintptr_t)move_staged;
    request->host_function.data = (uint64_t)(uintptr_t)node->staging;
}

/* Does the host function come before the copy? Yes when the bytes go to the device. */
bool graph_staging_is_first(const struct CUgraphNode_st *node)
{
    return is_device_range(node->request.copy.to) && !memory_is_shared(node->request.copy.to);
}

cudaError_t graph_fill(struct CUgraphNode_st *node, const struct call *call)
{
    node->request = call->request;
    if (call->request.kind != REQUEST_COPY || call->request.copy.kind == COPY_ON_DEVICE)
        return keep_payload(node, call);
    void *host_bytes = call->request.copy.kind == COPY_FROM_HOST
                           ? (void *)call->request.copy.from
                           : (void *)call->request.copy.to;
    if (call->request.copy.height * call->request.copy.depth > 1)
        return missing("capturing a pitched copy of pageable host memory");
    return stage_copy(node, &call->request.copy, host_bytes);
}

/* --- Whole graphs ----------------------------------------------------------------------------- */

cudaError_t cudaGraphCreate(cudaGraph_t *graph, unsigned flags)
{
    (void)flags;
    *graph = graph_new();
    return api(*graph ? cudaSuccess : cudaErrorMemoryAllocation);
}

cudaError_t cudaGraphDestroy(cudaGraph_t graph)
{
    graph_free(graph);
    return api(graph ? cudaSuccess : cudaErrorInvalidValue);
}

static cudaError_t copy_node(struct CUgraph_st *to, struct CUgraphNode_st *node)
{
    struct CUgraphNode_st *copy = graph_add(to, node->type, NULL, 0);
    if (!copy)
        return cudaErrorMemoryAllocation;
    struct call call = {.request = node->request,
                        .payload = node->payload,
                        .payload_bytes = node->payload_bytes};
    copy->request = node->request;
    copy->kernel = node->kernel;
    copy->copy = node->copy;
    copy->set = node->set;
    copy->disabled = node->disabled;
    copy->original = node;
    if (keep_payload(copy, &call) != cudaSuccess)
        return cudaErrorMemoryAllocation;
    if (node->staging) {
        const struct staged *staged = node->staging;
        bool to_device = graph_staging_is_first(node);
        struct copy_request request = node->request.copy;
        request.kind = to_device ? COPY_FROM_HOST : COPY_TO_HOST;
        cudaError_t error =
            stage_copy(copy, &request, to_device ? (void *)staged->from : staged->to);
        if (error != cudaSuccess)
            return error;
    }
    copy->child = node->child ? graph_clone(node->child) : NULL;
    return node->child && !copy->child ? cudaErrorMemoryAllocation : cudaSuccess;
}

/* A copy of graph whose nodes remember what they were made from. NULL without memory. */
struct CUgraph_st *graph_clone(const struct CUgraph_st *graph)
{
    struct CUgraph_st *clone = graph_new();
    for (size_t i = 0; clone && i < graph->count; i++) {
        graph->nodes[i]->order = (uint32_t)i;
        if (copy_node(clone, graph->nodes[i]) != cudaSuccess) {
            graph_free(clone);
            clone = NULL;
        }
    }
    for (size_t i = 0; clone && i < graph->count; i++)
        for (size_t j = 0; j < graph->nodes[i]->before_count; j++)
            if (!graph_depend(clone->nodes[i], clone->nodes[graph->nodes[i]->before[j]->order])) {
                graph_free(clone);
                return NULL;
            }
    return clone;
}

cudaError_t cudaGraphClone(cudaGraph_t *clone, cudaGraph_t graph)
{
    *clone = graph ? graph_clone(graph) : NULL;
    return api(!graph ? cudaErrorInvalidValue : *clone ? cudaSuccess : cudaErrorMemoryAllocation);
}

cudaError_t cudaGraphNodeFindInClone(cudaGraphNode_t *found, cudaGraphNode_t original,
                                     cudaGraph_t clone)
{
    *found = NULL;
    for (size_t i = 0; i < clone->count; i++)
        if (clone->nodes[i]->original == original)
            *found = clone->nodes[i];
    return api(*found ? cudaSuccess : cudaErrorInvalidValue);
}
