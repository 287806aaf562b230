/* mman.h - of WebAssembly: anonymous memory comes from the heap, filled with zeros. */
#ifndef WASI_MMAN_H
#define WASI_MMAN_H

#include <stddef.h>
#include <stdlib.h>

#define PROT_READ 1
#define PROT_WRITE 2
#define MAP_PRIVATE 1
#define MAP_ANONYMOUS 2
#define MAP_NORESERVE 4
#define MAP_FAILED ((void *)-1)
#define MADV_HUGEPAGE 1

static inline void *mmap(void *at, size_t bytes, int protection, int flags, int file, long offset)
{
    (void)at, (void)protection, (void)flags, (void)file, (void)offset;
    void *memory = calloc(1, bytes);
    return memory ? memory : MAP_FAILED;
}

static inline int munmap(void *memory, size_t bytes)
{
    (void)bytes;
    free(memory);
    return 0;
}

static inline int madvise(void *memory, size_t bytes, int advice)
{
    (void)memory, (void)bytes, (void)advice;
    return 0;
}

#endif
