/* global_known.c - does a line know of a load already, or of enough loads like it? Most accesses
 * end here: threads that share an element read it one after the other.
 *
 * A line knows of a load if a mark tells of it. Where blocks are ranked (nothing orders them) and
 * no store is among the marks, two loads like it by lower blocks are enough, and so are two by its
 * own block: global_thin.c would not keep a third. The two of its own block must not come before
 * it, for otherwise it may take the place of one (meet_earlier).
 */
#include "global_races.h"

struct knowledge {
    const uint32_t *seen; /* by me's warp, of the warps of its block */
    uint32_t lower_blocks, lower, own;
    bool is_said, is_written, is_later;
};

/* Does the mark tell of a load like me, of all its bytes? */
static bool is_like(const struct mark *mark, const struct mark *me)
{
    return mark_holds(mark, me) &&
           !((mark->what ^ me->what) & (MARK_WRITE | MARK_STRONG | MARK_COMPARED));
}

static void learn_own(struct knowledge *known, const struct mark *mark, const struct mark *me)
{
    known->is_said |= mark_says(mark, me);
    known->is_later |= mark->warp == me->warp || known->seen[mark->warp] >= mark->time;
    known->own += is_like(mark, me);
}

static void learn_mark(struct knowledge *known, const struct mark *mark, const struct mark *me)
{
    known->is_written |= mark->what & MARK_WRITE;
    if (mark->block == me->block) {
        learn_own(known, mark, me);
    } else if (mark->block < me->block && is_like(mark, me) &&
               (known->lower_blocks == 0 || known->lower != mark->block)) {
        known->lower_blocks++;
        known->lower = mark->block;
    }
}

static bool is_enough(const struct knowledge *known, bool by_rank)
{
    bool is_third = known->own >= 2 && !known->is_later;
    return known->is_said ||
           (by_rank && (known->lower_blocks >= 2 || is_third) && !known->is_written);
}

static inline void learn(struct knowledge *known, const struct mark *marks, uint32_t count,
                         const struct mark *me)
{
    for (uint32_t i = 0; i < count; i++) {
        struct mark mark;
        if (!(__atomic_load_n(&marks[i].words, __ATOMIC_RELAXED) & me->words))
            continue;
        mark_get(&mark, &marks[i]);
        if (marks_touch(&mark, me))
            learn_mark(known, &mark, me);
    }
}

static bool knows(const struct line *line, const struct mark *me, const uint32_t *seen,
                  bool by_rank)
{
    struct knowledge known = {.seen = seen};
    const struct more_marks *more = __atomic_load_n(&line->more, __ATOMIC_ACQUIRE);
    learn(&known, line->first, LINE_MARKS, me);
    if (more)
        learn(&known, more->mark, __atomic_load_n(&more->count, __ATOMIC_RELAXED), me);
    return is_enough(&known, by_rank);
}

bool line_knows(const struct line *line, const struct mark *me, const uint32_t *seen, bool by_rank)
{
    return !(me->what & (MARK_WRITE | MARK_STRONG)) && knows(line, me, seen, by_rank);
}

bool line_is_seen_to_know(const struct line *line, const struct mark *me, const uint32_t *seen)
{
    uint16_t before = __atomic_load_n(&line->sequence, __ATOMIC_ACQUIRE);
    if (before % 2 || (me->what & (MARK_WRITE | MARK_STRONG)) || !knows(line, me, seen, true))
        return false;
    __atomic_thread_fence(__ATOMIC_ACQUIRE);
    return before == __atomic_load_n(&line->sequence, __ATOMIC_RELAXED);
}
