/* flow.c - where diverged lanes meet again: the immediate post-dominator of each basic block.
 *
 * Block j post-dominates block b when every path from b to the function's end passes j. The nearest
 * such j is the convergence point of b: lanes that part after b are sure to meet there again. The
 * algorithm is Cooper, Harvey and Kennedy's "A Simple, Fast Dominance Algorithm" (2001), run
 * backwards.
 */
#include "machine_internal.h"
#include "opcode.h"

#include <stdlib.h>

enum { NOT_YET = UINT32_MAX };
/* How many branches in a row, without other ops, are followed to the function's end. */
enum { MOST_HOPS = 8 };

struct flow {
    uint32_t count; /* basic blocks; number count stands for the function's end */
    const uint32_t *start, *list;
    uint32_t *before_start, *before; /* predecessors, as start and list */
    uint32_t *order, *rank;          /* reverse graph in postorder; rank is its inverse */
    uint32_t ordered;
    uint32_t *join;
};

static uint32_t node_of(const struct flow *flow, uint32_t block)
{
    return block == EXIT_BLOCK ? flow->count : block;
}

static void find_predecessors(struct flow *flow)
{
    for (uint32_t b = 0; b < flow->count; b++)
        for (uint32_t i = flow->start[b]; i < flow->start[b + 1]; i++)
            flow->before_start[node_of(flow, flow->list[i]) + 1]++;
    for (uint32_t b = 0; b <= flow->count; b++)
        flow->before_start[b + 1] += flow->before_start[b];
    uint32_t *next = flow->rank; /* not needed yet */
    for (uint32_t b = 0; b <= flow->count; b++)
        next[b] = flow->before_start[b];
    for (uint32_t b = 0; b < flow->count; b++)
        for (uint32_t i = flow->start[b]; i < flow->start[b + 1]; i++)
            flow->before[next[node_of(flow, flow->list[i])]++] = b;
}

/* Postorder of the reverse graph from the function's end, without recursion. */
static void find_order(struct flow *flow, uint32_t *stack, uint32_t *position)
{
    uint32_t depth = 0;
    for (uint32_t b = 0; b <= flow->count; b++) {
        flow->rank[b] = NOT_YET;
        position[b] = NOT_YET;
    }
    stack[depth++] = flow->count;
    position[flow->count] = flow->before_start[flow->count];
    while (depth) {
        uint32_t node = stack[depth - 1];
        if (position[node] < flow->before_start[node + 1]) {
            uint32_t next = flow->before[position[node]++];
            if (position[next] == NOT_YET) {
                position[next] = flow->before_start[next];
                stack[depth++] = next;
            }
        } else {
            flow->rank[node] = flow->ordered;
            flow->order[flow->ordered++] = node;
            depth--;
        }
    }
}

/* The nearest block that post-dominates both. */
static uint32_t meet(const struct flow *flow, uint32_t a, uint32_t b)
{
    while (a != b) {
        while (flow->rank[a] < flow->rank[b])
            a = flow->join[a];
        while (flow->rank[b] < flow->rank[a])
            b = flow->join[b];
    }
    return a;
}

static void settle_joins(struct flow *flow)
{
    for (uint32_t b = 0; b <= flow->count; b++)
        flow->join[b] = NOT_YET;
    flow->join[flow->count] = flow->count;
    for (bool changed = true; changed;) {
        changed = false;
        for (uint32_t i = flow->ordered - 1; i-- > 0;) {
            uint32_t node = flow->order[i], join = NOT_YET;
            for (uint32_t s = flow->start[node]; s < flow->start[node + 1]; s++) {
                uint32_t successor = node_of(flow, flow->list[s]);
                if (flow->rank[successor] != NOT_YET && flow->join[successor] != NOT_YET)
                    join = join == NOT_YET ? successor : meet(flow, join, successor);
            }
            if (join != flow->join[node]) {
                flow->join[node] = join;
                changed = true;
            }
        }
    }
}

bool flow_find_joins(struct function *function)
{
    uint32_t count = function->block_count, edges = function->successor_start[count];
    struct flow flow = {
        .count = count, .start = function->successor_start, .list = function->successors};
    uint32_t *memory = calloc((size_t)(count + 2) * 6 + edges, sizeof *memory);
    if (!memory)
        return false;
    flow.before_start = memory;
    flow.order = memory + (count + 2);
    flow.rank = memory + 2 * (count + 2);
    flow.join = memory + 3 * (count + 2);
    flow.before = memory + 6 * (count + 2);
    find_predecessors(&flow);
    find_order(&flow, memory + 4 * (count + 2), memory + 5 * (count + 2));
    settle_joins(&flow);
    for (uint32_t b = 0; b < count; b++) {
        uint32_t join = flow.join[b];
        function->blocks[b].join = join == NOT_YET || join == count ? EXIT_BLOCK : join;
    }
    free(memory);
    return true;
}

static bool may_have_barrier(const struct function *function, const struct basic_block *block)
{
    for (uint32_t i = 0; i < block->count; i++) {
        const struct op *op = &function->ops[block->first + i];
        if (op->row->class == SIM_OP_BARRIER || op_calls(op))
            return true;
    }
    return false;
}

bool flow_find_barriers(struct function *function)
{
    bool *comes = arena_alloc(&function->module->arena, function->block_count + 1);
    if (!comes)
        return false;
    function->comes_to_barrier = comes;
    for (uint32_t b = 0; b < function->block_count; b++)
        comes[b] = may_have_barrier(function, &function->blocks[b]);
    for (bool changed = true; changed;) {
        changed = false;
        for (uint32_t b = function->block_count; b-- > 0;) {
            const uint32_t *next = flow_successors(function, b);
            for (uint32_t s = 0; s < flow_successor_count(function, b) && !comes[b]; s++)
                if (next[s] != EXIT_BLOCK && comes[next[s]])
                    changed = comes[b] = true;
        }
    }
    return true;
}

bool flow_only_ends(const struct function *function, uint32_t block)
{
    for (uint32_t hops = 0; block != EXIT_BLOCK && hops < MOST_HOPS; hops++) {
        const struct basic_block *at = &function->blocks[block];
        const struct op *op = &function->ops[at->first];
        if (at->count != 1 || op->guard != NO_REGISTER)
            return false;
        if (op->row->flags & OP_ENDS)
            return true;
        if (op->run != bra)
            return false;
        block = op->target;
    }
    return block == EXIT_BLOCK;
}
