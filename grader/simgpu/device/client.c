/* client.c - one connected program: its requests, line by line, until it goes away.
 *
 * A program may say anything; what makes no sense ends the line, what cannot be done gets an error,
 * and neither touches another client. However a program ends, the kernel closes its lines, and with
 * the last of them all it held here goes. Next: work.c for what is queued.
 */
#include "blaslt.h"
#include "device.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>
#include <sys/socket.h>
#include <unistd.h>

/* --- Bytes ------------------------------------------------------------------------------------ */

bool socket_read(int socket, void *bytes, size_t size)
{
    for (unsigned char *at = bytes; size;) {
        ssize_t got = recv(socket, at, size, 0);
        if (got < 0 && errno == EINTR)
            continue;
        if (got <= 0)
            return false;
        at += got;
        size -= (size_t)got;
    }
    return true;
}

bool socket_write(int socket, const void *bytes, size_t size)
{
    for (const unsigned char *at = bytes; size;) {
        ssize_t sent = send(socket, at, size, MSG_NOSIGNAL);
        if (sent < 0 && errno == EINTR)
            continue;
        if (sent <= 0)
            return false;
        at += sent;
        size -= (size_t)sent;
    }
    return true;
}

bool socket_send_fd(int socket, const void *bytes, size_t size, int fd)
{
    union {
        struct cmsghdr header;
        char space[CMSG_SPACE(sizeof(int))];
    } control = {0};
    struct iovec vector = {(void *)bytes, size};
    struct msghdr message = {.msg_iov = &vector,
                             .msg_iovlen = 1,
                             .msg_control = control.space,
                             .msg_controllen = sizeof control.space};
    struct cmsghdr *header = CMSG_FIRSTHDR(&message);
    header->cmsg_level = SOL_SOCKET;
    header->cmsg_type = SCM_RIGHTS;
    header->cmsg_len = CMSG_LEN(sizeof fd);
    memcpy(CMSG_DATA(header), &fd, sizeof fd);
    return sendmsg(socket, &message, MSG_NOSIGNAL) == (ssize_t)size;
}

/* --- Handlers --------------------------------------------------------------------------------- */

static const struct {
    request_handler *handle;
    bool needs_control;
} HANDLERS[REQUESTS] = {
    [REQUEST_DEVICE] = {request_device, false},
    [REQUEST_MODULE] = {request_module, false},
    [REQUEST_KERNEL] = {request_kernel, false},
    [REQUEST_SYMBOL] = {request_symbol, false},
    [REQUEST_ALLOCATE] = {request_allocate, false},
    [REQUEST_FREE] = {request_free, false},
    [REQUEST_FREE_IN_ORDER] = {request_work, false},
    [REQUEST_SHARE] = {request_share, false},
    [REQUEST_RANGE] = {request_range, false},
    [REQUEST_MEMORY_INFO] = {request_memory_info, false},
    [REQUEST_IPC_GET] = {request_ipc_get, false},
    [REQUEST_IPC_OPEN] = {request_ipc_open, false},
    [REQUEST_RESET] = {request_reset, false},
    [REQUEST_COPY] = {request_copy, false},
    [REQUEST_SET] = {request_work, false},
    [REQUEST_LAUNCH] = {request_work, false},
    [REQUEST_HOST_FUNCTION] = {request_work, false},
    [REQUEST_STREAM_CREATE] = {request_stream_create, false},
    [REQUEST_STREAM_DESTROY] = {request_stream_destroy, false},
    [REQUEST_STREAM_WAIT] = {request_work, false},
    [REQUEST_STREAM_SYNCHRONISE] = {request_stream_synchronise, false},
    [REQUEST_STREAM_QUERY] = {request_stream_query, false},
    [REQUEST_EVENT_CREATE] = {request_event_create, false},
    [REQUEST_EVENT_DESTROY] = {request_event_destroy, false},
    [REQUEST_EVENT_RECORD] = {request_event_record, false},
    [REQUEST_EVENT_SYNCHRONISE] = {request_event_synchronise, false},
    [REQUEST_EVENT_QUERY] = {request_event_query, false},
    [REQUEST_EVENT_ELAPSED] = {request_event_elapsed, false},
    [REQUEST_SYNCHRONISE] = {request_synchronise, false},
    [REQUEST_OCCUPANCY] = {request_occupancy, false},
    [REQUEST_LIMIT] = {request_limit, false},
    [REQUEST_GRAPH_CREATE] = {request_graph_create, false},
    [REQUEST_GRAPH_LAUNCH] = {request_graph_launch, false},
    [REQUEST_GRAPH_DESTROY] = {request_graph_destroy, false},
    [REQUEST_MATMUL] = {request_work, false},
    [REQUEST_MATMUL_SEARCH] = {request_matmul_search, false},
    [REQUEST_RANGE_PUSH] = {request_range_push, false},
    [REQUEST_RANGE_POP] = {request_range_pop, false},
    [REQUEST_RANGE_START] = {request_range_start, false},
    [REQUEST_RANGE_END] = {request_range_end, false},
    [REQUEST_NOTE] = {request_note, false},
    [REQUEST_OPTIONS] = {request_options, true},
    [REQUEST_MARK] = {request_mark, true},
    [REQUEST_REPORT] = {request_report, true},
};

void exchange_fail(struct exchange *exchange, int error, const char *message)
{
    memset(&exchange->reply, 0, sizeof exchange->reply);
    exchange->reply.error = error;
    snprintf(exchange->reply.message, sizeof exchange->reply.message, "%s", message);
}

void exchange_fail_as(struct exchange *exchange, const struct sim_error *error)
{
    static const int CUDA_ERROR[] = {
        [SIM_OK] = CUDA_SUCCESS,
        [SIM_OUT_OF_MEMORY] = CUDA_MEMORY_ALLOCATION,
        [SIM_HOST_OUT_OF_MEMORY] = CUDA_MEMORY_ALLOCATION,
        [SIM_BAD_IMAGE] = CUDA_NO_KERNEL_IMAGE,
        [SIM_UNSUPPORTED] = CUDA_NOT_SUPPORTED,
        [SIM_BAD_ADDRESS] = CUDA_INVALID_VALUE,
        [SIM_BAD_LAUNCH] = CUDA_INVALID_CONFIGURATION,
        [SIM_TOO_FEW_REGISTERS] = CUDA_OUT_OF_RESOURCES,
        [SIM_TOO_MANY_BLOCKS] = CUDA_TOO_LARGE_COOPERATIVE,
        [SIM_NOT_FOUND] = CUDA_SYMBOL_NOT_FOUND,
    };
    exchange_fail(exchange, CUDA_ERROR[error->code], error->message);
}

/* A broken context answers every request that would use it with what broke it. */
static bool answers_when_broken(uint32_t kind)
{
    return kind == REQUEST_DEVICE || kind >= REQUEST_OPTIONS || kind == REQUEST_NOTE ||
           kind == REQUEST_RESET ||
           (kind >= REQUEST_RANGE_PUSH && kind <= REQUEST_RANGE_END);
}

static void handle(struct exchange *exchange)
{
    struct client *client = exchange->client;
    uint32_t kind = exchange->request.kind;
    pthread_mutex_lock(&client->lock);
    if (HANDLERS[kind].needs_control && !client->in_control)
        exchange_fail(exchange, CUDA_NOT_PERMITTED, "only the program that simgpu started may "
                                                    "control the device");
    else if (client->error && !answers_when_broken(kind))
        exchange_fail(exchange, client->error, client->error_message);
    else
        HANDLERS[kind].handle(exchange);
    if (client->error && exchange->reply.error == 0 && !answers_when_broken(kind))
        exchange_fail(exchange, client->error, client->error_message);
    pthread_mutex_unlock(&client->lock);
}

/* --- Replies ---------------------------------------------------------------------------------- */

static bool send_reply(struct exchange *exchange, char *printed, size_t printed_bytes)
{
    int socket = exchange->line->socket;
    struct reply *reply = &exchange->reply;
    const unsigned char *answer =
        exchange->answer ? exchange->answer : exchange->answer_in_place;
    reply->printed_bytes = printed_bytes;
    reply->has_fd = exchange->fd >= 0;
    bool sent = reply->has_fd ? socket_send_fd(socket, reply, sizeof *reply, exchange->fd)
                              : socket_write(socket, reply, sizeof *reply);
    return sent && socket_write(socket, printed, printed_bytes) &&
           socket_write(socket, answer, reply->payload_bytes);
}

static bool finish(struct exchange *exchange)
{
    struct client *client = exchange->client;
    pthread_mutex_lock(&client->lock);
    char *printed = client->printed;
    size_t printed_bytes = client->printed_bytes;
    client->printed = NULL;
    client->printed_bytes = 0;
    pthread_mutex_unlock(&client->lock);
    bool sent = send_reply(exchange, printed, printed_bytes);
    free(printed);
    free(exchange->answer);
    free(exchange->payload);
    if (exchange->fd >= 0)
        close(exchange->fd);
    return sent;
}

/* One request; false when the line is at its end. */
static bool serve_one(struct line *line)
{
    struct exchange exchange = {.line = line, .client = line->client, .fd = -1};
    struct request *request = &exchange.request;
    if (!socket_read(line->socket, request, sizeof *request) || request->kind >= REQUESTS ||
        !HANDLERS[request->kind].handle || request->payload_bytes > MOST_PAYLOAD_BYTES)
        return false;
    if (request->payload_bytes) {
        exchange.payload = malloc(request->payload_bytes);
        if (!exchange.payload ||
            !socket_read(line->socket, exchange.payload, request->payload_bytes)) {
            free(exchange.payload);
            return false;
        }
    }
    handle(&exchange);
    return finish(&exchange) && !line->gone;
}

/* --- A client's life -------------------------------------------------------------------------- */

static void free_handles(struct client *client)
{
    for (size_t i = 1; i < client->graph_count; i++)
        graph_free(&client->graphs[i]);
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
    free(client);
}

static bool make_streams(struct client *client)
{
    client->streams = calloc(FIRST_STREAM, sizeof *client->streams);
    if (!client->streams)
        return false;
    client->stream_count = FIRST_STREAM;
    client->streams[STREAM_LEGACY] = (struct stream){.used = true};
    client->streams[STREAM_PER_THREAD] = (struct stream){.used = true, .blocking = true};
    return true;
}

/* Others look at a client's context under the device's lock, so it changes under that. */
bool client_reset(struct client *client, struct sim_error *error)
{
    struct device *device = client->device;
    struct sim_context *fresh = sim_context_new(device->machine, error);
    if (!fresh)
        return false;
    free_handles(client);
    if (!make_streams(client)) {
        sim_context_free(fresh);
        *error = (struct sim_error){SIM_HOST_OUT_OF_MEMORY, "the simulating machine is out of memory"};
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

/* Waiting takes turns with looking whether the program is still there, by a clock that nobody
 * sets. */
static void init_lock(struct client *client)
{
    pthread_condattr_t attributes;
    pthread_condattr_init(&attributes);
    pthread_condattr_setclock(&attributes, CLOCK_MONOTONIC);
    pthread_mutex_init(&client->lock, NULL);
    pthread_cond_init(&client->changed, &attributes);
    pthread_condattr_destroy(&attributes);
}

static struct client *client_new(struct device *device, const struct request *hello)
{
    struct sim_error error;
    struct client *client = calloc(1, sizeof *client);
    if (!client)
        return NULL;
    client->device = device;
    client->lines = 1;
    client->callback_socket = -1;
    client->process = hello->hello.process;
    client->in_control = memcmp(hello->hello.token, device->token, TOKEN_BYTES) == 0;
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
    sim_watch_initialisation(client->context,
                             device->options.checks & SIMGPU_CHECK_INITIALISED);
    client->number = ++device->next_client;
    client->next = device->clients;
    device->clients = client;
    pthread_mutex_unlock(&device->lock);
    return client;
}

/* The client a further line belongs to, or NULL when it does not know the secret. */
static struct client *client_attach(struct device *device, const struct request *hello)
{
    pthread_mutex_lock(&device->lock);
    struct client *client = device->clients;
    while (client && (client->number != hello->attach.client || client->lines == 0 ||
                      memcmp(client->secret, hello->attach.secret, sizeof client->secret) != 0))
        client = client->next;
    if (client)
        client->lines++;
    pthread_mutex_unlock(&device->lock);
    return client;
}

/* A line of client has ended; with the last one the program has. */
static void client_leave(struct client *client)
{
    struct device *device = client->device;
    pthread_mutex_lock(&device->lock);
    bool last = --client->lines == 0;
    if (last)
        exports_forget(device, client);
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

static void serve(struct line *line)
{
    struct reply reply = {0};
    reply.welcome.client = line->client->number;
    reply.welcome.in_control = line->client->in_control;
    memcpy(reply.welcome.secret, line->client->secret, SECRET_BYTES);
    if (socket_write(line->socket, &reply, sizeof reply))
        while (serve_one(line))
            continue;
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

void *client_serve(void *argument)
{
    struct connection connection = *(struct connection *)argument;
    struct line line = {.socket = connection.socket};
    struct request hello;
    free(argument);
    if (socket_read(line.socket, &hello, sizeof hello)) {
        if (hello.kind == REQUEST_HELLO && hello.hello.version == PROTOCOL_VERSION)
            line.client = client_new(connection.device, &hello);
        else if (hello.kind == REQUEST_ATTACH || hello.kind == REQUEST_CALLBACKS)
            line.client = client_attach(connection.device, &hello);
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
