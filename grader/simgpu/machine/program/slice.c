/* slice.c - see slice.h: back from stores to what their addresses are made of, and to the branches
 * that decide whether a thread comes to them.
 *
 * A branch matters if one of the instructions lies between it and the place where its paths meet
 * again. All is gone through in no particular order until nothing more is wanted. nvcc gives each
 * intermediate result a register of its own, so hardly anything is wanted by mistake.
 */
#include "slice.h"
#include "machine_internal.h"
#include "opcode.h"

#include <stdlib.h>
#include <string.h>

struct search {
    const struct function *function;
    const bool *from; /* by op: where it begins; NULL: at the stores */
    const struct ptx_function *syntax;
    bool *wanted;    /* by register, and then of the carry */
    bool *slice;     /* by op */
    bool *has_some;  /* by basic block: is any of its ops one of them? */
    bool *was_met;   /* by basic block, on the way from a branch */
    uint32_t *to_do; /* basic blocks */
    bool writes_wanted, grown;
};

static void want(struct search *search, uint32_t reg)
{
    search->grown |= !search->wanted[reg];
    search->wanted[reg] = true;
}

static void want_read(void *owner, uint32_t reg, bool is_written)
{
    if (!is_written)
        want(owner, reg);
}

static void note_written(void *owner, uint32_t reg, bool is_written)
{
    struct search *search = owner;
    search->writes_wanted |= is_written && search->wanted[reg];
}

/* The registers of an address, but not of what is stored there. */
static void want_address(struct search *search, const struct ptx_operand *operand)
{
    for (uint32_t i = 0; operand->kind == PTX_OPERAND_ADDRESS && i < operand->count; i++)
        if (operand->list[i].kind == PTX_OPERAND_REGISTER)
            want(search, operand->list[i].index);
}

static void take(struct search *search, uint32_t block, uint32_t i)
{
    const struct ptx_instruction *instruction = &search->syntax->instructions[i];
    search->grown |= !search->slice[i];
    search->slice[i] = search->has_some[block] = true;
    if (instruction->guarded)
        want(search, instruction->guard);
}

/* --- Stores ----------------------------------------------------------------------------------- */

static bool may_store(const struct op *op)
{
    return op->row->class == SIM_OP_GLOBAL && op->run == store && op->space != SPACE_SHARED &&
           op->space != SPACE_LOCAL;
}

static void take_store(struct search *search, uint32_t block, uint32_t i)
{
    const struct ptx_instruction *instruction = &search->syntax->instructions[i];
    take(search, block, i);
    for (unsigned j = 0; j < instruction->operand_count; j++)
        want_address(search, &instruction->operands[j]);
}

static void take_with_operands(struct search *search, uint32_t block, uint32_t i)
{
    const struct op *op = &search->function->ops[i];
    take(search, block, i);
    opcode_visit_registers(op->row, &search->syntax->instructions[i], want_read, search);
    if (op->row->flags & OP_TAKES_CARRY)
        want(search, (uint32_t)search->syntax->register_count);
}

static void begin_at(struct search *search, uint32_t block, uint32_t i)
{
    bool stores = may_store(&search->function->ops[i]);
    if (stores && (!search->from || search->from[i]))
        take_store(search, block, i);
    else if (search->from && search->from[i])
        take_with_operands(search, block, i);
}

/* --- Branches --------------------------------------------------------------------------------- */

/* Is any of them between the block and the place where the paths from it meet again? */
static bool decides(struct search *search, uint32_t block)
{
    const struct function *function = search->function;
    uint32_t count = 1, join = function->blocks[block].join;
    bool found = false;
    memset(search->was_met, 0, function->block_count * sizeof *search->was_met);
    search->to_do[0] = block;
    while (count && !found) {
        uint32_t from = search->to_do[--count];
        const uint32_t *next = flow_successors(function, from);
        for (uint32_t i = 0; i < flow_successor_count(function, from); i++) {
            if (next[i] == join || next[i] == EXIT_BLOCK || search->was_met[next[i]])
                continue;
            search->was_met[next[i]] = true;
            found |= search->has_some[next[i]];
            search->to_do[count++] = next[i];
        }
    }
    return found;
}

static void look_at_end(struct search *search, uint32_t block)
{
    const struct basic_block *it = &search->function->blocks[block];
    uint32_t last = it->first + it->count - 1;
    if (flow_successor_count(search->function, block) < 2 || search->slice[last] ||
        !decides(search, block))
        return;
    take_with_operands(search, block, last);
}

/* --- What they are made of -------------------------------------------------------------------- */

static void look_at(struct search *search, uint32_t block, uint32_t i)
{
    const struct op *op = &search->function->ops[i];
    const struct ptx_instruction *instruction = &search->syntax->instructions[i];
    uint32_t carry = (uint32_t)search->syntax->register_count;
    search->writes_wanted =
        op->row->flags & (OP_TAKES_CARRY | OP_LEAVES_CARRY) && search->wanted[carry];
    opcode_visit_registers(op->row, instruction, note_written, search);
    if (search->writes_wanted && !search->slice[i])
        take_with_operands(search, block, i);
}

static void look_at_block(struct search *search, uint32_t block, bool first)
{
    const struct basic_block *it = &search->function->blocks[block];
    for (uint32_t i = it->first + it->count; i-- > it->first;) {
        if (first)
            begin_at(search, block, i);
        look_at(search, block, i);
    }
    look_at_end(search, block);
}

static bool calls_others(const struct function *function)
{
    for (uint32_t i = 0; i < function->op_count; i++)
        if (op_calls(&function->ops[i]))
            return true;
    return false;
}

static bool has_memory(const struct search *search)
{
    return search->wanted && search->slice && search->has_some && search->was_met && search->to_do;
}

bool *slice_of_ops(const struct function *function, const bool *from)
{
    uint32_t blocks = function->block_count;
    struct search search = {.function = function, .from = from, .grown = true};
    search.syntax = &function->module->syntax->functions[function->index];
    if (calls_others(function))
        return NULL;
    search.wanted = calloc(search.syntax->register_count + 1, sizeof *search.wanted);
    search.slice = calloc(function->op_count + 1, sizeof *search.slice);
    search.has_some = calloc(blocks + 1, sizeof *search.has_some);
    search.was_met = calloc(blocks + 1, sizeof *search.was_met);
    search.to_do = malloc((blocks + 1) * sizeof *search.to_do);
    for (bool first = true; has_memory(&search) && search.grown; first = false) {
        search.grown = false;
        for (uint32_t block = blocks; block-- > 0;)
            look_at_block(&search, block, first);
    }
    if (!has_memory(&search)) {
        free(search.slice);
        search.slice = NULL;
    }
    free(search.wanted);
    free(search.has_some);
    free(search.was_met);
    free(search.to_do);
    return search.slice;
}

bool *slice_of(const struct function *function)
{
    return slice_of_ops(function, NULL);
}
