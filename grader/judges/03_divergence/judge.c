/* judge.c - lesson 3: warps whose lanes all do the same.
 *
 * Two launchers, and so two timed cases. `gated` shows divergence where it costs most, in long
 * branch bodies; `row_sumsq` shows the small kind, the tree of additions in which fewer and fewer
 * lanes work. Time alone would not tell the ways to fail apart: computing both paths for every lane
 * keeps all lanes busy, with twice the instructions; a stride of two has the right instructions,
 * and twice the sectors. So each has its bar.
 *
 * The contract is common/contracts/03_divergence.h; read grader/check/judge.h for the fields.
 * Next: mistakes.c.
 */
#include "check/judge_graph.h"
#include "judges/03_divergence/problem.h"

#include <float.h>
#include <math.h>
#include <stdio.h>

static const char *const LAUNCHERS[] = {"lesson3_gated", "lesson3_row_sumsq", NULL};

/* --- Clauses ---------------------------------------------------------------------------------- */

/* clang-format off */
enum clause { STREAM, HOST, GRAPH, ONE_LAUNCH, ALIGNMENT, REFUSED, RETURNS, EMPTY, KINDS, OVER_X,
              LENGTH, SUM, OLD_OUTPUT, SIDES, NO_COLUMNS, PAST_INT, SAME_BITS, PRECISION };
/* clang-format on */

static const struct judge_clause CLAUSES[] = {
    [STREAM] = {"stream", "only the given stream is used;",
                .always = "every launch: on no stream but that one"},
    [HOST] = {"host", "nothing is allocated, copied or waited for,",
              .counters = JUDGE_ASKS(JUDGE_ALLOCATIONS) | JUDGE_ASKS(JUDGE_COPIES) |
                          JUDGE_ASKS(JUDGE_SYNCHRONISATIONS)},
    [GRAPH] = {"graph", "so a call can be captured into a graph;"},
    [ONE_LAUNCH] = {"one_launch", "and it is one kernel launch.",
                    .counters = JUDGE_ASKS(JUDGE_LAUNCHES)},
    [ALIGNMENT] = {"alignment", "Pointers are device pointers, aligned to 4 bytes and no better."},
    [REFUSED] = {"refused", "They return cudaErrorInvalidValue for a negative size,"},
    [RETURNS] = {"returns", "otherwise what the launch returned;",
                 .always = "every case: what the launcher returns is looked at"},
    [EMPTY] = {"empty", "an empty problem (n, rows = 0) launches nothing and succeeds."},
    [KINDS] = {"kinds", "A population of two kinds, interleaved: y[i] = lesson3_decay(x[i]) for "
                        "even i and lesson3_orbit(x[i]) for odd i, bit for bit (both are given "
                        "below)."},
    [OVER_X] = {"over_x", "y may be x itself;"},
    [LENGTH] = {"length", "n at least 0; beyond 2^31 is allowed."},
    [SUM] = {"sum", "out[row] = the sum over the columns of x[row][column]^2. x rows x cols "
                    "floats, row-major, no padding between rows."},
    [OLD_OUTPUT] = {"old_output", "out rows floats; whatever they held before does not matter.",
                    .always = "every case runs over two kinds of poison"},
    [SIDES] = {"sides", "rows, cols at least 0;"},
    [NO_COLUMNS] = {"no_columns", "the sum over 0 columns is 0."},
    [PAST_INT] = {"past_int", "Their product may go beyond 2^31."},
    [SAME_BITS] = {"same_bits",
                   "FP32 arithmetic in any order, but the same bits each time it is "
                   "called:",
                   .always = "every case runs twice, its warps and blocks in another order"},
    [PRECISION] = {"precision", "at most cols roundings, with the usual growth of sqrt(cols). "
                                "What is subnormal is not set to 0."},
};

static const char *const CONTEXT[] = {
    "03_divergence.h - contract of lesson 3: two launchers that keep a warp's lanes together. "
    "Both:",
    "x, y n floats.",
    "they do not overlap otherwise.",
    "Not overlapping x.",
    "The two paths: 256 multiply-adds, each waiting for the one before, and no branch. They are "
    "the same on the device and on the host, to the last bit, and cannot be shortened without "
    "changing bits. Call them as they are.",
    "The even ones: a value that settles towards 1.",
    "The odd ones: a value that wanders chaotically, bounded for |value| <= 1.",
    NULL,
};

/* --- Cases ------------------------------------------------------------------------------------ */

/* judge_case.script. Of the last one, real has the sides of a call before it, which is captured and
 * not launched. */
enum script { ONE_CALL, AS_GRAPH, LARGEST_FIRST };

#define ASK(clause) .asks = JUDGE_ASKS(clause)
/* A cached value that starts as 0 may seem to be set already: so the first call of a process has
 * every argument as close to 0 as the contract allows. */
#define FIRST .processes = 2, .once = 1
#define NOTHING .launches_nothing = 1, ASK(EMPTY)
#define REFUSE .refused_with = cudaErrorInvalidValue, ASK(REFUSED)

#define GATED_AS(text, elements, ...)                                                    \
    {                                                                                    \
        .name = "gated, " text, .launcher = GATED, .size = {[N] = elements}, __VA_ARGS__ \
    }
#define GATED_N(elements, ...) GATED_AS("n = " #elements, elements, __VA_ARGS__)
#define SUMSQ(text, rows, cols, ...)                                                               \
    {                                                                                              \
        .name = "row_sumsq, " text, .launcher = ROW_SUMSQ, .size = {[ROWS] = rows, [COLS] = cols}, \
        __VA_ARGS__                                                                                \
    }

/* A call as large as the contract allows, whose launch must be accepted but does not run; and then
 * a small one, whose results are compared. */
#define SUMSQ_LARGEST(text, rows, cols)                                                          \
    SUMSQ(text " captured, not launched", 5, 100, .real = {rows, cols}, .script = LARGEST_FIRST, \
          .asks = JUDGE_ASKS(SIDES) | JUDGE_ASKS(PAST_INT) | JUDGE_ASKS(GRAPH))

#define X_OFF(bytes) .offset_bytes = {[GATED_X] = bytes}, ASK(ALIGNMENT)
#define Y_OFF(bytes) .offset_bytes = {[GATED_Y] = bytes}, ASK(ALIGNMENT)
#define IN_X .alias = IN_PLACE, ASK(OVER_X)
#define INTEGERS .data = JUDGE_DATA_INTEGERS, ASK(SUM)

/* Around one pair, one warp and one block; odd n leaves an even element without its neighbour. The
 * cases in place need several blocks: only there does it show when two blocks do the same element.
 * Sums of integers are exact: in other long rows, a square that is left out would be lost in the
 * tolerance. A device that holds 8448 warps at once takes 9001 rows in two turns, if a warp takes a
 * row. Arguments that need no arithmetic come last, so that they are not what a beginner hears
 * first. */
static const struct judge_case CASES[] = {
    GATED_N(1, ASK(LENGTH)),
    GATED_N(2, ASK(KINDS)),
    GATED_N(31, ASK(LENGTH)),
    GATED_N(33, ASK(LENGTH)),
    GATED_N(63, ASK(LENGTH)),
    GATED_N(65, ASK(LENGTH)),
    GATED_N(1001, ASK(KINDS)),
    GATED_N(4099, ASK(KINDS)),
    GATED_AS("n = 1001, x one element off", 1001, X_OFF(ONE_FLOAT)),
    GATED_AS("n = 1000, y one element off", 1000, Y_OFF(ONE_FLOAT)),
    GATED_AS("n = 1001, both one element off", 1001,
             .offset_bytes = {[GATED_X] = ONE_FLOAT, [GATED_Y] = ONE_FLOAT}, ASK(ALIGNMENT)),
    GATED_AS("n = 1001, both two elements off", 1001,
             .offset_bytes = {[GATED_X] = 2 * ONE_FLOAT, [GATED_Y] = 2 * ONE_FLOAT},
             ASK(ALIGNMENT)),
    GATED_AS("n = 1003, both three elements off", 1003,
             .offset_bytes = {[GATED_X] = 3 * ONE_FLOAT, [GATED_Y] = 3 * ONE_FLOAT},
             ASK(ALIGNMENT)),
    GATED_AS("n = 1001, x two elements off", 1001, X_OFF(2 * ONE_FLOAT)),
    GATED_AS("n = 1001, in place", 1001, IN_X),
    GATED_AS("n = 4098, in place", 4098, IN_X),
    GATED_AS("n = 4099, in place", 4099, IN_X),
    GATED_AS("n = 2050, in place, one element off", 2050, .offset_bytes = {[GATED_X] = ONE_FLOAT},
             IN_X),
    GATED_AS("n = 2049, in place, two elements off", 2049,
             .offset_bytes = {[GATED_X] = 2 * ONE_FLOAT}, IN_X),
    GATED_AS("n = 2051, in place, three elements off", 2051,
             .offset_bytes = {[GATED_X] = 3 * ONE_FLOAT}, IN_X),
    GATED_AS("n = 513, NaN and infinities", 513, .data = JUDGE_DATA_SPECIALS, ASK(KINDS)),
    GATED_AS("n = 512, NaN and infinities", 512, .data = JUDGE_DATA_SPECIALS, ASK(KINDS)),
    GATED_AS("n = 20003, zeros", 20003, .data = JUDGE_DATA_ZEROS_IN_FIRST, ASK(KINDS)),
    SUMSQ("3 x 0: sums of nothing", 3, 0, ASK(NO_COLUMNS)),
    SUMSQ("600 x 0: sums of nothing", 600, 0, ASK(NO_COLUMNS)),
    SUMSQ("1 x 1", 1, 1, ASK(SIDES)),
    SUMSQ("70 x 1", 70, 1, ASK(SIDES)),
    SUMSQ("70 x 2, x one element off", 70, 2, X_OFF(ONE_FLOAT)),
    SUMSQ("3 x 31", 3, 31, ASK(SIDES)),
    SUMSQ("3 x 64: two warps", 3, 64, ASK(SIDES)),
    SUMSQ("7 x 33", 7, 33, ASK(SIDES)),
    SUMSQ("5 x 1000", 5, 1000, ASK(SUM)),
    SUMSQ("5 x 1000, x one element off", 5, 1000, X_OFF(ONE_FLOAT)),
    SUMSQ("5 x 1000, x two elements off", 5, 1000, X_OFF(2 * ONE_FLOAT)),
    SUMSQ("5 x 1000, x three elements off", 5, 1000, X_OFF(3 * ONE_FLOAT)),
    SUMSQ("200 x 300, rows of zeros", 200, 300, .data = JUDGE_DATA_ZEROS_IN_FIRST, ASK(SUM)),
    SUMSQ("64 x 3, NaN and infinities", 64, 3, .data = JUDGE_DATA_SPECIALS, ASK(SUM)),
    SUMSQ("20 x 1000, some NaN", 20, 1000, .data = JUDGE_DATA_FEW_SPECIALS, ASK(SUM)),
    SUMSQ("20 x 1001, some NaN", 20, 1001, .data = JUDGE_DATA_FEW_SPECIALS, ASK(SUM)),
    SUMSQ("20 x 1003, NaN after infinities", 20, 1003, .data = JUDGE_DATA_LATE_NAN, ASK(SUM)),
    SUMSQ("3 x 30000, NaN after infinities", 3, 30000, .data = JUDGE_DATA_LATE_NAN, ASK(SUM)),
    SUMSQ("9 x 260, integers: exact", 9, 260, INTEGERS),
    SUMSQ("64 x 4097", 64, 4097, ASK(PRECISION)),
    SUMSQ("40 x 5, subnormal squares", 40, 5, .data = JUDGE_DATA_TINY, ASK(PRECISION)),
    SUMSQ("7 x 999, subnormal squares", 7, 999, .data = JUDGE_DATA_TINY, ASK(PRECISION)),
    SUMSQ("5 x 2052, subnormal squares", 5, 2052, .data = JUDGE_DATA_TINY, ASK(PRECISION)),
    SUMSQ("2 x 70004, subnormal squares", 2, 70004, .data = JUDGE_DATA_TINY, ASK(PRECISION)),
    SUMSQ("9001 x 2: more rows than warps", 9001, 2, .once = 1, ASK(SIDES)),
    SUMSQ("2 x 20002, integers: exact", 2, 20002, INTEGERS),
    SUMSQ("1 x 100003, integers: exact", 1, 100003, INTEGERS),
    SUMSQ("16 x 70003", 16, 70003, .repeats = 3, /* sums in two orders may agree by chance */
          .asks = JUDGE_ASKS(PRECISION) | JUDGE_ASKS(SAME_BITS)),
    SUMSQ("2 x 1200003, long rows", 2, 1200003, ASK(SUM)),
    SUMSQ("1 x 4195327, zeros but at its ends", 1, 4195327, .once = 1, .data = JUDGE_DATA_ENDS,
          ASK(SUM)),
    GATED_AS("n = 1, first of a process", 1, FIRST, ASK(LENGTH)),
    SUMSQ("1 x 0, first of a process", 1, 0, FIRST, ASK(NO_COLUMNS)),
    GATED_N(1000, ASK(KINDS)),
    GATED_AS("n = 1000, then x one off", 1000, X_OFF(ONE_FLOAT), .after = 1),
    GATED_AS("n = 1000, then y one off", 1000, Y_OFF(ONE_FLOAT), .after = 2),
    GATED_AS("n = 1000, then 999", 999, .after = 3, ASK(LENGTH)),
    SUMSQ("8 x 256", 8, 256, ASK(SUM)),
    SUMSQ("8 x 256, then x one off", 8, 256, X_OFF(ONE_FLOAT), .after = 1),
    SUMSQ("8 x 256, then 7 x 256", 7, 256, .after = 2, ASK(SIDES)),
    SUMSQ("8 x 256, then 8 x 255", 8, 255, .after = 3, ASK(SIDES)),
    GATED_N(0, NOTHING),
    GATED_AS("n = 1001, captured", 1001, .script = AS_GRAPH, ASK(GRAPH)),
    GATED_AS("n = 1001, and the launch fails", 1001, .refused_with = JUDGE_LAUNCH_FAILS,
             ASK(RETURNS)),
    GATED_N(-1, REFUSE),
    GATED_AS("n = -2^40", -(INT64_C(1) << 40), REFUSE),
    SUMSQ("0 x 5", 0, 5, NOTHING),
    SUMSQ("0 x 0", 0, 0, NOTHING),
    SUMSQ("5 x 1000, captured", 5, 1000, .script = AS_GRAPH, ASK(GRAPH)),
    SUMSQ("5 x 1000, and the launch fails", 5, 1000, .refused_with = JUDGE_LAUNCH_FAILS,
          ASK(RETURNS)),
    SUMSQ("5 x 0, and the launch fails", 5, 0, .refused_with = JUDGE_LAUNCH_FAILS, ASK(RETURNS)),
    SUMSQ_LARGEST("1 x 2^31 - 1", 1, INT32_MAX),
    SUMSQ_LARGEST("2^31 - 1 x 2^31 - 1", INT32_MAX, INT32_MAX),
    SUMSQ("-1 x 5", -1, 5, REFUSE),
    SUMSQ("5 x -1", 5, -1, REFUSE),
    SUMSQ("-1 x 0", -1, 0, REFUSE),
    SUMSQ("0 x -1", 0, -1, REFUSE),
    SUMSQ("-2^31 x -2^31", INT32_MIN, INT32_MIN, REFUSE),
};

/* Sizes past the range of an int and of an unsigned, counted in elements, in bytes and in float4
 * (2^32 of these are 2^34 elements); rows whose numbers and offsets are large; more rows than an
 * axis of the grid has blocks, however many a block takes; and as many as an int holds, so that
 * rounding them up in an int overflows. With 2^22 rows, the rows of blocks in a grid of two axes
 * are full, so that those which overlap end early. With 10 * 2^31 + 9 elements in place, the number
 * of the last one wraps around into the first block's part, which shows what is done there twice. A
 * row longer than any other, whose sum is that of a few hundred elements: one who looks at half of
 * them is off by more than a sum of so many may be. */
static const struct judge_case LARGE[] = {
    GATED_AS("n = 3 * 2^31 + 1, x one element off", 3 * (INT64_C(1) << 31) + 1,
             .offset_bytes = {[GATED_X] = ONE_FLOAT}, .data = JUDGE_DATA_SPARSE_WIDE,
             .asks = JUDGE_ASKS(LENGTH) | JUDGE_ASKS(ALIGNMENT)),
    GATED_AS("n = 10 * 2^31 + 9, in place", 10 * (INT64_C(1) << 31) + 9,
             .data = JUDGE_DATA_SPARSE_WIDE, IN_X),
    SUMSQ("400000 x 48000", 400000, 48000, ASK(PAST_INT)),
    SUMSQ("4194304 x 1000", 1 << 22, 1000, .data = JUDGE_DATA_TINY,
          .asks = JUDGE_ASKS(PAST_INT) | JUDGE_ASKS(PRECISION)),
    SUMSQ("4500000 x 1000", 4500000, 1000, ASK(PAST_INT)),
    SUMSQ("1100000000 x 4", 1100000000, 4, .data = JUDGE_DATA_TINY,
          .asks = JUDGE_ASKS(PAST_INT) | JUDGE_ASKS(SIDES)),
    SUMSQ("2 x 40000003, nearly all zeros", 2, 40000003, .data = JUDGE_DATA_ENDS,
          .asks = JUDGE_ASKS(SUM) | JUDGE_ASKS(SIDES)),
    SUMSQ("2147483647 x 2", INT32_MAX, 2, .asks = JUDGE_ASKS(PAST_INT) | JUDGE_ASKS(SIDES)),
    /* More than 16 bits hold, and few enough for a block that takes them in turn. */
    SUMSQ("100000 x 0: sums of nothing", 100000, 0,
          .asks = JUDGE_ASKS(NO_COLUMNS) | JUDGE_ASKS(SIDES)),
};

static size_t timed(const struct judge_device *device, struct judge_case *cases, size_t room)
{
    const struct judge_case of_device[] = {
        GATED_AS("n = 16777216", 16777216),
        SUMSQ("32768 x 1024", 32768, 1024), /* with rows four times as long the tree is free */
        SUMSQ("16384 x 4096", 16384, 4096),
    };
    const struct judge_case of_simulated[] = {
        GATED_AS("n = 262144", 262144),
        SUMSQ("4096 x 1024", 4096, 1024),
    };
    size_t count = device->simulated ? 2 : 3;
    for (size_t i = 0; i < count && i < room; i++)
        cases[i] = device->simulated ? of_simulated[i] : of_device[i];
    return count < room ? count : room;
}

/* Special values anywhere, and numbers of any size. Rows so long that few sums would stay finite
 * have integers; other rows have numbers of one size, which may be any. */
static void draw_all_but_size(uint64_t *seed, bool alike, struct judge_case *problem)
{
    bool is_long = problem->size[COLS] > 8192, has_specials = judge_draw(seed, 0, 1);
    problem->data = problem->launcher == GATED ? JUDGE_DATA_SPARSE_WIDE
                    : is_long                  ? JUDGE_DATA_INTEGERS
                    : has_specials             ? JUDGE_DATA_SPARSE_SPECIALS
                                               : JUDGE_DATA_SCALED;
    judge_draw_pointers(seed, 2, alike, problem);
    if (problem->launcher == GATED && judge_draw(seed, 0, 1))
        problem->alias = IN_PLACE;
}

static void name_drawn(struct judge_case *problem)
{
    bool has_nan =
        problem->data == JUDGE_DATA_SPARSE_SPECIALS || problem->data == JUDGE_DATA_SPARSE_WIDE;
    const char *data = has_nan                                ? ", some NaN"
                       : problem->data == JUDGE_DATA_INTEGERS ? ", integers"
                                                              : "";
    if (problem->launcher == GATED)
        snprintf(problem->name, sizeof problem->name, "gated, n = %lld%s%s",
                 (long long)problem->size[N], problem->alias ? ", in place" : "",
                 *data ? data : ", drawn");
    else
        snprintf(problem->name, sizeof problem->name, "row_sumsq, %lld x %lld%s, drawn",
                 (long long)problem->size[ROWS], (long long)problem->size[COLS], data);
}

/* With 256 multiply-adds an element, this many take as long as row_sumsq's middle case. */
static struct judge_case gated_drawn(size_t number, uint64_t *seed)
{
    bool is_middle = number == 2; /* the small ones differ: a case is known by its name */
    int64_t n = is_middle     ? judge_draw(seed, 1 << 18, 350000)
                : number == 0 ? judge_draw_size(seed, 3, 140)
                              : judge_draw_size(seed, 141, 6000);
    struct judge_case problem =
        GATED_AS("", n, .once = is_middle, .data = number == 1 ? JUDGE_DATA_WIDE : 0);
    return problem;
}

static struct judge_case row_sumsq_drawn(size_t number, uint64_t *seed)
{
    bool is_middle = number == 2;
    int64_t rows = is_middle ? judge_draw(seed, 300, 6000) : judge_draw_size(seed, 2, 100);
    int64_t cols = is_middle ? judge_draw(seed, JUDGE_MIDDLE_LEAST, JUDGE_MIDDLE_MOST) / rows
                             : judge_draw_size(seed, 2, 2000);
    struct judge_case problem =
        SUMSQ("", rows, cols, .once = is_middle, .data = number == 1 ? JUDGE_DATA_SCALED : 0);
    return problem;
}

/* Two with few rows, which several blocks may want to share: a sum's bits must not depend on which
 * of them comes first. The more elements a row has, the fewer rows there are. */
static size_t draw_few_rows(uint64_t *seed, struct judge_case *cases, size_t room)
{
    enum { FEW = 4, MORE = 64, LEAST_ELEMENTS = 1 << 19, MOST_ELEMENTS = 1 << 20 };
    size_t count = 0;
    for (; count < 2 && count < room; count++) {
        int64_t rows = count == 0 ? judge_draw(seed, 1, FEW) : judge_draw(seed, FEW + 1, MORE);
        int64_t cols = judge_draw(seed, LEAST_ELEMENTS, MOST_ELEMENTS) / rows;
        struct judge_case drawn = SUMSQ("", rows, cols);
        judge_draw_pointers(seed, 2, judge_draw(seed, 0, 1), &drawn);
        name_drawn(&drawn);
        cases[count] = drawn;
    }
    return count;
}

/* Of gated, both pointers at each other place in a sector of 32 bytes. Rows of an odd length begin
 * at all of them. */
static size_t draw_places(uint64_t *seed, struct judge_case *cases, size_t room)
{
    size_t count = 0;
    for (size_t place = 1; place < JUDGE_PLACES && count < room; place++) {
        struct judge_case *problem = &cases[count++];
        struct judge_case drawn = GATED_AS("", judge_draw_size(seed, 64, 6000),
                                           .alias = judge_draw(seed, 0, 1) ? IN_PLACE : 0);
        *problem = drawn;
        judge_draw_place(seed, place, 2, problem);
        snprintf(problem->name, sizeof problem->name, "gated, n = %lld, %zu off%s, drawn",
                 (long long)problem->size[N], place, problem->alias ? ", in place" : "");
    }
    return count;
}

/* For each launcher, two small cases with arbitrary pointers, and one of middle size; then those
 * above. */
static size_t draw_cases(uint64_t seed, struct judge_case *cases, size_t room)
{
    size_t count = 0;
    for (; count < 6 && count < room; count++) {
        bool is_middle = count % 3 == 2;
        cases[count] = count < 3 ? gated_drawn(count, &seed) : row_sumsq_drawn(count % 3, &seed);
        for (int i = 0; i < 2 && !is_middle; i++)
            cases[count].offset_bytes[i] = ONE_FLOAT * (uint32_t)judge_draw(&seed, 0, 3);
        if (is_middle)
            draw_all_but_size(&seed, judge_draw(&seed, 0, 1), &cases[count]);
        name_drawn(&cases[count]);
    }
    count += draw_few_rows(&seed, cases + count, room - count);
    return count + draw_places(&seed, cases + count, room - count);
}

/* Rows and columns, each from the first to the second; past 2^32 elements, from past on. */
struct sides {
    int64_t rows[2], cols[2], past[2];
};

static struct judge_case rows_drawn(const struct sides *sides, bool is_past, uint64_t *seed)
{
    const int64_t *rows = sides->rows, *cols = sides->cols, *past = sides->past;
    int64_t many =
        is_past ? judge_draw(seed, past[0], rows[1]) : judge_draw_size(seed, rows[0], rows[1]);
    int64_t wide =
        is_past ? judge_draw(seed, past[1], cols[1]) : judge_draw_size(seed, cols[0], cols[1]);
    struct judge_case problem = SUMSQ("", many, wide);
    return problem;
}

/* Of gated, a case with up to 2^26 elements and one with more, whose pointers are alike in one of
 * the two; of row_sumsq, one with long rows and one with many, one of them past 2^32 elements.
 * There, and in a third case of gated, pointers are alike and not aligned, and gated is in place:
 * that shows whether the numbers of the last elements wrap around into the first block's part. */
static size_t draw_large(uint64_t seed, struct judge_case *cases, size_t room)
{
    enum { GATED_PAST = 2, LONG_ROWS, MANY_ROWS };
    static const struct sides LONG = {{500, 50000}, {2000, 99999}, {46000, 95000}},
                              MANY = {{50000, 5000000}, {2, 2000}, {2300000, 1900}};
    bool first_alike = judge_draw(&seed, 0, 1);
    size_t rows_past = judge_draw(&seed, 0, 1) ? LONG_ROWS : MANY_ROWS, count = 0;
    const struct judge_case drawn[] = {
        GATED_AS("", judge_draw_size(&seed, 350001, 1 << 26)),
        GATED_AS("", judge_draw_size(&seed, 1 << 26, INT64_C(1) << 33)),
        GATED_AS("", (INT64_C(1) << 33) + judge_draw(&seed, 1, 4096)),
        rows_drawn(&LONG, rows_past == LONG_ROWS, &seed),
        rows_drawn(&MANY, rows_past == MANY_ROWS, &seed),
    };
    for (; count < sizeof drawn / sizeof *drawn && count < room; count++) {
        struct judge_case *problem = &cases[count];
        *problem = drawn[count];
        bool is_past = count == GATED_PAST || count == rows_past;
        bool is_alike = count < GATED_PAST && first_alike == (count % 2 == 0);
        draw_all_but_size(&seed, is_past || is_alike, problem);
        if (is_past) {
            judge_draw_off(&seed, 2, problem);
            problem->alias = problem->launcher == GATED ? IN_PLACE : 0;
        }
        if (count == MANY_ROWS) /* many rows: the specials are in one of the two */
            problem->data = cases[LONG_ROWS].data == JUDGE_DATA_SPARSE_SPECIALS
                                ? JUDGE_DATA_SCALED
                                : JUDGE_DATA_SPARSE_SPECIALS;
        name_drawn(problem);
    }
    return count;
}

/* Up to an eighth less: fewer pairs, or fewer rows of the same length; with special values. */
static void nearby(uint64_t seed, struct judge_case *problem)
{
    int side = problem->launcher == GATED ? N : ROWS;
    problem->data =
        problem->launcher == GATED ? JUDGE_DATA_SPARSE_WIDE : JUDGE_DATA_SPARSE_SPECIALS;
    problem->size[side] -= 4 * judge_draw(&seed, 1, problem->size[side] / 32);
}

/* --- Regimes ---------------------------------------------------------------------------------- */

static void turn_gated(struct judge_case *problem, int64_t n, const char *text)
{
    problem->size[N] = n;
    snprintf(problem->name, sizeof problem->name, "gated, n = %lld%s", (long long)n, text);
}

static void turn_sumsq(struct judge_case *problem, int64_t rows, int64_t cols, const char *text)
{
    problem->size[ROWS] = rows;
    problem->size[COLS] = cols;
    snprintf(problem->name, sizeof problem->name, "row_sumsq, %lld x %lld%s", (long long)rows,
             (long long)cols, text);
}

static void gated_places(struct judge_case *problem)
{
    static const char *const NAMES[] = {"x", "y"};
    turn_gated(problem, problem->size[N], judge_places_text(problem, NAMES, 2).text);
}

static void gated_odd(struct judge_case *problem)
{
    problem->offset_bytes[GATED_X] = problem->offset_bytes[GATED_Y] = ONE_FLOAT;
    problem->alias = IN_PLACE;
    turn_gated(problem, problem->size[N] - 1, ", in place, one off");
}

static void gated_in_place(struct judge_case *problem)
{
    problem->alias = IN_PLACE;
    turn_gated(problem, problem->size[N], ", in place");
}

static void gated_past_unsigned(struct judge_case *problem)
{
    turn_gated(problem, (INT64_C(1) << 32) + (1 << 20), "");
}

static void gated_medium(struct judge_case *problem)
{
    turn_gated(problem, 1 << 21, "");
}

static void gated_small(struct judge_case *problem)
{
    turn_gated(problem, 1 << 14, "");
}

static void sumsq_places(struct judge_case *problem)
{
    static const char *const NAMES[] = {"x", "out"};
    turn_sumsq(problem, problem->size[ROWS], problem->size[COLS],
               judge_places_text(problem, NAMES, 2).text);
}

static void sumsq_odd(struct judge_case *problem)
{
    problem->offset_bytes[SUMSQ_X] = problem->offset_bytes[SUMSQ_OUT] = ONE_FLOAT;
    turn_sumsq(problem, problem->size[ROWS], problem->size[COLS] - 1, ", one element off");
}

/* Still as many rows as the device takes warps at a time, so that a warp for each row makes
 * sense. */
static void sumsq_few_long_rows(struct judge_case *problem)
{
    problem->data = JUDGE_DATA_TINY;
    turn_sumsq(problem, 1024, 32768, "");
}

static void sumsq_many_short_rows(struct judge_case *problem)
{
    problem->data = JUDGE_DATA_TINY;
    turn_sumsq(problem, 1000000, 48, "");
}

static void sumsq_past_int(struct judge_case *problem)
{
    problem->data = JUDGE_DATA_TINY;
    turn_sumsq(problem, 2200000, 1024, "");
}

static void sumsq_small(struct judge_case *problem)
{
    turn_sumsq(problem, 64, 512, "");
}

static const struct judge_regime REGIMES[] = {
    {"odd", 1 << GATED, gated_odd, .same_shape = true, .share = JUDGE_SAME_PATH_SHARE,
     .says = "odd sizes and addresses are slow", .look_at = JUDGE_LOOK_AT_ODD},
    /* In each of these, what a vector asks for fails in another way. */
    {"odd_n", .launchers = 1 << GATED, .turn = gated_places, .same_shape = true,
     .share = JUDGE_SAME_PATH_SHARE, .less = {[N] = 1}, .says = "an odd n is slow",
     .look_at = JUDGE_LOOK_AT_SIDES},
    {"even_n", .launchers = 1 << GATED, .turn = gated_places, .same_shape = true,
     .share = JUDGE_SAME_PATH_SHARE, .less = {[N] = 2},
     .says = "an n that 2 divides and 4 does not is slow", .look_at = JUDGE_LOOK_AT_SIDES},
    {"all_off", .launchers = 1 << GATED, .turn = gated_places, .same_shape = true,
     .share = JUDGE_SAME_PATH_SHARE, .off = {[GATED_X] = 1, [GATED_Y] = 1},
     .says = "odd addresses that are alike are slow", .look_at = JUDGE_LOOK_AT_ODD},
    {"two_off", .launchers = 1 << GATED, .turn = gated_places, .same_shape = true,
     .share = JUDGE_SAME_PATH_SHARE, .less = {[N] = 2}, .off = {[GATED_X] = 2, [GATED_Y] = 2},
     .says = "sizes and addresses that only pairs of floats fit are slow",
     .look_at = JUDGE_LOOK_AT_SIDES},
    {"x_off", .launchers = 1 << GATED, .turn = gated_places, .same_shape = true,
     .share = JUDGE_SAME_PATH_SHARE, .off = {[GATED_X] = 1},
     .says = "an odd address of x alone is slow", .look_at = JUDGE_LOOK_AT_PLACES},
    {"y_off", .launchers = 1 << GATED, .turn = gated_places, .same_shape = true,
     .share = JUDGE_SAME_PATH_SHARE, .off = {[GATED_Y] = 1},
     .says = "an odd address of y alone is slow", .look_at = JUDGE_LOOK_AT_PLACES},
    {"x_two_off", .launchers = 1 << GATED, .turn = gated_places, .same_shape = true,
     .share = JUDGE_SAME_PATH_SHARE, .off = {[GATED_X] = 2},
     .says = "x alone at a multiple of 8 bytes that is none of 16 is slow",
     .look_at = JUDGE_LOOK_AT_PLACES},
    {"y_two_off", .launchers = 1 << GATED, .turn = gated_places, .same_shape = true,
     .share = JUDGE_SAME_PATH_SHARE, .off = {[GATED_Y] = 2},
     .says = "y alone at a multiple of 8 bytes that is none of 16 is slow",
     .look_at = JUDGE_LOOK_AT_PLACES},
    {"unlike", .launchers = 1 << GATED, .turn = gated_places, .same_shape = true,
     .share = JUDGE_SAME_PATH_SHARE, .less = {[N] = 2}, .off = {[GATED_X] = 1, [GATED_Y] = 2},
     .says = "addresses that differ modulo 8 bytes are slow", .look_at = JUDGE_LOOK_AT_PLACES},
    {"in_place", 1 << GATED, gated_in_place, .same_shape = true, .share = JUDGE_SAME_PATH_SHARE,
     .says = "a call in place is slow", .look_at = JUDGE_LOOK_AT_IN_PLACE},
    {"past_unsigned", 1 << GATED, gated_past_unsigned, .share = JUDGE_SAME_PATH_SHARE,
     .says = "more than 2^32 elements are slow", .look_at = JUDGE_LOOK_AT_SIZE},
    {"medium", 1 << GATED, gated_medium, .share = JUDGE_SAME_PATH_SHARE,
     .says = "a medium size is slow", .look_at = JUDGE_LOOK_AT_SIZE},
    {"small", 1 << GATED, gated_small, .share = JUDGE_SMALL_SHARE,
     .says = "a small problem is slow", .look_at = JUDGE_LOOK_AT_SMALL},
    {"odd", 1 << ROW_SUMSQ, sumsq_odd, .same_shape = true,
     .says = "odd rows and addresses are slow", .look_at = JUDGE_LOOK_AT_ODD},
    {"odd_rows", .launchers = 1 << ROW_SUMSQ, .turn = sumsq_places, .same_shape = true,
     .less = {[ROWS] = 1}, .says = "an odd number of rows is slow", .look_at = JUDGE_LOOK_AT_SIDES},
    {"even_rows", .launchers = 1 << ROW_SUMSQ, .turn = sumsq_places, .same_shape = true,
     .less = {[ROWS] = 2}, .says = "rows that 2 divides and 4 does not are slow",
     .look_at = JUDGE_LOOK_AT_SIDES},
    {"odd_cols", .launchers = 1 << ROW_SUMSQ, .turn = sumsq_places, .same_shape = true,
     .less = {[COLS] = 1}, .says = "an odd number of cols is slow", .look_at = JUDGE_LOOK_AT_SIDES},
    {"even_cols", .launchers = 1 << ROW_SUMSQ, .turn = sumsq_places, .same_shape = true,
     .less = {[COLS] = 2}, .says = "cols that 2 divides and 4 does not are slow",
     .look_at = JUDGE_LOOK_AT_SIDES},
    {"two_off", .launchers = 1 << ROW_SUMSQ, .turn = sumsq_places, .same_shape = true,
     .less = {[COLS] = 2}, .off = {[SUMSQ_X] = 2},
     .says = "sides and addresses that only pairs of floats fit are slow",
     .look_at = JUDGE_LOOK_AT_SIDES},
    {"x_off", .launchers = 1 << ROW_SUMSQ, .turn = sumsq_places, .same_shape = true,
     .off = {[SUMSQ_X] = 1}, .says = "an odd address of x alone is slow",
     .look_at = JUDGE_LOOK_AT_PLACES},
    {"x_two_off", .launchers = 1 << ROW_SUMSQ, .turn = sumsq_places, .same_shape = true,
     .off = {[SUMSQ_X] = 2}, .says = "x alone at a multiple of 8 bytes that is none of 16 is slow",
     .look_at = JUDGE_LOOK_AT_PLACES},
    {"out_off", .launchers = 1 << ROW_SUMSQ, .turn = sumsq_places, .same_shape = true,
     .off = {[SUMSQ_OUT] = 1}, .says = "an odd address of out alone is slow",
     .look_at = JUDGE_LOOK_AT_PLACES},
    {"few_long_rows", 1 << ROW_SUMSQ, sumsq_few_long_rows, .says = "few long rows are slow",
     .look_at = JUDGE_LOOK_AT_THIN},
    {"many_short_rows", 1 << ROW_SUMSQ, sumsq_many_short_rows, .says = "many short rows are slow",
     .look_at = JUDGE_LOOK_AT_THIN},
    {"past_int", 1 << ROW_SUMSQ, sumsq_past_int, .says = "more than 2^31 elements are slow",
     .look_at = JUDGE_LOOK_AT_SIZE},
    {"small", 1 << ROW_SUMSQ, sumsq_small, .share = JUDGE_SMALL_SHARE,
     .says = "a small matrix is slow", .look_at = JUDGE_LOOK_AT_SMALL},
};

static size_t buffers(const struct judge_case *problem, struct judge_buffer *buffers)
{
    if (problem->launcher == GATED) {
        uint64_t n = (uint64_t)problem->size[N];
        buffers[GATED_X] = (struct judge_buffer){.name = "x", JUDGE_IN, JUDGE_F32, n};
        buffers[GATED_Y] = (struct judge_buffer){.name = "y", JUDGE_OUT, JUDGE_F32, n};
    } else {
        uint64_t rows = (uint64_t)problem->size[ROWS], cols = (uint64_t)problem->size[COLS];
        buffers[SUMSQ_X] =
            (struct judge_buffer){.name = "x", JUDGE_IN, JUDGE_F32, rows * cols, cols};
        buffers[SUMSQ_OUT] = (struct judge_buffer){.name = "out", JUDGE_OUT, JUDGE_F32, rows};
    }
    return 2;
}

/* The paths are chains of correctly rounded multiply-adds, the same on the host and on the device,
 * bit for bit. A chain that is re-ordered or shortened would be a different function. */
static void truth_gated(const float *x, uint64_t first, uint64_t count, double *y)
{
    for (uint64_t i = 0; i < count; i++)
        y[i] = (first + i) % 2 == 0 ? lesson3_decay(x[i]) : lesson3_orbit(x[i]);
}

/* All terms are positive, so that the sum is their magnitude, too. FP16 or TF32 operands would be
 * off by 2^-11 of the sum in the short rows, 100 times the tolerance there; in long ones, integers
 * show what is left out. A square that is too small for a float is off by less than the smallest
 * one. Of a million squares that one thread adds up, most are a few units of the sum's last place:
 * more are rounded off than up, so that errors add up as well (837,615: 72, 61 without this). */
static double sumsq_allowed(const struct judge_case *problem, double sum)
{
    enum { MILLION = 1 << 20 };
    double cols = (double)problem->size[COLS];
    if (!isfinite(sum) || problem->data == JUDGE_DATA_INTEGERS)
        return 0;
    return judge_product_allowed(sum, sum, cols) * fmin(1 + cols / MILLION, 2) +
           JUDGE_SMALLEST_FLOAT * cols;
}

static void truth_row_sumsq(const struct judge_case *problem, struct judge_host *buffers)
{
    const float *x = buffers[SUMSQ_X].input;
    int64_t rows = problem->size[ROWS], cols = problem->size[COLS];
    for (int64_t row = 0; row < rows; row++) {
        double sum = 0;
        for (int64_t col = 0; col < cols; col++)
            sum += (double)x[row * cols + col] * x[row * cols + col];
        if (sum > FLT_MAX)
            sum = INFINITY;
        buffers[SUMSQ_OUT].expected[row] = sum;
        buffers[SUMSQ_OUT].allowed[row] = sumsq_allowed(problem, sum);
    }
}

static void truth(const struct judge_case *problem, struct judge_host *buffers)
{
    if (problem->launcher == GATED)
        truth_gated(buffers[GATED_X].input, 0, buffers[GATED_X].count, buffers[GATED_Y].expected);
    else
        truth_row_sumsq(problem, buffers);
}

enum { AT_A_TIME = 256 };

static void gated_at(const struct judge_inputs *inputs, uint64_t first, uint64_t count, double *y)
{
    float x[AT_A_TIME];
    for (uint64_t done = 0; done < count; done += AT_A_TIME) {
        uint64_t part = count - done < AT_A_TIME ? count - done : AT_A_TIME;
        judge_input(inputs, GATED_X, first + done, part, x);
        truth_gated(x, first + done, part, y + done);
    }
}

static void row_sumsq_at(const struct judge_case *problem, const struct judge_inputs *inputs,
                         uint64_t row, double *expected, double *allowed)
{
    uint64_t cols = (uint64_t)problem->size[COLS];
    float x[AT_A_TIME];
    double sum = 0;
    for (uint64_t col = 0; col < cols; col += AT_A_TIME) {
        uint64_t part = cols - col < AT_A_TIME ? cols - col : AT_A_TIME;
        judge_input(inputs, SUMSQ_X, row * cols + col, part, x);
        for (uint64_t i = 0; i < part; i++)
            sum += (double)x[i] * x[i];
    }
    *expected = sum > FLT_MAX ? INFINITY : sum;
    *allowed = sumsq_allowed(problem, *expected);
}

static void truth_at(const struct judge_case *problem, const struct judge_inputs *inputs,
                     size_t output, uint64_t first, uint64_t count, double *expected,
                     double *allowed)
{
    (void)output;
    if (problem->launcher == GATED)
        gated_at(inputs, first, count, expected);
    for (uint64_t i = 0; problem->launcher == ROW_SUMSQ && i < count; i++)
        row_sumsq_at(problem, inputs, first + i, expected + i, allowed + i);
}

static struct judge_work work(const struct judge_case *problem)
{
    if (problem->launcher == GATED) {
        double n = (double)problem->size[N];
        return (struct judge_work){.bytes = 8 * n, .flop = 2.0 * LESSON3_STEPS * n};
    }
    double rows = (double)problem->size[ROWS], cols = (double)problem->size[COLS];
    return (struct judge_work){.bytes = 4 * rows * (cols + 1), .flop = 2 * rows * cols};
}

static cudaError_t call_once(const struct judge_call *call)
{
    typedef cudaError_t gated(const float *, float *, int64_t, cudaStream_t);
    typedef cudaError_t row_sumsq(const float *, float *, int, int, cudaStream_t);
    const int64_t *size = call->problem->size;
    void *symbol = call->symbols[call->problem->launcher];
    void *const *b = call->buffers;
    if (call->problem->launcher == GATED)
        return ((gated *)symbol)(b[GATED_X], b[GATED_Y], size[N], call->stream);
    return ((row_sumsq *)symbol)(b[SUMSQ_X], b[SUMSQ_OUT], (int)size[ROWS], (int)size[COLS],
                                 call->stream);
}

/* The pointers are those of the small call: nothing is read or written. */
static cudaError_t call_largest(const struct judge_call *call)
{
    struct judge_case problem = *call->problem;
    struct judge_call largest = *call;
    problem.size[ROWS] = (int64_t)problem.real[ROWS];
    problem.size[COLS] = (int64_t)problem.real[COLS];
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

static const struct judge_bar BARS[] = {
    {JUDGE_LAUNCHES, .at_most = 1, .every_case = true,
     .message = "the contract forbids more than one kernel launch a call",
     .look_at = "one kernel can do all of it"},
    {JUDGE_LANES_ON, .at_least = 27.3, .message = "lanes are off while others of their warp work",
     .look_at = "which lanes are off: a condition may differ within a warp, or a warp not be full"},
    /* Computing both paths for all takes 1.95 times as many; a block that first sorts its elements
     * in shared memory takes 1.1 to 1.25 times as many, and is judged by its time. For row_sumsq
     * only time counts: a block of 1024 threads executes 1.5 times as many, and waits for memory
     * just as long. */
    {JUDGE_WARP_INSTRUCTIONS, .at_most = 1.4, .launchers = 1 << GATED,
     .message = "the warps execute more instructions than the problem needs",
     .look_at = "work that one of the two paths needs and every lane does; choices in each step"},
    {JUDGE_LOAD_EFFICIENCY, .at_least = 0.95, .message = "loads touch more sectors than they need",
     .look_at = "neighbouring lanes should read neighbouring addresses"},
    {JUDGE_STORE_EFFICIENCY, .at_least = 0.95,
     .message = "stores touch more sectors than they need",
     .look_at = "neighbouring lanes should write neighbouring addresses"},
    {JUDGE_WAVEFRONT_RATIO, .at_most = 1.05,
     .message = "lanes wait for each other at the banks of shared memory",
     .look_at = "the stride between neighbouring lanes: a wavefront takes one word of each bank, "
                "and banks repeat every 32 words"},
    {JUDGE_BYTES_RATIO, .at_most = 1.05, .message = "more bytes move than the problem has",
     .look_at = "each input is read once and each output written once"},
    JUDGE_BARS_OF_HOST(true),
};

static const char *const HINTS[] = {
    "Count lanes. For the branch: how many of the 32 want what the warp is doing right now? For "
    "the reduction: how many threads still add at each level of the tree, and in which warps?",
    "A warp pays for every path that at least one of its lanes takes. Give one thread an even and "
    "an odd element, and all threads want the same two paths. For the sum: let each thread add "
    "many elements first, then let registers talk, not shared memory.",
    "gated: thread t takes the pair (2t, 2t + 1), read and written as one float2 where both "
    "pointers are multiples of 8 bytes, x through lesson3_decay, y through lesson3_orbit. "
    "row_sumsq: a block a row; for (d = 16; d > 0; d /= 2) sum += __shfl_down_sync(0xFFFFFFFF, "
    "sum, d); lane 0 of each warp stores to shared memory; one barrier; the first warp repeats "
    "it.",
};

static bool lanes_agree(const struct judge_evidence *e)
{
    return e->counter[JUDGE_LANES_ON] >= 29;
}

static bool takes_one_path(const struct judge_evidence *e)
{
    return lanes_agree(e) && e->counter[JUDGE_WARP_INSTRUCTIONS] <= 1.4;
}

static bool takes_pairs(const struct judge_evidence *e)
{
    return takes_one_path(e) && e->kernel.load_width > 6 && e->kernel.store_width > 6;
}

/* It has about as few instructions as the reference, which uses shuffles. */
static bool adds_in_registers(const struct judge_evidence *e)
{
    return lanes_agree(e) && e->counter[JUDGE_WARP_INSTRUCTIONS] <= 1.4;
}

static const struct judge_asked ASKED[] = {
    {2, "A warp pays", 1 << GATED, takes_one_path},
    {2, "For the sum:", 1 << ROW_SUMSQ, adds_in_registers},
    {3, "gated:", 1 << GATED, takes_pairs},
    {3, "row_sumsq:", 1 << ROW_SUMSQ, adds_in_registers},
};

static const struct judge DIVERGENCE = {
    .lesson = "03_divergence",
    .title = "warp divergence",
    .launchers = LAUNCHERS,
    .as_shipped = "SLOW counters mistake neighbours_disagree",
    .clauses = &(const struct judge_clauses)JUDGE_ROWS(CLAUSES),
    .context = CONTEXT,
    .cases = CASES,
    .case_count = sizeof CASES / sizeof *CASES,
    .drawn = draw_cases,
    .drawn_large = draw_large,
    .nearby = nearby,
    .regimes = &(const struct judge_regimes)JUDGE_ROWS(REGIMES),
    .timed = timed,
    .buffers = buffers,
    .truth = truth,
    .work = work,
    .large = LARGE,
    .large_count = sizeof LARGE / sizeof *LARGE,
    .truth_at = truth_at,
    .launch = launch,
    .bars = BARS,
    .bar_count = sizeof BARS / sizeof *BARS,
    .utilization_bar = 0.75, /* calibration.csv: right ones from 0.90, large blocks 0.24; modelled,
                              * runs_of_tiles has 0.78 */
    .gold_bar = 0.88,
    .hints = HINTS,
    .asked = ASKED,
    .asked_count = sizeof ASKED / sizeof *ASKED,
    .mistakes = &DIVERGENCE_MISTAKES,
};
JUDGE(DIVERGENCE);
