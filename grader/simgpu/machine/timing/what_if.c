/* what_if.c - asks the model (mended_time.c) about the same launch with one source line, or all of
 * them, as good as it can be, or with less of what it does. */
#include "mend.h"
#include "suspects.h"

#include <stdlib.h>

/* A launch that is asked, and what is known so far. */
struct asking {
    const struct launch *launch;
    const struct suspect *all; /* its lines together */
    struct traced_sectors before;
    struct footprint_bytes footprint;
    bool *ops;      /* by id: those of the line in question */
    double *shares; /* by basic block */
    struct sim_what_if *found;
    size_t known, room;
};

static void ask_mend(struct asking *asking, const struct suspect *suspect, enum sim_mend kind,
                     double share)
{
    const struct launch *launch = asking->launch;
    const struct mend mend = {kind, share, launch, asking->ops, asking->shares};
    const struct sim_line everywhere = {.line = 0};
    for (size_t i = 0; i < launch->result.op_count; i++)
        asking->ops[launch->ops[i].id] =
            suspect_has_op(suspect, kind, launch->function->module, launch->ops[i].id);
    mend_gather(&mend);
    double time_ns = mended_time(&mend, &asking->before, &asking->footprint);
    if (time_ns > 0)
        asking->found[asking->known++] =
            (struct sim_what_if){suspect->line ? *suspect->line : everywhere, kind, share, time_ns};
}

/* The gain of the suspect's mend, if it is known from another: for the sectors of loads, where a
 * line has nothing but loads, from the mend of all its sectors; for a line that has all there is to
 * mend, from the mend of all lines. */
static const struct sim_what_if *find_known(const struct asking *asking,
                                            const struct suspect *suspect, enum sim_mend kind)
{
    bool loads = kind == SIM_MEND_LOAD_SECTORS, stores = kind == SIM_MEND_STORE_SECTORS;
    double others = suspect->other.spent + (loads ? suspect->stores.spent : suspect->loads.spent);
    bool by_sectors = (loads || stores) && others == 0;
    bool by_all = suspect->line && suspect_has_all(suspect, asking->all, kind);
    for (size_t i = asking->known; i-- > 0;) {
        const struct sim_what_if *known = &asking->found[i];
        if ((by_sectors && known->mend == SIM_MEND_SECTORS &&
             suspect_is_line(suspect, &known->line)) ||
            (by_all && known->mend == kind && !known->line.line))
            return known;
    }
    return NULL;
}

static void ask_or_copy(struct asking *asking, const struct suspect *suspect, enum sim_mend kind)
{
    const struct sim_what_if *known = find_known(asking, suspect, kind);
    if (!known) {
        ask_mend(asking, suspect, kind, 0);
        return;
    }
    struct sim_what_if copy = *known;
    copy.mend = kind;
    if (suspect->line)
        copy.line = *suspect->line;
    asking->found[asking->known++] = copy;
}

static void ask_line(struct asking *asking, const struct suspect *suspect)
{
    const double launch_ns = asking->launch->result.modelled_ns;
    for (int kind = 0; kind < SIM_MEND_INSTRUCTIONS && asking->known < asking->room; kind++)
        if (suspect_may_gain(suspect, (enum sim_mend)kind, launch_ns))
            ask_or_copy(asking, suspect, (enum sim_mend)kind);
}

/* Ask about all lines with less of what they do; kinds has a bit for each mend from
 * SIM_MEND_INSTRUCTIONS. */
static void ask_fewer(struct asking *asking, unsigned kinds)
{
    for (int kind = SIM_MEND_INSTRUCTIONS; kind < SIM_MENDS; kind++)
        for (int i = 0; i < SIM_SHARES && asking->known < asking->room; i++)
            if (kinds >> (kind - SIM_MEND_INSTRUCTIONS) & 1)
                ask_mend(asking, asking->all, (enum sim_mend)kind, SIM_SHARE[i]);
}

size_t sim_launch_what_if(struct launch *launch, unsigned fewer, struct sim_what_if *found,
                          size_t room)
{
    const struct sim_launch_result *result = sim_launch_result(launch);
    if (!result || !launch->traces || launch->faulted || result->modelled_ns <= 0)
        return 0;
    const struct module *module = launch->function->module;
    struct suspect *suspects, all;
    size_t count = suspects_find(launch, &suspects, &all);
    struct asking asking = {.launch = launch, .all = &all, .found = found, .room = room};
    asking.ops = calloc(module->op_count + 1, sizeof *asking.ops);
    asking.shares = malloc((module->block_count + 1) * sizeof *asking.shares);
    if (asking.ops && asking.shares && traced_sectors(launch->traces, &asking.before)) {
        asking.footprint = footprint_sum(launch);
        ask_line(&asking, &all);
        ask_fewer(&asking, fewer);
        for (size_t i = 0; i < count; i++)
            ask_line(&asking, &suspects[i]);
    }
    free(asking.ops);
    free(asking.shares);
    free(suspects);
    return asking.known;
}
