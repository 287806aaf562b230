/* crowd.c - lesson 6, in the runner: thousands of kinds of problem in one context.
 *
 * A table that tells kinds apart by a few bits of a hash, or by part of what they are, finds the
 * plan of one for another. Of so many kinds some meet, whatever the few bits are made of: they are
 * drawn, so nobody can choose bits that tell these apart. The calls go into graphs that are not
 * launched, and the size of what the library is asked to multiply tells which plan was taken. A
 * table with room for so many may also forget the others, or lose what the library made for them.
 */
#include "judges/06_gemm/calls.h"
#include "judges/06_gemm/front.h"

/* A third of the kinds differs in m alone, a third in n, a third in k. Of 2^16 values of a hash,
 * eight pairs of a third share one, and of 2^20 four of all pairs. */
enum { KINDS = 3 * 1024, SIDES = 3, A_GRAPH = 256, A_SAMPLE = 61 };
/* The side in which kinds differ is whole vectors, and in every second kind one element more; it is
 * so long, and the others so even, that padding to a tile's side adds little. */
enum { VECTOR = 8, LEAST = 128, MOST = 2175, EVEN = 64, EVENS = 8 };
/* So much more than it asked for may be multiplied, as where sides are padded. */
#define SPARE 1.25

static void draw_kinds(uint64_t seed, struct quest_gemm kinds[KINDS])
{
    struct quest_gemm kind = {0};
    int64_t *const sides[SIDES] = {&kind.m, &kind.n, &kind.k};
    for (int i = 0; i < KINDS; i++) {
        int64_t *varied = sides[i / (KINDS / SIDES)];
        for (int side = 0; i % (KINDS / SIDES) == 0 && side < SIDES; side++)
            *sides[side] = EVEN * judge_draw(&seed, 1, EVENS);
        *varied = i % 2 ? *varied + 1 : VECTOR * judge_draw(&seed, LEAST, MOST);
        kinds[i] = kind;
    }
}

/* Is it multiplied as what it is? A context may turn kinds down that it has no room for. */
static bool is_whole(const struct judge_call *call, struct lesson6_context *context,
                     const struct quest_gemm *asked)
{
    void *const *at = call->buffers;
    front.multiplied = 0;
    if (gemm_ask(call, context, LESSON6_F16, at[A], at[B], NULL, at[Y], asked) != cudaSuccess)
        return true;
    double share = front.multiplied / ((double)asked->m * (double)asked->n * (double)asked->k);
    return share > 1 - 0x1p-20 && share < SPARE;
}

/* Many in one graph, since making one takes longer than a call. */
static bool are_all_whole(const struct judge_call *call, struct lesson6_context *context,
                          const struct quest_gemm kinds[KINDS])
{
    bool are_whole = true;
    for (int first = 0; first < KINDS && are_whole; first += A_GRAPH) {
        cudaGraph_t recorded = NULL;
        if (cudaStreamBeginCapture(call->stream, cudaStreamCaptureModeRelaxed) != cudaSuccess)
            return true;
        for (int i = first; i < first + A_GRAPH && i < KINDS; i++)
            are_whole = are_whole && is_whole(call, context, &kinds[i]);
        cudaStreamEndCapture(call->stream, &recorded);
        if (recorded)
            cudaGraphDestroy(recorded);
    }
    return are_whole;
}

/* What the kinds are drawn from: the case's own data, which are others in each check. */
static cudaError_t draw_for(const struct judge_call *call, struct quest_gemm kinds[KINDS])
{
    uint64_t seed;
    cudaError_t error = cudaMemcpy(&seed, call->buffers[A], sizeof seed, cudaMemcpyDeviceToHost);
    if (error == cudaSuccess)
        draw_kinds(seed, kinds);
    return error;
}

/* Is the library asked about none of these? Those that are turned down do not count. */
static bool are_known(const struct judge_call *call, struct lesson6_context *context,
                      const struct quest_gemm *kinds, int count, int step)
{
    void *const *at = call->buffers;
    cudaGraph_t recorded = NULL;
    bool are = true;
    if (cudaStreamBeginCapture(call->stream, cudaStreamCaptureModeRelaxed) != cudaSuccess)
        return true;
    for (int i = 0; i < count; i += step) {
        long before = front.questions;
        cudaError_t error =
            gemm_ask(call, context, LESSON6_F16, at[A], at[B], NULL, at[Y], &kinds[i]);
        are = are && (error != cudaSuccess || front.questions == before);
    }
    cudaStreamEndCapture(call->stream, &recorded);
    if (recorded)
        cudaGraphDestroy(recorded);
    return are;
}

static uint32_t answers[CROWD_ANSWERS];

/* Whether a context keeps anything at all is another case's question. */
static cudaError_t ask_by_kinds(const struct judge_call *call, struct lesson6_context *first,
                                struct lesson6_context *next)
{
    static struct quest_gemm kinds[KINDS];
    cudaError_t error = draw_for(call, kinds);
    if (error == cudaSuccess)
        error = gemm_call_once(call, first);
    if (error != cudaSuccess)
        return error;
    are_known(call, first, kinds, 1, 1);
    bool keeps_one = are_known(call, first, kinds, 1, 1);
    answers[CROWD_MET] = are_all_whole(call, first, kinds);
    answers[CROWD_KEPT] = !keeps_one || are_known(call, first, kinds, KINDS, A_SAMPLE);
    answers[CROWD_LOADED] =
        !gemm_saves_and_loads(call, first, next) || are_all_whole(call, next, kinds);
    return cudaSuccess;
}

cudaError_t gemm_crowd(const struct judge_call *call)
{
    long before = front.alive;
    cudaError_t error = gemm_with_two(call, ask_by_kinds);
    answers[CROWD_FREED] = front.alive <= before;
    return error == cudaSuccess ? gemm_answer(call, answers, sizeof answers) : error;
}
