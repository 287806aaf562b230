/* places.c - the order of a basic block's ops as the machine code has it (machine_order.h).
 *
 * An op that has no instruction of its own, because it became an operand or a part of another,
 * comes right before the first op that reads its result.
 */
#include "schedule_internal.h"

static uint32_t place_of(const struct builder *builder, uint32_t timed)
{
    const struct function *function = builder->function;
    return function->places[builder->schedule->ops[timed].id - function->first_op_id];
}

static bool reads(const struct builder *builder, uint32_t timed, uint32_t reg)
{
    const struct timed_op *op = &builder->schedule->ops[timed];
    for (uint32_t i = 0; i < op->reads; i++)
        if (builder->schedule->registers[op->registers + i] == reg)
            return true;
    return false;
}

/* Is its place before that of an op whose result it reads? Then the instruction found there is not
 * its own: a constant that was fetched early has the line of the op that wants it. */
static bool comes_too_early(const struct builder *builder, uint32_t first, uint32_t index,
                            const uint32_t *places)
{
    for (uint32_t earlier = 0; earlier < index; earlier++) {
        const struct timed_op *op = &builder->schedule->ops[first + earlier];
        const uint32_t *written = builder->schedule->registers + op->registers + op->reads;
        for (uint32_t i = 0; i < op->writes; i++)
            if (places[earlier] > places[index] && places[earlier] != SEVERAL_PLACES &&
                reads(builder, first + index, written[i]))
                return true;
    }
    return false;
}

/* Of the ops after number index in a window, the first place of one that reads what that op
 * writes. */
static uint32_t place_of_reader(const struct builder *builder, uint32_t first, uint32_t count,
                                uint32_t index, const uint32_t *places)
{
    const struct timed_op *op = &builder->schedule->ops[first + index];
    const uint32_t *written = builder->schedule->registers + op->registers + op->reads;
    uint32_t place = SEVERAL_PLACES;
    for (uint32_t later = index + 1; later < count; later++)
        for (uint32_t i = 0; i < op->writes; i++)
            if (places[later] < place && reads(builder, first + later, written[i]))
                place = places[later];
    return place;
}

bool find_places(const struct builder *builder, uint32_t first, uint32_t count, uint32_t *places)
{
    uint32_t accesses = 0;
    if (!builder->function->places)
        return false;
    for (uint32_t i = 0; i < count; i++) {
        const struct op_cost *cost = &builder->schedule->ops[first + i].cost;
        places[i] = place_of(builder, first + i);
        if (places[i] == SEVERAL_PLACES && cost_issues(cost) > 0)
            return false; /* ptxas unrolled it, or made copies */
        accesses += cost->kind == COST_MEMORY && places[i] > 0;
        if (cost->kind != COST_MEMORY && comes_too_early(builder, first, i, places))
            places[i] = 0;
    }
    for (uint32_t i = count; i-- > 0;) {
        bool branches = builder->schedule->ops[first + i].cost.kind == COST_BRANCH;
        if (branches || places[i] == SEVERAL_PLACES)
            places[i] = SEVERAL_PLACES;
        else if (places[i] == 0)
            places[i] = place_of_reader(builder, first, count, i, places);
    }
    return accesses > 1;
}
