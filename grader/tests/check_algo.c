#include "tests/check_main.h"
#include "simgpu/blaslt/algo.h"

#include <string.h>

/* D (m x n) = op(A) op(B), packed, of one type. */
static struct matmul_problem product(uint64_t m, uint64_t n, uint64_t k, uint32_t type)
{
    return (struct matmul_problem){.a = {k, m, (int64_t)k, 0, type, 0},
                                   .b = {k, n, (int64_t)k, 0, type, 0},
                                   .c = {m, n, (int64_t)m, 0, type, 0},
                                   .d = {m, n, (int64_t)m, 0, type, 0},
                                   .compute = MATMUL_COMPUTE_32F,
                                   .scale_type = MATMUL_F32,
                                   .epilogue = MATMUL_EPILOGUE_DEFAULT,
                                   .transpose_a = 1,
                                   .batch_count = 1,
                                   .bias_type = type,
                                   .aux_type = type};
}

static struct algo some_algo(const struct matmul_problem *problem)
{
    size_t count;
    const struct algo_family *family = algo_families(&count);
    uint32_t signature = algo_signature(problem->compute, problem->scale_type, problem->a.type,
                                        problem->b.type, problem->c.type, problem->d.type);
    while (!algo_family_fits(family, signature))
        family++;
    return (struct algo){.family = family->id,
                         .tile = algo_tiles(&count)->id,
                         .stages = family->stages_id,
                         .splits = 1,
                         .signature = signature};
}

START_TEST(a_sealed_algorithm_opens_as_it_was)
{
    struct matmul_problem problem = product(64, 64, 64, MATMUL_F16);
    struct algo algo = some_algo(&problem), opened;
    uint64_t words[MATMUL_ALGO_WORDS];
    algo_seal(&algo, words);
    ck_assert(algo_open(words, &opened));
    ck_assert_mem_eq(&algo, &opened, sizeof algo);
}
END_TEST

START_TEST(every_changed_bit_of_an_algorithm_is_seen)
{
    struct matmul_problem problem = product(64, 64, 64, MATMUL_BF16);
    struct algo algo = some_algo(&problem), opened;
    uint64_t words[MATMUL_ALGO_WORDS];
    algo_seal(&algo, words);
    for (int bit = 0; bit < 64 * MATMUL_ALGO_WORDS; bit++) {
        words[bit / 64] ^= UINT64_C(1) << bit % 64;
        ck_assert(!algo_open(words, &opened));
        words[bit / 64] ^= UINT64_C(1) << bit % 64;
    }
}
END_TEST

START_TEST(doubles_have_families_of_their_own_and_no_epilogue)
{
    struct matmul_problem problem = product(128, 64, 4096, MATMUL_F64);
    uint64_t bytes;
    ck_assert_int_eq(algo_check_problem(&problem), ALGO_UNSUPPORTED); /* not in FP32 */
    problem.compute = MATMUL_COMPUTE_64F;
    problem.scale_type = MATMUL_F64;
    struct algo algo = some_algo(&problem);
    ck_assert_int_eq(algo_family(algo.family)->math, ALGO_DOUBLE);
    ck_assert_int_eq(algo_check(&problem, &algo, &bytes), ALGO_OK);
    algo.splits = 4;
    algo.reduction = MATMUL_REDUCTION_COMPUTE_TYPE;
    ck_assert_int_eq(algo_check(&problem, &algo, &bytes), ALGO_OK);
    ck_assert_uint_eq(bytes, 4 * 128 * 64 * sizeof(double));
    problem.epilogue = MATMUL_EPILOGUE_RELU;
    ck_assert_int_eq(algo_check_problem(&problem), ALGO_UNSUPPORTED);
}
END_TEST

START_TEST(a_split_sum_needs_a_workspace_and_a_scheme)
{
    struct matmul_problem problem = product(128, 64, 4096, MATMUL_F16);
    struct algo algo = some_algo(&problem);
    uint64_t bytes;
    ck_assert_int_eq(algo_check(&problem, &algo, &bytes), ALGO_OK);
    ck_assert_uint_eq(bytes, 0);
    algo.splits = 4;
    ck_assert_int_eq(algo_check(&problem, &algo, &bytes), ALGO_INVALID);
    algo.reduction = MATMUL_REDUCTION_COMPUTE_TYPE;
    ck_assert_int_eq(algo_check(&problem, &algo, &bytes), ALGO_OK);
    ck_assert_uint_eq(bytes, 4 * 128 * 64 * sizeof(float));
    algo.reduction = MATMUL_REDUCTION_OUTPUT_TYPE;
    ck_assert_int_eq(algo_check(&problem, &algo, &bytes), ALGO_OK);
    ck_assert_uint_eq(bytes, 4 * 128 * 64 * 2);
    algo.splits = ALGO_MOST_SPLITS + 1;
    ck_assert_int_eq(algo_check(&problem, &algo, &bytes), ALGO_UNSUPPORTED);
}
END_TEST

START_TEST(an_algorithm_is_for_the_types_it_was_made_for)
{
    struct matmul_problem half = product(64, 64, 64, MATMUL_F16);
    struct matmul_problem single = product(64, 64, 64, MATMUL_F32);
    struct algo algo = some_algo(&half);
    uint64_t bytes;
    ck_assert_int_eq(algo_check(&single, &algo, &bytes), ALGO_INVALID);
    half.compute = MATMUL_COMPUTE_32F_FAST_TF32; /* for FP32 inputs alone */
    ck_assert_int_eq(algo_check_problem(&half), ALGO_UNSUPPORTED);
    single.b.type = MATMUL_BF16;
    ck_assert_int_eq(algo_check_problem(&single), ALGO_UNSUPPORTED);
}
END_TEST

START_TEST(odd_leading_dimensions_and_pointers_need_a_family_of_small_steps)
{
    struct matmul_problem problem = product(64, 64, 63, MATMUL_F16);
    size_t count;
    const struct algo_family *families = algo_families(&count);
    for (size_t i = 0; i < count; i++) {
        bool fits = families[i].alignment <= 2;
        ck_assert_int_eq(algo_aligned(&problem, &families[i], 256, 256, 256, 256), fits);
    }
    problem = product(64, 64, 64, MATMUL_F16);
    for (size_t i = 0; i < count; i++) {
        ck_assert(algo_aligned(&problem, &families[i], 16, 16, 16, 16));
        bool fits = families[i].alignment <= 4; /* whichever pointer it is that lies badly */
        ck_assert_int_eq(algo_aligned(&problem, &families[i], 4, 16, 16, 16), fits);
        ck_assert_int_eq(algo_aligned(&problem, &families[i], 16, 4, 16, 16), fits);
        ck_assert_int_eq(algo_aligned(&problem, &families[i], 16, 16, 16, 4), fits);
    }
}
END_TEST

START_TEST(shapes_that_do_not_meet_are_invalid)
{
    struct matmul_problem problem = product(32, 16, 64, MATMUL_F32);
    ck_assert_int_eq(algo_check_problem(&problem), ALGO_OK);
    problem.b.rows = 63;
    ck_assert_int_eq(algo_check_problem(&problem), ALGO_INVALID);
    problem = product(32, 16, 64, MATMUL_F32);
    problem.a.ld = 63; /* shorter than a column */
    ck_assert_int_eq(algo_check_problem(&problem), ALGO_INVALID);
    problem = product(32, 16, 64, MATMUL_F32);
    problem.batch_count = 0;
    ck_assert_int_eq(algo_check_problem(&problem), ALGO_INVALID);
}
END_TEST

START_TEST(epilogues_come_in_the_library_s_combinations_alone)
{
    struct matmul_problem problem = product(128, 16, 64, MATMUL_F16);
    problem.epilogue = MATMUL_EPILOGUE_RELU | MATMUL_EPILOGUE_BIAS;
    ck_assert_int_eq(algo_check_problem(&problem), ALGO_OK);
    problem.epilogue = MATMUL_EPILOGUE_RELU | MATMUL_EPILOGUE_GELU;
    ck_assert_int_eq(algo_check_problem(&problem), ALGO_INVALID);
    problem.epilogue = MATMUL_EPILOGUE_GELU | MATMUL_EPILOGUE_AUX;
    ck_assert_int_eq(algo_check_problem(&problem), ALGO_INVALID); /* no leading dimension */
    problem.aux_ld = 128;
    ck_assert_int_eq(algo_check_problem(&problem), ALGO_OK);
    problem.epilogue = MATMUL_EPILOGUE_BIAS;
    problem.d.row_major = 1;
    problem.d.ld = 16;
    ck_assert_int_eq(algo_check_problem(&problem), ALGO_UNSUPPORTED);
}
END_TEST

START_TEST(gelu_is_a_second_kernel_where_pieces_are_small)
{
    struct matmul_problem half = product(64, 64, 64, MATMUL_F16), brain = half;
    size_t count;
    const struct algo_family *families = algo_families(&count);
    brain.d.type = MATMUL_BF16;
    for (size_t i = 0; i < count; i++) {
        bool small = families[i].math == ALGO_TENSOR && families[i].alignment < 16;
        half.epilogue = MATMUL_EPILOGUE_GELU;
        ck_assert_int_eq(algo_finishes_apart(&families[i], &half), small);
        half.epilogue = MATMUL_EPILOGUE_GELU | MATMUL_EPILOGUE_BIAS;
        ck_assert_int_eq(algo_finishes_apart(&families[i], &half), small);
        half.epilogue = MATMUL_EPILOGUE_RELU | MATMUL_EPILOGUE_BIAS;
        ck_assert(!algo_finishes_apart(&families[i], &half));
        brain.epilogue = MATMUL_EPILOGUE_BIAS;
        ck_assert_int_eq(algo_finishes_apart(&families[i], &brain),
                         small && families[i].alignment == 2);
    }
}
END_TEST

TESTS("algo", a_sealed_algorithm_opens_as_it_was, every_changed_bit_of_an_algorithm_is_seen,
      doubles_have_families_of_their_own_and_no_epilogue,
      a_split_sum_needs_a_workspace_and_a_scheme, an_algorithm_is_for_the_types_it_was_made_for,
      odd_leading_dimensions_and_pointers_need_a_family_of_small_steps,
      shapes_that_do_not_meet_are_invalid, epilogues_come_in_the_library_s_combinations_alone,
      gelu_is_a_second_kernel_where_pieces_are_small)
