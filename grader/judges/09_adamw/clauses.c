/* clauses.c - lesson 9: the contract's words, and what tests them besides cases. */
#include "judges/09_adamw/clauses.h"

#include "judges/09_adamw/parts.h"

/* clang-format off */
static const struct judge_clause CLAUSES[] = {
    [EACH_ELEMENT] = {"each_element",
        "What happens to each element of each tensor, where p, m, v on the right are the values "
        "before the call, and ^ is a power:"},
    [FIRST_MOMENT] = {"first_moment", "m = beta1 m + (1 - beta1) g"},
    [SECOND_MOMENT] = {"second_moment", "v = beta2 v + (1 - beta2) g g"},
    [UPDATED] = {"updated",
        "p = p - rate (weight_decay p + (m / (1 - beta1^t)) / (sqrt(v / (1 - beta2^t)) + eps))"},
    [RATE_IS] = {"rate",
        "rate = lr decay_rate^(*step / decay_steps) a real quotient, not a whole one"},
    [T_IS] = {"t", "t = *step + 1 a real number, too: it may be 2^64"},
    [NEW_MOMENTS] = {"new_moments", "p takes the new m and v, and the decay takes the old p."},
    [DECOUPLED] = {"decoupled",
        "This is Loshchilov and Hutter's decoupled weight decay: it enters neither m nor v."},
    [EXACT_SCALARS] = {"exact_scalars",
        "rate and both corrections, 1 - beta1^t and 1 - beta2^t, are off by 4 * 2^-24 of "
        "themselves at most, at any step."},
    [FP32] = {"fp32",
        "The rest is FP32 arithmetic in any order: what is subnormal is not set to 0,"},
    [GRADIENT_16] = {"gradient_16", "a gradient of FP16 is converted without a change,"},
    [NOT_NARROWED] = {"not_narrowed", "and nothing is kept in a narrower type."},
    [NOT_NEGATIVE] = {"not_negative", "So v is never negative."},
    [NAN_SPREADS] = {"nan_spreads",
        "NaN and an infinite g spread as the formulas say, and into no other element."},
    [READ_AT_ONCE] = {"read_at_once",
        "tensors count of them, in host memory; read before the call returns, as is hyper.",
        .always = "every case: both are overwritten when the call has returned"},
    [COUNT_IS] = {"count", "count 0 to LESSON9_MOST_TENSORS."},
    [STEP_ON_DEVICE] = {"step_on_device",
        "step one number on the device: how many steps were done before."},
    [STEP_WHEN_IT_RUNS] = {"step_when_it_runs",
        "It is read when the kernel runs, so a graph replayed after *step has changed does that "
        "step."},
    [NOT_COUNTED_UP] = {"not_counted_up",
        "The call does not count it up: only the caller knows when all of a step's work is done.",
        .always = "every case: inputs are compared after the launch"},
    [WORKSPACE_IS] = {"workspace",
        "workspace LESSON9_WORKSPACE_BYTES on the device, aligned to 256, for whatever a call "
        "needs to put there.",
        .always = "every case: it is an allocation of that size"},
    [WORKSPACE_HELD] = {"workspace_held", "What it holds before the call does not matter.",
        .always = "every case: what the case before it has left"},
    [WORKSPACE_APART] = {"workspace_apart",
        "Calls that run at the same time get different ones; what a call keeps on the device is "
        "there, and in no variable of the program's."},
    [STREAM] = {"stream", "Only the given stream is used;",
        .always = "every launch: on no stream but that one"},
    [CAPTURED] = {"captured",
        "nothing is allocated, copied to or from the host or waited for, so a call can be captured "
        "into a graph;",
        .counters = JUDGE_ASKS(JUDGE_COPIES) | JUDGE_ASKS(JUDGE_ALLOCATIONS) |
                    JUDGE_ASKS(JUDGE_SYNCHRONISATIONS)},
    [TWO_LAUNCHES] = {"two_launches", "and it is two kernel launches at most.",
        .counters = JUDGE_ASKS(JUDGE_LAUNCHES)},
    [REFUSED_COUNT] = {"refused_count",
        "Returns cudaErrorInvalidValue for a count out of range,"},
    [REFUSED_N] = {"refused_n", "an n below 0,"},
    [REFUSED_SUM] = {"refused_sum", "more elements in all than LESSON9_MOST_ELEMENTS,"},
    [REFUSED_NULL] = {"refused_null", "a tensor that has elements and a pointer that is NULL,"},
    [REFUSED_FIELD] = {"refused_field", "or a field of hyper that is out of range, as NaN is."},
    [NO_ELEMENTS] = {"no_elements", "A list without elements launches nothing and succeeds."},
    [LAUNCH_ERRORS] = {"launch_errors", "Otherwise it returns what the launch returned.",
        .always = "every case: an error that is returned is a verdict, and one that is kept quiet "
                  "leaves outputs as they were"},
    [HOW_MANY] = {"how_many", "Tensors in a list, and elements in all of them together."},
    [ALIGNMENT] = {"alignment",
        "Device pointers, each aligned to its element and no better: 4 bytes, or 2 for a gradient "
        "of FP16."},
    [EMPTY_POINTERS] = {"empty_pointers",
        "Nothing overlaps. A tensor without elements may have any pointers."},
    [GRADIENT_KEPT] = {"gradient_kept",
        "g is not written, nor is what lies between tensors."},
    [GRADIENT_IS] = {"gradient", "n floats; or n numbers of FP16, if half_gradient"},
    [MOMENTS_ARE] = {"moments", "the moments: running means of g and of g g"},
    [N_IS] = {"n", "elements, 0 or more; beyond 2^32 is allowed"},
    [LR_IS] = {"lr", "0 or more, finite"},
    [BETAS_ARE] = {"betas", "at least 0, less than 1"},
    [EPS_IS] = {"eps", "more than 0, finite"},
    [DECAY_RATE_IS] = {"decay_rate", "more than 0, at most 1; 1 leaves lr as it is"},
    [DECAY_STEPS_IS] = {"decay_steps",
        "1 or more: after so many steps lr is decay_rate times what it was"},
};
/* clang-format on */

const struct judge_clauses ADAMW_CLAUSES = JUDGE_ROWS(CLAUSES);

const char *const ADAMW_CONTEXT[] = {
    "09_adamw.h - contract of lesson 9: AdamW over a list of tensors, in one launch or two.",
    "What becomes of an infinite p, m or v depends on the order of operations, and is left open.",
    NULL,
};
