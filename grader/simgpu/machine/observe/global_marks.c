/* global_marks.c - a piece of an access meets the marks of its line, and leaves one.
 *
 * A mark that comes before the new one is dropped where the new one implies it: any access that
 * races with the old one then races with the new one, too. A strong write implies less than a plain
 * one, and a load that is only compared implies less than one that is used.
 */
#include "global_races.h"
#include "opcode.h"

/* --- What an access is ------------------------------------------------------------------------ */

uint32_t mark_what_of(const struct access *access)
{
    const struct op *op = access->op;
    bool is_atomic = access->kind == ACCESS_ATOMIC || access->kind == ACCESS_REDUCTION;
    bool is_monotone = op->kind == COMBINE_IF_EQUAL || op->kind == COMBINE_LEAST ||
                       op->kind == COMBINE_MOST || op->kind == COMBINE_BITS_AND ||
                       op->kind == COMBINE_BITS_OR;
    uint32_t what = op->id << MARK_OP_SHIFT;
    if (access->kind != ACCESS_LOAD)
        what |= MARK_WRITE;
    if (is_atomic)
        what |= MARK_STRONG | MARK_ATOMIC | MARK_CHANGED | (is_monotone ? MARK_MONOTONE : 0);
    if (op_is_strong(op))
        what |= MARK_STRONG;
    if (op->in_block)
        what |= MARK_IN_BLOCK;
    if (op->is_compared)
        what |= MARK_COMPARED;
    return what;
}

static struct mark mark_of(const struct access *access, uint32_t what, const struct piece *piece)
{
    const struct warp *warp = access->warp;
    const struct shadow *shadow = warp->block->race_shadow;
    return (struct mark){.words = piece->words,
                         .block = (uint32_t)warp->block->number,
                         .time = clocks_now(&shadow->clocks, warp->index),
                         .what = what,
                         .lanes = piece->lanes,
                         .start = piece->start,
                         .warp = (uint8_t)warp->index,
                         .layout = piece->layout};
}

/* --- Meeting ---------------------------------------------------------------------------------- */

struct visit {
    const struct access *access;
    struct global_races *races;
    struct line *line;
    uint64_t address; /* of the line */
    struct mark me;
    bool changed, differs; /* see struct stored; of me */
    struct chosen old;
    bool covered;
};

/* Since the i-th mark, has this block looked at the same bytes with a strong access? Then that
 * access has seen what the mark left, and what the block does now comes after it. Marks are sorted
 * by time where blocks are ordered. */
static bool was_observed(const struct visit *visit, uint32_t i)
{
    const struct mark *old = &visit->old.mark[i];
    uint32_t words = old->words & visit->me.words;
    if (!visit->races->order || !(old->what & MARK_STRONG))
        return false;
    for (uint32_t j = i + 1; j < visit->old.count; j++)
        if (visit->old.mark[j].block == visit->me.block &&
            (visit->old.mark[j].what & MARK_STRONG) && !(words & ~visit->old.mark[j].words))
            return true;
    return false;
}

static bool report(struct visit *visit, const struct mark *old, uint32_t lane, uint32_t other,
                   enum judgement judgement)
{
    const struct mark *me = &visit->me;
    bool apart = old->block != me->block;
    if (judgement == NO_RACE)
        return true;
    if (apart && !visit->races->order) { /* the launch's end decides which race is reported */
        visit->line->state |= judgement == RACE ? LINE_RACED : LINE_REMARKED;
        __atomic_store_n(&visit->races->any_marked, true, __ATOMIC_RELAXED);
        return true;
    }
    uint32_t byte = 4 * (uint32_t)__builtin_ctz(old->words & me->words) +
                    (uint32_t)__builtin_ctz(old->layout & me->layout & LAYOUT_BYTES);
    struct finding finding = {
        .found = true,
        .is_remark = judgement == HARMLESS,
        .address = visit->address + byte,
        .first = {old->what >> MARK_OP_SHIFT, old->block, old->warp, other, old->what},
        .second = {me->what >> MARK_OP_SHIFT, me->block, me->warp, lane, me->what}};
    return global_races_found(block_launch(visit->access->warp), &finding);
}

/* Nothing orders the two. */
static bool meet_racing(struct visit *visit, struct mark *old, uint32_t lane, uint32_t other)
{
    struct mark *me = &visit->me;
    bool apart = old->block != me->block, same = !visit->changed;
    if (old->what & me->what & MARK_WRITE) {
        if (apart && !visit->races->order) {
            same &= !((old->what | me->what) & MARK_MIXED);
            uint32_t mixed = same ? 0 : MARK_MIXED;
            old->what |= mixed;
            me->what |= mixed;
        }
        old->what |= me->what & MARK_CHANGED;
        me->what |= old->what & MARK_CHANGED;
    }
    return report(visit, old, lane, other, judge_marks(old, me, apart, same));
}

static void meet_earlier(struct visit *visit, struct mark *old)
{
    struct mark *me = &visit->me;
    bool is_mixed = visit->changed && !visit->races->order;
    if (old->what & me->what & MARK_WRITE)
        me->what |= (old->what & (MARK_MIXED | MARK_CHANGED)) | (is_mixed ? MARK_MIXED : 0);
    if (!(me->what & MARK_WRITE) && mark_holds(old, me) && mark_is_at_once(old, me) &&
        mark_tells_as_much(old, me))
        visit->covered = true;
    else if (mark_tells_as_much(me, old) && !(old->layout & ~me->layout & LAYOUT_BYTES))
        old->words &= ~me->words;
}

static bool meet_all(struct visit *visit)
{
    uint32_t lane, other;
    for (uint32_t i = 0; i < visit->old.count; i++) {
        struct mark *old = &visit->old.mark[i];
        if (!marks_touch(old, &visit->me))
            continue;
        if (mark_is_before(visit->access, old, &visit->me, &lane, &other) || was_observed(visit, i))
            meet_earlier(visit, old);
        else if (!meet_racing(visit, old, lane, other))
            return false;
    }
    return true;
}

/* Lanes of one instruction that store at one place. */
static bool meet_itself(struct visit *visit)
{
    const struct mark *me = &visit->me;
    lane_mask others = me->lanes & (me->lanes - 1);
    if (!(me->layout & LAYOUT_SHARED) || !others ||
        (me->what & (MARK_WRITE | MARK_STRONG)) != MARK_WRITE)
        return true;
    return report(visit, me, (uint32_t)__builtin_ctz(others), (uint32_t)__builtin_ctz(me->lanes),
                  visit->differs ? RACE : HARMLESS);
}

/* --- What a line keeps ------------------------------------------------------------------------ */

/* A strong access learns what was released here; a write releases what its warp's fences cover. */
static void acquire(struct visit *visit, struct far *far)
{
    if ((visit->me.what & MARK_STRONG) && visit->line->released > far->acquired)
        far->acquired = visit->line->released;
}

static void release(struct visit *visit, const struct far *far)
{
    struct line *line = visit->line;
    if (!(visit->me.what & MARK_WRITE) || !far->released)
        return;
    grid_order_publish(visit->races->order, visit->me.block, far->released);
    line->released = far->released > line->released ? far->released : line->released;
}

/* The words of the piece that change, or those that stay as they are. */
static bool visit_part(struct visit *visit, uint32_t words, bool changed)
{
    if (!words)
        return true;
    visit->me.words = words;
    visit->changed = changed;
    visit->covered = false;
    visit->me.what &= ~(uint32_t)(MARK_CHANGED | MARK_MIXED);
    visit->me.what |= changed ? MARK_CHANGED : 0;
    if (!meet_all(visit))
        return false;
    if (!visit->covered)
        chosen_add(&visit->old, &visit->me, !visit->races->order);
    return true;
}

static bool visit_all(struct visit *visit, const struct piece *piece, struct stored stored)
{
    struct shadow *shadow = visit->access->warp->block->race_shadow;
    struct far *far = &shadow->clocks.far[visit->me.warp];
    bool by_block = !visit->races->order;
    line_choose(visit->line, by_block ? piece->words : UINT32_MAX, &visit->old);
    visit->differs = stored.differs;
    if (!by_block)
        acquire(visit, far);
    if (!meet_itself(visit) || !visit_part(visit, piece->words & stored.changed, true) ||
        !visit_part(visit, piece->words & ~stored.changed, false))
        return false;
    if (!by_block)
        release(visit, far);
    if (visit->old.count > LINE_MARKS)
        marks_thin_out(visit->old.mark, visit->old.count, !by_block);
    if (!line_keep(visit->line, &visit->old, by_block))
        global_races_short(visit->races);
    if (visit->line->more)
        __atomic_store_n(&visit->races->has_more, true, __ATOMIC_RELAXED);
    return true;
}

/* The most common cases, where blocks are not ordered: the line has no mark yet, or the one of a
 * load that its own thread now stores over. False when the line needs a closer look. */
static bool is_simple(struct line *line, const struct mark *me, struct stored stored)
{
    struct mark *first = line->first, changes = *me;
    bool is_single = !(me->layout & LAYOUT_SHARED) || !(me->lanes & (me->lanes - 1));
    if (first[1].words || line->more || !is_single)
        return false;
    if (first->words && ((first->what & (MARK_WRITE | MARK_STRONG)) || !mark_says(me, first)))
        return false;
    if (stored.changed) {
        struct mark stays = *me; /* the words that stay as they are; none, mostly */
        changes.words &= stored.changed;
        changes.what |= MARK_CHANGED;
        stays.words &= ~stored.changed;
        mark_put(&first[1], &stays);
    }
    mark_put(&first[0], &changes);
    return true;
}

static __attribute__((noinline)) bool visit_closely(const struct access *access,
                                                    const struct piece *piece, struct line *line,
                                                    uint64_t address, const struct mark *me,
                                                    struct stored stored)
{
    struct visit visit;
    visit.access = access;
    visit.races = block_launch(access->warp)->global_races;
    visit.line = line;
    visit.address = address;
    visit.me = *me;
    return visit_all(&visit, piece, stored);
}

static __attribute__((noinline)) bool visit(const struct access *access, uint32_t what,
                                            const struct piece *piece, struct line *line,
                                            uint64_t address)
{
    struct global_races *races = block_launch(access->warp)->global_races;
    struct mark me = mark_of(access, what, piece);
    struct stored stored = {0};
    const struct shadow *shadow = access->warp->block->race_shadow;
    const uint32_t *seen = shadow->clocks.seen[me.warp];
    bool ok = true;
    if (races->shares_lines && line_is_of(line, races->launch) &&
        line_is_seen_to_know(line, &me, seen))
        return true;
    line_lock(line, races->shares_lines);
    if (!line_is_of(line, races->launch))
        line_forget(line, races->launch);
    if (me.what & MARK_WRITE)
        stored = marks_put_down(access, piece, address);
    if (!line_knows(line, &me, seen, !races->order) &&
        (races->order || !is_simple(line, &me, stored)))
        ok = visit_closely(access, piece, line, address, &me, stored);
    line_unlock(line, races->shares_lines);
    return ok;
}

/* A load that comes to the line first, as most do of a kernel that streams: nothing is met, and the
 * mark is made where it stays. */
static bool is_first_load(const struct global_races *races, const struct line *line, uint32_t what)
{
    return !races->shares_lines && !(what & (MARK_WRITE | MARK_STRONG)) &&
           !line_is_of(line, races->launch);
}

bool marks_visit(const struct access *access, uint32_t what, const struct piece *piece,
                 struct line *line, uint64_t address)
{
    const struct global_races *races = block_launch(access->warp)->global_races;
    if (!is_first_load(races, line, what))
        return visit(access, what, piece, line, address);
    line_forget(line, races->launch);
    line->first[0] = mark_of(access, what, piece);
    return true;
}
