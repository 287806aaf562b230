#include "tests/check_main.h"
#include "simgpu/device/blaslt.h"

#include <math.h>
#include <string.h>

enum { WANTED = 8 };

/* y = x w^T as torch.nn.functional.linear computes it: D is out x rows by columns. */
static struct matmul_search linear(uint64_t rows, uint64_t out, uint64_t in, uint32_t type)
{
    struct matmul_problem problem = {.a = {in, out, (int64_t)in, 0, type, 0},
                                     .b = {in, rows, (int64_t)in, 0, type, 0},
                                     .c = {out, rows, (int64_t)out, 0, type, 0},
                                     .d = {out, rows, (int64_t)out, 0, type, 0},
                                     .compute = MATMUL_COMPUTE_32F,
                                     .scale_type = MATMUL_F32,
                                     .epilogue = MATMUL_EPILOGUE_DEFAULT,
                                     .transpose_a = 1,
                                     .batch_count = 1};
    return (struct matmul_search){.problem = problem,
                                  .workspace_bytes = 32 << 20,
                                  .implementations = UINT64_MAX,
                                  .alignment_a = 256,
                                  .alignment_b = 256,
                                  .alignment_c = 256,
                                  .alignment_d = 256,
                                  .reductions = MATMUL_REDUCTION_ALL,
                                  .wanted = WANTED};
}

static struct matmul_candidate found[MATMUL_MOST_CANDIDATES];

static size_t search(const struct matmul_search *asked)
{
    return blaslt_search(sim_profile_named("h200"), asked, found);
}

static double time_of(const struct matmul_search *asked, size_t i)
{
    struct algo algo;
    ck_assert(algo_open(found[i].algo, &algo));
    return blaslt_estimate(sim_profile_named("h200"), &asked->problem, &algo).time_ns;
}

static double best_us(struct matmul_search asked)
{
    double best_ns = INFINITY;
    size_t count = search(&asked);
    ck_assert_uint_gt(count, 0);
    for (size_t i = 0; i < count; i++)
        best_ns = fmin(best_ns, time_of(&asked, i));
    return best_ns * 1e-3;
}

START_TEST(candidates_are_several_and_take_different_times)
{
    struct matmul_search asked = linear(512, 512, 512, MATMUL_F16);
    ck_assert_uint_eq(search(&asked), WANTED);
    double first = time_of(&asked, 0), least = first, most = first;
    for (size_t i = 1; i < WANTED; i++) {
        least = fmin(least, time_of(&asked, i));
        most = fmax(most, time_of(&asked, i));
        for (size_t j = 0; j < i; j++)
            ck_assert_int_ne(memcmp(found[i].algo, found[j].algo, sizeof found[i].algo), 0);
    }
    ck_assert_double_lt(least, most);
    ck_assert_double_le(first, 1.11 * least); /* a guess that is not far off */
}
END_TEST

START_TEST(the_same_question_has_the_same_answer)
{
    struct matmul_search asked = linear(64, 4096, 4096, MATMUL_BF16);
    struct matmul_candidate before[WANTED];
    ck_assert_uint_eq(search(&asked), WANTED);
    memcpy(before, found, sizeof before);
    ck_assert_uint_eq(search(&asked), WANTED);
    ck_assert_mem_eq(before, found, sizeof before);
}
END_TEST

START_TEST(no_candidate_takes_more_workspace_than_there_is)
{
    struct matmul_search asked = linear(8, 4096, 4096, MATMUL_F16);
    asked.wanted = MATMUL_MOST_CANDIDATES;
    for (uint64_t room = 0; room <= 1 << 20; room = room ? 4 * room : 4096) {
        asked.workspace_bytes = room;
        size_t count = search(&asked);
        ck_assert_uint_gt(count, 0);
        for (size_t i = 0; i < count; i++)
            ck_assert_uint_le(found[i].workspace_bytes, room);
    }
}
END_TEST

START_TEST(a_workspace_helps_a_product_with_few_tiles)
{
    struct matmul_search asked = linear(8, 1024, 16384, MATMUL_F16), without = asked;
    without.workspace_bytes = 0;
    ck_assert_double_lt(best_us(asked), 0.8 * best_us(without));
}
END_TEST

START_TEST(only_what_can_read_unaligned_pointers_is_offered_for_them)
{
    struct matmul_search asked = linear(2048, 2048, 2048, MATMUL_F16);
    double aligned_us = best_us(asked);
    asked.alignment_b = 2;
    size_t count = search(&asked);
    ck_assert_uint_gt(count, 0);
    for (size_t i = 0; i < count; i++) {
        struct algo algo;
        ck_assert(algo_open(found[i].algo, &algo));
        ck_assert_uint_eq(algo_family(algo.family)->alignment, 2);
    }
    ck_assert_double_gt(best_us(asked), 2 * aligned_us);
}
END_TEST

START_TEST(a_search_can_be_limited_to_one_algorithm_and_to_few_waves)
{
    struct matmul_search asked = linear(4096, 4096, 1024, MATMUL_BF16);
    asked.most_waves = 5;
    for (size_t i = 0, count = search(&asked); i < count; i++)
        ck_assert_float_le(found[i].waves, 5);
    asked.only_algo = 1;
    asked.algo_id = 99; /* there is none */
    ck_assert_uint_eq(search(&asked), 0);
}
END_TEST

/* Events and a cold L2, on an H200, PyTorch 2.11. */
START_TEST(modelled_times_lie_near_those_of_an_h200)
{
    const struct {
        uint64_t rows, out, in;
        uint32_t type;
        double measured_us;
    } MEASURED[] = {
        {8192, 4096, 4096, MATMUL_BF16, 386},  {8192, 8192, 8192, MATMUL_BF16, 1402},
        {4096, 4096, 1024, MATMUL_BF16, 52.3}, {1, 4096, 4096, MATMUL_BF16, 17.9},
        {8, 4096, 4096, MATMUL_BF16, 17.8},    {64, 4096, 4096, MATMUL_BF16, 17.9},
        {4099, 4099, 4099, MATMUL_BF16, 1115}, {4096, 4096, 4096, MATMUL_F32, 2677},
        {2048, 2048, 2048, MATMUL_F32, 342},   {4099, 4099, 4099, MATMUL_F32, 3287},
    };
    for (size_t i = 0; i < sizeof MEASURED / sizeof *MEASURED; i++) {
        double us =
            best_us(linear(MEASURED[i].rows, MEASURED[i].out, MEASURED[i].in, MEASURED[i].type));
        ck_assert_msg(us > 0.75 * MEASURED[i].measured_us && us < 1.25 * MEASURED[i].measured_us,
                      "%d x %d x %d: modelled %.1f us, measured %.1f us", (int)MEASURED[i].rows,
                      (int)MEASURED[i].out, (int)MEASURED[i].in, us, MEASURED[i].measured_us);
    }
}
END_TEST

TESTS("blaslt_search", candidates_are_several_and_take_different_times,
      the_same_question_has_the_same_answer, no_candidate_takes_more_workspace_than_there_is,
      a_workspace_helps_a_product_with_few_tiles,
      only_what_can_read_unaligned_pointers_is_offered_for_them,
      a_search_can_be_limited_to_one_algorithm_and_to_few_waves,
      modelled_times_lie_near_those_of_an_h200)
