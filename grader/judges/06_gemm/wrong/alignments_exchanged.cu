// expect: LAUNCH_ERROR mistake key_without_alignment
// A key has how A is aligned where B belongs, and B where A does; so has the question.
#include "lt_matmul.h"
#include "plan_file.h"

#include <map>
#include <stdlib.h>
#include <string.h>
#include <vector>

struct key {
    int64_t m, n, k;
    int type, activation, transpose_a, transpose_b, with_bias;
    uint32_t align_a, align_b, align_y;
};

struct plan {
    struct key key;
    struct lt_matmul matmul;
    cublasLtMatmulAlgo_t algo;
};

struct by_bytes {
    bool operator()(const struct key &a, const struct key &b) const
    {
        return memcmp(&a, &b, sizeof a) < 0;
    }
};

struct lesson6_context {
    cublasLtHandle_t handle;
    void *workspace;
    size_t workspace_bytes;
    std::map<struct key, struct plan, by_bytes> plans;
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
    auto at = context->plans.find(*key);
    return at == context->plans.end() ? NULL : &at->second;
}

static struct plan *keep(struct lesson6_context *context, const struct plan &plan)
{
    return &(context->plans[plan.key] = plan);
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
    struct plan plan;
    plan.key = *key;
    cudaError_t error = describe(&plan.matmul, key);
    if (error != cudaSuccess)
        return error;
    error = ask(context, key, &plan.matmul, &plan.algo);
    if (error != cudaSuccess) {
        lt_forget(&plan.matmul);
        return error;
    }
    *made = keep(context, plan);
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
    struct key key = key_of(type, B, A, bias, Y, gemm);
    struct plan *plan = find(context, &key);
    cudaError_t error = plan ? cudaSuccess : plan_new(context, &key, &plan);
    if (error != cudaSuccess)
        return error;
    struct lt_places at = {A, B, bias, Y, context->workspace, context->workspace_bytes};
    return lt_run(context->handle, &plan->matmul, &plan->algo, &at, stream);
}

extern "C" cudaError_t lesson6_create(struct lesson6_context **context, void *workspace,
                                      size_t workspace_bytes)
{
    if (!context || (!workspace && workspace_bytes))
        return cudaErrorInvalidValue;
    *context = new lesson6_context();
    (*context)->workspace = workspace;
    (*context)->workspace_bytes = workspace_bytes;
    return lt_error(cublasLtCreate(&(*context)->handle));
}

extern "C" cudaError_t lesson6_destroy(struct lesson6_context *context)
{
    if (!context)
        return cudaErrorInvalidValue;
    for (auto &entry : context->plans) {
        struct plan &plan = entry.second;
        lt_forget(&plan.matmul);
    }
    cublasLtDestroy(context->handle);
    delete context;
    return cudaSuccess;
}

struct record {
    struct key key;
    cublasLtMatmulAlgo_t algo;
};

extern "C" cudaError_t lesson6_save(struct lesson6_context *context, const char *path)
{
    if (!context || !path)
        return cudaErrorInvalidValue;
    std::vector<struct record> records;
    for (auto &entry : context->plans) {
        struct plan &plan = entry.second;
        records.push_back({plan.key, plan.algo});
    }
    return plan_file_write(path, records.data(), records.size() * sizeof(struct record));
}

static cudaError_t take(struct lesson6_context *context, const struct record *record)
{
    struct plan plan;
    size_t bytes;
    if (find(context, &record->key))
        return cudaSuccess;
    plan.key = record->key;
    plan.algo = record->algo;
    cudaError_t error = describe(&plan.matmul, &record->key);
    if (error != cudaSuccess)
        return error;
    if (lt_check(context->handle, &plan.matmul, &plan.algo, &bytes) == cudaSuccess &&
        bytes <= context->workspace_bytes)
        keep(context, plan);
    else
        lt_forget(&plan.matmul);
    return cudaSuccess;
}

extern "C" cudaError_t lesson6_load(struct lesson6_context *context, const char *path)
{
    void *bytes;
    size_t size;
    if (!context || !path || plan_file_read(path, &bytes, &size) != cudaSuccess)
        return cudaErrorInvalidValue;
    const struct record *records = (const struct record *)bytes;
    size_t count = size / sizeof *records;
    cudaError_t error = size % sizeof *records ? cudaErrorInvalidValue : cudaSuccess;
    for (size_t i = 0; i < count && error == cudaSuccess; i++)
        error = take(context, &records[i]);
    free(bytes);
    return error;
}
