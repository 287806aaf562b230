/* check_approximate.c - approximate instructions err, within what PTX states, by their operand and
 * a seed. */
#include "approximate.h"
#include "tests/check_main.h"

#include <check.h>
#include <stdint.h>
#include <stdio.h>

enum { SAMPLES = 1 << 20 };

/* --- What PTX states: how far from the true result at an operand ------------------------------ */

static double ulp_of(double exact)
{
    int exponent;
    frexp((double)(float)exact, &exponent);
    return ldexp(1, exponent - 24 < -149 ? -149 : exponent - 24);
}

/* clang-format off */
/* Units from the rounded result are half a unit more from the true one. */
static double one_ulp(double a, double exact) { (void)a; return 1.5 * ulp_of(exact); }
static double two_ulps(double a, double exact) { (void)a; return 2.5 * ulp_of(exact); }
static double of_sqrt(double a, double exact) { (void)a; return exact * 0x1p-23; }
static double of_rsqrt(double a, double exact) { (void)a; return exact * exp2(-22.9); }
static double of_tanh(double a, double exact) { (void)a; return fabs(exact) * 0x1p-11; }
static double of_ex2_f16(double a, double exact) { (void)a; return exact * exp2(-9.9); }
static double of_ex2_bf16(double a, double exact) { (void)a; return exact * 0x1p-7; }
static double of_tanh_f16(double a, double exact) { (void)a; (void)exact; return exp2(-10.987); }
static double of_tanh_bf16(double a, double exact) { (void)a; (void)exact; return 0x1p-8; }
/* clang-format on */

static double of_lg2(double a, double exact)
{
    return a > 0.5 && a < 2 ? 0x1p-22 : fabs(exact) * 0x1p-22;
}

/* clang-format off */
/* Near their zeros, where the bounds of PTX say little: what an H100 errs by at most. */
static double of_lg2_near_one(double a, double exact) { (void)a; return 0.875 * fabs(exact); }
static double of_small_angle(double a, double exact) { (void)a; return fabs(exact); }
/* clang-format on */

static double of_angle(double a, double exact)
{
    (void)exact;
    return fabs(a) <= 2 * M_PI ? exp2(-20.5) : exp2(-14.7);
}

/* --- The functions ---------------------------------------------------------------------------- */

/* clang-format off */
static double reciprocal(double a) { return 1 / a; }
static double root(double a) { return sqrt(a); }
static double reciprocal_root(double a) { return 1 / sqrt(a); }
static float third(float a, uint32_t seed) { return approximate_quotient(3, a, seed); }
static double exact_third(double a) { return 3 / a; }
/* clang-format on */

#define HALF(format, function)                                                        \
    static float function##_wide(float a, uint32_t seed)                              \
    {                                                                                 \
        return float_of_##format(approximate_##function(format##_of_float(a), seed)); \
    }
HALF(f16, exp2_f16)
HALF(bf16, exp2_bf16)
HALF(f16, tanh_f16)
HALF(bf16, tanh_bf16)

/* Operands are drawn from low to high and rounded to as many bits of fraction; some errors reach
 * at least so much of what is allowed. */
static const struct instruction {
    const char *name;
    float (*run)(float a, uint32_t seed);
    double (*exact)(double a);
    double (*allowed)(double a, double exact);
    float low, high;
    int fraction_bits;
    double reach;
} INSTRUCTIONS[] = {
    {"rcp", approximate_rcp, reciprocal, one_ulp, 1, 4, 23, 0.9},
    {"rcp, small", approximate_rcp, reciprocal, one_ulp, 0x1p-120f, 0x1p-110f, 23, 0.4},
    {"sqrt", approximate_sqrt, root, of_sqrt, 0.1f, 100, 23, 0.9},
    {"rsqrt", approximate_rsqrt, reciprocal_root, of_rsqrt, 0.1f, 100, 23, 0.9},
    {"div", third, exact_third, two_ulps, 1, 100, 23, 0.7},
    {"ex2", approximate_exp2, exp2, two_ulps, -126, 127, 23, 0.5},
    {"ex2, denormal", approximate_exp2, exp2, two_ulps, -150, -127, 23, 0.2},
    {"lg2, about 1", approximate_log2, log2, of_lg2, 0.5f, 2, 23, 0.7},
    {"lg2", approximate_log2, log2, of_lg2, 2, 1e30f, 23, 0.2},
    {"sin", approximate_sin, sin, of_angle, -6.2831f, 6.2831f, 23, 0.9},
    {"sin, far", approximate_sin, sin, of_angle, 6.2832f, 314.1592f, 23, 0.9},
    {"lg2, at 1", approximate_log2, log2, of_lg2_near_one, 1 - 0x1p-20f, 1 - 0x1p-24f, 23, 0.2},
    {"sin, small", approximate_sin, sin, of_small_angle, -0x1p-23f, 0x1p-23f, 23, 0.9},
    {"cos", approximate_cos, cos, of_angle, -6.2831f, 6.2831f, 23, 0.9},
    {"cos, far", approximate_cos, cos, of_angle, 6.2832f, 314.1592f, 23, 0.9},
    {"tanh", approximate_tanh, tanh, of_tanh, -3, 3, 23, 0.99},
    {"tanh, small", approximate_tanh, tanh, of_tanh, -1e-3f, 1e-3f, 23, 0.99},
    {"ex2.f16", exp2_f16_wide, exp2, of_ex2_f16, -14, 15, 10, 0.8},
    {"ex2.bf16", exp2_bf16_wide, exp2, of_ex2_bf16, -100, 100, 7, 0.8},
    {"tanh.f16", tanh_f16_wide, tanh, of_tanh_f16, -6, 6, 10, 0.8},
    {"tanh.bf16", tanh_bf16_wide, tanh, of_tanh_bf16, -3, 3, 7, 0.8},
};
enum { INSTRUCTION_COUNT = sizeof INSTRUCTIONS / sizeof *INSTRUCTIONS };

static float operand(const struct instruction *tested, int i)
{
    float a = tested->low + (tested->high - tested->low) * ((float)i + 0.5f) / SAMPLES;
    uint32_t cut = ~UINT32_C(0) << (23 - tested->fraction_bits);
    return float_of_bits(bits_of_float(a) & cut);
}

START_TEST(errors_stay_within_the_bound_and_come_near_it_on_both_sides)
{
    const struct instruction *tested = &INSTRUCTIONS[_i];
    double most = 0, least = 0;
    for (uint32_t seed = 0; seed < 3; seed++)
        for (int i = 0; i < SAMPLES; i++) {
            float a = operand(tested, i);
            double exact = tested->exact(a), error = tested->run(a, seed) - exact;
            double share = error / tested->allowed(a, exact);
            if (!(fabs(share) <= 1))
                ck_abort_msg("%s of %.9g with seed %u errs by %g of the bound", tested->name,
                             (double)a, seed, share);
            most = fmax(most, share);
            least = fmin(least, share);
        }
    ck_assert_msg(most >= tested->reach && least <= -tested->reach,
                  "errors of %s reach from %g to %g of the bound", tested->name, least, most);
}
END_TEST

START_TEST(the_error_is_the_operand_s_and_the_seed_s)
{
    const struct instruction *tested = &INSTRUCTIONS[_i];
    int other = 0;
    for (int i = 0; i < SAMPLES; i += 64) {
        float a = operand(tested, i), first = tested->run(a, 1);
        if (bits_of_float(first) != bits_of_float(tested->run(a, 1)))
            ck_abort_msg("%s of %.9g changes with one seed", tested->name, (double)a);
        other += first != tested->run(a, 2);
    }
    ck_assert_int_gt(other, 0);
}
END_TEST

/* --- What is exact ---------------------------------------------------------------------------- */

enum { SEEDS = 50 };

/* ck_assert that takes no time where it holds. */
#define HOLDS(condition)                            \
    do {                                            \
        if (!(condition))                           \
            ck_abort_msg("not so: %s", #condition); \
    } while (0)

START_TEST(powers_of_two_are_exact)
{
    for (uint32_t seed = 0; seed < SEEDS; seed++)
        for (int power = -126; power <= 126; power++) {
            float a = ldexpf(1, power);
            HOLDS(approximate_rcp(a, seed) == 1 / a);
            HOLDS(approximate_rcp(-a, seed) == -1 / a);
            HOLDS(approximate_quotient(0.7f, a, seed) == 0.7f / a);
            HOLDS(approximate_log2(a, seed) == (float)power);
            HOLDS(approximate_exp2((float)power, seed) == a);
            HOLDS(power % 2 || approximate_sqrt(a, seed) == sqrtf(a));
            HOLDS(power % 2 || approximate_rsqrt(a, seed) == 1 / sqrtf(a));
        }
}
END_TEST

START_TEST(zeros_infinities_and_nan_are_exact)
{
    for (uint32_t seed = 0; seed < SEEDS; seed++) {
        HOLDS(approximate_rcp(-0.0f, seed) == -INFINITY);
        HOLDS(approximate_rcp(INFINITY, seed) == 0);
        HOLDS(signbit(approximate_sqrt(-0.0f, seed)));
        HOLDS(approximate_rsqrt(0, seed) == INFINITY);
        HOLDS(approximate_exp2(0, seed) == 1 && approximate_exp2(1e-10f, seed) == 1);
        HOLDS(approximate_exp2(-INFINITY, seed) == 0);
        HOLDS(approximate_log2(0, seed) == -INFINITY);
        HOLDS(approximate_log2(INFINITY, seed) == INFINITY);
        HOLDS(signbit(approximate_sin(-0.0f, seed)) && approximate_sin(-0.0f, seed) == 0);
        HOLDS(approximate_cos(0, seed) == 1);
        HOLDS(signbit(approximate_tanh(-0.0f, seed)));
        HOLDS(approximate_tanh(-INFINITY, seed) == -1 && approximate_tanh(20, seed) == 1);
        HOLDS(approximate_tanh_f16(0x8000, seed) == 0x8000);
        for (int i = 0; i < INSTRUCTION_COUNT; i++)
            HOLDS(isnan(INSTRUCTIONS[i].run(NAN, seed)));
    }
}
END_TEST

START_TEST(scaling_by_powers_of_two_changes_no_error)
{
    for (int i = 0; i < SAMPLES; i += 16) {
        float a = 1 + (float)i / SAMPLES, far = ldexpf(a, 20);
        HOLDS(approximate_rcp(far, 3) == ldexpf(approximate_rcp(a, 3), -20));
        HOLDS(approximate_sqrt(far, 3) == ldexpf(approximate_sqrt(a, 3), 10));
        HOLDS(approximate_rsqrt(far, 3) == ldexpf(approximate_rsqrt(a, 3), -10));
        HOLDS(approximate_exp2(a + 20, 3) == ldexpf(approximate_exp2(a + 20 - 32, 3), 32));
    }
}
END_TEST

START_TEST(results_stay_in_range_and_odd_functions_odd)
{
    for (int i = 0; i < SAMPLES; i++) {
        float a = 0.001f + 10 * (float)i / SAMPLES, below_one = 1 - (float)(i + 1) * 0x1p-24f;
        HOLDS(fabsf(approximate_sin(a, 4)) <= 1 && fabsf(approximate_cos(a, 4)) <= 1);
        HOLDS(fabsf(approximate_tanh(a, 4)) <= 1);
        HOLDS(approximate_log2(below_one, 4) < 0);
        HOLDS(approximate_sin(-a, 4) == -approximate_sin(a, 4));
        HOLDS(approximate_tanh(-a, 4) == -approximate_tanh(a, 4));
        HOLDS(approximate_rcp(-a, 4) == -approximate_rcp(a, 4));
        HOLDS(approximate_cos(-a, 4) == approximate_cos(a, 4));
    }
}
END_TEST

START_TEST(upper_words_of_doubles_err_below_two_to_the_minus_19)
{
    double most = 0;
    for (int i = 0; i < SAMPLES; i++) {
        double a = 1 + 3 * (double)i / SAMPLES;
        double error = approximate_rcp_double(a, 5) * a - 1;
        double root_error = approximate_rsqrt_double(a, 5) * sqrt(a) - 1;
        HOLDS(fabs(error) <= 0x1p-18 && fabs(root_error) <= 0x1p-18);
        most = fmax(most, fabs(error));
    }
    HOLDS(most > 0x1p-20);
    HOLDS(approximate_rcp_double(4, 5) == 0.25 && approximate_rsqrt_double(4, 5) == 0.5);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("approximate");
    TCase *tcase = tcase_create("errors");
    tcase_set_timeout(tcase, MOST_SECONDS);
    tcase_add_loop_test(tcase, errors_stay_within_the_bound_and_come_near_it_on_both_sides, 0,
                        INSTRUCTION_COUNT);
    tcase_add_loop_test(tcase, the_error_is_the_operand_s_and_the_seed_s, 0, INSTRUCTION_COUNT);
    tcase_add_test(tcase, powers_of_two_are_exact);
    tcase_add_test(tcase, zeros_infinities_and_nan_are_exact);
    tcase_add_test(tcase, scaling_by_powers_of_two_changes_no_error);
    tcase_add_test(tcase, results_stay_in_range_and_odd_functions_odd);
    tcase_add_test(tcase, upper_words_of_doubles_err_below_two_to_the_minus_19);
    suite_add_tcase(suite, tcase);
    return run_suite(suite);
}
