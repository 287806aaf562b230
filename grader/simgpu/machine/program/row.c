/* row.c - which row of opcodes.def an instruction is. Several may share a name, types and modifiers
 * and differ in operands: a letter each, as opcodes.def explains them. Next: operand.c. */
#include "decode_internal.h"

#include <ctype.h>
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

static bool all_of(const struct decoder *decoder, const struct ptx_operand *operand,
                   unsigned bytes,
                   bool (*is)(const struct decoder *, const struct ptx_operand *, unsigned, bool))
{
    if (operand->kind != PTX_OPERAND_VECTOR)
        return is(decoder, operand, bytes, true);
    for (uint32_t i = 0; i < operand->count; i++)
        if (!is(decoder, &operand->list[i], bytes, true))
            return false;
    return operand->count == 2 || operand->count == 4;
}

static bool are_parts(const struct decoder *decoder, const struct ptx_operand *operand,
                      unsigned bytes, bool destination)
{
    if (operand->kind != PTX_OPERAND_VECTOR || (operand->count != 2 && operand->count != 4))
        return false;
    for (uint32_t i = 0; i < operand->count; i++) {
        const struct ptx_operand *part = &operand->list[i];
        if (!(destination ? is_destination(decoder, part, bytes / operand->count, false)
                          : is_source(decoder, part, bytes / operand->count, false)))
            return false;
    }
    return bytes / operand->count >= 2;
}

static bool pair_fits(const struct decoder *decoder, const struct ptx_operand *operand,
                      bool first_is_predicate)
{
    const struct ptx_operand *first = operand, *second = NULL;
    if (operand->kind == PTX_OPERAND_PAIR) {
        first = &operand->list[0];
        second = &operand->list[1];
    }
    bool first_fits = first_is_predicate ? is_predicate_or_sink(decoder, first)
                                         : is_destination(decoder, first, 4, false);
    return first_fits && (!second || is_predicate_or_sink(decoder, second));
}

/* {r0, r1, ...}: as many registers, or numbers, as stand behind the letter. */
static bool is_fragment(const struct decoder *decoder, const struct ptx_operand *operand,
                        const char *letter)
{
    unsigned bytes = decode_fragment_bytes(decoder);
    bool destination = *letter == 'F';
    if (operand->kind != PTX_OPERAND_VECTOR || operand->count != (uint32_t)(letter[1] - '0'))
        return false;
    for (uint32_t i = 0; i < operand->count; i++)
        if (!(destination ? is_destination(decoder, &operand->list[i], bytes, false)
                          : is_source(decoder, &operand->list[i], bytes, false)))
            return false;
    return true;
}

static bool operand_fits(const struct decoder *decoder, const char *letter,
                         const struct ptx_operand *operand)
{
    unsigned first = decode_type_bytes(decode_first_type(decoder->instruction));
    unsigned last = decode_type_bytes(decode_last_type(decoder->instruction));
    switch (*letter) {
    case 'd': return is_destination(decoder, operand, first, false);
    case 'D': return is_destination(decoder, operand, 2 * last, false);
    case 'x': return is_destination(decoder, operand, first, true);
    case 'w': return is_destination(decoder, operand, 4, false);
    case 'h': return is_destination(decoder, operand, 2, false);
    case 't': return pair_fits(decoder, operand, false);
    case 'p': return pair_fits(decoder, operand, true);
    case 'a': return is_source(decoder, operand, last, false);
    case 'A': return is_source(decoder, operand, 2 * last, false);
    case 'b': return is_source(decoder, operand, first, false);
    case 'y': return is_source(decoder, operand, last, true);
    case 'u': return is_source(decoder, operand, 4, false);
    case 'c': return is_source(decoder, operand, 2, false);
    case 'L': return is_source(decoder, operand, 8, false);
    case 'q': return is_predicate(decoder, operand) || operand->kind == PTX_OPERAND_INTEGER;
    case 'm': case 'M': return is_address(decoder, operand);
    case 'P': return is_parameter_address(decoder, operand);
    case 'i': case 'n': return operand->kind == PTX_OPERAND_INTEGER;
    case 'v': return all_of(decoder, operand, last, is_destination);
    case 'z': return all_of(decoder, operand, last, is_source);
    case 'U': return are_parts(decoder, operand, last, true);
    case 'W': return are_parts(decoder, operand, first, false);
    case 'r': return operand->kind == PTX_OPERAND_SPECIAL;
    case 'l': return operand->kind == PTX_OPERAND_LABEL;
    case 'F': case 'f': return is_fragment(decoder, operand, letter);
    case 'V': return decode_is_texel(decoder, operand, true);
    case 'S': return decode_is_texel(decoder, operand, false);
    case 'T': return decode_is_texture_address(decoder, operand);
    case 'k': return true;
    default: return false;
    }
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
    for (const char *letter = opcode->operands; *letter; letter++) {
        if (!isalpha((unsigned char)*letter))
            continue;
        bool optional = letter[1] == '?';
        if (count == operand_count) {
            if (!optional)
                return false;
            continue;
        }
        if (!operand_fits(decoder, letter, &instruction->operands[count]))
            return false;
        count++;
    }
    return count == operand_count;
}

const struct opcode *decode_find_opcode(struct decoder *decoder)
{
    const struct opcode_index *index = decoder->machine->opcodes;
    const struct opcode *first = opcode_find(index, decoder->instruction, NULL);
    for (const struct opcode *row = first; row;
         row = opcode_find(index, decoder->instruction, row))
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
