/* requests_control.c - requests of the trusted program only: options, what others did, notes, and
 * starting again. */
#include "admitted.h"
#include "device.h"

#include <stdlib.h>
#include <string.h>

/* New options apply to all programs, including those that are already connected. */
void request_options(struct exchange *exchange)
{
    struct device *device = exchange->client->device;
    pthread_mutex_lock(&device->lock);
    device->options =
        (struct simgpu_options){.checks = exchange->request.options.checks,
                                .count = exchange->request.options.count != 0,
                                .step_budget = exchange->request.options.step_budget,
                                .most_steps = exchange->request.options.most_steps,
                                .seed = exchange->request.options.seed,
                                .keep_going = exchange->request.options.keep_going != 0,
                                .hold_back = exchange->request.options.hold_back != 0,
                                .what_if = exchange->request.options.what_if != 0,
                                .fewer = exchange->request.options.fewer,
                                .approximation_seed = exchange->request.options.approximation_seed,
                                .slice = exchange->request.options.slice,
                                .timeline = exchange->request.options.timeline != 0,
                                .places = exchange->request.options.places != 0,
                                .sampling = exchange->request.options.sampling};
    sim_machine_slice(device->machine, device->options.slice);
    bool watch = device->options.checks & SIMGPU_CHECK_INITIALISED;
    for (struct client *client = device->clients; client; client = client->next)
        sim_watch_initialisation(client->context, watch);
    pthread_mutex_unlock(&device->lock);
}

void request_report(struct exchange *exchange)
{
    struct device *device = exchange->client->device;
    size_t bytes = 0;
    memory_share_tell(device);
    pthread_mutex_lock(&device->lock);
    exchange->answer = history_report(device, &bytes);
    pthread_mutex_unlock(&device->lock);
    if (!exchange->answer)
        exchange_fail(exchange, CUDA_MEMORY_ALLOCATION, "the simulating machine is out of memory");
    exchange->reply.payload_bytes = exchange->answer ? bytes : 0;
}

void request_repeat(struct exchange *exchange)
{
    struct client *client = exchange->client;
    uint64_t address = exchange->request.repeat.address;
    struct sim_error error;
    struct sim_range range;
    work_drain(exchange->line, 0);
    if (!sim_repeat(client->context, address, exchange->payload, exchange->request.payload_bytes,
                    exchange->request.repeat.seed, exchange->request.repeat.is_output, &error))
        exchange_fail_as(exchange, &error);
    else if (sim_find(client->context, address, &range))
        arena_is_sparse(address, range.size_bytes);
}

/* Bytes that grow as they are appended to. */
struct bytes {
    unsigned char *at;
    size_t used, room;
};

static bool append(struct bytes *bytes, const void *from, size_t size)
{
    if (bytes->used + size > bytes->room) {
        size_t room = 2 * (bytes->used + size);
        unsigned char *grown = realloc(bytes->at, room);
        if (!grown)
            return false;
        bytes->at = grown;
        bytes->room = room;
    }
    memcpy(bytes->at + bytes->used, from, size);
    bytes->used += size;
    return true;
}

/* The stretches, and what is in them; long ones in parts. */
static bool gather(struct exchange *exchange, struct bytes *list, struct bytes *content)
{
    enum { ENOUGH_BYTES = 8 << 20, PART_BYTES = 1 << 20 };
    struct sim_context *context = exchange->client->context;
    uint64_t address = exchange->request.touched.address;
    bool with_content = exchange->request.touched.with_content, ok = true;
    struct simgpu_touched next = {.offset = exchange->request.touched.from};
    struct sim_error error;
    while (ok && content->used < ENOUGH_BYTES &&
           sim_touched(context, address, &next.offset, &next.bytes)) {
        next.bytes = with_content && next.bytes > PART_BYTES ? PART_BYTES : next.bytes;
        ok = append(list, &next, sizeof next);
        const void *from = with_content ? sim_host_pointer(context, address + next.offset,
                                                           next.bytes, false, &error)
                                        : NULL;
        ok = ok && (!with_content || (from && append(content, from, next.bytes)));
        next.offset += next.bytes;
    }
    return ok;
}

void request_touched(struct exchange *exchange)
{
    struct bytes list = {0}, content = {0};
    work_drain(exchange->line, 0);
    bool ok = gather(exchange, &list, &content);
    exchange->reply.value[0] = list.used / sizeof(struct simgpu_touched);
    ok = ok && append(&list, content.at ? (const void *)content.at : "", content.used);
    free(content.at);
    exchange->answer = list.at;
    exchange->reply.payload_bytes = list.used;
    if (!ok) {
        exchange->reply.payload_bytes = 0;
        exchange_fail(exchange, CUDA_MEMORY_ALLOCATION, "the simulating machine is out of memory");
    }
}

/* Address number i of a request that has nothing else; false after the last. */
static bool address_at(const struct exchange *exchange, size_t i, uint64_t *address)
{
    if (i >= exchange->request.payload_bytes / sizeof *address)
        return false;
    memcpy(address, exchange->payload + i * sizeof *address, sizeof *address);
    return true;
}

void request_was_stored_to(struct exchange *exchange)
{
    uint64_t address;
    work_drain(exchange->line, 0);
    for (size_t i = 0; address_at(exchange, i, &address); i++) {
        exchange->reply.value[0] |= sim_was_stored_to(exchange->client->context, address);
        exchange->reply.value[1] |= sim_gaps_were_stored_to(exchange->client->context, address);
    }
}

void request_gaps(struct exchange *exchange)
{
    const struct sim_gaps gaps = {.first = exchange->request.gaps.first,
                                  .bytes = exchange->request.gaps.bytes,
                                  .every = exchange->request.gaps.every};
    work_drain(exchange->line, 0);
    if (!sim_set_gaps(exchange->client->context, exchange->request.gaps.address, &gaps))
        exchange_fail(exchange, CUDA_INVALID_VALUE, "the address is not of device memory");
}

void request_forget_stores(struct exchange *exchange)
{
    uint64_t address;
    work_drain(exchange->line, 0);
    for (size_t i = 0; address_at(exchange, i, &address); i++)
        if (!sim_forget_stores(exchange->client->context, address))
            exchange_fail(exchange, CUDA_INVALID_VALUE, "the address is not of device memory");
}

void request_admit(struct exchange *exchange)
{
    if (!admitted_add(exchange->client->device, exchange->payload, exchange->request.payload_bytes))
        exchange_fail(exchange, CUDA_MEMORY_ALLOCATION, "the simulating machine is out of memory");
}

void request_note(struct exchange *exchange)
{
    struct client *client = exchange->client;
    struct device *device = client->device;
    uint64_t *const counters[NOTES] = {
        [NOTE_REPEATED_CHECK] = &device->calls.repeated_checks,
        [NOTE_CUBLASLT_HANDLE] = &device->calls.cublaslt_handles,
    };
    uint32_t note = exchange->request.note.note;
    if (note >= NOTES)
        exchange_fail(exchange, CUDA_INVALID_VALUE, "there is no such note");
    else if (note == NOTE_GRAPH_MADE)
        client_made(client, SIMGPU_GRAPH);
    else if (note == NOTE_GRAPH_FREED)
        client_gave_back(client, SIMGPU_GRAPH);
    else
        client_count(client, counters[note]);
}

/* Everything of the program's is dropped, including a fault; its connections stay. */
void request_reset(struct exchange *exchange)
{
    struct sim_error error;
    hold_end(exchange->client);
    work_drain(exchange->line, 0);
    if (work_is_idle(exchange->client, 0) && !client_reset(exchange->client, &error))
        exchange_fail_as(exchange, &error);
}
