/* global_mark.h - a mark, which an access of a warp leaves in a line of global memory, and what two
 * marks have in common. Next: global_races.h.
 */
#ifndef SIM_GLOBAL_MARK_H
#define SIM_GLOBAL_MARK_H

#include <stdbool.h>
#include <stdint.h>

/* What an access was; the op's id stands above. */
enum mark_what {
    MARK_WRITE = 1,  /* else a read */
    MARK_STRONG = 2, /* atomic, volatile, relaxed, acquire or release */
    MARK_ATOMIC = 4,
    MARK_IN_BLOCK = 8,  /* strong for threads of the block only */
    MARK_MONOTONE = 16, /* compare-and-swap, min, max, and, or */
    MARK_COMPARED = 32, /* what was read is compared, and used for nothing else */
    MARK_MIXED = 64,    /* different values were written here in this launch */
    MARK_CHANGED = 128, /* and not only the value that was there before */
    MARK_OP_SHIFT = 8,
};

/* How the bytes of a mark belong to lanes. */
enum mark_layout {
    LAYOUT_BYTES = 15,  /* of each of its words, a bit a byte */
    LAYOUT_SHARED = 16, /* each lane touches all of it; else lane i starts at start + i * width */
    LAYOUT_WIDTH = 5,   /* shift: log2 of the width, in bytes */
};

struct mark {
    _Alignas(8) uint32_t words; /* of the line, a bit each; 0: no mark */
    uint32_t block;             /* its number */
    uint32_t time;              /* of the warp */
    uint32_t what;              /* enum mark_what */
    uint32_t lanes;
    int16_t start; /* in bytes, from the line's */
    uint8_t warp;
    uint8_t layout; /* enum mark_layout */
};

/* A line's marks are read by workers that have not locked it, so all workers copy them in parts
 * that are atomic. A copy of which only some parts are new is discarded: see
 * line_is_seen_to_know. */
typedef uint64_t __attribute__((may_alias)) mark_part;

enum { MARK_PARTS = sizeof(struct mark) / sizeof(mark_part) };
_Static_assert(sizeof(struct mark) % sizeof(mark_part) == 0, "a mark is some whole parts");

static inline void mark_put(struct mark *shared, const struct mark *mark)
{
    const mark_part *from = (const mark_part *)mark;
    for (int i = 0; i < MARK_PARTS; i++)
        __atomic_store_n((mark_part *)shared + i, from[i], __ATOMIC_RELAXED);
}

static inline void mark_get(struct mark *mark, const struct mark *shared)
{
    const mark_part *from = (const mark_part *)shared;
    for (int i = 0; i < MARK_PARTS; i++)
        ((mark_part *)mark)[i] = __atomic_load_n(&from[i], __ATOMIC_RELAXED);
}

static inline void mark_remove(struct mark *shared)
{
    __atomic_store_n(&shared->words, 0, __ATOMIC_RELAXED);
}

/* --- Two marks -------------------------------------------------------------------------------- */

static inline bool marks_touch(const struct mark *a, const struct mark *b)
{
    return (a->words & b->words) && (a->layout & b->layout & LAYOUT_BYTES);
}

static inline bool mark_holds(const struct mark *outer, const struct mark *inner)
{
    return !(inner->words & ~outer->words) && !(inner->layout & ~outer->layout & LAYOUT_BYTES);
}

/* Does any access that races with the weaker one race with the stronger one as well? */
static inline bool mark_tells_as_much(const struct mark *stronger, const struct mark *weaker)
{
    bool writes = stronger->what & MARK_WRITE;
    if ((weaker->what & MARK_WRITE) && !writes)
        return false;
    if ((stronger->what & MARK_STRONG) && !(weaker->what & MARK_STRONG))
        return false;
    return writes || !(stronger->what & MARK_COMPARED) || (weaker->what & MARK_COMPARED);
}

/* By the same lanes at the same time, so that neither adds to the other's order. */
static inline bool mark_is_at_once(const struct mark *a, const struct mark *b)
{
    if (a->block != b->block || a->warp != b->warp || a->time != b->time ||
        ((a->layout ^ b->layout) & ~LAYOUT_BYTES & 0xFF))
        return false;
    return a->layout & LAYOUT_SHARED ? !(b->lanes & ~a->lanes) : a->start == b->start;
}

static inline bool mark_says(const struct mark *mark, const struct mark *me)
{
    return mark_holds(mark, me) && mark_is_at_once(mark, me) && mark_tells_as_much(mark, me);
}

#endif
