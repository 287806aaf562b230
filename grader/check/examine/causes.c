/* causes.c - the list of causes, each next to the evidence that it claims. A judge's own mistakes
 * come first; these are common to all lessons. */
#include "check/examine/evidence.h"

#include "check/verdict.h"

#include <math.h>
#include <string.h>

struct cause {
    bool (*fits)(const struct judge_evidence *evidence);
    const char *text;
};

/* --- Slow ------------------------------------------------------------------------------------- */

/* Do all warps of the grid fit on the device at once? */
static bool is_by_grid(const struct judge_evidence *e)
{
    return e->kernel.blocks * e->kernel.block_threads / 32 <
           e->kernel.multiprocessors * e->kernel.most_warps;
}

/* The gain of a fix is modelled: no cause is named if its gain is known to be almost nothing. */
static bool pays(double gain)
{
    return !(gain < JUDGE_LEAST_GAIN);
}

/* If one fix would halve the time, it is the cause, and no other is named. */
static bool is_explained(const struct judge_evidence *e)
{
    const double HALF = 0.5;
    return e->kernel.sectors_gain > HALF || e->kernel.wavefronts_gain > HALF ||
           e->kernel.lanes_gain > HALF;
}

static bool unexplained(const struct judge_evidence *e)
{
    return late(e) && !is_explained(e);
}

/* With one more block, registers would not fit in a multiprocessor's 65,536, which warps get in
 * units of eight per lane. */
static bool is_by_registers(const struct judge_evidence *e)
{
    double block_warps = ceil(e->kernel.block_threads / 32);
    double of_warp = 32 * 8 * ceil(e->kernel.registers / 8);
    return of_warp * (e->kernel.warps + block_warps) > 65536 &&
           e->kernel.warps + block_warps <= e->kernel.most_warps;
}

/* At a barrier, warps without loads of their own wait for those that have some. */
static bool waits_for_loads(const struct judge_evidence *e)
{
    double memory = e->kernel.memory_wait, all = memory + e->kernel.barrier_wait;
    return memory > 0.5 || (memory > 0.25 && all > 0.6);
}

/* Is the last wave of blocks far from full, and are there few waves? */
static bool is_last_wave_short(const struct judge_evidence *e)
{
    double resident =
        e->kernel.multiprocessors * floor(e->kernel.warps / ceil(e->kernel.block_threads / 32));
    double waves = e->kernel.blocks / resident;
    return waves > 1 && waves < 0.85 * ceil(waves);
}

FITS(local_arrays, (late(e) || refused(e, JUDGE_LOCAL_REQUESTS)) && e->kernel.spilled_words == 0 &&
                       e->kernel.local_requests > 0)
FITS(idle_multiprocessors, late(e) && e->kernel.blocks < e->kernel.multiprocessors)
FITS(few_threads, late(e) && e->kernel.blocks >= e->kernel.multiprocessors && is_by_grid(e) &&
                      e->kernel.warps < 0.5 * e->kernel.most_warps)
FITS(few_resident, unexplained(e) && !dealing(e) && !is_by_grid(e) &&
                       e->kernel.warps < 0.4 * e->kernel.most_warps)
FITS(few_by_registers, unexplained(e) && !is_by_grid(e) && is_by_registers(e) &&
                           e->kernel.memory_wait > 0.5 &&
                           e->kernel.warps >= 0.4 * e->kernel.most_warps &&
                           e->kernel.warps <= 0.75 * e->kernel.most_warps)
FITS(short_last_wave, unexplained(e) && is_last_wave_short(e))
FITS(doubles, late(e) && e->counter[JUDGE_FP64_INSTRUCTIONS] > 0)
FITS(conflicts,
     late(e) && e->counter[JUDGE_WAVEFRONT_RATIO] > 1.5 && pays(e->kernel.wavefronts_gain))
FITS(lanes_off, late(e) && e->counter[JUDGE_LANES_ON] < 24 && pays(e->kernel.lanes_gain))
/* Warps that mostly wait, for memory or for each other, would also wait with fewer instructions. */
FITS(many_instructions,
     late(e) && e->counter[JUDGE_WARP_INSTRUCTIONS] > 1.5 && e->kernel.arithmetic_bound > 0)
FITS(many_bytes, late(e) && e->counter[JUDGE_ALL_BYTES_RATIO] > 1.3)
FITS(half_sectors,
     late(e) && pays(e->kernel.sectors_gain) &&
         (e->counter[JUDGE_LOAD_EFFICIENCY] < 0.9 || e->counter[JUDGE_STORE_EFFICIENCY] < 0.9))
/* Loads of float4 are as wide as they can be. */
static bool is_wide(const struct judge_evidence *e)
{
    return e->kernel.load_width > 12;
}

/* Waiting for a thread's own array, which is in the L1, is not waiting for DRAM. */
static bool waits_for_little(const struct judge_evidence *e)
{
    return unexplained(e) && !dealing(e) && waits_for_loads(e) && e->kernel.local_requests == 0 &&
           e->kernel.spilled_words == 0 && e->kernel.under_way_bytes < 0.6 * e->kernel.needed_bytes;
}

FITS(little_under_way, waits_for_little(e) && !is_wide(e))
FITS(little_though_wide, waits_for_little(e) && is_wide(e))

/* As three out of four neighbours are. */
FITS(side_by_side, by_sectors(e) && judge_refused_apart(e) > 0 && !by_a_step(e))
FITS(changing_step, by_sectors(e) && judge_refused_apart(e) == 0)
FITS(off_its_sector, by_sectors(e) && !side_by_side(e) && !by_a_step(e) &&
                         e->counter[e->refused] > 0.6 &&
                         !(e->worst_line_counter[e->refused] <= 0.6))

FITS(loaded_again, by_bytes(e))
FITS(stored_again, by_bytes(e) && e->refused != JUDGE_LOAD_BYTES_RATIO)
FITS(lanes_differ, refused(e, JUDGE_LANES_ON) && e->kernel.divergent > 0)
FITS(lanes_absent, refused(e, JUDGE_LANES_ON) && fmod(e->kernel.block_threads, 32) != 0)
FITS(bank_step, refused(e, JUDGE_WAVEFRONT_RATIO))
FITS(work_for_nothing, by_instructions(e) && !by_lanes_off(e))

/* --- Wrong ------------------------------------------------------------------------------------ */

bool causes_is_in_words(const struct judge_evidence *e)
{
    return e->said && !strstr(e->said, " wrong, first ") && !strstr(e->said, "no block writes");
}

bool causes_is_close(const struct judge_evidence *e)
{
    const double far = 1.0 / 8;
    return !e->wrong_is_unwritten && isfinite(e->got) && isfinite(e->want) && e->got != e->want &&
           fabs(e->got - e->want) <= 0x1p-6 * fabs(e->want) &&
           !(e->largest_error > far * fabs(e->want));
}

static bool wrong_at_all(const struct judge_evidence *e)
{
    return e->verdict == VERDICT_WRONG;
}

/* The wrong elements have values; they are not answers of a test that says in words what is
 * wrong. */
static bool wrong(const struct judge_evidence *e)
{
    return wrong_at_all(e) && e->total > 0 && !causes_is_in_words(e);
}

static bool is_end_missing(const struct judge_evidence *e)
{
    return wrong(e) && e->wrong_is_unwritten && e->wrong_is_tail && e->wrong < e->total;
}

static bool has_special(double value)
{
    return !isfinite(value);
}

static bool is_near(uint64_t element, uint64_t place)
{
    return element + 4096 >= place && element < place + 4096;
}

/* An index of 32 bits ends at 2^31, or begins again at 2^32. */
static bool is_at_an_int(uint64_t element)
{
    return is_near(element, UINT64_C(1) << 31) || is_near(element, UINT64_C(1) << 32);
}

/* There half of an index, or a quarter of it, reaches the same limit. */
static bool is_at_part_of_an_int(uint64_t element)
{
    return is_near(element, UINT64_C(1) << 33) || is_near(element, UINT64_C(1) << 34);
}

FITS(int_ends, wrong(e) && is_at_an_int(e->first_wrong))
FITS(part_ends, wrong(e) && is_at_part_of_an_int(e->first_wrong))
/* A value that is nearly right was computed from the right inputs. */
FITS(past_an_int, wrong(e) && is_large(e) && !int_ends(e) && !part_ends(e) && !causes_is_close(e))
FITS(end_on_block,
     is_end_missing(e) && e->launch.threads > 0 && e->first_wrong % e->launch.threads == 0)
/* If the number of blocks was truncated to 32 bits, the results may end in the middle of a
 * block. */
FITS(end_in_block, is_end_missing(e) && !int_ends(e) && e->launch.threads > 0 &&
                       e->first_wrong % e->launch.threads != 0)
FITS(end_unwritten, is_end_missing(e) && e->launch.threads == 0)
FITS(all_unwritten, wrong(e) && none_written(e))
FITS(some_unwritten, wrong(e) && e->wrong_is_unwritten && !e->wrong_is_tail && e->wrong < e->total)
FITS(few_unwritten, wrong(e) && e->unwritten > 0 && e->unwritten < e->wrong)
FITS(sign_of_zero, wrong(e) && !e->wrong_is_unwritten && e->got == 0 && e->want == 0)
FITS(nan_lost, wrong(e) && !e->wrong_is_unwritten && isnan(e->want) && !isnan(e->got))
FITS(nan_made, wrong(e) && !e->wrong_is_unwritten && isnan(e->got) && !isnan(e->want))
FITS(infinity, wrong(e) && !e->wrong_is_unwritten && !isnan(e->got) && !isnan(e->want) &&
                   has_special(e->got) != has_special(e->want))
FITS(close, wrong(e) && causes_is_close(e))
FITS(later_call, wrong_at_all(e) && with_others(e))
FITS(call_over_outputs, wrong_at_all(e) && over_outputs(e))
FITS(later_process, wrong_at_all(e) && e->process > 0)
FITS(several_calls, wrong_at_all(e) && e->where && e->where->calls > 1)
FITS(in_place, wrong(e) && !e->wrong_is_unwritten && e->where && e->where->alias)
FITS(unaligned, wrong(e) && has_unaligned(e))
FITS(all_zero, wrong(e) && !e->wrong_is_unwritten && e->zeros == e->wrong && e->want != 0)
FITS(in_step, wrong(e) && e->stride > 1 && e->wrong > 2)
FITS(all_wrong, wrong(e) && !e->wrong_is_unwritten && e->wrong == e->total && e->total > 1)
FITS(some_wrong, wrong(e) && !close(e) && !e->wrong_is_unwritten && e->wrong < e->total &&
                     isfinite(e->got) && isfinite(e->want))
FITS(in_words, wrong_at_all(e) && (e->total == 0 || causes_is_in_words(e)))

static const struct cause CAUSES[] = {
    {idle_multiprocessors,
     "The grid has fewer blocks than the device has multiprocessors, so some multiprocessors have "
     "nothing to do: use more blocks, each with less to do."},
    {few_threads,
     "The grid has fewer warps than the device holds at once: use more blocks, or let each thread "
     "issue more loads before it waits."},
    {dealing,
     "Handing out the blocks, one after another, takes most of the time: use larger blocks, or "
     "give each thread more work."},
    {few_resident,
     "Few warps are resident on a multiprocessor; the report says what limits them. If it is "
     "shared memory, use smaller tiles; if it is registers, fewer sums per thread; if it is the "
     "number of blocks, larger blocks, of 128 to 512 threads."},
    {few_by_registers,
     "Registers limit how many warps are resident, and warps wait for memory most of the time: to "
     "make more warps resident, keep fewer values live at once, or use __launch_bounds__ with the "
     "number of blocks that should fit."},
    {short_last_wave,
     "The last wave of blocks does not fill the device, so multiprocessors are idle while it runs: "
     "launch as many blocks as can be resident (cudaOccupancyMaxActiveBlocksPerMultiprocessor says "
     "how many), or many more, each with less to do."},
    {spills,
     "Registers are spilled to memory: keep fewer values live at once, or give __launch_bounds__ a "
     "smaller second argument."},
    {local_arrays,
     "A thread's array is in local memory because its index is not known at compile time: unroll "
     "the loop over it, or do without the array."},
    {doubles,
     "Some of the arithmetic is in double precision: look for a constant without an f, or a sum of "
     "type double."},
    {conflicts,
     "Lanes have bank conflicts in shared memory: if each row is one word longer, the words of a "
     "column are in different banks. The profile shows each line's wavefronts."},
    {lanes_off,
     "Many lanes are off: look for a condition that differs within a warp, or a block size that is "
     "not a multiple of 32."},
    {many_instructions,
     "The warps execute many more instructions than the reference's: look for divisions, 64-bit "
     "arithmetic, a loop that does little per iteration, or a tree reduction with a barrier for "
     "the whole block at each level. The profile sorts lines by instructions."},
    {many_bytes,
     "The kernels request more bytes than the reference does, as when something is read or written "
     "twice."},
    {half_sectors,
     "Only part of each sector that is fetched or written is used: neighbouring lanes should use "
     "neighbouring addresses."},
    {little_under_way,
     "Too few bytes are in flight to hide memory latency: issue several loads before the first use "
     "(an unrolled loop), use wider loads (float4), or fewer barriers between loads."},
    {little_though_wide,
     "Too few bytes are in flight to hide memory latency, although the loads are already wide: "
     "issue several of them before the first use (an unrolled loop), or have more warps resident."},
    {by_a_step,
     "Neighbouring lanes use addresses with gaps between them: look for an index that multiplies "
     "threadIdx.x, or one that gives each thread its own stretch."},
    {side_by_side,
     "Most neighbouring lanes use neighbouring addresses. Either the warp falls into groups, each "
     "in a row of its own (a tile narrower than a warp), or rows or pointers do not start at a "
     "multiple of 32 bytes. The addresses of each group's first lane, modulo 32, tell which."},
    {changing_step,
     "Neighbouring lanes' addresses have no common step: the index comes from a table, a remainder "
     "or a permutation, or the line has accesses with different steps (put each on its own line). "
     "Exchange elements through shared memory, so that global memory is accessed in order."},
    {off_its_sector,
     "Most of each sector is used: rows or pointers that do not start at a multiple of 32 bytes "
     "touch one sector more, and so do accesses that are wider than the data."},
    {loaded_again,
     "Something is loaded more than once: by several threads of a block (use shared memory, or "
     "more results per thread), by several blocks (use larger tiles), or after it was stored (keep "
     "it in a register). The profile shows each line's bytes."},
    {stored_again,
     "Something is stored that the result does not need: an intermediate value, or the result "
     "twice."},
    {lanes_differ,
     "A condition differs within a warp, so its sides run one after the other: let whole warps "
     "take one side or, if the sides are short, compute both results and select one."},
    {lanes_absent,
     "The last warp of each block is not full: make the block size a multiple of 32."},
    {bank_step,
     "Lanes share a bank if the step between them is even: with a step of 32 words all 32 lanes "
     "share one, with a step of 2 words pairs of lanes do. Longer rows, or another order of the "
     "lanes, separate them."},
    {by_lanes_off,
     "Many lanes are off while the warps execute these instructions, as when a condition differs "
     "within a warp, so that its sides take turns: let whole warps take one side, or give each "
     "lane work on both."},
    {work_for_nothing,
     "The warps execute instructions whose result is not needed, or in more threads than need it: "
     "hoist what does not change out of the loop, and check which line has the most instructions."},
    {call_over_outputs,
     "The previous call, with the same arguments and inputs, was right. Usually your code looks at "
     "an output to see whether its work is done, or it remembers a call and does less in the next "
     "one, or it computes with what an output holds. Each call has to write all of its outputs."},
    {int_ends,
     "The first wrong element is {first}, next to 2^31 or 2^32: an index of 32 bits becomes "
     "negative at 2^31, or begins again at 2^32. Look at the index, at the product that it is "
     "computed from, and at the number of blocks: each needs 64 bits."},
    {part_ends,
     "The first wrong element is {first}, next to 2^33 or 2^34: from there on a number that is "
     "computed from the index by a division, such as that of a pair or of a group of four, needs "
     "more than 32 bits. Look where that number is kept, or split into words."},
    {past_an_int,
     "This check's smaller cases are right, and this one has more than 2^31 elements or bytes. "
     "Usually an index of 32 bits, or a product or a cast on the way to one, wraps around there: "
     "then some elements are computed twice, or from other elements' inputs, and some not at all."},
    {all_unwritten,
     "Nothing was written to that result: look for a launcher that returns early, a guard that is "
     "never true, an empty grid, or a store that goes elsewhere."},
    {by_no_block,
     "Some blocks that should write a part of the result write none, or several blocks write the "
     "same part: look at how a block's number becomes its place (a division, a remainder, a "
     "truncation to 32 bits), at the guards, and at how many blocks there are."},
    {end_on_block,
     "The elements from {first} on were never written, and {first} is a multiple of {threads}, the "
     "threads of a block: so blocks may be missing. Is their number, {blocks}, rounded up, and "
     "computed for as many elements per thread as the kernel takes?"},
    {end_in_block,
     "The elements from {first} on were never written, and {first} is not a multiple of {threads}, "
     "the threads of a block. So the grid is probably not too small: rather, a guard stops too "
     "early, or no wide access fits the last elements and nothing else writes them."},
    {end_unwritten,
     "The end was never written: the grid is too small (then the first missing element is a "
     "multiple of what a block does), or a guard stops too early (then it is not)."},
    {some_unwritten,
     "Some elements were never written, and one after them was: a guard leaves them out, a path "
     "begins after them, or two threads write one element instead of two. Work out which thread "
     "should write the first of them."},
    {sign_of_zero,
     "Only the sign of a zero is wrong: a negative number times 0, or minus 0 itself, is -0. A "
     "value that is selected (keep ? value : 0) keeps the sign that you write; a product does "
     "not."},
    {nan_lost,
     "The result should be NaN, and it is a number. A term may have been left out because its "
     "factor is 0 (0 times NaN is NaN), or a comparison, fmaxf or fminf may have dropped the NaN."},
    {nan_made,
     "The result is NaN, and it should not be. Possible causes are infinity minus infinity "
     "or over infinity, 0 over 0, infinity or NaN times 0 (the infinities perhaps by a division "
     "by 0 or an overflow before), or an element that was never set. Work out which of these the "
     "inputs of element {first} allow."},
    {infinity,
     "Either the result or the expected value is infinite, but not both. Usually an intermediate "
     "product or sum overflows that the contract's order keeps small, or something is divided by "
     "0, or a limiting case is not handled."},
    {later_process,
     "The result is wrong in a process that was started later, so look at the file that the "
     "previous process left: something is missing from it, or should not be in it. Compare what is "
     "written with what is read back."},
    {later_call,
     "The previous call, with the same arguments and other inputs, was right. Usually something is "
     "kept from call to call (a static variable, a result), or these inputs have values that the "
     "first ones did not have. If each call reads every input again, only the second is possible."},
    {close,
     "The wrong values are close to the right ones. Usually values go through a narrower type or "
     "an approximate function, or a small part of a sum is left out or added twice, or the order "
     "is not the contract's. Test a sum over inputs that are all 1: it is exact, and counts the "
     "terms that arrive."},
    {several_calls,
     "The case calls the launcher more than once. If something is kept for the next call (a plan, "
     "a pointer, a sum, a counter), does its key contain all that it depends on, and is it reset?"},
    {few_unwritten,
     "Some of the wrong elements were never written, and others were: an index that sends two "
     "threads to one element can cause both."},
    {all_zero,
     "All wrong elements are 0: a sum was never added to, a part is skipped, a condition selects 0 "
     "there, or a buffer was cleared after the result was stored."},
    {in_step,
     "One element in {stride} is wrong, from {first} on. What repeats every {stride} elements: a "
     "row's end, the edge of a tile, one lane, one part of a wide access?"},
    {in_place,
     "In this case the output overlaps an input. If the same sizes are right with separate "
     "buffers, some element is loaded after a result was stored in its place, as when two threads "
     "both process it; if they are wrong there as well, the overlap is not the cause."},
    {unaligned,
     "A buffer does not start at a multiple of 16 bytes in this case. If the kernel has a separate "
     "path for that, look there first: at what it does before the first multiple, and after the "
     "last."},
    {all_wrong,
     "Every element is wrong. The cause may be the formula itself, the order of its arguments, an "
     "index that they all share, a part of a sum that is left out in each, or something left by an "
     "earlier call. Compute the first element by hand."},
    {some_wrong,
     "Not all of the {total} elements that were compared are wrong. Find out what the wrong ones "
     "have in common (an edge, a row, a residue of the index, the values of their inputs), and "
     "whether {got} is another element's value, this element's value by another formula, or "
     "computed from what an earlier call left."},
    {in_words,
     "What is wrong is no single number, but something that the contract promises: read its words "
     "there, and find the line that should keep the promise. If there is no such line, it is "
     "missing; if there is one, see whether this case reaches it."},
};

size_t causes_of(const struct judge_evidence *evidence, const char *causes[CAUSES_MOST])
{
    size_t count = 0;
    for (size_t i = 0; i < sizeof CAUSES / sizeof *CAUSES && count < CAUSES_MOST; i++)
        if (CAUSES[i].fits(evidence))
            causes[count++] = CAUSES[i].text;
    return count;
}
