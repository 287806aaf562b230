/* fuse.c - finds ops of which ptxas makes one machine instruction.
 *
 * It also finds what several share: the reciprocal of a divisor.
 *
 * Fused are a multiplication and the addition after it, a shift and an addition, two logic
 * operations; and loads of neighbouring words of shared memory, which become a vector load where
 * the address is aligned for one. Where ptxas proves an alignment, we go by the addresses observed:
 * trace.c notes them.
 */
#include "module_model.h"
#include "opcode.h"
#include "schedule_internal.h"

/* The op whose only purpose is to give register reg to the one op that reads it, or NOBODY. */
static uint32_t only_for_one(const struct builder *builder, uint32_t reg)
{
    uint32_t writer = builder->writer[reg];
    return writer < SEVERAL && builder->uses[reg] == 1 ? writer : NOBODY;
}

static void make_free(struct op_cost *cost)
{
    cost->fma = cost->imad = cost->alu = cost->either = 0;
    cost->latency_cycles = 0;
}

/* op index adds: a product that only it reads becomes a part of it (IMAD), a shift too (LEA). */
static void fuse_addition(struct builder *builder, uint32_t index)
{
    struct schedule *schedule = builder->schedule;
    struct timed_op *op = &schedule->ops[index];
    for (uint32_t i = 0; i < op->reads; i++) {
        uint32_t from = only_for_one(builder, schedule->registers[op->registers + i]);
        if (from == NOBODY)
            continue;
        struct op_cost *cost = &schedule->ops[from].cost;
        if (is_named(builder, from, "neg") && cost->either == 1) {
            make_free(cost); /* an addition takes its operands with either sign */
            continue;
        }
        if (is_named(builder, from, "mul") && cost->imad == 1) {
            op->cost = *cost;
            make_free(cost);
            return;
        }
        if (is_named(builder, from, "shl") && cost_issues(cost) > 0) {
            op->cost = (struct op_cost){.alu = (uint8_t)cost_issues(cost), .latency_cycles = 5};
            make_free(cost);
            return;
        }
    }
}

/* op index is a logic operation; three inputs go into one instruction (LOP3). */
static void fuse_logic(struct builder *builder, uint32_t index)
{
    struct schedule *schedule = builder->schedule;
    struct timed_op *op = &schedule->ops[index];
    for (uint32_t i = 0; i < op->reads; i++) {
        uint32_t from = only_for_one(builder, schedule->registers[op->registers + i]);
        if (from != NOBODY && is_named(builder, from, "not")) {
            make_free(&schedule->ops[from].cost); /* any input may be inverted */
            continue;
        }
        if (from == NOBODY || !is_named(builder, from, "and or xor") ||
            schedule->ops[from].cost.alu == 0 || schedule->ops[from].cost.xu)
            continue;
        make_free(&schedule->ops[from].cost);
        schedule->ops[from].cost.xu = 0;
        return;
    }
}

/* A sign extension before a 64-bit shift is a wide multiplication. */
static void fuse_shift(struct builder *builder, uint32_t index)
{
    struct schedule *schedule = builder->schedule;
    struct timed_op *op = &schedule->ops[index];
    for (uint32_t i = 0; i < op->reads; i++) {
        uint32_t from = only_for_one(builder, schedule->registers[op->registers + i]);
        if (from == NOBODY || !is_named(builder, from, "cvt") || op->cost.alu + op->cost.either < 2)
            continue;
        make_free(&schedule->ops[from].cost);
        op->cost = (struct op_cost){.imad = 1, .latency_cycles = 5};
        return;
    }
}

/* --- Divisions -------------------------------------------------------------------------------- */

/* The register that a division or remainder of 32 bits without sign divides by, or NOBODY. */
static uint32_t divisor(const struct builder *builder, uint32_t index)
{
    const struct ptx_instruction *it = &builder->syntax->instructions[index];
    bool divides = is_named(builder, index, "div rem") && it->type_count && it->types[0] == PTX_u32;
    bool by_register = it->operand_count == 3 && it->operands[2].kind == PTX_OPERAND_REGISTER;
    return divides && by_register ? it->operands[2].index : NOBODY;
}

/* Does a loop go around the op, but not around what writes the register? */
static bool is_invariant(const struct builder *builder, uint32_t index, uint32_t reg)
{
    const struct function *function = builder->function;
    uint32_t writer = builder->writer[reg];
    for (uint32_t b = 0; writer < SEVERAL && b < function->block_count; b++) {
        const struct basic_block *block = &function->blocks[b];
        uint32_t end = block->first + block->count;
        const struct op *branch = &function->ops[end - 1];
        if (!block->count || branch->run != bra || branch->target > b)
            continue;
        uint32_t start = function->blocks[branch->target].first;
        if (start <= index && index < end && (writer < start || writer >= end))
            return true;
    }
    return false;
}

/* The part of an unsigned division that depends on its divisor alone, a 32-bit reciprocal, is
 * computed by ptxas once: before the loop, or for the first of several divisions. What remains is a
 * product, a remainder and two corrections (the machine code of tail_of_one_block). Signed
 * divisions compute it each time (integer_division). */
static void share_reciprocal(struct builder *builder, const struct basic_block *block,
                             uint32_t index)
{
    uint32_t by = divisor(builder, index), earlier = block->first;
    if (by == NOBODY)
        return;
    while (earlier < index && divisor(builder, earlier) != by)
        earlier++;
    if (earlier == index && !is_invariant(builder, index, by))
        return;
    builder->schedule->ops[index].cost =
        (struct op_cost){.imad = 3, .alu = 5, .latency_cycles = 41};
}

static void share_reciprocals(struct builder *builder, const struct basic_block *block)
{
    for (uint32_t i = block->first; i < block->first + block->count; i++)
        share_reciprocal(builder, block, i);
}

/* --- Loads ------------------------------------------------------------------------------------ */

enum { WORD = 4 };

static const struct op *word_load(const struct builder *builder, uint32_t index)
{
    const struct op *op = &builder->function->ops[index];
    bool is_load = is_named(builder, index, "ld") && op->space == SPACE_SHARED &&
                   op->bytes == WORD && op->count <= 1 && op->guard == NO_REGISTER &&
                   builder->schedule->ops[index].cost.kind == COST_MEMORY;
    return is_load ? op : NULL;
}

/* The register that holds a load's address, or NOBODY. */
static uint32_t address_register(const struct builder *builder, uint32_t index)
{
    const struct ptx_operand *address = &builder->syntax->instructions[index].operands[1];
    bool is_register = address->count && address->list[0].kind == PTX_OPERAND_REGISTER;
    return is_register ? address->list[0].index : NOBODY;
}

static bool op_writes(const struct builder *builder, uint32_t index, uint32_t reg)
{
    const struct timed_op *op = &builder->schedule->ops[index];
    const uint32_t *writes = builder->schedule->registers + op->registers + op->reads;
    for (uint32_t i = 0; i < op->writes; i++)
        if (writes[i] == reg)
            return true;
    return false;
}

/* The load of the word at leader's address + offset, if nothing is stored before it; or NOBODY. */
static uint32_t find_neighbour(const struct builder *builder, uint32_t leader, uint32_t end,
                               int64_t offset)
{
    const struct op *first = &builder->function->ops[leader];
    uint32_t address = address_register(builder, leader);
    for (uint32_t i = leader + 1; i < end; i++) {
        const struct op *op = word_load(builder, i);
        enum cost_kind kind = builder->schedule->ops[i].cost.kind;
        if (op && address_register(builder, i) == address && op->src[0] == first->src[0] &&
            op->offset == first->offset + offset)
            return i;
        if (kind == COST_BARRIER || is_named(builder, i, "st") ||
            builder->function->ops[i].row->flags & OP_ATOMIC || op_writes(builder, i, address))
            return NOBODY;
    }
    return NOBODY;
}

/* The follower's word arrives with the leader's. */
static void follow(struct builder *builder, uint32_t leader, uint32_t follower)
{
    struct schedule *schedule = builder->schedule;
    const struct timed_op *first = &schedule->ops[leader];
    struct timed_op *op = &schedule->ops[follower];
    op->cost = (struct op_cost){.kind = COST_ARITHMETIC};
    for (uint32_t i = 0; i < op->reads; i++)
        schedule->registers[op->registers + i] =
            schedule->registers[first->registers + first->reads];
}

static bool merge(struct builder *builder, uint32_t leader, uint32_t end, uint32_t words)
{
    uint32_t followers[4];
    const struct module_model *model = module_model_of(builder->function->module);
    uint8_t seen = model ? model->seen[builder->function->ops[leader].id] : 0;
    if (!(seen & SEEN_LOADING) || (seen & SEEN_ADDRESS_BITS) % (words * WORD))
        return false;
    for (uint32_t i = 1; i < words; i++)
        if ((followers[i] = find_neighbour(builder, leader, end, (int64_t)i * WORD)) == NOBODY)
            return false;
    for (uint32_t i = 1; i < words; i++)
        follow(builder, leader, followers[i]);
    builder->schedule->ops[leader].merged_words = (uint8_t)words;
    return true;
}

static void merge_loads(struct builder *builder, const struct basic_block *block)
{
    uint32_t end = block->first + block->count;
    for (uint32_t i = block->first; i < end; i++)
        if (word_load(builder, i) && !merge(builder, i, end, 4))
            merge(builder, i, end, 2);
}

/* ---------------------------------------------------------------------------------------------- */

void fuse(struct builder *builder)
{
    for (uint32_t i = 0; i < builder->schedule->op_count; i++) {
        if (is_named(builder, i, "shl"))
            fuse_shift(builder, i);
        else if (is_named(builder, i, "and or xor not"))
            fuse_logic(builder, i);
    }
    for (uint32_t i = 0; i < builder->schedule->op_count; i++)
        if (is_named(builder, i, "add sub") && builder->schedule->ops[i].cost.fma == 0 &&
            builder->schedule->ops[i].cost.fp64 == 0)
            fuse_addition(builder, i);
    for (uint32_t b = 0; b < builder->function->block_count; b++) {
        share_reciprocals(builder, &builder->function->blocks[b]);
        merge_loads(builder, &builder->function->blocks[b]);
    }
}
