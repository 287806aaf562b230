/* matmul.h - one matrix product as cublasLtMatmul describes it: what the libraries (libcublas's
 * products are of the same kind) send to the device, and what both ends check.
 *
 *     D = epilogue(alpha op(A) op(B) + beta C)
 *
 * Numbers are those of the toolkit's headers (library_types.h, cublas_api.h, cublasLt.h), which the
 * device process is built without. Everything here is plain data: it travels as it is.
 */
#ifndef BLASLT_MATMUL_H
#define BLASLT_MATMUL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* cudaDataType */
enum matmul_type {
    MATMUL_F32 = 0,
    MATMUL_F64 = 1,
    MATMUL_F16 = 2,
    MATMUL_I8 = 3,
    MATMUL_C32 = 4, /* complex: two floats */
    MATMUL_C64 = 5, /* ... two doubles */
    MATMUL_I32 = 10,
    MATMUL_BF16 = 14
};

/* op(A) of a problem: as it is, transposed, or the conjugate of the transpose. */
enum matmul_transpose { MATMUL_AS_IT_IS = 0, MATMUL_TRANSPOSED = 1, MATMUL_CONJUGATE = 2 };

enum matmul_compute {                          /* cublasComputeType_t */
                      MATMUL_COMPUTE_16F = 64, /* sums are kept in half precision, too */
                      MATMUL_COMPUTE_16F_PEDANTIC = 65,
                      MATMUL_COMPUTE_32F = 68,
                      MATMUL_COMPUTE_32F_PEDANTIC = 69,
                      MATMUL_COMPUTE_64F = 70,
                      MATMUL_COMPUTE_64F_PEDANTIC = 71,
                      MATMUL_COMPUTE_32I = 72,
                      MATMUL_COMPUTE_32I_PEDANTIC = 73,
                      MATMUL_COMPUTE_32F_FAST_16F = 74, /* inputs are rounded to half first */
                      MATMUL_COMPUTE_32F_FAST_16BF = 75,
                      MATMUL_COMPUTE_32F_FAST_TF32 = 77,
};

enum matmul_epilogue { /* cublasLtEpilogue_t, as bits */
                       MATMUL_EPILOGUE_DEFAULT = 1,
                       MATMUL_EPILOGUE_RELU = 2,
                       MATMUL_EPILOGUE_BIAS = 4,
                       MATMUL_EPILOGUE_DRELU = 8,
                       MATMUL_EPILOGUE_BGRAD = 16,
                       MATMUL_EPILOGUE_GELU = 32,
                       MATMUL_EPILOGUE_DGELU = 64,
                       MATMUL_EPILOGUE_AUX = 128,
                       MATMUL_EPILOGUE_BGRADA = 256,
                       MATMUL_EPILOGUE_BGRADB = 512,
};

enum matmul_reduction { /* cublasLtReductionScheme_t */
                        MATMUL_REDUCTION_NONE = 0,
                        MATMUL_REDUCTION_INPLACE = 1, /* partial sums pass through D, in D's type */
                        MATMUL_REDUCTION_COMPUTE_TYPE =
                            2, /* ... through the workspace, as floats */
                        MATMUL_REDUCTION_OUTPUT_TYPE =
                            4, /* ... through the workspace, in D's type */
                        MATMUL_REDUCTION_ALL = 7,
};

enum matmul_scale_place { MATMUL_SCALE_HOST = 0, MATMUL_SCALE_DEVICE = 1 };

struct matmul_matrix {
    uint64_t rows, columns;   /* as stored, before op */
    int64_t ld, batch_stride; /* elements */
    uint32_t type;            /* enum matmul_type */
    uint32_t row_major;
};

/* What is to be computed, without addresses: enough to choose an algorithm. */
struct matmul_problem {
    struct matmul_matrix a, b, c, d;
    int64_t bias_batch_stride, aux_ld, aux_batch_stride;
    uint32_t compute, scale_type;
    uint32_t epilogue;                 /* bits of enum matmul_epilogue */
    uint32_t transpose_a, transpose_b; /* enum matmul_transpose */
    uint32_t batch_count;
    uint32_t bias_type, aux_type;
};

enum { MATMUL_ALGO_WORDS = 8 }; /* cublasLtMatmulAlgo_t */

/* Where the matrices lie. An address that is not used is 0. Without a there is no product: D is
 * beta C. */
struct matmul_places {
    uint64_t a, b, c, d, bias, aux, workspace, workspace_bytes;
};

/* A call: what a REQUEST_MATMUL carries. */
struct matmul_call {
    struct matmul_problem problem;
    struct matmul_places at;
    uint64_t algo[MATMUL_ALGO_WORDS];
    uint32_t scale_place;    /* enum matmul_scale_place */
    uint16_t by_cublas;      /* else by cublasLt */
    uint16_t pointer_arrays; /* at.a to at.d are arrays of a pointer for each matrix of
                                             the batch, on the device */
    double alpha, beta;      /* when they are on the host */
    double alpha_imaginary, beta_imaginary;
    uint64_t alpha_address, beta_address; /* when they are on the device, of the scale type */
};

/* What an algorithm may rely on: a REQUEST_MATMUL_SEARCH. */
struct matmul_search {
    struct matmul_problem problem;
    uint64_t workspace_bytes;
    uint64_t implementations; /* mask of cublasLtNumericalImplFlags_t */
    uint32_t alignment_a, alignment_b, alignment_c, alignment_d; /* of the pointers, in bytes */
    uint32_t reductions;                                         /* mask of enum matmul_reduction */
    uint32_t only_algo, algo_id; /* only_algo: no other than algo_id */
    uint32_t wanted;             /* candidates at most */
    float most_waves;            /* 0: any */
    uint32_t by_library;         /* not a call of the program's: it is not counted */
};

struct matmul_candidate { /* the answer is an array of these, best guess first */
    uint64_t algo[MATMUL_ALGO_WORDS];
    uint64_t workspace_bytes;
    float waves;
    uint32_t pad;
};

enum { MATMUL_MOST_CANDIDATES = 64 };

/* --- The shape of a problem ------------------------------------------------------------------- */

static inline uint64_t matmul_m(const struct matmul_problem *problem)
{
    return problem->d.rows;
}

static inline uint64_t matmul_n(const struct matmul_problem *problem)
{
    return problem->d.columns;
}

static inline uint64_t matmul_k(const struct matmul_problem *problem)
{
    return problem->transpose_a ? problem->a.rows : problem->a.columns;
}

static inline uint32_t matmul_type_bytes(uint32_t type)
{
    switch (type) {
    case MATMUL_C64: return 16;
    case MATMUL_F64:
    case MATMUL_C32: return 8;
    case MATMUL_F32:
    case MATMUL_I32: return 4;
    case MATMUL_I8: return 1;
    default: return 2;
    }
}

static inline bool matmul_is_complex(uint32_t type)
{
    return type == MATMUL_C32 || type == MATMUL_C64;
}

/* Elements side by side in memory, and how many such lines there are. */
static inline uint64_t matmul_line(const struct matmul_matrix *matrix)
{
    return matrix->row_major ? matrix->columns : matrix->rows;
}

static inline uint64_t matmul_lines(const struct matmul_matrix *matrix)
{
    return matrix->row_major ? matrix->rows : matrix->columns;
}

/* Where an element lies, in elements. */
static inline uint64_t matmul_place(const struct matmul_matrix *matrix, uint64_t row,
                                    uint64_t column)
{
    return matrix->row_major ? row * (uint64_t)matrix->ld + column
                             : column * (uint64_t)matrix->ld + row;
}

/* The matrix of that number in a batch with strides; NULL where there is none. */
static inline const void *matmul_of_batch(const void *matrix, const struct matmul_matrix *shape,
                                          uint32_t batch)
{
    size_t bytes = (size_t)shape->batch_stride * matmul_type_bytes(shape->type);
    return matrix ? (const char *)matrix + bytes * batch : NULL;
}

#endif
