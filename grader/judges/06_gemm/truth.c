/* truth.c - lesson 6: inputs, what each product must be, and how far off it may be. */
#include "judges/06_gemm/parts.h"
#include "judges/06_gemm/problem.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* --- Inputs ----------------------------------------------------------------------------------- */

/* Uniform in [-1, 1]; 8 bits and a sign, so that either type holds it exactly. */
static float drawn(uint64_t word)
{
    return (float)((int64_t)(word >> 55) - 256) * 0x1p-8f;
}

void gemm_fill(const struct judge_case *problem, size_t buffer, void *input, uint64_t count,
               uint64_t seed)
{
    bool is_bf16 = gemm_is_mix(problem) ? buffer / SET == 1 : problem->size[TYPE] == LESSON6_BF16;
    bool sparse = problem->size[SPARSE] && (buffer == ODD_A || buffer % SET == A);
    enum { NAN_BITS = 0x7FDA }; /* of either type, and no output is poisoned with it */
    bool is_nan = problem->script == AFTER_NAN && (buffer == NAN_A || buffer == NAN_B);
    uint16_t *to = input;
    for (uint64_t i = 0; i < count; i++) {
        uint64_t word = judge_word(seed, i);
        float value = sparse && word % 16 ? 0 : drawn(word);
        uint32_t bits;
        memcpy(&bits, &value, sizeof bits);
        if (is_bf16 || is_nan)
            to[i] = is_nan ? NAN_BITS : (uint16_t)(bits >> 16);
        else
            ((_Float16 *)input)[i] = (_Float16)value;
    }
}

/* --- Truth ------------------------------------------------------------------------------------ */

/* One product with its epilogue. Strides are in elements, between rows and between columns. */
struct product {
    int64_t m, n, k, a_row, a_column;
    enum judge_type type;
    enum quest_activation activation;
    const void *a, *bias;
    const double *b; /* k x n, by rows */
    bool awkward;    /* rows that are not multiples of 16 bytes, or start elsewhere */
};

static double *dense(const void *b, enum judge_type type, int64_t k, int64_t n, bool transposed)
{
    double *values = malloc((size_t)(k * n) * sizeof *values);
    for (int64_t row = 0; values && row < k; row++)
        for (int64_t column = 0; column < n; column++)
            values[row * n + column] = judge_element(
                b, type, (uint64_t)(transposed ? column * k + row : row * n + column));
    return values;
}

static double gelu(double z)
{
    return z / 2 * (1 + tanh(M_2_SQRTPI * M_SQRT1_2 * (z + 0.044715 * z * z * z)));
}

/* Y may be off by: what the FP32 sum may be, which the activation enlarges to 1.13 of it at most;
 * the tanh of the hardware, which libraries use for GELU and which is good to 2^-10.98 (PTX ISA,
 * tanh.approx.f32); and one rounding to the type. FP16 sums of 4096 products are off by 3 to 8
 * times as much. */
static double allowed_for(const struct product *product, double z, double y, double magnitude,
                          double before_bias)
{
    double rounding = product->type == JUDGE_F16 ? 0x1p-11 : 0x1p-8;
    double z_allowed = judge_product_allowed(z, magnitude, (double)product->k + 1);
    bool is_gelu = product->activation == QUEST_ACT_GELU_TANH;
    if (product->awkward) /* then cuBLASLt's epilogue is a second kernel on a rounded product */
        z_allowed += rounding * before_bias;
    double y_allowed = is_gelu ? 1.13 * z_allowed + 0x1p-11 * fabs(z) : z_allowed;
    return y_allowed + rounding * (fabs(y) + y_allowed) + 0x1p-25;
}

/* A row of Y, where sum and magnitude hold what the product gave. */
static void finish_row(const struct product *product, double *sum, double *magnitude)
{
    for (int64_t column = 0; column < product->n; column++) {
        double bias =
            product->bias ? judge_element(product->bias, product->type, (uint64_t)column) : 0;
        double z = sum[column] + bias, y = z;
        if (product->activation == QUEST_ACT_RELU)
            y = z < 0 ? 0 : z;
        else if (product->activation == QUEST_ACT_GELU_TANH)
            y = gelu(z);
        magnitude[column] =
            allowed_for(product, z, y, magnitude[column] + fabs(bias), fabs(z - bias));
        sum[column] = y;
    }
}

struct outcome {
    const struct product *product;
    double *expected, *allowed; /* of row 0 */
};

static void truth_of_rows(void *context, uint64_t first, uint64_t end)
{
    const struct outcome *outcome = context;
    const struct product *product = outcome->product;
    int64_t n = product->n;
    for (int64_t row = (int64_t)first; row < (int64_t)end; row++) {
        double *expected = outcome->expected + row * n, *allowed = outcome->allowed + row * n;
        for (int64_t i = 0; i < product->k; i++) {
            double a = judge_element(product->a, product->type,
                                     (uint64_t)(row * product->a_row + i * product->a_column));
            const double *b = product->b + i * n;
            if (a == 0) /* there are no NaNs here */
                continue;
            for (int64_t column = 0; column < n; column++) {
                expected[column] += a * b[column];
                allowed[column] += fabs(a * b[column]);
            }
        }
        finish_row(product, expected, allowed);
    }
}

static void truth_of(const struct product *product, double *expected, double *allowed)
{
    struct outcome outcome = {product, expected, allowed};
    judge_side_by_side((uint64_t)product->m, truth_of_rows, &outcome);
}

static void truth_of_mix(const struct judge_case *problem, struct judge_host *host)
{
    int64_t n = problem->size[N], k = problem->size[K];
    for (int set = 0; set < 3; set++) {
        bool is_odd = set == 2;
        struct judge_host *a = &host[set * SET], *y = &host[is_odd ? ODD_Y : set * SET + Y];
        int64_t columns = is_odd ? gemm_odd_side(n) : n, depth = is_odd ? gemm_odd_side(k) : k;
        enum judge_type type = gemm_buffer_type(set == 1 ? LESSON6_BF16 : LESSON6_F16);
        double *b = dense(a[B].input, type, depth, columns, true);
        struct product product = {.m = is_odd ? ODD_ROWS : gemm_all_rows(problem, set),
                                  .n = columns,
                                  .k = depth,
                                  .a_row = depth,
                                  .a_column = 1,
                                  .type = type,
                                  .activation = is_odd ? QUEST_ACT_NONE : QUEST_ACT_GELU_TANH,
                                  .a = a[A].input,
                                  .bias = is_odd ? NULL : a[BIAS].input,
                                  .b = b};
        if (b)
            truth_of(&product, y->expected, y->allowed);
        free(b);
    }
}

static void truth_of_long(struct judge_host *host)
{
    double *b = dense(host[B].input, JUDGE_F16, LONG_K, LONG_N, true);
    struct product product = {.m = LONG_M,
                              .n = LONG_N,
                              .k = LONG_K,
                              .a_row = LONG_K,
                              .a_column = 1,
                              .type = JUDGE_F16,
                              .activation = QUEST_ACT_NONE,
                              .a = host[A].input,
                              .b = b};
    if (b)
        truth_of(&product, host[LONG_Y].expected, host[LONG_Y].allowed);
    free(b);
}

/* --- Some elements ---------------------------------------------------------------------------- */

/* Which inputs an output of the mix comes from; bias only where product.activation is one. */
struct origin {
    size_t a, b, bias;
    struct product product;
};

static struct origin origin_of(const struct judge_case *problem, size_t output)
{
    size_t set = output == SET + Y ? SET : 0;
    bool is_odd = output == ODD_Y, is_long = output == LONG_Y;
    const struct product layer = {.n = problem->size[N],
                                  .k = problem->size[K],
                                  .type = set ? JUDGE_BF16 : JUDGE_F16,
                                  .activation = QUEST_ACT_GELU_TANH};
    const struct product odd_rows = {.n = gemm_odd_side(problem->size[N]),
                                     .k = gemm_odd_side(problem->size[K]),
                                     .type = JUDGE_F16};
    const struct product long_sums = {.n = LONG_N, .k = LONG_K, .type = JUDGE_F16};
    return (struct origin){.a = is_odd ? ODD_A : set + A,
                           .b = is_odd ? ODD_B : set + B,
                           .bias = set + BIAS,
                           .product = is_odd    ? odd_rows
                                      : is_long ? long_sums
                                                : layer};
}

/* Add the products of row `row` of A and row `column` of B, which is stored transposed. */
static void add_dot(const struct judge_inputs *inputs, const struct origin *origin, int64_t row,
                    int64_t column, double *sum, double *magnitude)
{
    enum { AT_A_TIME = 512 };
    uint16_t a[AT_A_TIME], b[AT_A_TIME];
    int64_t k = origin->product.k;
    enum judge_type type = origin->product.type;
    for (int64_t done = 0, part; done < k; done += part) {
        part = k - done < AT_A_TIME ? k - done : AT_A_TIME;
        judge_input(inputs, origin->a, (uint64_t)(row * k + done), (uint64_t)part, a);
        judge_input(inputs, origin->b, (uint64_t)(column * k + done), (uint64_t)part, b);
        for (int64_t i = 0; i < part; i++) {
            double term = judge_element(a, type, (uint64_t)i) * judge_element(b, type, (uint64_t)i);
            *sum += term;
            *magnitude += fabs(term);
        }
    }
}

/* Of the mix, which is what a GPU is timed with. */
void gemm_truth_at(const struct judge_case *problem, const struct judge_inputs *inputs,
                   size_t output, uint64_t first, uint64_t count, double *expected, double *allowed)
{
    struct origin origin = origin_of(problem, output);
    struct product product = origin.product;
    int64_t n = product.n;
    uint16_t bias;
    product.n = 1;
    for (uint64_t i = 0; i < count; i++) {
        int64_t row = (int64_t)(first + i) / n, column = (int64_t)(first + i) % n;
        if (product.activation != QUEST_ACT_NONE) {
            judge_input(inputs, origin.bias, (uint64_t)column, 1, &bias);
            product.bias = &bias;
        }
        expected[i] = allowed[i] = 0;
        add_dot(inputs, &origin, row, column, &expected[i], &allowed[i]);
        finish_row(&product, &expected[i], &allowed[i]);
    }
}

static bool is_awkward(const struct judge_case *problem)
{
    const int64_t *size = problem->size;
    bool moved = false;
    for (int buffer = A; buffer <= Y; buffer++)
        moved |= problem->offset_bytes[buffer] != 0;
    return moved || size[N] % 8 || size[K] % 8 || (size[TRANSPOSE] & TA && size[M] % 8);
}

void gemm_truth(const struct judge_case *problem, struct judge_host *host)
{
    const int64_t *size = problem->size;
    enum judge_type type = gemm_buffer_type(size[TYPE]);
    if (gemm_is_mix(problem)) {
        truth_of_mix(problem, host);
        truth_of_long(host);
        return;
    }
    bool ta = size[TRANSPOSE] & TA;
    double *b = dense(host[B].input, type, size[K], size[N], size[TRANSPOSE] & TB);
    struct product product = {.m = size[M],
                              .n = size[N],
                              .k = size[K],
                              .a_row = ta ? 1 : size[K],
                              .a_column = ta ? size[M] : 1,
                              .type = type,
                              .activation = (enum quest_activation)size[ACTIVATION],
                              .a = host[A].input,
                              .bias = size[BIAS_AND_SUCH] ? host[BIAS].input : NULL,
                              .awkward = is_awkward(problem),
                              .b = b};
    if (b)
        truth_of(&product, host[Y].expected, host[Y].allowed);
    if (b && gemm_has_second_y(problem)) {
        if (problem->script == OTHER_BIAS)
            product.bias = host[BIAS_2].input;
        truth_of(&product, host[Y_2].expected, host[Y_2].allowed);
    }
    for (int64_t i = 0; problem->script == AFTER_NAN && i < NAN_M * NAN_N; i++)
        host[NAN_Y].expected[i] = NAN;
    for (int file = 0; problem->script == SPOILT && file < FILES; file++)
        host[ANSWERS].expected[file] = file != GOOD;
    for (int answer = 0; problem->script == INTERRUPTED && answer < INTERRUPTIONS; answer++)
        host[ANSWERS].expected[answer] = 1;
    for (int answer = 0; problem->script == FULL && answer < FULL_ANSWERS; answer++)
        host[ANSWERS].expected[answer] = 1;
    for (int side = 0; problem->script == LONG_SIDES && side < SIDE_ANSWERS; side++)
        host[ANSWERS].expected[side] = 1;
    for (int answer = 0; problem->script == CROWD && answer < CROWD_ANSWERS; answer++)
        host[ANSWERS].expected[answer] = 1;
    if (problem->script == LESS_ROOM || problem->script == LIBRARY_FAILS)
        host[ANSWERS].expected[FREED] = 1;
    if (problem->script == LESS_ROOM)
        host[ANSWERS].expected[TAKEN] = 1;
    free(b);
}
