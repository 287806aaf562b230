/* arithmetic.h - the operations of blas.h on ordinary memory. */
#ifndef BLAS_ARITHMETIC_H
#define BLAS_ARITHMETIC_H

#include "blas.h"

/* Where the operands of a call lie; NULL for what it does not use, or need not read (a matrix whose
 * factor is 0). */
struct blas_operands {
    const struct blas_call *call;
    void *x, *y, *a, *b, *c, *result;
    double alpha, beta;
};

/* Elements of the vectors x and y. */
uint64_t blas_x_count(const struct blas_call *call);
uint64_t blas_y_count(const struct blas_call *call);
/* Rows and columns of the matrices A and B as they are stored. */
void blas_a_shape(const struct blas_call *call, uint64_t *rows, uint64_t *columns);
void blas_b_shape(const struct blas_call *call, uint64_t *rows, uint64_t *columns);

double blas_load(const void *from, uint32_t type, uint64_t i);
/* Rounds once. */
void blas_store(void *to, uint32_t type, uint64_t i, double value);

/* arithmetic_triangle.c: products with a symmetric or triangular matrix. */
void blas_syrkx(const struct blas_operands *operands);
void blas_symm(const struct blas_operands *operands);
/* False when memory is exhausted. */
bool blas_trmm(const struct blas_operands *operands);

/* False when memory is exhausted. */
bool blas_compute(const struct blas_operands *operands);

#endif
