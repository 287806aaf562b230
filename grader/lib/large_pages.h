/* large_pages.h - fresh memory of some megabytes, soon to be filled from end to end.
 *
 * The system makes a page when it is touched first, which takes it longer than filling the page. A
 * large page takes a third of what its small ones would.
 */
#ifndef LIB_LARGE_PAGES_H
#define LIB_LARGE_PAGES_H

#include <stdint.h>
#include <sys/mman.h>

/* memory, as malloc gave it or NULL: what was not touched yet comes in large pages, where the
 * system has them. */
static inline void *in_large_pages(void *memory, uint64_t bytes)
{
    enum { LARGE_PAGE = 2 << 20 };
    uintptr_t first = ((uintptr_t)memory + LARGE_PAGE - 1) / LARGE_PAGE * LARGE_PAGE;
    uintptr_t end = ((uintptr_t)memory + bytes) / LARGE_PAGE * LARGE_PAGE;
    if (memory && first < end)
        madvise((void *)first, end - first, MADV_HUGEPAGE);
    return memory;
}

#endif
