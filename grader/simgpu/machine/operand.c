/* operand.c - the operands of one instruction, by the letters of its row in opcodes.def. */
#include "decode_internal.h"

#include <ctype.h>
#include <string.h>

/* --- Which row? Several may share a name, types and modifiers and differ in operands. --------- */

static enum ptx_type first_type(const struct ptx_instruction *instruction)
{
    return instruction->type_count ? instruction->types[0] : PTX_NO_TYPE;
}

static enum ptx_type last_type(const struct ptx_instruction *instruction)
{
    return instruction->type_count ? instruction->types[instruction->type_count - 1] : PTX_NO_TYPE;
}

/* Registers hold 8-bit values in 16 bits. */
static unsigned register_bytes_of(enum ptx_type type)
{
    unsigned bits = ptx_type_bits(type);
    return bits <= 8 ? 2 : bits / 8;
}

static bool is_register(const struct decoder *decoder, const struct ptx_operand *operand,
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
    return is_register(decoder, operand, bytes, or_wider) || is_constant(operand) ||
           (is_address && bytes >= 4);
}

static bool is_destination(const struct decoder *decoder, const struct ptx_operand *operand,
                           unsigned bytes, bool or_wider)
{
    return operand->kind == PTX_OPERAND_SINK || is_register(decoder, operand, bytes, or_wider);
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
            is_register(decoder, &operand->list[0], 4, true));
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

/* {r0, r1, ...}: as many registers, or numbers, as stand behind the letter, of 32 bits each; of 64
 * when the matrix is one of doubles. */
static unsigned fragment_register_bytes(const struct decoder *decoder)
{
    return first_type(decoder->instruction) == PTX_f64 ? 8 : 4;
}

static bool is_fragment(const struct decoder *decoder, const struct ptx_operand *operand,
                        const char *letter)
{
    unsigned bytes = fragment_register_bytes(decoder);
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
    unsigned first = register_bytes_of(first_type(decoder->instruction));
    unsigned last = register_bytes_of(last_type(decoder->instruction));
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
    case 'm': return is_address(decoder, operand);
    case 'P': return is_parameter_address(decoder, operand);
    case 'i': case 'n': return operand->kind == PTX_OPERAND_INTEGER;
    case 'v': return all_of(decoder, operand, last, is_destination);
    case 'z': return all_of(decoder, operand, last, is_source);
    case 'U': return are_parts(decoder, operand, last, true);
    case 'W': return are_parts(decoder, operand, first, false);
    case 'r': return operand->kind == PTX_OPERAND_SPECIAL;
    case 'l': return operand->kind == PTX_OPERAND_LABEL;
    case 'F': case 'f': return is_fragment(decoder, operand, letter);
    default: return false;
    }
}

static bool operands_fit(const struct decoder *decoder, const struct opcode *opcode)
{
    const struct ptx_instruction *instruction = decoder->instruction;
    if (opcode->operands[0] == '*')
        return true;
    unsigned count = 0;
    for (const char *letter = opcode->operands; *letter; letter++) {
        if (!isalpha((unsigned char)*letter))
            continue;
        bool optional = letter[1] == '?';
        if (count == instruction->operand_count) {
            if (!optional)
                return false;
            continue;
        }
        if (!operand_fits(decoder, letter, &instruction->operands[count]))
            return false;
        count++;
    }
    return count == instruction->operand_count;
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

/* --- Operands to registers -------------------------------------------------------------------- */

/* A result nobody wants (_) goes to a register nobody reads, so that handlers always have one; but
 * an atomic operation without a result is a reduction. */
static uint32_t destination(struct decoder *decoder, const struct ptx_operand *operand)
{
    if (operand->kind == PTX_OPERAND_REGISTER)
        return decoder->place[operand->index];
    if (strcmp(decoder->instruction->name, "atom") == 0)
        return NO_REGISTER;
    return decode_place(decoder, 8 * WARP_LANES);
}

/* The address of a variable, as a constant register. */
static uint32_t variable_address(struct decoder *decoder, const struct ptx_operand *operand,
                                 uint8_t bytes)
{
    const struct ptx_variable *variable = &decoder->module->syntax->variables[operand->index];
    uint64_t value = decoder->module->variable_address[operand->index] + operand->value;
    enum constant_kind kind = CONSTANT_VALUE;
    uint32_t offset;
    if (variable->space == PTX_SPACE_LOCAL)
        kind = CONSTANT_LOCAL;
    if (variable->space == PTX_SPACE_SHARED && variable->unsized)
        kind = CONSTANT_DYNAMIC_SHARED;
    if (decode_kernel_parameter(decoder, operand->index, &offset))
        value = offset + operand->value;
    return decode_constant(decoder, value, bytes, kind);
}

static uint64_t constant_bits(const struct ptx_operand *operand, uint8_t bytes)
{
    double wide;
    float narrow;
    uint32_t bits;
    if (operand->kind != PTX_OPERAND_FLOAT64 || bytes != 4)
        return operand->value;
    memcpy(&wide, &operand->value, sizeof wide); /* 1.5 written for a float */
    narrow = (float)wide;
    memcpy(&bits, &narrow, sizeof bits);
    return bits;
}

static uint32_t source(struct decoder *decoder, const struct ptx_operand *operand, uint8_t bytes)
{
    switch (operand->kind) {
    case PTX_OPERAND_REGISTER:
        decoder->is_read[operand->index] = true;
        return decoder->place[operand->index];
    case PTX_OPERAND_VARIABLE: return variable_address(decoder, operand, bytes);
    case PTX_OPERAND_FUNCTION:
        return decode_constant(decoder, FUNCTION_WINDOW + operand->index, bytes, CONSTANT_VALUE);
    case PTX_OPERAND_SINK: return NO_REGISTER;
    default:
        return decode_constant(decoder, constant_bits(operand, bytes), bytes, CONSTANT_VALUE);
    }
}

static uint32_t predicate_operand(struct decoder *decoder, const struct ptx_operand *operand)
{
    if (operand->kind == PTX_OPERAND_INTEGER) /* a predicate constant: all lanes, or none */
        return decode_constant(decoder, operand->value ? UINT64_MAX : 0, 4, CONSTANT_VALUE);
    return source(decoder, operand, 0);
}

/* [base + offset]: the base in src[slot], whose width src_bytes tells. */
static void address_operand(struct decoder *decoder, struct op *op, unsigned slot,
                            const struct ptx_operand *operand)
{
    uint8_t bytes = 8;
    int64_t offset = (int64_t)operand->value;
    if (operand->count == 0) {
        op->src[slot] = decode_constant(decoder, (uint64_t)offset, 8, CONSTANT_VALUE);
        offset = 0;
    } else {
        const struct ptx_operand *base = &operand->list[0];
        if (base->kind == PTX_OPERAND_REGISTER)
            bytes = (uint8_t)decode_register_bytes(decoder, base->index);
        op->src[slot] = source(decoder, base, bytes);
    }
    if (slot == 0) {
        op->src_bytes = bytes;
        op->offset = offset;
    } else { /* the second address of cp.async */
        op->dst_bytes = bytes;
        op->target = (uint32_t)offset;
    }
}

/* [parameter + offset]: kind 0 is the launch's block, kind 1 a variable in the frame. */
static bool parameter_operand(struct decoder *decoder, struct op *op,
                              const struct ptx_operand *operand)
{
    uint32_t variable = operand->list[0].index, offset;
    uint64_t size = decoder->module->syntax->variables[variable].size_bytes;
    uint64_t end = operand->value + (uint64_t)op->bytes * op->count;
    if (operand->value > size || end > size)
        return decode_fail(decoder, "an access leaves the parameter '%.60s'",
                           operand->list[0].name);
    op->offset = (int64_t)operand->value;
    if (decode_kernel_parameter(decoder, variable, &offset)) {
        op->kind = 0;
        op->offset += offset;
        return true;
    }
    op->kind = 1;
    op->src[3] = decode_parameter_place(decoder, variable);
    op->target = (uint32_t)size;
    if (op->src[3] == NO_REGISTER)
        return decode_fail(decoder, "the parameter '%.60s' belongs to another function",
                           operand->list[0].name);
    return true;
}

static uint32_t *new_list(struct decoder *decoder, size_t count)
{
    return arena_alloc(&decoder->module->arena, count * sizeof(uint32_t));
}

/* One register or a {vector} of them, into op->list. */
static bool vector_operand(struct decoder *decoder, struct op *op,
                           const struct ptx_operand *operand, bool is_destination, uint8_t bytes)
{
    const struct ptx_operand *items = operand;
    uint32_t count = 1;
    if (operand->kind == PTX_OPERAND_VECTOR) {
        items = operand->list;
        count = operand->count;
    }
    if (count != op->count)
        return decode_fail(decoder, "%u operands stand where %u are needed", count, op->count);
    uint32_t *list = new_list(decoder, count);
    if (!list)
        return false;
    unsigned widest = 0;
    for (uint32_t i = 0; i < count; i++) {
        list[i] = items[i].kind == PTX_OPERAND_SINK ? NO_REGISTER
                  : is_destination                  ? destination(decoder, &items[i])
                                                    : source(decoder, &items[i], bytes);
        if (items[i].kind == PTX_OPERAND_REGISTER) {
            unsigned has = decode_register_bytes(decoder, items[i].index);
            if (widest && has != widest)
                return decode_fail(decoder, "the registers of a vector differ in width");
            widest = has;
        }
    }
    op->list = list;
    op->dst_bytes = (uint8_t)(widest ? widest : bytes);
    return true;
}

static bool parts_operand(struct decoder *decoder, struct op *op,
                          const struct ptx_operand *operand, bool is_destination, unsigned bytes)
{
    op->count = (uint8_t)operand->count;
    op->bytes = (uint8_t)(bytes / operand->count);
    return vector_operand(decoder, op, operand, is_destination, op->bytes);
}

/* The registers of a fragment, behind those of the fragments before it in op->list. For a source,
 * src[slot] tells where they begin. */
static bool fragment_operand(struct decoder *decoder, struct op *op, unsigned *slot,
                             const struct ptx_operand *operand, bool is_destination)
{
    uint32_t before = op->list ? op->count : 0;
    uint32_t *list = new_list(decoder, before + operand->count);
    if (!list)
        return false;
    if (before)
        memcpy(list, op->list, before * sizeof *list);
    for (uint32_t i = 0; i < operand->count; i++)
        list[before + i] = is_destination
                               ? destination(decoder, &operand->list[i])
                               : source(decoder, &operand->list[i],
                                        (uint8_t)fragment_register_bytes(decoder));
    if (!is_destination)
        op->src[(*slot)++] = before;
    op->list = list;
    op->count = (uint8_t)(before + operand->count);
    return true;
}

static void pair_operand(struct decoder *decoder, struct op *op, const struct ptx_operand *operand)
{
    bool pair = operand->kind == PTX_OPERAND_PAIR;
    op->dst = destination(decoder, pair ? &operand->list[0] : operand);
    if (pair)
        op->dst2 = destination(decoder, &operand->list[1]);
}

static bool special_operand(struct decoder *decoder, struct op *op,
                            const struct ptx_operand *operand)
{
    enum special special = special_named(operand->name, operand->index, &op->offset);
    if (special == SPECIAL_UNKNOWN)
        return decode_fail(decoder, "the register '%.40s' is not known", operand->name);
    op->kind = (uint8_t)special;
    decoder->module->uses_reserved_shared |= special == SPECIAL_RESERVED_SHARED;
    return true;
}

/* One operand by its letter. slot counts the sources so far. */
static bool operand_by_letter(struct decoder *decoder, struct op *op, char letter,
                              const struct ptx_operand *operand, unsigned *slot)
{
    uint8_t first = (uint8_t)register_bytes_of(first_type(decoder->instruction));
    uint8_t last = (uint8_t)register_bytes_of(last_type(decoder->instruction));
    uint8_t bytes = letter == 'A'   ? (uint8_t)(2 * last)
                    : letter == 'b' ? first
                    : letter == 'u' ? 4
                    : letter == 'c' ? 2
                    : letter == 'L' ? 8
                                    : last;
    switch (letter) {
    case 'd': case 'D': case 'x': case 'w': case 'h':
        op->dst = destination(decoder, operand);
        op->dst_bytes = operand->kind == PTX_OPERAND_REGISTER
                            ? (uint8_t)decode_register_bytes(decoder, operand->index)
                            : first;
        return true;
    case 't': case 'p': pair_operand(decoder, op, operand); return true;
    case 'a': case 'A': case 'b': case 'u': case 'c': case 'L': case 'y':
        if (operand->kind == PTX_OPERAND_REGISTER)
            bytes = (uint8_t)decode_register_bytes(decoder, operand->index);
        if (*slot == 0)
            op->src_bytes = bytes;
        op->src[(*slot)++] = source(decoder, operand, bytes);
        return true;
    case 'q':
        op->negated |= (uint8_t)(operand->negated << *slot);
        op->src[(*slot)++] = predicate_operand(decoder, operand);
        return true;
    case 'm': address_operand(decoder, op, (*slot)++, operand); return true;
    case 'P': return parameter_operand(decoder, op, operand);
    case 'i': op->offset = (int64_t)operand->value; return true;
    case 'n':
        op->bytes = (uint8_t)operand->value;
        if (operand->value != 4 && operand->value != 8 && operand->value != 16)
            return decode_fail(decoder, "a copy has 4, 8 or 16 bytes");
        return true;
    case 'v': return vector_operand(decoder, op, operand, true, last);
    case 'z': return vector_operand(decoder, op, operand, false, last);
    case 'U': return parts_operand(decoder, op, operand, true, last);
    case 'W': return parts_operand(decoder, op, operand, false, first);
    case 'r': return special_operand(decoder, op, operand);
    case 'l': op->target = decode_block_of(decoder, operand->index); return true;
    case 'F': return fragment_operand(decoder, op, slot, operand, true);
    case 'f': return fragment_operand(decoder, op, slot, operand, false);
    default: return decode_fail(decoder, "the opcode table names an operand '%c'", letter);
    }
}

static bool operands_by_letters(struct decoder *decoder, const struct opcode *opcode, struct op *op)
{
    unsigned slot = 0, count = 0;
    for (const char *letter = opcode->operands; *letter; letter++)
        if (isalpha((unsigned char)*letter) && count < decoder->instruction->operand_count)
            if (!operand_by_letter(decoder, op, *letter, &decoder->instruction->operands[count++],
                                   &slot))
                return false;
    op->source_count = (uint8_t)slot;
    return true;
}

/* --- Instructions with a decoding of their own ------------------------------------------------ */

/* brx.idx a, labels: the list holds basic blocks, target their number. */
static bool indexed_branch(struct decoder *decoder, struct op *op)
{
    const struct ptx_instruction *instruction = decoder->instruction;
    if (instruction->operand_count != 2 ||
        !is_register(decoder, &instruction->operands[0], 4, false) ||
        instruction->operands[1].kind != PTX_OPERAND_TARGETS)
        return decode_fail(decoder, "brx.idx needs a 32-bit index and a list of labels");
    const struct ptx_targets *targets =
        &decoder->syntax->targets[instruction->operands[1].index];
    uint32_t *list = new_list(decoder, targets->count);
    if (!list)
        return false;
    for (size_t i = 0; i < targets->count; i++) {
        if (targets->labels[i].kind != PTX_OPERAND_LABEL)
            return decode_fail(decoder, "a list of branch targets holds something else");
        list[i] = decode_block_of(decoder, targets->labels[i].index);
    }
    op->src[0] = source(decoder, &instruction->operands[0], 4);
    op->list = list;
    op->target = (uint32_t)targets->count;
    return true;
}

/* The variables a call passes or gets back, as (place, bytes) behind list[*used]. */
static bool call_variables(struct decoder *decoder, const struct ptx_operand *operands,
                           uint32_t *list, size_t *used)
{
    for (uint32_t i = 0; operands && i < operands->count; i++) {
        const struct ptx_operand *item = &operands->list[i];
        uint32_t place = item->kind == PTX_OPERAND_VARIABLE
                             ? decode_parameter_place(decoder, item->index)
                             : NO_REGISTER;
        if (place == NO_REGISTER)
            return decode_fail(decoder, "a call may only pass .param variables of its function");
        list[(*used)++] = place;
        list[(*used)++] = (uint32_t)decoder->module->syntax->variables[item->index].size_bytes;
    }
    return true;
}

/* call (results), callee, (arguments), prototype: all but the callee may be missing. The list
 * becomes: arguments, results, then a (place, bytes) each. */
static bool call_instruction(struct decoder *decoder, struct op *op)
{
    const struct ptx_instruction *instruction = decoder->instruction;
    const struct ptx_operand *results = NULL, *callee = NULL, *arguments = NULL;
    for (unsigned i = 0; i < instruction->operand_count; i++) {
        const struct ptx_operand *operand = &instruction->operands[i];
        if (operand->kind == PTX_OPERAND_ARGUMENTS && !callee)
            results = operand;
        else if (operand->kind == PTX_OPERAND_ARGUMENTS)
            arguments = operand;
        else if (!callee)
            callee = operand;
    }
    size_t count = (results ? results->count : 0) + (arguments ? arguments->count : 0), used = 2;
    uint32_t *list = new_list(decoder, 2 + 2 * count);
    if (!list)
        return false;
    list[0] = arguments ? arguments->count : 0;
    list[1] = results ? results->count : 0;
    op->list = list;
    if (!call_variables(decoder, arguments, list, &used) ||
        !call_variables(decoder, results, list, &used))
        return false;
    if (callee && callee->kind == PTX_OPERAND_FUNCTION) {
        op->target = callee->index;
        if (decoder->module->functions[callee->index].intrinsic)
            op->run = call_intrinsic;
        return true;
    }
    if (!callee || !is_register(decoder, callee, 8, false))
        return decode_fail(decoder, "a call needs a function or a 64-bit register");
    op->run = call_indirect;
    op->src[0] = source(decoder, callee, 8);
    return true;
}

/* What true looks like in the destination of set: PTX ISA 9.7.6.1. */
static uint32_t set_true(const struct ptx_instruction *instruction)
{
    enum ptx_type from = last_type(instruction);
    bool packed = from == PTX_f16x2 || from == PTX_bf16x2;
    switch (first_type(instruction)) {
    case PTX_f32: return 0x3F800000;
    case PTX_f16: case PTX_f16x2: return 0x3C00;
    case PTX_bf16: case PTX_bf16x2: return 0x3F80;
    default: return packed ? 0xFFFF : UINT32_MAX;
    }
}

/* The types of d, a, b and c, a byte each, the first lowest. wmma leaves out those of a and b when
 * they are halves; loads and stores have one type only. */
static uint32_t matrix_types(const struct ptx_instruction *instruction)
{
    const enum ptx_type *types = instruction->types;
    uint32_t d = types[0];
    if (instruction->type_count == 2)
        return d | PTX_f16 << 8 | PTX_f16 << 16 | (uint32_t)types[1] << 24;
    if (instruction->type_count == 4)
        return d | (uint32_t)types[1] << 8 | (uint32_t)types[2] << 16 | (uint32_t)types[3] << 24;
    return d;
}

/* Rows that take any type (*) mean those that a register of 64 bits can hold; cvt has rows of its
 * own for packed and for very short floats. */
static bool takes_type(const struct opcode *opcode, enum ptx_type type)
{
    unsigned bits = ptx_type_bits(type);
    char class = ptx_type_class(type);
    bool is_number = class == 'U' || class == 'S' || type == PTX_f16 || type == PTX_bf16 ||
                     type == PTX_f32 || type == PTX_f64;
    return bits >= 8 && bits <= 64 && (is_number || opcode->run != cvt_any);
}

static bool check_types(struct decoder *decoder, const struct opcode *opcode)
{
    const struct ptx_instruction *instruction = decoder->instruction;
    for (unsigned i = 0; opcode->types[0] == '*' && i < instruction->type_count; i++)
        if (!takes_type(opcode, instruction->types[i])) {
            char mnemonic[120];
            decode_mnemonic(instruction, mnemonic, sizeof mnemonic);
            return decode_fail(decoder, "'%s' is not supported by the simulated device", mnemonic);
        }
    return true;
}

bool decode_operation(struct decoder *decoder, const struct opcode *opcode, struct op *op)
{
    const struct ptx_instruction *instruction = decoder->instruction;
    enum ptx_type last = last_type(instruction);
    op->type = (uint8_t)first_type(instruction);
    op->bytes = (uint8_t)(ptx_type_bits(last) / 8);
    opcode_apply_modifiers(instruction, op);
    if (instruction->guarded) {
        op->guard = decoder->place[instruction->guard];
        op->guard_negated = instruction->guard_negated;
        decoder->is_read[instruction->guard] = true;
    }
    if (op->run == brx)
        return indexed_branch(decoder, op);
    if (op->run == call)
        return call_instruction(decoder, op);
    if (!check_types(decoder, opcode) || !operands_by_letters(decoder, opcode, op))
        return false;
    if (strcmp(instruction->name, "set") == 0)
        op->offset = set_true(instruction);
    if (strcmp(instruction->name, "cvt") == 0)
        op->target = last;
    if (strcmp(instruction->name, "mma") == 0 || strcmp(instruction->name, "wmma") == 0)
        op->target = matrix_types(instruction);
    return true;
}
