/* work.c - streams: what a program queues, and what each piece of it waits for.
 *
 * It waits for the work before it in its stream, for the events that its stream was told to wait
 * for, and, by the rules of the legacy default stream, for other streams' work. Everything else is
 * unordered, and on a GPU happens in any order. Next: engine.c, which picks from the ready work.
 */
#include "device.h"
#include "order.h"
#include "timeline.h"

#include <errno.h>
#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

/* A GPU takes about as many launches before a host must wait. */
enum { MOST_QUEUED = 1024 };

/* How often a thread that waits looks whether its program is still there. */
static const long LOOK_NS = 20 * 1000000;

struct stream *stream_at(struct client *client, uint64_t stream)
{
    bool known = stream < client->stream_count && client->streams[stream].used;
    return known ? &client->streams[stream] : NULL;
}

struct event *event_at(struct client *client, uint64_t event)
{
    bool known = event < client->event_count && client->events[event].used;
    return known ? &client->events[event] : NULL;
}

void work_free(struct work *work)
{
    if (!work)
        return;
    mark_pass(work->mark);
    mark_drop(work->awaits);
    free(work->waits_for);
    free(work->payload);
    free(work);
}

struct work *work_find(const struct client *client, uint64_t id)
{
    for (struct work *work = client->first; work; work = work->next)
        if (work->id == id)
            return work;
    return NULL;
}

bool work_is_done(const struct client *client, uint64_t id)
{
    return id == 0 || !work_find(client, id);
}

/* --- Queueing --------------------------------------------------------------------------------- */

void work_comes_after(struct client *client, uint64_t work, uint64_t before)
{
    timeline_after(client, work, before);
    order_after(client, work, before);
}

static void add_wait(struct client *client, struct work *work, uint64_t id)
{
    work_comes_after(client, work->id, id);
    if (id && work_find(client, id))
        work->waits_for[work->wait_count++] = id;
}

/* Wait for what the stream implies: its own last work; and the legacy stream and the blocking ones
 * wait for each other's. */
static void add_implied_waits(struct client *client, struct work *work)
{
    struct stream *own = stream_at(client, work->stream);
    add_wait(client, work, own->last);
    move_on_to(&work->ready_ns, own->end_ns);
    for (size_t i = STREAM_LEGACY; i < client->stream_count; i++) {
        struct stream *other = &client->streams[i];
        bool tied =
            work->stream == STREAM_LEGACY ? other->blocking : own->blocking && i == STREAM_LEGACY;
        if (!other->used || !tied || other == own)
            continue;
        add_wait(client, work, other->last);
        move_on_to(&work->ready_ns, other->end_ns);
    }
}

static void append(struct client *client, struct work *work)
{
    *client->end = work;
    client->end = &work->next;
    client->work_count++;
    pthread_cond_broadcast(&client->changed);
}

/* Room for the waits of work; without it the client cannot continue. */
static bool prepare(struct client *client, struct work *work, size_t waits)
{
    work->id = ++client->next_work;
    work->issued_ns = client->host_ns;
    work->call = client->calling;
    work->waits_for = calloc(waits + 1, sizeof *work->waits_for);
    if (work->waits_for) {
        timeline_item(client, work);
        order_begin(client, work);
        return true;
    }
    client_break(client, CUDA_MEMORY_ALLOCATION, "the simulating machine is out of memory");
    work_free(work);
    return false;
}

void work_queue(struct client *client, struct work *work, const uint64_t *waits, size_t count)
{
    if (!prepare(client, work, client->stream_count + count))
        return;
    add_implied_waits(client, work);
    for (size_t i = 0; i < count; i++)
        add_wait(client, work, waits[i]);
    stream_at(client, work->stream)->last = work->id;
    append(client, work);
}

struct ranges_around work_around(const struct line *line)
{
    return (struct ranges_around){line->ranges.path, line->client->ranges.path};
}

struct work *work_new(enum work_kind kind, uint64_t stream, const struct request *request)
{
    struct work *work = calloc(1, sizeof *work);
    if (!work)
        return NULL;
    work->kind = kind;
    work->stream = stream;
    if (request)
        work->request = *request;
    return work;
}

/* A copy of a graph's node, ready to be queued on stream. */
static struct work *node_copy(const struct work *node, uint64_t stream)
{
    struct work *work = work_new(node->kind, stream, &node->request);
    if (!work)
        return NULL;
    work->in_graph = true;
    work->kernel = node->kernel;
    work->event = node->event;
    work->bodies = node->bodies;
    if (work->kind != WORK_NOTHING)
        work->conditions = node->conditions;
    work->payload_bytes = node->payload_bytes;
    work->payload = malloc(node->payload_bytes + 1);
    if (!work->payload) {
        work_free(work);
        return NULL;
    }
    memcpy(work->payload, node->payload, node->payload_bytes);
    return work;
}

/* An event of a graph has the meaning that it has when the graph is launched. */
static void connect_event(struct client *client, struct work *work)
{
    struct event *event = work->event ? event_at(client, work->event) : NULL;
    if (!event)
        return;
    if (work->kind == WORK_RECORD) {
        event->recorded = true;
        event->work = event->recorded_by = work->id;
        joined_record(client, work->stream, event);
        event_record_shared(client, event, work);
        return;
    }
    joined_wait(client, work->stream, event);
    if (event->shared) {
        work->awaits = event_latest_mark(client, event);
        order_host(client, 0, event);
        return;
    }
    if (event->recorded && event->work == 0)
        move_on_to(&work->ready_ns, event->time_ns);
    add_wait(client, work, event->work);
    if (event->work == 0)
        work_comes_after(client, work->id, event->recorded_by);
}

/* Queue node i after start (0: nothing) and its dependencies, whose ids are known. These are
 * certainly not done yet, so they need not be looked up. Returns the new work, or NULL. */
static struct work *queue_node(struct client *client, uint64_t stream, const struct graph *graph,
                               uint32_t i, uint64_t start, const uint64_t *ids)
{
    struct work *work = node_copy(&graph->nodes[i], stream);
    if (!work) {
        client_break(client, CUDA_MEMORY_ALLOCATION, "the simulating machine is out of memory");
        return NULL;
    }
    if (!prepare(client, work, graph->dependency_counts[i] + 2))
        return NULL;
    if (start)
        work->waits_for[work->wait_count++] = start;
    for (uint32_t j = 0; j < graph->dependency_counts[i]; j++)
        work->waits_for[work->wait_count++] = ids[graph->dependencies[i][j]];
    for (uint32_t j = 0; j < work->wait_count; j++)
        work_comes_after(client, work->id, work->waits_for[j]);
    connect_event(client, work);
    append(client, work);
    return work;
}

/* Two launches of one graph follow each other, whatever their streams. */
void work_queue_graph(struct line *line, uint64_t stream, struct graph *graph)
{
    struct client *client = line->client;
    uint64_t *ids = calloc(graph->node_count + 1, sizeof *ids);
    struct work *start = work_new(WORK_NOTHING, stream, NULL);
    struct work *end = work_new(WORK_NOTHING, stream, NULL);
    if (!ids || !start || !end) {
        free(ids);
        work_free(start);
        work_free(end);
        client_break(client, CUDA_MEMORY_ALLOCATION, "the simulating machine is out of memory");
        return;
    }
    start->conditions = graph->conditions;
    work_queue(client, start, &graph->last, 1);
    uint64_t start_id = client->next_work;
    for (uint32_t i = 0; i < graph->node_count; i++) {
        struct work *work = queue_node(client, stream, graph, i, start_id, ids);
        ids[i] = work ? work->id : start_id;
        if (work)
            work->around = work_around(line);
    }
    work_queue(client, end, ids, graph->node_count);
    graph->last = client->next_work;
    free(ids);
}

/* The work of a body without nodes, so that others get their turn between the rounds of a loop. */
static struct work *queue_nothing(struct client *client, uint64_t stream)
{
    struct work *work = work_new(WORK_NOTHING, stream, NULL);
    if (!work) {
        client_break(client, CUDA_MEMORY_ALLOCATION, "the simulating machine is out of memory");
        return NULL;
    }
    if (!prepare(client, work, 0))
        return NULL;
    append(client, work);
    return work;
}

/* The device itself issues a body, when it is the node's turn. */
void work_queue_body(struct client *client, struct work *decided, const struct graph *body)
{
    uint32_t count = body->node_count ? body->node_count : 1;
    uint64_t *ids = calloc(count, sizeof *ids), first = client->next_work + 1;
    client->calling = decided->call;
    free(decided->waits_for);
    decided->waits_for = ids;
    decided->wait_count = 0;
    decided->is_decided = true;
    decided->state = WORK_QUEUED;
    if (!ids) {
        client_break(client, CUDA_MEMORY_ALLOCATION, "the simulating machine is out of memory");
        return; /* on a broken context the node ends */
    }
    for (uint32_t i = 0; i < count; i++) {
        struct work *work = body->node_count ? queue_node(client, decided->stream, body, i, 0, ids)
                                             : queue_nothing(client, decided->stream);
        if (!work)
            return;
        ids[decided->wait_count++] = work->id;
        work->around = decided->around;
        work->issued_ns = work->ready_ns = decided->ready_ns;
        order_within(client, work->id, decided->id);
        work_note(client, work, decided->stream, false);
    }
    timeline_decided(client, decided->id, first);
}

/* --- Waiting ---------------------------------------------------------------------------------- */

/* Is nothing left of stream that was issued up to work last? What a conditional node queues is
 * newer, but the node itself stays until that is done. */
static bool is_idle_up_to(const struct client *client, uint64_t stream, uint64_t last)
{
    for (const struct work *work = client->first; work; work = work->next)
        if (work->id <= last &&
            (stream == 0 || work->stream == stream ||
             (stream == STREAM_LEGACY && client->streams[work->stream].blocking)))
            return false;
    return true;
}

bool work_is_idle(const struct client *client, uint64_t stream)
{
    return is_idle_up_to(client, stream, UINT64_MAX);
}

struct timespec in_a_while(long nanoseconds)
{
    struct timespec when;
    clock_gettime(CLOCK_MONOTONIC, &when);
    when.tv_nsec += nanoseconds;
    when.tv_sec += when.tv_nsec / 1000000000;
    when.tv_nsec %= 1000000000;
    return when;
}

bool line_is_hung_up(const struct line *line)
{
    struct pollfd look = {.fd = line->socket, .events = POLLRDHUP};
    return poll(&look, 1, 0) > 0 && (look.revents & (POLLRDHUP | POLLHUP | POLLERR | POLLNVAL));
}

/* Wait until something may have changed. False when waiting is no longer useful. */
static bool wait_for_change(struct line *line)
{
    struct client *client = line->client;
    struct timespec when = in_a_while(LOOK_NS);
    line->gone |= client->is_evicted;
    if (client->dying || line->gone)
        return false;
    client->draining++;
    pthread_cond_broadcast(&client->changed);
    if (pthread_cond_timedwait(&client->changed, &client->lock, &when) == ETIMEDOUT)
        line->gone = line_is_hung_up(line);
    client->draining--;
    return true;
}

/* Wait until nothing of stream is left that was issued up to work last. */
static void drain_up_to(struct line *line, uint64_t stream, uint64_t last)
{
    struct client *client = line->client;
    while (!is_idle_up_to(client, stream, last) && wait_for_change(line))
        continue;
    for (size_t i = 0; i < client->stream_count; i++)
        if (client->streams[i].used && (stream == 0 || stream == i))
            move_on_to(&client->host_ns, client->streams[i].end_ns);
}

void work_drain(struct line *line, uint64_t stream)
{
    drain_up_to(line, stream, UINT64_MAX);
}

void work_finish(struct line *line, uint64_t stream)
{
    drain_up_to(line, stream, line->client->next_work);
}

void work_wait(struct line *line, uint64_t id)
{
    while (!work_is_done(line->client, id) && wait_for_change(line))
        continue;
}

void work_wait_mark(struct line *line, const struct mark *mark)
{
    while (!mark_is_passed(mark) && wait_for_change(line))
        continue;
}

void work_make_room(struct line *line)
{
    while (line->client->work_count >= MOST_QUEUED && wait_for_change(line))
        continue;
}

void work_nudge(struct client *client)
{
    client->nudged = true;
    pthread_cond_broadcast(&client->changed);
}
