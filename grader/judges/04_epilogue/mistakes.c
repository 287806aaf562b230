/* mistakes.c - lesson 4: how a mistake is recognised, and what to say of it. */
#include "check/judge_seen.h"
#include "judges/04_epilogue/parts.h"
#include "judges/04_epilogue/problem.h"

#include <float.h>
#include <math.h>

static bool is_activation(const struct judge_evidence *e, enum quest_activation activation)
{
    return e->where && e->where->size[ACTIVATION] == (int64_t)activation;
}

static bool is_gelu(const struct judge_evidence *e)
{
    return is_activation(e, QUEST_ACT_GELU_ERF) || is_activation(e, QUEST_ACT_GELU_TANH);
}

/* Neither bias nor Z: what is wrong there is the product or its activation. */
static bool is_plain(const struct judge_evidence *e)
{
    return e->where && !e->where->size[WITH_BIAS] && !e->where->size[SAVE_Z];
}

static bool is_near(double got, double value)
{
    return fabs(got - value) <= 0x1p-10 * fabs(value);
}

/* What should be Z is what Y should be, and not only because the two are close. */
static bool got_is_activated(const struct judge_evidence *e)
{
    double y = epilogue_activate(e->want, (enum quest_activation)e->where->size[ACTIVATION],
                                 e->where->real[SLOPE]);
    double off = fabs(e->got - y);
    return e->where->size[SAVE_Z] && off < 0x1p-12 && 4 * off < fabs(e->got - e->want);
}

/* Of a sum and a bias in [-1, 1]: added after the activation, the bias moves the result by 1 at
 * most, and inside by what the steepest activation makes of it. */
static bool is_by_bias(const struct judge_evidence *e)
{
    double steepest = fmax(1.25, fabs(e->where->real[SLOPE]));
    bool is_small = e->where->data == JUDGE_DATA_UNIFORM || e->where->data == JUDGE_DATA_SIXTEENTHS;
    return is_small && e->largest_error > 0x1p-6 && e->largest_error <= 1 + steepest;
}

/* Where the exponentials of a formula overflow, or are 0 in FP32, the activation has long come to
 * an end: one of its limits, or z itself. */
static bool is_past_the_formula(const struct judge_evidence *e)
{
    double want = fabs(e->want);
    return is_activation(e, QUEST_ACT_SIGMOID) || is_activation(e, QUEST_ACT_TANH)
               ? want < 0x1p-20 || want > 1 - 0x1p-20
               : is_gelu(e) && (want < 0x1p-20 || want > 4);
}

/* Where an offset is wrong, most elements are, and few of them should be NaN. */
static bool loses_nan(const struct judge_evidence *e)
{
    return isnan(e->want) && e->got == 0 && (double)e->wrong < 0.25 * (double)e->total;
}

static bool is_past_an_int(const struct judge_evidence *e)
{
    return e->is_large && e->where &&
           judge_is_past_an_int(e->where->size[M], e->where->size[N], e->where->size[K]);
}

JUDGE_SEEN(offset_in_32_bits,
           is_past_an_int(e) && (judge_failed(e, VERDICT_OUT_OF_BOUNDS) ||
                                 (judge_wrong(e) && !loses_nan(e) && !judge_is_near(e))))
/* Refused for what it moves, loads among it, or for its time. */
static bool loads_more(const struct judge_evidence *e, double least, double most)
{
    bool for_that = e->refused == JUDGE_LOAD_BYTES_RATIO || e->refused == JUDGE_ALL_BYTES_RATIO ||
                    e->refused == JUDGE_LOAD_EFFICIENCY || e->refused == JUDGE_COUNTER_NONE;
    return e->verdict == VERDICT_SLOW && for_that && e->counter[JUDGE_LOAD_BYTES_RATIO] >= least &&
           e->counter[JUDGE_LOAD_BYTES_RATIO] <= most;
}

JUDGE_SEEN(separate_kernels,
           judge_slow(e, JUDGE_LAUNCHES, 2, INFINITY) && e->counter[JUDGE_ALL_BYTES_RATIO] > 1.3)
JUDGE_SEEN(copied_to_z, judge_slow(e, JUDGE_COPIES, 1, INFINITY))
JUDGE_SEEN(sums_in_memory, judge_slow(e, JUDGE_LOCAL_REQUESTS, 1, INFINITY))
/* A few spills before and after the main loop cost next to nothing. */
JUDGE_SEEN(registers_spill,
           judge_late(e) && e->kernel.spilled_words > 0.2 * e->kernel.shared_requests)
/* How often each element of Y and Z is stored. NAN where that is not known. */
static double times_stored(const struct judge_evidence *e)
{
    if (!e->counted)
        return NAN;
    const int64_t *size = e->counted->size;
    double outputs = (double)size[M] * (double)size[N] * (size[SAVE_Z] ? 2 : 1);
    return e->kernel.stored_bytes / (outputs * sizeof(float));
}

/* Where k is long, it may be the main loop that loads so much: then nothing is stored again. */
JUDGE_SEEN(output_read_again, (loads_more(e, 1.1, 2.9) && e->counter[JUDGE_BYTES_RATIO] >= 2 &&
                               e->counted && e->counted->size[K] < 64) ||
                                  (loads_more(e, 1.1, INFINITY) && times_stored(e) > 1.25))
JUDGE_SEEN(bias_for_each_element, loads_more(e, 1.1, 2.9) &&
                                      e->counter[JUDGE_LOAD_EFFICIENCY] < 0.9 &&
                                      e->counter[JUDGE_BYTES_RATIO] < 2)
JUDGE_SEEN(small_tile, loads_more(e, 2, INFINITY))
JUDGE_SEEN(single_floats, judge_slow(e, JUDGE_STORE_EFFICIENCY, 0, 0.6) && e->line.store_width <= 5)
JUDGE_SEEN(pairs_of_floats, judge_slow(e, JUDGE_STORE_EFFICIENCY, 0, 0.6) &&
                                e->line.store_width > 7 && e->line.store_width < 9)
JUDGE_SEEN(double_arithmetic, judge_slow(e, JUDGE_FP64_INSTRUCTIONS, 1, INFINITY))
/* A uniform choice at each element: many branches, hardly any of which splits a warp. */
JUDGE_SEEN(switch_in_the_loops, judge_late(e) && e->kernel.branches > 0.05 &&
                                    e->kernel.divergent < 0.05 && e->kernel.spilled_words == 0)
JUDGE_SEEN(pointer_not_asked_for, judge_failed(e, VERDICT_OUT_OF_BOUNDS) && e->null_pointer)
JUDGE_SEEN(no_bounds_check,
           judge_failed(e, VERDICT_OUT_OF_BOUNDS) && !e->where->size[WITH_BIAS] && !e->null_pointer)
JUDGE_SEEN(bias_of_rows, judge_failed(e, VERDICT_OUT_OF_BOUNDS) && e->where->size[WITH_BIAS] &&
                             e->where->size[N] % 4 == 0)
JUDGE_SEEN(quad_over_the_edge, judge_failed(e, VERDICT_OUT_OF_BOUNDS) && e->where->size[WITH_BIAS])
JUDGE_SEEN(float4_anyway, judge_failed(e, VERDICT_MISALIGNED))
JUDGE_SEEN(adds_to_output, judge_failed(e, VERDICT_UNINITIALISED))
/* Of the product alone: that case has no bias and no activation. */
JUDGE_SEEN(zeros_skipped, judge_wrong(e) && isnan(e->want) && !isnan(e->got) &&
                              !e->wrong_is_unwritten && judge_has_zeros(e->where))
JUDGE_SEEN(nan_swallowed, judge_wrong(e) && isnan(e->want) && e->got == 0)
JUDGE_SEEN(gelu_of_the_other_kind, judge_wrong(e) && is_gelu(e) && e->largest_error < 6e-4)
JUDGE_SEEN(z_after_activation, judge_wrong(e) && got_is_activated(e))
JUDGE_SEEN(slope_is_fixed, judge_wrong(e) && is_activation(e, QUEST_ACT_LEAKY_RELU) &&
                               e->where->real[SLOPE] != FIRST_SLOPE &&
                               is_near(e->got, FIRST_SLOPE * e->want / e->where->real[SLOPE]))
JUDGE_SEEN(slope_of_the_wrong_side, judge_wrong(e) && is_activation(e, QUEST_ACT_LEAKY_RELU) &&
                                        (is_near(e->got, e->want * e->where->real[SLOPE]) ||
                                         is_near(e->got, e->want / e->where->real[SLOPE])))
JUDGE_SEEN(slope_by_maximum, judge_wrong(e) && is_activation(e, QUEST_ACT_LEAKY_RELU) &&
                                 isfinite(e->where->real[SLOPE]) &&
                                 (e->where->real[SLOPE] > 1 || e->where->real[SLOPE] < 0))
JUDGE_SEEN(not_refused, e->verdict == VERDICT_ARGUMENTS && e->where && e->where->refused_with)
/* Without an activation all is as it should be: those cases come first. */
JUDGE_SEEN(activation_mixed_up, judge_wrong(e) && is_plain(e) &&
                                    !is_activation(e, QUEST_ACT_NONE) && e->largest_error > 0x1p-6)
JUDGE_SEEN(output_missing, judge_wrong(e) && e->wrong_is_unwritten)
JUDGE_SEEN(bias_after_activation, judge_wrong(e) && e->where->size[WITH_BIAS] &&
                                      !is_activation(e, QUEST_ACT_NONE) && is_by_bias(e))
JUDGE_SEEN(formula_overflows, judge_wrong(e) && !e->wrong_is_unwritten && !isfinite(e->got) &&
                                  isfinite(e->want) && is_past_the_formula(e))
/* Few columns have a bias of 0. */
JUDGE_SEEN(bias_left_out, judge_wrong(e) && e->where->size[WITH_BIAS] &&
                              is_activation(e, QUEST_ACT_NONE) && e->largest_error > 0x1p-6 &&
                              (double)e->wrong > 0.75 * (double)e->total)
/* No more is lost than what is subnormal, in each step of the sum. A factor that is lost and is
 * multiplied by a large one is more: then the first sum is subnormal itself. */
JUDGE_SEEN(subnormals_flushed,
           judge_wrong(e) && !e->wrong_is_unwritten &&
               ((e->largest_error < 2 * FLT_MIN * (double)(e->where->size[K] + 1) &&
                 (e->got == 0 || !judge_has_tiny_products(e->where))) ||
                (e->got == 0 && e->want != 0 && fabs(e->want) < FLT_MIN)))
JUDGE_SEEN(narrow_inputs, judge_wrong(e) && e->largest_error < 0x1p-6)

/* The first match counts: special mistakes come before more general ones. */
static const struct judge_mistake MISTAKES[] = {
    JUDGE_ERROR_IGNORED,
    JUDGE_RIGHT_FOR_THE_LIST,
    {"offset_in_32_bits", offset_in_32_bits,
     "This check's smaller cases are right. Sides fit an int, their product does not: from 2^31 "
     "elements on, row * n + col is negative as an int, and as an unsigned it begins again at "
     "2^32. Multiply in 64 bits, and widen before that, not after: (int64_t)row * n + col."},
    {"separate_kernels", separate_kernels,
     "A kernel of its own for bias, activation or Z reads all of a matrix from memory, does one "
     "operation an element, and writes it all back. The kernel before had each element in a "
     "register."},
    {"copied_to_z", copied_to_z,
     "The contract forbids a call to copy or set memory, which is one more trip for each "
     "element. What Y and Z are to hold, the kernel has in its registers."},
    {"sums_in_memory", sums_in_memory,
     "An array of each thread lies in local memory. sum[r][c] with an r or c that is not known "
     "at compile time cannot be a register, and then none of the array can, for the main loop, "
     "too. Put #pragma unroll before every loop over the sums."},
    {"output_read_again", output_read_again,
     "One kernel, but it loads more than the product needs: Y is written and read again to go on "
     "with it (keep the value in a variable until it is what it should be, then store it once), "
     "or a main loop of your own fetches parts of A and B for fewer than 128 uses each."},
    {"bias_for_each_element", bias_for_each_element,
     "More is loaded than the product needs: the bias for every element, though the rows of a "
     "thread have the same columns (load it once, before the loop over the rows), or parts of A "
     "and B, by a main loop of your own, for fewer than 128 uses each."},
    {"small_tile", small_tile,
     "At least twice as much is loaded as by the main loop that is given, as where yours "
     "fetches parts of A and B for fewer than 128 uses each, or the end of it loads a bias for "
     "every element."},
    {"registers_spill", registers_spill,
     "The kernel needs more registers than it may have, so the compiler stores some to memory and "
     "loads them back (the report has how many), as where a second argument of __launch_bounds__ "
     "is too large, or a thread has too many sums."},
    {"single_floats", single_floats,
     "The line that is named writes single floats, and its lanes are apart: at a time, a warp "
     "writes only part of each sector. A lane that has four neighbouring columns can write them "
     "as one float4."},
    {"pairs_of_floats", pairs_of_floats,
     "The line that is named writes 8 bytes a lane, and its lanes are apart: at a time, a warp "
     "writes only part of each sector. A lane that has four neighbouring columns can write them "
     "as one float4."},
    {"double_arithmetic", double_arithmetic,
     "Some of the arithmetic is in double: in variables of that type, or by a constant without an "
     "f, which makes what it is multiplied with double, and tanh() or sqrt() of that, too. An H200 "
     "does half as many operations in FP64 as in FP32, and many GPUs do a 64th. FP32 is all that "
     "the contract asks for."},
    {"switch_in_the_loops", switch_in_the_loops,
     "Many of the instructions are branches that no warp disagrees on, as where a switch over the "
     "activation stands in loops over the sums: unrolled, it is there 64 times, too much for the "
     "instruction cache. Ask once, outside, and give each activation loops of its own: a template "
     "whose parameter is the activation."},
    {"pointer_not_asked_for", pointer_not_asked_for,
     "bias and Z may be NULL: then there is no bias to add, and no Z to write. Ask the pointer; "
     "all threads find the same answer, so it costs next to nothing."},
    {"no_bounds_check", no_bounds_check,
     "Tiles hang over the edges: tile_row(r) may be m or more, tile_col(c) n or more."},
    {"bias_of_rows", bias_of_rows,
     "The bias belongs to columns: bias[tile_col(c)], of which there are n. It is not as long as "
     "a column, and not as long as a tile is wide."},
    {"quad_over_the_edge", quad_over_the_edge,
     "n need not be a multiple of 4, so a quad may begin inside of a row and end outside: each of "
     "its four columns must be less than n, for the bias, for Z and for Y."},
    {"float4_anyway", float4_anyway,
     "A float4 must lie at a multiple of 16 bytes. The contract promises 4, for each pointer by "
     "itself (A, B, bias, Y and Z), and a row whose length is no multiple of 4 starts anywhere."},
    {"adds_to_output", adds_to_output,
     "You read what was never written. If that is Y or Z: they hold nothing when you are called."},
    {"zeros_skipped", zeros_skipped,
     "A NaN did not arrive where tiles of A or B hold nothing but zeros. 0 * NaN is NaN and 0 * "
     "infinity is NaN: leaving products out, one by one or a tile at a time, changes the sum."},
    {"nan_swallowed", nan_swallowed,
     "relu(NaN) is NaN, but a maximum, or a comparison that is false for NaN, makes it 0. Ask for "
     "z < 0, and let everything else through."},
    {"gelu_of_the_other_kind", gelu_of_the_other_kind,
     "GELU comes in two forms, by erf and by tanh, that differ in the fourth decimal. The call "
     "says which one it wants."},
    {"z_after_activation", z_after_activation,
     "Z is what the activation is applied to, not what comes out: store it before."},
    {"slope_is_fixed", slope_is_fixed,
     "A slope of 0.01 is right, and with another one the results are still those of 0.01: the "
     "slope is an argument of the call, gemm->leaky_slope."},
    {"slope_by_maximum", slope_by_maximum,
     "Slopes between 0 and 1 come out right, this one does not. Leaky relu is z where z > 0 and "
     "slope z elsewhere; only for slopes up to 1 is that the larger of the two."},
    {"slope_of_the_wrong_side", slope_of_the_wrong_side,
     "The slope is for z <= 0; what is positive stays as it is."},
    {"not_refused", not_refused,
     "The contract lists what is cudaErrorInvalidValue: a side below 0 or above "
     "LESSON4_LARGEST_SIDE, a transpose flag, an activation that is none of the seven, and a "
     "pointer whose flag says otherwise. Ask for all of them before the first launch, of the sides "
     "as they come: they have 64 bits, and one of 2^32 + 16 is 16 as an int."},
    {"activation_mixed_up", activation_mixed_up,
     "The product is right without an activation; with this one it is something else, or not "
     "written at all. Does each of the seven have a case of its own in your switch, and does that "
     "lead where its name says? The formulas are in common/quest.h."},
    {"output_missing", output_missing,
     "Elements were never written, such as the edge of a tile, a whole row of tiles where blocks "
     "are numbered anew, Z, or everything when k is 0 (then Z is the bias, or 0)."},
    {"formula_overflows", formula_overflows,
     "Where z is large the activation has come to its end, and a formula for it may give infinity "
     "/ infinity, infinity - infinity or 0 * infinity, which are NaN. Write it with exp(-|z|), "
     "which cannot overflow, or take tanhf() and erff(), which are right everywhere."},
    {"bias_after_activation", bias_after_activation,
     "Right with a bias alone and with an activation alone, and wrong with both, as where the bias "
     "is added last: it belongs inside, act(sum + bias), not act(sum) + bias."},
    {"bias_left_out", bias_left_out,
     "Without a bias it is right, with one it is not, and there is no activation in the way yet: "
     "Y = act(Z), and Z has the bias in it, bias[column], once, before it is activated or "
     "stored."},
    {"subnormals_flushed", subnormals_flushed,
     "Numbers below 2^-126 are subnormal, and yours are lost. They are set to 0 by instructions "
     "with .ftz and by -ftz=true, or by a comparison with a number that seemed small enough. The "
     "contract wants them kept."},
    {"narrow_inputs", narrow_inputs,
     "The results are close, but not as close as FP32 is, as where the values go through a "
     "narrower type, such as FP16 or TF32, or through an approximation."},
};

const struct judge_mistakes EPILOGUE_MISTAKES = JUDGE_ROWS(MISTAKES);
