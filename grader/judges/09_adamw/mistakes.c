/* mistakes.c - lesson 9: how a mistake is recognised, and what to say of it.
 *
 * m is compared first, then v, then p, so a wrong v has a right m before it, and a wrong p both.
 * The first cases begin with zeros: what becomes of p there is the update alone, and by how much it
 * is too large tells which factor is missing.
 */
#include "check/judge_seen.h"
#include "judges/09_adamw/parts.h"
#include "judges/09_adamw/problem.h"

#include <float.h>
#include <math.h>
#include <string.h>

/* --- What is wrong ---------------------------------------------------------------------------- */

static bool is_of(const struct judge_evidence *e, const char *first)
{
    return judge_wrong(e) && e->said && strstr(e->said, first);
}

static bool m_is_wrong(const struct judge_evidence *e)
{
    return is_of(e, "first m[");
}

static bool v_is_wrong(const struct judge_evidence *e)
{
    return is_of(e, "first v[");
}

static bool p_is_wrong(const struct judge_evidence *e)
{
    return is_of(e, "first p[");
}

/* Is got so many times what is wanted? */
static bool is_times(const struct judge_evidence *e, double factor)
{
    return fabs(e->got - factor * e->want) < 0x1p-10 * fabs(factor * e->want);
}

/* --- In which case ---------------------------------------------------------------------------- */

static bool from_zeros(const struct judge_evidence *e)
{
    return e->where && !e->where->drawn && e->where->data == JUDGE_DATA_ZEROS_IN_FIRST;
}

/* The first of all: its rate is lr, and its corrections are 1 - beta. */
static bool at_step_0(const struct judge_evidence *e)
{
    return p_is_wrong(e) && from_zeros(e) && e->where->size[STEP] == 0;
}

/* Not of the first case of a process, in which all fields are small. */
static bool has_tiny_field(const struct judge_case *problem)
{
    bool is_tiny = false;
    for (int field = LR; field <= DECAY_RATE; field++)
        is_tiny |= problem->real[field] > 0 && problem->real[field] < 0x1p-90;
    return is_tiny && !problem->processes;
}

/* Only corrections of the second step are new in it. */
static bool at_step_1(const struct judge_evidence *e)
{
    return p_is_wrong(e) && from_zeros(e) && e->where->size[STEP] == 1;
}

/* And in this the schedule. */
static bool at_schedule(const struct judge_evidence *e)
{
    return p_is_wrong(e) && from_zeros(e) && e->where->size[STEP] > 1;
}

/* A call of usual numbers, at addresses that are aligned, with gradients of FP32. */
static bool is_plain(const struct judge_evidence *e)
{
    return e->where && !e->where->drawn && !e->is_large && e->where->data == JUDGE_DATA_UNIFORM &&
           e->where->size[HALVES] == NO_HALVES && e->where->script == ONE_CALL && !e->where->after;
}

static bool is_alike(const struct judge_evidence *e)
{
    return is_plain(e) && e->where->size[LIST] == ALIKE;
}

static bool is_at_an_odd_step(const struct judge_evidence *e)
{
    return judge_wrong(e) && e->where->size[LIST] == ALIKE && e->where->size[ELEMENTS] == 515;
}

static bool has_halves(const struct judge_evidence *e)
{
    return e->where && e->where->size[HALVES] != NO_HALVES;
}

static size_t buffer_of(const struct judge_evidence *e)
{
    return m_is_wrong(e) ? M : v_is_wrong(e) ? V : P;
}

/* Does the first wrong element lie between two tensors? */
static bool is_in_a_gap(const struct judge_evidence *e)
{
    if (!judge_wrong(e) || e->where->refused_with)
        return false;
    const struct adamw_list *list = adamw_list(e->where);
    int which = adamw_tensor_at(list, buffer_of(e), (int64_t)e->first_wrong);
    return which < 0 ||
           (int64_t)e->first_wrong - list->of[which].at[buffer_of(e)] >= list->of[which].n;
}

static bool is_without_elements(const struct judge_case *problem)
{
    return problem && !problem->refused_with && adamw_list(problem)->elements == 0;
}

/* --- Mistakes --------------------------------------------------------------------------------- */

JUDGE_SEEN(launch_for_each_tensor,
           e->refused == JUDGE_LAUNCHES &&
               (e->broken_in_small || judge_slow(e, JUDGE_LAUNCHES, 3, INFINITY)))
JUDGE_SEEN(power_for_each_element,
           judge_slow(e, JUDGE_WARP_INSTRUCTIONS, 1.7, INFINITY) &&
               e->counter[JUDGE_FP64_INSTRUCTIONS] > 0.1 * e->counter[JUDGE_WARP_INSTRUCTIONS])
JUDGE_SEEN(moved_twice, judge_slow(e, JUDGE_BYTES_RATIO, 1.2, INFINITY))
JUDGE_SEEN(runs_of_threads, (judge_slow(e, JUDGE_LOAD_EFFICIENCY, 0, 0.6) ||
                             judge_slow(e, JUDGE_STORE_EFFICIENCY, 0, 0.6)) &&
                                judge_refused_apart(e) > 4)
JUDGE_SEEN(block_for_each_tensor, judge_late(e) && e->kernel.blocks == 148)
JUDGE_SEEN(few_blocks, judge_late(e) && e->kernel.blocks < e->kernel.multiprocessors)

JUDGE_SEEN(float4_anyway, e->verdict == VERDICT_MISALIGNED && !has_halves(e))
JUDGE_SEEN(half_quad_unaligned, e->verdict == VERDICT_MISALIGNED)
JUDGE_SEEN(index_in_32_bits,
           e->is_large && e->where &&
               (judge_failed(e, VERDICT_OUT_OF_BOUNDS) || judge_failed(e, VERDICT_TIMEOUT) ||
                judge_failed(e, VERDICT_LAUNCH_ERROR) || judge_wrong(e)))
JUDGE_SEEN(gradient_type, e->verdict == VERDICT_OUT_OF_BOUNDS && has_halves(e) && e->said &&
                              strstr(e->said, "buffer g"))
JUDGE_SEEN(kept_pointers,
           e->verdict == VERDICT_OUT_OF_BOUNDS && e->said && strstr(e->said, "use after free"))
JUDGE_SEEN(past_the_tensor, e->verdict == VERDICT_OUT_OF_BOUNDS)
JUDGE_SEEN(barrier_missing, e->verdict == VERDICT_RACE && e->mends_by_barrier)
JUDGE_SEEN(launch_too_early,
           e->verdict == VERDICT_RACE && e->said && strstr(e->said, "griddepcontrol.wait"))
JUDGE_SEEN(written_by_two, e->verdict == VERDICT_RACE && !e->mends_by_barrier)
JUDGE_SEEN(step_counted_up,
           e->verdict == VERDICT_INPUT_MODIFIED && e->said && strstr(e->said, "step"))
JUDGE_SEEN(launches_for_nothing,
           (e->verdict == VERDICT_LAUNCH_ERROR || e->verdict == VERDICT_ARGUMENTS) &&
               is_without_elements(e->where))
JUDGE_SEEN(refuses_too_much,
           e->verdict == VERDICT_LAUNCH_ERROR && e->error == cudaErrorInvalidValue)
JUDGE_SEEN(not_refused, e->verdict == VERDICT_ARGUMENTS && e->where && e->where->refused_with)

JUDGE_SEEN(remembers, judge_wrong(e) && (e->where->after || e->where->script == TYPE_FIRST ||
                                         adamw_has_others_first(e->where)))
JUDGE_SEEN(left_in_workspace, e->where && e->where->script == OVERWRITTEN)
JUDGE_SEEN(shared_by_calls,
           (judge_wrong(e) && e->where->script == IN_TURN) ||
               (e->verdict == VERDICT_RACE && e->said && strstr(e->said, "device variable")))
JUDGE_SEEN(gap_written, is_in_a_gap(e))
/* Where eps is tiny and v not 0, p tells how v's root was taken. */
JUDGE_SEEN(roots_flushed,
           p_is_wrong(e) && has_tiny_field(e->where) && e->where->data == JUDGE_DATA_SUBNORMAL)
JUDGE_SEEN(field_cut_off, judge_wrong(e) && has_tiny_field(e->where))
JUDGE_SEEN(zeros_skipped, m_is_wrong(e) && is_alike(e) && e->where->size[COUNT] <= 3 &&
                              (e->wrong < e->total / 8 || e->total <= 3) &&
                              is_times(e, 1 / (double)(float)e->where->real[BETA1]))
JUDGE_SEEN(nan_lost, judge_wrong(e) && e->where->data == JUDGE_DATA_SPECIALS && !e->where->drawn &&
                         !(e->got == 0 && fabs(e->want) < FLT_MIN))
JUDGE_SEEN(subnormals_lost,
           judge_wrong(e) && ((e->got == 0 && fabs(e->want) < FLT_MIN) ||
                              (has_halves(e) && m_is_wrong(e) && e->wrong < e->total / 4 &&
                               fabs(e->got - e->want) < 0x1p-14)))
/* Of what is a tenth of g at most, and of what is a thousandth of its square. */
JUDGE_SEEN(narrow_moments, from_zeros(e) && e->zeros < e->wrong &&
                               ((m_is_wrong(e) && e->largest_error < 0x1p-6 * 0.1) ||
                                (v_is_wrong(e) && e->largest_error < 0x1p-6 * 0.001)))
JUDGE_SEEN(moments_exchanged,
           (m_is_wrong(e) && from_zeros(e) &&
            is_times(e, (1 - e->where->real[BETA2]) / (1 - e->where->real[BETA1]))))
/* What is added to g is 0.01 p, and m takes a tenth of that. */
JUDGE_SEEN(l2_instead,
           m_is_wrong(e) && is_alike(e) && e->where->size[COUNT] <= 3 && e->largest_error < 1.1e-3)
JUDGE_SEEN(tail_lost, m_is_wrong(e) && ((from_zeros(e) && e->zeros == e->wrong) ||
                                        (is_alike(e) && e->where->size[COUNT] == 1 &&
                                         e->where->size[ELEMENTS] > 3 && e->wrong_is_tail)))
JUDGE_SEEN(empty_tensors, m_is_wrong(e) && is_plain(e) && e->where->size[LIST] != ALIKE &&
                              e->where->size[COUNT] <= 12)
JUDGE_SEEN(list_cut, m_is_wrong(e) && is_alike(e) && e->where->size[COUNT] > 100)

JUDGE_SEEN(square_wrong, v_is_wrong(e) && from_zeros(e))
JUDGE_SEEN(step_0, at_step_0(e) && !isfinite(e->got))
JUDGE_SEEN(old_moments, at_step_0(e) && e->got == 0)
JUDGE_SEEN(corrections_left_out, at_step_0(e) && is_times(e, (1 - e->where->real[BETA1]) /
                                                                 sqrt(1 - e->where->real[BETA2])))
JUDGE_SEEN(corrections_exchanged,
           at_step_0(e) &&
               (is_times(e, sqrt((1 - e->where->real[BETA1]) / (1 - e->where->real[BETA2]))) ||
                is_times(e, sqrt(1 - e->where->real[BETA2]))))
JUDGE_SEEN(eps_elsewhere, at_step_0(e) && e->wrong < e->total / 2)
/* Of what has just become p, a part is taken away. */
JUDGE_SEEN(decay_of_the_new_p,
           at_step_0(e) && fabs(e->got / e->want - 1 +
                                e->where->real[LR] * e->where->real[WEIGHT_DECAY]) < 0x1p-18)
JUDGE_SEEN(schedule_of_t, at_step_0(e) && judge_is_near(e))
JUDGE_SEEN(step_off_by_one, at_step_0(e))
JUDGE_SEEN(power_in_float, (at_step_1(e) || (is_at_an_odd_step(e) && p_is_wrong(e))) &&
                               judge_is_near(e) && e->where->size[STEP] > 0 &&
                               e->where->size[STEP] < 100000)
JUDGE_SEEN(corrections_of_another_step, at_step_1(e) && !judge_is_near(e))
/* Of 12 million steps and more, where the rate has become less than 2^-230 of what it was. */
JUDGE_SEEN(exponent_in_float, at_schedule(e) && e->where->size[STEP] > 10000000)
JUDGE_SEEN(schedule_left_out,
           at_schedule(e) && is_times(e, pow(e->where->real[DECAY_RATE],
                                             -(double)e->where->size[STEP] /
                                                 (double)e->where->size[DECAY_STEPS])))
JUDGE_SEEN(schedule_in_stairs,
           at_schedule(e) &&
               is_times(e, pow(e->where->real[DECAY_RATE],
                               (double)(e->where->size[STEP] / e->where->size[DECAY_STEPS]) -
                                   (double)e->where->size[STEP] /
                                       (double)e->where->size[DECAY_STEPS])))
/* p is what it was, and has not decayed. */
JUDGE_SEEN(decay_skipped,
           p_is_wrong(e) && !e->where->drawn && e->where->size[ZEROS] != FEW_ZEROS &&
               is_times(e, 1 / (1 - e->where->real[WEIGHT_DECAY] * e->where->real[LR] *
                                        pow(e->where->real[DECAY_RATE],
                                            (double)e->where->size[STEP] /
                                                (double)e->where->size[DECAY_STEPS]))))
JUDGE_SEEN(decay_wrong, p_is_wrong(e) && is_alike(e) && e->where->size[COUNT] <= 3 &&
                            e->where->size[STEP] >= 0 && e->where->size[STEP] < 10)
JUDGE_SEEN(t_wraps_around, is_at_an_odd_step(e) && e->where->size[STEP] == -1)
JUDGE_SEEN(step_in_32_bits, is_at_an_odd_step(e) && (e->where->size[STEP] > UINT32_MAX ||
                                                     e->where->size[DECAY_STEPS] > INT32_MAX))
JUDGE_SEEN(step_not_read, judge_wrong(e) && adamw_has_runs(e->where))

/* The first match counts: special mistakes come before more general ones. */
static const struct judge_mistake MISTAKES[] = {
    JUDGE_ERROR_IGNORED,
    {"launch_for_each_tensor", launch_for_each_tensor,
     "A call launches three kernels or more, as where each tensor has one, or each part of the "
     "list. Most of them keep a fraction of the device busy. Give one kernel the whole list, as "
     "a parameter of up to 32,764 bytes, and let its blocks share the chunks of all tensors."},
    {"power_for_each_element", power_for_each_element,
     "The warps execute many instructions of double arithmetic for each element. The powers of "
     "beta1, beta2 and decay_rate are the same for all elements of a step: let a thread of each "
     "block take them once, and share the results."},
    {"moved_twice", moved_twice,
     "A fifth more moves than has to, or more still, as where m and v are stored by one pass "
     "over the elements and loaded again by the next. Do all that is done to an element while it "
     "is in registers."},
    {"runs_of_threads", runs_of_threads,
     "Neighbouring lanes are further apart than what they load or store, as where each thread "
     "goes through elements of its own one after the other. Let neighbouring lanes take "
     "neighbouring elements, and a thread's next ones lie a block's width further on."},
    {"block_for_each_tensor", block_for_each_tensor,
     "The grid has as many blocks as the list has tensors. The longest of them has 38,597,376 "
     "elements, and a block that does all of these is at work long after the others are done. "
     "Cut tensors into chunks of one size."},
    {"few_blocks", few_blocks,
     "The grid has fewer blocks than the device has multiprocessors: the others are idle."},
    {"left_in_workspace", left_in_workspace,
     "The call was made many times with the same list, and each time the workspace held something "
     "else before it. What an earlier call has put there, such as the list, need not be there any "
     "more, and it is not the caller's to keep: write in each call what its kernels read."},
    {"shared_by_calls", shared_by_calls,
     "Calls may run at the same time, each with a workspace of its own. A variable of the "
     "program's on the device is there once for all of them, so one call finds there what another "
     "has left: between its launches, or while a launch runs. Keep it in the workspace."},
    {"float4_anyway", float4_anyway,
     "A float4 must lie on a multiple of 16 bytes, and the contract promises 4. Each of the four "
     "pointers has to be asked, since a list may have any of them off, and of each tensor."},
    {"half_quad_unaligned", half_quad_unaligned,
     "Some wide access is at an address that it does not divide, in a list with gradients of "
     "FP16. Four of these are 8 bytes and must lie on a multiple of 8, and the contract promises "
     "2."},
    {"index_in_32_bits", index_in_32_bits,
     "A tensor may have more than 2^32 elements, and all tensors together, too. Count chunks in "
     "32 bits if you like, but what comes before a chunk is chunk * CHUNK in 64 bits, and so is "
     "n."},
    {"gradient_type", gradient_type,
     "A gradient is read past the end of its buffer, in a list that has gradients of FP16. Each "
     "tensor says of itself what it has: ask its own half_gradient, and let the index count "
     "elements of that type."},
    {"kept_pointers", kept_pointers,
     "A kernel used a buffer of an earlier call, which its caller has freed since: pointers are "
     "kept from call to call, on the host or on the device. The array of tensors may be the same, "
     "and hold others by now. Read the whole list in every call."},
    {"past_the_tensor", past_the_tensor,
     "An access lies past the end of a buffer, which is where the last tensor ends. A tensor's "
     "last chunk is shorter than the others, and its last quad need not be whole: load and store "
     "element by element there."},
    {"barrier_missing", barrier_missing,
     "What one thread puts in shared memory for its block, such as the rates of the step, others "
     "read without a __syncthreads() in between."},
    {"launch_too_early", launch_too_early,
     "A launch may begin before the one ahead of it in its stream has ended, which is what "
     "programmatic stream serialization allows. Call cudaGridDependencySynchronize() before the "
     "first read of what that one writes, or launch without the attribute."},
    {"written_by_two", written_by_two,
     "Two threads write one element, as where a chunk goes on into the next one, or a last quad "
     "is stored whole over what belongs to another tensor. A block does elements from chunk * "
     "CHUNK up to the next multiple, or up to n."},
    {"step_counted_up", step_counted_up,
     "The step is the caller's: a call reads it, and does not write it. Blocks that begin later "
     "would read another step than those before them."},
    {"launches_for_nothing", launches_for_nothing,
     "The list has no elements, and then a call launches nothing and succeeds. A launch of no "
     "blocks is an error."},
    {"refuses_too_much", refuses_too_much,
     "This call is in order, and the launcher returns cudaErrorInvalidValue. A list may have "
     "LESSON9_MOST_TENSORS tensors with LESSON9_MOST_ELEMENTS elements in all, which no int "
     "holds; those without elements may have any pointers, NULL as well."},
    {"not_refused", not_refused,
     "The contract lists what is cudaErrorInvalidValue: a count below 0 or above "
     "LESSON9_MOST_TENSORS; an n below 0; a sum of all n above LESSON9_MOST_ELEMENTS, however "
     "large each is; a NULL where there are elements; and any field of hyper out of its range, "
     "also where the list is empty. A comparison with NaN is false, so ask whether a field is "
     "inside."},
    {"remembers", remembers,
     "The same call is right, and after another one it is not. Something of the earlier call is "
     "taken for this one's, such as its list, or its rates. Take all of it from the arguments, "
     "each time."},
    {"step_not_read", step_not_read,
     "Single calls are right, and several that are given the same pointer to a step that moves "
     "on are not. A graph keeps the arguments of the moment it was captured, so the step itself "
     "must not be one: read *step in the kernel."},
    JUDGE_RIGHT_FOR_THE_LIST,
    {"gap_written", gap_written,
     "An element between two tensors has changed. It may belong to anything: what a block does "
     "ends with its tensor, at n."},
    {"subnormals_lost", subnormals_lost,
     "A small number is taken for 0: subnormal floats are numbers like others, and FP16 has "
     "subnormals from 2^-14 down, which a float holds exactly. No cast loses them; some tests "
     "and some tricks with bits do."},
    {"nan_lost", nan_lost,
     "Usual numbers come out right, and NaN, an infinity or 2^100 does not. The formulas have no "
     "condition and no limit, and __half2float() keeps both: a gradient that is NaN makes m, v "
     "and p of its element NaN, and that is how the caller learns of it."},
    {"roots_flushed", roots_flushed,
     "v is subnormal in this case and eps is tiny, and p is wrong where m and v are right. The "
     "root of a subnormal number is not 0, and m is divided by it. Instructions with .ftz in their "
     "name, and all that -use_fast_math makes of sqrtf() and /, take subnormal numbers for 0; so "
     "may a test of FLT_MIN of your own."},
    {"field_cut_off", field_cut_off,
     "A field of hyper is tiny in this case, and the result is that of another value. Each field "
     "may be any float in its range, subnormal ones among them: eps may be 2^-149, and then m is "
     "divided by that where v is 0. Take the fields as they are, without a least value and "
     "without a test of FLT_MIN."},
    {"zeros_skipped", zeros_skipped,
     "m is left as it was in a few elements, and should be beta1 m there: their gradient is 0. "
     "That is a gradient like any other, with which m and v shrink, and p moves on."},
    {"narrow_moments", narrow_moments,
     "A moment is in its place and close, but not as close as FP32 is, as where it goes through "
     "FP16 or BF16. With beta2 = 0.999 a step takes a thousandth of v away, and a number of BF16 "
     "cannot change by so little."},
    {"moments_exchanged", moments_exchanged,
     "m is what it would be with beta2 in the place of beta1: m = beta1 m + (1 - beta1) g, and "
     "beta2 is for v."},
    {"l2_instead", l2_instead,
     "Where p is 0, m is right, and elsewhere it is not, as where weight decay is added to the "
     "gradient. That is Adam with L2. In AdamW the decay goes around m and v: it is subtracted "
     "from p, next to the update."},
    {"tail_lost", tail_lost,
     "The last elements of a single tensor are not what they should be, as where they are left "
     "out: n need not be a multiple of four, nor of a chunk, and the number of chunks is rounded "
     "up."},
    {"empty_tensors", empty_tensors,
     "Tensors of one length come out right, and a list of several lengths does not; it has empty "
     "tensors, too. One of these has no chunk, so the number of chunks before it is that before "
     "the next one. The tensor of a chunk is the last one with first[i] <= chunk."},
    {"list_cut", list_cut,
     "Short lists come out right, and one of more than a hundred tensors does not. A list may "
     "have LESSON9_MOST_TENSORS tensors: make the table in the parameters as long as that."},
    {"square_wrong", square_wrong,
     "m is right, and v is not: v = beta2 v + (1 - beta2) g g, with the gradient's own square."},
    {"step_0", step_0,
     "At step 0 p becomes NaN or infinite: there t = *step + 1 is 1, and neither 1 - beta1^t nor "
     "1 - beta2^t is 0."},
    {"old_moments", old_moments,
     "m and v are right, and p is left as it was, where both began with 0. The update takes the "
     "new m and v."},
    {"corrections_left_out", corrections_left_out,
     "m and v are right, and p moves by (1 - beta1) / sqrt(1 - beta2) of what it should in the "
     "first step. m and v begin with 0, so they are too small at first: divide m by 1 - beta1^t, "
     "and v by 1 - beta2^t."},
    {"corrections_exchanged", corrections_exchanged,
     "m and v are right, and in the first step p moves by a power of 1 - beta too far or not far "
     "enough. v is divided by 1 - beta2^t, and then the root is taken: the root of v is divided "
     "by the root of that."},
    {"eps_elsewhere", eps_elsewhere,
     "Only elements with a small gradient are wrong, in the first step, which is where eps "
     "counts: it is added to sqrt(v / (1 - beta2^t)), not under the root, and not before the "
     "correction."},
    {"decay_of_the_new_p", decay_of_the_new_p,
     "p was 0, so there was nothing to decay, and the result is rate * weight_decay of itself "
     "too small: the decay is of the old p. Subtract decay and update together."},
    {"schedule_of_t", schedule_of_t,
     "In the first step p moves by a little too little or too much in all elements. The rate is "
     "lr itself at step 0: the exponent of decay_rate is *step / decay_steps, and t is only for "
     "the corrections."},
    {"step_off_by_one", step_off_by_one,
     "m and v are right, and p is not, in the very first step, where p was 0. At *step = 0 the "
     "corrections are 1 - beta1 and 1 - beta2, and the rate is lr. Is it the step that the "
     "pointer leads to, and is t one more than that?"},
    {"power_in_float", power_in_float,
     "p moves by nearly, but not quite, what it should, at a step where powers matter. Of "
     "0.999^2 a float keeps 24 bits, and of what is left of 1 that is 15: take powers, and "
     "subtract them from 1, in double. It is one thread's work."},
    {"corrections_of_another_step", corrections_of_another_step,
     "The first step is right, and the second one is not, where only t has changed. The "
     "corrections are 1 - beta^2 there. They belong to a step: keep none of an earlier call, and "
     "read *step in each."},
    {"exponent_in_float", exponent_in_float,
     "m and v are right, and p moves by nearly, but not quite, what it should, after so many steps "
     "that the rate has decayed by a large power. An exponent of 1600 has 2^-13 for the last bit "
     "of a float: convert *step and decay_steps to double, divide, and take the power, all in "
     "double."},
    {"schedule_left_out", schedule_left_out,
     "p moves as far as it would without a schedule: the rate is lr decay_rate^(*step / "
     "decay_steps)."},
    {"schedule_in_stairs", schedule_in_stairs,
     "p moves as far as it would if the quotient were rounded down. *step / decay_steps is a "
     "real number: divide in double."},
    {"decay_skipped", decay_skipped,
     "p is left as it was where g, m and v are all 0, as in a row of a table that no batch has "
     "touched so far. m and v stay 0 there, but p still decays: rate * weight_decay * p is taken "
     "from every element."},
    {"decay_wrong", decay_wrong,
     "m and v are right, and the first step from zeros is; p is not, where it was not 0. What is "
     "new is weight decay: rate * weight_decay * p, of the p before the update, is subtracted "
     "besides the update, and rate has the schedule in it."},
    {"t_wraps_around", t_wraps_around,
     "At the last step that 64 bits hold, *step + 1 is 0 in 64 bits, and a correction of 0 is "
     "divided by. Convert first: (double)*step + 1."},
    {"step_in_32_bits", step_in_32_bits,
     "The step, or decay_steps, is beyond 32 bits here, and both have 64."},
};

const struct judge_mistakes ADAMW_MISTAKES = JUDGE_ROWS(MISTAKES);
