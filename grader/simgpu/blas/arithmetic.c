/* arithmetic.c - see arithmetic.h: each operation by its definition, in double. */
#include "arithmetic.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* --- Elements --------------------------------------------------------------------------------- */

static double bfloat_load(uint16_t half)
{
    uint32_t bits = (uint32_t)half << 16;
    float value;
    memcpy(&value, &bits, sizeof value);
    return value;
}

static uint16_t bfloat_of(double wide)
{
    float value = (float)wide;
    uint32_t bits;
    memcpy(&bits, &value, sizeof bits);
    if (isnan(value))
        return (uint16_t)(bits >> 16 | 0x40);
    return (uint16_t)((bits + 0x7FFF + (bits >> 16 & 1)) >> 16);
}

double blas_load(const void *from, uint32_t type, uint64_t i)
{
    switch (type) {
    case BLAS_F64: return ((const double *)from)[i];
    case BLAS_F16: return (double)((const _Float16 *)from)[i];
    case BLAS_BF16: return bfloat_load(((const uint16_t *)from)[i]);
    default: return ((const float *)from)[i];
    }
}

void blas_store(void *to, uint32_t type, uint64_t i, double value)
{
    switch (type) {
    case BLAS_F64: ((double *)to)[i] = value; break;
    case BLAS_F16: ((_Float16 *)to)[i] = (_Float16)value; break;
    case BLAS_BF16: ((uint16_t *)to)[i] = bfloat_of(value); break;
    default: ((float *)to)[i] = (float)value; break;
    }
}

/* A vector or a matrix, and the type of its elements. */
struct view {
    void *at;
    uint32_t type;
    int64_t first, step; /* a vector's; elements */
    uint64_t ld;         /* a matrix's */
    bool transpose;
};

static double get(const struct view *vector, uint64_t i)
{
    return blas_load(vector->at, vector->type,
                     (uint64_t)(vector->first + (int64_t)i * vector->step));
}

static void set(const struct view *vector, uint64_t i, double value)
{
    blas_store(vector->at, vector->type, (uint64_t)(vector->first + (int64_t)i * vector->step),
               value);
}

static uint64_t place(const struct view *matrix, uint64_t row, uint64_t column)
{
    return matrix->transpose ? row * matrix->ld + column : column * matrix->ld + row;
}

static double get_at(const struct view *matrix, uint64_t row, uint64_t column)
{
    return blas_load(matrix->at, matrix->type, place(matrix, row, column));
}

static struct view vector_of(const struct blas_operands *operands, void *at,
                             const struct blas_vector *vector, uint64_t count)
{
    bool backwards = vector->step < 0 && count > 0;
    return (struct view){.at = at,
                         .type = operands->call->type,
                         .first = backwards ? -vector->step * (int64_t)(count - 1) : 0,
                         .step = vector->step};
}

static struct view x_of(const struct blas_operands *operands)
{
    return vector_of(operands, operands->x, &operands->call->x, blas_x_count(operands->call));
}

static struct view y_of(const struct blas_operands *operands)
{
    return vector_of(operands, operands->y, &operands->call->y, blas_y_count(operands->call));
}

static struct view matrix_of(const struct blas_operands *operands, void *at,
                             const struct blas_matrix *matrix, uint32_t transposed_by)
{
    return (struct view){.at = at,
                         .type = operands->call->type,
                         .ld = matrix->ld,
                         .transpose = operands->call->flags & transposed_by};
}

/* --- Shapes ----------------------------------------------------------------------------------- */

uint64_t blas_x_count(const struct blas_call *call)
{
    bool transpose = call->flags & BLAS_TRANSPOSE_A;
    switch (call->operation) {
    case BLAS_GEMV: return transpose ? call->m : call->n;
    case BLAS_GER: return call->m;
    case BLAS_DGMM: return call->flags & BLAS_LEFT ? call->m : call->n;
    default: return call->n;
    }
}

uint64_t blas_y_count(const struct blas_call *call)
{
    bool transpose = call->flags & BLAS_TRANSPOSE_A;
    return call->operation == BLAS_GEMV && !transpose ? call->m : call->n;
}

void blas_a_shape(const struct blas_call *call, uint64_t *rows, uint64_t *columns)
{
    bool turned = call->flags & BLAS_TRANSPOSE_A, swaps = call->operation == BLAS_GEAM && turned;
    uint64_t side = call->flags & BLAS_LEFT ? call->m : call->n;
    bool is_square = call->operation == BLAS_TRSM || call->operation == BLAS_SYMM ||
                     call->operation == BLAS_TRMM;
    *rows = is_square ? side : swaps ? call->n : call->m;
    *columns = is_square ? side : swaps ? call->m : call->n;
    if (call->operation == BLAS_SYRKX) {
        *rows = turned ? call->k : call->n;
        *columns = turned ? call->n : call->k;
    }
}

void blas_b_shape(const struct blas_call *call, uint64_t *rows, uint64_t *columns)
{
    bool turned = call->operation == BLAS_GEAM && call->flags & BLAS_TRANSPOSE_B;
    if (call->operation == BLAS_SYRKX) {
        blas_a_shape(call, rows, columns);
        return;
    }
    *rows = turned ? call->n : call->m;
    *columns = turned ? call->m : call->n;
}

/* --- Vectors ---------------------------------------------------------------------------------- */

static void change_vectors(const struct blas_operands *operands)
{
    const struct view x = x_of(operands), y = y_of(operands);
    double alpha = operands->alpha, beta = operands->beta;
    for (uint64_t i = 0; i < operands->call->n; i++) {
        double from = get(&x, i), to = operands->y ? get(&y, i) : 0;
        switch (operands->call->operation) {
        case BLAS_COPY: set(&y, i, from); break;
        case BLAS_SCAL: set(&x, i, alpha * from); break;
        case BLAS_AXPY: set(&y, i, alpha != 0 ? alpha * from + to : to); break;
        case BLAS_SWAP:
            set(&x, i, to);
            set(&y, i, from);
            break;
        default: /* BLAS_ROT */
            set(&x, i, alpha * from + beta * to);
            set(&y, i, alpha * to - beta * from);
            break;
        }
    }
}

/* In long double, so that no square of a double overflows. */
static double summed(const struct blas_operands *operands)
{
    const struct view x = x_of(operands), y = y_of(operands);
    long double sum = 0;
    for (uint64_t i = 0; i < operands->call->n; i++) {
        long double value = get(&x, i);
        switch (operands->call->operation) {
        case BLAS_DOT: sum += value * get(&y, i); break;
        case BLAS_NRM2: sum += value * value; break;
        default: sum += fabsl(value); break; /* BLAS_ASUM */
        }
    }
    return (double)(operands->call->operation == BLAS_NRM2 ? sqrtl(sum) : sum);
}

static uint64_t extreme(const struct blas_operands *operands)
{
    const struct view x = x_of(operands);
    bool largest = operands->call->operation == BLAS_AMAX;
    uint64_t found = 0;
    double best = 0;
    for (uint64_t i = 0; i < operands->call->n; i++) {
        double value = fabs(get(&x, i));
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
    const struct view a = matrix_of(operands, operands->a, &call->a, 0);
    uint64_t count = blas_y_count(call);
    bool transpose = call->flags & BLAS_TRANSPOSE_A;
    double *sums = calloc(count ? count : 1, sizeof *sums);
    if (!sums)
        return false;
    for (uint64_t column = 0; operands->a && column < call->n; column++)
        for (uint64_t row = 0; row < call->m; row++)
            sums[transpose ? column : row] +=
                get_at(&a, row, column) * get(&x, transpose ? row : column);
    for (uint64_t i = 0; i < count; i++) {
        double old = operands->beta != 0 ? operands->beta * get(&y, i) : 0;
        set(&y, i, (operands->a ? operands->alpha * sums[i] : 0) + old);
    }
    free(sums);
    return true;
}

static void ger(const struct blas_operands *operands)
{
    const struct blas_call *call = operands->call;
    const struct view x = x_of(operands), y = y_of(operands);
    const struct view a = matrix_of(operands, operands->a, &call->a, 0);
    for (uint64_t column = 0; operands->alpha != 0 && column < call->n; column++) {
        double factor = operands->alpha * get(&y, column);
        for (uint64_t row = 0; row < call->m; row++)
            blas_store(a.at, a.type, place(&a, row, column),
                       get_at(&a, row, column) + get(&x, row) * factor);
    }
}

/* --- Matrices --------------------------------------------------------------------------------- */

static void geam(const struct blas_operands *operands)
{
    const struct blas_call *call = operands->call;
    const struct view a = matrix_of(operands, operands->a, &call->a, BLAS_TRANSPOSE_A);
    const struct view b = matrix_of(operands, operands->b, &call->b, BLAS_TRANSPOSE_B);
    const struct view c = matrix_of(operands, operands->c, &call->c, 0);
    for (uint64_t column = 0; column < call->n; column++)
        for (uint64_t row = 0; row < call->m; row++) {
            double value = operands->a ? operands->alpha * get_at(&a, row, column) : 0;
            if (operands->b)
                value += operands->beta * get_at(&b, row, column);
            blas_store(c.at, c.type, place(&c, row, column), value);
        }
}

static void dgmm(const struct blas_operands *operands)
{
    const struct blas_call *call = operands->call;
    const struct view x = x_of(operands);
    const struct view a = matrix_of(operands, operands->a, &call->a, 0);
    const struct view c = matrix_of(operands, operands->c, &call->c, 0);
    bool left = call->flags & BLAS_LEFT;
    for (uint64_t column = 0; column < call->n; column++)
        for (uint64_t row = 0; row < call->m; row++)
            blas_store(c.at, c.type, place(&c, row, column),
                       get_at(&a, row, column) * get(&x, left ? row : column));
}

/* Solve T v = v for a triangle T of side n, by substitution; T is lower unless upwards. */
static void substitute(const struct view *t, bool upwards, bool unit, double *v, uint64_t n)
{
    for (uint64_t step = 0; step < n; step++) {
        uint64_t i = upwards ? n - 1 - step : step;
        double sum = v[i];
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
    struct view t = matrix_of(operands, operands->a, &call->a, 0);
    const struct view c = matrix_of(operands, operands->c, &call->c, 0);
    uint64_t side = left ? call->m : call->n, systems = left ? call->n : call->m;
    double *v = malloc((side ? side : 1) * sizeof *v);
    t.transpose = turned == left;
    for (uint64_t system = 0; v && system < systems; system++) {
        for (uint64_t i = 0; i < side; i++) {
            uint64_t at = place(&c, left ? i : system, left ? system : i);
            v[i] = operands->alpha != 0 ? operands->alpha * blas_load(c.at, c.type, at) : 0;
        }
        if (operands->alpha != 0)
            substitute(&t, upper != t.transpose, call->flags & BLAS_UNIT, v, side);
        for (uint64_t i = 0; i < side; i++)
            blas_store(c.at, c.type, place(&c, left ? i : system, left ? system : i), v[i]);
    }
    free(v);
    return v;
}

bool blas_compute(const struct blas_operands *operands)
{
    switch (operands->call->operation) {
    case BLAS_DOT:
    case BLAS_NRM2:
    case BLAS_ASUM:
        blas_store(operands->result, operands->call->type, 0, summed(operands));
        return true;
    case BLAS_AMAX:
    case BLAS_AMIN: write_index(operands, extreme(operands)); return true;
    case BLAS_GEMV: return gemv(operands);
    case BLAS_GER: ger(operands); return true;
    case BLAS_GEAM: geam(operands); return true;
    case BLAS_DGMM: dgmm(operands); return true;
    case BLAS_TRSM: return trsm(operands);
    case BLAS_SYRKX: blas_syrkx(operands); return true;
    case BLAS_SYMM: blas_symm(operands); return true;
    case BLAS_TRMM: return blas_trmm(operands);
    default: change_vectors(operands); return true;
    }
}
