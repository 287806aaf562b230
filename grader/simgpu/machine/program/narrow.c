/* narrow.c - a vector load of which some elements are never used: ptxas loads the others only.
 *
 * float4 v = *row; y[i] = v.x + v.w; is one ld.v4 in PTX and two loads of a word on the device.
 * That touches other sectors and banks than four words would, so observers that count are told of
 * the loads that the device makes. Observers that check are told of the whole vector: the program
 * asks for it, it must lie in its allocation and be aligned, and a program cannot rely on ptxas to
 * load less.
 *
 * What ptxas 13.0 does, for sm_80 and sm_90 alike, of elements of 2 bytes or more. Found by
 * compiling a kernel for each set of used elements of v2 and v4 (u16, b16, f32, u64, f64; in
 * shared, global, local and generic memory, .nc, .ca, .cg, .cs, .relaxed, .acquire) and reading the
 * machine code:
 *
 *     one element                     a load of that element
 *     the first two, the last two     a load of half the vector
 *     two others, of 4 bytes          two loads of an element
 *     two others, of 2 bytes          the whole vector
 *     more, or .volatile              the whole vector
 *
 * An element counts as used when its register is read anywhere in the function. nvcc gives nearly
 * every value a register of its own, so too many elements are rarely counted, and never too few.
 * Next: access_narrow.c, which tells of such loads.
 */
#include "decode_internal.h"
#include "opcode.h"

#include <string.h>

static bool is_volatile(const struct ptx_instruction *instruction)
{
    for (unsigned i = 0; i < instruction->modifier_count; i++)
        if (strcmp(instruction->modifiers[i], "volatile") == 0 ||
            strcmp(instruction->modifiers[i], "mmio") == 0)
            return true;
    return false;
}

/* A bit for each element whose register is read. */
static unsigned used_elements(const struct decoder *decoder, const struct ptx_operand *vector)
{
    unsigned used = 0;
    for (uint32_t i = 0; i < vector->count; i++)
        if (vector->list[i].kind == PTX_OPERAND_REGISTER && decoder->is_read[vector->list[i].index])
            used |= 1U << i;
    return used;
}

/* The rule above; 0 where the vector stays whole. */
static uint8_t elements_loaded(unsigned used, uint32_t count, uint32_t bytes)
{
    enum { FIRST_HALF = 0x3, LAST_HALF = 0xC };
    bool one = __builtin_popcount(used) == 1, two = __builtin_popcount(used) == 2;
    bool half = used == FIRST_HALF || used == LAST_HALF;
    if (bytes < 2 || (count != 2 && count != 4))
        return 0;
    return one || (count == 4 && two && (half || bytes == 4)) ? (uint8_t)used : 0;
}

void narrow_loads(struct decoder *decoder)
{
    for (uint32_t i = 0; i < decoder->function->op_count; i++) {
        struct op *op = &decoder->function->ops[i];
        const struct ptx_instruction *instruction = &decoder->syntax->instructions[i];
        if (op->run == load && instruction->operands[0].kind == PTX_OPERAND_VECTOR &&
            !is_volatile(instruction))
            op->loaded = elements_loaded(used_elements(decoder, &instruction->operands[0]),
                                         op->count, op->bytes);
    }
}
