/* truth.c - lesson 2: what each output must be, and how far off it may be.
 *
 * A transpose computes nothing, so its truth is a copy and every bit counts. The precision of a
 * product is judge_product_allowed's, in units of which operands of TF32 or FP16 are off by 18 at
 * least in every case, and FP32 by a third at most, in any order.
 */
#include "judges/02_tiling/parts.h"
#include "judges/02_tiling/problem.h"

#include <float.h>
#include <math.h>
#include <string.h>

static void transpose_truth(const struct judge_case *problem, struct judge_host *buffers)
{
    const float *in = buffers[TRANSPOSE_IN].input;
    double *out = buffers[TRANSPOSE_OUT].expected;
    int64_t rows = problem->size[TRANSPOSE_ROWS], cols = problem->size[TRANSPOSE_COLS];
    buffers[TRANSPOSE_OUT].same_bits = true;
    for (int64_t row = 0; row < rows; row++)
        for (int64_t col = 0; col < cols; col++)
            out[col * rows + row] = judge_of_float(&in[row * cols + col]);
}

static void transpose_truth_at(const struct judge_case *problem, const struct judge_inputs *inputs,
                               uint64_t first, uint64_t count, double *expected, double *allowed)
{
    uint64_t rows = (uint64_t)problem->size[TRANSPOSE_ROWS];
    uint64_t cols = (uint64_t)problem->size[TRANSPOSE_COLS];
    for (uint64_t i = 0; i < count; i++) {
        uint64_t col = (first + i) / rows, row = (first + i) % rows;
        float value;
        judge_input(inputs, TRANSPOSE_IN, row * cols + col, 1, &value);
        expected[i] = judge_of_float(&value);
        allowed[i] = JUDGE_SAME_BITS;
    }
}

/* Products too small for a float: a few units of the smallest one. */
#define TINY (4 * JUDGE_SMALLEST_FLOAT)

/* One row of C: the sums, and the sums of absolute values. */
static void sgemm_row(const float *a, const float *B, int64_t n, int64_t k, double *sum,
                      double *magnitude)
{
    for (int64_t i = 0; i < k; i++)
        for (int64_t col = 0; col < n; col++) {
            double product = (double)a[i] * B[i * n + col];
            sum[col] += product;
            magnitude[col] += fabs(product);
        }
}

/* From the sums of products, and of their absolute values, to what C may be. */
static void sgemm_finish(const struct judge_case *problem, int64_t count, double *sum,
                         double *allowed)
{
    double k = (double)problem->size[SGEMM_K];
    for (int64_t col = 0; col < count; col++) {
        if (fabs(sum[col]) > FLT_MAX)
            sum[col] = copysign(INFINITY, sum[col]);
        allowed[col] = problem->data == JUDGE_DATA_INTEGERS
                           ? 0
                           : judge_sum_allowed(problem, sum[col], allowed[col], k) + k * TINY;
    }
}

struct whole {
    const struct judge_case *problem;
    struct judge_host *host;
};

static void sgemm_rows(void *context, uint64_t first, uint64_t end)
{
    const struct whole *whole = context;
    const int64_t *size = whole->problem->size;
    struct judge_host *host = whole->host;
    const float *A = host[SGEMM_A].input, *B = host[SGEMM_B].input;
    int64_t n = size[SGEMM_N], k = size[SGEMM_K];
    for (int64_t row = (int64_t)first; row < (int64_t)end; row++) {
        double *sum = host[SGEMM_C].expected + row * n, *allowed = host[SGEMM_C].allowed + row * n;
        sgemm_row(A + row * k, B, n, k, sum, allowed);
        sgemm_finish(whole->problem, n, sum, allowed);
    }
}

static void sgemm_truth(const struct judge_case *problem, struct judge_host *host)
{
    struct whole whole = {problem, host};
    judge_rows_side_by_side((uint64_t)problem->size[SGEMM_M],
                            (double)problem->size[SGEMM_N] * (double)problem->size[SGEMM_K],
                            sgemm_rows, &whole);
}

static void sgemm_truth_at(const struct judge_case *problem, const struct judge_inputs *inputs,
                           uint64_t first, uint64_t count, double *expected, double *allowed)
{
    const struct judge_product product = {SGEMM_A, SGEMM_B, (uint64_t)problem->size[SGEMM_N],
                                          (uint64_t)problem->size[SGEMM_K]};
    for (uint64_t done = 0, part; done < count; done += part) {
        uint64_t row = (first + done) / product.n, col = (first + done) % product.n;
        part = count - done < product.n - col ? count - done : product.n - col;
        memset(expected + done, 0, part * sizeof *expected);
        judge_product_row(inputs, &product, row, col, part, expected + done, allowed + done);
        sgemm_finish(problem, (int64_t)part, expected + done, allowed + done);
    }
}

void tiling_truth(const struct judge_case *problem, struct judge_host *host)
{
    if (problem->launcher == TRANSPOSE)
        transpose_truth(problem, host);
    else
        sgemm_truth(problem, host);
}

void tiling_truth_at(const struct judge_case *problem, const struct judge_inputs *inputs,
                     size_t output, uint64_t first, uint64_t count, double *expected,
                     double *allowed)
{
    (void)output;
    if (problem->launcher == TRANSPOSE)
        transpose_truth_at(problem, inputs, first, count, expected, allowed);
    else
        sgemm_truth_at(problem, inputs, first, count, expected, allowed);
}
