/* arithmetic.h - the operations of blas.h on ordinary memory. */
#ifndef BLAS_ARITHMETIC_H
#define BLAS_ARITHMETIC_H

#include "blas.h"

#include <math.h>
#include <string.h>

struct blas_factor {
    double real, imaginary;
};

/* Where the operands of a call lie; NULL for what it does not use, or need not read (a matrix whose
 * factor is 0). */
struct blas_operands {
    const struct blas_call *call;
    void *x, *y, *a, *b, *c, *result;
    struct blas_factor alpha, beta;
};

/* --- Shapes: shapes.c ------------------------------------------------------------------------- */

/* Elements of the vectors x and y. */
uint64_t blas_x_count(const struct blas_call *call);
uint64_t blas_y_count(const struct blas_call *call);
/* Rows and columns of the matrices A and B as they are stored. */
void blas_a_shape(const struct blas_call *call, uint64_t *rows, uint64_t *columns);
void blas_b_shape(const struct blas_call *call, uint64_t *rows, uint64_t *columns);

/* --- Operands: sound.c ------------------------------------------------------------------------ */

enum blas_use {
    BLAS_UNUSED,
    BLAS_READ,
    BLAS_READ_SCALED, /* not when its factor is 0 */
    BLAS_WRITTEN
};

/* How an operation uses its operands. */
struct blas_operands_used {
    const char *name;
    enum blas_use x, y, a, b, c;
    bool has_result;
};
extern const struct blas_operands_used BLAS_OPERANDS[BLAS_OPERATIONS];

/* Can this be computed, if its operands are in memory? Anything may be in call. */
bool blas_is_sound(const struct blas_call *call);

/* --- Real elements; here, so that loops over them are short ----------------------------------- */

static inline double blas_load_bfloat(uint16_t half)
{
    uint32_t bits = (uint32_t)half << 16;
    float value;
    memcpy(&value, &bits, sizeof value);
    return value;
}

static inline uint16_t blas_bfloat_of(double wide)
{
    float value = (float)wide;
    uint32_t bits;
    memcpy(&bits, &value, sizeof bits);
    if (isnan(value))
        return (uint16_t)(bits >> 16 | 0x40);
    return (uint16_t)((bits + 0x7FFF + (bits >> 16 & 1)) >> 16);
}

static inline double blas_load(const void *from, uint32_t type, uint64_t i)
{
    switch (type) {
    case BLAS_F64: return ((const double *)from)[i];
    case BLAS_F16: return (double)((const _Float16 *)from)[i];
    case BLAS_BF16: return blas_load_bfloat(((const uint16_t *)from)[i]);
    default: return ((const float *)from)[i];
    }
}

/* Rounds once. */
static inline void blas_store(void *to, uint32_t type, uint64_t i, double value)
{
    switch (type) {
    case BLAS_F64: ((double *)to)[i] = value; break;
    case BLAS_F16: ((_Float16 *)to)[i] = (_Float16)value; break;
    case BLAS_BF16: ((uint16_t *)to)[i] = blas_bfloat_of(value); break;
    default: ((float *)to)[i] = (float)value; break;
    }
}

/* --- The operations --------------------------------------------------------------------------- */

/* False when memory is exhausted. */
bool blas_compute(const struct blas_operands *operands);
/* The same for a type that is complex. */
bool blas_compute_complex(const struct blas_operands *operands);

#endif
