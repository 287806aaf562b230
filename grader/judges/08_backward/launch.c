/* launch.c - lesson 8, in the runner: a call with a workspace of just the size that it asks for.
 *
 * The workspace ends where the memory ends, so that what is past it is past an allocation. Cases
 * share that memory: each finds what others left there.
 */
#include "check/judge_graph.h"
#include "judges/08_backward/parts.h"
#include "judges/08_backward/problem.h"

#include <string.h>

typedef size_t workspace_function(const struct quest_gemm *);
typedef cudaError_t backward_function(const float *, const float *, const float *, const float *,
                                      float *, float *, float *, const struct quest_gemm *, void *,
                                      size_t, cudaStream_t);

static struct quest_gemm gemm_of(const struct judge_case *problem)
{
    return (struct quest_gemm){
        .m = problem->size[M],
        .n = problem->size[N],
        .k = problem->size[K],
        .transpose_a = problem->script == TRANSPOSED_A,
        .transpose_b = problem->script == TRANSPOSED_B,
        .with_bias = problem->size[WITH_BIAS] && problem->script != NO_BIAS_SAID,
        .save_z = problem->script != Z_NOT_SAVED,
        .activation = (enum quest_activation)problem->size[ACTIVATION],
        .leaky_slope = (float)problem->real[SLOPE],
    };
}

static bool is_within(size_t bytes, int64_t m, int64_t n, int64_t k)
{
    return bytes % 16 == 0 &&
           (double)bytes <= backward_most_workspace((double)m, (double)n, (double)k);
}

static bool is_side(int64_t side)
{
    return side >= 0 && side <= LESSON8_LARGEST_SIDE;
}

/* By the contract, whatever the case is about: a submission shares this memory. gBias and the
 * workspace are no part of gemm. */
static bool is_refused(const struct quest_gemm *gemm)
{
    return !is_side(gemm->m) || !is_side(gemm->n) || !is_side(gemm->k) ||
           gemm->m * gemm->n > LESSON8_MOST_ELEMENTS || gemm->m * gemm->k > LESSON8_MOST_ELEMENTS ||
           gemm->k * gemm->n > LESSON8_MOST_ELEMENTS || gemm->transpose_a || gemm->transpose_b ||
           !gemm->save_z || (unsigned)gemm->activation >= (unsigned)ACTIVATIONS;
}

static bool has_outputs(const struct quest_gemm *gemm)
{
    return (gemm->k && (gemm->m || gemm->n)) || (gemm->with_bias && gemm->n);
}

static bool is_allowed(const struct quest_gemm *gemm, size_t bytes)
{
    if (is_refused(gemm) || !has_outputs(gemm))
        return bytes == 0;
    return bytes <= BACKWARD_WORKSPACE_BYTES && is_within(bytes, gemm->m, gemm->n, gemm->k);
}

/* The largest calls are too large to make here, but what they need can be asked. */
static bool is_allowed_of_large(workspace_function *ask)
{
    static const int64_t LARGE[][3] = {
        {1000000, 2147, 2147}, {2147, 1000000, 2147}, {2147, 2147, 1000000}, {46340, 46340, 46340}};
    for (size_t i = 0; i < sizeof LARGE / sizeof *LARGE; i++) {
        const int64_t *side = LARGE[i];
        struct quest_gemm gemm = {
            .m = side[0], .n = side[1], .k = side[2], .with_bias = true, .save_z = true};
        if (!is_within(ask(&gemm), side[0], side[1], side[2]))
            return false;
    }
    return true;
}

/* What the launcher needs for this call, and for large ones. */
static cudaError_t ask_for(workspace_function *ask, const struct quest_gemm *gemm, size_t *bytes)
{
    uint64_t before = judge_device_questions;
    *bytes = ask(gemm);
    bool is_allowed_of_all = is_allowed(gemm, *bytes) && is_allowed_of_large(ask);
    return judge_device_questions > before ? BACKWARD_ASKS_DEVICE
           : is_allowed_of_all             ? cudaSuccess
                                           : BACKWARD_BAD_WORKSPACE;
}

static cudaError_t call_once(const struct judge_call *call)
{
    enum { MORE = 4096 };
    const struct judge_case *problem = call->problem;
    struct quest_gemm gemm = gemm_of(problem);
    size_t bytes;
    cudaError_t asked = ask_for((workspace_function *)call->symbols[1], &gemm, &bytes);
    if (asked != cudaSuccess)
        return asked;
    if (problem->script == ONE_BYTE_LESS && bytes == 0)
        return cudaErrorInvalidValue; /* there is no less */
    bytes += problem->script == MORE_ROOM ? MORE : 0;
    void *workspace = (char *)call->workspace + BACKWARD_WORKSPACE_BYTES - bytes;
    bytes -= problem->script == ONE_BYTE_LESS ? 1 : 0;
    void *const *b = call->buffers;
    float *gBias = problem->script == BIAS_MISSING ? NULL : b[GBIAS];
    cudaError_t error =
        ((backward_function *)call->symbols[0])(b[A], b[B], b[GY], b[Z], b[GA], b[GB], gBias, &gemm,
                                                bytes ? workspace : NULL, bytes, call->stream);
    memset(&gemm, 0xFF, sizeof gemm); /* the launcher read it before the call returned */
    __asm__ volatile("" ::"r"(&gemm) : "memory");
    return error;
}

/* The pointers are those of the small call: nothing is read or written. */
static cudaError_t call_largest(const struct judge_call *call)
{
    const double *real = call->problem->real;
    void *const *b = call->buffers;
    struct quest_gemm gemm = gemm_of(call->problem);
    gemm.m = (int64_t)real[LARGEST_M];
    gemm.n = (int64_t)real[LARGEST_N];
    gemm.k = (int64_t)real[LARGEST_K];
    size_t bytes = ((workspace_function *)call->symbols[1])(&gemm);
    return ((backward_function *)call->symbols[0])(b[A], b[B], b[GY], b[Z], b[GA], b[GB], b[GBIAS],
                                                   &gemm, call->workspace, bytes, call->stream);
}

/* Another call, with this one's gY as Z, and Z as gY. Its outputs are at the beginning of the
 * memory for workspaces, and its workspace is a part of that memory further down than this
 * one's. */
static cudaError_t call_other(const struct judge_call *call)
{
    enum { APART = 64 << 20, OUTPUT_FLOATS = 1 << 20 };
    void *const *b = call->buffers;
    float *outputs = call->workspace;
    void *buffers[BUFFERS] = {[GY] = b[Z],
                              [A] = b[A],
                              [B] = b[B],
                              [Z] = b[GY],
                              [GA] = outputs,
                              [GB] = outputs + OUTPUT_FLOATS,
                              [GBIAS] = outputs + 2 * OUTPUT_FLOATS};
    struct judge_call other = *call;
    other.buffers = buffers;
    other.workspace = (char *)call->workspace - APART;
    return call_once(&other);
}

/* Every other launch of a case is a graph's, and all of them must give the same bits. Cases of this
 * script, which are launched in any order, differ in n. */
static cudaError_t by_turns(const struct judge_call *call)
{
    enum { CASES = 128 };
    static bool was_graph[CASES];
    bool *was = &was_graph[call->problem->size[N] % CASES];
    *was = !*was;
    return *was ? judge_graph(call, call_once) : call_once(call);
}

/* NaN where the workspace will be. */
static cudaError_t spoil_workspace(const struct judge_call *call)
{
    enum { SPOILT = 1 << 20, NAN_BYTE = 0xFF };
    char *end = (char *)call->workspace + BACKWARD_WORKSPACE_BYTES;
    return cudaMemsetAsync(end - SPOILT, NAN_BYTE, SPOILT, call->stream);
}

cudaError_t backward_launch(const struct judge_call *call)
{
    if (call->prepares)
        return spoil_workspace(call);
    if (call->problem->refused_with == JUDGE_LAUNCH_FAILS)
        return judge_without_launch(call, call_once);
    switch ((enum script)call->problem->script) {
    case BY_TURNS: return by_turns(call);
    case IN_TURN: return judge_in_turn(call, call_once, call_other);
    case LARGEST_FIRST: return judge_largest_first(call, call_largest, call_once);
    default: return call_once(call);
    }
}
