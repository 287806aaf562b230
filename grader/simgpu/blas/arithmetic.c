/* arithmetic.c - see arithmetic.h: each operation by its definition, in double, for the numbers of
 * number.h. */
#include "number.h"

#include <stdlib.h>

/* --- Elements --------------------------------------------------------------------------------- */

static uint64_t place(const struct view *matrix, uint64_t row, uint64_t column)
{
    return matrix->transpose ? row * matrix->ld + column : column * matrix->ld + row;
}

static number get_at(const struct view *matrix, uint64_t row, uint64_t column)
{
    return conjugate(number_load(matrix->at, matrix->type, place(matrix, row, column)),
                     matrix->conjugate);
}

static void set_at(const struct view *matrix, uint64_t row, uint64_t column, number value)
{
    number_store(matrix->at, matrix->type, place(matrix, row, column), value);
}

static struct view matrix_of(const struct blas_operands *operands, void *at,
                             const struct blas_matrix *matrix, uint32_t transposed_by,
                             uint32_t conjugated_by)
{
    return (struct view){.at = at,
                         .type = operands->call->type,
                         .ld = matrix->ld,
                         .transpose = operands->call->flags & transposed_by,
                         .conjugate = operands->call->flags & conjugated_by};
}

/* --- Vectors ---------------------------------------------------------------------------------- */

static void change_vectors(const struct blas_operands *operands)
{
    const struct view x = x_of(operands), y = y_of(operands);
    number alpha = alpha_of(operands), beta = beta_of(operands);
    const double *rotation = operands->call->rotation;
    for (uint64_t i = 0; i < operands->call->n; i++) {
        number from = get(&x, i), to = operands->y ? get(&y, i) : 0;
        switch (operands->call->operation) {
        case BLAS_COPY: set(&y, i, from); break;
        case BLAS_SCAL: set(&x, i, alpha * from); break;
        case BLAS_AXPY: set(&y, i, alpha != 0 ? alpha * from + to : to); break;
        case BLAS_SWAP:
            set(&x, i, to);
            set(&y, i, from);
            break;
        case BLAS_ROTM:
            set(&x, i, rotation[0] * from + rotation[1] * to);
            set(&y, i, rotation[2] * from + rotation[3] * to);
            break;
        default: /* BLAS_ROT */
            set(&x, i, alpha * from + beta * to);
            set(&y, i, alpha * to - conjugate(beta, true) * from);
            break;
        }
    }
}

/* In long double, so that no square of a double overflows. */
static number dot(const struct blas_operands *operands)
{
    const struct view x = x_of(operands), y = y_of(operands);
    wide_number sum = 0;
    for (uint64_t i = 0; i < operands->call->n; i++)
        sum += (wide_number)get(&x, i) * get(&y, i);
    return (number)sum;
}

static double summed(const struct blas_operands *operands)
{
    const struct view x = x_of(operands);
    bool is_norm = operands->call->operation == BLAS_NRM2;
    long double sum = 0;
    for (uint64_t i = 0; i < operands->call->n; i++)
        sum += is_norm ? square_of(get(&x, i)) : (long double)size_of(get(&x, i));
    return (double)(is_norm ? sqrtl(sum) : sum);
}

static uint64_t extreme(const struct blas_operands *operands)
{
    const struct view x = x_of(operands);
    bool largest = operands->call->operation == BLAS_AMAX;
    uint64_t found = 0;
    double best = 0;
    for (uint64_t i = 0; i < operands->call->n; i++) {
        double value = size_of(get(&x, i));
        if (i == 0 || (largest ? value > best : value < best)) {
            best = value;
            found = i + 1;
        }
    }
    return found;
}

static void write_index(const struct blas_operands *operands, uint64_t index)
{
    if (operands->call->flags & BLAS_WIDE_INDEX)
        memcpy(operands->result, &index, sizeof index);
    else
        memcpy(operands->result, &(int32_t){(int32_t)index}, sizeof(int32_t));
}

/* --- A matrix and vectors --------------------------------------------------------------------- */

static bool gemv(const struct blas_operands *operands)
{
    const struct blas_call *call = operands->call;
    const struct view x = x_of(operands), y = y_of(operands);
    const struct view a = matrix_of(operands, operands->a, &call->a, 0, BLAS_CONJUGATE_A);
    uint64_t count = blas_y_count(call);
    number alpha = alpha_of(operands), beta = beta_of(operands);
    bool transpose = call->flags & BLAS_TRANSPOSE_A;
    number *sums = calloc(count ? count : 1, sizeof *sums);
    if (!sums)
        return false;
    for (uint64_t column = 0; operands->a && column < call->n; column++)
        for (uint64_t row = 0; row < call->m; row++)
            sums[transpose ? column : row] +=
                get_at(&a, row, column) * get(&x, transpose ? row : column);
    for (uint64_t i = 0; i < count; i++) {
        number old = beta != 0 ? beta * get(&y, i) : 0;
        set(&y, i, (operands->a ? alpha * sums[i] : 0) + old);
    }
    free(sums);
    return true;
}

static void ger(const struct blas_operands *operands)
{
    const struct blas_call *call = operands->call;
    const struct view x = x_of(operands), y = y_of(operands);
    const struct view a = matrix_of(operands, operands->a, &call->a, 0, BLAS_CONJUGATE_A);
    number alpha = alpha_of(operands);
    for (uint64_t column = 0; alpha != 0 && column < call->n; column++) {
        number factor = alpha * get(&y, column);
        for (uint64_t row = 0; row < call->m; row++)
            set_at(&a, row, column, get_at(&a, row, column) + get(&x, row) * factor);
    }
}

/* --- Matrices --------------------------------------------------------------------------------- */

static void geam(const struct blas_operands *operands)
{
    const struct blas_call *call = operands->call;
    const struct view a =
        matrix_of(operands, operands->a, &call->a, BLAS_TRANSPOSE_A, BLAS_CONJUGATE_A);
    const struct view b =
        matrix_of(operands, operands->b, &call->b, BLAS_TRANSPOSE_B, BLAS_CONJUGATE_B);
    const struct view c = matrix_of(operands, operands->c, &call->c, 0, 0);
    for (uint64_t column = 0; column < call->n; column++)
        for (uint64_t row = 0; row < call->m; row++) {
            number value = operands->a ? alpha_of(operands) * get_at(&a, row, column) : 0;
            if (operands->b)
                value += beta_of(operands) * get_at(&b, row, column);
            set_at(&c, row, column, value);
        }
}

static void dgmm(const struct blas_operands *operands)
{
    const struct blas_call *call = operands->call;
    const struct view x = x_of(operands);
    const struct view a = matrix_of(operands, operands->a, &call->a, 0, BLAS_CONJUGATE_A);
    const struct view c = matrix_of(operands, operands->c, &call->c, 0, 0);
    bool left = call->flags & BLAS_LEFT;
    for (uint64_t column = 0; column < call->n; column++)
        for (uint64_t row = 0; row < call->m; row++)
            set_at(&c, row, column, get_at(&a, row, column) * get(&x, left ? row : column));
}

/* Solve T v = v for a triangle T of side n, by substitution; T is lower unless upwards. */
static void substitute(const struct view *t, bool upwards, bool unit, number *v, uint64_t n)
{
    for (uint64_t step = 0; step < n; step++) {
        uint64_t i = upwards ? n - 1 - step : step;
        number sum = v[i];
        for (uint64_t j = upwards ? i + 1 : 0; j < (upwards ? n : i); j++)
            sum -= get_at(t, i, j) * v[j];
        v[i] = unit ? sum : sum / get_at(t, i, i);
    }
}

/* From the right, this solves the transposed system for each row of C. */
static bool trsm(const struct blas_operands *operands)
{
    const struct blas_call *call = operands->call;
    bool left = call->flags & BLAS_LEFT, turned = call->flags & BLAS_TRANSPOSE_A;
    bool upper = call->flags & BLAS_UPPER;
    struct view t = matrix_of(operands, operands->a, &call->a, 0, BLAS_CONJUGATE_A);
    const struct view c = matrix_of(operands, operands->c, &call->c, 0, 0);
    uint64_t side = left ? call->m : call->n, systems = left ? call->n : call->m;
    number *v = malloc((side ? side : 1) * sizeof *v), alpha = alpha_of(operands);
    t.transpose = turned == left;
    for (uint64_t system = 0; v && system < systems; system++) {
        for (uint64_t i = 0; i < side; i++) {
            number value = get_at(&c, left ? i : system, left ? system : i);
            v[i] = alpha != 0 ? alpha * value : 0;
        }
        if (alpha != 0)
            substitute(&t, upper != t.transpose, call->flags & BLAS_UNIT, v, side);
        for (uint64_t i = 0; i < side; i++)
            set_at(&c, left ? i : system, left ? system : i, v[i]);
    }
    free(v);
    return v;
}

bool FOR_NUMBERS(blas_compute)(const struct blas_operands *operands)
{
    switch (operands->call->operation) {
    case BLAS_DOT:
        number_store(operands->result, operands->call->type, 0, dot(operands));
        return true;
    case BLAS_NRM2:
    case BLAS_ASUM:
        blas_store(operands->result, real_type(operands->call->type), 0, summed(operands));
        return true;
    case BLAS_AMAX:
    case BLAS_AMIN: write_index(operands, extreme(operands)); return true;
    case BLAS_GEMV: return gemv(operands);
    case BLAS_GER: ger(operands); return true;
    case BLAS_GEAM: geam(operands); return true;
    case BLAS_DGMM: dgmm(operands); return true;
    case BLAS_TRSM: return trsm(operands);
    case BLAS_SYRKX: FOR_NUMBERS(blas_syrkx)(operands); return true;
    case BLAS_SYMM: FOR_NUMBERS(blas_symm)(operands); return true;
    case BLAS_TRMM: return FOR_NUMBERS(blas_trmm)(operands);
    case BLAS_STORED_MV: FOR_NUMBERS(blas_stored_mv)(operands); return true;
    case BLAS_STORED_TRMV:
    case BLAS_STORED_TRSV: return FOR_NUMBERS(blas_stored_triangle)(operands);
    case BLAS_PACKED_RANK: FOR_NUMBERS(blas_packed_rank)(operands); return true;
    default: change_vectors(operands); return true;
    }
}
