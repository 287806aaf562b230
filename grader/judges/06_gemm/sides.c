/* sides.c - lesson 6, in the runner: kinds of problem with a side that is longer than another
 * kind's by a power of two.
 *
 * A key that keeps fewer bits of a side than it has, or packs the sides into one word, finds the
 * plan of a small product for such a kind. The calls go into graphs that are not launched, so no
 * matrix needs to be that large, and what the library is asked to multiply tells which plan was
 * taken.
 */
#include "judges/06_gemm/calls.h"
#include "judges/06_gemm/front.h"

/* The sides of a small kind; and by how much one is longer in three others. With these, keys are
 * found in which the low bits of one side lie on the high bits of another. */
enum { SIDE = 16, LONGER = 8 };
/* The bits from which on a side is cut off. The library takes no side of more than 31 bits. */
enum { FIRST_BIT = 16, LAST_BIT = 30 };
enum { MOST_PRODUCTS = 256 };

static struct quest_gemm kind(int side, int64_t more)
{
    struct quest_gemm asked = {.m = SIDE, .n = SIDE, .k = SIDE};
    int64_t *const sides[] = {[M] = &asked.m, [N] = &asked.n, [K] = &asked.k};
    *sides[side] += more;
    return asked;
}

/* The library may turn such a kind down, and does so where a call makes many products of it: with
 * one for each few rows there would be millions, which is slow, but no plan of another kind. What
 * is accepted must be made whole. The factor is far above what rounding does to the sum, and far
 * below what another kind's plan leaves out. */
static bool is_made_whole(const struct judge_call *call, struct lesson6_context *context,
                          const struct quest_gemm *asked, bool is_known)
{
    long before = front.questions;
    size_t nodes;
    front.multiplied = 0;
    front.room = 1 + MOST_PRODUCTS;
    cudaError_t error = gemm_recorded(call, context, asked, &nodes);
    front.room = 0;
    if (error != cudaSuccess)
        return true;
    return 2 * front.multiplied >= (double)asked->m * (double)asked->n * (double)asked->k &&
           (!is_known || front.questions == before);
}

static bool is_side_whole(const struct judge_call *call, struct lesson6_context *context, int side,
                          bool is_known)
{
    bool is_whole = true;
    for (int bit = FIRST_BIT; bit <= LAST_BIT && is_whole; bit++) {
        const struct quest_gemm asked = kind(side, INT64_C(1) << bit);
        is_whole = is_made_whole(call, context, &asked, is_known);
    }
    return is_whole;
}

/* All three sides long, at once: such products are too large to run here. */
static bool are_all_sides_whole(const struct judge_call *call, struct lesson6_context *context)
{
    enum { FIRST = 7, LAST = 15 };
    bool is_whole = true;
    for (int bit = FIRST; bit <= LAST && is_whole; bit++) {
        int64_t side = INT64_C(1) << bit;
        const struct quest_gemm asked = {.m = side, .n = side, .k = side};
        is_whole = is_made_whole(call, context, &asked, false);
    }
    return is_whole;
}

static cudaError_t ask_for_small_ones(const struct judge_call *call,
                                      struct lesson6_context *context)
{
    cudaError_t error = gemm_call_once(call, context);
    for (int side = M; side <= K && error == cudaSuccess; side++) {
        const struct quest_gemm small = kind(side, 0), longer = kind(side, LONGER);
        size_t nodes;
        error = gemm_recorded(call, context, &small, &nodes);
        if (error == cudaSuccess)
            error = gemm_recorded(call, context, &longer, &nodes);
    }
    return error;
}

/* Does a file keep a small kind? Otherwise it has kept nothing, which other cases judge. */
static bool is_small_kept(const struct judge_call *call, struct lesson6_context *first)
{
    struct lesson6_context *probe = NULL;
    const struct quest_gemm small = kind(M, 0);
    bool is_kept = gemm_create(call, &probe) == cudaSuccess &&
                   gemm_saves_and_loads(call, first, probe) &&
                   is_made_whole(call, probe, &small, true);
    if (probe)
        gemm_destroy(call, probe);
    return is_kept;
}

/* Does a context that has met all these kinds ask the library about none of them again? */
static bool are_known(const struct judge_call *call, struct lesson6_context *context)
{
    bool is_known = true;
    for (int side = M; side <= K && is_known; side++)
        is_known = is_side_whole(call, context, side, true);
    return is_known;
}

/* The same of a context that has loaded what the first one knows: its file asks for no more. One
 * that has dropped some of so many kinds can save no more than it has, which other cases judge. */
static bool are_sides_kept(const struct judge_call *call, struct lesson6_context *first,
                           struct lesson6_context *next)
{
    return !are_known(call, first) ||
           (gemm_saves_and_loads(call, first, next) && are_known(call, next));
}

static cudaError_t ask_by_sides(const struct judge_call *call, struct lesson6_context *first,
                                struct lesson6_context *next)
{
    uint32_t answers[SIDE_ANSWERS];
    cudaError_t error = ask_for_small_ones(call, first);
    if (error != cudaSuccess)
        return error;
    bool is_judged = is_small_kept(call, first);
    for (int side = M; side <= K; side++)
        answers[side] = is_side_whole(call, first, side, false);
    answers[ALL_SIDES] = are_all_sides_whole(call, first);
    answers[SIDES_KEPT] = !is_judged || are_sides_kept(call, first, next);
    return gemm_answer(call, answers, sizeof answers);
}

cudaError_t gemm_long_sides(const struct judge_call *call)
{
    return gemm_with_two(call, ask_by_sides);
}
