/* clauses.h - lesson 7: the contract's promises, in its order, as cases name them. */
#ifndef JUDGE_LAYOUT_CLAUSES_H
#define JUDGE_LAYOUT_CLAUSES_H

/* clang-format off */
enum clause {
    Y_IS, READ_AT_ONCE, FIELDS_UNUSED, SIDES, A_IS, B_IS, BIAS_OF_COLUMNS, BIAS_OR_NULL, ROWS_OF_N,
    ROWS_OF_M, LEADING, GAPS, PACKED, ALIGNED_TO_4, HELD_BEFORE, NO_SUM, FP32, NAN_SPREADS, STREAM,
    CAPTURED, ONE_LAUNCH, REFUSED_SIZE, REFUSED_LD, REFUSED_FIELD, REFUSED_BIAS, NO_ELEMENTS,
    LAUNCH_ERRORS, LONG_SIDES,
};
/* clang-format on */

#endif
