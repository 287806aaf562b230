/* requests_memory.c - device memory: making, freeing, sharing. Requests that move bytes are work,
 * and in requests_work.c. */
#include "device.h"
#include "timeline.h"

#include <stdlib.h>
#include <string.h>
#include <sys/random.h>

/* An allocation that another program may open: only one that knows the secret finds it. */
struct export
{
    struct export *next;
    unsigned char secret[32];
    uint64_t owner; /* client number */
    uint64_t address;
};

/* The grader's own buffers lie apart, so that a step out of one is noticed. */
static uint64_t allocate(struct client *client, uint64_t size_bytes, enum sim_allocation_kind kind,
                         const char *label, struct sim_error *error)
{
    bool is_judged = client->device->like_a_gpu && !client->in_control;
    return kind == SIM_MEMORY_DEVICE && is_judged
               ? sim_allocate_packed(client->context, size_bytes, label, error)
               : sim_allocate(client->context, size_bytes, kind, label, error);
}

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
    uint64_t address = allocate(client, size_bytes, kind, *label ? label : NULL, &error);
    if (!address) {
        exchange_fail_as(exchange, &error);
        return;
    }
    if (kind != SIM_MEMORY_DEVICE) {
        exchange->fd = arena_share(address, size_bytes ? size_bytes : 1, false);
        if (exchange->fd < 0) {
            sim_free(client->context, address, &error);
            exchange_fail(exchange, CUDA_MEMORY_ALLOCATION,
                          "the simulating machine has no shared memory left");
            return;
        }
    }
    atomic_fetch_add(&client->device->memory_changes, 1); /* it is zeros now */
    client_count(client, &client->device->calls.allocations);
    client_made(client, SIMGPU_MEMORY);
    exchange->reply.value[0] = address;
}

void request_free(struct exchange *exchange)
{
    struct client *client = exchange->client;
    struct sim_error error;
    hold_end(client); /* CUDA waits for the device before it frees like this */
    timeline_waits_for_stream(exchange, 0);
    work_drain(exchange->line, 0);
    joined_host(client, 0, NULL);
    client_count(client, &client->device->calls.frees);
    uint64_t address = exchange->request.address.address;
    if (sim_free(client->context, address, &error)) {
        client_gave_back(client, SIMGPU_MEMORY);
        return;
    }
    sim_explain_free(client->context, address, error.message, sizeof error.message);
    exchange_fail(exchange, CUDA_INVALID_VALUE, error.message);
}

/* A program sees a managed variable in its own memory, so its pages must be shared. */
void request_share(struct exchange *exchange)
{
    struct client *client = exchange->client;
    struct sim_range range;
    struct sim_error error;
    hold_end_for(client, 0);
    work_drain(exchange->line, 0);
    if (!sim_find(client->context, exchange->request.address.address, &range) ||
        range.address != exchange->request.address.address || range.size_bytes == 0 ||
        range.kind != SIM_MEMORY_MODULE) {
        exchange_fail(exchange, CUDA_INVALID_VALUE, "the address is not of a device variable");
        return;
    }
    if (!sim_share_with_host(client->context, range.address, &error)) {
        exchange_fail_as(exchange, &error);
        return;
    }
    exchange->fd = arena_share(range.address, range.size_bytes, true);
    if (exchange->fd < 0)
        exchange_fail(exchange, CUDA_MEMORY_ALLOCATION,
                      "the simulating machine has no shared memory left");
    exchange->reply.value[0] = range.size_bytes;
}

/* Is a page of pinned memory at address? */
static bool is_pinned_page(struct client *client, uint64_t address)
{
    struct sim_range range;
    return address % ARENA_PAGE_BYTES == 0 && sim_find(client->context, address, &range) &&
           range.kind == SIM_MEMORY_HOST &&
           range.address + range.size_bytes - address >= ARENA_PAGE_BYTES;
}

/* Two buffers of a program that it registers may lie on one page of its own memory. */
void request_share_page(struct exchange *exchange)
{
    struct client *client = exchange->client;
    uint64_t to = exchange->request.share_page.to, from = exchange->request.share_page.from;
    hold_end_for(client, 0);
    work_drain(exchange->line, 0);
    if (!is_pinned_page(client, to) || !is_pinned_page(client, from))
        exchange_fail(exchange, CUDA_INVALID_VALUE, "the address is not of pinned memory");
    else if (!arena_share_page(to, from))
        exchange_fail(exchange, CUDA_MEMORY_ALLOCATION,
                      "the simulating machine has no shared memory left");
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
        if (*values[limit] != exchange->request.limit.value)
            client_count(exchange->client, &exchange->client->device->calls.limit_changes);
        *values[limit] = exchange->request.limit.value;
        sim_limits_set(context, &limits);
    }
    exchange->reply.value[0] = *values[limit];
}

/* --- CUDA IPC --------------------------------------------------------------------------------- */

/* The lock of the device is held. */
static const struct export *find_export(const struct client *owner, uint64_t address)
{
    const struct export *export = owner->device->exports;
    while (export && (export->owner != owner->number || export->address != address))
        export = export->next;
    return export;
}

/* Asking twice for the same memory gives the same handle. NULL without memory. The lock of the
 * device is held. */
static const struct export *make_export(const struct client *owner, uint64_t address)
{
    const struct export *known = find_export(owner, address);
    struct export *export = known ? NULL : calloc(1, sizeof *export);
    if (!export)
        return known;
    if (getrandom(export->secret, sizeof export->secret, 0) != sizeof export->secret) {
        free(export);
        return NULL;
    }
    export->owner = owner->number;
    export->address = address;
    export->next = owner->device->exports;
    owner->device->exports = export;
    return export;
}

void request_ipc_get(struct exchange *exchange)
{
    struct client *client = exchange->client;
    struct sim_range range;
    if (!sim_find(client->context, exchange->request.address.address, &range) ||
        range.kind != SIM_MEMORY_DEVICE) {
        exchange_fail(exchange, CUDA_INVALID_VALUE, "the address is not of device memory");
        return;
    }
    pthread_mutex_lock(&client->device->lock);
    const struct export *export = make_export(client, range.address);
    if (export)
        memcpy(exchange->reply.ipc.handle, export->secret, sizeof export->secret);
    pthread_mutex_unlock(&client->device->lock);
    if (!export)
        exchange_fail(exchange, CUDA_MEMORY_ALLOCATION, "the simulating machine is out of memory");
}

static struct client *client_numbered(struct device *device, uint64_t number)
{
    struct client *client = device->clients;
    while (client && client->number != number)
        client = client->next;
    return client;
}

/* Let client use the memory that handle names. Returns its address, or 0. The lock of the device is
 * held, which keeps the owner alive. The owner's lock need not be held, since the view of memory
 * has a lock of its own. */
static uint64_t open_export(struct client *client, const unsigned char *handle,
                            struct sim_error *error)
{
    struct device *device = client->device;
    const struct export *export = device->exports;
    while (export && memcmp(export->secret, handle, sizeof export->secret) != 0)
        export = export->next;
    struct client *owner = export ? client_numbered(device, export->owner) : NULL;
    if (!owner || !sim_share(client->context, owner->context, export->address, error))
        return 0;
    return export->address;
}

void request_ipc_open(struct exchange *exchange)
{
    struct client *client = exchange->client;
    struct device *device = client->device;
    struct sim_error error = {.code = SIM_BAD_ADDRESS,
                              .message = "the handle names no memory that is still there"};
    struct sim_range range;
    pthread_mutex_lock(&device->lock);
    uint64_t address = open_export(client, exchange->request.ipc.handle, &error);
    pthread_mutex_unlock(&device->lock);
    if (!address || !sim_find(client->context, address, &range)) {
        exchange_fail(exchange, CUDA_INVALID_RESOURCE_HANDLE, error.message);
        return;
    }
    exchange->reply.range.address = range.address;
    exchange->reply.range.size_bytes = range.size_bytes;
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
