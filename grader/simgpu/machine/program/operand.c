/* operand.c - the operands of one instruction become registers of its op, by the letters of its row
 * (operands.def). Next: operation.c. */
#include "decode_internal.h"
#include "machine_internal.h"

#include <string.h>

/* A result that is not wanted (_) goes to a register that is never read, so that handlers always
 * have one; but an atomic operation without a result is a reduction. */
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
        return decode_constant(decoder,
                               decoder->machine->windows + FUNCTION_WINDOW + operand->index, bytes,
                               CONSTANT_VALUE);
    case PTX_OPERAND_SINK: return NO_REGISTER;
    default: return decode_constant(decoder, constant_bits(operand, bytes), bytes, CONSTANT_VALUE);
    }
}

uint32_t *decode_list(struct decoder *decoder, size_t count)
{
    return arena_alloc(&decoder->module->arena, count * sizeof(uint32_t));
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

/* --- What becomes of an operand, by the role of its letter ------------------------------------ */

struct taken {
    const struct operand_letter *letter;
    uint8_t bytes; /* of a register, as the letter says; 0: of any, or of none */
    unsigned slot; /* sources so far */
};

static bool take_result(struct decoder *decoder, struct op *op, const struct ptx_operand *operand)
{
    enum ptx_type first = decode_first_type(decoder->instruction);
    op->dst = destination(decoder, op, operand);
    op->dst_bytes = (uint8_t)(operand->kind == PTX_OPERAND_REGISTER
                                  ? decode_register_bytes(decoder, operand->index)
                                  : decode_type_bytes(first));
    decoder->module->ops[op->id].result_bytes = op->dst_bytes;
    return true;
}

static bool take_value(struct decoder *decoder, struct op *op, const struct ptx_operand *operand,
                       struct taken *taken)
{
    uint8_t bytes = taken->bytes;
    if (taken->letter->is_written)
        return take_result(decoder, op, operand);
    if (operand->kind == PTX_OPERAND_REGISTER)
        bytes = (uint8_t)decode_register_bytes(decoder, operand->index);
    if (taken->slot == 0)
        op->src_bytes = bytes;
    decoder->module->ops[op->id].source_bytes[taken->slot] = bytes;
    op->src[taken->slot++] = decode_source(decoder, operand, bytes);
    return true;
}

static bool take_wide_value(struct decoder *decoder, struct op *op,
                            const struct ptx_operand *operand, struct taken *taken)
{
    return take_value(decoder, op, operand, taken);
}

static bool take_pair(struct decoder *decoder, struct op *op, const struct ptx_operand *operand,
                      struct taken *taken)
{
    bool pair = operand->kind == PTX_OPERAND_PAIR;
    decoder->module->ops[op->id].result_bytes = taken->bytes;
    op->dst = destination(decoder, op, pair ? &operand->list[0] : operand);
    if (pair)
        op->dst2 = destination(decoder, op, &operand->list[1]);
    return true;
}

static bool take_predicates(struct decoder *decoder, struct op *op,
                            const struct ptx_operand *operand, struct taken *taken)
{
    return take_pair(decoder, op, operand, taken);
}

static bool take_predicate(struct decoder *decoder, struct op *op,
                           const struct ptx_operand *operand, struct taken *taken)
{
    op->negated |= (uint8_t)(operand->negated << taken->slot);
    if (operand->kind == PTX_OPERAND_INTEGER) /* a constant: all lanes, or none */
        op->src[taken->slot++] =
            decode_constant(decoder, operand->value ? UINT64_MAX : 0, 4, CONSTANT_VALUE);
    else
        op->src[taken->slot++] = decode_source(decoder, operand, 0);
    return true;
}

static bool take_number(struct decoder *decoder, struct op *op, const struct ptx_operand *operand,
                        struct taken *taken)
{
    (void)decoder, (void)taken;
    op->offset = (int64_t)operand->value;
    return true;
}

static bool take_copied_bytes(struct decoder *decoder, struct op *op,
                              const struct ptx_operand *operand, struct taken *taken)
{
    (void)taken;
    op->bytes = (uint8_t)operand->value;
    if (operand->value != 4 && operand->value != 8 && operand->value != 16)
        return decode_fail(decoder, "a copy has 4, 8 or 16 bytes");
    return true;
}

static bool take_ignored(struct decoder *decoder, struct op *op, const struct ptx_operand *operand,
                         struct taken *taken)
{
    (void)decoder, (void)op, (void)operand, (void)taken;
    return true;
}

static bool take_special(struct decoder *decoder, struct op *op, const struct ptx_operand *operand,
                         struct taken *taken)
{
    (void)taken;
    enum special special = special_named(operand->name, operand->index, &op->offset);
    if (special == SPECIAL_UNKNOWN)
        return decode_fail(decoder, "the register '%.40s' is not known", operand->name);
    op->kind = (uint8_t)special;
    decoder->module->uses_reserved_shared |= special == SPECIAL_RESERVED_SHARED;
    return true;
}

static bool take_label(struct decoder *decoder, struct op *op, const struct ptx_operand *operand,
                       struct taken *taken)
{
    (void)taken;
    op->target = decode_block_of(decoder, operand->index);
    return true;
}

/* The width of the first address is in src_bytes. */
static bool take_address(struct decoder *decoder, struct op *op, const struct ptx_operand *operand,
                         struct taken *taken)
{
    int64_t offset;
    unsigned slot = taken->slot++;
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

/* The mbarrier of st.async, after a vector, whose width is in dst_bytes. */
static bool take_later_address(struct decoder *decoder, struct op *op,
                               const struct ptx_operand *operand, struct taken *taken)
{
    int64_t offset;
    address_base(decoder, op, taken->slot++, operand, &offset);
    op->target = (uint32_t)offset;
    return true;
}

/* [parameter + offset]: kind 0 is the launch's block, kind 1 a variable in the frame. */
static bool take_parameter(struct decoder *decoder, struct op *op,
                           const struct ptx_operand *operand, struct taken *taken)
{
    (void)taken;
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

static bool take_texture_place(struct decoder *decoder, struct op *op,
                               const struct ptx_operand *operand, struct taken *taken)
{
    (void)taken;
    return decode_texture_address(decoder, op, operand);
}

/* The register that an operand of several is written to, or read from. */
static uint32_t register_of(struct decoder *decoder, const struct op *op,
                            const struct ptx_operand *item, const struct operand_letter *letter,
                            uint8_t bytes)
{
    return letter->is_written ? destination(decoder, op, item)
                              : decode_source(decoder, item, bytes);
}

/* One register or a {vector} of them, into op->list. */
static bool take_vector(struct decoder *decoder, struct op *op, const struct ptx_operand *operand,
                        struct taken *taken)
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
        if (items[i].kind == PTX_OPERAND_SINK)
            list[i] = NO_REGISTER;
        else
            list[i] = register_of(decoder, op, &items[i], taken->letter, taken->bytes);
        if (items[i].kind == PTX_OPERAND_REGISTER) {
            unsigned has = decode_register_bytes(decoder, items[i].index);
            if (widest && has != widest)
                return decode_fail(decoder, "the registers of a vector differ in width");
            widest = has;
        }
    }
    op->list = list;
    op->dst_bytes = (uint8_t)(widest ? widest : taken->bytes);
    return true;
}

static bool take_parts(struct decoder *decoder, struct op *op, const struct ptx_operand *operand,
                       struct taken *taken)
{
    op->count = (uint8_t)operand->count;
    op->bytes = (uint8_t)(taken->bytes / operand->count);
    taken->bytes = op->bytes == 1 ? 2 : op->bytes;
    return take_vector(decoder, op, operand, taken);
}

/* The registers of a fragment, after those of the fragments before it in op->list. For a source,
 * src[slot] tells where they begin. */
static bool take_fragment(struct decoder *decoder, struct op *op, const struct ptx_operand *operand,
                          struct taken *taken)
{
    uint32_t before = op->list ? op->count : 0;
    uint32_t *list = decode_list(decoder, before + operand->count);
    if (!list)
        return false;
    if (before)
        memcpy(list, op->list, before * sizeof *list);
    for (uint32_t i = 0; i < operand->count; i++)
        list[before + i] = register_of(decoder, op, &operand->list[i], taken->letter,
                                       (uint8_t)decode_fragment_bytes(decoder));
    if (!taken->letter->is_written)
        op->src[taken->slot++] = before;
    op->list = list;
    op->count = (uint8_t)(before + operand->count);
    return true;
}

static bool take_texel(struct decoder *decoder, struct op *op, const struct ptx_operand *operand,
                       struct taken *taken)
{
    return decode_texel(decoder, op, operand, taken->letter->is_written);
}

typedef bool take(struct decoder *, struct op *, const struct ptx_operand *, struct taken *);

static take *const TAKE[] = {
#define OPERAND(letter, role, width, direction, meaning) [letter] = take_##role,
#include "operands.def"
#undef OPERAND
};

bool decode_operands(struct decoder *decoder, const struct opcode *opcode, struct op *op)
{
    const struct ptx_instruction *instruction = decoder->instruction;
    unsigned count = 0, operand_count = decode_operand_count(instruction);
    struct taken taken = {.slot = 0};
    const char *at = operand_next(opcode->operands);
    for (; at && count < operand_count; at = operand_next(at + 1)) {
        taken.letter = operand_letter(*at);
        taken.bytes = (uint8_t)decode_width(instruction, taken.letter->width);
        if (!TAKE[(unsigned char)*at](decoder, op, &instruction->operands[count++], &taken))
            return false;
    }
    op->source_count = (uint8_t)taken.slot;
    return true;
}
