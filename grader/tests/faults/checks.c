/* checks.c - switches on every check of the simulated device; on a GPU there is none to switch. */
#include "simgpu/simgpu.h"

void switch_on_checks(void);

void switch_on_checks(void)
{
    const struct simgpu_api *simgpu = simgpu_api();
    const struct simgpu_options options = {
        .checks = SIMGPU_CHECK_ALL, .count = true, .step_budget = UINT64_C(100000000)};
    if (simgpu)
        simgpu->set_options(&options);
}
