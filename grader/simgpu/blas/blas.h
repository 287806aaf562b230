/* blas.h - what libcublas sends to the device besides products (see ../blaslt/matmul.h): operations
 * on vectors, on a matrix and vectors, and a few operations on matrices that are not products.
 *
 * It is plain data, and travels as it is. Matrices are stored column by column. All elements of a
 * call have one type, except that norms of complex numbers are real. Arithmetic is in double and
 * rounded once, so it is at least as exact as a device's.
 */
#ifndef BLAS_BLAS_H
#define BLAS_BLAS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum blas_operation {
    BLAS_COPY,  /* y = x */
    BLAS_SWAP,  /* swap x and y */
    BLAS_SCAL,  /* x = alpha x */
    BLAS_AXPY,  /* y = alpha x + y */
    BLAS_ROT,   /* x, y = alpha x + beta y, alpha y - conj(beta) x */
    BLAS_ROTM,  /* x, y = rotation (x, y) */
    BLAS_DOT,   /* result = sum of x y */
    BLAS_NRM2,  /* result = root of the sum of squares of x */
    BLAS_ASUM,  /* result = sum of absolute values of x */
    BLAS_AMAX,  /* result = place of the largest absolute value, the first of several; from 1 */
    BLAS_AMIN,  /* ... of the smallest */
    BLAS_GEMV,  /* y = alpha op(A) x + beta y; A is m x n */
    BLAS_GER,   /* A = alpha x y' + A; A is m x n */
    BLAS_GEAM,  /* C = alpha op(A) + beta op(B); C is m x n */
    BLAS_DGMM,  /* C = diag(x) A, or A diag(x) without left; C is m x n */
    BLAS_TRSM,  /* C = alpha inv(op(A)) C, or alpha C inv(op(A)) without left; C is m x n */
    BLAS_SYRKX, /* a triangle of C = alpha op(A) op(B)' + beta C; C is n x n, the sum over k */
    BLAS_SYMM,  /* C = alpha A B + beta C, or alpha B A without left; A is symmetric: a triangle */
    BLAS_TRMM,  /* C = alpha op(A) B, or alpha B op(A) without left; A is a triangle */
    /* With A as a band, or a packed triangle; A is m x n, or n x n. */
    BLAS_STORED_MV,   /* y = alpha op(A) x + beta y */
    BLAS_STORED_TRMV, /* x = op(A) x */
    BLAS_STORED_TRSV, /* x = inv(op(A)) x */
    BLAS_PACKED_RANK, /* A = alpha x y' + A, a triangle */
    BLAS_OPERATIONS
};

enum blas_type { /* cudaDataType */
                 BLAS_F32 = 0,
                 BLAS_F64 = 1,
                 BLAS_F16 = 2,
                 BLAS_C32 = 4,
                 BLAS_C64 = 5,
                 BLAS_BF16 = 14
};

enum blas_flag {
    BLAS_TRANSPOSE_A = 1,
    BLAS_TRANSPOSE_B = 2,
    BLAS_LEFT = 4,
    BLAS_UPPER = 8,
    BLAS_UNIT = 16,        /* of the triangle A: ones on its diagonal */
    BLAS_WIDE_INDEX = 32,  /* AMAX, AMIN: the result has 64 bits, not 32 */
    BLAS_CONJUGATE_A = 64, /* the conjugates of A's elements are meant */
    BLAS_CONJUGATE_B = 128,
    BLAS_CONJUGATE_X = 256,
    BLAS_CONJUGATE_Y = 512,
    BLAS_CONJUGATE_ALPHA = 1024,
    BLAS_HERMITIAN = 2048, /* SYMM: A is; SYRKX: C is, with a real diagonal */
    BLAS_POINTERS = 4096,  /* of a batch: addresses are those of arrays of pointers on the device */
    BLAS_PACKED = 8192,    /* A is a triangle, column by column without gaps; else a band */
    BLAS_MIRRORED = 16384, /* A is symmetric, or Hermitian: a triangle is stored */
};

struct blas_vector {
    uint64_t address; /* of the element that comes first in memory */
    int64_t step;     /* elements; negative: the vector begins at the last one in memory */
    int64_t stride;   /* elements, to the next one of a batch */
};

struct blas_matrix {
    uint64_t address, ld;
    int64_t stride; /* elements, to the next one of a batch */
};

struct blas_scalar {
    uint64_t address; /* on the device; 0: value */
    double value, imaginary;
    uint64_t type; /* enum blas_type */
};

/* What a REQUEST_BLAS carries. Fields that an operation does not use are 0. A batch is the same
 * operation for several operands; it has no result. */
struct blas_call {
    uint32_t operation, type, flags;
    uint32_t batches; /* 0 is 1 */
    uint64_t m, n;    /* a vector of its own has n elements; GEMV: x and y as op(A) has them */
    uint64_t k;       /* SYRKX; of a band, the diagonals below the main one */
    uint64_t above;   /* ... and above it */
    struct blas_vector x, y;
    struct blas_matrix a, b, c;
    struct blas_scalar alpha, beta;
    double rotation[4]; /* ROTM: a matrix, row by row */
    uint64_t result;    /* on the device */
};

/* So that every span fits 63 bits. */
#define BLAS_MOST (UINT64_C(1) << 38)
enum { BLAS_MOST_BATCHES = 1 << 16, BLAS_MOST_PACKED = 1 << 19 /* rows */ };

static inline bool blas_is_complex(uint32_t type)
{
    return type == BLAS_C32 || type == BLAS_C64;
}

static inline uint32_t blas_type_bytes(uint32_t type)
{
    return type == BLAS_C64                       ? 16
           : type == BLAS_F64 || type == BLAS_C32 ? 8
           : type == BLAS_F32                     ? 4
                                                  : 2;
}

/* Of a result that is not an index. Norms are real. */
static inline uint32_t blas_result_bytes(const struct blas_call *call)
{
    bool half = blas_is_complex(call->type) && call->operation != BLAS_DOT;
    return blas_type_bytes(call->type) / (half ? 2 : 1);
}

#endif
