/* check_timeline.c - when pieces of work of several streams run (device/timeline_model.c). */
#include "simgpu/device/timeline_costs.h"
#include "simgpu/device/timeline_model.h"
#include "tests/check_main.h"

#include <check.h>
#include <string.h>

enum { MOST = 64, MULTIPROCESSORS = 100, SCHEDULER_WARPS = 16 };

static struct timeline_item items[MOST];
static struct timeline_call calls[MOST];
static uint32_t lists[MOST];
static uint32_t list_count;
static struct timeline_input input;

static void open_timeline(void)
{
    memset(items, 0, sizeof items);
    memset(calls, 0, sizeof calls);
    list_count = 0;
    input = (struct timeline_input){.items = items,
                                    .calls = calls,
                                    .lists = lists,
                                    .multiprocessors = MULTIPROCESSORS,
                                    .scheduler_warps = SCHEDULER_WARPS};
}

/* A call that queues one piece, and costs the host nothing. */
static struct timeline_item *queue(enum timeline_kind kind, double alone_ns)
{
    struct timeline_item *item = &items[input.item_count++];
    item->kind = kind;
    item->alone_ns = alone_ns;
    item->call = input.call_count++;
    return item;
}

/* A kernel of blocks that have a multiprocessor each for themselves. */
static struct timeline_item *kernel(double blocks, double alone_ns)
{
    struct timeline_item *item = queue(TIMELINE_KERNEL, alone_ns);
    item->share = (struct timeline_share){.blocks = blocks,
                                          .fit = MULTIPROCESSORS,
                                          .block = {.place = {[PLACE_SHARED] = 1}, .split = 1}};
    return item;
}

static void wait_for(struct timeline_list *list, const struct timeline_item *item)
{
    if (list->count == 0)
        list->first = list_count;
    lists[list_count++] = (uint32_t)(item - items);
    list->count++;
}

static void run(void)
{
    ck_assert(timeline_run(&input));
}

static double took(const struct timeline_item *item)
{
    return item->end_ns - item->start_ns;
}

static void is_about(double value, double expected)
{
    ck_assert_double_eq_tol(value, expected, 1e-3 * expected + 1e-3);
}

START_TEST(a_copy_runs_beside_a_kernel)
{
    struct timeline_item *busy = kernel(MULTIPROCESSORS, 100e3), *copy = queue(TIMELINE_UP, 80e3);
    run();
    is_about(took(busy), 100e3);
    is_about(took(copy), 80e3);
    is_about(copy->start_ns, busy->start_ns);
}
END_TEST

START_TEST(copies_of_one_direction_take_turns)
{
    struct timeline_item *first = queue(TIMELINE_DOWN, 50e3), *second = queue(TIMELINE_DOWN, 20e3);
    run();
    is_about(second->start_ns, first->end_ns + TIMELINE_COSTS.next_copy_ns);
    is_about(took(second), 20e3);
}
END_TEST

START_TEST(copies_of_both_directions_slow_each_other)
{
    struct timeline_item *up = queue(TIMELINE_UP, 50e3), *down = queue(TIMELINE_DOWN, 50e3);
    run();
    is_about(took(up), 50e3 / TIMELINE_COSTS.both_share);
    is_about(took(down), took(up));
}
END_TEST

START_TEST(what_depends_on_a_piece_begins_after_it)
{
    struct timeline_item *first = kernel(MULTIPROCESSORS, 40e3), *next = kernel(10, 10e3);
    wait_for(&next->after, first);
    run();
    is_about(next->start_ns, first->end_ns + TIMELINE_COSTS.next_ns);
}
END_TEST

START_TEST(an_event_between_two_kernels_brings_none_forward)
{
    struct timeline_item *first = kernel(1, 40e3), *mark = queue(TIMELINE_RECORD, 200);
    struct timeline_item *next = kernel(1, 10e3);
    wait_for(&mark->after, first);
    wait_for(&next->after, mark);
    run();
    is_about(next->start_ns, first->end_ns + TIMELINE_COSTS.next_ns);
}
END_TEST

START_TEST(kernels_that_fit_run_side_by_side)
{
    struct timeline_item *one = kernel(50, 40e3), *other = kernel(50, 30e3);
    run();
    is_about(other->start_ns, one->start_ns);
    is_about(took(one), 40e3);
    is_about(took(other), 30e3);
}
END_TEST

START_TEST(blocks_without_room_wait_for_those_that_run)
{
    struct timeline_item *half = kernel(50, 40e3), *full = kernel(100, 30e3);
    run();
    is_about(full->start_ns, half->start_ns);      /* 50 blocks begin, */
    is_about(full->end_ns - full->start_ns, 60e3); /* the others when those are done */
}
END_TEST

START_TEST(a_later_kernel_does_not_overtake_blocks_that_wait)
{
    struct timeline_item *first = kernel(80, 40e3), *wide = kernel(200, 60e3);
    struct timeline_item *small = kernel(5, 1e3);
    run();
    ck_assert_double_ge(small->start_ns, first->end_ns);
    ck_assert_double_ge(small->start_ns, wide->start_ns + 30e3);
}
END_TEST

START_TEST(kernels_that_want_all_of_dram_get_half_each)
{
    struct timeline_item *pair[2] = {kernel(50, 40e3), kernel(50, 40e3)};
    for (int i = 0; i < 2; i++)
        pair[i]->share.supply[SUPPLY_DRAM] = 1;
    run();
    is_about(took(pair[0]), 80e3);
    is_about(took(pair[1]), 80e3);
}
END_TEST

START_TEST(who_wants_little_of_dram_is_not_slowed)
{
    struct timeline_item *much = kernel(50, 40e3), *little = kernel(50, 40e3);
    much->share.supply[SUPPLY_DRAM] = 1;
    little->share.supply[SUPPLY_DRAM] = 0.25;
    run();
    is_about(took(little), 40e3);
    is_about(took(much), 40e3 + 40e3 * 0.25); /* three quarters for as long, then all */
}
END_TEST

START_TEST(who_is_bound_by_dram_needs_no_whole_device)
{
    kernel(50, 400e3);
    struct timeline_item *wide = kernel(100, 40e3);
    wide->share.supply[SUPPLY_DRAM] = 1;
    run();
    is_about(took(wide), 40e3); /* half of its blocks at a time, twice as fast */
}
END_TEST

/* A kernel on all multiprocessors, with so many warps to a scheduler that use part of its slots. */
static struct timeline_item *issuing(double warps, double use, double alone_ns)
{
    struct timeline_item *item = kernel(MULTIPROCESSORS, alone_ns);
    item->share.block = (struct timeline_block){.place = {[PLACE_WARPS] = warps / SCHEDULER_WARPS}};
    item->share.supply[SUPPLY_ISSUE] = use;
    return item;
}

START_TEST(a_warp_that_waits_for_itself_waits_its_turn_as_well)
{
    issuing(12, 1, 900e3);
    struct timeline_item *chain = issuing(1, 0.25, 40e3); /* an instruction in 4 cycles */
    run();
    is_about(took(chain), 160e3); /* in 4 + 12 */
}
END_TEST

START_TEST(warps_that_seldom_issue_hold_up_few)
{
    issuing(12, 0.25, 900e3);
    struct timeline_item *chain = issuing(1, 0.25, 40e3);
    run();
    is_about(took(chain), 40e3 * (4 + 0.25 / (2 * 0.75)) / 4);
}
END_TEST

START_TEST(the_last_blocks_of_a_kernel_may_be_fewer)
{
    struct timeline_item *uneven = kernel(150, 30e3);
    uneven->share.supply[SUPPLY_DRAM] = 0.8;
    run();
    is_about(took(uneven), 30e3);
}
END_TEST

START_TEST(the_host_goes_on_when_what_it_waits_for_has_ended)
{
    struct timeline_item *copy = queue(TIMELINE_UP, 90e3);
    calls[0].does_wait = true;
    wait_for(&calls[0].waits, copy);
    struct timeline_item *after = kernel(1, 1e3);
    run();
    is_about(calls[0].end_ns, copy->end_ns + TIMELINE_COSTS.return_ns);
    is_about(calls[1].start_ns, calls[0].end_ns);
    ck_assert_double_ge(after->start_ns, calls[1].end_ns);
}
END_TEST

START_TEST(calls_of_a_thread_follow_each_other)
{
    for (int i = 0; i < 3; i++)
        kernel(1, 1e3);
    for (int i = 0; i < 3; i++)
        calls[i].host_ns = 2e3;
    run();
    is_about(calls[2].start_ns, 4e3);
    is_about(items[2].start_ns, 6e3 + TIMELINE_COSTS.arrival_ns);
}
END_TEST

START_TEST(threads_do_not_wait_for_each_other)
{
    kernel(1, 1e3);
    kernel(1, 1e3);
    calls[0].host_ns = calls[1].host_ns = 5e3;
    calls[1].thread = 1;
    run();
    is_about(items[1].start_ns, items[0].start_ns);
}
END_TEST

START_TEST(a_thread_begins_with_the_call_that_its_first_follows)
{
    kernel(1, 1e3);
    kernel(1, 1e3);
    calls[0].host_ns = 7e3;
    calls[1].thread = 1;
    calls[1].follows = 1;
    run();
    is_about(calls[1].start_ns, 7e3);
}
END_TEST

START_TEST(a_call_does_not_wait_for_the_tail_of_a_copy)
{
    struct timeline_item *copy = queue(TIMELINE_UP, 50e3);
    struct timeline_item *after = kernel(1, 1e3);
    copy->is_paged = true;
    copy->tail_ns = 10e3;
    wait_for(&calls[0].waits, copy);
    wait_for(&after->after, copy);
    run();
    is_about(calls[0].end_ns, copy->start_ns + 50e3);
    is_about(copy->end_ns, copy->start_ns + 60e3);
    is_about(after->start_ns, copy->end_ns + TIMELINE_COSTS.other_ns);
}
END_TEST

/* A copy of pageable memory that its own call waits for: the host fills buffers, and the bus needs
 * less than that. */
static struct timeline_item *paged_up(double alone_ns, double bus_ns)
{
    struct timeline_item *copy = queue(TIMELINE_UP, alone_ns);
    copy->is_paged = true;
    copy->bus_ns = bus_ns;
    copy->tail_ns = 1e3;
    wait_for(&calls[copy->call].waits, copy);
    return copy;
}

static double buffers_ns(void)
{
    return TIMELINE_COSTS.buffers_bytes / TIMELINE_COSTS.up_bytes_per_ns;
}

START_TEST(buffers_are_filled_beside_a_pinned_copy_and_follow_it)
{
    struct timeline_item *pinned = queue(TIMELINE_UP, 300e3);
    struct timeline_item *paged = paged_up(80e3, 20e3);
    run();
    is_about(calls[1].end_ns, paged->start_ns + 80e3);
    is_about(took(pinned), 300e3);
    is_about(paged->end_ns, pinned->end_ns + TIMELINE_COSTS.next_copy_ns + 20e3);
}
END_TEST

START_TEST(no_more_than_the_buffers_is_filled_beside_a_pinned_copy)
{
    struct timeline_item *pinned = queue(TIMELINE_UP, 300e3);
    struct timeline_item *paged = paged_up(200e3, 2 * buffers_ns());
    run();
    is_about(calls[1].end_ns, pinned->end_ns + 100e3);
    is_about(paged->end_ns, calls[1].end_ns + 1e3);
}
END_TEST

START_TEST(a_pinned_copy_does_not_wait_for_a_pageable_one)
{
    for (int i = 0; i < 2; i++) {
        open_timeline();
        struct timeline_item *paged = i ? queue(TIMELINE_DOWN, 80e3) : paged_up(80e3, 20e3);
        paged->is_paged = true;
        struct timeline_item *pinned = queue(i ? TIMELINE_DOWN : TIMELINE_UP, 30e3);
        calls[1].thread = 1;
        run();
        is_about(pinned->start_ns, paged->start_ns);
        is_about(took(pinned), 30e3);
        ck_assert_double_ge(took(paged), 80e3);
    }
}
END_TEST

START_TEST(who_waits_for_a_pageable_copy_waits_for_its_tail)
{
    struct timeline_item *paged = paged_up(80e3, 20e3);
    kernel(1, 1e3);
    calls[1].does_wait = true;
    wait_for(&calls[1].waits, paged);
    run();
    is_about(calls[1].end_ns, paged->end_ns + TIMELINE_COSTS.return_ns);
}
END_TEST

START_TEST(a_move_waits_until_there_is_room)
{
    struct timeline_item *dense = kernel(MULTIPROCESSORS, 40e3);
    struct timeline_item *move = queue(TIMELINE_MOVE, 10e3);
    move->share = (struct timeline_share){.blocks = 8 * MULTIPROCESSORS,
                                          .fit = 8 * MULTIPROCESSORS,
                                          .block = {.place = {[PLACE_WARPS] = 0.125}}};
    dense->share.block.place[PLACE_WARPS] = 1;
    run();
    is_about(move->start_ns, dense->end_ns);
}
END_TEST

/* A kernel of blocks that need little, and no shared memory; and one of blocks that need most of
 * it, so that one is on a multiprocessor. */
static struct timeline_item *light(double blocks, double alone_ns)
{
    struct timeline_item *item = kernel(blocks, alone_ns);
    item->share.block = (struct timeline_block){.place = {[PLACE_WARPS] = 0.125}, .split = 0};
    item->share.fit = 8 * MULTIPROCESSORS;
    return item;
}

static struct timeline_item *heavy(double blocks, double alone_ns)
{
    struct timeline_item *item = kernel(blocks, alone_ns);
    item->share.block = (struct timeline_block){
        .place = {[PLACE_WARPS] = 0.125, [PLACE_SHARED] = 0.6}, .split = 0.6};
    return item;
}

START_TEST(who_needs_more_shared_memory_than_is_split_off_waits_for_an_idle_multiprocessor)
{
    struct timeline_item *small = light(MULTIPROCESSORS, 60e3);
    struct timeline_item *large = heavy(50, 20e3);
    run();
    is_about(large->start_ns, small->end_ns);
    is_about(took(large), 20e3);
}
END_TEST

START_TEST(who_needs_less_of_it_runs_beside)
{
    struct timeline_item *large = heavy(MULTIPROCESSORS, 20e3);
    struct timeline_item *small = light(MULTIPROCESSORS, 60e3);
    run();
    is_about(small->start_ns, large->start_ns);
    is_about(took(small), 60e3);
}
END_TEST

START_TEST(a_block_goes_where_most_room_is)
{
    struct timeline_item *half = heavy(50, 40e3), *one = light(1, 90e3);
    struct timeline_item *other_half = heavy(50, 40e3);
    run();
    is_about(one->start_ns, half->start_ns);
    is_about(other_half->start_ns, half->start_ns); /* 49 of its blocks begin, */
    is_about(took(other_half), 80e3);               /* the last one where a block of half was */
}
END_TEST

START_TEST(a_kernel_of_many_rounds_takes_as_long_as_alone)
{
    struct timeline_item *long_one = kernel(123456, 700e3);
    run();
    is_about(took(long_one), 700e3);
}
END_TEST

START_TEST(what_waits_for_itself_never_runs_and_nothing_hangs)
{
    struct timeline_item *stuck = kernel(1, 1e3), *free_one = kernel(1, 1e3);
    wait_for(&stuck->after, stuck);
    run();
    ck_assert_double_eq(stuck->end_ns, 0);
    ck_assert_double_gt(free_one->end_ns, 0);
}
END_TEST

TESTS_WITH(open_timeline, NULL, "timeline", a_copy_runs_beside_a_kernel,
           copies_of_one_direction_take_turns, copies_of_both_directions_slow_each_other,
           what_depends_on_a_piece_begins_after_it,
           an_event_between_two_kernels_brings_none_forward, kernels_that_fit_run_side_by_side,
           blocks_without_room_wait_for_those_that_run,
           a_later_kernel_does_not_overtake_blocks_that_wait,
           kernels_that_want_all_of_dram_get_half_each, who_wants_little_of_dram_is_not_slowed,
           who_is_bound_by_dram_needs_no_whole_device,
           a_warp_that_waits_for_itself_waits_its_turn_as_well, warps_that_seldom_issue_hold_up_few,
           the_last_blocks_of_a_kernel_may_be_fewer,
           the_host_goes_on_when_what_it_waits_for_has_ended, calls_of_a_thread_follow_each_other,
           threads_do_not_wait_for_each_other, a_thread_begins_with_the_call_that_its_first_follows,
           a_call_does_not_wait_for_the_tail_of_a_copy,
           buffers_are_filled_beside_a_pinned_copy_and_follow_it,
           no_more_than_the_buffers_is_filled_beside_a_pinned_copy,
           a_pinned_copy_does_not_wait_for_a_pageable_one,
           who_waits_for_a_pageable_copy_waits_for_its_tail, a_move_waits_until_there_is_room,
           who_needs_more_shared_memory_than_is_split_off_waits_for_an_idle_multiprocessor,
           who_needs_less_of_it_runs_beside, a_block_goes_where_most_room_is,
           a_kernel_of_many_rounds_takes_as_long_as_alone,
           what_waits_for_itself_never_runs_and_nothing_hangs)
