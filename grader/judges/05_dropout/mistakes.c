/* mistakes.c - lesson 5: how a mistake is recognised, and what to say of it. */
#include "check/judge_seen.h"
#include "judges/05_dropout/parts.h"
#include "judges/05_dropout/problem.h"

#include <math.h>

/* Is p next to 0 or to 1, and neither? */
static bool is_next_to_end(double p)
{
    return p == P_NEXT_TO_1 || p == P_OF_WORD_0 || p == P_BELOW_WORDS;
}

static bool is_word_of_element(double p)
{
    return p == P_OF_WORD_60 || p == P_OF_WORD_61 || p == P_OF_WORD_62 || p == P_OF_WORD_63;
}

/* In the first call of a process, what is still 0 may be taken for kept: no formula is wrong. */
static bool is_first_call(const struct judge_evidence *e)
{
    return e->where->once && e->where->processes == 2;
}

static bool wrong(const struct judge_evidence *e)
{
    return judge_wrong(e) && !is_first_call(e);
}

/* The words of quads past 2^32 are those of others, and before them all is right. */
JUDGE_SEEN(high_word_left_out,
           wrong(e) && e->is_large && !e->wrong_is_unwritten && e->first_wrong >= UINT64_C(4) << 32)
JUDGE_SEEN(index_in_32_bits, e->is_large && e->where && e->where->size[N] > INT32_MAX &&
                                 (e->verdict == VERDICT_OUT_OF_BOUNDS || wrong(e)))
JUDGE_SEEN(chunks_kept,
           judge_slow(e, JUDGE_LAUNCHES, 2, INFINITY) && e->counter[JUDGE_BYTES_RATIO] < 1.05)
JUDGE_SEEN(words_in_memory,
           judge_slow(e, JUDGE_LAUNCHES, 2, INFINITY) && e->counter[JUDGE_BYTES_RATIO] >= 1.05)
JUDGE_SEEN(quads_in_single_steps, (judge_slow(e, JUDGE_LOAD_EFFICIENCY, 0, 0.5) ||
                                   judge_slow(e, JUDGE_STORE_EFFICIENCY, 0, 0.5)) &&
                                      judge_refused_width(e) <= 5)
JUDGE_SEEN(quads_of_a_run, (judge_slow(e, JUDGE_LOAD_EFFICIENCY, 0, 0.6) ||
                            judge_slow(e, JUDGE_STORE_EFFICIENCY, 0, 0.6)) &&
                               judge_refused_apart(e) > 16 && judge_refused_width(e) > 12)
JUDGE_SEEN(word_for_each_element, judge_slow(e, JUDGE_WARP_INSTRUCTIONS, 1.7, INFINITY))
JUDGE_SEEN(moved_twice, judge_slow(e, JUDGE_BYTES_RATIO, 1.4, INFINITY))
JUDGE_SEEN(small_blocks, judge_late(e) && e->kernel.block_threads <= 64)
JUDGE_SEEN(few_blocks, judge_late(e) && e->kernel.blocks < e->kernel.multiprocessors)
JUDGE_SEEN(float4_anyway, e->verdict == VERDICT_MISALIGNED)
JUDGE_SEEN(step_by_value, wrong(e) && e->where->script == REPLAYED)
/* Aligned, and with either pointer off alone, the words are right. */
JUDGE_SEEN(words_from_the_boundary, wrong(e) && (e->got == 0) != (e->want == 0) &&
                                        e->where->offset_bytes[0] != 0 &&
                                        e->where->offset_bytes[0] == e->where->offset_bytes[1])
JUDGE_SEEN(first_key_is_zero, judge_wrong(e) && is_first_call(e) && e->where->real[P] > 0)
JUDGE_SEEN(mask_of_an_earlier_call,
           wrong(e) && (e->where->script == OTHER_PASS || e->where->script == OTHER_CALL))
/* Of data without special values, the mask was right. */
JUDGE_SEEN(dropped_is_nan, wrong(e) && e->where->data == JUDGE_DATA_SPECIALS && isnan(e->got) &&
                               e->want == 0 && e->where->real[P] > 0 && e->where->real[P] < 1)
JUDGE_SEEN(backward_draws_anew, wrong(e) && e->where->launcher == BACKWARD && !e->is_large &&
                                    (e->got == 0) != (e->want == 0))
JUDGE_SEEN(compared_as_floats, wrong(e) && e->where->real[P] == P_ABOVE_WORD_13 && e->wrong == 1)
/* All other words are right, wherever this one lies. */
JUDGE_SEEN(equal_is_dropped_there, wrong(e) && e->wrong == 1 && e->got == 0 && e->want != 0 &&
                                       is_word_of_element(e->where->real[P]))
JUDGE_SEEN(near_an_end, wrong(e) && is_next_to_end(e->where->real[P]))
JUDGE_SEEN(equal_is_dropped,
           wrong(e) && (e->where->real[P] == P_OF_WORD_51 ||
                        (e->where->size[STEP] == STEP_WORD_1_IS_0 && e->got == 0)))
JUDGE_SEEN(threshold_of_keep, wrong(e) && e->where->real[P] > 0.9 && e->where->real[P] < 1 &&
                                  e->wrong > e->total / 2 && e->want == 0)
JUDGE_SEEN(all_of_p_one, wrong(e) && e->where->real[P] == 1)
JUDGE_SEEN(last_word_dropped, wrong(e) && e->where->real[P] == 0 && e->got == 0 && e->want != 0 &&
                                  e->wrong == e->total && !e->wrong_is_unwritten)
JUDGE_SEEN(times_the_mask, wrong(e) && ((e->where->data == JUDGE_DATA_SPECIALS && isnan(e->got)) ||
                                        (e->got == 0 && e->want == 0 && signbit(e->got))))
JUDGE_SEEN(sign_of_zero_lost, wrong(e) && e->got == 0 && e->want == 0 && signbit(e->want))
JUDGE_SEEN(not_refused, e->verdict == VERDICT_ARGUMENTS && e->where && e->where->refused_with)
JUDGE_SEEN(threshold_cut_short, wrong(e) && e->where->real[P] == P_PAST_WORD_51)
JUDGE_SEEN(threshold_rounded, wrong(e) && e->where->real[P] == P_ABOVE_WORD_51)
JUDGE_SEEN(key_cut_short,
           wrong(e) && (e->where->size[SEED] > UINT16_MAX || e->where->size[LAYER] > UINT16_MAX))
JUDGE_SEEN(overwritten_in_place, wrong(e) && e->where->alias && !e->is_large)
JUDGE_SEEN(half_a_step, wrong(e) && e->where->size[STEP] > UINT32_MAX)
JUDGE_SEEN(xor_counter, wrong(e) && e->where->size[STEP] == 1 && e->where->size[LAYER] == 0)
JUDGE_SEEN(same_in_all_layers, wrong(e) && e->where->size[STEP] == 0 && e->where->size[LAYER] == 1)
JUDGE_SEEN(tail_lost, wrong(e) && !judge_is_unaligned(e->where) && e->wrong_is_unwritten &&
                          e->first_wrong + e->wrong == e->total &&
                          (int64_t)e->wrong == e->where->size[N] % 4)
/* Kept elements are multiplied by something else. */
JUDGE_SEEN(one_over_p, wrong(e) && e->got != 0 && e->want != 0 && e->where->real[P] > 0 &&
                           fabs(e->got * e->where->real[P] / (1 - e->where->real[P]) - e->want) <
                               0x1p-18 * fabs(e->want))
JUDGE_SEEN(not_scaled,
           wrong(e) && e->got != 0 && e->where->real[P] > 0 && e->where->real[P] < 1 &&
               fabs(e->got / (1 - e->where->real[P]) - e->want) < 0x1p-18 * fabs(e->want))
/* Of element 0, at step 0, the counter is zeros by almost any recipe. */
JUDGE_SEEN(key_swapped, wrong(e) && !e->wrong_is_unwritten && e->where->size[N] == 1 &&
                            (e->got == 0) != (e->want == 0))
JUDGE_SEEN(mask_of_the_grid, wrong(e) && !e->wrong_is_unwritten && e->where->size[STEP] == 0 &&
                                 e->where->size[LAYER] == 0 && (e->got == 0) != (e->want == 0))

/* The first match counts: special mistakes come before more general ones. */
static const struct judge_mistake MISTAKES[] = {
    JUDGE_ERROR_IGNORED,
    {"mask_of_an_earlier_call", mask_of_an_earlier_call,
     "The mask is that of an earlier call of the other pass, which had another step, key, p or n. "
     "Keep neither words nor the step for the next call: each call's kernel must read *d_step when "
     "it runs."},
    JUDGE_RIGHT_FOR_THE_LIST,
    {"first_key_is_zero", first_key_is_zero,
     "The first call of a process is wrong, and a later one with such arguments is right. What is "
     "kept from call to call (a mask, the round keys) is not there yet: a variable that still "
     "holds 0 looks like the key of a call that was never made. Compute in each call all that it "
     "needs."},
    {"high_word_left_out", high_word_left_out,
     "i / 4 has 64 bits, two words of the counter: from element 2^34 on, the second is not 0."},
    {"index_in_32_bits", index_in_32_bits,
     "n may exceed 2^32: an int is negative from 2^31 on, an unsigned wraps around at 2^32, and a "
     "float, such as the result of ceilf(), rounds from 2^24 on. Make n, the index, the numbers of "
     "quads and of blocks, and their steps int64_t, and multiply in 64 bits."},
    {"chunks_kept", chunks_kept,
     "A call launches several kernels, although little moves besides x and y, as when a loop over "
     "chunks remains that the buffers once needed. One grid can be as large as n needs."},
    {"words_in_memory", words_in_memory,
     "Several kernels share the work, and more moves than x and y: one kernel stores what another "
     "reads again, such as words, generators, or a y that is scaled later. A counter-based "
     "generator needs no set-up: compute the words in the kernel that uses them, and do all work "
     "on an element there."},
    {"quads_in_single_steps", quads_in_single_steps,
     "Lanes load or store single floats with gaps between them, as when each thread walks through "
     "four or more elements of its own. Load and store four as one float4, and let neighbouring "
     "lanes take neighbouring groups of four."},
    {"quads_of_a_run", quads_of_a_run,
     "The accesses are wide, but there are gaps between those of neighbouring lanes, as when a "
     "thread takes several neighbouring quads. Let neighbouring lanes take neighbouring quads, and "
     "let a thread's next quad be a whole block further on."},
    {"word_for_each_element", word_for_each_element,
     "The warps execute at least 1.7 times the instructions that one call of Philox for four "
     "elements needs, as when not all of its words are used. Let a thread take elements 4t to 4t + "
     "3, and use all four words of a call."},
    {"moved_twice", moved_twice,
     "At least two fifths more bytes move than necessary, as when x is read twice, or y is written "
     "twice, or something wide is stored. Choose between the scaled value and 0 in a register, and "
     "store once."},
    {"small_blocks", small_blocks,
     "Blocks have only a warp or two: a multiprocessor holds 32 blocks at most, and handing out "
     "each one takes time. Make blocks of 128 to 512 threads."},
    {"few_blocks", few_blocks,
     "The grid has fewer blocks than the device has multiprocessors, so some multiprocessors are "
     "idle."},
    {"float4_anyway", float4_anyway,
     "A float4 must be at a multiple of 16 bytes, and the contract promises only 4. Test the "
     "pointer first: all lanes get the same answer, so the branch is cheap."},
    {"one_over_p", one_over_p,
     "Kept elements are divided by p, the share that is dropped: the scale should be 1 / (1 - p)."},
    {"not_scaled", not_scaled,
     "Kept elements must be multiplied by 1 / (1 - p), in the backward pass too, so that the mean "
     "stays the same."},
    {"step_by_value", step_by_value,
     "A graph keeps the arguments from when it was captured: if the step is one of them, every "
     "replay repeats one mask. Pass the pointer to the kernel, and read the step there."},
    {"near_an_end", near_an_end,
     "A p that is nearly 0 or nearly 1: 1 - 2^-24 keeps elements whose words are 0xFFFFFF00 and "
     "above, 2^-32 drops those whose word is 0, and below that nothing is dropped. Treat only p = "
     "1 separately, compute the threshold exactly, in double, and compare word >= threshold: a "
     "threshold less 1 wraps where it is 0."},
    {"equal_is_dropped", equal_is_dropped_there,
     "A word that is the threshold itself keeps its element: word >= threshold, wherever words are "
     "compared. Whole quads, the last n % 4 elements, misaligned pointers and the backward pass "
     "may each have their own line for this."},
    {"words_from_the_boundary", words_from_the_boundary,
     "Where both pointers are misaligned by the same amount, the wrong elements are dropped, as "
     "when quads are counted from the first element at a multiple of 16 bytes. The words of call t "
     "belong to elements 4t to 4t + 3, wherever those are in memory."},
    {"times_the_mask", dropped_is_nan,
     "A NaN or an infinity that should be dropped becomes NaN: 0 times either is NaN. Select the "
     "scaled value or 0, and do not multiply. Whole quads, the last n % 4 elements and the "
     "backward pass may each have their own line for this."},
    {"backward_draws_anew", backward_draws_anew,
     "The forward pass is right, but the backward pass has another mask. With the same key, step "
     "and counters, it must be the same function."},
    {"compared_as_floats", compared_as_floats,
     "The mask is wrong for one element, whose word is right at the threshold. A float holds 24 "
     "bits, and a word has 32: compare integers."},
    {"equal_is_dropped", equal_is_dropped,
     "A word that is the threshold itself keeps its element: word >= threshold, in all 32 bits."},
    {"threshold_of_keep", threshold_of_keep,
     "In most places an element is kept that should be dropped: the threshold is p, here 0.999, "
     "and a word below it drops its element. At p = 1/2 the reverse looks the same."},
    {"all_of_p_one", all_of_p_one,
     "With p = 1 the threshold is 2^32, one more than 32 bits hold, and the scale is infinite. "
     "Treat it separately."},
    {"last_word_dropped", last_word_dropped,
     "With p = 0 every element is kept, and here the results are 0, as when a word is compared "
     "with threshold - 1, the last word that drops an element: for a threshold of 0 that is 2^32 - "
     "1 in 32 bits. Compare with the threshold itself: keep if word >= threshold."},
    {"times_the_mask", times_the_mask,
     "0 times NaN is NaN, and 0 times a negative number is -0, where the contract wants +0. Select "
     "the scaled value or 0; do not multiply."},
    {"sign_of_zero_lost", sign_of_zero_lost,
     "A kept -0 must stay -0: adding 0 to it makes it +0. Multiply by the scale, and by nothing "
     "else."},
    {"not_refused", not_refused,
     "The contract wants cudaErrorInvalidValue, and no launch, for n < 0 and for a p outside [0, "
     "1]. Every comparison with NaN is false, so ask whether p is inside: !(p >= 0 && p <= 1)."},
    {"threshold_cut_short", threshold_cut_short,
     "Here the threshold is word 51 plus 1, so that element must be dropped. It is kept if the "
     "threshold is smaller, as when some of its bits are lost: it has 32 bits, p * 2^32 in "
     "double."},
    {"threshold_rounded", threshold_rounded,
     "The threshold is p * 2^32 rounded down: a conversion to an integer does that, rint() and "
     "ceil() do not."},
    {"key_cut_short", key_cut_short,
     "Seed and layer have 32 bits each, and all of them count: small numbers gave the right mask, "
     "large ones did not."},
    {"overwritten_in_place", overwritten_in_place,
     "The result is right when y is apart from x, and wrong when y is x: an element is read after "
     "it has been written. Let the thread that writes an element be the only one that reads it, "
     "and let it write once, last."},
    {"half_a_step", half_a_step,
     "This step does not fit 32 bits. A step has 64, and the counter has two words for it: steps "
     "that differ by 2^32 have different masks."},
    {"xor_counter", xor_counter,
     "Step 0 is right and step 1 is not. Words that are shifted and mixed into one number can come "
     "out the same for different uses; Philox has four words, so give each number its own: {lo(i / "
     "4), hi(i / 4), lo(step), hi(step)}. Read the step in the kernel, through its pointer."},
    {"tail_lost", tail_lost,
     "n need not be a multiple of 4: which thread does the last n % 4 "
     "elements?"},
    {"same_in_all_layers", same_in_all_layers,
     "Layer 0 is right and layer 1 is not: the layer is the second word of the key."},
    {"key_swapped", key_swapped,
     "Element 0 of step 0 is kept where it should be dropped, or the other way round. Its counter "
     "is {0, 0, 0, 0} (is yours? Only 64-bit numbers can be shifted by 32), so check the rest: the "
     "key is {seed, layer}, in this order; element 0 takes the first word; Philox has ten rounds, "
     "and the key changes after each; an element is kept if its word is at or above the "
     "threshold."},
    {"mask_of_the_grid", mask_of_the_grid,
     "The wrong elements are dropped. The counter comes from the element's index, i / 4, and the "
     "word is i % 4: neither thread nor block may affect it. An element is kept if its word is at "
     "or above the threshold."},
};

const struct judge_mistakes DROPOUT_MISTAKES = JUDGE_ROWS(MISTAKES);
