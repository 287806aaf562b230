/* judge.c - lesson 7: a product in each layout of its operands and of its result, in one launch.
 *
 * What can go wrong is where things are. So each small size comes in all eight layouts: A and B
 * transposed or not, Y too; with sides that all differ, so that no two layouts look alike, and that
 * no tile divides. The leading dimension of Y is the length of its rows in some cases and more in
 * others; then Y is an input as well, and what lies between its rows has to keep its bits.
 *
 * How far off a result may be is what lesson 2 allows a sum, judge_product_allowed: FP32 in any
 * order uses at most a third of that, and TF32 or FP16 inputs exceed it at least eighteenfold (the
 * table is in check/judge.h). Special values that would meet in a sum are in cases of one product,
 * or of none: with k = 0, Y is the bias itself.
 *
 * Data of which each row has one special element (an infinity, a 1 among zeros) is drawn for rows
 * as they are stored. So it comes with the layout in which these are the rows of op(A), or the
 * columns of op(B) are those of B.
 *
 * The contract is common/contracts/07_layout.h; read grader/check/judge.h for the fields.
 * Next: problem.h; then clauses.c, drawn.c, regimes.c, truth.c and mistakes.c.
 */
#include "check/judge_graph.h"
#include "judges/07_layout/clauses.h"
#include "judges/07_layout/parts.h"
#include "judges/07_layout/problem.h"

#include <string.h>

static const char *const LAUNCHERS[] = {"lesson7_gemm_layout", NULL};

/* --- Cases ------------------------------------------------------------------------------------ */

/* The layout of a case: is A stored transposed, is B, is Y? */
#define AB_Y (false, false, false)
#define AtB_Y (true, false, false)
#define ABt_Y (false, true, false)
#define AtBt_Y (true, true, false)
#define AB_Yt (false, false, true)
#define AtB_Yt (true, false, true)
#define ABt_Yt (false, true, true)
#define AtBt_Yt (true, true, true)

/* more: how much longer ldy is than a row. */
#define CASE(text, m, n, k, layout, more, with_bias, ...)                             \
    {                                                                                 \
        .name = text, .size = {m, n, k, IN_TURN layout, more, with_bias}, __VA_ARGS__ \
    }
#define IN_TURN(a, b, y) a, b, y

#define ASKS(a) .asks = JUDGE_ASKS(a)
#define ASKS2(a, b) .asks = JUDGE_ASKS(a) | JUDGE_ASKS(b)
#define ASKS3(a, b, c) .asks = JUDGE_ASKS(a) | JUDGE_ASKS(b) | JUDGE_ASKS(c)

/* All layouts of a size, first those of the operands. */
#define FOUR_TO_Y(text, m, n, k, more, with_bias, clause)                                      \
    CASE(text ": A B to Y", m, n, k, AB_Y, more, with_bias, ASKS3(Y_IS, ROWS_OF_N, clause)),   \
        CASE(text ": A^T B to Y", m, n, k, AtB_Y, more, with_bias, ASKS3(A_IS, Y_IS, clause)), \
        CASE(text ": A B^T to Y", m, n, k, ABt_Y, more, with_bias, ASKS3(B_IS, Y_IS, clause)), \
        CASE(text ": A^T B^T to Y", m, n, k, AtBt_Y, more, with_bias, ASKS3(A_IS, B_IS, clause))
#define FOUR_TO_YT(text, m, n, k, more, with_bias, clause)                                      \
    CASE(text ": A B to Y^T", m, n, k, AB_Yt, more, with_bias, ASKS3(Y_IS, ROWS_OF_M, clause)), \
        CASE(text ": A^T B to Y^T", m, n, k, AtB_Yt, more, with_bias,                           \
             ASKS3(A_IS, ROWS_OF_M, clause)),                                                   \
        CASE(text ": A B^T to Y^T", m, n, k, ABt_Yt, more, with_bias,                           \
             ASKS3(B_IS, ROWS_OF_M, clause)),                                                   \
        CASE(text ": A^T B^T to Y^T", m, n, k, AtBt_Yt, more, with_bias,                        \
             ASKS3(A_IS, B_IS, clause))
#define EIGHT(text, m, n, k, more, with_bias, clause)  \
    FOUR_TO_Y(text, m, n, k, more, with_bias, clause), \
        FOUR_TO_YT(text, m, n, k, more, with_bias, clause)

#define OFF(buffer) .offset_bytes = {[buffer] = sizeof(float)}
#define OFF_CASE(text, layout, buffer)                                                       \
    CASE("64 x 96 x 40, " text " one element off", 64, 96, 40, layout, 0, true, OFF(buffer), \
         ASKS(ALIGNED_TO_4))
#define ALL_OFF(bytes) .offset_bytes = {bytes, bytes, bytes, bytes}, ASKS(ALIGNED_TO_4)

/* What a variable that starts as 0 is for, it may seem to hold already: the first call of a process
 * has every argument as close to 0 as the contract allows. */
#define FIRST .processes = 2, .once = 1

/* On the memory of the case so many places before it, whose call comes first. */
#define AFTER(text, places, m, n, k, layout, more, with_bias, clause, ...)                       \
    CASE("48 x 64 x 24, " text, m, n, k, layout, more, with_bias, .after = places, ASKS(clause), \
         __VA_ARGS__)

/* A call with a side or an ldy as long as the contract allows, whose launch must be accepted but
 * does not run; and then a small one of the same layout, whose results are compared. Otherwise it
 * is small enough for a launcher that copies an operand, which is then told so. */
#define LARGEST(m, n, k, ld, layout)                                                    \
    CASE(#m " x " #n " x " #k ", ldy = " #ld ", captured", 33, 65, 17, layout, 0, true, \
         .real = {m, n, k, ld}, .script = LARGEST_FIRST, ASKS3(SIDES, LONG_SIDES, CAPTURED))

#define REFUSED(text, m, n, k, layout, more, clause, ...)                                        \
    CASE(text, m, n, k, layout, more, true, .refused_with = cudaErrorInvalidValue, ASKS(clause), \
         __VA_ARGS__)

/* The value of ldy is given. */
#define REFUSED_LD(text, m, n, layout, length, ld) \
    REFUSED(text, m, n, 8, layout, (ld) - (length), REFUSED_LD, .script = ONE_CALL)

/* clang-format off */
/* What has to be refused, and what must launch nothing, comes last. */
static const struct judge_case CASES[] = {
    EIGHT("32 x 16 x 64", 32, 16, 64, 0, false, BIAS_OR_NULL),
    EIGHT("33 x 17 x 65, ldy + 3", 33, 17, 65, 3, true, GAPS),
    EIGHT("1 x 129 x 31, ldy + 3", 1, 129, 31, 3, true, BIAS_OF_COLUMNS),
    FOUR_TO_Y("129 x 63 x 127", 129, 63, 127, 0, true, PACKED),
    FOUR_TO_YT("63 x 129 x 127", 63, 129, 127, 0, true, PACKED),
    CASE("260 x 388 x 60, ldy + 4: A^T B to Y^T", 260, 388, 60, AtB_Yt, 4, true,
         ASKS3(LEADING, GAPS, FP32)),
    CASE("260 x 388 x 60, ldy + 4: A B to Y", 260, 388, 60, AB_Y, 4, true,
         ASKS3(LEADING, GAPS, FP32)),
    CASE("66 x 132 x 20, ldy + 2: A B^T to Y", 66, 132, 20, ABt_Y, 2, false, ASKS2(LEADING, GAPS)),
    CASE("132 x 66 x 20, ldy + 300: A B to Y^T", 132, 66, 20, AB_Yt, 300, false,
         ASKS2(LEADING, GAPS)),
    /* Rows begin where a float4 may, and end where one does not. */
    CASE("40 x 67 x 20, ldy + 1: A B to Y", 40, 67, 20, AB_Y, 1, true, ASKS2(LEADING, GAPS)),
    CASE("67 x 40 x 20, ldy + 1: A B^T to Y^T", 67, 40, 20, ABt_Yt, 1, true, ASKS2(LEADING, GAPS)),
    CASE("40 x 130 x 20, ldy + 2: A^T B to Y", 40, 130, 20, AtB_Y, 2, true, ASKS2(LEADING, GAPS)),
    CASE("129 x 40 x 20, ldy + 3: A B to Y^T", 129, 40, 20, AB_Yt, 3, false, ASKS2(LEADING, GAPS)),
    CASE("700 x 399 x 4, ldy + 1: A B to Y", 700, 399, 4, AB_Y, 1, true, .once = 1,
         ASKS2(LEADING, GAPS)),
    CASE("1401 x 400 x 4, ldy + 3: A^T B^T to Y^T", 1401, 400, 4, AtBt_Yt, 3, true, .once = 1,
         ASKS2(LEADING, GAPS)),
    CASE("17 x 1 x 7: A^T B^T to Y^T", 17, 1, 7, AtBt_Yt, 0, true, ASKS2(PACKED, SIDES)),
    CASE("1 x 1 x 1, ldy + 5: A B to Y^T", 1, 1, 1, AB_Yt, 5, true, ASKS2(LEADING, SIDES)),
    CASE("32 x 48 x 0: zeros in Y", 32, 48, 0, AtB_Y, 0, false, ASKS2(NO_SUM, Y_IS)),
    CASE("32 x 48 x 0, ldy + 1: zeros in Y^T", 32, 48, 0, ABt_Yt, 1, false, ASKS2(NO_SUM, GAPS)),
    CASE("133 x 71 x 0, NaN in the bias: A B to Y", 133, 71, 0, AB_Y, 0, true,
         .data = JUDGE_DATA_SPECIALS, ASKS2(NAN_SPREADS, NO_SUM)),
    CASE("71 x 133 x 0, NaN in the bias: A B to Y^T", 71, 133, 0, AB_Yt, 0, true,
         .data = JUDGE_DATA_SPECIALS, ASKS2(NAN_SPREADS, NO_SUM)),
    CASE("36 x 68 x 24, integers: A^T B to Y^T", 36, 68, 24, AtB_Yt, 0, true,
         .data = JUDGE_DATA_INTEGERS, ASKS2(BIAS_OF_COLUMNS, ROWS_OF_M)),
    OFF_CASE("A^T", AtB_Yt, A),
    OFF_CASE("B", AtB_Yt, B),
    OFF_CASE("bias", AtB_Y, BIAS),
    OFF_CASE("Y^T", AtB_Yt, Y),
    OFF_CASE("Y", AtB_Y, Y),
    CASE("64 x 96 x 40, all one element off", 64, 96, 40, AtB_Yt, 0, true, ALL_OFF(4)),
    CASE("64 x 96 x 40, all two elements off", 64, 96, 40, ABt_Y, 0, true, ALL_OFF(8)),
    CASE("64 x 96 x 40, all three elements off", 64, 96, 40, AB_Y, 0, true, ALL_OFF(12)),
    CASE("200 x 72 x 1, NaN and infinities: A B to Y", 200, 72, 1, AB_Y, 0, false,
         .data = JUDGE_DATA_SPECIALS, ASKS(NAN_SPREADS)),
    CASE("72 x 200 x 1, NaN and infinities: A^T B to Y^T", 72, 200, 1, AtB_Yt, 0, false,
         .data = JUDGE_DATA_SPECIALS, ASKS(NAN_SPREADS)),
    CASE("259 x 130 x 2, some NaN: A B^T to Y^T", 259, 130, 2, ABt_Yt, 0, false,
         .data = JUDGE_DATA_FEW_SPECIALS, ASKS(NAN_SPREADS)),
    CASE("200 x 40 x 200, zeros in tiles of A", 200, 40, 200, AtB_Yt, 0, false,
         .data = JUDGE_DATA_ZEROS_IN_FIRST, ASKS(NAN_SPREADS)),
    CASE("40 x 200 x 200, zeros in tiles of B", 40, 200, 200, AtB_Yt, 0, false,
         .data = JUDGE_DATA_ZEROS_IN_SECOND, ASKS(NAN_SPREADS)),
    CASE("200 x 40 x 93, infinities in A", 200, 40, 93, AB_Y, 0, false,
         .data = JUDGE_DATA_INFINITE_FIRST, ASKS(NAN_SPREADS)),
    CASE("40 x 200 x 93, infinities in B", 40, 200, 93, AtB_Yt, 0, false,
         .data = JUDGE_DATA_INFINITE_SECOND, ASKS(NAN_SPREADS)),
    CASE("68 x 132 x 36, subnormal products: A^T B to Y^T", 68, 132, 36, AtB_Yt, 0, false,
         .data = JUDGE_DATA_TINY, ASKS(FP32)),
    CASE("35 x 66 x 3, subnormal products: A B^T to Y", 35, 66, 3, ABt_Y, 0, false,
         .data = JUDGE_DATA_TINY, ASKS(FP32)),
    CASE("40 x 36 x 300, subnormal sums: A B to Y^T", 40, 36, 300, AB_Yt, 0, false,
         .data = JUDGE_DATA_FAINT_FIRST, ASKS(FP32)),
    CASE("36 x 40 x 900, subnormal sums: A B^T to Y", 36, 40, 900, ABt_Y, 0, true,
         .data = JUDGE_DATA_FAINT_SECOND, ASKS(FP32)),
    CASE("9 x 196 x 0, subnormal bias", 9, 196, 0, AtB_Yt, 0, true, .data = JUDGE_DATA_SUBNORMAL,
         ASKS(FP32)),
    /* What a narrower type cannot hold, where sums are long enough to make one worth it. */
    CASE("40 x 36 x 1100, rows times powers of 2", 40, 36, 1100, AB_Yt, 0, false,
         .data = JUDGE_DATA_SCALED, ASKS(FP32)),
    CASE("40 x 36 x 4100, positive: A^T B to Y^T", 40, 36, 4100, AtB_Yt, 0, false,
         .data = JUDGE_DATA_POSITIVE, ASKS(FP32)),
    CASE("40 x 36 x 20000, rows of B: A B to Y^T", 40, 36, 20000, AB_Yt, 0, true,
         .data = JUDGE_DATA_PICKS_FIRST, .once = 1, ASKS(FP32)),
    CASE("36 x 40 x 20000, columns of op(A): A^T B to Y^T", 36, 40, 20000, AtB_Yt, 0, true,
         .data = JUDGE_DATA_PICKS_SECOND, .once = 1, ASKS(FP32)),
    CASE("900 x 1100 x 40, rows of B: A B to Y^T", 900, 1100, 40, AB_Yt, 0, true,
         .data = JUDGE_DATA_PICKS_FIRST, .once = 1, ASKS(FP32)),
    CASE("1100 x 900 x 40, columns of op(A): A^T B to Y^T", 1100, 900, 40, AtB_Yt, 0, true,
         .data = JUDGE_DATA_PICKS_SECOND, .once = 1, ASKS(FP32)),
    CASE("1 x 1 x 0, first of a process", 1, 1, 0, AB_Y, 0, false, FIRST, ASKS(NO_SUM)),
    CASE("3 x 5 x 1, first of a process", 3, 5, 1, AB_Y, 0, false, FIRST, ASKS(Y_IS)),
    CASE("48 x 64 x 24", 48, 64, 24, AB_Y, 1, true, ASKS(Y_IS)),
    AFTER("then A one off", 1, 48, 64, 24, AB_Y, 1, true, ALIGNED_TO_4, OFF(A)),
    AFTER("then B one off", 2, 48, 64, 24, AB_Y, 1, true, ALIGNED_TO_4, OFF(B)),
    AFTER("then bias one off", 3, 48, 64, 24, AB_Y, 1, true, ALIGNED_TO_4, OFF(BIAS)),
    AFTER("then Y one off", 4, 48, 64, 24, AB_Y, 1, true, ALIGNED_TO_4, OFF(Y)),
    AFTER("then m = 47", 5, 47, 64, 24, AB_Y, 1, true, PACKED, .offset_bytes = {0}),
    AFTER("then k = 23", 6, 48, 64, 23, AB_Y, 1, true, PACKED, .offset_bytes = {0}),
    AFTER("then A transposed", 7, 48, 64, 24, AtB_Y, 1, true, A_IS, .offset_bytes = {0}),
    AFTER("then B transposed", 8, 48, 64, 24, ABt_Y, 1, true, B_IS, .offset_bytes = {0}),
    AFTER("then another ldy", 9, 48, 64, 24, AB_Y, 4, true, LEADING, .offset_bytes = {0}),
    AFTER("then no bias", 10, 48, 64, 24, AB_Y, 1, false, BIAS_OR_NULL, .offset_bytes = {0}),
    CASE("48 x 48 x 24", 48, 48, 24, ABt_Y, 1, true, ASKS(Y_IS)),
    CASE("48 x 48 x 24, then Y transposed", 48, 48, 24, ABt_Yt, 1, true, .after = 1,
         ASKS(ROWS_OF_M)),
    CASE("48 x 64 x 24: A B to Y^T", 48, 64, 24, AB_Yt, 1, true, ASKS(Y_IS)),
    AFTER("then n = 63", 1, 48, 63, 24, AB_Yt, 1, true, PACKED, .offset_bytes = {0}),
    CASE("0 x 16 x 8: nothing to do", 0, 16, 8, AB_Y, 0, true, ASKS2(NO_ELEMENTS, SIDES),
         .launches_nothing = 1),
    CASE("16 x 0 x 8: nothing to do", 16, 0, 8, AtB_Yt, 0, true, ASKS2(NO_ELEMENTS, SIDES),
         .launches_nothing = 1),
    CASE("0 x 0 x 0, ldy = 0: nothing to do", 0, 0, 0, AB_Y, 0, false, ASKS2(NO_ELEMENTS, LEADING),
         .launches_nothing = 1),
    CASE("0 x 4 x 1000000: nothing to do", 0, 4, 1000000, AB_Y, 0, true,
         ASKS2(NO_ELEMENTS, SIDES), .launches_nothing = 1),
    CASE("1000000 x 0 x 1 to Y^T: nothing to do", 1000000, 0, 1, AB_Yt, 0, true,
         ASKS2(NO_ELEMENTS, LEADING), .launches_nothing = 1),
    LARGEST(1000000, 1, 1, 1, AB_Y),
    LARGEST(1, 1000000, 1, 1000000, AtB_Y),
    LARGEST(1, 1, 1000000, 1, ABt_Yt),
    LARGEST(1000000, 1000, 1000, 1000, AtBt_Y),
    LARGEST(1000, 1000000, 1000, 1000, AB_Yt),
    LARGEST(3, 5, 7, 1000000, AB_Yt),
    CASE("33 x 65 x 17, captured", 33, 65, 17, AtB_Yt, 3, true, .script = AS_GRAPH,
         ASKS(CAPTURED)),
    CASE("33 x 17 x 0, captured", 33, 17, 0, AB_Y, 0, true, .script = AS_GRAPH, ASKS(CAPTURED)),
    CASE("33 x 17 x 9, and the launch fails", 33, 17, 9, AtB_Yt, 0, true,
         .refused_with = JUDGE_LAUNCH_FAILS, ASKS(LAUNCH_ERRORS)),
    CASE("33 x 17 x 0, and the launch fails", 33, 17, 0, AB_Y, 0, true,
         .refused_with = JUDGE_LAUNCH_FAILS, ASKS(LAUNCH_ERRORS)),
    REFUSED("m = -1", -1, 16, 8, AB_Y, 0, REFUSED_SIZE, .script = ONE_CALL),
    REFUSED("n = -1", 16, -1, 8, AB_Yt, 0, REFUSED_SIZE, .script = ONE_CALL),
    REFUSED("k = -1", 16, 16, -1, AB_Y, 0, REFUSED_SIZE, .script = ONE_CALL),
    REFUSED("m = 1000001", 1000001, 1, 1, AB_Y, 0, REFUSED_SIZE, .script = ONE_CALL),
    REFUSED("n = 1000001", 1, 1000001, 1, AB_Yt, 0, REFUSED_SIZE, .script = ONE_CALL),
    REFUSED("k = 1000001", 1, 1, 1000001, AB_Y, 0, REFUSED_SIZE, .script = ONE_CALL),
    REFUSED("m = 2^32 + 16", (INT64_C(1) << 32) + 16, 16, 8, AB_Y, 0, REFUSED_SIZE,
            .script = ONE_CALL),
    REFUSED("n = 2^32 + 16", 16, (INT64_C(1) << 32) + 16, 8, AB_Yt, 0, REFUSED_SIZE,
            .script = ONE_CALL),
    REFUSED("k = 2^32 + 8", 16, 16, (INT64_C(1) << 32) + 8, AB_Y, 0, REFUSED_SIZE,
            .script = ONE_CALL),
    REFUSED("m = -1 and n = 0", -1, 0, 8, AB_Y, 0, REFUSED_SIZE, .script = ONE_CALL),
    REFUSED("k = -1 and m = 0", 0, 16, -1, AB_Y, 0, REFUSED_SIZE, .script = ONE_CALL),
    REFUSED("k = 1000001 and n = 0", 16, 0, 1000001, AtB_Yt, 0, REFUSED_SIZE, .script = ONE_CALL),
    REFUSED_LD("24 x 16 to Y, ldy = 15", 24, 16, AB_Y, 16, 15),
    REFUSED_LD("24 x 16 to Y^T, ldy = 16", 24, 16, AtB_Yt, 24, 16),
    REFUSED_LD("24 x 16 to Y^T, ldy = 23", 24, 16, AB_Yt, 24, 23),
    REFUSED_LD("1 x 16 to Y, ldy = 15", 1, 16, AB_Y, 16, 15),
    REFUSED_LD("ldy = 0", 16, 16, AB_Y, 16, 0),
    REFUSED_LD("ldy = -16", 16, 16, AB_Y, 16, -16),
    REFUSED_LD("ldy = 1000001", 16, 16, AB_Y, 16, 1000001),
    REFUSED_LD("ldy = 2^32 + 16", 16, 16, AB_Yt, 16, (INT64_C(1) << 32) + 16),
    REFUSED_LD("0 x 16 to Y, ldy = 15", 0, 16, AB_Y, 16, 15),
    REFUSED_LD("16 x 0 to Y, ldy = -1", 16, 0, AB_Y, 0, -1),
    REFUSED_LD("0 x 0 to Y^T, ldy = 1000001", 0, 0, AB_Yt, 0, 1000001),
    REFUSED("relu is asked for", 16, 16, 8, AB_Y, 0, REFUSED_FIELD, .script = RELU_ASKED),
    REFUSED("relu is asked for, m = 0", 0, 16, 8, AB_Y, 0, REFUSED_FIELD, .script = RELU_ASKED),
    REFUSED("activation -1", 16, 16, 8, AtB_Yt, 0, REFUSED_FIELD, .script = UNKNOWN_ASKED),
    REFUSED("Z is to be saved", 16, 16, 8, AtB_Yt, 0, REFUSED_FIELD, .script = Z_ASKED),
    REFUSED("Z is to be saved, n = 0", 16, 0, 8, AB_Y, 0, REFUSED_FIELD, .script = Z_ASKED),
    REFUSED("a bias, and with_bias is false", 16, 16, 8, AB_Y, 0, REFUSED_BIAS,
            .script = NO_BIAS_SAID),
    REFUSED("a bias, and it is said to be none, n = 0", 16, 0, 8, AtB_Yt, 0, REFUSED_BIAS,
            .script = NO_BIAS_SAID),
    REFUSED("no bias, and with_bias is true", 16, 16, 8, AtB_Yt, 0, REFUSED_BIAS,
            .script = BIAS_MISSING),
};

/* More than 2^31 and 2^32 elements of Y, of A and of B, in both layouts of each, and of Y with gaps
 * between its rows; a side longer than an axis of the grid may be, along each. */
static const struct judge_case LARGE[] = {
    CASE("66000 x 66000 x 1: A^T B to Y^T", 66000, 66000, 1, AtB_Yt, 0, true,
         .data = JUDGE_DATA_SPARSE_SPECIALS, ASKS3(PACKED, SIDES, NAN_SPREADS)),
    CASE("50000 x 90000 x 2: A B^T to Y", 50000, 90000, 2, ABt_Y, 0, true,
         .data = JUDGE_DATA_SPARSE_SPECIALS, ASKS3(PACKED, SIDES, NAN_SPREADS)),
    CASE("1000000 x 16 x 2200: A B to Y^T", 1000000, 16, 2200, AB_Yt, 0, true,
         ASKS3(A_IS, SIDES, LONG_SIDES)),
    CASE("16 x 1000000 x 2200: A B^T to Y", 16, 1000000, 2200, ABt_Y, 0, false,
         ASKS3(B_IS, SIDES, LONG_SIDES)),
    CASE("1000000 x 16 x 4400: A^T B^T to Y", 1000000, 16, 4400, AtBt_Y, 0, true,
         ASKS3(A_IS, SIDES, LONG_SIDES)),
    CASE("16 x 1000000 x 4400: A^T B to Y^T", 16, 1000000, 4400, AtB_Yt, 0, false,
         ASKS3(B_IS, SIDES, LONG_SIDES)),
    CASE("60000 x 49999 x 1, ldy + 73: A^T B to Y", 60000, 49999, 1, AtB_Y, 73, true,
         .data = JUDGE_DATA_SPARSE_SPECIALS, ASKS3(LEADING, GAPS, LONG_SIDES)),
    CASE("100000 x 50000 x 1, ldy + 36: A B to Y^T", 100000, 50000, 1, AB_Yt, 36, true,
         .data = JUDGE_DATA_SPARSE_SPECIALS, ASKS3(LEADING, GAPS, LONG_SIDES)),
    /* Many long sums, in which a narrower type must show as well. */
    CASE("2000 x 1500 x 2100, rows of B: A B to Y^T", 2000, 1500, 2100, AB_Yt, 0, true,
         .data = JUDGE_DATA_PICKS_FIRST, ASKS(FP32)),
    CASE("500 x 4000 x 2000, rows times 2^e: A B^T to Y", 500, 4000, 2000, ABt_Y, 0, false,
         .data = JUDGE_DATA_SCALED, ASKS(FP32)),
    /* A sum that 16 bits do not count. */
    CASE("3 x 5 x 70000, rows of B: A B to Y^T", 3, 5, 70000, AB_Yt, 0, true,
         .data = JUDGE_DATA_PICKS_FIRST, ASKS2(SIDES, LONG_SIDES)),
    CASE("1000000 x 4400 x 0: the bias in Y^T", 1000000, 4400, 0, AB_Yt, 0, true,
         .data = JUDGE_DATA_SPARSE_SPECIALS, ASKS3(NO_SUM, SIDES, NAN_SPREADS)),
};
/* clang-format on */

/* A and Y are transposed in the timed case. The simulated device counts another one as well, in
 * which k is short, so that the loads and stores of the layouts are what shows. */
static size_t timed(const struct judge_device *device, struct judge_case *cases, size_t room)
{
    const struct judge_case simulated =
        CASE("1024 x 1024 x 32: A^T B to Y^T", 1024, 1024, 32, AtB_Yt, 0, true);
    const struct judge_case on_device =
        CASE("2048 x 2048 x 2048: A^T B to Y^T", 2048, 2048, 2048, AtB_Yt, 0, true);
    if (room == 0)
        return 0;
    cases[0] = device->simulated ? simulated : on_device;
    return 1;
}

/* --- Buffers, work, and the call -------------------------------------------------------------- */

static size_t buffers(const struct judge_case *problem, struct judge_buffer *list)
{
    uint64_t m = (uint64_t)problem->size[M], n = (uint64_t)problem->size[N];
    uint64_t k = (uint64_t)problem->size[K], ld = (uint64_t)layout_ld(problem);
    uint64_t rows = (uint64_t)layout_rows(problem), length = (uint64_t)layout_row_length(problem);
    uint64_t stored = rows > 0 && length > 0 ? (rows - 1) * ld + length : 0;
    list[A] = (struct judge_buffer){
        .name = "A", JUDGE_IN, JUDGE_F32, m * k, problem->size[TRANSPOSE_A] ? m : k};
    list[B] = (struct judge_buffer){
        .name = "B", JUDGE_IN, JUDGE_F32, k * n, problem->size[TRANSPOSE_B] ? k : n};
    list[BIAS] = (struct judge_buffer){
        .name = "bias", JUDGE_IN, JUDGE_F32, n, .optional = !problem->size[WITH_BIAS]};
    list[Y] = (struct judge_buffer){.name = "Y",
                                    layout_has_gaps(problem) ? JUDGE_INOUT : JUDGE_OUT,
                                    JUDGE_F32,
                                    stored,
                                    ld,
                                    .used = layout_has_gaps(problem) ? length : 0};
    return BUFFERS;
}

static struct judge_work work(const struct judge_case *problem)
{
    double m = (double)problem->size[M], n = (double)problem->size[N], k = (double)problem->size[K];
    double bias = problem->size[WITH_BIAS] ? n : 0;
    return (struct judge_work){.bytes = 4 * (m * k + k * n + bias + m * n), .flop = 2 * m * n * k};
}

static struct quest_gemm gemm_of(const struct judge_case *problem)
{
    return (struct quest_gemm){
        .m = problem->size[M],
        .n = problem->size[N],
        .k = problem->size[K],
        .transpose_a = problem->size[TRANSPOSE_A],
        .transpose_b = problem->size[TRANSPOSE_B],
        .with_bias = problem->size[WITH_BIAS] && problem->script != NO_BIAS_SAID,
        .save_z = problem->script == Z_ASKED,
        .activation = problem->script == RELU_ASKED      ? QUEST_ACT_RELU
                      : problem->script == UNKNOWN_ASKED ? (enum quest_activation) - 1
                                                         : QUEST_ACT_NONE,
    };
}

static cudaError_t call_as(const struct judge_call *call, struct quest_gemm *gemm, int64_t ld)
{
    typedef cudaError_t gemm_layout(const float *, const float *, const float *, float *, int64_t,
                                    bool, const struct quest_gemm *, cudaStream_t);
    const struct judge_case *problem = call->problem;
    void *const *b = call->buffers;
    const float *bias = problem->script == BIAS_MISSING ? NULL : b[BIAS];
    cudaError_t error = ((gemm_layout *)call->symbols[0])(
        b[A], b[B], bias, b[Y], ld, problem->size[Y_TRANSPOSED], gemm, call->stream);
    memset(gemm, 0xFF, sizeof *gemm); /* the launcher read it before the call returned */
    __asm__ volatile("" ::"r"(gemm) : "memory");
    return error;
}

static cudaError_t call_once(const struct judge_call *call)
{
    struct quest_gemm gemm = gemm_of(call->problem);
    return call_as(call, &gemm, layout_ld(call->problem));
}

/* The pointers are those of the small call: nothing is read or written. */
static cudaError_t call_largest(const struct judge_call *call)
{
    const double *real = call->problem->real;
    struct quest_gemm gemm = gemm_of(call->problem);
    gemm.m = (int64_t)real[LARGEST_M];
    gemm.n = (int64_t)real[LARGEST_N];
    gemm.k = (int64_t)real[LARGEST_K];
    return call_as(call, &gemm, (int64_t)real[LARGEST_LD]);
}

static cudaError_t launch(const struct judge_call *call)
{
    const struct judge_case *problem = call->problem;
    if (problem->script == LARGEST_FIRST)
        return judge_largest_first(call, call_largest, call_once);
    return problem->script == AS_GRAPH                   ? judge_graph(call, call_once)
           : problem->refused_with == JUDGE_LAUNCH_FAILS ? judge_without_launch(call, call_once)
                                                         : call_once(call);
}

/* --- Bars ------------------------------------------------------------------------------------- */

static const struct judge_bar BARS[] = {
    {JUDGE_LAUNCHES, .at_most = 1, .every_case = true,
     .message = "the contract forbids more than one kernel launch a call",
     .look_at = "a kernel can read each operand as it is stored, and write Y as it is wanted"},
    {JUDGE_LOCAL_REQUESTS, .at_most = 0, .message = "a thread's array is in local memory",
     .look_at = "registers have no index: loops over the sums have to be unrolled"},
    {JUDGE_FP64_INSTRUCTIONS, .at_most = 0, .message = "float arithmetic is done in double",
     .look_at = "a constant without an f, such as 0.5, turns what it is multiplied by into a "
                "double"},
    {JUDGE_LOAD_EFFICIENCY, .at_least = 0.95, .message = "loads touch more sectors than they need",
     .look_at = "neighbouring lanes should read elements that are neighbours in this operand's "
                "layout"},
    {JUDGE_STORE_EFFICIENCY, .at_least = 0.95,
     .message = "stores touch more sectors than they need",
     .look_at = "neighbouring lanes should write elements that are neighbours in a stored row of "
                "Y"},
    {JUDGE_WAVEFRONT_RATIO, .at_most = 1.05,
     .message = "accesses to shared memory take more wavefronts than they need",
     .look_at = "the lanes of a warp should access different banks: how far apart are rows?"},
    /* Where k is 32, a bias that each element loads is 2.4; at the real size that costs nothing. */
    {JUDGE_LOAD_BYTES_RATIO, .at_most = 2.6, .message = "more is loaded than the product needs",
     .look_at = "with a tile of 128 x 128, each loaded element is used 128 times"},
    {JUDGE_ALL_BYTES_RATIO, .at_most = 1.15, .message = "more bytes move than the product needs",
     .look_at = "is more loaded than a tile of 128 x 128 needs, which uses each element 128 times? "
                "Or is Y read, or written more than once?"},
    JUDGE_BARS_OF_HOST(true),
};

static const char *const HINTS[] = {
    "For each operand, and for Y: which index differs between neighbouring addresses, and which "
    "one between neighbouring lanes? Where they differ, what does a warp read or write at a time?",
    "In shared memory a tile can look the same whatever layout it came from: s_tile[k][place]. An "
    "operand that is stored across (A as k x m, B as k x n) arrives in rows, four floats at a "
    "time. One that is stored along k must be transposed on the way: eight lanes copy eight "
    "neighbours, one float each. As for Y: Y^T = op(B)^T op(A)^T. With A and B swapped, rows of "
    "the product are rows of Y^T, and only the bias must take account of that. Or transpose the "
    "sums through shared memory before you store them.",
    "Describe an operand by its address, its side, and whether neighbours in memory are along k. "
    "Along k: at[(place + 32 i) k + threadIdx.x % 8] goes to s_tile[threadIdx.x % 8][place + 32 "
    "i], where place is threadIdx.x / 8 and a row has 128 + 4 floats, so that there are no bank "
    "conflicts. Across: the four floats from at[(threadIdx.x / 32 + 8 i) side + threadIdx.x % 32 * "
    "4] on go to s_tile[threadIdx.x / 32 + 8 i] by tile_copy_quad, if at and side allow it, "
    "otherwise float by float. A copier for tile_loop_of() does both. When Y is to be transposed, "
    "swap the two operands, and m with n, and add bias[row] in place of bias[col]; store four sums "
    "of a row as one float4 where the address of Y and ldy allow it.",
};

static bool loads_well(const struct judge_evidence *e)
{
    return e->counter[JUDGE_LOAD_EFFICIENCY] >= 0.95 && e->counter[JUDGE_LOAD_BYTES_RATIO] <= 1.1;
}

static bool stores_well(const struct judge_evidence *e)
{
    return e->counter[JUDGE_STORE_EFFICIENCY] >= 0.95;
}

static const struct judge_asked ASKED[] = {
    {2, "In shared memory", 0, loads_well},
    {2, "As for Y:", 0, stores_well},
    {3, "Describe an operand", 0, loads_well},
    {3, "When Y is to be transposed", 0, stores_well},
};

static const struct judge LAYOUT = {
    .lesson = "07_layout",
    .title = "layout contract",
    .launchers = LAUNCHERS,
    .as_shipped = "SLOW counters mistake element_per_thread",
    .clauses = &LAYOUT_CLAUSES,
    .context = LAYOUT_CONTEXT,
    .cases = CASES,
    .case_count = sizeof CASES / sizeof *CASES,
    .drawn = layout_draw,
    .drawn_large = layout_draw_large,
    .nearby = layout_nearby,
    .regimes = &LAYOUT_REGIMES,
    .timed = timed,
    .buffers = buffers,
    .truth = layout_truth,
    .work = work,
    .large = LARGE,
    .large_count = sizeof LARGE / sizeof *LARGE,
    .truth_at = layout_truth_at,
    .small_too = true,
    .small_is_shown = true,
    .launch = launch,
    .bars = BARS,
    .bar_count = sizeof BARS / sizeof *BARS,
    .utilization_bar = 0.80, /* between along_k_always and through_registers */
    .modelled_bar = 0.65,    /* with a k of 32, turning sums by single floats has 0.72 */
    .gold_bar = 0.60,
    .ceiling = "FMA rate",
    .hints = HINTS,
    .asked = ASKED,
    .asked_count = sizeof ASKED / sizeof *ASKED,
    .mistakes = &LAYOUT_MISTAKES,
};
JUDGE(LAYOUT);
