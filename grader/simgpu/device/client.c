/* client.c - one connected program: its requests, one after the other, until it goes away.
 *
 * A program may say anything; what makes no sense ends the connection, what cannot be done gets an
 * error, and neither touches another client. Next: work.c for what is queued.
 */
#include "blaslt.h"
#include "device.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
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
    [REQUEST_SHARE] = {request_share, false},
    [REQUEST_RANGE] = {request_range, false},
    [REQUEST_MEMORY_INFO] = {request_memory_info, false},
    [REQUEST_IPC_GET] = {request_ipc_get, false},
    [REQUEST_IPC_OPEN] = {request_ipc_open, false},
    [REQUEST_COPY] = {request_copy, false},
    [REQUEST_SET] = {request_set, false},
    [REQUEST_LAUNCH] = {request_launch, false},
    [REQUEST_HOST_FUNCTION] = {request_host_function, false},
    [REQUEST_STREAM_CREATE] = {request_stream_create, false},
    [REQUEST_STREAM_DESTROY] = {request_stream_destroy, false},
    [REQUEST_STREAM_WAIT] = {request_stream_wait, false},
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
    [REQUEST_MATMUL] = {request_matmul, false},
    [REQUEST_MATMUL_SEARCH] = {request_matmul_search, false},
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
        [SIM_NOT_FOUND] = CUDA_SYMBOL_NOT_FOUND,
    };
    exchange_fail(exchange, CUDA_ERROR[error->code], error->message);
}

/* A broken context answers every request that would use it with what broke it. */
static bool answers_when_broken(uint32_t kind)
{
    return kind == REQUEST_DEVICE || kind >= REQUEST_OPTIONS || kind == REQUEST_NOTE;
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
    int socket = exchange->client->socket;
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

/* One request; false when the connection is at its end. */
static bool serve_one(struct client *client)
{
    struct exchange exchange = {.client = client, .fd = -1};
    struct request *request = &exchange.request;
    if (!socket_read(client->socket, request, sizeof *request) || request->kind >= REQUESTS ||
        !HANDLERS[request->kind].handle || request->payload_bytes > MOST_PAYLOAD_BYTES)
        return false;
    if (request->payload_bytes) {
        exchange.payload = malloc(request->payload_bytes);
        if (!exchange.payload ||
            !socket_read(client->socket, exchange.payload, request->payload_bytes)) {
            free(exchange.payload);
            return false;
        }
    }
    handle(&exchange);
    return finish(&exchange);
}

/* --- A client's life -------------------------------------------------------------------------- */

static void free_graphs(struct client *client)
{
    struct exchange exchange = {.client = client};
    for (size_t i = 1; i < client->graph_count; i++) {
        exchange.request.graph.graph = i;
        request_graph_destroy(&exchange);
    }
    free(client->graphs);
}

static void client_free(struct client *client)
{
    free_graphs(client);
    sim_context_free(client->context);
    pthread_mutex_destroy(&client->lock);
    pthread_cond_destroy(&client->changed);
    if (client->callback_socket >= 0)
        close(client->callback_socket);
    free(client->streams);
    free(client->events);
    free(client->modules);
    free(client->kernels);
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

static struct client *client_new(struct device *device, int socket, const struct request *hello)
{
    struct sim_error error;
    struct client *client = calloc(1, sizeof *client);
    if (!client)
        return NULL;
    client->device = device;
    client->socket = socket;
    client->callback_socket = -1;
    client->process = hello->hello.process;
    client->in_control = memcmp(hello->hello.token, device->token, TOKEN_BYTES) == 0;
    client->end = &client->first;
    pthread_mutex_init(&client->lock, NULL);
    pthread_cond_init(&client->changed, NULL);
    client->context = sim_context_new(device->machine, &error);
    if (!client->context || !make_streams(client) ||
        pthread_create(&client->engine, NULL, work_engine, client) != 0) {
        client_free(client);
        return NULL;
    }
    sim_watch_initialisation(client->context,
                             device->options.checks & SIMGPU_CHECK_INITIALISED);
    pthread_mutex_lock(&device->lock);
    client->number = ++device->next_client;
    client->next = device->clients;
    device->clients = client;
    pthread_mutex_unlock(&device->lock);
    return client;
}

static void forget(struct client *client)
{
    struct device *device = client->device;
    pthread_mutex_lock(&device->lock);
    for (struct client **link = &device->clients; *link; link = &(*link)->next)
        if (*link == client) {
            *link = client->next;
            break;
        }
    exports_forget(device, client);
    pthread_cond_broadcast(&device->clients_changed);
    pthread_mutex_unlock(&device->lock);
}

static bool welcome(struct client *client)
{
    struct reply reply = {.value = {client->number, client->in_control}};
    return socket_write(client->socket, &reply, sizeof reply);
}

/* A program's second connection, over which it is asked to run its own functions. */
static void serve_callbacks(struct device *device, int socket, const struct request *request)
{
    struct client *client = NULL;
    struct request done;
    pthread_mutex_lock(&device->lock);
    for (client = device->clients; client; client = client->next)
        if (client->number == request->callback.client && client->callback_socket < 0)
            break;
    if (client)
        client->callback_socket = dup(socket);
    uint64_t number = client ? client->number : 0;
    pthread_mutex_unlock(&device->lock);
    struct reply reply = {.error = client ? CUDA_SUCCESS : CUDA_INVALID_VALUE};
    if (!socket_write(socket, &reply, sizeof reply))
        return;
    while (number && socket_read(socket, &done, sizeof done) &&
           done.kind == REQUEST_CALLBACK_DONE) {
        pthread_mutex_lock(&device->lock);
        for (client = device->clients; client && client->number != number; client = client->next)
            continue;
        if (client) /* its engine looks every few milliseconds: its lock must not be taken here */
            atomic_store(&client->callback_done, done.callback.id);
        pthread_mutex_unlock(&device->lock);
    }
}

void *client_serve(void *argument)
{
    struct connection connection = *(struct connection *)argument;
    struct request hello;
    free(argument);
    if (!socket_read(connection.socket, &hello, sizeof hello))
        goto done;
    if (hello.kind == REQUEST_CALLBACKS) {
        serve_callbacks(connection.device, connection.socket, &hello);
        goto done;
    }
    if (hello.kind != REQUEST_HELLO || hello.hello.version != PROTOCOL_VERSION)
        goto done;
    struct client *client = client_new(connection.device, connection.socket, &hello);
    if (!client)
        goto done;
    if (welcome(client))
        while (serve_one(client))
            continue;
    work_end(client);
    forget(client);
    client_free(client);
done:
    close(connection.socket);
    return NULL;
}
