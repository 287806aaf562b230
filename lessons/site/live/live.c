/* live.c - see live.h. The device's memory is one piece, at the address that the device process
 * gives it too, so that results which depend on an address are the same in both. */
#include "live_internal.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const uint64_t ARENA_ADDRESS = UINT64_C(0x200000000000), ARENA_BYTES = UINT64_C(192) << 20;

static struct sim_machine *machine;
static struct sim_context *context;
static struct module *module;
static const struct function *kernel;
static struct launch *launch;
static struct sim_error error;
static unsigned char *arena;

static unsigned char parameters[4096];
static uint32_t parameter_count, parameter_places[2][128]; /* where, how many bytes */
static uint32_t parameter_bytes;
static bool watches;
static uint32_t watched_block[2], watched_warp;
static uint32_t sampled_blocks; /* 0: all run */
static struct text result;

/* --- The machine ------------------------------------------------------------------------------ */

static bool commit(void *memory, uint64_t address, uint64_t bytes)
{
    memset((unsigned char *)memory + (address - ARENA_ADDRESS), 0, (size_t)bytes);
    return true;
}

static void release(void *memory, uint64_t address, uint64_t bytes)
{
    (void)memory, (void)address, (void)bytes;
}

struct sim_machine *machine_in(unsigned char *memory, uint64_t size_bytes, struct sim_error *why)
{
    struct sim_arena arena_of = {.address = ARENA_ADDRESS,
                                 .bytes = size_bytes,
                                 .host = memory,
                                 .owner = memory,
                                 .commit = commit,
                                 .release = release};
    return sim_machine_new(sim_profile_named("h200"), &arena_of, why);
}

bool live_fail(const char *why)
{
    snprintf(error.message, sizeof error.message, "%s", why);
    return false;
}

bool live_open(void)
{
    sim_launch_free(launch);
    if (context)
        sim_context_free(context);
    if (machine)
        sim_machine_free(machine);
    launch = NULL, context = NULL, machine = NULL, module = NULL, kernel = NULL;
    error.message[0] = 0;
    arena = arena ? arena : malloc((size_t)ARENA_BYTES);
    if (!arena)
        return live_fail("There is not enough memory for a device.");
    machine = machine_in(arena, ARENA_BYTES, &error);
    context = machine ? sim_context_new(machine, &error) : NULL;
    if (context)
        sim_watch_initialisation(context, true);
    return context != NULL;
}

const char *live_error(void)
{
    return error.message;
}

bool live_load(const void *image, uint32_t size_bytes)
{
    module = sim_module_load(context, image, size_bytes, &error);
    return module != NULL;
}

/* Its pages hold zeros (commit); the checks are told that these were written. */
double live_allocate(uint32_t size_bytes)
{
    uint64_t address = sim_allocate(context, size_bytes, SIM_MEMORY_DEVICE, NULL, &error);
    bool written = address && sim_host_pointer(context, address, size_bytes, true, &error);
    return written ? (double)address : 0;
}

unsigned char *live_bytes(double address, uint32_t size_bytes)
{
    return sim_host_pointer(context, (uint64_t)address, size_bytes, true, &error);
}

/* --- Launches --------------------------------------------------------------------------------- */

/* The kernel, which says where each parameter lies, is known later. */
bool live_parameter(const void *value, uint32_t size_bytes)
{
    bool fits = parameter_count < 128 && size_bytes <= sizeof parameters - parameter_bytes;
    if (!fits)
        return live_fail("These are more parameters than a kernel may have.");
    memcpy(parameters + parameter_bytes, value, size_bytes);
    parameter_places[0][parameter_count] = parameter_bytes;
    parameter_places[1][parameter_count++] = size_bytes;
    parameter_bytes += size_bytes;
    return true;
}

void live_watch(uint32_t block_x, uint32_t block_y, uint32_t warp)
{
    watches = true;
    watched_block[0] = block_x;
    watched_block[1] = block_y;
    watched_warp = warp;
}

void live_sample(uint32_t blocks)
{
    sampled_blocks = blocks;
}

/* Bring the parameters to their places. */
static bool placed(unsigned char *block, const char *name)
{
    struct sim_kernel_info info;
    sim_kernel_info(context, kernel, &info);
    if (info.parameter_count != parameter_count) {
        snprintf(error.message, sizeof error.message,
                 "The kernel %s has %u parameters, and %u were given.", name, info.parameter_count,
                 parameter_count);
        return false;
    }
    for (uint32_t i = 0; i < parameter_count; i++) {
        uint32_t offset, bytes;
        sim_kernel_parameter(kernel, i, &offset, &bytes);
        if (bytes != parameter_places[1][i]) {
            snprintf(error.message, sizeof error.message,
                     "Parameter %u of the kernel %s has %u bytes, and %u were given.", i, name,
                     bytes, parameter_places[1][i]);
            return false;
        }
        memcpy(block + offset, parameters + parameter_places[0][i], bytes);
    }
    return true;
}

static bool make_launch(const char *name, struct sim_launch_config *config)
{
    unsigned char block[sizeof parameters] = {0};
    kernel = module ? sim_module_kernel(module, name) : NULL;
    if (!kernel) {
        snprintf(error.message, sizeof error.message, "There is no kernel called %s.", name);
        return false;
    }
    if (!placed(block, name))
        return false;
    if (watches)
        config->watch = steps_watch(watched_block, watched_warp, kernel);
    launch = sim_launch_new(context, kernel, config, block, &error);
    return launch != NULL;
}

bool live_launch(const char *name, uint32_t grid_x, uint32_t grid_y, uint32_t block_x,
                 uint32_t block_y, uint32_t dynamic_shared_bytes, uint32_t checks,
                 double most_thread_instructions)
{
    struct sim_launch_config config = {.grid = {grid_x, grid_y, 1},
                                       .block = {block_x, block_y, 1},
                                       .dynamic_shared_bytes = dynamic_shared_bytes,
                                       .count = true,
                                       .checks = checks,
                                       .keep_going = checks != 0,
                                       .step_budget = (uint64_t)most_thread_instructions,
                                       .sampling.blocks = sampled_blocks,
                                       .workers = 1};
    sim_launch_free(launch);
    launch = NULL;
    steps_clear();
    bool made = make_launch(name, &config);
    for (uint32_t worker = 0; made && worker < sim_launch_workers(launch); worker++)
        sim_launch_work(launch, worker);
    parameter_count = parameter_bytes = sampled_blocks = 0;
    watches = false;
    return made;
}

const char *live_device(void)
{
    const struct sim_profile *profile = sim_machine_profile(machine);
    double fused_per_s = profile->multiprocessors * profile->fp32_lanes * profile->clock_mhz * 1e6;
    text_clear(&result);
    text_add(&result, "{\"name\":");
    text_quote(&result, profile->name);
    text_add(&result, ",\"copy_bytes_per_s\":%.17g,\"fp32_per_s\":%.17g}",
             profile->dram_bytes_per_s, 2 * fused_per_s);
    return result.start;
}

const char *live_result(void)
{
    if (!launch)
        return NULL;
    tell_result(&result, launch, kernel);
    return result.start;
}

const char *live_steps(void)
{
    return steps_text();
}
