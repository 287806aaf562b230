/* number.h - what arithmetic.c and arithmetic_triangle.c compute with. They are compiled twice: for
 * real numbers, and by arithmetic_complex.c, which defines BLAS_COMPLEX, for complex ones. Both are
 * in double, and rounded when they are stored. */
#ifndef BLAS_NUMBER_H
#define BLAS_NUMBER_H

#include "arithmetic.h"

#include <complex.h>
#include <math.h>

#ifdef BLAS_COMPLEX

typedef double complex number;
typedef long double complex wide_number;
#define FOR_NUMBERS(name) name##_complex

static inline number number_load(const void *from, uint32_t type, uint64_t i)
{
    return type == BLAS_C64 ? ((const double complex *)from)[i]
                            : (double complex)((const float complex *)from)[i];
}

static inline void number_store(void *to, uint32_t type, uint64_t i, number value)
{
    if (type == BLAS_C64)
        ((double complex *)to)[i] = value;
    else
        ((float complex *)to)[i] = (float complex)value;
}

static inline number conjugate(number value, bool is_wanted)
{
    return is_wanted ? conj(value) : value;
}

/* What stands on a Hermitian matrix's diagonal. */
static inline number without_imaginary(number value, bool is_wanted)
{
    return is_wanted ? creal(value) : value;
}

static inline long double square_of(number value)
{
    long double real = creal(value), imaginary = cimag(value);
    return real * real + imaginary * imaginary;
}

/* BLAS's absolute value, which needs no root. */
static inline double size_of(number value)
{
    return fabs(creal(value)) + fabs(cimag(value));
}

static inline uint32_t real_type(uint32_t type)
{
    return type == BLAS_C64 ? BLAS_F64 : BLAS_F32;
}

static inline number alpha_of(const struct blas_operands *operands)
{
    bool turned = operands->call->flags & BLAS_CONJUGATE_ALPHA;
    return CMPLX(operands->alpha.real,
                 turned ? -operands->alpha.imaginary : operands->alpha.imaginary);
}

static inline number beta_of(const struct blas_operands *operands)
{
    return CMPLX(operands->beta.real, operands->beta.imaginary);
}

#else

typedef double number;
typedef long double wide_number;
#define FOR_NUMBERS(name) name

static inline number number_load(const void *from, uint32_t type, uint64_t i)
{
    return blas_load(from, type, i);
}

static inline void number_store(void *to, uint32_t type, uint64_t i, number value)
{
    blas_store(to, type, i, value);
}

static inline number conjugate(number value, bool is_wanted)
{
    (void)is_wanted;
    return value;
}

static inline number without_imaginary(number value, bool is_wanted)
{
    (void)is_wanted;
    return value;
}

static inline long double square_of(number value)
{
    return (long double)value * value;
}

static inline double size_of(number value)
{
    return fabs(value);
}

static inline uint32_t real_type(uint32_t type)
{
    return type;
}

static inline number alpha_of(const struct blas_operands *operands)
{
    return operands->alpha.real;
}

static inline number beta_of(const struct blas_operands *operands)
{
    return operands->beta.real;
}

#endif

/* A vector or a matrix, and the type of its elements. */
struct view {
    void *at;
    uint32_t type;
    int64_t first, step; /* a vector's; elements */
    uint64_t ld;         /* a matrix's */
    bool transpose, conjugate;
};

static inline number get(const struct view *vector, uint64_t i)
{
    uint64_t at = (uint64_t)(vector->first + (int64_t)i * vector->step);
    return conjugate(number_load(vector->at, vector->type, at), vector->conjugate);
}

static inline void set(const struct view *vector, uint64_t i, number value)
{
    number_store(vector->at, vector->type, (uint64_t)(vector->first + (int64_t)i * vector->step),
                 value);
}

static inline struct view vector_of(const struct blas_operands *operands, void *at,
                                    const struct blas_vector *vector, uint64_t count,
                                    uint32_t conjugated_by)
{
    bool backwards = vector->step < 0 && count > 0;
    return (struct view){.at = at,
                         .type = operands->call->type,
                         .first = backwards ? -vector->step * (int64_t)(count - 1) : 0,
                         .step = vector->step,
                         .conjugate = operands->call->flags & conjugated_by};
}

static inline struct view x_of(const struct blas_operands *operands)
{
    return vector_of(operands, operands->x, &operands->call->x, blas_x_count(operands->call),
                     BLAS_CONJUGATE_X);
}

static inline struct view y_of(const struct blas_operands *operands)
{
    return vector_of(operands, operands->y, &operands->call->y, blas_y_count(operands->call),
                     BLAS_CONJUGATE_Y);
}

/* arithmetic_triangle.c: products with a symmetric or triangular matrix. */
void FOR_NUMBERS(blas_syrkx)(const struct blas_operands *operands);
void FOR_NUMBERS(blas_symm)(const struct blas_operands *operands);
/* False when memory is exhausted. */
bool FOR_NUMBERS(blas_trmm)(const struct blas_operands *operands);

/* arithmetic_stored.c: with a band, or a packed triangle. False when memory is exhausted. */
void FOR_NUMBERS(blas_stored_mv)(const struct blas_operands *operands);
bool FOR_NUMBERS(blas_stored_triangle)(const struct blas_operands *operands);
void FOR_NUMBERS(blas_packed_rank)(const struct blas_operands *operands);

#endif
