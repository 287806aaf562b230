/* sgemm.h - lesson 2, the part of the judge that is about lesson2_sgemm.
 *
 * What can go wrong at the edges: tiles that hang over a side of A, B or C, each by itself and all
 * together, k shorter than a tile, k = 0, single rows and columns. What can go wrong inside: a
 * barrier, a row length, a precision.
 *
 * Precision is judge_product_allowed's, in units of which operands of TF32 or FP16 are off by 18 at
 * least in every case, and FP32 by a third at most, in any order.
 */
#ifndef JUDGE_SGEMM_H
#define JUDGE_SGEMM_H

#include "check/judge_graph.h"
#include "check/judge_seen.h"
#include "clauses.h"

#include <float.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

enum { SGEMM_M, SGEMM_N, SGEMM_K };                /* judge_case.size */
enum { SGEMM_A, SGEMM_B, SGEMM_C, SGEMM_BUFFERS }; /* buffers */

#define SGEMM_CASE(number, text, m, n, k, ...)                             \
    {                                                                      \
        .name = "sgemm, " text, .launcher = number,                        \
        .size = {[SGEMM_M] = m, [SGEMM_N] = n, [SGEMM_K] = k}, __VA_ARGS__ \
    }

#define SGEMM_OFF(buffer) .offset_bytes = {[buffer] = sizeof(float)}, ASK(ALIGNMENT)
#define SGEMM_ALL_OFF(bytes) \
    .offset_bytes = {[SGEMM_A] = bytes, [SGEMM_B] = bytes, [SGEMM_C] = bytes}, ASK(ALIGNMENT)
#define SGEMM_SPECIALS(kind) .data = JUDGE_DATA_##kind, ASK(SPREAD)
#define SGEMM_INTEGERS .data = JUDGE_DATA_INTEGERS, .asks = JUDGE_ASKS(ANY_ORDER)
#define SGEMM_TINY .data = JUDGE_DATA_TINY, ASK(PRECISION)
#define SGEMM_REFUSED(number, text, m, n, k) \
    SGEMM_CASE(number, text, m, n, k, .refused_with = cudaErrorInvalidValue, ASK(REFUSED))

/* clang-format off */
/* For the initialiser of judge.c's table; number is the launcher's index. A k of 1 is the place for
 * many special values: with more, an infinity and a NaN soon meet in every sum. Sums of integers
 * are exact: in long ones, a product that is left out would else be lost in what is allowed. Where
 * C is small and k is long, blocks may share a sum, and add their parts in the order in which they
 * come. */
#define SGEMM_CASES(number)                                                                    \
    SGEMM_CASE(number, "1 x 1 x 1", 1, 1, 1, ASK(SIDES)),                                      \
    SGEMM_CASE(number, "32 x 32 x 32", 32, 32, 32, ASK(PRODUCT)),                              \
    SGEMM_CASE(number, "32 x 16 x 64", 32, 16, 64, ASK(LAYOUT)),                               \
    SGEMM_CASE(number, "33 x 17 x 65", 33, 17, 65, ASK(LAYOUT)),                               \
    SGEMM_CASE(number, "31 x 33 x 1", 31, 33, 1, ASK(SIDES)),                                  \
    SGEMM_CASE(number, "1 x 513 x 77", 1, 513, 77, ASK(SIDES)),                                \
    SGEMM_CASE(number, "257 x 3 x 40", 257, 3, 40, ASK(LAYOUT)),                               \
    SGEMM_CASE(number, "64 x 64 x 0: zeros", 64, 64, 0, ASK(ZEROS)),                           \
    SGEMM_CASE(number, "1 x 67 x 0: zeros", 1, 67, 0, ASK(ZEROS)),                             \
    SGEMM_CASE(number, "64 x 96 x 40, A one element off", 64, 96, 40, SGEMM_OFF(SGEMM_A)),     \
    SGEMM_CASE(number, "64 x 96 x 40, B one element off", 64, 96, 40, SGEMM_OFF(SGEMM_B)),     \
    SGEMM_CASE(number, "64 x 96 x 40, C one element off", 64, 96, 40, SGEMM_OFF(SGEMM_C)),     \
    SGEMM_CASE(number, "64 x 96 x 40, all one element off", 64, 96, 40, SGEMM_ALL_OFF(4)),     \
    SGEMM_CASE(number, "64 x 96 x 40, all two elements off", 64, 96, 40, SGEMM_ALL_OFF(8)),    \
    SGEMM_CASE(number, "64 x 96 x 40, all three off", 64, 96, 40, SGEMM_ALL_OFF(12)),          \
    SGEMM_CASE(number, "530 x 70 x 1, NaN and infinities", 530, 70, 1,                         \
               SGEMM_SPECIALS(SPECIALS)),                                                      \
    SGEMM_CASE(number, "70 x 72 x 36, some NaN", 70, 72, 36, SGEMM_SPECIALS(FEW_SPECIALS)),    \
    SGEMM_CASE(number, "33 x 71 x 37, some NaN", 33, 71, 37, SGEMM_SPECIALS(FEW_SPECIALS)),    \
    SGEMM_CASE(number, "200 x 40 x 200, zeros in tiles of A", 200, 40, 200,                    \
               SGEMM_SPECIALS(ZEROS_IN_FIRST)),                                                \
    SGEMM_CASE(number, "40 x 200 x 200, zeros in tiles of B", 40, 200, 200,                    \
               SGEMM_SPECIALS(ZEROS_IN_SECOND)),                                               \
    SGEMM_CASE(number, "130 x 68 x 36, integers: exact", 130, 68, 36, SGEMM_INTEGERS),         \
    SGEMM_CASE(number, "127 x 129 x 63", 127, 129, 63, ASK(PRODUCT)),                          \
    SGEMM_CASE(number, "128 x 128 x 128", 128, 128, 128, ASK(PRECISION)),                      \
    SGEMM_CASE(number, "70 x 36 x 3, subnormal products", 70, 36, 3, SGEMM_TINY),              \
    SGEMM_CASE(number, "68 x 132 x 36, subnormal products", 68, 132, 36, SGEMM_TINY),          \
    SGEMM_CASE(number, "40 x 36 x 3000: long sums", 40, 36, 3000, ASK(PRECISION)),             \
    SGEMM_CASE(number, "1 x 1 x 0, first of a process", 1, 1, 0, FIRST, ASK(ZEROS)),           \
    SGEMM_CASE(number, "64 x 32 x 40", 64, 32, 40, ASK(PRODUCT)),                              \
    SGEMM_CASE(number, "64 x 32 x 40, then A one off", 64, 32, 40, SGEMM_OFF(SGEMM_A),         \
               .after = 1),                                                                    \
    SGEMM_CASE(number, "64 x 32 x 40, then B one off", 64, 32, 40, SGEMM_OFF(SGEMM_B),         \
               .after = 2),                                                                    \
    SGEMM_CASE(number, "64 x 32 x 40, then C one off", 64, 32, 40, SGEMM_OFF(SGEMM_C),         \
               .after = 3),                                                                    \
    SGEMM_CASE(number, "64 x 32 x 40, then m = 63", 63, 32, 40, .after = 4, ASK(SIDES)),       \
    SGEMM_CASE(number, "64 x 32 x 40, then n = 31", 64, 31, 40, .after = 5, ASK(SIDES)),       \
    SGEMM_CASE(number, "64 x 32 x 40, then k = 39", 64, 32, 39, .after = 6, ASK(SIDES)),       \
    SGEMM_CASE(number, "16 x 16 x 500: small and long", 16, 16, 500, ASK(SAME_BITS)),          \
    SGEMM_CASE(number, "3 x 5 x 2003: small and long", 3, 5, 2003, ASK(SAME_BITS)),            \
    SGEMM_CASE(number, "1 x 31 x 4611, integers: exact", 1, 31, 4611, SGEMM_INTEGERS),         \
    SGEMM_CASE(number, "31 x 1 x 4610, integers: exact", 31, 1, 4610, SGEMM_INTEGERS)
/* clang-format on */

#define SGEMM_NOTHING .launches_nothing = 1, ASK(EMPTY)

/* clang-format off */
/* As TRANSPOSE_ARGUMENTS. */
#define SGEMM_ARGUMENTS(number)                                                                \
    SGEMM_CASE(number, "0 x 5 x 3: nothing to do", 0, 5, 3, SGEMM_NOTHING),                    \
    SGEMM_CASE(number, "5 x 0 x 3: nothing to do", 5, 0, 3, SGEMM_NOTHING),                    \
    SGEMM_CASE(number, "0 x 0 x 0: nothing to do", 0, 0, 0, SGEMM_NOTHING),                    \
    SGEMM_CASE(number, "0 x 5 x 1000000: nothing to do", 0, 5, 1000000, .launches_nothing = 1, \
               .asks = JUDGE_ASKS(EMPTY) | JUDGE_ASKS(SIDES)),                                 \
    SGEMM_CASE(number, "33 x 65 x 17, captured", 33, 65, 17, .script = AS_GRAPH, ASK(GRAPH)),  \
    SGEMM_CASE(number, "33 x 5 x 0, captured", 33, 5, 0, .script = AS_GRAPH, ASK(GRAPH)),      \
    SGEMM_CASE(number, "33 x 65 x 17, and the launch fails", 33, 65, 17,                       \
               .refused_with = JUDGE_LAUNCH_FAILS, ASK(RETURNS)),                              \
    SGEMM_CASE(number, "33 x 5 x 0, and the launch fails", 33, 5, 0,                           \
               .refused_with = JUDGE_LAUNCH_FAILS, ASK(RETURNS)),                              \
    SGEMM_REFUSED(number, "-1 x 5 x 3", -1, 5, 3),                                             \
    SGEMM_REFUSED(number, "5 x -1 x 3", 5, -1, 3),                                             \
    SGEMM_REFUSED(number, "5 x 3 x -1", 5, 3, -1),                                             \
    SGEMM_REFUSED(number, "-100 x -100 x 3", -100, -100, 3),                                   \
    SGEMM_REFUSED(number, "-100 x 5 x -100", -100, 5, -100),                                   \
    SGEMM_REFUSED(number, "5 x -100 x -100", 5, -100, -100),                                   \
    SGEMM_REFUSED(number, "0 x 5 x -1", 0, 5, -1),                                             \
    SGEMM_REFUSED(number, "-1 x 0 x 3", -1, 0, 3),                                             \
    SGEMM_REFUSED(number, "0 x -1 x 3", 0, -1, 3),                                             \
    SGEMM_REFUSED(number, "1000001 x 1 x 1", 1000001, 1, 1),                                   \
    SGEMM_REFUSED(number, "1 x 1000001 x 1", 1, 1000001, 1),                                   \
    SGEMM_REFUSED(number, "1 x 1 x 1000001", 1, 1, 1000001),                                   \
    SGEMM_REFUSED(number, "0 x 1 x 1000001", 0, 1, 1000001),                                   \
    SGEMM_REFUSED(number, "1 x 1 x -2^31", 1, 1, INT32_MIN),                                   \
    SGEMM_REFUSED(number, "1 x 1 x 2^31 - 1", 1, 1, INT32_MAX)

/* More than 2^31 elements of C, of A and of B, and more than 2^32, where an unsigned begins again;
 * of C, where that costs nothing, 2^34, so that counts of float4 do; and sides for which an axis of
 * the grid may end. */
#define SGEMM_LARGE(number)                                                                    \
    SGEMM_CASE(number, "140000 x 150000 x 8", 140000, 150000, 8, ASK(SIDES)),                  \
    SGEMM_CASE(number, "1000000 x 8 x 2200", 1000000, 8, 2200, ASK(SIDES)),                    \
    SGEMM_CASE(number, "8 x 1000000 x 2200", 8, 1000000, 2200, ASK(SIDES)),                    \
    SGEMM_CASE(number, "1000000 x 8 x 4400", 1000000, 8, 4400, ASK(SIDES)),                    \
    SGEMM_CASE(number, "8 x 1000000 x 4400", 8, 1000000, 4400, ASK(SIDES))
/* clang-format on */

/* On the simulated device k is short, but C is as large as it takes to give every multiprocessor
 * work even when a block computes 128 x 128 of it. */
static inline struct judge_case sgemm_timed(const struct judge_device *device, uint32_t number)
{
    const struct judge_case simulated = SGEMM_CASE(number, "1024 x 1024 x 32", 1024, 1024, 32);
    const struct judge_case middle = SGEMM_CASE(number, "2048 x 2048 x 2048", 2048, 2048, 2048);
    const struct judge_case large = SGEMM_CASE(number, "4096 x 4096 x 4096", 4096, 4096, 4096);
    bool is_large = device->memory_bytes >= UINT64_C(32) << 30;
    return device->simulated ? simulated : is_large ? large : middle;
}

/* --- Regimes ---------------------------------------------------------------------------------- */

static inline void sgemm_turn(struct judge_case *problem, int64_t m, int64_t n, int64_t k,
                              const char *text)
{
    problem->size[SGEMM_M] = m;
    problem->size[SGEMM_N] = n;
    problem->size[SGEMM_K] = k;
    snprintf(problem->name, sizeof problem->name, "sgemm, %lld x %lld x %lld%s", (long long)m,
             (long long)n, (long long)k, text);
}

/* As many blocks, whose sums are a quarter as long: all sides odd. */
static inline void sgemm_odd(struct judge_case *problem)
{
    for (int i = 0; i < SGEMM_BUFFERS; i++)
        problem->offset_bytes[i] = sizeof(float);
    sgemm_turn(problem, problem->size[SGEMM_M] - 1, problem->size[SGEMM_N] - 1,
               problem->size[SGEMM_K] / 4 - 1, ", one element off");
}

static inline void sgemm_tall(struct judge_case *problem)
{
    sgemm_turn(problem, 200000, 64, 64, "");
}

static inline void sgemm_wide(struct judge_case *problem)
{
    sgemm_turn(problem, 64, 200000, 64, "");
}

/* Longer than the timed one, and enough tiles for the device. */
static inline void sgemm_long_k(struct judge_case *problem)
{
    sgemm_turn(problem, 1024, 1024, 5000, "");
}

static inline void sgemm_past_int(struct judge_case *problem)
{
    sgemm_turn(problem, 50000, 50000, 32, "");
}

/* So short a k that the launch takes most of the time, in tiles or not. */
static inline void sgemm_small(struct judge_case *problem)
{
    sgemm_turn(problem, 256, 256, 16, "");
}

/* clang-format off */
#define SGEMM_REGIMES(number)                                                                  \
    {"odd", 1 << number, sgemm_odd, .same_shape = true,                                        \
     .says = "odd sides and addresses are slow", .look_at = JUDGE_LOOK_AT_ODD},                \
    {"tall", 1 << number, sgemm_tall,                                                          \
     .says = "a tall C is slow", .look_at = JUDGE_LOOK_AT_THIN},                               \
    {"wide", 1 << number, sgemm_wide,                                                          \
     .says = "a wide C is slow", .look_at = JUDGE_LOOK_AT_THIN},                               \
    {"long_k", 1 << number, sgemm_long_k,                                                      \
     .says = "long sums are slow", .look_at = JUDGE_LOOK_AT_SUMS},                             \
    {"past_int", 1 << number, sgemm_past_int,                                                  \
     .says = "more than 2^31 elements are slow", .look_at = JUDGE_LOOK_AT_SIZE},               \
    {"small", 1 << number, sgemm_small,                                                        \
     .share = JUDGE_SMALL_SHARE, .says = "a small product is slow", .look_at = JUDGE_LOOK_AT_SMALL}
/* clang-format on */

/* The middle one takes as long as the transpose's, whose elements are moved and no more. */
static inline void sgemm_name(struct judge_case *problem)
{
    snprintf(problem->name, sizeof problem->name, "sgemm, %lld x %lld x %lld%s, drawn",
             (long long)problem->size[SGEMM_M], (long long)problem->size[SGEMM_N],
             (long long)problem->size[SGEMM_K],
             problem->data == JUDGE_DATA_SPARSE_SPECIALS ? ", some NaN" : "");
}

/* Sums longer than the list's, and now and then as long, of integers, so that a product that is
 * left out shows: one tile or two, which are not run again and again. Not so long that a tile of
 * 256 x 128, all of whose products are formed, is taken for an endless loop. */
static inline struct judge_case sgemm_drawn_long(uint32_t number, uint64_t *seed)
{
    int64_t m = judge_draw(seed, 1, 32), n = judge_draw(seed, 1, 32);
    int64_t k = judge_draw(seed, 0, 3) ? judge_draw_size(seed, 4612, 12288)
                                       : judge_draw_size(seed, 801, 4611);
    struct judge_case problem =
        SGEMM_CASE(number, "", m, n, k, .once = true, .data = JUDGE_DATA_INTEGERS);
    judge_draw_pointers(seed, SGEMM_BUFFERS, judge_draw(seed, 0, 1), &problem);
    sgemm_name(&problem);
    return problem;
}

/* With special values, many tiles and a long k, of whole float4. */
static inline struct judge_case sgemm_drawn_even(uint32_t number, uint64_t *seed)
{
    int64_t m = judge_draw_size(seed, 600, MOST_OF_A_SIDE);
    int64_t n = 4 * judge_draw_size(seed, 600 / 4, MOST_OF_A_SIDE / 4);
    int64_t k = 4 * judge_draw(seed, 520 / 4, 800 / 4);
    struct judge_case problem = SGEMM_CASE(number, "", m, n, k, .data = JUDGE_DATA_SPARSE_SPECIALS);
    sgemm_name(&problem);
    return problem;
}

/* Sides of any size, with special values or with numbers of any size, of float4 by chance alone. */
static inline struct judge_case sgemm_drawn_any(uint32_t number, uint64_t *seed)
{
    int64_t a = judge_draw_size(seed, 600, LESSON2_LARGEST_SIDE), b = draw_other(seed, 9, a);
    bool is_tall = judge_draw(seed, 0, 1), has_specials = judge_draw(seed, 0, 1);
    struct judge_case problem =
        SGEMM_CASE(number, "", is_tall ? a : b, is_tall ? b : a, judge_draw_size(seed, 64, 800),
                   .data = has_specials ? JUDGE_DATA_SPARSE_SPECIALS : JUDGE_DATA_SCALED);
    judge_draw_pointers(seed, SGEMM_BUFFERS, false, &problem);
    sgemm_name(&problem);
    return problem;
}

/* One side so long that no axis of a grid but x has a block for each 8 of it. */
static inline struct judge_case sgemm_drawn_thin(uint32_t number, bool is_tall, uint64_t *seed)
{
    int64_t lengthy = judge_draw(seed, 530000, 1000000), thin = judge_draw(seed, 1, 8);
    int64_t k = judge_draw(seed, 1, 12);
    struct judge_case problem =
        SGEMM_CASE(number, "", is_tall ? lengthy : thin, is_tall ? thin : lengthy, k,
                   .data = JUDGE_DATA_SPARSE_SPECIALS);
    judge_draw_pointers(seed, SGEMM_BUFFERS, false, &problem);
    sgemm_name(&problem);
    return problem;
}

static inline struct judge_case sgemm_drawn(uint32_t number, bool is_middle, uint64_t *seed)
{
    int64_t m = judge_draw_size(seed, 2, 200), n = judge_draw_size(seed, 2, 200);
    int64_t k = judge_draw_size(seed, 2, 400);
    if (is_middle) {
        m = judge_draw(seed, 500, 1500);
        n = judge_draw(seed, 1 << 18, 1 << 19) / m;
        k = judge_draw(seed, 3, 40);
    }
    struct judge_case problem = SGEMM_CASE(number, "", m, n, k, .once = is_middle,
                                           .data = judge_draw(seed, 0, 1) ? JUDGE_DATA_SCALED : 0);
    if (is_middle) {
        problem.data = JUDGE_DATA_SPARSE_SPECIALS;
        judge_draw_pointers(seed, SGEMM_BUFFERS, false, &problem);
    }
    sgemm_name(&problem);
    return problem;
}

static inline size_t sgemm_buffers(const struct judge_case *problem, struct judge_buffer *list)
{
    uint64_t m = (uint64_t)problem->size[SGEMM_M], n = (uint64_t)problem->size[SGEMM_N];
    uint64_t k = (uint64_t)problem->size[SGEMM_K];
    list[SGEMM_A] = (struct judge_buffer){.name = "A", JUDGE_IN, JUDGE_F32, m * k, k};
    list[SGEMM_B] = (struct judge_buffer){.name = "B", JUDGE_IN, JUDGE_F32, k * n, n};
    list[SGEMM_C] = (struct judge_buffer){.name = "C", JUDGE_OUT, JUDGE_F32, m * n, n};
    return SGEMM_BUFFERS;
}

/* Products too small for a float: a few units of the smallest one. */
#define TINY (4 * JUDGE_SMALLEST_FLOAT)

/* One row of C: the sums, and the sums of absolute values. */
static inline void sgemm_row(const float *a, const float *B, int64_t n, int64_t k, double *sum,
                             double *magnitude)
{
    for (int64_t i = 0; i < k; i++)
        for (int64_t col = 0; col < n; col++) {
            double product = (double)a[i] * B[i * n + col];
            sum[col] += product;
            magnitude[col] += fabs(product);
        }
}

/* From the sums of products, and of their absolute values, to what C may be. */
static inline void sgemm_finish(const struct judge_case *problem, int64_t count, double *sum,
                                double *allowed)
{
    int64_t k = problem->size[SGEMM_K];
    for (int64_t col = 0; col < count; col++) {
        if (fabs(sum[col]) > FLT_MAX)
            sum[col] = copysign(INFINITY, sum[col]);
        allowed[col] =
            problem->data == JUDGE_DATA_INTEGERS
                ? 0
                : judge_product_allowed(sum[col], allowed[col], (double)k) + (double)k * TINY;
    }
}

static inline void sgemm_truth_at(const struct judge_case *problem,
                                  const struct judge_inputs *inputs, uint64_t first, uint64_t count,
                                  double *expected, double *allowed)
{
    const struct judge_product product = {SGEMM_A, SGEMM_B, (uint64_t)problem->size[SGEMM_N],
                                          (uint64_t)problem->size[SGEMM_K]};
    for (uint64_t done = 0, part; done < count; done += part) {
        uint64_t row = (first + done) / product.n, col = (first + done) % product.n;
        part = count - done < product.n - col ? count - done : product.n - col;
        memset(expected + done, 0, part * sizeof *expected);
        judge_product_row(inputs, &product, row, col, part, expected + done, allowed + done);
        sgemm_finish(problem, (int64_t)part, expected + done, allowed + done);
    }
}

static inline void sgemm_truth(const struct judge_case *problem, struct judge_host *host)
{
    const float *A = host[SGEMM_A].input, *B = host[SGEMM_B].input;
    int64_t m = problem->size[SGEMM_M], n = problem->size[SGEMM_N], k = problem->size[SGEMM_K];
    for (int64_t row = 0; row < m; row++) {
        double *sum = host[SGEMM_C].expected + row * n, *allowed = host[SGEMM_C].allowed + row * n;
        sgemm_row(A + row * k, B, n, k, sum, allowed);
        sgemm_finish(problem, n, sum, allowed);
    }
}

static inline struct judge_work sgemm_work(const struct judge_case *problem)
{
    double m = (double)problem->size[SGEMM_M], n = (double)problem->size[SGEMM_N];
    double k = (double)problem->size[SGEMM_K];
    return (struct judge_work){.bytes = 4 * (m * k + k * n + m * n), .flop = 2 * m * n * k};
}

static inline cudaError_t sgemm_launch(const struct judge_call *call)
{
    typedef cudaError_t sgemm(const float *, const float *, float *, int, int, int, cudaStream_t);
    const int64_t *size = call->problem->size;
    return ((sgemm *)call->symbols[call->problem->launcher])(
        call->buffers[SGEMM_A], call->buffers[SGEMM_B], call->buffers[SGEMM_C], (int)size[SGEMM_M],
        (int)size[SGEMM_N], (int)size[SGEMM_K], call->stream);
}

/* --- Mistakes that are recognised ------------------------------------------------------------- */

/* A small case of the product that got this verdict; transposes have no k. */
static inline bool sgemm_failed(const struct judge_evidence *e, enum verdict verdict)
{
    return judge_failed(e, verdict) && strncmp(e->where->name, "sgemm", strlen("sgemm")) == 0;
}

/* The timed case, refused for that counter. */
static inline bool sgemm_slow(const struct judge_evidence *e, enum judge_counter counter,
                              double least, double most)
{
    return sgemm_failed(e, VERDICT_SLOW) && judge_slow(e, counter, least, most);
}

static inline bool sgemm_is_past_an_int(const struct judge_case *problem)
{
    int64_t m = problem->size[SGEMM_M], n = problem->size[SGEMM_N], k = problem->size[SGEMM_K];
    return m * k > INT32_MAX || k * n > INT32_MAX || m * n > INT32_MAX;
}

/* clang-format off */
JUDGE_SEEN(sgemm_offset_in_32_bits, e->is_large && (sgemm_failed(e, VERDICT_OUT_OF_BOUNDS) ||
                                                    sgemm_failed(e, VERDICT_WRONG)) &&
                                        sgemm_is_past_an_int(e->where))
JUDGE_SEEN(sgemm_axis_too_long, e->is_large && sgemm_failed(e, VERDICT_LAUNCH_ERROR))
JUDGE_SEEN(sgemm_axes_exchanged, sgemm_slow(e, JUDGE_LOAD_EFFICIENCY, 0, 0.5) &&
                                     e->counter[JUDGE_LOAD_BYTES_RATIO] > 8 &&
                                     e->kernel.shared_requests == 0)
JUDGE_SEEN(sgemm_tile_by_columns, sgemm_slow(e, JUDGE_LOAD_EFFICIENCY, 0, 0.9) &&
                                      e->kernel.shared_requests > 0 &&
                                      e->counter[JUDGE_LOAD_BYTES_RATIO] < 2)
JUDGE_SEEN(sgemm_one_of_two, sgemm_slow(e, JUDGE_LOAD_BYTES_RATIO, 12, 20) &&
                                 e->kernel.shared_requests > 0)
JUDGE_SEEN(sgemm_no_reuse, sgemm_slow(e, JUDGE_LOAD_BYTES_RATIO, 20, INFINITY) &&
                               e->kernel.shared_requests == 0)
JUDGE_SEEN(sgemm_small_tile, sgemm_slow(e, JUDGE_LOAD_BYTES_RATIO, 1.1, 12) &&
                                 e->kernel.shared_requests > 0)
JUDGE_SEEN(sgemm_bank_conflict, sgemm_slow(e, JUDGE_WAVEFRONT_RATIO, 1.05, INFINITY))
JUDGE_SEEN(sgemm_few_blocks, sgemm_failed(e, VERDICT_SLOW) && judge_late(e) &&
                                 e->kernel.local_requests == 0 &&
                                 e->kernel.blocks < e->kernel.multiprocessors)
JUDGE_SEEN(sgemm_barrier_missing, sgemm_failed(e, VERDICT_RACE) && !e->global_race)
JUDGE_SEEN(sgemm_barrier_in_branch, sgemm_failed(e, VERDICT_BARRIER))
JUDGE_SEEN(sgemm_unwritten_read, sgemm_failed(e, VERDICT_UNINITIALISED))
JUDGE_SEEN(sgemm_float4_anyway, sgemm_failed(e, VERDICT_MISALIGNED))
JUDGE_SEEN(sgemm_no_bounds_check, sgemm_failed(e, VERDICT_OUT_OF_BOUNDS) &&
                                      e->where->size[SGEMM_M] * e->where->size[SGEMM_N] == 1)
JUDGE_SEEN(sgemm_row_length, sgemm_failed(e, VERDICT_OUT_OF_BOUNDS))
JUDGE_SEEN(sgemm_zeros_unwritten,
           sgemm_failed(e, VERDICT_WRONG) && e->where->size[SGEMM_K] == 0)
JUDGE_SEEN(sgemm_grid_exchanged, sgemm_failed(e, VERDICT_WRONG) && e->wrong_is_unwritten &&
                                     e->where->size[SGEMM_M] != e->where->size[SGEMM_N])
/* All of k is less than a tile, and none of it was added, to any element. */
JUDGE_SEEN(sgemm_rest_of_k_missing,
           sgemm_failed(e, VERDICT_WRONG) && e->got == 0 && isfinite(e->want) &&
               e->where->size[SGEMM_K] < 32 && (double)e->wrong > 0.9 * (double)e->total)
JUDGE_SEEN(sgemm_edge_repeated,
           sgemm_failed(e, VERDICT_WRONG) && isnan(e->got) && isinf(e->want))
JUDGE_SEEN(sgemm_zeros_skipped,
           sgemm_failed(e, VERDICT_WRONG) && isnan(e->want) && !isnan(e->got))
/* No more is lost than what is subnormal, in each step of the sum. A factor that is lost and is
 * multiplied by a large one is more: then the first sum is subnormal itself, or there is one
 * product alone, and few of those are lost. */
JUDGE_SEEN(sgemm_subnormals_flushed,
           sgemm_failed(e, VERDICT_WRONG) && !e->wrong_is_unwritten &&
               (e->largest_error < 2 * FLT_MIN * (double)e->where->size[SGEMM_K] ||
                (e->got == 0 && e->want != 0 && fabs(e->want) < FLT_MIN) ||
                (e->got == 0 && isfinite(e->want) && e->want != 0 && e->where->size[SGEMM_K] == 1 &&
                 (double)e->wrong < 0.5 * (double)e->total)))
/* Of a sum of k terms of either sign, which is about as large as the root of k. */
JUDGE_SEEN(sgemm_narrow_inputs,
           sgemm_failed(e, VERDICT_WRONG) && e->where->data != JUDGE_DATA_TINY &&
               e->largest_error < 0x1p-8 * fmax(4, sqrt((double)e->where->size[SGEMM_K])))

/* The first one that is seen counts: the more special stand before the more general. */
#define SGEMM_MISTAKES                                                                         \
    {"sgemm_offset_in_32_bits", sgemm_offset_in_32_bits,                                       \
     "m, n and k fit an int, m * k, k * n and m * n need not: from 2^31 elements on, an "      \
     "offset that is an int is negative, and an unsigned one begins again at 2^32. Multiply "  \
     "in 64 bits, and widen before that, not after: (int64_t)row * k + i."},                   \
    {"sgemm_axis_too_long", sgemm_axis_too_long,                                               \
     "A grid has at most 65,535 blocks along y and z, and 2^31 - 1 along x. A side of 1,000,000 " \
     "is more tiles than that unless a tile is large, or x has them all."},                    \
    {"sgemm_axes_exchanged", sgemm_axes_exchanged,                                             \
     "Loads touch twice the sectors that they need, or more, and no shared memory is "         \
     "used, as where neighbouring threads, those whose threadIdx.x differs by one, take "      \
     "neighbouring rows of C: then they read A, and write C, a whole row apart. Let "          \
     "threadIdx.x run along a row."},                                                          \
    {"sgemm_tile_by_columns", sgemm_tile_by_columns,                                           \
     "About as many bytes are loaded as a tile of 32 x 32 asks for, but from more "            \
     "sectors than they need, as where neighbouring threads fetch elements of "                \
     "neighbouring rows. threadIdx.x must run along the row that is read, whatever place "     \
     "in the tile it goes to."},                                                               \
    {"sgemm_one_of_two", sgemm_one_of_two,                                                     \
     "Shared memory is used, and yet about one factor is loaded from global memory for "       \
     "each product, as where one of the two matrices goes through shared memory and the "      \
     "other does not. A tile of 32 x 32 loads one for every 16 products."},                    \
    {"sgemm_no_reuse", sgemm_no_reuse,                                                         \
     "No shared memory is used, and more than one factor is loaded for each product, "         \
     "though many threads of a block ask for the same element of A, or of B. Fetch each "      \
     "once into shared memory, or let a thread keep a few sums, so that each factor "          \
     "serves several products."},                                                              \
    {"sgemm_small_tile", sgemm_small_tile,                                                     \
     "A tile of side T lets each fetched element serve T products, and yours serve fewer "     \
     "than 32 on average. Take 32 x 32, or let a thread compute more than one element."},      \
    {"sgemm_bank_conflict", sgemm_bank_conflict,                                               \
     "Lanes of a warp touch words of shared memory that lie in one bank, so they take turns: " \
     "banks repeat every 32 words. Either let neighbouring lanes touch neighbouring words, or " \
     "make the rows of the tile one word longer."},                                            \
    {"sgemm_few_blocks", sgemm_few_blocks,                                                     \
     "The grid has fewer blocks than the device has multiprocessors: the others are idle. "     \
     "More blocks, each with a smaller piece of C."},                                          \
    {"sgemm_barrier_missing", sgemm_barrier_missing,                                           \
     "A place is written while it is used. Two meetings belong to every tile: one after all "   \
     "have written it, before anyone reads it; one after all have read it, before anyone "      \
     "writes the next. And what cp.async copies is there only once it was waited for, in "      \
     "the last turn, too."},                                                                    \
    {"sgemm_barrier_in_branch", sgemm_barrier_in_branch,                                       \
     "All threads of a block must come to each __syncthreads(). One whose element of C "       \
     "does not exist must still help to fetch the tiles: let it not return early, and "        \
     "ask again when it stores."},                                                             \
    {"sgemm_unwritten_read", sgemm_unwritten_read,                                             \
     "You read what was never written, such as a place of the tile that lies outside "         \
     "the matrix and was not set to 0, or that a thread was to fill which had "                \
     "returned before; or C itself, which holds nothing yet."},                                \
    {"sgemm_float4_anyway", sgemm_float4_anyway,                                               \
     "A float4 must lie at a multiple of 16 bytes, a float2 of 8. The contract promises "      \
     "4, and a row whose length is no multiple of 4 starts anywhere."},                        \
    {"sgemm_no_bounds_check", sgemm_no_bounds_check,                                           \
     "Tiles hang over the edges of the matrices. Ask before each load whether the element " \
     "exists, and take 0 if it does not; ask before the store as well."},                      \
    {"sgemm_row_length", sgemm_row_length,                                                     \
     "Square matrices forgive what others do not: a row of A is k long, a row of B and of "    \
     "C is n long. And a condition on the wrong side lets the wrong elements through."},       \
    {"sgemm_zeros_unwritten", sgemm_zeros_unwritten,                                           \
     "With k = 0 there is nothing to add, and C is written all the same: a sum of "            \
     "nothing is 0."},                                                                         \
    {"sgemm_grid_exchanged", sgemm_grid_exchanged,                                             \
     "Part of C was never written, where its sides differ. Where blockIdx.x counts tiles "     \
     "along a row, the grid's x is n divided by the tile's side, rounded up, and its y "       \
     "the same of m. Square matrices do not tell them apart."},                                \
    {"sgemm_subnormals_flushed", sgemm_subnormals_flushed,                                     \
     "Numbers below 2^-126 are subnormal, and yours are lost. They are set to 0 by "           \
     "instructions with .ftz and by -ftz=true, as factors, as products and as sums, or by a "  \
     "comparison with a number that seemed small enough. The contract wants them kept."},      \
    {"sgemm_rest_of_k_missing", sgemm_rest_of_k_missing,                                       \
     "C is 0, though there are products to add: is the last tile along k left out where "      \
     "k is no multiple of its side? Let the loop run while first < k, and fill with 0 "        \
     "what lies outside."},                                                                    \
    {"sgemm_edge_repeated", sgemm_edge_repeated,                                               \
     "An infinity has become NaN. 0 times infinity is one: of a place of the tiles that "      \
     "lies outside, both factors must be 0, not one of them."},                                \
    {"sgemm_zeros_skipped", sgemm_zeros_skipped,                                               \
     "A NaN did not arrive. 0 * NaN is NaN and 0 * infinity is NaN: leaving products out, "    \
     "one by one or a tile at a time, changes the sum."},                                      \
    {"sgemm_narrow_inputs", sgemm_narrow_inputs,                                               \
     "The results are close, but not as close as FP32 is, as where the factors go "            \
     "through a narrower type, such as FP16 or TF32, or where little of a long sum is "        \
     "left out."}
/* clang-format on */

#endif
