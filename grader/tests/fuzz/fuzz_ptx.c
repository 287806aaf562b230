/* fuzz_ptx.c - text in place of PTX. A module that loads has its first kernels run for a moment,
 * with every check on: what a program may send, it may also launch. */
#include "fuzz.h"

#include <stdlib.h>
#include <string.h>

enum { MOST_KERNELS = 2, BUFFER_BYTES = 4096, MOST_PARAMETER_BYTES = 1 << 16 };

/* A block that does not fill its last warp, and two of them. */
static const struct sim_launch_config CONFIG = {.grid = {2, 1, 1},
                                                .block = {40, 1, 1},
                                                .dynamic_shared_bytes = 256,
                                                .count = true,
                                                .checks = SIM_CHECK_ALL,
                                                .step_budget = 1 << 17,
                                                .workers = 1};

/* Every parameter could be a pointer, so every eight bytes are one. */
static void *make_parameters(uint32_t bytes, uint64_t buffer)
{
    unsigned char *block = calloc(1, bytes + 8);
    for (uint32_t at = 0; block && at < bytes; at += 8)
        memcpy(block + at, &buffer, sizeof buffer);
    return block;
}

static void run(struct sim_context *context, const struct function *kernel, uint64_t buffer)
{
    struct sim_kernel_info info;
    struct sim_error error;
    size_t printed;
    sim_kernel_info(context, kernel, &info);
    if (info.parameter_bytes > MOST_PARAMETER_BYTES)
        return;
    void *parameters = make_parameters(info.parameter_bytes, buffer);
    struct launch *launch =
        parameters ? sim_launch_new(context, kernel, &CONFIG, parameters, &error) : NULL;
    if (launch) {
        sim_launch_work(launch, 0);
        sim_launch_fault(launch);
        sim_launch_printed(launch, &printed);
        sim_launch_result(launch);
    }
    sim_launch_free(launch);
    free(parameters);
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
    struct sim_error error;
    struct sim_arena arena = fuzz_arena();
    struct sim_machine *machine = sim_machine_new(sim_profile_named("h200"), &arena, &error);
    struct sim_context *context = machine ? sim_context_new(machine, &error) : NULL;
    struct module *module = context ? sim_module_load(context, bytes, size, &error) : NULL;
    uint64_t buffer =
        module ? sim_allocate(context, BUFFER_BYTES, SIM_MEMORY_DEVICE, NULL, &error) : 0;
    for (size_t i = 0; buffer && i < MOST_KERNELS; i++) {
        const struct function *kernel = sim_module_kernel_at(module, i);
        if (kernel)
            run(context, kernel, buffer);
    }
    sim_context_free(context);
    sim_machine_free(machine);
    return 0;
}
