/* sparse.h - large maps of which little is ever touched: zeros that cost memory where they are.
 *
 * calloc would do, but hands out again what was freed, and then has to clear all of it: a map of
 * 80 GB has 20 MB of bits, of which a launch sets some thousand.
 */
#ifndef SIM_SPARSE_H
#define SIM_SPARSE_H

#include <stddef.h>

/* Zeros; NULL when memory is exhausted. */
void *sparse_new(size_t bytes);
/* The same, soon to be filled from end to end: in large pages where the system has them. */
void *sparse_new_dense(size_t bytes);
/* bytes as it was asked for; memory may be NULL. */
void sparse_free(void *memory, size_t bytes);

#endif
