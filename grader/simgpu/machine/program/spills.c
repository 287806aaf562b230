/* spills.c - stores to and loads from the stack in a kernel's machine code.
 *
 * An instruction of Volta and later has 128 bits:
 *
 *     bits 0-11    opcode: 0x387 is STL, 0x983 LDL
 *     bits 24-31   the register that holds the address; the stack pointer is R1
 *     bits 40-63   an offset in bytes, signed
 *     bits 73-75   width: 4 is 32 bits a lane, 5 is 64, 6 is 128; below, parts of a word
 *
 * Of a branch (0x947) the bits from 34 on are the distance from the next instruction, in units of 4
 * bytes; in Hopper's code, bits 16-23 are its lower eight. Branches back make loops.
 */
#include "spills.h"
#include "machine_code.h"
#include "opcode.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { STL = 0x387, LDL = 0x983, BRA = 0x947, STACK_POINTER = 1 };
enum { WIDTH_64 = 5, WIDTH_128 = 6 };

static bool is_spill(const struct machine_code *code, uint64_t at, struct spill *spill)
{
    uint64_t low = machine_code_low(code, at), high = machine_code_high(code, at);
    unsigned opcode = low & 0xFFF, width = high >> 9 & 7;
    if ((opcode != STL && opcode != LDL) || (low >> 24 & 0xFF) != STACK_POINTER)
        return false;
    spill->stores = opcode == STL;
    spill->words = width == WIDTH_128 ? 4 : width == WIDTH_64 ? 2 : 1;
    spill->offset_bytes = (int32_t)((int64_t)low >> 40);
    return true;
}

/* The op that an instruction belongs to; without a line table, the op at the same fraction of the
 * kernel as the instruction in the machine code. */
static uint32_t op_at(const struct machine_code *code, uint64_t address)
{
    if (code->table.count)
        return machine_code_op(code, address);
    const struct function *function = code->function;
    return function->is_kernel ? (uint32_t)(address * function->op_count / code->size_bytes)
                               : NO_OP;
}

/* Where the branch at that address goes back to; UINT64_MAX when it does not. */
static uint64_t goes_back_to(const struct machine_code *code, uint64_t at)
{
    uint64_t low = machine_code_low(code, at);
    int64_t far = (int64_t)low >> 34, near = low >> 16 & 0xFF;
    int64_t distance = 4 * (near ? far * 256 + near : far), next = (int64_t)at + INSTRUCTION_BYTES;
    bool back = (low & 0xFFF) == BRA && distance < -INSTRUCTION_BYTES && -distance <= next;
    return back ? (uint64_t)(next + distance) : UINT64_MAX;
}

/* How many loops of the machine code the address lies in, and whether one has ended before it. */
static uint32_t loops_around(const struct machine_code *code, uint64_t address, bool *after)
{
    uint32_t loops = 0;
    *after = false;
    for (uint64_t at = 0; at + INSTRUCTION_BYTES <= code->size_bytes; at += INSTRUCTION_BYTES) {
        uint64_t start = goes_back_to(code, at);
        if (start == UINT64_MAX)
            continue;
        loops += start <= address && address <= at;
        *after |= at < address;
    }
    return loops;
}

/* The loops of the PTX around an op; the innermost one's first and last op. */
static uint32_t loops_around_op(const struct function *function, uint32_t index, uint32_t *first,
                                uint32_t *last)
{
    uint32_t loops = 0;
    for (uint32_t b = 0; b < function->block_count; b++) {
        const struct basic_block *block = &function->blocks[b];
        uint32_t end = block->first + block->count - 1;
        const struct op *branch = &function->ops[end];
        if (!block->count || branch->run != bra || branch->target > b)
            continue;
        uint32_t start = function->blocks[branch->target].first;
        if (start > index || index > end)
            continue;
        if (loops++ == 0 || end - start < *last - *first) {
            *first = start;
            *last = end;
        }
    }
    return loops;
}

/* A register that is stored before a loop to free it for the loop, or loaded again afterwards, has
 * a line of the loop: it belongs in front of the loop, or after it. */
static uint32_t out_of_loops(const struct machine_code *code, uint32_t op, uint64_t address)
{
    bool after;
    uint32_t loops = loops_around(code, address, &after), first = 0, last = 0;
    while (loops_around_op(code->function, op, &first, &last) > loops) {
        if (after ? last + 1 >= code->function->op_count : first == 0)
            break;
        op = after ? last + 1 : first - 1;
    }
    return op;
}

static int by_op(const void *a, const void *b)
{
    const struct spill *left = a, *right = b;
    return (left->op > right->op) - (left->op < right->op);
}

static void keep(struct machine_code *code, const struct spill *spills, uint32_t count)
{
    struct function *function = code->function;
    struct spill *kept = count ? arena_alloc(&code->module->arena, count * sizeof *kept) : NULL;
    if (!kept)
        return;
    memcpy(kept, spills, count * sizeof *kept);
    qsort(kept, count, sizeof *kept, by_op);
    function->spills = kept;
    function->spill_count = count;
}

/* An op that touches local memory, or may, is traced: its own accesses are no spills. */
static bool touches_stack(const struct machine_code *code, uint32_t index)
{
    const struct function *function = code->function;
    const struct op *op = &function->ops[index];
    enum sim_op_class class = op->row->class;
    return (class == SIM_OP_GLOBAL || class == SIM_OP_LOCAL) &&
           (op->space == SPACE_LOCAL || op->space == SPACE_GENERIC);
}

static void search_code(struct machine_code *code)
{
    uint32_t count = 0, room = (uint32_t)(code->size_bytes / INSTRUCTION_BYTES);
    struct spill *spills = malloc((room + 1) * sizeof *spills);
    for (uint64_t at = 0; spills && at + INSTRUCTION_BYTES <= code->size_bytes;
         at += INSTRUCTION_BYTES) {
        struct spill *spill = &spills[count];
        if (!is_spill(code, at, spill))
            continue;
        spill->op = op_at(code, at);
        if (spill->op == NO_OP || touches_stack(code, spill->op))
            continue;
        spill->op = out_of_loops(code, spill->op, at);
        count++;
    }
    keep(code, spills, count);
    free(spills);
}

void spills_find(const struct machine_code *kernel)
{
    struct machine_code code = *kernel;
    search_code(&code);
    for (uint32_t i = 0; i < code.module->function_count; i++) {
        code.function = &code.module->functions[i];
        if (!code.function->is_kernel && code.function->op_count && !code.function->spill_count)
            search_code(&code);
    }
}

uint64_t spills_at(const struct module *module, uint32_t op)
{
    const struct function *function = function_of_op(module, op);
    uint64_t words = 0;
    for (uint32_t i = 0; i < function->spill_count; i++)
        if (function->spills[i].op == op - function->first_op_id)
            words += function->spills[i].words;
    return words;
}
