/* requests_graph.c - graphs: sent once, node by node, launched often. */
#include "device.h"
#include "timeline.h"

#include <stdlib.h>
#include <string.h>

/* Conditional nodes may be nested at most this deep. */
enum { MOST_GRAPH_NODES = 1 << 20, MOST_DEPTH = 32 };

/* What launching a graph costs the host, whatever is in it; measured on an H200. */
static const double HOST_GRAPH_NS = 1180;

static void free_node(struct work *node)
{
    for (uint32_t i = 0; node->bodies && i < node->request.conditional.body_count; i++)
        graph_free(&node->bodies[i]);
    free(node->bodies);
    free(node->payload);
}

void graph_free(struct graph *graph)
{
    for (uint32_t i = 0; i < graph->node_count; i++) {
        free_node(&graph->nodes[i]);
        if (graph->dependencies)
            free(graph->dependencies[i]);
    }
    free(graph->nodes);
    free(graph->dependencies);
    free(graph->dependency_counts);
    conditions_free(graph->conditions);
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

/* Dependencies may only name earlier nodes: the program sends them in a feasible order. */
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

/* A graph being read: its own nodes, and those of bodies inside. */
struct reading {
    struct exchange *exchange;
    struct conditions **conditions; /* of the whole graph */
    unsigned depth;                 /* 0: the graph itself */
};

static bool read_nodes(const struct reading *reading, struct reader *reader, struct graph *graph,
                       uint32_t count);

/* Graphs do not free memory here: the program keeps it as long as the graph exists. The meaning of
 * events is fixed when a graph is launched, which bodies are not. */
static bool accept_node(const struct reading *reading, struct work *node)
{
    uint32_t kind = node->request.kind;
    bool is_event = kind == REQUEST_EVENT_RECORD || kind == REQUEST_STREAM_WAIT;
    return kind != REQUEST_FREE_IN_ORDER && !(is_event && reading->depth) &&
           work_accept(reading->exchange, node);
}

static bool read_body(const struct reading *reading, struct reader *reader, struct graph *body)
{
    struct graph_body head;
    if (!take(reader, &head, sizeof head) || head.bytes > (uint64_t)(reader->end - reader->at))
        return false;
    struct reader nodes = {reader->at, reader->at + head.bytes};
    reader->at += head.bytes;
    return read_nodes(reading, &nodes, body, head.node_count);
}

/* An if has one or two bodies; a loop has one. */
static bool has_right_bodies(const struct request *request)
{
    uint32_t count = request->conditional.body_count;
    switch (request->conditional.type) {
    case CONDITIONAL_IF: return count == 1 || count == 2;
    case CONDITIONAL_WHILE: return count == 1;
    case CONDITIONAL_SWITCH: return count >= 1;
    default: return false;
    }
}

static bool read_conditional(const struct reading *reading, struct work *node)
{
    const struct request *request = &node->request;
    struct reader reader = {node->payload, node->payload + node->payload_bytes};
    struct reading inside = {reading->exchange, reading->conditions, reading->depth + 1};
    uint32_t count = request->conditional.body_count;
    node->kind = WORK_CONDITIONAL;
    if (inside.depth > MOST_DEPTH || !has_right_bodies(request) ||
        count > node->payload_bytes / sizeof(struct graph_body) ||
        !conditions_add(reading->conditions, request))
        return false;
    node->bodies = calloc(count, sizeof *node->bodies);
    for (uint32_t i = 0; node->bodies && i < count; i++)
        if (!read_body(&inside, &reader, &node->bodies[i]))
            return false;
    node->payload_bytes = 0; /* read: its copies no longer need it */
    return node->bodies;
}

static bool read_node(const struct reading *reading, struct reader *reader, struct graph *graph,
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
    if (!node->payload || !take(reader, node->payload, head.payload_bytes))
        return false;
    return node->request.kind == REQUEST_CONDITIONAL ? read_conditional(reading, node)
                                                     : accept_node(reading, node);
}

static bool read_nodes(const struct reading *reading, struct reader *reader, struct graph *graph,
                       uint32_t count)
{
    uint64_t least_bytes = (uint64_t)count * (sizeof(struct graph_node) + sizeof(struct request));
    if (count > MOST_GRAPH_NODES || least_bytes > (uint64_t)(reader->end - reader->at))
        return false;
    graph->nodes = calloc(count + 1u, sizeof *graph->nodes);
    graph->dependencies = calloc(count + 1u, sizeof *graph->dependencies);
    graph->dependency_counts = calloc(count + 1u, sizeof *graph->dependency_counts);
    if (!graph->nodes || !graph->dependencies || !graph->dependency_counts)
        return false;
    while (graph->node_count < count) /* counted first: a half-read node already owns memory */
        if (!read_node(reading, reader, graph, graph->node_count++))
            return false;
    return true;
}

/* Everything that runs in the graph may set its conditions. */
static void connect_conditions(struct graph *graph, struct conditions *conditions)
{
    for (uint32_t i = 0; i < graph->node_count; i++) {
        struct work *node = &graph->nodes[i];
        node->conditions = conditions;
        for (uint32_t j = 0; node->bodies && j < node->request.conditional.body_count; j++)
            connect_conditions(&node->bodies[j], conditions);
    }
}

static bool read_graph(struct exchange *exchange, struct graph *graph, uint32_t count)
{
    struct reader reader = {exchange->payload, exchange->payload + exchange->request.payload_bytes};
    const struct reading reading = {exchange, &graph->conditions, 0};
    if (!read_nodes(&reading, &reader, graph, count))
        return false;
    connect_conditions(graph, graph->conditions);
    return true;
}

/* One whose nodes were changed, in place of the graph that the request names: it has as many. */
static bool is_update(const struct exchange *exchange)
{
    const struct client *client = exchange->client;
    uint64_t handle = exchange->request.graph.graph;
    return handle && handle < client->graph_count && client->graphs[handle].used &&
           client->graphs[handle].node_count == exchange->request.graph.node_count;
}

void request_graph_create(struct exchange *exchange)
{
    struct client *client = exchange->client;
    uint32_t count = exchange->request.graph.node_count;
    size_t place = client_free_place((void **)&client->graphs, &client->graph_count,
                                     sizeof *client->graphs, &client->graph_from);
    if (!place) {
        exchange_fail(exchange, CUDA_MEMORY_ALLOCATION, "the program holds too many graphs");
        return;
    }
    struct graph *graph = &client->graphs[place];
    *graph = (struct graph){.used = true};
    if (read_graph(exchange, graph, count)) {
        if (!is_update(exchange))
            client_count(client, &client->device->calls.graphs_made);
        client_made(client, SIMGPU_READY_GRAPH);
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
    for (uint32_t i = 0; i < graph->node_count; i++) {
        work_note(client, &graph->nodes[i], number, false);
        if (graph->nodes[i].kind == WORK_LAUNCH)
            client_count(client, &calls->graph_kernels);
    }
    timeline_queues(exchange);
    work_queue_graph(exchange->line, number, graph);
}

/* Queued work has copies of the nodes, but not of the bodies and values of conditional ones: those
 * stay until it is done. */
void request_graph_destroy(struct exchange *exchange)
{
    struct graph *graph = graph_at(exchange);
    uint64_t last = graph && graph->conditions ? graph->last : 0;
    if (!work_is_done(exchange->client, last))
        hold_end_for(exchange->client, 0);
    work_wait(exchange->line, last);
    if (!work_is_done(exchange->client, last)) /* the program is going */
        return;
    graph = graph ? graph_at(exchange) : NULL;
    if (!graph)
        return;
    graph_free(graph);
    client_place_is_free(&exchange->client->graph_from, exchange->request.graph.graph);
    client_gave_back(exchange->client, SIMGPU_READY_GRAPH);
}
