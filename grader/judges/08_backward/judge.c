/* judge.c - lesson 8: gradients of a product with bias and activation, in a few launches.
 *
 * A call gives three outputs from one intermediate, gZ, that only the launcher sees. With m = 1 and
 * k = 0, gBias is gZ itself: so NaN, infinities, zeros and subnormal numbers reach each act'
 * without a sum around them. Sums of special values are in cases where any order gives the same,
 * and where act' is 0 or 1: the product of gY and another one may round to 0, which an infinity
 * makes NaN.
 *
 * How far off a result may be is derived in truth.c, and the truth is held to finite differences of
 * the forward formulas by tests/check_gradients.c.
 *
 * The workspace is just as large as the launcher asks, at the end of an allocation. Cases share it,
 * so each finds what others left; some find NaN.
 *
 * A call is several launches that read each other's results, so no few blocks stand for all: the
 * simulated device times a smaller case than a GPU, whole, and there are no cases past 2^31
 * elements; the contract ends there.
 *
 * The contract is common/contracts/08_backward.h; read grader/check/judge.h for the fields.
 * Next: problem.h; then clauses.c, activations.c, truth.c, launch.c, drawn.c and mistakes.c.
 */
#include "check/judge_graph.h"
#include "judges/08_backward/clauses.h"
#include "judges/08_backward/parts.h"
#include "judges/08_backward/problem.h"

#include <math.h>

static const char *const LAUNCHERS[] = {"lesson8_gemm_bias_act_backward", "lesson8_workspace",
                                        NULL};

/* --- Cases ------------------------------------------------------------------------------------ */

#define CASE(text, m, n, k, activation, with_bias, ...) \
    SLOPE_CASE(text, m, n, k, FIRST_SLOPE, activation, with_bias, __VA_ARGS__)
#define SLOPE_CASE(text, m, n, k, slope, activation, with_bias, ...)        \
    {                                                                       \
        .name = text, .size = {m, n, k, QUEST_ACT_##activation, with_bias}, \
        .real = {[SLOPE] = slope}, __VA_ARGS__                              \
    }

#define ASKS(a) .asks = JUDGE_ASKS(a)
#define ASKS2(a, b) .asks = JUDGE_ASKS(a) | JUDGE_ASKS(b)
#define ASKS3(a, b, c) .asks = JUDGE_ASKS(a) | JUDGE_ASKS(b) | JUDGE_ASKS(c)

/* z from -1 to 1, and of a few units. */
#define THREE_CASES(text, activation, clause)                                                    \
    CASE(text, 32, 16, 64, activation, false, ASKS3(GZ_IS, GA_GB_ARE, clause)),                  \
        CASE(text ", bias", 32, 16, 64, activation, true, ASKS3(GBIAS_IS, GA_GB_ARE, clause)),   \
        CASE(text ", bias, integers", 36, 68, 24, activation, true, .data = JUDGE_DATA_INTEGERS, \
             ASKS3(GBIAS_IS, GZ_IS, clause))

/* gBias is gZ. */
#define SPECIAL_CASES(text, activation)                                                 \
    CASE(text " of NaN, infinities, zeros", 1, 196, 0, activation, true,                \
         .data = JUDGE_DATA_SPECIALS, ASKS3(NAN_SPREADS, OF_NAN, LIMITS)),              \
        CASE(text " of any size", 1, 260, 0, activation, true, .data = JUDGE_DATA_WIDE, \
             ASKS2(LIMITS, OF_CURVED)),                                                 \
        CASE(text " of subnormal numbers", 1, 68, 0, activation, true,                  \
             .data = JUDGE_DATA_SUBNORMAL, ASKS2(FP32, OF_RELUS))

/* Where the limits begin: of 2056 elements, some dozens are in each quarter of a unit. */
#define FAR_CASE(text, activation)                                              \
    CASE(text " far out", 1, 2056, 0, activation, true, .data = JUDGE_DATA_FAR, \
         ASKS2(LIMITS, OF_CURVED))

#define OFF(buffer) .offset_bytes = {[buffer] = sizeof(float)}
#define OFF_CASE(text, buffer)                                                          \
    CASE("64 x 96 x 40, " text " one element off", 64, 96, 40, TANH, true, OFF(buffer), \
         ASKS(ALIGNED_TO_4))
#define ALL_OFF(bytes) \
    .offset_bytes = {bytes, bytes, bytes, bytes, bytes, bytes, bytes}, ASKS(ALIGNED_TO_4)

/* What a variable that starts as 0 is for, it may seem to hold already: the first call of a process
 * has every argument as close to 0 as the contract allows. */
#define FIRST .processes = 2, .once = 1

/* On the memory of the case so many places before it, whose call comes first. */
#define AFTER(text, places, m, n, k, activation, clause, ...)                             \
    CASE("48 x 64 x 24, " text, m, n, k, activation, true, .after = places, ASKS(clause), \
         __VA_ARGS__)

/* A call as large as the contract allows, whose launches must be accepted but do not run; and then
 * a small one, of the same activation, whose results are compared. */
#define LARGEST(text, m, n, k)                                                            \
    {                                                                                     \
        .name = text, .size = {33, 65, 17, QUEST_ACT_TANH, true}, .real = {NAN, m, n, k}, \
        .script = LARGEST_FIRST, ASKS3(SIDES, LONG_SIDES, CAPTURED)                       \
    }

#define REFUSED(text, m, n, k, clause, ...)                                              \
    CASE(text, m, n, k, RELU, true, .refused_with = cudaErrorInvalidValue, ASKS(clause), \
         __VA_ARGS__)
#define REFUSED_ACT(text, number)                                                               \
    {                                                                                           \
        .name = text, .size = {32, 16, 8, number, true}, .refused_with = cudaErrorInvalidValue, \
        ASKS(REFUSED_FIELD)                                                                     \
    }

/* clang-format off */
/* What has to be refused, and what must launch nothing, comes last. */
static const struct judge_case CASES[] = {
    THREE_CASES("none", NONE, OF_RELUS),
    THREE_CASES("relu", RELU, OF_RELUS),
    THREE_CASES("leaky relu", LEAKY_RELU, OF_RELUS),
    THREE_CASES("sigmoid", SIGMOID, OF_CURVED),
    THREE_CASES("tanh", TANH, OF_CURVED),
    THREE_CASES("gelu by erf", GELU_ERF, TWO_GELUS),
    THREE_CASES("gelu by tanh", GELU_TANH, TWO_GELUS),
    SPECIAL_CASES("none", NONE),
    SPECIAL_CASES("relu", RELU),
    SPECIAL_CASES("leaky relu", LEAKY_RELU),
    SPECIAL_CASES("sigmoid", SIGMOID),
    SPECIAL_CASES("tanh", TANH),
    SPECIAL_CASES("gelu by erf", GELU_ERF),
    SPECIAL_CASES("gelu by tanh", GELU_TANH),
    FAR_CASE("sigmoid", SIGMOID),
    FAR_CASE("tanh", TANH),
    FAR_CASE("gelu by erf", GELU_ERF),
    FAR_CASE("gelu by tanh", GELU_TANH),
    SLOPE_CASE("33 x 65 x 17, slope 1.5", 33, 65, 17, 1.5, LEAKY_RELU, true, ASKS(OF_RELUS)),
    SLOPE_CASE("33 x 65 x 17, slope -0.5", 33, 65, 17, -0.5, LEAKY_RELU, true, ASKS(OF_RELUS)),
    SLOPE_CASE("33 x 65 x 17, slope 0", 33, 65, 17, 0, LEAKY_RELU, true, ASKS(OF_RELUS)),
    CASE("1 x 1 x 1", 1, 1, 1, LEAKY_RELU, true, ASKS3(PACKED, SIDES, SHAPES)),
    CASE("1 x 16 x 7", 1, 16, 7, GELU_ERF, true, ASKS2(PACKED, SIDES)),
    CASE("17 x 1 x 7", 17, 1, 7, GELU_ERF, true, ASKS2(PACKED, SIDES)),
    CASE("17 x 9 x 1", 17, 9, 1, SIGMOID, true, ASKS2(PACKED, SIDES)),
    CASE("129 x 63 x 33", 129, 63, 33, GELU_TANH, true, ASKS3(PACKED, SHAPES, Z_GIVEN)),
    CASE("5 x 257 x 64", 5, 257, 64, GELU_ERF, true, ASKS3(PACKED, SHAPES, Z_GIVEN)),
    CASE("260 x 132 x 136", 260, 132, 136, TANH, true, ASKS3(PACKED, FP32, GA_GB_ARE)),
    CASE("72 x 40 x 40", 72, 40, 40, TANH, true, ASKS2(PACKED, GA_GB_ARE)),
    CASE("64 x 64 x 64", 64, 64, 64, RELU, true, ASKS2(PACKED, GA_GB_ARE)),
    CASE("131 x 259 x 261, no bias", 131, 259, 261, GELU_TANH, false,
         ASKS3(PACKED, FP32, GBIAS_OR_NULL)),
    CASE("1100 x 36 x 40, integers", 1100, 36, 40, RELU, true, .data = JUDGE_DATA_INTEGERS,
         ASKS2(GBIAS_IS, GA_GB_ARE)),
    CASE("1030 x 7 x 5, integers", 1030, 7, 5, NONE, true, .data = JUDGE_DATA_INTEGERS,
         ASKS2(GBIAS_IS, GA_GB_ARE)),
    CASE("36 x 1100 x 40, integers", 36, 1100, 40, RELU, true, .data = JUDGE_DATA_INTEGERS,
         ASKS2(GBIAS_IS, GA_GB_ARE)),
    CASE("5000 x 24 x 20, long sums", 5000, 24, 20, TANH, true, ASKS2(SAME_BITS, GA_GB_ARE)),
    CASE("40 x 3000 x 24, long sums", 40, 3000, 24, TANH, true, ASKS2(SAME_BITS, GA_GB_ARE)),
    CASE("2100 x 20 x 0: only the bias", 2100, 20, 0, TANH, true, ASKS2(NO_SUM, GBIAS_IS)),
    CASE("12000 x 2 x 2: sums of gB are long", 12000, 2, 2, RELU, true, .once = 1,
         ASKS2(LONG_SIDES, GA_GB_ARE)),
    CASE("2 x 12000 x 2: sums of gA are long", 2, 12000, 2, RELU, true, .once = 1,
         ASKS2(LONG_SIDES, GA_GB_ARE)),
    CASE("2 x 2 x 66000: wide A", 2, 2, 66000, TANH, false, .once = 1,
         ASKS2(LONG_SIDES, GA_GB_ARE)),
    CASE("1030 x 1020 x 1: over 2^20 elements of Z", 1030, 1020, 1, RELU, true, .once = 1,
         ASKS2(GZ_IS, GA_GB_ARE)),
    CASE("530 x 520 x 3: over 2^18 elements of Z", 530, 520, 3, NONE, true, .once = 1,
         .repeats = 2, ASKS2(SAME_BITS, GBIAS_IS)),
    CASE("200000 x 1 x 0: only the bias", 200000, 1, 0, NONE, true, .once = 1,
         ASKS2(LONG_SIDES, GBIAS_IS)),
    CASE("1 x 530000 x 0: only the bias", 1, 530000, 0, RELU, true, .once = 1,
         ASKS2(LONG_SIDES, GBIAS_IS)),
    CASE("0 x 48 x 20: zeros in gB and gBias", 0, 48, 20, SIGMOID, true, ASKS2(NO_SUM, SIDES)),
    CASE("0 x 47 x 21, no bias: zeros in gB", 0, 47, 21, SIGMOID, false, ASKS2(NO_SUM, SIDES)),
    CASE("33 x 0 x 20: zeros in gA", 33, 0, 20, GELU_ERF, true, ASKS2(NO_SUM, SIDES)),
    OFF_CASE("A", A),
    OFF_CASE("B", B),
    OFF_CASE("gY", GY),
    OFF_CASE("Z", Z),
    OFF_CASE("gA", GA),
    OFF_CASE("gB", GB),
    OFF_CASE("gBias", GBIAS),
    CASE("64 x 96 x 40, all one element off", 64, 96, 40, TANH, true, ALL_OFF(4)),
    CASE("64 x 96 x 40, all two elements off", 64, 96, 40, TANH, true, ALL_OFF(8)),
    CASE("640 x 96 x 40, all three elements off", 640, 96, 40, TANH, true, ALL_OFF(12)),
    CASE("1 x 70 x 72, NaN and infinities", 1, 70, 72, RELU, true, .data = JUDGE_DATA_SPECIALS,
         ASKS(NAN_SPREADS)),
    CASE("72 x 1 x 70, NaN and infinities", 72, 1, 70, NONE, true, .data = JUDGE_DATA_FEW_SPECIALS,
         ASKS(NAN_SPREADS)),
    CASE("200 x 133 x 70, a few NaN", 200, 133, 70, RELU, true, .data = JUDGE_DATA_FEW_SPECIALS,
         ASKS2(NAN_SPREADS, OF_NAN)),
    CASE("600 x 66 x 34, a few NaN", 600, 66, 34, NONE, true, .data = JUDGE_DATA_FEW_SPECIALS,
         ASKS2(NAN_SPREADS, OF_NAN)),
    CASE("200 x 200 x 40, zeros in tiles of gY", 200, 200, 40, NONE, true,
         .data = JUDGE_DATA_ZEROS_IN_FIRST, ASKS(NAN_SPREADS)),
    CASE("200 x 40 x 200, zeros in tiles of A", 200, 40, 200, NONE, true,
         .data = JUDGE_DATA_ZEROS_IN_SECOND, ASKS(NAN_SPREADS)),
    CASE("200 x 93 x 40, infinities in gY", 200, 93, 40, NONE, false,
         .data = JUDGE_DATA_INFINITE_FIRST, ASKS(NAN_SPREADS)),
    CASE("301 x 40 x 93, infinities in A", 301, 40, 93, NONE, false,
         .data = JUDGE_DATA_INFINITE_SECOND, ASKS(NAN_SPREADS)),
    CASE("68 x 36 x 132, subnormal products", 68, 36, 132, NONE, true, .data = JUDGE_DATA_TINY,
         ASKS(FP32)),
    CASE("3 x 66 x 35, subnormal products", 3, 66, 35, RELU, true, .data = JUDGE_DATA_TINY,
         ASKS(FP32)),
    /* What a narrower type cannot hold, where sums are long enough to make one worth it. */
    CASE("40 x 1100 x 36, rows times powers of 2", 40, 1100, 36, NONE, true,
         .data = JUDGE_DATA_SCALED, ASKS(FP32)),
    CASE("24 x 8300 x 20, columns of B", 24, 8300, 20, NONE, false, .data = JUDGE_DATA_PICKS_FIRST,
         .once = 1, ASKS(FP32)),
    CASE("8300 x 20 x 24, rows of gY", 8300, 20, 24, NONE, false, .data = JUDGE_DATA_PICKS_SECOND,
         .once = 1, ASKS(FP32)),
    CASE("1100 x 300 x 8, columns of B", 1100, 300, 8, NONE, false,
         .data = JUDGE_DATA_PICKS_FIRST, .once = 1, ASKS(FP32)),
    CASE("300 x 1100 x 8, rows of gY", 300, 1100, 8, NONE, false, .data = JUDGE_DATA_PICKS_SECOND,
         .once = 1, ASKS(FP32)),
    CASE("300 x 64 x 48, NaN in the workspace", 300, 64, 48, TANH, true, .prepares = 1,
         ASKS2(WORKSPACE, HELD_BEFORE)),
    CASE("700 x 33 x 21, NaN in the workspace", 700, 33, 21, TANH, true, .prepares = 1,
         ASKS2(WORKSPACE, HELD_BEFORE)),
    CASE("0 x 33 x 21, NaN in the workspace", 0, 33, 21, TANH, true, .prepares = 1,
         ASKS2(WORKSPACE, NO_SUM)),
    CASE("300 x 64 x 48, more workspace", 300, 64, 48, TANH, true, .script = MORE_ROOM,
         ASKS2(WORKSPACE, WORKSPACE_BYTES)),
    SLOPE_CASE("1 x 1 x 0, slope 0, first of a process", 1, 1, 0, 0, NONE, true, FIRST,
               ASKS(NO_SUM)),
    SLOPE_CASE("3 x 5 x 1, slope 0, first of a process", 3, 5, 1, 0, LEAKY_RELU, false, FIRST,
               ASKS(GZ_IS)),
    CASE("48 x 64 x 24", 48, 64, 24, TANH, true, ASKS(GZ_IS)),
    AFTER("then A one off", 1, 48, 64, 24, TANH, ALIGNED_TO_4, OFF(A)),
    AFTER("then B one off", 2, 48, 64, 24, TANH, ALIGNED_TO_4, OFF(B)),
    AFTER("then gY one off", 3, 48, 64, 24, TANH, ALIGNED_TO_4, OFF(GY)),
    AFTER("then Z one off", 4, 48, 64, 24, TANH, ALIGNED_TO_4, OFF(Z)),
    AFTER("then gA one off", 5, 48, 64, 24, TANH, ALIGNED_TO_4, OFF(GA)),
    AFTER("then gB one off", 6, 48, 64, 24, TANH, ALIGNED_TO_4, OFF(GB)),
    AFTER("then gBias one off", 7, 48, 64, 24, TANH, ALIGNED_TO_4, OFF(GBIAS)),
    AFTER("then m = 47", 8, 47, 64, 24, TANH, PACKED, .offset_bytes = {0}),
    AFTER("then n = 63", 9, 48, 63, 24, TANH, PACKED, .offset_bytes = {0}),
    AFTER("then k = 23", 10, 48, 64, 23, TANH, PACKED, .offset_bytes = {0}),
    AFTER("then sigmoid", 11, 48, 64, 24, SIGMOID, OF_CURVED, .offset_bytes = {0}),
    CASE("300 x 40 x 24", 300, 40, 24, TANH, true, ASKS(GZ_IS)),
    CASE("300 x 40 x 24, then m = 299", 299, 40, 24, TANH, true, .after = 1, ASKS(PACKED)),
    CASE("300 x 40 x 24, then n = 39", 300, 39, 24, TANH, true, .after = 2, ASKS(PACKED)),
    CASE("300 x 40 x 24, then k = 23", 300, 40, 23, TANH, true, .after = 3, ASKS(PACKED)),
    SLOPE_CASE("48 x 64 x 24, leaky relu", 48, 64, 24, 0.5, LEAKY_RELU, false, ASKS(OF_RELUS)),
    SLOPE_CASE("48 x 64 x 24, then another slope", 48, 64, 24, 0.25, LEAKY_RELU, false,
               ASKS(OF_RELUS), .after = 1),
    SLOPE_CASE("48 x 64 x 24, then a bias", 48, 64, 24, 0.5, LEAKY_RELU, true,
               ASKS(GBIAS_OR_NULL), .after = 2),
    CASE("0 x 0 x 0: nothing to do", 0, 0, 0, NONE, true, ASKS2(NO_ELEMENTS, ASKED_NONE),
         .launches_nothing = 1),
    CASE("0 x 16 x 0, no bias: nothing to do", 0, 16, 0, RELU, false,
         ASKS2(NO_ELEMENTS, ASKED_NONE), .launches_nothing = 1),
    CASE("16 x 0 x 0: nothing to do", 16, 0, 0, RELU, true, ASKS2(NO_ELEMENTS, ASKED_NONE),
         .launches_nothing = 1),
    CASE("16 x 8 x 0, no bias: nothing to do", 16, 8, 0, RELU, false,
         ASKS2(NO_ELEMENTS, ASKED_NONE), .launches_nothing = 1),
    CASE("0 x 0 x 1000000: nothing to do", 0, 0, 1000000, RELU, true, ASKS2(NO_ELEMENTS, SIDES),
         .launches_nothing = 1),
    CASE("1000000 x 0 x 0: nothing to do", 1000000, 0, 0, RELU, true, ASKS2(NO_ELEMENTS, SIDES),
         .launches_nothing = 1),
    CASE("33 x 65 x 17, captured and not", 33, 65, 17, GELU_TANH, true, .script = BY_TURNS,
         ASKS2(CAPTURED, SAME_BITS)),
    CASE("2100 x 70 x 33, captured and not", 2100, 70, 33, RELU, true, .script = BY_TURNS,
         ASKS2(CAPTURED, SAME_BITS)),
    CASE("33 x 17 x 0, captured and not", 33, 17, 0, RELU, true, .script = BY_TURNS,
         ASKS2(CAPTURED, SAME_BITS)),
    LARGEST("1000000 x 2147 x 2147 captured, not launched", 1000000, 2147, 2147),
    LARGEST("2147 x 1000000 x 2147 captured, not launched", 2147, 1000000, 2147),
    LARGEST("2147 x 2147 x 1000000 captured, not launched", 2147, 2147, 1000000),
    LARGEST("46340 x 46340 x 46340 captured, not launched", 46340, 46340, 46340),
    CASE("300 x 64 x 48, in turn with another call", 300, 64, 48, TANH, true, .script = IN_TURN,
         .calls = 2, ASKS(WORKSPACE_APART)),
    CASE("33 x 17 x 9, and the launch fails", 33, 17, 9, RELU, true,
         .refused_with = JUDGE_LAUNCH_FAILS, ASKS(LAUNCH_ERRORS)),
    CASE("33 x 17 x 0, and the launch fails", 33, 17, 0, RELU, true,
         .refused_with = JUDGE_LAUNCH_FAILS, ASKS(LAUNCH_ERRORS)),
    CASE("33 x 0 x 9, and the launch fails", 33, 0, 9, RELU, true,
         .refused_with = JUDGE_LAUNCH_FAILS, ASKS(LAUNCH_ERRORS)),
    REFUSED("m = -1", -1, 16, 8, REFUSED_SIZE, .script = ONE_CALL),
    REFUSED("n = -1", 16, -1, 8, REFUSED_SIZE, .script = ONE_CALL),
    REFUSED("k = -1", 16, 16, -1, REFUSED_SIZE, .script = ONE_CALL),
    REFUSED("m = 1000001", 1000001, 1, 1, REFUSED_SIZE, .script = ONE_CALL),
    REFUSED("n = 1000001", 1, 1000001, 1, REFUSED_SIZE, .script = ONE_CALL),
    REFUSED("k = 1000001", 1, 1, 1000001, REFUSED_SIZE, .script = ONE_CALL),
    REFUSED("m = 2^32 + 16", (INT64_C(1) << 32) + 16, 16, 8, REFUSED_SIZE, .script = ONE_CALL),
    REFUSED("m = -2^32 + 16, no elements", 16 - (INT64_C(1) << 32), 0, 0, REFUSED_SIZE,
            .script = ONE_CALL),
    REFUSED("65536 x 32768 x 1: 2^31 elements of Z", 65536, 32768, 1, NO_MORE_ELEMENTS,
            .script = ONE_CALL),
    REFUSED("65536 x 1 x 32768: 2^31 elements of A", 65536, 1, 32768, NO_MORE_ELEMENTS,
            .script = ONE_CALL),
    REFUSED("1 x 65536 x 65536: 2^32 elements of B", 1, 65536, 65536, NO_MORE_ELEMENTS,
            .script = ONE_CALL),
    REFUSED("A transposed", 32, 16, 8, REFUSED_FIELD, .script = TRANSPOSED_A),
    REFUSED("B transposed", 32, 16, 8, REFUSED_FIELD, .script = TRANSPOSED_B),
    REFUSED("Z not saved", 32, 16, 8, REFUSED_FIELD, .script = Z_NOT_SAVED),
    REFUSED_ACT("activation -1", -1),
    REFUSED_ACT("activation 7", ACTIVATIONS),
    REFUSED("gBias without a bias", 32, 16, 8, REFUSED_GBIAS, .script = NO_BIAS_SAID),
    REFUSED("no gBias with a bias", 32, 16, 8, REFUSED_GBIAS, .script = BIAS_MISSING),
    REFUSED("no gBias with a bias, no elements", 0, 16, 0, REFUSED_GBIAS, .script = BIAS_MISSING),
    REFUSED("one byte of workspace less", 32, 16, 8, REFUSED_WORKSPACE, .script = ONE_BYTE_LESS),
    REFUSED("one byte of workspace less, long sums", 700, 16, 8, REFUSED_WORKSPACE,
            .script = ONE_BYTE_LESS),
};
/* clang-format on */

enum { SLICE = 8, SHORTER = 4 };

/* Both have rows four times as many as columns: sums of gB are four times as long as those of gA,
 * and its tiles a quarter as many. The simulated one has 1/16 of the other's tiles, and SLICE
 * multiprocessors are 1/16 of an H200's. All its blocks run, and it gives the counters. Its sides
 * are SHORTER times as short, so moving a matrix is as many times as large a part of its time, and
 * so is what follows a sum: the time is the GPU's case's (examine/modelled.h), except of launchers
 * whose blocks wait for each other or count themselves. If the last block of a tile adds its parts,
 * this case has 0.80 for 0.94. */
static size_t timed(const struct judge_device *device, struct judge_case *cases, size_t room)
{
    const struct judge_case simulated =
        CASE("1024 x 256 x 256, bias, gelu", 1024, 256, 256, GELU_TANH, true);
    const struct judge_case on_device =
        CASE("4096 x 1024 x 1024, bias, gelu", 4096, 1024, 1024, GELU_TANH, true);
    if (room == 0)
        return 0;
    cases[0] = device->simulated ? simulated : on_device;
    return 1;
}

/* --- Buffers and work ------------------------------------------------------------------------- */

static size_t buffers(const struct judge_case *problem, struct judge_buffer *list)
{
    uint64_t m = (uint64_t)problem->size[M], n = (uint64_t)problem->size[N];
    uint64_t k = (uint64_t)problem->size[K];
    list[GY] = (struct judge_buffer){.name = "gY", JUDGE_IN, JUDGE_F32, m * n, n};
    list[A] = (struct judge_buffer){.name = "A", JUDGE_IN, JUDGE_F32, m * k, k};
    list[B] = (struct judge_buffer){.name = "B", JUDGE_IN, JUDGE_F32, k * n, n};
    list[Z] = (struct judge_buffer){.name = "Z", JUDGE_IN, JUDGE_F32, m * n, n};
    list[GA] = (struct judge_buffer){.name = "gA", JUDGE_OUT, JUDGE_F32, m * k, k};
    list[GB] = (struct judge_buffer){.name = "gB", JUDGE_OUT, JUDGE_F32, k * n, n};
    list[GBIAS] = (struct judge_buffer){
        .name = "gBias", JUDGE_OUT, JUDGE_F32, n, .optional = !problem->size[WITH_BIAS]};
    return BUFFERS;
}

static struct judge_work work(const struct judge_case *problem)
{
    double m = (double)problem->size[M], n = (double)problem->size[N], k = (double)problem->size[K];
    double bias = problem->size[WITH_BIAS] ? n : 0, products = k > 0 ? 4 * m * n * k : 0;
    return (struct judge_work){.bytes = 4 * (2 * m * n + 2 * m * k + 2 * k * n + bias),
                               .flop = products + 2 * m * n};
}

/* --- Bars ------------------------------------------------------------------------------------- */

static const struct judge_bar BARS[] = {
    {JUDGE_LAUNCHES, .at_most = LESSON8_MOST_LAUNCHES, .every_case = true,
     .message = "the contract forbids more than four kernel launches a call",
     .look_at = "which of them only move what another one could read or write in its place?"},
    {JUDGE_LOCAL_REQUESTS, .at_most = 0, .message = "an array of each thread lies in memory",
     .look_at = "registers have no index: loops over the sums have to be unrolled"},
    {JUDGE_FP64_INSTRUCTIONS, .at_most = 0, .message = "floats are calculated in double",
     .look_at = "a constant without an f, such as 0.5, makes what it is multiplied with double"},
    {JUDGE_LOAD_EFFICIENCY, .at_least = 0.90, .message = "loads touch more sectors than they need",
     .look_at = "neighbouring lanes should read what are neighbours in memory: in a column sum, "
                "let each lane have a column"},
    {JUDGE_STORE_EFFICIENCY, .at_least = 0.95,
     .message = "stores touch more sectors than they need",
     .look_at = "neighbouring lanes should write what are neighbours in a row"},
    {JUDGE_WAVEFRONT_RATIO, .at_most = 1.05,
     .message = "accesses to shared memory take more wavefronts than they need",
     .look_at = "the lanes of a warp should meet in different banks: how far apart are rows?"},
    {JUDGE_LOAD_BYTES_RATIO, .at_most = 1.25, .message = "more is loaded than the sums need",
     .look_at = "gY and Z are read once if gZ is kept, and a tile of 128 x 128 uses each element "
                "that it loads 128 times"},
    {JUDGE_ALL_BYTES_RATIO, .at_most = 1.25, .message = "more bytes move than the sums need",
     .look_at = "gZ is written once; parts of sums are as many as the device needs, no more"},
    JUDGE_BARS_OF_HOST(true),
};

static const char *const HINTS[] = {
    "gZ is one pass over gY and Z, and both products read it. How often does each launch read or "
    "write a whole matrix, and which of them only turn one? How many tiles does each product "
    "have, how long is each of them, and how many multiprocessors does that leave idle?",
    "One pass makes gZ, and the sums of its columns on the way, since it has each element in a "
    "register: a lane for each column, or four, and parts of a column added in a fixed order. "
    "Neither product needs a transposed copy: gA = gZ B^T has both operands along the sum, gB = "
    "A^T gZ both across it, and tile_product() takes either. The products do not need each other, "
    "so their tiles can be one grid. A sum of gB is as long as m, and its tiles are few: cut it "
    "into parts as long as n, each a tile of its own in the workspace, and add them afterwards.",
    "Three launches. First: blocks of 128 columns by 64 rows; each thread has 4 columns as a "
    "float4 and every eighth row, gz = gy * derivative(z), adds gz to its four sums and writes "
    "it; then eight warps add theirs in shared memory, and write a row of partial sums. Second: a "
    "grid of tiles of both products; if (blockIdx.x < gB_tiles) tile_product<TILE_ACROSS_QUADS, "
    "TILE_ACROSS_QUADS> of A and gZ from row part * n on, to the workspace at part * k * n; else "
    "tile_product<TILE_ALONG, TILE_ALONG> of gZ and B, to gA. Third: each element of gB is the "
    "sum of its parts, in turn, and each of gBias that of its rows.",
};

static bool is_one_pass(const struct judge_evidence *e)
{
    return e->counter[JUDGE_LAUNCHES] <= 3 && e->counter[JUDGE_ALL_BYTES_RATIO] <= 1.25;
}

static bool loads_well(const struct judge_evidence *e)
{
    return e->counter[JUDGE_LOAD_EFFICIENCY] >= 0.90 && e->counter[JUDGE_LOAD_BYTES_RATIO] <= 1.25;
}

static const struct judge_asked ASKED[] = {
    {2, "One pass makes gZ", 0, is_one_pass},
    {2, "Neither product needs", 0, loads_well},
};

static const struct judge_ending ENDINGS[] = {
    {BACKWARD_BAD_WORKSPACE,
     "lesson8_workspace() returned a number of bytes that the contract does "
     "not allow, so the launcher was not called"},
    {0},
};

static const struct judge BACKWARD = {
    .lesson = "08_backward",
    .title = "backward epilogue",
    .launchers = LAUNCHERS,
    .as_shipped = "SLOW counters mistake transposed_apart",
    .clauses = &BACKWARD_CLAUSES,
    .context = BACKWARD_CONTEXT,
    .cases = CASES,
    .case_count = sizeof CASES / sizeof *CASES,
    .drawn = backward_draw,
    .redrawn = backward_redraw,
    .nearby = backward_nearby,
    .slice = SLICE,
    .regimes = &BACKWARD_REGIMES,
    .least_gain = SHORTER * JUDGE_LEAST_GAIN,
    .timed = timed,
    .calls_overlap = true,
    .buffers = buffers,
    .truth = backward_truth,
    .work = work,
    .truth_at = backward_truth_at,
    .launch = backward_launch,
    .endings = ENDINGS,
    .workspace_bytes = BACKWARD_WORKSPACE_BYTES,
    .bars = BARS,
    .bar_count = sizeof BARS / sizeof *BARS,
    .utilization_bar = 0.75,
    .modelled_bar = 0.69, /* two launches whose sums of gB are not cut have 0.67, and one 0.72 */
    .gold_bar = 0.60,
    .ceiling = "FMA rate",
    .hints = HINTS,
    .asked = ASKED,
    .asked_count = sizeof ASKED / sizeof *ASKED,
    .mistakes = &BACKWARD_MISTAKES,
};
JUDGE(BACKWARD);
