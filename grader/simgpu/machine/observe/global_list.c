/* global_list.c - the marks of a line: sorted by block where nothing orders blocks, else by time.
 *
 * The first ones lie in the line itself, the others in a list of its own.
 */
#include "global_races.h"

#include <stdlib.h>
#include <string.h>

static inline struct mark *mark_at(const struct line *line, uint32_t place)
{
    return place < LINE_MARKS ? (struct mark *)&line->first[place]
                              : &line->more->mark[place - LINE_MARKS];
}

static uint32_t places(const struct line *line)
{
    return LINE_MARKS + (line->more ? line->more->count : 0);
}

uint32_t line_marks(const struct line *line, struct mark *marks)
{
    uint32_t count = 0;
    for (uint32_t i = 0; i < places(line); i++)
        if (mark_at(line, i)->words)
            marks[count++] = *mark_at(line, i);
    return count;
}

/* --- Marks that are looked at ----------------------------------------------------------------- */

static inline void choose(struct chosen *chosen, const struct mark *marks, uint32_t count,
                          uint32_t first_place, uint32_t words)
{
    for (uint32_t i = 0; i < count; i++) {
        if (!marks[i].words)
            continue;
        chosen->all++;
        chosen->extent = first_place + i + 1;
        if (!(marks[i].words & words))
            continue;
        chosen->place[chosen->count] = (uint16_t)(first_place + i);
        chosen->mark[chosen->count++] = marks[i];
    }
}

void line_choose(const struct line *line, uint32_t words, struct chosen *chosen)
{
    chosen->count = chosen->extent = chosen->all = 0;
    choose(chosen, line->first, LINE_MARKS, 0, words);
    if (line->more)
        choose(chosen, line->more->mark, line->more->count, LINE_MARKS, words);
}

void chosen_add(struct chosen *chosen, const struct mark *mark, bool by_block)
{
    uint32_t at = chosen->count++;
    for (; by_block && at > 0 && chosen->mark[at - 1].block > mark->block; at--) {
        chosen->mark[at] = chosen->mark[at - 1];
        chosen->place[at] = chosen->place[at - 1];
    }
    chosen->mark[at] = *mark;
    chosen->place[at] = NEW_MARK;
}

/* --- Marks that are kept ---------------------------------------------------------------------- */

/* A list that has become too short stays until the launch ends: see line_is_seen_to_know. */
static bool make_room(struct line *line, uint32_t count)
{
    if (line->more && line->more->room >= count)
        return true;
    uint32_t room = line->more ? 2 * line->more->room : LINE_MARKS;
    room = room < count ? count : room;
    struct more_marks *more = malloc(sizeof *more + room * sizeof *more->mark);
    if (!more)
        return false;
    more->count = line->more ? line->more->count : 0;
    more->room = room;
    more->older = line->more;
    if (line->more)
        memcpy(more->mark, line->more->mark, more->count * sizeof *more->mark);
    __atomic_store_n(&line->more, more, __ATOMIC_RELEASE);
    return true;
}

/* Marks move up to places without one. */
static void close_up(struct line *line, uint32_t extent)
{
    uint32_t kept = 0;
    for (uint32_t i = 0; i < extent; i++) {
        const struct mark *mark = mark_at(line, i);
        if (!mark->words)
            continue;
        if (kept < i)
            mark_put(mark_at(line, kept), mark);
        kept++;
    }
    for (uint32_t i = kept; i < LINE_MARKS; i++)
        mark_remove(mark_at(line, i));
}

/* Marks of loads that differ in their words only are one: a thread that goes along a row leaves one
 * mark, not one for each element. In between may be no mark of the block that touches the words,
 * since the order of those that touch counts. */
static bool is_joined(struct line *line, uint32_t end, const struct mark *mark)
{
    if (mark->what & MARK_WRITE)
        return false;
    for (uint32_t i = end; i-- > 0;) {
        struct mark joined = *mark_at(line, i);
        if (joined.block != mark->block)
            return false;
        bool is_same = joined.what == mark->what && joined.time == mark->time &&
                       joined.warp == mark->warp && joined.layout == mark->layout &&
                       joined.start == mark->start && joined.lanes == mark->lanes;
        if (is_same) {
            joined.words |= mark->words;
            mark_put(mark_at(line, i), &joined);
            return true;
        }
        if (joined.words & mark->words)
            return false;
    }
    return false;
}

/* The line has count marks, no place without one among them, and room for one more. */
static uint32_t insert(struct line *line, uint32_t count, const struct mark *mark, bool by_block)
{
    uint32_t at = count;
    while (by_block && at > 0 && mark_at(line, at - 1)->block > mark->block)
        at--;
    if (by_block && is_joined(line, at, mark))
        return count;
    for (uint32_t i = count; i > at; i--)
        mark_put(mark_at(line, i), mark_at(line, i - 1));
    mark_put(mark_at(line, at), mark);
    return count + 1;
}

/* Of all marks, so many will be left. */
static uint32_t count_kept(const struct chosen *chosen)
{
    uint32_t count = chosen->all;
    for (uint32_t i = 0; i < chosen->count; i++)
        if (chosen->place[i] == NEW_MARK)
            count += chosen->mark[i].words != 0;
        else
            count -= chosen->mark[i].words == 0;
    return count;
}

bool line_keep(struct line *line, const struct chosen *chosen, bool by_block)
{
    uint32_t kept = count_kept(chosen), count = chosen->all;
    if (kept > MOST_MARKS || (kept > LINE_MARKS && !make_room(line, kept - LINE_MARKS)))
        return false;
    for (uint32_t i = 0; i < chosen->count; i++) {
        if (chosen->place[i] == NEW_MARK)
            continue;
        mark_put(mark_at(line, chosen->place[i]), &chosen->mark[i]);
        count -= chosen->mark[i].words == 0;
    }
    if (count < chosen->extent)
        close_up(line, chosen->extent);
    for (uint32_t i = 0; i < chosen->count; i++)
        if (chosen->place[i] == NEW_MARK && chosen->mark[i].words)
            count = insert(line, count, &chosen->mark[i], by_block);
    if (line->more)
        __atomic_store_n(&line->more->count, count > LINE_MARKS ? count - LINE_MARKS : 0,
                         __ATOMIC_RELAXED);
    return true;
}
