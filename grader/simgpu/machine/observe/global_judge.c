/* global_judge.c - do two accesses of one byte race, and if they do, is it harmless?
 *
 * A race is what the memory model of PTX calls one (PTX ISA 8.7): two accesses by different
 * threads, at least one of them a write, neither of which comes before the other, and which are not
 * both strong in a scope that holds both threads. Three kinds are common in programs that work, and
 * only lead to a remark:
 *
 *   stores of the value that is or was just put there: "found = true;" by many threads, the same
 *   row made by two blocks, Floyd-Warshall's pivot row;
 *   loads that are only compared, where all stores write one value: a graph search that looks
 *   whether a vertex has been visited, a flag that is polled: the loser does a thing twice;
 *   a plain store that gives back a lock which others ask for by compare-and-swap.
 *
 * A plain load next to atomics is let pass where its value is only compared ("if (x < *least)
 * atomicMin"), or where the atomics are compare-and-swaps, minima or the like: a compare-and-swap
 * loop begins with a guess, and a value that only falls may be seen late. Next to atomicAdd it is a
 * race: it may read a sum that is not yet complete.
 */
#include "global_races.h"
#include "lanes.h"

static bool is_write(const struct mark *mark)
{
    return mark->what & MARK_WRITE;
}

static bool is_strong(const struct mark *mark, bool apart)
{
    return (mark->what & MARK_STRONG) && !(apart && (mark->what & MARK_IN_BLOCK));
}

static bool has(const struct mark *mark, uint32_t bits)
{
    return (mark->what & bits) == bits;
}

static enum judgement judge_writes(const struct mark *a, const struct mark *b, bool same)
{
    const struct mark *atomic = a->what & MARK_ATOMIC ? a : b;
    if (!(atomic->what & MARK_ATOMIC))
        return same ? HARMLESS : RACE;
    return has(atomic, MARK_MONOTONE | MARK_COMPARED) && (a == atomic) != has(b, MARK_ATOMIC)
               ? HARMLESS
               : RACE;
}

static enum judgement judge_read(const struct mark *read, const struct mark *write)
{
    bool compared = read->what & MARK_COMPARED;
    if (write->what & MARK_ATOMIC)
        return compared || (write->what & MARK_MONOTONE) ? NO_RACE : RACE;
    if (!(write->what & MARK_CHANGED) || (compared && !(write->what & MARK_MIXED)))
        return HARMLESS;
    return RACE;
}

enum judgement judge_marks(const struct mark *a, const struct mark *b, bool apart, bool same)
{
    if ((!is_write(a) && !is_write(b)) || (is_strong(a, apart) && is_strong(b, apart)))
        return NO_RACE;
    if (is_write(a) && is_write(b))
        return judge_writes(a, b, same);
    return is_write(a) ? judge_read(b, a) : judge_read(a, b);
}

/* --- Order ------------------------------------------------------------------------------------ */

/* The lanes of the mark that touch a byte of the line, which the mark covers. */
static lane_mask lanes_at_byte(const struct mark *mark, uint32_t byte)
{
    if (mark->layout & LAYOUT_SHARED)
        return mark->lanes;
    return UINT32_C(1) << (((int32_t)byte - mark->start) >> (mark->layout >> LAYOUT_WIDTH));
}

lane_mask mark_lanes_at(const struct mark *mark, uint32_t byte)
{
    return lanes_at_byte(mark, byte) & mark->lanes;
}

static uint32_t first_byte(const struct mark *a, const struct mark *b)
{
    return 4 * (uint32_t)__builtin_ctz(a->words & b->words) +
           (uint32_t)__builtin_ctz(a->layout & b->layout & LAYOUT_BYTES);
}

/* Does the same lane touch each byte of both? The common case, decided without looking at bytes. */
static bool is_by_same_lanes(const struct mark *a, const struct mark *b)
{
    if ((a->layout ^ b->layout) & LAYOUT_SHARED)
        return false;
    if (a->layout & LAYOUT_SHARED)
        return a->lanes == b->lanes && (a->lanes & (a->lanes - 1)) == 0;
    return a->start == b->start && a->layout >> LAYOUT_WIDTH == b->layout >> LAYOUT_WIDTH;
}

/* Of one warp: have all lanes that share a byte met in between? */
static bool lanes_have_met(const struct clocks *clocks, const struct mark *a, const struct mark *me,
                           uint32_t *lane, uint32_t *other)
{
    uint32_t sub = a->layout & me->layout & LAYOUT_BYTES;
    if (clocks->lanes[me->warp].whole > a->time || is_by_same_lanes(a, me))
        return true;
    FOR_ACTIVE (word, a->words & me->words)
        for (uint32_t i = 0; i < 4; i++) {
            if (!(sub >> i & 1))
                continue;
            lane_mask mine = mark_lanes_at(me, 4 * (uint32_t)word + i);
            lane_mask theirs = mark_lanes_at(a, 4 * (uint32_t)word + i);
            FOR_ACTIVE (x, mine)
                FOR_ACTIVE (y, theirs & ~(UINT32_C(1) << x))
                    if (!clocks_met(clocks, me->warp, x, y, a->time)) {
                        *lane = (uint32_t)x;
                        *other = (uint32_t)y;
                        return false;
                    }
        }
    return true;
}

bool mark_is_before(const struct access *access, const struct mark *a, const struct mark *me,
                    uint32_t *lane, uint32_t *other)
{
    const struct shadow *shadow = access->warp->block->race_shadow;
    const struct global_races *races = block_launch(access->warp)->global_races;
    uint32_t byte = first_byte(a, me);
    *lane = (uint32_t)__builtin_ctz(mark_lanes_at(me, byte));
    *other = (uint32_t)__builtin_ctz(mark_lanes_at(a, byte));
    if (a->block == me->block && a->warp == me->warp &&
        lanes_have_met(&shadow->clocks, a, me, lane, other))
        return true;
    if (a->block == me->block && a->warp != me->warp &&
        clocks_seen(&shadow->clocks, me->warp, a->warp) >= a->time)
        return true;
    return races->order && grid_order_covers(races->order, a->block, a->warp, a->time,
                                             shadow->clocks.far[me->warp].acquired);
}
