// Lesson 6, the production GEMM. Read lessons/06_gemm/notes.md first.
// What the functions must do: common/contracts/06_gemm.h; cuBLASLt's calls: common/lt_matmul.h
// Judge it with: make check-lesson6        Stuck? make hint-lesson6
#include "lt_matmul.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// What the contract lets a caller ask for.
static bool is_askable(const void *A, const void *B, const void *bias, const void *Y,
                       const struct quest_gemm *gemm)
{
    if (!A || !B || !Y || !gemm || gemm->m < 1 || gemm->n < 1 || gemm->k < 1 || gemm->save_z)
        return false;
    bool is_fused = gemm->activation == QUEST_ACT_NONE || gemm->activation == QUEST_ACT_RELU ||
                    gemm->activation == QUEST_ACT_GELU_TANH;
    return is_fused && gemm->with_bias == (bias != NULL);
}

// Plans are worth something to the library and the device they were made with, and to no others.
static cudaError_t stamp_here(struct lesson6_stamp *stamp, const void *bytes, size_t count)
{
    cudaDeviceProp properties;
    int device;
    cudaError_t error = cudaGetDevice(&device);
    if (error == cudaSuccess)
        error = cudaGetDeviceProperties(&properties, device);
    memset(stamp, 0, sizeof *stamp);
    stamp->magic = LESSON6_MAGIC;
    stamp->library_version = cublasLtGetVersion();
    if (error == cudaSuccess)
        snprintf(stamp->device, sizeof stamp->device, "%s", properties.name);
    stamp->bytes = count;
    stamp->checksum = lesson6_checksum(bytes, count);
    return error;
}

// A stamp, and behind it count bytes.
static cudaError_t file_write(const char *path, const void *bytes, size_t count)
{
    struct lesson6_stamp stamp;
    cudaError_t error = stamp_here(&stamp, bytes, count);
    FILE *file = error == cudaSuccess ? fopen(path, "wb") : NULL;
    if (!file)
        return error == cudaSuccess ? cudaErrorUnknown : error;
    bool written = fwrite(&stamp, sizeof stamp, 1, file) == 1 &&
                   fwrite(bytes, 1, count, file) == count;
    return fclose(file) == 0 && written ? cudaSuccess : cudaErrorUnknown;
}

// The bytes behind a stamp that is as it would be written here and now; free() them.
static cudaError_t file_read(const char *path, void **bytes, size_t *count)
{
    enum { MOST_BYTES = 1 << 26 };
    struct lesson6_stamp stamp, here;
    FILE *file = fopen(path, "rb");
    *bytes = NULL;
    if (!file)
        return cudaErrorInvalidValue;
    bool whole = fread(&stamp, sizeof stamp, 1, file) == 1 && stamp.bytes <= MOST_BYTES;
    if (whole)
        *bytes = malloc(stamp.bytes + 1);
    whole = *bytes && fread(*bytes, 1, stamp.bytes + 1, file) == stamp.bytes; // and no more
    fclose(file);
    if (whole && stamp_here(&here, *bytes, stamp.bytes) == cudaSuccess &&
        memcmp(&stamp, &here, sizeof here) == 0) {
        *count = stamp.bytes;
        return cudaSuccess;
    }
    free(*bytes);
    return cudaErrorInvalidValue;
}

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
    if (!context || !is_askable(A, B, bias, Y, gemm))
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
    return context && path ? file_write(path, "", 0) : cudaErrorInvalidValue;
}

cudaError_t lesson6_load(struct lesson6_context *context, const char *path)
{
    void *bytes;
    size_t count;
    cudaError_t error = context && path ? file_read(path, &bytes, &count) : cudaErrorInvalidValue;
    if (error == cudaSuccess)
        free(bytes); // nothing is known, so there is nothing to learn from it
    return error;
}
// quest: end
