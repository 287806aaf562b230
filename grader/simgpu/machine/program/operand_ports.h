/* operand_ports.h - how long FP32 instructions wait until the register file has given their
 * operands.
 *
 * A scheduler's registers lie in two banks, those of even and those of odd numbers. A bank gives
 * one register a cycle, so an FFMA whose three operands are all new takes more than the one cycle
 * that its unit would. To avoid that, ptxas chooses register numbers, and marks operands that the
 * next instruction uses again in the same place (.reuse): the machine code tells how well it did.
 *
 * Measured on an H200 with 58 sequences of FFMA whose register numbers and reuse marks were written
 * into the machine code by hand, one to four warps a scheduler: the rule of operand_ports.c
 * predicts each of them within 0.04 cycles an instruction (check_operand_ports.c has them).
 */
#ifndef SIM_OPERAND_PORTS_H
#define SIM_OPERAND_PORTS_H

#include "machine_code.h"

/* Fills function->port_waits (see program.h) of code->function. Leaves it NULL when memory is
 * exhausted, or the code has no line table. */
void operand_ports_find(const struct machine_code *code);

/* The ports of one scheduler's register file, while one warp issues instruction after instruction;
 * all zeros: nothing was read yet. */
struct operand_ports {
    int64_t now;         /* when the latest instruction was issued, in cycles */
    int64_t free[2];     /* by bank: from when it can give another register */
    uint16_t kept[3][2]; /* by operand and bank: 1 + the register that is reused; or 0 */
};

/* Issues one instruction, by its 128 bits, as soon as it can. Returns the cycles that it waited for
 * ports: 0 if it is not an FP32 instruction. */
int64_t operand_ports_issue(struct operand_ports *ports, uint64_t low, uint64_t high);

#endif
