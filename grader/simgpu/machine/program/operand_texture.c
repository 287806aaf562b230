/* operand_texture.c - the operands of texture and surface instructions: texels, and coordinates,
 * which stand in brackets after the object they belong to. */
#include "decode_internal.h"
#include "texture.h"

#include <string.h>

/* {a, b, c, d}, or {a, b, c, d}|p: the texel alone. */
static const struct ptx_operand *texel_of(const struct ptx_operand *operand)
{
    return operand->kind == PTX_OPERAND_PAIR ? &operand->list[0] : operand;
}

bool decode_is_texel(const struct decoder *decoder, const struct ptx_operand *operand,
                     bool is_destination)
{
    unsigned bytes = decode_type_bytes(decode_last_type(decoder->instruction));
    const struct ptx_operand *texel = texel_of(operand);
    if (operand->kind == PTX_OPERAND_PAIR && !is_destination)
        return false;
    if (texel->kind != PTX_OPERAND_VECTOR || texel->count < 1 || texel->count > TEXEL_CHANNELS)
        return false;
    for (uint32_t i = 0; i < texel->count; i++) {
        const struct ptx_operand *part = &texel->list[i];
        bool is_number = part->kind == PTX_OPERAND_INTEGER || part->kind == PTX_OPERAND_FLOAT32;
        if (!decode_is_register(decoder, part, bytes, true) &&
            !(is_destination ? part->kind == PTX_OPERAND_SINK : is_number))
            return false;
    }
    return true;
}

/* [object, {x, y}]: the object a register of 64 bits, coordinates of 32. */
bool decode_is_texture_address(const struct decoder *decoder, const struct ptx_operand *operand)
{
    if (operand->kind != PTX_OPERAND_VECTOR || operand->count != 2)
        return false;
    const struct ptx_operand *object = &operand->list[0], *place = &operand->list[1];
    if (object->kind != PTX_OPERAND_ADDRESS || object->count != 1 || object->value ||
        !decode_is_register(decoder, &object->list[0], 8, false) ||
        place->kind != PTX_OPERAND_VECTOR || place->count < 1 ||
        place->count > LIST_ENTRIES - LIST_COORDINATES)
        return false;
    for (uint32_t i = 0; i < place->count; i++) {
        const struct ptx_operand *part = &place->list[i];
        if (part->kind != PTX_OPERAND_INTEGER && part->kind != PTX_OPERAND_FLOAT32 &&
            !decode_is_register(decoder, part, 4, false))
            return false;
    }
    return true;
}

/* The list of op, made when its first operand comes. */
static uint32_t *list_of(struct decoder *decoder, struct op *op)
{
    uint32_t *list = op->list ? (uint32_t *)op->list : decode_list(decoder, LIST_ENTRIES);
    for (uint32_t i = 0; list && !op->list && i < LIST_ENTRIES; i++)
        list[i] = NO_REGISTER;
    return list;
}

bool decode_texel(struct decoder *decoder, struct op *op, const struct ptx_operand *operand,
                  bool is_destination)
{
    const struct ptx_operand *texel = texel_of(operand);
    uint32_t *list = list_of(decoder, op);
    uint8_t bytes = (uint8_t)decode_type_bytes(decode_last_type(decoder->instruction));
    unsigned widest = 0;
    op->list = list;
    if (!list)
        return false;
    if (texel->count != op->count)
        return decode_fail(decoder, "%u registers stand where %u are needed", texel->count,
                           op->count);
    for (uint32_t i = 0; i < texel->count; i++) {
        const struct ptx_operand *part = &texel->list[i];
        if (part->kind == PTX_OPERAND_SINK)
            continue;
        list[i] =
            is_destination ? decoder->place[part->index] : decode_source(decoder, part, bytes);
        unsigned has = part->kind == PTX_OPERAND_REGISTER
                           ? decode_register_bytes(decoder, part->index)
                           : bytes;
        if (widest && has != widest)
            return decode_fail(decoder, "the registers of a texel differ in width");
        widest = has;
    }
    op->dst_bytes = (uint8_t)(widest ? widest : bytes);
    if (operand->kind == PTX_OPERAND_PAIR && operand->list[1].kind == PTX_OPERAND_REGISTER)
        op->dst2 = decoder->place[operand->list[1].index];
    return true;
}

/* --- What the suffixes say -------------------------------------------------------------------- */

static const struct {
    const char *word;
    uint32_t coordinates; /* that PTX writes, one of them unused where it is 4 */
} SHAPES[TEXTURE_SHAPES] = {
    [TEXTURE_1D] = {"1d", 1},      [TEXTURE_2D] = {"2d", 2},   [TEXTURE_3D] = {"3d", 4},
    [TEXTURE_A1D] = {"a1d", 2},    [TEXTURE_A2D] = {"a2d", 4}, [TEXTURE_CUBE] = {"cube", 4},
    [TEXTURE_ACUBE] = {"acube", 4}};

static const char *const BOUNDARIES[] = {
    [BOUNDARY_TRAP] = "trap", [BOUNDARY_CLAMP] = "clamp", [BOUNDARY_ZERO] = "zero"};
static const char *const CHANNELS[] = {"r", "g", "b", "a"};

static bool has(const struct ptx_instruction *instruction, const char *word)
{
    for (unsigned i = 0; i < instruction->modifier_count; i++)
        if (strcmp(instruction->modifiers[i], word) == 0)
            return true;
    return false;
}

/* Which of count words the instruction has; 0 when it has none. */
static uint32_t which(const struct ptx_instruction *instruction, const char *const *words,
                      uint32_t count)
{
    for (uint32_t i = 0; i < count; i++)
        if (has(instruction, words[i]))
            return i;
    return 0;
}

/* Its shape; TEXTURE_SHAPES when it names none, or more than one. */
static uint32_t shape_of(const struct ptx_instruction *instruction)
{
    uint32_t found = TEXTURE_SHAPES, count = 0;
    for (uint32_t i = 0; i < TEXTURE_SHAPES; i++)
        if (has(instruction, SHAPES[i].word)) {
            found = i;
            count++;
        }
    return count == 1 ? found : TEXTURE_SHAPES;
}

bool decode_texture_address(struct decoder *decoder, struct op *op,
                            const struct ptx_operand *operand)
{
    const struct ptx_instruction *instruction = decoder->instruction;
    const struct ptx_operand *place = &operand->list[1];
    uint32_t *list = list_of(decoder, op), shape = shape_of(instruction);
    bool is_surface = instruction->name[0] == 's', is_gather = instruction->name[1] == 'l';
    op->list = list;
    if (!list)
        return false;
    if (shape == TEXTURE_SHAPES || place->count != SHAPES[shape].coordinates)
        return decode_fail(decoder, "%u coordinates do not fit the shape of '%s'", place->count,
                           instruction->name);
    for (uint32_t i = 0; i < place->count; i++)
        list[LIST_COORDINATES + i] = decode_source(decoder, &place->list[i], 4);
    op->src[0] = decode_source(decoder, &operand->list[0].list[0], 8);
    op->space = SPACE_GLOBAL;
    op->target = shape;
    if (is_surface)
        op->target |= which(instruction, BOUNDARIES, 3) << BOUNDARY_SHIFT;
    else if (is_gather)
        op->target |= which(instruction, CHANNELS, TEXEL_CHANNELS) << CHANNEL_SHIFT;
    if (!is_surface && decode_last_type(instruction) == PTX_s32)
        op->target |= BY_INDEX;
    return true;
}
