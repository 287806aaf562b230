/* requests_memory.c - device memory: making, freeing, sharing, copying. */
#include "device.h"

#include <stdlib.h>
#include <string.h>
#include <sys/random.h>

/* An allocation another program may open: only who knows the secret finds it. */
struct export {
    struct export *next;
    unsigned char secret[32];
    uint64_t owner;             /* client number */
    uint64_t address;
};

void request_allocate(struct exchange *exchange)
{
    struct client *client = exchange->client;
    struct sim_error error;
    enum sim_allocation_kind kind = exchange->request.allocate.kind;
    exchange->request.allocate.label[sizeof exchange->request.allocate.label - 1] = 0;
    const char *label = exchange->request.allocate.label;
    uint64_t size_bytes = exchange->request.allocate.size_bytes;
    if (kind > SIM_MEMORY_MANAGED) {
        exchange_fail(exchange, CUDA_INVALID_VALUE, "there is no such kind of memory");
        return;
    }
    uint64_t address =
        sim_allocate(client->context, size_bytes, kind, *label ? label : NULL, &error);
    if (!address) {
        exchange_fail_as(exchange, &error);
        return;
    }
    if (kind != SIM_MEMORY_DEVICE) {
        exchange->fd = arena_share(address, size_bytes ? size_bytes : 1);
        if (exchange->fd < 0) {
            sim_free(client->context, address, &error);
            exchange_fail(exchange, CUDA_MEMORY_ALLOCATION,
                          "the simulating machine has no shared memory left");
            return;
        }
    }
    exchange->reply.value[0] = address;
}

void request_free(struct exchange *exchange)
{
    struct sim_error error;
    work_drain(exchange->client, 0); /* cudaFree waits for the device */
    if (!sim_free(exchange->client->context, exchange->request.address.address, &error))
        exchange_fail(exchange, CUDA_INVALID_VALUE, error.message);
}

/* A program sees a managed variable in its own memory, so its pages must be shared. */
void request_share(struct exchange *exchange)
{
    struct client *client = exchange->client;
    struct sim_range range;
    work_drain(client, 0);
    if (!sim_find(client->context, exchange->request.address.address, &range) ||
        range.address != exchange->request.address.address) {
        exchange_fail(exchange, CUDA_INVALID_VALUE, "the address is not of device memory");
        return;
    }
    exchange->fd = arena_share(range.address, range.size_bytes);
    if (exchange->fd < 0)
        exchange_fail(exchange, CUDA_MEMORY_ALLOCATION,
                      "the simulating machine has no shared memory left");
    exchange->reply.value[0] = range.size_bytes;
}

void request_range(struct exchange *exchange)
{
    struct sim_range range;
    if (!sim_find(exchange->client->context, exchange->request.address.address, &range)) {
        exchange_fail(exchange, CUDA_INVALID_VALUE, "the address is not of device memory");
        return;
    }
    exchange->reply.range.address = range.address;
    exchange->reply.range.size_bytes = range.size_bytes;
    exchange->reply.range.kind = range.kind;
}

void request_memory_info(struct exchange *exchange)
{
    const struct sim_machine *machine = exchange->client->device->machine;
    exchange->reply.value[0] = sim_memory_free_bytes(machine);
    exchange->reply.value[1] = sim_machine_profile(machine)->memory_bytes;
}

void request_limit(struct exchange *exchange)
{
    struct sim_limits limits;
    struct sim_context *context = exchange->client->context;
    sim_limits_get(context, &limits);
    uint64_t *const values[] = {[LIMIT_STACK] = &limits.stack_bytes,
                                [LIMIT_PRINTF] = &limits.printf_bytes,
                                [LIMIT_HEAP] = &limits.heap_bytes};
    uint32_t limit = exchange->request.limit.limit;
    if (limit > LIMIT_HEAP || exchange->request.limit.value > UINT64_C(1) << 40) {
        exchange_fail(exchange, CUDA_INVALID_VALUE, "there is no such limit");
        return;
    }
    if (exchange->request.limit.set) {
        *values[limit] = exchange->request.limit.value;
        sim_limits_set(context, &limits);
    }
    exchange->reply.value[0] = *values[limit];
}

/* --- CUDA IPC --------------------------------------------------------------------------------- */

void request_ipc_get(struct exchange *exchange)
{
    struct client *client = exchange->client;
    struct sim_range range;
    struct export *export = calloc(1, sizeof *export);
    uint64_t address = exchange->request.address.address;
    if (!export || !sim_find(client->context, address, &range) ||
        getrandom(export->secret, sizeof export->secret, 0) != sizeof export->secret) {
        free(export);
        exchange_fail(exchange, CUDA_INVALID_VALUE, "the address is not of device memory");
        return;
    }
    export->owner = client->number;
    export->address = range.address;
    memcpy(exchange->reply.ipc.handle, export->secret, sizeof export->secret);
    pthread_mutex_lock(&client->device->lock);
    export->next = client->device->exports;
    client->device->exports = export;
    pthread_mutex_unlock(&client->device->lock);
}

static struct client *client_numbered(struct device *device, uint64_t number)
{
    struct client *client = device->clients;
    while (client && client->number != number)
        client = client->next;
    return client;
}

/* The device's lock keeps the owner alive; its own lock need not be held, since the view of memory
 * has a lock of its own. */
void request_ipc_open(struct exchange *exchange)
{
    struct client *client = exchange->client;
    struct device *device = client->device;
    struct sim_error error = {.code = SIM_BAD_ADDRESS,
                              .message = "the handle names no memory that is still there"};
    uint64_t address = 0;
    pthread_mutex_lock(&device->lock);
    for (const struct export *export = device->exports; export && !address; export = export->next)
        if (memcmp(export->secret, exchange->request.ipc.handle, sizeof export->secret) == 0) {
            struct client *owner = client_numbered(device, export->owner);
            if (owner && sim_share(client->context, owner->context, export->address, &error))
                address = export->address;
            else
                break;
        }
    pthread_mutex_unlock(&device->lock);
    if (address)
        exchange->reply.value[0] = address;
    else
        exchange_fail(exchange, CUDA_INVALID_RESOURCE_HANDLE, error.message);
}

void exports_forget(struct device *device, const struct client *client)
{
    for (struct export **link = &device->exports; *link;) {
        struct export *export = *link;
        if (export->owner != client->number) {
            link = &export->next;
            continue;
        }
        *link = export->next;
        free(export);
    }
}

/* --- Copies ----------------------------------------------------------------------------------- */

static bool is_sound(const struct exchange *exchange, uint64_t payload_bytes)
{
    const struct copy_request *copy = &exchange->request.copy;
    unsigned __int128 bytes =
        (unsigned __int128)copy->width * copy->height * copy->depth;
    return bytes <= MOST_PAYLOAD_BYTES && payload_bytes == (uint64_t)bytes &&
           copy->height <= UINT32_MAX && copy->depth <= UINT32_MAX;
}

static struct work *queue(struct exchange *exchange, enum work_kind kind, uint64_t stream)
{
    struct client *client = exchange->client;
    if (!stream_at(client, stream)) {
        exchange_fail(exchange, CUDA_INVALID_RESOURCE_HANDLE, "there is no such stream");
        return NULL;
    }
    struct work *work = work_new(kind, stream, &exchange->request);
    if (!work) {
        exchange_fail(exchange, CUDA_MEMORY_ALLOCATION, "the simulating machine is out of memory");
        return NULL;
    }
    work->payload = exchange->payload;
    work->payload_bytes = exchange->request.payload_bytes;
    exchange->payload = NULL;
    work_queue(client, work, NULL, 0);
    return work;
}

/* Every row must be the program's to read, before any is sent. */
static unsigned char *gather(struct exchange *exchange)
{
    const struct copy_request *copy = &exchange->request.copy;
    struct sim_context *context = exchange->client->context;
    struct sim_error error;
    unsigned char *rows = malloc(copy->width * copy->height * copy->depth + 1), *to = rows;
    for (uint64_t z = 0; rows && z < copy->depth; z++)
        for (uint64_t y = 0; y < copy->height; y++, to += copy->width) {
            uint64_t address = copy->from + z * copy->from_slice + y * copy->from_pitch;
            const unsigned char *from =
                sim_host_pointer(context, address, copy->width, false, &error);
            if (!from) {
                free(rows);
                exchange_fail(exchange, CUDA_INVALID_VALUE, error.message);
                return NULL;
            }
            memcpy(to, from, copy->width);
        }
    if (!rows)
        exchange_fail(exchange, CUDA_MEMORY_ALLOCATION, "the simulating machine is out of memory");
    return rows;
}

/* To pageable host memory: wait for the stream, then send what is there. */
static void copy_to_host(struct exchange *exchange)
{
    struct client *client = exchange->client;
    const struct copy_request *copy = &exchange->request.copy;
    struct sim_error error;
    if (!queue(exchange, WORK_NOTHING, copy->stream))
        return;
    work_wait(client, client->next_work);
    if (client->error)
        return;
    uint64_t bytes = copy->width * copy->height * copy->depth;
    if (copy->height * copy->depth == 1) {
        exchange->answer_in_place =
            sim_host_pointer(client->context, copy->from, bytes, false, &error);
        if (!exchange->answer_in_place) {
            exchange_fail(exchange, CUDA_INVALID_VALUE, error.message);
            return;
        }
    } else {
        exchange->answer = gather(exchange);
        if (!exchange->answer)
            return;
    }
    exchange->reply.payload_bytes = bytes;
}

/* Both ends must lie in memory the program has, or the call is refused now. */
static bool ends_exist(struct exchange *exchange, bool from_device)
{
    const struct copy_request *copy = &exchange->request.copy;
    struct sim_context *context = exchange->client->context;
    struct sim_error error;
    if (copy->width == 0 || copy->height == 0 || copy->depth == 0)
        return true;
    if (sim_host_pointer(context, copy->to, copy->width, false, &error) &&
        (!from_device || sim_host_pointer(context, copy->from, copy->width, false, &error)))
        return true;
    exchange_fail(exchange, CUDA_INVALID_VALUE, error.message);
    return false;
}

static void count(struct client *client, uint64_t *calls)
{
    pthread_mutex_lock(&client->device->lock);
    *calls += !client->in_control;
    pthread_mutex_unlock(&client->device->lock);
}

void request_copy(struct exchange *exchange)
{
    struct client *client = exchange->client;
    const struct copy_request *copy = &exchange->request.copy;
    uint64_t bytes = copy->width * copy->height * copy->depth;
    bool from_host = copy->kind == COPY_FROM_HOST;
    if (copy->kind > COPY_ON_DEVICE || !is_sound(exchange, bytes) ||
        exchange->request.payload_bytes != (from_host ? bytes : 0)) {
        exchange_fail(exchange, CUDA_INVALID_VALUE, "the sizes of a copy do not fit");
        return;
    }
    count(client, &client->device->calls.copies);
    if (copy->kind == COPY_TO_HOST) {
        copy_to_host(exchange);
        return;
    }
    bool waits = !copy->asynchronous;
    if (!ends_exist(exchange, !from_host) || !queue(exchange, WORK_COPY, copy->stream))
        return;
    if (waits)
        work_wait(client, client->next_work);
}

void request_set(struct exchange *exchange)
{
    struct client *client = exchange->client;
    const struct set_request *set = &exchange->request.set;
    struct sim_error error;
    uint32_t bytes = set->element_bytes;
    if ((bytes != 1 && bytes != 2 && bytes != 4) || set->width > MOST_PAYLOAD_BYTES ||
        set->height > UINT32_MAX) {
        exchange_fail(exchange, CUDA_INVALID_VALUE, "the sizes of a memset do not fit");
        return;
    }
    if (set->width && set->height &&
        !sim_host_pointer(client->context, set->to, set->width * bytes, false, &error)) {
        exchange_fail(exchange, CUDA_INVALID_VALUE, error.message);
        return;
    }
    count(client, &client->device->calls.sets);
    queue(exchange, WORK_SET, set->stream);
}
