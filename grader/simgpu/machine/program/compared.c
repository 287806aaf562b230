/* compared.c - finds loads and atomics whose value is compared, and used for nothing else.
 *
 * Such a value steers the thread, but does not reach memory: a flag that is polled, a guess before
 * an atomicMin. It may have been copied, widened or masked on its way to the comparison. Registers
 * whose value goes elsewhere are found first, in as many rounds as the longest chain of copies.
 * global_judge.c says what this is good for.
 */
#include "decode_internal.h"
#include "opcode.h"

#include <stdlib.h>
#include <string.h>

struct uses {
    const struct decoder *decoder;
    const struct ptx_instruction *instruction;
    unsigned char *elsewhere; /* by register: used for something else than to compare */
    bool changed;
};

static bool is_named(const struct ptx_instruction *instruction, const char *name)
{
    return strcmp(instruction->name, name) == 0;
}

static bool only_passes_on(const struct ptx_instruction *instruction)
{
    return is_named(instruction, "mov") || is_named(instruction, "cvt") ||
           is_named(instruction, "and");
}

static bool goes_elsewhere(const struct uses *uses, const struct ptx_operand *to)
{
    if (to->kind == PTX_OPERAND_REGISTER)
        return uses->elsewhere[to->index];
    bool elsewhere = to->count == 0; /* a vector of registers, or of an unknown kind */
    for (uint32_t i = 0; i < to->count; i++)
        elsewhere |= goes_elsewhere(uses, &to->list[i]);
    return elsewhere;
}

static void note(void *owner, uint32_t reg, bool is_written)
{
    struct uses *uses = owner;
    if (is_written || uses->elsewhere[reg])
        return;
    uses->elsewhere[reg] = 1;
    uses->changed = true;
}

static void note_all(struct uses *uses)
{
    const struct decoder *decoder = uses->decoder;
    for (uint32_t i = 0; i < decoder->function->op_count; i++) {
        const struct ptx_instruction *it = &decoder->syntax->instructions[i];
        if (is_named(it, "setp") ||
            (only_passes_on(it) && it->operand_count && !goes_elsewhere(uses, &it->operands[0])))
            continue;
        opcode_visit_registers(decoder->opcodes[i], it, note, uses);
    }
}

bool note_compared(struct decoder *decoder)
{
    struct uses uses = {.decoder = decoder,
                        .elsewhere = calloc(decoder->syntax->register_count + 1, 1)};
    if (!uses.elsewhere)
        return false;
    do {
        uses.changed = false;
        note_all(&uses);
    } while (uses.changed);
    for (uint32_t i = 0; i < decoder->function->op_count; i++) {
        const struct ptx_instruction *it = &decoder->syntax->instructions[i];
        bool is_atom = is_named(it, "atom") && decoder->function->ops[i].dst != NO_REGISTER;
        if ((is_named(it, "ld") || is_atom) && it->operand_count)
            decoder->function->ops[i].is_compared = !goes_elsewhere(&uses, &it->operands[0]);
    }
    free(uses.elsewhere);
    return true;
}
