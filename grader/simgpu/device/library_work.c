/* library_work.c - see library_work.h. */
#include "library_work.h"

#include <stdio.h>

enum { BLOCK_THREADS = 128 };

void *finder_find(struct finder *finder, const char *what, uint64_t address, uint64_t bytes,
                  bool written)
{
    if (finder->what || !address || !bytes)
        return NULL;
    void *place = sim_host_pointer(finder->context, address, bytes, written, &finder->error);
    if (!place)
        finder->what = what;
    return place;
}

void *finder_need(struct finder *finder, const char *what, uint64_t address, uint64_t bytes,
                  bool written)
{
    if (!address && !finder->what) {
        finder->what = what;
        snprintf(finder->error.message, sizeof finder->error.message, "the pointer is NULL");
    }
    return finder_find(finder, what, address, bytes, written);
}

static void remember(struct client *client, const char *name,
                     const struct library_estimate *estimate, const struct sim_fault *fault)
{
    struct sim_launch_config config = {
        .grid = {estimate->blocks < UINT32_MAX ? (uint32_t)estimate->blocks : UINT32_MAX, 1, 1},
        .block = {BLOCK_THREADS, 1, 1}};
    struct sim_launch_result result = {.kernel = name,
                                       .config = config,
                                       .blocks_per_multiprocessor = 1,
                                       .occupancy_limit = "",
                                       .modelled_ns = estimate->time_ns,
                                       .bound = estimate->bound,
                                       .dram_read_bytes = estimate->dram_read_bytes,
                                       .dram_write_bytes = estimate->dram_write_bytes,
                                       .l2_bytes = estimate->l2_bytes};
    result.totals.by_class[SIM_OP_TENSOR] = (uint64_t)estimate->tensor_instructions;
    if (!client->dying)
        history_add(client->device, client, &result, fault, name, &config, NULL);
}

void library_remember(struct client *client, const char *name,
                      const struct library_estimate *estimate)
{
    remember(client, name, estimate, NULL);
}

void library_fail(struct client *client, const char *name, const struct library_estimate *estimate,
                  int error, const char *message)
{
    struct sim_fault fault = {.kind = error == CUDA_ILLEGAL_ADDRESS ? SIM_FAULT_OUT_OF_BOUNDS
                                                                    : SIM_FAULT_HOST_MEMORY,
                              .kernel = name,
                              .advice = "check that layouts, pointers and plan are of this call, "
                                        "and the layouts' sizes and leading dimensions"};
    snprintf(fault.message, sizeof fault.message, "%s", message);
    remember(client, name, estimate, &fault);
    if (!client->device->quiet && !client->dying)
        fprintf(stderr, "simgpu: %s in %s\n  %s\n", sim_fault_title(fault.kind), name, message);
    pthread_mutex_lock(&client->lock);
    client_break(client, error, message);
    pthread_mutex_unlock(&client->lock);
}
