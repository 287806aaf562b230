/* product_double.c - see product.h: matrices of doubles, used where they lie, with no epilogue. */
#include "product.h"

#include <cblas.h>
#include <stdlib.h>

/* One matrix of the batch, each where it begins. */
struct piece {
    const double *a, *b, *c;
    double *d;
};

/* A matrix of rows is the transpose of one of columns. */
static CBLAS_TRANSPOSE operation(const struct matmul_matrix *matrix, uint32_t transpose)
{
    return (transpose != 0) != (matrix->row_major != 0) ? CblasTrans : CblasNoTrans;
}

static void finish(const struct product *product, const struct piece *piece, const double *sums)
{
    const struct matmul_problem *problem = product->problem;
    uint64_t m = matmul_m(problem), n = matmul_n(problem);
    for (uint64_t column = 0; column < n; column++)
        for (uint64_t row = 0; row < m; row++) {
            double value = product->a ? product->alpha * sums[column * m + row] : 0;
            if (piece->c && product->beta != 0)
                value += product->beta * piece->c[matmul_place(&problem->c, row, column)];
            piece->d[matmul_place(&problem->d, row, column)] = value;
        }
}

static void run_one(const struct product *product, const struct piece *piece, double *sums)
{
    const struct matmul_problem *problem = product->problem;
    blasint m = (blasint)matmul_m(problem), n = (blasint)matmul_n(problem);
    if (product->a)
        cblas_dgemm(CblasColMajor, operation(&problem->a, problem->transpose_a),
                    operation(&problem->b, problem->transpose_b), m, n, (blasint)matmul_k(problem),
                    1, piece->a, (blasint)problem->a.ld, piece->b, (blasint)problem->b.ld, 0, sums,
                    m);
    finish(product, piece, sums);
}

bool product_run_double(const struct product *product)
{
    const struct matmul_problem *problem = product->problem;
    double *sums = malloc(matmul_m(problem) * matmul_n(problem) * sizeof *sums);
    openblas_set_num_threads(product_threads(product));
    for (uint32_t batch = 0; sums && batch < problem->batch_count; batch++) {
        const struct piece piece = {.a = matmul_of_batch(product->a, &problem->a, batch),
                                    .b = matmul_of_batch(product->b, &problem->b, batch),
                                    .c = matmul_of_batch(product->c, &problem->c, batch),
                                    .d = (double *)matmul_of_batch(product->d, &problem->d, batch)};
        run_one(product, &piece, sums);
    }
    free(sums);
    return sums;
}
