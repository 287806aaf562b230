/* machine_order.h - the order in which ptxas put the instructions that it made of the ops.
 *
 * Within a basic block a warp issues in the order of the machine code. A load that comes before the
 * first use of another load's value is in flight together with that load; one that comes after the
 * use is not, however independent the two are: ptxas orders them so to save registers. So the
 * timing model orders the ops of a basic block as the machine code does, where that is known.
 */
#ifndef SIM_MACHINE_ORDER_H
#define SIM_MACHINE_ORDER_H

#include "machine_code.h"

/* Fills function->places and leaps (see program.h) of code->function. Leaves them NULL when memory
 * is exhausted, or the code has no line table. */
void machine_order_find(const struct machine_code *code);

#endif
