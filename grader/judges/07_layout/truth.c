/* truth.c - lesson 7: what Y must be, and how far off it may be: see judge.c. */
#include "judges/07_layout/parts.h"
#include "judges/07_layout/problem.h"

#include <float.h>
#include <math.h>

/* A row of Y as it is stored is a row of this: op(A) op(B), or op(B)^T op(A)^T. */
static struct judge_product stored_product(const struct judge_case *problem)
{
    const int64_t *size = problem->size;
    if (size[Y_TRANSPOSED])
        return (struct judge_product){.a = B,
                                      .b = A,
                                      .m = (uint64_t)size[N],
                                      .n = (uint64_t)size[M],
                                      .k = (uint64_t)size[K],
                                      .a_turned = !size[TRANSPOSE_B],
                                      .b_turned = !size[TRANSPOSE_A]};
    return (struct judge_product){.a = A,
                                  .b = B,
                                  .m = (uint64_t)size[M],
                                  .n = (uint64_t)size[N],
                                  .k = (uint64_t)size[K],
                                  .a_turned = size[TRANSPOSE_A],
                                  .b_turned = size[TRANSPOSE_B]};
}

static void start_with_bias(const struct judge_case *problem, const struct judge_inputs *inputs,
                            uint64_t row, uint64_t col, uint64_t count, double *sum,
                            double *magnitude)
{
    for (uint64_t i = 0; i < count; i++) {
        float bias = 0;
        if (problem->size[WITH_BIAS])
            judge_input(inputs, BIAS, problem->size[Y_TRANSPOSED] ? row : col + i, 1, &bias);
        sum[i] = bias;
        magnitude[i] = fabs(sum[i]);
    }
}

/* Turn sums, and sums of absolute values, into results and how far off they may be. Sums of
 * integers are exact in any order. */
static void finish(const struct judge_case *problem, uint64_t count, double *sum, double *allowed)
{
    double terms = (double)problem->size[K] + (problem->size[WITH_BIAS] ? 1 : 0);
    bool is_exact = problem->data == JUDGE_DATA_INTEGERS;
    for (uint64_t i = 0; i < count; i++) {
        sum[i] = fabs(sum[i]) > FLT_MAX ? copysign(INFINITY, sum[i]) : sum[i];
        allowed[i] = is_exact ? 0
                              : judge_sum_allowed(problem, sum[i], allowed[i], terms) +
                                    4 * JUDGE_SMALLEST_FLOAT * terms;
    }
}

/* What lies between two rows keeps its bits. */
static void keep(const struct judge_inputs *inputs, uint64_t first, uint64_t count,
                 double *expected, double *allowed)
{
    for (uint64_t i = 0; i < count; i++) {
        float old;
        judge_input(inputs, Y, first + i, 1, &old);
        expected[i] = judge_of_float(&old);
        allowed[i] = JUDGE_SAME_BITS;
    }
}

void layout_truth_at(const struct judge_case *problem, const struct judge_inputs *inputs,
                     size_t output, uint64_t first, uint64_t count, double *expected,
                     double *allowed)
{
    const struct judge_product product = stored_product(problem);
    uint64_t ld = (uint64_t)layout_ld(problem), length = product.n;
    (void)output; /* there is one */
    for (uint64_t done = 0, part; done < count; done += part) {
        uint64_t row = (first + done) / ld, col = (first + done) % ld;
        uint64_t left = (col < length ? length : ld) - col;
        part = count - done < left ? count - done : left;
        if (col >= length) {
            keep(inputs, first + done, part, expected + done, allowed + done);
            continue;
        }
        start_with_bias(problem, inputs, row, col, part, expected + done, allowed + done);
        judge_product_row(inputs, &product, row, col, part, expected + done, allowed + done);
        finish(problem, part, expected + done, allowed + done);
    }
}

struct whole {
    const struct judge_case *problem;
    struct judge_host *host;
    struct judge_inputs inputs;
};

static void truth_rows(void *context, uint64_t first, uint64_t end)
{
    const struct whole *whole = context;
    struct judge_host *y = &whole->host[Y];
    struct judge_inputs inputs = whole->inputs;
    uint64_t ld = (uint64_t)layout_ld(whole->problem), from = first * ld, to = end * ld;
    to = to < y->count ? to : y->count; /* the last row ends without a gap */
    inputs.parts = judge_parts_new();
    layout_truth_at(whole->problem, &inputs, Y, from, to - from, y->expected + from,
                    y->allowed + from);
    judge_parts_free(inputs.parts);
}

void layout_truth(const struct judge_case *problem, struct judge_host *host)
{
    struct whole whole = {.problem = problem, .host = host};
    for (int i = 0; i < BUFFERS; i++)
        whole.inputs.of[i] = (struct judge_input){host[i].input, host[i].count, JUDGE_F32};
    if (host[Y].count > 0)
        judge_rows_side_by_side((uint64_t)layout_rows(problem),
                                (double)layout_row_length(problem) * (double)problem->size[K],
                                truth_rows, &whole);
}
