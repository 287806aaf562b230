/* mistakes.c - lesson 1: how a mistake is recognised, and what to say of it. */
#include "check/judge_seen.h"
#include "judges/01_coalescing/problem.h"

#include <float.h>
#include <math.h>

/* Nothing but the time is wrong, and each sector is used. */
static bool late(const struct judge_evidence *e)
{
    return judge_late(e) && e->counter[JUDGE_LOAD_EFFICIENCY] >= 0.95 &&
           e->counter[JUDGE_STORE_EFFICIENCY] >= 0.95;
}

static bool two_passes(const struct judge_evidence *e)
{
    return judge_slow(e, JUDGE_LAUNCHES, 2, INFINITY) && e->counter[JUDGE_BYTES_RATIO] > 1.3;
}

static bool chunk_per_thread(const struct judge_evidence *e)
{
    return judge_slow(e, JUDGE_LOAD_EFFICIENCY, 0, 0.2) && fabs(e->line.load_apart) >= 32;
}

static bool pairs_per_thread(const struct judge_evidence *e)
{
    return judge_slow(e, JUDGE_LOAD_EFFICIENCY, 0.2, 0.6) && e->line.load_apart >= 8 &&
           e->line.load_width <= 4;
}

static bool scattered_stores(const struct judge_evidence *e)
{
    return judge_slow(e, JUDGE_STORE_EFFICIENCY, 0, 0.95) &&
           e->counter[JUDGE_LOAD_EFFICIENCY] >= 0.95;
}

static bool one_thread_blocks(const struct judge_evidence *e)
{
    return late(e) && e->kernel.block_threads <= 16;
}

/* Past a rule in a small case; the timed one keeps it. */
static bool not_in_every_case(const struct judge_evidence *e)
{
    return e->verdict == VERDICT_SLOW && e->broken_in_small;
}

static bool one_block(const struct judge_evidence *e)
{
    return late(e) && e->kernel.blocks < e->kernel.multiprocessors / 4;
}

static bool small_blocks(const struct judge_evidence *e)
{
    return late(e) && e->kernel.block_threads <= 64 && e->kernel.shared_bytes == 0;
}

/* On an H200 a block takes 0.6 ns to be dealt out, 2^20 of 64 threads 633 us: as long as it takes
 * to move what 200 threads of them read and write. */
static bool many_blocks(const struct judge_evidence *e)
{
    return late(e) && e->kernel.block_threads > 64 && e->kernel.block_threads <= 192 &&
           e->kernel.blocks >= 1 << 17 && e->kernel.shared_bytes == 0;
}

/* The grid has fewer threads than the device holds. */
static bool few_blocks(const struct judge_evidence *e)
{
    return late(e) && e->kernel.blocks * e->kernel.block_threads <
                          e->kernel.multiprocessors * e->kernel.most_warps * 32;
}

static bool no_bounds_check(const struct judge_evidence *e)
{
    return e->verdict == VERDICT_OUT_OF_BOUNDS;
}

static bool wide_anyway(const struct judge_evidence *e)
{
    return e->verdict == VERDICT_MISALIGNED;
}

static bool adds_to_output(const struct judge_evidence *e)
{
    return e->verdict == VERDICT_UNINITIALISED;
}

static bool empty_grid(const struct judge_evidence *e)
{
    return e->verdict == VERDICT_LAUNCH_ERROR && e->where && e->where->size[N] < 256 &&
           (e->error == cudaErrorInvalidConfiguration || e->error == cudaErrorInvalidValue);
}

/* Right as long as an index fits 32 bits. What begins again is not written where it should be, and
 * in place is done twice where it begins; smaller ones are right in place. */
static bool index_in_32_bits(const struct judge_evidence *e)
{
    bool begins_again = judge_wrong(e) && e->first_wrong % (1u << 31) < 64 &&
                        (e->wrong_is_unwritten || e->where->alias);
    return e->is_large && e->where && e->where->size[N] > INT32_MAX &&
           (e->verdict == VERDICT_OUT_OF_BOUNDS || begins_again);
}

/* Smaller cases end in time. */
static bool unsigned_stride(const struct judge_evidence *e)
{
    return e->is_large && e->verdict == VERDICT_TIMEOUT && e->where &&
           e->where->size[N] > INT32_MAX;
}

static bool scratch_in_y(const struct judge_evidence *e)
{
    return e->verdict == VERDICT_INPUT_MODIFIED;
}

/* From a whole block on, or at least from a whole warp on. */
static bool grid_too_small(const struct judge_evidence *e)
{
    return judge_wrong(e) && e->wrong_is_unwritten && e->wrong_is_tail && e->first_wrong > 0 &&
           e->first_wrong % 32 == 0;
}

static bool last_one_missing(const struct judge_evidence *e)
{
    return judge_wrong(e) && !judge_is_unaligned(e->where) && e->wrong_is_unwritten &&
           e->wrong == 1 && e->total % 4 == 0 && e->first_wrong + 1 == e->total;
}

static bool tail_lost(const struct judge_evidence *e)
{
    return judge_wrong(e) && !judge_is_unaligned(e->where) && e->wrong_is_unwritten && e->wrong &&
           e->wrong == e->total % 4 && e->first_wrong + e->wrong == e->total;
}

/* Elements are done many times over: that takes long, and shows where out is x. */
static bool stride_too_short(const struct judge_evidence *e)
{
    return (judge_wrong(e) && !e->wrong_is_unwritten && e->where->alias && !isnan(e->want)) ||
           (e->verdict == VERDICT_TIMEOUT && e->where && e->where->size[N] > 10000);
}

/* The same elements are no race where out is not x: both threads write the same value. */
static bool done_twice(const struct judge_evidence *e)
{
    return e->verdict == VERDICT_RACE && e->where && e->where->alias;
}

static bool default_stream(const struct judge_evidence *e)
{
    return e->verdict == VERDICT_STREAM;
}

static bool allocates_each_call(const struct judge_evidence *e)
{
    return judge_slow(e, JUDGE_ALLOCATIONS, 1, INFINITY);
}

static bool computed_on_the_host(const struct judge_evidence *e)
{
    return judge_slow(e, JUDGE_COPIES, 1, INFINITY) && e->counter[JUDGE_LAUNCHES] == 0;
}

static bool waits_each_call(const struct judge_evidence *e)
{
    return judge_slow(e, JUDGE_SYNCHRONISATIONS, 1, INFINITY);
}

static bool zero_shortcut(const struct judge_evidence *e)
{
    return judge_wrong(e) && isnan(e->want) &&
           (e->where->real[A] == 0 || e->where->real[B] == 0 || judge_has_zeros(e->where));
}

static bool is_of_tiny(const struct judge_case *problem)
{
    return problem->data == JUDGE_DATA_TINY || problem->data == JUDGE_DATA_SUBNORMAL ||
           fabs(problem->real[A]) < FLT_MIN || fabs(problem->real[B]) < FLT_MIN;
}

/* No more is lost than what is subnormal, in the sum or in one of its products. */
static bool subnormals_flushed(const struct judge_evidence *e)
{
    return judge_wrong(e) && !e->wrong_is_unwritten && e->largest_error < 4 * FLT_MIN;
}

static bool small_is_zero(const struct judge_evidence *e)
{
    return judge_wrong(e) && !e->wrong_is_unwritten && e->got == 0 && e->want != 0 &&
           fabs(e->want) < FLT_EPSILON;
}

static bool half_precision(const struct judge_evidence *e)
{
    return judge_wrong(e) && e->largest_error < 0x1p-9 && !is_of_tiny(e->where);
}

static bool coefficients_swapped(const struct judge_evidence *e)
{
    return judge_wrong(e) && !e->wrong_is_unwritten && e->wrong == e->total && e->total > 1;
}

/* The first one that is seen counts: the more special stand before the more general. */
static const struct judge_mistake MISTAKES[] = {
    JUDGE_ERROR_IGNORED,
    JUDGE_RIGHT_FOR_THE_LIST,
    {"two_passes", two_passes,
     "A call launches more than one kernel, and together they move a third more than the 12 "
     "bytes an element that the formula needs, or more still, as where the first one writes "
     "what the second reads again. Both products and the sum fit one kernel."},
    {"chunk_per_thread", chunk_per_thread,
     "Neighbouring lanes read a sector or more apart, for example when each thread walks through "
     "its own stretch of the array. That suits a CPU's caches; here a request takes a whole sector "
     "for each lane. Let the lanes of a warp take neighbours, and let the warp walk."},
    {"pairs_per_thread", pairs_per_thread,
     "Neighbouring lanes read addresses two elements apart, or more, as where a thread takes "
     "neighbouring elements one after the other: then each instruction of the warp skips some. "
     "Take neighbours in one wide load, or let them go to neighbouring threads."},
    {"scattered_stores", scattered_stores,
     "The loads are fine, the stores are not: the same rule holds for both."},
    {"one_thread_blocks", one_thread_blocks,
     "Half of the lanes of each warp are off, or more. A warp has 32 lanes whether a block uses "
     "them or not: make blocks of a multiple of 32 threads, 128 to 512."},
    {"computed_on_the_host", computed_on_the_host,
     "No kernel was launched: everything went to the host and back, over a bus far slower than "
     "the device's memory."},
    {"allocates_each_call", allocates_each_call,
     "The contract says that nothing is allocated: each element needs its inputs and a register "
     "or two."},
    {"waits_each_call", waits_each_call,
     "The launcher waits for its kernel, and the device stands still until the host comes with "
     "the next launch. Errors of the launch itself are known without waiting, by "
     "cudaGetLastError()."},
    {"not_in_every_case", not_in_every_case,
     "The timed case keeps this rule. In the case that is named a call does more than the "
     "contract allows: a second launch, a copy, an allocation or a wait. One kernel can do all "
     "n elements of any pointers, wide ones where it may and single ones elsewhere."},
    {"one_block", one_block,
     "The addresses are right, but most multiprocessors have no block: a few threads cannot keep "
     "the memory of a whole GPU busy. Launch enough blocks for every multiprocessor to hold many "
     "warps."},
    {"small_blocks", small_blocks,
     "The addresses are right, but a block has a warp or two: a multiprocessor holds 32 blocks "
     "at most, and each takes its time to be dealt out. Make blocks of 256 to 512 threads, or "
     "give each thread more to load."},
    {"many_blocks", many_blocks,
     "The addresses are right, but the grid has a great number of blocks (the report says how "
     "many), which start one after the other, about 0.6 ns apart on an H200. Let a block have "
     "256 threads or more, or a thread several elements, so that there are fewer."},
    {"few_blocks", few_blocks,
     "The addresses are right, but the grid has fewer threads than the device holds at once (the "
     "report says how many warps), so too few bytes are in flight. Launch more blocks and let each "
     "thread take fewer elements, or let it begin several loads before it uses the first."},
    {"index_in_32_bits", index_in_32_bits,
     "This check's smaller cases are right. n may exceed 2^31, and an int ends there: the next "
     "number is negative, be it an index or an n for which a kernel returns at once. An unsigned "
     "one begins again at 2^32, and a float, as of ceilf(), rounds from 2^24 on. Let n, the "
     "number of blocks, the index and what steps it be integers of 64 bits, and compute the "
     "product so, too: blockIdx.x * (int64_t)blockDim.x + threadIdx.x."},
    {"unsigned_stride", unsigned_stride,
     "Smaller cases end in time, and this one has more than 2^31 elements. An index of 32 bits "
     "that a loop steps never comes to such an n: an int is negative from 2^31 on, an unsigned "
     "begins again at 2^32. Let the index and its step be int64_t. If they are, look whether the "
     "loop steps by fewer than all threads."},
    {"no_bounds_check", no_bounds_check,
     "An index leaves its array. Where the last block has more threads than there are elements "
     "left, compare the index with n before you use it; where a thread takes several elements, "
     "compare the last of them."},
    {"float4_anyway", wide_anyway,
     "A float4 must lie at a multiple of 16 bytes, a float2 of 8, and the contract promises only "
     "4. Look at the three pointers first; all threads find the same answer, so the branch costs "
     "nothing."},
    {"adds_to_output", adds_to_output,
     "You read what was never written. If that is out: it holds nothing when you are called, "
     "and is written, not added to."},
    {"empty_grid", empty_grid,
     "A small n was refused. If it was the launch, then for its shape: no blocks at all, or a "
     "block of more than 1024 threads. Round the number of blocks up, so that the last few "
     "elements have one, too; and where n is 0, return before the launch."},
    {"scratch_in_y", scratch_in_y,
     "x and y belong to the caller, who may need them again, and are written only where out is "
     "one of them: keep what you compute in a register."},
    {"grid_too_small", grid_too_small,
     "The elements from there on were never written: is the grid too small? If a thread takes "
     "another number of elements now, the number of blocks has to follow."},
    {"last_one_missing", last_one_missing,
     "The last element is never written: the elements are 0 to n - 1, so the guard is i < n."},
    {"tail_lost", tail_lost, "n need not be a multiple of 4: who does the last n % 4 elements?"},
    {"stride_too_short", stride_too_short,
     "Are elements done more than once? That takes long, and where out is x itself it takes a "
     "result for an input. A grid-stride loop steps by the number of all threads, gridDim.x * "
     "blockDim.x."},
    {"done_twice", done_twice,
     "Where out is x, one thread writes what another uses, as where two of them do the same "
     "element: the second takes a result for an input. Look at the step of a loop (gridDim.x * "
     "blockDim.x for all threads), at the last n % 4 elements, and at the last block: who else "
     "does them?"},
    {"default_stream", default_stream,
     "Without its fourth argument, a launch goes to the default stream, which is in no order with "
     "the caller's: kernel<<<blocks, threads, 0, stream>>>."},
    {"zero_shortcut", zero_shortcut,
     "0 * NaN is NaN and 0 * infinity is NaN: leaving a product out changes the result."},
    {"subnormals_flushed", subnormals_flushed,
     "What is lost is less than 2^-124: numbers below 2^-126 are subnormal. They are set to 0 by "
     "instructions with .ftz and by -ftz=true, as results and as inputs, or by a comparison with "
     "a number that seemed small enough. The contract wants IEEE arithmetic, which keeps them."},
    {"small_is_zero", small_is_zero,
     "A small result has become 0. Floats are as exact far below 1 as they are near it, so no "
     "number is small enough to stand for 0. Is one compared with a constant such as 1e-7, or "
     "rounded by an instruction that flushes (.ftz in PTX)?"},
    {"half_precision", half_precision,
     "The results are close, but not as close as FP32 is, as where the values go through a "
     "narrower type."},
    {"coefficients_swapped", coefficients_swapped,
     "Every element is wrong: hold your formula beside the contract's, a with x and b with y, and "
     "their signs."},
};

const struct judge_mistakes COALESCING_MISTAKES = JUDGE_ROWS(MISTAKES);
