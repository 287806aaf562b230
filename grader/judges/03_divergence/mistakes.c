/* mistakes.c - lesson 3: how a mistake is recognised, and what to say of it. */
#include "check/judge_seen.h"
#include "judges/03_divergence/problem.h"

#include <float.h>
#include <math.h>

static bool wrong(const struct judge_evidence *e, enum launcher launcher)
{
    return judge_wrong(e) && e->where->launcher == launcher;
}

static bool outside(const struct judge_evidence *e, enum launcher launcher)
{
    return judge_failed(e, VERDICT_OUT_OF_BOUNDS) && e->where->launcher == launcher;
}

/* A timed case of this launcher that is slow by a counter. */
static bool slow_at(const struct judge_evidence *e, enum launcher launcher,
                    enum judge_counter counter, double least, double most)
{
    return e->where && e->where->launcher == launcher && judge_slow(e, counter, least, most);
}

/* Has the input more elements than an int counts? */
static bool is_past_an_int(const struct judge_case *problem)
{
    int64_t elements =
        problem->launcher == GATED ? problem->size[N] : problem->size[ROWS] * problem->size[COLS];
    return elements > INT32_MAX;
}

/* Sums have numbers below 2^31: one that is not written is no matter of 32 bits. */
JUDGE_SEEN(other_axis, wrong(e, ROW_SUMSQ) && e->is_large && e->wrong_is_unwritten)
JUDGE_SEEN(index_in_32_bits,
           e->is_large && e->where && is_past_an_int(e->where) && !other_axis(e) &&
               (e->verdict == VERDICT_OUT_OF_BOUNDS || e->verdict == VERDICT_WRONG))
JUDGE_SEEN(two_kernels, slow_at(e, GATED, JUDGE_LAUNCHES, 2, INFINITY) &&
                            e->counter[JUDGE_LOAD_EFFICIENCY] < 0.6)
JUDGE_SEEN(one_thread_adds, slow_at(e, ROW_SUMSQ, JUDGE_LANES_ON, 0, 29) && e->line.lanes < 2 &&
                                e->kernel.shared_requests > 0)
/* Of a tree of sums in shared memory. */
JUDGE_SEEN(every_second_thread, slow_at(e, ROW_SUMSQ, JUDGE_LANES_ON, 0, 29) &&
                                    e->line.shared_requests > 0 && e->line.lanes >= 2 &&
                                    e->line.lanes < 31)
/* Both paths are gone through by most warps: at about twice the instructions. */
JUDGE_SEEN(neighbours_disagree,
           slow_at(e, GATED, JUDGE_LANES_ON, 0, 29) && e->kernel.divergent > 0.1 &&
               e->counter[JUDGE_WARP_INSTRUCTIONS] > 1.5 &&
               e->counter[JUDGE_WARP_INSTRUCTIONS] < 2.5 && e->counter[JUDGE_LOAD_EFFICIENCY] > 0.9)
JUDGE_SEEN(both_paths,
           slow_at(e, GATED, JUDGE_WARP_INSTRUCTIONS, 1.6, 2.5) && e->counter[JUDGE_LANES_ON] > 29)
JUDGE_SEEN(row_per_thread,
           slow_at(e, ROW_SUMSQ, JUDGE_LOAD_EFFICIENCY, 0, 0.2) && fabs(e->line.load_apart) >= 32)
JUDGE_SEEN(strided_tree,
           judge_slow(e, JUDGE_WAVEFRONT_RATIO, 1.05, INFINITY) && e->kernel.shared_requests > 0)
JUDGE_SEEN(large_blocks, judge_late(e) && e->where && e->where->launcher == ROW_SUMSQ &&
                             e->kernel.block_threads >= 768)
/* The same elements are no race where y is not x: both threads write the same value. */
JUDGE_SEEN(done_twice,
           e->verdict == VERDICT_RACE && e->where && e->where->launcher == GATED && e->where->alias)
/* The last warp of each block has fewer lanes than a shuffle of a whole warp names. */
JUDGE_SEEN(lanes_that_are_not_there, e->verdict == VERDICT_BARRIER && e->absent_lane)
/* Among the large cases, or captured at the limits of the contract. */
static bool is_very_long(const struct judge_evidence *e)
{
    return e->is_large || (e->where && e->where->real[ROWS] > 0);
}
JUDGE_SEEN(axis_too_long, is_very_long(e) && e->verdict == VERDICT_LAUNCH_ERROR)
JUDGE_SEEN(barrier_missing, e->verdict == VERDICT_RACE && e->mends_by_barrier)
JUDGE_SEEN(barrier_in_branch, e->verdict == VERDICT_BARRIER)
JUDGE_SEEN(sums_never_stored, e->verdict == VERDICT_UNINITIALISED)
JUDGE_SEEN(float2_anyway, e->verdict == VERDICT_MISALIGNED)
JUDGE_SEEN(last_one_missing, wrong(e, GATED) && e->wrong_is_unwritten && e->wrong == 1 &&
                                 e->total % 2 == 1 && e->first_wrong + 1 == e->total)
JUDGE_SEEN(closed_form, wrong(e, GATED) && e->largest_error < 0x1p-10)
JUDGE_SEEN(paths_swapped,
           wrong(e, GATED) && e->first_wrong == 0 && !e->wrong_is_unwritten && e->wrong == e->total)
/* What a row is short of, or too large by, is subnormal in every step. */
JUDGE_SEEN(tiny_squares_lost, wrong(e, ROW_SUMSQ) && !e->wrong_is_unwritten &&
                                  (e->got == 0 || !judge_has_tiny_products(e->where)) &&
                                  e->largest_error < 2 * FLT_MIN * (double)e->where->size[COLS])
/* Less than a quarter of an average square: a whole one that is missing would be more, in some row
 * at least. */
JUDGE_SEEN(narrow_squares, wrong(e, ROW_SUMSQ) && isfinite(e->want) &&
                               fabs(e->got - e->want) < 0x1p-8 * fabs(e->want) &&
                               4 * e->largest_error * (double)e->where->size[COLS] < e->want)
/* Of up to 33 columns one to three are missing: rarely half of the sum. With more, those few were
 * right. */
JUDGE_SEEN(row_end_ignored, wrong(e, ROW_SUMSQ) && e->where->size[COLS] <= 33 &&
                                e->where->size[COLS] % 4 != 0 && e->got < e->want &&
                                (e->got == 0 || e->got > 0.75 * e->want))
JUDGE_SEEN(squares_forgotten, wrong(e, ROW_SUMSQ) && e->where->size[COLS] == 1 &&
                                  fabs(e->got * e->got - e->want) < 0x1p-10 * e->want)
/* Of a row that has numbers at its ends only, one may be missing for many reasons. */
JUDGE_SEEN(lanes_left_out, wrong(e, ROW_SUMSQ) && e->where->data != JUDGE_DATA_ENDS && e->got > 0 &&
                               e->got <= 0.75 * e->want)
JUDGE_SEEN(order_of_atomics, e->changes_between_runs)
JUDGE_SEEN(odd_end_ignored, outside(e, GATED))
JUDGE_SEEN(sums_of_no_warp, outside(e, ROW_SUMSQ))

/* The first one that is seen counts: the more special stand before the more general. */
static const struct judge_mistake MISTAKES[] = {
    JUDGE_ERROR_IGNORED,
    JUDGE_RIGHT_FOR_THE_LIST,
    {"index_in_32_bits", index_in_32_bits,
     "n, and rows times columns, may go beyond 2^31: an int is negative there, an unsigned begins "
     "again at 2^32, and a float, as of ceilf(), rounds from 2^24 on. Let what counts elements or "
     "blocks be int64_t, and multiply in 64 bits."},
    {"other_axis", other_axis,
     "This check's smaller cases are right, and here no block writes some of the sums: look at "
     "how the number of a block becomes a row. There has to be a block, or a turn of a loop, for "
     "each row; and in a grid of two axes the number is blockIdx.y * gridDim.x + blockIdx.x."},
    {"two_kernels", two_kernels,
     "The contract allows a call one launch. In gated, two kernels of which each takes every "
     "second element fetch the sectors of both halves twice: one kernel can do both kinds if "
     "each thread takes one of each. In row_sumsq a block can finish its row by itself."},
    {"one_thread_adds", one_thread_adds,
     "At the line that is named one lane of a warp works and 31 wait for it, as where one "
     "thread adds up what all the others have left in shared memory. Let the lanes of each warp "
     "add by shuffles, so that one sum a warp is left, and let a warp add those in the same "
     "way."},
    {"every_second_thread", every_second_thread,
     "At the line that is named, which uses shared memory, lanes are off while others of their "
     "warp work, as in a tree of sums in which every second, every fourth, .. thread adds "
     "(threadIdx.x % (2 * distance)). Let the first threads work instead, so that whole warps "
     "can leave; inside a warp, shuffle."},
    {"neighbours_disagree", neighbours_disagree,
     "The warps execute about twice the instructions that the problem needs, with many lanes "
     "off, as where neighbouring lanes, or the halves of a warp, want different paths, or many "
     "lanes have nothing to do. Who decides must be the same for all 32 lanes."},
    {"both_paths", both_paths,
     "Nearly all lanes are on, yet the warps execute about twice the instructions that the "
     "problem needs, as where each element goes through both paths and one result is thrown "
     "away. Selecting pays only for a path of a few instructions."},
    {"row_per_thread", row_per_thread,
     "Neighbouring lanes read addresses far apart, as where each thread walks through a row, or "
     "a stretch of one, by itself: 32 sectors for 32 floats. Let neighbouring threads take "
     "neighbouring columns of one row, and add up their sums at the end."},
    {"strided_tree", strided_tree,
     "Lanes of a warp ask one bank for different words. In a tree whose words are 2, 4, 8, .. "
     "apart, add place t + distance to place t instead, from the largest distance down. Where "
     "even and odd elements have an array each, let the second start 16 words further on."},
    {"large_blocks", large_blocks, /* not seen before all counters are as they should be */
     "Few blocks of 768 threads or more fit on a multiprocessor: while the warps of one wait at a "
     "barrier for the last of them, they load nothing. Try blocks of 128 or 256 threads, each of "
     "which adds up several quads, and let no warp wait for what all could do."},
    {"done_twice", done_twice,
     "In place, one thread writes what another uses, as where two of them do the same element: "
     "the second takes a result for an input. Look at the step of a loop (gridDim.x * blockDim.x "
     "for all threads), at the last block, and at what is done by every block."},
    {"barrier_missing", barrier_missing,
     "A place is written while it is used. Between a write to shared memory and another thread's "
     "use there must be a barrier, inside a warp, too: since Volta its lanes do not move in "
     "lockstep. Use __syncwarp(), or let the lanes exchange registers by __shfl_down_sync. What "
     "cp.async copies has to be waited for, and a place in global memory wants one writer."},
    {"axis_too_long", axis_too_long,
     "A grid has at most 65,535 blocks along y and z, and 2^31 - 1 along x. Small cases were "
     "launched, and this one was not: work out its blocks along each axis, in 64 bits, and let x "
     "have the rows. Or is a size refused that the contract allows?"},
    {"lanes_that_are_not_there", lanes_that_are_not_there,
     "The last warp of the block is not full: its block has a number of threads that 32 does not "
     "divide, so a shuffle takes values from lanes that do not exist. Make blocks of whole warps, "
     "and let threads that have nothing to add bring a 0."},
    {"barrier_in_branch", barrier_in_branch,
     "A barrier is a meeting: all threads of the block must come to __syncthreads(), and exactly "
     "the lanes that a mask names must come to a shuffle. Take it out of the condition, or name "
     "all lanes."},
    {"sums_never_stored", sums_never_stored,
     "You read what was never written, such as sums of warps that do not exist, or an output that "
     "you add to before it was set. Give such lanes a 0 of their own."},
    {"float2_anyway", float2_anyway,
     "A float2 must lie on a multiple of 8 bytes, a float4 on one of 16, and the contract promises "
     "only 4. Look at each pointer that is used so, and at the length of rows: all lanes find the "
     "same answer, so the branch is cheap."},
    {"last_one_missing", last_one_missing,
     "With an odd n the last element has no partner, but it is even, and wants its path."},
    {"closed_form", closed_form,
     "Nearly right is wrong here: the paths are defined to the last bit, each step with its own "
     "rounding. Call them as they are given."},
    {"paths_swapped", paths_swapped,
     "Every element is wrong: do the even ones, 0 among them, take lesson3_decay, and the odd "
     "ones lesson3_orbit?"},
    {"odd_end_ignored", odd_end_ignored,
     "With an odd n, the last pair has only one element: ask before you touch the second one, and "
     "still give the first its path."},
    {"sums_of_no_warp", sums_of_no_warp,
     "256 threads are 8 warps, so there are 8 sums, and the other lanes of the warp that adds "
     "them up take a 0. Or, if it is x that is read: a row ends after cols elements."},
    {"squares_forgotten", squares_forgotten,
     "One column, and the result is its value: what is asked for is the sum of the squares."},
    {"tiny_squares_lost", tiny_squares_lost,
     "What is lost of the sum is less than 2^-125 a column: numbers below 2^-126 are subnormal. "
     "They are set to 0 by instructions with .ftz and by -ftz=true, as squares and as sums, or by "
     "a comparison with a number that seemed small enough. The contract wants them kept."},
    {"narrow_squares", narrow_squares,
     "The sum is close, but not as close as FP32 is, as where the values go through a narrower "
     "type, such as FP16, or where a square is left out that is very small."},
    {"row_end_ignored", row_end_ignored,
     "The sum is too small where cols is not a multiple of 4: does each column have a thread, the "
     "first and the last ones, too? And does every row still start on a multiple of 16 bytes "
     "then?"},
    {"lanes_left_out", lanes_left_out,
     "Only part of the sum arrives. Usually lanes or warps are left out (to bring 32 lanes "
     "together it takes distances 16, 8, 4, 2 and 1, and then the sums of all warps of the block), "
     "or columns: a thread has to go on to the end of its row. In a row of ones the sum is the "
     "number of columns that arrive."},
    {"order_of_atomics", order_of_atomics,
     "Two calls on the same input gave different bits. Is the order in which floats are added "
     "that in which threads happen to come, as with atomics? A sum of floats rounds differently "
     "in each order. Let each sum have its place in shared memory, or in a lane, and add the "
     "places in an order of your own."},
};

const struct judge_mistakes DIVERGENCE_MISTAKES = JUDGE_ROWS(MISTAKES);
