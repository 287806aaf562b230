/* likeness.c - prices the ops of blocks that were not replayed. */
#include "likeness.h"

#include <stdlib.h>

/* The cost of all blocks may differ by this factor from that of the replayed ones before the
 * difference counts: edges, and the traced part of a long warp, are not quite like the rest. */
static const double ABOUT_ALIKE = 1.15;

static double at_least(double value, double least)
{
    return value > least ? value : least;
}

/* Cycles of an execution as it was replayed, but with `sectors` times as many sectors and `passes`
 * times as many passes. */
static double cycles_of_one(const struct op_cycles *op, double sectors, double passes)
{
    double cycles = 0;
    for (int wait = 0; wait < SIM_WAITS; wait++)
        cycles += op->waits[wait] * (wait == SIM_WAIT_MEMORY   ? sectors
                                     : wait == SIM_WAIT_SHARED ? passes
                                                               : 1);
    return cycles / op->executions;
}

/* Cycles of `left` executions of an op that were not replayed; share: of its counters, what falls
 * to them and the replayed ones. */
static double cycles_of_others(const struct sim_op_counters *counters, const struct op_cycles *op,
                               double share, double left)
{
    double sectors = (double)counters->memory.sectors * share - op->sectors;
    double passes = (double)counters->shared.wavefronts * share - op->passes;
    double more_sectors = 1, more_passes = 1;
    if (op->sectors > 0 && left > 0)
        more_sectors = at_least(sectors, 0) / left / (op->sectors / op->executions);
    if (op->passes > 0 && left > 0)
        more_passes = at_least(passes, 0) / left / (op->passes / op->executions);
    return left * cycles_of_one(op, more_sectors, more_passes);
}

struct spent {
    double cycles, issues; /* in the replay */
};

static struct spent add_up(const struct launch *launch, const struct replay *replay,
                           const uint8_t *issues)
{
    struct spent spent = {0};
    for (size_t i = 0; i < launch->result.op_count; i++) {
        const struct op_cycles *op = &replay->ops[launch->ops[i].id];
        spent.issues += op->executions * issues[launch->ops[i].id];
        for (int wait = 0; wait < SIM_WAITS; wait++)
            spent.cycles += op->waits[wait];
    }
    return spent;
}

/* Cycles of all executions that were not replayed, of the share that falls to one multiprocessor;
 * an op that never was costs as much as others do for each instruction it issues. */
static double price_others(const struct launch *launch, const struct replay *replay,
                           const uint8_t *issues, double share)
{
    struct spent spent = add_up(launch, replay, issues);
    double cycles = 0;
    for (size_t i = 0; i < launch->result.op_count; i++) {
        const struct sim_op_counters *counters = &launch->result.ops[i];
        const struct op_cycles *op = &replay->ops[counters->id];
        double left = at_least((double)counters->executions * share - op->executions, 0);
        cycles += op->executions > 0
                      ? cycles_of_others(counters, op, share, left)
                      : left * issues[counters->id] * spent.cycles / at_least(spent.issues, 1);
    }
    return cycles;
}

/* Instructions that each op issues, by id, at least one; NULL without memory. */
static uint8_t *issues_of_ops(const struct launch *launch)
{
    const struct module *module = launch->function->module;
    uint8_t *issues = malloc(module->op_count + 1);
    for (uint32_t i = 0; issues && i < module->op_count; i++)
        issues[i] = 1;
    for (uint32_t f = 0; issues && f < module->function_count; f++) {
        const struct schedule *schedule = schedule_made(&module->functions[f]);
        for (uint32_t i = 0; schedule && i < schedule->op_count; i++)
            if (cost_issues(&schedule->ops[i].cost) > 1)
                issues[schedule->ops[i].id] = (uint8_t)cost_issues(&schedule->ops[i].cost);
    }
    return issues;
}

double likeness_of_others(const struct launch *launch, const struct replay *replay, uint32_t count)
{
    uint8_t *issues = issues_of_ops(launch);
    double stride = (double)launch->traces->stride;
    double others = (double)launch->block_count / stride - count;
    double spent = issues ? add_up(launch, replay, issues).cycles : 0, like = 1;
    if (spent > 0 && others > 0)
        like = price_others(launch, replay, issues, 1 / stride) / others / (spent / count);
    free(issues);
    return like;
}

double likeness_of_all(const struct launch *launch, const struct replay *replay, uint32_t count)
{
    uint8_t *issues = issues_of_ops(launch);
    double spent = issues ? add_up(launch, replay, issues).cycles : 0, like = 1, part = 0, all = 0;
    for (uint32_t i = 0; i < count; i++)
        for (uint32_t j = 0; j < launch->traces->blocks[i].warp_count; j++) {
            part += (double)launch->traces->blocks[i].warps[j].steps;
            all += (double)launch->traces->blocks[i].warps[j].all_steps;
        }
    if (spent > 0 && part > 0) {
        double others = price_others(launch, replay, issues, 1);
        like = (spent + others) / (double)launch->block_count / (spent / count * all / part);
    }
    free(issues);
    return like > ABOUT_ALIKE ? like : 1;
}
