/* client.c - one connected program, from its first connection to its last.
 *
 * However a program ends, the kernel closes its connections, and with the last of them everything
 * that it held here is freed. Next: requests.c for its requests, work.c for what is queued.
 */
#include "../socket.h"
#include "device.h"
#include "order.h"

#include <stdlib.h>
#include <string.h>
#include <sys/random.h>
#include <unistd.h>

static void free_handles(struct client *client)
{
    for (size_t i = 1; i < client->graph_count; i++)
        graph_free(&client->graphs[i]);
    for (size_t i = 1; i < client->event_count; i++) {
        event_leave(client->device, &client->events[i]);
        clock_free(&client->events[i].clock);
    }
    for (size_t i = 0; i < client->stream_count; i++)
        clock_free(&client->streams[i].clock);
    clock_free(&client->host_clock);
    order_free(client);
    free(client->graphs);
    free(client->streams);
    free(client->events);
    free(client->modules);
    free(client->kernels);
    client->graphs = NULL;
    client->streams = NULL;
    client->events = NULL;
    client->modules = NULL;
    client->kernels = NULL;
    client->graph_count = client->stream_count = client->event_count = 0;
    client->module_count = client->kernel_count = 0;
}

static void client_free(struct client *client)
{
    free_handles(client);
    sim_context_free(client->context);
    pthread_mutex_destroy(&client->lock);
    pthread_cond_destroy(&client->changed);
    if (client->callback_socket >= 0)
        close(client->callback_socket);
    free(client->printed);
    free(client->timeline_numbers.items);
    free(client->places);
    free(client);
}

static bool make_streams(struct client *client)
{
    client->streams = calloc(FIRST_STREAM, sizeof *client->streams);
    if (!client->streams)
        return false;
    client->stream_count = client->stream_from = FIRST_STREAM;
    client->event_from = client->graph_from = 1;
    client->streams[STREAM_LEGACY] = (struct stream){.used = true};
    client->streams[STREAM_PER_THREAD] = (struct stream){.used = true, .blocking = true};
    return true;
}

/* Others read a client's context under the device's lock, so it changes under that. */
bool client_reset(struct client *client, struct sim_error *error)
{
    struct device *device = client->device;
    struct sim_context *fresh = sim_context_new(device->machine, error);
    if (!fresh)
        return false;
    free_handles(client);
    if (!make_streams(client)) {
        sim_context_free(fresh);
        *error =
            (struct sim_error){SIM_HOST_OUT_OF_MEMORY, "the simulating machine is out of memory"};
        client_break(client, CUDA_MEMORY_ALLOCATION, error->message);
        return false;
    }
    sim_watch_initialisation(fresh, device->options.checks & SIMGPU_CHECK_INITIALISED);
    pthread_mutex_lock(&device->lock);
    exports_forget(device, client);
    struct sim_context *old = client->context;
    client->context = fresh;
    pthread_mutex_unlock(&device->lock);
    sim_context_free(old);
    client->error = 0;
    return true;
}

/* Waiting alternates with looking whether the program is still there, by a clock that is never
 * set. */
static void init_lock(struct client *client)
{
    pthread_condattr_t attributes;
    pthread_condattr_init(&attributes);
    pthread_condattr_setclock(&attributes, CLOCK_MONOTONIC);
    pthread_mutex_init(&client->lock, NULL);
    pthread_cond_init(&client->changed, &attributes);
    pthread_condattr_destroy(&attributes);
}

static struct client *client_new(const struct connection *connection)
{
    struct device *device = connection->device;
    struct sim_error error;
    struct client *client = calloc(1, sizeof *client);
    if (!client)
        return NULL;
    client->device = device;
    client->lines = 1;
    client->callback_socket = -1;
    client->process =
        connection->control_of ? connection->control_of : socket_peer(connection->socket);
    client->in_control = connection->control_of != 0;
    client->end = &client->first;
    init_lock(client);
    client->context = sim_context_new(device->machine, &error);
    if (!client->context || !make_streams(client) ||
        getrandom(client->secret, sizeof client->secret, 0) != sizeof client->secret ||
        pthread_create(&client->engine, NULL, work_engine, client) != 0) {
        client_free(client);
        return NULL;
    }
    pthread_mutex_lock(&device->lock);
    sim_watch_initialisation(client->context, device->options.checks & SIMGPU_CHECK_INITIALISED);
    client->number = ++device->next_client;
    window_note_client(client);
    client->next = device->clients;
    device->clients = client;
    pthread_mutex_unlock(&device->lock);
    return client;
}

/* The client that another line belongs to, or NULL if it does not know the secret. A different
 * process that has learnt it does not belong to the program. */
static struct client *client_attach(struct device *device, const struct request *hello,
                                    pid_t process)
{
    pthread_mutex_lock(&device->lock);
    struct client *client = device->clients;
    while (client && (client->number != hello->attach.client || client->lines == 0 ||
                      process != client->process ||
                      memcmp(client->secret, hello->attach.secret, sizeof client->secret) != 0))
        client = client->next;
    if (client)
        client->lines++;
    pthread_mutex_unlock(&device->lock);
    return client;
}

/* A line of client has ended, and with the last one the program. */
static void client_leave(struct client *client)
{
    struct device *device = client->device;
    pthread_mutex_lock(&device->lock);
    bool last = --client->lines == 0;
    if (last)
        exports_forget(device, client);
    if (last && client->in_control)
        window_give_up(device);
    pthread_mutex_unlock(&device->lock);
    if (!last)
        return;
    work_end(client);
    ranges_end(device, &client->ranges, client->host_ns);
    pthread_mutex_lock(&device->lock);
    for (struct client **link = &device->clients; *link; link = &(*link)->next)
        if (*link == client) {
            *link = client->next;
            break;
        }
    pthread_cond_broadcast(&device->clients_changed);
    pthread_mutex_unlock(&device->lock);
    client_free(client);
}

/* --- Lines ------------------------------------------------------------------------------------ */

/* While it is served, what it asks is seen (hold.c). */
static void serve_requests(struct line *line)
{
    struct client *client = line->client;
    pthread_mutex_lock(&client->lock);
    line->next = client->talking;
    client->talking = line;
    pthread_mutex_unlock(&client->lock);
    while (request_serve(line))
        continue;
    pthread_mutex_lock(&client->lock);
    struct line **link = &client->talking;
    while (*link != line)
        link = &(*link)->next;
    *link = line->next;
    pthread_mutex_unlock(&client->lock);
}

static void serve(struct line *line)
{
    struct reply reply = {0};
    reply.welcome.client = line->client->number;
    reply.welcome.in_control = line->client->in_control;
    memcpy(reply.welcome.secret, line->client->secret, SECRET_BYTES);
    const struct sim_arena *arena = sim_machine_arena(line->client->device->machine);
    reply.welcome.arena_address = arena->address;
    reply.welcome.arena_bytes = arena->bytes;
    if (socket_write(line->socket, &reply, sizeof reply))
        serve_requests(line);
}

/* The line over which a program is asked to run its own functions; it has at most one. */
static void serve_callbacks(struct line *line)
{
    struct client *client = line->client;
    struct request done;
    pthread_mutex_lock(&client->lock);
    bool first = client->callback_socket < 0;
    if (first)
        client->callback_socket = dup(line->socket);
    pthread_mutex_unlock(&client->lock);
    struct reply reply = {.error = first ? CUDA_SUCCESS : CUDA_INVALID_VALUE};
    bool goes_on = socket_write(line->socket, &reply, sizeof reply) && first;
    while (goes_on && socket_read(line->socket, &done, sizeof done) &&
           done.kind == REQUEST_CALLBACK_DONE) {
        pthread_mutex_lock(&client->lock);
        work_host_function_done(client, done.callback.id);
        pthread_mutex_unlock(&client->lock);
    }
    if (!first)
        return;
    pthread_mutex_lock(&client->lock);
    close(client->callback_socket);
    client->callback_socket = -1;
    work_host_function_done(client, client->asked);
    pthread_mutex_unlock(&client->lock);
}

/* A program called something that is not simulated, and has said so on the screen: see
 * ../driver. */
static void note_refusal(struct device *device, int socket)
{
    const struct reply noted = {0};
    pthread_mutex_lock(&device->lock);
    device->refusals++;
    pthread_mutex_unlock(&device->lock);
    socket_write(socket, &noted, sizeof noted);
}

void *client_serve(void *argument)
{
    struct connection connection = *(struct connection *)argument;
    struct line line = {.socket = connection.socket};
    struct request hello;
    free(argument);
    if (socket_read(line.socket, &hello, sizeof hello)) {
        if (hello.kind == REQUEST_HELLO && hello.hello.version == PROTOCOL_VERSION)
            line.client = client_new(&connection);
        else if (hello.kind == REQUEST_ATTACH || hello.kind == REQUEST_CALLBACKS)
            line.client = client_attach(connection.device, &hello, socket_peer(line.socket));
        else if (hello.kind == REQUEST_REFUSED)
            note_refusal(connection.device, line.socket);
        if (line.client && hello.kind == REQUEST_CALLBACKS)
            serve_callbacks(&line);
        else if (line.client)
            serve(&line);
    }
    if (line.client) {
        pthread_mutex_lock(&line.client->lock);
        ranges_end(connection.device, &line.ranges, line.client->host_ns);
        pthread_mutex_unlock(&line.client->lock);
        client_leave(line.client);
    }
    close(line.socket);
    return NULL;
}
