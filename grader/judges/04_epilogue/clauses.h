/* clauses.h - lesson 4: the contract's promises, in its order, as cases name them. */
#ifndef JUDGE_EPILOGUE_CLAUSES_H
#define JUDGE_EPILOGUE_CLAUSES_H

/* clang-format off */
enum clause {
    Z_IS, READ_AT_ONCE, FLAGS_FALSE, SIDES, A_AND_B, BIAS_OF_COLUMNS, BIAS_OR_NULL, Y_IS, Z_OR_NULL,
    PACKED, ALIGNED_TO_4, HELD_BEFORE, NO_SUM, FP32, TWO_GELUS, NAN_SPREADS, STREAM, CAPTURED,
    ONE_LAUNCH, REFUSED_SIZE, REFUSED_TRANSPOSE, REFUSED_ACTIVATION, REFUSED_POINTER, NO_ELEMENTS,
    LAUNCH_ERRORS, LONG_SIDES,
};
/* clang-format on */

#endif
