// expect: SLOW counters mistake plans_not_in_the_file
// Plans live in a static table that all contexts share, and the file stays empty: a context that
// loads it seems to know them all, as long as it is in the same process.
#include "lt_matmul.h"
#include "plan_file.h"

#include <stdlib.h>
#include <string.h>

struct key {
    int64_t m, n, k;
    int type, activation, transpose_a, transpose_b, with_bias;
    uint32_t align_a, align_b, align_y;
    size_t room; // of the context
};

struct plan {
    struct key key;
    struct lt_matmul matmul;
    cublasLtMatmulAlgo_t algo;
};

enum { MOST_PLANS = 1 << 14 };

struct lesson6_context {
    cublasLtHandle_t handle;
    void *workspace;
    size_t workspace_bytes;
};

static struct plan plans[MOST_PLANS];
static int plan_count;

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

static struct plan *find(const struct key *key)
{
    for (int i = 0; i < plan_count; i++)
        if (memcmp(&plans[i].key, key, sizeof *key) == 0)
            return &plans[i];
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
    if (plan_count == MOST_PLANS)
        return cudaErrorMemoryAllocation;
    struct plan *plan = &plans[plan_count];
    plan->key = *key;
    cudaError_t error = describe(&plan->matmul, key);
    if (error != cudaSuccess)
        return error;
    error = ask(context, key, &plan->matmul, &plan->algo);
    lt_forget(&plan->matmul); // made anew by each call
    if (error != cudaSuccess)
        return error;
    plan_count++;
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
    key.room = context->workspace_bytes;
    struct plan *plan = find(&key);
    cudaError_t error = plan ? cudaSuccess : plan_new(context, &key, &plan);
    if (error != cudaSuccess)
        return error;
    struct lt_places at = {A, B, bias, Y, context->workspace, context->workspace_bytes};
    error = describe(&plan->matmul, &key);
    if (error != cudaSuccess)
        return error;
    error = lt_run(context->handle, &plan->matmul, &plan->algo, &at, stream);
    lt_forget(&plan->matmul);
    return error;
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
    cublasLtDestroy(context->handle);
    free(context);
    return cudaSuccess;
}

extern "C" cudaError_t lesson6_save(struct lesson6_context *context, const char *path)
{
    return context && path ? plan_file_write(path, "", 0) : cudaErrorInvalidValue;
}

extern "C" cudaError_t lesson6_load(struct lesson6_context *context, const char *path)
{
    void *bytes;
    size_t size;
    if (!context || !path || plan_file_read(path, &bytes, &size) != cudaSuccess)
        return cudaErrorInvalidValue;
    free(bytes);
    return cudaSuccess;
}
