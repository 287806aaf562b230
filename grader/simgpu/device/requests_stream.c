/* requests_stream.c - streams and events as handles: made, destroyed, waited for. Queueing work on
 * them is in requests_work.c, and its meaning in work.c. */
#include "device.h"
#include "order.h"
#include "timeline.h"

#include <stdlib.h>
#include <string.h>

/* A program may hold this many streams, events or graphs. */
enum { MOST_HANDLES = 1 << 20 };

static bool stream_missing(struct exchange *exchange, uint64_t stream)
{
    const struct stream *found = stream_at(exchange->client, stream);
    if (found && !found->leaving)
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

/* --- Streams ---------------------------------------------------------------------------------- */

size_t client_free_place(void **items, size_t *count, size_t item_bytes, size_t *from)
{
    while (*from < *count && *((bool *)((char *)*items + *from * item_bytes)))
        ++*from; /* `used` comes first */
    size_t place = *from;
    if (place < *count)
        return place;
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
    size_t place = client_free_place((void **)&client->streams, &client->stream_count,
                                     sizeof *client->streams, &client->stream_from);
    if (!place) {
        no_handles(exchange);
        return;
    }
    bool non_blocking = exchange->request.stream.flags & 1; /* cudaStreamNonBlocking */
    const struct clock kept = client->streams[place].clock; /* what was queued there before */
    client->streams[place] =
        (struct stream){.used = true, .blocking = !non_blocking, .clock = kept};
    client_count(client, &client->device->calls.stream_creations);
    client_made(client, SIMGPU_STREAM);
    exchange->reply.value[0] = place;
}

/* What is queued on it is still done; then the number may be used again. */
void request_stream_destroy(struct exchange *exchange)
{
    struct client *client = exchange->client;
    uint64_t number = exchange->request.stream.stream;
    if (number < FIRST_STREAM || stream_missing(exchange, number)) {
        exchange_fail(exchange, CUDA_INVALID_RESOURCE_HANDLE, "there is no such stream");
        return;
    }
    struct stream *stream = stream_at(client, number);
    stream->leaving = true;
    order_stream_leaves(client, stream);
    stream->used = !work_is_done(client, stream->last);
    client_place_is_free(&client->stream_from, number);
    client_gave_back(client, SIMGPU_STREAM);
}

void request_stream_synchronise(struct exchange *exchange)
{
    struct client *client = exchange->client;
    if (stream_missing(exchange, exchange->request.stream.stream))
        return;
    hold_end(client);
    joined_host(client, exchange->request.stream.stream, NULL); /* not what comes meanwhile */
    timeline_waits_for_stream(exchange, exchange->request.stream.stream);
    work_finish(exchange->line, exchange->request.stream.stream);
}

void request_synchronise(struct exchange *exchange)
{
    struct client *client = exchange->client;
    hold_end(client);
    joined_host(client, 0, NULL);
    timeline_waits_for_stream(exchange, 0);
    work_finish(exchange->line, 0);
}

void request_stream_query(struct exchange *exchange)
{
    if (stream_missing(exchange, exchange->request.stream.stream))
        return;
    if (work_is_idle(exchange->client, exchange->request.stream.stream)) {
        joined_host(exchange->client, exchange->request.stream.stream, NULL);
        timeline_found_over(exchange, 0, exchange->request.stream.stream);
        return;
    }
    if (!hold_keeps(exchange->client))
        work_nudge(exchange->client);
    exchange_fail(exchange, CUDA_NOT_READY, "");
}

/* --- Events ----------------------------------------------------------------------------------- */

void request_event_create(struct exchange *exchange)
{
    struct client *client = exchange->client;
    size_t place = client_free_place((void **)&client->events, &client->event_count,
                                     sizeof *client->events, &client->event_from);
    if (!place) {
        no_handles(exchange);
        return;
    }
    clock_free(&client->events[place].clock);
    bool untimed = exchange->request.stream.flags & 2; /* cudaEventDisableTiming */
    client->events[place] = (struct event){.used = true, .is_timed = !untimed};
    client_count(client, &client->device->calls.event_creations);
    client_made(client, SIMGPU_EVENT);
    exchange->reply.value[0] = place;
}

void request_event_destroy(struct exchange *exchange)
{
    struct event *event = event_or_fail(exchange, exchange->request.stream.event);
    if (!event)
        return;
    event_leave(exchange->client->device, event);
    event->used = false;
    client_place_is_free(&exchange->client->event_from, exchange->request.stream.event);
    client_gave_back(exchange->client, SIMGPU_EVENT);
}

void request_event_synchronise(struct exchange *exchange)
{
    struct client *client = exchange->client;
    struct event *event = event_or_fail(exchange, exchange->request.stream.event);
    if (!event)
        return;
    hold_end(client);
    timeline_waits_for(exchange, event->recorded_by);
    struct mark *mark = event_latest_mark(client, event);
    work_wait(exchange->line, event->shared ? 0 : event->work);
    work_wait_mark(exchange->line, mark);
    mark_drop(mark);
    joined_host(client, 0, event_at(client, exchange->request.stream.event));
}

void request_event_query(struct exchange *exchange)
{
    struct event *event = event_or_fail(exchange, exchange->request.stream.event);
    if (!event)
        return;
    struct mark *mark = event_latest_mark(exchange->client, event);
    bool is_over =
        event->shared ? mark_is_passed(mark) : work_is_done(exchange->client, event->work);
    mark_drop(mark);
    if (is_over) {
        joined_host(exchange->client, 0, event);
        timeline_found_over(exchange, event->recorded_by, 0);
        return;
    }
    if (!hold_keeps(exchange->client))
        work_nudge(exchange->client);
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
    else {
        order_host(client, 0, from);
        order_host(client, 0, to);
        exchange->reply.elapsed.milliseconds = (float)((to->time_ns - from->time_ns) * 1e-6);
    }
}
