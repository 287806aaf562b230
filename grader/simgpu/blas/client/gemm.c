/* gemm.c - products: C = alpha op(A) op(B) + beta C, one, or a batch with strides or pointers.
 *
 * They work like cuBLASLt's, except that the library chooses the algorithm: it asks the device once
 * for each shape, and keeps the answer in the handle.
 */
#include "handle.h"

#include <stdio.h>
#include <string.h>

enum { MOST_BATCHES = 1 << 16 /* in one request */, MOST_ALIGNMENT = 16 };

/* As the documentation lists them. */
static cublasStatus_t check(cublasHandle_t handle, const struct gemm *gemm)
{
    if (!blas_handle_is_sound(handle))
        return CUBLAS_STATUS_NOT_INITIALIZED;
    int64_t a_rows = gemm->op_a == CUBLAS_OP_N ? gemm->m : gemm->k;
    int64_t b_rows = gemm->op_b == CUBLAS_OP_N ? gemm->k : gemm->n;
    bool sound = blas_is_operation(gemm->op_a) && blas_is_operation(gemm->op_b) && gemm->m >= 0 &&
                 gemm->n >= 0 && gemm->k >= 0 && gemm->batches >= 0 &&
                 blas_is_leading(gemm->a.ld, a_rows) && blas_is_leading(gemm->b.ld, b_rows) &&
                 blas_is_leading(gemm->c.ld, gemm->m) && gemm->alpha && gemm->beta;
    return sound ? CUBLAS_STATUS_SUCCESS : CUBLAS_STATUS_INVALID_VALUE;
}

static bool is_complex(cudaDataType type)
{
    return type == CUDA_C_32F || type == CUDA_C_64F;
}

/* Complex matrices are scaled by complex numbers. */
static cudaDataType scale_type(const struct gemm *gemm)
{
    if (is_complex(gemm->c.type))
        return gemm->c.type;
    switch ((int)gemm->compute) {
    case MATMUL_COMPUTE_16F:
    case MATMUL_COMPUTE_16F_PEDANTIC: return CUDA_R_16F;
    case MATMUL_COMPUTE_32I:
    case MATMUL_COMPUTE_32I_PEDANTIC: return CUDA_R_32I;
    case MATMUL_COMPUTE_64F:
    case MATMUL_COMPUTE_64F_PEDANTIC: return CUDA_R_64F;
    default: return CUDA_R_32F;
    }
}

/* The math mode applies to products in single precision. Emulated arithmetic is as exact as what it
 * replaces. */
static uint32_t compute_of(const struct cublasContext *handle, const struct gemm *gemm)
{
    enum { EMULATED_32F = 78, EMULATED_64F = 79 };
    int compute = (int)gemm->compute;
    if (compute == EMULATED_32F)
        return MATMUL_COMPUTE_32F;
    if (compute == EMULATED_64F)
        return MATMUL_COMPUTE_64F;
    if (compute != CUBLAS_COMPUTE_32F || gemm->a.type != CUDA_R_32F)
        return (uint32_t)compute;
    switch ((int)handle->math_mode & ~CUBLAS_MATH_DISALLOW_REDUCED_PRECISION_REDUCTION) {
    case CUBLAS_TF32_TENSOR_OP_MATH: return MATMUL_COMPUTE_32F_FAST_TF32;
    case CUBLAS_TENSOR_OP_MATH: return MATMUL_COMPUTE_32F_FAST_16F;
    case CUBLAS_PEDANTIC_MATH: return MATMUL_COMPUTE_32F_PEDANTIC;
    default: return MATMUL_COMPUTE_32F;
    }
}

static struct matmul_matrix matrix_of(const struct gemm_matrix *matrix, int64_t rows,
                                      int64_t columns)
{
    return (struct matmul_matrix){.rows = (uint64_t)rows,
                                  .columns = (uint64_t)columns,
                                  .ld = matrix->ld,
                                  .batch_stride = matrix->stride,
                                  .type = (uint32_t)matrix->type};
}

static enum matmul_transpose transpose_of(cublasOperation_t op)
{
    return op == CUBLAS_OP_C ? MATMUL_CONJUGATE : MATMUL_TRANSPOSED;
}

/* Without a product, A and B are a column and a row that are never read. */
static struct matmul_problem problem_of(const struct cublasContext *handle, const struct gemm *gemm,
                                        bool product)
{
    bool turn_a = product && gemm->op_a != CUBLAS_OP_N;
    bool turn_b = product && gemm->op_b != CUBLAS_OP_N;
    int64_t k = product ? gemm->k : 1;
    struct matmul_problem problem = {
        .a = matrix_of(&gemm->a, turn_a ? k : gemm->m, turn_a ? gemm->m : k),
        .b = matrix_of(&gemm->b, turn_b ? gemm->n : k, turn_b ? k : gemm->n),
        .c = matrix_of(&gemm->c, gemm->m, gemm->n),
        .compute = compute_of(handle, gemm),
        .scale_type = (uint32_t)scale_type(gemm),
        .epilogue = MATMUL_EPILOGUE_DEFAULT,
        .transpose_a = turn_a ? transpose_of(gemm->op_a) : MATMUL_AS_IT_IS,
        .transpose_b = turn_b ? transpose_of(gemm->op_b) : MATMUL_AS_IT_IS,
        .bias_type = (uint32_t)gemm->c.type,
        .aux_type = (uint32_t)gemm->c.type};
    if (!product) {
        problem.a.ld = gemm->m;
        problem.b.ld = 1;
        problem.a.batch_stride = problem.b.batch_stride = 0;
    }
    problem.d = problem.c;
    return problem;
}

/* --- The algorithm ---------------------------------------------------------------------------- */

/* Arrays of pointers lie on the device: their pointers are taken to be aligned. */
static uint32_t alignment_of(const struct gemm *gemm, const void *pointer)
{
    uint64_t address = blas_address(pointer) | MOST_ALIGNMENT;
    return gemm->arrays ? MOST_ALIGNMENT : (uint32_t)(address & -address);
}

static struct plan *plan_for(struct cublasContext *handle, const struct matmul_search *search)
{
    const unsigned char *bytes = (const unsigned char *)search;
    uint32_t hash = 2166136261u;
    for (size_t i = 0; i < sizeof *search; i++)
        hash = (hash ^ bytes[i]) * 16777619u;
    return &handle->plans[(hash ^ hash >> 16) % PLANS];
}

static cublasStatus_t choose(struct cublasContext *handle, const struct gemm *gemm,
                             struct matmul_call *call)
{
    struct matmul_search search = {.problem = call->problem,
                                   .workspace_bytes = handle->workspace_bytes,
                                   .implementations = UINT64_MAX,
                                   .alignment_a = alignment_of(gemm, gemm->a.at),
                                   .alignment_b = alignment_of(gemm, gemm->b.at),
                                   .alignment_c = alignment_of(gemm, gemm->c.at),
                                   .alignment_d = alignment_of(gemm, gemm->c.at),
                                   .reductions = MATMUL_REDUCTION_ALL,
                                   .wanted = 1,
                                   .by_library = 1};
    struct plan *plan = plan_for(handle, &search);
    if (!plan->known || memcmp(&plan->search, &search, sizeof search) != 0) {
        struct call ask = {.request = {.kind = REQUEST_MATMUL_SEARCH}, .fd = -1};
        ask.payload = &search;
        ask.payload_bytes = sizeof search;
        ask.answer = &plan->found;
        ask.answer_room = sizeof plan->found;
        plan->known = false;
        cudaError_t error = simgpu_extension()->perform(&ask);
        if (error != cudaSuccess && error != cudaErrorInvalidValue)
            return status_of_error(error);
        if (error != cudaSuccess || ask.answer_bytes != sizeof plan->found)
            return CUBLAS_STATUS_NOT_SUPPORTED;
        plan->search = search;
        plan->known = true;
    }
    memcpy(call->algo, plan->found.algo, sizeof call->algo);
    call->at.workspace = blas_address(handle->workspace);
    call->at.workspace_bytes = handle->workspace_bytes;
    return CUBLAS_STATUS_SUCCESS;
}

/* --- The call --------------------------------------------------------------------------------- */

static uint64_t advanced(const struct gemm *gemm, const struct gemm_matrix *matrix, int64_t batch)
{
    uint64_t step = gemm->arrays
                        ? sizeof(void *)
                        : (uint64_t)matrix->stride * matmul_type_bytes((uint32_t)matrix->type);
    return blas_address(matrix->at) + (uint64_t)batch * step;
}

/* As many matrices of the batch as go into one request, starting with that one. */
static cublasStatus_t run_some(cublasHandle_t handle, const struct gemm *gemm,
                               struct matmul_call *call, bool product, int64_t first)
{
    int64_t left = gemm->batches - first;
    call->problem.batch_count = (uint32_t)(left < MOST_BATCHES ? left : MOST_BATCHES);
    call->at.a = product ? advanced(gemm, &gemm->a, first) : 0;
    call->at.b = product ? advanced(gemm, &gemm->b, first) : 0;
    call->at.c = call->at.d = advanced(gemm, &gemm->c, first);
    cublasStatus_t status = choose(handle, gemm, call);
    if (status == CUBLAS_STATUS_NOT_SUPPORTED) {
        char what[160];
        snprintf(what, sizeof what,
                 "%s with these types or sizes (types %d, %d, %d, compute "
                 "type %d)",
                 gemm->function, (int)gemm->a.type, (int)gemm->b.type, (int)gemm->c.type,
                 (int)gemm->compute);
        return blas_unsupported(what);
    }
    return status == CUBLAS_STATUS_SUCCESS ? blas_queue(handle, REQUEST_MATMUL, call, sizeof *call)
                                           : status;
}

cublasStatus_t blas_gemm(cublasHandle_t handle, const struct gemm *gemm)
{
    cublasStatus_t status = check(handle, gemm);
    if (status != CUBLAS_STATUS_SUCCESS || gemm->m == 0 || gemm->n == 0 || gemm->batches == 0)
        return status;
    struct blas_scalar alpha = blas_scalar_of(handle, gemm->alpha, scale_type(gemm));
    struct blas_scalar beta = blas_scalar_of(handle, gemm->beta, scale_type(gemm));
    bool on_device = handle->pointer_mode == CUBLAS_POINTER_MODE_DEVICE;
    bool product = gemm->k > 0 && (on_device || alpha.value != 0 || alpha.imaginary != 0);
    if (!gemm->c.at || (product && (!gemm->a.at || !gemm->b.at)))
        return CUBLAS_STATUS_INVALID_VALUE;
    struct matmul_call call = {.problem = problem_of(handle, gemm, product),
                               .by_cublas = 1,
                               .pointer_arrays = gemm->arrays,
                               .scale_place = on_device ? MATMUL_SCALE_DEVICE : MATMUL_SCALE_HOST,
                               .alpha = alpha.value,
                               .alpha_imaginary = alpha.imaginary,
                               .alpha_address = alpha.address,
                               .beta = beta.value,
                               .beta_imaginary = beta.imaginary,
                               .beta_address = beta.address};
    for (int64_t first = 0; first < gemm->batches && status == CUBLAS_STATUS_SUCCESS;
         first += MOST_BATCHES)
        status = run_some(handle, gemm, &call, product, first);
    return status;
}
