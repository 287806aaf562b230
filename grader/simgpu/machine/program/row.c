/* row.c - which row of opcodes.def an instruction is. Several may share a name, types and modifiers
 * and differ in operands: a letter each, which operands.def explains. Next: operand.c. */
#include "decode_internal.h"

#include <string.h>

bool decode_is_register(const struct decoder *decoder, const struct ptx_operand *operand,
                        unsigned bytes, bool or_wider)
{
    if (operand->kind != PTX_OPERAND_REGISTER ||
        decoder->syntax->registers[operand->index] == PTX_pred)
        return false;
    unsigned has = decode_register_bytes(decoder, operand->index);
    return has == bytes || (or_wider && has > bytes);
}

static bool is_predicate(const struct decoder *decoder, const struct ptx_operand *operand)
{
    return operand->kind == PTX_OPERAND_REGISTER &&
           decoder->syntax->registers[operand->index] == PTX_pred;
}

static bool is_predicate_or_sink(const struct decoder *decoder, const struct ptx_operand *operand)
{
    return operand->kind == PTX_OPERAND_SINK || is_predicate(decoder, operand);
}

static bool is_constant(const struct ptx_operand *operand)
{
    return operand->kind == PTX_OPERAND_INTEGER || operand->kind == PTX_OPERAND_FLOAT32 ||
           operand->kind == PTX_OPERAND_FLOAT64;
}

static bool is_source(const struct decoder *decoder, const struct ptx_operand *operand,
                      unsigned bytes, bool or_wider)
{
    bool is_address =
        operand->kind == PTX_OPERAND_VARIABLE || operand->kind == PTX_OPERAND_FUNCTION;
    return decode_is_register(decoder, operand, bytes, or_wider) || is_constant(operand) ||
           (is_address && bytes >= 4);
}

static bool is_destination(const struct decoder *decoder, const struct ptx_operand *operand,
                           unsigned bytes, bool or_wider)
{
    return operand->kind == PTX_OPERAND_SINK ||
           decode_is_register(decoder, operand, bytes, or_wider);
}

static bool is_parameter_address(const struct decoder *decoder, const struct ptx_operand *operand)
{
    return operand->kind == PTX_OPERAND_ADDRESS && operand->count == 1 &&
           operand->list[0].kind == PTX_OPERAND_VARIABLE &&
           decoder->module->syntax->variables[operand->list[0].index].space == PTX_SPACE_PARAM;
}

static bool is_address(const struct decoder *decoder, const struct ptx_operand *operand)
{
    return operand->kind == PTX_OPERAND_ADDRESS && !is_parameter_address(decoder, operand) &&
           (operand->count == 0 || operand->list[0].kind == PTX_OPERAND_VARIABLE ||
            decode_is_register(decoder, &operand->list[0], 4, true));
}

/* --- Does an operand fit the letter of its place? --------------------------------------------- */

/* What a letter of the row asks for. */
struct asked {
    const struct operand_letter *letter;
    unsigned bytes; /* of a register; 0: of any, or of none */
    unsigned count; /* of a fragment's registers */
};

static bool is_of(const struct decoder *decoder, const struct ptx_operand *operand,
                  const struct asked *asked, unsigned bytes, bool or_wider)
{
    return (asked->letter->is_written ? is_destination : is_source)(decoder, operand, bytes,
                                                                    or_wider);
}

static bool all_are(const struct decoder *decoder, const struct ptx_operand *operand,
                    const struct asked *asked, unsigned bytes, bool or_wider)
{
    for (uint32_t i = 0; i < operand->count; i++)
        if (!is_of(decoder, &operand->list[i], asked, bytes, or_wider))
            return false;
    return true;
}

static bool fits_value(const struct decoder *decoder, const struct ptx_operand *operand,
                       const struct asked *asked)
{
    return is_of(decoder, operand, asked, asked->bytes, false);
}

static bool fits_wide_value(const struct decoder *decoder, const struct ptx_operand *operand,
                            const struct asked *asked)
{
    return is_of(decoder, operand, asked, asked->bytes, true);
}

static bool fits_pair(const struct decoder *decoder, const struct ptx_operand *operand,
                      const struct asked *asked)
{
    if (operand->kind != PTX_OPERAND_PAIR)
        return is_destination(decoder, operand, asked->bytes, false);
    return is_destination(decoder, &operand->list[0], asked->bytes, false) &&
           is_predicate_or_sink(decoder, &operand->list[1]);
}

static bool fits_predicates(const struct decoder *decoder, const struct ptx_operand *operand,
                            const struct asked *asked)
{
    (void)asked;
    if (operand->kind != PTX_OPERAND_PAIR)
        return is_predicate_or_sink(decoder, operand);
    return is_predicate_or_sink(decoder, &operand->list[0]) &&
           is_predicate_or_sink(decoder, &operand->list[1]);
}

/* {a, b} or {a, b, c, d}, or a register alone. */
static bool fits_vector(const struct decoder *decoder, const struct ptx_operand *operand,
                        const struct asked *asked)
{
    if (operand->kind != PTX_OPERAND_VECTOR)
        return is_of(decoder, operand, asked, asked->bytes, true);
    return (operand->count == 2 || operand->count == 4) &&
           all_are(decoder, operand, asked, asked->bytes, true);
}

/* Registers of 8 bits are as wide as those of 16: they can be put together here, and taken apart
 * by shifts. */
static bool fits_parts(const struct decoder *decoder, const struct ptx_operand *operand,
                       const struct asked *asked)
{
    if (operand->kind != PTX_OPERAND_VECTOR || (operand->count != 2 && operand->count != 4))
        return false;
    unsigned bytes = asked->bytes / operand->count;
    if (bytes == 1 && !asked->letter->is_written)
        return all_are(decoder, operand, asked, 2, false);
    return bytes >= 2 && all_are(decoder, operand, asked, bytes, false);
}

/* {r0, r1, ...}: as many registers, or numbers, as the digit says. */
static bool fits_fragment(const struct decoder *decoder, const struct ptx_operand *operand,
                          const struct asked *asked)
{
    return operand->kind == PTX_OPERAND_VECTOR && operand->count == asked->count &&
           all_are(decoder, operand, asked, decode_fragment_bytes(decoder), false);
}

static bool fits_texel(const struct decoder *decoder, const struct ptx_operand *operand,
                       const struct asked *asked)
{
    return decode_is_texel(decoder, operand, asked->letter->is_written);
}

/* What the operand alone decides. */
#define FITS_IF(role, condition)                                                              \
    static bool fits_##role(const struct decoder *decoder, const struct ptx_operand *operand, \
                            const struct asked *asked)                                        \
    {                                                                                         \
        (void)decoder, (void)operand, (void)asked;                                            \
        return condition;                                                                     \
    }
FITS_IF(predicate, is_predicate(decoder, operand) || operand->kind == PTX_OPERAND_INTEGER)
FITS_IF(number, operand->kind == PTX_OPERAND_INTEGER)
FITS_IF(copied_bytes, operand->kind == PTX_OPERAND_INTEGER)
FITS_IF(ignored, true)
FITS_IF(special, operand->kind == PTX_OPERAND_SPECIAL)
FITS_IF(label, operand->kind == PTX_OPERAND_LABEL)
FITS_IF(address, is_address(decoder, operand))
FITS_IF(later_address, is_address(decoder, operand))
FITS_IF(parameter, is_parameter_address(decoder, operand))
FITS_IF(texture_place, decode_is_texture_address(decoder, operand))

typedef bool fits(const struct decoder *, const struct ptx_operand *, const struct asked *);

static fits *const FITS[] = {
#define OPERAND(letter, role, width, direction, meaning) [letter] = fits_##role,
#include "operands.def"
#undef OPERAND
};

static bool operand_fits(const struct decoder *decoder, const char *text,
                         const struct ptx_operand *operand)
{
    const struct operand_letter *letter = operand_letter(*text);
    struct asked asked = {.letter = letter,
                          .bytes = decode_width(decoder->instruction, letter->width),
                          .count = (unsigned)(text[1] - '0')};
    return FITS[(unsigned char)*text](decoder, operand, &asked);
}

static bool has_policy(const struct ptx_instruction *instruction)
{
    for (unsigned i = 0; i < instruction->modifier_count; i++)
        if (strcmp(instruction->modifiers[i], "L2::cache_hint") == 0)
            return instruction->operand_count > 0;
    return false;
}

unsigned decode_operand_count(const struct ptx_instruction *instruction)
{
    return instruction->operand_count - has_policy(instruction);
}

static bool operands_fit(const struct decoder *decoder, const struct opcode *opcode)
{
    const struct ptx_instruction *instruction = decoder->instruction;
    unsigned operand_count = decode_operand_count(instruction), count = 0;
    if (opcode->operands[0] == '*')
        return true;
    if (has_policy(instruction) &&
        !is_source(decoder, &instruction->operands[operand_count], 8, false))
        return false;
    for (const char *at = opcode->operands; (at = operand_next(at)); at++) {
        bool optional = at[1] == '?';
        if (count == operand_count) {
            if (!optional)
                return false;
            continue;
        }
        if (!operand_fits(decoder, at, &instruction->operands[count]))
            return false;
        count++;
    }
    return count == operand_count;
}

const struct opcode *decode_find_opcode(struct decoder *decoder)
{
    const struct opcode_index *index = decoder->machine->opcodes;
    const struct opcode *first = opcode_find(index, decoder->instruction, NULL);
    for (const struct opcode *row = first; row; row = opcode_find(index, decoder->instruction, row))
        if (operands_fit(decoder, row))
            return row;
    char mnemonic[120];
    decode_mnemonic(decoder->instruction, mnemonic, sizeof mnemonic);
    if (first)
        decode_fail(decoder, "the operands of '%s' do not fit", mnemonic);
    else
        decode_fail(decoder, "'%s' is not supported by the simulated device", mnemonic);
    return NULL;
}
