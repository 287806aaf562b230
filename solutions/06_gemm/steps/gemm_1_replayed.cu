// Gemm, step 1: a known call costs the host little.
//
// Changed: plans are found by hash, no longer by a walk through all of them; and a call that comes
// a second time with the same pointers is captured in a graph, which each later one launches.
// Gained: host time, where a step is repeated. On an H200 such a call takes 1.7 us of the host's
// time, and one with new pointers 7.5 us (16 x 64 x 64, measured). The device's work is the same.
// Next: gemm_2_measured.cu
#include "lt_matmul.h"
#include "plan_file.h"

// ---- The key ------------------------------------------------------------------------------------

// Everything that the answer depends on, besides what belongs to the context and to the file's
// stamp: workspace, device, library. Compared byte by byte, so there is no gap in it.
struct key {
    int64_t m, n, k;
    bool transpose_a, transpose_b, with_bias;
    uint8_t activation, type;
    uint8_t align_a, align_b, align_y; // powers of two, up to 16 bytes; the bias has 16
};
static_assert(sizeof(struct key) == 3 * sizeof(int64_t) + 8, "no gap");

static struct key key_of(enum lesson6_type type, const void *A, const void *B, const void *Y,
                         const struct quest_gemm *gemm)
{
    const struct key key = {gemm->m, gemm->n, gemm->k,
                            gemm->transpose_a, gemm->transpose_b, gemm->with_bias,
                            (uint8_t)gemm->activation, (uint8_t)type,
                            (uint8_t)lt_alignment(A), (uint8_t)lt_alignment(B),
                            (uint8_t)lt_alignment(Y)};
    return key;
}

// ---- The plan -----------------------------------------------------------------------------------

// How a kind of problem is described to the library, and by what algorithm it is computed.
struct plan {
    struct plan *next;
    struct key key;
    struct lt_matmul matmul;
    cublasLtMatmulAlgo_t algo;
};

// A plan, carried out with certain pointers; as a graph, once that has happened twice.
struct replay {
    struct plan *plan;
    struct lt_places call;
    cudaGraphExec_t graph;
};

enum { BUCKETS = 1024, REPLAYS = 256 };

struct lesson6_context {
    cublasLtHandle_t handle;
    void *workspace;
    size_t workspace_bytes;
    struct plan *plans[BUCKETS];      // by hash of the key
    size_t plan_count;
    struct replay replays[REPLAYS];   // by hash of plan and pointers
    cudaStream_t captured;            // where graphs are made
};

static void plan_free(struct plan *plan)
{
    lt_forget(&plan->matmul);
    free(plan);
}

// A plan that lacks its algorithm, or NULL.
static struct plan *plan_new(const struct key *key)
{
    const struct quest_gemm gemm = {key->m, key->n, key->k,
                                    key->transpose_a, key->transpose_b, key->with_bias, false,
                                    (enum quest_activation)key->activation, 0};
    struct plan *plan = (struct plan *)calloc(1, sizeof *plan);
    if (!plan)
        return NULL;
    plan->key = *key;
    if (lt_describe(&plan->matmul, (enum lesson6_type)key->type, &gemm, lt_packed(&gemm)) ==
        cudaSuccess)
        return plan;
    free(plan);
    return NULL;
}

static cudaError_t plan_run(const struct lesson6_context *context, struct plan *plan,
                            const struct lt_places *call, cudaStream_t stream)
{
    const struct lt_places at = {call->A, call->B, call->bias, call->Y, context->workspace,
                                 context->workspace_bytes};
    return lt_run(context->handle, &plan->matmul, &plan->algo, &at, stream);
}

// A plan for a new kind of problem; NULL when the library has none.
static struct plan *plan_make(const struct lesson6_context *context, const struct key *key)
{
    const struct lt_promise promise = {context->workspace_bytes, key->align_a, key->align_b,
                                       key->align_y};
    cublasLtMatmulHeuristicResult_t first;
    int found;
    struct plan *plan = plan_new(key);
    if (!plan)
        return NULL;
    if (lt_candidates(context->handle, &plan->matmul, &promise, 1, &first, &found) ==
        cudaSuccess) {
        plan->algo = first.algo;
        return plan;
    }
    plan_free(plan);
    return NULL;
}

// ---- The cache ----------------------------------------------------------------------------------

// The link to the plan for a key; it is NULL where there is none yet.
static struct plan **plan_at(struct lesson6_context *context, const struct key *key)
{
    struct plan **at = &context->plans[lesson6_checksum(key, sizeof *key) % BUCKETS];
    while (*at && memcmp(&(*at)->key, key, sizeof *key) != 0)
        at = &(*at)->next;
    return at;
}

static void plan_keep(struct lesson6_context *context, struct plan *plan)
{
    struct plan **at = plan_at(context, &plan->key);
    if (*at) {
        plan_free(plan); // another one is known
    } else {
        *at = plan;
        context->plan_count++;
    }
}

cudaError_t lesson6_create(struct lesson6_context **made, void *workspace, size_t workspace_bytes)
{
    if (!made || (!workspace && workspace_bytes))
        return cudaErrorInvalidValue;
    struct lesson6_context *context = (struct lesson6_context *)calloc(1, sizeof *context);
    if (!context)
        return cudaErrorMemoryAllocation;
    context->workspace = workspace;
    context->workspace_bytes = workspace_bytes;
    cudaError_t error = cudaStreamCreateWithFlags(&context->captured, cudaStreamNonBlocking);
    if (error == cudaSuccess)
        error = lt_error(cublasLtCreate(&context->handle));
    if (error != cudaSuccess) {
        lesson6_destroy(context);
        context = NULL;
    }
    *made = context;
    return error;
}

cudaError_t lesson6_destroy(struct lesson6_context *context)
{
    if (!context)
        return cudaErrorInvalidValue;
    for (int i = 0; i < BUCKETS; i++)
        for (struct plan *plan = context->plans[i], *next; plan; plan = next) {
            next = plan->next;
            plan_free(plan);
        }
    for (int i = 0; i < REPLAYS; i++)
        if (context->replays[i].graph)
            cudaGraphExecDestroy(context->replays[i].graph);
    if (context->handle)
        cublasLtDestroy(context->handle);
    if (context->captured)
        cudaStreamDestroy(context->captured);
    free(context);
    return cudaSuccess;
}

// ---- The file -----------------------------------------------------------------------------------

// A plan as it is in a file. The algorithm is plain data; the rest is made anew from the key.
struct record {
    struct key key;
    cublasLtMatmulAlgo_t algo;
};

cudaError_t lesson6_save(struct lesson6_context *context, const char *path)
{
    if (!context || !path)
        return cudaErrorInvalidValue;
    size_t count = 0;
    struct record *records = (struct record *)calloc(context->plan_count + 1, sizeof *records);
    if (!records)
        return cudaErrorMemoryAllocation;
    for (int i = 0; i < BUCKETS; i++)
        for (const struct plan *plan = context->plans[i]; plan; plan = plan->next)
            records[count++] = {plan->key, plan->algo};
    cudaError_t error = plan_file_write(path, records, count * sizeof *records);
    free(records);
    return error;
}

// The library has the last word on whether it can still do it, in this context's workspace. NULL if
// not: then it will be asked again.
static struct plan *plan_of_record(struct lesson6_context *context, const struct record *record)
{
    size_t workspace_bytes;
    struct plan *plan = plan_new(&record->key);
    if (!plan)
        return NULL;
    plan->algo = record->algo;
    if (lt_check(context->handle, &plan->matmul, &plan->algo, &workspace_bytes) == cudaSuccess &&
        workspace_bytes <= context->workspace_bytes)
        return plan;
    plan_free(plan);
    return NULL;
}

cudaError_t lesson6_load(struct lesson6_context *context, const char *path)
{
    void *bytes;
    size_t size;
    if (!context || !path || plan_file_read(path, &bytes, &size) != cudaSuccess)
        return cudaErrorInvalidValue;
    const struct record *records = (const struct record *)bytes;
    bool whole = size % sizeof *records == 0;
    for (size_t i = 0; whole && i < size / sizeof *records; i++)
        if (struct plan *plan = plan_of_record(context, &records[i]))
            plan_keep(context, plan);
    free(bytes);
    return whole ? cudaSuccess : cudaErrorInvalidValue;
}

// ---- The replay ---------------------------------------------------------------------------------

static bool is_capturing(cudaStream_t stream)
{
    cudaStreamCaptureStatus status = cudaStreamCaptureStatusActive;
    cudaStreamIsCapturing(stream, &status);
    return status != cudaStreamCaptureStatusNone;
}

// What the library would launch for this call, as a graph; NULL if that cannot be had.
static cudaGraphExec_t graph_of_call(const struct lesson6_context *context,
                                     const struct replay *replay)
{
    cudaGraph_t graph = NULL;
    cudaGraphExec_t exec = NULL;
    if (cudaStreamBeginCapture(context->captured, cudaStreamCaptureModeThreadLocal) != cudaSuccess)
        return NULL;
    cudaError_t error = plan_run(context, replay->plan, &replay->call, context->captured);
    if (cudaStreamEndCapture(context->captured, &graph) == cudaSuccess && error == cudaSuccess)
        cudaGraphInstantiate(&exec, graph, 0);
    if (graph)
        cudaGraphDestroy(graph);
    return exec;
}

// Serving calls with the same pointers step after step, and to launch a graph costs the host a
// fifth of what cublasLtMatmul does. So the second time a graph is made; the first time there is
// none, and NULL. A place in the table belongs to whoever came last: pointers that never return
// make no graphs.
static cudaGraphExec_t replay_find(struct lesson6_context *context, struct plan *plan,
                                   const struct lt_places *call)
{
    const struct replay now = {plan, *call, NULL};
    uint64_t hash = lesson6_checksum(&now, offsetof(struct replay, call.workspace));
    struct replay *replay = &context->replays[hash % REPLAYS];
    if (replay->plan != plan || memcmp(&replay->call, call, sizeof *call) != 0) {
        if (replay->graph)
            cudaGraphExecDestroy(replay->graph);
        *replay = now;
    } else if (!replay->graph) {
        replay->graph = graph_of_call(context, replay);
    }
    return replay->graph;
}

// ---- The call -----------------------------------------------------------------------------------

cudaError_t lesson6_gemm(struct lesson6_context *context, enum lesson6_type type, const void *A,
                         const void *B, const void *bias, void *Y, const struct quest_gemm *gemm,
                         cudaStream_t stream)
{
    if (!context || !lt_is_askable(A, B, bias, Y, gemm))
        return cudaErrorInvalidValue;
    const struct lt_places call = {A, B, bias, Y, NULL, 0};
    const struct key key = key_of(type, A, B, Y, gemm);
    struct plan *plan = *plan_at(context, &key);
    if (!plan && (plan = plan_make(context, &key)))
        plan_keep(context, plan);
    if (!plan)
        return cudaErrorNotSupported;
    cudaGraphExec_t graph = is_capturing(stream) ? NULL : replay_find(context, plan, &call);
    return graph ? cudaGraphLaunch(graph, stream) : plan_run(context, plan, &call, stream);
}
