/* spills.h - register spills: where ptxas keeps registers in local memory, read from the machine
 * code.
 *
 * The assembler spills what does not fit into registers. What that costs depends on where the
 * stores and loads are: next to nothing at both ends of a kernel, a great deal in its inner loop.
 * The machine code tells; its line table says of which line of the PTX each instruction was made.
 */
#ifndef SIM_SPILLS_H
#define SIM_SPILLS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* A load or store of the stack by an instruction that was made of an op which does not touch local
 * memory itself. */
struct spill {
    uint32_t op;          /* index into the function's ops */
    int32_t offset_bytes; /* from the stack pointer */
    uint8_t words;        /* a lane: 1, 2 or 4 */
    bool stores;
};

struct function;
struct machine_code;
struct module;

/* Find the spills of code->function, a kernel, and of the functions whose code was put after its
 * own: fills their spills and spill_count, sorted by op. Needs their ops. Leaves them without any
 * when memory is exhausted. */
void spills_find(const struct machine_code *code);

/* Words a lane that are stored or loaded each time the op of that id runs. */
uint64_t spills_at(const struct module *module, uint32_t op);

#endif
