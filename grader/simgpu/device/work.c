/* work.c - streams: what a program queues, and in which order it may be done.
 *
 * Each piece of work waits for the work before it in its stream, for the events its stream was told
 * to wait for, and, by the rules of the legacy default stream, for other streams. Everything else
 * is free, and on a real device happens in any order. Ours does it in the order of issue, or, when
 * a seed is given, in an order drawn from it, and then as late as it can: a program that forgot to
 * wait for an event then gets a wrong answer instead of luck.
 *
 * The modelled time line runs beside: work starts when all it waits for has ended, when the host
 * has issued it, and when the part of the device that does it is free.
 */
#include "device.h"

#include <errno.h>
#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

/* With a seed, the engine holds work back until somebody waits, or so much is queued, or nothing
 * has happened for so long. A real device takes about as many launches before a host must wait. */
enum { MOST_HELD_BACK = 256, MOST_QUEUED = 1024 };
static const long PATIENCE_NS = 100 * 1000000;

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
    free(work->waits_for);
    free(work->payload);
    free(work);
}

static struct work *find(const struct client *client, uint64_t id)
{
    for (struct work *work = client->first; work; work = work->next)
        if (work->id == id)
            return work;
    return NULL;
}

bool work_is_done(const struct client *client, uint64_t id)
{
    return id == 0 || !find(client, id);
}

/* --- Queueing --------------------------------------------------------------------------------- */

static void add_wait(struct client *client, struct work *work, uint64_t id)
{
    if (id && find(client, id))
        work->waits_for[work->wait_count++] = id;
}

static void latest(double *time_ns, double other_ns)
{
    if (other_ns > *time_ns)
        *time_ns = other_ns;
}

/* Wait for what the stream itself implies: its own last work; and between the legacy stream and
 * the blocking ones, each other's. */
static void add_implied_waits(struct client *client, struct work *work)
{
    struct stream *own = stream_at(client, work->stream);
    add_wait(client, work, own->last);
    latest(&work->ready_ns, own->end_ns);
    for (size_t i = STREAM_LEGACY; i < client->stream_count; i++) {
        struct stream *other = &client->streams[i];
        bool tied = work->stream == STREAM_LEGACY ? other->blocking
                                                  : own->blocking && i == STREAM_LEGACY;
        if (!other->used || !tied || other == own)
            continue;
        add_wait(client, work, other->last);
        latest(&work->ready_ns, other->end_ns);
    }
}

static void append(struct client *client, struct work *work)
{
    *client->end = work;
    client->end = &work->next;
    client->work_count++;
    pthread_cond_broadcast(&client->changed);
}

/* Room for the waits of work; without it the client cannot go on. */
static bool prepare(struct client *client, struct work *work, size_t waits)
{
    work->id = ++client->next_work;
    work->issued_ns = client->host_ns;
    work->waits_for = calloc(waits + 1, sizeof *work->waits_for);
    if (work->waits_for)
        return true;
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
    work->kernel = node->kernel;
    work->event = node->event;
    work->payload_bytes = node->payload_bytes;
    work->payload = malloc(node->payload_bytes + 1);
    if (!work->payload) {
        work_free(work);
        return NULL;
    }
    memcpy(work->payload, node->payload, node->payload_bytes);
    return work;
}

/* An event of a graph means what it means when the graph is launched. */
static void connect_event(struct client *client, struct work *work)
{
    struct event *event = work->event ? event_at(client, work->event) : NULL;
    if (!event)
        return;
    if (work->kind == WORK_RECORD) {
        event->recorded = true;
        event->work = work->id;
        return;
    }
    if (event->recorded && event->work == 0)
        latest(&work->ready_ns, event->time_ns);
    add_wait(client, work, event->work);
}

/* Queue node i behind start and its dependencies, whose ids are known. These are certainly not
 * done yet, so nobody need look for them. */
static uint64_t queue_node(struct line *line, uint64_t stream, const struct graph *graph,
                           uint32_t i, uint64_t start, const uint64_t *ids)
{
    struct client *client = line->client;
    struct work *work = node_copy(&graph->nodes[i], stream);
    if (!work) {
        client_break(client, CUDA_MEMORY_ALLOCATION, "the simulating machine is out of memory");
        return start;
    }
    if (!prepare(client, work, graph->dependency_counts[i] + 2))
        return start;
    work->waits_for[work->wait_count++] = start;
    for (uint32_t j = 0; j < graph->dependency_counts[i]; j++)
        work->waits_for[work->wait_count++] = ids[graph->dependencies[i][j]];
    work->around = work_around(line);
    connect_event(client, work);
    append(client, work);
    return work->id;
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
    work_queue(client, start, &graph->last, 1);
    uint64_t start_id = client->next_work;
    for (uint32_t i = 0; i < graph->node_count; i++)
        ids[i] = queue_node(line, stream, graph, i, start_id, ids);
    work_queue(client, end, ids, graph->node_count);
    graph->last = client->next_work;
    free(ids);
}

/* --- Waiting ---------------------------------------------------------------------------------- */

bool work_is_idle(const struct client *client, uint64_t stream)
{
    for (const struct work *work = client->first; work; work = work->next)
        if (stream == 0 || work->stream == stream ||
            (stream == STREAM_LEGACY && client->streams[work->stream].blocking))
            return false;
    return true;
}

static struct timespec in_a_while(long nanoseconds)
{
    struct timespec when;
    clock_gettime(CLOCK_MONOTONIC, &when);
    when.tv_nsec += nanoseconds;
    when.tv_sec += when.tv_nsec / 1000000000;
    when.tv_nsec %= 1000000000;
    return when;
}

/* A program that is killed while it waits says nothing more: only its line tells. */
static bool is_hung_up(const struct line *line)
{
    struct pollfd look = {.fd = line->socket, .events = POLLRDHUP};
    return poll(&look, 1, 0) > 0 && (look.revents & (POLLRDHUP | POLLHUP | POLLERR | POLLNVAL));
}

/* Wait until something may have changed. False when it is no use any more. */
static bool wait_for_change(struct line *line)
{
    struct client *client = line->client;
    struct timespec when = in_a_while(LOOK_NS);
    if (client->dying || line->gone)
        return false;
    client->draining++;
    pthread_cond_broadcast(&client->changed);
    if (pthread_cond_timedwait(&client->changed, &client->lock, &when) == ETIMEDOUT)
        line->gone = is_hung_up(line);
    client->draining--;
    return true;
}

void work_drain(struct line *line, uint64_t stream)
{
    struct client *client = line->client;
    while (!work_is_idle(client, stream) && wait_for_change(line))
        continue;
    for (size_t i = 0; i < client->stream_count; i++)
        if (client->streams[i].used && (stream == 0 || stream == i))
            latest(&client->host_ns, client->streams[i].end_ns);
}

void work_wait(struct line *line, uint64_t id)
{
    while (!work_is_done(line->client, id) && wait_for_change(line))
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

/* --- Choosing --------------------------------------------------------------------------------- */

static uint64_t random_number(struct client *client)
{
    client->random = client->random * UINT64_C(6364136223846793005) + 1442695040888963407u;
    return client->random >> 33;
}

/* The program runs one function at a time; other work goes on meanwhile. */
static bool is_ready(const struct client *client, const struct work *work)
{
    return work->state == WORK_QUEUED && work->wait_count == 0 &&
           !(work->kind == WORK_HOST_FUNCTION && client->asked);
}

static struct work *ready_number(struct client *client, size_t number)
{
    for (struct work *work = client->first; work; work = work->next)
        if (is_ready(client, work) && number-- == 0)
            return work;
    return NULL;
}

/* Work drawn from the seed, or NULL: all waits, or may wait a little longer. */
static struct work *draw(struct client *client, uint64_t seed)
{
    size_t ready = 0;
    if (!client->draining && !client->nudged && client->work_count < MOST_HELD_BACK)
        return NULL;
    for (const struct work *work = client->first; work; work = work->next)
        ready += is_ready(client, work);
    if (ready == 0)
        return NULL;
    client->random += seed;
    client->nudged = false;
    return ready_number(client, random_number(client) % ready);
}

/* The work to do next, or NULL. */
static struct work *choose(struct client *client)
{
    uint64_t seed = client->device->options.seed;
    return seed ? draw(client, seed) : ready_number(client, 0);
}

/* --- Doing ------------------------------------------------------------------------------------ */

/* When the part of the device that does this kind of work is free. */
static double *free_time(struct client *client, const struct work *work)
{
    static double nothing;
    bool moves = work->kind == WORK_COPY && (work->request.copy.kind != COPY_ON_DEVICE ||
                                             work->request.copy.over_bus);
    bool computes = work->kind == WORK_LAUNCH || work->kind == WORK_MATMUL;
    nothing = 0;
    return computes ? &client->compute_free_ns : moves ? &client->copy_free_ns : &nothing;
}

static double settle_times(struct client *client, const struct work *work, double duration_ns)
{
    double *part = free_time(client, work);
    double start_ns = work->ready_ns;
    latest(&start_ns, work->issued_ns);
    latest(&start_ns, *part);
    double end_ns = start_ns + duration_ns;
    *part = end_ns;
    return end_ns;
}

static void tell_waiting(struct client *client, uint64_t id, double end_ns)
{
    for (struct work *work = client->first; work; work = work->next)
        for (uint32_t i = 0; i < work->wait_count; i++)
            if (work->waits_for[i] == id) {
                work->waits_for[i--] = work->waits_for[--work->wait_count];
                latest(&work->ready_ns, end_ns);
            }
}

static void count_time(struct client *client, double duration_ns)
{
    struct device *device = client->device;
    pthread_mutex_lock(&device->lock);
    if (!client->in_control)
        device->calls.modelled_ns += duration_ns;
    pthread_mutex_unlock(&device->lock);
}

static void complete(struct client *client, struct work *done, double duration_ns)
{
    double end_ns = settle_times(client, done, duration_ns);
    struct work **link = &client->first;
    while (*link != done)
        link = &(*link)->next;
    *link = done->next;
    if (client->end == &done->next)
        client->end = link;
    client->work_count--;
    struct stream *stream = stream_at(client, done->stream);
    if (stream) {
        latest(&stream->end_ns, end_ns);
        stream->used = !stream->leaving || stream->last != done->id;
    }
    struct event *event = done->kind == WORK_RECORD ? event_at(client, done->event) : NULL;
    if (event && event->work == done->id) {
        event->work = 0;
        event->time_ns = end_ns;
    }
    count_time(client, duration_ns);
    tell_waiting(client, done->id, end_ns);
    work_free(done);
    pthread_cond_broadcast(&client->changed);
}

void work_host_function_done(struct client *client, uint64_t id)
{
    struct work *work = id && id == client->asked ? find(client, id) : NULL;
    if (!work)
        return;
    client->asked = 0;
    complete(client, work, 0);
}

/* The lock is held, but while the work is done. */
static void carry_out(struct client *client, struct work *work)
{
    bool broken = client->error != 0; /* nothing runs on a broken context */
    double duration_ns = 0;
    work->state = WORK_RUNNING;
    client->executing = work;
    if (work->kind == WORK_HOST_FUNCTION && !broken && execute_ask(client, work)) {
        client->asked = work->id;
        return;
    }
    pthread_mutex_unlock(&client->lock);
    if (!broken && work->kind != WORK_HOST_FUNCTION)
        duration_ns = execute(client, work);
    pthread_mutex_lock(&client->lock);
    complete(client, work, duration_ns);
}

/* Work that is held back goes on when nothing else happens, one piece at a time. */
static void wait_for_work(struct client *client)
{
    struct timespec when = in_a_while(PATIENCE_NS);
    if (!client->first || !client->device->options.seed)
        pthread_cond_wait(&client->changed, &client->lock);
    else if (pthread_cond_timedwait(&client->changed, &client->lock, &when) == ETIMEDOUT)
        client->nudged = true;
}

void *work_engine(void *argument)
{
    struct client *client = argument;
    pthread_mutex_lock(&client->lock);
    while (!client->dying) {
        struct work *work = choose(client);
        if (work)
            carry_out(client, work);
        else
            wait_for_work(client);
    }
    pthread_mutex_unlock(&client->lock);
    return NULL;
}

void work_end(struct client *client)
{
    pthread_mutex_lock(&client->lock);
    client->dying = true;
    if (client->running)
        sim_launch_abort(client->running);
    pthread_cond_broadcast(&client->changed);
    pthread_mutex_unlock(&client->lock);
    pthread_join(client->engine, NULL);
    for (struct work *work = client->first, *next; work; work = next) {
        next = work->next;
        work_free(work);
    }
    client->first = NULL;
}
