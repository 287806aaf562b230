/* variables.c - observes kernels that write to a variable of their module.
 *
 * Calls of a program that run at the same time share it, so one finds there what another has left.
 * The simulated device runs one kernel after the other, so it cannot show what goes wrong; instead
 * it reports the write. Whoever asks for this check knows that calls may run at the same time: most
 * programs have them in order, and keep what they like.
 */
#include "observers.h"

static void variables_access(const struct access *access, struct site *site)
{
    char name[256];
    (void)site;
    if (access->kind == ACCESS_LOAD || !access->allocation ||
        access->allocation->kind != SIM_MEMORY_MODULE)
        return;
    memory_name(access->allocation, name, sizeof name);
    fault_report(access->warp, access->op, SIM_FAULT_SHARED_VARIABLE, __builtin_ctz(access->active),
                 "writes to %s, which calls that run at the same time share", name);
}

static bool variables_wants(const struct launch *launch)
{
    return launch->config.checks & SIM_CHECK_VARIABLES;
}

const struct observer observer_variables = {.name = "variables",
                                            .spaces = 1 << SPACE_GLOBAL,
                                            .looks_at = LOOKS_AT_ORDER,
                                            .wants = variables_wants,
                                            .access = variables_access};
