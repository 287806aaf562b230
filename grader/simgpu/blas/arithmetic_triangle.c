/* arithmetic_triangle.c - see arithmetic.h: products in which one matrix is symmetric or a
 * triangle, so that only half of it is stored, or wanted. */
#include "number.h"

#include <stdlib.h>

/* An element of a matrix as it is stored. */
static number stored(const void *at, const struct blas_call *call, const struct blas_matrix *matrix,
                     uint64_t row, uint64_t column)
{
    return number_load(at, call->type, column * matrix->ld + row);
}

static void store(const struct blas_operands *operands, uint64_t row, uint64_t column, number value)
{
    const struct blas_call *call = operands->call;
    uint64_t at = column * call->c.ld + row;
    number beta = beta_of(operands);
    number old = beta != 0 ? beta * number_load(operands->c, call->type, at) : 0;
    bool is_real = row == column && call->operation == BLAS_SYRKX && call->flags & BLAS_HERMITIAN;
    number_store(operands->c, call->type, at, without_imaginary(value + old, is_real));
}

void FOR_NUMBERS(blas_syrkx)(const struct blas_operands *operands)
{
    const struct blas_call *call = operands->call;
    bool turned = call->flags & BLAS_TRANSPOSE_A, upper = call->flags & BLAS_UPPER;
    bool product = operands->a && operands->b;
    for (uint64_t column = 0; column < call->n; column++)
        for (uint64_t row = upper ? 0 : column; row < (upper ? column + 1 : call->n); row++) {
            number sum = 0;
            for (uint64_t k = 0; product && k < call->k; k++) {
                number a = stored(operands->a, call, &call->a, turned ? k : row, turned ? row : k);
                number b =
                    stored(operands->b, call, &call->b, turned ? k : column, turned ? column : k);
                sum += conjugate(a, call->flags & BLAS_CONJUGATE_A) *
                       conjugate(b, call->flags & BLAS_CONJUGATE_B);
            }
            store(operands, row, column, product ? alpha_of(operands) * sum : 0);
        }
}

/* Element (i, k) of a symmetric or Hermitian A, of which one triangle is stored. */
static number mirrored(const struct blas_operands *operands, uint64_t i, uint64_t k)
{
    const struct blas_call *call = operands->call;
    bool hermitian = call->flags & BLAS_HERMITIAN;
    bool is_stored = call->flags & BLAS_UPPER ? i <= k : i >= k;
    number value = stored(operands->a, call, &call->a, is_stored ? i : k, is_stored ? k : i);
    value = conjugate(value, (hermitian && !is_stored) != !!(call->flags & BLAS_CONJUGATE_A));
    return without_imaginary(value, hermitian && i == k);
}

void FOR_NUMBERS(blas_symm)(const struct blas_operands *operands)
{
    const struct blas_call *call = operands->call;
    bool left = call->flags & BLAS_LEFT, product = operands->a && operands->b;
    uint64_t side = left ? call->m : call->n;
    for (uint64_t column = 0; column < call->n; column++)
        for (uint64_t row = 0; row < call->m; row++) {
            number sum = 0;
            for (uint64_t k = 0; product && k < side; k++)
                sum += mirrored(operands, left ? row : k, left ? k : column) *
                       stored(operands->b, call, &call->b, left ? k : row, left ? column : k);
            store(operands, row, column, product ? alpha_of(operands) * sum : 0);
        }
}

/* Element (i, j) of op(A) for a triangle A. */
static number of_triangle(const struct blas_operands *operands, uint64_t i, uint64_t j)
{
    const struct blas_call *call = operands->call;
    bool turned = call->flags & BLAS_TRANSPOSE_A;
    uint64_t row = turned ? j : i, column = turned ? i : j;
    if (row == column && call->flags & BLAS_UNIT)
        return 1;
    if (call->flags & BLAS_UPPER ? row > column : row < column)
        return 0;
    return conjugate(stored(operands->a, call, &call->a, row, column),
                     call->flags & BLAS_CONJUGATE_A);
}

/* C may be B, so a line of B is read before the same line of C is written. */
bool FOR_NUMBERS(blas_trmm)(const struct blas_operands *operands)
{
    const struct blas_call *call = operands->call;
    bool left = call->flags & BLAS_LEFT, product = operands->a && operands->b;
    uint64_t side = left ? call->m : call->n, lines = left ? call->n : call->m;
    number *line = malloc((side ? side : 1) * sizeof *line);
    for (uint64_t l = 0; line && l < lines; l++) {
        for (uint64_t i = 0; i < side; i++)
            line[i] = product ? stored(operands->b, call, &call->b, left ? i : l, left ? l : i) : 0;
        for (uint64_t i = 0; i < side; i++) {
            number sum = 0;
            for (uint64_t k = 0; product && k < side; k++) {
                number factor = of_triangle(operands, left ? i : k, left ? k : i);
                sum += factor != 0 ? line[k] * factor : 0; /* half of them are not there */
            }
            number_store(operands->c, call->type, (left ? l : i) * call->c.ld + (left ? i : l),
                         product ? alpha_of(operands) * sum : 0);
        }
    }
    free(line);
    return line;
}
