/* product.h - the arithmetic of a matrix product, on ordinary memory: a library of its own, since
 * OpenBLAS takes longer to load than a small program takes to run. The device loads it when the
 * first product is asked for.
 *
 * Inputs are rounded to what the compute type multiplies (TF32, half, bfloat16), products are
 * summed in FP32 by OpenBLAS (in half precision for CUBLAS_COMPUTE_16F), and the epilogue works on
 * the sums before they are rounded to the output's type, as on a device, unless the algorithm's
 * epilogue is a kernel of its own. Doubles (product_double.c), complex numbers (product_complex.c)
 * and bytes (product_integer.c) have no epilogue.
 */
#ifndef BLASLT_PRODUCT_H
#define BLASLT_PRODUCT_H

#include "matmul.h"

struct product {
    const struct matmul_problem *problem; /* checked: algo_check_problem */
    const void *a, *b, *c;                /* of the first of the batch; NULL: a, no product (b
                                             is not read); c, no beta */
    void *d;
    void *bias, *aux; /* NULL when the epilogue has none */
    double alpha, beta, alpha_imaginary, beta_imaginary;
    uint32_t splits, reduction; /* as the algorithm has them */
    bool finished_apart;        /* the epilogue gets what was rounded to D's type */
    unsigned threads;
};

/* False when memory is exhausted. */
bool product_run(const struct product *product);

/* How many threads to use for such a product. */
int product_threads(const struct product *product);
/* The same for matrices of doubles. */
bool product_run_double(const struct product *product);
/* ... of complex numbers. */
bool product_run_complex(const struct product *product);
/* ... of bytes. */
bool product_run_integer(const struct product *product);

typedef bool product_function(const struct product *product);

#endif
