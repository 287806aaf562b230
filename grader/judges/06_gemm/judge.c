/* judge.c - lesson 6: products by cuBLASLt, with plans that are made once and kept.
 *
 * The numerics cases share one context, so that a plan which is found again for a problem that only
 * looks the same gives a wrong result: the same shape comes with other epilogues, transposes, types
 * and alignments. Scripts capture a call, hand over another bias, and take a context's file to
 * another context, whole and spoilt.
 *
 * What is counted is a second process's work, as far as one process can show it: a context that
 * loads what another has saved, and then runs a mix of decode and prefill products. It may ask the
 * library about one problem, the one that is new to it, and that comes while the stream is
 * captured, where nothing can be measured.
 *
 * The contract is common/contracts/06_gemm.h; read grader/check/judge.h for the fields.
 */
#include "check/judge.h"
#include "check/verdict.h"
#include "contracts/06_gemm.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum launcher { CREATE, GEMM, SAVE, LOAD, DESTROY };
static const char *const LAUNCHERS[] = {"lesson6_create", "lesson6_gemm", "lesson6_save",
                                        "lesson6_load", "lesson6_destroy", NULL};
/* What a judged case is about is always the product. */
static const char *const LIBRARIES[] = {"cublasLt", NULL};

enum script {
    ONE_CALL,
    CAPTURED,     /* the first call of its kind, as a graph that is launched twice */
    OTHER_BIAS,   /* two calls that differ in the pointer to the bias alone */
    RELOADED,     /* save, and load in another context: the same bits */
    SPOILT,       /* what load says of files that it must not believe */
    SERVED,       /* the mix, by a context that has loaded its plans; see serve() */
    STEADY,       /* the mix, by a context that has run it before */
};

enum { M, N, K, TRANSPOSE, BIAS_AND_SUCH, ACTIVATION, TYPE, SPARSE }; /* judge_case.size */
enum { TA = 1, TB = 2 };                                             /* TRANSPOSE */
enum { WITH_BIAS = 1 };

/* Buffers of a case; those behind Y only of some scripts. */
enum { A, B, BIAS, Y, BIAS_2, Y_2, ANSWERS };
/* Of the timed case: a set for each type, then one whose rows are of odd length. */
enum { SET = 4, ODD_A = 2 * SET, ODD_B, ODD_Y };

#define CASE(text, m, n, k, transpose, bias, act, type, ...)                                   \
    {.name = text, .launcher = GEMM,                                                           \
     .size = {[M] = m, [N] = n, [K] = k, [TRANSPOSE] = transpose, [BIAS_AND_SUCH] = bias,      \
              [ACTIVATION] = QUEST_ACT_##act, [TYPE] = LESSON6_##type},                        \
     __VA_ARGS__}
#define OFF(buffer) .offset_bytes = {[buffer] = 2}

static const struct judge_case CASES[] = {
    CASE("64 x 64 x 64", 64, 64, 64, 0, 0, NONE, F16),
    CASE("64 x 64 x 64, A transposed", 64, 64, 64, TA, 0, NONE, F16),
    CASE("64 x 64 x 64, B transposed", 64, 64, 64, TB, 0, NONE, F16),
    CASE("64 x 64 x 64, both transposed", 64, 64, 64, TA | TB, 0, NONE, F16),
    CASE("64 x 64 x 64, relu", 64, 64, 64, 0, 0, RELU, F16),
    CASE("64 x 64 x 64, gelu", 64, 64, 64, 0, 0, GELU_TANH, F16),
    CASE("64 x 64 x 64, bias", 64, 64, 64, 0, WITH_BIAS, NONE, F16),
    CASE("64 x 64 x 64, bias, gelu", 64, 64, 64, 0, WITH_BIAS, GELU_TANH, F16),
    CASE("64 x 64 x 64, bf16", 64, 64, 64, 0, 0, NONE, BF16),
    CASE("64 x 64 x 64, bf16, bias, relu", 64, 64, 64, 0, WITH_BIAS, RELU, BF16),
    CASE("17 x 33 x 24", 17, 33, 24, 0, WITH_BIAS, NONE, F16),
    CASE("17 x 33 x 24, A transposed", 17, 33, 24, TA, WITH_BIAS, NONE, F16),
    CASE("17 x 33 x 24, B transposed", 17, 33, 24, TB, WITH_BIAS, RELU, BF16),
    CASE("17 x 33 x 24, both transposed", 17, 33, 24, TA | TB, 0, GELU_TANH, BF16),
    CASE("5 x 7 x 9", 5, 7, 9, 0, WITH_BIAS, GELU_TANH, F16),
    CASE("1 x 1 x 1", 1, 1, 1, 0, 0, NONE, BF16),
    CASE("32 x 16 x 64, A one element off", 32, 16, 64, 0, WITH_BIAS, RELU, F16),
    CASE("64 x 64 x 64, A one element off", 64, 64, 64, 0, 0, NONE, F16, OFF(A)),
    CASE("64 x 64 x 64, B one element off", 64, 64, 64, 0, 0, NONE, F16, OFF(B)),
    CASE("64 x 64 x 64, Y one element off", 64, 64, 64, 0, 0, NONE, F16, OFF(Y)),
    CASE("64 x 64 x 64, bias one element off", 64, 64, 64, 0, WITH_BIAS, GELU_TANH, F16,
         OFF(BIAS)),
    CASE("1 x 1024 x 512: decode", 1, 1024, 512, TB, WITH_BIAS, GELU_TANH, F16),
    CASE("8 x 512 x 1024: decode", 8, 512, 1024, TB, WITH_BIAS, GELU_TANH, BF16),
    CASE("16 x 24 x 4096: long sums", 16, 24, 4096, 0, 0, NONE, F16),
    CASE("130 x 257 x 515, B transposed", 130, 257, 515, TB, WITH_BIAS, RELU, F16),
    CASE("48 x 40 x 56, captured at first sight", 48, 40, 56, TB, WITH_BIAS, RELU, F16,
         .script = CAPTURED),
    CASE("24 x 40 x 56, then with another bias", 24, 40, 56, TB, WITH_BIAS, NONE, F16,
         .script = OTHER_BIAS),
    CASE("40 x 72 x 88, by plans from a file", 40, 72, 88, TB, WITH_BIAS, GELU_TANH, BF16,
         .script = RELOADED),
    CASE("32 x 64 x 48, beside files not to be believed", 32, 64, 48, 0, 0, NONE, F16,
         .script = SPOILT),
};

/* --- The mix ------------------------------------------------------------------------------------ */

/* Rows of A and Y, one call behind the other: a token, a few, many, a prompt. B and bias are the
 * layer's, and the same for all. The last call is the one that is new when plans are loaded. */
enum { CALLS = 5, NEW_CALL = CALLS - 1, NEW_RUNS = 5, ROUNDS = 2, ODD_ROWS = 64 };
static const int64_t DECODE_ROWS[] = {1, 8, 64};
enum { NEW_ROWS = 24 };

static int64_t rows_of_call(const struct judge_case *problem, int call)
{
    return call == NEW_CALL ? NEW_ROWS : call == NEW_CALL - 1 ? problem->size[M]
                                                              : DECODE_ROWS[call];
}

static int64_t all_rows(const struct judge_case *problem)
{
    int64_t rows = 0;
    for (int call = 0; call < CALLS; call++)
        rows += rows_of_call(problem, call);
    return rows;
}

static bool is_mix(const struct judge_case *problem)
{
    return problem->script == SERVED || problem->script == STEADY;
}

/* Rows that are no multiple of 16 bytes, and not of 4 either. */
static int64_t odd(int64_t side)
{
    return side / 2 - 3;
}

/* In the simulated device's mix one element of A in 16 is not zero, so that the truth of two
 * million elements does not take longer than all the rest. */
static size_t timed(const struct judge_device *device, struct judge_case *cases, size_t room)
{
    const struct judge_case simulated =
        CASE("decode and prefill, 768 x 768 weights", 2048, 768, 768, TB, WITH_BIAS, GELU_TANH,
             F16, .script = SERVED);
    const struct judge_case on_device =
        CASE("decode and prefill, 4096 x 4096 weights", 4096, 4096, 4096, TB, WITH_BIAS, GELU_TANH,
             F16, .script = STEADY);
    if (room == 0)
        return 0;
    cases[0] = device->simulated ? simulated : on_device;
    cases[0].size[SPARSE] = device->simulated;
    return 1;
}

/* --- Buffers ------------------------------------------------------------------------------------ */

static enum judge_type buffer_type(int64_t type)
{
    return type == LESSON6_F16 ? JUDGE_F16 : JUDGE_BF16;
}

static struct judge_buffer matrix(const char *name, enum judge_role role, enum judge_type type,
                                  int64_t rows, int64_t columns)
{
    return (struct judge_buffer){.name = name, role, type, (uint64_t)(rows * columns),
                                 (uint64_t)columns};
}

static size_t mix_buffers(const struct judge_case *problem, struct judge_buffer *list)
{
    static const char *const NAMES[2 * SET] = {"A in f16", "B in f16", "bias in f16", "Y in f16",
                                               "A in bf16", "B in bf16", "bias in bf16",
                                               "Y in bf16"};
    int64_t n = problem->size[N], k = problem->size[K], rows = all_rows(problem);
    for (int set = 0; set < 2; set++) {
        enum judge_type type = buffer_type(set == 0 ? LESSON6_F16 : LESSON6_BF16);
        struct judge_buffer *own = list + set * SET;
        own[A] = matrix(NAMES[set * SET + A], JUDGE_IN, type, rows, k);
        own[B] = matrix(NAMES[set * SET + B], JUDGE_IN, type, n, k);
        own[BIAS] = matrix(NAMES[set * SET + BIAS], JUDGE_IN, type, 1, n);
        own[Y] = matrix(NAMES[set * SET + Y], JUDGE_OUT, type, rows, n);
    }
    list[ODD_A] = matrix("A with odd rows", JUDGE_IN, JUDGE_F16, ODD_ROWS, odd(k));
    list[ODD_B] = matrix("B with odd rows", JUDGE_IN, JUDGE_F16, odd(n), odd(k));
    list[ODD_Y] = matrix("Y with odd rows", JUDGE_OUT, JUDGE_F16, ODD_ROWS, odd(n));
    return ODD_Y + 1;
}

/* What load is asked to believe. */
enum { GOOD, FLIPPED, CUT_SHORT, LENGTHENED, OTHER_VERSION, OTHER_DEVICE, EMPTY, MISSING, FILES };

static size_t buffers(const struct judge_case *problem, struct judge_buffer *list)
{
    const int64_t *size = problem->size;
    enum judge_type type = buffer_type(size[TYPE]);
    uint32_t script = problem->script;
    bool ta = size[TRANSPOSE] & TA, tb = size[TRANSPOSE] & TB, bias = size[BIAS_AND_SUCH];
    if (is_mix(problem))
        return mix_buffers(problem, list);
    list[A] = matrix("A", JUDGE_IN, type, ta ? size[K] : size[M], ta ? size[M] : size[K]);
    list[B] = matrix("B", JUDGE_IN, type, tb ? size[N] : size[K], tb ? size[K] : size[N]);
    list[BIAS] = matrix("bias", JUDGE_IN, type, 1, size[N]);
    list[BIAS].optional = !bias;
    list[Y] = matrix("Y", JUDGE_OUT, type, size[M], size[N]);
    if (script != OTHER_BIAS && script != RELOADED && script != SPOILT)
        return Y + 1;
    list[BIAS_2] = matrix("the other bias", JUDGE_IN, type, 1, size[N]);
    list[BIAS_2].optional = script != OTHER_BIAS;
    list[Y_2] = matrix(script == OTHER_BIAS ? "Y with the other bias" : "Y after loading",
                       JUDGE_OUT, type, size[M], size[N]);
    list[Y_2].optional = script == SPOILT;
    list[ANSWERS] = (struct judge_buffer){.name = "refused by lesson6_load", JUDGE_OUT, JUDGE_U32,
                                          FILES, .optional = script != SPOILT};
    return ANSWERS + 1;
}

/* --- Inputs ------------------------------------------------------------------------------------- */

static uint64_t word_of(uint64_t seed, uint64_t i)
{
    uint64_t word = seed + (i + 1) * UINT64_C(0x9E3779B97F4A7C15);
    word = (word ^ word >> 30) * UINT64_C(0xBF58476D1CE4E5B9);
    word = (word ^ word >> 27) * UINT64_C(0x94D049BB133111EB);
    return word ^ word >> 31;
}

/* Uniform in [-1, 1]; 8 bits and a sign, so that either type holds it exactly. */
static float drawn(uint64_t word)
{
    return (float)((int64_t)(word >> 55) - 256) * 0x1p-8f;
}

static void fill(const struct judge_case *problem, size_t buffer, void *input, uint64_t count,
                 uint64_t seed)
{
    bool is_bf16 = is_mix(problem) ? buffer / SET == 1 : problem->size[TYPE] == LESSON6_BF16;
    bool sparse = problem->size[SPARSE] && (buffer == ODD_A || buffer % SET == A);
    uint16_t *to = input;
    for (uint64_t i = 0; i < count; i++) {
        uint64_t word = word_of(seed, i);
        float value = sparse && word % 16 ? 0 : drawn(word);
        uint32_t bits;
        memcpy(&bits, &value, sizeof bits);
        if (is_bf16)
            to[i] = (uint16_t)(bits >> 16);
        else
            ((_Float16 *)input)[i] = (_Float16)value;
    }
}

/* --- Truth -------------------------------------------------------------------------------------- */

/* One product with its epilogue. Strides are in elements, between rows and between columns. */
struct product {
    int64_t m, n, k, a_row, a_column;
    enum judge_type type;
    enum quest_activation activation;
    const void *a, *bias;
    const double *b;   /* k x n, by rows */
};

static double *dense(const void *b, enum judge_type type, int64_t k, int64_t n, bool transposed)
{
    double *values = malloc((size_t)(k * n) * sizeof *values);
    for (int64_t row = 0; values && row < k; row++)
        for (int64_t column = 0; column < n; column++)
            values[row * n + column] = judge_element(
                b, type, (uint64_t)(transposed ? column * k + row : row * n + column));
    return values;
}

static double gelu(double z)
{
    return z / 2 * (1 + tanh(M_2_SQRTPI * M_SQRT1_2 * (z + 0.044715 * z * z * z)));
}

/* Y may be off by: what the FP32 sum may be, which the activation enlarges to 1.13 of it at most;
 * the tanh of the hardware, which libraries use for GELU and which is good to 2^-10.98 (PTX ISA,
 * tanh.approx.f32); and one rounding to the type. FP16 sums of 4096 products are off by 3 to 8
 * times as much. */
static double allowed_for(const struct product *product, double z, double y, double magnitude)
{
    double rounding = product->type == JUDGE_F16 ? 0x1p-11 : 0x1p-8;
    double z_allowed = judge_product_allowed(magnitude);
    bool is_gelu = product->activation == QUEST_ACT_GELU_TANH;
    double y_allowed = is_gelu ? 1.13 * z_allowed + 0x1p-11 * fabs(z) : z_allowed;
    return y_allowed + rounding * (fabs(y) + y_allowed) + 0x1p-25;
}

/* A row of Y, where sum and magnitude hold what the product gave. */
static void finish_row(const struct product *product, double *sum, double *magnitude)
{
    for (int64_t column = 0; column < product->n; column++) {
        double bias = product->bias ? judge_element(product->bias, product->type, (uint64_t)column)
                                    : 0;
        double z = sum[column] + bias, y = z;
        if (product->activation == QUEST_ACT_RELU)
            y = z < 0 ? 0 : z;
        else if (product->activation == QUEST_ACT_GELU_TANH)
            y = gelu(z);
        magnitude[column] = allowed_for(product, z, y, magnitude[column] + fabs(bias));
        sum[column] = y;
    }
}

static void truth_of(const struct product *product, double *expected, double *allowed)
{
    int64_t n = product->n;
    for (int64_t row = 0; row < product->m; row++, expected += n, allowed += n) {
        for (int64_t i = 0; i < product->k; i++) {
            double a = judge_element(product->a, product->type,
                                     (uint64_t)(row * product->a_row + i * product->a_column));
            const double *b = product->b + i * n;
            if (a == 0) /* there are no NaNs here */
                continue;
            for (int64_t column = 0; column < n; column++) {
                expected[column] += a * b[column];
                allowed[column] += fabs(a * b[column]);
            }
        }
        finish_row(product, expected, allowed);
    }
}

static void truth_of_mix(const struct judge_case *problem, struct judge_host *host)
{
    int64_t n = problem->size[N], k = problem->size[K];
    for (int set = 0; set < 3; set++) {
        bool is_odd = set == 2;
        struct judge_host *a = &host[set * SET], *y = &host[is_odd ? ODD_Y : set * SET + Y];
        int64_t columns = is_odd ? odd(n) : n, depth = is_odd ? odd(k) : k;
        enum judge_type type = buffer_type(set == 1 ? LESSON6_BF16 : LESSON6_F16);
        double *b = dense(a[B].input, type, depth, columns, true);
        struct product product = {.m = is_odd ? ODD_ROWS : all_rows(problem),
                                  .n = columns,
                                  .k = depth,
                                  .a_row = depth,
                                  .a_column = 1,
                                  .type = type,
                                  .activation = is_odd ? QUEST_ACT_NONE : QUEST_ACT_GELU_TANH,
                                  .a = a[A].input,
                                  .bias = is_odd ? NULL : a[BIAS].input,
                                  .b = b};
        if (b)
            truth_of(&product, y->expected, y->allowed);
        free(b);
    }
}

static void truth(const struct judge_case *problem, struct judge_host *host)
{
    const int64_t *size = problem->size;
    enum judge_type type = buffer_type(size[TYPE]);
    if (is_mix(problem)) {
        truth_of_mix(problem, host);
        return;
    }
    bool ta = size[TRANSPOSE] & TA;
    double *b = dense(host[B].input, type, size[K], size[N], size[TRANSPOSE] & TB);
    struct product product = {.m = size[M],
                              .n = size[N],
                              .k = size[K],
                              .a_row = ta ? 1 : size[K],
                              .a_column = ta ? size[M] : 1,
                              .type = type,
                              .activation = (enum quest_activation)size[ACTIVATION],
                              .a = host[A].input,
                              .bias = size[BIAS_AND_SUCH] ? host[BIAS].input : NULL,
                              .b = b};
    if (b)
        truth_of(&product, host[Y].expected, host[Y].allowed);
    if (b && (problem->script == OTHER_BIAS || problem->script == RELOADED)) {
        if (problem->script == OTHER_BIAS)
            product.bias = host[BIAS_2].input;
        truth_of(&product, host[Y_2].expected, host[Y_2].allowed);
    }
    for (int file = 0; problem->script == SPOILT && file < FILES; file++)
        host[ANSWERS].expected[file] = file != GOOD;
    free(b);
}

static struct judge_work work(const struct judge_case *problem)
{
    double n = (double)problem->size[N], k = (double)problem->size[K], bytes = 0, flop = 0;
    int calls = problem->script == SERVED ? ROUNDS * NEW_CALL : CALLS;
    for (int call = 0; call < calls; call++) {
        double m = (double)rows_of_call(problem, problem->script == SERVED ? call % NEW_CALL : call);
        bytes += 2 * 2 * (m * k + n * k + m * n);
        flop += 2 * 2 * m * n * k;
    }
    return (struct judge_work){.bytes = bytes, .tensor_flop = flop};
}

/* --- Calling ------------------------------------------------------------------------------------ */

/* What the runner keeps from call to call. */
struct kept {
    void *workspace;
    struct lesson6_context *context;   /* of all numerics cases, and of the steady mix */
    bool served;                       /* the file is there */
};
/* Three matrices of 4096 x 4096, and as much again. */
enum { WORKSPACE_BYTES = 192 << 20 };

typedef cudaError_t create_function(struct lesson6_context **, void *, size_t);
typedef cudaError_t gemm_function(struct lesson6_context *, enum lesson6_type, const void *,
                                  const void *, const void *, void *, const struct quest_gemm *,
                                  cudaStream_t);
typedef cudaError_t file_function(struct lesson6_context *, const char *);
typedef cudaError_t destroy_function(struct lesson6_context *);

static cudaError_t create(const struct judge_call *call, struct lesson6_context **context)
{
    struct kept *kept = call->memory;
    cudaError_t error =
        kept->workspace ? cudaSuccess : cudaMalloc(&kept->workspace, WORKSPACE_BYTES);
    *context = NULL;
    return error == cudaSuccess
               ? ((create_function *)call->symbols[CREATE])(context, kept->workspace,
                                                            WORKSPACE_BYTES)
               : error;
}

static cudaError_t destroy(const struct judge_call *call, struct lesson6_context *context)
{
    return ((destroy_function *)call->symbols[DESTROY])(context);
}

static cudaError_t save(const struct judge_call *call, struct lesson6_context *context,
                        const char *path)
{
    return ((file_function *)call->symbols[SAVE])(context, path);
}

static cudaError_t load(const struct judge_call *call, struct lesson6_context *context,
                        const char *path)
{
    return ((file_function *)call->symbols[LOAD])(context, path);
}

/* The product of a numerics case, with these outputs. */
static cudaError_t gemm(const struct judge_call *call, struct lesson6_context *context,
                        const void *bias, void *y)
{
    const int64_t *size = call->problem->size;
    const struct quest_gemm asked = {.m = size[M],
                                     .n = size[N],
                                     .k = size[K],
                                     .transpose_a = size[TRANSPOSE] & TA,
                                     .transpose_b = size[TRANSPOSE] & TB,
                                     .with_bias = size[BIAS_AND_SUCH],
                                     .activation = (enum quest_activation)size[ACTIVATION]};
    return ((gemm_function *)call->symbols[GEMM])(context, (enum lesson6_type)size[TYPE],
                                                  call->buffers[A], call->buffers[B], bias, y,
                                                  &asked, call->stream);
}

/* One call of the mix; index CALLS is the one with odd rows. */
static cudaError_t mix_call(const struct judge_call *call, struct lesson6_context *context,
                            int set, int index)
{
    const struct judge_case *problem = call->problem;
    int64_t n = problem->size[N], k = problem->size[K], before = 0;
    bool is_odd = index == CALLS;
    void *const *own = call->buffers + (is_odd ? ODD_A : set * SET);
    for (int i = 0; i < index && !is_odd; i++)
        before += rows_of_call(problem, i);
    const struct quest_gemm asked = {.m = is_odd ? ODD_ROWS : rows_of_call(problem, index),
                                     .n = is_odd ? odd(n) : n,
                                     .k = is_odd ? odd(k) : k,
                                     .transpose_b = true,
                                     .with_bias = !is_odd,
                                     .activation = is_odd ? QUEST_ACT_NONE
                                                          : QUEST_ACT_GELU_TANH};
    const uint16_t *a = (const uint16_t *)own[A] + before * k;
    uint16_t *y = is_odd ? call->buffers[ODD_Y] : (uint16_t *)own[Y] + before * n;
    return ((gemm_function *)call->symbols[GEMM])(
        context, set == 0 ? LESSON6_F16 : LESSON6_BF16, a, own[B], is_odd ? NULL : own[BIAS], y,
        &asked, call->stream);
}

/* The first calls of the mix in both types, and the odd one. */
static cudaError_t mix(const struct judge_call *call, struct lesson6_context *context, int calls)
{
    cudaError_t error = mix_call(call, context, 0, CALLS);
    for (int set = 0; set < 2; set++)
        for (int index = 0; index < calls && error == cudaSuccess; index++)
            error = mix_call(call, context, set, index);
    return error;
}

/* --- Scripts ------------------------------------------------------------------------------------ */

static cudaError_t call_once(const struct judge_call *call, struct lesson6_context *context)
{
    return gemm(call, context, call->buffers[BIAS], call->buffers[Y]);
}

/* What body does, as a graph that is launched so often. */
static cudaError_t captured(const struct judge_call *call, struct lesson6_context *context,
                            cudaError_t (*body)(const struct judge_call *,
                                                struct lesson6_context *),
                            int launches)
{
    cudaGraph_t recorded = NULL;
    cudaGraphExec_t graph = NULL;
    cudaError_t error = cudaStreamBeginCapture(call->stream, cudaStreamCaptureModeRelaxed);
    if (error != cudaSuccess)
        return error;
    cudaError_t called = body(call, context);
    error = cudaStreamEndCapture(call->stream, &recorded);
    if (called != cudaSuccess)
        error = called;
    if (error == cudaSuccess)
        error = cudaGraphInstantiate(&graph, recorded, 0);
    for (int i = 0; i < launches && error == cudaSuccess; i++)
        error = cudaGraphLaunch(graph, call->stream);
    if (graph)
        cudaGraphExecDestroy(graph);
    if (recorded)
        cudaGraphDestroy(recorded);
    return error;
}

static cudaError_t other_bias(const struct judge_call *call, struct lesson6_context *context)
{
    cudaError_t error = call_once(call, context);
    return error == cudaSuccess
               ? gemm(call, context, call->buffers[BIAS_2], call->buffers[Y_2])
               : error;
}

/* A file of this process's own; in the sandbox /tmp is, too. */
static void name_file(char path[64])
{
    snprintf(path, 64, "/tmp/quest-plans-%ld", (long)getpid());
}

/* One context works the case out and saves it, another one loads it. */
static cudaError_t reloaded(const struct judge_call *call)
{
    struct lesson6_context *first = NULL, *second = NULL;
    char path[64];
    name_file(path);
    cudaError_t error = create(call, &first);
    if (error == cudaSuccess)
        error = call_once(call, first);
    if (error == cudaSuccess)
        error = save(call, first, path);
    if (error == cudaSuccess)
        error = create(call, &second);
    if (error == cudaSuccess)
        error = load(call, second, path);
    if (error == cudaSuccess)
        error = gemm(call, second, call->buffers[BIAS], call->buffers[Y_2]);
    if (first)
        destroy(call, first);
    if (second)
        destroy(call, second);
    unlink(path);
    return error;
}

struct file {
    struct lesson6_stamp stamp;
    unsigned char bytes[1 << 16];
    size_t size;                 /* of both */
};

static bool read_file(const char *path, struct file *file)
{
    FILE *from = fopen(path, "rb");
    size_t stamp = from ? fread(&file->stamp, 1, sizeof file->stamp, from) : 0;
    file->size = stamp + (stamp == sizeof file->stamp
                              ? fread(file->bytes, 1, sizeof file->bytes, from) : 0);
    if (from)
        fclose(from);
    return file->size >= sizeof file->stamp;
}

static bool write_file(const char *path, const struct file *file)
{
    FILE *to = fopen(path, "wb");
    bool written = to && fwrite(file, 1, file->size, to) == file->size;
    return to && fclose(to) == 0 && written;
}

/* What the file becomes. A checksum that no longer fits is part of some; where the stamp is what is
 * wrong, nothing else is. */
static void spoil(struct file *file, int how)
{
    size_t bytes = file->size - sizeof file->stamp;
    switch (how) {
    case FLIPPED:
        if (bytes)
            file->bytes[bytes / 2] ^= 4;
        else
            file->stamp.checksum ^= 4;
        break;
    case CUT_SHORT: file->size -= bytes ? bytes / 2 + 1 : 1; break;
    case LENGTHENED: file->bytes[bytes] = 0; file->size++; break;
    case OTHER_VERSION: file->stamp.library_version++; break;
    case OTHER_DEVICE: memcpy(file->stamp.device, "some other device", 18); break;
    case EMPTY: file->size = 0; break;
    default: break;
    }
}

/* Whether load refuses each of the files; each is shown to a context of its own. */
static cudaError_t show_files(const struct judge_call *call, const struct file *good,
                              const char *path, uint32_t refused[FILES])
{
    cudaError_t error = cudaSuccess;
    for (int how = 0; how < FILES && error == cudaSuccess; how++) {
        struct lesson6_context *context = NULL;
        struct file *file = malloc(sizeof *file);
        if (!file)
            return cudaErrorMemoryAllocation;
        *file = *good;
        spoil(file, how);
        bool there = how == MISSING ? unlink(path) == 0 : write_file(path, file);
        error = there ? create(call, &context) : cudaErrorUnknown;
        if (error == cudaSuccess)
            refused[how] = load(call, context, path) != cudaSuccess;
        if (context)
            destroy(call, context);
        free(file);
    }
    return error;
}

static cudaError_t spoilt(const struct judge_call *call)
{
    struct lesson6_context *context = NULL;
    struct file *good = calloc(1, sizeof *good);
    uint32_t refused[FILES] = {0};
    char path[64];
    name_file(path);
    cudaError_t error = good ? create(call, &context) : cudaErrorMemoryAllocation;
    if (error == cudaSuccess)
        error = call_once(call, context);
    if (error == cudaSuccess)
        error = save(call, context, path);
    if (error == cudaSuccess && !read_file(path, good))
        error = cudaErrorUnknown;
    if (error == cudaSuccess)
        error = show_files(call, good, path, refused);
    if (error == cudaSuccess)
        error = cudaMemcpyAsync(call->buffers[ANSWERS], refused, sizeof refused,
                                cudaMemcpyHostToDevice, call->stream);
    if (context)
        destroy(call, context);
    unlink(path);
    free(good);
    return error;
}

/* The call that is new, in both types. */
static cudaError_t new_calls(const struct judge_call *call, struct lesson6_context *context)
{
    cudaError_t error = mix_call(call, context, 0, NEW_CALL);
    for (int run = 1; run < NEW_RUNS && error == cudaSuccess; run++)
        error = mix_call(call, context, 0, NEW_CALL);
    return error;
}

/* The first time: a context learns the mix, all but the new call of the first type, and saves it.
 * After that: another one loads it, serves the mix, and meets the new call. */
static cudaError_t serve(const struct judge_call *call)
{
    struct kept *kept = call->memory;
    struct lesson6_context *context = NULL;
    char path[64];
    name_file(path);
    cudaError_t error = create(call, &context);
    if (error == cudaSuccess && kept->served)
        error = load(call, context, path);
    for (int round = 0; round < (kept->served ? ROUNDS : 1) && error == cudaSuccess; round++)
        error = mix(call, context, NEW_CALL);
    if (error == cudaSuccess)
        error = mix_call(call, context, 1, NEW_CALL);
    if (error == cudaSuccess && !kept->served)
        error = save(call, context, path);
    if (error == cudaSuccess && kept->served)
        error = captured(call, context, new_calls, 1);
    if (context)
        destroy(call, context);
    if (kept->served)
        unlink(path);
    kept->served = !kept->served && error == cudaSuccess;
    return error;
}

static cudaError_t launch(const struct judge_call *call)
{
    struct kept *kept = call->memory;
    cudaError_t error = cudaSuccess;
    switch ((enum script)call->problem->script) {
    case SERVED: return serve(call);
    case RELOADED: return reloaded(call);
    case SPOILT: error = spoilt(call); break;
    default: break;
    }
    if (error == cudaSuccess && !kept->context)
        error = create(call, &kept->context);
    if (error != cudaSuccess)
        return error;
    switch ((enum script)call->problem->script) {
    case CAPTURED: return captured(call, kept->context, call_once, 2);
    case OTHER_BIAS: return other_bias(call, kept->context);
    case STEADY: return mix(call, kept->context, CALLS);
    default: return call_once(call, kept->context);
    }
}

/* --- Bars and hints ----------------------------------------------------------------------------- */

/* The counted launch has 2 x 2 x 4 calls of the mix, 2 with odd rows, 1 and 5 new ones: 24 in all.
 * Copies for the odd ones are at most 3 more each. */
enum { CALLS_COUNTED = 2 * ROUNDS * NEW_CALL + ROUNDS + 1 + NEW_RUNS, ODD_COPIES = 3 * ROUNDS };

static const struct judge_bar BARS[] = {
    {JUDGE_HANDLES, .at_most = 1, .message = "calls make handles of their own",
     .look_at = "a handle takes 14 ms to make on an H200: lesson6_create is the place for it"},
    {JUDGE_HEURISTIC_QUERIES, .at_most = 1,
     .message = "the library is asked about problems whose answer was known",
     .look_at = "one question for each kind of problem, and none for those that were in the file"},
    {JUDGE_ALLOCATIONS, .at_most = 0, .message = "a call allocates device memory",
     .look_at = "lesson6_create is handed a workspace that serves all calls"},
    {JUDGE_SYNCHRONISATIONS, .at_most = 0, .message = "a call waits for the device",
     .look_at = "the stream keeps the order: only measuring a new kind of problem has to wait"},
    {JUDGE_LAUNCHES, .at_most = CALLS_COUNTED + ODD_COPIES,
     .message = "a call launches more than its product",
     .look_at = "bias and activation belong to the product's epilogue, and rows that are multiples "
                "of 16 bytes need no copy"},
};

static const char *const HINTS[] = {
    "Count what a call does beside its product: how many handles, how many questions to the library, "
    "how much memory? Which of them would have another answer the second time?",
    "A plan is a description and an algorithm; make it when a kind of problem is first met, keep it "
    "in the context, look it up by everything that the answer depends on: m, n, k, both transposes, "
    "the type, the activation, whether there is a bias, and how each pointer is aligned. The bias "
    "pointer itself belongs to the call. cublasLtMatmulAlgo_t is plain data that a file can hold.",
    "struct plan { struct key key; struct lt_matmul matmul; cublasLtMatmulAlgo_t algo; }, a table of "
    "them in the context, the key set to zeros before it is filled so that memcmp compares it. "
    "lesson6_gemm: find it, or lt_describe + lt_candidates once and keep it; then lt_run. Save an "
    "array of {key, algo}; load makes each plan again by lt_describe and asks lt_check.",
};

/* --- Mistakes that are recognised --------------------------------------------------------------- */

static bool slow(const struct judge_evidence *e, enum judge_counter counter, double least,
                 double most)
{
    return e->verdict == VERDICT_SLOW && e->counter[counter] >= least &&
           e->counter[counter] <= most;
}

static bool failed(const struct judge_evidence *e, enum verdict verdict, enum script script)
{
    return e->verdict == (int)verdict && e->where && e->where->script == script;
}

/* A wrong result of a single call. */
static bool wrong(const struct judge_evidence *e)
{
    return failed(e, VERDICT_WRONG, ONE_CALL);
}

static bool is_square(const struct judge_evidence *e)
{
    return e->where->size[M] == 64 && e->where->size[N] == 64 && e->where->size[K] == 64;
}

static bool is_plain(const struct judge_evidence *e)
{
    const int64_t *size = e->where->size;
    return !size[BIAS_AND_SUCH] && size[ACTIVATION] == QUEST_ACT_NONE;
}

/* A mistake and the evidence e that shows it. */
#define SEEN(mistake, condition)                                                               \
    static bool mistake(const struct judge_evidence *e)                                        \
    {                                                                                          \
        return condition;                                                                      \
    }

SEEN(handle_each_call, slow(e, JUDGE_HANDLES, 2, INFINITY))
SEEN(query_each_call, slow(e, JUDGE_HEURISTIC_QUERIES, CALLS_COUNTED, INFINITY))
SEEN(plans_not_loaded, slow(e, JUDGE_HEURISTIC_QUERIES, 2, CALLS_COUNTED - 1))
SEEN(workspace_each_call, slow(e, JUDGE_ALLOCATIONS, 1, INFINITY))
SEEN(waits_each_call, slow(e, JUDGE_SYNCHRONISATIONS, 1, INFINITY))
SEEN(more_than_the_product, slow(e, JUDGE_LAUNCHES, CALLS_COUNTED + ODD_COPIES + 1, INFINITY))
SEEN(says_unaligned, e->verdict == VERDICT_SLOW && e->ratio < 0.9)
SEEN(key_without_alignment,
     e->verdict == VERDICT_LAUNCH_ERROR && e->where && is_square(e) &&
         (e->where->offset_bytes[A] || e->where->offset_bytes[B] || e->where->offset_bytes[Y] ||
          e->where->offset_bytes[BIAS]))
SEEN(measures_in_capture, failed(e, VERDICT_LAUNCH_ERROR, CAPTURED))
/* In another check of the same process the first bias may be gone. */
SEEN(bias_in_the_plan, failed(e, VERDICT_WRONG, OTHER_BIAS) ||
                           (failed(e, VERDICT_OUT_OF_BOUNDS, ONE_CALL) && is_square(e) &&
                            e->where->size[BIAS_AND_SUCH]))
SEEN(good_file_refused, failed(e, VERDICT_LAUNCH_ERROR, RELOADED))
SEEN(damaged_file_believed, failed(e, VERDICT_WRONG, SPOILT) && e->first_wrong < OTHER_VERSION)
SEEN(stale_file_believed, failed(e, VERDICT_WRONG, SPOILT))
SEEN(key_without_transpose, wrong(e) && is_square(e) && e->where->size[TRANSPOSE])
SEEN(key_without_type, e->where && e->where->script == ONE_CALL && is_square(e) && is_plain(e) &&
                           e->where->size[TYPE] == LESSON6_BF16)
SEEN(key_without_epilogue, wrong(e) && is_square(e) && !is_plain(e))
SEEN(sums_in_half, wrong(e) && is_plain(e) && e->where->size[TYPE] == LESSON6_F16 &&
                       fabs(e->got - e->want) < 0x1p-8 * (1 + fabs(e->want)))
SEEN(rows_for_columns, failed(e, VERDICT_OUT_OF_BOUNDS, ONE_CALL) ||
                           (wrong(e) && is_square(e) && is_plain(e)))
/* A few elements, each by little: a share that no other epilogue would leave right. */
SEEN(rounded_twice, wrong(e) && !is_plain(e) && e->wrong * 4 < e->total &&
                        fabs(e->got - e->want) < 0x1p-5 * (1 + fabs(e->want)))

/* The first one that is seen counts: the more special stand before the more general. */
static const struct judge_mistake MISTAKES[] = {
    {"handle_each_call", handle_each_call,
     "Each call makes a handle and throws it away. The context is there to keep it."},
    {"query_each_call", query_each_call,
     "Every call asks the library how to do it, and gets the answer it got before. Keep the "
     "algorithm, and find it again by its key."},
    {"plans_not_loaded", plans_not_loaded,
     "A context that has loaded a file asks again about problems that were in it. Are all plans "
     "saved, and kept under the same key by lesson6_load?"},
    {"workspace_each_call", workspace_each_call,
     "A call allocates memory, which costs more than most products of this mix. Use the workspace "
     "that lesson6_create was given."},
    {"waits_each_call", waits_each_call,
     "A call waits for its own product. What comes next on the stream does so anyway, and the host "
     "could have gone on."},
    {"more_than_the_product", more_than_the_product,
     "There are more kernels than products: copies of matrices that lie well already? Padding pays "
     "for large products with odd rows, and only a measurement can say from where on."},
    {"says_unaligned", says_unaligned,
     "The algorithms are slow ones. Was the library told that pointers are aligned to 2 bytes when "
     "they are to 16, or that there is no workspace?"},
    {"key_without_alignment", key_without_alignment,
     "An algorithm that fetches 16 bytes at a time was used on a pointer that allows 2. How the "
     "pointers are aligned belongs to the key."},
    {"measures_in_capture", measures_in_capture,
     "While a stream is captured nothing runs, so nothing can be measured, waited for or allocated: "
     "ask cudaStreamIsCapturing, and take the library's first guess."},
    {"bias_in_the_plan", bias_in_the_plan,
     "The second call used the first one's bias: the pointer is part of the call, not of the plan. "
     "Set it each time."},
    {"good_file_refused", good_file_refused,
     "lesson6_load refused a file that lesson6_save had just written, or did not understand it."},
    {"damaged_file_believed", damaged_file_believed,
     "A file was believed that is damaged or not whole: compare the number of bytes and the "
     "checksum."},
    {"stale_file_believed", stale_file_believed,
     "A file was believed that another version of the library wrote, or another device: an "
     "algorithm is a number that means something else there."},
    {"sums_in_half", sums_in_half,
     "Long sums are off by more than one rounding. Compute in CUBLAS_COMPUTE_32F: sums that are "
     "kept in FP16 lose a bit whenever they double."},
    {"rounded_twice", rounded_twice,
     "A few results are off by a little more than one rounding: the product was rounded to 16 bits, "
     "and the activation computed from that. In the product's epilogue it still has FP32."},
    {"key_without_transpose", key_without_transpose,
     "The same shape with another transpose is another problem: the flags belong to the key."},
    {"key_without_type", key_without_type,
     "FP16 and bfloat16 are two problems, although both have 16 bits: the type belongs to the key."},
    {"key_without_epilogue", key_without_epilogue,
     "The same product with another activation, or with a bias, is another problem: both belong to "
     "the key."},
    {"rows_for_columns", rows_for_columns,
     "cuBLASLt stores matrices by columns. What lies by rows is its own transpose: ask for "
     "Y' = op(B)' op(A)', with the operands exchanged."},
};

static const struct judge GEMM_JUDGE = {
    .lesson = "06_gemm",
    .title = "the production GEMM",
    .launchers = LAUNCHERS,
    .libraries = LIBRARIES,
    .as_shipped = "SLOW counters mistake handle_each_call",
    .cases = CASES,
    .case_count = sizeof CASES / sizeof *CASES,
    .timed = timed,
    .warm_up = true,
    .buffers = buffers,
    .fill = fill,
    .truth = truth,
    .work = work,
    .launch = launch,
    .scratch_bytes = sizeof(struct kept),
    .bars = BARS,
    .bar_count = sizeof BARS / sizeof *BARS,
    .utilization_bar = 0.85,
    .ceiling = "copy rate",
    .hints = HINTS,
    .mistakes = MISTAKES,
    .mistake_count = sizeof MISTAKES / sizeof *MISTAKES,
};
JUDGE(GEMM_JUDGE);
