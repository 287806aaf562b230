/* check_global_list.c - the marks of a line of global memory, and which loads add none
 * (global_list.c, global_known.c). */
#include "global_races.h"
#include "tests/check_main.h"

#include <check.h>
#include <stdlib.h>

static const uint32_t NOTHING_SEEN[MOST_WARPS];

/* A warp's first lane loads those words; op: at that op. */
static struct mark load_of(uint32_t block, uint8_t warp, uint32_t words, uint32_t op)
{
    return (struct mark){.words = words,
                         .block = block,
                         .time = 1,
                         .what = op << MARK_OP_SHIFT,
                         .lanes = 1,
                         .warp = warp,
                         .layout = LAYOUT_BYTES | LAYOUT_SHARED};
}

static void leave(struct line *line, struct mark mark)
{
    struct chosen chosen;
    line_choose(line, mark.words, &chosen);
    chosen_add(&chosen, &mark, true);
    ck_assert(line_keep(line, &chosen, true));
}

static void clear(struct line *line)
{
    for (struct more_marks *more = line->more, *older; more; more = older) {
        older = more->older;
        free(more);
    }
    *line = (struct line){0};
}

START_TEST(a_thread_that_goes_along_a_row_leaves_one_mark)
{
    struct line line = {0};
    struct mark marks[MOST_MARKS];
    for (uint32_t i = 0; i < WARP_LANES; i++)
        leave(&line, load_of(0, 0, 1U << i, 1));
    ck_assert_uint_eq(line_marks(&line, marks), 1);
    ck_assert_uint_eq(marks[0].words, UINT32_MAX);
    leave(&line, load_of(0, 1, 1, 1));
    leave(&line, load_of(0, 0, 1, 2));
    ck_assert_uint_eq(line_marks(&line, marks), 3); /* another warp's, at another op */
    clear(&line);
}
END_TEST

START_TEST(a_mark_joins_none_past_one_that_touches_it)
{
    struct line line = {0};
    struct mark marks[MOST_MARKS];
    leave(&line, load_of(0, 0, 1, 1));
    leave(&line, load_of(0, 1, 2, 1));
    leave(&line, load_of(0, 0, 2, 1));
    ck_assert_uint_eq(line_marks(&line, marks), 3);
    ck_assert_uint_eq(marks[1].warp, 1);
    ck_assert_uint_eq(marks[2].words, 2);
    clear(&line);
}
END_TEST

START_TEST(stores_are_not_joined)
{
    struct line line = {0};
    struct mark marks[MOST_MARKS], first = load_of(0, 0, 1, 1), second = load_of(0, 0, 2, 1);
    first.what |= MARK_WRITE;
    second.what |= MARK_WRITE;
    leave(&line, first);
    leave(&line, second);
    ck_assert_uint_eq(line_marks(&line, marks), 2);
    clear(&line);
}
END_TEST

START_TEST(marks_come_in_order_of_blocks)
{
    static const uint32_t BLOCKS[] = {5, 1, 3, 1, 9, 0};
    struct line line = {0};
    struct mark marks[MOST_MARKS];
    for (uint32_t i = 0; i < 6; i++)
        leave(&line, load_of(BLOCKS[i], (uint8_t)i, 1, 1));
    ck_assert_uint_eq(line_marks(&line, marks), 6);
    for (uint32_t i = 1; i < 6; i++)
        ck_assert_uint_le(marks[i - 1].block, marks[i].block);
    ck_assert_uint_lt(marks[1].warp, marks[2].warp); /* of block 1: by time */
    clear(&line);
}
END_TEST

START_TEST(marks_without_words_are_removed)
{
    struct line line = {0};
    struct mark marks[MOST_MARKS];
    struct chosen chosen;
    for (uint32_t i = 0; i < 6; i++)
        leave(&line, load_of(i, 0, 1U << i, 1));
    line_choose(&line, 1 | 8, &chosen);
    ck_assert_uint_eq(chosen.count, 2);
    ck_assert_uint_eq(chosen.all, 6);
    chosen.mark[0].words = chosen.mark[1].words = 0;
    ck_assert(line_keep(&line, &chosen, true));
    ck_assert_uint_eq(line_marks(&line, marks), 4);
    ck_assert_uint_eq(marks[0].block, 1);
    ck_assert_uint_eq(marks[2].block, 4);
    clear(&line);
}
END_TEST

START_TEST(a_line_without_room_stays_as_it_is)
{
    struct line line = {0};
    struct mark marks[MOST_MARKS];
    struct chosen chosen;
    for (uint32_t i = 0; i < MOST_MARKS; i++)
        leave(&line, load_of(i, 0, 1 + i % 2, 1));
    struct mark mark = load_of(0, 1, 1, 1);
    line_choose(&line, mark.words, &chosen);
    chosen.mark[0].what |= MARK_STRONG;
    chosen_add(&chosen, &mark, true);
    ck_assert(!line_keep(&line, &chosen, true));
    ck_assert_uint_eq(line_marks(&line, marks), MOST_MARKS);
    ck_assert(!(marks[0].what & MARK_STRONG));
    clear(&line);
}
END_TEST

START_TEST(a_third_load_of_a_block_adds_nothing)
{
    struct line line = {0};
    struct mark third = load_of(0, 2, 1, 1);
    leave(&line, load_of(0, 0, 3, 1));
    ck_assert(!line_knows(&line, &third, NOTHING_SEEN, true));
    leave(&line, load_of(0, 1, 1, 1));
    ck_assert(line_knows(&line, &third, NOTHING_SEEN, true));
    ck_assert(!line_knows(&line, &third, NOTHING_SEEN, false));
    uint32_t seen[MOST_WARPS] = {0, 1}; /* the second comes before it */
    ck_assert(!line_knows(&line, &third, seen, true));
    third.words = 2;
    ck_assert(!line_knows(&line, &third, NOTHING_SEEN, true));
    clear(&line);
}
END_TEST

START_TEST(next_to_a_store_each_load_counts)
{
    struct line line = {0};
    struct mark store = load_of(9, 0, 1, 1), third = load_of(0, 2, 1, 1);
    store.what |= MARK_WRITE;
    leave(&line, load_of(0, 0, 1, 1));
    leave(&line, load_of(0, 1, 1, 1));
    leave(&line, store);
    ck_assert(!line_knows(&line, &third, NOTHING_SEEN, true));
    clear(&line);
}
END_TEST

TESTS("global list", a_thread_that_goes_along_a_row_leaves_one_mark,
      a_mark_joins_none_past_one_that_touches_it, stores_are_not_joined,
      marks_come_in_order_of_blocks, marks_without_words_are_removed,
      a_line_without_room_stays_as_it_is, a_third_load_of_a_block_adds_nothing,
      next_to_a_store_each_load_counts)
