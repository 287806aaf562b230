/* requests_program.c - modules, kernels, symbols, and what the device is. */
#include "admitted.h"
#include "device.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Room for one more item; items may move. False when memory is exhausted. */
static bool grow(void **items, size_t count, size_t item_bytes)
{
    void *grown = realloc(*items, (count + 1) * item_bytes);
    if (grown)
        *items = grown;
    return grown != NULL;
}

static void no_memory(struct exchange *exchange)
{
    exchange_fail(exchange, CUDA_MEMORY_ALLOCATION, "the simulating machine is out of memory");
}

/* Judged programs are told the name of the real device, so that none can behave differently where
 * its errors are counted. */
static bool is_judged(const struct client *client)
{
    return client->device->has_control && !client->in_control;
}

static const char *name_for(const struct client *client, const struct sim_profile *profile)
{
    static const char SAYS[] = "simulated ";
    bool says = strncmp(profile->name, SAYS, strlen(SAYS)) == 0;
    return profile->name + (is_judged(client) && says ? strlen(SAYS) : 0);
}

void request_device(struct exchange *exchange)
{
    const struct sim_profile *profile = sim_machine_profile(exchange->client->device->machine);
    struct device_reply *device = &exchange->reply.device;
    strncpy(device->name, name_for(exchange->client, profile), sizeof device->name - 1);
    memcpy(device->uuid,
           is_judged(exchange->client) ? exchange->client->device->drawn_uuid
                                       : (const unsigned char *)"simulated device",
           sizeof device->uuid);
    device->compute_major = profile->compute_major;
    device->compute_minor = profile->compute_minor;
    device->multiprocessors = (int32_t)profile->multiprocessors;
    device->clock_khz = (int32_t)profile->clock_mhz * 1000;
    device->memory_clock_khz = (int32_t)profile->memory_clock_mhz * 1000;
    device->bus_bits = (int32_t)profile->memory_bus_bits;
    device->memory_bytes = profile->memory_bytes;
    device->l2_bytes = profile->l2_bytes;
    device->shared_bytes = profile->shared_bytes;
    device->shared_bytes_block = profile->shared_bytes_block;
    device->shared_bytes_reserved = profile->shared_bytes_reserved;
    device->registers = profile->registers;
    device->warps = profile->warps;
    device->blocks = profile->blocks;
}

static void refuse(struct exchange *exchange, const struct sim_error *error)
{
    struct sim_fault refusal = {.kind = SIM_FAULT_UNSUPPORTED};
    snprintf(refusal.message, sizeof refusal.message, "%s", error->message);
    if (error->code == SIM_BAD_IMAGE)
        history_refuse(exchange->client->device, exchange->client, &refusal);
    exchange_fail_as(exchange, error);
}

void request_module(struct exchange *exchange)
{
    struct client *client = exchange->client;
    struct sim_error error = {.code = SIM_BAD_IMAGE};
    const char *wrong =
        admitted_refusal(client, exchange->payload, exchange->request.payload_bytes);
    if (wrong) {
        snprintf(error.message, sizeof error.message, "%s", wrong);
        refuse(exchange, &error);
        return;
    }
    if (!grow((void **)&client->modules, client->module_count, sizeof *client->modules)) {
        no_memory(exchange);
        return;
    }
    struct module *module = sim_module_load(client->context, exchange->payload,
                                            exchange->request.payload_bytes, &error);
    if (!module) {
        refuse(exchange, &error);
        return;
    }
    client->modules[client->module_count++] = module;
    exchange->reply.value[0] = client->module_count; /* handles start at 1 */
}

/* The payload as text, or NULL with an error. */
static const char *name_of(struct exchange *exchange)
{
    uint64_t bytes = exchange->request.payload_bytes;
    if (bytes && bytes <= 64 * 1024 && exchange->payload[bytes - 1] == 0)
        return (const char *)exchange->payload;
    exchange_fail(exchange, CUDA_INVALID_VALUE, "a name is missing or has no end");
    return NULL;
}

void request_lack(struct exchange *exchange)
{
    struct sim_error error = {.code = SIM_BAD_IMAGE};
    const char *what = name_of(exchange);
    if (!what)
        return;
    snprintf(error.message, sizeof error.message, "%s is not supported by the simulated device",
             what);
    refuse(exchange, &error);
}

static const struct module *module_at(struct exchange *exchange)
{
    uint64_t handle = exchange->request.name.module;
    if (handle == 0 || handle > exchange->client->module_count) {
        exchange_fail(exchange, CUDA_INVALID_RESOURCE_HANDLE, "there is no such module");
        return NULL;
    }
    return exchange->client->modules[handle - 1];
}

static void describe_kernel(struct exchange *exchange, const struct function *kernel)
{
    struct kernel_reply *reply = &exchange->reply.kernel;
    struct sim_kernel_info info;
    sim_kernel_info(exchange->client->context, kernel, &info);
    *reply = (struct kernel_reply){.kernel = exchange->client->kernel_count,
                                   .parameter_count = info.parameter_count,
                                   .parameter_bytes = info.parameter_bytes,
                                   .static_shared_bytes = info.static_shared_bytes,
                                   .local_bytes = info.local_bytes,
                                   .registers = info.registers,
                                   .max_threads = info.max_threads,
                                   .constant_bytes = info.constant_bytes,
                                   .architecture = info.architecture,
                                   .cluster = {info.cluster[0], info.cluster[1], info.cluster[2]},
                                   .must_cluster = info.must_cluster};
    uint32_t *pairs = calloc(info.parameter_count + 1, 2 * sizeof *pairs);
    if (!pairs) {
        no_memory(exchange);
        return;
    }
    for (uint32_t i = 0; i < info.parameter_count; i++)
        sim_kernel_parameter(kernel, i, &pairs[2 * i], &pairs[2 * i + 1]);
    exchange->answer = (unsigned char *)pairs;
    exchange->reply.payload_bytes = info.parameter_count * 2 * sizeof *pairs;
}

void request_kernel(struct exchange *exchange)
{
    struct client *client = exchange->client;
    const struct module *module = module_at(exchange);
    const char *name = module ? name_of(exchange) : NULL;
    if (!name)
        return;
    const struct function *kernel = sim_module_kernel(module, name);
    if (!kernel) {
        exchange_fail(exchange, CUDA_SYMBOL_NOT_FOUND, "the module has no such kernel");
        return;
    }
    if (!grow((void **)&client->kernels, client->kernel_count, sizeof *client->kernels)) {
        no_memory(exchange);
        return;
    }
    client->kernels[client->kernel_count++] = kernel;
    describe_kernel(exchange, kernel);
}

void request_symbol(struct exchange *exchange)
{
    const struct module *module = module_at(exchange);
    const char *name = module ? name_of(exchange) : NULL;
    const struct sim_symbol *symbol = name ? sim_module_symbol(module, name) : NULL;
    if (!name)
        return;
    if (!symbol) {
        exchange_fail(exchange, CUDA_SYMBOL_NOT_FOUND, "the module has no such variable");
        return;
    }
    exchange->reply.value[0] = symbol->address;
    exchange->reply.value[1] = symbol->size_bytes;
}

void request_occupancy(struct exchange *exchange)
{
    struct client *client = exchange->client;
    uint64_t handle = exchange->request.occupancy.kernel;
    uint32_t cluster_blocks = exchange->request.occupancy.cluster_blocks;
    if (handle == 0 || handle > client->kernel_count) {
        exchange_fail(exchange, CUDA_INVALID_RESOURCE_HANDLE, "there is no such kernel");
        return;
    }
    exchange->reply.value[0] = sim_occupancy(
        client->context, client->kernels[handle - 1], exchange->request.occupancy.block_threads,
        exchange->request.occupancy.dynamic_shared_bytes, NULL);
    exchange->reply.value[1] = sim_active_clusters(
        client->context, client->kernels[handle - 1], exchange->request.occupancy.block_threads,
        exchange->request.occupancy.dynamic_shared_bytes, cluster_blocks);
}
