/* decode_internal.h - what the files that decode share: decode.c (basic blocks), frame.c (places of
 * registers), row.c, operand.c, operation.c. */
#ifndef SIM_DECODE_INTERNAL_H
#define SIM_DECODE_INTERNAL_H

#include "letters.h"
#include "opcode.h"

struct decoder {
    struct sim_machine *machine;
    struct module *module;
    struct function *function;
    const struct ptx_function *syntax;
    const struct ptx_instruction *instruction; /* the one being decoded */
    char complaint[200];                       /* what decode_fail said of it; or empty */
    const struct opcode **opcodes;             /* of each instruction */
    uint32_t *place;                           /* of each register in the frame */
    bool *is_read;                             /* of each register */
    uint32_t *block_at;                        /* of each instruction */
    uint32_t *successor_start, *successors;    /* of each block, see flow_find_joins */
    uint32_t first_variable, end_variable;     /* of the function, in the module */
    uint32_t *parameter_place;                 /* of those in .param space; else NO_REGISTER */
    size_t constant_room;
    bool exhausted; /* no memory for a constant */
};

/* Says why decoder->instruction cannot run. Always false, so that it can be returned. */
bool decode_fail(struct decoder *decoder, const char *format, ...)
    __attribute__((format(printf, 2, 3)));
void decode_mnemonic(const struct ptx_instruction *instruction, char *text, size_t size);

uint32_t decode_place(struct decoder *decoder, uint32_t bytes);
uint32_t decode_register_bytes(const struct decoder *decoder, uint32_t index);
uint32_t decode_constant(struct decoder *decoder, uint64_t value, uint8_t bytes,
                         enum constant_kind kind);
bool decode_kernel_parameter(const struct decoder *decoder, uint32_t variable, uint32_t *offset);
uint32_t decode_parameter_place(const struct decoder *decoder, uint32_t variable);
uint32_t decode_block_of(const struct decoder *decoder, uint32_t instruction);

/* frame.c. Give each register its place in the frame. False when memory is exhausted. */
bool decode_place_registers(struct decoder *decoder);

/* The first and the last type that an instruction names; PTX_NO_TYPE when it names none. */
static inline enum ptx_type decode_first_type(const struct ptx_instruction *instruction)
{
    return instruction->type_count ? instruction->types[0] : PTX_NO_TYPE;
}

static inline enum ptx_type decode_last_type(const struct ptx_instruction *instruction)
{
    return instruction->type_count ? instruction->types[instruction->type_count - 1] : PTX_NO_TYPE;
}

/* Registers hold 8-bit values in 16 bits. */
static inline unsigned decode_type_bytes(enum ptx_type type)
{
    unsigned bits = ptx_type_bits(type);
    return bits <= 8 ? 2 : bits / 8;
}

/* The bytes of a register that an operand letter's width means. */
static inline unsigned decode_width(const struct ptx_instruction *instruction, int width)
{
    switch (width) {
    case OPERAND_FIRST: return decode_type_bytes(decode_first_type(instruction));
    case OPERAND_LAST: return decode_type_bytes(decode_last_type(instruction));
    case OPERAND_TWICE: return 2 * decode_type_bytes(decode_last_type(instruction));
    default: return (unsigned)width;
    }
}

/* Registers of a matrix fragment have 32 bits; 64 when the matrix is one of doubles. */
static inline unsigned decode_fragment_bytes(const struct decoder *decoder)
{
    return decode_first_type(decoder->instruction) == PTX_f64 ? 8 : 4;
}

/* row.c. How many operands count: all but the cache policy, which comes last where the instruction
 * has .L2::cache_hint and changes no result (PTX ISA 9.7.9.2). */
unsigned decode_operand_count(const struct ptx_instruction *instruction);
/* The row that takes decoder->instruction, or NULL with the error set. */
const struct opcode *decode_find_opcode(struct decoder *decoder);
/* Is it a register of so many bytes, and not a predicate? */
bool decode_is_register(const struct decoder *decoder, const struct ptx_operand *operand,
                        unsigned bytes, bool or_wider);

/* operand.c. All operands of decoder->instruction, by the letters of its row. */
bool decode_operands(struct decoder *decoder, const struct opcode *opcode, struct op *op);
/* The register that holds a source: its own, or a constant's; bytes matter for constants only. */
uint32_t decode_source(struct decoder *decoder, const struct ptx_operand *operand, uint8_t bytes);
/* Room for op->list, in the module's arena; NULL without memory. */
uint32_t *decode_list(struct decoder *decoder, size_t count);

/* operand_texture.c. Texels and places in textures, for row.c and operand.c. */
bool decode_is_texel(const struct decoder *decoder, const struct ptx_operand *operand,
                     bool is_destination);
bool decode_is_texture_address(const struct decoder *decoder, const struct ptx_operand *operand);
bool decode_texel(struct decoder *decoder, struct op *op, const struct ptx_operand *operand,
                  bool is_destination);
bool decode_texture_address(struct decoder *decoder, struct op *op,
                            const struct ptx_operand *operand);

/* operation.c. Fill in op, whose row is opcode. */
bool decode_operation(struct decoder *decoder, const struct opcode *opcode, struct op *op);

/* undefined_kinds.c. How undefined values go through op, whose row is opcode. */
void undefined_note(struct op_info *info, const struct opcode *opcode, const struct op *op);

/* narrow.c. When all ops are made: note which elements of its vector loads ptxas keeps. */
void narrow_loads(struct decoder *decoder);

/* compared.c. Likewise: which loads and atomics bring a value that is only compared. False when
 * memory is exhausted. */
bool note_compared(struct decoder *decoder);

/* uniform.c. When convergence points are known: which atomics one lane carries out for its warp.
 * False when memory is exhausted. */
bool note_atomics_for_all(struct decoder *decoder);

#endif
