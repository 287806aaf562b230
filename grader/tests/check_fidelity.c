/* check_fidelity.c - the figures that `make fidelity` prints, and the tables they come from. */
#include "simgpu/fidelity/comparison.h"
#include "simgpu/fidelity/kernel_name.h"
#include "simgpu/fidelity/set_aside.h"
#include "simgpu/fidelity/statistics.h"
#include "tests/check_main.h"

#include <check.h>
#include <limits.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* --- Statistics ------------------------------------------------------------------------------ */

START_TEST(the_median_of_an_even_count_is_the_mean_of_the_middle_two)
{
    double odd[] = {9, 1, 5}, even[] = {4, 1, 100, 2};
    ck_assert_double_eq(statistics_median(odd, 3), 5);
    ck_assert_double_eq(statistics_median(even, 4), 3);
    ck_assert_double_nan(statistics_median(odd, 0));
}
END_TEST

START_TEST(ranks_agree_whatever_the_scale)
{
    double a[] = {1, 2, 3, 4, 5}, squared[] = {1, 4, 9, 16, 25}, falling[] = {5, 4, 3, 2, 1};
    ck_assert_double_eq_tol(statistics_spearman(a, squared, 5), 1, 1e-12);
    ck_assert_double_eq_tol(statistics_spearman(a, falling, 5), -1, 1e-12);
}
END_TEST

START_TEST(equal_numbers_share_their_rank)
{
    /* by hand: ranks 1.5 1.5 3 4 and 1 2 3 4, correlation 4.5 / sqrt(4.5 * 5) */
    double tied[] = {7, 7, 8, 9}, apart[] = {1, 2, 3, 4};
    ck_assert_double_eq_tol(statistics_spearman(tied, apart, 4), 4.5 / sqrt(22.5), 1e-12);
}
END_TEST

START_TEST(numbers_without_order_have_no_rank_correlation)
{
    double same[] = {3, 3, 3}, other[] = {1, 2, 3};
    ck_assert_double_nan(statistics_spearman(same, other, 3));
    ck_assert_double_nan(statistics_spearman(other, other, 1));
}
END_TEST

START_TEST(only_pairs_that_are_far_apart_can_be_reversed)
{
    /* 10 and 14 are within 1.5 x of each other: their order does not count; 10 and 30 do. */
    double measured[] = {10, 14, 30}, modelled[] = {12, 11, 10};
    struct statistics_order order;
    statistics_order(measured, modelled, 3, 1.5, &order);
    ck_assert_uint_eq(order.pairs, 2);
    ck_assert_uint_eq(order.reversed, 2);
    ck_assert_uint_eq(order.worst_count, 2);
    ck_assert_uint_eq(order.worst[0].fast, 0);
    ck_assert_uint_eq(order.worst[0].slow, 2);
    ck_assert_double_eq_tol(order.worst[0].measured_ratio, 3, 1e-12);
    ck_assert_double_eq_tol(order.worst[0].modelled_ratio, 10.0 / 12, 1e-12);
}
END_TEST

START_TEST(a_tie_in_the_model_reverses_nothing)
{
    double measured[] = {1, 2}, modelled[] = {5, 5};
    struct statistics_order order;
    statistics_order(measured, modelled, 2, 1.5, &order);
    ck_assert_uint_eq(order.pairs, 1);
    ck_assert_uint_eq(order.reversed, 0);
}
END_TEST

START_TEST(of_many_reversals_the_worst_are_kept_worst_first)
{
    double measured[8], modelled[8];
    struct statistics_order order;
    for (int i = 0; i < 8; i++) {
        measured[i] = pow(2, i);
        modelled[i] = pow(2, -i);
    }
    statistics_order(measured, modelled, 8, 1.5, &order);
    ck_assert_uint_eq(order.reversed, 28);
    ck_assert_uint_eq(order.worst_count, 4);
    ck_assert_double_eq(order.worst[0].measured_ratio, 128);
    ck_assert_double_eq(order.worst[1].measured_ratio, 64);
    ck_assert_double_eq(order.worst[3].measured_ratio, 32);
}
END_TEST

/* --- Tables ---------------------------------------------------------------------------------- */

/* text as a file of its own; the name is static and the file is removed by close_files. */
static char paths[4][40];
static size_t path_count;

static const char *file_with(const char *text)
{
    char *path = paths[path_count++];
    strcpy(path, "/tmp/check_fidelity_XXXXXX");
    int file = mkstemp(path);
    ck_assert_int_ge(file, 0);
    ck_assert_int_eq(write(file, text, strlen(text)), (ssize_t)strlen(text));
    close(file);
    return path;
}

static void open_files(void)
{
    path_count = 0;
}

static void close_files(void)
{
    while (path_count)
        unlink(paths[--path_count]);
}

START_TEST(quotes_commas_and_remarks_are_read_as_a_profiler_writes_them)
{
    struct csv csv;
    char error[CSV_ERROR_BYTES];
    double number;
    ck_assert(csv_read(&csv,
                       file_with("# where from\n==PROF== \"unbalanced\n"
                                 "kernel,\"a \"\"b\"\"\",c\r\n"
                                 "\"f(int, int)\",\"1,234,567\",\n"),
                       error));
    ck_assert_uint_eq(csv.rows, 1);
    ck_assert_uint_eq(csv.columns, 3);
    ck_assert_int_eq(csv_column(&csv, "a \"b\""), 1);
    ck_assert_int_eq(csv_column(&csv, "d"), -1);
    ck_assert_str_eq(csv_text(&csv, 0, 0), "f(int, int)");
    ck_assert(csv_number(&csv, 0, 1, &number));
    ck_assert_double_eq(number, 1234567);
    ck_assert(!csv_number(&csv, 0, 2, &number));
    ck_assert_str_eq(csv_text(&csv, 1, 0), "");
    csv_free(&csv);
}
END_TEST

START_TEST(a_damaged_table_is_refused_with_its_line)
{
    struct csv csv;
    char error[CSV_ERROR_BYTES];
    ck_assert(!csv_read(&csv, file_with("a,b\n1,2\n1,2,3\n"), error));
    ck_assert_ptr_nonnull(strstr(error, ":3: the line has 3 cells, the header 2."));
    csv_free(&csv);
    ck_assert(!csv_read(&csv, file_with("a,b\n1,\"2\n"), error));
    ck_assert_ptr_nonnull(strstr(error, ":2: a quote is never closed."));
    csv_free(&csv);
    ck_assert(!csv_read(&csv, file_with("# nothing\n"), error));
    ck_assert_ptr_nonnull(strstr(error, "has no table in it."));
    csv_free(&csv);
    ck_assert(!csv_read(&csv, "/nowhere.csv", error));
    ck_assert_str_eq(error, "/nowhere.csv cannot be read: No such file or directory.");
    csv_free(&csv);
}
END_TEST

START_TEST(a_kernel_is_known_in_every_spelling)
{
    ck_assert(kernel_name_same("_Z5scalePKfPfi", "scale(const float *, float *, int)"));
    ck_assert(
        kernel_name_same("_Z4copyI6float4EvPKT_PS1_i", "void copy<float4>(const T1 *, T1 *)"));
    ck_assert(kernel_name_same("(copy<4, 2>)", "void copy<(int)4, (int)2>(T1 *)"));
    ck_assert(kernel_name_same("scale", "_ZL5scalePf"));
    ck_assert(!kernel_name_same("_Z5scalePf", "scaled(float *)"));
    ck_assert(!kernel_name_same("", ""));
    ck_assert(!kernel_name_same("_Z999x", "x"));
}
END_TEST

/* --- Comparison ------------------------------------------------------------------------------ */

#define COUNTERS                                                               \
    "launch,kernel,requests_ld,sectors_ld,sectors_st,shared_ld,wavefronts_ld," \
    "wavefronts_ld_sass,dram_read_bytes,dram_write_bytes,name,family,"

static struct comparison comparison;

static const struct comparison_launch *compared(const char *measured, const char *simulated)
{
    char error[CSV_ERROR_BYTES], text[2][600];
    snprintf(text[0], sizeof text[0], COUNTERS "time_ns\n0,\"void f<2>(int)\",%s\n", measured);
    snprintf(text[1], sizeof text[1], COUNTERS "modelled_ns\n0,_Z1fILi2EEvi,%s\n", simulated);
    ck_assert_msg(comparison_add(&comparison, file_with(text[0]), file_with(text[1]), error), "%s",
                  error);
    return &comparison.launches[comparison.count - 1];
}

static void close_comparison(void)
{
    comparison_free(&comparison);
    close_files();
}

START_TEST(counters_match_when_every_known_one_is_equal)
{
    const struct comparison_launch *launch =
        compared("32,128,64,,,,1000,24,scale_1K,launch,2000", "32,128,65,,,,2048,0,,,1500");
    ck_assert_int_eq(launch->requests, MATCH_EXACT);
    ck_assert_int_eq(launch->sectors, MATCH_DIFFERENT);
    ck_assert_int_eq(launch->wavefronts, MATCH_ABSENT);
    ck_assert_str_eq(launch->name, "scale_1K");
    ck_assert_str_eq(launch->family, "launch");
    ck_assert_double_eq(launch->measured_ns, 2000 - COMPARISON_EVENTS_NS);
    ck_assert_double_eq(launch->modelled_ns, 1500);
    ck_assert_double_eq(launch->measured_dram_bytes, 1024);
    ck_assert_double_eq(launch->modelled_dram_bytes, 2048);
}
END_TEST

/* Of kernel f<2> in a program that is named after the first file, the measured table. */
static void know_machine_code(const char *counts)
{
    char error[CSV_ERROR_BYTES], text[300];
    snprintf(text, sizeof text,
             "program,kernel,ptx_4,ptx_8,ptx_16,ptx_matrix,sass_4,sass_8,sass_16,sass_matrix\n"
             "%s,f<2>,%s\n",
             strrchr(paths[0], '/') + 1, counts);
    ck_assert(comparison_machine_code(&comparison, file_with(text), error));
}

static enum match compared_with_code(const char *counts, const char *measured,
                                     const char *simulated)
{
    char error[CSV_ERROR_BYTES], text[600];
    snprintf(text, sizeof text, COUNTERS "time_ns\n0,\"void f<2>(int)\",%s\n", measured);
    const char *table = file_with(text);
    know_machine_code(counts);
    snprintf(text, sizeof text, COUNTERS "modelled_ns\n0,f<2>,%s\n", simulated);
    ck_assert_msg(comparison_add(&comparison, table, file_with(text), error), "%s", error);
    return comparison.launches[comparison.count - 1].wavefronts;
}

START_TEST(wider_loads_in_the_machine_code_explain_fewer_wavefronts)
{
    ck_assert_int_eq(compared_with_code("8,0,0,0,28,0,7,0", ",,,20,24,,,,n,f,", ",,,32,36,,,,,,"),
                     MATCH_MERGED);
}
END_TEST

START_TEST(as_wide_loads_in_the_machine_code_explain_nothing)
{
    /* Unrolled fourfold, which makes the wide ones many, but not merged. */
    ck_assert_int_eq(compared_with_code("9,0,1,0,9,0,4,0", ",,,20,24,,,,n,f,", ",,,32,36,,,,,,"),
                     MATCH_DIFFERENT);
}
END_TEST

START_TEST(loads_that_were_split_explain_nothing)
{
    ck_assert_int_eq(compared_with_code("0,0,1,0,2,0,0,0", ",,,2,8,,,,n,f,", ",,,1,4,,,,,,"),
                     MATCH_DIFFERENT);
}
END_TEST

START_TEST(merged_loads_take_no_more_wavefronts_by_address)
{
    ck_assert_int_eq(compared_with_code("4,0,0,0,0,0,1,0", ",,,1,402,401,,,n,f,", ",,,4,400,,,,,,"),
                     MATCH_DIFFERENT);
}
END_TEST

START_TEST(merged_loads_take_a_quarter_of_the_wavefronts_at_least)
{
    ck_assert_int_eq(compared_with_code("4,0,0,0,0,0,1,0", ",,,1,99,,,,n,f,", ",,,4,400,,,,,,"),
                     MATCH_DIFFERENT);
}
END_TEST

START_TEST(passes_of_merged_loads_are_repeated_as_well)
{
    ck_assert_int_eq(compared_with_code("4,0,0,0,2,1,0,0", ",,,3,404,,,,n,f,", ",,,4,400,,,,,,"),
                     MATCH_ARBITRATION);
}
END_TEST

START_TEST(without_the_machine_code_there_is_no_excuse)
{
    const struct comparison_launch *launch = compared(",,,20,24,,,,n,f,", ",,,32,36,,,,,,");
    ck_assert_int_eq(launch->wavefronts, MATCH_DIFFERENT);
    ck_assert_double_eq(launch->measured_ns, 0);
}
END_TEST

/* The profiler's count by address of loads by ldmatrix stands in a column of its own; without that
 * the hardware's own count is left, with what was repeated. */
START_TEST(matrix_loads_have_a_count_of_their_own)
{
    char error[CSV_ERROR_BYTES];
    const char *measured = file_with("kernel,wavefronts_ld,wavefronts_ld_sass,"
                                     "wavefronts_ldsm_sass\n"
                                     "f,1032,0,1000\nf,1032,20,980\nf,1016,0,\nf,1032,0,\n");
    const char *simulated = file_with("kernel,wavefronts_ld\nf,1000\nf,1000\nf,1000\nf,1000\n");
    ck_assert_msg(comparison_add(&comparison, measured, simulated, error), "%s", error);
    ck_assert_int_eq(comparison.launches[0].wavefronts, MATCH_EXACT);
    ck_assert_int_eq(comparison.launches[1].wavefronts, MATCH_EXACT);
    ck_assert_int_eq(comparison.launches[2].wavefronts, MATCH_ARBITRATION);
    ck_assert_int_eq(comparison.launches[3].wavefronts, MATCH_DIFFERENT);
}
END_TEST

START_TEST(repeated_passes_count_up_to_two_percent)
{
    ck_assert_int_eq(compared(",,,129,1016,,,,n,f,", ",,,100,1000,,,,,,")->wavefronts,
                     MATCH_ARBITRATION);
}
END_TEST

START_TEST(counts_by_address_take_precedence)
{
    ck_assert_int_eq(compared(",,,100,1016,1000,,,n,f,", ",,,100,1000,,,,,,")->wavefronts,
                     MATCH_EXACT);
}
END_TEST

/* Adds three launches of a program, whose files are named after it as those of measured/ are. */
static void add_program(const char *folder, const char *program)
{
    char path[2][PATH_MAX], error[CSV_ERROR_BYTES];
    for (int side = 0; side < 2; side++) {
        snprintf(path[side], sizeof path[side], "%s/%s.%d", folder, program, side);
        FILE *file = fopen(path[side], "w");
        ck_assert_ptr_nonnull(file);
        fputs("kernel,name\nf,pair_axes_before\nf,pair_axes_after\nf,pair_records_before\n", file);
        fclose(file);
    }
    ck_assert_msg(comparison_add(&comparison, path[0], path[1], error), "%s", error);
    remove(path[0]);
    remove(path[1]);
}

START_TEST(each_round_has_halves_of_its_own_and_the_fifth_one_is_sealed)
{
    static const enum half ASIDE[] = {
        HALF_OLDER,           HALF_SET_ASIDE,        HALF_SECOND_SET_ASIDE,
        HALF_THIRD_SET_ASIDE, HALF_FOURTH_SET_ASIDE, HALF_FIFTH_SET_ASIDE};
    static const enum half HELD_IN[] = {HALF_OLDER,          HALF_HELD_IN,
                                        HALF_SECOND_HELD_IN, HALF_THIRD_HELD_IN,
                                        HALF_FOURTH_HELD_IN, HALF_FIFTH_HELD_IN};
    char folder[] = "/tmp/check_fidelity.XXXXXX";
    ck_assert_ptr_nonnull(mkdtemp(folder));
    add_program(folder, "bank");
    add_program(folder, "fresh");
    add_program(folder, "second");
    add_program(folder, "third");
    add_program(folder, "fourth");
    add_program(folder, "fifth");
    for (size_t i = 0; i < 6; i++) {
        ck_assert_int_eq(comparison.launches[3 * i].half, ASIDE[i]);
        ck_assert_int_eq(comparison.launches[3 * i + 1].half, ASIDE[i]);
        ck_assert_int_eq(comparison.launches[3 * i + 2].half, HELD_IN[i]);
    }
    comparison_drop_set_aside(&comparison, SHOWN_ALL);
    ck_assert_uint_eq(comparison.count, 18);
    comparison_drop_set_aside(&comparison, SHOWN_OPENED);
    ck_assert_uint_eq(comparison.count, 16);
    ck_assert_int_eq(comparison.launches[12].half, HALF_FOURTH_SET_ASIDE);
    ck_assert_int_eq(comparison.launches[15].half, HALF_FIFTH_HELD_IN);
    comparison_drop_set_aside(&comparison, SHOWN_HELD_IN);
    ck_assert_uint_eq(comparison.count, 8);
    ck_assert_int_eq(comparison.launches[3].half, HALF_HELD_IN);
    ck_assert_int_eq(comparison.launches[4].half, HALF_SECOND_HELD_IN);
    remove(folder);
}
END_TEST

START_TEST(tables_of_different_programs_are_not_compared)
{
    char error[CSV_ERROR_BYTES];
    const char *one = file_with("launch,kernel\n0,f\n"), *other = file_with("launch,kernel\n0,g\n");
    const char *two = file_with("launch,kernel\n0,f\n1,f\n");
    ck_assert(!comparison_add(&comparison, one, other, error));
    ck_assert_ptr_nonnull(strstr(error, "Launch 0 is f in "));
    ck_assert(!comparison_add(&comparison, one, two, error));
    ck_assert_ptr_nonnull(strstr(error, "has 1 launches, "));
}
END_TEST

/* --- What is set aside ----------------------------------------------------------------------- */

static bool aside(const char *name)
{
    return set_aside(name, strlen(name));
}

START_TEST(an_odd_hash_sets_a_launch_aside)
{
    /* FNV-1a of "", "a", "b" and "foobar", from its authors' test vectors */
    ck_assert(aside(""));        /* 811C9DC5 */
    ck_assert(!aside("a"));      /* E40C292C */
    ck_assert(aside("b"));       /* E70C2DE5 */
    ck_assert(!aside("foobar")); /* BF9CF968 */
}
END_TEST

START_TEST(both_launches_of_a_pair_are_in_one_half)
{
    ck_assert(aside("b_before") && aside("b_after"));
    ck_assert(!aside("a_before") && !aside("a_after"));
    ck_assert_uint_eq(set_aside_stem("pair_x_before", 13), 6);
    ck_assert_uint_eq(set_aside_stem("beforehand", 10), 10);
    ck_assert_uint_eq(set_aside_stem("_after", 6), 6);
}
END_TEST

START_TEST(a_quantile_lies_between_its_neighbours)
{
    double values[] = {30, 10, 20, 0};
    ck_assert_double_eq_tol(statistics_quantile(values, 4, 0.9), 27, 1e-12);
    ck_assert_double_eq(statistics_quantile(values, 4, 1), 30);
    ck_assert_double_nan(statistics_quantile(values, 0, 0.9));
}
END_TEST

static void add_tests(TCase *tcase, const TTest *const *tests, size_t count)
{
    for (size_t i = 0; i < count; i++)
        tcase_add_test(tcase, tests[i]);
}

int main(void)
{
    const TTest *const statistics[] = {
        the_median_of_an_even_count_is_the_mean_of_the_middle_two,
        ranks_agree_whatever_the_scale,
        equal_numbers_share_their_rank,
        numbers_without_order_have_no_rank_correlation,
        only_pairs_that_are_far_apart_can_be_reversed,
        a_tie_in_the_model_reverses_nothing,
        of_many_reversals_the_worst_are_kept_worst_first,
        a_quantile_lies_between_its_neighbours,
        an_odd_hash_sets_a_launch_aside,
        both_launches_of_a_pair_are_in_one_half,
    };
    const TTest *const tables[] = {
        quotes_commas_and_remarks_are_read_as_a_profiler_writes_them,
        a_damaged_table_is_refused_with_its_line,
        a_kernel_is_known_in_every_spelling,
    };
    const TTest *const comparisons[] = {
        counters_match_when_every_known_one_is_equal,
        wider_loads_in_the_machine_code_explain_fewer_wavefronts,
        as_wide_loads_in_the_machine_code_explain_nothing,
        loads_that_were_split_explain_nothing,
        merged_loads_take_no_more_wavefronts_by_address,
        merged_loads_take_a_quarter_of_the_wavefronts_at_least,
        passes_of_merged_loads_are_repeated_as_well,
        without_the_machine_code_there_is_no_excuse,
        matrix_loads_have_a_count_of_their_own,
        repeated_passes_count_up_to_two_percent,
        counts_by_address_take_precedence,
        each_round_has_halves_of_its_own_and_the_fifth_one_is_sealed,
        tables_of_different_programs_are_not_compared,
    };
    Suite *suite = suite_create("fidelity");
    TCase *cases[] = {tcase_create("statistics"), tcase_create("tables"), tcase_create("launches")};
    tcase_add_checked_fixture(cases[1], open_files, close_files);
    tcase_add_checked_fixture(cases[2], open_files, close_comparison);
    add_tests(cases[0], statistics, sizeof statistics / sizeof *statistics);
    add_tests(cases[1], tables, sizeof tables / sizeof *tables);
    add_tests(cases[2], comparisons, sizeof comparisons / sizeof *comparisons);
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        suite_add_tcase(suite, cases[i]);
    return run_suite(suite);
}
