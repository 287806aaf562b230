/* check_idleness.c - who waits, and who only has no processor (device/idleness.c). */
#include "simgpu/device/idleness.h"
#include "tests/check_main.h"

#include <check.h>
#include <unistd.h>

enum { LOOK_MS = 100 };

/* What is said at last of so many looks at a process in such a state, which takes ticks of
 * processor time from one to the next. */
static enum idleness_says after(unsigned looks, char state, uint64_t ticks)
{
    struct idleness idleness = {0};
    enum idleness_says says = IDLENESS_UNCLEAR;
    for (unsigned i = 0; i < looks && says == IDLENESS_UNCLEAR; i++) {
        struct process_seen seen = {.state = state, .ticks = ticks * i};
        says = idleness_note(&idleness, &(struct talk){0}, &seen, LOOK_MS);
    }
    return says;
}

static uint64_t ticks_of(double seconds)
{
    return (uint64_t)(seconds * (double)sysconf(_SC_CLK_TCK));
}

START_TEST(half_a_second_of_sleep_is_a_wait)
{
    ck_assert_int_eq(after(4, 'S', 0), IDLENESS_UNCLEAR);
    ck_assert_int_eq(after(5, 'S', 0), IDLENESS_WAITS);
}
END_TEST

START_TEST(so_is_half_a_second_of_processor_time)
{
    ck_assert_int_eq(after(5, 'R', ticks_of(0.1)), IDLENESS_UNCLEAR);
    ck_assert_int_eq(after(6, 'R', ticks_of(0.1)), IDLENESS_WAITS);
}
END_TEST

START_TEST(a_little_computing_on_a_busy_machine_is_none)
{
    ck_assert_int_eq(after(20, 'R', ticks_of(0.01)), IDLENESS_UNCLEAR);
    ck_assert_int_eq(after(1000, 'R', 0), IDLENESS_UNCLEAR);
}
END_TEST

START_TEST(nor_is_it_to_be_stopped_or_in_the_kernel)
{
    ck_assert_int_eq(after(50, 'D', 0), IDLENESS_UNCLEAR);
    ck_assert_int_eq(after(200, 'T', 0), IDLENESS_GIVE_UP);
}
END_TEST

START_TEST(what_cannot_be_seen_is_no_wait)
{
    struct idleness idleness = {0};
    for (int i = 0; i < 1000; i++)
        ck_assert_int_eq(idleness_note(&idleness, &(struct talk){0}, NULL, LOOK_MS),
                         IDLENESS_UNCLEAR);
}
END_TEST

START_TEST(an_act_begins_it_anew)
{
    struct idleness idleness = {0};
    struct process_seen sleeps = {.state = 'S'};
    for (uint64_t i = 0; i < 20; i++)
        ck_assert_int_eq(idleness_note(&idleness, &(struct talk){.acts = i / 4}, &sleeps, LOOK_MS),
                         IDLENESS_UNCLEAR);
}
END_TEST

/* So many looks at a process that sleeps and has asked: until it is said to wait. */
static unsigned looks_until_it_waits(bool is_answered_between)
{
    struct idleness idleness = {0};
    struct process_seen sleeps = {.state = 'S'};
    for (unsigned i = 1; i <= 100; i++) {
        struct talk talk = {.answers = is_answered_between ? i : 0, .is_asking = true};
        if (idleness_note(&idleness, &talk, &sleeps, LOOK_MS) == IDLENESS_WAITS)
            return i;
    }
    return 0;
}

START_TEST(to_sleep_until_the_device_answers_is_none)
{
    ck_assert_uint_eq(looks_until_it_waits(false), 50 + 5); /* but not for ever */
}
END_TEST

START_TEST(to_ask_in_a_loop_is_one)
{
    ck_assert_uint_eq(looks_until_it_waits(true), 5);
}
END_TEST

TESTS("idleness", half_a_second_of_sleep_is_a_wait, so_is_half_a_second_of_processor_time,
      a_little_computing_on_a_busy_machine_is_none, nor_is_it_to_be_stopped_or_in_the_kernel,
      what_cannot_be_seen_is_no_wait, an_act_begins_it_anew,
      to_sleep_until_the_device_answers_is_none, to_ask_in_a_loop_is_one)
