/* arithmetic_stored.c - see arithmetic.h: a matrix of which only a band is stored, or a triangle
 * without gaps, with vectors. */
#include "number.h"

#include <stdlib.h>

/* Where element (i, j) is stored, if it is. */
static bool find(const struct blas_call *call, uint64_t i, uint64_t j, uint64_t *at)
{
    bool upper = call->flags & BLAS_UPPER;
    if (!(call->flags & BLAS_PACKED)) {
        *at = j * call->a.ld + call->above + i - j;
        return i <= j + call->k && j <= i + call->above;
    }
    *at = upper ? j * (j + 1) / 2 + i : j * (2 * call->n - j - 1) / 2 + i;
    return upper ? i <= j : i >= j;
}

static number element(const struct blas_operands *operands, uint64_t i, uint64_t j)
{
    const struct blas_call *call = operands->call;
    bool hermitian = call->flags & BLAS_HERMITIAN, mirrored = false;
    uint64_t at;
    if (i == j && call->flags & BLAS_UNIT)
        return 1;
    if (!find(call, i, j, &at)) {
        mirrored = call->flags & BLAS_MIRRORED && find(call, j, i, &at);
        if (!mirrored)
            return 0;
    }
    number value = number_load(operands->a, call->type, at);
    value = conjugate(value, (hermitian && mirrored) != !!(call->flags & BLAS_CONJUGATE_A));
    return without_imaginary(value, hermitian && i == j);
}

/* Element (i, j) of op(A). */
static number of_operation(const struct blas_operands *operands, uint64_t i, uint64_t j)
{
    bool turned = operands->call->flags & BLAS_TRANSPOSE_A;
    return element(operands, turned ? j : i, turned ? i : j);
}

/* The columns of op(A) in which row i may have elements: from first up to end. */
static void row_of_band(const struct blas_call *call, uint64_t i, uint64_t columns, uint64_t *first,
                        uint64_t *end)
{
    uint64_t reach = call->k > call->above ? call->k : call->above;
    if (call->flags & BLAS_PACKED)
        reach = columns;
    *first = i > reach ? i - reach : 0;
    *end = i + reach + 1 < columns ? i + reach + 1 : columns;
}

void FOR_NUMBERS(blas_stored_mv)(const struct blas_operands *operands)
{
    const struct blas_call *call = operands->call;
    const struct view x = x_of(operands), y = y_of(operands);
    number alpha = alpha_of(operands), beta = beta_of(operands);
    uint64_t first, end;
    for (uint64_t i = 0; i < blas_y_count(call); i++) {
        number sum = 0, old = beta != 0 ? beta * get(&y, i) : 0;
        row_of_band(call, i, blas_x_count(call), &first, &end);
        for (uint64_t j = first; operands->a && j < end; j++)
            sum += of_operation(operands, i, j) * get(&x, j);
        set(&y, i, (operands->a ? alpha * sum : 0) + old);
    }
}

/* x = op(A) x, or the solution of op(A) x = x. Rows are taken in the order in which a system is
 * solved, or in the other one: then no element of x is overwritten that is still needed. */
bool FOR_NUMBERS(blas_stored_triangle)(const struct blas_operands *operands)
{
    const struct blas_call *call = operands->call;
    const struct view x = x_of(operands);
    bool upper = !(call->flags & BLAS_UPPER) != !(call->flags & BLAS_TRANSPOSE_A);
    bool solve = call->operation == BLAS_STORED_TRSV, downwards = upper != solve;
    uint64_t first, end, n = call->n;
    number *v = malloc(n * sizeof *v);
    for (uint64_t i = 0; v && i < n; i++)
        v[i] = get(&x, i);
    for (uint64_t step = 0; v && step < n; step++) {
        uint64_t i = downwards ? step : n - 1 - step;
        number diagonal = of_operation(operands, i, i), sum = 0;
        row_of_band(call, i, n, &first, &end);
        for (uint64_t j = first; j < end; j++)
            sum += j != i ? of_operation(operands, i, j) * v[j] : 0;
        v[i] = solve ? (v[i] - sum) / diagonal : sum + diagonal * v[i];
    }
    for (uint64_t i = 0; v && i < n; i++)
        set(&x, i, v[i]);
    free(v);
    return v;
}

/* A triangle of A = alpha x y' + A; of a Hermitian A, y is conjugated, and the diagonal real. */
void FOR_NUMBERS(blas_packed_rank)(const struct blas_operands *operands)
{
    const struct blas_call *call = operands->call;
    const struct view x = x_of(operands), y = y_of(operands);
    number alpha = alpha_of(operands);
    uint64_t at;
    for (uint64_t j = 0; j < call->n; j++)
        for (uint64_t i = 0; i < call->n; i++)
            if (find(call, i, j, &at)) {
                number value = number_load(operands->a, call->type, at);
                value += alpha * get(&x, i) * get(&y, j);
                number_store(operands->a, call->type, at,
                             without_imaginary(value, i == j && call->flags & BLAS_HERMITIAN));
            }
}
