/* entries.h - the names of libcublas, for sizes of type INT; entries.c includes this twice.
 *
 * INT: int or int64_t; ENTRY(name): name as it is, or with _64; WIDE: BLAS_WIDE_INDEX, or 0.
 * Functions and the order of their parameters are those of cublas_api.h.
 */

/* --- Vectors ---------------------------------------------------------------------------------- */

#define VECTOR_ENTRIES(P, type, TYPE)                                                              \
    cublasStatus_t ENTRY(cublas##P##copy_v2)(cublasHandle_t handle, INT n, const type *x,          \
                                             INT incx, type *y, INT incy)                          \
    {                                                                                              \
        return blas_vectors(handle, BLAS_COPY, TYPE, n, NULL, TYPE, NULL, TYPE, x, incx, y, incy); \
    }                                                                                              \
    cublasStatus_t ENTRY(cublas##P##swap_v2)(cublasHandle_t handle, INT n, type * x, INT incx,     \
                                             type * y, INT incy)                                   \
    {                                                                                              \
        return blas_vectors(handle, BLAS_SWAP, TYPE, n, NULL, TYPE, NULL, TYPE, x, incx, y, incy); \
    }                                                                                              \
    cublasStatus_t ENTRY(cublas##P##scal_v2)(cublasHandle_t handle, INT n, const type *alpha,      \
                                             type *x, INT incx)                                    \
    {                                                                                              \
        return blas_vectors(handle, BLAS_SCAL, TYPE, n, alpha, TYPE, NULL, TYPE, x, incx, NULL,    \
                            0);                                                                    \
    }                                                                                              \
    cublasStatus_t ENTRY(cublas##P##axpy_v2)(cublasHandle_t handle, INT n, const type *alpha,      \
                                             const type *x, INT incx, type *y, INT incy)           \
    {                                                                                              \
        return blas_vectors(handle, BLAS_AXPY, TYPE, n, alpha, TYPE, NULL, TYPE, x, incx, y,       \
                            incy);                                                                 \
    }

VECTOR_ENTRIES(S, float, CUDA_R_32F)
VECTOR_ENTRIES(D, double, CUDA_R_64F)
VECTOR_ENTRIES(C, cuComplex, CUDA_C_32F)
VECTOR_ENTRIES(Z, cuDoubleComplex, CUDA_C_64F)

#define ROT_ENTRY(name, type, TYPE, c_type, C_TYPE, s_type, S_TYPE)                             \
    cublasStatus_t ENTRY(name)(cublasHandle_t handle, INT n, type * x, INT incx, type * y,      \
                               INT incy, const c_type *c, const s_type *s)                      \
    {                                                                                           \
        return blas_vectors(handle, BLAS_ROT, TYPE, n, c, C_TYPE, s, S_TYPE, x, incx, y, incy); \
    }

ROT_ENTRY(cublasSrot_v2, float, CUDA_R_32F, float, CUDA_R_32F, float, CUDA_R_32F)
ROT_ENTRY(cublasDrot_v2, double, CUDA_R_64F, double, CUDA_R_64F, double, CUDA_R_64F)
ROT_ENTRY(cublasCrot_v2, cuComplex, CUDA_C_32F, float, CUDA_R_32F, cuComplex, CUDA_C_32F)
ROT_ENTRY(cublasCsrot_v2, cuComplex, CUDA_C_32F, float, CUDA_R_32F, float, CUDA_R_32F)
ROT_ENTRY(cublasZrot_v2, cuDoubleComplex, CUDA_C_64F, double, CUDA_R_64F, cuDoubleComplex,
          CUDA_C_64F)
ROT_ENTRY(cublasZdrot_v2, cuDoubleComplex, CUDA_C_64F, double, CUDA_R_64F, double, CUDA_R_64F)

#define ROTM_ENTRY(name, type, TYPE)                                                       \
    cublasStatus_t ENTRY(name)(cublasHandle_t handle, INT n, type * x, INT incx, type * y, \
                               INT incy, const type *parameters)                           \
    {                                                                                      \
        return blas_rotm(handle, TYPE, n, x, incx, y, incy, parameters);                   \
    }

ROTM_ENTRY(cublasSrotm_v2, float, CUDA_R_32F)
ROTM_ENTRY(cublasDrotm_v2, double, CUDA_R_64F)

/* Complex vectors that are scaled by a real number. */
#define REAL_SCALE_ENTRY(name, type, TYPE, real, REAL)                                             \
    cublasStatus_t ENTRY(name)(cublasHandle_t handle, INT n, const real *alpha, type *x, INT incx) \
    {                                                                                              \
        return blas_vectors(handle, BLAS_SCAL, TYPE, n, alpha, REAL, NULL, TYPE, x, incx, NULL,    \
                            0);                                                                    \
    }

REAL_SCALE_ENTRY(cublasCsscal_v2, cuComplex, CUDA_C_32F, float, CUDA_R_32F)
REAL_SCALE_ENTRY(cublasZdscal_v2, cuDoubleComplex, CUDA_C_64F, double, CUDA_R_64F)

#define DOT_ENTRY(name, type, TYPE, flags)                                              \
    cublasStatus_t ENTRY(name)(cublasHandle_t handle, INT n, const type *x, INT incx,   \
                               const type *y, INT incy, type *result)                   \
    {                                                                                   \
        return blas_result(handle, BLAS_DOT, TYPE, n, x, incx, y, incy, result, flags); \
    }

DOT_ENTRY(cublasSdot_v2, float, CUDA_R_32F, 0)
DOT_ENTRY(cublasDdot_v2, double, CUDA_R_64F, 0)
DOT_ENTRY(cublasCdotu_v2, cuComplex, CUDA_C_32F, 0)
DOT_ENTRY(cublasCdotc_v2, cuComplex, CUDA_C_32F, BLAS_CONJUGATE_X)
DOT_ENTRY(cublasZdotu_v2, cuDoubleComplex, CUDA_C_64F, 0)
DOT_ENTRY(cublasZdotc_v2, cuDoubleComplex, CUDA_C_64F, BLAS_CONJUGATE_X)

/* The result has the type of x's real parts. */
#define NORM_ENTRY(name, operation, type, TYPE, real)                                 \
    cublasStatus_t ENTRY(name)(cublasHandle_t handle, INT n, const type *x, INT incx, \
                               real *result)                                          \
    {                                                                                 \
        return blas_result(handle, operation, TYPE, n, x, incx, NULL, 0, result, 0);  \
    }

NORM_ENTRY(cublasSnrm2_v2, BLAS_NRM2, float, CUDA_R_32F, float)
NORM_ENTRY(cublasDnrm2_v2, BLAS_NRM2, double, CUDA_R_64F, double)
NORM_ENTRY(cublasScnrm2_v2, BLAS_NRM2, cuComplex, CUDA_C_32F, float)
NORM_ENTRY(cublasDznrm2_v2, BLAS_NRM2, cuDoubleComplex, CUDA_C_64F, double)
NORM_ENTRY(cublasSasum_v2, BLAS_ASUM, float, CUDA_R_32F, float)
NORM_ENTRY(cublasDasum_v2, BLAS_ASUM, double, CUDA_R_64F, double)
NORM_ENTRY(cublasScasum_v2, BLAS_ASUM, cuComplex, CUDA_C_32F, float)
NORM_ENTRY(cublasDzasum_v2, BLAS_ASUM, cuDoubleComplex, CUDA_C_64F, double)

#define INDEX_ENTRY(name, type, TYPE, operation)                                                   \
    cublasStatus_t ENTRY(name)(cublasHandle_t handle, INT n, const type *x, INT incx, INT *result) \
    {                                                                                              \
        return blas_result(handle, operation, TYPE, n, x, incx, NULL, 0, result, WIDE);            \
    }

INDEX_ENTRY(cublasIsamax_v2, float, CUDA_R_32F, BLAS_AMAX)
INDEX_ENTRY(cublasIdamax_v2, double, CUDA_R_64F, BLAS_AMAX)
INDEX_ENTRY(cublasIsamin_v2, float, CUDA_R_32F, BLAS_AMIN)
INDEX_ENTRY(cublasIdamin_v2, double, CUDA_R_64F, BLAS_AMIN)
INDEX_ENTRY(cublasIcamax_v2, cuComplex, CUDA_C_32F, BLAS_AMAX)
INDEX_ENTRY(cublasIzamax_v2, cuDoubleComplex, CUDA_C_64F, BLAS_AMAX)
INDEX_ENTRY(cublasIcamin_v2, cuComplex, CUDA_C_32F, BLAS_AMIN)
INDEX_ENTRY(cublasIzamin_v2, cuDoubleComplex, CUDA_C_64F, BLAS_AMIN)

/* Both vectors, and a result, have one type here. */
cublasStatus_t ENTRY(cublasScalEx)(cublasHandle_t handle, INT n, const void *alpha,
                                   cudaDataType alpha_type, void *x, cudaDataType x_type, INT incx,
                                   cudaDataType execution)
{
    (void)execution;
    return blas_vectors(handle, BLAS_SCAL, x_type, n, alpha, alpha_type, NULL, alpha_type, x, incx,
                        NULL, 0);
}

cublasStatus_t ENTRY(cublasAxpyEx)(cublasHandle_t handle, INT n, const void *alpha,
                                   cudaDataType alpha_type, const void *x, cudaDataType x_type,
                                   INT incx, void *y, cudaDataType y_type, INT incy,
                                   cudaDataType execution)
{
    (void)execution;
    if (x_type != y_type)
        return blas_unsupported("cublasAxpyEx with vectors of two types");
    return blas_vectors(handle, BLAS_AXPY, x_type, n, alpha, alpha_type, NULL, alpha_type, x, incx,
                        y, incy);
}

#define DOT_EX_ENTRY(name, flags)                                                                \
    cublasStatus_t ENTRY(name)(cublasHandle_t handle, INT n, const void *x, cudaDataType x_type, \
                               INT incx, const void *y, cudaDataType y_type, INT incy,           \
                               void *result, cudaDataType result_type, cudaDataType execution)   \
    {                                                                                            \
        (void)execution;                                                                         \
        if (x_type != y_type || x_type != result_type)                                           \
            return blas_unsupported(#name " with several types");                                \
        return blas_result(handle, BLAS_DOT, x_type, n, x, incx, y, incy, result, flags);        \
    }

DOT_EX_ENTRY(cublasDotEx, 0)
DOT_EX_ENTRY(cublasDotcEx, BLAS_CONJUGATE_X)

/* The type of a norm: real. */
static bool ENTRY(is_norm_of)(cudaDataType x_type, cudaDataType result_type)
{
    return result_type == (x_type == CUDA_C_32F   ? CUDA_R_32F
                           : x_type == CUDA_C_64F ? CUDA_R_64F
                                                  : x_type);
}

cublasStatus_t ENTRY(cublasNrm2Ex)(cublasHandle_t handle, INT n, const void *x, cudaDataType x_type,
                                   INT incx, void *result, cudaDataType result_type,
                                   cudaDataType execution)
{
    (void)execution;
    if (!ENTRY(is_norm_of)(x_type, result_type))
        return blas_unsupported("cublasNrm2Ex with several types");
    return blas_result(handle, BLAS_NRM2, x_type, n, x, incx, NULL, 0, result, 0);
}

cublasStatus_t ENTRY(cublasAsumEx)(cublasHandle_t handle, INT n, const void *x, cudaDataType x_type,
                                   INT incx, void *result, cudaDataType result_type,
                                   cudaDataType execution)
{
    (void)execution;
    if (!ENTRY(is_norm_of)(x_type, result_type))
        return blas_unsupported("cublasAsumEx with several types");
    return blas_result(handle, BLAS_ASUM, x_type, n, x, incx, NULL, 0, result, 0);
}

cublasStatus_t ENTRY(cublasIamaxEx)(cublasHandle_t handle, INT n, const void *x,
                                    cudaDataType x_type, INT incx, INT *result)
{
    return blas_result(handle, BLAS_AMAX, x_type, n, x, incx, NULL, 0, result, WIDE);
}

cublasStatus_t ENTRY(cublasIaminEx)(cublasHandle_t handle, INT n, const void *x,
                                    cudaDataType x_type, INT incx, INT *result)
{
    return blas_result(handle, BLAS_AMIN, x_type, n, x, incx, NULL, 0, result, WIDE);
}

#define MOVE_EX_ENTRY(name, operation, pointer)                                                   \
    cublasStatus_t ENTRY(name)(cublasHandle_t handle, INT n, pointer x, cudaDataType x_type,      \
                               INT incx, void *y, cudaDataType y_type, INT incy)                  \
    {                                                                                             \
        if (x_type != y_type)                                                                     \
            return blas_unsupported(#name " with vectors of two types");                          \
        return blas_vectors(handle, operation, x_type, n, NULL, x_type, NULL, x_type, x, incx, y, \
                            incy);                                                                \
    }

MOVE_EX_ENTRY(cublasCopyEx, BLAS_COPY, const void *)
MOVE_EX_ENTRY(cublasSwapEx, BLAS_SWAP, void *)

cublasStatus_t ENTRY(cublasRotEx)(cublasHandle_t handle, INT n, void *x, cudaDataType x_type,
                                  INT incx, void *y, cudaDataType y_type, INT incy, const void *c,
                                  const void *s, cudaDataType cs_type, cudaDataType execution)
{
    (void)execution;
    if (x_type != y_type)
        return blas_unsupported("cublasRotEx with vectors of two types");
    return blas_vectors(handle, BLAS_ROT, x_type, n, c, cs_type, s, cs_type, x, incx, y, incy);
}

/* --- Matrices --------------------------------------------------------------------------------- */

#define GEMV_ENTRY(name, type, TYPE)                                                               \
    cublasStatus_t ENTRY(name)(cublasHandle_t handle, cublasOperation_t op, INT m, INT n,          \
                               const type *alpha, const type *a, INT lda, const type *x, INT incx, \
                               const type *beta, type *y, INT incy)                                \
    {                                                                                              \
        return blas_gemv(handle, &(struct gemv){TYPE, TYPE, op, m, n, alpha, a, lda, 0, x, incx,   \
                                                0, beta, y, incy, 0, 1, false});                   \
    }

GEMV_ENTRY(cublasSgemv_v2, float, CUDA_R_32F)
GEMV_ENTRY(cublasDgemv_v2, double, CUDA_R_64F)
GEMV_ENTRY(cublasCgemv_v2, cuComplex, CUDA_C_32F)
GEMV_ENTRY(cublasZgemv_v2, cuDoubleComplex, CUDA_C_64F)

#define GEMV_BATCH_ENTRIES(P, type, TYPE, scalar, SCALAR)                                          \
    cublasStatus_t ENTRY(cublas##P##gemvBatched)(                                                  \
        cublasHandle_t handle, cublasOperation_t op, INT m, INT n, const scalar *alpha,            \
        const type *const a[], INT lda, const type *const x[], INT incx, const scalar *beta,       \
        type *const y[], INT incy, INT count)                                                      \
    {                                                                                              \
        return blas_gemv(handle, &(struct gemv){TYPE, SCALAR, op, m, n, alpha, a, lda, 0, x, incx, \
                                                0, beta, y, incy, 0, count, true});                \
    }                                                                                              \
    cublasStatus_t ENTRY(cublas##P##gemvStridedBatched)(                                           \
        cublasHandle_t handle, cublasOperation_t op, INT m, INT n, const scalar *alpha,            \
        const type *a, INT lda, long long int stride_a, const type *x, INT incx,                   \
        long long int stride_x, const scalar *beta, type *y, INT incy, long long int stride_y,     \
        INT count)                                                                                 \
    {                                                                                              \
        return blas_gemv(handle,                                                                   \
                         &(struct gemv){TYPE, SCALAR, op, m, n, alpha, a, lda, stride_a, x, incx,  \
                                        stride_x, beta, y, incy, stride_y, count, false});         \
    }

#if CUBLAS_VERSION >= 110700
GEMV_BATCH_ENTRIES(S, float, CUDA_R_32F, float, CUDA_R_32F)
GEMV_BATCH_ENTRIES(D, double, CUDA_R_64F, double, CUDA_R_64F)
GEMV_BATCH_ENTRIES(C, cuComplex, CUDA_C_32F, cuComplex, CUDA_C_32F)
GEMV_BATCH_ENTRIES(Z, cuDoubleComplex, CUDA_C_64F, cuDoubleComplex, CUDA_C_64F)
GEMV_BATCH_ENTRIES(HSH, void, CUDA_R_16F, float, CUDA_R_32F)
GEMV_BATCH_ENTRIES(TST, void, CUDA_R_16BF, float, CUDA_R_32F)
#endif

#define MATRIX_ENTRIES(P, type, TYPE)                                                              \
    cublasStatus_t ENTRY(cublas##P##geam)(cublasHandle_t handle, cublasOperation_t op_a,           \
                                          cublasOperation_t op_b, INT m, INT n, const type *alpha, \
                                          const type *a, INT lda, const type *beta, const type *b, \
                                          INT ldb, type *c, INT ldc)                               \
    {                                                                                              \
        return blas_geam(handle, TYPE, op_a, op_b, m, n, alpha, a, lda, beta, b, ldb, c, ldc);     \
    }                                                                                              \
    cublasStatus_t ENTRY(cublas##P##dgmm)(cublasHandle_t handle, cublasSideMode_t side, INT m,     \
                                          INT n, const type *a, INT lda, const type *x, INT incx,  \
                                          type *c, INT ldc)                                        \
    {                                                                                              \
        return blas_dgmm(handle, TYPE, side, m, n, a, lda, x, incx, c, ldc);                       \
    }                                                                                              \
    cublasStatus_t ENTRY(cublas##P##trsm_v2)(                                                      \
        cublasHandle_t handle, cublasSideMode_t side, cublasFillMode_t fill, cublasOperation_t op, \
        cublasDiagType_t diagonal, INT m, INT n, const type *alpha, const type *a, INT lda,        \
        type *b, INT ldb)                                                                          \
    {                                                                                              \
        return blas_trsm(handle, TYPE, side, fill, op, diagonal, m, n, alpha, a, lda, b, ldb, 0);  \
    }                                                                                              \
    cublasStatus_t ENTRY(cublas##P##trsmBatched)(                                                  \
        cublasHandle_t handle, cublasSideMode_t side, cublasFillMode_t fill, cublasOperation_t op, \
        cublasDiagType_t diagonal, INT m, INT n, const type *alpha, const type *const a[],         \
        INT lda, type *const b[], INT ldb, INT count)                                              \
    {                                                                                              \
        if (count <= 0)                                                                            \
            return count ? CUBLAS_STATUS_INVALID_VALUE : CUBLAS_STATUS_SUCCESS;                    \
        return blas_trsm(handle, TYPE, side, fill, op, diagonal, m, n, alpha, a, lda, b, ldb,      \
                         count);                                                                   \
    }

MATRIX_ENTRIES(S, float, CUDA_R_32F)
MATRIX_ENTRIES(D, double, CUDA_R_64F)
MATRIX_ENTRIES(C, cuComplex, CUDA_C_32F)
MATRIX_ENTRIES(Z, cuDoubleComplex, CUDA_C_64F)

#define GER_ENTRY(name, type, TYPE, flags)                                                         \
    cublasStatus_t ENTRY(name)(cublasHandle_t handle, INT m, INT n, const type *alpha,             \
                               const type *x, INT incx, const type *y, INT incy, type *a, INT lda) \
    {                                                                                              \
        return blas_ger(handle, TYPE, flags, m, n, alpha, x, incx, y, incy, a, lda);               \
    }

GER_ENTRY(cublasSger_v2, float, CUDA_R_32F, 0)
GER_ENTRY(cublasDger_v2, double, CUDA_R_64F, 0)
GER_ENTRY(cublasCgeru_v2, cuComplex, CUDA_C_32F, 0)
GER_ENTRY(cublasCgerc_v2, cuComplex, CUDA_C_32F, BLAS_CONJUGATE_Y)
GER_ENTRY(cublasZgeru_v2, cuDoubleComplex, CUDA_C_64F, 0)
GER_ENTRY(cublasZgerc_v2, cuDoubleComplex, CUDA_C_64F, BLAS_CONJUGATE_Y)

/* --- Symmetric and triangular matrices -------------------------------------------------------- */

/* Of a Hermitian result, the factors are real where it would not be Hermitian otherwise. */
#define RANK_ENTRIES(name, name_x, name_2, hermitian, type, TYPE, real, REAL)                      \
    cublasStatus_t ENTRY(name)(cublasHandle_t handle, cublasFillMode_t fill, cublasOperation_t op, \
                               INT n, INT k, const real *alpha, const type *a, INT lda,            \
                               const real *beta, type *c, INT ldc)                                 \
    {                                                                                              \
        return blas_rank_k(handle, &(struct rank_k){TYPE, REAL, REAL, hermitian, fill, op, n, k,   \
                                                    alpha, a, lda, a, lda, beta, c, ldc});         \
    }                                                                                              \
    cublasStatus_t ENTRY(name_x)(cublasHandle_t handle, cublasFillMode_t fill,                     \
                                 cublasOperation_t op, INT n, INT k, const type *alpha,            \
                                 const type *a, INT lda, const type *b, INT ldb, const real *beta, \
                                 type *c, INT ldc)                                                 \
    {                                                                                              \
        return blas_rank_k(handle, &(struct rank_k){TYPE, TYPE, REAL, hermitian, fill, op, n, k,   \
                                                    alpha, a, lda, b, ldb, beta, c, ldc});         \
    }                                                                                              \
    cublasStatus_t ENTRY(name_2)(cublasHandle_t handle, cublasFillMode_t fill,                     \
                                 cublasOperation_t op, INT n, INT k, const type *alpha,            \
                                 const type *a, INT lda, const type *b, INT ldb, const real *beta, \
                                 type *c, INT ldc)                                                 \
    {                                                                                              \
        return blas_rank_2k(handle, &(struct rank_k){TYPE, TYPE, REAL, hermitian, fill, op, n, k,  \
                                                     alpha, a, lda, b, ldb, beta, c, ldc});        \
    }

RANK_ENTRIES(cublasSsyrk_v2, cublasSsyrkx, cublasSsyr2k_v2, false, float, CUDA_R_32F, float,
             CUDA_R_32F)
RANK_ENTRIES(cublasDsyrk_v2, cublasDsyrkx, cublasDsyr2k_v2, false, double, CUDA_R_64F, double,
             CUDA_R_64F)
RANK_ENTRIES(cublasCsyrk_v2, cublasCsyrkx, cublasCsyr2k_v2, false, cuComplex, CUDA_C_32F, cuComplex,
             CUDA_C_32F)
RANK_ENTRIES(cublasZsyrk_v2, cublasZsyrkx, cublasZsyr2k_v2, false, cuDoubleComplex, CUDA_C_64F,
             cuDoubleComplex, CUDA_C_64F)
RANK_ENTRIES(cublasCherk_v2, cublasCherkx, cublasCher2k_v2, true, cuComplex, CUDA_C_32F, float,
             CUDA_R_32F)
RANK_ENTRIES(cublasZherk_v2, cublasZherkx, cublasZher2k_v2, true, cuDoubleComplex, CUDA_C_64F,
             double, CUDA_R_64F)

/* Both matrices have the type that the factors have. */
#define RANK_EX_ENTRY(name, hermitian, factor, FACTOR)                                             \
    cublasStatus_t ENTRY(name)(cublasHandle_t handle, cublasFillMode_t fill, cublasOperation_t op, \
                               INT n, INT k, const factor *alpha, const void *a,                   \
                               cudaDataType a_type, INT lda, const factor *beta, void *c,          \
                               cudaDataType c_type, INT ldc)                                       \
    {                                                                                              \
        if (a_type != CUDA_C_32F || c_type != CUDA_C_32F)                                          \
            return blas_unsupported(#name " with these types");                                    \
        return blas_rank_k(handle, &(struct rank_k){a_type, FACTOR, FACTOR, hermitian, fill, op,   \
                                                    n, k, alpha, a, lda, a, lda, beta, c, ldc});   \
    }

RANK_EX_ENTRY(cublasCsyrkEx, false, cuComplex, CUDA_C_32F)
RANK_EX_ENTRY(cublasCsyrk3mEx, false, cuComplex, CUDA_C_32F)
RANK_EX_ENTRY(cublasCherkEx, true, float, CUDA_R_32F)
RANK_EX_ENTRY(cublasCherk3mEx, true, float, CUDA_R_32F)

#define SYMMETRIC_ENTRIES(P, sy, flags, type, TYPE, real, REAL)                                    \
    cublasStatus_t ENTRY(cublas##P##sy##mm_v2)(                                                    \
        cublasHandle_t handle, cublasSideMode_t side, cublasFillMode_t fill, INT m, INT n,         \
        const type *alpha, const type *a, INT lda, const type *b, INT ldb, const type *beta,       \
        type *c, INT ldc)                                                                          \
    {                                                                                              \
        return blas_symm(handle, TYPE, flags, side, fill, m, n, alpha, a, lda, b, ldb, beta, c,    \
                         ldc);                                                                     \
    }                                                                                              \
    cublasStatus_t ENTRY(cublas##P##sy##mv_v2)(                                                    \
        cublasHandle_t handle, cublasFillMode_t fill, INT n, const type *alpha, const type *a,     \
        INT lda, const type *x, INT incx, const type *beta, type *y, INT incy)                     \
    {                                                                                              \
        return blas_symv(handle, TYPE, flags, fill, n, alpha, a, lda, x, incx, beta, y, incy);     \
    }                                                                                              \
    cublasStatus_t ENTRY(cublas##P##sy##r_v2)(cublasHandle_t handle, cublasFillMode_t fill, INT n, \
                                              const real *alpha, const type *x, INT incx, type *a, \
                                              INT lda)                                             \
    {                                                                                              \
        return blas_syr(handle, TYPE, REAL, flags, fill, n, alpha, x, incx, NULL, 1, a, lda);      \
    }                                                                                              \
    cublasStatus_t ENTRY(cublas##P##sy##r2_v2)(cublasHandle_t handle, cublasFillMode_t fill,       \
                                               INT n, const type *alpha, const type *x, INT incx,  \
                                               const type *y, INT incy, type *a, INT lda)          \
    {                                                                                              \
        return blas_syr(handle, TYPE, TYPE, flags, fill, n, alpha, x, incx, y, incy, a, lda);      \
    }

SYMMETRIC_ENTRIES(S, sy, 0, float, CUDA_R_32F, float, CUDA_R_32F)
SYMMETRIC_ENTRIES(D, sy, 0, double, CUDA_R_64F, double, CUDA_R_64F)
SYMMETRIC_ENTRIES(C, sy, 0, cuComplex, CUDA_C_32F, cuComplex, CUDA_C_32F)
SYMMETRIC_ENTRIES(Z, sy, 0, cuDoubleComplex, CUDA_C_64F, cuDoubleComplex, CUDA_C_64F)
SYMMETRIC_ENTRIES(C, he, BLAS_HERMITIAN, cuComplex, CUDA_C_32F, float, CUDA_R_32F)
SYMMETRIC_ENTRIES(Z, he, BLAS_HERMITIAN, cuDoubleComplex, CUDA_C_64F, double, CUDA_R_64F)

#define TRIANGLE_ENTRIES(P, type, TYPE)                                                            \
    cublasStatus_t ENTRY(cublas##P##trmm_v2)(                                                      \
        cublasHandle_t handle, cublasSideMode_t side, cublasFillMode_t fill, cublasOperation_t op, \
        cublasDiagType_t diagonal, INT m, INT n, const type *alpha, const type *a, INT lda,        \
        const type *b, INT ldb, type *c, INT ldc)                                                  \
    {                                                                                              \
        return blas_trmm(handle, TYPE, side, fill, op, diagonal, m, n, alpha, a, lda, b, ldb, c,   \
                         ldc);                                                                     \
    }                                                                                              \
    cublasStatus_t ENTRY(cublas##P##trmv_v2)(cublasHandle_t handle, cublasFillMode_t fill,         \
                                             cublasOperation_t op, cublasDiagType_t diagonal,      \
                                             INT n, const type *a, INT lda, type *x, INT incx)     \
    {                                                                                              \
        return blas_trv(handle, TYPE, false, fill, op, diagonal, n, a, lda, x, incx);              \
    }                                                                                              \
    cublasStatus_t ENTRY(cublas##P##trsv_v2)(cublasHandle_t handle, cublasFillMode_t fill,         \
                                             cublasOperation_t op, cublasDiagType_t diagonal,      \
                                             INT n, const type *a, INT lda, type *x, INT incx)     \
    {                                                                                              \
        return blas_trv(handle, TYPE, true, fill, op, diagonal, n, a, lda, x, incx);               \
    }

TRIANGLE_ENTRIES(S, float, CUDA_R_32F)
TRIANGLE_ENTRIES(D, double, CUDA_R_64F)
TRIANGLE_ENTRIES(C, cuComplex, CUDA_C_32F)
TRIANGLE_ENTRIES(Z, cuDoubleComplex, CUDA_C_64F)

/* --- Bands and packed triangles --------------------------------------------------------------- */

/* How many diagonals of a triangle's k are below the main one, and above it. */
#define BELOW(fill, k) ((fill) == CUBLAS_FILL_MODE_UPPER ? 0 : (k))
#define ABOVE(fill, k) ((fill) == CUBLAS_FILL_MODE_UPPER ? (k) : 0)

#define STORED_ENTRIES(P, type, TYPE)                                                              \
    cublasStatus_t ENTRY(cublas##P##gbmv_v2)(cublasHandle_t handle, cublasOperation_t op, INT m,   \
                                             INT n, INT below, INT above, const type *alpha,       \
                                             const type *a, INT lda, const type *x, INT incx,      \
                                             const type *beta, type *y, INT incy)                  \
    {                                                                                              \
        return blas_stored_mv(handle,                                                              \
                              &(struct stored){TYPE, false, true, CUBLAS_FILL_MODE_FULL, op, 0, m, \
                                               n, below, above, a, lda},                           \
                              alpha, x, incx, beta, y, incy);                                      \
    }                                                                                              \
    BAND_ENTRY(cublas##P##tbmv_v2, false, type, TYPE)                                              \
    BAND_ENTRY(cublas##P##tbsv_v2, true, type, TYPE)                                               \
    PACKED_ENTRY(cublas##P##tpmv_v2, false, type, TYPE)                                            \
    PACKED_ENTRY(cublas##P##tpsv_v2, true, type, TYPE)

#define BAND_ENTRY(name, solve, type, TYPE)                                                        \
    cublasStatus_t ENTRY(name)(cublasHandle_t handle, cublasFillMode_t fill, cublasOperation_t op, \
                               cublasDiagType_t diagonal, INT n, INT k, const type *a, INT lda,    \
                               type *x, INT incx)                                                  \
    {                                                                                              \
        return blas_stored_triangle(handle,                                                        \
                                    &(struct stored){TYPE, false, false, fill, op, 0, n, n,        \
                                                     BELOW(fill, k), ABOVE(fill, k), a, lda},      \
                                    solve, diagonal, x, incx);                                     \
    }

#define PACKED_ENTRY(name, solve, type, TYPE)                                                      \
    cublasStatus_t ENTRY(name)(cublasHandle_t handle, cublasFillMode_t fill, cublasOperation_t op, \
                               cublasDiagType_t diagonal, INT n, const type *a, type *x, INT incx) \
    {                                                                                              \
        return blas_stored_triangle(                                                               \
            handle, &(struct stored){TYPE, true, false, fill, op, 0, n, n, 0, 0, a, 0}, solve,     \
            diagonal, x, incx);                                                                    \
    }

STORED_ENTRIES(S, float, CUDA_R_32F)
STORED_ENTRIES(D, double, CUDA_R_64F)
STORED_ENTRIES(C, cuComplex, CUDA_C_32F)
STORED_ENTRIES(Z, cuDoubleComplex, CUDA_C_64F)

#define MIRRORED_ENTRIES(P, sb, sp, flags, type, TYPE, real, REAL)                                 \
    cublasStatus_t ENTRY(cublas##P##sb##mv_v2)(                                                    \
        cublasHandle_t handle, cublasFillMode_t fill, INT n, INT k, const type *alpha,             \
        const type *a, INT lda, const type *x, INT incx, const type *beta, type *y, INT incy)      \
    {                                                                                              \
        return blas_stored_mv(handle,                                                              \
                              &(struct stored){TYPE, false, false, fill, CUBLAS_OP_N, flags, n, n, \
                                               BELOW(fill, k), ABOVE(fill, k), a, lda},            \
                              alpha, x, incx, beta, y, incy);                                      \
    }                                                                                              \
    cublasStatus_t ENTRY(cublas##P##sp##mv_v2)(                                                    \
        cublasHandle_t handle, cublasFillMode_t fill, INT n, const type *alpha, const type *a,     \
        const type *x, INT incx, const type *beta, type *y, INT incy)                              \
    {                                                                                              \
        return blas_stored_mv(                                                                     \
            handle,                                                                                \
            &(struct stored){TYPE, true, false, fill, CUBLAS_OP_N, flags, n, n, 0, 0, a, 0},       \
            alpha, x, incx, beta, y, incy);                                                        \
    }                                                                                              \
    cublasStatus_t ENTRY(cublas##P##sp##r_v2)(cublasHandle_t handle, cublasFillMode_t fill, INT n, \
                                              const real *alpha, const type *x, INT incx, type *a) \
    {                                                                                              \
        return blas_packed_rank(                                                                   \
            handle,                                                                                \
            &(struct stored){TYPE, true, false, fill, CUBLAS_OP_N, flags, n, n, 0, 0, a, 0},       \
            alpha, REAL, x, incx, NULL, 1);                                                        \
    }                                                                                              \
    cublasStatus_t ENTRY(cublas##P##sp##r2_v2)(cublasHandle_t handle, cublasFillMode_t fill,       \
                                               INT n, const type *alpha, const type *x, INT incx,  \
                                               const type *y, INT incy, type *a)                   \
    {                                                                                              \
        return blas_packed_rank(                                                                   \
            handle,                                                                                \
            &(struct stored){TYPE, true, false, fill, CUBLAS_OP_N, flags, n, n, 0, 0, a, 0},       \
            alpha, TYPE, x, incx, y, incy);                                                        \
    }

MIRRORED_ENTRIES(S, sb, sp, BLAS_MIRRORED, float, CUDA_R_32F, float, CUDA_R_32F)
MIRRORED_ENTRIES(D, sb, sp, BLAS_MIRRORED, double, CUDA_R_64F, double, CUDA_R_64F)
MIRRORED_ENTRIES(C, hb, hp, BLAS_MIRRORED | BLAS_HERMITIAN, cuComplex, CUDA_C_32F, float,
                 CUDA_R_32F)
MIRRORED_ENTRIES(Z, hb, hp, BLAS_MIRRORED | BLAS_HERMITIAN, cuDoubleComplex, CUDA_C_64F, double,
                 CUDA_R_64F)

/* --- Products --------------------------------------------------------------------------------- */

/* clang-format off */
#define GEMM_ENTRY(name, type, TYPE, COMPUTE)                                                  \
    cublasStatus_t ENTRY(name)(cublasHandle_t handle, cublasOperation_t op_a,                  \
                               cublasOperation_t op_b, INT m, INT n, INT k, const type *alpha, \
                               const type *a, INT lda, const type *b, INT ldb,                 \
                               const type *beta, type *c, INT ldc)                             \
    {                                                                                          \
        return blas_gemm(handle, &(struct gemm){#name, op_a, op_b, m, n, k, 1, alpha, beta,    \
                                                {a, TYPE, lda, 0}, {b, TYPE, ldb, 0},          \
                                                {c, TYPE, ldc, 0}, COMPUTE, false});           \
    }

#define GEMM_ENTRIES(name, P, type, TYPE, COMPUTE)                                             \
    GEMM_ENTRY(name, type, TYPE, COMPUTE)                                                      \
    cublasStatus_t ENTRY(cublas##P##gemmStridedBatched)(                                       \
        cublasHandle_t handle, cublasOperation_t op_a, cublasOperation_t op_b, INT m, INT n,   \
        INT k, const type *alpha, const type *a, INT lda, long long int stride_a,              \
        const type *b, INT ldb, long long int stride_b, const type *beta, type *c, INT ldc,    \
        long long int stride_c, INT batches)                                                   \
    {                                                                                          \
        return blas_gemm(handle, &(struct gemm){"cublas" #P "gemmStridedBatched", op_a, op_b,  \
                                                m, n, k, batches, alpha, beta,                 \
                                                {a, TYPE, lda, stride_a},                      \
                                                {b, TYPE, ldb, stride_b},                      \
                                                {c, TYPE, ldc, stride_c}, COMPUTE, false});    \
    }                                                                                          \
    cublasStatus_t ENTRY(cublas##P##gemmBatched)(                                              \
        cublasHandle_t handle, cublasOperation_t op_a, cublasOperation_t op_b, INT m, INT n,   \
        INT k, const type *alpha, const type *const a[], INT lda, const type *const b[],       \
        INT ldb, const type *beta, type *const c[], INT ldc, INT batches)                      \
    {                                                                                          \
        return blas_gemm(handle, &(struct gemm){"cublas" #P "gemmBatched", op_a, op_b, m, n,   \
                                                k, batches, alpha, beta, {a, TYPE, lda, 0},    \
                                                {b, TYPE, ldb, 0}, {c, TYPE, ldc, 0},          \
                                                COMPUTE, true});                               \
    }
/* clang-format on */

GEMM_ENTRIES(cublasSgemm_v2, S, float, CUDA_R_32F, CUBLAS_COMPUTE_32F)
GEMM_ENTRIES(cublasDgemm_v2, D, double, CUDA_R_64F, CUBLAS_COMPUTE_64F)
GEMM_ENTRIES(cublasHgemm, H, void, CUDA_R_16F, CUBLAS_COMPUTE_16F)
GEMM_ENTRIES(cublasCgemm_v2, C, cuComplex, CUDA_C_32F, CUBLAS_COMPUTE_32F)
GEMM_ENTRIES(cublasZgemm_v2, Z, cuDoubleComplex, CUDA_C_64F, CUBLAS_COMPUTE_64F)
/* With three products instead of four: the same, but faster and less exact. */
GEMM_ENTRY(cublasCgemm3m, cuComplex, CUDA_C_32F, CUBLAS_COMPUTE_32F)
GEMM_ENTRY(cublasZgemm3m, cuDoubleComplex, CUDA_C_64F, CUBLAS_COMPUTE_64F)

/* clang-format off */
#define GEMM_EX_ENTRY(name, type)                                                              \
    cublasStatus_t ENTRY(name)(cublasHandle_t handle, cublasOperation_t op_a,                  \
                               cublasOperation_t op_b, INT m, INT n, INT k, const type *alpha, \
                               const void *a, cudaDataType a_type, INT lda, const void *b,     \
                               cudaDataType b_type, INT ldb, const type *beta, void *c,        \
                               cudaDataType c_type, INT ldc)                                   \
    {                                                                                          \
        return blas_gemm(handle, &(struct gemm){#name, op_a, op_b, m, n, k, 1, alpha, beta,    \
                                                {a, a_type, lda, 0}, {b, b_type, ldb, 0},      \
                                                {c, c_type, ldc, 0}, CUBLAS_COMPUTE_32F,       \
                                                false});                                       \
    }

GEMM_EX_ENTRY(cublasSgemmEx, float)
GEMM_EX_ENTRY(cublasCgemmEx, cuComplex)
GEMM_EX_ENTRY(cublasCgemm3mEx, cuComplex)

cublasStatus_t ENTRY(cublasGemmEx)(cublasHandle_t handle, cublasOperation_t op_a,
                                   cublasOperation_t op_b, INT m, INT n, INT k,
                                   const void *alpha, const void *a, cudaDataType a_type, INT lda,
                                   const void *b, cudaDataType b_type, INT ldb, const void *beta,
                                   void *c, cudaDataType c_type, INT ldc,
                                   cublasComputeType_t compute, cublasGemmAlgo_t algo)
{
    (void)algo; /* a hint, as in the library since its GPUs have tensor cores */
    return blas_gemm(handle, &(struct gemm){"cublasGemmEx", op_a, op_b, m, n, k, 1, alpha, beta,
                                            {a, a_type, lda, 0}, {b, b_type, ldb, 0},
                                            {c, c_type, ldc, 0}, compute, false});
}

cublasStatus_t ENTRY(cublasGemmStridedBatchedEx)(
    cublasHandle_t handle, cublasOperation_t op_a, cublasOperation_t op_b, INT m, INT n, INT k,
    const void *alpha, const void *a, cudaDataType a_type, INT lda, long long int stride_a,
    const void *b, cudaDataType b_type, INT ldb, long long int stride_b, const void *beta, void *c,
    cudaDataType c_type, INT ldc, long long int stride_c, INT batches, cublasComputeType_t compute,
    cublasGemmAlgo_t algo)
{
    (void)algo;
    return blas_gemm(handle, &(struct gemm){"cublasGemmStridedBatchedEx", op_a, op_b, m, n, k,
                                            batches, alpha, beta, {a, a_type, lda, stride_a},
                                            {b, b_type, ldb, stride_b},
                                            {c, c_type, ldc, stride_c}, compute, false});
}

cublasStatus_t ENTRY(cublasGemmBatchedEx)(
    cublasHandle_t handle, cublasOperation_t op_a, cublasOperation_t op_b, INT m, INT n, INT k,
    const void *alpha, const void *const a[], cudaDataType a_type, INT lda, const void *const b[],
    cudaDataType b_type, INT ldb, const void *beta, void *const c[], cudaDataType c_type, INT ldc,
    INT batches, cublasComputeType_t compute, cublasGemmAlgo_t algo)
{
    (void)algo;
    return blas_gemm(handle, &(struct gemm){"cublasGemmBatchedEx", op_a, op_b, m, n, k, batches,
                                            alpha, beta, {a, a_type, lda, 0}, {b, b_type, ldb, 0},
                                            {c, c_type, ldc, 0}, compute, true});
}
/* clang-format on */

/* Groups of products, each with its own sizes: the arrays of pointers follow each other. */
#if CUBLAS_VERSION >= 120400
static cublasStatus_t ENTRY(grouped)(cublasHandle_t handle, const struct gemm *like,
                                     const cublasOperation_t op_a[], const cublasOperation_t op_b[],
                                     const INT m[], const INT n[], const INT k[], const INT lda[],
                                     const INT ldb[], const INT ldc[], size_t scale_bytes,
                                     INT groups, const INT sizes[])
{
    cublasStatus_t status = CUBLAS_STATUS_SUCCESS;
    const void *const *a = like->a.at, *const *b = like->b.at, *const *c = like->c.at;
    for (INT i = 0; i < groups && status == CUBLAS_STATUS_SUCCESS; i++) {
        size_t offset = (size_t)i * scale_bytes;
        status = blas_gemm(handle, &(struct gemm){like->function,
                                                  op_a[i],
                                                  op_b[i],
                                                  m[i],
                                                  n[i],
                                                  k[i],
                                                  sizes[i],
                                                  (const char *)like->alpha + offset,
                                                  (const char *)like->beta + offset,
                                                  {a, like->a.type, lda[i], 0},
                                                  {b, like->b.type, ldb[i], 0},
                                                  {c, like->c.type, ldc[i], 0},
                                                  like->compute,
                                                  true});
        a += sizes[i];
        b += sizes[i];
        c += sizes[i];
    }
    return status;
}

#define GROUPED_ENTRY(P, type, TYPE, COMPUTE)                                                   \
    cublasStatus_t ENTRY(cublas##P##gemmGroupedBatched)(                                        \
        cublasHandle_t handle, const cublasOperation_t op_a[], const cublasOperation_t op_b[],  \
        const INT m[], const INT n[], const INT k[], const type alpha[], const type *const a[], \
        const INT lda[], const type *const b[], const INT ldb[], const type beta[],             \
        type *const c[], const INT ldc[], INT groups, const INT sizes[])                        \
    {                                                                                           \
        struct gemm like = {.function = "cublas" #P "gemmGroupedBatched",                       \
                            .alpha = alpha,                                                     \
                            .beta = beta,                                                       \
                            .a = {a, TYPE, 0, 0},                                               \
                            .b = {b, TYPE, 0, 0},                                               \
                            .c = {c, TYPE, 0, 0},                                               \
                            .compute = COMPUTE};                                                \
        return ENTRY(grouped)(handle, &like, op_a, op_b, m, n, k, lda, ldb, ldc, sizeof *alpha, \
                              groups, sizes);                                                   \
    }

GROUPED_ENTRY(S, float, CUDA_R_32F, CUBLAS_COMPUTE_32F)
GROUPED_ENTRY(D, double, CUDA_R_64F, CUBLAS_COMPUTE_64F)
#undef GROUPED_ENTRY
#endif

#if CUBLAS_VERSION >= 120500
cublasStatus_t ENTRY(cublasGemmGroupedBatchedEx)(
    cublasHandle_t handle, const cublasOperation_t op_a[], const cublasOperation_t op_b[],
    const INT m[], const INT n[], const INT k[], const void *alpha, const void *const a[],
    cudaDataType a_type, const INT lda[], const void *const b[], cudaDataType b_type,
    const INT ldb[], const void *beta, void *const c[], cudaDataType c_type, const INT ldc[],
    INT groups, const INT sizes[], cublasComputeType_t compute)
{
    struct gemm like = {.function = "cublasGemmGroupedBatchedEx",
                        .alpha = alpha,
                        .beta = beta,
                        .a = {a, a_type, 0, 0},
                        .b = {b, b_type, 0, 0},
                        .c = {c, c_type, 0, 0},
                        .compute = compute};
    size_t scale_bytes = compute == CUBLAS_COMPUTE_64F ? sizeof(double) : sizeof(float);
    return ENTRY(grouped)(handle, &like, op_a, op_b, m, n, k, lda, ldb, ldc, scale_bytes, groups,
                          sizes);
}
#endif

/* --- Between host and device ------------------------------------------------------------------ */

cublasStatus_t ENTRY(cublasSetVector)(INT n, INT bytes, const void *x, INT incx, void *y, INT incy)
{
    return blas_transfer(1, n, bytes, x, incx, y, incy, cudaMemcpyHostToDevice);
}

cublasStatus_t ENTRY(cublasGetVector)(INT n, INT bytes, const void *x, INT incx, void *y, INT incy)
{
    return blas_transfer(1, n, bytes, x, incx, y, incy, cudaMemcpyDeviceToHost);
}

cublasStatus_t ENTRY(cublasSetMatrix)(INT rows, INT columns, INT bytes, const void *a, INT lda,
                                      void *b, INT ldb)
{
    return blas_transfer(rows, columns, bytes, a, lda, b, ldb, cudaMemcpyHostToDevice);
}

cublasStatus_t ENTRY(cublasGetMatrix)(INT rows, INT columns, INT bytes, const void *a, INT lda,
                                      void *b, INT ldb)
{
    return blas_transfer(rows, columns, bytes, a, lda, b, ldb, cudaMemcpyDeviceToHost);
}

cublasStatus_t ENTRY(cublasSetVectorAsync)(INT n, INT bytes, const void *x, INT incx, void *y,
                                           INT incy, cudaStream_t stream)
{
    return blas_transfer_async(1, n, bytes, x, incx, y, incy, cudaMemcpyHostToDevice, stream);
}

cublasStatus_t ENTRY(cublasGetVectorAsync)(INT n, INT bytes, const void *x, INT incx, void *y,
                                           INT incy, cudaStream_t stream)
{
    return blas_transfer_async(1, n, bytes, x, incx, y, incy, cudaMemcpyDeviceToHost, stream);
}

cublasStatus_t ENTRY(cublasSetMatrixAsync)(INT rows, INT columns, INT bytes, const void *a, INT lda,
                                           void *b, INT ldb, cudaStream_t stream)
{
    return blas_transfer_async(rows, columns, bytes, a, lda, b, ldb, cudaMemcpyHostToDevice,
                               stream);
}

cublasStatus_t ENTRY(cublasGetMatrixAsync)(INT rows, INT columns, INT bytes, const void *a, INT lda,
                                           void *b, INT ldb, cudaStream_t stream)
{
    return blas_transfer_async(rows, columns, bytes, a, lda, b, ldb, cudaMemcpyDeviceToHost,
                               stream);
}

#undef VECTOR_ENTRIES
#undef ROT_ENTRY
#undef ROTM_ENTRY
#undef REAL_SCALE_ENTRY
#undef DOT_ENTRY
#undef NORM_ENTRY
#undef INDEX_ENTRY
#undef DOT_EX_ENTRY
#undef MOVE_EX_ENTRY
#undef GEMV_ENTRY
#undef GEMV_BATCH_ENTRIES
#undef MATRIX_ENTRIES
#undef GER_ENTRY
#undef RANK_ENTRIES
#undef RANK_EX_ENTRY
#undef SYMMETRIC_ENTRIES
#undef TRIANGLE_ENTRIES
#undef BELOW
#undef ABOVE
#undef STORED_ENTRIES
#undef BAND_ENTRY
#undef PACKED_ENTRY
#undef MIRRORED_ENTRIES
#undef GEMM_EX_ENTRY
#undef GEMM_ENTRY
#undef GEMM_ENTRIES
