/* requests_control.c - what only the trusted program may ask: options, and what others did; notes,
 * and starting anew. */
#include "device.h"

#include <stdlib.h>

/* New options hold for all programs, also those that are connected already. */
void request_options(struct exchange *exchange)
{
    struct device *device = exchange->client->device;
    pthread_mutex_lock(&device->lock);
    device->options = (struct simgpu_options){
        .checks = exchange->request.options.checks,
        .count = exchange->request.options.count != 0,
        .step_budget = exchange->request.options.step_budget,
        .seed = exchange->request.options.seed,
        .keep_going = exchange->request.options.keep_going != 0,
        .what_if = exchange->request.options.what_if != 0,
        .approximation_seed = exchange->request.options.approximation_seed};
    bool watch = device->options.checks & SIMGPU_CHECK_INITIALISED;
    for (struct client *client = device->clients; client; client = client->next)
        sim_watch_initialisation(client->context, watch);
    pthread_mutex_unlock(&device->lock);
}

void request_mark(struct exchange *exchange)
{
    history_mark(exchange->client->device);
}

void request_report(struct exchange *exchange)
{
    struct device *device = exchange->client->device;
    size_t bytes = 0;
    pthread_mutex_lock(&device->lock);
    exchange->answer = history_report(device, exchange->client, &bytes);
    pthread_mutex_unlock(&device->lock);
    if (!exchange->answer)
        exchange_fail(exchange, CUDA_MEMORY_ALLOCATION, "the simulating machine is out of memory");
    exchange->reply.payload_bytes = exchange->answer ? bytes : 0;
}

void request_note(struct exchange *exchange)
{
    struct client *client = exchange->client;
    struct device *device = client->device;
    uint64_t *const counters[NOTES] = {
        [NOTE_HEURISTIC_QUERY] = &device->calls.heuristic_queries,
        [NOTE_CUBLASLT_HANDLE] = &device->calls.cublaslt_handles,
    };
    uint32_t note = exchange->request.note.note;
    if (note >= NOTES) {
        exchange_fail(exchange, CUDA_INVALID_VALUE, "there is no such note");
        return;
    }
    client_count(client, counters[note]);
}

/* Everything of the program's goes, a fault included; its connections stay. */
void request_reset(struct exchange *exchange)
{
    struct sim_error error;
    work_drain(exchange->line, 0);
    if (work_is_idle(exchange->client, 0) && !client_reset(exchange->client, &error))
        exchange_fail_as(exchange, &error);
}
