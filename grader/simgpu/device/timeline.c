/* timeline.c - see timeline.h. */
#include "timeline_costs.h"
#include "timeline_internal.h"

#include <stdlib.h>
#include <string.h>

struct timeline *timeline_new(void)
{
    struct timeline *timeline = calloc(1, sizeof *timeline);
    if (timeline) {
        pthread_mutex_init(&timeline->lock, NULL);
        timeline->generation = 1;
    }
    return timeline;
}

void timeline_clear(struct timeline *timeline)
{
    pthread_mutex_lock(&timeline->lock);
    timeline->generation++;
    timeline->item_count = timeline->call_count = timeline->list_count = 0;
    timeline->thread_count = 0;
    timeline->is_cut = false;
    pthread_mutex_unlock(&timeline->lock);
}

bool timeline_is_kept(const struct client *client)
{
    const struct device *device = client->device;
    return device->options.timeline && (!device->has_control || client->is_watched);
}

struct timeline *timeline_enter(const struct client *client)
{
    if (!timeline_is_kept(client))
        return NULL;
    struct timeline *timeline = client->device->timeline;
    pthread_mutex_lock(&timeline->lock);
    return timeline;
}

void timeline_leave(struct timeline *timeline)
{
    pthread_mutex_unlock(&timeline->lock);
}

bool timeline_grow(void **one, size_t one_bytes, void **other, size_t other_bytes, uint32_t count,
                   uint32_t *room)
{
    if (count < *room)
        return true;
    uint32_t more = *room ? 2 * *room : 256;
    void *grown = realloc(*one, more * one_bytes);
    if (grown)
        *one = grown;
    void *grown_too = realloc(*other, more * other_bytes);
    if (grown_too)
        *other = grown_too;
    if (grown && grown_too)
        *room = more;
    return grown && grown_too;
}

void timeline_append(struct timeline *timeline, struct timeline_list *list, uint32_t item)
{
    uint32_t needed = timeline->list_count + list->count + 1;
    if (timeline->is_cut || needed > MOST_LISTED) {
        timeline->is_cut = true;
        return;
    }
    if (needed > timeline->list_room) {
        uint32_t *grown = realloc(timeline->lists, 2 * (size_t)needed * sizeof *grown);
        if (!grown) {
            timeline->is_cut = true;
            return;
        }
        timeline->lists = grown;
        timeline->list_room = 2 * needed;
    }
    if (list->first + list->count != timeline->list_count) {
        if (list->count)
            memcpy(&timeline->lists[timeline->list_count], &timeline->lists[list->first],
                   list->count * sizeof *timeline->lists);
        list->first = timeline->list_count;
        timeline->list_count += list->count;
    }
    timeline->lists[timeline->list_count++] = item;
    list->count++;
}

/* --- Calls ------------------------------------------------------------------------------------ */

static const struct {
    const char *name; /* NULL: the timeline does not have it */
    size_t cost;      /* where in struct timeline_costs */
} CALLS[REQUESTS] = {
#define TIMELINE_CALL(request, name, cost) \
    [REQUEST_##request] = {name, offsetof(struct timeline_costs, cost)},
#include "timeline_calls.def"
};

static double cost_of(uint32_t request)
{
    double cost;
    memcpy(&cost, (const char *)&TIMELINE_COSTS + CALLS[request].cost, sizeof cost);
    return cost;
}

double timeline_copied_bytes(const struct copy_request *copy)
{
    return (double)copy->width * (double)copy->height * (double)copy->depth;
}

/* Does a thread launch or copy on another stream than before? After a wait, that makes no
 * difference. */
static bool switches(const struct exchange *exchange)
{
    struct line *line = exchange->line;
    const struct request *request = &exchange->request;
    uint64_t stream = request->kind == REQUEST_LAUNCH ? request->launch.stream
                      : request->kind == REQUEST_COPY ? request->copy.stream
                                                      : 0;
    if (!stream)
        return false;
    bool other = line->queued_stream && line->queued_stream != stream;
    line->queued_stream = stream;
    return other;
}

static double host_ns_of(const struct exchange *exchange)
{
    const struct timeline_costs *costs = &TIMELINE_COSTS;
    const struct request *request = &exchange->request;
    double host_ns = cost_of(request->kind);
    if (request->kind == REQUEST_GRAPH_LAUNCH) {
        uint64_t graph = request->graph.graph;
        if (graph < exchange->client->graph_count)
            host_ns += costs->graph_node_ns * exchange->client->graphs[graph].node_count;
    }
    if (request->kind == REQUEST_COPY && request->copy.kind == COPY_FROM_HOST &&
        timeline_copied_bytes(&request->copy) <= costs->small_bytes)
        host_ns += timeline_copied_bytes(&request->copy) / costs->staging_bytes_per_ns;
    if (request->kind == REQUEST_EVENT_RECORD) {
        const struct event *event = event_at(exchange->client, request->stream.event);
        host_ns += event && event->is_timed ? costs->timed_event_ns : 0;
    }
    return host_ns + (switches(exchange) ? costs->switch_ns : 0);
}

/* 1 + the last call of the same program; 0: there is none. */
static uint32_t last_call_of(const struct timeline *timeline, uint64_t process)
{
    uint32_t call = timeline->call_count;
    while (call && timeline->acts[call - 1].process != process)
        call--;
    return call;
}

static struct timeline_call call_of(struct timeline *timeline, const struct exchange *exchange)
{
    struct line *line = exchange->line;
    struct timeline_call call = {.host_ns = host_ns_of(exchange)};
    if (line->thread_generation != timeline->generation) {
        line->thread_generation = timeline->generation;
        line->thread = timeline->thread_count++;
        line->queued_stream = 0;
        call.follows = last_call_of(timeline, (uint64_t)exchange->client->process);
    }
    call.thread = line->thread;
    return call;
}

static struct timeline_act act_of(const struct exchange *exchange)
{
    const struct request *request = &exchange->request;
    bool copies = request->kind == REQUEST_COPY;
    struct timeline_act act = {
        .process = (uint64_t)exchange->client->process,
        .request = request->kind,
        .is_asynchronous = copies && request->copy.asynchronous,
        .is_paged = copies && request->copy.kind != COPY_ON_DEVICE,
    };
    timeline_place(exchange->client, request->place, &act);
    if (request->kind == REQUEST_RANGE_PUSH) {
        char name[256];
        uint64_t bytes =
            request->payload_bytes < sizeof name ? request->payload_bytes : sizeof name;
        snprintf(name, sizeof name, "%.*s", (int)bytes,
                 exchange->payload ? (const char *)exchange->payload : "");
        pthread_mutex_lock(&exchange->client->device->lock);
        act.text = history_text(exchange->client->device->history, name);
        pthread_mutex_unlock(&exchange->client->device->lock);
    }
    return act;
}

void timeline_call(struct exchange *exchange)
{
    struct line *line = exchange->line;
    line->call = TIMELINE_NONE;
    if (!timeline_is_kept(exchange->client) || !CALLS[exchange->request.kind].name)
        return;
    struct timeline_act act = act_of(exchange);
    struct timeline *timeline = timeline_enter(exchange->client);
    if (!timeline)
        return;
    if (timeline->call_count < MOST_KEPT &&
        timeline_grow((void **)&timeline->calls, sizeof *timeline->calls, (void **)&timeline->acts,
                      sizeof *timeline->acts, timeline->call_count, &timeline->call_room)) {
        timeline->calls[timeline->call_count] = call_of(timeline, exchange);
        timeline->acts[timeline->call_count] = act;
        line->call = timeline->call_count++;
    } else {
        timeline->is_cut = true;
    }
    timeline_leave(timeline);
}

/* The call of an exchange, if it is kept, and the record, locked. */
static struct timeline *call_enter(const struct exchange *exchange, struct timeline_call **call)
{
    struct timeline *timeline = timeline_enter(exchange->client);
    if (!timeline)
        return NULL;
    const struct line *line = exchange->line;
    if (line->thread_generation == timeline->generation && line->call != TIMELINE_NONE) {
        *call = &timeline->calls[line->call];
        return timeline;
    }
    timeline_leave(timeline);
    return NULL;
}

static void wait_for(struct timeline *timeline, struct exchange *exchange,
                     struct timeline_call *call, uint64_t work)
{
    uint32_t item = timeline_item_of(timeline, exchange->client, work);
    exchange->line->queued_stream = 0;
    if (item != TIMELINE_NONE && timeline->items[item].tail_ns > 0 &&
        timeline->items[item].call == exchange->line->call)
        return; /* a call waits for the host's part of its own copy, and no longer */
    call->does_wait = true;
    if (item != TIMELINE_NONE)
        timeline_append(timeline, &call->waits, item);
}

void timeline_waits_for(struct exchange *exchange, uint64_t work)
{
    struct timeline_call *call;
    struct timeline *timeline = call_enter(exchange, &call);
    if (!timeline)
        return;
    wait_for(timeline, exchange, call, work);
    timeline_leave(timeline);
}

void timeline_waits_for_stream(struct exchange *exchange, uint64_t number)
{
    struct client *client = exchange->client;
    struct timeline_call *call;
    struct timeline *timeline = call_enter(exchange, &call);
    if (!timeline)
        return;
    for (size_t i = STREAM_LEGACY; i < client->stream_count; i++) {
        const struct stream *stream = &client->streams[i];
        bool is_meant = number == 0 || i == number || (number == STREAM_LEGACY && stream->blocking);
        if (stream->used && is_meant)
            wait_for(timeline, exchange, call, stream->last);
    }
    call->does_wait = true;
    timeline_leave(timeline);
}

void timeline_found_over(struct exchange *exchange, uint64_t work, uint64_t stream)
{
    timeline_call(exchange);
    if (work)
        timeline_waits_for(exchange, work);
    else
        timeline_waits_for_stream(exchange, stream);
}

void timeline_queues(struct exchange *exchange)
{
    exchange->client->calling = exchange->line->call;
    exchange->client->calling_generation = exchange->line->thread_generation;
}

const char *timeline_act_name(const struct timeline_act *act)
{
    if (act->request == REQUEST_COPY && act->is_asynchronous)
        return act->is_paged ? "cudaMemcpyAsync of pageable memory" : "cudaMemcpyAsync";
    if (act->request == REQUEST_COPY && act->is_paged)
        return "cudaMemcpy of pageable memory";
    return CALLS[act->request].name;
}

const char *timeline_kind_name(enum timeline_kind kind)
{
    static const char *const NAMES[TIMELINE_KINDS] = {[TIMELINE_KERNEL] = "kernel",
                                                      [TIMELINE_UP] = "copy to the device",
                                                      [TIMELINE_DOWN] = "copy to the host",
                                                      [TIMELINE_MOVE] = "copy on the device",
                                                      [TIMELINE_SET] = "memset",
                                                      [TIMELINE_RECORD] = "event recorded",
                                                      [TIMELINE_WAIT] = "wait",
                                                      [TIMELINE_FUNCTION] = "host function"};
    return NAMES[kind];
}

/* --- Reading ---------------------------------------------------------------------------------- */

static void *copy_of(const void *from, size_t count, size_t bytes)
{
    void *made = malloc((count + 1) * bytes);
    if (made && count)
        memcpy(made, from, count * bytes);
    return made;
}

bool timeline_read(struct device *device, struct timeline_view *view)
{
    struct timeline *timeline = device->timeline;
    *view = (struct timeline_view){0};
    pthread_mutex_lock(&timeline->lock);
    uint32_t items = timeline->item_count, calls = timeline->call_count;
    const struct sim_profile *profile = sim_machine_profile(device->machine);
    view->model = (struct timeline_input){
        .items = copy_of(timeline->items, items, sizeof *timeline->items),
        .item_count = items,
        .calls = copy_of(timeline->calls, calls, sizeof *timeline->calls),
        .call_count = calls,
        .lists = copy_of(timeline->lists, timeline->list_count, sizeof *timeline->lists),
        .multiprocessors = profile->multiprocessors,
        .scheduler_warps = profile->warps / profile->schedulers};
    view->pieces = copy_of(timeline->pieces, items, sizeof *timeline->pieces);
    view->acts = copy_of(timeline->acts, calls, sizeof *timeline->acts);
    view->thread_count = timeline->thread_count;
    view->is_cut = timeline->is_cut;
    pthread_mutex_unlock(&timeline->lock);
    if (view->model.items && view->model.calls && view->model.lists && view->pieces && view->acts &&
        timeline_run(&view->model))
        return true;
    timeline_view_free(view);
    return false;
}

void timeline_view_free(struct timeline_view *view)
{
    free(view->model.items);
    free(view->model.calls);
    free((uint32_t *)view->model.lists);
    free(view->pieces);
    free(view->acts);
    *view = (struct timeline_view){0};
}
