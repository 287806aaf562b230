/* requests.c - what a program may ask, and who answers.
 *
 * A program may say anything; what makes no sense ends the line, what cannot be done gets an error,
 * and neither touches another client. Next: the handlers, in requests_*.c.
 */
#include "../socket.h"
#include "blaslt.h"
#include "device.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* --- The table -------------------------------------------------------------------------------- */

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
    [REQUEST_SHARE_PAGE] = {request_share_page, false},
    [REQUEST_RANGE] = {request_range, false},
    [REQUEST_MEMORY_INFO] = {request_memory_info, false},
    [REQUEST_IPC_GET] = {request_ipc_get, false},
    [REQUEST_IPC_OPEN] = {request_ipc_open, false},
    [REQUEST_IPC_EVENT_GET] = {request_ipc_event_get, false},
    [REQUEST_IPC_EVENT_OPEN] = {request_ipc_event_open, false},
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
    [REQUEST_TEXTURE_CREATE] = {request_texture_create, false},
    [REQUEST_TEXTURE_DESTROY] = {request_texture_destroy, false},
    [REQUEST_MATMUL] = {request_work, false},
    [REQUEST_BLAS] = {request_work, false},
    [REQUEST_MATMUL_SEARCH] = {request_matmul_search, false},
    [REQUEST_RANGE_PUSH] = {request_range_push, false},
    [REQUEST_RANGE_POP] = {request_range_pop, false},
    [REQUEST_RANGE_START] = {request_range_start, false},
    [REQUEST_RANGE_END] = {request_range_end, false},
    [REQUEST_NOTE] = {request_note, false},
    [REQUEST_OPTIONS] = {request_options, true},
    [REQUEST_WINDOW] = {request_window, true},
    [REQUEST_REPORT] = {request_report, true},
    [REQUEST_REPEAT] = {request_repeat, true},
    [REQUEST_TOUCHED] = {request_touched, true},
    [REQUEST_FORGET_STORES] = {request_forget_stores, true},
    [REQUEST_ADMIT] = {request_admit, true},
    [REQUEST_LACK] = {request_lack, false},
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
    else {
        client->hold.acts += kind != REQUEST_STREAM_QUERY && kind != REQUEST_EVENT_QUERY;
        HANDLERS[kind].handle(exchange);
    }
    if (client->error && exchange->reply.error == 0 && !answers_when_broken(kind))
        exchange_fail(exchange, client->error, client->error_message);
    if (client->is_evicted) /* what it waited for may not have been done */
        exchange_fail(exchange, CUDA_DEVICES_UNAVAILABLE, "the program's work was stopped");
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

/* A long one comes in pieces: whoever sends it may fill no more than its share. */
static unsigned char *read_payload(const struct line *line, uint64_t bytes)
{
    const uint64_t piece = UINT64_C(64) << 20;
    unsigned char *payload = malloc(bytes);
    bool well = payload != NULL;
    for (uint64_t done = 0; well && done < bytes; done += piece)
        well = memory_share_left(line->client) &&
               socket_read(line->socket, payload + done,
                           bytes - done < piece ? bytes - done : piece);
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
    window_leave(line->client->device);
    return finished && !line->gone && !line->client->is_evicted;
}
