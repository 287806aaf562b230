/* thin.c - leaves ops out evenly: in the order of the program, each as often as it runs. */
#include "thin.h"
#include "module_model.h"

#include <stdlib.h>
#include <string.h>

static bool may_go(const struct op_cost *cost)
{
    return cost->kind == COST_ARITHMETIC && cost->tensor_cycles == 0;
}

/* What each op issues, by id; and of those that have to stay, nothing in loose. */
struct issues {
    uint8_t *all, *loose;
    bool *goes;
};

static void note_issues(const struct function *function, struct issues *issues)
{
    const struct schedule *schedule = schedule_made(function);
    for (uint32_t b = 0; schedule && b < schedule->block_count; b++)
        for (uint32_t i = 0; i < schedule->blocks[b].count; i++) {
            const struct timed_op *op = &schedule->ops[schedule->blocks[b].first + i];
            issues->all[op->id] = (uint8_t)cost_issues(&op->cost);
            issues->loose[op->id] = may_go(&op->cost) ? issues->all[op->id] : 0;
        }
}

/* Of the instructions that may go, how much has to. */
static double share_to_drop(const struct mend *mend, const struct issues *issues)
{
    double all = 0, loose = 0;
    for (size_t i = 0; i < mend->launch->result.op_count; i++) {
        const struct sim_op_counters *op = &mend->launch->ops[i];
        all += (double)op->executions * issues->all[op->id];
        loose += (double)op->executions * issues->loose[op->id];
    }
    double share = loose > 0 ? (1 - mend->share) * all / loose : 0;
    return share < 1 ? share : 1;
}

static void choose(const struct mend *mend, struct issues *issues)
{
    const struct module *module = mend->launch->function->module;
    for (uint32_t i = 0; i < module->function_count; i++)
        note_issues(&module->functions[i], issues);
    double share = share_to_drop(mend, issues), owed = 0;
    for (size_t i = 0; i < mend->launch->result.op_count; i++) {
        const struct sim_op_counters *op = &mend->launch->ops[i];
        double count = (double)op->executions * issues->loose[op->id];
        owed += share * count;
        issues->goes[op->id] = count > 0 && 2 * owed >= count;
        owed -= issues->goes[op->id] ? count : 0;
    }
}

/* How many ops the schedule has, with those of joined and unrolled blocks. */
static uint32_t count_ops(const struct schedule *schedule)
{
    uint32_t count = 0;
    const struct timed_block *const lists[] = {schedule->blocks, schedule->joined,
                                               schedule->unrolled};
    for (int i = 0; i < 3; i++)
        for (uint32_t b = 0; b < schedule->block_count; b++)
            if (lists[i][b].first + lists[i][b].count > count)
                count = lists[i][b].first + lists[i][b].count;
    return count;
}

/* The schedule with other ops; all else is shared with it. NULL without memory. */
static struct schedule *thinned(const struct schedule *schedule, const bool *goes)
{
    uint32_t count = count_ops(schedule);
    struct schedule *copy = malloc(sizeof *copy);
    struct timed_op *ops = malloc((count + 1) * sizeof *ops);
    if (!copy || !ops) {
        free(copy);
        free(ops);
        return NULL;
    }
    *copy = *schedule;
    copy->ops = ops;
    memcpy(ops, schedule->ops, count * sizeof *ops);
    for (uint32_t i = 0; i < count; i++)
        if (goes[ops[i].id])
            ops[i].cost = (struct op_cost){.kind = COST_ARITHMETIC};
    copy->original = schedule;
    return copy;
}

static bool exchange_schedules(const struct module *module, const bool *goes)
{
    struct module_model *model = module_model_of(module);
    bool made = model;
    for (uint32_t i = 0; made && i < module->function_count; i++) {
        struct schedule *known = model->schedules[i], *copy = known ? thinned(known, goes) : NULL;
        made = copy || !known;
        if (copy)
            model->schedules[i] = copy;
    }
    return made;
}

bool thin(const struct mend *mend)
{
    const struct module *module = mend->launch->function->module;
    if (mend->kind != SIM_MEND_INSTRUCTIONS)
        return true;
    size_t room = module->op_count + 1;
    struct issues issues = {calloc(room, 1), calloc(room, 1), calloc(room, sizeof *issues.goes)};
    bool made = issues.all && issues.loose && issues.goes;
    if (made)
        choose(mend, &issues);
    made = made && exchange_schedules(module, issues.goes);
    free(issues.all);
    free(issues.loose);
    free(issues.goes);
    return made;
}

void thin_undo(const struct mend *mend)
{
    struct module_model *model = module_model_of(mend->launch->function->module);
    for (uint32_t i = 0; model && i < model->function_count; i++) {
        struct schedule *copy = model->schedules[i];
        if (!copy || !copy->original)
            continue;
        model->schedules[i] = (struct schedule *)copy->original;
        free(copy->ops);
        free(copy);
    }
}
