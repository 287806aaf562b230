/* machine_order.h - in which order ptxas put what it made of the ops.
 *
 * Within a basic block a warp issues in the order of the machine code. A load that stands before
 * what another load's value is used for is under way together with it; one that stands after it is
 * not, however little the two have to do with each other: ptxas saves registers. So the timing
 * model orders the ops of a basic block as the machine code does, where that tells.
 */
#ifndef SIM_MACHINE_ORDER_H
#define SIM_MACHINE_ORDER_H

#include "machine_code.h"

/* Fills function->places and leaps (see program.h) of code->function. Leaves them NULL when memory
 * is exhausted, or the code has no line table. */
void machine_order_find(const struct machine_code *code);

#endif
