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
#include "elf_file.h"
#include "line_table.h"
#include "machine_internal.h"
#include "opcode.h"
#include "timing/schedule.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { INSTRUCTION_BYTES = 16, STL = 0x387, LDL = 0x983, BRA = 0x947, STACK_POINTER = 1 };
enum { WIDTH_64 = 5, WIDTH_128 = 6 };
static const uint32_t NO_OP = UINT32_MAX;

struct search {
    struct module *module;
    struct function *function;
    struct line_table table;
    const unsigned char *code;
    uint64_t code_bytes;
    int64_t lines_later; /* the loaded PTX's number of a line, less the table's */
};

static bool is_spill(const struct search *search, uint64_t at, struct spill *spill)
{
    uint64_t low, high;
    memcpy(&low, search->code + at, sizeof low);
    memcpy(&high, search->code + at + sizeof low, sizeof high);
    unsigned opcode = low & 0xFFF, width = high >> 9 & 7;
    if ((opcode != STL && opcode != LDL) || (low >> 24 & 0xFF) != STACK_POINTER)
        return false;
    spill->stores = opcode == STL;
    spill->words = width == WIDTH_128 ? 4 : width == WIDTH_64 ? 2 : 1;
    spill->offset_bytes = (int32_t)((int64_t)low >> 40);
    return true;
}

/* The op of the function that wants it which the instruction at that address was made of: by its
 * line, else as far into the function as it stands in the machine code. NO_OP when it belongs to
 * another function. */
static uint32_t op_at(const struct search *search, uint64_t address)
{
    const struct function *function = search->function;
    const struct op_info *ops = search->module->ops + function->first_op_id;
    uint32_t row = line_table_find(&search->table, (uint32_t)address), count = function->op_count;
    if (!row)
        return function->is_kernel ? (uint32_t)(address * count / search->code_bytes) : NO_OP;
    int64_t line = row + search->lines_later;
    if (line < ops[0].ptx_line || line > ops[count - 1].ptx_line)
        return NO_OP;
    uint32_t low = 0, high = count;
    while (high - low > 1) {
        uint32_t middle = low + (high - low) / 2;
        if (ops[middle].ptx_line <= line)
            low = middle;
        else
            high = middle;
    }
    return low;
}

/* Where the branch at that address goes back to; UINT64_MAX when it does not. */
static uint64_t goes_back_to(const struct search *search, uint64_t at)
{
    uint64_t low;
    memcpy(&low, search->code + at, sizeof low);
    int64_t far = (int64_t)low >> 34, near = low >> 16 & 0xFF;
    int64_t distance = 4 * (near ? far * 256 + near : far), next = (int64_t)at + INSTRUCTION_BYTES;
    bool back = (low & 0xFFF) == BRA && distance < -INSTRUCTION_BYTES && -distance <= next;
    return back ? (uint64_t)(next + distance) : UINT64_MAX;
}

/* How many loops of the machine code the address lies in, and whether one has ended before it. */
static uint32_t loops_around(const struct search *search, uint64_t address, bool *after)
{
    uint32_t loops = 0;
    *after = false;
    for (uint64_t at = 0; at + INSTRUCTION_BYTES <= search->code_bytes; at += INSTRUCTION_BYTES) {
        uint64_t start = goes_back_to(search, at);
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

/* What is stored before a loop for the sake of what is in it, or loaded after it, has a line of the
 * loop's: it belongs in front of the loop, or after it. */
static uint32_t out_of_loops(const struct search *search, uint32_t op, uint64_t address)
{
    bool after;
    uint32_t loops = loops_around(search, address, &after), first = 0, last = 0;
    while (loops_around_op(search->function, op, &first, &last) > loops) {
        if (after ? last + 1 >= search->function->op_count : first == 0)
            break;
        op = after ? last + 1 : first - 1;
    }
    return op;
}

/* The line of the loaded PTX with the kernel's declaration; 0 when there is none. */
static uint32_t declared_at(const char *text, const char *kernel)
{
    size_t length = strlen(kernel);
    uint32_t line = 1;
    for (const char *at = text; at; line++) {
        const char *end = strchr(at, '\n'), *entry = strstr(at, ".entry ");
        if (!entry)
            return 0;
        if (end && entry > end) {
            at = end + 1;
            continue;
        }
        if (strncmp(entry + 7, kernel, length) == 0 && strchr("( \t\r\n", entry[7 + length]))
            return line;
        at = end ? end + 1 : NULL;
    }
    return 0;
}

static int by_op(const void *a, const void *b)
{
    const struct spill *left = a, *right = b;
    return (left->op > right->op) - (left->op < right->op);
}

static void keep(struct search *search, const struct spill *spills, uint32_t count)
{
    struct function *function = search->function;
    struct spill *kept = count ? arena_alloc(&search->module->arena, count * sizeof *kept) : NULL;
    if (!kept)
        return;
    memcpy(kept, spills, count * sizeof *kept);
    qsort(kept, count, sizeof *kept, by_op);
    function->spills = kept;
    function->spill_count = count;
}

/* An op that touches local memory, or may, is traced: its own accesses are no spills. */
static bool touches_stack(const struct search *search, uint32_t index)
{
    const struct function *function = search->function;
    const struct op *op = &function->ops[index];
    enum sim_op_class class =
        opcode_at(search->module->ops[function->first_op_id + index].row)->class;
    return (class == SIM_OP_GLOBAL || class == SIM_OP_LOCAL) &&
           (op->space == SPACE_LOCAL || op->space == SPACE_GENERIC);
}

static void search_code(struct search *search)
{
    uint32_t count = 0, room = (uint32_t)(search->code_bytes / INSTRUCTION_BYTES);
    struct spill *spills = malloc((room + 1) * sizeof *spills);
    for (uint64_t at = 0; spills && at + INSTRUCTION_BYTES <= search->code_bytes;
         at += INSTRUCTION_BYTES) {
        struct spill *spill = &spills[count];
        if (!is_spill(search, at, spill))
            continue;
        spill->op = op_at(search, at);
        if (spill->op == NO_OP || touches_stack(search, spill->op))
            continue;
        spill->op = out_of_loops(search, spill->op, at);
        count++;
    }
    keep(search, spills, count);
    free(spills);
}

void spills_find(struct module *module, struct function *kernel, const unsigned char *cubin,
                 size_t size_bytes)
{
    struct elf elf;
    char name[1024];
    snprintf(name, sizeof name, ".text.%s", kernel->name);
    if (!cubin || !kernel->op_count || !elf_open(&elf, cubin, size_bytes))
        return;
    const Elf64_Shdr *code = elf_section(&elf, name, 0);
    if (!code || code->sh_size < INSTRUCTION_BYTES)
        return;
    uint32_t there = line_table_entry(&elf, kernel->name);
    uint32_t here = module->text ? declared_at(module->text, kernel->name) : 0;
    struct search search = {.module = module,
                            .function = kernel,
                            .code = elf.bytes + code->sh_offset,
                            .code_bytes = code->sh_size,
                            .lines_later = (int64_t)here - there};
    if (there && here)
        search.table = line_table_read(&elf, kernel->name);
    search_code(&search);
    for (uint32_t i = 0; i < module->function_count; i++) {
        search.function = &module->functions[i];
        if (!search.function->is_kernel && search.function->op_count &&
            !search.function->spill_count)
            search_code(&search);
    }
    free(search.table.rows);
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
