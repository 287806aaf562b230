/* mistakes.c - lesson 7: how a mistake is recognised, and what to say of it. */
#include "check/judge_seen.h"
#include "judges/07_layout/parts.h"
#include "judges/07_layout/problem.h"

#include <float.h>
#include <math.h>
#include <string.h>

/* --- Which layouts were right before ---------------------------------------------------------- */

/* Cases of a size go through the layouts: the operands' first, and then again with Y transposed. So
 * the first that fails tells which flag it takes. */
static bool takes(const struct judge_evidence *e, bool transpose_a, bool transpose_b,
                  bool y_transposed)
{
    const int64_t *size = e->where->size;
    return size[TRANSPOSE_A] == transpose_a && size[TRANSPOSE_B] == transpose_b &&
           size[Y_TRANSPOSED] == y_transposed;
}

static bool is_first_size(const struct judge_evidence *e)
{
    const int64_t *size = e->where->size;
    return size[M] == 32 && size[N] == 16 && size[K] == 64;
}

/* Of a launch that is at fault, or whose results are wrong. */
static bool is_misplaced(const struct judge_evidence *e)
{
    return judge_failed(e, VERDICT_OUT_OF_BOUNDS) || judge_wrong(e);
}

static bool is_about(const struct judge_evidence *e, const char *buffer)
{
    return e->said && strstr(e->said, buffer);
}

/* --- Rows of Y -------------------------------------------------------------------------------- */

/* Is the first wrong element one that lies between two rows? */
static bool is_in_a_gap(const struct judge_evidence *e)
{
    return judge_wrong(e) && layout_has_gaps(e->where) &&
           (int64_t)e->first_wrong % layout_ld(e->where) >= layout_row_length(e->where);
}

static bool is_past_an_int(const struct judge_evidence *e)
{
    const int64_t *size = e->where->size;
    return judge_is_past_an_int(size[M], size[N], size[K]) ||
           layout_rows(e->where) * layout_ld(e->where) > INT32_MAX;
}

/* Where gaps are written, nothing else is wrong; where rows begin in the wrong places, so are most
 * of their own elements. */
static bool has_wrong_rows(const struct judge_evidence *e)
{
    return (double)e->wrong >
           (double)(layout_rows(e->where) * e->where->size[LD_MORE]) + 0.5 * (double)e->total;
}

/* --- Mistakes --------------------------------------------------------------------------------- */

JUDGE_SEEN(offset_in_32_bits,
           is_misplaced(e) && e->is_large && is_past_an_int(e) && !judge_is_near(e))
JUDGE_SEEN(copied, judge_slow(e, JUDGE_COPIES, 1, INFINITY))
JUDGE_SEEN(transposed_apart,
           judge_slow(e, JUDGE_LAUNCHES, 2, INFINITY) && e->counter[JUDGE_ALLOCATIONS] >= 1)
JUDGE_SEEN(more_kernels, judge_slow(e, JUDGE_LAUNCHES, 2, INFINITY))
JUDGE_SEEN(element_per_thread, e->verdict == VERDICT_SLOW && e->kernel.shared_requests == 0 &&
                                   e->counter[JUDGE_LOAD_BYTES_RATIO] > 20)
JUDGE_SEEN(loads_apart, judge_slow(e, JUDGE_LOAD_EFFICIENCY, 0, 0.9))
JUDGE_SEEN(stores_apart, judge_slow(e, JUDGE_STORE_EFFICIENCY, 0, 0.6))
JUDGE_SEEN(bank_conflicts, judge_slow(e, JUDGE_WAVEFRONT_RATIO, 1.05, INFINITY))
JUDGE_SEEN(small_tile, e->verdict == VERDICT_SLOW && e->kernel.shared_requests > 0 &&
                           e->counter[JUDGE_LOAD_BYTES_RATIO] > 1.5)

JUDGE_SEEN(float4_anyway, judge_failed(e, VERDICT_MISALIGNED))
JUDGE_SEEN(barrier_missing, judge_failed(e, VERDICT_RACE) && e->mends_by_barrier)
JUDGE_SEEN(adds_to_y, judge_failed(e, VERDICT_UNINITIALISED) && is_about(e, "buffer Y"))
JUDGE_SEEN(not_refused, e->verdict == VERDICT_ARGUMENTS && e->where && e->where->refused_with)
JUDGE_SEEN(refuses_too_much, judge_failed(e, VERDICT_LAUNCH_ERROR) &&
                                 e->error == cudaErrorInvalidValue && !e->is_large)
JUDGE_SEEN(gap_written,
           (is_in_a_gap(e) && !has_wrong_rows(e)) ||
               (e->verdict == VERDICT_WRONG && is_about(e, "lies between rows of Y")) ||
               (judge_failed(e, VERDICT_OUT_OF_BOUNDS) && !e->is_large &&
                is_about(e, "lie past the end of") && is_about(e, "buffer Y")))
JUDGE_SEEN(ld_ignored, is_in_a_gap(e))
JUDGE_SEEN(bias_of_the_wrong_side, judge_failed(e, VERDICT_OUT_OF_BOUNDS) && !e->is_large &&
                                       e->where->size[WITH_BIAS] && is_about(e, "buffer bias"))
JUDGE_SEEN(rest_of_k, judge_failed(e, VERDICT_OUT_OF_BOUNDS) && e->where->size[K] % 16 != 0 &&
                          (is_about(e, "buffer A") || is_about(e, "buffer B")))
JUDGE_SEEN(no_bounds_check, judge_failed(e, VERDICT_OUT_OF_BOUNDS) &&
                                (is_about(e, "buffer A") || is_about(e, "buffer B")))
JUDGE_SEEN(sides_not_exchanged, judge_failed(e, VERDICT_OUT_OF_BOUNDS) && !e->is_large &&
                                    e->where->size[Y_TRANSPOSED] && e->where->size[LD_MORE] == 0 &&
                                    is_about(e, "buffer Y"))
JUDGE_SEEN(ld_of_the_other_side, judge_failed(e, VERDICT_OUT_OF_BOUNDS) && !e->is_large &&
                                     e->where->size[LD_MORE] > 0 && is_about(e, "buffer Y"))
JUDGE_SEEN(remembers, judge_wrong(e) && e->where->after > 0)
JUDGE_SEEN(output_missing, judge_wrong(e) && e->wrong_is_unwritten)
JUDGE_SEEN(zeros_skipped,
           judge_wrong(e) && isnan(e->want) && !isnan(e->got) && judge_has_zeros(e->where))
/* The first size has a case for each layout, exact in all of its places. */
JUDGE_SEEN(narrow_inputs, judge_wrong(e) && e->largest_error < 0x1p-6)
JUDGE_SEEN(a_as_it_is, judge_wrong(e) && is_first_size(e) && takes(e, true, false, false))
JUDGE_SEEN(b_as_it_is, judge_wrong(e) && is_first_size(e) && takes(e, false, true, false))
JUDGE_SEEN(not_turned, judge_wrong(e) && is_first_size(e) && takes(e, false, false, true))
JUDGE_SEEN(bias_left_out, judge_wrong(e) && e->where->size[WITH_BIAS] &&
                              e->where->data == JUDGE_DATA_UNIFORM && e->largest_error <= 2 &&
                              e->where->size[K] > 0)

/* The first match counts: special mistakes come before more general ones. */
static const struct judge_mistake MISTAKES[] = {
    JUDGE_ERROR_IGNORED,
    JUDGE_RIGHT_FOR_THE_LIST,
    {"offset_in_32_bits", offset_in_32_bits,
     "This check's smaller cases are right. Sides and ldy fit an int, their products do not: from "
     "2^31 elements on, row * ldy + col is negative as an int, and as an unsigned it wraps around "
     "at 2^32. Widen first, then multiply in 64 bits: (int64_t)row * ldy + col. The same holds for "
     "A and B, in both of their layouts."},
    {"copied", copied,
     "No copy transposes a matrix for free: on at least one side of the copy, a column uses only 4 "
     "bytes of each 32-byte sector, and the contract forbids a call to copy. The kernel that has "
     "the sums can store them in their places."},
    {"transposed_apart", transposed_apart,
     "A kernel that transposes reads a matrix and writes it again, and one of the two copies needs "
     "memory that must first be allocated. Your kernel can read both operands as they are stored, "
     "and it can choose where each sum goes while the sums are still in registers."},
    {"more_kernels", more_kernels,
     "A second kernel reads and writes all of Y once more. When the product is done, each thread "
     "has its sums in registers; adding what is missing there (a bias, another place) costs almost "
     "nothing."},
    {"element_per_thread", element_per_thread,
     "A thread that computes one element by itself loads two floats for each multiply-add. Let a "
     "block compute a tile, from tiles of A and B in shared memory, where each float is used 128 "
     "times; tile_loop_of() is such a loop, and you provide the function that loads its tiles."},
    {"loads_apart", loads_apart,
     "At the line that is named the lanes of a warp read floats with gaps between them, so much of "
     "each sector is loaded for nothing. Where A is stored as k x m, neighbours in memory are "
     "neighbours along m, not along k: let neighbouring lanes differ in m there. For B it is n."},
    {"stores_apart", stores_apart,
     "At the line that is named a warp writes floats with gaps between them, and so only a part of "
     "each sector that it touches. In Y^T, neighbours in memory are neighbours along m. Let a lane "
     "write four of them as one float4 (with swapped operands, the tile's rows are rows of Y^T), "
     "or transpose the sums through shared memory."},
    {"bank_conflicts", bank_conflicts,
     "Lanes of a warp access the same bank of shared memory, as when a tile is written by rows and "
     "read by columns, and its rows are a multiple of 32 words long. Make the rows one word "
     "longer, or four words where float4 must stay aligned."},
    {"small_tile", small_tile,
     "Each loaded float is used for too few products: a tile of 32 x 32 uses it 32 times, one of "
     "128 x 128 uses it 128 times. Also, a thread with 8 x 8 sums reads a quarter of a word of "
     "shared memory for each product, and one with a single sum reads two words."},
    {"float4_anyway", float4_anyway,
     "A float4 must be at a multiple of 16 bytes. The contract promises 4 for each pointer, and "
     "rows start at multiples of 16 only if their length, or ldy, is a multiple of 4: test both, "
     "separately for each operand and for Y."},
    {"barrier_missing", barrier_missing,
     "Two warps use the same place in shared memory with no barrier in between. If sums are "
     "transposed in the memory of the tiles, a barrier is needed before they are stored there, "
     "since other warps may still read the last tile, and one before they are read. If k is 0, the "
     "loop waits for none of its copies: __pipeline_wait_prior(0) does."},
    {"adds_to_y", adds_to_y,
     "Your code reads what Y held before the call, which is undefined: Y becomes op(A) op(B) + "
     "bias, and that is not added to its old value."},
    {"not_refused", not_refused,
     "The contract lists what gives cudaErrorInvalidValue: a side below 0 or above "
     "LESSON7_LARGEST_SIDE; an ldy above that, or less than the length of a stored row (n, or m "
     "with y_transposed); an activation; save_z; a bias that contradicts its flag. Test before the "
     "first launch, even if Y is empty, and test the 64-bit arguments as they are: 2^32 + 16 is 16 "
     "as an int."},
    {"refuses_too_much", refuses_too_much,
     "This call is valid, and the launcher returns cudaErrorInvalidValue. If it refuses ldy: a row "
     "of Y has n elements, a row of Y^T has m, and ldy must be at least the length of the one that "
     "is stored."},
    {"gap_written", gap_written,
     "Something is written past the end of a row. What is between the end of a row and the start "
     "of the next keeps its value, and may belong to another call: do not store there, not even "
     "the old value. Four columns are one float4 only if all four are part of the row; and rows of "
     "one element begin ldy apart, too."},
    {"ld_ignored", ld_ignored,
     "Rows do not begin where ldy says, as when each is stored right after the previous one: row r "
     "begins at Y + r * ldy, whatever its length."},
    {"bias_of_the_wrong_side", bias_of_the_wrong_side,
     "The bias has n elements, one for each column of the product. In Y^T such a column is a "
     "stored row: all of its elements get the same bias, bias[stored row]."},
    {"rest_of_k", rest_of_k,
     "k need not be a multiple of a tile's depth: past the last k an operand has no elements, and "
     "those places in shared memory must be zero, for both operands."},
    {"no_bounds_check", no_bounds_check,
     "Tiles extend past the edges of an operand: a tile has 128 places, and past m (of A) or n (of "
     "B) there is nothing to read. Read the last place that exists instead, or use a zero."},
    {"sides_not_exchanged", sides_not_exchanged,
     "Y^T has n rows of m elements. If you swap the operands, swap m and n too: in the grid, at "
     "the edges, and where a row ends."},
    {"ld_of_the_other_side", ld_of_the_other_side,
     "Stored rows begin too far apart, or not far enough: ldy is the distance from one stored row "
     "to the next, for Y^T as well. It has nothing to do with the other side of Y."},
    {"remembers", remembers,
     "The call is right by itself, and wrong after another one. Something from the earlier call is "
     "used in this one, such as a layout that is kept for an address. Take everything from the "
     "arguments, each time."},
    {"output_missing", output_missing,
     "Elements of Y were never written, such as those at the edge of a tile, or all of them when k "
     "is 0 (then Y is the bias, or zero)."},
    {"zeros_skipped", zeros_skipped,
     "A NaN did not reach the result where tiles of the other operand hold only zeros. 0 * NaN is "
     "NaN and 0 * infinity is NaN: leaving products out changes the sum."},
    {"narrow_inputs", narrow_inputs,
     "The results are in the right places and close, but not as close as in FP32, as when values "
     "go through a narrower type, such as FP16 or TF32."},
    {"transpose_a_ignored", a_as_it_is,
     "The first wrong case stores A as k x m. Then element (row, i) of op(A) is A[i * m + row]. "
     "Does your code test transpose_a, and use it for A?"},
    {"transpose_b_ignored", b_as_it_is,
     "The first wrong case stores B as n x k. Then element (i, col) of op(B) is B[col * k + i]. "
     "Does your code test transpose_b, and use it for B?"},
    {"exchanged_not_turned", not_turned,
     "Into Y all layouts are right; into Y^T the first one is not. Y^T = op(B)^T op(A)^T: swapping "
     "the operands is not enough, as it gives op(B) op(A). Each must be transposed as well: what "
     "was along k stays along k, and what was a row is now a column."},
    {"bias_left_out", bias_left_out,
     "In this layout the result is right without a bias and wrong with one: the bias is missing, "
     "or it is another column's. Add bias[col] to element (row, col) of the product, wherever that "
     "is stored."},
};

const struct judge_mistakes LAYOUT_MISTAKES = JUDGE_ROWS(MISTAKES);
