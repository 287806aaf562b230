/* check_figures.c - from a device's report to counters, and to the line that is to blame. */
#include "check/examine/figures.h"

#include "simgpu/machine/machine.h"
#include "tests/check_main.h"

#include <math.h>
#include <string.h>

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

/* Two launches; the first with two lines of the learner's file and one of a header. */
static struct simgpu_line first_lines[] = {
    {.place = {"/src/kernel.cu", 10, 1},
     .warp_instructions = 100,
     .lanes_on = 3200,
     .global_load = SECTORS(10, 1280, 320, 40, 256, 0),
     .modelled_ns = {[SIM_WAIT_MEMORY] = 60}},
    {.place = {"/src/kernel.cu", 12, 1},
     .warp_instructions = 900,
     .lanes = 900 * 32,
     .lanes_on = 900 * 16,
     .global_store = SECTORS(10, 1280, 40, 40, 4, 0),
     .modelled_ns = {[SIM_WAIT_TURN] = 40}},
    {.place = {"/common/help.h", 3, 1}, .warp_instructions = 5000, .lanes_on = 5000 * 32},
};
static struct simgpu_line second_lines[] = {
    {.place = {"/src/kernel.cu", 10, 1},
     .warp_instructions = 100,
     .lanes_on = 3200,
     .global_load = SECTORS(10, 1280, 320, 40, 256, 0),
     .modelled_ns = {[SIM_WAIT_ISSUE] = 20, [SIM_WAIT_MEMORY] = 120}},
    {.place = {"/src/kernel.cu", 20, 1},
     .warp_instructions = 10,
     .fp64_instructions = 7,
     .lanes_on = 320,
     .shared_load = WAVEFRONTS(10, 1280, 320, 10, 128),
     .modelled_ns = {[SIM_WAIT_SHARED] = 160}},
};
static struct simgpu_launch launches[] = {
    {.warp_instructions = 6000,
     .thread_instructions_on = 6000 * 32,
     .class_instructions = {[SIM_OP_DOUBLE] = 5},
     .global_load = SECTORS(10, 1280, 320, 40, 256, 1280),
     .global_store = SECTORS(10, 1280, 40, 40, 4, 1280),
     .modelled_ns = 100,
     .bound = "DRAM",
     .lines = first_lines,
     .line_count = 3},
    {.warp_instructions = 110,
     .thread_instructions_on = 110 * 32,
     .class_instructions = {[SIM_OP_DOUBLE] = 7, [SIM_OP_TENSOR] = 2},
     .global_load = SECTORS(10, 1280, 320, 40, 256, 320),
     .shared_load = WAVEFRONTS(10, 1280, 320, 10, 128),
     .modelled_ns = 300,
     .bound = "shared memory",
     .lines = second_lines,
     .line_count = 2},
};
static struct simgpu_report report = {.launches = launches,
                                      .launch_count = 2,
                                      .device = "simulated NVIDIA H200",
                                      .calls = {.launches = 2,
                                                .graph_kernels = 1,
                                                .graphs_made = 3,
                                                .stream_creations = 4,
                                                .event_creations = 5,
                                                .synchronisations = 3,
                                                .sets = 1,
                                                .modelled_ns = 450}};

static struct figures figures;

/* 0: the reference was not counted. */
static void measure(double reference_instructions)
{
    struct judge_work work = {.bytes = 1920};
    struct figures_own own = {.synchronisations = 1, .handed_bytes = figure_number(288)};
    struct figures_reference reference = {.known = reference_instructions > 0,
                                          .warp_instructions = reference_instructions};
    figures_of(&report, &work, &own, &reference, &figures);
}

static double value_of(enum judge_counter counter)
{
    ck_assert(figure_is_number(&figures.counter[counter]));
    return figures.counter[counter].value;
}

START_TEST(counters_are_ratios_of_sums_over_all_launches)
{
    measure(6110);
    ck_assert_double_eq(value_of(JUDGE_LOAD_EFFICIENCY), 80.0 / 640);
    ck_assert_double_eq(value_of(JUDGE_STORE_EFFICIENCY), 1);
    ck_assert_double_eq(value_of(JUDGE_SECTORS_PER_LOAD), 32);
    ck_assert_double_eq(value_of(JUDGE_WAVEFRONT_RATIO), 32);
    ck_assert_double_eq(value_of(JUDGE_LANES_ON), 32);
    ck_assert_double_eq(value_of(JUDGE_WARP_INSTRUCTIONS), 1);
    ck_assert_double_eq(value_of(JUDGE_BYTES_RATIO), 1.5); /* distinct */
    ck_assert_double_eq(value_of(JUDGE_LAUNCHES), 2);
    ck_assert_double_eq(value_of(JUDGE_COPIES), 1);
    ck_assert_double_eq(figures.sums.modelled_ns, 450);
    ck_assert_str_eq(figures.bound, "shared memory");
}
END_TEST

START_TEST(a_graph_has_its_launches_and_a_time_line_its_length)
{
    struct judge_work work = {.bytes = 1920};
    const struct figures_own own = {
        .handed_bytes = figure_none(""), .by_time_line = true, .span_ns = 380};
    const struct figures_reference reference = {.known = false};
    figures_of(&report, &work, &own, &reference, &figures);
    ck_assert_double_eq(value_of(JUDGE_DIRECT_LAUNCHES), 1);
    ck_assert_double_eq(value_of(JUDGE_GRAPHS_MADE), 3);
    ck_assert_double_eq(value_of(JUDGE_OBJECTS_MADE), 9);
    ck_assert_double_eq(figures.sums.modelled_ns, 380);
}
END_TEST

START_TEST(instructions_of_one_kind_are_counted_over_all_launches)
{
    measure(0);
    ck_assert_double_eq(value_of(JUDGE_FP64_INSTRUCTIONS), 12);
    ck_assert_double_eq(value_of(JUDGE_TENSOR_INSTRUCTIONS), 2);
}
END_TEST

START_TEST(the_runners_own_waits_are_not_the_submissions)
{
    measure(0);
    ck_assert_double_eq(value_of(JUDGE_SYNCHRONISATIONS), 2);
}
END_TEST

START_TEST(what_the_process_before_left_is_a_figure)
{
    measure(0);
    ck_assert_double_eq(value_of(JUDGE_HANDED_BYTES), 288);
}
END_TEST

START_TEST(what_was_not_observed_is_unknown_and_says_why)
{
    measure(0);
    ck_assert_int_eq(figures.counter[JUDGE_WARP_INSTRUCTIONS].kind, FIGURE_UNKNOWN);
    ck_assert_str_eq(figures.counter[JUDGE_LOAD_BYTES_RATIO].why, "the reference was not counted");
    ck_assert_int_eq(figures.counter[JUDGE_COUNTER_NONE].kind, FIGURE_NONE);
}
END_TEST

START_TEST(without_a_kernel_nothing_is_known_of_one)
{
    const struct simgpu_report nothing = {.calls = {.copies = 1}};
    const struct simgpu_report product = {.calls = {.launches = 1, .library_products = 1}};
    const struct judge_work work = {.bytes = 1920};
    const struct figures_own own = {.handed_bytes = figure_none("")};
    const struct figures_reference reference = {.known = true, .warp_instructions = 1};
    figures_of(&nothing, &work, &own, &reference, &figures);
    ck_assert_int_eq(figures.counter[JUDGE_LOAD_EFFICIENCY].kind, FIGURE_UNKNOWN);
    ck_assert_int_eq(figures.counter[JUDGE_WARP_INSTRUCTIONS].kind, FIGURE_UNKNOWN);
    ck_assert_double_eq(value_of(JUDGE_COPIES), 1);
    figures_of(&product, &work, &own, &reference, &figures);
    ck_assert_int_eq(figures.counter[JUDGE_LOAD_EFFICIENCY].kind, FIGURE_NONE);
    ck_assert_double_eq(value_of(JUDGE_LAUNCHES), 1);
}
END_TEST

START_TEST(a_figure_is_never_a_number_that_is_none)
{
    struct figure figure = figure_number(NAN);
    ck_assert_int_eq(figure.kind, FIGURE_UNKNOWN);
    figure = figure_number(INFINITY);
    ck_assert_int_eq(figure.kind, FIGURE_UNKNOWN);
    figure = figure_ratio(1, 0, "none");
    ck_assert_int_eq(figure.kind, FIGURE_NONE);
    figure = figure_ratio(0, 2, "none");
    ck_assert(figure_is_number(&figure) && figure.value == 0);
}
END_TEST

START_TEST(lines_of_the_learners_file_are_merged_and_others_left_out)
{
    size_t count;
    struct simgpu_line *lines = figures_lines(&report, "kernel.cu", &count);
    ck_assert_uint_eq(count, 3);
    ck_assert_uint_eq(lines[0].place.line, 10);
    ck_assert_uint_eq(lines[0].global_load.requests, 20);
    ck_assert_int_eq(lines[0].global_load.neighbour_bytes, 256);
    free(lines);
    lines = figures_lines(&report, "elsewhere.cu", &count);
    ck_assert_uint_eq(count, 4);
    free(lines);
}
END_TEST

START_TEST(each_counter_has_its_own_worst_line)
{
    size_t count;
    struct simgpu_line *lines = figures_lines(&report, "kernel.cu", &count);
    ck_assert_uint_eq(figures_worst(lines, count, JUDGE_LOAD_EFFICIENCY)->place.line, 10);
    ck_assert_uint_eq(figures_worst(lines, count, JUDGE_LANES_ON)->place.line, 12);
    ck_assert_uint_eq(figures_worst(lines, count, JUDGE_WAVEFRONT_RATIO)->place.line, 20);
    ck_assert_uint_eq(figures_worst(lines, count, JUDGE_FP64_INSTRUCTIONS)->place.line, 20);
    ck_assert_ptr_null(figures_worst(lines, count, JUDGE_STORE_EFFICIENCY));
    ck_assert_ptr_null(figures_worst(lines, count, JUDGE_LAUNCHES));
    ck_assert_uint_eq(figures_worst(lines, count, JUDGE_COUNTER_NONE)->place.line, 10);
    free(lines);
}
END_TEST

START_TEST(a_line_is_told_its_part_of_the_modelled_time)
{
    size_t count;
    char text[256];
    struct simgpu_line *lines = figures_lines(&report, "kernel.cu", &count);
    const struct simgpu_line untimed = {.warp_instructions = 1};
    figures_say_time(&report, lines, count, &lines[0], text, sizeof text);
    ck_assert_str_eq(text, "50 % of the kernels' time (modelled, simulated NVIDIA H200) goes into "
                           "this line, 90 % of it waiting for memory");
    figures_say_time(&report, lines, count, &lines[1], text, sizeof text);
    ck_assert_str_eq(text, "10 % of the kernels' time (modelled, simulated NVIDIA H200) goes into "
                           "this line, 100 % of it waiting for a turn to issue; of your "
                           "lines, line 10 takes longest, 50 %");
    figures_say_time(&report, lines, count, &untimed, text, sizeof text);
    ck_assert_str_eq(text, "");
    free(lines);
}
END_TEST

START_TEST(a_line_is_said_with_its_figure_and_what_would_do)
{
    size_t count;
    char text[256];
    struct simgpu_line *lines = figures_lines(&report, "kernel.cu", &count);
    figures_say(lines, count, &lines[0], JUDGE_LOAD_EFFICIENCY, text, sizeof text);
    ck_assert_str_eq(text, "loads touch 32.0 sectors a request, 4.0 would do: neighbouring lanes "
                           "read addresses 256 bytes apart");
    figures_say(lines, count, &lines[2], JUDGE_WAVEFRONT_RATIO, text, sizeof text);
    ck_assert_str_eq(text, "shared memory takes 32.0 wavefronts a request, 1.0 would do: "
                           "neighbouring lanes touch addresses 128 bytes apart");
    figures_say(lines, count, &lines[1], JUDGE_LANES_ON, text, sizeof text);
    ck_assert_str_eq(text, "16.0 of 32 lanes work: a condition switches the others off");
    figures_say(lines, count, &lines[2], JUDGE_FP64_INSTRUCTIONS, text, sizeof text);
    ck_assert_str_eq(text, "100 % of your lines' FP64 instructions come from here");
    free(lines);
}
END_TEST

/* The reference is compared by bytes that lanes share counted once, or by all loads. */
START_TEST(a_share_is_of_what_its_counter_counts)
{
    char text[256];
    const struct simgpu_line lines[] = {
        {.place = {"kernel.cu", 1, 1}, .global_load = SECTORS(10, 4096, 10, 10, 0, 128)},
        {.place = {"kernel.cu", 2, 1},
         .global_load = SECTORS(10, 1024, 40, 40, 4, 1024),
         .global_store = SECTORS(10, 1024, 40, 40, 4, 1024)}};
    ck_assert_uint_eq(figures_worst(lines, 2, JUDGE_LOAD_BYTES_RATIO)->place.line, 1);
    ck_assert_uint_eq(figures_worst(lines, 2, JUDGE_BYTES_RATIO)->place.line, 2);
    ck_assert_uint_eq(figures_worst(lines, 2, JUDGE_ALL_BYTES_RATIO)->place.line, 2);
    figures_say(lines, 2, &lines[0], JUDGE_LOAD_BYTES_RATIO, text, sizeof text);
    ck_assert_str_eq(text, "80 % of your lines' bytes loaded from global memory come from here");
    figures_say(lines, 2, &lines[1], JUDGE_ALL_BYTES_RATIO, text, sizeof text);
    ck_assert_str_eq(text, "94 % of your lines' bytes to and from global memory come from here");
}
END_TEST

TESTS("figures", counters_are_ratios_of_sums_over_all_launches,
      a_graph_has_its_launches_and_a_time_line_its_length,
      instructions_of_one_kind_are_counted_over_all_launches,
      the_runners_own_waits_are_not_the_submissions, what_the_process_before_left_is_a_figure,
      what_was_not_observed_is_unknown_and_says_why, without_a_kernel_nothing_is_known_of_one,
      a_figure_is_never_a_number_that_is_none,
      lines_of_the_learners_file_are_merged_and_others_left_out,
      each_counter_has_its_own_worst_line, a_line_is_told_its_part_of_the_modelled_time,
      a_line_is_said_with_its_figure_and_what_would_do, a_share_is_of_what_its_counter_counts)
