/* wide_stores.h - stores to shared memory of which ptxas made a wider one.
 *
 * s[2 * i] = a; s[2 * i + 1] = b; is two stores in PTX and one of 8 bytes a lane on the device, if
 * ptxas can prove that the address is aligned for that; four stores of a word become one of 16. It
 * has the line of the last of them, which is said to carry the others: they come before it in its
 * basic block, and have no instruction. The machine code of ptxas 12.4, 12.8 and 13.0 for sm_90
 * does so, for shared memory alone. Stores on two sides of a branch never become one there: each
 * side keeps its own, if only under a predicate.
 *
 * Observers that count traffic are told of the wide store (run/access_wide.c), those that check of
 * each store.
 */
#ifndef SIM_WIDE_STORES_H
#define SIM_WIDE_STORES_H

#include "machine_code.h"

/* Marks the ops of code->function (struct op, loaded). Leaves them as they are when memory is
 * exhausted, or the code has no line table. */
void wide_stores_find(const struct machine_code *code);

#endif
