/* opcode.c - the opcode table, and finding the row that takes an instruction.
 *
 * Names are hashed to the run of rows that share them; within a run the first row wins whose
 * types fit and whose modifiers the instruction has, no more and no fewer.
 */
#include "opcode.h"

#include "letters.h"

#include <stdlib.h>
#include <string.h>

static const struct opcode OPCODES[] = {
#define OPCODE(class, mnemonic, types, optional, operands, flags, handler, meaning) \
    {SIM_OP_##class, mnemonic, types, optional, operands, flags, handler, meaning},
#include "opcodes.def"
#undef OPCODE
};

enum { ROWS = sizeof OPCODES / sizeof *OPCODES, BUCKETS = 256 };

struct opcode_index {
    uint16_t first[BUCKETS]; /* row + 1, or 0 */
    uint16_t next[ROWS];     /* row + 1 of the same bucket, in table order */
};

/* The length of the name in front of the modifiers. */
static size_t name_length(const char *mnemonic)
{
    return strcspn(mnemonic, ".");
}

static unsigned bucket_of(const char *name, size_t length)
{
    unsigned hash = 2166136261u;
    for (size_t i = 0; i < length; i++)
        hash = (hash ^ (unsigned char)name[i]) * 16777619u;
    return hash % BUCKETS;
}

struct opcode_index *opcode_index_new(void)
{
    struct opcode_index *index = calloc(1, sizeof *index);
    if (!index)
        return NULL;
    for (unsigned row = ROWS; row-- > 0;) {
        const char *mnemonic = OPCODES[row].mnemonic;
        unsigned bucket = bucket_of(mnemonic, name_length(mnemonic));
        index->next[row] = index->first[bucket];
        index->first[bucket] = (uint16_t)(row + 1);
    }
    return index;
}

void opcode_index_free(struct opcode_index *index)
{
    free(index);
}

const struct opcode *opcode_at(uint32_t row)
{
    return row < ROWS ? &OPCODES[row] : NULL;
}

uint32_t opcode_row(const struct opcode *opcode)
{
    return (uint32_t)(opcode - OPCODES);
}

const struct opcode *opcode_unknown(void)
{
    const struct opcode *opcode = OPCODES;
    while (opcode->run != unsupported)
        opcode++;
    return opcode;
}

/* The next word of a list whose words end at separator; NULL after the last. */
static const char *next_word(const char *list, char separator, size_t *length)
{
    while (*list == ' ' || *list == separator)
        list++;
    *length = 0;
    while (list[*length] && list[*length] != ' ' && list[*length] != separator)
        (*length)++;
    return *length ? list : NULL;
}

static bool word_is(const char *word, size_t length, const char *text)
{
    return strlen(text) == length && memcmp(word, text, length) == 0;
}

static bool list_holds(const char *list, const char *text)
{
    size_t length;
    for (const char *word = list; (word = next_word(word, ' ', &length)); word += length)
        if (word_is(word, length, text))
            return true;
    return false;
}

static bool has_modifier(const struct ptx_instruction *instruction, const char *word, size_t length)
{
    for (unsigned i = 0; i < instruction->modifier_count; i++)
        if (word_is(word, length, instruction->modifiers[i]))
            return true;
    return false;
}

/* The modifiers that make the mnemonic must all be there ... */
static bool has_required(const struct opcode *opcode, const struct ptx_instruction *instruction)
{
    size_t length;
    const char *word = opcode->mnemonic + name_length(opcode->mnemonic);
    for (; (word = next_word(word, '.', &length)); word += length)
        if (!has_modifier(instruction, word, length))
            return false;
    return true;
}

static bool mnemonic_holds(const char *mnemonic, const char *text)
{
    size_t length;
    const char *word = mnemonic + name_length(mnemonic);
    for (; (word = next_word(word, '.', &length)); word += length)
        if (word_is(word, length, text))
            return true;
    return false;
}

/* ... and all others must be allowed. */
static bool allows_all(const struct opcode *opcode, const struct ptx_instruction *instruction)
{
    for (unsigned i = 0; i < instruction->modifier_count; i++)
        if (!mnemonic_holds(opcode->mnemonic, instruction->modifiers[i]) &&
            !list_holds(opcode->optional, instruction->modifiers[i]))
            return false;
    return true;
}

/* "f32.s32" against the instruction's types. */
static bool types_are(const char *alternative, size_t length,
                      const struct ptx_instruction *instruction)
{
    if (word_is(alternative, length, "*"))
        return instruction->type_count > 0;
    unsigned count = 0;
    for (size_t at = 0; at < length; count++) {
        size_t end = at;
        while (end < length && alternative[end] != '.')
            end++;
        if (count >= instruction->type_count ||
            !word_is(alternative + at, end - at, ptx_type_name(instruction->types[count])))
            return false;
        at = end + 1;
    }
    return count == instruction->type_count;
}

static bool types_fit(const struct opcode *opcode, const struct ptx_instruction *instruction)
{
    size_t length;
    if (!*opcode->types)
        return instruction->type_count == 0;
    for (const char *word = opcode->types; (word = next_word(word, ' ', &length)); word += length)
        if (types_are(word, length, instruction))
            return true;
    return false;
}

static bool takes(const struct opcode *opcode, const struct ptx_instruction *instruction)
{
    return word_is(opcode->mnemonic, name_length(opcode->mnemonic), instruction->name) &&
           types_fit(opcode, instruction) && has_required(opcode, instruction) &&
           allows_all(opcode, instruction);
}

const struct opcode *opcode_find(const struct opcode_index *index,
                                 const struct ptx_instruction *instruction,
                                 const struct opcode *after)
{
    unsigned row = after ? index->next[opcode_row(after)]
                         : index->first[bucket_of(instruction->name, strlen(instruction->name))];
    for (; row; row = index->next[row - 1])
        if (takes(&OPCODES[row - 1], instruction))
            return &OPCODES[row - 1];
    return NULL;
}

/* A field of struct op that a modifier sets. */
static const struct {
    const char *word, *instructions;
    size_t offset;
    uint8_t value;
} MODIFIERS[] = {
#define MODIFIER(word, instructions, field, value) \
    {word, instructions, offsetof(struct op, field), value},
#include "modifiers.def"
#undef MODIFIER
};

void opcode_apply_modifiers(const struct ptx_instruction *instruction, struct op *op)
{
    for (unsigned i = 0; i < instruction->modifier_count; i++)
        for (size_t j = 0; j < sizeof MODIFIERS / sizeof *MODIFIERS; j++)
            if (strcmp(MODIFIERS[j].word, instruction->modifiers[i]) == 0 &&
                (MODIFIERS[j].instructions[0] == '*' ||
                 list_holds(MODIFIERS[j].instructions, instruction->name)))
                ((uint8_t *)op)[MODIFIERS[j].offset] = MODIFIERS[j].value;
}

bool sim_opcode_row(size_t index, struct sim_opcode_row *row)
{
    if (index >= ROWS)
        return false;
    const struct opcode *opcode = &OPCODES[index];
    *row = (struct sim_opcode_row){opcode->mnemonic, opcode->types, opcode->optional,
                                   opcode->operands, opcode->meaning};
    return true;
}

/* --- Registers -------------------------------------------------------------------------------- */

static void visit_operand(const struct ptx_operand *operand, bool is_written,
                          void (*visit)(void *, uint32_t, bool), void *owner)
{
    if (operand->kind == PTX_OPERAND_REGISTER)
        visit(owner, operand->index, is_written);
    for (uint32_t i = 0; i < operand->count; i++)
        visit_operand(&operand->list[i], is_written && operand->kind != PTX_OPERAND_ADDRESS, visit,
                      owner);
}

void opcode_visit_registers(const struct opcode *opcode, const struct ptx_instruction *instruction,
                            void (*visit)(void *owner, uint32_t reg, bool is_written), void *owner)
{
    const char *at = operand_next(opcode->operands);
    if (instruction->guarded)
        visit(owner, instruction->guard, false);
    for (unsigned i = 0; i < instruction->operand_count; i++) {
        bool is_written = at && operand_letter(*at)->is_written;
        visit_operand(&instruction->operands[i], is_written, visit, owner);
        at = at ? operand_next(at + 1) : NULL;
    }
}
