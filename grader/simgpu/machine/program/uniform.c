/* uniform.c - atomics that one lane carries out for all of its warp.
 *
 * Where ptxas can prove that all lanes update the same word, it lets one of them do it: by the
 * number of lanes, or by their sum (REDUX). It can prove that for an address that is made only of
 * values a whole warp has in common: parameters, the block's number, constants, and what was loaded
 * from such an address. A register that is written in several places has the same value in all
 * lanes only if no lanes part between those places. The conditions below were tried out one by one
 * with ptxas 13.0.
 */
#include "decode_internal.h"
#include "opcode.h"

#include <stdlib.h>
#include <string.h>

struct uniform {
    const struct decoder *decoder;
    bool *varies;       /* by register: lanes may differ in it */
    uint8_t *writers;   /* by register; many count as two */
    bool reads_varying; /* of the instruction that is visited */
    bool changed;
};

static void count_writer(void *owner, uint32_t reg, bool is_written)
{
    struct uniform *uniform = owner;
    if (is_written && uniform->writers[reg] < 2)
        uniform->writers[reg]++;
}

static void look_at_read(void *owner, uint32_t reg, bool is_written)
{
    struct uniform *uniform = owner;
    uniform->reads_varying |= !is_written && uniform->varies[reg];
}

static void set_varying(struct uniform *uniform, uint32_t reg)
{
    uniform->changed |= !uniform->varies[reg];
    uniform->varies[reg] = true;
}

static void make_written_vary(void *owner, uint32_t reg, bool is_written)
{
    if (is_written)
        set_varying(owner, reg);
}

/* What depends on the path that a lane takes. */
static void make_rewritten_vary(void *owner, uint32_t reg, bool is_written)
{
    struct uniform *uniform = owner;
    if (is_written && uniform->writers[reg] > 1)
        set_varying(uniform, reg);
}

static void visit(struct uniform *uniform, uint32_t index, void (*look)(void *, uint32_t, bool))
{
    opcode_visit_registers(uniform->decoder->opcodes[index],
                           &uniform->decoder->syntax->instructions[index], look, uniform);
}

/* Does it give each lane a different value, whatever it reads? */
static bool parts_lanes(const struct op *op)
{
    if (op->run == mov_special)
        return op->kind < SPECIAL_NTID || op->kind == SPECIAL_LANEID ||
               op->kind == SPECIAL_WARPID ||
               (op->kind >= SPECIAL_CLOCK && op->kind <= SPECIAL_LANEMASK_GE);
    return op->row->flags & OP_APART || op->space == SPACE_LOCAL || op->run == unsupported;
}

static void follow(struct uniform *uniform, uint32_t index)
{
    const struct ptx_instruction *it = &uniform->decoder->syntax->instructions[index];
    const struct op *op = &uniform->decoder->function->ops[index];
    uniform->reads_varying = it->guarded && uniform->varies[it->guard];
    if (!(op->row->flags & OP_TOGETHER))
        visit(uniform, index, look_at_read);
    if (uniform->reads_varying || parts_lanes(op))
        visit(uniform, index, make_written_vary);
}

/* Lanes part at the end of that basic block: between there and where they meet again. */
static void part(struct uniform *uniform, uint32_t block)
{
    const struct function *function = uniform->decoder->function;
    const struct basic_block *from = &function->blocks[block];
    uint32_t target = function->ops[from->first + from->count - 1].target;
    uint32_t end = from->join == EXIT_BLOCK ? function->block_count : from->join;
    for (uint32_t b = target <= block ? target : block + 1; b < end; b++)
        for (uint32_t i = 0; i < function->blocks[b].count; i++)
            visit(uniform, function->blocks[b].first + i, make_rewritten_vary);
}

static void follow_all(struct uniform *uniform)
{
    const struct function *function = uniform->decoder->function;
    for (uint32_t i = 0; i < function->op_count; i++)
        follow(uniform, i);
    for (uint32_t b = 0; b < function->block_count; b++) {
        const struct basic_block *block = &function->blocks[b];
        uint32_t last = block->first + block->count - 1;
        const struct ptx_instruction *it = &uniform->decoder->syntax->instructions[last];
        if (block->count && function->ops[last].run == bra && it->guarded &&
            uniform->varies[it->guard])
            part(uniform, b);
    }
}

/* --- Atomics ---------------------------------------------------------------------------------- */

static bool operand_varies(const struct uniform *uniform, const struct ptx_operand *operand)
{
    bool varies = operand->kind == PTX_OPERAND_REGISTER && uniform->varies[operand->index];
    for (uint32_t i = 0; i < operand->count; i++)
        varies |= operand_varies(uniform, &operand->list[i]);
    return varies;
}

/* Is it of integers, which a warp can add up or compare by itself? With 64 bits, or where the old
 * value is wanted, only sums qualify; a sum of varying values has to be of 32 bits. */
static bool is_for_all(const struct uniform *uniform, uint32_t index)
{
    const struct ptx_instruction *it = &uniform->decoder->syntax->instructions[index];
    const struct op *op = &uniform->decoder->function->ops[index];
    unsigned address = op->row->operands[0] == 'd'; /* after the old value, which red has not */
    if (it->operand_count < address + 2 || ptx_type_class(op->type) == 'F' ||
        operand_varies(uniform, &it->operands[address]))
        return false;
    bool sums = op->kind == COMBINE_ADD;
    bool combines = sums || op->kind == COMBINE_LEAST || op->kind == COMBINE_MOST ||
                    op->kind == COMBINE_BITS_AND || op->kind == COMBINE_BITS_OR ||
                    op->kind == COMBINE_BITS_XOR;
    if (op->bytes == 8)
        return sums && !operand_varies(uniform, &it->operands[address + 1]);
    return op->bytes == 4 && (op->dst == NO_REGISTER ? combines : sums);
}

/* Shared memory itself adds up lanes that increment one word (ATOMS.POPC.INC): on an H200, a
 * histogram whose lanes all increment the same word takes one wavefront a request
 * (histogram_of_zero_bytes_4M, histogram_shared_runs_4M). */
static bool is_count(const struct uniform *uniform, uint32_t index)
{
    const struct ptx_instruction *it = &uniform->decoder->syntax->instructions[index];
    const struct op *op = &uniform->decoder->function->ops[index];
    const struct ptx_operand *added = &it->operands[it->operand_count - 1];
    return op->space == SPACE_SHARED && op->kind == COMBINE_ADD && op->bytes == 4 &&
           ptx_type_class(op->type) != 'F' && op->dst == NO_REGISTER &&
           added->kind == PTX_OPERAND_INTEGER && added->value == 1;
}

static bool has_atomics(const struct decoder *decoder)
{
    for (uint32_t i = 0; i < decoder->function->op_count; i++)
        if (decoder->function->ops[i].row->flags & OP_ATOMIC)
            return true;
    return false;
}

bool note_atomics_for_all(struct decoder *decoder)
{
    if (!has_atomics(decoder))
        return true;
    size_t registers = decoder->syntax->register_count + 1;
    struct uniform uniform = {.decoder = decoder,
                              .varies = calloc(registers, sizeof *uniform.varies),
                              .writers = calloc(registers, sizeof *uniform.writers)};
    bool ok = uniform.varies && uniform.writers;
    for (uint32_t i = 0; ok && i < decoder->function->op_count; i++)
        visit(&uniform, i, count_writer);
    for (uniform.changed = ok; uniform.changed;) {
        uniform.changed = false;
        follow_all(&uniform);
    }
    for (uint32_t i = 0; ok && i < decoder->function->op_count; i++)
        if (decoder->function->ops[i].row->flags & OP_ATOMIC) {
            decoder->function->ops[i].for_all = is_for_all(&uniform, i);
            decoder->function->ops[i].counts = is_count(&uniform, i);
        }
    free(uniform.varies);
    free(uniform.writers);
    return ok;
}
