/* wide_stores.c - finds stores to shared memory that are one store in the machine code. */
#include "wide_stores.h"
#include "opcode.h"

#include <stdlib.h>
#include <string.h>

enum { WORD = 4, MOST_CARRIED = 3 };

/* STS, with its address in a register of each lane or in one of the warp. */
static bool is_machine_store(uint64_t low)
{
    unsigned opcode = low & 0xFFF;
    return opcode == 0x388 || opcode == 0x988;
}

/* Bytes a lane: bits 73-75 count from U8, S8, U16, S16 to 32, 64 and 128 bits. */
static uint8_t width_of(uint64_t high)
{
    unsigned size = high >> 9 & 7;
    return (uint8_t)(size < 4 ? 1 << size / 2 : 4 << (size - 4));
}

/* By op: bytes a lane of its machine store, the narrowest if it has several; 0: none. */
static uint8_t *read_widths(const struct machine_code *code)
{
    uint8_t *widths = calloc(code->function->op_count + 1, sizeof *widths);
    for (uint64_t at = 0; widths && at + INSTRUCTION_BYTES <= code->size_bytes;
         at += INSTRUCTION_BYTES) {
        uint64_t low = machine_code_low(code, at);
        uint32_t op = is_machine_store(low) ? machine_code_op(code, at) : NO_OP;
        uint8_t width = width_of(machine_code_high(code, at));
        if (op != NO_OP && (widths[op] == 0 || width < widths[op]))
            widths[op] = width;
    }
    return widths;
}

/* --- Which store carries which ---------------------------------------------------------------- */

struct stores {
    const struct module *module;
    struct op *ops;
    const struct ptx_instruction *syntax;
    const uint8_t *widths;
    uint32_t first; /* op of the basic block */
};

static bool is_store(const struct stores *stores, uint32_t index)
{
    return stores->ops[index].space == SPACE_SHARED &&
           strcmp(stores->syntax[index].name, "st") == 0;
}

static uint32_t bytes_of(const struct op *op)
{
    return op->bytes * (op->count > 1 ? op->count : 1U);
}

/* The register or variable that an address starts from; NULL if it is a number alone. */
static const struct ptx_operand *base_of(const struct stores *stores, uint32_t index)
{
    const struct ptx_operand *address = &stores->syntax[index].operands[0];
    return address->count ? &address->list[0] : NULL;
}

/* A variable whose address is known: it may be a neighbour of others. */
static bool is_placed(const struct stores *stores, const struct ptx_operand *base)
{
    return base->kind == PTX_OPERAND_VARIABLE &&
           !stores->module->syntax->variables[base->index].unsized;
}

static bool same_base(const struct stores *stores, uint32_t one, uint32_t other)
{
    const struct ptx_operand *a = base_of(stores, one), *b = base_of(stores, other);
    return a && b && a->kind == b->kind &&
           (a->index == b->index || (is_placed(stores, a) && is_placed(stores, b)));
}

/* From the register, or from the start of shared memory. */
static int64_t offset_of(const struct stores *stores, uint32_t index)
{
    const struct ptx_operand *base = base_of(stores, index);
    int64_t offset = stores->ops[index].offset;
    if (base && base->kind == PTX_OPERAND_VARIABLE)
        offset += (int64_t)(stores->module->variable_address[base->index] + base->value);
    return offset;
}

/* Could the two be one, apart from where they store? */
static bool go_together(const struct stores *stores, uint32_t one, uint32_t other)
{
    const struct op *a = &stores->ops[one], *b = &stores->ops[other];
    return bytes_of(a) == bytes_of(b) && a->guard == b->guard &&
           a->guard_negated == b->guard_negated && same_base(stores, one, other);
}

/* The store before the wide one, at that offset, that has no instruction; or NO_OP. */
static uint32_t find_carried(const struct stores *stores, uint32_t wide, int64_t offset)
{
    for (uint32_t i = wide; i-- > stores->first;) {
        const struct op *op = &stores->ops[i];
        if (op->dst == stores->ops[wide].src[0])
            return NO_OP; /* the address was another one */
        if (is_store(stores, i) && stores->widths[i] == 0 && op->loaded == 0 &&
            offset_of(stores, i) == offset && go_together(stores, i, wide))
            return i;
    }
    return NO_OP;
}

/* The stores at all places from offset start on but for the wide one's own: how many; 0 if one of
 * them is absent. */
static uint32_t find_all(const struct stores *stores, uint32_t wide, int64_t start,
                         uint32_t *carried)
{
    int64_t own = bytes_of(&stores->ops[wide]), end = start + stores->widths[wide];
    uint32_t count = 0;
    for (int64_t offset = start; offset < end; offset += own) {
        if (offset == offset_of(stores, wide))
            continue;
        carried[count] = find_carried(stores, wide, offset);
        if (carried[count++] == NO_OP)
            return 0;
    }
    return count;
}

static void mark_wide(const struct stores *stores, uint32_t wide)
{
    struct op *op = &stores->ops[wide];
    uint32_t own = bytes_of(op), width = stores->widths[wide];
    uint32_t carried[MOST_CARRIED], count = 0;
    int64_t offset = offset_of(stores, wide);
    if (own < WORD || width <= own)
        return;
    for (int64_t start = offset + own - width; !count && start <= offset; start += own)
        count = find_all(stores, wide, start, carried);
    for (uint32_t i = 0; i < count; i++)
        stores->ops[carried[i]].loaded = STORE_CARRIED;
    if (count)
        op->loaded = (uint8_t)width;
}

void wide_stores_find(const struct machine_code *code)
{
    const struct function *function = code->function;
    uint8_t *widths = code->table.count ? read_widths(code) : NULL;
    struct stores stores = {.module = code->module,
                            .ops = function->ops,
                            .syntax = code->module->syntax->functions[function->index].instructions,
                            .widths = widths};
    for (uint32_t b = 0; widths && b < function->block_count; b++) {
        const struct basic_block *block = &function->blocks[b];
        stores.first = block->first;
        for (uint32_t i = block->first; i < block->first + block->count; i++)
            if (is_store(&stores, i))
                mark_wide(&stores, i);
    }
    free(widths);
}
