/* engine.c - the thread that does a program's work: which piece is next, and when it ended.
 *
 * Ready work (work.c) runs in the order of issue. With a seed, a drawn ready piece runs instead, as
 * late as possible: then a program that forgot to wait for an event gets a wrong answer instead of
 * being lucky.
 *
 * The modelled time line runs in parallel: work starts when everything it waits for has ended, when
 * the host has issued it, and when the part of the device that does it is free. Next: execute.c.
 */
#include "device.h"
#include "order.h"
#include "timeline.h"

#include <errno.h>
#include <math.h>
#include <time.h>

/* A mark in a stream (an event recorded or waited for, an empty node of a graph) takes the device
 * this long: two events with nothing between them are this far apart on an H200
 * (fidelity/measured/bank.csv). The first ones of a window, including the runner's own, are in the
 * reference's time as well. */
static const double MARK_NS = 1280;
enum { FREE_MARKS = 16 };

/* With a seed, work is held back until the program waits, or MOST_HELD_BACK pieces are queued, or
 * nothing has happened for this long. */
static const long PATIENCE_NS = 100 * 1000000;
/* How often the engine looks whether another program has recorded an event. */
static const long LOOK_NS = 500 * 1000;

/* --- Choosing --------------------------------------------------------------------------------- */

static uint64_t random_number(struct client *client)
{
    client->random = client->random * UINT64_C(6364136223846793005) + 1442695040888963407u;
    return client->random >> 33;
}

/* The program runs one function at a time; other work continues meanwhile. */
static bool is_ready(const struct client *client, const struct work *work)
{
    return work->state == WORK_QUEUED && work->wait_count == 0 && mark_is_passed(work->awaits) &&
           !(work->kind == WORK_HOST_FUNCTION && client->asked);
}

static struct work *ready_number(struct client *client, size_t number)
{
    for (struct work *work = client->first; work; work = work->next)
        if (is_ready(client, work) && number-- == 0)
            return work;
    return NULL;
}

/* Work drawn from the seed, or NULL if all has to wait, or may wait a little longer. */
static struct work *draw(struct client *client, uint64_t seed)
{
    size_t ready = 0;
    if (!client->draining && !client->nudged && !client->device->window.drains &&
        client->work_count < MOST_HELD_BACK)
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
    hold_limit(client);
    if (hold_keeps(client))
        return NULL;
    return seed ? draw(client, seed) : ready_number(client, 0);
}

/* --- Doing ------------------------------------------------------------------------------------ */

/* When the part of the device that does this kind of work is free; NULL if it needs none. */
static double *free_time(struct client *client, const struct work *work)
{
    bool moves = work->kind == WORK_COPY &&
                 (work->request.copy.kind != COPY_ON_DEVICE || work->request.copy.over_bus);
    return work_computes(work->kind) ? &client->compute_free_ns
           : moves                   ? &client->copy_free_ns
                                     : NULL;
}

static double settle_times(struct client *client, const struct work *work, double duration_ns)
{
    double *part = free_time(client, work);
    double start_ns = work->ready_ns;
    move_on_to(&start_ns, work->issued_ns);
    if (part)
        move_on_to(&start_ns, *part);
    double end_ns = start_ns + duration_ns;
    if (part)
        *part = end_ns;
    return end_ns;
}

static void tell_waiting(struct client *client, uint64_t id, double end_ns)
{
    for (struct work *work = client->first; work; work = work->next)
        for (uint32_t i = 0; i < work->wait_count; i++)
            if (work->waits_for[i] == id) {
                work->waits_for[i--] = work->waits_for[--work->wait_count];
                move_on_to(&work->ready_ns, end_ns);
            }
}

static void count_time(struct client *client, double duration_ns)
{
    struct device *device = client->device;
    pthread_mutex_lock(&device->lock);
    device->modelled_ns += duration_ns;
    if (client->is_watched)
        device->calls.modelled_ns += duration_ns;
    pthread_mutex_unlock(&device->lock);
}

static void count_machine_time(struct client *client, double *sum_ns,
                               const struct work_moment *from)
{
    double passed_ns = worked_since_ns(client->device, from);
    pthread_mutex_lock(&client->device->lock);
    if (client->is_watched)
        *sum_ns += passed_ns;
    pthread_mutex_unlock(&client->device->lock);
}

/* To look at the clock takes as long as a small copy: it is looked at for work that counts, and
 * that takes time at all. */
static bool is_clocked(const struct client *client, const struct work *work)
{
    return client->is_watched && work->kind != WORK_RECORD && work->kind != WORK_NOTHING;
}

/* What a mark takes; 0 for other work, and outside the window. */
static double mark_ns(struct client *client, enum work_kind kind)
{
    struct device *device = client->device;
    bool is_mark = kind == WORK_RECORD || kind == WORK_NOTHING, is_dear = false;
    pthread_mutex_lock(&device->lock);
    if (is_mark && client->is_watched && device->window.state == SIMGPU_WINDOW_OPEN)
        is_dear = ++device->calls.marks > FREE_MARKS;
    pthread_mutex_unlock(&device->lock);
    return is_dear ? MARK_NS : 0;
}

static void complete(struct client *client, struct work *done, double duration_ns)
{
    timeline_done(client, done, duration_ns);
    duration_ns += mark_ns(client, done->kind);
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
        move_on_to(&stream->end_ns, end_ns);
        stream->used = !stream->leaving || stream->last != done->id;
        if (!stream->used)
            client_place_is_free(&client->stream_from, done->stream);
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
    struct work *work = id && id == client->asked ? work_find(client, id) : NULL;
    if (!work)
        return;
    client->asked = 0;
    order_host_sees(client, work); /* it may tell a thread */
    count_machine_time(client, &client->device->calls.host_function_ns, &client->asked_at);
    complete(client, work, 0);
}

/* A conditional node chooses a body, and waits for it; or it has ended. */
static void decide(struct client *client, struct work *work, bool broken)
{
    const struct graph *body = broken ? NULL : condition_body(work);
    if (body)
        work_queue_body(client, work, body);
    else
        complete(client, work, 0);
}

/* The lock is held, except while the work is done. */
static void carry_out(struct client *client, struct work *work)
{
    bool broken = client->error != 0; /* nothing runs on a broken context */
    bool clocked = is_clocked(client, work);
    struct work_moment from = {0};
    double duration_ns = 0;
    work->state = WORK_RUNNING;
    work->latest = client->next_work;
    client->executing = work;
    if (work->kind == WORK_CONDITIONAL) {
        decide(client, work, broken);
        return;
    }
    if (work->kind == WORK_NOTHING)
        conditions_start(work->conditions);
    if (work->kind == WORK_HOST_FUNCTION && !broken && execute_ask(client, work)) {
        client->asked = work->id;
        client->asked_at = worked_now(client->device);
        return;
    }
    pthread_mutex_unlock(&client->lock);
    if (clocked)
        from = worked_now(client->device);
    if (!broken && work->kind != WORK_HOST_FUNCTION)
        duration_ns = execute(client, work);
    if (clocked)
        count_machine_time(client, &client->device->calls.work_ns, &from);
    pthread_mutex_lock(&client->lock);
    complete(client, work, duration_ns);
}

static bool awaits_others(const struct client *client)
{
    for (const struct work *work = client->first; work; work = work->next)
        if (!mark_is_passed(work->awaits))
            return true;
    return false;
}

/* Work that is held back proceeds when nothing else happens, one piece at a time. */
static void wait_for_work(struct client *client)
{
    bool looks = awaits_others(client) || !window_admits(client);
    bool is_held = hold_keeps(client), holds_back = is_held || client->device->options.seed != 0;
    struct timespec when = in_a_while(looks ? LOOK_NS : PATIENCE_NS);
    if (!client->first || !(looks || holds_back))
        pthread_cond_wait(&client->changed, &client->lock);
    else if (pthread_cond_timedwait(&client->changed, &client->lock, &when) != ETIMEDOUT)
        return;
    else if (is_held)
        hold_look(client, (double)PATIENCE_NS * 1e-6);
    else
        client->nudged = true;
}

void *work_engine(void *argument)
{
    struct client *client = argument;
    pthread_mutex_lock(&client->lock);
    while (!client->dying) {
        struct work *work = choose(client);
        if (work && window_try(client)) {
            carry_out(client, work);
            window_leave(client->device);
        } else {
            wait_for_work(client);
        }
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
