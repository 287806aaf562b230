/* check_tolerances.c - every bound of the judges lets honest arithmetic pass by a factor of 3, in
 * any order, and fails the next lower precision by a factor of 3.
 *
 * The cases are the judges' own, with their inputs and truths; the answers are computed here, on
 * the host: sums one after the other, in tiles, in parts, in pairs, by Kahan, with and without FMA;
 * and the same with operands, sums or results that are rounded to fewer bits.
 */
#include "check/examine/compare.h"
#include "check/examine/stages.h"

#include "quest.h"
#include "tests/check_main.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const double MARGIN = 3;

/* --- Roundings -------------------------------------------------------------------------------- */

enum { FP32_BITS = 23, TF32_BITS = 10, BF16_BITS = 7 };

/* To so many bits of fraction, to nearest even. */
static float rounded(float value, int bits)
{
    uint32_t word, dropped = (uint32_t)(FP32_BITS - bits);
    memcpy(&word, &value, sizeof word);
    if (dropped) {
        word += (1u << (dropped - 1)) - 1 + (word >> dropped & 1);
        word &= ~((1u << dropped) - 1);
    }
    memcpy(&value, &word, sizeof value);
    return value;
}

static float half(float value)
{
    return (float)(_Float16)value;
}

/* --- Sums ------------------------------------------------------------------------------------- */

/* Two rows of so many operands, apart elements apart. */
struct dot {
    const float *a, *b;
    int64_t count, a_apart, b_apart;
    int bits; /* that operands are rounded to */
};

static float a_of(const struct dot *dot, int64_t i)
{
    return rounded(dot->a[i * dot->a_apart], dot->bits);
}

static float b_of(const struct dot *dot, int64_t i)
{
    return rounded(dot->b[i * dot->b_apart], dot->bits);
}

static float run_of(const struct dot *dot, int64_t first, int64_t end, float sum)
{
    for (int64_t i = first; i < end; i++)
        sum = fmaf(a_of(dot, i), b_of(dot, i), sum);
    return sum;
}

static float by_fma(const struct dot *dot)
{
    return run_of(dot, 0, dot->count, 0);
}

static float by_two_roundings(const struct dot *dot)
{
    float sum = 0;
    for (int64_t i = 0; i < dot->count; i++) {
        volatile float product = a_of(dot, i) * b_of(dot, i);
        sum += product;
    }
    return sum;
}

/* Parts of so many products, added one after the other. */
static float in_parts(const struct dot *dot, int64_t part)
{
    float sum = 0;
    for (int64_t i = 0; i < dot->count; i += part)
        sum += run_of(dot, i, i + part < dot->count ? i + part : dot->count, 0);
    return sum;
}

static float in_tiles(const struct dot *dot)
{
    return in_parts(dot, 16);
}

static float by_splitting(const struct dot *dot)
{
    return in_parts(dot, (dot->count + 7) / 8);
}

static float pairs_of(const struct dot *dot, int64_t first, int64_t end)
{
    int64_t middle = first + (end - first) / 2;
    return end - first <= 1 ? run_of(dot, first, end, 0)
                            : pairs_of(dot, first, middle) + pairs_of(dot, middle, end);
}

static float in_pairs(const struct dot *dot)
{
    return pairs_of(dot, 0, dot->count);
}

static float by_kahan(const struct dot *dot)
{
    volatile float sum = 0, lost = 0;
    for (int64_t i = 0; i < dot->count; i++) {
        volatile float next = fmaf(a_of(dot, i), b_of(dot, i), -lost), all = sum + next;
        lost = (all - sum) - next;
        sum = all;
    }
    return sum;
}

static float in_half(const struct dot *dot)
{
    float sum = 0;
    for (int64_t i = 0; i < dot->count; i++)
        sum = half(sum + half(a_of(dot, i)) * half(b_of(dot, i)));
    return sum;
}

typedef float sum_function(const struct dot *);
static sum_function *const HONEST_SUMS[] = {by_fma,       by_two_roundings, in_tiles,
                                            by_splitting, in_pairs,         by_kahan};
enum { SUMS = sizeof HONEST_SUMS / sizeof *HONEST_SUMS };

/* --- Shares of what is allowed ---------------------------------------------------------------- */

static void ck_within(double share, const char *what)
{
    ck_assert_msg(share <= 1 / MARGIN, "%s: honest work takes %.3g of what is allowed", what,
                  share);
}

static void ck_beyond(double share, const char *what)
{
    ck_assert_msg(share >= MARGIN, "%s: too few bits take only %.3g of what is allowed", what,
                  share);
}

/* Largest share over so many sums of products of data from low to 1. */
static double share_of_sums(sum_function *sum, int64_t terms, float low, int bits)
{
    enum { MOST_TERMS = 16384 };
    static float a[MOST_TERMS], b[MOST_TERMS];
    int sums = terms <= 256 ? 3000 : terms <= 1024 ? 1000 : 300;
    double worst = 0;
    srand(7);
    for (int i = 0; i < sums; i++) {
        struct dot dot = {a, b, terms, 1, 1, bits};
        double exact = 0, magnitude = 0;
        for (int64_t j = 0; j < terms; j++) {
            a[j] = low + (1 - low) * (float)rand() / (float)RAND_MAX;
            b[j] = low + (1 - low) * (float)rand() / (float)RAND_MAX;
            exact += (double)a[j] * b[j];
            magnitude += fabs((double)a[j] * b[j]);
        }
        double allowed = judge_product_allowed(exact, magnitude, (double)terms);
        worst = fmax(worst, fabs(sum(&dot) - exact) / allowed);
    }
    return worst;
}

START_TEST(the_bound_of_sums_lets_fp32_pass_in_any_order_and_of_any_sign)
{
    for (int64_t terms = 1; terms <= 16384; terms *= 4)
        for (int i = 0; i < SUMS; i++) {
            ck_within(share_of_sums(HONEST_SUMS[i], terms, -1, FP32_BITS), "either sign");
            ck_within(share_of_sums(HONEST_SUMS[i], terms, 0, FP32_BITS), "one sign");
        }
}
END_TEST

START_TEST(the_bound_of_sums_fails_tf32_bf16_and_half_at_any_length)
{
    for (int64_t terms = 1; terms <= 16384; terms *= 4) {
        ck_beyond(share_of_sums(by_fma, terms, -1, TF32_BITS), "TF32");
        ck_beyond(share_of_sums(by_fma, terms, -1, BF16_BITS), "BF16");
        ck_beyond(share_of_sums(in_half, terms, -1, FP32_BITS), "sums in FP16");
    }
    for (int64_t terms = 1; terms <= 1024; terms *= 4) /* of one sign they show in short ones */
        ck_beyond(share_of_sums(by_fma, terms, 0, TF32_BITS), "TF32 of one sign");
}
END_TEST

/* --- The judges' cases ------------------------------------------------------------------------ */

static struct prepared prepared;
static const struct judge_case *problem;

static void start(const char *lesson, const char *name)
{
    const struct judge *judge = judge_named(lesson);
    struct lab lab = {.judge = judge};
    struct finding finding = {.verdict = VERDICT_PASS};
    problem = NULL;
    for (size_t i = 0; i < judge->case_count; i++)
        if (strcmp(judge->cases[i].name, name) == 0)
            problem = &judge->cases[i];
    ck_assert_msg(problem != NULL, "lesson %s has no case \"%s\"", lesson, name);
    ck_assert(prepare(&lab, problem, 11, &prepared, &finding));
}

static double share_of(size_t buffer, uint64_t i, double got)
{
    const struct judge_host *host = &prepared.hosts[buffer];
    double error = fabs(got - host->expected[i]);
    return error == 0 ? 0 : error / fmax(host->allowed[i], 0x1p-1000);
}

static const float *input(size_t buffer)
{
    return prepared.hosts[buffer].input;
}

/* Lesson 1: a x + b y, in either order, with and without FMA. */
START_TEST(axpby_may_round_as_it_likes_but_not_to_half)
{
    double honest = 0, low = 0;
    start("1", "n = 4097");
    float a = (float)problem->real[0], b = (float)problem->real[1];
    for (uint64_t i = 0; i < prepared.hosts[2].count; i++) {
        float x = input(0)[i], y = input(1)[i];
        volatile float ax = a * x, by = b * y;
        honest = fmax(honest, fmax(share_of(2, i, ax + by), share_of(2, i, fmaf(a, x, by))));
        honest = fmax(honest, share_of(2, i, fmaf(b, y, ax)));
        low = fmax(low, share_of(2, i, half(half(ax) + half(by))));
    }
    ck_within(honest, "axpby");
    ck_beyond(low, "axpby in half");
    prepared_free(&prepared);
}
END_TEST

/* Row by column of buffers 0 and 1, and what may come after. Returns the largest share over buffer
 * out, whose rows are n long. */
static double share_of_product(sum_function *sum, int bits, size_t out, int64_t n, int64_t k,
                               const float *bias, float (*finish)(float))
{
    double worst = 0;
    for (uint64_t i = 0; i < prepared.hosts[out].count; i++) {
        int64_t row = (int64_t)i / n, column = (int64_t)i % n;
        struct dot dot = {input(0) + row * k, input(1) + column, k, 1, n, bits};
        float z = sum(&dot) + (bias ? bias[column] : 0);
        worst = fmax(worst, share_of(out, i, finish ? finish(z) : z));
    }
    return worst;
}

START_TEST(sgemm_may_add_in_any_order_but_not_with_fewer_bits)
{
    static const char *const NAMES[] = {"sgemm, 31 x 33 x 1", "sgemm, 32 x 16 x 64",
                                        "sgemm, 128 x 128 x 128",
                                        "sgemm, 40 x 36 x 3000: long sums"};
    for (int name = 0; name < 4; name++) {
        start("2", NAMES[name]);
        int64_t n = problem->size[1], k = problem->size[2];
        for (int i = 0; i < SUMS; i++)
            ck_within(share_of_product(HONEST_SUMS[i], FP32_BITS, 2, n, k, NULL, NULL),
                      NAMES[name]);
        ck_beyond(share_of_product(by_fma, TF32_BITS, 2, n, k, NULL, NULL), NAMES[name]);
        ck_beyond(share_of_product(in_half, FP32_BITS, 2, n, k, NULL, NULL), NAMES[name]);
        prepared_free(&prepared);
    }
}
END_TEST

START_TEST(sums_of_squares_may_be_long_and_in_any_order)
{
    static const char *const NAMES[] = {"row_sumsq, 7 x 33", "row_sumsq, 5 x 1000",
                                        "row_sumsq, 64 x 4097", "row_sumsq, 16 x 70003"};
    for (int name = 0; name < 4; name++) {
        start("3", NAMES[name]);
        int64_t columns = problem->size[1];
        double low = 0;
        for (uint64_t row = 0; row < prepared.hosts[1].count; row++) {
            const float *x = input(0) + (int64_t)row * columns;
            struct dot dot = {x, x, columns, 1, 1, FP32_BITS};
            for (int i = 0; i < SUMS; i++)
                ck_within(share_of(1, row, HONEST_SUMS[i](&dot)), NAMES[name]);
            dot.bits = TF32_BITS;
            low = fmax(low, share_of(1, row, by_fma(&dot)));
        }
        if (columns <= 64) /* of one sign they show in short ones */
            ck_beyond(low, NAMES[name]);
        prepared_free(&prepared);
    }
}
END_TEST

static float gelu(float z)
{
    return 0.5f * z * (1 + tanhf(0.79788456f * fmaf(0.044715f * z * z, z, z)));
}

/* As the hardware's tanh.approx: good to 2^-11. */
static float gelu_approximate(float z)
{
    return 0.5f * z * (1 + rounded(tanhf(0.79788456f * fmaf(0.044715f * z * z, z, z)), TF32_BITS));
}

START_TEST(an_epilogue_may_be_fp32_of_any_kind_but_not_less)
{
    enum { BIAS = 2, Y, Z };
    start("4", "129 x 63 x 127");
    int64_t n = problem->size[1], k = problem->size[2];
    for (int i = 0; i < SUMS; i++) {
        ck_within(share_of_product(HONEST_SUMS[i], FP32_BITS, Z, n, k, input(BIAS), NULL), "Z");
        ck_within(share_of_product(HONEST_SUMS[i], FP32_BITS, Y, n, k, input(BIAS), gelu), "Y");
    }
    ck_beyond(share_of_product(by_fma, TF32_BITS, Z, n, k, input(BIAS), NULL), "Z of TF32");
    ck_beyond(share_of_product(by_fma, FP32_BITS, Y, n, k, input(BIAS), gelu_approximate),
              "an approximate tanh");
    prepared_free(&prepared);
}
END_TEST

/* --- Activations of sums that are exact ------------------------------------------------------- */

static float sigmoid_by_exp(float z)
{
    return 1 / (1 + expf(-z));
}

static float sigmoid_by_tanh(float z)
{
    return 0.5f * tanhf(0.5f * z) + 0.5f;
}

static float tanh_by_exp(float z)
{
    return 1 - 2 / (1 + expf(2 * z));
}

static float gelu_by_erf(float z)
{
    return 0.5f * z * (1 + erff(0.70710678f * z));
}

static float gelu_by_erfc(float z)
{
    return 0.5f * z * erfcf(-0.70710678f * z);
}

static float gelu_by_exp(float z)
{
    return z / (1 + expf(-2 * 0.79788456f * fmaf(0.044715f * z * z, z, z)));
}

static float sigmoid_approximate(float z)
{
    return 0.5f * rounded(tanhf(0.5f * z), TF32_BITS) + 0.5f;
}

static float tanh_approximate(float z)
{
    return rounded(tanhf(z), TF32_BITS);
}

static float erf_in_half(float z)
{
    return 0.5f * z * (1 + half(erff(0.70710678f * z)));
}

/* Largest share of an activation of the case's sums; off by so many units in its last place. */
static double share_of_activation(float (*activation)(float), float units)
{
    enum { BIAS = 2, Y };
    int64_t n = problem->size[1], k = problem->size[2];
    double worst = 0;
    for (uint64_t i = 0; i < prepared.hosts[Y].count; i++) {
        int64_t row = (int64_t)i / n, column = (int64_t)i % n;
        struct dot dot = {input(0) + row * k, input(1) + column, k, 1, n, FP32_BITS};
        float y = activation(by_fma(&dot) + input(BIAS)[column]);
        worst = fmax(worst, share_of(Y, i, y + units * (nextafterf(y, INFINITY) - y)));
    }
    return worst;
}

START_TEST(an_activation_is_good_to_some_units_and_what_its_sum_may_be_off_is_no_excuse)
{
    static const struct {
        const char *name;
        float (*honest[2])(float), (*approximate)(float);
    } KINDS[] = {
        {"sigmoid, bias", {sigmoid_by_exp, sigmoid_by_tanh}, sigmoid_approximate},
        {"tanh, bias", {tanhf, tanh_by_exp}, tanh_approximate},
        {"gelu by erf, bias", {gelu_by_erf, gelu_by_erfc}, erf_in_half},
        {"gelu by tanh, bias", {gelu, gelu_by_exp}, gelu_approximate},
    };
    for (size_t kind = 0; kind < sizeof KINDS / sizeof *KINDS; kind++) {
        start("4", KINDS[kind].name);
        for (int i = 0; i < 2; i++) {
            ck_within(share_of_activation(KINDS[kind].honest[i], 0), KINDS[kind].name);
            ck_beyond(share_of_activation(KINDS[kind].honest[i], 25), "25 units off");
        }
        ck_beyond(share_of_activation(KINDS[kind].approximate, 0), KINDS[kind].name);
        prepared_free(&prepared);
    }
}
END_TEST

START_TEST(dropout_may_multiply_or_divide_but_not_in_half)
{
    double honest = 0, low = 0;
    start("5", "n = 100003");
    float p = (float)problem->real[0], scale = 1.0f / (1.0f - p);
    size_t out = 0;
    while (!prepared.hosts[out].expected)
        out++;
    for (uint64_t i = 0; i < prepared.hosts[out].count; i++) {
        float x = input(0)[i];
        if (prepared.hosts[out].expected[i] == 0)
            continue;
        honest = fmax(honest, share_of(out, i, x / (1.0f - p)));
        honest = fmax(honest, share_of(out, i, x * scale));
        low = fmax(low, share_of(out, i, half(x * scale)));
    }
    ck_within(honest, "dropout");
    ck_beyond(low, "dropout in half");
    prepared_free(&prepared);
}
END_TEST

/* Of FP16 in and out. One rounding at the end is honest and takes up to all that is allowed for it;
 * the margin is that of the sum. */
START_TEST(a_product_of_half_is_summed_in_fp32)
{
    enum { A, B, BIAS, Y };
    double honest = 0, low = 0, narrow = 0;
    start("6", "16 x 24 x 4096: long sums");
    int64_t n = problem->size[1], k = problem->size[2];
    float *a = malloc((size_t)k * sizeof *a), *b = malloc((size_t)k * sizeof *b);
    for (uint64_t i = 0; i < prepared.hosts[Y].count; i++) {
        int64_t row = (int64_t)i / n, column = (int64_t)i % n;
        double expected = prepared.hosts[Y].expected[i], allowed = prepared.hosts[Y].allowed[i];
        for (int64_t j = 0; j < k; j++) {
            a[j] = (float)judge_element(input(A), JUDGE_F16, (uint64_t)(row * k + j));
            b[j] = (float)judge_element(input(B), JUDGE_F16, (uint64_t)(j * n + column));
        }
        struct dot dot = {a, b, k, 1, 1, FP32_BITS};
        double rounding = 0x1p-11 * fabs(expected);
        for (int sum = 0; sum < SUMS; sum++) {
            double got = HONEST_SUMS[sum](&dot);
            honest = fmax(honest, fabs(got - expected) / (allowed - rounding));
            ck_assert_double_le(fabs(half((float)got) - expected), allowed);
        }
        low = fmax(low, share_of(Y, i, in_half(&dot)));
        narrow = fmax(narrow, share_of(Y, i, rounded(by_fma(&dot), BF16_BITS)));
    }
    free(a);
    free(b);
    ck_within(honest, "sums in FP32");
    ck_beyond(low, "sums in FP16");
    ck_beyond(narrow, "a result in BF16");
    prepared_free(&prepared);
}
END_TEST

/* --- Every kind of product in 16 bits --------------------------------------------------------- */

/* As tensor cores do (Fasi et al., PeerJ CS 7:e330): of so many products and the sum so far, what
 * is below the 24th bit of the largest is cut off, and so is what the new sum has too many. */
static float by_tensor_cores(const struct dot *dot)
{
    enum { AT_A_TIME = 8, BITS = 24 };
    double sum = 0;
    for (int64_t first = 0; first < dot->count; first += AT_A_TIME) {
        int64_t end = first + AT_A_TIME < dot->count ? first + AT_A_TIME : dot->count;
        double largest = fabs(sum), all = 0;
        for (int64_t i = first; i < end; i++)
            largest = fmax(largest, fabs((double)a_of(dot, i) * b_of(dot, i)));
        double unit = ldexp(1, ilogb(fmax(largest, 0x1p-100)) + 1 - BITS);
        for (int64_t i = first; i < end; i++)
            all += unit * trunc((double)a_of(dot, i) * b_of(dot, i) / unit);
        all += unit * trunc(sum / unit);
        unit = ldexp(1, ilogb(fmax(fabs(all), 0x1p-100)) + 1 - BITS);
        sum = unit * trunc(all / unit);
    }
    return (float)sum;
}

enum { GEMM_A, GEMM_B, GEMM_BIAS, GEMM_Y };                          /* buffers of lesson 6 */
enum { SIZE_N = 1, SIZE_K, TRANSPOSE, WITH_BIAS, ACTIVATION, TYPE }; /* sizes */

/* An element of Y as a row and a column of operands, and what comes after the sum. */
struct element {
    struct dot dot;
    double bias, expected, allowed;
    enum judge_type type;
};

static double in_type(double value, enum judge_type type)
{
    return type == JUDGE_F16 ? half((float)value) : rounded((float)value, BF16_BITS);
}

/* a and b hold K operands each. */
static struct element element_of(uint64_t i, float *a, float *b)
{
    const int64_t *size = problem->size;
    int64_t m = size[0], n = size[SIZE_N], k = size[SIZE_K];
    int64_t row = (int64_t)i / n, column = (int64_t)i % n;
    enum judge_type type = prepared.image.part[GEMM_Y].buffer.type;
    for (int64_t j = 0; j < k; j++) {
        int64_t at_a = size[TRANSPOSE] & 1 ? j * m + row : row * k + j;
        int64_t at_b = size[TRANSPOSE] & 2 ? column * k + j : j * n + column;
        a[j] = (float)judge_element(input(GEMM_A), type, (uint64_t)at_a);
        b[j] = (float)judge_element(input(GEMM_B), type, (uint64_t)at_b);
    }
    return (struct element){
        .dot = {a, b, k, 1, 1, FP32_BITS},
        .bias = size[WITH_BIAS] ? judge_element(input(GEMM_BIAS), type, (uint64_t)column) : 0,
        .expected = prepared.hosts[GEMM_Y].expected[i],
        .allowed = prepared.hosts[GEMM_Y].allowed[i],
        .type = type};
}

static double activated(double z)
{
    if (problem->size[ACTIVATION] == QUEST_ACT_RELU)
        return fmax(z, 0);
    return problem->size[ACTIVATION] == QUEST_ACT_GELU_TANH ? gelu((float)z) : z;
}

/* The part of what is allowed that the sum takes; what its last rounding may be is left out. */
static double share_of_element(const struct element *element, sum_function *sum)
{
    double rounding = (element->type == JUDGE_F16 ? 0x1p-11 : 0x1p-8) * fabs(element->expected);
    double got = activated((float)((double)sum(&element->dot) + element->bias));
    ck_assert_double_le(fabs(in_type(got, element->type) - element->expected), element->allowed);
    return fabs(got - element->expected) / (element->allowed - rounding);
}

static double share_if_rounded_twice(const struct element *element)
{
    double product = in_type(by_fma(&element->dot), element->type);
    double got = in_type(activated(product + element->bias), element->type);
    return fabs(got - element->expected) / element->allowed;
}

/* Over some elements of the case. */
static void share_of_case(double *honest, double *twice)
{
    enum { LOOKS = 499 };
    uint64_t count = prepared.hosts[GEMM_Y].count, looks = count < LOOKS ? count : LOOKS;
    size_t bytes = (size_t)problem->size[SIZE_K] * sizeof(float);
    float *a = malloc(bytes), *b = malloc(bytes);
    *honest = *twice = 0;
    for (uint64_t i = 0; i < looks; i++) {
        struct element element = element_of(count * i / looks, a, b);
        for (int sum = 0; sum < SUMS; sum++)
            *honest = fmax(*honest, share_of_element(&element, HONEST_SUMS[sum]));
        *honest = fmax(*honest, share_of_element(&element, by_tensor_cores));
        *twice = fmax(*twice, share_if_rounded_twice(&element));
    }
    free(a);
    free(b);
}

/* Operands are multiples of 2^-8, and no sum reaches 2^8: so in FP32 each is exact, in any order.
 * Whatever kernel the library chooses, its result is not wrong for how it adds; if it is wrong, the
 * product was rounded before its bias was added, which rows and pointers of 16 bytes do not
 * excuse. */
START_TEST(products_in_16_bits_may_be_summed_in_any_order_but_not_rounded_twice)
{
    const struct judge *judge = judge_named("6");
    int cases = 0, aligned = 0;
    for (size_t i = 0; i < judge->case_count; i++) {
        const struct judge_case *it = &judge->cases[i];
        double honest, twice;
        if (it->script || it->refused_with || it->processes > 1)
            continue;
        start("6", it->name);
        share_of_case(&honest, &twice);
        ck_within(honest, it->name);
        if (it->size[WITH_BIAS] && strncmp(it->name, "64 x 64 x 64", 12) == 0) {
            ck_assert_msg(twice > 1, "%s: rounding twice takes %.3g", it->name, twice);
            aligned++;
        }
        cases++;
        prepared_free(&prepared);
    }
    ck_assert_int_ge(cases, 20);
    ck_assert_int_ge(aligned, 3);
}
END_TEST

/* --- Some elements as all of them ------------------------------------------------------------- */

static void ck_same_truth(const struct judge *judge, const struct judge_inputs *inputs,
                          size_t output)
{
    const struct judge_host *host = &prepared.hosts[output];
    for (uint64_t i = 0; i < 40; i++) {
        uint64_t at = i * 7919 % host->count;
        double expected = 0, allowed = 0;
        judge->truth_at(problem, inputs, output, at, 1, &expected, &allowed);
        ck_assert_double_eq_tol(expected, host->expected[at], 1e-12 * (1 + fabs(expected)));
        ck_assert_double_eq_tol(allowed, host->allowed[at], 1e-12);
    }
}

/* A GPU's outputs are held to truth_at. */
START_TEST(the_truth_of_an_element_is_that_of_the_whole)
{
    const struct judge *judge = judge_named("6");
    struct lab lab = {.judge = judge};
    struct finding finding;
    struct judge_case mix[1];
    struct judge_inputs inputs = {0};
    judge->timed(&(struct judge_device){.memory_bytes = UINT64_C(1) << 36}, mix, 1);
    mix[0].size[0] = 640; /* m, n, k: as small as the mix can be; and few that are not 0 */
    mix[0].size[1] = mix[0].size[2] = 768;
    mix[0].size[7] = 1;
    problem = mix;
    ck_assert(prepare(&lab, problem, 3, &prepared, &finding));
    for (size_t i = 0; i < prepared.image.count; i++)
        if (prepared.hosts[i].input)
            inputs.of[i] = (struct judge_input){.period = prepared.hosts[i].input,
                                                .count = prepared.hosts[i].count,
                                                .type = prepared.image.part[i].buffer.type};
    for (size_t i = 0; i < prepared.image.count; i++)
        if (prepared.hosts[i].expected)
            ck_same_truth(judge, &inputs, i);
    prepared_free(&prepared);
}
END_TEST

TESTS("tolerances", the_truth_of_an_element_is_that_of_the_whole,
      the_bound_of_sums_lets_fp32_pass_in_any_order_and_of_any_sign,
      the_bound_of_sums_fails_tf32_bf16_and_half_at_any_length,
      axpby_may_round_as_it_likes_but_not_to_half,
      sgemm_may_add_in_any_order_but_not_with_fewer_bits,
      sums_of_squares_may_be_long_and_in_any_order,
      an_epilogue_may_be_fp32_of_any_kind_but_not_less,
      an_activation_is_good_to_some_units_and_what_its_sum_may_be_off_is_no_excuse,
      dropout_may_multiply_or_divide_but_not_in_half, a_product_of_half_is_summed_in_fp32,
      products_in_16_bits_may_be_summed_in_any_order_but_not_rounded_twice)
