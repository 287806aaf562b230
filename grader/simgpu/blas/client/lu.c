/* lu.c - batches of small matrices: their LU factors, and the solution of systems and inverses by
 * these. Matrices are copied to the host one after another, computed in double and rounded once;
 * the profile shows no launch for them. */
#include "handle.h"

#include <complex.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum lu_task { LU_FACTOR, LU_SOLVE, LU_INVERT, LU_INVERT_ALONE /* no factors are given */ };

enum { MOST_ALONE = 32 };

struct lu_call {
    const char *function; /* for messages */
    enum lu_task task;
    cudaDataType type;
    cublasOperation_t op;
    int n, columns, lda, ldb, count; /* of A: n x n; of B, which may become inv(A): n x columns */
    const void *a, *b;               /* arrays of pointers, on the device; b may be NULL */
    int *pivots;                     /* n for each, on the device; NULL: rows stay where they are */
    int *info;                       /* one for each, on the device; LU_SOLVE has none */
};

/* What a batch needs on the host. */
struct lu_memory {
    char **a, **b;
    int *pivots, *info;
    char *raw;              /* elements on their way */
    double *factors, *side; /* column by column, with no gaps */
};

/* --- One matrix ------------------------------------------------------------------------------- */

#define NUMBER double
#define NUMBERS(name) name
#define SIZE_OF(number) fabs(number)
#include "lu_numbers.h"
#undef NUMBER
#undef NUMBERS
#undef SIZE_OF

#define NUMBER double complex
#define NUMBERS(name) name##_complex
#define SIZE_OF(number) (fabs(creal(number)) + fabs(cimag(number)))
#include "lu_numbers.h"

static bool is_complex(const struct lu_call *call)
{
    return call->type == CUDA_C_32F || call->type == CUDA_C_64F;
}

/* Doubles in a number. */
static size_t parts_of(const struct lu_call *call)
{
    return is_complex(call) ? 2 : 1;
}

/* Bytes of such a part, in the matrices of the program. */
static size_t part_bytes(const struct lu_call *call)
{
    return call->type == CUDA_R_64F || call->type == CUDA_C_64F ? sizeof(double) : sizeof(float);
}

static int factor_one(const struct lu_call *call, double *lu, int *pivots)
{
    size_t n = (size_t)call->n;
    return is_complex(call) ? factor_complex((double complex *)lu, n, pivots)
                            : factor(lu, n, pivots);
}

static int zero_in(const struct lu_call *call, const double *lu)
{
    size_t n = (size_t)call->n;
    return is_complex(call) ? zero_on_diagonal_complex((const double complex *)lu, n)
                            : zero_on_diagonal(lu, n);
}

/* The conjugate of what solves the transposed system for the conjugate of v. */
static void solve_conjugate(const double complex *lu, size_t n, const int *pivots,
                            double complex *v)
{
    for (size_t i = 0; i < n; i++)
        v[i] = conj(v[i]);
    solve_turned_complex(lu, n, pivots, v);
    for (size_t i = 0; i < n; i++)
        v[i] = conj(v[i]);
}

static void solve_column(const struct lu_call *call, const double *lu, const int *pivots,
                         double *side, size_t column)
{
    size_t n = (size_t)call->n;
    double *v = side + column * n * parts_of(call);
    if (!is_complex(call))
        (call->op == CUBLAS_OP_N ? solve : solve_turned)(lu, n, pivots, v);
    else
        (call->op == CUBLAS_OP_N ? solve_complex
         : call->op == CUBLAS_OP_T
             ? solve_turned_complex
             : solve_conjugate)((const double complex *)lu, n, pivots, (double complex *)v);
}

/* --- Between host and device ------------------------------------------------------------------ */

/* Copies in stream order. One side is ordinary memory, so the copy itself waits. */
static cudaError_t move(cublasHandle_t handle, void *to, size_t to_pitch, const void *from,
                        size_t from_pitch, size_t bytes, size_t columns)
{
    return cudaMemcpy2DAsync(to, to_pitch, from, from_pitch, bytes, columns, cudaMemcpyDefault,
                             handle->stream);
}

static cudaError_t move_array(cublasHandle_t handle, void *to, const void *from, size_t bytes)
{
    return move(handle, to, bytes, from, bytes, bytes, 1);
}

static cudaError_t fetch(cublasHandle_t handle, const struct lu_call *call, char *raw,
                         const char *from, int ld, int columns, double *to)
{
    size_t part = part_bytes(call), size = part * parts_of(call), n = (size_t)call->n;
    cudaError_t error =
        move(handle, raw, n * size, from, (size_t)ld * size, n * size, (size_t)columns);
    for (size_t i = 0; error == cudaSuccess && i < n * (size_t)columns * parts_of(call); i++)
        to[i] = blas_value(raw + i * part, call->type);
    return error;
}

static cudaError_t deliver(cublasHandle_t handle, const struct lu_call *call, char *raw, char *to,
                           int ld, int columns, const double *from)
{
    size_t part = part_bytes(call), size = part * parts_of(call), n = (size_t)call->n;
    for (size_t i = 0; i < n * (size_t)columns * parts_of(call); i++) {
        float narrow = (float)from[i];
        memcpy(raw + i * part, part == sizeof from[i] ? (const void *)&from[i] : &narrow, part);
    }
    return move(handle, to, (size_t)ld * size, raw, n * size, n * size, (size_t)columns);
}

/* --- A batch ---------------------------------------------------------------------------------- */

/* What is done to matrix i. */
static cudaError_t work_on(cublasHandle_t handle, const struct lu_call *call,
                           struct lu_memory *memory, size_t i)
{
    size_t n = (size_t)call->n, parts = parts_of(call);
    double *lu = memory->factors;
    int *pivots = call->pivots || call->task == LU_INVERT_ALONE ? memory->pivots + i * n : NULL;
    cudaError_t error = fetch(handle, call, memory->raw, memory->a[i], call->lda, call->n, lu);
    if (error != cudaSuccess)
        return error;
    memory->info[i] = call->task == LU_FACTOR || call->task == LU_INVERT_ALONE
                          ? factor_one(call, lu, pivots)
                          : zero_in(call, lu);
    if (call->task == LU_FACTOR)
        return deliver(handle, call, memory->raw, memory->a[i], call->lda, call->n, lu);
    if (call->task == LU_SOLVE)
        error =
            fetch(handle, call, memory->raw, memory->b[i], call->ldb, call->columns, memory->side);
    else if (memory->info[i]) /* there is no inverse */
        return cudaSuccess;
    else
        for (size_t at = 0; at < n * n * parts; at++)
            memory->side[at] = at % ((n + 1) * parts) == 0;
    for (size_t column = 0; column < (size_t)call->columns; column++)
        solve_column(call, lu, pivots, memory->side, column);
    return error != cudaSuccess ? error
                                : deliver(handle, call, memory->raw, memory->b[i], call->ldb,
                                          call->columns, memory->side);
}

static cudaError_t run(cublasHandle_t handle, const struct lu_call *call, struct lu_memory *memory)
{
    size_t count = (size_t)call->count, n = (size_t)call->n;
    bool reads_pivots = call->pivots && call->task != LU_FACTOR;
    cudaError_t error = move_array(handle, memory->a, call->a, count * sizeof *memory->a);
    if (error == cudaSuccess && call->b)
        error = move_array(handle, memory->b, call->b, count * sizeof *memory->b);
    if (error == cudaSuccess && reads_pivots)
        error = move_array(handle, memory->pivots, call->pivots, count * n * sizeof(int));
    for (size_t i = 0; error == cudaSuccess && i < count; i++)
        error = work_on(handle, call, memory, i);
    if (error == cudaSuccess && call->pivots && !reads_pivots)
        error = move_array(handle, call->pivots, memory->pivots, count * n * sizeof(int));
    if (error == cudaSuccess && call->info)
        error = move_array(handle, call->info, memory->info, count * sizeof(int));
    return error;
}

static bool is_sound(const struct lu_call *call)
{
    int least = call->n < 1 ? 1 : call->n;
    return call->n >= 0 && call->columns >= 0 && call->count >= 0 && call->lda >= least &&
           (call->task == LU_FACTOR || (call->ldb >= least && call->b)) && call->a &&
           (call->task == LU_SOLVE || call->info) &&
           (call->task != LU_INVERT_ALONE || call->n <= MOST_ALONE) && blas_is_operation(call->op);
}

static cublasStatus_t run_with_memory(cublasHandle_t handle, const struct lu_call *call)
{
    size_t n = (size_t)call->n, count = (size_t)call->count;
    size_t columns = call->n > call->columns ? n : (size_t)call->columns;
    size_t bytes = parts_of(call) * sizeof(double);
    struct lu_memory memory = {.a = malloc(count * sizeof *memory.a),
                               .b = malloc(count * sizeof *memory.b),
                               .pivots = malloc(count * n * sizeof(int)),
                               .info = malloc(count * sizeof(int)),
                               .raw = malloc(n * columns * bytes),
                               .factors = malloc(n * n * bytes),
                               .side = malloc(n * columns * bytes)};
    bool fits = memory.a && memory.b && memory.pivots && memory.info && memory.raw &&
                memory.factors && memory.side;
    cublasStatus_t status =
        fits ? status_of_error(run(handle, call, &memory)) : CUBLAS_STATUS_ALLOC_FAILED;
    free(memory.a);
    free(memory.b);
    free(memory.pivots);
    free(memory.info);
    free(memory.raw);
    free(memory.factors);
    free(memory.side);
    return status;
}

static cublasStatus_t batch(cublasHandle_t handle, const struct lu_call *call)
{
    if (!blas_handle_is_sound(handle))
        return CUBLAS_STATUS_NOT_INITIALIZED;
    if (!is_sound(call))
        return CUBLAS_STATUS_INVALID_VALUE;
    cublasStatus_t status = blas_check_no_capture(handle, call->function);
    if (status != CUBLAS_STATUS_SUCCESS)
        return status;
    if (call->n == 0 || call->columns == 0 || call->count == 0)
        return CUBLAS_STATUS_SUCCESS;
    return run_with_memory(handle, call);
}

/* --- Names ------------------------------------------------------------------------------------ */

#define LU_ENTRIES(P, T, TYPE)                                                                     \
    cublasStatus_t cublas##P##getrfBatched(cublasHandle_t handle, int n, T *const a[], int lda,    \
                                           int *pivots, int *info, int count)                      \
    {                                                                                              \
        return batch(handle, &(struct lu_call){__func__, LU_FACTOR, TYPE, CUBLAS_OP_N, n, n, lda,  \
                                               0, count, a, NULL, pivots, info});                  \
    }                                                                                              \
    cublasStatus_t cublas##P##getrsBatched(                                                        \
        cublasHandle_t handle, cublasOperation_t op, int n, int columns, const T *const a[],       \
        int lda, const int *pivots, T *const b[], int ldb, int *info, int count)                   \
    {                                                                                              \
        cublasStatus_t status =                                                                    \
            batch(handle, &(struct lu_call){__func__, LU_SOLVE, TYPE, op, n, columns, lda, ldb,    \
                                            count, a, b, (int *)pivots, NULL});                    \
        if (info && status == CUBLAS_STATUS_SUCCESS)                                               \
            *info = 0; /* on the host */                                                           \
        return status;                                                                             \
    }                                                                                              \
    cublasStatus_t cublas##P##getriBatched(cublasHandle_t handle, int n, const T *const a[],       \
                                           int lda, const int *pivots, T *const c[], int ldc,      \
                                           int *info, int count)                                   \
    {                                                                                              \
        return batch(handle, &(struct lu_call){__func__, LU_INVERT, TYPE, CUBLAS_OP_N, n, n, lda,  \
                                               ldc, count, a, c, (int *)pivots, info});            \
    }                                                                                              \
    cublasStatus_t cublas##P##matinvBatched(cublasHandle_t handle, int n, const T *const a[],      \
                                            int lda, T *const inverse[], int ld, int *info,        \
                                            int count)                                             \
    {                                                                                              \
        return batch(handle, &(struct lu_call){__func__, LU_INVERT_ALONE, TYPE, CUBLAS_OP_N, n, n, \
                                               lda, ld, count, a, inverse, NULL, info});           \
    }
LU_ENTRIES(S, float, CUDA_R_32F)
LU_ENTRIES(D, double, CUDA_R_64F)
LU_ENTRIES(C, cuComplex, CUDA_C_32F)
LU_ENTRIES(Z, cuDoubleComplex, CUDA_C_64F)
