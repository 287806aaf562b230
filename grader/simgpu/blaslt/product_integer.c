/* product_integer.c - see product.h: matrices of bytes, whose products are summed exactly, which
 * doubles can do, and end as 32-bit integers, which wrap around, or as floats. */
#include "product.h"

#include <cblas.h>
#include <stdlib.h>

/* One matrix of the batch, each where it begins. */
struct piece {
    const int8_t *a, *b;
    const void *c;
    void *d;
};

/* Its lines without gaps; NULL when memory is exhausted. */
static double *widened(const struct matmul_matrix *matrix, const int8_t *from)
{
    uint64_t line = matmul_line(matrix), lines = matmul_lines(matrix);
    double *wide = malloc(line * lines * sizeof *wide);
    for (uint64_t y = 0; wide && y < lines; y++)
        for (uint64_t x = 0; x < line; x++)
            wide[y * line + x] = from[y * (uint64_t)matrix->ld + x];
    return wide;
}

/* A matrix of rows is the transpose of one of columns. */
static CBLAS_TRANSPOSE operation(const struct matmul_matrix *matrix, uint32_t transpose)
{
    return (transpose != 0) != (matrix->row_major != 0) ? CblasTrans : CblasNoTrans;
}

static bool multiply(const struct matmul_problem *problem, const struct piece *piece, double *sums)
{
    double *a = widened(&problem->a, piece->a), *b = widened(&problem->b, piece->b);
    if (a && b)
        cblas_dgemm(CblasColMajor, operation(&problem->a, problem->transpose_a),
                    operation(&problem->b, problem->transpose_b), (blasint)matmul_m(problem),
                    (blasint)matmul_n(problem), (blasint)matmul_k(problem), 1, a,
                    (blasint)matmul_line(&problem->a), b, (blasint)matmul_line(&problem->b), 0,
                    sums, (blasint)matmul_m(problem));
    free(a);
    free(b);
    return a && b;
}

static void finish_integer(const struct product *product, const struct piece *piece, double sum,
                           uint64_t c, uint64_t d)
{
    uint32_t value = (uint32_t)(int32_t)product->alpha * (uint32_t)(int64_t)sum;
    if (piece->c && product->beta != 0)
        value += (uint32_t)(int32_t)product->beta * ((const uint32_t *)piece->c)[c];
    ((uint32_t *)piece->d)[d] = value;
}

static void finish_float(const struct product *product, const struct piece *piece, double sum,
                         uint64_t c, uint64_t d)
{
    float value = (float)product->alpha * (float)sum;
    if (piece->c && product->beta != 0)
        value += (float)product->beta * ((const float *)piece->c)[c];
    ((float *)piece->d)[d] = value;
}

static void finish(const struct product *product, const struct piece *piece, const double *sums)
{
    const struct matmul_problem *problem = product->problem;
    uint64_t m = matmul_m(problem), n = matmul_n(problem);
    for (uint64_t column = 0; column < n; column++)
        for (uint64_t row = 0; row < m; row++) {
            double sum = product->a ? sums[column * m + row] : 0;
            uint64_t c = matmul_place(&problem->c, row, column),
                     d = matmul_place(&problem->d, row, column);
            if (problem->d.type == MATMUL_I32)
                finish_integer(product, piece, sum, c, d);
            else
                finish_float(product, piece, sum, c, d);
        }
}

bool product_run_integer(const struct product *product)
{
    const struct matmul_problem *problem = product->problem;
    double *sums = malloc(matmul_m(problem) * matmul_n(problem) * sizeof *sums);
    bool done = sums;
    openblas_set_num_threads(product_threads(product));
    for (uint32_t batch = 0; done && batch < problem->batch_count; batch++) {
        const struct piece piece = {.a = matmul_of_batch(product->a, &problem->a, batch),
                                    .b = matmul_of_batch(product->b, &problem->b, batch),
                                    .c = matmul_of_batch(product->c, &problem->c, batch),
                                    .d = (void *)matmul_of_batch(product->d, &problem->d, batch)};
        done = !product->a || multiply(problem, &piece, sums);
        if (done)
            finish(product, &piece, sums);
    }
    free(sums);
    return done;
}
