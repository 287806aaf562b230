/* check_line.c - what is said of a source line. */
#include "simgpu/line.h"

#include "simgpu/machine/machine.h"
#include "tests/check_main.h"

#include <check.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static char text[256];

/* An access: requests, bytes, and what serves them; the lanes' distance. */
#define SECTORS(n, all, count, ideal, distance, distinct)                      \
    {                                                                          \
        .requests = n, .bytes = all, .sectors = count, .ideal_sectors = ideal, \
        .neighbour_bytes = distance, .distinct_bytes = distinct                \
    }
#define WAVEFRONTS(n, all, count, ideal, distance)                                   \
    {                                                                                \
        .requests = n, .bytes = all, .wavefronts = count, .ideal_wavefronts = ideal, \
        .neighbour_bytes = distance                                                  \
    }

/* Its counters, one after the other, are *next, *next + 1, and so on. */
static void fill(struct simgpu_access *access, uint64_t *next)
{
#define ACCESS_COUNTER(name, memory, meaning) access->name = (*next)++;
#include "access_counters.def"
}

static void hold_twice(const struct simgpu_access *access, uint64_t *next)
{
#define ACCESS_COUNTER(name, memory, meaning) ck_assert_uint_eq(access->name, 2 * (*next)++);
#include "access_counters.def"
}

START_TEST(the_worst_waste_is_the_one_that_is_said)
{
    struct simgpu_line line = {.warp_instructions = 40,
                               .lanes = 1280,
                               .lanes_on = 1280,
                               .global_load = SECTORS(10, 1280, 320, 40, 4096, 0),
                               .shared_store = WAVEFRONTS(10, 1280, 20, 10, 8)};
    line_say(&line, text, sizeof text);
    ck_assert_str_eq(text, "loads touch 32.0 sectors a request, 4.0 would do: neighbouring lanes "
                           "read addresses 4 KiB apart");
    line.shared_store.wavefronts = 640;
    line_say(&line, text, sizeof text);
    ck_assert_str_eq(text, "shared memory takes 64.0 wavefronts a request, 1.0 would do: "
                           "neighbouring lanes touch addresses 8 bytes apart");
}
END_TEST

START_TEST(a_line_without_waste_is_not_blamed)
{
    const struct simgpu_line line = {.warp_instructions = 10,
                                     .lanes = 320,
                                     .lanes_on = 320,
                                     .global_load = SECTORS(10, 1280, 40, 40, 4, 0)};
    line_say(&line, text, sizeof text);
    ck_assert_str_eq(text, "4.0 sectors a request, as few as can be");
}
END_TEST

/* One row in eight begins in the middle of a sector, and one branch of a hundred splits a warp. */
START_TEST(what_is_nearly_well_is_not_said_to_be_perfect)
{
    struct simgpu_line line = {.warp_instructions = 10,
                               .lanes = 320,
                               .lanes_on = 320,
                               .branches = 100,
                               .divergent = 1,
                               .global_load = SECTORS(10, 1280, 45, 40, 4, 0)};
    line_say(&line, text, sizeof text);
    ck_assert_str_eq(text, "4.5 sectors a request, 4.0 would do");
    line.modelled_ns[SIM_WAIT_TURN] = 1;
    line_say(&line, text, sizeof text);
    ck_assert_str_eq(text, "1 of 100 branches split the warp");
}
END_TEST

START_TEST(lanes_off_by_a_condition_differ_from_lanes_elsewhere)
{
    struct simgpu_line line = {.warp_instructions = 10, .lanes = 320, .lanes_on = 80};
    line_say(&line, text, sizeof text);
    ck_assert_str_eq(text, "8.0 of 32 lanes work: a condition switches the others off");
    line.lanes = 80;
    line_say(&line, text, sizeof text);
    ck_assert_str_eq(text, "8.0 of 32 lanes work: the others are on another path, done, or not "
                           "there");
}
END_TEST

START_TEST(neighbouring_words_are_no_reason_for_a_conflict)
{
    struct simgpu_line line = {.shared_load = WAVEFRONTS(10, 1280, 20, 10, 4)};
    line_say_shared(&line, text, sizeof text);
    ck_assert_str_eq(text, "shared memory takes 2.0 wavefronts a request, 1.0 would do: neighbours "
                           "lie in banks of their own, lanes further apart meet");
}
END_TEST

START_TEST(sums_have_every_counter_of_every_access)
{
    struct simgpu_line sum = {0}, one = {0};
    uint64_t next = 1;
#define LINE_ACCESS(access, memory) fill(&one.access, &next);
#include "accesses.def"
    line_add(&sum, &one);
    line_add(&sum, &one);
    next = 1;
#define LINE_ACCESS(access, memory) hold_twice(&sum.access, &next);
#include "accesses.def"
}
END_TEST

START_TEST(sums_keep_the_distance_of_neighbours_only_while_all_agree)
{
    struct simgpu_access sum = {0};
    const struct simgpu_access near = {.requests = 1, .sectors = 4, .neighbour_bytes = 4};
    const struct simgpu_access far = {.requests = 1, .sectors = 32, .neighbour_bytes = 512};
    line_add_access(&sum, &near);
    line_add_access(&sum, &(struct simgpu_access){0});
    ck_assert_int_eq(sum.neighbour_bytes, 4);
    line_add_access(&sum, &far);
    ck_assert_int_eq(sum.neighbour_bytes, 0);
    ck_assert_uint_eq(sum.sectors, 36);
}
END_TEST

START_TEST(a_line_is_told_what_most_of_its_time_goes_to)
{
    struct simgpu_line line = {.warp_instructions = 10,
                               .lanes = 320,
                               .lanes_on = 320,
                               .global_load = SECTORS(10, 1280, 40, 40, 4, 0)};
    line_say_time(&line, text, sizeof text);
    ck_assert_str_eq(text, "");
    line.modelled_ns[SIM_WAIT_ISSUE] = 10;
    line.modelled_ns[SIM_WAIT_MEMORY] = 30;
    line_say_time(&line, text, sizeof text);
    ck_assert_str_eq(text, "75 % of it waiting for memory");
    ck_assert_double_eq(line_time(&line), 40);
    line_say(&line, text, sizeof text);
    ck_assert_str_eq(text, "4.0 sectors a request, as few as can be");
    line.modelled_ns[SIM_WAIT_RESULT] = 60;
    line_say_time(&line, text, sizeof text);
    ck_assert_str_eq(text, "60 % of it waiting for its results");
    line_say(&line, text, sizeof text);
    ck_assert_str_eq(text, "its accesses and branches waste nothing");
    line.modelled_ns[SIM_WAIT_ISSUE] = 70;
    line_say(&line, text, sizeof text);
    ck_assert_str_eq(text, "its cost is the instructions themselves");
}
END_TEST

START_TEST(sums_add_the_time_by_what_it_goes_to)
{
    struct simgpu_line sum = {.modelled_ns = {[SIM_WAIT_SHARED] = 1}};
    const struct simgpu_line more = {.modelled_ns = {[SIM_WAIT_SHARED] = 2, [SIM_WAIT_TURN] = 4}};
    line_add(&sum, &more);
    ck_assert_double_eq(sum.modelled_ns[SIM_WAIT_SHARED], 3);
    ck_assert_double_eq(line_time(&sum), 7);
}
END_TEST

START_TEST(a_line_that_never_ran_can_be_told_of)
{
    const struct simgpu_line line = {0};
    line_say(&line, text, sizeof text);
    ck_assert_str_ne(text, "");
    line_say_loads(&line.global_load, text, sizeof text);
    line_say_time(&line, text, sizeof text);
    ck_assert_str_eq(text, "");
    line_say(&line, text, 8);
    ck_assert_uint_lt(strlen(text), 8);
}
END_TEST

START_TEST(the_mend_that_gains_most_is_the_one_that_is_said)
{
    static const char *const WORDS[SIM_MEND_INSTRUCTIONS] = {
        [SIM_MEND_SECTORS] = "with neighbouring lanes on neighbouring addresses",
        [SIM_MEND_WAVEFRONTS] = "without its bank conflicts",
        [SIM_MEND_LANES] = "with all lanes of its warps at work",
        [SIM_MEND_BYTES] = "if no thread block read a sector twice here",
        [SIM_MEND_BARRIERS] = "if no warp waited here",
        [SIM_MEND_SPILLS] = "if its local arrays were in registers",
        [SIM_MEND_LOAD_SECTORS] = "with neighbouring lanes on neighbouring addresses",
        [SIM_MEND_STORE_SECTORS] = "with neighbouring lanes on neighbouring addresses",
        [SIM_MEND_ATOMICS] = "if the lanes of a warp that update one address were added up first"};
    for (int mend = 0; mend < SIM_MEND_INSTRUCTIONS; mend++) {
        struct simgpu_line line = {.gain_ns = {5, 5, 5, 5, 5, 5, 5, 5, 5}};
        char expected[160];
        line.gain_ns[mend] = 830;
        line_say_gain(&line, 1000, "this kernel", text, sizeof text);
        snprintf(expected, sizeof expected,
                 "%s this kernel would take %s0.17 of its time (modelled)", WORDS[mend],
                 mend == SIM_MEND_LANES ? "at most " : ""); /* others wait for those lanes */
        ck_assert_str_eq(text, expected);
    }
    struct simgpu_line spills = {.spilled_words = 9, .gain_ns = {[SIM_MEND_SPILLS] = 830}};
    line_say_gain(&spills, 1000, "this kernel", text, sizeof text);
    ck_assert_str_eq(text, "without register spills, and with as many warps at once, this kernel "
                           "would take 0.17 of its time (modelled)");
}
END_TEST

START_TEST(lanes_side_by_side_are_not_told_to_be)
{
    struct simgpu_line line = {.gain_ns = {[SIM_MEND_SECTORS] = 150},
                               .global_load = SECTORS(10, 1280, 50, 40, 4, 0)};
    line_say_gain(&line, 1000, "this kernel", text, sizeof text);
    ck_assert_ptr_nonnull(strstr(text, "if each request began at a multiple of 32 bytes"));
    line.global_load.neighbour_bytes = 8;
    line_say_gain(&line, 1000, "this kernel", text, sizeof text);
    ck_assert_ptr_nonnull(strstr(text, "with neighbouring lanes on neighbouring addresses"));
}
END_TEST

START_TEST(a_gain_within_the_error_of_the_model_is_not_said)
{
    struct simgpu_line line = {.gain_ns = {[SIM_MEND_BYTES] = 40}};
    line_say_gain(&line, 1000, "this kernel", text, sizeof text);
    ck_assert_str_eq(text, "");
    line.gain_ns[SIM_MEND_BYTES] = 60;
    line_say_gain(&line, 1000, "this kernel", text, sizeof text);
    ck_assert_str_ne(text, "");
}
END_TEST

START_TEST(a_gain_between_two_shares_lies_between_theirs)
{
    const double gain_ns[SIMGPU_SHARES] = {10, 30, 100};
    ck_assert_double_eq_tol(simgpu_gain_at_share(gain_ns, 1), 0, 1e-9);
    ck_assert_double_eq_tol(simgpu_gain_at_share(gain_ns, 0.875), 5, 1e-9);
    ck_assert_double_eq_tol(simgpu_gain_at_share(gain_ns, 0.75), 10, 1e-9);
    ck_assert_double_eq_tol(simgpu_gain_at_share(gain_ns, 0.625), 20, 1e-9);
    ck_assert_double_eq_tol(simgpu_gain_at_share(gain_ns, 0.5), 30, 1e-9);
    ck_assert_double_eq_tol(simgpu_gain_at_share(gain_ns, 0.25), 65, 1e-9);
    ck_assert_double_eq_tol(simgpu_gain_at_share(gain_ns, 0), 100, 1e-9);
}
END_TEST

TESTS("line", the_worst_waste_is_the_one_that_is_said, a_line_without_waste_is_not_blamed,
      lanes_off_by_a_condition_differ_from_lanes_elsewhere,
      neighbouring_words_are_no_reason_for_a_conflict, sums_have_every_counter_of_every_access,
      sums_keep_the_distance_of_neighbours_only_while_all_agree,
      a_line_is_told_what_most_of_its_time_goes_to, sums_add_the_time_by_what_it_goes_to,
      the_mend_that_gains_most_is_the_one_that_is_said,
      a_gain_within_the_error_of_the_model_is_not_said, lanes_side_by_side_are_not_told_to_be,
      a_gain_between_two_shares_lies_between_theirs, a_line_that_never_ran_can_be_told_of,
      what_is_nearly_well_is_not_said_to_be_perfect)
