/* sparse.h - large maps of which little is ever touched: zeros that cost memory where they are.
 *
 * calloc would do, but hands out again what was freed, and then has to clear all of it: a map of
 * 80 GB has 20 MB of bits, of which a launch sets some thousand.
 */
#ifndef SIM_SPARSE_H
#define SIM_SPARSE_H

#include <stdbool.h>
#include <stddef.h>

/* Zeros; NULL when memory is exhausted. */
void *sparse_new(size_t bytes);
/* The same, soon to be filled from end to end: in large pages where the system has them. */
void *sparse_new_dense(size_t bytes);
/* bytes as it was asked for; memory may be NULL. */
void sparse_free(void *memory, size_t bytes);

/* A store of such maps: a page that the system has to make costs more than a hundred that are
 * cleared, and one launch after the other needs maps of the same size. */
struct sparse_store;
struct sparse_map {
    void *memory;           /* zeros; NULL when memory is exhausted */
    size_t bytes, resident; /* at least what was asked for; and of it, what was ever touched */
};

struct sparse_store *sparse_store_new(void);
void sparse_store_free(struct sparse_store *store);
/* May be called by several threads, as the next one. */
struct sparse_map sparse_take(struct sparse_store *store, size_t bytes);
/* Does the store want it back, all zeros again? Otherwise it is to be freed. */
bool sparse_wants(const struct sparse_map *map);
void sparse_give(struct sparse_store *store, const struct sparse_map *map);

#endif
