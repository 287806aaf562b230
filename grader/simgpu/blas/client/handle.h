/* handle.h - the drop-in libcublas: handles, and work for their streams.
 *
 * Arguments are checked here, as cuBLAS's documentation says for each function; the device gets
 * plain data: a product (../../blaslt/matmul.h) or another operation (../blas.h).
 *
 * Batches of LU factorisations (lu.c) are computed here; the device only copies the matrices.
 *
 * Reading order: handle.c, submit.c, gemm.c (products), vectors.c, rotations.c, matrices.c,
 * triangles.c, stored.c, transfer.c, lu.c, and entries.h, which gives each its names: for real and
 * complex numbers of both precisions, with sizes of 32 and of 64 bits.
 * Every other function of the toolkit's library becomes a stub that says its name:
 * ../../client/stubs.awk.
 */
#ifndef BLAS_CLIENT_HANDLE_H
#define BLAS_CLIENT_HANDLE_H

#include "../../blaslt/client/status.h"
#include "../../blaslt/matmul.h"
#include "../../client/extension.h"
#include "../blas.h"

#include <cublas_api.h>

enum { PLANS = 64 };

/* An answer of the device, kept because the same question may come again. */
struct plan {
    bool known;
    struct matmul_search search;
    struct matmul_candidate found;
};

struct cublasContext {
    uint32_t mark;
    cudaStream_t stream;
    cublasMath_t math_mode;
    cublasPointerMode_t pointer_mode;
    cublasAtomicsMode_t atomics_mode;
    int multiprocessors_wanted;
    void *own_workspace, *workspace; /* on the device; the second is in use */
    size_t workspace_bytes;
#if CUBLAS_VERSION >= 130000
    struct { /* emulation.c */
        cublasEmulationStrategy_t strategy;
        cudaEmulationSpecialValuesSupport special_values;
        cudaEmulationMantissaControl control;
        int most_bits, offset, *count;
    } emulation;
#endif
    void *scratch; /* a result on its way to the host */
    struct plan plans[PLANS];
};

bool blas_handle_is_sound(cublasHandle_t handle);

static inline uint64_t blas_address(const void *pointer)
{
    return (uint64_t)(uintptr_t)pointer;
}

/* --- Arguments -------------------------------------------------------------------------------- */

static inline bool blas_is_operation(cublasOperation_t op)
{
    return op == CUBLAS_OP_N || op == CUBLAS_OP_T || op == CUBLAS_OP_C;
}

static inline bool blas_is_fill(cublasFillMode_t fill)
{
    return fill == CUBLAS_FILL_MODE_LOWER || fill == CUBLAS_FILL_MODE_UPPER;
}

/* May a matrix of so many rows have that leading dimension? */
static inline bool blas_is_leading(int64_t ld, int64_t rows)
{
    return ld >= (rows < 1 ? 1 : rows);
}

/* Which of two flags an operation sets. The conjugate of a real number is itself. */
static inline uint32_t blas_operation_flags(cublasOperation_t op, uint32_t transpose,
                                            uint32_t conjugate)
{
    return (op == CUBLAS_OP_T || op == CUBLAS_OP_C ? transpose : 0) |
           (op == CUBLAS_OP_C || op == CUBLAS_OP_CONJG ? conjugate : 0);
}

/* --- submit.c --------------------------------------------------------------------------------- */

/* Queue a request of that kind on the handle's stream, or in the graph it is captured into. */
cublasStatus_t blas_queue(cublasHandle_t handle, enum request_kind kind, const void *payload,
                          uint64_t bytes);
cublasStatus_t blas_submit(cublasHandle_t handle, const struct blas_call *call);
/* The call, for a batch of count: with arrays of pointers, or with the strides in it. */
cublasStatus_t blas_submit_batch(cublasHandle_t handle, const struct blas_call *call, int64_t count,
                                 bool pointers);
/* The same for a call with a result of so many bytes, which goes where the pointer mode says. If
 * that is the host, the call waits for it. */
cublasStatus_t blas_submit_result(cublasHandle_t handle, struct blas_call *call, void *result,
                                  size_t bytes);
/* A value of that type on the host; of a complex number its real part. */
double blas_value(const void *pointer, cudaDataType type);
/* By value or by address, as the pointer mode says. */
struct blas_scalar blas_scalar_of(cublasHandle_t handle, const void *pointer, cudaDataType type);
/* For a function that works on the host here: refuses it, with a sentence, while the handle's
 * stream is captured. */
cublasStatus_t blas_check_no_capture(cublasHandle_t handle, const char *function);
/* Says that function is not supported with these types or sizes. */
cublasStatus_t blas_unsupported(const char *what);
/* For a function that is not supported: says its name. */
cublasStatus_t blas_missing(const char *function);

/* --- gemm.c ----------------------------------------------------------------------------------- */

struct gemm_matrix {
    const void *at; /* or an array of pointers, on the device */
    cudaDataType type;
    int64_t ld, stride; /* elements */
};

struct gemm {
    const char *function; /* for messages */
    cublasOperation_t op_a, op_b;
    int64_t m, n, k, batches;
    const void *alpha, *beta; /* of the type that the compute type scales with */
    struct gemm_matrix a, b, c;
    cublasComputeType_t compute;
    bool arrays;
};

cublasStatus_t blas_gemm(cublasHandle_t handle, const struct gemm *gemm);

/* --- vectors.c -------------------------------------------------------------------------------- */

/* Those without a result: scal has no y; alpha and beta may be NULL where there is none. */
cublasStatus_t blas_vectors(cublasHandle_t handle, enum blas_operation operation, cudaDataType type,
                            int64_t n, const void *alpha, cudaDataType alpha_type, const void *beta,
                            cudaDataType beta_type, const void *x, int64_t x_step, const void *y,
                            int64_t y_step);
/* Those with one; y is NULL but for the dot product. flags: BLAS_WIDE_INDEX, BLAS_CONJUGATE_X. */
cublasStatus_t blas_result(cublasHandle_t handle, enum blas_operation operation, cudaDataType type,
                           int64_t n, const void *x, int64_t x_step, const void *y, int64_t y_step,
                           void *result, uint32_t flags);

/* --- rotations.c ------------------------------------------------------------------------------ */

/* parameters: five of that type, where the pointer mode says, as rotmg sets them up. */
cublasStatus_t blas_rotm(cublasHandle_t handle, cudaDataType type, int64_t n, void *x,
                         int64_t x_step, void *y, int64_t y_step, const void *parameters);

/* --- matrices.c ------------------------------------------------------------------------------- */

/* One product with a vector, or a batch of count: of pointers in arrays on the device, or with
 * strides, in elements. */
struct gemv {
    cudaDataType type, scalar_type;
    cublasOperation_t op;
    int64_t m, n;
    const void *alpha, *a;
    int64_t lda, a_stride;
    const void *x;
    int64_t x_step, x_stride;
    const void *beta;
    const void *y;
    int64_t y_step, y_stride, count;
    bool pointers;
};

cublasStatus_t blas_gemv(cublasHandle_t handle, const struct gemv *gemv);
/* flags: BLAS_CONJUGATE_Y, or none. */
cublasStatus_t blas_ger(cublasHandle_t handle, cudaDataType type, uint32_t flags, int64_t m,
                        int64_t n, const void *alpha, const void *x, int64_t x_step, const void *y,
                        int64_t y_step, void *a, int64_t lda);
cublasStatus_t blas_geam(cublasHandle_t handle, cudaDataType type, cublasOperation_t op_a,
                         cublasOperation_t op_b, int64_t m, int64_t n, const void *alpha,
                         const void *a, int64_t lda, const void *beta, const void *b, int64_t ldb,
                         void *c, int64_t ldc);
cublasStatus_t blas_dgmm(cublasHandle_t handle, cudaDataType type, cublasSideMode_t side, int64_t m,
                         int64_t n, const void *a, int64_t lda, const void *x, int64_t x_step,
                         void *c, int64_t ldc);
/* count: of a batch, whose a and b are arrays of pointers on the device; 0: no batch. */
cublasStatus_t blas_trsm(cublasHandle_t handle, cudaDataType type, cublasSideMode_t side,
                         cublasFillMode_t fill, cublasOperation_t op, cublasDiagType_t diagonal,
                         int64_t m, int64_t n, const void *alpha, const void *a, int64_t lda,
                         const void *b, int64_t ldb, int64_t count);

/* --- triangles.c ------------------------------------------------------------------------------ */

/* A triangle of C = alpha op(A) op(B)' + beta C; syrk has B = A. If hermitian, the second factor is
 * the conjugate transpose, and C's diagonal is real. */
struct rank_k {
    cudaDataType type, alpha_type, beta_type;
    bool hermitian;
    cublasFillMode_t fill;
    cublasOperation_t op;
    int64_t n, k;
    const void *alpha, *a;
    int64_t lda;
    const void *b;
    int64_t ldb;
    const void *beta; /* NULL: 1 */
    void *c;
    int64_t ldc;
};

cublasStatus_t blas_rank_k(cublasHandle_t handle, const struct rank_k *rank);
/* The same with A and B exchanged added to it, and alpha conjugated for that if Hermitian. */
cublasStatus_t blas_rank_2k(cublasHandle_t handle, const struct rank_k *rank);
/* flags: BLAS_HERMITIAN, or none. */
cublasStatus_t blas_symm(cublasHandle_t handle, cudaDataType type, uint32_t flags,
                         cublasSideMode_t side, cublasFillMode_t fill, int64_t m, int64_t n,
                         const void *alpha, const void *a, int64_t lda, const void *b, int64_t ldb,
                         const void *beta, void *c, int64_t ldc);
cublasStatus_t blas_symv(cublasHandle_t handle, cudaDataType type, uint32_t flags,
                         cublasFillMode_t fill, int64_t n, const void *alpha, const void *a,
                         int64_t lda, const void *x, int64_t x_step, const void *beta, void *y,
                         int64_t y_step);
/* A = alpha x x' + A, or alpha (x y' + y x') + A with y; flags: BLAS_HERMITIAN, or none. */
cublasStatus_t blas_syr(cublasHandle_t handle, cudaDataType type, cudaDataType alpha_type,
                        uint32_t flags, cublasFillMode_t fill, int64_t n, const void *alpha,
                        const void *x, int64_t x_step, const void *y, int64_t y_step, void *a,
                        int64_t lda);
cublasStatus_t blas_trmm(cublasHandle_t handle, cudaDataType type, cublasSideMode_t side,
                         cublasFillMode_t fill, cublasOperation_t op, cublasDiagType_t diagonal,
                         int64_t m, int64_t n, const void *alpha, const void *a, int64_t lda,
                         const void *b, int64_t ldb, void *c, int64_t ldc);
/* trmv, or trsv when it solves. */
cublasStatus_t blas_trv(cublasHandle_t handle, cudaDataType type, bool solve, cublasFillMode_t fill,
                        cublasOperation_t op, cublasDiagType_t diagonal, int64_t n, const void *a,
                        int64_t lda, void *x, int64_t x_step);

/* --- stored.c --------------------------------------------------------------------------------- */

/* A band, or a packed triangle. */
struct stored {
    cudaDataType type;
    bool packed, is_general; /* a general band has no fill mode */
    cublasFillMode_t fill;
    cublasOperation_t op;
    uint32_t flags; /* BLAS_MIRRORED, BLAS_HERMITIAN */
    int64_t m, n, below, above;
    const void *a;
    int64_t ld; /* of a band */
};

cublasStatus_t blas_stored_mv(cublasHandle_t handle, const struct stored *stored, const void *alpha,
                              const void *x, int64_t x_step, const void *beta, void *y,
                              int64_t y_step);
/* Solves a system, or multiplies. */
cublasStatus_t blas_stored_triangle(cublasHandle_t handle, const struct stored *stored, bool solve,
                                    cublasDiagType_t diagonal, void *x, int64_t x_step);
/* y is NULL but for spr2 and hpr2. */
cublasStatus_t blas_packed_rank(cublasHandle_t handle, const struct stored *stored,
                                const void *alpha, cudaDataType alpha_type, const void *x,
                                int64_t x_step, const void *y, int64_t y_step);

/* --- transfer.c ------------------------------------------------------------------------------- */

/* Columns of rows elements each; a vector is a matrix of one row. */
cublasStatus_t blas_transfer(int64_t rows, int64_t columns, int64_t element_bytes, const void *from,
                             int64_t from_ld, void *to, int64_t to_ld, enum cudaMemcpyKind kind);
cublasStatus_t blas_transfer_async(int64_t rows, int64_t columns, int64_t element_bytes,
                                   const void *from, int64_t from_ld, void *to, int64_t to_ld,
                                   enum cudaMemcpyKind kind, cudaStream_t stream);

#endif
