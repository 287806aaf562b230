/* check_what_if.c - a line that is asked "what if" gains what the mended kernel gains.
 *
 * Each claim runs a kernel twice, as it is and mended, and compares what the model predicted for
 * the first with what it says of the second. `make fidelity` says how far that is from hardware.
 */
#include "bench_machine.h"
#include "tests/check_main.h"

#include <check.h>
#include <stdio.h>

enum {
    MENDED_LINE = 7,
    MOST_ASKED = 32,
    EVERY_KIND = (1 << (SIM_MENDS - SIM_MEND_INSTRUCTIONS)) - 1 /* of which there may be fewer */
};
static const uint64_t MIB = 1024 * 1024;
static struct bench bench;

static void open_bench(void)
{
    bench_open(&bench);
}

static void close_bench(void)
{
    bench_close(&bench);
}

/* Blocks of 256 threads run before and after on line 1 and body on MENDED_LINE; %r1 is the thread's
 * number in its block, %r2 in the grid, %rd1 the buffer. Returns the modelled time in ns. */
static double time_of(const char *before, const char *body, const char *after, uint32_t blocks,
                      uint64_t buffer_bytes)
{
    static const char HEAD[] =
        ".version 9.0\n.target sm_80\n.address_size 64\n.file 1 \"kernel.cu\"\n"
        ".visible .entry test(.param .u64 p0)\n{\n"
        ".reg .b32 %r<64>; .reg .b64 %rd<64>; .reg .f32 %f<64>; .reg .pred %p<16>;\n.loc 1 1 0\n"
        "mov.u32 %r1, %tid.x; mov.u32 %r3, %ctaid.x;\n"
        "mad.lo.u32 %r2, %r3, 256, %r1; ld.param.u64 %rd1, [p0];\n";
    char text[4096];
    bench.parameter_count = 0;
    bench_buffer(&bench, buffer_bytes);
    snprintf(text, sizeof text, "%s%s\n.loc 1 %d 0\n%s\n.loc 1 1 0\n%s\nret;\n}\n", HEAD, before,
             MENDED_LINE, body, after);
    bench_load(&bench, text);
    bench.config.grid[0] = blocks;
    bench.config.block[0] = 256;
    ck_assert_int_eq(bench_run(&bench, "test"), SIM_FAULT_NONE);
    return bench_result(&bench)->modelled_ns;
}

/* What that line, or line 0 for all of them, would make of the latest launch, in ns; the launch's
 * own time if it was not asked. share: as in struct sim_what_if. */
static double time_if_left(unsigned line, enum sim_mend mend, double share)
{
    struct sim_what_if found[MOST_ASKED];
    size_t count = sim_launch_what_if(bench.launch, EVERY_KIND, found, MOST_ASKED);
    for (size_t i = 0; i < count; i++)
        if (found[i].line.line == line && found[i].mend == mend && found[i].share == share)
            return found[i].modelled_ns;
    return bench_result(&bench)->modelled_ns;
}

static double time_if_line(unsigned line, enum sim_mend mend)
{
    return time_if_left(line, mend, 0);
}

static double time_if(enum sim_mend mend)
{
    return time_if_line(MENDED_LINE, mend);
}

static void assert_close(double predicted, double mended, double tolerance)
{
    ck_assert_double_gt(predicted, (1 - tolerance) * mended);
    ck_assert_double_lt(predicted, (1 + tolerance) * mended);
}

#define ADDRESS(stride) "mul.wide.u32 %rd2, %r2, " #stride "; add.u64 %rd2, %rd2, %rd1;"
#define DOUBLE_IT "ld.global.f32 %f1, [%rd2]; add.f32 %f1, %f1, %f1; st.global.f32 [%rd2], %f1;"

START_TEST(a_strided_line_gains_what_neighbouring_addresses_gain)
{
    double far = time_of(ADDRESS(128), DOUBLE_IT, "", 4096, 128 * MIB);
    double predicted = time_if(SIM_MEND_SECTORS);
    double near = time_of(ADDRESS(4), DOUBLE_IT, "", 4096, 128 * MIB);
    ck_assert_double_gt(far / near, 3);
    assert_close(predicted, near, 0.2);
}
END_TEST

#define LOOP(body) "LOOP: " body "add.u32 %r7, %r7, 1; setp.lt.u32 %p1, %r7, 128; @%p1 bra LOOP;\n"
#define WORDS(stride)                                                                    \
    ".shared .align 16 .b8 words[32768]; mov.u32 %r5, words; mov.f32 %f2, 0f00000000;\n" \
    "and.b32 %r6, %r1, 31; mad.lo.u32 %r5, %r6, " #stride ", %r5; mov.u32 %r7, 0;\n"
#define READ_WORDS LOOP("ld.shared.f32 %f1, [%r5]; add.f32 %f2, %f2, %f1; xor.b32 %r5, %r5, 4096;")
#define KEEP ADDRESS(4) "st.global.f32 [%rd2], %f2;"

START_TEST(a_line_with_bank_conflicts_gains_what_padding_gains)
{
    double conflicts = time_of(WORDS(128), READ_WORDS, KEEP, 1056, 4 * MIB);
    double predicted = time_if(SIM_MEND_WAVEFRONTS);
    double padded = time_of(WORDS(132), READ_WORDS, KEEP, 1056, 4 * MIB);
    ck_assert_double_gt(conflicts / padded, 8);
    assert_close(predicted, padded, 0.15);
}
END_TEST

/* Every second lane works, or every second warp. */
#define WORK LOOP("fma.rn.f32 %f2, %f2, %f2, %f2; fma.rn.f32 %f2, %f2, %f2, %f2;")
#define SOME(bit)                                                            \
    "mov.f32 %f2, 0f3F800000; mov.u32 %r7, 0; and.b32 %r4, %r1, " #bit ";\n" \
    "setp.ne.u32 %p2, %r4, 0; @%p2 bra DONE;\n"

START_TEST(a_divergent_line_gains_what_whole_warps_gain)
{
    double lanes = time_of(SOME(1), WORK, "DONE: " KEEP, 2112, 4 * MIB);
    double predicted = time_if(SIM_MEND_LANES);
    double warps = time_of(SOME(32), WORK, "DONE: " KEEP, 2112, 4 * MIB);
    ck_assert_double_gt(lanes / warps, 1.3);
    assert_close(predicted, warps, 0.2);
}
END_TEST

/* As many turns as the lane's number says, or as the warp's: both have the same sum. */
#define TURNS_BY(bits, shift)                                                  \
    "mov.f32 %f2, 0f3F800000; mov.u32 %r7, 0; shr.u32 %r4, %r1, " #shift ";\n" \
    "and.b32 %r4, %r4, " #bits "; mul.lo.u32 %r4, %r4, 8;\n"
#define TURN_ROUND                                                           \
    "ROUND: fma.rn.f32 %f2, %f2, %f2, %f2; fma.rn.f32 %f2, %f2, %f2, %f2;\n" \
    "add.u32 %r7, %r7, 1; setp.le.u32 %p1, %r7, %r4; @%p1 bra ROUND;\n"

START_TEST(a_loop_of_many_lengths_gains_what_sorted_lanes_gain)
{
    double mixed = time_of(TURNS_BY(7, 0), TURN_ROUND, KEEP, 2112, 4 * MIB);
    double predicted = time_if(SIM_MEND_LANES);
    double sorted = time_of(TURNS_BY(7, 5), TURN_ROUND, KEEP, 2112, 4 * MIB);
    ck_assert_double_gt(mixed / sorted, 1.2);
    assert_close(predicted, sorted, 0.1);
}
END_TEST

/* Odd lanes one way, even ones another; or warps. */
#define ONE_OR_OTHER                                                                       \
    "@%p2 bra OTHER; ONE: fma.rn.f32 %f2, %f2, %f2, %f2; fma.rn.f32 %f2, %f2, %f2, %f2;\n" \
    "add.u32 %r7, %r7, 1; setp.lt.u32 %p1, %r7, 96; @%p1 bra ONE; bra.uni BOTH;\n"         \
    "OTHER: mul.f32 %f2, %f2, %f2; add.f32 %f2, %f2, %f2;\n"                               \
    "add.u32 %r7, %r7, 1; setp.lt.u32 %p1, %r7, 96; @%p1 bra OTHER; BOTH:\n"
#define BY_BIT(bit)                                                          \
    "mov.f32 %f2, 0f3F800000; mov.u32 %r7, 0; and.b32 %r4, %r1, " #bit ";\n" \
    "setp.ne.u32 %p2, %r4, 0;\n"

START_TEST(two_ways_apart_take_half_of_two_ways_together)
{
    double together = time_of(BY_BIT(1), ONE_OR_OTHER, KEEP, 2112, 4 * MIB);
    double predicted = time_if(SIM_MEND_LANES);
    double apart = time_of(BY_BIT(32), ONE_OR_OTHER, KEEP, 2112, 4 * MIB);
    ck_assert_double_gt(together / apart, 1.5);
    assert_close(predicted, apart, 0.1);
}
END_TEST

#define ADD_UP LOOP("red.global.add.f32 [%rd1], %f1;")

START_TEST(atomics_on_one_address_gain_what_one_a_warp_gains)
{
    double each = time_of("mov.u32 %r7, 0; mov.f32 %f1, 0f3F800000;", ADD_UP, "", 264, MIB);
    double predicted = time_if(SIM_MEND_ATOMICS);
    double one = time_of("mov.u32 %r7, 0; mov.f32 %f1, 0f3F800000;\n"
                         "and.b32 %r4, %r1, 31; setp.ne.u32 %p2, %r4, 0; @%p2 bra END;\n",
                         ADD_UP, "END:", 264, MIB);
    ck_assert_double_gt(each / one, 16);
    assert_close(predicted, one, 0.2);
}
END_TEST

/* ptxas makes one lane add for all of its warp. */
#define COUNT_UP LOOP("red.global.add.u32 [%rd1], 1;")

START_TEST(atomics_that_one_lane_carries_out_for_its_warp_gain_nothing)
{
    double counted = time_of("mov.u32 %r7, 0;", COUNT_UP, "", 264, MIB);
    assert_close(time_if(SIM_MEND_ATOMICS), counted, 0.02);
}
END_TEST

#define ARRAY                                                               \
    ".local .align 16 .b8 array[64]; mov.u32 %r5, array; mov.u32 %r7, 0;\n" \
    "mov.f32 %f2, 0f00000000; st.local.f32 [%r5], %f2; st.local.f32 [%r5+4], %f2;\n"
#define READ_ARRAY LOOP("ld.local.f32 %f1, [%r5]; add.f32 %f2, %f2, %f1; xor.b32 %r5, %r5, 4;")
#define READ_NONE LOOP("add.f32 %f2, %f2, %f1; xor.b32 %r5, %r5, 4;")

START_TEST(a_local_array_gains_what_registers_gain)
{
    double in_memory = time_of(ARRAY, READ_ARRAY, KEEP, 2112, 4 * MIB);
    double predicted = time_if(SIM_MEND_SPILLS);
    double in_registers = time_of(ARRAY, READ_NONE, KEEP, 2112, 4 * MIB);
    ck_assert_double_gt(in_memory / in_registers, 1.5);
    assert_close(predicted, in_registers, 0.3);
}
END_TEST

START_TEST(what_another_line_has_read_need_not_be_read_again)
{
    static const char AGAIN[] = ".loc 1 8 0\nLOOP: ld.global.cg.f32 %f3, [%rd2];"
                                "add.f32 %f2, %f2, %f3; add.u32 %r7, %r7, 1;"
                                "setp.lt.u32 %p1, %r7, 16; @%p1 bra LOOP;\n"
                                "st.global.f32 [%rd2], %f2;";
    double again =
        time_of(ADDRESS(4) "mov.u32 %r7, 0;", "ld.global.f32 %f2, [%rd2];", AGAIN, 4096, 4 * MIB);
    ck_assert_double_lt(time_if_line(8, SIM_MEND_BYTES), 0.6 * again);
    ck_assert_double_eq(time_if_line(8, SIM_MEND_SECTORS), again);
}
END_TEST

START_TEST(a_line_that_is_as_good_as_can_be_gains_nothing)
{
    double time = time_of(ADDRESS(4), DOUBLE_IT, "", 4096, 128 * MIB);
    ck_assert_double_eq(time_if(SIM_MEND_SECTORS), time);
    ck_assert_double_eq(time_if(SIM_MEND_WAVEFRONTS), time);
    ck_assert_double_eq(time_if(SIM_MEND_LANES), time);
}
END_TEST

#define QUADS(from)                                                             \
    ADDRESS(16)                                                                 \
    "ld.global.v4.f32 {%f1, %f2, %f3, %f4}, [" from "]; add.f32 %f1, %f1, %f2;" \
    "add.f32 %f1, %f1, %f3; add.f32 %f1, %f1, %f4; st.global.f32 [%rd2], %f1;"

START_TEST(a_line_that_no_block_reads_twice_has_no_second_reading_to_spare)
{
    struct sim_what_if found[MOST_ASKED];
    time_of("", QUADS("%rd2"), "", 4096, 16 * MIB);
    size_t count = sim_launch_what_if(bench.launch, 0, found, MOST_ASKED);
    for (size_t i = 0; i < count; i++)
        ck_assert_int_ne(found[i].mend, SIM_MEND_BYTES);
    double again = time_of("", QUADS("%rd1"), "", 4096, 16 * MIB); /* all threads read the same */
    ck_assert_double_lt(time_if(SIM_MEND_BYTES), again);
}
END_TEST

START_TEST(asking_changes_no_figure_of_the_launch)
{
    double time = time_of(ADDRESS(128), DOUBLE_IT, "", 1024, 32 * MIB);
    const struct sim_launch_result *result = bench_result(&bench);
    uint64_t sectors = result->totals.global_load.sectors, executions = result->ops[3].executions;
    double of_op = result->ops[3].modelled_ns[SIM_WAIT_MEMORY];
    ck_assert_double_lt(time_if(SIM_MEND_SECTORS), time);
    ck_assert_double_eq(result->modelled_ns, time);
    ck_assert_double_eq(result->ops[3].modelled_ns[SIM_WAIT_MEMORY], of_op);
    ck_assert_uint_eq(result->totals.global_load.sectors, sectors);
    ck_assert_uint_eq(result->ops[3].executions, executions);
}
END_TEST

#define COPY_FAR                                                                          \
    "mul.wide.u32 %rd2, %r2, 128; add.u64 %rd2, %rd2, %rd1; ld.global.f32 %f1, [%rd2];\n" \
    ".loc 1 8 0\nst.global.f32 [%rd2+67108864], %f1;"

START_TEST(all_lines_mended_at_once_gain_more_than_one)
{
    double time = time_of("", COPY_FAR, "", 2048, 128 * MIB);
    double loads = time_if_line(MENDED_LINE, SIM_MEND_SECTORS);
    double stores = time_if_line(MENDED_LINE + 1, SIM_MEND_SECTORS);
    double both = time_if_line(0, SIM_MEND_SECTORS);
    ck_assert_double_lt(loads, time);
    ck_assert_double_lt(stores, time);
    ck_assert_double_lt(both, 0.9 * loads);
    ck_assert_double_lt(both, 0.9 * stores);
    ck_assert_double_eq(time_if_line(0, SIM_MEND_LOAD_SECTORS), loads);
    ck_assert_double_eq(time_if_line(0, SIM_MEND_STORE_SECTORS), stores);
    ck_assert_double_eq(time_if_line(MENDED_LINE, SIM_MEND_LOAD_SECTORS), loads);
    ck_assert_double_eq(time_if_line(MENDED_LINE, SIM_MEND_STORE_SECTORS), time);
}
END_TEST

#define TURNS_OF(body, turns)                                             \
    "mov.u32 %r7, 0; mov.f32 %f2, 0f3F800000; mov.f32 %f3, 0f3F000000;\n" \
    "AGAIN: " body " add.u32 %r7, %r7, 1; setp.lt.u32 %p1, %r7, " #turns "; @%p1 bra AGAIN;\n"
#define MULTIPLY "fma.rn.f32 %f2, %f2, %f2, %f2; fma.rn.f32 %f3, %f3, %f3, %f3;"
#define EIGHT_TIMES MULTIPLY MULTIPLY MULTIPLY MULTIPLY
#define KEEP_BOTH "add.f32 %f2, %f2, %f3;" KEEP

START_TEST(half_as_many_instructions_gain_what_they_took)
{
    double twice = time_of("", TURNS_OF(EIGHT_TIMES EIGHT_TIMES, 256), KEEP_BOTH, 2112, 4 * MIB);
    double half = time_if_left(0, SIM_MEND_INSTRUCTIONS, 0.5);
    ck_assert_double_lt(time_if_left(0, SIM_MEND_INSTRUCTIONS, 0), 0.2 * twice);
    ck_assert_double_eq(time_if_left(0, SIM_MEND_LOADED, 0), twice);
    double once = time_of("", TURNS_OF(EIGHT_TIMES, 256), KEEP_BOTH, 2112, 4 * MIB);
    assert_close(half, once, 0.15);
}
END_TEST

START_TEST(half_as_much_moved_gains_what_it_took)
{
    double time =
        time_of("",
                ADDRESS(4) "ld.global.f32 %f1, [%rd2];"
                           "ld.global.f32 %f2, [%rd2+67108864]; add.f32 %f2, %f2, %f1;"
                           "setp.eq.f32 %p1, %f2, 0f3F800000; @%p1 st.global.f32 [%rd2], %f2;",
                "", 32768, 128 * MIB);
    double half = time_if_left(0, SIM_MEND_LOADED, 0.5);
    ck_assert_double_le(time_if_left(0, SIM_MEND_LOADED, 0), half);
    ck_assert_double_gt(time_if_left(0, SIM_MEND_INSTRUCTIONS, 0.5), 0.9 * time);
    double once =
        time_of("",
                ADDRESS(4) "ld.global.f32 %f2, [%rd2];"
                           "setp.eq.f32 %p1, %f2, 0f3F800000; @%p1 st.global.f32 [%rd2], %f2;",
                "", 32768, 128 * MIB);
    assert_close(half, once, 0.15);
}
END_TEST

/* Each kind costs three runs of the model: only those asked for are. */
START_TEST(no_kind_is_asked_but_those_that_are_wanted)
{
    struct sim_what_if found[MOST_ASKED];
    time_of("",
            ADDRESS(4) "ld.global.f32 %f2, [%rd2];"
                       "setp.eq.f32 %p1, %f2, 0f3F800000; @%p1 st.global.f32 [%rd2], %f2;",
            "", 2112, 128 * MIB);
    unsigned only = 1u << (SIM_MEND_LOADED - SIM_MEND_INSTRUCTIONS);
    size_t asked = 0, count = sim_launch_what_if(bench.launch, only, found, MOST_ASKED);
    for (size_t i = 0; i < count; i++)
        if (found[i].mend >= SIM_MEND_INSTRUCTIONS) {
            ck_assert_int_eq(found[i].mend, SIM_MEND_LOADED);
            asked++;
        }
    ck_assert_uint_eq(asked, SIM_SHARES);
}
END_TEST

#define WAIT_OFTEN                                                                             \
    "mov.u32 %r7, 0; shr.u32 %r8, %r1, 5; mul.lo.u32 %r8, %r8, 64; mov.f32 %f2, 0f3F800000;\n" \
    "mov.u32 %r9, 0; WORK: fma.rn.f32 %f2, %f2, %f2, %f2; add.u32 %r9, %r9, 1;\n"              \
    "setp.lt.u32 %p3, %r9, %r8; @%p3 bra WORK;\n"

/* The warps that worked long now work little, and the other way round. */
#define WAIT_OFTEN_AGAIN                                          \
    "sub.u32 %r8, 448, %r8; mov.u32 %r9, 0;\n"                    \
    "MORE: fma.rn.f32 %f2, %f2, %f2, %f2; add.u32 %r9, %r9, 1;\n" \
    "setp.lt.u32 %p3, %r9, %r8; @%p3 bra MORE;\n"

START_TEST(a_barrier_that_no_warp_waited_at_would_save_the_waiting)
{
    double waits = time_of(WAIT_OFTEN, "bar.sync 0;", WAIT_OFTEN_AGAIN KEEP, 132, MIB);
    double predicted = time_if(SIM_MEND_BARRIERS);
    double without = time_of(WAIT_OFTEN, "", WAIT_OFTEN_AGAIN KEEP, 132, MIB);
    assert_close(predicted, without, 0.1);
    ck_assert_double_le(predicted, waits);
}
END_TEST

TESTS_WITH(open_bench, close_bench, "what_if",
           a_strided_line_gains_what_neighbouring_addresses_gain,
           a_line_with_bank_conflicts_gains_what_padding_gains,
           a_divergent_line_gains_what_whole_warps_gain,
           a_loop_of_many_lengths_gains_what_sorted_lanes_gain,
           two_ways_apart_take_half_of_two_ways_together,
           atomics_on_one_address_gain_what_one_a_warp_gains,
           atomics_that_one_lane_carries_out_for_its_warp_gain_nothing,
           a_local_array_gains_what_registers_gain,
           what_another_line_has_read_need_not_be_read_again,
           a_line_that_is_as_good_as_can_be_gains_nothing,
           a_line_that_no_block_reads_twice_has_no_second_reading_to_spare,
           half_as_many_instructions_gain_what_they_took, half_as_much_moved_gains_what_it_took,
           no_kind_is_asked_but_those_that_are_wanted, all_lines_mended_at_once_gain_more_than_one,
           asking_changes_no_figure_of_the_launch,
           a_barrier_that_no_warp_waited_at_would_save_the_waiting)
