/* truth.c - lesson 8: what the gradients must be, and how far off they may be.
 *
 * gZ itself is not seen, but gA, gB and gBias are sums with it, so its error counts. Let g be an
 * element of gZ. It is the product of gY and act', and act' may be off by 2^-21 of t, the largest
 * term of its formula (judge_elementwise_allowed: eight roundings; FP32 needs about four, as in
 * expf and a quotient). t is 1, but for GELU by tanh: there z u' (1 - tanh^2 u) / 2 cancels, and t
 * is z u', 1 for |z| below 1 and 28 at most. So g may be off by
 *
 *     e = 2^-21 |gY| max(t, |act'|)          for a curved activation
 *     e = 2^-21 |g|                          for leaky relu, which is one rounding
 *     e = 0                                  for none and relu: g is gY or 0
 *
 * Let h be the number that it is multiplied with: of B, of A, or 1. The sum of all g h is off by
 * the errors of g, at most the sum of e |h|, and by those of adding up, judge_product_allowed of
 * the sum of |g h|. The first are added as if all had one sign. Where |z| is below 1, what is
 * allowed is so up to three times what a product of gZ as an input would have. The derivative of
 * one GELU is not taken for the other's: they differ by up to 8.7e-4, which is 1800 times 2^-21.
 */
#include "judges/08_backward/parts.h"
#include "judges/08_backward/problem.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* An element of gZ, and how far off it may be. */
struct gradient {
    double value, allowed;
};

/* A sum so far: of products, of their absolute values, and of what the errors of gZ add; and how
 * many products are not 0. */
struct sum {
    double value, magnitude, carried;
    int64_t terms;
};

static struct gradient gradient_of(const struct judge_case *problem, double gy, double z)
{
    enum quest_activation activation = (enum quest_activation)problem->size[ACTIVATION];
    double act = backward_derivative(z, activation, (float)problem->real[SLOPE]);
    double value = gy * act, largest = 0;
    if (activation == QUEST_ACT_NONE || activation == QUEST_ACT_RELU)
        return (struct gradient){value, 0};
    if (backward_is_curved(activation))
        largest = gy * fmax(backward_largest_term(z, activation), fabs(act));
    return (struct gradient){fabs(value) > FLT_MAX ? copysign(INFINITY, value) : value,
                             judge_elementwise_allowed(value, largest)};
}

static void add(struct sum *sum, struct gradient g, double factor)
{
    double product = g.value * factor;
    sum->value += product;
    sum->magnitude += fabs(product);
    sum->carried += g.allowed * fabs(factor);
    sum->terms += product != 0;
}

/* Is each gradient one of the inputs, or 0, and sums of integers and of sixteenths exact? */
static bool is_exact(const struct judge_case *problem)
{
    int64_t activation = problem->size[ACTIVATION];
    bool plain = activation == QUEST_ACT_NONE || activation == QUEST_ACT_RELU;
    return plain &&
           (problem->data == JUDGE_DATA_INTEGERS || problem->data == JUDGE_DATA_SIXTEENTHS);
}

/* A single product that is a float, as where A picks one element of gZ, is added to zeros. */
static double sum_allowed(const struct judge_case *problem, const struct sum *sum, int64_t terms)
{
    if (is_exact(problem))
        return 0;
    if (sum->terms <= 1 && (double)(float)sum->value == sum->value)
        return sum->carried;
    return judge_product_allowed(sum->value, sum->magnitude, (double)terms) + sum->carried +
           4 * JUDGE_SMALLEST_FLOAT * (double)terms;
}

static void finish(const struct judge_case *problem, const struct sum *sum, int64_t terms,
                   double *expected, double *allowed)
{
    double value = sum->value;
    *expected = fabs(value) > FLT_MAX ? copysign(INFINITY, value) : value;
    *allowed = sum_allowed(problem, sum, terms);
}

/* --- All of a case ---------------------------------------------------------------------------- */

/* Inner loops are along rows, so that the processor adds several sums at once: gZ is two arrays,
 * and B is turned, k numbers for each column. */
struct whole {
    const struct judge_case *problem;
    struct judge_host *host;
    double *gZ, *gZ_allowed;
    float *b_turned;
};

/* Those of a row: as many of each of the four as there are sums. */
struct sums {
    double *value, *magnitude, *carried;
    int64_t *terms;
};

/* False without memory. The caller frees sums->value. */
static bool sums_make(struct sums *sums, uint64_t count)
{
    sums->value = malloc((count + 1) * (3 * sizeof(double) + sizeof(int64_t)));
    sums->magnitude = sums->value + count;
    sums->carried = sums->magnitude + count;
    sums->terms = (int64_t *)(sums->carried + count);
    return sums->value;
}

static void sums_clear(const struct sums *sums, uint64_t count)
{
    memset(sums->value, 0, count * (3 * sizeof(double) + sizeof(int64_t)));
}

static void sums_finish(const struct judge_case *problem, const struct sums *sums, uint64_t count,
                        int64_t terms, double *expected, double *allowed)
{
    for (uint64_t i = 0; i < count; i++) {
        struct sum sum = {sums->value[i], sums->magnitude[i], sums->carried[i], sums->terms[i]};
        finish(problem, &sum, terms, &expected[i], &allowed[i]);
    }
}

/* One gradient is multiplied with several numbers, of which each adds to a sum of its own. */
static void add_factors(const struct sums *sums, struct gradient g, const float *restrict factor,
                        uint64_t count)
{
    double *restrict value = sums->value, *restrict magnitude = sums->magnitude;
    double *restrict carried = sums->carried;
    int64_t *restrict terms = sums->terms;
    for (uint64_t i = 0; i < count; i++) {
        double product = g.value * factor[i];
        value[i] += product;
        magnitude[i] += fabs(product);
        carried[i] += g.allowed * fabs((double)factor[i]);
        terms[i] += product != 0;
    }
}

/* Several gradients are multiplied with one number. */
static void add_gradients(const struct sums *sums, const double *restrict g,
                          const double *restrict g_allowed, double factor, uint64_t count)
{
    double *restrict value = sums->value, *restrict magnitude = sums->magnitude;
    double *restrict carried = sums->carried;
    int64_t *restrict terms = sums->terms;
    for (uint64_t i = 0; i < count; i++) {
        double product = g[i] * factor;
        value[i] += product;
        magnitude[i] += fabs(product);
        carried[i] += g_allowed[i] * fabs(factor);
        terms[i] += product != 0;
    }
}

static void truth_of_gZ(void *context, uint64_t first, uint64_t end)
{
    const struct whole *whole = context;
    uint64_t n = (uint64_t)whole->problem->size[N];
    const float *gy = whole->host[GY].input, *z = whole->host[Z].input;
    for (uint64_t i = first * n; i < end * n; i++) {
        struct gradient g = gradient_of(whole->problem, gy[i], z[i]);
        whole->gZ[i] = g.value;
        whole->gZ_allowed[i] = g.allowed;
    }
}

static void truth_of_gA(void *context, uint64_t first, uint64_t end)
{
    const struct whole *whole = context;
    uint64_t n = (uint64_t)whole->problem->size[N], k = (uint64_t)whole->problem->size[K];
    struct sums sums;
    for (uint64_t row = sums_make(&sums, k) ? first : end; row < end; row++) {
        sums_clear(&sums, k);
        for (uint64_t col = 0; col < n; col++)
            add_factors(
                &sums,
                (struct gradient){whole->gZ[row * n + col], whole->gZ_allowed[row * n + col]},
                whole->b_turned + col * k, k);
        sums_finish(whole->problem, &sums, k, (int64_t)n, whole->host[GA].expected + row * k,
                    whole->host[GA].allowed + row * k);
    }
    free(sums.value);
}

/* A row of gB; of gBias, where a is NULL. */
static void truth_of_columns(const struct whole *whole, const float *a, const struct sums *sums,
                             double *expected, double *allowed)
{
    uint64_t n = (uint64_t)whole->problem->size[N], k = (uint64_t)whole->problem->size[K];
    int64_t m = whole->problem->size[M];
    sums_clear(sums, n);
    for (uint64_t row = 0; row < (uint64_t)m; row++)
        add_gradients(sums, whole->gZ + row * n, whole->gZ_allowed + row * n, a ? a[row * k] : 1,
                      n);
    sums_finish(whole->problem, sums, n, m, expected, allowed);
}

static void truth_of_gB(void *context, uint64_t first, uint64_t end)
{
    const struct whole *whole = context;
    uint64_t n = (uint64_t)whole->problem->size[N];
    struct sums sums;
    for (uint64_t row = sums_make(&sums, n) ? first : end; row < end; row++)
        truth_of_columns(whole, (const float *)whole->host[A].input + row, &sums,
                         whole->host[GB].expected + row * n, whole->host[GB].allowed + row * n);
    free(sums.value);
}

static void truth_of_gBias(const struct whole *whole)
{
    struct sums sums;
    if (sums_make(&sums, (uint64_t)whole->problem->size[N]))
        truth_of_columns(whole, NULL, &sums, whole->host[GBIAS].expected,
                         whole->host[GBIAS].allowed);
    free(sums.value);
}

static void turn_b(const struct whole *whole, uint64_t n, uint64_t k)
{
    const float *b = whole->host[B].input;
    for (uint64_t row = 0; row < k; row++)
        for (uint64_t col = 0; col < n; col++)
            whole->b_turned[col * k + row] = b[row * n + col];
}

static void truth_of_all(struct whole *whole, uint64_t m, uint64_t n, uint64_t k)
{
    judge_rows_side_by_side(m, 16 * (double)n, truth_of_gZ, whole);
    if (k > 0) {
        turn_b(whole, n, k);
        judge_rows_side_by_side(m, (double)n * (double)k, truth_of_gA, whole);
        judge_rows_side_by_side(k, (double)n * (double)m, truth_of_gB, whole);
    }
    if (whole->problem->size[WITH_BIAS])
        truth_of_gBias(whole);
}

/* Without memory, what is expected stays 0. */
void backward_truth(const struct judge_case *problem, struct judge_host *host)
{
    uint64_t m = (uint64_t)problem->size[M], n = (uint64_t)problem->size[N];
    uint64_t k = (uint64_t)problem->size[K];
    struct whole whole = {.problem = problem,
                          .host = host,
                          .gZ = malloc((2 * m * n + 1) * sizeof(double)),
                          .b_turned = malloc((n * k + 1) * sizeof(float))};
    whole.gZ_allowed = whole.gZ + m * n;
    if (whole.gZ && whole.b_turned)
        truth_of_all(&whole, m, n, k);
    free(whole.gZ);
    free(whole.b_turned);
}

/* --- Some elements of a large one ------------------------------------------------------------- */

static struct gradient gradient_at(const struct judge_case *problem,
                                   const struct judge_inputs *inputs, uint64_t i)
{
    float gy, z;
    judge_input(inputs, GY, i, 1, &gy);
    judge_input(inputs, Z, i, 1, &z);
    return gradient_of(problem, gy, z);
}

static struct sum sum_along_row(const struct judge_case *problem, const struct judge_inputs *inputs,
                                uint64_t row, uint64_t of_b)
{
    uint64_t n = (uint64_t)problem->size[N];
    struct sum sum = {0};
    for (uint64_t col = 0; col < n; col++) {
        float b;
        judge_input(inputs, B, of_b * n + col, 1, &b);
        add(&sum, gradient_at(problem, inputs, row * n + col), b);
    }
    return sum;
}

static struct sum sum_down_column(const struct judge_case *problem,
                                  const struct judge_inputs *inputs, size_t output, uint64_t of_a,
                                  uint64_t col)
{
    uint64_t n = (uint64_t)problem->size[N], k = (uint64_t)problem->size[K];
    struct sum sum = {0};
    for (uint64_t row = 0; row < (uint64_t)problem->size[M]; row++) {
        float a = 1;
        if (output == GB)
            judge_input(inputs, A, row * k + of_a, 1, &a);
        add(&sum, gradient_at(problem, inputs, row * n + col), a);
    }
    return sum;
}

void backward_truth_at(const struct judge_case *problem, const struct judge_inputs *inputs,
                       size_t output, uint64_t first, uint64_t count, double *expected,
                       double *allowed)
{
    uint64_t n = (uint64_t)problem->size[N], k = (uint64_t)problem->size[K];
    for (uint64_t i = 0; i < count; i++) {
        uint64_t at = first + i;
        struct sum sum = output == GA ? sum_along_row(problem, inputs, at / k, at % k)
                                      : sum_down_column(problem, inputs, output, at / n, at % n);
        finish(problem, &sum, problem->size[output == GA ? N : M], &expected[i], &allowed[i]);
    }
}
