/* operation.c - one instruction becomes an op: most by the letters of its row (operand.c), branches
 * through a table and calls in a way of their own. */
#include "decode_internal.h"

#include <string.h>

/* brx.idx a, labels: the list holds basic blocks, target their number. */
static bool indexed_branch(struct decoder *decoder, struct op *op)
{
    const struct ptx_instruction *instruction = decoder->instruction;
    if (instruction->operand_count != 2 ||
        !decode_is_register(decoder, &instruction->operands[0], 4, false) ||
        instruction->operands[1].kind != PTX_OPERAND_TARGETS)
        return decode_fail(decoder, "brx.idx needs a 32-bit index and a list of labels");
    const struct ptx_targets *targets = &decoder->syntax->targets[instruction->operands[1].index];
    uint32_t *list = decode_list(decoder, targets->count);
    if (!list)
        return false;
    for (size_t i = 0; i < targets->count; i++) {
        if (targets->labels[i].kind != PTX_OPERAND_LABEL)
            return decode_fail(decoder, "a list of branch targets holds something else");
        list[i] = decode_block_of(decoder, targets->labels[i].index);
    }
    op->src[0] = decode_source(decoder, &instruction->operands[0], 4);
    op->source_count = 1;
    decoder->module->ops[op->id].source_bytes[0] = 4;
    op->list = list;
    op->target = (uint32_t)targets->count;
    return true;
}

/* The variables a call passes or gets back, as (place, bytes) from list[*used] on. */
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
    uint32_t *list = decode_list(decoder, 2 + 2 * count);
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
    if (!callee || !decode_is_register(decoder, callee, 8, false))
        return decode_fail(decoder, "a call needs a function or a 64-bit register");
    op->run = call_indirect;
    op->src[0] = decode_source(decoder, callee, 8);
    decoder->module->ops[op->id].source_bytes[0] = 8;
    return true;
}

/* What true looks like in the destination of set: PTX ISA 9.7.6.1. */
static uint32_t set_true(const struct ptx_instruction *instruction)
{
    enum ptx_type from = decode_last_type(instruction);
    bool packed = from == PTX_f16x2 || from == PTX_bf16x2;
    switch (decode_first_type(instruction)) {
    case PTX_f32: return 0x3F800000;
    case PTX_f16:
    case PTX_f16x2: return 0x3C00;
    case PTX_bf16:
    case PTX_bf16x2: return 0x3F80;
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
    enum ptx_type last = decode_last_type(instruction);
    op->type = (uint8_t)decode_first_type(instruction);
    op->bytes = (uint8_t)(ptx_type_bits(last) / 8);
    opcode_apply_modifiers(instruction, op);
    if (op->run == brx || op->run == call) {
        undefined_note(&decoder->module->ops[op->id], opcode, op);
        return op->run == brx ? indexed_branch(decoder, op) : call_instruction(decoder, op);
    }
    if (!check_types(decoder, opcode) || !decode_operands(decoder, opcode, op))
        return false;
    if (strcmp(instruction->name, "set") == 0)
        op->offset = set_true(instruction);
    if (strcmp(instruction->name, "cvt") == 0)
        op->target = last;
    if (strcmp(instruction->name, "mma") == 0 || strcmp(instruction->name, "wmma") == 0)
        op->target = matrix_types(instruction);
    undefined_note(&decoder->module->ops[op->id], opcode, op);
    return true;
}
