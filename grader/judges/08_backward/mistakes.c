/* mistakes.c - lesson 8: how a mistake is recognised, and what to say of it. */
#include "check/judge_seen.h"
#include "judges/08_backward/parts.h"
#include "judges/08_backward/problem.h"

#include <assert.h>
#include <float.h>
#include <math.h>
#include <string.h>

/* --- Where it is wrong ------------------------------------------------------------------------ */

/* Cases go through the activations: what is wrong first in one of them was right before it. */
static bool takes(const struct judge_evidence *e, enum quest_activation activation)
{
    return e->where->size[ACTIVATION] == activation;
}

static bool is_gelu(const struct judge_evidence *e)
{
    return takes(e, QUEST_ACT_GELU_ERF) || takes(e, QUEST_ACT_GELU_TANH);
}

/* The first three cases of an activation. */
static bool is_of_activation(const struct judge_evidence *e)
{
    const int64_t *size = e->where->size;
    return (size[M] == 32 && size[N] == 16 && size[K] == 64) ||
           (size[M] == 36 && size[N] == 68 && size[K] == 24);
}

/* gBias is gZ itself. */
static bool is_elementwise(const struct judge_evidence *e)
{
    return e->where->size[M] == 1 && e->where->size[K] == 0;
}

static bool has_no_sum(const struct judge_evidence *e)
{
    const int64_t *size = e->where->size;
    return size[M] == 0 || size[N] == 0 || size[K] == 0;
}

/* Of a wrong result, or of a fault: the words name the buffer. */
static bool is_about(const struct judge_evidence *e, const char *buffer)
{
    return e->said && strstr(e->said, buffer);
}

/* The workspace is no buffer of the case: it has no name. */
static bool is_past_the_workspace(const struct judge_evidence *e)
{
    return judge_failed(e, VERDICT_OUT_OF_BOUNDS) && is_about(e, "335544320-byte");
}

static_assert(BACKWARD_WORKSPACE_BYTES == 335544320, "is_past_the_workspace() looks for it");

/* --- Mistakes --------------------------------------------------------------------------------- */

JUDGE_SEEN(copied, judge_slow(e, JUDGE_COPIES, 1, INFINITY))
JUDGE_SEEN(waits, judge_slow(e, JUDGE_SYNCHRONISATIONS, 1, INFINITY))
JUDGE_SEEN(transposed_apart, judge_slow(e, JUDGE_LAUNCHES, 5, INFINITY))
JUDGE_SEEN(element_per_thread, e->verdict == VERDICT_SLOW && e->kernel.shared_requests == 0 &&
                                   e->counter[JUDGE_LOAD_BYTES_RATIO] > 4)
JUDGE_SEEN(small_tile, e->verdict == VERDICT_SLOW && e->kernel.shared_requests > 0 &&
                           e->counter[JUDGE_LOAD_BYTES_RATIO] > 2)
JUDGE_SEEN(many_parts, e->verdict == VERDICT_SLOW && e->counter[JUDGE_LOAD_BYTES_RATIO] > 1.25 &&
                           e->counter[JUDGE_ALL_BYTES_RATIO] > e->counter[JUDGE_LOAD_BYTES_RATIO])
JUDGE_SEEN(loads_apart, e->verdict == VERDICT_SLOW && e->counter[JUDGE_LOAD_EFFICIENCY] < 0.9)
JUDGE_SEEN(few_blocks, judge_late(e) && 8 * e->kernel.blocks <= e->kernel.multiprocessors)

JUDGE_SEEN(float4_anyway, judge_failed(e, VERDICT_MISALIGNED))
JUDGE_SEEN(barrier_missing, judge_failed(e, VERDICT_RACE) && e->mends_by_barrier)
JUDGE_SEEN(parts_in_one_place, judge_failed(e, VERDICT_RACE) && !e->mends_by_barrier)
JUDGE_SEEN(adds_to_output, judge_failed(e, VERDICT_UNINITIALISED) && is_about(e, "buffer g"))
JUDGE_SEEN(workspace_unwritten, judge_failed(e, VERDICT_UNINITIALISED))
JUDGE_SEEN(not_refused, e->verdict == VERDICT_ARGUMENTS && e->where && e->where->refused_with)
JUDGE_SEEN(workspace_too_large,
           e->verdict == VERDICT_LAUNCH_ERROR && e->error == BACKWARD_BAD_WORKSPACE)
JUDGE_SEEN(workspace_asks_device,
           e->verdict == VERDICT_LAUNCH_ERROR && e->error == BACKWARD_ASKS_DEVICE)
JUDGE_SEEN(grid_too_large, judge_failed(e, VERDICT_LAUNCH_ERROR) &&
                               (e->where->size[M] > 65535 || e->where->script == LARGEST_FIRST))
JUDGE_SEEN(workspace_too_small, is_past_the_workspace(e))
JUDGE_SEEN(operands_exchanged,
           judge_failed(e, VERDICT_OUT_OF_BOUNDS) && is_of_activation(e) && is_about(e, "buffer B"))
JUDGE_SEEN(rest_of_the_sum, judge_failed(e, VERDICT_OUT_OF_BOUNDS) && is_about(e, "buffer A"))
JUDGE_SEEN(other_when_captured,
           e->verdict == VERDICT_NONDETERMINISTIC && e->where && e->where->script == BY_TURNS)
JUDGE_SEEN(order_of_atomics, e->verdict == VERDICT_NONDETERMINISTIC)
JUDGE_SEEN(remembers, judge_wrong(e) && e->where->after > 0)
JUDGE_SEEN(shared_by_calls,
           (judge_wrong(e) && e->where->script == IN_TURN) ||
               (e->verdict == VERDICT_RACE && e->said && strstr(e->said, "device variable")))
JUDGE_SEEN(nothing_to_add, judge_wrong(e) && has_no_sum(e) && e->unwritten == e->wrong)
JUDGE_SEEN(output_missing, judge_wrong(e) && e->wrong_is_unwritten)

JUDGE_SEEN(nan_made, judge_wrong(e) && is_elementwise(e) && isnan(e->got) && !isnan(e->want))
JUDGE_SEEN(nan_lost, judge_wrong(e) && isnan(e->want) && e->got == 0)
JUDGE_SEEN(limit_too_early,
           judge_wrong(e) && is_elementwise(e) &&
               backward_is_curved((enum quest_activation)e->where->size[ACTIVATION]) &&
               (e->where->data == JUDGE_DATA_FAR || e->where->data == JUDGE_DATA_WIDE))
JUDGE_SEEN(relu_at_zero, judge_wrong(e) && is_elementwise(e) && takes(e, QUEST_ACT_RELU))
JUDGE_SEEN(leaky_at_zero, judge_wrong(e) && is_elementwise(e) && takes(e, QUEST_ACT_LEAKY_RELU))
JUDGE_SEEN(slope_is_fixed,
           judge_wrong(e) && takes(e, QUEST_ACT_LEAKY_RELU) && e->where->real[SLOPE] != FIRST_SLOPE)
JUDGE_SEEN(bias_of_gy, judge_wrong(e) && is_of_activation(e) && is_about(e, "gBias["))
JUDGE_SEEN(one_gelu, judge_wrong(e) && is_gelu(e) && is_of_activation(e) &&
                         e->where->data == JUDGE_DATA_UNIFORM && e->largest_error < 0.01)
JUDGE_SEEN(second_term, judge_wrong(e) && is_gelu(e) && is_of_activation(e))
JUDGE_SEEN(z_taken_for_y, judge_wrong(e) && is_of_activation(e) &&
                              (takes(e, QUEST_ACT_SIGMOID) || takes(e, QUEST_ACT_TANH)))
JUDGE_SEEN(narrow, judge_wrong(e) && (takes(e, QUEST_ACT_NONE) || takes(e, QUEST_ACT_RELU)) &&
                       e->largest_error < 0x1p-5)
JUDGE_SEEN(bias_part_left_out, judge_wrong(e) && is_about(e, "gBias[") && e->where->size[M] > 64)
JUDGE_SEEN(part_left_out, judge_wrong(e) && is_about(e, "gB[") && e->where->size[M] > 64)
JUDGE_SEEN(b_not_transposed,
           judge_wrong(e) && is_about(e, "gA[") && e->where->size[N] == e->where->size[K])

/* The first match counts: special mistakes come before more general ones. */
static const struct judge_mistake MISTAKES[] = {
    JUDGE_ERROR_IGNORED,
    JUDGE_RIGHT_FOR_THE_LIST,
    {"shared_by_calls", shared_by_calls,
     "Calls may run at the same time, each with a workspace of its own. A variable of the "
     "program's on the device is there once for all of them, so one call finds there what another "
     "has left: between its launches, or while a launch runs. Keep it in the workspace."},
    {"copied", copied,
     "The contract forbids a call to copy or set memory. What has to be 0 at first can be written "
     "for the first time with its value: a sum that one thread makes starts in a register."},
    {"waits", waits,
     "The launcher waits for the device. The stream keeps the order of the launches by itself; a "
     "caller who wants to look at the gradients waits for the stream, once."},
    {"transposed_apart", transposed_apart,
     "A launch for each step is more than four. Which of them only turn or move what another one "
     "could read as it is? Both products can read their operands as they are stored: those of gA "
     "lie along the sum, those of gB across it."},
    {"element_per_thread", element_per_thread,
     "A thread that computes one element by itself loads two floats for each multiply-add. Let a "
     "block compute a tile from tiles in shared memory, where each float is used 128 times: "
     "tile_product() does."},
    {"many_parts", many_parts,
     "Sums of gB are cut into very many parts. Each is as large as gB, and is written and read "
     "once more: parts as long as the sums of gA make enough tiles."},
    {"small_tile", small_tile,
     "Each float that is loaded is used for too few products: a tile of 32 x 32 uses it 32 times, "
     "one of 128 x 128 uses it 128 times. And a thread with 8 x 8 sums reads a quarter of a word "
     "of shared memory for each product, where one with a single sum reads two words."},
    {"loads_apart", loads_apart,
     "The lanes of a warp read floats that are apart, so much of each sector is loaded for "
     "nothing. Neighbours in memory are neighbours along a row: give each lane a column, or four, "
     "and let it walk down."},
    {"few_blocks", few_blocks,
     "The launch that takes longest has so few blocks that most multiprocessors have nothing to "
     "do. A sum down a column, or of parts, can be cut as well: many blocks add a piece each, and "
     "a later launch adds the pieces in a fixed order."},
    {"float4_anyway", float4_anyway,
     "A float4 must lie at a multiple of 16 bytes. The contract promises 4 for each pointer but "
     "the workspace, and rows begin that far apart only if their length is a multiple of 4: ask "
     "both, for each matrix by itself."},
    {"barrier_missing", barrier_missing,
     "Two warps use the same place in shared memory with no barrier in between. Partial sums that "
     "some threads add up are there when all threads have come to a barrier after they wrote "
     "them."},
    {"parts_in_one_place", parts_in_one_place,
     "Blocks write to the same place, and nothing says which comes first. Each part of a sum needs "
     "a place of its own in the workspace, until a later launch adds them."},
    {"adds_to_output", adds_to_output,
     "You read what a gradient held before the call, and that is nothing: gA, gB and gBias are "
     "what the formulas say, not that much more."},
    {"workspace_unwritten", workspace_unwritten,
     "You read a place in the workspace that this call has not written. It holds nothing at first, "
     "and later what another call has left there."},
    {"not_refused", not_refused,
     "The contract lists what is cudaErrorInvalidValue: a side below 0 or above "
     "LESSON8_LARGEST_SIDE, a matrix of more than LESSON8_MOST_ELEMENTS, a transpose flag, save_z "
     "that is false, an activation that there is not, a gBias whose flag says otherwise, and a "
     "workspace smaller than lesson8_workspace() says. Ask before the first launch, of the "
     "arguments as they come: they have 64 bits. For a gemm that is refused, lesson8_workspace() "
     "is 0."},
    {"workspace_too_large", workspace_too_large,
     "lesson8_workspace() returns what it must not, so the launcher was not called: the bytes are "
     "a multiple of 16, at most 1 MiB plus 32 for each element of Z, of A and of B, and 0 where no "
     "output has elements. Are there more parts than that holds, of sums of gB or of columns?"},
    {"workspace_asks_device", workspace_asks_device,
     "lesson8_workspace() asks the device, so the launcher was not called. A caller may want the "
     "bytes before it has chosen a device: compute them from the sides alone. The number of parts "
     "of a sum can follow from m, n and k."},
    {"grid_too_large", grid_too_large,
     "The grid is refused, for the largest sides at least: its y and z axes hold 65535 blocks "
     "each, its x axis 2^31 - 1. Let a block take more rows where there are many."},
    {"workspace_too_small", workspace_too_small,
     "Something is written past the end of the workspace, which is as large as lesson8_workspace() "
     "said. Compute its size and the places in it by the same function: rows that are padded, and "
     "each part of a sum, count as well."},
    {"operands_exchanged", operands_exchanged,
     "The first product reads past the end of an operand. gA = gZ B^T is m x k and needs B, gB = "
     "A^T gZ is k x n and needs A."},
    {"rest_of_the_sum", rest_of_the_sum,
     "A sum of gB runs past the last row of A. The last part is shorter than the others, and a sum "
     "ends at m."},
    {"other_when_captured", other_when_captured,
     "A call that is captured gives other bits than one that is not, though each is close enough: "
     "sums are cut or ordered in another way there. What a call adds up, and in which order, must "
     "follow from its arguments alone."},
    {"order_of_atomics", order_of_atomics,
     "The same call gives other bits: additions of floats are rounded, so their order counts, and "
     "atomics come in any order. Let each block write its partial sum to a place of its own, and "
     "add those in a fixed order, also where the block that comes last adds them: its own sum in "
     "its place among the others."},
    {"remembers", remembers,
     "The same call is right, and after another one it is not: something of the earlier call is "
     "taken for this one's. Take all of it from the arguments, each time."},
    {"nothing_to_add", nothing_to_add,
     "An output was not written where a sum has no terms. Without rows, gB and gBias are 0; "
     "without columns, gA is; and without a k there are no products, but gBias is as always."},
    {"output_missing", output_missing,
     "Elements of an output were never written, as at the edge of a tile, or in the last rows."},
    {"nan_made", nan_made,
     "A NaN where the derivative has a limit. For large z one factor is an infinity, or large "
     "enough to become one, and the other is 0: ask for large |z| first, and return the limit, 0 "
     "or 1."},
    {"nan_lost", nan_lost,
     "A NaN did not arrive. A comparison with NaN is false, so z > 0 ? 1 : 0 makes 0 of it; and 0 "
     "times NaN or infinity is NaN, so a product cannot be left out where one factor is 0."},
    {"limit_too_early", limit_too_early,
     "The derivative is right near 0 and wrong far out. Its limit, 0 or 1, may stand for it only "
     "where the two differ by no more than a few units in the last place of 1: that of GELU is "
     "still off by 0.0005 at 4, and by 0.000007 at 5."},
    {"relu_at_zero", relu_at_zero,
     "The slope of relu at 0 is 0, not 1: it is 1 where z > 0 alone."},
    {"leaky_at_zero", leaky_at_zero,
     "The slope of leaky relu at 0 is leaky_slope, not 1: it is 1 where z > 0 alone, as in the "
     "forward call."},
    {"slope_is_fixed", slope_is_fixed,
     "With the slope of the first cases all is right, and with another it is not: take "
     "leaky_slope from this call's gemm."},
    {"bias_of_gy", bias_of_gy,
     "Without an activation gBias is right, and with one it is not. Its terms are gZ, gY times the "
     "derivative, not gY."},
    {"one_gelu", one_gelu,
     "The results are close, and not close enough. There are two forms of GELU, by erf and by "
     "tanh, and the derivative of one differs from the other's by up to 0.00087."},
    {"second_term", second_term,
     "GELU is z times a curve, so its derivative has two terms: the curve, and z times the curve's "
     "slope. Is each there, and is the slope of tanh's argument a factor of the second?"},
    {"z_taken_for_y", z_taken_for_y,
     "s (1 - s) and 1 - t^2 are slopes in terms of the result s or t. Z is the argument: compute "
     "the result from it first."},
    {"narrow", narrow,
     "The results are in their places and close, but not as close as FP32 is, as where gZ or an "
     "operand goes through a narrower type on its way."},
    {"b_not_transposed", b_not_transposed,
     "gA is wrong where n and k are alike, and right elsewhere: it is the product with B "
     "transposed, also where B is square."},
    {"bias_part_left_out", bias_part_left_out,
     "gBias is right for few rows and wrong for more: are all partial sums added, those of the "
     "last rows as well?"},
    {"part_left_out", part_left_out,
     "gB is right for few rows and wrong for more: are all parts of its sums added, each once?"},
};

const struct judge_mistakes BACKWARD_MISTAKES = JUDGE_ROWS(MISTAKES);
