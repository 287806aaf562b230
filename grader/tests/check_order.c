/* check_order.c - what precedes what, of work that a program queues on streams. */
#include "simgpu/device/order.h"
#include "tests/check_main.h"

/* No operations are kept here. */
void operations_free(struct operations *operations)
{
    (void)operations;
}

static struct device device;
static struct client client;
static struct stream streams[8];

static void open_client(void)
{
    device.options.checks = SIMGPU_CHECK_ALL;
    device.window.opening = 1;
    client = (struct client){.device = &device, .streams = streams, .stream_count = 8};
    for (int i = STREAM_LEGACY; i < 8; i++)
        streams[i] = (struct stream){.used = true};
}

static void close_client(void)
{
    order_free(&client);
}

/* Work on a stream, after what that holds and, unless it is 0, after other work. */
static uint64_t queue(uint64_t stream, uint64_t other)
{
    const struct work work = {.id = ++client.next_work, .stream = stream};
    order_begin(&client, &work);
    order_after(&client, work.id, streams[stream].last);
    order_after(&client, work.id, other);
    streams[stream].last = work.id;
    return work.id;
}

static bool precedes(uint64_t one, uint64_t other)
{
    struct order_place place;
    ck_assert(order_place_of(&client, one, &place));
    ck_assert(order_place_of(&client, other, &(struct order_place){0}));
    return order_precedes(&client, place, other);
}

START_TEST(work_of_one_stream_is_in_order)
{
    uint64_t first = queue(3, 0), between = queue(3, 0), last = queue(3, 0);
    ck_assert(precedes(first, between) && precedes(first, last) && precedes(between, last));
    ck_assert(!precedes(last, first));
}
END_TEST

START_TEST(work_of_two_streams_is_not)
{
    uint64_t one = queue(3, 0), other = queue(4, 0);
    ck_assert(!precedes(one, other) && !precedes(other, one));
    ck_assert(order_may_lack(&client));
}
END_TEST

START_TEST(a_wait_orders_all_before_it_with_all_after_it)
{
    uint64_t first = queue(3, 0), recorded = queue(3, 0), later = queue(3, 0);
    uint64_t before = queue(4, 0), after = queue(4, recorded), last = queue(5, after);
    ck_assert(precedes(first, after) && precedes(recorded, after) && precedes(first, last));
    ck_assert(!precedes(later, after) && !precedes(recorded, before));
}
END_TEST

START_TEST(what_the_host_has_waited_for_precedes_what_it_queues)
{
    uint64_t awaited = queue(3, 0), other = queue(4, 0);
    order_host(&client, 3, NULL);
    uint64_t later = queue(5, 0);
    ck_assert(precedes(awaited, later) && !precedes(other, later));
    order_host(&client, 0, NULL);
    ck_assert(precedes(other, queue(6, 0)));
}
END_TEST

START_TEST(so_does_what_an_event_has_told_it_of)
{
    const struct event event = {.used = true, .recorded_by = queue(3, 0)};
    uint64_t other = queue(4, 0);
    order_host(&client, 0, &event);
    uint64_t later = queue(5, 0);
    ck_assert(precedes(event.recorded_by, later) && !precedes(other, later));
}
END_TEST

START_TEST(what_the_host_may_have_seen_precedes_what_it_queued_since)
{
    struct work seen = {.id = queue(3, 0)};
    uint64_t before = queue(4, 0);
    seen.latest = client.next_work;
    uint64_t since = queue(5, 0);
    order_host_sees(&client, &seen);
    ck_assert(!precedes(seen.id, before) && precedes(seen.id, since));
    ck_assert(precedes(seen.id, queue(6, 0)));
}
END_TEST

START_TEST(the_legacy_stream_waits_for_a_blocking_one_that_is_gone)
{
    streams[3].blocking = true;
    uint64_t gone = queue(3, 0), staying = queue(4, 0);
    order_stream_leaves(&client, &streams[3]);
    streams[3] = (struct stream){.used = false};
    uint64_t later = queue(STREAM_LEGACY, 0);
    ck_assert(precedes(gone, later) && !precedes(staying, later));
}
END_TEST

START_TEST(a_body_counts_as_its_conditional_node)
{
    uint64_t node = queue(3, 0), after = queue(3, 0), other = queue(4, 0);
    uint64_t body = queue(5, 0);
    order_within(&client, body, node);
    ck_assert(precedes(body, after) && !precedes(body, other) && !precedes(other, body));
}
END_TEST

/* A fork to many, a join, and a fork again: chains are used again. */
START_TEST(branches_that_come_and_go_take_no_more_chains)
{
    uint64_t joined = queue(3, 0), first = joined, branch[32];
    for (int round = 0; round < 100; round++) {
        for (int i = 0; i < 32; i++) {
            streams[4].last = 0;
            branch[i] = queue(4, joined);
        }
        joined = queue(3, 0);
        for (int i = 0; i < 32; i++)
            order_after(&client, joined, branch[i]);
    }
    ck_assert(!precedes(branch[0], branch[31]) && precedes(branch[0], joined));
    ck_assert(precedes(first, joined));
}
END_TEST

START_TEST(too_many_at_once_are_forgotten_and_then_precede_all)
{
    struct order_place place;
    uint64_t first = queue(3, 0);
    for (int i = 0; i < 100; i++) {
        streams[4].last = 0;
        queue(4, 0);
    }
    uint64_t last = queue(5, 0);
    ck_assert(!order_place_of(&client, first, &place));
    ck_assert(order_place_of(&client, last, &place) && !precedes(last, queue(6, 0)));
}
END_TEST

START_TEST(what_the_host_knows_makes_room)
{
    struct order_place place;
    uint64_t other = queue(4, 0);
    order_host(&client, 4, NULL);
    for (int i = 0; i < 50000; i++) {
        queue(3, 0);
        if (i < 30000)
            order_host(&client, 3, NULL);
    }
    uint64_t beside = queue(5, 0);
    ck_assert(!order_place_of(&client, other, &place));
    ck_assert(!precedes(streams[3].last, beside) && !precedes(streams[3].last - 1000, beside));
}
END_TEST

START_TEST(another_opening_of_the_window_begins_anew)
{
    struct order_place place;
    uint64_t before = queue(3, 0);
    ck_assert(order_place_of(&client, before, &place));
    device.window.opening++;
    queue(4, 0);
    ck_assert(!order_place_of(&client, before, &place));
}
END_TEST

START_TEST(nothing_is_kept_where_races_are_not_checked)
{
    device.options.checks = 0;
    queue(3, 0);
    queue(4, 0);
    ck_assert(!client.order && !order_may_lack(&client));
}
END_TEST

TESTS_WITH(open_client, close_client, "order", work_of_one_stream_is_in_order,
           work_of_two_streams_is_not, a_wait_orders_all_before_it_with_all_after_it,
           what_the_host_has_waited_for_precedes_what_it_queues,
           so_does_what_an_event_has_told_it_of,
           what_the_host_may_have_seen_precedes_what_it_queued_since,
           the_legacy_stream_waits_for_a_blocking_one_that_is_gone,
           a_body_counts_as_its_conditional_node, branches_that_come_and_go_take_no_more_chains,
           too_many_at_once_are_forgotten_and_then_precede_all, what_the_host_knows_makes_room,
           another_opening_of_the_window_begins_anew, nothing_is_kept_where_races_are_not_checked)
