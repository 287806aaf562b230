/* clauses.c - lesson 5: the contract's words, and what tests them besides cases. */
#include "judges/05_dropout/clauses.h"

#include "judges/05_dropout/parts.h"

/* clang-format off */
static const struct judge_clause CLAUSES[] = {
    [MASK_IN_BOTH_PASSES] = {"mask_in_both_passes",
        "So the mask is the same whatever the grid, in the forward and in the backward pass, in "
        "eager code and in a replayed graph, and after a resume."},
    [PHILOX] = {"philox",
        "Philox4x32-10 (Salmon et al., SC'11; the constants of Random123 and cuRAND) turns a "
        "counter of four 32-bit words and a key of two into four random words:"},
    [COUNTER] = {"counter",
        "counter { low 32 bits of i / 4, high 32 bits of i / 4, low of step, high of step }"},
    [KEY] = {"key", "key { key.seed, key.layer }"},
    [WORD_OF_ELEMENT] = {"word_of_element", "and element i takes word i % 4 of them."},
    [THRESHOLD] = {"threshold",
        "It is kept if, and only if, word >= floor(p * 2^32) p taken as it is, a float; the "
        "product is exact in double"},
    [SCALE] = {"scale",
        "A kept element is multiplied by 1 / (1 - p), or divided by 1 - p: how that is rounded is "
        "free, as long as y is off by 12 * 2^-24 of itself at most, or, if it is subnormal, by "
        "one unit in the last place."},
    [DROPPED] = {"dropped", "A dropped one becomes +0, even if it was NaN or infinite."},
    [P_AT_ITS_ENDS] = {"p_at_its_ends", "So p = 0 changes nothing and p = 1 gives zeros."},
    [STREAM] = {"stream", "Both launchers: only the given stream is used;",
                .always = "every launch: a kernel on another stream is refused"},
    [NOTHING_BESIDE] = {"nothing_beside",
        "nothing is allocated, copied to or from the host or waited for,",
        .counters = JUDGE_ASKS(JUDGE_COPIES) | JUDGE_ASKS(JUDGE_ALLOCATIONS) |
                    JUDGE_ASKS(JUDGE_SYNCHRONISATIONS)},
    [CAPTURED] = {"captured", "so a call can be captured into a graph;"},
    [ONE_LAUNCH] = {"one_launch", "and it is one kernel launch at most.",
                    .counters = JUDGE_ASKS(JUDGE_LAUNCHES)},
    [STEP_WHEN_IT_RUNS] = {"step_when_it_runs",
        "step is read when the kernel runs, not when it is launched: a graph replayed after "
        "*d_step has changed draws new masks."},
    [REFUSED_N] = {"refused_n", "They return cudaErrorInvalidValue for n < 0"},
    [REFUSED_P] = {"refused_p", "or a p outside [0, 1] (NaN is outside),"},
    [LAUNCH_ERRORS] = {"launch_errors", "otherwise what the launch returned;",
                       .always = "every case: an error that is returned is a verdict, and one that "
                                 "is kept quiet leaves outputs unwritten"},
    [NO_ELEMENTS] = {"no_elements", "n = 0 launches nothing and succeeds."},
    [FORWARD_IS] = {"forward", "y[i] = x[i] kept or dropped, as above."},
    [ALIGNMENT] = {"alignment", "x, y n floats on the device, aligned to 4 bytes and no better."},
    [IN_PLACE_FORWARD] = {"in_place_forward",
                          "y may be x itself; they do not overlap otherwise."},
    [MANY_ELEMENTS] = {"many_elements", "n at least 0; beyond 2^32 is allowed."},
    [P_IS] = {"p", "p the part that is dropped, 0 to 1."},
    [KEY_IS] = {"which_key", "key which seed and which layer: see common/quest.h."},
    [STEP_ON_DEVICE] = {"step_on_device", "d_step one number on the device."},
    [BACKWARD_IS] = {"backward",
        "gx[i] = gy[i] kept or dropped by the very mask that the forward call with the same p, "
        "key and step used."},
    [IN_PLACE_BACKWARD] = {"in_place_backward",
                           "Everything else is as above; gx may be gy itself."},
};
/* clang-format on */

const struct judge_clauses DROPOUT_CLAUSES = JUDGE_ROWS(CLAUSES);

const char *const DROPOUT_CONTEXT[] = {
    "05_dropout.h - contract of lesson 5: dropout that stores no mask and no generator.",
    "Element i is kept or dropped by a random word that anyone can compute again from four "
    "numbers: the seed, the layer, the step of training, and i.",
    "The word.",
    NULL,
};
