/* machine_code.h - what ptxas made of a function, instruction by instruction.
 *
 * An instruction of Volta and later has 128 bits; bits 0-11 are its opcode. The cubin's line table
 * says of which line of the PTX it was made.
 *
 * Usual order of calls: machine_code_open, machine_code_op any number of times, machine_code_close.
 */
#ifndef SIM_MACHINE_CODE_H
#define SIM_MACHINE_CODE_H

#include "line_table.h"
#include "machine_internal.h"

enum { INSTRUCTION_BYTES = 16 };
static const uint32_t NO_OP = UINT32_MAX;

struct machine_code {
    struct module *module;
    struct function *function;  /* of which instructions are looked for */
    struct line_table table;    /* empty when the cubin has none */
    const unsigned char *bytes; /* in the cubin */
    uint64_t size_bytes;
    int64_t lines_later; /* the loaded PTX's number of a line, less the table's */
};

/* The code of a kernel, and of the functions that were put after it; false when the cubin does not
 * have it. The cubin has to outlive it. */
bool machine_code_open(struct machine_code *code, struct module *module, struct function *kernel,
                       const unsigned char *cubin, size_t size_bytes);
void machine_code_close(struct machine_code *code);

/* The op of code->function which the instruction at that address was made of, by its line. NO_OP
 * when it belongs to another function, or the table does not know. */
uint32_t machine_code_op(const struct machine_code *code, uint64_t address);

/* The lower and the upper half of the instruction at that address. */
uint64_t machine_code_low(const struct machine_code *code, uint64_t address);
uint64_t machine_code_high(const struct machine_code *code, uint64_t address);

#endif
