/* window.c - which program may work when: the grader's window.
 *
 * While no window is set, every program works. While it is shut, only the program in control works:
 * requests of others wait before they are handled, and their engines begin nothing. While it is
 * open, the watched program works as well: the process that the grader named, and its children, as
 * the kernel knows them. So what the grader writes while the window is shut is there when the
 * watched program begins, and what it reads afterwards is what that program left.
 *
 * Shutting drains the device: queued work is done, and current requests end. What the watched
 * program still had queued or running at that moment is counted, since it crosses the edge of the
 * window.
 *
 * busy and state follow Dekker's algorithm: a thread that enters counts itself and then reads the
 * state, one that shuts sets the state and then reads the count, so that one of the two sees the
 * other.
 */
#include "device.h"
#include "lib/process_seen.h"

#include <time.h>

/* Work that has not ended this long after the window was shut is stopped; on a busy machine, after
 * MOST_NS of real time. */
static const int64_t PATIENCE_NS = INT64_C(2000000000), MOST_NS = INT64_C(20000000000);
/* How often to look whether the machine is busy. */
static const int64_t BUSY_LOOK_NS = 100000000;
/* How often a waiting request looks whether its program is still there, and how often shutting
 * looks whether all is done. */
static const long LOOK_NS = 20 * 1000000L, DRAIN_NS = 1000000L;

void window_init(struct window *window)
{
    pthread_condattr_t attributes;
    pthread_condattr_init(&attributes);
    pthread_condattr_setclock(&attributes, CLOCK_MONOTONIC);
    pthread_cond_init(&window->changed, &attributes);
    pthread_condattr_destroy(&attributes);
}

/* --- Which programs are watched --------------------------------------------------------------- */

static bool descends_from(pid_t process, pid_t ancestor)
{
    enum { MOST_GENERATIONS = 64 };
    for (int i = 0; i < MOST_GENERATIONS && process > 1; i++) {
        if (process == ancestor)
            return true;
        struct process_seen seen;
        process = process_look(process, &seen) ? seen.parent : 0;
    }
    return false;
}

void window_note_client(struct client *client)
{
    pid_t watched = client->device->window.watched;
    client->is_watched = watched && !client->in_control && descends_from(client->process, watched);
}

/* Without a program in control there is no window. The device's lock is held. */
void window_give_up(struct device *device)
{
    device->window.state = SIMGPU_WINDOW_NONE;
    pthread_cond_broadcast(&device->window.changed);
}

static void watch(struct device *device, pid_t process)
{
    if (device->window.watched == process)
        return;
    device->window.watched = process;
    for (struct client *client = device->clients; client; client = client->next)
        window_note_client(client);
}

/* --- Entering --------------------------------------------------------------------------------- */

bool window_admits(const struct client *client)
{
    enum simgpu_window state = client->device->window.state;
    return state == SIMGPU_WINDOW_NONE || client->in_control ||
           (state == SIMGPU_WINDOW_OPEN && client->is_watched);
}

/* The count is waited for only while the window is shut. */
void window_leave(struct device *device)
{
    struct window *window = &device->window;
    atomic_fetch_sub(&window->busy, 1);
    if (window->state != SIMGPU_WINDOW_SHUT)
        return;
    pthread_mutex_lock(&device->lock);
    pthread_cond_broadcast(&window->changed);
    pthread_mutex_unlock(&device->lock);
}

static bool try_to_enter(struct client *client, bool drains)
{
    struct window *window = &client->device->window;
    atomic_fetch_add(&window->busy, 1);
    if (window_admits(client) || (drains && window->drains))
        return true;
    window_leave(client->device);
    return false;
}

bool window_try(struct client *client)
{
    return try_to_enter(client, true);
}

bool window_enter(struct line *line)
{
    struct client *client = line->client;
    struct device *device = client->device;
    while (!try_to_enter(client, false)) {
        struct timespec when = in_a_while(LOOK_NS);
        pthread_mutex_lock(&device->lock);
        if (!window_admits(client))
            pthread_cond_timedwait(&device->window.changed, &device->lock, &when);
        pthread_mutex_unlock(&device->lock);
        if (line_is_hung_up(line))
            return false;
    }
    return true;
}

/* --- Changing --------------------------------------------------------------------------------- */

/* Is only the request of the program in control being handled? */
static bool is_quiet(const struct device *device)
{
    if (device->window.busy > 1)
        return false;
    for (const struct client *client = device->clients; client; client = client->next)
        if (!client->in_control && client->work_count && !client->is_evicted)
            return false;
    return true;
}

struct patience {
    double next_ns;          /* when to look next */
    struct work_moment from; /* the first look; most waits end before it */
};

static bool is_over(struct patience *patience)
{
    double now_ns = hold_now_ns();
    if (now_ns < patience->next_ns)
        return false;
    struct work_moment now = worked_look();
    patience->next_ns = now_ns + BUSY_LOOK_NS;
    if (patience->from.wall_ns == 0)
        patience->from = now;
    return work_between_ns(&patience->from, &now) > PATIENCE_NS ||
           now.wall_ns - patience->from.wall_ns > MOST_NS;
}

/* The device's lock is held. False when it takes too long. */
static bool wait_until_quiet(struct device *device)
{
    struct patience patience = {.next_ns = hold_now_ns() + BUSY_LOOK_NS};
    while (!is_quiet(device)) {
        struct timespec when = in_a_while(DRAIN_NS);
        if (is_over(&patience))
            return false;
        pthread_cond_timedwait(&device->window.changed, &device->lock, &when);
        window_stop_evicted(device);
    }
    return true;
}

/* A client's lock comes before the device's, which is held: so it is only tried. */
void window_stop_evicted(struct device *device)
{
    for (struct client *client = device->clients; client; client = client->next) {
        if (!client->is_evicted || pthread_mutex_trylock(&client->lock) != 0)
            continue;
        if (client->running)
            sim_launch_abort(client->running);
        pthread_mutex_unlock(&client->lock);
    }
}

void window_evict(struct device *device, bool only_at_work)
{
    for (struct client *client = device->clients; client; client = client->next)
        if (!client->in_control && (client->work_count || !only_at_work))
            client->is_evicted = true;
    window_stop_evicted(device);
}

static uint64_t pieces_of_watched(const struct device *device)
{
    uint64_t pieces = 0;
    for (const struct client *client = device->clients; client; client = client->next)
        pieces += client->is_watched ? client->work_count : 0;
    return pieces;
}

/* Returns false when something cannot be stopped. */
static bool shut(struct device *device, struct simgpu_over *over)
{
    over->pieces = pieces_of_watched(device);
    device->window.drains = true;
    bool quiet = wait_until_quiet(device);
    if (!quiet) {
        over->endless = true;
        window_evict(device, true);
        quiet = wait_until_quiet(device);
    }
    device->window.drains = false;
    return quiet;
}

void request_window(struct exchange *exchange)
{
    struct device *device = exchange->client->device;
    enum simgpu_window state = exchange->request.window.window;
    pid_t process = (pid_t)exchange->request.window.process;
    struct simgpu_over over = {0};
    bool changed = true;
    if (state > SIMGPU_WINDOW_OPEN) {
        exchange_fail(exchange, CUDA_INVALID_VALUE, "there is no such window");
        return;
    }
    if (state == SIMGPU_WINDOW_OPEN || (state == SIMGPU_WINDOW_NONE && process)) {
        sim_forget_unsampled(device->machine);
        history_mark(device);
    }
    pthread_mutex_lock(&device->lock);
    watch(device, process);
    device->window.state = state;
    device->window.opening += state == SIMGPU_WINDOW_OPEN;
    if (state == SIMGPU_WINDOW_OPEN)
        hold_open(device);
    device->window.first_client = 0;
    pthread_cond_broadcast(&device->window.changed);
    if (state == SIMGPU_WINDOW_SHUT)
        changed = shut(device, &over);
    pthread_mutex_unlock(&device->lock);
    exchange->reply.value[0] = over.pieces;
    exchange->reply.value[1] = over.endless;
    if (!changed)
        exchange_fail(exchange, CUDA_NOT_READY, "another program's work does not end");
}
