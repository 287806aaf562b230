/* calls.c - lesson 6, in the runner: contexts, calls, and the scripts around them. */
#include "judges/06_gemm/calls.h"
#include "judges/06_gemm/front.h"

#include <string.h>

/* --- Calling ---------------------------------------------------------------------------------- */

/* NaNs of FP16 in the workspace where copies begin, if a context makes any: of the mix they are
 * larger. As bytes they are not what outputs are poisoned with. */
static cudaError_t spoil_workspace(const struct judge_call *call, unsigned char *workspace,
                                   size_t bytes)
{
    enum { NAN_BYTE = 0x7F, SPOILT = 1 << 20, SPOILT_OF_MIX = 16 << 20 };
    size_t most = gemm_is_mix(call->problem) ? SPOILT_OF_MIX : SPOILT;
    return bytes ? cudaMemsetAsync(workspace, NAN_BYTE, bytes < most ? bytes : most, call->stream)
                 : cudaSuccess;
}

/* With the last so many bytes of the workspace, so that more would be past its end; 0 is no
 * pointer, too, in a case that is about nothing else. */
cudaError_t gemm_create_in(const struct judge_call *call, size_t bytes,
                           struct lesson6_context **context)
{
    unsigned char *end = (unsigned char *)call->workspace + WORKSPACE_BYTES;
    cudaError_t error = spoil_workspace(call, end - bytes, bytes);
    *context = NULL;
    if (error != cudaSuccess)
        return error;
    void *workspace = bytes == 0 && call->problem->script == IN_ROOM ? NULL : end - bytes;
    return ((create_function *)call->symbols[CREATE])(context, workspace, bytes);
}

cudaError_t gemm_create(const struct judge_call *call, struct lesson6_context **context)
{
    return gemm_create_in(call, WORKSPACE_BYTES, context);
}

/* A device that has not so much left gives what there is. */
static cudaError_t create_wide(const struct judge_call *call, struct lesson6_context **context)
{
    struct kept *kept = call->memory;
    *context = NULL;
    if (!kept->wide && cudaMalloc(&kept->wide, WIDE_BYTES) != cudaSuccess) {
        cudaGetLastError();
        kept->wide = NULL;
        return gemm_create(call, context);
    }
    return ((create_function *)call->symbols[CREATE])(context, kept->wide, WIDE_BYTES);
}

cudaError_t gemm_destroy(const struct judge_call *call, struct lesson6_context *context)
{
    return ((destroy_function *)call->symbols[DESTROY])(context);
}

cudaError_t gemm_save(const struct judge_call *call, struct lesson6_context *context,
                      const char *path)
{
    return ((file_function *)call->symbols[SAVE])(context, path);
}

cudaError_t gemm_load(const struct judge_call *call, struct lesson6_context *context,
                      const char *path)
{
    return ((file_function *)call->symbols[LOAD])(context, path);
}

/* What is asked for is the caller's, who may go on to ask for the same: it must be as it was. The
 * slope is of an activation that is never asked for, so it is another one each time. */
cudaError_t gemm_ask(const struct judge_call *call, struct lesson6_context *context,
                     enum lesson6_type type, const void *a, const void *b, const void *bias,
                     void *y, const struct quest_gemm *asked)
{
    struct quest_gemm lent, kept;
    memcpy(&lent, asked, sizeof lent);
    lent.leaky_slope = (float)++front.calls;
    memcpy(&kept, &lent, sizeof kept);
    front.promise_count = 0;
    front.is_broken = false;
    cudaError_t error =
        ((gemm_function *)call->symbols[GEMM])(context, type, a, b, bias, y, &lent, call->stream);
    if (error == cudaSuccess && front.is_broken) {
        fprintf(stderr, "a pointer has a smaller alignment than the library was promised\n");
        return cudaErrorInvalidValue;
    }
    if (memcmp(&lent, &kept, sizeof lent) == 0)
        return error;
    fprintf(stderr, "the call changed the caller's struct quest_gemm\n");
    return cudaErrorInvalidValue;
}

/* The product of a numerics case, with these outputs. */
cudaError_t gemm_call(const struct judge_call *call, struct lesson6_context *context,
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
    return gemm_ask(call, context, (enum lesson6_type)size[TYPE], call->buffers[A],
                    call->buffers[B], bias, y, &asked);
}

/* One call of the mix in one type, on rows that begin so many later. */
static cudaError_t mix_call(const struct judge_call *call, struct lesson6_context *context, int set,
                            int index, int64_t shift)
{
    const struct judge_case *problem = call->problem;
    void *const *own = call->buffers + set * SET;
    int64_t n = problem->size[N], k = problem->size[K], before = shift;
    for (int i = 0; i < index; i++)
        before += gemm_rows_of_call(problem, i);
    const struct quest_gemm asked = {.m = gemm_rows_of_call(problem, index),
                                     .n = n,
                                     .k = k,
                                     .transpose_b = true,
                                     .with_bias = true,
                                     .activation = QUEST_ACT_GELU_TANH};
    return gemm_ask(call, context, set == 0 ? LESSON6_F16 : LESSON6_BF16,
                    (const uint16_t *)own[A] + before * k, own[B], own[BIAS],
                    (uint16_t *)own[Y] + before * n, &asked);
}

/* Rows that are no multiple of 16 bytes. */
static cudaError_t odd_call(const struct judge_call *call, struct lesson6_context *context)
{
    void *const *at = call->buffers;
    const struct quest_gemm asked = {.m = ODD_ROWS,
                                     .n = gemm_odd_side(call->problem->size[N]),
                                     .k = gemm_odd_side(call->problem->size[K]),
                                     .transpose_b = true};
    return gemm_ask(call, context, LESSON6_F16, at[ODD_A], at[ODD_B], NULL, at[ODD_Y], &asked);
}

static cudaError_t long_call(const struct judge_call *call, struct lesson6_context *context)
{
    void *const *at = call->buffers;
    const struct quest_gemm asked = {.m = LONG_M, .n = LONG_N, .k = LONG_K, .transpose_b = true};
    return gemm_ask(call, context, LESSON6_F16, at[A], at[B], NULL, at[LONG_Y], &asked);
}

/* The first calls of the mix in both types, the odd one and the long one. */
cudaError_t gemm_mix(const struct judge_call *call, struct lesson6_context *context, int calls,
                     int64_t shift)
{
    cudaError_t error = odd_call(call, context);
    if (error == cudaSuccess)
        error = long_call(call, context);
    for (int set = 0; set < 2; set++)
        for (int index = 0; index < calls && error == cudaSuccess; index++)
            error = mix_call(call, context, set, index, shift);
    return error;
}

/* --- Scripts ---------------------------------------------------------------------------------- */

cudaError_t gemm_call_once(const struct judge_call *call, struct lesson6_context *context)
{
    return gemm_call(call, context, call->buffers[BIAS], call->buffers[Y]);
}

cudaError_t gemm_with_two(const struct judge_call *call, gemm_body_of_two *body)
{
    struct lesson6_context *first = NULL, *next = NULL;
    cudaError_t error = gemm_create(call, &first);
    if (error == cudaSuccess)
        error = gemm_create(call, &next);
    if (error == cudaSuccess)
        error = body(call, first, next);
    if (first)
        gemm_destroy(call, first);
    if (next)
        gemm_destroy(call, next);
    return error;
}

/* What body does, as a graph that is launched so often. */
cudaError_t gemm_captured(const struct judge_call *call, struct lesson6_context *context,
                          gemm_body *body, int launches)
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

/* A product that is not launched reads nothing, so its matrices need not exist. */
cudaError_t gemm_recorded(const struct judge_call *call, struct lesson6_context *context,
                          const struct quest_gemm *asked, size_t *nodes)
{
    void *const *at = call->buffers;
    cudaGraph_t recorded = NULL;
    *nodes = 0;
    cudaError_t error = cudaStreamBeginCapture(call->stream, cudaStreamCaptureModeRelaxed);
    if (error != cudaSuccess)
        return error;
    cudaError_t called = gemm_ask(call, context, LESSON6_F16, at[A], at[B], NULL, at[Y], asked);
    error = cudaStreamEndCapture(call->stream, &recorded);
    if (error == cudaSuccess)
        error = cudaGraphGetNodes(recorded, NULL, nodes);
    if (recorded)
        cudaGraphDestroy(recorded);
    return called == cudaSuccess ? error : called;
}

/* Two kinds that differ in how Y is aligned alone: an algorithm that was made for the first one
 * would be refused for the second. */
static cudaError_t alike(const struct judge_call *call, struct lesson6_context *context,
                         int64_t side)
{
    void *const *at = call->buffers;
    const struct quest_gemm asked = {.m = side, .n = side, .k = side};
    cudaError_t error = gemm_ask(call, context, LESSON6_F16, at[A], at[B], NULL, at[Y], &asked);
    return error == cudaSuccess ? gemm_ask(call, context, LESSON6_F16, at[A], at[B], NULL,
                                           (uint16_t *)at[Y] + 1, &asked)
                                : error;
}

static cudaError_t small(const struct judge_call *call, struct lesson6_context *context)
{
    return alike(call, context, SMALL);
}

/* Sides of so many digits that a text for them is long. */
static cudaError_t enormous(const struct judge_call *call, struct lesson6_context *context)
{
    return alike(call, context, ENORMOUS);
}

/* What is captured needs no memory of such size. Keys that have no alignment in them at all are for
 * other cases to find. */
cudaError_t gemm_never_run(const struct judge_call *call, struct lesson6_context *context)
{
    cudaError_t error = cudaSuccess;
    if (gemm_captured(call, context, small, 0) == cudaSuccess)
        error = gemm_captured(call, context, enormous, 0);
    return error == cudaSuccess ? gemm_call_once(call, context) : error;
}

/* So many calls with the same pointers, none of which is waited for. Before each of them the FP16
 * result is set to something else, so that each has to be made. */
static cudaError_t call_over_and_over(const struct judge_call *call,
                                      struct lesson6_context *context, const void *bias, void *y,
                                      int times)
{
    const int64_t *size = call->problem->size;
    cudaError_t error = cudaSuccess;
    for (int i = 0; i < times && error == cudaSuccess; i++) {
        error = cudaMemsetAsync(y, i, sizeof(uint16_t) * (size_t)(size[M] * size[N]), call->stream);
        if (error == cudaSuccess)
            error = gemm_call(call, context, bias, y);
    }
    return error;
}

/* An even and an odd number of calls: one of them shows if every other one is left out. */
cudaError_t gemm_repeated(const struct judge_call *call, struct lesson6_context *context)
{
    enum { EVEN = 12, ODD = 13 };
    void *const *at = call->buffers;
    cudaError_t error = call_over_and_over(call, context, at[BIAS], at[Y], EVEN);
    return error == cudaSuccess ? call_over_and_over(call, context, at[BIAS], at[Y_2], ODD) : error;
}

/* The same product with relu. */
static cudaError_t call_with_relu(const struct judge_call *call, struct lesson6_context *context,
                                  const void *bias, void *y)
{
    struct judge_case problem = *call->problem;
    struct judge_call other = *call;
    problem.size[ACTIVATION] = QUEST_ACT_RELU;
    other.problem = &problem;
    return gemm_call(&other, context, bias, y);
}

/* A bias at another address, once a call with all other pointers the same has been repeated; and
 * where Y is another one, too, after a call of another kind has had the same bias: what is
 * remembered of one kind is none of another's. */
cudaError_t gemm_other_bias(const struct judge_call *call, struct lesson6_context *context)
{
    enum { TIMES = 3 };
    void *const *at = call->buffers;
    cudaError_t error = call_over_and_over(call, context, at[BIAS_2], at[Y], TIMES);
    if (error == cudaSuccess)
        error = gemm_call_once(call, context);
    if (error == cudaSuccess)
        error = call_with_relu(call, context, at[BIAS_2], at[Y_2]);
    return error == cudaSuccess ? gemm_call(call, context, at[BIAS_2], at[Y_2]) : error;
}

/* What a copy in the workspace has beside the matrix is what the product before left there, unless
 * it is set. */
cudaError_t gemm_after_nan(const struct judge_call *call, struct lesson6_context *context)
{
    void *const *at = call->buffers;
    const int64_t *size = call->problem->size;
    const struct quest_gemm asked = {.m = NAN_M,
                                     .n = NAN_N,
                                     .k = NAN_K,
                                     .transpose_a = size[TRANSPOSE] & TA,
                                     .transpose_b = size[TRANSPOSE] & TB};
    cudaError_t error = gemm_ask(call, context, (enum lesson6_type)size[TYPE], at[NAN_A], at[NAN_B],
                                 NULL, at[NAN_Y], &asked);
    return error == cudaSuccess ? gemm_call_once(call, context) : error;
}

static cudaError_t call_of_loaded(const struct judge_call *call, struct lesson6_context *context)
{
    return gemm_call(call, context, call->buffers[BIAS], call->buffers[Y_2]);
}

/* The first call of a process that has done nothing yet but load the file. */
static cudaError_t serve_first(const struct judge_call *call)
{
    struct kept *kept = call->memory;
    if (call->prepares) {
        cudaError_t error = call->problem->script == WIDE_ROOM ? create_wide(call, &kept->loaded)
                                                               : gemm_create(call, &kept->loaded);
        if (error == cudaSuccess)
            gemm_load(call, kept->loaded,
                      call->file); /* what came of it is seen by what is asked */
        return error;
    }
    cudaError_t error = call->problem->script == RELOADED
                            ? call_of_loaded(call, kept->loaded)
                            : gemm_captured(call, kept->loaded, call_of_loaded, 1);
    gemm_destroy(call, kept->loaded);
    kept->loaded = NULL;
    return error;
}

/* One process works the case out and saves it, the next one loads it. Where that one's call becomes
 * a graph, so does the first one's: what was first asked in a capture is known, too. */
cudaError_t gemm_reloaded(const struct judge_call *call)
{
    struct lesson6_context *context = NULL;
    if (call->process > 0)
        return serve_first(call);
    cudaError_t error = gemm_create(call, &context);
    if (error == cudaSuccess)
        error = call->problem->script == RELOADED_CAPTURED
                    ? gemm_captured(call, context, gemm_call_once, 1)
                    : gemm_call_once(call, context);
    if (error == cudaSuccess)
        error = gemm_save(call, context, call->file);
    if (context)
        gemm_destroy(call, context);
    return error;
}

/* By a context whose workspace is as small as the case says. */
cudaError_t gemm_in_room(const struct judge_call *call, size_t bytes, void *y)
{
    struct lesson6_context *context = NULL;
    cudaError_t error = gemm_create_in(call, bytes, &context);
    if (error == cudaSuccess)
        error = gemm_call(call, context, call->buffers[BIAS], y);
    if (context)
        gemm_destroy(call, context);
    return error;
}

/* What one context knows is of no use to the other. */
cudaError_t gemm_two_rooms(const struct judge_call *call)
{
    struct lesson6_context *roomy = NULL;
    cudaError_t error = gemm_create(call, &roomy);
    if (error == cudaSuccess)
        error = gemm_call_once(call, roomy);
    if (error == cudaSuccess)
        error = gemm_in_room(call, 0, call->buffers[Y_2]);
    if (roomy)
        gemm_destroy(call, roomy);
    return error;
}

/* A program may have one for each stream of each device. */
cudaError_t gemm_many_contexts(const struct judge_call *call)
{
    enum { CONTEXTS = 16 };
    struct lesson6_context *contexts[CONTEXTS] = {NULL};
    cudaError_t error = cudaSuccess;
    for (int i = 0; i < CONTEXTS && error == cudaSuccess; i++)
        error = gemm_create(call, &contexts[i]);
    if (error == cudaSuccess)
        error = gemm_call_once(call, contexts[CONTEXTS - 1]);
    if (error == cudaSuccess)
        error = gemm_call(call, contexts[0], call->buffers[BIAS], call->buffers[Y_2]);
    for (int i = 0; i < CONTEXTS; i++)
        if (contexts[i])
            gemm_destroy(call, contexts[i]);
    return error;
}

/* What was in so many elements of an output before is no result of the next call. */
static cudaError_t spoil_output(const struct judge_call *call, int output, int64_t first,
                                int64_t count)
{
    return cudaMemsetAsync((uint16_t *)call->buffers[output] + first, 0xFF,
                           (size_t)count * sizeof(uint16_t), call->stream);
}

/* The call that is new, several times: now here, now there, and what it is to write is spoilt
 * before each. */
static cudaError_t new_calls(const struct judge_call *call, struct lesson6_context *context)
{
    const struct judge_case *problem = call->problem;
    int64_t n = problem->size[N], before = gemm_rows_of_round(problem);
    cudaError_t error = cudaSuccess;
    for (int run = 0; run < NEW_RUNS && error == cudaSuccess; run++) {
        int64_t row = ROUNDS * before + run / 2 % 2 * NEW_ROWS;
        error = spoil_output(call, Y, row * n, NEW_ROWS * n);
        if (error == cudaSuccess)
            error = mix_call(call, context, 0, NEW_CALL, row - before);
    }
    return error;
}

/* What the process before left in the outputs is none of this one's work. */
static cudaError_t spoil_outputs(const struct judge_call *call)
{
    const struct judge_case *problem = call->problem;
    int64_t n = problem->size[N];
    cudaError_t error = spoil_output(call, Y, 0, gemm_all_rows(problem, 0) * n);
    return error == cudaSuccess ? spoil_output(call, SET + Y, 0, gemm_all_rows(problem, 1) * n)
                                : error;
}

/* The outputs that each round writes anew, for all others have rows of their own. */
static cudaError_t spoil_shared(const struct judge_call *call)
{
    cudaError_t error =
        spoil_output(call, ODD_Y, 0, ODD_ROWS * gemm_odd_side(call->problem->size[N]));
    return error == cudaSuccess ? spoil_output(call, LONG_Y, 0, LONG_M * LONG_N) : error;
}

/* A server meets a hundred kinds and more: small ones here, whose result the long call overwrites.
 */
static cudaError_t other_kinds(const struct judge_call *call, struct lesson6_context *context)
{
    void *const *at = call->buffers;
    cudaError_t error = cudaSuccess;
    for (int kind = 0; kind < OTHER_KINDS && error == cudaSuccess; kind++) {
        const struct quest_gemm asked = {
            .m = 1 + kind % LONG_M, .n = LONG_N, .k = 8 * (1 + kind / LONG_M)};
        error = gemm_ask(call, context, LESSON6_F16, at[A], at[B], NULL, at[LONG_Y], &asked);
    }
    return error;
}

/* The first process learns the mix, all but the new call of the first type, then these, in a graph,
 * since whoever measures would take minutes; and saves them all. */
static cudaError_t learn(const struct judge_call *call, struct lesson6_context *context)
{
    cudaError_t error = gemm_mix(call, context, NEW_CALL, OWN_SHIFT);
    if (error == cudaSuccess)
        error = mix_call(call, context, 1, NEW_CALL, OWN_SHIFT);
    if (error == cudaSuccess)
        error = gemm_captured(call, context, other_kinds, 1);
    return error == cudaSuccess ? gemm_save(call, context, call->file) : error;
}

/* The next one meets the new call, and only then loads the file: it knows both from there on. */
static cudaError_t serve(const struct judge_call *call, struct lesson6_context *context)
{
    const struct judge_case *problem = call->problem;
    cudaError_t error = spoil_outputs(call);
    if (error == cudaSuccess)
        error = gemm_captured(call, context, new_calls, 1);
    if (error == cudaSuccess)
        error = gemm_load(call, context, call->file);
    for (int round = 0; round < ROUNDS && error == cudaSuccess; round++) {
        error = spoil_shared(call);
        if (error == cudaSuccess)
            error = gemm_mix(call, context, NEW_CALL, round * gemm_rows_of_round(problem));
    }
    for (int set = 0; set < 2 && error == cudaSuccess; set++)
        error = mix_call(call, context, set, NEW_CALL,
                         gemm_all_rows(problem, set) - NEW_ROWS - gemm_rows_of_round(problem));
    return error;
}

cudaError_t gemm_served(const struct judge_call *call)
{
    struct lesson6_context *context = NULL;
    cudaError_t error = gemm_create(call, &context);
    if (error == cudaSuccess)
        error = call->process == 0 ? learn(call, context) : serve(call, context);
    if (context)
        gemm_destroy(call, context);
    return error;
}
