// expect: WRONG numerics mistake loaded_plans_lost
// Only plans that a call has asked for are saved: what was loaded and not used since is lost from
// the file.
#include "lt_matmul.h"
#include "plan_file.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct key {
    int64_t m, n, k;
    int type, activation, transpose_a, transpose_b, with_bias;
    uint32_t align_a, align_b, align_y;
};

struct plan {
    struct key key;
    struct lt_matmul matmul;
    cublasLtMatmulAlgo_t algo;
    bool is_used;
};

enum { MOST_PLANS = 256 };

struct lesson6_context {
    cublasLtHandle_t handle;
    void *workspace;
    size_t workspace_bytes;
    int count;
    struct plan plans[MOST_PLANS];
};

static uint32_t smaller(uint32_t a, uint32_t b)
{
    return a < b ? a : b;
}

static struct key key_of(enum lesson6_type type, const void *A, const void *B, const void *bias,
                         const void *Y, const struct quest_gemm *gemm)
{
    struct key key;
    memset(&key, 0, sizeof key);
    key.m = gemm->m;
    key.n = gemm->n;
    key.k = gemm->k;
    key.type = type;
    key.activation = gemm->activation;
    key.transpose_a = gemm->transpose_a;
    key.transpose_b = gemm->transpose_b;
    key.with_bias = gemm->with_bias;
    key.align_a = lt_alignment(A);
    key.align_b = lt_alignment(B);
    key.align_y = smaller(lt_alignment(Y), lt_alignment(bias));
    return key;
}

static struct quest_gemm gemm_of(const struct key *key)
{
    struct quest_gemm gemm = {key->m, key->n, key->k};
    gemm.transpose_a = key->transpose_a;
    gemm.transpose_b = key->transpose_b;
    gemm.with_bias = key->with_bias;
    gemm.activation = (enum quest_activation)key->activation;
    return gemm;
}

static cudaError_t describe(struct lt_matmul *matmul, const struct key *key)
{
    struct quest_gemm gemm = gemm_of(key);
    return lt_describe(matmul, (enum lesson6_type)key->type, &gemm, lt_packed(&gemm));
}

static struct plan *find(struct lesson6_context *context, const struct key *key)
{
    for (int i = 0; i < context->count; i++)
        if (memcmp(&context->plans[i].key, key, sizeof *key) == 0)
            return &context->plans[i];
    return NULL;
}

static cudaError_t ask(struct lesson6_context *context, const struct key *key,
                       const struct lt_matmul *matmul, cublasLtMatmulAlgo_t *algo)
{
    struct lt_promise promise = {context->workspace_bytes, key->align_a, key->align_b,
                                 key->align_y};
    cublasLtMatmulHeuristicResult_t result;
    int found;
    cudaError_t error =
        lt_candidates(context->handle, matmul, &promise, 1, &result, &found);
    if (error == cudaSuccess)
        *algo = result.algo;
    return error;
}

static cudaError_t plan_new(struct lesson6_context *context, const struct key *key,
                            struct plan **made)
{
    if (context->count == MOST_PLANS)
        return cudaErrorMemoryAllocation;
    struct plan *plan = &context->plans[context->count];
    plan->key = *key;
    cudaError_t error = describe(&plan->matmul, key);
    if (error != cudaSuccess)
        return error;
    error = ask(context, key, &plan->matmul, &plan->algo);
    if (error != cudaSuccess) {
        lt_forget(&plan->matmul);
        return error;
    }
    context->count++;
    *made = plan;
    return cudaSuccess;
}

static bool is_askable(const void *A, const void *B, const void *bias, const void *Y,
                       const struct quest_gemm *gemm)
{
    if (!A || !B || !Y || !gemm || gemm->m < 1 || gemm->n < 1 || gemm->k < 1 || gemm->save_z)
        return false;
    bool is_fused = gemm->activation == QUEST_ACT_NONE || gemm->activation == QUEST_ACT_RELU ||
                    gemm->activation == QUEST_ACT_GELU_TANH;
    return is_fused && gemm->with_bias == (bias != NULL);
}

extern "C" cudaError_t lesson6_gemm(struct lesson6_context *context, enum lesson6_type type,
                                    const void *A, const void *B, const void *bias, void *Y,
                                    const struct quest_gemm *gemm, cudaStream_t stream)
{
    if (!context || !is_askable(A, B, bias, Y, gemm))
        return cudaErrorInvalidValue;
    struct key key = key_of(type, A, B, bias, Y, gemm);
    struct plan *plan = find(context, &key);
    cudaError_t error = plan ? cudaSuccess : plan_new(context, &key, &plan);
    if (error != cudaSuccess)
        return error;
    plan->is_used = true;
    struct lt_places at = {A, B, bias, Y, context->workspace, context->workspace_bytes};
    return lt_run(context->handle, &plan->matmul, &plan->algo, &at, stream);
}

extern "C" cudaError_t lesson6_create(struct lesson6_context **context, void *workspace,
                                      size_t workspace_bytes)
{
    if (!context || (!workspace && workspace_bytes))
        return cudaErrorInvalidValue;
    *context = (struct lesson6_context *)calloc(1, sizeof **context);
    if (!*context)
        return cudaErrorMemoryAllocation;
    (*context)->workspace = workspace;
    (*context)->workspace_bytes = workspace_bytes;
    return lt_error(cublasLtCreate(&(*context)->handle));
}

extern "C" cudaError_t lesson6_destroy(struct lesson6_context *context)
{
    if (!context)
        return cudaErrorInvalidValue;
    for (int i = 0; i < context->count; i++)
        lt_forget(&context->plans[i].matmul);
    cublasLtDestroy(context->handle);
    free(context);
    return cudaSuccess;
}

struct record {
    struct key key;
    cublasLtMatmulAlgo_t algo;
};

static void stamp_here(struct lesson6_stamp *stamp, const struct record *records, size_t count)
{
    cudaDeviceProp properties;
    memset(stamp, 0, sizeof *stamp);
    if (cudaGetDeviceProperties(&properties, 0) == cudaSuccess)
        snprintf(stamp->device, sizeof stamp->device, "%s", properties.name);
    stamp->magic = LESSON6_MAGIC;
    stamp->library_version = cublasLtGetVersion();
    stamp->bytes = count * sizeof *records;
    stamp->checksum = lesson6_checksum(records, stamp->bytes);
}

extern "C" cudaError_t lesson6_save(struct lesson6_context *context, const char *path)
{
    if (!context || !path)
        return cudaErrorInvalidValue;
    static struct record records[MOST_PLANS];
    memset(records, 0, sizeof records);
    size_t count = 0;
    for (int i = 0; i < context->count; i++) {
        if (!context->plans[i].is_used)
            continue;
        records[count].key = context->plans[i].key;
        records[count++].algo = context->plans[i].algo;
    }
    return plan_file_write(path, records, count * sizeof *records);
}

static bool is_believable(const struct lesson6_stamp *stamp, const struct record *records,
                          size_t bytes)
{
    struct lesson6_stamp here;
    stamp_here(&here, records, bytes / sizeof *records);
    return bytes % sizeof *records == 0 && memcmp(stamp, &here, sizeof here) == 0;
}

// A file may come from a context that had more of it.
static bool has_room(const struct lesson6_context *context, const struct plan *plan)
{
    size_t bytes;
    return lt_check(context->handle, &plan->matmul, &plan->algo, &bytes) == cudaSuccess &&
           bytes <= context->workspace_bytes;
}

static cudaError_t take(struct lesson6_context *context, const struct record *record)
{
    if (find(context, &record->key) || context->count == MOST_PLANS)
        return cudaSuccess;
    struct plan *plan = &context->plans[context->count];
    plan->is_used = false;
    plan->key = record->key;
    plan->algo = record->algo;
    cudaError_t error = describe(&plan->matmul, &record->key);
    if (error != cudaSuccess)
        return error;
    if (has_room(context, plan))
        context->count++;
    else
        lt_forget(&plan->matmul);
    return cudaSuccess;
}

extern "C" cudaError_t lesson6_load(struct lesson6_context *context, const char *path)
{
    if (!context || !path)
        return cudaErrorInvalidValue;
    static struct record records[MOST_PLANS + 1];
    struct lesson6_stamp stamp;
    FILE *file = fopen(path, "rb");
    if (!file)
        return cudaErrorInvalidValue;
    bool whole = fread(&stamp, sizeof stamp, 1, file) == 1;
    size_t bytes = fread(records, 1, sizeof records, file);
    fclose(file);
    if (!whole || !is_believable(&stamp, records, bytes))
        return cudaErrorInvalidValue;
    cudaError_t error = cudaSuccess;
    for (size_t i = 0; i < bytes / sizeof *records && error == cudaSuccess; i++)
        error = take(context, &records[i]);
    return error;
}
