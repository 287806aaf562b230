/* calls.h - lesson 6, in the runner: contexts, calls, and the scripts around them. */
#ifndef JUDGE_GEMM_CALLS_H
#define JUDGE_GEMM_CALLS_H

#include "judges/06_gemm/problem.h"

#include <stdio.h>
#include <unistd.h>

/* --- Calling ---------------------------------------------------------------------------------- */

/* What the runner keeps from call to call. */
struct kept {
    struct lesson6_context *context;   /* of all numerics cases, and of the steady mix */
};
/* Three matrices of 4096 x 4096, and as much again. */
enum { WORKSPACE_BYTES = 192 << 20 };

typedef cudaError_t create_function(struct lesson6_context **, void *, size_t);
typedef cudaError_t gemm_function(struct lesson6_context *, enum lesson6_type, const void *,
                                  const void *, const void *, void *, const struct quest_gemm *,
                                  cudaStream_t);
typedef cudaError_t file_function(struct lesson6_context *, const char *);
typedef cudaError_t destroy_function(struct lesson6_context *);

static inline cudaError_t create(const struct judge_call *call, struct lesson6_context **context)
{
    *context = NULL;
    return ((create_function *)call->symbols[CREATE])(context, call->workspace, WORKSPACE_BYTES);
}

static inline cudaError_t destroy(const struct judge_call *call, struct lesson6_context *context)
{
    return ((destroy_function *)call->symbols[DESTROY])(context);
}

static inline cudaError_t save(const struct judge_call *call, struct lesson6_context *context,
                        const char *path)
{
    return ((file_function *)call->symbols[SAVE])(context, path);
}

static inline cudaError_t load(const struct judge_call *call, struct lesson6_context *context,
                        const char *path)
{
    return ((file_function *)call->symbols[LOAD])(context, path);
}

/* The product of a numerics case, with these outputs. */
static inline cudaError_t gemm(const struct judge_call *call, struct lesson6_context *context,
                        const void *bias, void *y)
{
    const int64_t *size = call->problem->size;
    const struct quest_gemm asked = {.m = size[M],
                                     .n = size[N],
                                     .k = size[K],
                                     .transpose_a = size[TRANSPOSE] & TA,
                                     .transpose_b = size[TRANSPOSE] & TB,
                                     .with_bias = size[BIAS_AND_SUCH],
                                     .activation = (enum quest_activation)size[ACTIVATION]};
    return ((gemm_function *)call->symbols[GEMM])(context, (enum lesson6_type)size[TYPE],
                                                  call->buffers[A], call->buffers[B], bias, y,
                                                  &asked, call->stream);
}

/* One call of the mix; index CALLS is the one with odd rows. */
static inline cudaError_t mix_call(const struct judge_call *call, struct lesson6_context *context,
                            int set, int index)
{
    const struct judge_case *problem = call->problem;
    int64_t n = problem->size[N], k = problem->size[K], before = 0;
    bool is_odd = index == CALLS;
    void *const *own = call->buffers + (is_odd ? ODD_A : set * SET);
    for (int i = 0; i < index && !is_odd; i++)
        before += rows_of_call(problem, i);
    const struct quest_gemm asked = {.m = is_odd ? ODD_ROWS : rows_of_call(problem, index),
                                     .n = is_odd ? odd(n) : n,
                                     .k = is_odd ? odd(k) : k,
                                     .transpose_b = true,
                                     .with_bias = !is_odd,
                                     .activation = is_odd ? QUEST_ACT_NONE
                                                          : QUEST_ACT_GELU_TANH};
    const uint16_t *a = (const uint16_t *)own[A] + before * k;
    uint16_t *y = is_odd ? call->buffers[ODD_Y] : (uint16_t *)own[Y] + before * n;
    return ((gemm_function *)call->symbols[GEMM])(
        context, set == 0 ? LESSON6_F16 : LESSON6_BF16, a, own[B], is_odd ? NULL : own[BIAS], y,
        &asked, call->stream);
}

/* The first calls of the mix in both types, and the odd one. */
static inline cudaError_t mix(const struct judge_call *call, struct lesson6_context *context,
                              int calls)
{
    cudaError_t error = mix_call(call, context, 0, CALLS);
    for (int set = 0; set < 2; set++)
        for (int index = 0; index < calls && error == cudaSuccess; index++)
            error = mix_call(call, context, set, index);
    return error;
}

/* --- Scripts ---------------------------------------------------------------------------------- */

static inline cudaError_t call_once(const struct judge_call *call, struct lesson6_context *context)
{
    return gemm(call, context, call->buffers[BIAS], call->buffers[Y]);
}

/* What body does, as a graph that is launched so often. */
static inline cudaError_t captured(const struct judge_call *call, struct lesson6_context *context,
                            cudaError_t (*body)(const struct judge_call *,
                                                struct lesson6_context *),
                            int launches)
{
    cudaGraph_t recorded = NULL;
    cudaGraphExec_t graph = NULL;
    cudaError_t error = cudaStreamBeginCapture(call->stream, cudaStreamCaptureModeRelaxed);
    if (error != cudaSuccess)
        return error;
    cudaError_t called = body(call, context);
    error = cudaStreamEndCapture(call->stream, &recorded);
    if (called != cudaSuccess)
        error = called;
    if (error == cudaSuccess)
        error = cudaGraphInstantiate(&graph, recorded, 0);
    for (int i = 0; i < launches && error == cudaSuccess; i++)
        error = cudaGraphLaunch(graph, call->stream);
    if (graph)
        cudaGraphExecDestroy(graph);
    if (recorded)
        cudaGraphDestroy(recorded);
    return error;
}

static inline cudaError_t other_bias(const struct judge_call *call, struct lesson6_context *context)
{
    cudaError_t error = call_once(call, context);
    return error == cudaSuccess
               ? gemm(call, context, call->buffers[BIAS_2], call->buffers[Y_2])
               : error;
}

/* One process works the case out and saves it, the next one loads it. */
static inline cudaError_t reloaded(const struct judge_call *call)
{
    struct lesson6_context *context = NULL;
    bool is_first = call->process == 0;
    cudaError_t error = create(call, &context);
    if (error == cudaSuccess && !is_first)
        error = load(call, context, call->file);
    if (error == cudaSuccess)
        error = gemm(call, context, call->buffers[BIAS], call->buffers[is_first ? Y : Y_2]);
    if (error == cudaSuccess && is_first)
        error = save(call, context, call->file);
    if (context)
        destroy(call, context);
    return error;
}

struct file {
    struct lesson6_stamp stamp;
    unsigned char bytes[1 << 16];
    size_t size;                 /* of both */
};

static inline bool read_file(const char *path, struct file *file)
{
    FILE *from = fopen(path, "rb");
    size_t stamp = from ? fread(&file->stamp, 1, sizeof file->stamp, from) : 0;
    file->size = stamp + (stamp == sizeof file->stamp
                              ? fread(file->bytes, 1, sizeof file->bytes, from) : 0);
    if (from)
        fclose(from);
    return file->size >= sizeof file->stamp;
}

static inline bool write_file(const char *path, const struct file *file)
{
    FILE *to = fopen(path, "wb");
    bool written = to && fwrite(file, 1, file->size, to) == file->size;
    return to && fclose(to) == 0 && written;
}

/* What the file becomes. A checksum that no longer fits is part of some; where the stamp is what is
 * wrong, nothing else is. */
static inline void spoil(struct file *file, int how)
{
    size_t bytes = file->size - sizeof file->stamp;
    switch (how) {
    case FLIPPED:
        if (bytes)
            file->bytes[bytes / 2] ^= 4;
        else
            file->stamp.checksum ^= 4;
        break;
    case CUT_SHORT: file->size -= bytes ? bytes / 2 + 1 : 1; break;
    case LENGTHENED: file->bytes[bytes] = 0; file->size++; break;
    case OTHER_VERSION: file->stamp.library_version++; break;
    case OTHER_DEVICE: memcpy(file->stamp.device, "some other device", 18); break;
    case EMPTY: file->size = 0; break;
    default: break;
    }
}

/* Whether load refuses each of the files; each is shown to a context of its own. */
static inline cudaError_t show_files(const struct judge_call *call, const struct file *good,
                                     uint32_t refused[FILES])
{
    const char *path = call->file;
    cudaError_t error = cudaSuccess;
    for (int how = 0; how < FILES && error == cudaSuccess; how++) {
        struct lesson6_context *context = NULL;
        struct file *file = malloc(sizeof *file);
        if (!file)
            return cudaErrorMemoryAllocation;
        *file = *good;
        spoil(file, how);
        bool there = how == MISSING ? unlink(path) == 0 : write_file(path, file);
        error = there ? create(call, &context) : cudaErrorUnknown;
        if (error == cudaSuccess)
            refused[how] = load(call, context, path) != cudaSuccess;
        if (context)
            destroy(call, context);
        free(file);
    }
    return error;
}

static inline cudaError_t spoilt(const struct judge_call *call)
{
    struct lesson6_context *context = NULL;
    struct file *good = calloc(1, sizeof *good);
    uint32_t refused[FILES] = {0};
    cudaError_t error = good ? create(call, &context) : cudaErrorMemoryAllocation;
    if (error == cudaSuccess)
        error = call_once(call, context);
    if (error == cudaSuccess)
        error = save(call, context, call->file);
    if (error == cudaSuccess && !read_file(call->file, good))
        error = cudaErrorUnknown;
    if (error == cudaSuccess)
        error = show_files(call, good, refused);
    if (error == cudaSuccess)
        error = cudaMemcpyAsync(call->buffers[ANSWERS], refused, sizeof refused,
                                cudaMemcpyHostToDevice, call->stream);
    if (context)
        destroy(call, context);
    free(good);
    return error;
}

/* The call that is new, in both types. */
static inline cudaError_t new_calls(const struct judge_call *call, struct lesson6_context *context)
{
    cudaError_t error = mix_call(call, context, 0, NEW_CALL);
    for (int run = 1; run < NEW_RUNS && error == cudaSuccess; run++)
        error = mix_call(call, context, 0, NEW_CALL);
    return error;
}

/* The first process learns the mix, all but the new call of the first type, and saves it. The next
 * one loads it, serves the mix, and meets the new call. */
static inline cudaError_t serve(const struct judge_call *call)
{
    struct lesson6_context *context = NULL;
    bool is_first = call->process == 0;
    cudaError_t error = create(call, &context);
    if (error == cudaSuccess && !is_first)
        error = load(call, context, call->file);
    for (int round = 0; round < (is_first ? 1 : ROUNDS) && error == cudaSuccess; round++)
        error = mix(call, context, NEW_CALL);
    if (error == cudaSuccess)
        error = mix_call(call, context, 1, NEW_CALL);
    if (error == cudaSuccess)
        error = is_first ? save(call, context, call->file) : captured(call, context, new_calls, 1);
    if (context)
        destroy(call, context);
    return error;
}

static inline cudaError_t launch(const struct judge_call *call)
{
    struct kept *kept = call->memory;
    cudaError_t error = cudaSuccess;
    switch ((enum script)call->problem->script) {
    case SERVED: return serve(call);
    case RELOADED: return reloaded(call);
    case SPOILT: error = spoilt(call); break;
    case NEW_CONTEXT:
        if (kept->context)
            destroy(call, kept->context);
        kept->context = NULL;
        break;
    default: break;
    }
    if (error == cudaSuccess && !kept->context)
        error = create(call, &kept->context);
    if (error != cudaSuccess)
        return error;
    switch ((enum script)call->problem->script) {
    case CAPTURED: return captured(call, kept->context, call_once, 2);
    case OTHER_BIAS: return other_bias(call, kept->context);
    case STEADY: return mix(call, kept->context, CALLS);
    default: return call_once(call, kept->context);
    }
}

#endif
