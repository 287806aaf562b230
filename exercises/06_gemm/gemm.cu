// Lesson 6, the production GEMM. First `make notes`, and read build/notes/06_gemm.html.
// What the functions must do: common/contracts/06_gemm.h; given: common/lt_matmul.h, plan_file.h
// Judge it with: make check-lesson6        Stuck? make hint-lesson6
#include "lt_matmul.h"
#include "plan_file.h"

// quest: begin
// TODO: ask once, run often. Give the context the workspace and a table of plans (what lt_describe
// made, and the algorithm), looked up by a key of everything that the answer depends on; save the
// keys and algorithms, and load them again. Roughly 120 lines.
//
// As it is, every call starts from nothing: a description, a question to the library, a workspace,
// and all of it thrown away again.

struct lesson6_context {
    cublasLtHandle_t handle;
    size_t workspace_bytes;
};

cudaError_t lesson6_create(struct lesson6_context **made, void *workspace, size_t workspace_bytes)
{
    if (!made || (!workspace && workspace_bytes))
        return cudaErrorInvalidValue;
    *made = (struct lesson6_context *)calloc(1, sizeof **made);
    if (!*made)
        return cudaErrorMemoryAllocation;
    (*made)->workspace_bytes = workspace_bytes;
    cudaError_t error = lt_error(cublasLtCreate(&(*made)->handle));
    if (error != cudaSuccess) {
        free(*made);
        *made = NULL;
    }
    return error;
}

cudaError_t lesson6_destroy(struct lesson6_context *context)
{
    if (!context)
        return cudaErrorInvalidValue;
    cublasLtDestroy(context->handle);
    free(context);
    return cudaSuccess;
}

// The library's first guess, in a workspace that is made for it.
static cudaError_t ask_and_run(cublasLtHandle_t handle, struct lt_matmul *matmul,
                               const struct lt_promise *promise, struct lt_places *at,
                               cudaStream_t stream)
{
    cublasLtMatmulHeuristicResult_t result;
    int found;
    cudaError_t error = lt_candidates(handle, matmul, promise, 1, &result, &found);
    if (error == cudaSuccess && result.workspaceSize > 0)
        error = cudaMallocAsync(&at->workspace, result.workspaceSize, stream);
    at->workspace_bytes = result.workspaceSize;
    if (error == cudaSuccess)
        error = lt_run(handle, matmul, &result.algo, at, stream);
    if (at->workspace)
        cudaFreeAsync(at->workspace, stream);
    return error;
}

cudaError_t lesson6_gemm(struct lesson6_context *context, enum lesson6_type type, const void *A,
                         const void *B, const void *bias, void *Y, const struct quest_gemm *gemm,
                         cudaStream_t stream)
{
    if (!context || !lt_is_askable(A, B, bias, Y, gemm))
        return cudaErrorInvalidValue;
    struct lt_matmul matmul;
    struct lt_places at = {A, B, bias, Y, NULL, 0};
    uint32_t align_y = lt_alignment(Y), align_bias = lt_alignment(bias);
    struct lt_promise promise = {context->workspace_bytes, lt_alignment(A), lt_alignment(B),
                                 align_y < align_bias ? align_y : align_bias};
    cudaError_t error = lt_describe(&matmul, type, gemm, lt_packed(gemm));
    if (error != cudaSuccess)
        return error;
    error = ask_and_run(context->handle, &matmul, &promise, &at, stream);
    lt_forget(&matmul);
    return error;
}

cudaError_t lesson6_save(struct lesson6_context *context, const char *path)
{
    return context && path ? plan_file_write(path, "", 0) : cudaErrorInvalidValue;
}

cudaError_t lesson6_load(struct lesson6_context *context, const char *path)
{
    void *bytes;
    size_t count;
    if (!context || !path || plan_file_read(path, &bytes, &count) != cudaSuccess)
        return cudaErrorInvalidValue;
    free(bytes); // nothing is known, so there is nothing to learn from it
    return cudaSuccess;
}
// quest: end
