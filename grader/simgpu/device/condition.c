/* condition.c - conditional nodes of graphs: what decides them, and which body runs.
 *
 * A condition has a value, which kernels of the graph set (cudaGraphSetConditional). When it is a
 * node's turn, its value chooses a body, whose nodes are queued before the node itself ends
 * (engine.c, work.c).
 */
#include "device.h"

#include <stdlib.h>

enum { MOST_CONDITIONS = 1 << 16 };

static bool has(const struct conditions *conditions, uint64_t handle)
{
    for (uint32_t i = 0; i < conditions->count; i++)
        if (conditions->values[i].handle == handle)
            return true;
    return false;
}

bool conditions_add(struct conditions **conditions, const struct request *request)
{
    struct conditions *all = *conditions;
    if (!all)
        all = *conditions = calloc(1, sizeof *all);
    if (!all || all->count == MOST_CONDITIONS || has(all, request->conditional.handle))
        return false;
    struct sim_condition *values = realloc(all->values, (all->count + 1) * sizeof *values);
    if (values)
        all->values = values;
    struct condition_start *starts = realloc(all->starts, (all->count + 1) * sizeof *starts);
    if (starts)
        all->starts = starts;
    if (!values || !starts)
        return false;
    values[all->count] = (struct sim_condition){.handle = request->conditional.handle};
    starts[all->count] = (struct condition_start){request->conditional.initial,
                                                  request->conditional.is_assigned != 0};
    all->count++;
    return true;
}

void conditions_free(struct conditions *conditions)
{
    if (!conditions)
        return;
    free(conditions->values);
    free(conditions->starts);
    free(conditions);
}

void conditions_start(struct conditions *conditions)
{
    for (uint32_t i = 0; conditions && i < conditions->count; i++)
        if (conditions->starts[i].is_assigned)
            conditions->values[i].value = conditions->starts[i].value;
}

static uint32_t value_of(const struct work *work)
{
    const struct conditions *conditions = work->conditions;
    for (uint32_t i = 0; i < conditions->count; i++)
        if (conditions->values[i].handle == work->request.conditional.handle)
            return conditions->values[i].value;
    return 0;
}

const struct graph *condition_body(const struct work *work)
{
    uint32_t value = value_of(work), count = work->request.conditional.body_count;
    bool loops = work->request.conditional.type == CONDITIONAL_WHILE;
    if (work->is_decided && !loops)
        return NULL;
    if (work->request.conditional.type == CONDITIONAL_SWITCH)
        return value < count ? &work->bodies[value] : NULL;
    if (value)
        return &work->bodies[0];
    return count == 2 ? &work->bodies[1] : NULL; /* the else of an if */
}
