/* product_complex.c - see product.h: matrices of complex numbers, used where they lie, with no
 * epilogue. A number is its real part and its imaginary part, of one type. */
#include "product.h"

#include <cblas.h>
#include <stdlib.h>

/* One matrix of the batch, each where it begins. */
struct piece {
    const char *a, *b, *c;
    char *d;
};

/* A matrix of rows is the transpose of one of columns. */
static CBLAS_TRANSPOSE operation(const struct matmul_matrix *matrix, uint32_t transpose)
{
    if (matrix->row_major)
        return transpose == MATMUL_CONJUGATE ? CblasConjNoTrans
               : transpose                   ? CblasNoTrans
                                             : CblasTrans;
    return transpose == MATMUL_CONJUGATE ? CblasConjTrans : transpose ? CblasTrans : CblasNoTrans;
}

static void multiply(const struct product *product, const struct piece *piece, void *sums)
{
    static const double ONE[2] = {1, 0}, ZERO[2] = {0, 0};
    static const float SHORT_ONE[2] = {1, 0}, SHORT_ZERO[2] = {0, 0};
    const struct matmul_problem *problem = product->problem;
    blasint m = (blasint)matmul_m(problem), n = (blasint)matmul_n(problem);
    blasint k = (blasint)matmul_k(problem);
    CBLAS_TRANSPOSE op_a = operation(&problem->a, problem->transpose_a);
    CBLAS_TRANSPOSE op_b = operation(&problem->b, problem->transpose_b);
    if (problem->d.type == MATMUL_C64)
        cblas_zgemm(CblasColMajor, op_a, op_b, m, n, k, ONE, piece->a, (blasint)problem->a.ld,
                    piece->b, (blasint)problem->b.ld, ZERO, sums, m);
    else
        cblas_cgemm(CblasColMajor, op_a, op_b, m, n, k, SHORT_ONE, piece->a, (blasint)problem->a.ld,
                    piece->b, (blasint)problem->b.ld, SHORT_ZERO, sums, m);
}

struct number {
    double real, imaginary;
};

static struct number load(const void *from, uint32_t type, uint64_t i)
{
    if (type == MATMUL_C64)
        return ((const struct number *)from)[i];
    const float *pair = (const float *)from + 2 * i;
    return (struct number){pair[0], pair[1]};
}

static void store(void *to, uint32_t type, uint64_t i, struct number value)
{
    if (type == MATMUL_C64) {
        ((struct number *)to)[i] = value;
        return;
    }
    ((float *)to)[2 * i] = (float)value.real;
    ((float *)to)[2 * i + 1] = (float)value.imaginary;
}

/* sum + x y */
static struct number add_product(struct number sum, struct number x, struct number y)
{
    return (struct number){sum.real + x.real * y.real - x.imaginary * y.imaginary,
                           sum.imaginary + x.real * y.imaginary + x.imaginary * y.real};
}

static void finish(const struct product *product, const struct piece *piece, const void *sums)
{
    const struct matmul_problem *problem = product->problem;
    struct number alpha = {product->alpha, product->alpha_imaginary};
    struct number beta = {product->beta, product->beta_imaginary};
    uint64_t m = matmul_m(problem), n = matmul_n(problem);
    uint32_t type = problem->d.type;
    for (uint64_t column = 0; column < n; column++)
        for (uint64_t row = 0; row < m; row++) {
            struct number value = {0};
            if (product->a)
                value = add_product(value, alpha, load(sums, type, column * m + row));
            if (piece->c && (beta.real != 0 || beta.imaginary != 0))
                value = add_product(value, beta,
                                    load(piece->c, type, matmul_place(&problem->c, row, column)));
            store(piece->d, type, matmul_place(&problem->d, row, column), value);
        }
}

bool product_run_complex(const struct product *product)
{
    const struct matmul_problem *problem = product->problem;
    void *sums = malloc(matmul_m(problem) * matmul_n(problem) * sizeof(struct number));
    openblas_set_num_threads(product_threads(product));
    for (uint32_t batch = 0; sums && batch < problem->batch_count; batch++) {
        const struct piece piece = {.a = matmul_of_batch(product->a, &problem->a, batch),
                                    .b = matmul_of_batch(product->b, &problem->b, batch),
                                    .c = matmul_of_batch(product->c, &problem->c, batch),
                                    .d = (char *)matmul_of_batch(product->d, &problem->d, batch)};
        if (product->a)
            multiply(product, &piece, sums);
        finish(product, &piece, sums);
    }
    free(sums);
    return sums;
}
