/* check_mistakes.c - what a judge's hint says holds for every submission that gets it: each case
 * has evidence just sufficient for a hint, and a claim that this evidence does not prove. */
#include "check/examine/bars.h"
#include "check/examine/causes.h"
#include "check/judge.h"
#include "check/verdict.h"
#include "judges/04_epilogue/problem.h"

#include "tests/check_main.h"

#include <math.h>
#include <string.h>

static const struct judge_case *case_of(const struct judge *judge, const char *name)
{
    for (size_t i = 0; i < judge->case_count; i++)
        if (strstr(judge->cases[i].name, name))
            return &judge->cases[i];
    ck_abort_msg("no case has %s in its name", name);
}

static const struct judge_case *large_case_of(const struct judge *judge, const char *name)
{
    for (size_t i = 0; i < judge->large_count; i++)
        if (strstr(judge->large[i].name, name))
            return &judge->large[i];
    ck_abort_msg("no large case has %s in its name", name);
}

/* The mistake that is told of that evidence; NULL for none. */
static const struct judge_mistake *told(const char *lesson, const struct judge_evidence *evidence)
{
    const struct judge *judge = judge_named(lesson);
    for (size_t i = 0; i < judge->mistakes->count; i++)
        if (judge->mistakes->rows[i].seen(evidence))
            return &judge->mistakes->rows[i];
    return NULL;
}

static struct judge_evidence evidence_of(const char *lesson, enum verdict verdict, const char *name)
{
    struct judge_evidence evidence = {.verdict = (int)verdict,
                                      .where = case_of(judge_named(lesson), name)};
    for (int i = 0; i < JUDGE_COUNTERS; i++)
        evidence.counter[i] = NAN;
    return evidence;
}

static void assert_told(const char *lesson, const struct judge_evidence *evidence, const char *name,
                        const char *unproven)
{
    const struct judge_mistake *mistake = told(lesson, evidence);
    ck_assert_str_eq(mistake ? mistake->name : "none", name);
    if (unproven)
        ck_assert_msg(!strstr(mistake->hint, unproven), "%s says \"%s\"", name, unproven);
}

START_TEST(a_product_of_two_rows_a_thread_fetches_a_factor_twice_over)
{
    struct judge_evidence e = evidence_of("2", VERDICT_SLOW, "sgemm, 32 x 32 x 32");
    e.refused = JUDGE_LOAD_BYTES_RATIO;
    e.counter[JUDGE_LOAD_BYTES_RATIO] = 24; /* 3 loads for 2 products; a tile has 1 for 16 */
    assert_told("2", &e, "sgemm_no_reuse", "every product");
}
END_TEST

/* As where a function is approximated in long sums only. */
START_TEST(results_that_are_nearly_right_are_no_matter_of_their_index)
{
    const char *const CASES[][3] = {
        {"2", "sgemm, 140000 x 150000 x 8", "sgemm_offset_in_32_bits"},
        {"4", "16 x 1000000 x 2200", "offset_in_32_bits"},
    };
    for (size_t i = 0; i < sizeof CASES / sizeof *CASES; i++) {
        struct judge_evidence e = {.verdict = VERDICT_WRONG, .is_large = true, .want = 1};
        e.where = large_case_of(judge_named(CASES[i][0]), CASES[i][1]);
        e.got = 1 + (e.largest_error = 0.5);
        assert_told(CASES[i][0], &e, CASES[i][2], NULL);
        e.got = 1 + (e.largest_error = 0.01);
        const struct judge_mistake *mistake = told(CASES[i][0], &e);
        ck_assert_str_ne(mistake ? mistake->name : "none", CASES[i][2]);
    }
}
END_TEST

START_TEST(tiles_of_two_by_two_are_no_matrix_that_is_not_shared)
{
    struct judge_evidence e = evidence_of("2", VERDICT_SLOW, "sgemm, 32 x 32 x 32");
    e.refused = JUDGE_LOAD_BYTES_RATIO;
    e.counter[JUDGE_LOAD_BYTES_RATIO] = 16;
    e.kernel.shared_requests = 1000;
    assert_told("2", &e, "sgemm_one_of_two", "the other is still read");
}
END_TEST

/* A row's float4 on a pointer that suits a float2. */
START_TEST(what_is_misaligned_may_be_wider_than_two_floats)
{
    struct judge_evidence e = evidence_of("3", VERDICT_MISALIGNED, "row_sumsq, 5 x 1000");
    assert_told("3", &e, "float2_anyway", NULL);
    ck_assert(strstr(told("3", &e)->hint, "float4"));
}
END_TEST

START_TEST(single_steps_may_be_of_more_than_four_elements)
{
    struct judge_evidence e = evidence_of("5", VERDICT_SLOW, "n = ");
    e.refused = JUDGE_LOAD_EFFICIENCY;
    e.counter[JUDGE_LOAD_EFFICIENCY] = 0.125;
    e.line.load_width = 4;
    e.line.load_apart = 256;
    assert_told("5", &e, "quads_in_single_steps", "four elements of its own.");
    ck_assert(strstr(told("5", &e)->hint, "neighbouring groups of four"));
}
END_TEST

START_TEST(loads_are_not_blamed_for_the_width_of_stores)
{
    struct judge_evidence e = evidence_of("5", VERDICT_SLOW, "n = ");
    e.refused = JUDGE_LOAD_EFFICIENCY;
    e.counter[JUDGE_LOAD_EFFICIENCY] = 0.25;
    e.line.load_width = 16;
    e.line.store_width = 4;
    assert_told("5", &e, "none", NULL);
    e.line.load_apart = 64;
    assert_told("5", &e, "quads_of_a_run", NULL);
}
END_TEST

START_TEST(two_launches_of_row_sums_are_no_two_kinds_of_elements)
{
    struct judge_evidence e = evidence_of("3", VERDICT_SLOW, "row_sumsq, 5 x 1000");
    e.refused = JUDGE_LAUNCHES;
    e.counter[JUDGE_LAUNCHES] = 2;
    e.counter[JUDGE_LOAD_EFFICIENCY] = 0.5;
    assert_told("3", &e, "none", NULL);
}
END_TEST

START_TEST(what_is_missing_in_between_is_no_tail)
{
    struct judge_evidence e = evidence_of("1", VERDICT_WRONG, "n = 1027");
    e.total = 1027;
    e.wrong = 3;
    e.first_wrong = 500;
    e.largest_error = INFINITY;
    e.wrong_is_unwritten = true;
    assert_told("1", &e, "none", NULL);
    e.first_wrong = 1024;
    assert_told("1", &e, "tail_lost", NULL);
}
END_TEST

/* Up to the first multiple of 16 bytes there is one element, which no thread takes. */
START_TEST(what_lies_before_a_boundary_is_no_tail)
{
    const char *const LESSONS[][2] = {{"1", "n = 1, all one element off"},
                                      {"5", "n = 1001, x and y one element off"}};
    for (size_t i = 0; i < sizeof LESSONS / sizeof *LESSONS; i++) {
        struct judge_evidence e = evidence_of(LESSONS[i][0], VERDICT_WRONG, "n = 1");
        e.total = e.wrong = 1;
        e.want = -0.4;
        e.got = NAN;
        e.largest_error = INFINITY;
        e.wrong_is_unwritten = true;
        assert_told(LESSONS[i][0], &e, "tail_lost", NULL);
        e.where = case_of(judge_named(LESSONS[i][0]), LESSONS[i][1]);
        const struct judge_mistake *mistake = told(LESSONS[i][0], &e);
        ck_assert_str_ne(mistake ? mistake->name : "none", "tail_lost");
    }
}
END_TEST

START_TEST(what_is_flushed_is_no_narrow_type_and_no_small_number)
{
    struct judge_evidence e = evidence_of("1", VERDICT_WRONG, "subnormal products");
    e.wrong = e.total = 1027;
    e.want = e.largest_error = 0x1p-130;
    assert_told("1", &e, "subnormals_flushed", NULL);
    e.where = case_of(judge_named("1"), "below 2^-64");
    e.want = e.largest_error = 0x1p-70;
    assert_told("1", &e, "small_is_zero", NULL);
    e.got = 0x1p-71;
    assert_told("1", &e, "coefficients_swapped", NULL);
}
END_TEST

/* Of TF32, in sums of 4096 products. */
START_TEST(long_sums_of_narrow_factors_are_further_off_and_no_lost_nan)
{
    struct judge_evidence e = evidence_of("2", VERDICT_WRONG, "sgemm, 40 x 36 x 3000");
    e.wrong = 24585;
    e.total = 28672;
    e.got = 7.7377;
    e.want = 7.7354;
    e.largest_error = 0.03;
    assert_told("2", &e, "sgemm_narrow_inputs", NULL);
    e.got = e.want = NAN; /* they are not known */
    assert_told("2", &e, "sgemm_narrow_inputs", NULL);
    e.largest_error = 3;
    ck_assert(!told("2", &e));
}
END_TEST

/* The last four columns of a thousand, or FP16. */
START_TEST(a_few_columns_that_are_missing_are_no_narrow_type)
{
    struct judge_evidence e = evidence_of("3", VERDICT_WRONG, "row_sumsq, 5 x 1000");
    e.total = e.wrong = 5;
    e.want = 335.72;
    e.got = 334.53;
    e.largest_error = 2.1;
    assert_told("3", &e, "none", NULL);
    e.got = 335.715;
    e.largest_error = 0.01;
    assert_told("3", &e, "narrow_squares", NULL);
}
END_TEST

/* A loop that has one turn loses half of 2052 columns, be they tiny. */
START_TEST(half_of_a_sum_of_subnormals_is_not_flushed)
{
    struct judge_evidence e = evidence_of("3", VERDICT_WRONG, "5 x 2052, subnormal squares");
    e.total = e.wrong = 5;
    e.want = 2e-36;
    e.got = e.largest_error = 1e-36;
    assert_told("3", &e, "lanes_left_out", NULL);
    e.got = 0;
    e.largest_error = 2e-36;
    assert_told("3", &e, "tiny_squares_lost", NULL);
}
END_TEST

/* The first wrong product is a subnormal times infinity, and others are 0. */
START_TEST(a_flushed_factor_that_meets_an_infinity_is_no_edge)
{
    struct judge_evidence e = evidence_of("2", VERDICT_WRONG, "530 x 70 x 1, NaN and infinities");
    e.total = 37100;
    e.wrong = 3839;
    e.got = NAN;
    e.want = e.largest_error = INFINITY;
    assert_told("2", &e, "sgemm_edge_repeated", NULL);
    e.zeros = 3000;
    assert_told("2", &e, "sgemm_subnormals_flushed", NULL);
}
END_TEST

START_TEST(the_end_of_a_long_row_is_no_rest_of_four)
{
    struct judge_evidence e = evidence_of("3", VERDICT_WRONG, "row_sumsq, 2 x 20002");
    e.total = e.wrong = 2;
    e.want = 509187;
    e.got = 509151;
    e.largest_error = 36;
    assert_told("3", &e, "none", NULL);
    e.where = case_of(judge_named("3"), "row_sumsq, 7 x 33");
    e.want = 11;
    e.got = 10.5;
    assert_told("3", &e, "row_end_ignored", NULL);
}
END_TEST

START_TEST(the_last_of_an_even_number_has_its_partner)
{
    struct judge_evidence e = evidence_of("3", VERDICT_WRONG, "gated, n = 1001");
    e.wrong = 1;
    e.wrong_is_unwritten = true;
    e.total = 1000;
    e.first_wrong = 999;
    e.largest_error = INFINITY;
    assert_told("3", &e, "none", NULL);
    e.total = 1001;
    e.first_wrong = 1000;
    assert_told("3", &e, "last_one_missing", NULL);
}
END_TEST

START_TEST(a_mask_that_is_off_in_many_places_is_not_off_by_one_word)
{
    struct judge_evidence e = evidence_of("5", VERDICT_WRONG, "word 13 is just below p");
    e.total = 64;
    e.wrong = 20;
    ck_assert(!told("5", &e) || strcmp(told("5", &e)->name, "compared_as_floats") != 0);
    e.wrong = 1;
    assert_told("5", &e, "compared_as_floats", NULL);
}
END_TEST

/* Sixty-four threads: 32 blocks of them fill a multiprocessor. */
START_TEST(blocks_of_two_warps_are_not_said_to_leave_it_empty)
{
    struct judge_evidence e = evidence_of("5", VERDICT_SLOW, "n = 1023");
    e.kernel.block_threads = 64;
    e.kernel.blocks = 1 << 20;
    e.kernel.multiprocessors = 132;
    assert_told("5", &e, "small_blocks", "few warps");
}
END_TEST

/* On a GPU it is too slow in another timed case than the counters are of. */
START_TEST(counters_are_read_beside_the_case_that_they_are_of)
{
    struct judge_case counted, timed;
    struct judge_device device = {.memory_bytes = UINT64_C(1) << 34, .simulated = true};
    judge_named("4")->timed(&device, &counted, 1);
    device.simulated = false;
    judge_named("4")->timed(&device, &timed, 1);
    struct judge_evidence e = evidence_of("4", VERDICT_SLOW, "33 x 17 x 9");
    e.where = &timed;
    e.counted = &counted;
    e.counter[JUDGE_LOAD_BYTES_RATIO] = 2.6;
    e.counter[JUDGE_BYTES_RATIO] = 2.2;
    assert_told("4", &e, "output_read_again", NULL);
}
END_TEST

/* The sums go to Y, and a warp at a time reads them again: four times the loads of the reference in
 * a small case, and half as many stores again in both. Loads that lanes share, which a request asks
 * for once, are no stores. */
START_TEST(rows_that_are_read_again_are_no_small_tile)
{
    struct judge_case timed;
    struct judge_device device = {.memory_bytes = UINT64_C(1) << 34, .simulated = true};
    for (int simulated = 0; simulated < 2; simulated++) {
        device.simulated = simulated;
        judge_named("4")->timed(&device, &timed, 1);
        struct judge_evidence e = evidence_of("4", VERDICT_SLOW, "33 x 17 x 9");
        e.where = e.counted = &timed;
        e.refused = JUDGE_LOAD_BYTES_RATIO;
        e.counter[JUDGE_LOAD_BYTES_RATIO] = simulated ? 4 : 1.45;
        e.counter[JUDGE_ALL_BYTES_RATIO] = simulated ? 2.19 : 1.5;
        e.counter[JUDGE_BYTES_RATIO] = e.counter[JUDGE_ALL_BYTES_RATIO] * (simulated ? 1.27 : 2.83);
        double outputs = (double)(timed.size[M] * timed.size[N] * (timed.size[SAVE_Z] ? 2 : 1));
        e.kernel.stored_bytes = 1.5 * outputs * sizeof(float);
        assert_told("4", &e, "output_read_again", NULL);
        e.kernel.stored_bytes = outputs * sizeof(float);
        e.counter[JUDGE_LOAD_BYTES_RATIO] = 4; /* and nothing stored again */
        e.counter[JUDGE_ALL_BYTES_RATIO] = simulated ? 1.71 : 3;
        e.counter[JUDGE_BYTES_RATIO] = e.counter[JUDGE_ALL_BYTES_RATIO] * (simulated ? 1.27 : 2.83);
        assert_told("4", &e, "small_tile", NULL);
    }
}
END_TEST

START_TEST(a_large_case_without_an_end_may_have_an_index_of_32_bits)
{
    struct judge_evidence e = evidence_of("1", VERDICT_TIMEOUT, "n = 1000003");
    assert_told("1", &e, "stride_too_short", NULL);
    e.where = &judge_named("1")->large[1];
    e.is_large = true;
    assert_told("1", &e, "unsigned_stride", NULL);
}
END_TEST

static bool has_cause(const struct judge_evidence *evidence, const char *words)
{
    const char *causes[CAUSES_MOST];
    for (size_t i = causes_of(evidence, causes); i > 0; i--)
        if (strstr(causes[i - 1], words))
            return true;
    return false;
}

START_TEST(who_waits_for_an_array_of_its_own_does_not_wait_for_dram)
{
    struct judge_evidence e = evidence_of("2", VERDICT_SLOW, "sgemm, 32 x 32 x 32");
    e.kernel.memory_wait = 0.85;
    e.kernel.under_way_bytes = 6;
    e.kernel.needed_bytes = 10240;
    ck_assert(has_cause(&e, "in flight"));
    e.kernel.local_requests = 1 << 20;
    ck_assert(!has_cause(&e, "in flight"));
    ck_assert(has_cause(&e, "local memory"));
}
END_TEST

START_TEST(a_handle_of_the_first_call_is_no_handle_of_each)
{
    struct judge_evidence e = evidence_of("6", VERDICT_SLOW, "by plans from a file");
    e.refused = JUDGE_HANDLES;
    e.counter[JUDGE_HANDLES] = 1;
    e.broken_in_small = true;
    assert_told("6", &e, "handle_of_first_call", "each call");
    e.broken_in_small = false;
    e.counter[JUDGE_HANDLES] = 27;
    assert_told("6", &e, "handle_each_call", NULL);
}
END_TEST

START_TEST(a_context_that_asks_again_has_room_for_workspaces)
{
    struct judge_evidence e = evidence_of("6", VERDICT_SLOW, "in 4 GiB");
    e.refused = JUDGE_QUERIES;
    e.counter[JUDGE_QUERIES] = 1;
    e.broken_in_small = true;
    assert_told("6", &e, "room_in_32_bits", NULL);
    e.where = case_of(judge_named("6"), "40 x 72 x 88, by plans from a file");
    assert_told("6", &e, "none", NULL);
}
END_TEST

/* By a wait as well as by a handle; by a type as well as by the order of the operands. */
START_TEST(what_lesson_6_cannot_tell_apart_has_both_causes)
{
    struct judge_evidence e = evidence_of("6", VERDICT_LAUNCH_ERROR, "captured at first sight");
    e.error = cudaErrorStreamCaptureInvalidated;
    assert_told("6", &e, "handle_each_call", "Make one, and keep it");
    ck_assert(strstr(told("6", &e)->hint, "or waited"));
    e = evidence_of("6", VERDICT_WRONG, "64 x 64 x 64");
    e.total = e.wrong = 4096;
    e.got = -0.42;
    e.want = e.largest_error = 1.42;
    assert_told("6", &e, "rows_for_columns", NULL);
    ck_assert(strstr(told("6", &e)->hint, "a type"));
    e = evidence_of("6", VERDICT_SLOW, "64 x 64 x 64");
    e.refused = JUDGE_QUERIES;
    e.counter[JUDGE_QUERIES] = 2;
    assert_told("6", &e, "forgets_when_loading", NULL);
    ck_assert(strstr(told("6", &e)->hint, "is left out"));
}
END_TEST

/* Whoever creates a context in a case makes its handle there, and keeps the contract. */
START_TEST(a_call_without_a_handle_is_asked_where_nothing_else_is_done)
{
    const struct judge *judge = judge_named("6");
    const struct judge_case *loaded = case_of(judge, "by plans from a file");
    const struct judge_bar *found = NULL;
    for (size_t i = 0; i < judge->bar_count; i++)
        if (judge->bars[i].when_prepared && judge->bars[i].counter == JUDGE_HANDLES)
            found = &judge->bars[i];
    ck_assert(found && found->at_most == 0);
    ck_assert(loaded->prepares && loaded->processes > 1);
    ck_assert(bars_applies(found, loaded));
    ck_assert(!bars_applies(found, case_of(judge, "64 x 64 x 64")));
}
END_TEST

START_TEST(a_file_that_is_refused_is_no_product_that_failed)
{
    struct judge_evidence e = evidence_of("6", VERDICT_WRONG, "by a file from 32 MiB");
    e.wrong = 1;
    e.total = 2;
    e.first_wrong = 1;
    assert_told("6", &e, "file_with_more_room_refused", NULL);
    e.first_wrong = 0;
    assert_told("6", &e, "not_destroyed", NULL);
    e.verdict = VERDICT_LAUNCH_ERROR;
    assert_told("6", &e, "key_without_room", NULL);
}
END_TEST

START_TEST(a_good_file_that_is_refused_is_none_that_was_believed)
{
    struct judge_evidence e = evidence_of("6", VERDICT_WRONG, "beside files not to be believed");
    e.wrong = e.first_wrong = 0;
    assert_told("6", &e, "good_file_refused", NULL);
    e.first_wrong = 1;
    assert_told("6", &e, "damaged_file_believed", NULL);
}
END_TEST

START_TEST(another_error_is_not_none)
{
    struct judge_evidence e = evidence_of("6", VERDICT_WRONG, "a save that is cut off");
    e.wrong = 1;
    e.total = 6;
    e.first_wrong = 1;
    assert_told("6", &e, "another_error", "rename");
    e.first_wrong = 0;
    assert_told("6", &e, "written_in_place", NULL);
}
END_TEST

/* Short sums were right, so they are kept in FP32. */
START_TEST(parts_of_a_long_sum_are_no_sums_in_half)
{
    struct judge_evidence e = evidence_of("6", VERDICT_WRONG, "sums longer by 2^16");
    e.total = 8;
    e.wrong = 3;
    e.got = -107.8125;
    e.want = -107.887268;
    assert_told("6", &e, "parts_in_16_bits", "COMPUTE_32F");
    e.got = 3; /* of 64 products, not of 65600 */
    assert_told("6", &e, "key_cut_short", NULL);
    e = evidence_of("6", VERDICT_WRONG, "64 x 64 x 64");
    e.total = 4096;
    e.wrong = 1101;
    e.got = -3.50390625;
    e.want = -3.50683594;
    assert_told("6", &e, "sums_in_half", NULL);
}
END_TEST

/* Up to 2.25 of a bias in [-1, 1]; more, or NaN, is another fault. */
START_TEST(what_is_not_finite_is_no_bias_behind_the_activation)
{
    struct judge_evidence e = evidence_of("4", VERDICT_WRONG, "relu, bias");
    e.total = 512;
    e.wrong = 273;
    e.got = e.largest_error = 0.397576451;
    assert_told("4", &e, "bias_after_activation", NULL);
    e.got = e.largest_error = 8;
    assert_told("4", &e, "none", NULL);
    e = evidence_of("4", VERDICT_WRONG, "tanh of NaN");
    e.total = 1568;
    e.wrong = 80;
    e.got = NAN;
    e.want = 1;
    e.largest_error = INFINITY;
    assert_told("4", &e, "formula_overflows", "bias");
    e.want = 0.25; /* no formula overflows there */
    assert_told("4", &e, "none", NULL);
}
END_TEST

/* Columns past the first tile get the bias of others. */
START_TEST(where_some_columns_are_right_the_bias_is_not_left_out)
{
    struct judge_evidence e = evidence_of("4", VERDICT_WRONG, "none, bias");
    e.total = 512;
    e.wrong = 180;
    e.got = e.largest_error = 0.4;
    ck_assert(!told("4", &e) || strcmp(told("4", &e)->name, "bias_left_out") != 0);
    e.wrong = 496;
    assert_told("4", &e, "bias_left_out", NULL);
}
END_TEST

START_TEST(what_would_gain_nothing_is_no_cause)
{
    struct judge_evidence e = evidence_of("4", VERDICT_SLOW, "33 x 17 x 9");
    e.counter[JUDGE_LOAD_EFFICIENCY] = 0.812;
    e.kernel.sectors_gain = NAN; /* not modelled */
    ck_assert(has_cause(&e, "Only part of each sector"));
    e.kernel.sectors_gain = 0.2;
    ck_assert(has_cause(&e, "Only part of each sector"));
    e.kernel.sectors_gain = 0.001;
    ck_assert(!has_cause(&e, "Only part of each sector"));
}
END_TEST

START_TEST(more_instructions_are_a_cause_where_they_are_the_limit)
{
    struct judge_evidence e = evidence_of("3", VERDICT_SLOW, "row_sumsq, 3 x 0");
    e.counter[JUDGE_WARP_INSTRUCTIONS] = 1.8;
    ck_assert(!has_cause(&e, "many more instructions"));
    e.kernel.arithmetic_bound = 1;
    ck_assert(has_cause(&e, "many more instructions"));
}
END_TEST

/* Half of the warps of each block have nothing to load, and wait for the others at a barrier. */
START_TEST(who_waits_at_a_barrier_for_loads_has_too_few_under_way)
{
    struct judge_evidence e = evidence_of("3", VERDICT_SLOW, "row_sumsq, 3 x 0");
    e.kernel.under_way_bytes = 4.7;
    e.kernel.needed_bytes = 10;
    e.kernel.memory_wait = 0.4;
    ck_assert(!has_cause(&e, "bytes are in flight"));
    e.kernel.barrier_wait = 0.36;
    ck_assert(has_cause(&e, "bytes are in flight"));
    e.kernel.memory_wait = 0.1;
    e.kernel.barrier_wait = 0.8;
    ck_assert(!has_cause(&e, "bytes are in flight"));
}
END_TEST

START_TEST(where_blocks_are_handed_out_all_the_time_nothing_else_is_the_cause)
{
    struct judge_evidence e = evidence_of("3", VERDICT_SLOW, "row_sumsq, 3 x 0");
    e.kernel.blocks = 1e6;
    e.kernel.block_threads = e.kernel.warps = 32;
    e.kernel.multiprocessors = 132;
    e.kernel.most_warps = 100;
    ck_assert(has_cause(&e, "Few warps are resident") && !has_cause(&e, "Handing out"));
    e.kernel.dealing_bound = 1;
    ck_assert(!has_cause(&e, "Few warps are resident") && has_cause(&e, "Handing out"));
}
END_TEST

START_TEST(a_row_with_little_in_it_says_nothing_of_lanes)
{
    struct judge_evidence e = evidence_of("3", VERDICT_WRONG, "row_sumsq, 5 x 1000");
    e.total = e.wrong = 1;
    e.got = 1;
    e.want = 2;
    e.largest_error = 1;
    assert_told("3", &e, "lanes_left_out", NULL);
    ck_assert(strstr(told("3", &e)->hint, "or columns")); /* as where a loop has one turn */
    e.where = case_of(judge_named("3"), "zeros but at its ends");
    assert_told("3", &e, "none", NULL);
}
END_TEST

TESTS("mistakes", a_product_of_two_rows_a_thread_fetches_a_factor_twice_over,
      tiles_of_two_by_two_are_no_matrix_that_is_not_shared,
      two_launches_of_row_sums_are_no_two_kinds_of_elements,
      what_is_flushed_is_no_narrow_type_and_no_small_number,
      long_sums_of_narrow_factors_are_further_off_and_no_lost_nan,
      what_is_missing_in_between_is_no_tail, what_lies_before_a_boundary_is_no_tail,
      the_last_of_an_even_number_has_its_partner,
      a_mask_that_is_off_in_many_places_is_not_off_by_one_word,
      blocks_of_two_warps_are_not_said_to_leave_it_empty,
      counters_are_read_beside_the_case_that_they_are_of,
      rows_that_are_read_again_are_no_small_tile,
      a_large_case_without_an_end_may_have_an_index_of_32_bits,
      results_that_are_nearly_right_are_no_matter_of_their_index,
      who_waits_for_an_array_of_its_own_does_not_wait_for_dram,
      a_handle_of_the_first_call_is_no_handle_of_each,
      a_call_without_a_handle_is_asked_where_nothing_else_is_done,
      a_file_that_is_refused_is_no_product_that_failed,
      a_good_file_that_is_refused_is_none_that_was_believed, another_error_is_not_none,
      what_is_misaligned_may_be_wider_than_two_floats,
      single_steps_may_be_of_more_than_four_elements, parts_of_a_long_sum_are_no_sums_in_half,
      what_is_not_finite_is_no_bias_behind_the_activation, what_would_gain_nothing_is_no_cause,
      more_instructions_are_a_cause_where_they_are_the_limit,
      who_waits_at_a_barrier_for_loads_has_too_few_under_way,
      where_blocks_are_handed_out_all_the_time_nothing_else_is_the_cause,
      a_row_with_little_in_it_says_nothing_of_lanes,
      a_few_columns_that_are_missing_are_no_narrow_type, the_end_of_a_long_row_is_no_rest_of_four,
      loads_are_not_blamed_for_the_width_of_stores,
      a_context_that_asks_again_has_room_for_workspaces,
      where_some_columns_are_right_the_bias_is_not_left_out,
      what_lesson_6_cannot_tell_apart_has_both_causes, half_of_a_sum_of_subnormals_is_not_flushed,
      a_flushed_factor_that_meets_an_infinity_is_no_edge)
