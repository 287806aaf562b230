/* early.c - observes launches that may begin before their turn: programmatic dependent launches.
 *
 * Such a kernel may start when all blocks of the one before it in the stream have begun, or have
 * said griddepcontrol.launch_dependents. What that kernel writes is visible, and what it reads may
 * be overwritten, only after griddepcontrol.wait (PTX ISA 9.7.13.13). The simulated device runs one
 * kernel after the other, so it cannot show what goes wrong; instead it reports threads that do not
 * wait. A warp that meets at a barrier with a warp that has waited has waited as well. A module's
 * own variables are left out: kernels seldom write them, and loading them early is what such
 * launches are for.
 */
#include "observers.h"

static void early_access(const struct access *access, struct site *site)
{
    struct warp *warp = access->warp;
    (void)site;
    if (warp->has_waited || (access->allocation && access->allocation->kind == SIM_MEMORY_MODULE))
        return;
    fault_report(warp, access->op, SIM_FAULT_GLOBAL_RACE, __builtin_ctz(access->active),
                 "%s global memory without griddepcontrol.wait before it, in a launch that may "
                 "begin while the kernel before it in its stream still runs",
                 access->kind == ACCESS_LOAD ? "reads" : "writes");
}

static void early_barrier(struct block *block, uint32_t id, const lane_mask *arrived, bool of_all)
{
    bool any = false;
    (void)id, (void)of_all;
    for (uint32_t i = 0; i < block->warp_count; i++)
        any |= arrived[i] && block->warps[i].has_waited;
    for (uint32_t i = 0; any && i < block->warp_count; i++)
        block->warps[i].has_waited |= arrived[i] != 0;
}

static bool early_wants(const struct launch *launch)
{
    return launch->config.checks & SIM_CHECK_RACES && launch->config.may_begin_early;
}

const struct observer observer_early = {.name = "early",
                                        .spaces = 1 << SPACE_GLOBAL,
                                        .looks_at = LOOKS_AT_ORDER,
                                        .wants = early_wants,
                                        .access = early_access,
                                        .barrier = early_barrier};
