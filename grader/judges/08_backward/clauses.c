/* clauses.c - lesson 8: the contract's words, and what tests them besides cases. */
#include "judges/08_backward/clauses.h"

#include "judges/08_backward/parts.h"

/* clang-format off */
static const struct judge_clause CLAUSES[] = {
    [GZ_IS] = {"gz", "gZ = gY act'(Z) element by element"},
    [GA_GB_ARE] = {"ga_gb", "gA = gZ B^T gB = A^T gZ"},
    [GBIAS_IS] = {"gbias", "gBias = the sum of each column of gZ"},
    [READ_AT_ONCE] = {"read_at_once",
        "gemm what the forward call was asked for, in host memory, read before the call returns "
        "(see quest.h).",
        .always = "every case: the struct is gone when the kernels run"},
    [FIELDS_UNUSED] = {"fields_unused", "Its transpose flags are false, and save_z is true.",
        .always = "every case but those that are refused for one of the three"},
    [SIDES] = {"sides", "m, n and k are 0 to LESSON8_LARGEST_SIDE each,"},
    [NO_MORE_ELEMENTS] = {"no_more_elements",
        "and no matrix has more than LESSON8_MOST_ELEMENTS."},
    [SHAPES] = {"shapes",
        "A m x k floats. B k x n floats. gY m x n floats, the gradient of Y."},
    [Z_GIVEN] = {"z_given",
        "Z m x n floats, which the forward call saved. Whether they are A B + bias does not "
        "matter. gA m x k floats. gB k x n floats."},
    [GBIAS_OR_NULL] = {"gbias_or_null",
        "gBias n floats; NULL if, and only if, with_bias is false."},
    [WORKSPACE] = {"workspace",
        "workspace workspace_bytes on the device, aligned to 16 bytes; what it held before, and "
        "what it holds afterwards, does not matter."},
    [WORKSPACE_APART] = {"workspace_apart",
        "Calls that run at the same time get different ones; what a call keeps on the device is "
        "there, and in no variable of the program's."},
    [WORKSPACE_BYTES] = {"workspace_bytes",
        "workspace_bytes at least what lesson8_workspace() returns for the same gemm."},
    [OF_RELUS] = {"of_relus",
        "act' none: 1. relu: 1 where z > 0, 0 where z <= 0. leaky relu: 1 where z > 0, "
        "leaky_slope where z <= 0."},
    [OF_CURVED] = {"of_curved",
        "The others: the derivative of the formula in quest.h, good to a few units in the last "
        "place of its largest term, or of 1 where that is larger;"},
    [TWO_GELUS] = {"two_gelus", "so the two forms of GELU have two derivatives, not one."},
    [LIMITS] = {"limits", "Where z is large or infinite, that is its limit, 0 or 1."},
    [OF_NAN] = {"of_nan", "Where z is NaN, act' is NaN, but for none."},
    [PACKED] = {"packed", "All matrices are row-major, without gaps between rows;"},
    [ALIGNED_TO_4] = {"aligned_to_4",
        "pointers are device pointers, aligned to 4 bytes and no better, but for the workspace;"},
    [HELD_BEFORE] = {"held_before",
        "nothing overlaps; what the outputs held before does not matter.",
        .always = "every case: numerics runs over two kinds of poison, and safety sees a read of "
                  "what was never written"},
    [NO_SUM] = {"no_sum", "Any side may be 0: a sum of nothing is 0."},
    [SAME_BITS] = {"same_bits",
        "FP32 arithmetic, in any order that is the same each time: the same call gives the same "
        "bits.",
        .always = "every case: it is called again, with warps in another order, and compared"},
    [FP32] = {"fp32",
        "Inputs and gZ are not rounded to a narrower type, and what is subnormal is not set to "
        "0."},
    [NAN_SPREADS] = {"nan_spreads",
        "A NaN spreads as the formulas say and no further; 0 times NaN, or times an infinity, is "
        "NaN."},
    [STREAM] = {"stream", "Only the given stream is used;",
                .always = "every launch: on no stream but that one"},
    [CAPTURED] = {"captured",
        "nothing is allocated, copied or waited for, so a call can be captured into a graph;",
        .counters = JUDGE_ASKS(JUDGE_COPIES) | JUDGE_ASKS(JUDGE_ALLOCATIONS) |
                    JUDGE_ASKS(JUDGE_SYNCHRONISATIONS)},
    [FEW_LAUNCHES] = {"few_launches",
        "and it is at most LESSON8_MOST_LAUNCHES kernel launches.",
        .counters = JUDGE_ASKS(JUDGE_LAUNCHES)},
    [REFUSED_SIZE] = {"refused_size", "Returns cudaErrorInvalidValue for a size out of range,"},
    [REFUSED_FIELD] = {"refused_field",
        "a transpose flag, save_z that is false, an unknown activation,"},
    [REFUSED_GBIAS] = {"refused_gbias",
        "a gBias that is there when with_bias is false, or the other way round,"},
    [REFUSED_WORKSPACE] = {"refused_workspace", "or too small a workspace."},
    [NO_ELEMENTS] = {"no_elements",
        "If no output has elements, it launches nothing and succeeds."},
    [LAUNCH_ERRORS] = {"launch_errors", "Otherwise it returns what the launches returned.",
        .always = "every case: an error that is returned is a verdict, and one that is kept quiet "
                  "leaves outputs unwritten"},
    [LONG_SIDES] = {"long_sides",
        "So that a grid of tiles fits in its limits, and an element's number in an int."},
    [ASKED_BYTES] = {"asked_bytes",
        "The bytes of workspace that such a call needs: a multiple of 16, and at most 1 MiB, and "
        "32 bytes for each element of Z, of A and of B. It asks no device.",
        .always = "every case: it is asked before the call, which gets just so many bytes at the "
                  "end of an allocation; and questions to the device are counted meanwhile"},
    [ASKED_NONE] = {"asked_none", "0 if no output has elements, or if gemm is refused.",
        .always = "every case that launches nothing: it is asked before the call"},
};
/* clang-format on */

const struct judge_clauses BACKWARD_CLAUSES = JUDGE_ROWS(CLAUSES);

const char *const BACKWARD_CONTEXT[] = {
    "08_backward.h - contract of lesson 8: the gradients of a product with bias and activation.",
    "Z = A B + bias Y = act(Z) the forward call, as in lesson 4",
    NULL,
};
