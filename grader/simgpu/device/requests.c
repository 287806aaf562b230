/* requests.c - which requests a program may make, and which handler answers each.
 *
 * A program may send anything: nonsense ends the line, an impossible request gets an error, and
 * neither affects another client. Next: the handlers, in requests_*.c.
 */
#include "../socket.h"
#include "blaslt.h"
#include "device.h"
#include "timeline.h"

#include "lib/large_pages.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* --- The table -------------------------------------------------------------------------------- */

enum { OF_CONTROL = 1, ON_BROKEN = 2, ASKS = 4 }; /* see requests.def */

static const struct {
    request_handler *handle;
    unsigned flags;
} HANDLERS[REQUESTS] = {
#define REQUEST(name, handler, flags, meaning) [REQUEST_##name] = {handler, flags},
#include "../requests.def"
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
        [SIM_BAD_CLUSTER] = CUDA_INVALID_CLUSTER,
        [SIM_NOT_FOUND] = CUDA_SYMBOL_NOT_FOUND,
    };
    exchange_fail(exchange, CUDA_ERROR[error->code], error->message);
}

static void handle(struct exchange *exchange)
{
    struct client *client = exchange->client;
    uint32_t kind = exchange->request.kind;
    unsigned flags = HANDLERS[kind].flags;
    pthread_mutex_lock(&client->lock);
    if (flags & OF_CONTROL && !client->in_control)
        exchange_fail(exchange, CUDA_NOT_PERMITTED,
                      "only the program that simgpu started may "
                      "control the device");
    else if (client->error && !(flags & ON_BROKEN)) /* the error that broke it answers all others */
        exchange_fail(exchange, client->error, client->error_message);
    else {
        client->hold.acts += !(flags & ASKS);
        if (!(flags & ASKS))
            timeline_call(exchange);
        HANDLERS[kind].handle(exchange);
    }
    if (client->error && exchange->reply.error == 0 && !(flags & ON_BROKEN))
        exchange_fail(exchange, client->error, client->error_message);
    if (client->is_evicted) /* what it waited for may not have happened */
        exchange_fail(exchange, CUDA_DEVICES_UNAVAILABLE, "the program's work was stopped");
    pthread_mutex_unlock(&client->lock);
}

/* --- Replies ---------------------------------------------------------------------------------- */

static bool send_reply(struct exchange *exchange, char *printed, size_t printed_bytes)
{
    int socket = exchange->line->socket;
    struct reply *reply = &exchange->reply;
    const unsigned char *answer = exchange->answer ? exchange->answer : exchange->answer_in_place;
    reply->printed_bytes = printed_bytes;
    reply->has_fd = exchange->fd >= 0;
    reply->wants_places =
        exchange->client->device->options.places && timeline_is_kept(exchange->client);
    if (!reply->has_fd && printed_bytes == 0) /* most */
        return socket_write_both(socket, reply, sizeof *reply, answer, reply->payload_bytes);
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

/* A long one comes in pieces: its sender may fill no more than its share. */
static unsigned char *read_payload(const struct line *line, uint64_t bytes)
{
    const uint64_t piece = UINT64_C(64) << 20;
    unsigned char *payload = in_large_pages(malloc(bytes), bytes);
    bool well = payload != NULL;
    for (uint64_t done = 0; well && done < bytes; done += piece)
        well =
            memory_share_left(line->client) &&
            socket_read(line->socket, payload + done, bytes - done < piece ? bytes - done : piece);
    if (!well) {
        free(payload);
        payload = NULL;
    }
    return payload;
}

bool request_serve(struct line *line)
{
    struct exchange exchange = {.line = line, .client = line->client, .fd = -1};
    struct request *request = &exchange.request;
    if (!socket_read(line->socket, request, sizeof *request) || request->kind >= REQUESTS ||
        !HANDLERS[request->kind].handle || request->payload_bytes > MOST_PAYLOAD_BYTES)
        return false;
    atomic_store(&line->is_asked, true);
    if (request->payload_bytes) {
        exchange.payload = read_payload(line, request->payload_bytes);
        if (!exchange.payload)
            return false;
    }
    if (!window_enter(line)) {
        free(exchange.payload);
        return false;
    }
    handle(&exchange);
    bool finished = finish(&exchange);
    atomic_store(&line->is_asked, false);
    atomic_fetch_add(&line->client->answers, 1);
    window_leave(line->client->device);
    return finished && !line->gone && !line->client->is_evicted;
}
