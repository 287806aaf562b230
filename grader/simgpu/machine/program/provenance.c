/* provenance.c - goes back from an access to the pointers that its address was computed from,
 * through the instructions of the kernel, in no particular order: everything that may have been
 * added counts.
 *
 * An address by itself does not say which buffer it was meant for. A 32-bit index that overflows
 * leads 2^33 bytes away from its buffer, and what lies there may have been freed long ago by
 * another part of the program. So a stray access is described by the buffers that the kernel was
 * given; pointers that come from memory, or through a call, are not followed.
 */
#include "provenance.h"

#include "machine_internal.h"
#include "opcode.h"

#include <stdlib.h>
#include <string.h>

struct search {
    const struct warp *warp;
    const struct ptx_function *syntax;
    bool *wanted;       /* by register: may its value be part of the address? */
    bool writes_wanted; /* the instruction in question does */
    bool grown;
    struct provenance found;
    uint32_t pointers;
};

static unsigned bits_of(const struct search *search, uint32_t reg)
{
    enum ptx_type type = search->syntax->registers[reg];
    return ptx_type_class(type) == 'P' ? 0 : ptx_type_bits(type);
}

static void want(struct search *search, uint32_t reg)
{
    if (bits_of(search, reg) == 0 || search->wanted[reg]) /* a predicate adds nothing */
        return;
    search->wanted[reg] = search->grown = true;
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

/* An argument of the kernel is part of the address: is it a pointer? */
static void note_argument(struct search *search, uint64_t value)
{
    struct sim_context *context = block_launch(search->warp)->context;
    const struct allocation *allocation = memory_find(context, value);
    search->found.was_freed |= !allocation && memory_was_freed(context, value);
    if (!allocation || (search->pointers && search->found.of == allocation))
        return;
    search->found.of = search->pointers++ ? NULL : allocation;
}

static void note_arguments(struct search *search, const struct op *op)
{
    const unsigned char *from = block_launch(search->warp)->parameters + op->offset;
    for (uint32_t i = 0; op->bytes == 8 && i < op->count; i++) {
        uint64_t value;
        memcpy(&value, from + (size_t)8 * i, sizeof value);
        note_argument(search, value);
    }
}

/* Does a 64-bit value come from anywhere but registers? A pointer in two halves would be a vector
 * that is moved. */
static bool comes_from_elsewhere(const struct op *op, const struct ptx_instruction *instruction)
{
    bool of_vector = strcmp(instruction->name, "mov") == 0 && instruction->operand_count == 2 &&
                     instruction->operands[1].kind == PTX_OPERAND_VECTOR && op->dst_bytes == 8;
    return op->row->flags & OP_ELSEWHERE || of_vector;
}

static void go_through(struct search *search, const struct op *op,
                       const struct ptx_instruction *instruction)
{
    search->writes_wanted = false;
    opcode_visit_registers(op->row, instruction, note_written, search);
    if (!search->writes_wanted)
        return;
    if (op->run == load_param && op->kind == 0)
        return; /* it is looked at in the end */
    if (!comes_from_elsewhere(op, instruction))
        opcode_visit_registers(op->row, instruction, want_read, search);
    else if (op->dst_bytes == 8 || op->bytes == 8)
        search->found.is_known = false; /* an index of 32 bits is no pointer */
}

static void want_address(struct search *search, const struct ptx_operand *operand)
{
    for (uint32_t i = 0; operand->kind == PTX_OPERAND_ADDRESS && i < operand->count; i++)
        if (operand->list[i].kind == PTX_OPERAND_REGISTER)
            want(search, operand->list[i].index);
}

/* All instructions, again and again, until nothing more is wanted. */
static void find_all(struct search *search, const struct function *function)
{
    while (search->grown) {
        search->grown = false;
        for (uint32_t i = 0; i < function->op_count; i++)
            go_through(search, &function->ops[i], &search->syntax->instructions[i]);
    }
    for (uint32_t i = 0; i < function->op_count; i++) {
        const struct op *op = &function->ops[i];
        if (op->run != load_param || op->kind != 0)
            continue;
        search->writes_wanted = false;
        opcode_visit_registers(op->row, &search->syntax->instructions[i], note_written, search);
        if (search->writes_wanted)
            note_arguments(search, op);
    }
}

struct provenance provenance_of(const struct warp *warp, const struct op *op)
{
    const struct function *function = warp->split->function;
    struct search search = {.warp = warp, .found.is_known = function->is_kernel};
    search.syntax = &function->module->syntax->functions[function->index];
    search.wanted = calloc(search.syntax->register_count + 1, sizeof *search.wanted);
    bool is_own = op >= function->ops && op < function->ops + function->op_count;
    if (!search.wanted || !is_own || !function->is_kernel) {
        free(search.wanted);
        return (struct provenance){.is_known = false};
    }
    const struct ptx_instruction *instruction = &search.syntax->instructions[op - function->ops];
    for (unsigned i = 0; i < instruction->operand_count; i++)
        want_address(&search, &instruction->operands[i]);
    find_all(&search, function);
    free(search.wanted);
    search.found.is_known &= search.pointers > 0 || search.found.was_freed;
    return search.found;
}
