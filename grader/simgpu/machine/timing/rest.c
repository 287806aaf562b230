/* rest.c - prices what was counted but not replayed, by the part that it keeps busy longest. */
#include "rest.h"

/* An op goes on as it was traced if it touches about as many sectors, or banks, as in the trace;
 * and the rest has the pace of the replay unless it takes longer than that by this factor. */
static const double ALIKE = 1.15;

/* One op: what it cost when it was replayed, and what is left of it for a multiprocessor. */
struct left {
    const struct sim_op_counters *counters;
    struct op_cycles seen; /* of the second half, which found its caches filled */
    double executions, sectors, passes, share; /* share: of its counters */
};

struct demand {
    double servers[SERVERS], units[UNITS], issues;
    double issues_seen; /* in the replay, if none had been saved by unrolling */
};

static double at_least(double value, double least)
{
    return value > least ? value : least;
}

/* What an op did in the second half of the replay, or in all of it if the second half had little of
 * it. */
static struct op_cycles late_part(const struct replay *replay, uint32_t id)
{
    struct op_cycles all = replay->ops[id], late = all;
    const struct op_cycles *half = &replay->half_ops[id];
    late.executions -= half->executions;
    late.sectors -= half->sectors;
    late.passes -= half->passes;
    for (int i = 0; i < SERVERS; i++)
        late.asked.busy[i] -= half->asked.busy[i];
    return 4 * late.executions < all.executions ? all : late;
}

static struct left left_of(const struct rest *rest, const struct sim_op_counters *counters)
{
    const struct op_cycles *op = &rest->replay->ops[counters->id];
    double executions = (double)counters->executions / rest->active;
    struct left left = {.counters = counters, .seen = late_part(rest->replay, counters->id)};
    left.executions = at_least(executions - op->executions * rest->turns, 0);
    left.sectors =
        at_least((double)counters->memory.sectors / rest->active - op->sectors * rest->turns, 0);
    left.passes =
        at_least((double)counters->shared.wavefronts / rest->active - op->passes * rest->turns, 0);
    left.share = executions > 0 ? left.executions / executions / rest->active : 0;
    return left;
}

static bool about(double left, double seen)
{
    return left <= ALIKE * seen && seen <= ALIKE * left;
}

/* Does it go on as it began? Atomics and what is kept in other memory are counted by executions
 * alone (op_cycles). */
static bool goes_on(const struct left *left)
{
    const struct op_cycles *seen = &left->seen;
    double times = seen->executions > 0 ? left->executions / seen->executions : 0;
    return times > 0 && (seen->sectors <= 0 || about(left->sectors, times * seen->sectors)) &&
           (seen->passes <= 0 || about(left->passes, times * seen->passes));
}

static enum trace_how how_of(const struct sim_op_counters *counters)
{
    const struct sim_access_counters *memory = &counters->memory;
    bool local = counters->class == SIM_OP_LOCAL;
    switch (counters->access) {
    case SIM_ACCESS_LOAD: return local ? TRACE_LOCAL_READ : TRACE_READ;
    case SIM_ACCESS_ATOMIC: return TRACE_ATOMIC;
    case SIM_ACCESS_REDUCTION: return TRACE_REDUCE;
    default: break;
    }
    if (local)
        return TRACE_LOCAL_WRITE;
    return memory->distinct_bytes < memory->sectors * SECTOR_BYTES ? TRACE_WRITE_IN_PART
                                                                   : TRACE_WRITE;
}

/* Price what an op asks of memory, where that is unlike anything that was replayed. */
static void price_memory(const struct rest *rest, const struct left *left, bool past_l1,
                         struct demand *demand)
{
    const struct sim_access_counters *memory = &left->counters->memory;
    demand->servers[SERVER_L1] += left->passes;
    if (memory->requests == 0 || left->counters->class == SIM_OP_CONST ||
        left->counters->access == SIM_ACCESS_NONE)
        return;
    struct counted counted = {.requests = (double)memory->requests * left->share,
                              .sectors = left->sectors,
                              .lines = left->sectors * (double)memory->lines /
                                       at_least((double)memory->sectors, 1),
                              .words = (double)memory->bytes * left->share / SECTOR_BYTES,
                              .from_l2 = past_l1 ? 1 : rest->read_once};
    hierarchy_price(rest->hierarchy, how_of(left->counters), &counted, demand->servers);
}

static void price(const struct rest *rest, const struct units *units, const struct timed_op *timed,
                  struct demand *demand)
{
    const struct sim_launch_result *result = &rest->launch->result;
    size_t low = 0, high = result->op_count; /* they are in order of id */
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (result->ops[middle].id < timed->id)
            low = middle + 1;
        else
            high = middle;
    }
    if (low == result->op_count || result->ops[low].id != timed->id)
        return;
    struct left left = left_of(rest, &result->ops[low]);
    units_price(units, &timed->cost, left.executions, demand->units);
    demand->issues += left.executions * cost_issues(&timed->cost);
    demand->issues_seen += rest->replay->ops[timed->id].executions * cost_issues(&timed->cost);
    if (goes_on(&left))
        for (int i = 0; i < SERVERS; i++)
            demand->servers[i] += left.seen.asked.busy[i] * left.executions / left.seen.executions;
    else
        price_memory(rest, &left, timed->cost.past_l1, demand);
}

static void price_all(const struct rest *rest, const struct units *units, struct demand *demand)
{
    const struct module *module = rest->launch->function->module;
    for (uint32_t f = 0; f < module->function_count; f++) {
        const struct schedule *schedule = schedule_made(&module->functions[f]);
        for (uint32_t b = 0; schedule && b < schedule->block_count; b++)
            for (uint32_t i = 0; i < schedule->blocks[b].count; i++)
                price(rest, units, &schedule->ops[schedule->blocks[b].first + i], demand);
    }
}

/* The least number of cycles that the rest takes on a multiprocessor. */
static double least_cycles(const struct rest *rest)
{
    const struct sim_profile *profile = &rest->launch->context->machine->profile;
    struct units units;
    struct demand demand = {.issues = 0};
    units_init(&units, profile);
    price_all(rest, &units, &demand);
    double saved = rest->replay->issued / at_least(demand.issues_seen, 1);
    double cycles = demand.issues * (saved < 1 ? saved : 1) / profile->schedulers;
    for (int i = 0; i < SERVERS; i++)
        cycles = at_least(cycles, demand.servers[i]);
    for (int i = 0; i < UNITS; i++)
        cycles = at_least(cycles, demand.units[i]);
    return cycles;
}

double rest_cycles(const struct rest *rest, double share, double cycles)
{
    double least = least_cycles(rest);
    return least > ALIKE * share * cycles ? cycles * (1 - share) + least : cycles;
}
