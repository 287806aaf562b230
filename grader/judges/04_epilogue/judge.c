/* judge.c - lesson 4: bias and activation at the end of a product, in one launch and one write.
 *
 * The product itself is given, so what is judged is its end. The cases go through every activation,
 * with and without bias and saved pre-activation, on sides that no tile divides and pointers that
 * are not aligned for a float4. With k = 0 the pre-activation is the bias itself: in this way NaN,
 * infinities and zeros reach the activations. (Special values on both sides of a sum would not do:
 * whether a product that overflows and a bias of -infinity make NaN depends on which is added
 * first.)
 *
 * How far off a result may be. Z may be off, as in lesson 2, by judge_product_allowed of its sum:
 * FP32 in any order uses at most a third of that, and TF32 or FP16 inputs exceed it at least
 * eighteenfold (the table is in check/judge.h). Y may be off by what that error becomes in the
 * activation, whose slope is at most 1.13, and by a few more roundings. With k at most 64 that is
 * about 2e-5, so that one form of GELU is not taken for the other: they differ by 4.7e-4 at |z| =
 * 2.7, and by more than 1e-4 from 1.3 to 4.
 *
 * The contract is common/contracts/04_epilogue.h; read grader/check/judge.h for the fields.
 * Next: problem.h; then clauses.c, drawn.c, regimes.c, truth.c and mistakes.c.
 */
#include "check/judge_graph.h"
#include "judges/04_epilogue/clauses.h"
#include "judges/04_epilogue/parts.h"
#include "judges/04_epilogue/problem.h"

#include <math.h>
#include <string.h>

static const char *const LAUNCHERS[] = {"lesson4_gemm_bias_act", NULL};

/* --- Cases ------------------------------------------------------------------------------------ */

#define CASE(text, m, n, k, activation, with_bias, save_z, ...) \
    SLOPE_CASE(text, m, n, k, FIRST_SLOPE, activation, with_bias, save_z, __VA_ARGS__)
#define SLOPE_CASE(text, m, n, k, slope, activation, with_bias, save_z, ...)        \
    {                                                                               \
        .name = text, .size = {m, n, k, QUEST_ACT_##activation, with_bias, save_z}, \
        .real = {[SLOPE] = slope}, __VA_ARGS__                                      \
    }

#define ASKS2(a, b) .asks = JUDGE_ASKS(a) | JUDGE_ASKS(b)
#define ASKS3(a, b, c) .asks = JUDGE_ASKS(a) | JUDGE_ASKS(b) | JUDGE_ASKS(c)

/* Every activation four ways, at a size that a test of this kernel was once run at; once of sums
 * that are exact, so that only the activation may be off. */
#define FOUR_CASES(text, activation)                                                            \
    CASE(text, 32, 16, 64, activation, false, false, ASKS3(Y_IS, BIAS_OR_NULL, Z_OR_NULL)),     \
        CASE(text ", Z saved", 32, 16, 64, activation, false, true, ASKS2(Z_IS, A_AND_B)),      \
        CASE(text ", bias", 32, 16, 64, activation, true, false, .data = JUDGE_DATA_SIXTEENTHS, \
             ASKS2(BIAS_OF_COLUMNS, TWO_GELUS)),                                                \
        CASE(text ", bias, Z saved", 32, 16, 64, activation, true, true,                        \
             ASKS2(Z_IS, BIAS_OF_COLUMNS))

#define SPECIAL_CASE(text, activation)                                         \
    CASE(text " of NaN, infinities, zeros", 8, 196, 0, activation, true, true, \
         .data = JUDGE_DATA_SPECIALS, ASKS2(NAN_SPREADS, NO_SUM))

#define INTEGER_CASE(text, activation)                                         \
    CASE(text " of integers up to +-500", 36, 68, 24, activation, true, false, \
         .data = JUDGE_DATA_INTEGERS, ASKS2(TWO_GELUS, Z_IS))

/* What is saturated half way, or 0, and not at the end; the first 128 rows begin below 0. */
#define COMES_BACK(text, m, k, activation)                            \
    CASE(text ", sums come back", m, 20, k, activation, false, false, \
         .data = JUDGE_DATA_COMES_BACK, ASKS2(Z_IS, Y_IS))

/* z from -1 to 1 through the formula, for a slope where a maximum of z and slope z, or a slope of
 * the other sign, gives something else; and of specials. */
#define SLOPE_CASES(text, slope)                                                                   \
    SLOPE_CASE("33 x 65 x 17, slope " text, 33, 65, 17, slope, LEAKY_RELU, true, true,             \
               ASKS2(Z_IS, BIAS_OF_COLUMNS)),                                                      \
        SLOPE_CASE("slope " text " of NaN, infinities, zeros", 8, 196, 0, slope, LEAKY_RELU, true, \
                   false, .data = JUDGE_DATA_SPECIALS, .asks = JUDGE_ASKS(NAN_SPREADS))

/* The sign of z, which decides, and its zeros must be exact where the slope is as extreme as it may
 * be. */
#define EXACT_SLOPE_CASES(text, slope)                                                             \
    SLOPE_CASE("33 x 65 x 17, slope " text, 33, 65, 17, slope, LEAKY_RELU, true, true,             \
               .data = JUDGE_DATA_SIXTEENTHS, ASKS2(Z_IS, BIAS_OF_COLUMNS)),                       \
        SLOPE_CASE("slope " text " of NaN, infinities, zeros", 8, 196, 0, slope, LEAKY_RELU, true, \
                   false, .data = JUDGE_DATA_SPECIALS, .asks = JUDGE_ASKS(NAN_SPREADS))

#define OFF(buffer) .offset_bytes = {[buffer] = sizeof(float)}
#define OFF_CASE(text, buffer)                                                                \
    CASE("64 x 96 x 40, " text " one element off", 64, 96, 40, TANH, true, true, OFF(buffer), \
         .asks = JUDGE_ASKS(ALIGNED_TO_4))

/* What a variable that starts as 0 is for, it may seem to hold already: the first call of a process
 * has every argument as close to 0 as the contract allows. */
#define FIRST .processes = 2, .once = 1

/* On the memory of the case so many places before it, whose call comes first. */
#define AFTER(text, places, m, n, k, activation, clause, ...)                     \
    CASE("48 x 64 x 24, " text, m, n, k, activation, true, true, .after = places, \
         .asks = JUDGE_ASKS(clause), __VA_ARGS__)

#define ALL_OFF(bytes) \
    .offset_bytes = {bytes, bytes, bytes, bytes, bytes}, .asks = JUDGE_ASKS(ALIGNED_TO_4)

/* A call with sides as long as the contract allows, and as many elements as memory may ever hold,
 * whose launch must be accepted but does not run; and then a small one, of the same activation,
 * whose results are compared. */
#define LARGEST(text, m, n, k)                                                                   \
    {                                                                                            \
        .name = text " captured, not launched", .size = {33, 17, 9, QUEST_ACT_TANH, true, true}, \
        .real = {NAN, m, n, k}, .script = LARGEST_FIRST, ASKS3(SIDES, LONG_SIDES, CAPTURED)      \
    }

#define REFUSED(text, m, n, k, clause, ...)                                      \
    CASE(text, m, n, k, RELU, true, true, .refused_with = cudaErrorInvalidValue, \
         .asks = JUDGE_ASKS(clause), __VA_ARGS__)
#define REFUSED_ACT(text, number) REFUSED_ACT_OF(text, 32, number)
#define REFUSED_ACT_OF(text, m, number)                                               \
    {                                                                                 \
        .name = text, .size = {m, 16, 8, number, true, true},                         \
        .refused_with = cudaErrorInvalidValue, .asks = JUDGE_ASKS(REFUSED_ACTIVATION) \
    }

/* What has to be refused, and what must launch nothing, comes last. */
static const struct judge_case CASES[] = {
    FOUR_CASES("none", NONE),
    FOUR_CASES("relu", RELU),
    FOUR_CASES("leaky relu", LEAKY_RELU),
    FOUR_CASES("sigmoid", SIGMOID),
    FOUR_CASES("tanh", TANH),
    FOUR_CASES("gelu by erf", GELU_ERF),
    FOUR_CASES("gelu by tanh", GELU_TANH),
    SPECIAL_CASE("none", NONE),
    SPECIAL_CASE("relu", RELU),
    SPECIAL_CASE("leaky relu", LEAKY_RELU),
    SPECIAL_CASE("sigmoid", SIGMOID),
    SPECIAL_CASE("tanh", TANH),
    SPECIAL_CASE("gelu by erf", GELU_ERF),
    SPECIAL_CASE("gelu by tanh", GELU_TANH),
    INTEGER_CASE("sigmoid", SIGMOID),
    INTEGER_CASE("tanh", TANH),
    INTEGER_CASE("gelu by erf", GELU_ERF),
    INTEGER_CASE("gelu by tanh", GELU_TANH),
    CASE("0 x 16 x 8: nothing to do", 0, 16, 8, RELU, true, true, ASKS2(NO_ELEMENTS, SIDES),
         .launches_nothing = 1),
    CASE("32 x 48 x 0: the activation of 0", 32, 48, 0, SIGMOID, false, true, ASKS2(NO_SUM, Z_IS)),
    CASE("1 x 16 x 7", 1, 16, 7, GELU_ERF, true, true, ASKS2(PACKED, SIDES)),
    CASE("17 x 1 x 7", 17, 1, 7, GELU_ERF, true, true, ASKS2(PACKED, SIDES)),
    CASE("1 x 1 x 1", 1, 1, 1, LEAKY_RELU, true, true, ASKS2(PACKED, SIDES)),
    SLOPE_CASE("33 x 65 x 17, slope 0.2", 33, 65, 17, 0.2, LEAKY_RELU, true, true,
               .asks = JUDGE_ASKS(Z_IS)),
    OFF_CASE("A", A),
    OFF_CASE("B", B),
    OFF_CASE("bias", BIAS),
    OFF_CASE("Y", Y),
    OFF_CASE("Z", Z),
    CASE("64 x 96 x 40, all one element off", 64, 96, 40, TANH, true, true, ALL_OFF(4)),
    CASE("64 x 96 x 40, all two elements off", 64, 96, 40, TANH, true, true, ALL_OFF(8)),
    CASE("64 x 96 x 40, all three elements off", 64, 96, 40, TANH, true, true, ALL_OFF(12)),
    CASE("200 x 72 x 1, NaN and infinities", 200, 72, 1, RELU, false, true,
         .data = JUDGE_DATA_SPECIALS, .asks = JUDGE_ASKS(NAN_SPREADS)),
    CASE("200 x 40 x 200, zeros in tiles of A", 200, 40, 200, NONE, false, true,
         .data = JUDGE_DATA_ZEROS_IN_FIRST, .asks = JUDGE_ASKS(NAN_SPREADS)),
    CASE("40 x 200 x 200, zeros in tiles of B", 40, 200, 200, NONE, false, true,
         .data = JUDGE_DATA_ZEROS_IN_SECOND, .asks = JUDGE_ASKS(NAN_SPREADS)),
    CASE("200 x 40 x 93, infinities in A", 200, 40, 93, NONE, false, true,
         .data = JUDGE_DATA_INFINITE_FIRST, .asks = JUDGE_ASKS(NAN_SPREADS)),
    CASE("40 x 200 x 93, infinities in B", 40, 200, 93, NONE, false, true,
         .data = JUDGE_DATA_INFINITE_SECOND, .asks = JUDGE_ASKS(NAN_SPREADS)),
    CASE("68 x 132 x 36, subnormal products", 68, 132, 36, NONE, false, true,
         .data = JUDGE_DATA_TINY, .asks = JUDGE_ASKS(FP32)),
    CASE("35 x 66 x 3, subnormal products", 35, 66, 3, LEAKY_RELU, false, false,
         .data = JUDGE_DATA_TINY, .asks = JUDGE_ASKS(FP32)),
    CASE("9 x 196 x 0, subnormal bias", 9, 196, 0, RELU, true, true, .data = JUDGE_DATA_SUBNORMAL,
         .asks = JUDGE_ASKS(FP32)),
    /* What a narrower type cannot hold, where sums are long enough to make one worth it. */
    CASE("40 x 36 x 1100, rows times powers of 2", 40, 36, 1100, RELU, false, true,
         .data = JUDGE_DATA_SCALED, .asks = JUDGE_ASKS(FP32)),
    CASE("40 x 36 x 4100, positive", 40, 36, 4100, NONE, false, true, .data = JUDGE_DATA_POSITIVE,
         .asks = JUDGE_ASKS(FP32)),
    CASE("40 x 36 x 20000, rows of B, gelu", 40, 36, 20000, GELU_ERF, true, true,
         .data = JUDGE_DATA_PICKS_FIRST, .once = 1, ASKS2(FP32, TWO_GELUS)),
    CASE("36 x 40 x 20000, columns of A, gelu tanh", 36, 40, 20000, GELU_TANH, true, true,
         .data = JUDGE_DATA_PICKS_SECOND, .once = 1, ASKS2(FP32, TWO_GELUS)),
    CASE("900 x 1100 x 40, rows of B", 900, 1100, 40, NONE, true, true,
         .data = JUDGE_DATA_PICKS_FIRST, .once = 1, .asks = JUDGE_ASKS(FP32)),
    CASE("1100 x 900 x 40, columns of A", 1100, 900, 40, NONE, true, true,
         .data = JUDGE_DATA_PICKS_SECOND, .once = 1, .asks = JUDGE_ASKS(FP32)),
    COMES_BACK("128 x 20 x 640, relu", 128, 640, RELU),
    COMES_BACK("256 x 20 x 640, sigmoid", 256, 640, SIGMOID),
    COMES_BACK("256 x 20 x 1300, tanh", 256, 1300, TANH),
    COMES_BACK("128 x 20 x 640, gelu", 128, 640, GELU_ERF),
    CASE("129 x 63 x 127", 129, 63, 127, GELU_TANH, true, true, ASKS3(PACKED, FP32, TWO_GELUS)),
    CASE("260 x 388 x 60", 260, 388, 60, GELU_ERF, true, true, ASKS3(PACKED, FP32, TWO_GELUS)),
    SLOPE_CASES("1.5", 1.5),
    SLOPE_CASES("-0.5", -0.5),
    SLOPE_CASES("0", 0.0),
    SLOPE_CASES("2^-20", 0x1p-20),
    SLOPE_CASES("1000", 1000),
    EXACT_SLOPE_CASES("infinity", INFINITY),
    EXACT_SLOPE_CASES("-infinity", -INFINITY),
    EXACT_SLOPE_CASES("NaN", NAN),
    EXACT_SLOPE_CASES("-1.5 * 2^127", -0x1.8p127),
    EXACT_SLOPE_CASES("2^-149", 0x1p-149),
    CASE("133 x 71 x 0, NaN in the last column", 133, 71, 0, RELU, true, true,
         .data = JUDGE_DATA_SPECIALS, ASKS2(NAN_SPREADS, NO_SUM)),
    CASE("259 x 130 x 2, NaN in the last row", 259, 130, 2, RELU, false, false,
         .data = JUDGE_DATA_FEW_SPECIALS, .asks = JUDGE_ASKS(NAN_SPREADS)),
    SLOPE_CASE("1 x 1 x 0, slope 0, first of a process", 1, 1, 0, 0, NONE, false, false, FIRST,
               .asks = JUDGE_ASKS(NO_SUM)),
    SLOPE_CASE("3 x 5 x 1, slope 0, first of a process", 3, 5, 1, 0, LEAKY_RELU, false, false,
               FIRST, .asks = JUDGE_ASKS(Y_IS)),
    CASE("48 x 64 x 24", 48, 64, 24, TANH, true, true, .asks = JUDGE_ASKS(Z_IS)),
    AFTER("then A one off", 1, 48, 64, 24, TANH, ALIGNED_TO_4, OFF(A)),
    AFTER("then B one off", 2, 48, 64, 24, TANH, ALIGNED_TO_4, OFF(B)),
    AFTER("then bias one off", 3, 48, 64, 24, TANH, ALIGNED_TO_4, OFF(BIAS)),
    AFTER("then Y one off", 4, 48, 64, 24, TANH, ALIGNED_TO_4, OFF(Y)),
    AFTER("then Z one off", 5, 48, 64, 24, TANH, ALIGNED_TO_4, OFF(Z)),
    AFTER("then m = 47", 6, 47, 64, 24, TANH, PACKED, .offset_bytes = {0}),
    AFTER("then n = 63", 7, 48, 63, 24, TANH, PACKED, .offset_bytes = {0}),
    AFTER("then k = 23", 8, 48, 64, 23, TANH, PACKED, .offset_bytes = {0}),
    AFTER("then sigmoid", 9, 48, 64, 24, SIGMOID, Y_IS, .offset_bytes = {0}),
    SLOPE_CASE("48 x 64 x 24, leaky relu", 48, 64, 24, 0.5, LEAKY_RELU, false, false,
               .asks = JUDGE_ASKS(Y_IS)),
    SLOPE_CASE("48 x 64 x 24, then another slope", 48, 64, 24, 0.25, LEAKY_RELU, false, false,
               .asks = JUDGE_ASKS(Y_IS), .after = 1),
    SLOPE_CASE("48 x 64 x 24, then a bias", 48, 64, 24, 0.5, LEAKY_RELU, true, false,
               .asks = JUDGE_ASKS(BIAS_OR_NULL), .after = 2),
    SLOPE_CASE("48 x 64 x 24, then Z", 48, 64, 24, 0.5, LEAKY_RELU, false, true,
               .asks = JUDGE_ASKS(Z_OR_NULL), .after = 3),
    CASE("16 x 0 x 8: nothing to do", 16, 0, 8, NONE, true, false, ASKS2(NO_ELEMENTS, SIDES),
         .launches_nothing = 1),
    CASE("0 x 0 x 0: nothing to do", 0, 0, 0, NONE, false, false, ASKS2(NO_ELEMENTS, SIDES),
         .launches_nothing = 1),
    CASE("0 x 4 x 1000000: nothing to do", 0, 4, 1000000, RELU, true, true,
         ASKS2(NO_ELEMENTS, SIDES), .launches_nothing = 1),
    CASE("1000000 x 0 x 1: nothing to do", 1000000, 0, 1, RELU, true, true,
         ASKS2(NO_ELEMENTS, SIDES), .launches_nothing = 1),
    CASE("33 x 65 x 17, captured", 33, 65, 17, GELU_TANH, true, true, .script = AS_GRAPH,
         .asks = JUDGE_ASKS(CAPTURED)),
    CASE("33 x 17 x 0, captured", 33, 17, 0, RELU, true, false, .script = AS_GRAPH,
         .asks = JUDGE_ASKS(CAPTURED)),
    LARGEST("1 x 1 x 10^6", 1, 1, 1e6),
    LARGEST("10^6 x 1 x 10^6", 1e6, 1, 1e6),
    LARGEST("1 x 10^6 x 10^6", 1, 1e6, 1e6),
    LARGEST("10^6 x 46340 x 10^6", 1e6, 46340, 1e6),
    LARGEST("46340 x 10^6 x 0", 46340, 1e6, 0),
    CASE("33 x 17 x 9, and the launch fails", 33, 17, 9, RELU, true, true,
         .refused_with = JUDGE_LAUNCH_FAILS, .asks = JUDGE_ASKS(LAUNCH_ERRORS)),
    CASE("33 x 17 x 0, and the launch fails", 33, 17, 0, RELU, true, true,
         .refused_with = JUDGE_LAUNCH_FAILS, .asks = JUDGE_ASKS(LAUNCH_ERRORS)),
    REFUSED("m = -1", -1, 16, 8, REFUSED_SIZE),
    REFUSED("n = -1", 16, -1, 8, REFUSED_SIZE),
    REFUSED("k = -1", 16, 16, -1, REFUSED_SIZE),
    REFUSED("m = 1000001", 1000001, 1, 1, REFUSED_SIZE),
    REFUSED("n = 1000001", 1, 1000001, 1, REFUSED_SIZE),
    REFUSED("k = 1000001", 1, 1, 1000001, REFUSED_SIZE),
    REFUSED("m = 2^32 + 16", (INT64_C(1) << 32) + 16, 16, 8, REFUSED_SIZE),
    REFUSED("n = 2^32 + 16", 16, (INT64_C(1) << 32) + 16, 8, REFUSED_SIZE),
    REFUSED("k = 2^32 + 8", 16, 16, (INT64_C(1) << 32) + 8, REFUSED_SIZE),
    REFUSED("m = -1 and n = 0", -1, 0, 8, REFUSED_SIZE),
    REFUSED("n = 1000001 and m = 0", 0, 1000001, 8, REFUSED_SIZE),
    REFUSED("k = -1 and n = 0", 16, 0, -1, REFUSED_SIZE),
    REFUSED("k = 1000001 and m = 0", 0, 16, 1000001, REFUSED_SIZE),
    REFUSED("A is said to be transposed", 16, 16, 8, REFUSED_TRANSPOSE, .script = TRANSPOSED_A),
    REFUSED("B is said to be transposed", 16, 16, 8, REFUSED_TRANSPOSE, .script = TRANSPOSED_B),
    REFUSED("A transposed, m = 0", 0, 16, 8, REFUSED_TRANSPOSE, .script = TRANSPOSED_A),
    REFUSED_ACT("activation 7", QUEST_ACT_GELU_TANH + 1),
    REFUSED_ACT("activation -1", -1),
    REFUSED_ACT_OF("activation 7, m = 0", 0, QUEST_ACT_GELU_TANH + 1),
    REFUSED("a bias, and with_bias is false", 16, 16, 8, REFUSED_POINTER, .script = NO_BIAS_SAID),
    REFUSED("a bias, and it is said to be none, n = 0", 16, 0, 8, REFUSED_POINTER,
            .script = NO_BIAS_SAID),
    REFUSED("Z, and it is said to be none, m = 0", 0, 16, 8, REFUSED_POINTER, .script = NO_Z_SAID),
    REFUSED("no bias, and with_bias is true", 16, 16, 8, REFUSED_POINTER, .script = BIAS_MISSING),
    REFUSED("Z, and save_z is false", 16, 16, 8, REFUSED_POINTER, .script = NO_Z_SAID),
    REFUSED("no Z, and save_z is true", 16, 16, 8, REFUSED_POINTER, .script = Z_MISSING),
};

/* More than 2^31 and 2^32 elements of Y and Z, of A and of B; a side longer than an axis of the
 * grid may be, and the longest along each. Those that are thin have the activations that
 * epilogue_draw_large has only where both sides are long. */
static const struct judge_case LARGE[] = {
    CASE("66000 x 66000 x 1", 66000, 66000, 1, RELU, true, true, .data = JUDGE_DATA_SPARSE_SPECIALS,
         ASKS3(PACKED, SIDES, NAN_SPREADS)),
    CASE("1000000 x 16 x 2200", 1000000, 16, 2200, LEAKY_RELU, true, false,
         ASKS3(A_AND_B, SIDES, LONG_SIDES)),
    CASE("16 x 1000000 x 2200", 16, 1000000, 2200, SIGMOID, false, false,
         ASKS3(A_AND_B, SIDES, LONG_SIDES)),
    CASE("1000000 x 16 x 4400", 1000000, 16, 4400, TANH, true, false,
         ASKS3(A_AND_B, SIDES, LONG_SIDES)),
    CASE("16 x 1000000 x 4400", 16, 1000000, 4400, RELU, false, false,
         ASKS3(A_AND_B, SIDES, LONG_SIDES)),
    /* Many long sums, in which a narrower type must show as well. */
    CASE("2000 x 1500 x 2100, rows of B", 2000, 1500, 2100, NONE, true, true,
         .data = JUDGE_DATA_PICKS_FIRST, .asks = JUDGE_ASKS(FP32)),
    CASE("500 x 4000 x 2000, rows times 2^e", 500, 4000, 2000, RELU, false, true,
         .data = JUDGE_DATA_SCALED, .asks = JUDGE_ASKS(FP32)),
    CASE("1000000 x 4400 x 0", 1000000, 4400, 0, SIGMOID, true, true,
         .data = JUDGE_DATA_SPARSE_SPECIALS, ASKS3(NO_SUM, SIDES, NAN_SPREADS)),
};

/* Z is saved in the timed case, since GELU is the activation whose gradient needs it. The simulated
 * device has another one, in which k is short, so that the end of the product is what shows. */
static size_t timed(const struct judge_device *device, struct judge_case *cases, size_t room)
{
    const struct judge_case simulated =
        CASE("1024 x 1024 x 32, bias, gelu, Z saved", 1024, 1024, 32, GELU_TANH, true, true);
    const struct judge_case on_device =
        CASE("4096 x 4096 x 256, bias, gelu, Z saved", 4096, 4096, 256, GELU_TANH, true, true);
    if (room == 0)
        return 0;
    cases[0] = device->simulated ? simulated : on_device;
    return 1;
}

/* --- Buffers, work, and the call -------------------------------------------------------------- */

static size_t buffers(const struct judge_case *problem, struct judge_buffer *list)
{
    uint64_t m = (uint64_t)problem->size[M], n = (uint64_t)problem->size[N];
    uint64_t k = (uint64_t)problem->size[K];
    list[A] = (struct judge_buffer){.name = "A", JUDGE_IN, JUDGE_F32, m * k, k};
    list[B] = (struct judge_buffer){.name = "B", JUDGE_IN, JUDGE_F32, k * n, n};
    list[BIAS] = (struct judge_buffer){
        .name = "bias", JUDGE_IN, JUDGE_F32, n, .optional = !problem->size[WITH_BIAS]};
    list[Y] = (struct judge_buffer){.name = "Y", JUDGE_OUT, JUDGE_F32, m * n, n};
    list[Z] = (struct judge_buffer){
        .name = "Z", JUDGE_OUT, JUDGE_F32, m * n, n, .optional = !problem->size[SAVE_Z]};
    return BUFFERS;
}

static struct judge_work work(const struct judge_case *problem)
{
    double m = (double)problem->size[M], n = (double)problem->size[N], k = (double)problem->size[K];
    double outputs = problem->size[SAVE_Z] ? 2 : 1, bias = problem->size[WITH_BIAS] ? n : 0;
    return (struct judge_work){.bytes = 4 * (m * k + k * n + bias + outputs * m * n),
                               .flop = 2 * m * n * k};
}

static cudaError_t call_once(const struct judge_call *call)
{
    typedef cudaError_t gemm_bias_act(const float *, const float *, const float *, float *, float *,
                                      const struct quest_gemm *, cudaStream_t);
    const struct judge_case *problem = call->problem;
    struct quest_gemm gemm = {
        .m = problem->size[M],
        .n = problem->size[N],
        .k = problem->size[K],
        .transpose_a = problem->script == TRANSPOSED_A,
        .transpose_b = problem->script == TRANSPOSED_B,
        .with_bias = problem->size[WITH_BIAS] && problem->script != NO_BIAS_SAID,
        .save_z = problem->size[SAVE_Z] && problem->script != NO_Z_SAID,
        .activation = (enum quest_activation)problem->size[ACTIVATION],
        .leaky_slope = (float)problem->real[SLOPE],
    };
    void *const *b = call->buffers;
    const float *bias = problem->script == BIAS_MISSING ? NULL : b[BIAS];
    float *z = problem->script == Z_MISSING ? NULL : b[Z];
    cudaError_t error =
        ((gemm_bias_act *)call->symbols[0])(b[A], b[B], bias, b[Y], z, &gemm, call->stream);
    memset(&gemm, 0xFF, sizeof gemm); /* the launcher read it before the call returned */
    __asm__ volatile("" ::"r"(&gemm) : "memory");
    return error;
}

/* The pointers are those of the small call: nothing is read or written. */
static cudaError_t call_largest(const struct judge_call *call)
{
    struct judge_case problem = *call->problem;
    struct judge_call largest = *call;
    problem.size[M] = (int64_t)problem.real[LARGEST_M];
    problem.size[N] = (int64_t)problem.real[LARGEST_N];
    problem.size[K] = (int64_t)problem.real[LARGEST_K];
    largest.problem = &problem;
    return call_once(&largest);
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

/* In the timed case the solution moves 1.27 times the bytes of the problem: 0.97 for the outputs,
 * the rest for the product, whose tiles fetch each element of A and B eight times. */
static const struct judge_bar BARS[] = {
    {JUDGE_LAUNCHES, .at_most = 1, .every_case = true,
     .message = "the contract forbids more than one kernel launch a call",
     .look_at = "one kernel can do all of it: when the product is done, its sums are in "
                "registers"},
    {JUDGE_LOCAL_REQUESTS, .at_most = 0, .message = "an array of each thread lies in memory",
     .look_at = "registers have no index: loops over the sums have to be unrolled"},
    {JUDGE_FP64_INSTRUCTIONS, .at_most = 0, .message = "floats are calculated in double",
     .look_at = "a constant without an f, such as 0.5, makes what it is multiplied with double"},
    {JUDGE_LOAD_BYTES_RATIO, .at_most = 1.1, .message = "more is loaded than the product needs",
     .look_at = "the main loop that is given loads an element for 128 uses, and what comes after "
                "it nothing but the bias, once for each column of a thread"},
    {JUDGE_ALL_BYTES_RATIO, .at_most = 1.15, .message = "more bytes move than the product needs",
     .look_at = "Z and Y are written once each"},
    {JUDGE_LOAD_EFFICIENCY, .at_least = 0.85, .message = "loads touch more sectors than they need",
     .look_at = "neighbouring lanes should read neighbouring addresses"},
    {JUDGE_STORE_EFFICIENCY, .at_least = 0.95,
     .message = "stores touch more sectors than they need",
     .look_at = "a thread has four neighbouring columns: what one lane writes at a time should "
                "touch what the next lane writes"},
    JUDGE_BARS_OF_HOST(true),
};

static const char *const HINTS[] = {
    "Count launches, and what each of them reads. When the product is done, each thread has its "
    "sums in registers, where arithmetic costs next to nothing. How often do they travel to "
    "memory and back before Y is what it should be?",
    "Everything that is done to one element at a time can be done before it is stored: add the "
    "bias of its column, store that to Z if it is wanted, apply the activation, store that to Y. "
    "Bias belongs to columns; the eight rows that tile_gemm() gives a thread share it. And four "
    "neighbouring columns are one float4.",
    "After tile_gemm(): for (c = 0; c < TILE_SUM_COLS; c += 4), load the bias of columns "
    "tile_col(c) to tile_col(c) + 3 (0 outside of n); for each r with tile_row(r) < m: z[i] = "
    "sum[r][c + i] + bias[i], y[i] = activate(z[i], ..); write z (if Z) and y as one float4 each "
    "where the pointers are multiples of 16 bytes and n of 4, else one by one. #pragma unroll "
    "both loops, in a function template <enum quest_activation ACTIVATION>, so that the switch "
    "over call.activation stands once, around them.",
};

static bool is_fused(const struct judge_evidence *e)
{
    return e->counter[JUDGE_LAUNCHES] <= 1 && e->counter[JUDGE_ALL_BYTES_RATIO] <= 1.15;
}

static bool stores_float4(const struct judge_evidence *e)
{
    return e->kernel.store_width > 12;
}

/* Sums in an array that is indexed in a loop which is not unrolled are in local memory. */
static bool is_unrolled(const struct judge_evidence *e)
{
    return e->kernel.local_requests == 0;
}

static bool is_fused_and_wide(const struct judge_evidence *e)
{
    return is_fused(e) && stores_float4(e);
}

static const struct judge_asked ASKED[] = {
    {2, "Everything that is done", 0, is_fused},
    {2, "And four neighbouring columns", 0, stores_float4},
    {3, "After tile_gemm()", 0, is_fused_and_wide},
    {3, "#pragma unroll both loops", 0, is_unrolled},
};

static const struct judge EPILOGUE = {
    .lesson = "04_epilogue",
    .title = "fused epilogue",
    .launchers = LAUNCHERS,
    .as_shipped = "SLOW counters mistake separate_kernels",
    .clauses = &EPILOGUE_CLAUSES,
    .context = EPILOGUE_CONTEXT,
    .cases = CASES,
    .case_count = sizeof CASES / sizeof *CASES,
    .drawn = epilogue_draw,
    .drawn_large = epilogue_draw_large,
    .redrawn = epilogue_redraw,
    .nearby = epilogue_nearby,
    .regimes = &EPILOGUE_REGIMES,
    .timed = timed,
    .buffers = buffers,
    .truth = epilogue_truth,
    .work = work,
    .large = LARGE,
    .large_count = sizeof LARGE / sizeof *LARGE,
    .truth_at = epilogue_truth_at,
    .small_too = true,
    .launch = launch,
    .bars = BARS,
    .bar_count = sizeof BARS / sizeof *BARS,
    .utilization_bar = 0.76, /* calibration.csv: a bias by single floats 0.79; a switch in the
                              * loops 0.51 */
    .modelled_bar = 0.76,    /* that switch has 0.73 */
    .gold_bar = 0.60,
    .ceiling = "FMA rate",
    .hints = HINTS,
    .asked = ASKED,
    .asked_count = sizeof ASKED / sizeof *ASKED,
    .mistakes = &EPILOGUE_MISTAKES,
};
JUDGE(EPILOGUE);
