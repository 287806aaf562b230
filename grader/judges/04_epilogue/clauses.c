/* clauses.c - lesson 4: the contract's words, and what tests them besides cases. */
#include "judges/04_epilogue/clauses.h"

#include "judges/04_epilogue/parts.h"

/* clang-format off */
static const struct judge_clause CLAUSES[] = {
    [Z_IS] = {"z", "Z = A B + bias Y = act(Z)"},
    [READ_AT_ONCE] = {"read_at_once",
        "gemm what is asked for, in host memory, read before the call returns (see quest.h).",
        .always = "every case: the struct is gone when the kernel runs"},
    [FLAGS_FALSE] = {"flags_false", "Its transpose flags are false.",
        .always = "every case but those that are refused for a flag"},
    [SIDES] = {"sides", "m, n and k are 0 to LESSON4_LARGEST_SIDE each."},
    [A_AND_B] = {"a_and_b", "A m x k floats. B k x n floats."},
    [BIAS_OF_COLUMNS] = {"bias_of_columns", "bias n floats, the same for every row;"},
    [BIAS_OR_NULL] = {"bias_or_null", "NULL if, and only if, with_bias is false."},
    [Y_IS] = {"y", "Y m x n floats."},
    [Z_OR_NULL] = {"z_or_null", "Z m x n floats; NULL if, and only if, save_z is false."},
    [PACKED] = {"packed", "All matrices are row-major, without gaps between rows;"},
    [ALIGNED_TO_4] = {"aligned_to_4",
        "pointers are device pointers, aligned to 4 bytes and no better;"},
    [HELD_BEFORE] = {"held_before", "nothing overlaps; what Y and Z held before does not matter.",
        .always = "every case: numerics runs over two kinds of poison, and safety sees a read of "
                  "what was never written"},
    [NO_SUM] = {"no_sum", "k = 0 is allowed: then Z is the bias, or zero."},
    [FP32] = {"fp32",
        "FP32 arithmetic, in any order: inputs are not rounded to a narrower type, and what is "
        "subnormal is not set to 0."},
    [TWO_GELUS] = {"two_gelus",
        "Sigmoid, tanh and GELU are good to a few units in the last place of the larger of z and "
        "1, so the two forms of GELU are two functions, not one."},
    [NAN_SPREADS] = {"nan_spreads", "A NaN spreads as the formula says and no further."},
    [STREAM] = {"stream", "Only the given stream is used;",
                .always = "every launch: on no stream but that one"},
    [CAPTURED] = {"captured",
        "nothing is allocated, copied or waited for, so a call can be captured into a graph;",
        .counters = JUDGE_ASKS(JUDGE_COPIES) | JUDGE_ASKS(JUDGE_ALLOCATIONS) |
                    JUDGE_ASKS(JUDGE_SYNCHRONISATIONS)},
    [ONE_LAUNCH] = {"one_launch", "and it is one kernel launch.",
                    .counters = JUDGE_ASKS(JUDGE_LAUNCHES)},
    [REFUSED_SIZE] = {"refused_size", "Returns cudaErrorInvalidValue for a size out of range,"},
    [REFUSED_TRANSPOSE] = {"refused_transpose", "a transpose flag,"},
    [REFUSED_ACTIVATION] = {"refused_activation", "an unknown activation,"},
    [REFUSED_POINTER] = {"refused_pointer",
        "or a pointer that is there when its flag says no, or the other way round."},
    [NO_ELEMENTS] = {"no_elements", "Y without elements launches nothing and succeeds."},
    [LAUNCH_ERRORS] = {"launch_errors", "Otherwise it returns what the launch returned.",
        .always = "every case: an error that is returned is a verdict, and one that is kept quiet "
                  "leaves outputs unwritten"},
    [LONG_SIDES] = {"long_sides",
        "So that a grid of tiles fits in its limits, and an offset inside a tile in 32 bits."},
};
/* clang-format on */

const struct judge_clauses EPILOGUE_CLAUSES = JUDGE_ROWS(CLAUSES);

const char *const EPILOGUE_CONTEXT[] = {
    "04_epilogue.h - contract of lesson 4: a matrix product that ends with bias and activation.",
    NULL,
};
