/* requests_stream.c - launches, streams, events, graphs: see work.c for what they mean. */
#include "blaslt.h"
#include "device.h"

#include <stdlib.h>
#include <string.h>

/* What a launch costs the host, measured with empty kernels on an H200: the modelled time line
 * moves on by it. */
static const double HOST_LAUNCH_NS = 2200, HOST_CALL_NS = 400;

/* A program may hold this many streams, events or graphs. */
enum { MOST_HANDLES = 1 << 20, MOST_GRAPH_NODES = 1 << 20 };

static bool stream_missing(struct exchange *exchange, uint64_t stream)
{
    if (stream_at(exchange->client, stream))
        return false;
    exchange_fail(exchange, CUDA_INVALID_RESOURCE_HANDLE, "there is no such stream");
    return true;
}

static struct event *event_or_fail(struct exchange *exchange, uint64_t handle)
{
    struct event *event = event_at(exchange->client, handle);
    if (!event)
        exchange_fail(exchange, CUDA_INVALID_RESOURCE_HANDLE, "there is no such event");
    return event;
}

static void count(struct client *client, uint64_t *calls)
{
    pthread_mutex_lock(&client->device->lock);
    *calls += !client->in_control;
    pthread_mutex_unlock(&client->device->lock);
}

static struct work *new_work(struct exchange *exchange, enum work_kind kind, uint64_t stream)
{
    struct work *work = work_new(kind, stream, &exchange->request);
    if (!work)
        exchange_fail(exchange, CUDA_MEMORY_ALLOCATION, "the simulating machine is out of memory");
    return work;
}

/* --- Launches --------------------------------------------------------------------------------- */

/* The kernel of a launch request, if it can run as asked with that payload; else NULL and the
 * error. */
static const struct function *launchable(struct exchange *exchange,
                                         const struct launch_request *launch,
                                         uint64_t payload_bytes)
{
    struct client *client = exchange->client;
    if (launch->kernel == 0 || launch->kernel > client->kernel_count) {
        exchange_fail(exchange, CUDA_INVALID_RESOURCE_HANDLE, "there is no such kernel");
        return NULL;
    }
    const struct function *kernel = client->kernels[launch->kernel - 1];
    struct sim_kernel_info info;
    sim_kernel_info(client->context, kernel, &info);
    if (payload_bytes != info.parameter_bytes) {
        exchange_fail(exchange, CUDA_INVALID_VALUE, "a launch has too few or too many parameters");
        return NULL;
    }
    struct sim_launch_config config = {.dynamic_shared_bytes = launch->dynamic_shared_bytes,
                                       .cooperative = launch->cooperative != 0};
    memcpy(config.grid, launch->grid, sizeof config.grid);
    memcpy(config.block, launch->block, sizeof config.block);
    struct sim_error error;
    if (sim_launch_check(client->context, kernel, &config, &error))
        return kernel;
    exchange_fail_as(exchange, &error);
    if (error.code == SIM_BAD_LAUNCH && launch->cooperative)
        exchange->reply.error = CUDA_TOO_LARGE_COOPERATIVE;
    return NULL;
}

void request_launch(struct exchange *exchange)
{
    struct client *client = exchange->client;
    const struct launch_request *launch = &exchange->request.launch;
    if (stream_missing(exchange, launch->stream))
        return;
    const struct function *kernel =
        launchable(exchange, launch, exchange->request.payload_bytes);
    struct work *work = kernel ? new_work(exchange, WORK_LAUNCH, launch->stream) : NULL;
    if (!work)
        return;
    work->kernel = kernel;
    work->payload = exchange->payload ? exchange->payload : calloc(1, 1);
    exchange->payload = NULL;
    client->host_ns += HOST_LAUNCH_NS;
    count(client, &client->device->calls.launches);
    work_queue(client, work, NULL, 0);
}

void request_host_function(struct exchange *exchange)
{
    uint64_t stream = exchange->request.host_function.stream;
    struct work *work =
        stream_missing(exchange, stream) ? NULL : new_work(exchange, WORK_HOST_FUNCTION, stream);
    if (work)
        work_queue(exchange->client, work, NULL, 0);
}

/* --- Streams ---------------------------------------------------------------------------------- */

/* The first unused place of an array of handles, which starts at first; 0 when there is none. */
static size_t free_place(void **items, size_t *count, size_t item_bytes, size_t first)
{
    for (size_t i = first; i < *count; i++)
        if (!*((bool *)((char *)*items + i * item_bytes))) /* `used` stands first */
            return i;
    size_t place = *count > first ? *count : first;
    if (place >= MOST_HANDLES)
        return 0;
    void *grown = realloc(*items, (place + 1) * item_bytes);
    if (!grown)
        return 0;
    memset((char *)grown + *count * item_bytes, 0, (place + 1 - *count) * item_bytes);
    *items = grown;
    *count = place + 1;
    return place;
}

static void no_handles(struct exchange *exchange)
{
    exchange_fail(exchange, CUDA_MEMORY_ALLOCATION, "the program holds too many handles");
}

void request_stream_create(struct exchange *exchange)
{
    struct client *client = exchange->client;
    size_t place = free_place((void **)&client->streams, &client->stream_count,
                              sizeof *client->streams, FIRST_STREAM);
    if (!place) {
        no_handles(exchange);
        return;
    }
    bool non_blocking = exchange->request.stream.flags & 1; /* cudaStreamNonBlocking */
    client->streams[place] = (struct stream){.used = true, .blocking = !non_blocking};
    count(client, &client->device->calls.stream_creations);
    exchange->reply.value[0] = place;
}

/* What is queued on it is still done; the number may then be used again. */
void request_stream_destroy(struct exchange *exchange)
{
    uint64_t stream = exchange->request.stream.stream;
    if (stream < FIRST_STREAM || stream_missing(exchange, stream)) {
        exchange_fail(exchange, CUDA_INVALID_RESOURCE_HANDLE, "there is no such stream");
        return;
    }
    work_drain(exchange->client, stream);
    exchange->client->streams[stream].used = false;
}

void request_stream_wait(struct exchange *exchange)
{
    struct client *client = exchange->client;
    uint64_t stream = exchange->request.stream.stream;
    struct event *event = event_or_fail(exchange, exchange->request.stream.event);
    if (!event || stream_missing(exchange, stream))
        return;
    struct work *work = new_work(exchange, WORK_NOTHING, stream);
    if (!work)
        return;
    if (event->recorded && event->work == 0)
        work->ready_ns = event->time_ns;
    work_queue(client, work, &event->work, 1);
}

void request_stream_synchronise(struct exchange *exchange)
{
    struct client *client = exchange->client;
    if (stream_missing(exchange, exchange->request.stream.stream))
        return;
    count(client, &client->device->calls.synchronisations);
    work_drain(client, exchange->request.stream.stream);
}

void request_synchronise(struct exchange *exchange)
{
    struct client *client = exchange->client;
    count(client, &client->device->calls.synchronisations);
    work_drain(client, 0);
}

void request_stream_query(struct exchange *exchange)
{
    if (stream_missing(exchange, exchange->request.stream.stream))
        return;
    if (!work_is_idle(exchange->client, exchange->request.stream.stream))
        exchange_fail(exchange, CUDA_NOT_READY, "");
}

/* --- Events ----------------------------------------------------------------------------------- */

void request_event_create(struct exchange *exchange)
{
    struct client *client = exchange->client;
    size_t place = free_place((void **)&client->events, &client->event_count,
                              sizeof *client->events, 1);
    if (!place) {
        no_handles(exchange);
        return;
    }
    client->events[place] = (struct event){.used = true};
    count(client, &client->device->calls.event_creations);
    exchange->reply.value[0] = place;
}

void request_event_destroy(struct exchange *exchange)
{
    struct event *event = event_or_fail(exchange, exchange->request.stream.event);
    if (event)
        event->used = false;
}

void request_event_record(struct exchange *exchange)
{
    struct client *client = exchange->client;
    uint64_t stream = exchange->request.stream.stream;
    if (stream_missing(exchange, stream) ||
        !event_or_fail(exchange, exchange->request.stream.event))
        return;
    struct work *work = new_work(exchange, WORK_RECORD, stream);
    if (!work)
        return;
    work->event = exchange->request.stream.event;
    client->host_ns += HOST_CALL_NS;
    work_queue(client, work, NULL, 0);
    struct event *event = event_at(client, exchange->request.stream.event);
    event->recorded = true;
    event->work = client->next_work;
}

void request_event_synchronise(struct exchange *exchange)
{
    struct client *client = exchange->client;
    struct event *event = event_or_fail(exchange, exchange->request.stream.event);
    if (!event)
        return;
    count(client, &client->device->calls.synchronisations);
    work_wait(client, event->work);
}

void request_event_query(struct exchange *exchange)
{
    struct event *event = event_or_fail(exchange, exchange->request.stream.event);
    if (event && !work_is_done(exchange->client, event->work))
        exchange_fail(exchange, CUDA_NOT_READY, "");
}

void request_event_elapsed(struct exchange *exchange)
{
    struct client *client = exchange->client;
    const struct event *from = event_or_fail(exchange, exchange->request.elapsed.from);
    const struct event *to = from ? event_or_fail(exchange, exchange->request.elapsed.to) : NULL;
    if (!to)
        return;
    if (!from->recorded || !to->recorded)
        exchange_fail(exchange, CUDA_INVALID_RESOURCE_HANDLE, "the event was never recorded");
    else if (!work_is_done(client, from->work) || !work_is_done(client, to->work))
        exchange_fail(exchange, CUDA_NOT_READY, "");
    else
        exchange->reply.elapsed.milliseconds = (float)((to->time_ns - from->time_ns) * 1e-6);
}

/* --- Graphs ----------------------------------------------------------------------------------- */

static void free_graph(struct graph *graph)
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

static bool accept_node(struct exchange *exchange, struct work *node)
{
    const struct request *request = &node->request;
    switch (request->kind) {
    case REQUEST_LAUNCH:
        node->kind = WORK_LAUNCH;
        node->kernel = launchable(exchange, &request->launch, node->payload_bytes);
        return node->kernel != NULL;
    case REQUEST_COPY:
        node->kind = WORK_COPY;
        return request->copy.kind == COPY_ON_DEVICE ||
               (request->copy.kind == COPY_FROM_HOST &&
                node->payload_bytes ==
                    request->copy.width * request->copy.height * request->copy.depth);
    case REQUEST_SET: node->kind = WORK_SET; return true;
    case REQUEST_HOST_FUNCTION: node->kind = WORK_HOST_FUNCTION; return true;
    case REQUEST_EVENT_RECORD:
        node->kind = WORK_RECORD;
        node->event = request->stream.event;
        return true;
    case REQUEST_MATMUL:
        node->kind = WORK_MATMUL;
        return blaslt_accept(exchange, node->payload, node->payload_bytes);
    case REQUEST_NOTE: node->kind = WORK_NOTHING; return true; /* an empty node */
    default: return false;
    }
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

void request_graph_create(struct exchange *exchange)
{
    struct client *client = exchange->client;
    uint32_t count = exchange->request.graph.node_count;
    size_t place =
        count > MOST_GRAPH_NODES ? 0 : free_place((void **)&client->graphs, &client->graph_count,
                                                  sizeof *client->graphs, 1);
    if (!place) {
        no_handles(exchange);
        return;
    }
    struct graph *graph = &client->graphs[place];
    struct reader reader = {exchange->payload, exchange->payload + exchange->request.payload_bytes};
    *graph = (struct graph){.used = true};
    graph->nodes = calloc(count + 1u, sizeof *graph->nodes);
    graph->dependencies = calloc(count + 1u, sizeof *graph->dependencies);
    graph->dependency_counts = calloc(count + 1u, sizeof *graph->dependency_counts);
    bool ok = graph->nodes && graph->dependencies && graph->dependency_counts;
    for (; ok && graph->node_count < count; graph->node_count++)
        if (!read_node(exchange, &reader, graph, graph->node_count)) {
            graph->node_count++; /* it may own memory already */
            ok = false;
            break;
        }
    if (ok) {
        exchange->reply.value[0] = place;
        return;
    }
    free_graph(graph);
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
    const struct graph *graph = graph_at(exchange);
    uint64_t stream = exchange->request.graph.stream;
    if (!graph || stream_missing(exchange, stream))
        return;
    client->host_ns += HOST_LAUNCH_NS;
    count(client, &client->device->calls.graph_launches);
    for (uint32_t i = 0; i < graph->node_count; i++)
        if (graph->nodes[i].kind == WORK_LAUNCH || graph->nodes[i].kind == WORK_MATMUL)
            count(client, &client->device->calls.launches);
    work_queue_graph(client, stream, graph);
}

void request_graph_destroy(struct exchange *exchange)
{
    struct graph *graph = graph_at(exchange);
    if (graph)
        free_graph(graph);
}
