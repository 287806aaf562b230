// expect: WRONG mistake library_error_ignored
// The library may refuse the epilogue; its error is ignored, so Y lacks it and the call succeeds.
#include "contracts/06_gemm.h"

#include <cublasLt.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define MAX_PLANS 512

typedef struct {
    int64_t m, n, k;
    int32_t ta, tb, bias, act, type, la, lb, ly;
} kind_t;

typedef struct {
    kind_t kind;
    cublasLtMatmulAlgo_t algo;
} record_t;

typedef struct {
    record_t r;
    cublasLtMatmulDesc_t op;
    cublasLtMatrixLayout_t a, b, y;
} plan_t;

struct lesson6_context {
    cublasLtHandle_t handle;
    void *ws;
    size_t ws_bytes;
    int count;
    plan_t plan[MAX_PLANS];
};

#define LT(call)                                                                               \
    do {                                                                                       \
        if ((call) != CUBLAS_STATUS_SUCCESS)                                                   \
            return 0;                                                                          \
    } while (0)

static int low_bits(const void *p)
{
    int bits = (int)((uintptr_t)p & 15);
    return bits == 0 ? 16 : bits & -bits;
}

static cublasLtEpilogue_t epilogue_of(const kind_t *d)
{
    if (d->act == QUEST_ACT_RELU)
        return d->bias ? CUBLASLT_EPILOGUE_RELU_BIAS : CUBLASLT_EPILOGUE_RELU;
    if (d->act == QUEST_ACT_GELU_TANH)
        return d->bias ? CUBLASLT_EPILOGUE_GELU_BIAS : CUBLASLT_EPILOGUE_GELU;
    return d->bias ? CUBLASLT_EPILOGUE_BIAS : CUBLASLT_EPILOGUE_DEFAULT;
}

static void wipe(plan_t *p)
{
    if (p->op)
        cublasLtMatmulDescDestroy(p->op);
    if (p->a)
        cublasLtMatrixLayoutDestroy(p->a);
    if (p->b)
        cublasLtMatrixLayoutDestroy(p->b);
    if (p->y)
        cublasLtMatrixLayoutDestroy(p->y);
    memset(p, 0, sizeof *p);
}

// Once for each kind. By columns, so B comes first.
static int describe(plan_t *p)
{
    const kind_t *d = &p->r.kind;
    cudaDataType_t t = d->type == LESSON6_F16 ? CUDA_R_16F : CUDA_R_16BF;
    cublasOperation_t ta = d->ta ? CUBLAS_OP_T : CUBLAS_OP_N;
    cublasOperation_t tb = d->tb ? CUBLAS_OP_T : CUBLAS_OP_N;
    cublasLtEpilogue_t e = epilogue_of(d);
    LT(cublasLtMatmulDescCreate(&p->op, CUBLAS_COMPUTE_32F, CUDA_R_32F));
    LT(cublasLtMatmulDescSetAttribute(p->op, CUBLASLT_MATMUL_DESC_TRANSA, &tb, sizeof tb));
    LT(cublasLtMatmulDescSetAttribute(p->op, CUBLASLT_MATMUL_DESC_TRANSB, &ta, sizeof ta));
    cublasLtMatmulDescSetAttribute(p->op, CUBLASLT_MATMUL_DESC_EPILOGUE, &e, sizeof e);
    if (d->tb)
        LT(cublasLtMatrixLayoutCreate(&p->b, t, d->k, d->n, d->k));
    else
        LT(cublasLtMatrixLayoutCreate(&p->b, t, d->n, d->k, d->n));
    if (d->ta)
        LT(cublasLtMatrixLayoutCreate(&p->a, t, d->m, d->k, d->m));
    else
        LT(cublasLtMatrixLayoutCreate(&p->a, t, d->k, d->m, d->k));
    LT(cublasLtMatrixLayoutCreate(&p->y, t, d->n, d->m, d->n));
    return 1;
}

static int ask(struct lesson6_context *c, plan_t *p)
{
    cublasLtMatmulPreference_t pref;
    cublasLtMatmulHeuristicResult_t result;
    uint32_t la = (uint32_t)p->r.kind.la, lb = (uint32_t)p->r.kind.lb, ly = (uint32_t)p->r.kind.ly;
    uint32_t reduction = CUBLASLT_REDUCTION_SCHEME_COMPUTE_TYPE;
    struct {
        cublasLtMatmulPreferenceAttributes_t name;
        const void *value;
        size_t bytes;
    } set[] = {{CUBLASLT_MATMUL_PREF_MAX_WORKSPACE_BYTES, &c->ws_bytes, sizeof c->ws_bytes},
               {CUBLASLT_MATMUL_PREF_REDUCTION_SCHEME_MASK, &reduction, sizeof reduction},
               {CUBLASLT_MATMUL_PREF_MIN_ALIGNMENT_A_BYTES, &lb, sizeof lb},
               {CUBLASLT_MATMUL_PREF_MIN_ALIGNMENT_B_BYTES, &la, sizeof la},
               {CUBLASLT_MATMUL_PREF_MIN_ALIGNMENT_C_BYTES, &ly, sizeof ly},
               {CUBLASLT_MATMUL_PREF_MIN_ALIGNMENT_D_BYTES, &ly, sizeof ly}};
    int found = 0;
    LT(cublasLtMatmulPreferenceCreate(&pref));
    for (size_t i = 0; i < sizeof set / sizeof *set; i++)
        cublasLtMatmulPreferenceSetAttribute(pref, set[i].name, set[i].value, set[i].bytes);
    cublasStatus_t status = cublasLtMatmulAlgoGetHeuristic(
        c->handle, p->op, p->b, p->a, p->y, p->y, pref, 1, &result, &found);
    cublasLtMatmulPreferenceDestroy(pref);
    if (status != CUBLAS_STATUS_SUCCESS || found < 1)
        return 0;
    p->r.algo = result.algo;
    return 1;
}

static plan_t *look_up(struct lesson6_context *c, const kind_t *kind)
{
    for (int i = 0; i < c->count; i++)
        if (memcmp(&c->plan[i].r.kind, kind, sizeof *kind) == 0)
            return &c->plan[i];
    return NULL;
}

cudaError_t lesson6_create(struct lesson6_context **out, void *workspace, size_t workspace_bytes)
{
    if (out == NULL || (workspace == NULL && workspace_bytes > 0))
        return cudaErrorInvalidValue;
    struct lesson6_context *c = (struct lesson6_context *)calloc(1, sizeof *c);
    *out = NULL;
    if (c == NULL)
        return cudaErrorMemoryAllocation;
    if (cublasLtCreate(&c->handle) != CUBLAS_STATUS_SUCCESS) {
        free(c);
        return cudaErrorUnknown;
    }
    c->ws = workspace;
    c->ws_bytes = workspace_bytes;
    *out = c;
    return cudaSuccess;
}

cudaError_t lesson6_destroy(struct lesson6_context *c)
{
    if (c == NULL)
        return cudaErrorInvalidValue;
    for (int i = 0; i < c->count; i++)
        wipe(&c->plan[i]);
    cublasLtDestroy(c->handle);
    free(c);
    return cudaSuccess;
}

static plan_t *make_plan(struct lesson6_context *c, const kind_t *kind)
{
    plan_t *p = &c->plan[c->count];
    if (c->count == MAX_PLANS)
        return NULL;
    p->r.kind = *kind;
    if (describe(p) && ask(c, p)) {
        c->count++;
        return p;
    }
    wipe(p);
    return NULL;
}

cudaError_t lesson6_gemm(struct lesson6_context *c, enum lesson6_type type, const void *A,
                         const void *B, const void *bias, void *Y, const struct quest_gemm *g,
                         cudaStream_t stream)
{
    static const float one = 1, zero = 0;
    kind_t kind;
    if (!c || !A || !B || !Y || !g || g->m < 1 || g->n < 1 || g->k < 1 || g->save_z ||
        g->with_bias != (bias != NULL) ||
        (g->activation != QUEST_ACT_NONE && g->activation != QUEST_ACT_RELU &&
         g->activation != QUEST_ACT_GELU_TANH))
        return cudaErrorInvalidValue;
    memset(&kind, 0, sizeof kind);
    kind = (kind_t){g->m, g->n, g->k, g->transpose_a, g->transpose_b, g->with_bias,
                    (int)g->activation, (int)type, low_bits(A), low_bits(B), low_bits(Y)};
    plan_t *p = look_up(c, &kind);
    if (p == NULL)
        p = make_plan(c, &kind);
    if (p == NULL)
        return cudaErrorNotSupported;
    cublasStatus_t status = CUBLAS_STATUS_SUCCESS;
    if (bias)
        status = cublasLtMatmulDescSetAttribute(p->op, CUBLASLT_MATMUL_DESC_BIAS_POINTER, &bias,
                                                sizeof bias);
    if (status == CUBLAS_STATUS_SUCCESS)
        status = cublasLtMatmul(c->handle, p->op, &one, B, p->b, A, p->a, &zero, Y, p->y, Y, p->y,
                                &p->r.algo, c->ws, c->ws_bytes, stream);
    return status == CUBLAS_STATUS_SUCCESS ? cudaSuccess : cudaErrorUnknown;
}

static int stamp_of(struct lesson6_stamp *s, const void *bytes, size_t count)
{
    struct cudaDeviceProp prop;
    int device;
    memset(s, 0, sizeof *s);
    if (cudaGetDevice(&device) != cudaSuccess ||
        cudaGetDeviceProperties(&prop, device) != cudaSuccess)
        return 0;
    s->magic = LESSON6_MAGIC;
    s->library_version = cublasLtGetVersion();
    strncpy(s->device, prop.name, sizeof s->device - 1);
    s->bytes = count;
    s->checksum = lesson6_checksum(bytes, count);
    return 1;
}

cudaError_t lesson6_save(struct lesson6_context *c, const char *path)
{
    static record_t records[MAX_PLANS];
    struct lesson6_stamp stamp;
    char beside[4096];
    if (c == NULL || path == NULL)
        return cudaErrorInvalidValue;
    for (int i = 0; i < c->count; i++)
        records[i] = c->plan[i].r;
    size_t bytes = (size_t)c->count * sizeof *records;
    if (!stamp_of(&stamp, records, bytes) ||
        snprintf(beside, sizeof beside, "%s.%ld.tmp", path, (long)getpid()) >= (int)sizeof beside)
        return cudaErrorUnknown;
    FILE *f = fopen(beside, "wb");
    if (f == NULL)
        return cudaErrorUnknown;
    int ok = fwrite(&stamp, sizeof stamp, 1, f) == 1;
    ok = fwrite(records, 1, bytes, f) == bytes && ok;
    ok = fflush(f) == 0 && ok;
    ok = fsync(fileno(f)) == 0 && ok;
    ok = fclose(f) == 0 && ok;
    if (ok && rename(beside, path) == 0)
        return cudaSuccess;
    remove(beside);
    return cudaErrorUnknown;
}

static int is_ours(const struct lesson6_stamp *stamp, const void *bytes, size_t count)
{
    struct lesson6_stamp now;
    return stamp_of(&now, bytes, count) && memcmp(stamp, &now, sizeof now) == 0;
}

// The library has the last word on whether it can still do it, in this workspace.
static void take(struct lesson6_context *c, const record_t *record)
{
    cublasLtMatmulHeuristicResult_t result;
    plan_t *p = &c->plan[c->count];
    if (c->count == MAX_PLANS || look_up(c, &record->kind))
        return;
    p->r = *record;
    if (describe(p) &&
        cublasLtMatmulAlgoCheck(c->handle, p->op, p->b, p->a, p->y, p->y, &p->r.algo, &result) ==
            CUBLAS_STATUS_SUCCESS &&
        result.workspaceSize <= c->ws_bytes)
        c->count++;
    else
        wipe(p);
}

cudaError_t lesson6_load(struct lesson6_context *c, const char *path)
{
    static record_t records[MAX_PLANS + 1];
    struct lesson6_stamp stamp;
    FILE *f = c && path ? fopen(path, "rb") : NULL;
    if (f == NULL)
        return cudaErrorInvalidValue;
    size_t whole = fread(&stamp, sizeof stamp, 1, f), bytes = fread(records, 1, sizeof records, f);
    fclose(f);
    if (whole != 1 || bytes % sizeof *records || bytes == sizeof records ||
        !is_ours(&stamp, records, bytes))
        return cudaErrorInvalidValue;
    for (size_t i = 0; i < bytes / sizeof *records; i++)
        take(c, &records[i]);
    return cudaSuccess;
}
