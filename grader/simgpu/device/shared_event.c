/* shared_event.c - events that several programs record and wait for (CUDA IPC).
 *
 * Each recording of such an event is a mark, which is passed when the recording work is done or
 * gone. A waiting stream holds the latest mark of that moment, whichever program recorded it; the
 * engine polls it, since it knows nothing of other programs' work. Programs have modelled time
 * lines of their own, which such a wait does not tie together.
 */
#include "device.h"

#include <stdlib.h>
#include <string.h>
#include <sys/random.h>

struct mark {
    atomic_uint users;
    atomic_bool is_passed;
};

struct shared_event {
    struct shared_event *next;
    unsigned char secret[32]; /* a program must know it to open the event */
    unsigned users;           /* events of programs */
    struct mark *latest;      /* NULL before the first recording */
};

/* --- Marks ------------------------------------------------------------------------------------ */

static struct mark *mark_new(void)
{
    struct mark *mark = calloc(1, sizeof *mark);
    if (mark)
        atomic_init(&mark->users, 1);
    return mark;
}

static struct mark *mark_keep(struct mark *mark)
{
    if (mark)
        atomic_fetch_add(&mark->users, 1);
    return mark;
}

void mark_drop(struct mark *mark)
{
    if (mark && atomic_fetch_sub(&mark->users, 1) == 1)
        free(mark);
}

void mark_pass(struct mark *mark)
{
    if (mark)
        atomic_store(&mark->is_passed, true);
    mark_drop(mark);
}

bool mark_is_passed(const struct mark *mark)
{
    return !mark || atomic_load(&mark->is_passed);
}

/* --- Recording and waiting -------------------------------------------------------------------- */

/* The device's lock is held. */
static void set_latest(struct shared_event *shared, struct mark *mark)
{
    mark_drop(shared->latest);
    shared->latest = mark;
}

void event_record_shared(struct client *client, struct event *event, struct work *work)
{
    if (!event->shared || !work)
        return;
    struct mark *mark = mark_new();
    if (!mark) {
        client_break(client, CUDA_MEMORY_ALLOCATION, "the simulating machine is out of memory");
        return;
    }
    work->mark = mark_keep(mark);
    pthread_mutex_lock(&client->device->lock);
    set_latest(event->shared, mark);
    pthread_mutex_unlock(&client->device->lock);
}

struct mark *event_latest_mark(struct client *client, const struct event *event)
{
    if (!event->shared)
        return NULL;
    pthread_mutex_lock(&client->device->lock);
    struct mark *mark = mark_keep(event->shared->latest);
    pthread_mutex_unlock(&client->device->lock);
    return mark;
}

/* --- Sharing ---------------------------------------------------------------------------------- */

void event_leave(struct device *device, struct event *event)
{
    struct shared_event *shared = event->shared;
    if (!shared)
        return;
    event->shared = NULL;
    pthread_mutex_lock(&device->lock);
    if (--shared->users == 0) {
        struct shared_event **link = &device->shared_events;
        while (*link != shared)
            link = &(*link)->next;
        *link = shared->next;
        mark_drop(shared->latest);
        free(shared);
    }
    pthread_mutex_unlock(&device->lock);
}

/* An event becomes one that others may open. */
static bool share(struct client *client, struct event *event)
{
    struct shared_event *shared = calloc(1, sizeof *shared);
    if (!shared)
        return false;
    if (getrandom(shared->secret, sizeof shared->secret, 0) != sizeof shared->secret) {
        free(shared);
        return false;
    }
    shared->users = 1;
    pthread_mutex_lock(&client->device->lock);
    shared->next = client->device->shared_events;
    client->device->shared_events = shared;
    event->shared = shared;
    pthread_mutex_unlock(&client->device->lock);
    struct work *recording = event->work ? work_find(client, event->work) : NULL;
    if (recording && !recording->mark)
        event_record_shared(client, event, recording);
    return true;
}

void request_ipc_event_get(struct exchange *exchange)
{
    struct client *client = exchange->client;
    struct event *event = event_at(client, exchange->request.stream.event);
    if (!event)
        exchange_fail(exchange, CUDA_INVALID_RESOURCE_HANDLE, "there is no such event");
    else if (!event->shared && !share(client, event))
        exchange_fail(exchange, CUDA_MEMORY_ALLOCATION, "the simulating machine is out of memory");
    else
        memcpy(exchange->reply.ipc.handle, event->shared->secret, sizeof event->shared->secret);
}

/* The event that handle names, with one more user. */
static struct shared_event *find(struct device *device, const unsigned char *handle)
{
    pthread_mutex_lock(&device->lock);
    struct shared_event *shared = device->shared_events;
    while (shared && memcmp(shared->secret, handle, sizeof shared->secret) != 0)
        shared = shared->next;
    if (shared)
        shared->users++;
    pthread_mutex_unlock(&device->lock);
    return shared;
}

void request_ipc_event_open(struct exchange *exchange)
{
    struct client *client = exchange->client;
    size_t place = client_free_place((void **)&client->events, &client->event_count,
                                     sizeof *client->events, &client->event_from);
    struct shared_event *shared = place ? find(client->device, exchange->request.ipc.handle) : NULL;
    if (!place) {
        exchange_fail(exchange, CUDA_MEMORY_ALLOCATION, "the program holds too many handles");
        return;
    }
    if (!shared) {
        exchange_fail(exchange, CUDA_INVALID_RESOURCE_HANDLE,
                      "the handle names no event that is still there");
        return;
    }
    client->events[place] = (struct event){.used = true, .recorded = true, .shared = shared};
    client_count(client, &client->device->calls.event_creations);
    client_made(client, SIMGPU_EVENT);
    exchange->reply.value[0] = place;
}
