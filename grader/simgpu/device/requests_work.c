/* requests_work.c - requests that become work: launches, copies, memsets, host functions, events,
 * and memory freed in stream order.
 *
 * Each is checked in full before it is queued, so that a program learns of a mistake at the call
 * that makes it, and the engine gets nothing that it cannot do. A node of a graph is checked in the
 * same way, once, when the graph is made.
 */
#include "blas.h"
#include "blaslt.h"
#include "device.h"
#include "order.h"
#include "timeline.h"

#include <stdlib.h>
#include <string.h>

/* What a call costs the host, measured on an H200 (fidelity/calls.cu; products separately): the
 * modelled time line advances by it. */
static const double HOST_LAUNCH_NS = 3000, HOST_MATMUL_NS = 3000;
static const double HOST_COPY_NS = 1560, HOST_MEMSET_NS = 700, HOST_CALL_NS = 147;

static double host_ns_of(enum work_kind kind)
{
    switch (kind) {
    case WORK_LAUNCH: return HOST_LAUNCH_NS;
    case WORK_MATMUL:
    case WORK_BLAS: return HOST_MATMUL_NS;
    case WORK_COPY: return HOST_COPY_NS;
    case WORK_SET: return HOST_MEMSET_NS;
    default: return HOST_CALL_NS;
    }
}

static bool refuse(struct exchange *exchange, int error, const char *sentence)
{
    exchange_fail(exchange, error, sentence);
    return false;
}

/* --- Launches --------------------------------------------------------------------------------- */

static bool accept_launch(struct exchange *exchange, struct work *work)
{
    struct client *client = exchange->client;
    const struct launch_request *launch = &work->request.launch;
    struct sim_kernel_info info;
    struct sim_error error;
    if (launch->kernel == 0 || launch->kernel > client->kernel_count)
        return refuse(exchange, CUDA_INVALID_RESOURCE_HANDLE, "there is no such kernel");
    const struct function *kernel = client->kernels[launch->kernel - 1];
    sim_kernel_info(client->context, kernel, &info);
    if (work->payload_bytes != info.parameter_bytes)
        return refuse(exchange, CUDA_INVALID_VALUE, "a launch has too few or too many parameters");
    struct sim_launch_config config = {.dynamic_shared_bytes = launch->dynamic_shared_bytes,
                                       .wide_clusters = launch->wide_clusters != 0,
                                       .cooperative = launch->cooperative != 0};
    memcpy(config.cluster, launch->cluster, sizeof config.cluster);
    memcpy(config.grid, launch->grid, sizeof config.grid);
    memcpy(config.block, launch->block, sizeof config.block);
    work->kind = WORK_LAUNCH;
    work->kernel = kernel;
    struct sim_fault refusal;
    if (sim_launch_check(client->context, kernel, &config, &error))
        return true;
    if (sim_kernel_refusal(kernel, &refusal)) {
        history_refuse(client->device, client, &refusal);
        findings_note_end(client->device, &refusal, info.name);
    }
    exchange_fail_as(exchange, &error);
    return false;
}

/* --- Copies and sets -------------------------------------------------------------------------- */

/* From the first byte to the last of a box in memory; 0 when its rows or planes overlap, or it is
 * larger than any memory. */
static uint64_t span_bytes(uint64_t width, uint64_t height, uint64_t depth, uint64_t pitch,
                           uint64_t slice)
{
    unsigned __int128 plane = (unsigned __int128)(height - 1) * pitch + width;
    unsigned __int128 span = (unsigned __int128)(depth - 1) * slice + plane;
    bool overlaps = (height > 1 && pitch < width) || (depth > 1 && slice < plane);
    return overlaps || span > MOST_PAYLOAD_BYTES ? 0 : (uint64_t)span;
}

/* Are the bytes from the first to the last of a box in one piece of the program's memory? */
static bool is_owned(struct exchange *exchange, uint64_t address, uint64_t span)
{
    struct sim_error error;
    if (span && sim_host_pointer(exchange->client->context, address, span, false, &error))
        return true;
    return refuse(exchange, CUDA_INVALID_VALUE,
                  span ? error.message : "the rows or planes of a box of memory overlap");
}

static bool is_to_owned(struct exchange *exchange, const struct copy_request *copy)
{
    return is_owned(
        exchange, copy->to,
        span_bytes(copy->width, copy->height, copy->depth, copy->to_pitch, copy->to_slice));
}

static bool is_from_owned(struct exchange *exchange, const struct copy_request *copy)
{
    return is_owned(
        exchange, copy->from,
        span_bytes(copy->width, copy->height, copy->depth, copy->from_pitch, copy->from_slice));
}

/* The bytes that a copy moves; 0 if there are none, or impossibly many. */
static uint64_t copy_bytes(const struct copy_request *copy)
{
    unsigned __int128 plane = (unsigned __int128)copy->width * copy->height;
    if (plane == 0 || plane > MOST_PAYLOAD_BYTES || copy->depth > MOST_PAYLOAD_BYTES)
        return 0;
    plane *= copy->depth;
    return plane > MOST_PAYLOAD_BYTES ? 0 : (uint64_t)plane;
}

/* A copy to the host is not work: see request_copy. */
static bool accept_copy(struct exchange *exchange, struct work *work)
{
    const struct copy_request *copy = &work->request.copy;
    uint64_t bytes = copy_bytes(copy);
    bool from_host = copy->kind == COPY_FROM_HOST;
    if (bytes == 0 || (!from_host && copy->kind != COPY_ON_DEVICE) ||
        work->payload_bytes != (from_host ? bytes : 0))
        return refuse(exchange, CUDA_INVALID_VALUE, "the sizes of a copy do not fit");
    work->kind = WORK_COPY;
    return is_to_owned(exchange, copy) && (from_host || is_from_owned(exchange, copy));
}

static bool accept_set(struct exchange *exchange, struct work *work)
{
    const struct set_request *set = &work->request.set;
    uint32_t bytes = set->element_bytes;
    if ((bytes != 1 && bytes != 2 && bytes != 4) || set->width == 0 || set->height == 0 ||
        set->width > MOST_PAYLOAD_BYTES)
        return refuse(exchange, CUDA_INVALID_VALUE, "the sizes of a memset do not fit");
    work->kind = WORK_SET;
    return is_owned(exchange, set->to,
                    span_bytes(set->width * bytes, set->height, 1, set->pitch, 0));
}

/* --- Memory in stream order ------------------------------------------------------------------- */

/* Memory that is already being freed counts as gone. */
static bool is_leaving(const struct client *client, uint64_t address)
{
    for (const struct work *work = client->first; work; work = work->next)
        if (work->kind == WORK_FREE && work->request.free_in_order.address == address)
            return true;
    return false;
}

static bool accept_free(struct exchange *exchange, struct work *work)
{
    uint64_t address = work->request.free_in_order.address;
    struct sim_range range;
    work->kind = WORK_FREE;
    if (sim_find(exchange->client->context, address, &range) && range.address == address &&
        (uint32_t)range.kind == work->request.free_in_order.kind &&
        range.kind <= SIM_MEMORY_MANAGED && !is_leaving(exchange->client, address))
        return true;
    char sentence[sizeof exchange->reply.message];
    sim_explain_free(exchange->client->context, address, sentence, sizeof sentence);
    return refuse(exchange, CUDA_INVALID_VALUE, sentence);
}

/* --- Events ----------------------------------------------------------------------------------- */

static bool accept_event(struct exchange *exchange, struct work *work)
{
    uint64_t event = work->request.stream.event;
    work->kind = work->request.kind == REQUEST_EVENT_RECORD ? WORK_RECORD : WORK_NOTHING;
    work->event = event;
    return event_at(exchange->client, event) ||
           refuse(exchange, CUDA_INVALID_RESOURCE_HANDLE, "there is no such event");
}

/* --- All of them ------------------------------------------------------------------------------ */

bool work_accept(struct exchange *exchange, struct work *work)
{
    switch (work->request.kind) {
    case REQUEST_LAUNCH: return accept_launch(exchange, work);
    case REQUEST_COPY: return accept_copy(exchange, work);
    case REQUEST_SET: return accept_set(exchange, work);
    case REQUEST_FREE_IN_ORDER: return accept_free(exchange, work);
    case REQUEST_EVENT_RECORD:
    case REQUEST_STREAM_WAIT: return accept_event(exchange, work);
    case REQUEST_MATMUL:
        work->kind = WORK_MATMUL;
        return blaslt_accept(exchange, work->payload, work->payload_bytes);
    case REQUEST_BLAS:
        work->kind = WORK_BLAS;
        return blas_accept(exchange, work->payload, work->payload_bytes);
    case REQUEST_HOST_FUNCTION: work->kind = WORK_HOST_FUNCTION; return true;
    case REQUEST_NOTE: work->kind = WORK_NOTHING; return true; /* an empty node of a graph */
    default: return refuse(exchange, CUDA_INVALID_VALUE, "this cannot be queued");
    }
}

static uint64_t stream_of(const struct request *request)
{
    switch (request->kind) {
    case REQUEST_LAUNCH: return request->launch.stream;
    case REQUEST_COPY: return request->copy.stream;
    case REQUEST_SET: return request->set.stream;
    case REQUEST_FREE_IN_ORDER: return request->free_in_order.stream;
    case REQUEST_MATMUL:
    case REQUEST_BLAS: return request->library.stream;
    case REQUEST_HOST_FUNCTION: return request->host_function.stream;
    default: return request->stream.stream;
    }
}

static uint64_t set_bytes(const struct set_request *set)
{
    return set->width * set->element_bytes * set->height;
}

static enum joined_piece piece_of(const struct work *work, bool host_waits)
{
    const struct copy_request *copy = &work->request.copy;
    bool is_ahead = work->kind == WORK_COPY && (copy->kind == COPY_FROM_HOST || copy->from_pinned);
    return host_waits ? JOINED_BY_HOST : is_ahead ? JOINED_AHEAD : JOINED_PIECE;
}

void work_note(struct client *client, const struct work *work, uint64_t stream, bool host_waits)
{
    struct simgpu_calls *calls = &client->device->calls;
    switch (work->kind) {
    case WORK_MATMUL:
    case WORK_BLAS:
        client_count(client, &calls->library_products);
        /* fall through */
    case WORK_LAUNCH:
        client_count(client, &calls->launches);
        if (stream < FIRST_STREAM)
            client_count(client, &calls->default_stream_launches);
        break;
    case WORK_COPY:
        client_count(client, &calls->copies);
        if (work->request.copy.kind == COPY_FROM_HOST)
            client_count(client, &calls->pageable_copies);
        client_add(client, &calls->moved_bytes, copy_bytes(&work->request.copy));
        break;
    case WORK_SET:
        client_count(client, &calls->sets);
        client_add(client, &calls->moved_bytes, set_bytes(&work->request.set));
        break;
    case WORK_FREE:
        client_count(client, &calls->frees);
        client_gave_back(client, SIMGPU_MEMORY);
        break;
    default: return;
    }
    if (work->kind != WORK_FREE)
        joined_issue(client, stream, piece_of(work, host_waits));
}

/* A stream that waits for an event waits for its latest recording up to now. */
static void queue_wait(struct client *client, struct work *work)
{
    struct event *event = event_at(client, work->event);
    work->event = 0;
    work->awaits = event_latest_mark(client, event);
    if (event->shared) {
        work_queue(client, work, NULL, 0);
        order_host(client, 0, event);
        return;
    }
    if (event->recorded && event->work == 0)
        work->ready_ns = event->time_ns;
    work_queue(client, work, &event->work, 1);
    if (event->work == 0)
        work_comes_after(client, client->next_work, event->recorded_by);
}

/* Queue what the request asks for; 0, and exchange failed, if that is not possible. Returns the id
 * of the work. */
static uint64_t queue(struct exchange *exchange)
{
    struct client *client = exchange->client;
    uint64_t stream = stream_of(&exchange->request);
    work_make_room(exchange->line);
    if (!stream_at(client, stream) || stream_at(client, stream)->leaving) {
        exchange_fail(exchange, CUDA_INVALID_RESOURCE_HANDLE, "there is no such stream");
        return 0;
    }
    struct work *work = work_new(WORK_NOTHING, stream, &exchange->request);
    if (!work) {
        exchange_fail(exchange, CUDA_MEMORY_ALLOCATION, "the simulating machine is out of memory");
        return 0;
    }
    work->payload = exchange->payload;
    work->payload_bytes = exchange->request.payload_bytes;
    exchange->payload = NULL;
    work->around = work_around(exchange->line);
    if (!work_accept(exchange, work)) {
        work_free(work);
        return 0;
    }
    client->host_ns += host_ns_of(work->kind);
    timeline_queues(exchange);
    work_note(client, work, stream, work->kind == WORK_COPY && !work->request.copy.asynchronous);
    if (exchange->request.kind == REQUEST_STREAM_WAIT) {
        joined_wait(client, stream, event_at(client, work->event));
        queue_wait(client, work);
    } else {
        joined_issue(client, stream, JOINED_NOTHING);
        work_queue(client, work, NULL, 0);
    }
    return client->next_work;
}

void request_work(struct exchange *exchange)
{
    queue(exchange);
}

void request_event_record(struct exchange *exchange)
{
    uint64_t id = queue(exchange);
    struct event *event = event_at(exchange->client, exchange->request.stream.event);
    if (!id || !event)
        return;
    event->recorded = true;
    event->work = event->recorded_by = id;
    joined_record(exchange->client, exchange->request.stream.stream, event);
    event_record_shared(exchange->client, event, work_find(exchange->client, id));
}

/* --- Copies to the host ----------------------------------------------------------------------- */

static bool gather(struct exchange *exchange, uint64_t bytes)
{
    const struct copy_request *copy = &exchange->request.copy;
    struct sim_context *context = exchange->client->context;
    struct sim_error error;
    unsigned char *to = malloc(bytes);
    exchange->answer = to;
    for (uint64_t z = 0; to && z < copy->depth; z++)
        for (uint64_t y = 0; y < copy->height; y++, to += copy->width) {
            uint64_t address = copy->from + z * copy->from_slice + y * copy->from_pitch;
            memcpy(to, sim_host_pointer(context, address, copy->width, false, &error), copy->width);
        }
    return exchange->answer ||
           refuse(exchange, CUDA_MEMORY_ALLOCATION, "the simulating machine is out of memory");
}

/* A copy that the host waits for counts as a copy; if it follows other work, it also counts as a
 * wait for that. */
static void note_wait(struct client *client, uint64_t stream)
{
    if (stream_at(client, stream) && !work_is_idle(client, stream))
        hold_end(client);
}

/* To ordinary host memory: wait for the stream, then send what is there. */
static void copy_to_host(struct exchange *exchange)
{
    struct client *client = exchange->client;
    const struct copy_request *copy = &exchange->request.copy;
    uint64_t bytes = copy_bytes(copy), stream = copy->stream;
    struct sim_error error;
    if (bytes == 0 || exchange->request.payload_bytes) {
        exchange_fail(exchange, CUDA_INVALID_VALUE, "the sizes of a copy do not fit");
        return;
    }
    if (!stream_at(client, stream) || !is_from_owned(exchange, copy))
        return;
    struct work *arrival = work_new(WORK_NOTHING, stream, NULL);
    if (!arrival) {
        exchange_fail(exchange, CUDA_MEMORY_ALLOCATION, "the simulating machine is out of memory");
        return;
    }
    client_count(client, &client->device->calls.copies);
    note_wait(client, stream);
    joined_issue(client, stream, JOINED_BY_HOST);
    timeline_queues(exchange);
    work_queue(client, arrival, NULL, 0);
    timeline_is_copy_to_host(client, client->next_work, copy);
    timeline_waits_for(exchange, client->next_work);
    uint64_t id = client->next_work;
    work_wait(exchange->line, id);
    if (work_is_done(client, id))
        conflicts_of_copy_to_host(client, id, copy, exchange->request.place);
    joined_host(client, stream, NULL);
    if (client->error || !is_from_owned(exchange, copy)) /* freed while we waited */
        return;
    if (copy->height * copy->depth > 1 && !gather(exchange, bytes))
        return;
    if (!exchange->answer)
        exchange->answer_in_place =
            sim_host_pointer(client->context, copy->from, bytes, false, &error);
    exchange->reply.payload_bytes = bytes;
}

void request_copy(struct exchange *exchange)
{
    bool waits = !exchange->request.copy.asynchronous;
    if (exchange->request.copy.kind == COPY_TO_HOST) {
        copy_to_host(exchange);
        return;
    }
    if (waits)
        note_wait(exchange->client, stream_of(&exchange->request));
    uint64_t id = queue(exchange);
    if (!id || !waits)
        return;
    timeline_waits_for(exchange, id);
    work_wait(exchange->line, id);
    joined_host(exchange->client, stream_of(&exchange->request), NULL);
}
