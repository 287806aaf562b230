/* judge.c - lesson 6: products by cuBLASLt, with plans that are made once and kept.
 *
 * The numerics cases share one context, which the first of them creates. So a plan that is reused
 * for a problem which only looks the same gives a wrong result: the same shape comes with other
 * epilogues, transposes, types and alignments, and there are other shapes with as many elements.
 * Scripts capture a call, pass another bias or less workspace, take a context's file to another
 * process, whose first call must find everything made, cut off a save, and show damaged files to
 * other contexts. (Tests that need many processes, or minutes, are in torture/: `make
 * torture-lesson6`.)
 *
 * What is counted is the work of a second process: it loads what the first has saved, and then runs
 * a mix of decode and prefill products, with rows of its own in each round. If a call computes
 * nothing, its outputs stay as they were, and the device sees fewer kernels than there were
 * products. The process may ask the library about one problem, which comes before the file is
 * loaded, while the stream is captured, so that nothing can be measured. A submission with an
 * address in its key asks more often, and so does one whose load forgets what was known.
 *
 * The contract is common/contracts/06_gemm.h; read grader/check/judge.h for the fields.
 * Next: problem.h, clauses.c and truth.c; calls.h (what the runner does); mistakes.c, sayings.c.
 */
#include "judges/06_gemm/calls.h"
#include "judges/06_gemm/clauses.h"
#include "judges/06_gemm/front.h"
#include "judges/06_gemm/parts.h"
#include "judges/06_gemm/problem.h"

#include <stdio.h>
#include <string.h>

static const char *const LAUNCHERS[] = {"lesson6_create", "lesson6_gemm",    "lesson6_save",
                                        "lesson6_load",   "lesson6_destroy", NULL};
/* A judged case is always about the product. */
static const char *const LIBRARIES[] = {"cublasLt", NULL};

/* clang-format off */
#define CASE(text, m, n, k, transpose, bias, act, type, ...)                                   \
    SPARSE_CASE(text, m, n, k, transpose, bias, act, type, 0, __VA_ARGS__)
#define SPARSE_CASE(text, m, n, k, transpose, bias, act, type, sparse, ...)                    \
    {.name = text, .launcher = GEMM,                                                           \
     .size = {[M] = m, [N] = n, [K] = k, [TRANSPOSE] = transpose, [BIAS_AND_SUCH] = bias,      \
              [ACTIVATION] = QUEST_ACT_##act, [TYPE] = LESSON6_##type, [SPARSE] = sparse},     \
     __VA_ARGS__}
#define OFF(buffer) .offset_bytes = {[buffer] = 2}
#define ASKS(a) .asks = JUDGE_ASKS(a)
#define ASKS2(a, b) .asks = JUDGE_ASKS(a) | JUDGE_ASKS(b)
/* clang-format on */

/* A plain square like the case before, except for what the text says. */
#define KEY_CASE(text, m, n, k, ...) CASE(text, m, n, k, 0, 0, NONE, F16, __VA_ARGS__)

/* A call with one pointer this far off, then one further off: a plan made for the first is wrong
 * for the second, though neither pointer is a multiple of 16 bytes, or of 8. The sizes occur in no
 * other case, so no plan is known. */
#define LESS_ALIGNED(rows, buffer, first, then)                                                    \
    CASE(#rows " x 48 x 40, " #buffer " at " #first, rows, 48, 40, 0, 0, NONE, F16,                \
         .offset_bytes = {[buffer] = first}, ASKS2(KNOWN, ALIGNED)),                               \
        CASE(#rows " x 48 x 40, " #buffer " at " #first ", then " #then, rows, 48, 40, 0, 0, NONE, \
             F16, .offset_bytes = {[buffer] = then}, .after = 1, ASKS2(KNOWN, ALIGNED))

/* A product whose sums are worth splitting: the library's first guess wants 1 to 32 MiB for their
 * parts where it may have them. */
#define ROOM_CASE(mib)                                                                        \
    SPARSE_CASE("128 x 512 x 4096, " #mib " MiB of workspace", 128, 512, 4096, TB, WITH_BIAS, \
                RELU, F16, 1, .script = IN_ROOM, .real = {[ROOM_MIB] = mib}, ASKS(WORKSPACE))

/* A kind that no other case has, and a library of which some call fails. */
#define FAILS(text, down)                                                    \
    CASE(text, 24, 16, 40, 0, WITH_BIAS, RELU, F16, .script = LIBRARY_FAILS, \
         .real = {[DOWN] = down}, ASKS2(LIBRARY_ERRORS, DESTROYED))

#define REFUSED_AS(what, text, m, n, k, bias, act, clause)                                      \
    CASE(text, m, n, k, 0, bias, act, F16, .refused_with = cudaErrorInvalidValue, ASKS(clause), \
         .script = what)
#define REFUSED(text, m, n, k, bias, act, clause) \
    REFUSED_AS(GEMM_REFUSED, text, m, n, k, bias, act, clause)
#define REFUSED_FOR(text, what, clause) REFUSED_AS(what, text, 16, 16, 16, WITH_BIAS, NONE, clause)

/* Every kind there is: four layouts, with a bias or not, three activations, two types. */
#define OF_TYPES(text, transpose, bias, act)                                                       \
    CASE("16 x 24 x 32: " text ", f16", 16, 24, 32, transpose, bias, act, F16, .once = true,       \
         ASKS2(PRODUCT, A_IS)),                                                                    \
        CASE("16 x 24 x 32: " text ", bf16", 16, 24, 32, transpose, bias, act, BF16, .once = true, \
             ASKS2(PRODUCT, TYPES))
#define OF_ACTIVATIONS(text, transpose, bias)                                              \
    OF_TYPES(text, transpose, bias, NONE), OF_TYPES(text ", relu", transpose, bias, RELU), \
        OF_TYPES(text ", gelu", transpose, bias, GELU_TANH)
#define OF_LAYOUTS(text, bias)                                                   \
    OF_ACTIVATIONS("A B" text, 0, bias), OF_ACTIVATIONS("A^T B" text, TA, bias), \
        OF_ACTIVATIONS("A B^T" text, TB, bias), OF_ACTIVATIONS("A^T B^T" text, TA | TB, bias)

/* Kinds whose keys look alike follow each other in one context. What has to be refused comes
 * last. */
static const struct judge_case CASES[] = {
    CASE("64 x 64 x 64", 64, 64, 64, 0, 0, NONE, F16, .script = NEW_CONTEXT, ASKS2(PRODUCT, Y_IS)),
    CASE("64 x 64 x 64, A transposed", 64, 64, 64, TA, 0, NONE, F16, ASKS2(A_IS, ROW_MAJOR)),
    CASE("64 x 64 x 64, B transposed", 64, 64, 64, TB, 0, NONE, F16, ASKS2(A_IS, ROW_MAJOR)),
    CASE("64 x 64 x 64, both transposed", 64, 64, 64, TA | TB, 0, NONE, F16, ASKS(A_IS)),
    CASE("64 x 64 x 64, relu", 64, 64, 64, 0, 0, RELU, F16, ASKS(PRODUCT)),
    CASE("64 x 64 x 64, gelu", 64, 64, 64, 0, 0, GELU_TANH, F16, ASKS2(PRODUCT, ROUNDED_ONCE)),
    CASE("64 x 64 x 64, bias", 64, 64, 64, 0, WITH_BIAS, NONE, F16, ASKS(BIAS_IS)),
    CASE("64 x 64 x 64, bias, gelu", 64, 64, 64, 0, WITH_BIAS, GELU_TANH, F16,
         ASKS2(BIAS_IS, ROUNDED_ONCE)),
    CASE("64 x 64 x 64, bf16", 64, 64, 64, 0, 0, NONE, BF16, ASKS(TYPES)),
    CASE("64 x 64 x 64, bf16, bias, relu", 64, 64, 64, 0, WITH_BIAS, RELU, BF16,
         ASKS2(TYPES, ROUNDED_ONCE)),
    CASE("17 x 33 x 24", 17, 33, 24, 0, WITH_BIAS, NONE, F16, ASKS2(ROW_MAJOR, BIAS_IS)),
    CASE("17 x 33 x 24, A transposed", 17, 33, 24, TA, WITH_BIAS, NONE, F16, ASKS(A_IS)),
    CASE("17 x 33 x 24, B transposed", 17, 33, 24, TB, WITH_BIAS, RELU, BF16, ASKS(A_IS)),
    CASE("17 x 33 x 24, both transposed", 17, 33, 24, TA | TB, 0, GELU_TANH, BF16, ASKS(A_IS)),
    CASE("5 x 7 x 9", 5, 7, 9, 0, WITH_BIAS, GELU_TANH, F16, ASKS2(ROW_MAJOR, ROUNDED_TWICE)),
    CASE("1 x 1 x 1", 1, 1, 1, 0, 0, NONE, BF16, ASKS(AT_LEAST_1)),
    CASE("32 x 16 x 64, A one element off", 32, 16, 64, 0, WITH_BIAS, RELU, F16, ASKS(ALIGNED)),
    CASE("64 x 64 x 64, A one element off", 64, 64, 64, 0, 0, NONE, F16, OFF(A), ASKS(ALIGNED)),
    CASE("64 x 64 x 64, B one element off", 64, 64, 64, 0, 0, NONE, F16, OFF(B), ASKS(ALIGNED)),
    CASE("64 x 64 x 64, Y one element off", 64, 64, 64, 0, 0, NONE, F16, OFF(Y),
         ASKS2(ALIGNED, ROUNDED_TWICE)),
    KEY_CASE("64 x 64 x 72: another k", 64, 64, 72, ASKS(KNOWN)),
    KEY_CASE("64 x 72 x 64: another n", 64, 72, 64, ASKS(KNOWN)),
    KEY_CASE("72 x 64 x 64: another m", 72, 64, 64, ASKS(KNOWN)),
    KEY_CASE("64 x 64 x 56: a smaller k", 64, 64, 56, ASKS(KNOWN)),
    KEY_CASE("64 x 63 x 64: rows of odd length", 64, 63, 64, ASKS2(KNOWN, ALIGNED)),
    KEY_CASE("64 x 60 x 64: rows of 120 bytes", 64, 60, 64, ASKS2(KNOWN, ALIGNED)),
    CASE("64 x 64 x 64, A and Y eight bytes off", 64, 64, 64, 0, 0, NONE, F16,
         .offset_bytes = {[A] = 8, [Y] = 8}, ASKS2(KNOWN, ALIGNED)),
    LESS_ALIGNED(24, A, 0, 8),
    LESS_ALIGNED(32, A, 8, 4),
    LESS_ALIGNED(40, A, 4, 2),
    LESS_ALIGNED(48, B, 8, 4),
    LESS_ALIGNED(56, B, 4, 2),
    LESS_ALIGNED(72, Y, 8, 4),
    LESS_ALIGNED(80, Y, 4, 2),
    KEY_CASE("64 x 8 x 8", 64, 8, 8, ASKS(KNOWN)),
    KEY_CASE("65600 x 8 x 8: 2^16 rows more", 65600, 8, 8, ASKS(KNOWN)),
    KEY_CASE("1 x 64 x 8", 1, 64, 8, ASKS(KNOWN)),
    KEY_CASE("1 x 65600 x 8: 2^16 columns more", 1, 65600, 8, ASKS(KNOWN)),
    KEY_CASE("1 x 8 x 64", 1, 8, 64, ASKS(KNOWN)),
    KEY_CASE("1 x 8 x 65600: sums longer by 2^16", 1, 8, 65600, ASKS(KNOWN)),
    CASE("1 x 1024 x 512: decode", 1, 1024, 512, TB, WITH_BIAS, GELU_TANH, F16, ASKS(PRODUCT)),
    CASE("8 x 512 x 1024: decode", 8, 512, 1024, TB, WITH_BIAS, GELU_TANH, BF16, ASKS(PRODUCT)),
    CASE("16 x 24 x 4096: long sums", 16, 24, 4096, 0, 0, NONE, F16, ASKS(ROUNDED_ONCE)),
    OF_LAYOUTS("", 0),
    OF_LAYOUTS(" + bias", WITH_BIAS),
    CASE("24 x 16 x 40, by one of 16 contexts", 24, 16, 40, TB, WITH_BIAS, RELU, BF16,
         .script = MANY_CONTEXTS, .once = true, ASKS2(KEPT_BY_CONTEXT, DESTROYED)),
    CASE("130 x 257 x 515, B transposed", 130, 257, 515, TB, WITH_BIAS, RELU, F16,
         ASKS2(ROW_MAJOR, ROUNDED_TWICE)),
    CASE("48 x 40 x 56, captured at first sight", 48, 40, 56, TB, WITH_BIAS, RELU, F16,
         .script = CAPTURED, ASKS2(NEW_KIND, CAN_BE_CAPTURED)),
    CASE("64 x 96 x 24, Y one element off, captured", 64, 96, 24, 0, WITH_BIAS, RELU, F16,
         .script = CAPTURED, OFF(Y), ASKS2(ALIGNED, CAN_BE_CAPTURED)),
    CASE("32 x 64 x 24, Y seven elements off, captured", 32, 64, 24, 0, 0, GELU_TANH, BF16,
         .script = CAPTURED, .offset_bytes = {[Y] = 14}, ASKS2(ALIGNED, CAN_BE_CAPTURED)),
    CASE("16 x 8 x 24, behind 131080 x 131080 x 131080", 16, 8, 24, 0, 0, NONE, F16,
         .script = NEVER_RUN, ASKS2(KNOWN, CAN_BE_CAPTURED)),
    CASE("16 x 40 x 24, and sides longer by 2^b", 16, 40, 24, 0, 0, NONE, F16, .script = LONG_SIDES,
         ASKS2(KNOWN, LOADED)),
    CASE("24 x 40 x 56, then with another bias", 24, 40, 56, TB, WITH_BIAS, NONE, F16,
         .script = OTHER_BIAS, ASKS(BIAS_IS)),
    CASE("24 x 40 x 56, called over and over", 24, 40, 56, TB, WITH_BIAS, RELU, F16,
         .script = REPEATED, ASKS(PRODUCT)),
    CASE("21 x 27 x 13, after a product of NaNs", 21, 27, 13, 0, WITH_BIAS, RELU, F16,
         .script = AFTER_NAN, ASKS2(ROW_MAJOR, WORKSPACE)),
    CASE("20 x 29 x 11, B transposed, after NaNs", 20, 29, 11, TB, 0, NONE, BF16,
         .script = AFTER_NAN, ASKS2(ROW_MAJOR, WORKSPACE)),
    CASE("19 x 31 x 9, both transposed, after NaNs", 19, 31, 9, TA | TB, 0, NONE, F16,
         .script = AFTER_NAN, ASKS2(ROW_MAJOR, WORKSPACE)),
    ROOM_CASE(0),
    ROOM_CASE(1),
    ROOM_CASE(32),
    CASE("64 x 381 x 379, NaN in the workspace", 64, 381, 379, 0, 0, NONE, F16, .script = IN_ROOM,
         .real = {[ROOM_MIB] = 32}, ASKS(WORKSPACE)),
    SPARSE_CASE("128 x 512 x 4096, with and without room", 128, 512, 4096, TB, 0, NONE, F16, 1,
                .script = TWO_ROOMS, ASKS2(WORKSPACE, KEPT_BY_CONTEXT)),
    CASE("40 x 72 x 88, by plans from a file", 40, 72, 88, TB, WITH_BIAS, GELU_TANH, BF16,
         .script = RELOADED, .processes = 2, .prepares = 1,
         .asks = JUDGE_ASKS(SAVED) | JUDGE_ASKS(LOADED) | JUDGE_ASKS(KNOWN)),
    CASE("40 x 72 x 88, captured, by plans from a file", 40, 72, 88, TB, WITH_BIAS, GELU_TANH, BF16,
         .script = RELOADED_CAPTURED, .processes = 2, .prepares = 1,
         ASKS2(CAN_BE_CAPTURED, LOADED)),
    SPARSE_CASE("128 x 512 x 4096, by a file, in 4 GiB", 128, 512, 4096, TB, WITH_BIAS, RELU, BF16,
                1, .script = WIDE_ROOM, .processes = 2, .prepares = 1, ASKS2(WORKSPACE, LOADED)),
    CASE("32 x 64 x 48, beside files not to be believed", 32, 64, 48, 0, 0, NONE, F16,
         .script = SPOILT, ASKS2(NOT_BELIEVED, STAMP_IS)),
    CASE("32 x 48 x 64, and a save that is cut off", 32, 48, 64, 0, 0, NONE, F16,
         .script = INTERRUPTED, ASKS2(SAVE_FAILS, WHOLE_FILES)),
    CASE("16 x 24 x 32, and more kinds than a table holds", 16, 24, 32, 0, 0, NONE, F16,
         .script = FULL,
         .asks = JUDGE_ASKS(KEPT_BY_CONTEXT) | JUDGE_ASKS(SAVED) | JUDGE_ASKS(LOADED) |
                 JUDGE_ASKS(NOT_BELIEVED)),
    CASE("24 x 40 x 16, and thousands of kinds", 24, 40, 16, 0, 0, NONE, F16, .script = CROWD,
         .once = true, .asks = JUDGE_ASKS(KNOWN) | JUDGE_ASKS(LOADED) | JUDGE_ASKS(DESTROYED)),
    SPARSE_CASE("128 x 512 x 4096, by a file from 32 MiB", 128, 512, 4096, TB, WITH_BIAS, RELU, F16,
                1, .script = LESS_ROOM, .real = {[ROOM_MIB] = 32},
                .asks = JUDGE_ASKS(WORKSPACE) | JUDGE_ASKS(NO_ROOM_FOR) | JUDGE_ASKS(DESTROYED)),
    FAILS("24 x 16 x 40, the library makes no handle", HANDLES_DOWN),
    FAILS("24 x 16 x 40, it has no description", DESCRIPTIONS_DOWN),
    FAILS("24 x 16 x 40, it has no layout", LAYOUTS_DOWN),
    FAILS("24 x 16 x 40, it has no preference", PREFERENCES_DOWN),
    FAILS("24 x 16 x 40, it takes no epilogue", EPILOGUES_DOWN),
    FAILS("24 x 16 x 40, it knows no algorithm", ANSWERS_DOWN),
    FAILS("24 x 16 x 40, it fails to launch", PRODUCTS_DOWN),
    REFUSED_FOR("no context", NO_CONTEXT, REFUSED_POINTER),
    REFUSED_FOR("no A", NO_A, REFUSED_POINTER),
    REFUSED_FOR("no B", NO_B, REFUSED_POINTER),
    REFUSED_FOR("no Y", NO_Y, REFUSED_POINTER),
    REFUSED_FOR("no quest_gemm", NO_GEMM, REFUSED_POINTER),
    REFUSED_FOR("a context that goes nowhere", MADE_NOWHERE, REFUSED_POINTER),
    REFUSED_FOR("192 MiB of workspace at NULL", ROOM_LACKING, REFUSED_POINTER),
    REFUSED_FOR("no context to destroy", NOTHING_DESTROYED, REFUSED_POINTER),
    REFUSED_FOR("no context to save", NOTHING_SAVED, REFUSED_POINTER),
    REFUSED_FOR("no path to save to", SAVED_NOWHERE, REFUSED_POINTER),
    REFUSED_FOR("no context to load into", NOTHING_LOADED, REFUSED_POINTER),
    REFUSED_FOR("no path to load from", LOADED_NOWHERE, REFUSED_POINTER),
    REFUSED_FOR("save_z", SAVES_Z, REFUSED_KIND),
    REFUSED("leaky relu", 16, 16, 16, WITH_BIAS, LEAKY_RELU, REFUSED_KIND),
    REFUSED("sigmoid", 16, 16, 16, WITH_BIAS, SIGMOID, REFUSED_KIND),
    REFUSED("tanh", 16, 16, 16, WITH_BIAS, TANH, REFUSED_KIND),
    REFUSED("gelu by erf", 16, 16, 16, WITH_BIAS, GELU_ERF, REFUSED_KIND),
    REFUSED_FOR("activation 7", ACTS_PAST, REFUSED_KIND),
    REFUSED_FOR("activation -1", ACTS_BEFORE, REFUSED_KIND),
    REFUSED("m = 0", 0, 16, 16, WITH_BIAS, NONE, REFUSED_KIND),
    REFUSED("n = 0", 16, 0, 16, WITH_BIAS, NONE, REFUSED_KIND),
    REFUSED("k = 0", 16, 16, 0, WITH_BIAS, NONE, REFUSED_KIND),
    REFUSED("m = -1", -1, 16, 16, WITH_BIAS, NONE, REFUSED_KIND),
    REFUSED("n = -8", 16, -8, 16, WITH_BIAS, NONE, REFUSED_KIND),
    REFUSED("k = -2^40", 16, 16, -(INT64_C(1) << 40), WITH_BIAS, NONE, REFUSED_KIND),
    REFUSED_FOR("a bias, and with_bias is false", BIAS_UNSAID, BIAS_OR_NULL),
    REFUSED_AS(BIAS_LACKING, "no bias, and with_bias is true", 16, 16, 16, 0, NONE, BIAS_OR_NULL),
    REFUSED_FOR("a file that is not there", NO_SUCH_FILE, NOT_BELIEVED),
    CASE("a save into a folder that is not there", 16, 16, 16, 0, 0, NONE, F16, .script = NO_FOLDER,
         .refused_with = cudaErrorUnknown, ASKS(SAVE_FAILS)),
    CASE("a save over a folder", 16, 16, 16, 0, 0, NONE, F16, .script = A_FOLDER,
         .refused_with = cudaErrorUnknown, ASKS(SAVE_FAILS)),
};

/* In the simulated device's mix one element of A in 16 is not zero, so that the truth of two
 * million elements does not take longer than all the rest. */
static size_t timed(const struct judge_device *device, struct judge_case *cases, size_t room)
{
    const struct judge_case simulated =
        CASE("decode and prefill, 768 x 768 weights", 2048, 768, 768, TB, WITH_BIAS, GELU_TANH, F16,
             .script = SERVED, .processes = 2);
    const struct judge_case on_device = CASE("decode and prefill, 4096 x 4096 weights", 4096, 4096,
                                             4096, TB, WITH_BIAS, GELU_TANH, F16, .script = STEADY);
    if (room == 0)
        return 0;
    cases[0] = device->simulated ? simulated : on_device;
    cases[0].size[SPARSE] = device->simulated;
    return 1;
}

static const char *const TAMPERED[TAMPERINGS] = {[CHECKSUM_WRONG] = "wrong checksum",
                                                 [BYTE_ADDED] = "a byte too long",
                                                 [VERSION_WRONG] = "another version",
                                                 [DEVICE_WRONG] = "another device"};

/* The second process gets the file of the first one, which may be no longer to be believed. Where
 * it is, the plan of a kind that was drawn must come from it. */
static void draw_handed_on(enum tampering how, struct judge_case *problem)
{
    size_t used = strlen(problem->name);
    problem->script = RELOADED_CAPTURED;
    problem->processes = 2;
    problem->prepares = 1;
    problem->tampers = how;
    problem->asks = how == NOT_TAMPERED ? JUDGE_ASKS(LOADED) : JUDGE_ASKS(NOT_BELIEVED);
    snprintf(problem->name + used, sizeof problem->name - used, ", %s",
             how == NOT_TAMPERED ? "from a file" : TAMPERED[how]);
}

/* Two cases for the context that knows all of the list; and then those that are shown a file. */
static size_t draw_cases(uint64_t seed, struct judge_case *cases, size_t room)
{
    static const enum quest_activation FUSED_ONES[] = {QUEST_ACT_NONE, QUEST_ACT_RELU,
                                                       QUEST_ACT_GELU_TANH};
    enum { SERVED_ONES = 2 };
    size_t count = 0;
    for (; count < SERVED_ONES + TAMPERINGS && count < room; count++) {
        int64_t m = judge_draw_size(&seed, 2, 150), n = judge_draw_size(&seed, 2, 150);
        int64_t k = judge_draw_size(&seed, 2, 600);
        cases[count] = (struct judge_case){
            .launcher = GEMM,
            .size = {[M] = m,
                     [N] = n,
                     [K] = k,
                     [TRANSPOSE] = judge_draw(&seed, 0, TA | TB),
                     [BIAS_AND_SUCH] = judge_draw(&seed, 0, 1) ? WITH_BIAS : 0,
                     [ACTIVATION] = FUSED_ONES[judge_draw(&seed, 0, 2)],
                     [TYPE] = judge_draw(&seed, 0, 1) ? LESSON6_BF16 : LESSON6_F16}};
        snprintf(cases[count].name, sizeof cases[count].name, "%lld x %lld x %lld, drawn",
                 (long long)m, (long long)n, (long long)k);
        if (count >= SERVED_ONES)
            draw_handed_on((enum tampering)(count - SERVED_ONES), &cases[count]);
    }
    return count;
}

/* --- Buffers ---------------------------------------------------------------------------------- */

static struct judge_buffer matrix(const char *name, enum judge_role role, enum judge_type type,
                                  int64_t rows, int64_t columns)
{
    return (struct judge_buffer){
        .name = name, role, type, (uint64_t)(rows * columns), (uint64_t)columns};
}

static size_t mix_buffers(const struct judge_case *problem, struct judge_buffer *list)
{
    static const char *const NAMES[2 * SET] = {"A in f16",     "B in f16",  "bias in f16",
                                               "Y in f16",     "A in bf16", "B in bf16",
                                               "bias in bf16", "Y in bf16"};
    int64_t n = problem->size[N], k = problem->size[K];
    for (int set = 0; set < 2; set++) {
        int64_t rows = gemm_all_rows(problem, set);
        enum judge_type type = gemm_buffer_type(set == 0 ? LESSON6_F16 : LESSON6_BF16);
        struct judge_buffer *own = list + set * SET;
        own[A] = matrix(NAMES[set * SET + A], JUDGE_IN, type, rows, k);
        own[B] = matrix(NAMES[set * SET + B], JUDGE_IN, type, n, k);
        own[BIAS] = matrix(NAMES[set * SET + BIAS], JUDGE_IN, type, 1, n);
        own[Y] = matrix(NAMES[set * SET + Y], JUDGE_OUT, type, rows, n);
    }
    list[ODD_A] = matrix("A with odd rows", JUDGE_IN, JUDGE_F16, ODD_ROWS, gemm_odd_side(k));
    list[ODD_B] =
        matrix("B with odd rows", JUDGE_IN, JUDGE_F16, gemm_odd_side(n), gemm_odd_side(k));
    list[ODD_Y] = matrix("Y with odd rows", JUDGE_OUT, JUDGE_F16, ODD_ROWS, gemm_odd_side(n));
    list[LONG_Y] = matrix("Y of long sums", JUDGE_OUT, JUDGE_F16, LONG_M, LONG_N);
    return LONG_Y + 1;
}

/* What to say when lesson6_load gave a wrong answer; then, when a refused file changed the
 * context. */
static const char *const LOADS_MEAN[2 * FILES] = {
    [GOOD] = "lesson6_load refused a file that lesson6_save had written",
    [FLIPPED] = "lesson6_load accepted a file with one flipped bit",
    [CUT_SHORT] = "lesson6_load accepted a file that is cut short",
    [LENGTHENED] = "lesson6_load accepted a file that is one byte too long",
    [OTHER_VERSION] = "lesson6_load accepted a file of another version of the library",
    [OTHER_DEVICE] = "lesson6_load accepted a file of another device",
    [EMPTY] = "lesson6_load accepted an empty file",
    [MISSING] = "lesson6_load accepted a file that does not exist",
    [FILES + FLIPPED] = "lesson6_load refused a file with a flipped bit, and learned from it",
    [FILES + CUT_SHORT] = "lesson6_load refused a file that is cut short, and learned from it",
    [FILES + LENGTHENED] = "lesson6_load refused a file that is too long, and learned from it",
    [FILES + OTHER_VERSION] = "lesson6_load refused another version's file, and learned from it",
    [FILES + OTHER_DEVICE] = "lesson6_load refused another device's file, and learned from it",
    [FILES + EMPTY] = "lesson6_load refused an empty file, and the context has changed",
    [FILES + MISSING] = "lesson6_load found no file, and the context has changed",
};

static const char *const SAVES_MEAN[INTERRUPTIONS] = {
    [SAVE_FAILED] = "lesson6_save failed and did not report it",
    [SAVE_ERROR] = "lesson6_save failed with another error than cudaErrorUnknown",
    [FILE_SURVIVED] = "after a save that failed, the old file is no longer whole",
    [SAVED_AGAIN] = "what was saved after a save that failed cannot be loaded",
    [SHORTER] = "what was saved over a longer file cannot be loaded",
    [OLD_LEFT_ALONE] = "lesson6_save writes into the old file: a process that is killed meanwhile "
                       "leaves neither the old file nor the new one",
    [KEPT_APART] = "of two processes that saved at once, one took the other's file away, or failed",
    [STAMPED] = "what lesson6_save wrote does not begin with the contract's stamp",
    [OUT_OF_FILES] = "a process that may open no more files lost its old one, or got no error",
    [LOADED_KEPT] = "a context that has loaded plans and used none of them does not save them",
    [NAMELESS] = "a save that cannot find out the device's name did not fail with "
                 "cudaErrorUnknown, or the old file is no longer whole",
};

static const char *const FULL_MEANS[FULL_ANSWERS] = {
    [FULL_WORKED] = "a call of one more kind than before returned cudaSuccess and did nothing",
    [FULL_SAVED] = "the file of a context that knows as many kinds as it can hold cannot be loaded",
    [FULL_KNOWN] = "the last of the kinds that a context can hold was not known after loading",
    [FULL_BESIDE] = "a kind from a file was forgotten when another file was loaded",
    [FULL_LENGTHENED] = "lesson6_load accepted a file of many kinds that is one byte too long",
};

static const char *const SIDES_MEAN[SIDE_ANSWERS] = {
    [M] = "a kind with 2^b more rows than another (b from 16 to 30) got a smaller kind's plan",
    [N] = "a kind with 2^b more columns than another (b from 16 to 30) got a smaller kind's plan",
    [K] = "a kind with sums longer by 2^b (b from 16 to 30) got a smaller kind's plan",
    [SIDES_KEPT] =
        "after loading, the library was asked again about a kind with a side longer by 2^b, or "
        "that kind got a smaller kind's plan",
    [ALL_SIDES] = "of a kind with three sides of 2^b (b from 7 to 15) not all was multiplied",
};

static const char *const CROWD_MEAN[CROWD_ANSWERS] = {
    [CROWD_MET] = "of thousands of kinds one got the plan of another",
    [CROWD_LOADED] = "of thousands of kinds one got the plan of another, after loading",
    [CROWD_KEPT] = "the library was asked again about one of thousands of kinds, which the context "
                   "had met before",
    [CROWD_FREED] = "after thousands of kinds and lesson6_destroy a handle or a description of the "
                    "library is left",
};

static const char *const ROOM_MEANS[ROOM_ANSWERS] = {
    [FREED] = "after lesson6_destroy a handle or a description of the library is left",
    [TAKEN] = "lesson6_load refused a file from a context with more workspace",
};

/* The answers that a script gives besides its results. */
static struct judge_buffer answers_of(const struct judge_case *problem)
{
    struct judge_buffer answers = {
        .role = JUDGE_OUT, .type = JUDGE_U32, .optional = !gemm_has_answers(problem)};
    switch ((enum script)problem->script) {
    case SPOILT:
        answers.name = "refused by lesson6_load";
        answers.count = 2 * FILES;
        answers.wrong_means = LOADS_MEAN;
        break;
    case LESS_ROOM:
        answers.name = "freed in the end, taken by lesson6_load";
        answers.count = ROOM_ANSWERS;
        answers.wrong_means = ROOM_MEANS;
        break;
    case FULL:
        answers.name = "right of a context that is full";
        answers.count = FULL_ANSWERS;
        answers.wrong_means = FULL_MEANS;
        break;
    case LONG_SIDES:
        answers.name = "whole products with a long side";
        answers.count = SIDE_ANSWERS;
        answers.wrong_means = SIDES_MEAN;
        break;
    case CROWD:
        answers.name = "right of thousands of kinds";
        answers.count = CROWD_ANSWERS;
        answers.wrong_means = CROWD_MEAN;
        break;
    case LIBRARY_FAILS:
        answers.name = "freed in the end";
        answers.count = 1;
        answers.wrong_means = ROOM_MEANS;
        break;
    default:
        answers.name = "held after a save was cut off";
        answers.count = INTERRUPTIONS;
        answers.wrong_means = SAVES_MEAN;
        break;
    }
    return answers;
}

static size_t buffers(const struct judge_case *problem, struct judge_buffer *list)
{
    const int64_t *size = problem->size;
    enum judge_type type = gemm_buffer_type(size[TYPE]);
    uint32_t script = problem->script;
    bool ta = size[TRANSPOSE] & TA, tb = size[TRANSPOSE] & TB, bias = size[BIAS_AND_SUCH];
    if (gemm_is_mix(problem))
        return mix_buffers(problem, list);
    list[A] = matrix("A", JUDGE_IN, type, ta ? size[K] : size[M], ta ? size[M] : size[K]);
    list[B] = matrix("B", JUDGE_IN, type, tb ? size[N] : size[K], tb ? size[K] : size[N]);
    list[BIAS] = matrix("bias", JUDGE_IN, type, 1, size[N]);
    list[BIAS].optional = !bias;
    list[Y] = matrix("Y", JUDGE_OUT, type, size[M], size[N]);
    if (script == AFTER_NAN) {
        list[NAN_A] = matrix("A of NaNs", JUDGE_IN, type, NAN_M, NAN_K);
        list[NAN_B] = matrix("B of NaNs", JUDGE_IN, type, NAN_K, NAN_N);
        list[NAN_Y] = matrix("Y of NaNs", JUDGE_OUT, type, NAN_M, NAN_N);
        return NAN_Y + 1;
    }
    if (!gemm_has_second_y(problem) && !gemm_has_answers(problem))
        return Y + 1;
    list[BIAS_2] = matrix("the other bias", JUDGE_IN, type, 1, size[N]);
    list[BIAS_2].optional = script != OTHER_BIAS;
    list[Y_2] = matrix(script == OTHER_BIAS        ? "Y with the other bias"
                       : script == REPEATED        ? "Y of 13 calls"
                       : script == MANY_CONTEXTS   ? "Y by the first of 16 contexts"
                       : gemm_is_reloaded(problem) ? "Y after loading"
                                                   : "Y without a workspace",
                       JUDGE_OUT, type, size[M], size[N]);
    list[Y_2].optional = !gemm_has_second_y(problem);
    if (gemm_is_reloaded(problem)) {
        list[Y].process = 1;
        list[Y_2].process = 2;
    }
    list[ANSWERS] = answers_of(problem);
    return ANSWERS + 1;
}

static struct judge_work work(const struct judge_case *problem)
{
    double n = (double)problem->size[N], k = (double)problem->size[K], bytes = 0, flop = 0;
    int calls = problem->script == SERVED ? ROUNDS * NEW_CALL : CALLS;
    for (int call = 0; call < calls; call++) {
        int index = problem->script == SERVED ? call % NEW_CALL : call;
        double m = (double)gemm_rows_of_call(problem, index);
        bytes += 2 * 2 * (m * k + n * k + m * n);
        flop += 2 * 2 * m * n * k;
    }
    return (struct judge_work){.bytes = bytes,
                               .tensor_flop = flop,
                               .launches = problem->script == SERVED ? CALLS_COUNTED : 0};
}

/* --- Bars and hints --------------------------------------------------------------------------- */

static const struct judge_bar BARS[] = {
    {JUDGE_HANDLES, .at_most = 1,
     .message = "the contract forbids calls to make handles of their own",
     .look_at = "a handle takes 14 ms to make on an H200: make it in lesson6_create"},
    {JUDGE_HANDLES, .at_most = 0, .when_prepared = true,
     .message = "the contract forbids a call of a known kind to make a handle",
     .look_at = "a server that has loaded its plans would wait 14 ms at its first call: make the "
                "handle in lesson6_create or in lesson6_load"},
    {JUDGE_QUERIES, .at_most = 0, .when_prepared = true,
     .message = "the contract forbids asking about a kind of problem that was in the file",
     .look_at = "are all plans saved, and kept under the same key by lesson6_load?"},
    {JUDGE_QUERIES, .at_least = 1, .when_tampered = true,
     .message = "the contract forbids using a file that is damaged, or of another version or "
                "device, and a plan of such a file was used",
     .look_at = "before keeping anything from the file, compare its stamp with the one that a save "
                "would write now, its checksum with its bytes, and its size with both"},
    {JUDGE_QUERIES, .at_most = 1,
     .message = "the contract forbids asking the library twice about a kind of problem",
     .look_at = "ask once for each kind of problem; for one that was in the file, at most check "
                "that its plan fits (cublasLtMatmulAlgoCheck counts as a question, too)"},
    {JUDGE_ALLOCATIONS, .at_most = 0,
     .message = "the contract forbids a call to allocate device memory",
     .look_at = "lesson6_create is handed a workspace that serves all calls"},
    {JUDGE_SYNCHRONISATIONS, .at_most = 0,
     .message = "the contract forbids a call to wait for the device",
     .look_at = "the stream keeps the order: a call has to wait only to measure a new kind of "
                "problem"},
    {JUDGE_LAUNCHES, .at_most = CALLS_COUNTED + ODD_COPIES,
     .message = "calls launch more kernels than their products need",
     .look_at = "one kernel computes a whole product with its bias and activation, and rows that "
                "are multiples of 16 bytes need no copy"},
};

static const char *const HINTS[] = {
    "Count what a call does besides its product: how many handles does it make, how many questions "
    "does it ask the library (whether an algorithm fits is one, too), how much memory does it "
    "allocate? Which of these would have another answer the second time?",
    "A plan is a description and an algorithm. Make it when a kind of problem first occurs, keep "
    "it in the context, and look it up by everything that the answer depends on: m, n, k, both "
    "transposes, the type, the activation, whether there is a bias, and how each pointer is "
    "aligned. The bias pointer itself belongs to the call. cublasLtMatmulAlgo_t is plain data that "
    "a file can hold.",
    "struct plan { struct key key; struct lt_matmul matmul; cublasLtMatmulAlgo_t algo; }, and a "
    "table of them in the context. Set the key to zeros before you fill it, so that memcmp can "
    "compare it. lesson6_gemm finds the plan, or makes and keeps it by lt_describe and "
    "lt_candidates, once; then it calls lt_run. Save an array of {key, algo}; load makes each plan "
    "again by lt_describe and asks lt_check once, so that a call need not.",
};

/* Handles and questions are as few as they should be, so it keeps plans, and is slow for another
 * reason. */
static bool keeps_plans(const struct judge_evidence *e)
{
    return e->refused != JUDGE_HANDLES && e->refused != JUDGE_QUERIES;
}

static const struct judge_asked ASKED[] = {
    {2, "A plan is a description", 0, keeps_plans},
    {3, "struct plan", 0, keeps_plans},
};

static const struct judge_ending ENDINGS[] = {
    {GEMM_NO_FILE,
     "lesson6_save() returned cudaSuccess, and there is no file where it was to save"},
    {0},
};

static const struct judge GEMM_JUDGE = {
    .lesson = "06_gemm",
    .title = "the production GEMM",
    .launchers = LAUNCHERS,
    .libraries = LIBRARIES,
    .as_shipped = "SLOW counters mistake query_each_call",
    .clauses = &GEMM_CLAUSES,
    .context = GEMM_CONTEXT,
    .cases = CASES,
    .case_count = sizeof CASES / sizeof *CASES,
    .in_order = true,
    .drawn = draw_cases,
    .tamper = gemm_tamper,
    .timed = timed,
    .buffers = buffers,
    .fill = gemm_fill,
    .uniform_when_timed = true,
    .truth = gemm_truth,
    .truth_at = gemm_truth_at,
    .work = work,
    .launch = gemm_launch,
    .endings = ENDINGS,
    .scratch_bytes = sizeof(struct kept),
    .workspace_bytes = WORKSPACE_BYTES,
    .bars = BARS,
    .bar_count = sizeof BARS / sizeof *BARS,
    /* calibration.csv, of the time when the top of the ladder was the reference: right ones from
     * 0.960, no workspace to 0.915. As shares of right/first_guess, which asks as the solution
     * does, they are 0.981 and 0.935. */
    .utilization_bar = 0.95,
    .ceiling = "copy rate",
    .hints = HINTS,
    .asked = ASKED,
    .asked_count = sizeof ASKED / sizeof *ASKED,
    .sayings = &GEMM_SAYINGS,
    .mistakes = &GEMM_MISTAKES,
};
JUDGE(GEMM_JUDGE);
