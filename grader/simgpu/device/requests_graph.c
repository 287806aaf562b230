/* requests_graph.c - graphs: sent once, node by node, launched often. */
#include "device.h"

#include <stdlib.h>
#include <string.h>

enum { MOST_GRAPH_NODES = 1 << 20 };

/* What launching a graph costs the host, measured on an H200, whatever is in it. */
static const double HOST_GRAPH_NS = 2200;

void graph_free(struct graph *graph)
{
    for (uint32_t i = 0; i < graph->node_count; i++) {
        free(graph->nodes[i].payload);
        if (graph->dependencies)
            free(graph->dependencies[i]);
    }
    free(graph->nodes);
    free(graph->dependencies);
    free(graph->dependency_counts);
    *graph = (struct graph){.used = false};
}

struct reader {
    const unsigned char *at, *end;
};

static bool take(struct reader *reader, void *to, uint64_t size)
{
    if (size > (uint64_t)(reader->end - reader->at))
        return false;
    memcpy(to, reader->at, size);
    reader->at += size;
    return true;
}

/* Dependencies name earlier nodes only: the program sends them in an order that can be done. */
static bool read_dependencies(struct reader *reader, struct graph *graph, uint32_t node,
                              uint32_t count)
{
    if (count > node)
        return false;
    graph->dependency_counts[node] = count;
    graph->dependencies[node] = calloc((size_t)count + 2, sizeof(uint32_t));
    if (!graph->dependencies[node] ||
        !take(reader, graph->dependencies[node], (count + (count & 1)) * sizeof(uint32_t)))
        return false;
    for (uint32_t i = 0; i < count; i++)
        if (graph->dependencies[node][i] >= node)
            return false;
    return true;
}

/* Memory is not freed by graphs here: the program keeps it for as long as the graph is there. */
static bool accept_node(struct exchange *exchange, struct work *node)
{
    uint32_t kind = node->request.kind;
    return kind != REQUEST_FREE_IN_ORDER && work_accept(exchange, node);
}

static bool read_node(struct exchange *exchange, struct reader *reader, struct graph *graph,
                      uint32_t index)
{
    struct graph_node head;
    struct work *node = &graph->nodes[index];
    if (!take(reader, &head, sizeof head) ||
        !read_dependencies(reader, graph, index, head.dependency_count) ||
        !take(reader, &node->request, sizeof node->request) ||
        head.payload_bytes > (uint64_t)(reader->end - reader->at))
        return false;
    node->payload_bytes = head.payload_bytes;
    node->payload = malloc(head.payload_bytes + 1);
    return node->payload && take(reader, node->payload, head.payload_bytes) &&
           accept_node(exchange, node);
}

static bool read_nodes(struct exchange *exchange, struct graph *graph, uint32_t count)
{
    struct reader reader = {exchange->payload, exchange->payload + exchange->request.payload_bytes};
    graph->nodes = calloc(count + 1u, sizeof *graph->nodes);
    graph->dependencies = calloc(count + 1u, sizeof *graph->dependencies);
    graph->dependency_counts = calloc(count + 1u, sizeof *graph->dependency_counts);
    if (!graph->nodes || !graph->dependencies || !graph->dependency_counts)
        return false;
    while (graph->node_count < count) /* counted first: a node half read owns memory already */
        if (!read_node(exchange, &reader, graph, graph->node_count++))
            return false;
    return true;
}

void request_graph_create(struct exchange *exchange)
{
    struct client *client = exchange->client;
    uint32_t count = exchange->request.graph.node_count;
    uint64_t least_bytes = (uint64_t)count * (sizeof(struct graph_node) + sizeof(struct request));
    bool fits = count <= MOST_GRAPH_NODES && least_bytes <= exchange->request.payload_bytes;
    size_t place = fits ? client_free_place((void **)&client->graphs, &client->graph_count,
                                            sizeof *client->graphs, 1)
                        : 0;
    if (!place) {
        exchange_fail(exchange, CUDA_MEMORY_ALLOCATION, "the program holds too many graphs");
        return;
    }
    struct graph *graph = &client->graphs[place];
    *graph = (struct graph){.used = true};
    if (read_nodes(exchange, graph, count)) {
        exchange->reply.value[0] = place;
        return;
    }
    graph_free(graph);
    if (exchange->reply.error == 0)
        exchange_fail(exchange, CUDA_INVALID_VALUE, "a graph has a node that cannot be run");
}

static struct graph *graph_at(struct exchange *exchange)
{
    struct client *client = exchange->client;
    uint64_t handle = exchange->request.graph.graph;
    bool known = handle < client->graph_count && client->graphs[handle].used;
    if (!known)
        exchange_fail(exchange, CUDA_INVALID_RESOURCE_HANDLE, "there is no such graph");
    return known ? &client->graphs[handle] : NULL;
}

/* One call for the host, but every kernel in it counts as launched. */
void request_graph_launch(struct exchange *exchange)
{
    struct client *client = exchange->client;
    struct simgpu_calls *calls = &client->device->calls;
    uint64_t number = exchange->request.graph.stream;
    work_make_room(exchange->line);
    struct graph *graph = graph_at(exchange);
    const struct stream *stream = stream_at(client, number);
    if (!graph)
        return;
    if (!stream || stream->leaving) {
        exchange_fail(exchange, CUDA_INVALID_RESOURCE_HANDLE, "there is no such stream");
        return;
    }
    client->host_ns += HOST_GRAPH_NS;
    client_count(client, &calls->graph_launches);
    for (uint32_t i = 0; i < graph->node_count; i++)
        if (work_computes(graph->nodes[i].kind))
            client_count(client, &calls->launches);
    work_queue_graph(exchange->line, number, graph);
}

void request_graph_destroy(struct exchange *exchange)
{
    struct graph *graph = graph_at(exchange);
    if (graph)
        graph_free(graph);
}
