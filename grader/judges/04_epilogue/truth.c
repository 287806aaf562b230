/* truth.c - lesson 4: what Z and Y must be, and how far off they may be: see judge.c. */
#include "judges/04_epilogue/parts.h"
#include "judges/04_epilogue/problem.h"

#include <float.h>
#include <math.h>
#include <string.h>

bool epilogue_is_curved(enum quest_activation activation)
{
    return activation != QUEST_ACT_NONE && activation != QUEST_ACT_RELU &&
           activation != QUEST_ACT_LEAKY_RELU;
}

double epilogue_activate(double z, enum quest_activation activation, double slope)
{
    switch (activation) {
    case QUEST_ACT_NONE: break;
    case QUEST_ACT_RELU: return z < 0 ? 0 : z;
    case QUEST_ACT_LEAKY_RELU: return z > 0 ? z : slope * z;
    case QUEST_ACT_SIGMOID: return 1 / (1 + exp(-z));
    case QUEST_ACT_TANH: return tanh(z);
    case QUEST_ACT_GELU_ERF: return z / 2 * (1 + erf(z * M_SQRT1_2));
    case QUEST_ACT_GELU_TANH:
        return z / 2 * (1 + tanh(M_2_SQRTPI * M_SQRT1_2 * (z + 0.044715 * z * z * z)));
    }
    return z;
}

/* By how much an activation can enlarge an error of z. A z that is surely above 0 has no slope. */
static double steepest(const struct judge_case *problem, double z, double allowed)
{
    switch ((enum quest_activation)problem->size[ACTIVATION]) {
    case QUEST_ACT_SIGMOID: return 0.25;
    case QUEST_ACT_LEAKY_RELU:
        return z > allowed || allowed == 0 ? 1 : fmax(1, fabs(problem->real[SLOPE]));
    case QUEST_ACT_GELU_ERF:
    case QUEST_ACT_GELU_TANH: return 1.13;
    default: return 1;
    }
}

static double as_float(double value)
{
    return fabs(value) > FLT_MAX ? copysign(INFINITY, value) : value;
}

/* Are the sums exact? Sums of integers and of sixteenths are, in any order. */
static bool is_exact(const struct judge_case *problem)
{
    return problem->data == JUDGE_DATA_INTEGERS || problem->data == JUDGE_DATA_SIXTEENTHS;
}

/* Turn sums, and sums of absolute values, into Z and how far it may be off. */
static void finish_z(const struct judge_case *problem, int64_t count, double *z, double *allowed)
{
    double terms = (double)problem->size[K] + (problem->size[WITH_BIAS] ? 1 : 0);
    for (int64_t i = 0; i < count; i++) {
        z[i] = as_float(z[i]);
        allowed[i] = is_exact(problem) ? 0
                                       : judge_sum_allowed(problem, z[i], allowed[i], terms) +
                                             4 * JUDGE_SMALLEST_FLOAT * terms;
    }
}

/* A row of Z, and how far its elements may be off. */
static void truth_row(const struct judge_case *problem, struct judge_host *host, int64_t row,
                      double *z, double *allowed)
{
    const float *a = (const float *)host[A].input + row * problem->size[K], *b = host[B].input;
    const float *bias = host[BIAS].input;
    int64_t n = problem->size[N], k = problem->size[K];
    for (int64_t col = 0; col < n; col++) {
        z[col] = bias ? bias[col] : 0;
        allowed[col] = fabs(z[col]);
    }
    for (int64_t i = 0; i < k; i++)
        for (int64_t col = 0; col < n; col++) {
            double product = (double)a[i] * b[i * n + col];
            z[col] += product;
            allowed[col] += fabs(product);
        }
    finish_z(problem, n, z, allowed);
}

/* Turn Z, and how far it may be off, into Y. */
static void activate_all(const struct judge_case *problem, int64_t count, double *y,
                         double *allowed)
{
    enum quest_activation activation = (enum quest_activation)problem->size[ACTIVATION];
    float slope = (float)problem->real[SLOPE];
    for (int64_t i = 0; i < count; i++) {
        double z = y[i], steep = steepest(problem, z, allowed[i]);
        y[i] = as_float(epilogue_activate(z, activation, slope));
        allowed[i] =
            steep * allowed[i] +
            judge_elementwise_allowed(y[i], epilogue_is_curved(activation) ? fmax(1, fabs(z)) : 0);
    }
}

struct whole {
    const struct judge_case *problem;
    struct judge_host *host;
};

static void truth_rows(void *context, uint64_t first, uint64_t end)
{
    const struct judge_case *problem = ((const struct whole *)context)->problem;
    struct judge_host *host = ((const struct whole *)context)->host;
    int64_t n = problem->size[N];
    for (int64_t row = (int64_t)first; row < (int64_t)end; row++) {
        double *y = host[Y].expected + row * n, *y_allowed = host[Y].allowed + row * n;
        truth_row(problem, host, row, y, y_allowed);
        if (problem->size[SAVE_Z]) {
            memcpy(host[Z].expected + row * n, y, (size_t)n * sizeof *y);
            memcpy(host[Z].allowed + row * n, y_allowed, (size_t)n * sizeof *y);
        }
        activate_all(problem, n, y, y_allowed);
    }
}

void epilogue_truth(const struct judge_case *problem, struct judge_host *host)
{
    struct whole whole = {problem, host};
    judge_rows_side_by_side((uint64_t)problem->size[M],
                            (double)problem->size[N] * (double)problem->size[K], truth_rows,
                            &whole);
}

void epilogue_truth_at(const struct judge_case *problem, const struct judge_inputs *inputs,
                       size_t output, uint64_t first, uint64_t count, double *expected,
                       double *allowed)
{
    const struct judge_product product = {A, B, (uint64_t)problem->size[N],
                                          (uint64_t)problem->size[K]};
    for (uint64_t done = 0, part; done < count; done += part) {
        uint64_t row = (first + done) / product.n, col = (first + done) % product.n;
        double *z = expected + done, *z_allowed = allowed + done;
        part = count - done < product.n - col ? count - done : product.n - col;
        for (uint64_t i = 0; i < part; i++) {
            float bias = 0;
            if (problem->size[WITH_BIAS])
                judge_input(inputs, BIAS, col + i, 1, &bias);
            z[i] = bias;
            z_allowed[i] = fabs(z[i]);
        }
        judge_product_row(inputs, &product, row, col, part, z, z_allowed);
        finish_z(problem, (int64_t)part, z, z_allowed);
    }
    if (output == Y)
        activate_all(problem, (int64_t)count, expected, allowed);
}
