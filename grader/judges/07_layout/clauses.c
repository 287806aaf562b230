/* clauses.c - lesson 7: the contract's words, and what tests them besides cases. */
#include "judges/07_layout/clauses.h"

#include "judges/07_layout/parts.h"

/* clang-format off */
static const struct judge_clause CLAUSES[] = {
    [Y_IS] = {"y", "Y = op(A) op(B) + bias"},
    [READ_AT_ONCE] = {"read_at_once",
        "gemm what is asked for, in host memory, read before the call returns (see quest.h).",
        .always = "every case: the struct is gone when the kernel runs"},
    [FIELDS_UNUSED] = {"fields_unused", "Its activation is QUEST_ACT_NONE, and save_z is false.",
        .always = "every case but those that are refused for one of the two"},
    [SIDES] = {"sides", "m, n and k are 0 to LESSON7_LARGEST_SIDE each."},
    [A_IS] = {"a", "A m x k floats; k x m if transpose_a."},
    [B_IS] = {"b", "B k x n floats; n x k if transpose_b."},
    [BIAS_OF_COLUMNS] = {"bias_of_columns", "bias n floats, the same for every row of op(A);"},
    [BIAS_OR_NULL] = {"bias_or_null", "NULL if, and only if, with_bias is false."},
    [ROWS_OF_N] = {"rows_of_n", "Y m rows of n floats;"},
    [ROWS_OF_M] = {"rows_of_m",
        "n rows of m if y_transposed, and then element (row, col) of the product is stored in row "
        "col, column row."},
    [LEADING] = {"leading",
        "ldy the leading dimension of Y, the distance in floats from one stored row to the next: "
        "at least the length of a row, at most LESSON7_LARGEST_SIDE."},
    [GAPS] = {"gaps",
        "What lies between the end of a row and the start of the next one keeps its value, and is "
        "not stored to: it may be another call's."},
    [PACKED] = {"packed", "All matrices are row-major, A and B without gaps between rows;"},
    [ALIGNED_TO_4] = {"aligned_to_4",
        "pointers are device pointers, aligned to 4 bytes and no better;"},
    [HELD_BEFORE] = {"held_before",
        "nothing overlaps; what the elements of Y held before does not matter.",
        .always = "every case: numerics runs over two kinds of poison, or, with gaps, over random "
                  "values; without gaps, safety sees a read of what was never written"},
    [NO_SUM] = {"no_sum", "k = 0 is allowed: then each element of Y is its bias, or zero."},
    [FP32] = {"fp32",
        "FP32 arithmetic, in any order: inputs are not rounded to a narrower type, and what is "
        "subnormal is not set to 0."},
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
    [REFUSED_LD] = {"refused_ld", "an ldy out of range,"},
    [REFUSED_FIELD] = {"refused_field", "an activation, save_z,"},
    [REFUSED_BIAS] = {"refused_bias",
        "or a bias that is there when its flag says no, or the other way round."},
    [NO_ELEMENTS] = {"no_elements", "Y without elements launches nothing and succeeds."},
    [LAUNCH_ERRORS] = {"launch_errors", "Otherwise it returns what the launch returned.",
        .always = "every case: an error that is returned is a verdict, and one that is kept quiet "
                  "leaves outputs unwritten"},
    [LONG_SIDES] = {"long_sides",
        "So that a grid of tiles fits in its limits, and an offset inside a tile in 32 bits."},
};
/* clang-format on */

const struct judge_clauses LAYOUT_CLAUSES = JUDGE_ROWS(CLAUSES);

const char *const LAYOUT_CONTEXT[] = {
    "07_layout.h - contract of lesson 7: a matrix product in whatever layout its operands have.",
    NULL,
};
