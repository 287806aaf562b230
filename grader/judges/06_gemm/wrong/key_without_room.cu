// expect: LAUNCH_ERROR mistake key_without_room
// Plans from the file of a context with more workspace are run in one that has less.
#include "lt_matmul.h"
#include "plan_file.h"

#include <vector>

namespace
{
struct Key {
    int64_t m, n, k;
    uint32_t align_a, align_b, align_y;
    int32_t type, activation;
    uint8_t ta, tb, bias, zero[5];
};
struct Entry {
    Key key;
    cublasLtMatmulAlgo_t algo;
};
struct Plan {
    Entry entry;
    lt_matmul matmul;
    bool described;
};

Key make_key(lesson6_type type, const void *A, const void *B, const void *bias, const void *Y,
             const quest_gemm *g)
{
    Key key;
    memset(&key, 0, sizeof key);
    key.m = g->m;
    key.n = g->n;
    key.k = g->k;
    key.align_a = lt_alignment(A);
    key.align_b = lt_alignment(B);
    key.align_y = lt_alignment(Y);
    if (bias && lt_alignment(bias) < key.align_y)
        key.align_y = lt_alignment(bias);
    key.type = type;
    key.activation = g->activation;
    key.ta = g->transpose_a;
    key.tb = g->transpose_b;
    key.bias = g->with_bias;
    return key;
}
} // namespace

struct lesson6_context {
    cublasLtHandle_t handle = nullptr;
    void *workspace = nullptr;
    size_t bytes = 0;
    std::vector<Plan> plans;
};

cudaError_t lesson6_create(struct lesson6_context **context, void *workspace,
                           size_t workspace_bytes)
{
    if (!context || (!workspace && workspace_bytes))
        return cudaErrorInvalidValue;
    auto *c = new (std::nothrow) lesson6_context;
    if (!c)
        return cudaErrorMemoryAllocation;
    c->workspace = workspace;
    c->bytes = workspace_bytes;
    cudaError_t e = lt_error(cublasLtCreate(&c->handle));
    if (e != cudaSuccess) {
        delete c;
        c = nullptr;
    }
    *context = c;
    return e;
}

cudaError_t lesson6_destroy(struct lesson6_context *context)
{
    if (!context)
        return cudaErrorInvalidValue;
    for (Plan &p : context->plans)
        if (p.described)
            lt_forget(&p.matmul);
    cublasLtDestroy(context->handle);
    delete context;
    return cudaSuccess;
}

static Plan *find(lesson6_context *c, const Key &key)
{
    for (Plan &p : c->plans)
        if (memcmp(&p.entry.key, &key, sizeof key) == 0)
            return &p;
    return nullptr;
}

cudaError_t lesson6_gemm(struct lesson6_context *c, enum lesson6_type type, const void *A,
                         const void *B, const void *bias, void *Y, const struct quest_gemm *gemm,
                         cudaStream_t stream)
{
    if (!c || !lt_is_askable(A, B, bias, Y, gemm))
        return cudaErrorInvalidValue;
    const Key key = make_key(type, A, B, bias, Y, gemm);
    Plan *p = find(c, key);
    if (!p || !p->described) {
        Plan fresh = {};
        fresh.entry.key = key;
        cudaError_t e = lt_describe(&fresh.matmul, type, gemm, lt_packed(gemm));
        if (e != cudaSuccess)
            return e;
        fresh.described = true;
        if (p) {
            fresh.entry.algo = p->entry.algo;
            *p = fresh;
        } else {
            const lt_promise promise = {c->bytes, key.align_a, key.align_b, key.align_y};
            cublasLtMatmulHeuristicResult_t result;
            int found;
            e = lt_candidates(c->handle, &fresh.matmul, &promise, 1, &result, &found);
            fresh.entry.algo = result.algo;
            if (e != cudaSuccess) {
                lt_forget(&fresh.matmul);
                return e;
            }
            c->plans.push_back(fresh);
            p = &c->plans.back();
        }
    }
    const lt_places at = {A, B, bias, Y, c->workspace, c->bytes};
    return lt_run(c->handle, &p->matmul, &p->entry.algo, &at, stream);
}

cudaError_t lesson6_save(struct lesson6_context *context, const char *path)
{
    if (!context || !path)
        return cudaErrorInvalidValue;
    std::vector<Entry> out;
    for (const Plan &p : context->plans)
        out.push_back(p.entry);
    return plan_file_write(path, out.data(), out.size() * sizeof(Entry));
}

cudaError_t lesson6_load(struct lesson6_context *context, const char *path)
{
    if (!context || !path)
        return cudaErrorInvalidValue;
    void *bytes;
    size_t count;
    if (plan_file_read(path, &bytes, &count) != cudaSuccess || count % sizeof(Entry) != 0) {
        free(bytes);
        return cudaErrorInvalidValue;
    }
    const Entry *e = static_cast<const Entry *>(bytes);
    for (size_t i = 0; i < count / sizeof(Entry); i++)
        if (!find(context, e[i].key))
            context->plans.push_back(Plan{e[i], {}, false});
    free(bytes);
    return cudaSuccess;
}
