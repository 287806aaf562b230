/* check_estimate.c - the timing model orders launches as hardware does, for the right reasons.
 *
 * `make fidelity` says how far its times are off; here is only what must hold for any device: each
 * claim compares two launches that differ in one thing.
 */
#include "bench_machine.h"
#include "tests/check_main.h"

#include <check.h>
#include <stdio.h>
#include <string.h>

static struct bench bench;

static void open_bench(void)
{
    bench_open(&bench);
}

static void close_bench(void)
{
    bench_close(&bench);
}

/* A grid of blocks of 256 threads runs the body; %r1 is the thread's number in its block, %r2 in
 * the grid, %rd1 the buffer. Returns the modelled time in ns. */
static double time_of(const char *body, uint32_t blocks, uint64_t buffer_bytes)
{
    static const char HEAD[] = "mov.u32 %r1, %tid.x; mov.u32 %r3, %ctaid.x;\n"
                               "mad.lo.u32 %r2, %r3, 256, %r1; ld.param.u64 %rd1, [p0];\n";
    char text[4096];
    bench.parameter_count = 0;
    bench_buffer(&bench, buffer_bytes);
    snprintf(text, sizeof text, "%s%s", HEAD, body);
    bench_body(&bench, text);
    bench.config.grid[0] = blocks;
    bench.config.block[0] = 256;
    ck_assert_int_eq(bench_run(&bench, "test"), SIM_FAULT_NONE);
    return bench_result(&bench)->modelled_ns;
}

static const uint64_t MIB = 1024 * 1024;

/* Read a float of the buffer, at the thread's number times the stride in bytes, and keep it. */
#define READ(stride)                                                   \
    "mul.wide.u32 %rd2, %r2, " #stride "; add.u64 %rd2, %rd2, %rd1;\n" \
    "ld.global.f32 %f1, [%rd2]; add.f32 %f1, %f1, %f1; st.global.f32 [%rd2], %f1;"

START_TEST(every_profile_has_a_model_and_says_what_it_was_held_to)
{
    for (const struct sim_profile *profile = sim_profiles(); profile->key; profile++) {
        ck_assert_ptr_nonnull(profile->model);
        ck_assert(profile->tensor_share > 0 && profile->tensor_share <= 1);
        bool is_measured = strstr(profile->held_to, "measured on this GPU") != NULL;
        bool is_published = strstr(profile->held_to, "never held to a measurement") != NULL;
        ck_assert_msg(is_measured != is_published, "%s: %s", profile->key, profile->held_to);
    }
}
END_TEST

START_TEST(a_launch_takes_at_least_what_a_launch_takes)
{
    ck_assert_double_gt(time_of("", 1, 256), 500);
    ck_assert_double_lt(time_of("", 1, 256), 5000);
}
END_TEST

START_TEST(twice_the_traffic_takes_about_twice_as_long)
{
    double one = time_of(READ(4), 16 * 1024, 32 * MIB), two = time_of(READ(4), 32 * 1024, 32 * MIB);
    ck_assert_double_gt(two / one, 1.7);
    ck_assert_double_lt(two / one, 2.2);
}
END_TEST

/* Threads from number 2 M on have nothing to do, and so have their blocks. */
#define READ_WITHIN "setp.lt.u32 %p1, %r2, 2097152; @!%p1 bra END;" READ(16) "END:"

START_TEST(blocks_behind_the_end_of_the_data_cost_their_dealing_out)
{
    double enough = time_of(READ_WITHIN, 8 * 1024, 32 * MIB);
    double many = time_of(READ_WITHIN, 32 * 1024, 32 * MIB), idle = time_of("", 24 * 1024, MIB);
    ck_assert_double_gt(many, 0.85 * (enough + idle));
    ck_assert_double_lt(many, 1.15 * (enough + idle));
}
END_TEST

START_TEST(lanes_far_apart_cost_sectors)
{
    double near = time_of(READ(4), 2048, 64 * MIB), far = time_of(READ(128), 2048, 64 * MIB);
    ck_assert_double_gt(far / near, 3);
}
END_TEST

/* Each thread copies 64 floats of its own, one by one, from the first half of the buffer to the
 * other, which begins at that byte. */
#define COPY_CHUNKS(half)                                                       \
    "mul.wide.u32 %rd2, %r2, 256; add.u64 %rd2, %rd2, %rd1; mov.u32 %r7, 0;\n"  \
    "LOOP: ld.global.f32 %f1, [%rd2]; st.global.f32 [%rd2 + " #half "], %f1;\n" \
    "add.u64 %rd2, %rd2, 4; add.u32 %r7, %r7, 1; setp.lt.u32 %p1, %r7, 64;\n"   \
    "@%p1 bra LOOP;"

/* What they have begun to write must stay in L2 until they have written all of it. */
START_TEST(lines_of_more_threads_than_l2_holds_are_written_back_several_times)
{
    enum { BLOCKS = 1056, HALF = BLOCKS * 256 * 256 };
    double time = time_of(COPY_CHUNKS(69206016), BLOCKS, 2 * (uint64_t)HALF);
    ck_assert_double_gt(bench_result(&bench)->dram_write_bytes, 2.0 * HALF);
    ck_assert_double_gt(bench_result(&bench)->dram_read_bytes, 2.0 * HALF);
    bench.config.dynamic_shared_bytes = 100 * 1024; /* two blocks at a time */
    ck_assert_double_lt(time_of(COPY_CHUNKS(69206016), BLOCKS, 2 * (uint64_t)HALF), time);
    ck_assert_double_le(bench_result(&bench)->dram_write_bytes, 1.05 * HALF);
    ck_assert_double_le(bench_result(&bench)->dram_read_bytes, 1.05 * HALF);
}
END_TEST

/* Each thread writes 64 floats of its own, four at a time. */
#define WRITE_CHUNKS                                                                 \
    "mul.wide.u32 %rd2, %r2, 256; add.u64 %rd2, %rd2, %rd1; mov.u32 %r7, 0;\n"       \
    "mov.f32 %f1, 0f3F800000;\n"                                                     \
    "LOOP: st.global.v4.f32 [%rd2], {%f1, %f1, %f1, %f1}; add.u64 %rd2, %rd2, 16;\n" \
    "add.u32 %r7, %r7, 1; setp.lt.u32 %p1, %r7, 16; @%p1 bra LOOP;"

/* Half of such a store's sectors are lost already where those of words are not (on an H200). */
START_TEST(quads_that_fill_a_sector_by_halves_are_lost_sooner)
{
    enum { BLOCKS = 1056, BYTES = BLOCKS * 256 * 256 };
    time_of(WRITE_CHUNKS, BLOCKS, BYTES);
    ck_assert_double_gt(bench_result(&bench)->dram_write_bytes, 1.2 * BYTES);
    bench.config.dynamic_shared_bytes = 100 * 1024;
    time_of(WRITE_CHUNKS, BLOCKS, BYTES);
    ck_assert_double_le(bench_result(&bench)->dram_write_bytes, 1.05 * BYTES);
}
END_TEST

/* A grader draws where device memory lies: programs must not know it, and no figure may show it. */
START_TEST(where_the_arena_lies_is_no_matter)
{
    enum { BLOCKS = 528 };
    static const char WALK[] = /* 64 floats of its own for each thread: L1 holds some of them */
        "mul.wide.u32 %rd2, %r2, 256; add.u64 %rd2, %rd2, %rd1; mov.u32 %r7, 0;\n"
        "mov.f32 %f2, 0f00000000; mov.u64 %rd3, %rd2;\n"
        "LOOP: ld.global.f32 %f1, [%rd3]; add.f32 %f2, %f2, %f1; add.u64 %rd3, %rd3, 4;\n"
        "add.u32 %r7, %r7, 1; setp.lt.u32 %p1, %r7, 64; @%p1 bra LOOP;\n"
        "st.global.f32 [%rd2], %f2;";
    double here = time_of(WALK, BLOCKS, BLOCKS * 256 * 256);
    for (uint64_t further = 37; further < 5000; further *= 5) {
        bench_close(&bench);
        bench_open_at(&bench, further * (2 * MIB));
        ck_assert_double_eq(time_of(WALK, BLOCKS, BLOCKS * 256 * 256), here);
    }
}
END_TEST

#define SHARED_LOOP(stride)                                                              \
    ".shared .align 16 .b8 words[32768]; mov.u32 %r5, words; mov.f32 %f2, 0f00000000;\n" \
    "and.b32 %r6, %r1, 31; mad.lo.u32 %r5, %r6, " #stride ", %r5; mov.u32 %r7, 0;\n"     \
    "LOOP: ld.shared.f32 %f1, [%r5]; add.f32 %f2, %f2, %f1; xor.b32 %r5, %r5, 4096;\n"   \
    "add.u32 %r7, %r7, 1; setp.lt.u32 %p1, %r7, 128; @%p1 bra LOOP;\n"                   \
    "mul.wide.u32 %rd2, %r2, 4; add.u64 %rd2, %rd2, %rd1; st.global.f32 [%rd2], %f2;"

START_TEST(bank_conflicts_take_turns)
{
    double none = time_of(SHARED_LOOP(4), 1056, MIB * 4);
    double all = time_of(SHARED_LOOP(128), 1056, MIB * 4);
    ck_assert_double_gt(all / none, 8);
    ck_assert_str_eq(bench_result(&bench)->bound, "L1 and shared memory");
}
END_TEST

/* Each warp counts at one word; only who looks at the address knows. */
#define COUNT_BY(number)                                                           \
    ".shared .align 4 .b8 words[4096]; mov.u32 %r5, words; shr.u32 %r6, %r1, 5;\n" \
    "mad.lo.u32 %r5, %r6, 4, %r5; mov.u32 %r7, 0;\n"                               \
    "LOOP: red.shared.add.u32 [%r5], " #number "; add.u32 %r7, %r7, 1;\n"          \
    "setp.lt.u32 %p1, %r7, 128; @%p1 bra LOOP;"

START_TEST(lanes_that_count_at_one_word_of_shared_memory_go_together)
{
    double counts = time_of(COUNT_BY(1), 1056, MIB), adds = time_of(COUNT_BY(2), 1056, MIB);
    ck_assert_double_gt(adds / counts, 8);
}
END_TEST

/* Sixteen lines of 256 bytes apart, each wanted by two lanes; 64 of them in turn, all from L1. */
#define WIDE(row)                                                                                  \
    row "mul.wide.u32 %rd2, %r6, 256; add.u64 %rd2, %rd2, %rd1; mov.u32 %r7, 0;\n"                 \
        "mov.f32 %f5, 0f00000000;\n"                                                               \
        "LOOP: ld.global.v4.f32 {%f1, %f2, %f3, %f4}, [%rd2]; add.f32 %f5, %f5, %f1;\n"            \
        "add.f32 %f5, %f5, %f2; add.f32 %f5, %f5, %f3; add.f32 %f5, %f5, %f4;\n"                   \
        "xor.b64 %rd2, %rd2, 16; add.u32 %r7, %r7, 1; setp.lt.u32 %p1, %r7, 256; @%p1 bra LOOP;\n" \
        "mul.wide.u32 %rd3, %r2, 4; add.u64 %rd3, %rd3, %rd1; st.global.f32 [%rd3], %f5;"

START_TEST(each_quarter_of_a_wide_load_looks_for_its_own_lines)
{
    double together = time_of(WIDE("and.b32 %r6, %r1, 31; shr.u32 %r6, %r6, 1;"), 528, 4 * MIB);
    double apart = time_of(WIDE("and.b32 %r6, %r1, 15;"), 528, 4 * MIB);
    ck_assert_double_gt(apart / together, 1.6);
    ck_assert_double_lt(apart / together, 2.2);
}
END_TEST

#define MEET(how)                                                            \
    "mov.u32 %r7, 0; LOOP: atom.add." how "gpu.global.u32 %r4, [%rd1], 1;\n" \
    "add.u32 %r7, %r7, %r4; and.b32 %r7, %r7, 1023; add.u32 %r8, %r8, 1;\n"  \
    "setp.lt.u32 %p1, %r8, 64; @%p1 bra LOOP; st.global.u32 [%rd1 + 4], %r7;"

START_TEST(an_atomic_that_releases_waits_for_a_fence)
{
    double plain = time_of(MEET("relaxed."), 1, MIB), releases = time_of(MEET("release."), 1, MIB);
    ck_assert_double_gt(releases - plain, 64 * 150); /* ns: 407 cycles take 205 */
}
END_TEST

#define CHAIN "fma.rn.f32 %f1, %f1, %f1, %f1; fma.rn.f32 %f1, %f1, %f1, %f1;\n"
#define APART "fma.rn.f32 %f1, %f1, %f1, %f1; fma.rn.f32 %f2, %f2, %f2, %f2;\n"
#define LOOP_OF(what)                                                                     \
    "mov.f32 %f1, 0f3F800000; mov.f32 %f2, %f1; mov.u32 %r7, 0;\n"                        \
    "LOOP: " what what "add.u32 %r7, %r7, 1; setp.lt.u32 %p1, %r7, 512; @%p1 bra LOOP;\n" \
    "add.f32 %f1, %f1, %f2; mul.wide.u32 %rd2, %r2, 4; add.u64 %rd2, %rd2, %rd1;\n"       \
    "st.global.f32 [%rd2], %f1;"

START_TEST(operations_that_wait_for_each_other_show_their_latency)
{
    double chained = time_of(LOOP_OF(CHAIN), 66, MIB);
    double apart = time_of(LOOP_OF(APART), 66, MIB);
    ck_assert_double_gt(chained / apart, 1.3);
}
END_TEST

START_TEST(one_more_block_than_there_are_places_takes_a_further_turn)
{
    bench.config.dynamic_shared_bytes = 200 * 1024;
    double full = time_of(LOOP_OF(CHAIN), 132, MIB), more = time_of(LOOP_OF(CHAIN), 133, MIB);
    ck_assert_double_gt(more / full, 1.6);
}
END_TEST

#define ADD_TO(shift)                                                                      \
    "shr.u32 %r4, %r2, " #shift "; mul.wide.u32 %rd2, %r4, 4; add.u64 %rd2, %rd2, %rd1;\n" \
    "red.global.add.u32 [%rd2], 1;"

START_TEST(atomics_on_one_word_queue_up)
{
    double apart = time_of(ADD_TO(0), 1024, MIB), together = time_of(ADD_TO(31), 1024, MIB);
    ck_assert_double_gt(together / apart, 10);
    ck_assert_str_eq(bench_result(&bench)->bound, "atomics in one place");
}
END_TEST

/* Additions that wait for each other. */
#define ADD_UP(times)                                                      \
    "mov.u32 %r4, 0; again: add.u32 %r4, %r4, 1; add.f32 %f1, %f1, %f1;\n" \
    "setp.lt.u32 %p2, %r4, " #times "; @%p2 bra again;"

START_TEST(one_lane_adds_for_a_warp_that_has_one_address)
{
    static const char ONE[] = "red.global.add.u32 [%rd1], 1;";
    static const char PARTED[] = /* lanes leave the loop one by one, and ptxas proves nothing */
        "mov.u32 %r5, 0; again: mul.wide.u32 %rd2, %r5, 4; add.u64 %rd2, %rd2, %rd1;\n"
        "red.global.add.u32 [%rd2], 1; add.u32 %r5, %r5, 1;\n"
        "setp.lt.u32 %p1, %r5, %r1; @%p1 bra again;";
    double known = time_of(ONE, 1024, MIB);
    ck_assert_double_lt(10 * known, time_of(ADD_TO(31), 1024, MIB));
    ck_assert_double_gt(time_of(PARTED, 64, MIB), 5 * known);
}
END_TEST

START_TEST(atomics_at_the_end_of_all_blocks_come_on_top)
{
    double loop = time_of(ADD_UP(5000), 132, MIB), add = time_of(ADD_TO(31), 132, MIB);
    ck_assert_double_gt(time_of(ADD_UP(5000) ADD_TO(31), 132, MIB), 0.9 * (loop + add));
}
END_TEST

/* A word of each of 32 sectors: of the same for the warps of a block, or of their own. */
#define STORE_WORD(multiplier, block, warp)                                              \
    "and.b32 %r5, %r1, 31; shr.u32 %r6, %r1, 5; mul.lo.u32 %r5, %r5, " #multiplier ";\n" \
    "mad.lo.u32 %r5, %r6, " #warp ", %r5; mad.lo.u32 %r5, %r3, " #block ", %r5;\n"       \
    "mul.wide.u32 %rd2, %r5, 4; add.u64 %rd2, %rd2, %rd1; st.global.u32 [%rd2], %r5;"

START_TEST(stores_to_sectors_on_their_way_go_with_them)
{
    double same = time_of(STORE_WORD(8, 256, 1), 4096, 4 * MIB);
    double own = time_of(STORE_WORD(8, 2048, 256), 4096, 32 * MIB);
    ck_assert_double_lt(same, 0.5 * own);
}
END_TEST

/* An eleventh of the blocks, on an eleventh of the multiprocessors, of DRAM's rate and of L2. */
START_TEST(a_slice_takes_as_long_for_its_part_as_the_device_for_all)
{
    double copied = time_of(READ(4), 132 * 220, 132 * 220 * 1024);
    double added = time_of(ADD_UP(2048), 132 * 22, 256);
    sim_machine_slice(bench.machine, 12);
    ck_assert_uint_eq(sim_machine_profile(bench.machine)->multiprocessors, 12);
    ck_assert_double_eq_tol(time_of(READ(4), 12 * 220, 12 * 220 * 1024), copied, 0.1 * copied);
    ck_assert_double_eq_tol(time_of(ADD_UP(2048), 12 * 22, 256), added, 0.05 * added);
    sim_machine_slice(bench.machine, 0);
    ck_assert_double_eq(time_of(ADD_UP(2048), 132 * 22, 256), added);
}
END_TEST

START_TEST(the_model_says_the_same_for_any_number_of_workers)
{
    double one = time_of(READ(8), 512, 4 * MIB);
    bench.config.workers = 2;
    ck_assert_double_eq(time_of(READ(8), 512, 4 * MIB), one);
}
END_TEST

START_TEST(warps_that_leave_early_leave_their_schedulers_to_others)
{
    static const char LEAVE[] =
        "shr.u32 %r5, %r1, 5; and.b32 %r5, %r5, 1; setp.eq.u32 %p1, %r5, 1;\n"
        "@%p1 bra there;\n" ADD_UP(256) "\nthere: ret;";
    double all = time_of(ADD_UP(256), 4096, 256), half = time_of(LEAVE, 4096, 256);
    ck_assert_double_lt(half, 0.7 * all);
}
END_TEST

START_TEST(a_loop_that_is_left_in_front_of_its_way_back_costs_no_more)
{
    static const char ONE_BRANCH[] =
        "mov.u32 %r4, 0; again: .pragma \"nounroll\"; add.u32 %r4, %r4, 1;\n"
        "add.f32 %f1, %f1, %f1; setp.lt.u32 %p2, %r4, 256; @%p2 bra again;";
    static const char TWO_BRANCHES[] =
        "mov.u32 %r4, 0; again: .pragma \"nounroll\"; add.u32 %r4, %r4, 1;\n"
        "add.f32 %f1, %f1, %f1; setp.ge.u32 %p2, %r4, 256; @%p2 bra there; bra.uni again;\n"
        "there: ret;";
    ck_assert_double_lt(time_of(TWO_BRANCHES, 4096, 256), 1.1 * time_of(ONE_BRANCH, 4096, 256));
}
END_TEST

START_TEST(a_launch_with_tensor_cores_runs_at_their_clock)
{
    static const char MMA[] = "mma.sync.aligned.m16n8k8.row.col.f16.f16.f16.f16 {%r5, %r6}, "
                              "{%r5, %r6}, {%r7}, {%r5, %r6};\n" ADD_UP(5000);
    const struct sim_profile *profile = sim_profile_named("h200");
    double expected = (double)profile->clock_mhz / profile->tensor_clock_mhz;
    double ratio = time_of(MMA, 132, 256) / time_of(ADD_UP(5000), 132, 256);
    ck_assert_double_gt(ratio, 1 + 0.7 * (expected - 1));
    ck_assert_double_lt(ratio, 1 + 1.3 * (expected - 1));
}
END_TEST

/* --- What each op costs ----------------------------------------------------------------------- */

/* The part of the launch's time that ops of that name have, waiting for why; SIM_WAITS: for all. */
static double part_of(const char *mnemonic, enum sim_wait why)
{
    const struct sim_launch_result *result = bench_result(&bench);
    double sum = 0;
    for (size_t i = 0; i < result->op_count; i++)
        for (int wait = 0; wait < SIM_WAITS; wait++)
            if (strcmp(result->ops[i].mnemonic, mnemonic) == 0 &&
                (why == SIM_WAITS || why == (enum sim_wait)wait))
                sum += result->ops[i].modelled_ns[wait];
    return sum / result->modelled_ns;
}

START_TEST(the_ops_times_add_up_to_the_launchs)
{
    double time_ns = time_of(READ(4), 64, MIB), sum = 0;
    const struct sim_launch_result *result = bench_result(&bench);
    for (size_t i = 0; i < result->op_count; i++)
        for (int wait = 0; wait < SIM_WAITS; wait++)
            sum += result->ops[i].modelled_ns[wait];
    ck_assert_double_eq_tol(sum, time_ns, 1e-6 * time_ns);
}
END_TEST

START_TEST(who_waits_for_a_load_is_charged_to_the_load)
{
    time_of(READ(4) "add.f32 %f1, %f1, %f1; add.f32 %f1, %f1, %f1;", 1, MIB);
    ck_assert_double_gt(part_of("ld", SIM_WAIT_MEMORY), 2 * part_of("add", SIM_WAITS));
}
END_TEST

START_TEST(a_load_that_queues_behind_scattered_stores_is_not_to_blame)
{
    static const char BODY[] =
        "mul.wide.u32 %rd2, %r2, 4; add.u64 %rd2, %rd2, %rd1; ld.global.f32 %f1, [%rd2];\n"
        "mul.lo.u32 %r4, %r2, 2654435761; shr.u32 %r4, %r4, 8; mul.wide.u32 %rd2, %r4, 4;\n"
        "add.u64 %rd2, %rd2, %rd1; st.global.f32 [%rd2], %f1;";
    time_of(BODY, 4096, 64 * MIB);
    ck_assert_double_gt(part_of("st", SIM_WAITS), 0.5);
    ck_assert_double_lt(part_of("ld", SIM_WAITS), 0.4);
}
END_TEST

START_TEST(warps_wait_for_each_other_at_a_barrier)
{
    static const char BODY[] =
        "setp.ge.u32 %p1, %r1, 32; @%p1 bra there; mov.u32 %r4, 0;\n"
        "again: add.u32 %r4, %r4, 1; add.f32 %f1, %f1, %f1; setp.lt.u32 %p2, %r4, 1000;\n"
        "@%p2 bra again;\nthere: bar.sync 0;";
    time_of(BODY, 1, MIB);
    ck_assert_double_gt(part_of("bar.sync", SIM_WAIT_BARRIER), 0.7);
}
END_TEST

/* Warp 0 arrives late, all others long before. */
static const char LATE_ARRIVAL[] =
    ".shared .align 8 .b64 s_met;\nmov.u32 %r9, s_met; setp.ne.u32 %p3, %r1, 0;\n"
    "@!%p3 mbarrier.init.shared.b64 [%r9], 256; bar.sync 0;\n"
    "setp.ge.u32 %p1, %r1, 32; @%p1 bra there; mov.u32 %r4, 0;\n"
    "again: add.u32 %r4, %r4, 1; add.f32 %f1, %f1, %f1; setp.lt.u32 %p2, %r4, 1000;\n"
    "@%p2 bra again;\nthere: mbarrier.arrive.shared.b64 %rd9, [%r9];\n";

START_TEST(warps_wait_for_each_other_at_an_mbarrier)
{
    char body[1024];
    double alone = time_of(LATE_ARRIVAL, 1, MIB);
    snprintf(body, sizeof body,
             "%swait: mbarrier.test_wait.shared.b64 %%p4, [%%r9], %%rd9; @!%%p4 bra wait;",
             LATE_ARRIVAL);
    double waited_for = time_of(body, 1, MIB);
    ck_assert_double_gt(part_of("mbarrier.test_wait", SIM_WAIT_BARRIER), 0.7);
    ck_assert_double_gt(waited_for, alone);       /* what is behind the wait comes after it, */
    ck_assert_double_lt(waited_for, 1.1 * alone); /* and nothing else takes longer */
}
END_TEST

/* An arrival does not wait: what comes behind it runs while others are still on their way. */
START_TEST(who_arrives_at_an_mbarrier_goes_on)
{
    time_of(LATE_ARRIVAL, 1, MIB);
    ck_assert_double_lt(part_of("mbarrier.arrive", SIM_WAIT_BARRIER), 0.01);
}
END_TEST

/* A loop of that many turns around the instructions; %r10 and %p8 are its own. */
#define TURNS(label, turns, body)                                                            \
    "mov.u32 %r10, 0;" label ":" body "add.u32 %r10, %r10, 1; setp.lt.u32 %p8, %r10, " turns \
    "; @%p8 bra " label ";"
#define ADDS                                              \
    TURNS("adds", "8000",                                 \
          "add.f32 %f1, %f1, %f2; add.f32 %f1, %f1, %f2;" \
          "add.f32 %f1, %f1, %f2; add.f32 %f1, %f1, %f2;")
#define SCATTERED_STORES                                                      \
    "mov.f32 %f1, 0f3F800000; mov.f32 %f2, %f1; mul.wide.u32 %rd2, %r2, 128;" \
    "add.u64 %rd2, %rd2, %rd1;" TURNS("stores", "2000", "st.global.f32 [%rd2], %f1;")

/* Half of the warps do three times as much between two barriers. Their traces end first, and those
 * of the others with them: however long the loop, a turn costs the same. */
#define UNEVEN_TURNS(turns)                                                                   \
    "mov.u32 %r5, 0; shr.u32 %r6, %r1, 7; mad.lo.u32 %r6, %r6, 400, 200; mov.f32 %f1, 1.0;\n" \
    "TURN: mov.u32 %r7, 0;\n"                                                                 \
    "WORK: fma.rn.f32 %f1, %f1, %f1, %f1; add.u32 %r7, %r7, 1; setp.lt.u32 %p1, %r7, %r6;\n"  \
    "@%p1 bra WORK; bar.sync 0; add.u32 %r5, %r5, 1; setp.lt.u32 %p1, %r5, " #turns ";\n"     \
    "@%p1 bra TURN; st.global.f32 [%rd1], %f1;"

START_TEST(warps_that_do_unequal_work_between_barriers_are_followed_equally_long)
{
    double few = time_of(UNEVEN_TURNS(4), 132 * 2, 256);
    double many = time_of(UNEVEN_TURNS(100), 132 * 2, 256);
    ck_assert_double_gt(many / few, 20);
    ck_assert_double_lt(many / few, 30);
}
END_TEST

/* A warp is traced for a while; what it does then is not free because it was so cheap before. */
START_TEST(what_a_long_warp_does_at_last_has_its_price)
{
    double stores = time_of(SCATTERED_STORES, 1, MIB);
    double adds = time_of("mov.f32 %f1, 0f3F800000; mov.f32 %f2, %f1;" ADDS, 1, MIB);
    double both =
        time_of("mov.f32 %f1, 0f3F800000; mov.f32 %f2, %f1;" ADDS SCATTERED_STORES, 1, MIB);
    ck_assert_double_gt(stores, 2 * adds);
    ck_assert_double_gt(both, 0.8 * (stores + adds));
    ck_assert_double_lt(both, 1.2 * (stores + adds));
}
END_TEST

#define LOCAL_LOOP(access)                                                                 \
    ".local .align 4 .b8 words[128]; mov.u64 %rd2, words; mov.f32 %f1, 0f3F800000;" TURNS( \
        "turns", "200", access)

/* A store to local memory goes on to L2 each time, a load only where L1 has lost the line. */
START_TEST(stores_to_local_memory_all_go_to_l2)
{
    double loads = time_of(LOCAL_LOOP("ld.local.f32 %f2, [%rd2];"), 1056, MIB);
    ck_assert_str_eq(bench_result(&bench)->bound, "L1 and shared memory");
    double stores = time_of(LOCAL_LOOP("st.local.f32 [%rd2], %f1;"), 1056, MIB);
    ck_assert_str_eq(bench_result(&bench)->bound, "L2");
    ck_assert_double_gt(stores, 1.4 * loads);
}
END_TEST

/* Blocks that read the host's memory, of which %rd3 is the address; the buffer has 256 bytes. */
static double time_with_host(const char *body, uint32_t blocks, uint64_t host_bytes)
{
    static const char HEAD[] = "mov.u32 %r1, %tid.x; mov.u32 %r3, %ctaid.x;\n"
                               "mad.lo.u32 %r2, %r3, 256, %r1; ld.param.u64 %rd3, [p0];\n"
                               "ld.param.u64 %rd1, [p1];\n";
    struct sim_error error;
    char text[4096];
    bench.parameter_count = 0;
    bench_integer(&bench, sim_allocate(bench.context, host_bytes, SIM_MEMORY_HOST, NULL, &error));
    bench_buffer(&bench, 32 * MIB);
    snprintf(text, sizeof text, "%s%s", HEAD, body);
    bench_body(&bench, text);
    bench.config.grid[0] = blocks;
    bench.config.block[0] = 256;
    ck_assert_int_eq(bench_run(&bench, "test"), SIM_FAULT_NONE);
    return bench_result(&bench)->modelled_ns;
}

/* A thread reads its word of the host's memory, so many bytes apart. */
#define READ_HOST(stride)                                              \
    "mul.wide.u32 %rd2, %r2, " #stride "; add.u64 %rd2, %rd2, %rd3;\n" \
    "ld.global.f32 %f2, [%rd2]; st.global.f32 [%rd1], %f2;"
#define WRITE_HOST "mul.wide.u32 %rd2, %r2, 4; add.u64 %rd2, %rd2, %rd3; st.global.u32 [%rd2], %r1;"

START_TEST(the_hosts_memory_comes_over_the_bus)
{
    double all = time_with_host(READ_HOST(4), 8192, 8 * MIB);
    ck_assert_str_eq(bench_result(&bench)->bound, "the bus to the host's memory");
    ck_assert_double_gt(all, 8e6 / 60);
    ck_assert_double_lt(all, 8.4e6 / 50);
    ck_assert_double_lt(bench_result(&bench)->dram_read_bytes, 1e6);
    double sectors = time_with_host(READ_HOST(32), 1024, 8 * MIB);
    ck_assert_double_gt(sectors, 0.95 * all); /* a request is for 32 sectors, of 8 lines */
    ck_assert_double_lt(sectors, 1.05 * all);
    double lone = time_with_host(READ_HOST(128), 1024, 32 * MIB);
    ck_assert_double_gt(lone, 1.3 * all);
    ck_assert_double_lt(lone, 1.7 * all);
}
END_TEST

START_TEST(what_is_written_to_the_host_goes_over_the_bus)
{
    double all = time_with_host(WRITE_HOST, 8192, 8 * MIB);
    ck_assert_str_eq(bench_result(&bench)->bound, "the bus to the host's memory");
    ck_assert_double_gt(all, 8e6 / 60);
    ck_assert_double_lt(all, 8.4e6 / 50);
}
END_TEST

/* Every block copies its part; thread 0 of block 0 reads a word of the host's first. */
#define COPY_ITS_PART                                        \
    "mul.wide.u32 %rd2, %r2, 4; add.u64 %rd2, %rd2, %rd1;\n" \
    "ld.global.f32 %f1, [%rd2]; add.f32 %f1, %f1, %f2; st.global.f32 [%rd2], %f1;"
#define ONE_FLAG \
    "mov.f32 %f2, 0f00000000; setp.eq.u32 %p1, %r2, 0; @%p1 ld.global.f32 %f2, [%rd3];\n"

START_TEST(one_flag_of_the_hosts_costs_one_wait)
{
    double without = time_with_host("mov.f32 %f2, 0f00000000;" COPY_ITS_PART, 8192, 256);
    double with = time_with_host(ONE_FLAG COPY_ITS_PART, 8192, 256);
    ck_assert_double_ge(with, 0.99 * without);
    ck_assert_double_lt(with, 1.1 * without + 2000);
    double alone = time_with_host("ld.global.f32 %f2, [%rd3]; st.global.f32 [%rd1], %f2;", 1, 256);
    double near = time_with_host("ld.global.f32 %f2, [%rd1]; st.global.f32 [%rd1], %f2;", 1, 256);
    ck_assert_double_gt(alone, near + 300);
    ck_assert_double_lt(alone, near + 1500);
}
END_TEST

#define FOUR(op) op op op op

/* __syncwarp() is a NOP where all lanes are there: no shuffle, nothing for shared memory to do. */
START_TEST(lanes_that_wait_for_their_warp_cost_an_instruction)
{
    double waits = time_of(TURNS("turns", "200", FOUR("bar.warp.sync 0xffffffff;")), 1056, MIB);
    ck_assert_str_eq(bench_result(&bench)->bound, "instruction issue");
    double shuffles = time_of(
        TURNS("turns", "200", FOUR("shfl.sync.idx.b32 %r8, %r7, %r7, 31, 0xffffffff;")), 1056, MIB);
    ck_assert_str_eq(bench_result(&bench)->bound, "L1 and shared memory");
    ck_assert_double_gt(shuffles, 1.5 * waits);
}
END_TEST

/* Each block reads a row of 16,385 floats, whose ends lie in pieces of its neighbours. */
#define ODD_ROWS                                                                      \
    "mul.lo.u32 %r5, %r3, 16385; add.u32 %r5, %r5, %r1; mul.wide.u32 %rd2, %r5, 4;\n" \
    "add.u64 %rd2, %rd2, %rd1; mov.f32 %f1, 0f00000000;\n" TURNS(                     \
        "row", "64",                                                                  \
        "ld.global.f32 %f2, [%rd2]; add.f32 %f1, %f1, %f2;"                           \
        "add.u64 %rd2, %rd2, 1024;") "st.global.f32 [%rd2], %f1;"

START_TEST(a_barrier_after_its_loads_does_not_spare_a_block_dram)
{
    double without = time_of(ODD_ROWS, 64, 8 * MIB),
           with = time_of(ODD_ROWS "bar.sync 0;", 64, 8 * MIB);
    ck_assert_double_gt(with, 0.95 * without);
}
END_TEST

/* All warps of the device ask for the same eight lines, for a sector of each or for all of it. */
#define HOT_LINES_OF(stride)                                                                   \
    "shr.u32 %r5, %r1, 5; and.b32 %r6, %r1, 31; mul.lo.u32 %r6, %r6, " #stride ";\n"           \
    "mad.lo.u32 %r5, %r5, 128, %r6; cvt.u64.u32 %rd2, %r5; add.u64 %rd2, %rd2, %rd1;\n" TURNS( \
        "asks", "32",                                                                          \
        "ld.global.cg.f32 %f1, [%rd2]; add.f32 %f2, %f2, %f1;") "st.global.f32 [%rd2+4096], %f2;"

START_TEST(a_line_that_all_want_takes_longer_by_sectors)
{
    double one = time_of(HOT_LINES_OF(0), 4096, MIB), all = time_of(HOT_LINES_OF(4), 4096, MIB);
    ck_assert_str_eq(bench_result(&bench)->bound, "one line of L2");
    ck_assert_double_gt(all / one, 2);
    ck_assert_double_lt(all / one, 3.5);
}
END_TEST

/* Reads two arrays of 68 MiB and writes the second, in so many turns. */
#define OVER_TWO_ARRAYS(load, x, y, store, bytes, step, turns)               \
    "mul.wide.u32 %rd2, %r2, " #bytes "; add.u64 %rd2, %rd2, %rd1;\n" TURNS( \
        "turns", #turns,                                                     \
        load x ", [%rd2];" load y ", [%rd2 + 71303168];"                     \
               "add.f32 %f1, %f1, %f5;" store " [%rd2 + 71303168], " x ";"   \
               "add.u64 %rd2, %rd2, " #step ";")
#define WORDS(step, turns) \
    OVER_TWO_ARRAYS("ld.global.f32 ", "%f1", "%f5", "st.global.f32", 4, step, turns)
#define QUADS(step, turns)                                                               \
    OVER_TWO_ARRAYS("ld.global.v4.f32 ", "{%f1, %f2, %f3, %f4}", "{%f5, %f6, %f7, %f8}", \
                    "st.global.v4.f32", 16, step, turns)

/* Four times the blocks do not make four times as many words arrive, nor as many as DRAM can move:
 * the fuller it is, the longer each of them waits. */
START_TEST(reads_wait_the_longer_the_fuller_dram_is)
{
    double few = time_of(WORDS(270336, 256), 264, 136 * MIB);
    double many = time_of(WORDS(1081344, 64), 1056, 136 * MIB);
    ck_assert_str_eq(bench_result(&bench)->bound, "DRAM");
    ck_assert_double_gt(few / many, 1.8);
    ck_assert_double_lt(few / many, 2.4);
}
END_TEST

/* Blocks that stay end with the slowest multiprocessor; of those that follow each other, the faster
 * ones take more. */
START_TEST(a_full_dram_keeps_blocks_that_stay_waiting_for_the_slowest)
{
    double stay = time_of(QUADS(4325376, 16), 1056, 136 * MIB);
    double follow = time_of(QUADS(0, 1), 1056 * 16, 136 * MIB);
    ck_assert_double_gt(stay / follow, 1.01);
    ck_assert_double_lt(stay / follow, 1.12);
}
END_TEST

#define A_ROUND(bits)                                                     \
    TURNS("round", "200",                                                 \
          "mul.wide.u32 %rd3, %r2, 3528531795; shr.u64 %rd3, %rd3, " bits \
          "; cvt.u32.u64 %r2, %rd3;\n"                                    \
          "xor.b32 %r2, %r2, %r1;")

START_TEST(the_upper_half_of_a_product_is_a_register_of_its_own)
{
    double half = time_of(A_ROUND("32"), 1056, MIB), shifted = time_of(A_ROUND("31"), 1056, MIB);
    ck_assert_double_gt(shifted / half, 1.3);
}
END_TEST

TESTS_WITH(open_bench, close_bench, "estimate",
           every_profile_has_a_model_and_says_what_it_was_held_to,
           a_launch_takes_at_least_what_a_launch_takes, twice_the_traffic_takes_about_twice_as_long,
           blocks_behind_the_end_of_the_data_cost_their_dealing_out, lanes_far_apart_cost_sectors,
           lines_of_more_threads_than_l2_holds_are_written_back_several_times,
           quads_that_fill_a_sector_by_halves_are_lost_sooner, where_the_arena_lies_is_no_matter,
           bank_conflicts_take_turns, lanes_that_count_at_one_word_of_shared_memory_go_together,
           each_quarter_of_a_wide_load_looks_for_its_own_lines,
           an_atomic_that_releases_waits_for_a_fence,
           operations_that_wait_for_each_other_show_their_latency,
           one_more_block_than_there_are_places_takes_a_further_turn, atomics_on_one_word_queue_up,
           one_lane_adds_for_a_warp_that_has_one_address,
           atomics_at_the_end_of_all_blocks_come_on_top,
           stores_to_sectors_on_their_way_go_with_them,
           a_slice_takes_as_long_for_its_part_as_the_device_for_all,
           the_model_says_the_same_for_any_number_of_workers,
           warps_that_leave_early_leave_their_schedulers_to_others,
           a_loop_that_is_left_in_front_of_its_way_back_costs_no_more,
           a_launch_with_tensor_cores_runs_at_their_clock, the_ops_times_add_up_to_the_launchs,
           who_waits_for_a_load_is_charged_to_the_load,
           a_load_that_queues_behind_scattered_stores_is_not_to_blame,
           warps_wait_for_each_other_at_a_barrier,
           warps_that_do_unequal_work_between_barriers_are_followed_equally_long,
           what_a_long_warp_does_at_last_has_its_price, stores_to_local_memory_all_go_to_l2,
           lanes_that_wait_for_their_warp_cost_an_instruction,
           a_barrier_after_its_loads_does_not_spare_a_block_dram,
           a_line_that_all_want_takes_longer_by_sectors, the_hosts_memory_comes_over_the_bus,
           what_is_written_to_the_host_goes_over_the_bus, one_flag_of_the_hosts_costs_one_wait,
           reads_wait_the_longer_the_fuller_dram_is,
           a_full_dram_keeps_blocks_that_stay_waiting_for_the_slowest,
           the_upper_half_of_a_product_is_a_register_of_its_own,
           warps_wait_for_each_other_at_an_mbarrier, who_arrives_at_an_mbarrier_goes_on)
