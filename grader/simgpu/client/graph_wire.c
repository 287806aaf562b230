/* graph_wire.c - an executable graph as it is sent to the device: one flat list of requests, each
 * with the numbers of the earlier ones that it depends on (struct graph_node of ../protocol.h).
 *
 * A child graph becomes its nodes, between an empty node that begins it and one that ends it. A
 * copy to or from ordinary host memory becomes two nodes: a host function that moves the bytes to
 * or from pinned memory of the executable graph, and the copy itself; so the bytes are read when
 * the graph runs, not when it was made.
 */
#include "client.h"

#include <stdlib.h>
#include <string.h>

struct staging { /* of one copy of ordinary host memory */
    struct staging *next;
    struct box box; /* what the host function moves */
    void *pinned;
};

struct writer {
    unsigned char *bytes;
    size_t used, room;
    uint32_t nodes;
    struct CUgraphExec_st *exec;
    cudaError_t error; /* the first; after it nothing more is written */
};

/* The numbers of the nodes that the next one depends on. */
struct waits {
    const uint32_t *numbers;
    uint32_t count;
};

static void put(struct writer *writer, const void *bytes, size_t size)
{
    if (writer->used + size > writer->room) {
        size_t room = 2 * (writer->used + size) + 1024;
        unsigned char *grown = realloc(writer->bytes, room);
        if (!grown) {
            writer->error = cudaErrorMemoryAllocation;
            return;
        }
        writer->bytes = grown;
        writer->room = room;
    }
    if (size)
        memcpy(writer->bytes + writer->used, bytes, size);
    writer->used += size;
}

/* One node of the device; returns its number. */
static uint32_t put_request(struct writer *writer, const struct request *request,
                            const void *payload, uint64_t payload_bytes, struct waits waits)
{
    static const uint32_t PAD;
    const struct graph_node head = {.dependency_count = waits.count,
                                    .payload_bytes = payload_bytes};
    put(writer, &head, sizeof head);
    put(writer, waits.numbers, waits.count * sizeof *waits.numbers);
    put(writer, &PAD, (waits.count & 1) * sizeof PAD);
    put(writer, request, sizeof *request);
    put(writer, payload, payload_bytes);
    return writer->nodes++;
}

static uint32_t put_empty(struct writer *writer, struct waits waits)
{
    const struct request empty = {.kind = REQUEST_NOTE};
    return put_request(writer, &empty, NULL, 0, waits);
}

/* --- By type ---------------------------------------------------------------------------------- */

static uint32_t put_launch(struct writer *writer, const struct launch *launch, struct waits waits)
{
    struct request request = {.kind = REQUEST_LAUNCH};
    struct kernel *kernel; /* the same; but the device may have forgotten it */
    cudaError_t error = program_kernel(launch->kernel, &kernel);
    dim3 cluster = launch->cluster;
    if (error == cudaSuccess)
        error = cluster_of(kernel, &launch->cluster, &cluster);
    if (error != cudaSuccess)
        writer->error = error;
    request.launch =
        (struct launch_request){.kernel = launch->kernel->handle,
                                .grid = {launch->grid.x, launch->grid.y, launch->grid.z},
                                .block = {launch->block.x, launch->block.y, launch->block.z},
                                .dynamic_shared_bytes = launch->shared_bytes,
                                .cooperative = launch->cooperative,
                                .may_begin_early = launch->may_begin_early,
                                .cluster = {cluster.x, cluster.y, cluster.z},
                                .wide_clusters = launch->kernel->allows_wide_clusters};
    return put_request(writer, &request, launch->parameters, launch->kernel->info.parameter_bytes,
                       waits);
}

static uint32_t put_function(struct writer *writer, void (*function)(void *), void *data,
                             struct waits waits)
{
    struct request request = {.kind = REQUEST_HOST_FUNCTION};
    if (!callbacks_start())
        writer->error = cudaErrorMemoryAllocation;
    request.host_function.function = (uint64_t)(uintptr_t)function;
    request.host_function.data = (uint64_t)(uintptr_t)data;
    return put_request(writer, &request, NULL, 0, waits);
}

static void move_staged(void *box)
{
    box_move(box);
}

/* Kept by the executable graph; pinned_bytes may be 0. NULL, and an error, without memory. */
static struct staging *new_staging(struct writer *writer, uint64_t pinned_bytes)
{
    struct staging *staging = calloc(1, sizeof *staging);
    if (staging && pinned_bytes)
        staging->pinned = memory_pinned(pinned_bytes);
    if (!staging || (pinned_bytes && !staging->pinned)) {
        free(staging);
        writer->error = cudaErrorMemoryAllocation;
        return NULL;
    }
    staging->next = writer->exec->staging;
    writer->exec->staging = staging;
    return staging;
}

static uint32_t put_device_copy(struct writer *writer, const struct box *box, struct waits waits)
{
    struct request request = {.kind = REQUEST_COPY};
    request.copy = box_request(box, 0, COPY_ON_DEVICE);
    return put_request(writer, &request, NULL, 0, waits);
}

/* One side is ordinary memory: its bytes are packed into a buffer, which is copied; or the buffer
 * is filled, and then unpacked to it. */
static uint32_t put_staged_copy(struct writer *writer, const struct box *box, struct waits waits)
{
    struct staging *staging = new_staging(writer, box->width * box->height * box->depth);
    if (!staging)
        return 0;
    uint64_t middle = (uint64_t)staging->pinned;
    const struct box into = box_packed_to(box, middle), out = box_packed_from(box, middle);
    uint32_t first;
    const struct waits behind = {&first, 1};
    if (is_device_range(box->to)) {
        staging->box = into;
        first = put_function(writer, move_staged, &staging->box, waits);
        return put_device_copy(writer, &out, behind);
    }
    staging->box = out;
    first = put_device_copy(writer, &into, waits);
    return put_function(writer, move_staged, &staging->box, behind);
}

static uint32_t put_copy(struct writer *writer, const struct cudaMemcpy3DParms *copy,
                         struct waits waits)
{
    struct box box;
    box_of(copy, &box);
    if (box.width == 0 || box.height == 0 || box.depth == 0)
        return put_empty(writer, waits);
    if (is_device_range(box.to) && is_device_range(box.from))
        return put_device_copy(writer, &box, waits);
    if (is_device_range(box.to) || is_device_range(box.from))
        return put_staged_copy(writer, &box, waits);
    struct staging *staging = new_staging(writer, 0); /* between two places of the host */
    if (!staging)
        return 0;
    staging->box = box;
    return put_function(writer, move_staged, &staging->box, waits);
}

static uint32_t put_set(struct writer *writer, const struct cudaMemsetParams *set,
                        struct waits waits)
{
    struct request request = {.kind = REQUEST_SET};
    set_request_of(set, &request.set);
    if (set->width == 0 || set->height == 0)
        return put_empty(writer, waits);
    return put_request(writer, &request, NULL, 0, waits);
}

static uint32_t put_event(struct writer *writer, enum request_kind kind,
                          const struct CUevent_st *event, struct waits waits)
{
    struct request request = {.kind = kind};
    request.stream.event = event->number;
    return put_request(writer, &request, NULL, 0, waits);
}

static uint32_t put_graph(struct writer *writer, const struct CUgraph_st *graph,
                          const uint32_t *entry);

/* A body is written as a graph of its own, whose nodes are numbered from 0, after its head. */
static void put_body(struct writer *bodies, const struct CUgraph_st *graph)
{
    struct writer body = {.exec = bodies->exec, .error = bodies->error};
    put_graph(&body, graph, NULL);
    const struct graph_body head = {.node_count = body.nodes, .bytes = body.used};
    put(bodies, &head, sizeof head);
    put(bodies, body.bytes, body.used);
    if (body.error != cudaSuccess)
        bodies->error = body.error;
    free(body.bytes);
}

static uint32_t put_conditional(struct writer *writer, const struct conditional *conditional,
                                struct waits waits)
{
    struct request request = {.kind = REQUEST_CONDITIONAL};
    struct writer bodies = {.exec = writer->exec, .error = writer->error};
    request.conditional.handle = conditional->handle;
    request.conditional.type = conditional->type;
    request.conditional.body_count = conditional->size;
    request.conditional.initial = conditional->initial;
    request.conditional.is_assigned = conditional->is_assigned;
    for (unsigned i = 0; i < conditional->size; i++)
        put_body(&bodies, conditional->bodies[i]);
    uint32_t number = put_request(writer, &request, bodies.bytes, bodies.used, waits);
    if (bodies.error != cudaSuccess)
        writer->error = bodies.error;
    free(bodies.bytes);
    return number;
}

static uint32_t put_content(struct writer *writer, const struct content *content,
                            struct waits waits)
{
    uint32_t entry;
    if (content->is_request)
        return put_request(writer, &content->request, content->payload, content->payload_bytes,
                           waits);
    switch (content->type) {
    case cudaGraphNodeTypeKernel: return put_launch(writer, &content->launch, waits);
    case cudaGraphNodeTypeMemcpy: return put_copy(writer, &content->copy, waits);
    case cudaGraphNodeTypeMemset: return put_set(writer, &content->set, waits);
    case cudaGraphNodeTypeHost:
        return put_function(writer, content->host.fn, content->host.userData, waits);
    case cudaGraphNodeTypeGraph:
        entry = put_empty(writer, waits);
        return put_graph(writer, content->child, &entry);
    case cudaGraphNodeTypeConditional: return put_conditional(writer, content->conditional, waits);
    case cudaGraphNodeTypeEventRecord:
        return put_event(writer, REQUEST_EVENT_RECORD, content->event, waits);
    case cudaGraphNodeTypeWaitEvent:
        return put_event(writer, REQUEST_STREAM_WAIT, content->event, waits);
    default: return put_empty(writer, waits); /* graph_memory.c makes and frees memory */
    }
}

/* --- Whole graphs ----------------------------------------------------------------------------- */

/* A node after all it depends on, or after the entry if that is nothing. */
static uint32_t put_node(struct writer *writer, const struct CUgraphNode_st *node,
                         const uint32_t *numbers, const uint32_t *entry)
{
    uint32_t *before = calloc(node->before_count + 1, sizeof *before);
    struct waits waits = {before, (uint32_t)node->before_count};
    if (!before) {
        writer->error = cudaErrorMemoryAllocation;
        return 0;
    }
    for (size_t i = 0; i < node->before_count; i++)
        before[i] = numbers[node->before[i]->order];
    if (waits.count == 0 && entry)
        before[waits.count++] = *entry;
    uint32_t number =
        node->disabled ? put_empty(writer, waits) : put_content(writer, &node->content, waits);
    free(before);
    return number;
}

/* Returns the number of a node that comes after all of graph, if there is an entry. */
static uint32_t put_graph(struct writer *writer, const struct CUgraph_st *graph,
                          const uint32_t *entry)
{
    struct CUgraphNode_st **sorted = calloc(graph->count + 1, sizeof(struct CUgraphNode_st *));
    uint32_t *numbers = calloc(graph->count + 1, sizeof *numbers);
    uint32_t end = entry ? *entry : 0;
    if (!sorted || !numbers)
        writer->error = cudaErrorMemoryAllocation;
    else if (!graph_sort(graph, sorted))
        writer->error = cudaErrorInvalidValue;
    for (size_t i = 0; writer->error == cudaSuccess && i < graph->count; i++)
        numbers[i] = put_node(writer, sorted[i], numbers, entry);
    if (entry && writer->error == cudaSuccess && graph->count)
        end = put_empty(writer, (struct waits){numbers, (uint32_t)graph->count});
    free(sorted);
    free(numbers);
    return end;
}

cudaError_t graph_wire_send(struct CUgraphExec_st *exec)
{
    struct writer writer = {.exec = exec};
    struct call call = new_call(REQUEST_GRAPH_CREATE);
    put_graph(&writer, exec->graph, NULL);
    if (writer.error == cudaSuccess) {
        call.request.graph.node_count = writer.nodes;
        call.request.graph.graph = exec->replaces;
        call.payload = writer.bytes;
        call.payload_bytes = writer.used;
        writer.error = perform(&call);
    }
    free(writer.bytes);
    if (writer.error != cudaSuccess) {
        graph_wire_free_staging(exec);
        return writer.error;
    }
    exec->number = call.reply.value[0];
    uint64_t replaced = exec->replaces;
    exec->replaces = 0;
    return graph_wire_destroy(replaced);
}

cudaError_t graph_wire_destroy(uint64_t number)
{
    struct call call = new_call(REQUEST_GRAPH_DESTROY);
    call.request.graph.graph = number;
    return number ? perform(&call) : cudaSuccess;
}

/* Giving pinned memory back waits until no launch uses it. */
void graph_wire_free_staging(struct CUgraphExec_st *exec)
{
    while (exec->staging) {
        struct staging *staging = exec->staging;
        exec->staging = staging->next;
        memory_pinned_free(staging->pinned);
        free(staging);
    }
}
