/* operand.c - the operands of one instruction become registers of its op, by the letters of its row
 * in opcodes.def. Next: operation.c. */
#include "decode_internal.h"

#include <ctype.h>
#include <string.h>

/* A result nobody wants (_) goes to a register nobody reads, so that handlers always have one; but
 * an atomic operation without a result is a reduction. */
static uint32_t destination(struct decoder *decoder, const struct op *op,
                            const struct ptx_operand *operand)
{
    if (operand->kind == PTX_OPERAND_REGISTER)
        return decoder->place[operand->index];
    if (op->row->flags & OP_ATOMIC)
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

uint32_t decode_source(struct decoder *decoder, const struct ptx_operand *operand, uint8_t bytes)
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
    return decode_source(decoder, operand, 0);
}

/* [base + offset]: the base in src[slot], and its width. */
static uint8_t address_base(struct decoder *decoder, struct op *op, unsigned slot,
                            const struct ptx_operand *operand, int64_t *offset)
{
    uint8_t bytes = 8;
    *offset = (int64_t)operand->value;
    if (operand->count == 0) {
        op->src[slot] = decode_constant(decoder, (uint64_t)*offset, 8, CONSTANT_VALUE);
        *offset = 0;
    } else {
        const struct ptx_operand *base = &operand->list[0];
        if (base->kind == PTX_OPERAND_REGISTER)
            bytes = (uint8_t)decode_register_bytes(decoder, base->index);
        op->src[slot] = decode_source(decoder, base, bytes);
    }
    return decoder->module->ops[op->id].source_bytes[slot] = bytes;
}

/* The mbarrier of st.async, after a vector, whose width is in dst_bytes. */
static bool after_vector_operand(struct decoder *decoder, struct op *op, unsigned slot,
                                 const struct ptx_operand *operand)
{
    int64_t offset;
    address_base(decoder, op, slot, operand, &offset);
    op->target = (uint32_t)offset;
    return true;
}

/* The width of the first is in src_bytes. */
static bool address_operand(struct decoder *decoder, struct op *op, unsigned slot,
                            const struct ptx_operand *operand)
{
    int64_t offset;
    uint8_t bytes = address_base(decoder, op, slot, operand, &offset);
    if (slot == 0) {
        op->src_bytes = bytes;
        op->offset = offset;
    } else if (slot == 1) { /* the second address of cp.async */
        op->dst_bytes = bytes;
        op->target = (uint32_t)offset;
    } else { /* the mbarrier of a bulk copy */
        uint32_t *list = decode_list(decoder, 1);
        if (!list)
            return false;
        list[0] = (uint32_t)offset;
        op->list = list;
    }
    return true;
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

uint32_t *decode_list(struct decoder *decoder, size_t count)
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
    uint32_t *list = decode_list(decoder, count);
    if (!list)
        return false;
    unsigned widest = 0;
    for (uint32_t i = 0; i < count; i++) {
        list[i] = items[i].kind == PTX_OPERAND_SINK ? NO_REGISTER
                  : is_destination                  ? destination(decoder, op, &items[i])
                                                    : decode_source(decoder, &items[i], bytes);
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
    uint32_t *list = decode_list(decoder, before + operand->count);
    if (!list)
        return false;
    if (before)
        memcpy(list, op->list, before * sizeof *list);
    for (uint32_t i = 0; i < operand->count; i++)
        list[before + i] = is_destination
                               ? destination(decoder, op, &operand->list[i])
                               : decode_source(decoder, &operand->list[i],
                                               (uint8_t)decode_fragment_bytes(decoder));
    if (!is_destination)
        op->src[(*slot)++] = before;
    op->list = list;
    op->count = (uint8_t)(before + operand->count);
    return true;
}

static void pair_operand(struct decoder *decoder, struct op *op, const struct ptx_operand *operand)
{
    bool pair = operand->kind == PTX_OPERAND_PAIR;
    op->dst = destination(decoder, op, pair ? &operand->list[0] : operand);
    if (pair)
        op->dst2 = destination(decoder, op, &operand->list[1]);
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
    uint8_t first = (uint8_t)decode_type_bytes(decode_first_type(decoder->instruction));
    uint8_t last = (uint8_t)decode_type_bytes(decode_last_type(decoder->instruction));
    uint8_t bytes = letter == 'A'   ? (uint8_t)(2 * last)
                    : letter == 'b' ? first
                    : letter == 'u' ? 4
                    : letter == 'c' ? 2
                    : letter == 'L' ? 8
                                    : last;
    struct op_info *info = &decoder->module->ops[op->id];
    switch (letter) {
    case 'd': case 'D': case 'x': case 'w': case 'h':
        op->dst = destination(decoder, op, operand);
        op->dst_bytes = operand->kind == PTX_OPERAND_REGISTER
                            ? (uint8_t)decode_register_bytes(decoder, operand->index)
                            : first;
        info->result_bytes = op->dst_bytes;
        return true;
    case 't': case 'p':
        info->result_bytes = letter == 't' ? 4 : 0;
        pair_operand(decoder, op, operand);
        return true;
    case 'a': case 'A': case 'b': case 'u': case 'c': case 'L': case 'y':
        if (operand->kind == PTX_OPERAND_REGISTER)
            bytes = (uint8_t)decode_register_bytes(decoder, operand->index);
        if (*slot == 0)
            op->src_bytes = bytes;
        info->source_bytes[*slot] = bytes;
        op->src[(*slot)++] = decode_source(decoder, operand, bytes);
        return true;
    case 'q':
        op->negated |= (uint8_t)(operand->negated << *slot);
        op->src[(*slot)++] = predicate_operand(decoder, operand);
        return true;
    case 'm': return address_operand(decoder, op, (*slot)++, operand);
    case 'M': return after_vector_operand(decoder, op, (*slot)++, operand);
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
    case 'V': return decode_texel(decoder, op, operand, true);
    case 'S': return decode_texel(decoder, op, operand, false);
    case 'T': return decode_texture_address(decoder, op, operand);
    case 'k': return true;
    case 'F': return fragment_operand(decoder, op, slot, operand, true);
    case 'f': return fragment_operand(decoder, op, slot, operand, false);
    default: return decode_fail(decoder, "the opcode table names an operand '%c'", letter);
    }
}

bool decode_operands(struct decoder *decoder, const struct opcode *opcode, struct op *op)
{
    unsigned slot = 0, count = 0, operand_count = decode_operand_count(decoder->instruction);
    for (const char *letter = opcode->operands; *letter; letter++)
        if (isalpha((unsigned char)*letter) && count < operand_count)
            if (!operand_by_letter(decoder, op, *letter, &decoder->instruction->operands[count++],
                                   &slot))
                return false;
    op->source_count = (uint8_t)slot;
    return true;
}
