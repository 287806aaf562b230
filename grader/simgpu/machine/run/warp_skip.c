/* warp_skip.c - lanes that skip a barrier which others of their warp wait at.
 *
 * Lanes that wait at a join may go ahead of others that wait at a barrier, for they may be about to
 * leave the kernel, and a barrier waits only for threads that have not exited. What they may not do
 * is skip the barrier and go on: bar.sync is aligned, and in conditional code all threads have to
 * evaluate the condition alike (PTX ISA 9.7.13.1). Whether they do is judged where the lanes
 * arrive. They have skipped the barrier if they come to another one, or once more to a branch that
 * decides about this one:
 *
 *     for (half = 32; half; half /= 2)          for (k = 0; k < n; k++) {
 *         if (i < half) {                           if (i == k)
 *             ...                                       return;
 *             __syncthreads();                      ...
 *         }     the others come to the if again     __syncthreads();    the others only leave
 *                                               }
 *
 * Unless it compiles for a debugger, nvcc copies barriers and branches: in loops that it unrolls,
 * and where it knows more on one path than on another. So a copy of the barrier counts as the
 * barrier; and a branch decides about it only if that barrier or a copy can follow on every path
 * from it, since otherwise the branch is the end of a loop, or a return.
 */
#include "opcode.h"
#include "split.h"

#include <stdlib.h>
#include <string.h>

/* --- Places ----------------------------------------------------------------------------------- */

static bool is_same_place(const struct ptx_module *syntax, uint32_t a, uint32_t b)
{
    while (a != b) {
        const struct ptx_location *one = &syntax->locations[a], *other = &syntax->locations[b];
        if (!a || !b || one->line != other->line || one->column != other->column ||
            one->file != other->file)
            return false;
        a = one->parent;
        b = other->parent;
    }
    return true;
}

bool place_is_same(const struct module *module, uint32_t op, uint32_t other)
{
    return op == other ||
           (module->syntax->is_optimised &&
            is_same_place(module->syntax, module->ops[op].location, module->ops[other].location));
}

/* Is other op itself or a copy of it? Without lines that is not known of any other op. */
static bool is_copy(const struct function *function, const struct op *op, const struct op *other)
{
    const struct module *module = function->module;
    return op == other || (op->run == other->run && module->ops[op->id].location &&
                           place_is_same(module, op->id, other->id));
}

/* --- Calls ------------------------------------------------------------------------------------ */

/* The first split of the call that split is in; of the kernel itself, the outermost. */
static const struct split *first_of_call(const struct warp *warp, const struct split *split)
{
    while (!split->call && split->parent != NO_SPLIT)
        split = &warp->splits[split->parent];
    return split;
}

static bool is_same_frame(const struct split *split, const struct split *other)
{
    return split->function == other->function && split->register_base == other->register_base;
}

bool split_waits_alike(const struct warp *warp, const struct split *split, const struct op *op)
{
    const struct split *other = warp->split;
    const struct op *waits = split_waiting_op(split);
    while (place_is_same(other->function->module, op->id, waits->id)) {
        const struct split *first = first_of_call(warp, split);
        const struct split *other_first = first_of_call(warp, other);
        if (first == other_first || first->parent == NO_SPLIT || other_first->parent == NO_SPLIT)
            return true;
        waits = first->call;
        op = other_first->call;
        split = &warp->splits[first->parent];
        other = &warp->splits[other_first->parent];
    }
    return false;
}

/* Where lanes that wait in split are, in the frame of another split: the op that they wait at, or
 * the call that they are in. NULL when they are not in that frame. */
static const struct op *place_in_frame(const struct warp *warp, const struct split *split,
                                       const struct split *frame)
{
    const struct op *op = split_waiting_op(split);
    while (!is_same_frame(split, frame)) {
        const struct split *first = first_of_call(warp, split);
        if (first->parent == NO_SPLIT)
            return NULL;
        op = first->call;
        split = &warp->splits[first->parent];
    }
    return op;
}

/* --- Branches --------------------------------------------------------------------------------- */

static bool has_copy(const struct function *function, uint32_t block, const struct op *barrier)
{
    const struct basic_block *at = &function->blocks[block];
    for (uint32_t i = 0; i < at->count; i++)
        if (is_copy(function, barrier, &function->ops[at->first + i]))
            return true;
    return false;
}

/* Does a path from block come to a copy of the barrier? seen has a flag for each block, all clear,
 * and stack room for all of them. */
static bool reaches_copy(const struct function *function, uint32_t block, const struct op *barrier,
                         bool *seen, uint32_t *stack)
{
    uint32_t depth = 0;
    stack[depth++] = block;
    seen[block] = true;
    while (depth) {
        block = stack[--depth];
        if (has_copy(function, block, barrier))
            return true;
        const uint32_t *next = flow_successors(function, block);
        for (uint32_t i = 0; i < flow_successor_count(function, block); i++)
            if (next[i] != EXIT_BLOCK && !seen[next[i]]) {
                seen[next[i]] = true;
                stack[depth++] = next[i];
            }
    }
    return false;
}

static bool all_ways_reach_copy(const struct function *function, uint32_t block,
                                const struct op *barrier)
{
    const uint32_t *next = flow_successors(function, block);
    uint32_t *stack = malloc(function->block_count * (sizeof *stack + sizeof(bool)));
    bool *seen = (bool *)(stack + function->block_count), all = stack != NULL;
    for (uint32_t i = 0; all && i < flow_successor_count(function, block); i++) {
        memset(seen, 0, function->block_count * sizeof *seen);
        all = next[i] != EXIT_BLOCK && reaches_copy(function, next[i], barrier, seen, stack);
    }
    free(stack);
    return all;
}

/* Does the branch that ends the block decide whether lanes come to a copy of the barrier? That is:
 * one of its paths is sure to come there before the paths meet, and another may come there
 * later. */
static bool decides(const struct function *function, uint32_t block, const struct op *barrier)
{
    const uint32_t *next = flow_successors(function, block);
    uint32_t join = function->blocks[block].join;
    for (uint32_t i = 0; i < flow_successor_count(function, block); i++)
        for (uint32_t at = next[i]; at != join && at != EXIT_BLOCK && at != block;
             at = function->blocks[at].join)
            if (has_copy(function, at, barrier))
                return all_ways_reach_copy(function, block, barrier);
    return false;
}

bool warp_check_skip(struct warp *warp)
{
    const struct split *split = warp->split;
    const struct function *function = split->function;
    const uint32_t *next = flow_successors(function, split->at);
    if (split_waiting_op(split)->row->class == SIM_OP_BARRIER)
        return true; /* that will be looked at when they are there */
    for (uint32_t i = 0; i < flow_successor_count(function, split->at); i++)
        if (next[i] == EXIT_BLOCK || !function->comes_to_barrier[next[i]])
            return true;
    for (uint32_t i = 0; i < warp->split_count; i++) {
        if (!warp_checks_barrier(warp, &warp->splits[i]))
            continue;
        const struct op *barrier = place_in_frame(warp, &warp->splits[i], split);
        if (barrier && decides(function, split->at, barrier))
            return !warp_raise_absent_barrier(warp, split->mask, NULL);
    }
    return true;
}
