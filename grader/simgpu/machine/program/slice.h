/* slice.h - which instructions of a kernel decide what its threads store to?
 *
 * All others, in a matrix product nearly all, only make the data that are stored. Who wants to know
 * which bytes a warp writes may leave them out, and with them every loop and every branch in which
 * none of these instructions is: walk.h.
 */
#ifndef SIM_SLICE_H
#define SIM_SLICE_H

#include "program.h"

/* By op of function: is it one of them? A branch that is not may be taken to go to its basic
 * block's join at once. What goes through memory is not followed. NULL without memory, and for a
 * function that calls others; the caller frees. */
bool *slice_of(const struct function *function);

/* By op: is it one of from, or are their operands made by it? Of a store, the data are not asked
 * for. from has to have all branches. The rest as above. */
bool *slice_of_ops(const struct function *function, const bool *from);

#endif
