/* hold.c - does a program wait for its work without a call that waits?
 *
 * A launcher that may not wait can ask cudaStreamQuery in a loop, or have a host function raise a
 * flag. So, when the grader asks for it, what the watched program queues in a window is not begun
 * before it waits for the device by a call that is counted. A launcher that does not wait returns,
 * and then the runner around it makes such a call at once. One that waits makes no progress, and
 * the device looks at its process: if several times in a row it sleeps, or keeps a processor busy,
 * and only asks the device whether the work is over, then it waits. That is counted as a
 * synchronisation, and the work begins.
 *
 * If the simulation waits for something where a GPU need not, that also counts as a wait when work
 * was held back, so that no program can wait unnoticed in this way.
 *
 * On a busy machine a process may make no progress because it gets no processor: then it is ready
 * to run. That is not a wait. Nor is it one to sleep until the device, which gets none either,
 * has answered a request. Nor is it one to compute for a little while, however long that takes
 * there: idleness.c.
 */
#include "device.h"

#include <math.h>
#include <poll.h>

double hold_now_ns(void)
{
    return (double)work_wall_ns();
}

void hold_open(struct device *device)
{
    device->window.opened = worked_now(device);
}

bool hold_keeps(const struct client *client)
{
    const struct window *window = &client->device->window;
    return client->device->options.hold_back && client->is_watched &&
           window->state == SIMGPU_WINDOW_OPEN && !window->drains && !client->draining &&
           client->hold.released != window->opening;
}

void hold_end(struct client *client)
{
    struct device *device = client->device;
    pthread_mutex_lock(&device->lock);
    if (client->is_watched) {
        device->calls.synchronisations++;
        /* At least 1 ns: the work may have waited for a processor all this time. */
        if (device->calls.host_ns == 0 && device->window.state == SIMGPU_WINDOW_OPEN)
            device->calls.host_ns = fmax(1, worked_since_ns(device, &device->window.opened));
    }
    pthread_mutex_unlock(&device->lock);
}

void hold_end_for(struct client *client, uint64_t stream)
{
    if (hold_keeps(client) && !work_is_idle(client, stream))
        hold_end(client);
}

static void release(struct client *client)
{
    client->hold =
        (struct hold){.acts = client->hold.acts, .released = client->device->window.opening};
    client->nudged = true; /* with a seed it would be held back again */
}

/* A program that queues that many pieces is no longer held back. It could then wait for the first
 * ones unnoticed, so that counts as a wait. A launcher of many small products has hundreds. */
void hold_limit(struct client *client)
{
    if (client->work_count < MOST_HELD_IN_WINDOW || !hold_keeps(client))
        return;
    hold_end(client);
    release(client);
}

/* Has one of its threads sent a request that is not answered, or not even read? */
static bool is_asking(const struct client *client)
{
    for (const struct line *line = client->talking; line; line = line->next) {
        struct pollfd look = {.fd = line->socket, .events = POLLIN};
        if (atomic_load(&line->is_asked) ||
            (poll(&look, 1, 0) > 0 && (look.revents & (POLLIN | POLLHUP)) == POLLIN))
            return true;
    }
    return false;
}

void hold_look(struct client *client, double since_last_ms)
{
    struct hold *hold = &client->hold;
    struct process_seen seen;
    bool is_seen = process_look(client->process, &seen);
    const struct talk talk = {.acts = hold->acts,
                              .answers = atomic_load(&client->answers),
                              .is_asking = is_asking(client)};
    enum idleness_says says =
        idleness_note(&hold->idleness, &talk, is_seen ? &seen : NULL, since_last_ms);
    if (says == IDLENESS_WAITS)
        hold_end(client);
    if (says != IDLENESS_UNCLEAR)
        release(client);
}
