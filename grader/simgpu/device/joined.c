/* joined.c - is everything that a launcher queued ordered with the stream that it was given?
 *
 * The caller of a launcher owns one stream, and only that stream tells it when the work is done. So
 * work on another stream has to wait for the caller's stream first, and in the end the caller's
 * stream has to wait for that work. While the window is open (window.c) each stream has a vector
 * clock: how many pieces of each stream precede what is queued on it next. Events carry a copy of
 * it, waits and the host's synchronisations merge them. The stream given is that of the first piece
 * in the window: the runner records an event there, before the launcher is called.
 *
 * A clock belongs to one opening of the window: an older one counts as empty.
 */
#include "device.h"
#include "order.h"

#include <stdlib.h>
#include <string.h>

static bool tracks(const struct client *client)
{
    return client->is_watched && client->device->window.state == SIMGPU_WINDOW_OPEN;
}

void clock_free(struct clock *clock)
{
    free(clock->seen);
    *clock = (struct clock){0};
}

/* The clock, in this opening and with a place for each of the client's streams; false when there is
 * no memory for it. */
static bool refresh(const struct client *client, struct clock *clock)
{
    uint64_t opening = client->device->window.opening;
    if (clock->count < client->stream_count) {
        uint64_t *grown = realloc(clock->seen, client->stream_count * sizeof *grown);
        if (!grown)
            return false;
        memset(grown + clock->count, 0, (client->stream_count - clock->count) * sizeof *grown);
        clock->seen = grown;
        clock->count = client->stream_count;
    }
    if (clock->opening != opening)
        memset(clock->seen, 0, clock->count * sizeof *clock->seen);
    clock->opening = opening;
    return true;
}

/* Pieces that the stream given now waits for are joined. */
static void merge(struct client *client, struct clock *to, const struct clock *from)
{
    if (to == from || from->opening != client->device->window.opening || !refresh(client, to))
        return;
    bool is_given = client->given && to == &client->streams[client->given].clock;
    for (size_t i = 0; i < from->count && i < to->count; i++) {
        if (from->seen[i] <= to->seen[i])
            continue;
        if (is_given && i != client->given)
            client->unjoined -= from->seen[i] - to->seen[i];
        to->seen[i] = from->seen[i];
    }
}

/* What the stream implies: see add_implied_waits in work.c; and what the host has waited for. */
static void merge_implied(struct client *client, uint64_t stream)
{
    struct stream *own = &client->streams[stream];
    merge(client, &own->clock, &client->host_clock);
    for (size_t i = STREAM_LEGACY; i < client->stream_count; i++) {
        const struct stream *other = &client->streams[i];
        bool tied = stream == STREAM_LEGACY ? other->blocking : own->blocking && i == STREAM_LEGACY;
        if (tied)
            merge(client, &own->clock, &other->clock);
    }
}

/* The first piece in the window comes before the launcher. */
static void begin(struct client *client, uint64_t stream)
{
    struct window *window = &client->device->window;
    client->tracked = window->opening;
    client->unjoined = client->unforked = client->ahead = 0;
    client->given = 0;
    pthread_mutex_lock(&client->device->lock);
    if (!window->first_client)
        window->first_client = client->number;
    bool is_first = window->first_client == client->number;
    pthread_mutex_unlock(&client->device->lock);
    if (is_first)
        client->given = stream;
    if (is_first && refresh(client, &client->streams[stream].clock))
        client->streams[stream].clock.seen[stream] = 1;
}

void joined_issue(struct client *client, uint64_t stream, enum joined_piece piece)
{
    if (!tracks(client))
        return;
    if (client->tracked != client->device->window.opening)
        begin(client, stream);
    merge_implied(client, stream);
    struct clock *clock = &client->streams[stream].clock;
    if (piece == JOINED_NOTHING || !refresh(client, clock))
        return;
    clock->seen[stream]++;
    if (stream == client->given)
        return;
    client->unjoined++;
    if (piece == JOINED_BY_HOST || (client->given && clock->seen[client->given] > 0))
        return;
    client->unforked++;
    client->ahead += piece == JOINED_AHEAD;
}

void joined_record(struct client *client, uint64_t stream, struct event *event)
{
    if (!tracks(client))
        return;
    joined_issue(client, stream, JOINED_NOTHING);
    if (refresh(client, &event->clock))
        memset(event->clock.seen, 0, event->clock.count * sizeof *event->clock.seen);
    merge(client, &event->clock, &client->streams[stream].clock);
}

void joined_wait(struct client *client, uint64_t stream, const struct event *event)
{
    if (!tracks(client))
        return;
    joined_issue(client, stream, JOINED_NOTHING);
    merge(client, &client->streams[stream].clock, &event->clock);
}

void joined_host(struct client *client, uint64_t stream, const struct event *event)
{
    order_host(client, stream, event);
    if (!tracks(client))
        return;
    if (event)
        merge(client, &client->host_clock, &event->clock);
    for (size_t i = 1; i < client->stream_count && !event; i++)
        if (stream == 0 || stream == i)
            merge(client, &client->host_clock, &client->streams[i].clock);
}

static bool is_tracked(const struct client *client)
{
    return client->is_watched && client->tracked == client->device->window.opening;
}

/* The device's lock is held for both. */
uint64_t joined_missing(const struct device *device, bool may_be_ahead)
{
    uint64_t missing = 0;
    for (const struct client *client = device->clients; client; client = client->next) {
        uint64_t unforked = client->unforked - (may_be_ahead ? client->ahead : 0);
        if (is_tracked(client))
            missing += client->unjoined > unforked ? client->unjoined : unforked;
    }
    return missing;
}

uint64_t joined_unawaited(const struct device *device)
{
    uint64_t unawaited = 0;
    for (const struct client *client = device->clients; client; client = client->next)
        unawaited += is_tracked(client) ? client->unjoined : 0;
    return unawaited;
}
