/* judge.c - lesson 4: bias and activation at the end of a product, in one launch and one write.
 *
 * The product itself is given, so what is judged is its end. The cases go through every activation,
 * with and without bias and saved pre-activation, on sides that no tile divides and pointers that
 * no float4 likes. With k = 0 the pre-activation is the bias itself: that is how NaN, infinities
 * and zeros get to the activations. (Special values on both sides of a sum would not do: whether a
 * product that overflows and a bias of -infinity make NaN depends on which is added first.)
 *
 * How far off a result may be. Z: as in lesson 2, judge_product_allowed of its sum, of which FP32
 * in any order takes a third at most, and which TF32 or FP16 inputs exceed at least eighteenfold
 * (the table is in check/judge.h). Y: what that error becomes in the activation, whose slope is at
 * most 1.13, and a few roundings more. With k at most 64 that is about 2e-5, so that one form of
 * GELU is not taken for the other: they differ by 4.7e-4 at |z| = 2.7, and by more than 1e-4 from
 * 1.3 to 4.
 *
 * The contract is common/contracts/04_epilogue.h; read grader/check/judge.h for the fields.
 * Next: problem.h, cases.h, drawn.h, regimes.h, truth.h and mistakes.h.
 */
#include "judges/04_epilogue/cases.h"
#include "judges/04_epilogue/drawn.h"
#include "judges/04_epilogue/mistakes.h"
#include "judges/04_epilogue/regimes.h"
#include "judges/04_epilogue/truth.h"

#include <string.h>

static const char *const LAUNCHERS[] = {"lesson4_gemm_bias_act", NULL};

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
    memset(&gemm, 0xFF, sizeof gemm); /* it was read before the call returned */
    __asm__ volatile("" ::"r"(&gemm) : "memory");
    return error;
}

static cudaError_t launch(const struct judge_call *call)
{
    bool fails = call->problem->refused_with == JUDGE_LAUNCH_FAILS;
    return fails ? judge_without_launch(call, call_once) : call_once(call);
}

/* --- Bars ------------------------------------------------------------------------------------- */

/* In the timed case the solution moves 1.27 times what the problem has: 0.97 are the outputs, the
 * rest is the product, whose tiles fetch each element of A and B eight times. */
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
    "Bias belongs to columns; a thread's eight rows share it. And four neighbouring columns are "
    "one float4.",
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

/* Sums in an array with an index that is not unrolled are in local memory. */
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
    .clauses = CLAUSES,
    .clause_count = sizeof CLAUSES / sizeof *CLAUSES,
    .context = CONTEXT,
    .cases = CASES,
    .case_count = sizeof CASES / sizeof *CASES,
    .drawn = draw_cases,
    .drawn_large = draw_large,
    .redrawn = redraw,
    .nearby = nearby,
    .regimes = REGIMES,
    .regime_count = sizeof REGIMES / sizeof *REGIMES,
    .timed = timed,
    .buffers = buffers,
    .truth = truth,
    .work = work,
    .large = LARGE,
    .large_count = sizeof LARGE / sizeof *LARGE,
    .truth_at = truth_at,
    .small_too = true,
    .launch = launch,
    .bars = BARS,
    .bar_count = sizeof BARS / sizeof *BARS,
    .utilization_bar = 0.76, /* calibration.csv: a bias by single floats 0.79; a switch in the
                              * loops 0.51, modelled 0.73 */
    .gold_bar = 0.60,
    .ceiling = "FMA rate",
    .hints = HINTS,
    .asked = ASKED,
    .asked_count = sizeof ASKED / sizeof *ASKED,
    .mistakes = MISTAKES,
    .mistake_count = sizeof MISTAKES / sizeof *MISTAKES,
};
JUDGE(EPILOGUE);
