/* unroll.c - what ptxas does to branches and to short loops.
 *
 * A branch over a few instructions disappears: they are predicated. Other branches that lanes may
 * disagree on are enclosed by a BSSY and a BSYNC. And a loop that is one short basic block runs
 * four turns at once, so that the loads of all four are in flight together; only one of the four
 * tests and counts.
 */
#include "opcode.h"
#include "schedule_internal.h"

#include <stdlib.h>
#include <string.h>

/* Measured on the machine code of the bank: the longest skip that was predicated, and the longest
 * loop that was unrolled, in machine instructions. Where the machine code tells what was
 * predicated, longer ones may be. */
enum { MOST_PREDICATED = 6, MOST_UNROLLED = 36, MOST_KNOWN = 64 };

/* --- Branches --------------------------------------------------------------------------------- */

static const struct op *last_op(const struct builder *builder, uint32_t block)
{
    const struct basic_block *basic = &builder->function->blocks[block];
    return &builder->function->ops[basic->first + basic->count - 1];
}

static struct op_cost *branch_cost(const struct builder *builder, uint32_t block)
{
    const struct timed_block *timed = &builder->schedule->blocks[block];
    return &builder->schedule->ops[timed->first + timed->count - 1].cost;
}

static bool ends_in_branch(const struct builder *builder, uint32_t block)
{
    return builder->schedule->blocks[block].count && last_op(builder, block)->run == bra;
}

/* Has ptxas kept the branch at the end of a block? The machine code tells, where there is one. */
static bool is_kept(const struct builder *builder, uint32_t block)
{
    const struct basic_block *basic = &builder->function->blocks[block];
    const bool *leaps = builder->function->leaps;
    return leaps && leaps[basic->first + basic->count - 1];
}

/* Could its ops run with a predicate? leave: without its branch. */
static bool is_small(const struct builder *builder, uint32_t block, uint32_t leave)
{
    unsigned most = builder->function->leaps ? MOST_KNOWN : MOST_PREDICATED;
    const struct timed_block *timed = &builder->schedule->blocks[block];
    unsigned issues = 0;
    for (uint32_t i = 0; i + leave < timed->count; i++) {
        const struct op_cost *cost = &builder->schedule->ops[timed->first + i].cost;
        if (cost->kind != COST_ARITHMETIC && cost->kind != COST_MEMORY)
            return false;
        issues += cost_issues(cost);
    }
    return issues <= most;
}

static bool only_leaves(const struct builder *builder, uint32_t block)
{
    const struct timed_block *timed = &builder->schedule->blocks[block];
    return timed->count == 1 && branch_cost(builder, block)->kind == COST_BRANCH &&
           !ends_in_branch(builder, block);
}

static void make_predicated(struct builder *builder, uint32_t block)
{
    *branch_cost(builder, block) = (struct op_cost){.kind = COST_ARITHMETIC};
    builder->schedule->blocks[block].predicated = true;
}

/* Does the block after this one only go back to a loop's start? ptxas turns the two branches, out
 * of the loop and back, into the one back (pair_two_kinds_before). */
static bool closes_loop(const struct builder *builder, uint32_t block)
{
    uint32_t back = block + 1;
    return back < builder->function->block_count && builder->schedule->blocks[back].count == 1 &&
           ends_in_branch(builder, back) && last_op(builder, back)->guard == NO_REGISTER &&
           last_op(builder, back)->target <= block;
}

static void classify(struct builder *builder, uint32_t block)
{
    const struct op *branch = last_op(builder, block);
    uint32_t target = branch->target, count = builder->function->block_count;
    if (branch->guard == NO_REGISTER || target <= block || target >= count)
        return;
    if (closes_loop(builder, block)) {
        *branch_cost(builder, block + 1) = (struct op_cost){.kind = COST_ARITHMETIC};
    } else if (is_kept(builder, block)) {
        if (!only_leaves(builder, target))
            branch_cost(builder, block)->extra = 2;
    } else if (target == block + 2 && is_small(builder, block + 1, 0)) {
        make_predicated(builder, block);
    } else if (target == block + 2 && ends_in_branch(builder, block + 1) &&
               last_op(builder, block + 1)->guard == NO_REGISTER &&
               last_op(builder, block + 1)->target == block + 3 &&
               is_small(builder, block + 1, 1) && is_small(builder, target, 0)) {
        make_predicated(builder, block);
        make_predicated(builder, block + 1);
    } else if (!only_leaves(builder, target)) {
        branch_cost(builder, block)->extra = 2;
    }
}

void classify_branches(struct builder *builder)
{
    for (uint32_t b = 0; b < builder->function->block_count; b++) {
        struct timed_block *timed = &builder->schedule->blocks[b];
        for (uint32_t i = timed->first; i < timed->first + timed->count; i++)
            timed->issues += (uint16_t)cost_issues(&builder->schedule->ops[i].cost);
        if (ends_in_branch(builder, b))
            classify(builder, b);
        else if (builder->schedule->blocks[b].count && last_op(builder, b)->run == brx)
            branch_cost(builder, b)->extra = 1;
    }
}

/* --- Loops ------------------------------------------------------------------------------------ */

static bool is_atomic(const struct builder *builder, uint32_t index)
{
    return builder->function->ops[index].row->flags & OP_ATOMIC;
}

/* i = i + 4: in the turns before the last a constant that its readers add. */
static bool is_counting(const struct builder *builder, uint32_t index)
{
    const struct ptx_instruction *instruction = &builder->syntax->instructions[index];
    return (strcmp(instruction->name, "add") == 0 || strcmp(instruction->name, "sub") == 0) &&
           instruction->operand_count == 3 &&
           instruction->operands[0].kind == PTX_OPERAND_REGISTER &&
           instruction->operands[1].kind == PTX_OPERAND_REGISTER &&
           instruction->operands[0].index == instruction->operands[1].index &&
           instruction->operands[2].kind != PTX_OPERAND_REGISTER;
}

static bool is_test(const struct builder *builder, uint32_t index)
{
    return builder->function->ops[index].row->flags & OP_COMPARES;
}

/* Is the branch's condition a comparison of something that the loop counts? */
static bool counts(const struct builder *builder, uint32_t block)
{
    const struct basic_block *basic = &builder->function->blocks[block];
    const struct ptx_instruction *syntax = builder->syntax->instructions;
    uint32_t branch = basic->first + basic->count - 1;
    for (uint32_t test = basic->first; test < branch; test++) {
        if (!is_test(builder, test) || syntax[test].operands[0].index != syntax[branch].guard)
            continue;
        for (uint32_t i = basic->first; i < branch; i++)
            if (is_counting(builder, i) &&
                syntax[test].operands[1].index == syntax[i].operands[0].index)
                return true;
    }
    return false;
}

/* Does the machine code have an access of the block just once? Then the block runs a turn at a
 * time; ptxas leaves alone what nvcc has already unrolled (squares_by_thread_4096x4096). */
static bool stands_once(const struct builder *builder, uint32_t block)
{
    const struct timed_block *timed = &builder->schedule->blocks[block];
    const uint32_t *places = builder->function->places;
    for (uint32_t i = timed->first; places && i < timed->first + timed->count; i++)
        if (builder->schedule->ops[i].cost.kind == COST_MEMORY && places[i] > 0 &&
            places[i] != SEVERAL_PLACES)
            return true;
    return false;
}

static bool is_unrolled(const struct builder *builder, uint32_t block)
{
    const struct timed_block *timed = &builder->schedule->blocks[block];
    if (!ends_in_branch(builder, block) || last_op(builder, block)->target != block ||
        builder->syntax->instructions[timed->first].not_unrolled || !counts(builder, block) ||
        stands_once(builder, block))
        return false;
    unsigned issues = 0;
    for (uint32_t i = 0; i + 1 < timed->count; i++) {
        const struct op *op = &builder->function->ops[timed->first + i];
        const struct op_cost *cost = &builder->schedule->ops[timed->first + i].cost;
        if ((cost->kind != COST_ARITHMETIC && cost->kind != COST_MEMORY) || cost->xu ||
            cost->tensor_cycles > 0 || (cost->kind == COST_MEMORY && op->space == SPACE_CONST) ||
            is_atomic(builder, timed->first + i))
            return false;
        issues += cost_issues(cost);
    }
    return issues <= MOST_UNROLLED;
}

/* Each turn but the last writes registers of its own; the last writes those of the loop, for the
 * next round. */
struct renaming {
    uint32_t *name; /* by register: the latest name */
    uint32_t next;  /* the first unused number */
};

static bool copy_op(struct builder *builder, struct timed_op *copy, const struct timed_op *from,
                    struct renaming *renaming, bool last)
{
    const uint32_t *registers = builder->schedule->registers + from->registers;
    struct used used = {.read_count = from->reads, .write_count = from->writes};
    *copy = *from;
    for (uint32_t i = 0; i < used.read_count; i++)
        used.reads[i] = renaming->name[registers[i]];
    for (uint32_t i = 0; i < used.write_count; i++) {
        uint32_t own = registers[from->reads + i];
        used.writes[i] = renaming->name[own] = last ? own : renaming->next++;
    }
    return keep_registers(builder, copy, &used);
}

static bool unroll(struct builder *builder, uint32_t block, struct renaming *renaming,
                   uint32_t *ops)
{
    struct schedule *schedule = builder->schedule;
    const struct timed_block *from = &schedule->blocks[block];
    struct timed_block *to = &schedule->unrolled[block];
    *to = (struct timed_block){.first = *ops, .accesses = (uint16_t)(UNROLL * from->accesses)};
    for (uint32_t turn = 0; turn < UNROLL; turn++)
        for (uint32_t i = 0; i < from->count; i++) {
            struct timed_op *copy = &schedule->ops[(*ops)++];
            uint32_t index = from->first + i;
            bool last = turn == UNROLL - 1, branches = i == from->count - 1;
            if (!copy_op(builder, copy, &schedule->ops[index], renaming, last))
                return false;
            if (copy->memory != NO_MEMORY)
                copy->memory += (uint16_t)(turn * from->accesses);
            if (turn > 0)
                copy->spill_count = 0; /* the machine code has them for all turns together */
            if (!last && (branches || is_counting(builder, index) || is_test(builder, index)))
                copy->cost = (struct op_cost){.kind = COST_ARITHMETIC};
        }
    to->count = *ops - to->first;
    return true;
}

static uint32_t unrolled_ops(const struct builder *builder)
{
    uint32_t ops = 0;
    for (uint32_t b = 0; b < builder->function->block_count; b++)
        if (is_unrolled(builder, b))
            ops += UNROLL * builder->schedule->blocks[b].count;
    return ops;
}

bool unroll_loops(struct builder *builder, uint32_t *ops)
{
    struct schedule *schedule = builder->schedule;
    uint32_t more = unrolled_ops(builder), own = schedule->register_count;
    if (more == 0)
        return true;
    struct timed_op *grown = realloc(schedule->ops, (*ops + more + 1) * sizeof *grown);
    struct renaming renaming = {.name = malloc(own * sizeof *renaming.name), .next = own};
    if (grown)
        schedule->ops = grown;
    bool ok = grown && renaming.name;
    for (uint32_t b = 0; ok && b < builder->function->block_count; b++) {
        if (!is_unrolled(builder, b))
            continue;
        for (uint32_t i = 0; i < own; i++)
            renaming.name[i] = i;
        ok = unroll(builder, b, &renaming, ops);
    }
    schedule->register_count = renaming.next;
    free(renaming.name);
    return ok;
}
