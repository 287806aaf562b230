/* sparse.c - see sparse.h. */
#include "sparse.h"

#include <stdlib.h>
#include <sys/mman.h>

/* What is smaller is cheaper to clear than to get from the system. */
enum { LEAST_MAPPED = 1 << 18 };

static void *map(size_t bytes)
{
    void *memory = mmap(NULL, bytes, PROT_READ | PROT_WRITE,
                        MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    return memory == MAP_FAILED ? NULL : memory;
}

void *sparse_new(size_t bytes)
{
    return bytes < LEAST_MAPPED ? calloc(1, bytes) : map(bytes);
}

void *sparse_new_dense(size_t bytes)
{
    void *memory = sparse_new(bytes);
    if (memory && bytes >= LEAST_MAPPED)
        madvise(memory, bytes, MADV_HUGEPAGE); /* where it is refused, small pages do */
    return memory;
}

void sparse_free(void *memory, size_t bytes)
{
    if (memory && bytes >= LEAST_MAPPED)
        munmap(memory, bytes);
    else
        free(memory);
}
