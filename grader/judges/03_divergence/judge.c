/* judge.c - lesson 3: warps whose lanes do one thing.
 *
 * Two launchers, and so two timed cases. `gated` shows divergence where it costs most, in long
 * branch bodies; `row_sumsq` shows the small kind, the tree of additions in which fewer and fewer
 * lanes work. Time alone would not tell the ways to fail apart: both paths computed for every lane
 * has full lanes and twice the instructions; a stride of two has the right instructions and twice
 * the sectors. So each has its bar.
 *
 * The contract is common/contracts/03_divergence.h; read grader/check/judge.h for the fields.
 */
#include "check/judge_graph.h"
#include "check/judge_seen.h"
#include "check/verdict.h"
#include "contracts/03_divergence.h"

#include <float.h>
#include <math.h>
#include <stdio.h>

enum launcher { GATED, ROW_SUMSQ };
static const char *const LAUNCHERS[] = {"lesson3_gated", "lesson3_row_sumsq", NULL};

enum { N = 0, ROWS = 0, COLS = 1 }; /* judge_case.size */
enum { GATED_X, GATED_Y };          /* buffers of gated */
enum { SUMSQ_X, SUMSQ_OUT };        /* buffers of row_sumsq */
enum { ONE_FLOAT = sizeof(float), IN_PLACE = 1 + GATED_X };

/* --- Clauses ---------------------------------------------------------------------------------- */

/* clang-format off */
enum clause { STREAM, HOST, GRAPH, ONE_LAUNCH, ALIGNMENT, REFUSED, RETURNS, EMPTY, KINDS, OVER_X,
              LENGTH, SUM, OLD_OUTPUT, SIDES, NO_COLUMNS, PAST_INT, SAME_BITS, PRECISION };
/* clang-format on */

static const struct judge_clause CLAUSES[] = {
    [STREAM] = {"stream", "only the given stream is used;",
                .always = "every launch: not on the default stream"},
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

enum script { ONE_CALL, AS_GRAPH }; /* judge_case.script */

#define ASK(clause) .asks = JUDGE_ASKS(clause)
/* What a variable that starts as 0 is for, it may seem to hold already: the first call of a process
 * has every argument as close to 0 as the contract allows. */
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

#define X_OFF(bytes) .offset_bytes = {[GATED_X] = bytes}, ASK(ALIGNMENT)
#define Y_OFF(bytes) .offset_bytes = {[GATED_Y] = bytes}, ASK(ALIGNMENT)
#define IN_X .alias = IN_PLACE, ASK(OVER_X)
#define INTEGERS .data = JUDGE_DATA_INTEGERS, ASK(SUM)

/* Around one pair, one warp and one block; odd n leaves an even element without its neighbour. In
 * place several blocks run: what two of them do, shows only there. Sums of integers are exact: in
 * long rows, a square that is left out would else be lost in what is allowed. A device that holds
 * 8448 warps at once takes 9001 rows in two turns, if a warp takes a row. Arguments that need no
 * arithmetic come last, so that they are not what a beginner hears first. */
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
    SUMSQ("9 x 260, integers: exact", 9, 260, INTEGERS),
    SUMSQ("64 x 4097", 64, 4097, ASK(PRECISION)),
    SUMSQ("40 x 5, subnormal squares", 40, 5, .data = JUDGE_DATA_TINY, ASK(PRECISION)),
    SUMSQ("7 x 999, subnormal squares", 7, 999, .data = JUDGE_DATA_TINY, ASK(PRECISION)),
    SUMSQ("9001 x 2: more rows than warps", 9001, 2, .once = 1, ASK(SIDES)),
    SUMSQ("2 x 20002, integers: exact", 2, 20002, INTEGERS),
    SUMSQ("1 x 100003, integers: exact", 1, 100003, INTEGERS),
    SUMSQ("16 x 70003", 16, 70003, .repeats = 3, /* sums in two orders may agree by chance */
          .asks = JUDGE_ASKS(PRECISION) | JUDGE_ASKS(SAME_BITS)),
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
    SUMSQ("-1 x 5", -1, 5, REFUSE),
    SUMSQ("5 x -1", 5, -1, REFUSE),
    SUMSQ("-1 x 0", -1, 0, REFUSE),
    SUMSQ("0 x -1", 0, -1, REFUSE),
    SUMSQ("-2^31 x -2^31", INT32_MIN, INT32_MIN, REFUSE),
};

/* Past the ends of an int and of an unsigned, of elements, of bytes and of float4, of which an
 * unsigned counts 2^34 elements; rows whose numbers and offsets are large; more rows than an axis
 * of the grid has blocks, whatever a block's share; and as many as an int holds, so that rounding
 * them up in one overflows. Of 2^22 rows, rows of blocks in a grid of two axes are full, so that
 * those which overlap end early; and of 10 * 2^31 + 9 elements in place the last one has a number
 * that begins again in the first block's part, which shows what is done there twice. */
static const struct judge_case LARGE[] = {
    GATED_AS("n = 3 * 2^31 + 1", 3 * (INT64_C(1) << 31) + 1, ASK(LENGTH)),
    GATED_AS("n = 10 * 2^31 + 9, in place", 10 * (INT64_C(1) << 31) + 9, IN_X),
    SUMSQ("400000 x 48000", 400000, 48000, ASK(PAST_INT)),
    SUMSQ("4194304 x 1000", 1 << 22, 1000, ASK(PAST_INT)),
    SUMSQ("600000000 x 4", 600000000, 4, .asks = JUDGE_ASKS(PAST_INT) | JUDGE_ASKS(SIDES)),
    SUMSQ("2147483647 x 2", INT32_MAX, 2, .asks = JUDGE_ASKS(PAST_INT) | JUDGE_ASKS(SIDES)),
};

static size_t timed(const struct judge_device *device, struct judge_case *cases, size_t room)
{
    const struct judge_case of_device[] = {
        GATED_AS("n = 16777216", 16777216),
        SUMSQ("32768 x 1024", 32768, 1024), /* in rows four times as long the tree costs nothing */
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

/* Special values anywhere, and numbers of any size; but of rows integers, where one is so long that
 * few sums would stay finite, and numbers of one size, which may be any. */
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

/* 256 multiply-adds an element: so many take as long as the middle one of row_sumsq. */
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

/* Of each launcher two small ones, whose pointers lie anywhere, and a middle one. */
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
    return count;
}

/* Of each launcher two: elements up to 2^26 and past that, rows that are long and rows that are
 * many; one whose pointers are alike, and one whose are not. */
static size_t draw_large(uint64_t seed, struct judge_case *cases, size_t room)
{
    bool first_alike = judge_draw(&seed, 0, 1);
    const struct judge_case drawn[] = {
        GATED_AS("", judge_draw_size(&seed, 350001, 1 << 26)),
        GATED_AS("", judge_draw_size(&seed, 1 << 26, INT64_C(1) << 33)),
        SUMSQ("", judge_draw_size(&seed, 500, 50000), judge_draw_size(&seed, 2000, 99999)),
        SUMSQ("", judge_draw_size(&seed, 50000, 5000000), judge_draw_size(&seed, 2, 2000)),
    };
    size_t count = 0;
    for (; count < sizeof drawn / sizeof *drawn && count < room; count++) {
        cases[count] = drawn[count];
        draw_all_but_size(&seed, first_alike == (count % 2 == 0), &cases[count]);
        if (count == 3) /* many rows: the specials are in one of the two */
            cases[count].data = cases[2].data == JUDGE_DATA_SPARSE_SPECIALS
                                    ? JUDGE_DATA_SCALED
                                    : JUDGE_DATA_SPARSE_SPECIALS;
        name_drawn(&cases[count]);
    }
    return count;
}

/* Up to an eighth less: fewer pairs, or fewer rows, whose length stays. */
static void nearby(uint64_t seed, struct judge_case *problem)
{
    int side = problem->launcher == GATED ? N : ROWS;
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

static void gated_middling(struct judge_case *problem)
{
    turn_gated(problem, 1 << 21, "");
}

static void gated_small(struct judge_case *problem)
{
    turn_gated(problem, 1 << 14, "");
}

static void sumsq_odd(struct judge_case *problem)
{
    problem->offset_bytes[SUMSQ_X] = problem->offset_bytes[SUMSQ_OUT] = ONE_FLOAT;
    turn_sumsq(problem, problem->size[ROWS], problem->size[COLS] - 1, ", one element off");
}

/* Still as many as the device takes at a time, so that a warp for each row makes sense. */
static void sumsq_few_long_rows(struct judge_case *problem)
{
    turn_sumsq(problem, 1024, 32768, "");
}

static void sumsq_many_short_rows(struct judge_case *problem)
{
    turn_sumsq(problem, 1000000, 48, "");
}

static void sumsq_past_int(struct judge_case *problem)
{
    turn_sumsq(problem, 2200000, 1024, "");
}

static void sumsq_small(struct judge_case *problem)
{
    turn_sumsq(problem, 64, 512, "");
}

static const struct judge_regime REGIMES[] = {
    {"odd", 1 << GATED, gated_odd, .same_shape = true, .says = "odd sizes and addresses are slow",
     .look_at = JUDGE_LOOK_AT_ODD},
    {"in_place", 1 << GATED, gated_in_place, .same_shape = true, .share = JUDGE_SAME_CODE_SHARE,
     .says = "a call in place is slow", .look_at = JUDGE_LOOK_AT_IN_PLACE},
    {"past_unsigned", 1 << GATED, gated_past_unsigned, .share = JUDGE_SAME_CODE_SHARE,
     .says = "more than 2^32 elements are slow", .look_at = JUDGE_LOOK_AT_SIZE},
    {"middling", 1 << GATED, gated_middling, .share = JUDGE_SAME_CODE_SHARE,
     .says = "a middling size is slow", .look_at = JUDGE_LOOK_AT_SIZE},
    {"small", 1 << GATED, gated_small, .share = JUDGE_SMALL_SHARE,
     .says = "a small problem is slow", .look_at = JUDGE_LOOK_AT_SMALL},
    {"odd", 1 << ROW_SUMSQ, sumsq_odd, .same_shape = true,
     .says = "odd rows and addresses are slow", .look_at = JUDGE_LOOK_AT_ODD},
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

/* The paths are chains of correctly rounded multiply-adds, the same here and there: bit for bit.
 * A chain that is re-ordered or shortened would be a different function. */
static void truth_gated(const float *x, uint64_t first, uint64_t count, double *y)
{
    for (uint64_t i = 0; i < count; i++)
        y[i] = (first + i) % 2 == 0 ? lesson3_decay(x[i]) : lesson3_orbit(x[i]);
}

/* All terms are positive, so that the sum is their magnitude, too. FP16 or TF32 operands would be
 * off by 2^-11 of the sum in the short rows, 100 times what is allowed there; in long ones,
 * integers show what is left out. A square that is too small for a float is off by less than the
 * smallest one. */
static double sumsq_allowed(const struct judge_case *problem, double sum)
{
    double cols = (double)problem->size[COLS];
    if (!isfinite(sum) || problem->data == JUDGE_DATA_INTEGERS)
        return 0;
    return judge_product_allowed(sum, sum, cols) + JUDGE_SMALLEST_FLOAT * cols;
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

static cudaError_t launch(const struct judge_call *call)
{
    const struct judge_case *problem = call->problem;
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
    /* Both paths for all are 1.95 x as many; a block that sorts its elements in shared memory first
     * is at 1.1 to 1.25, and time judges it. Of row_sumsq only time is asked: a block of 1024
     * threads executes 1.5 x as many, and waits for memory as long. */
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

/* --- Mistakes that are recognised ------------------------------------------------------------- */

static bool wrong(const struct judge_evidence *e, enum launcher launcher)
{
    return judge_wrong(e) && e->where->launcher == launcher;
}

static bool outside(const struct judge_evidence *e, enum launcher launcher)
{
    return judge_failed(e, VERDICT_OUT_OF_BOUNDS) && e->where->launcher == launcher;
}

/* A timed case of this launcher that is slow by a counter. */
static bool slow_at(const struct judge_evidence *e, enum launcher launcher,
                    enum judge_counter counter, double least, double most)
{
    return e->where && e->where->launcher == launcher && judge_slow(e, counter, least, most);
}

/* Has the input more elements than an int counts? */
static bool is_past_an_int(const struct judge_case *problem)
{
    int64_t elements =
        problem->launcher == GATED ? problem->size[N] : problem->size[ROWS] * problem->size[COLS];
    return elements > INT32_MAX;
}

/* Sums have numbers below 2^31: one that is not written is no matter of 32 bits. */
JUDGE_SEEN(other_axis, wrong(e, ROW_SUMSQ) && e->is_large && e->wrong_is_unwritten)
JUDGE_SEEN(index_in_32_bits,
           e->is_large && e->where && is_past_an_int(e->where) && !other_axis(e) &&
               (e->verdict == VERDICT_OUT_OF_BOUNDS || e->verdict == VERDICT_WRONG))
JUDGE_SEEN(two_kernels, slow_at(e, GATED, JUDGE_LAUNCHES, 2, INFINITY) &&
                            e->counter[JUDGE_LOAD_EFFICIENCY] < 0.6)
JUDGE_SEEN(one_thread_adds, slow_at(e, ROW_SUMSQ, JUDGE_LANES_ON, 0, 29) && e->line.lanes < 2 &&
                                e->kernel.shared_requests > 0)
/* Of a tree of sums in shared memory. */
JUDGE_SEEN(every_second_thread, slow_at(e, ROW_SUMSQ, JUDGE_LANES_ON, 0, 29) &&
                                    e->line.shared_requests > 0 && e->line.lanes >= 2 &&
                                    e->line.lanes < 31)
/* Both paths are gone through by most warps: at about twice the instructions. */
JUDGE_SEEN(neighbours_disagree,
           slow_at(e, GATED, JUDGE_LANES_ON, 0, 29) && e->kernel.divergent > 0.1 &&
               e->counter[JUDGE_WARP_INSTRUCTIONS] > 1.5 &&
               e->counter[JUDGE_WARP_INSTRUCTIONS] < 2.5 && e->counter[JUDGE_LOAD_EFFICIENCY] > 0.9)
JUDGE_SEEN(both_paths,
           slow_at(e, GATED, JUDGE_WARP_INSTRUCTIONS, 1.6, 2.5) && e->counter[JUDGE_LANES_ON] > 29)
JUDGE_SEEN(row_per_thread,
           slow_at(e, ROW_SUMSQ, JUDGE_LOAD_EFFICIENCY, 0, 0.2) && fabs(e->line.load_apart) >= 32)
JUDGE_SEEN(strided_tree,
           judge_slow(e, JUDGE_WAVEFRONT_RATIO, 1.05, INFINITY) && e->kernel.shared_requests > 0)
JUDGE_SEEN(large_blocks, judge_late(e) && e->where && e->where->launcher == ROW_SUMSQ &&
                             e->kernel.block_threads >= 768)
/* The same elements are no race where y is not x: both threads write the same value. */
JUDGE_SEEN(done_twice,
           e->verdict == VERDICT_RACE && e->where && e->where->launcher == GATED && e->where->alias)
/* The last warp of each block has fewer lanes than a shuffle of a whole warp names. */
JUDGE_SEEN(lanes_that_are_not_there, e->verdict == VERDICT_BARRIER && e->absent_lane)
JUDGE_SEEN(axis_too_long, e->is_large && e->verdict == VERDICT_LAUNCH_ERROR)
JUDGE_SEEN(barrier_missing, e->verdict == VERDICT_RACE && !e->global_race)
JUDGE_SEEN(barrier_in_branch, e->verdict == VERDICT_BARRIER)
JUDGE_SEEN(sums_never_stored, e->verdict == VERDICT_UNINITIALISED)
JUDGE_SEEN(float2_anyway, e->verdict == VERDICT_MISALIGNED)
JUDGE_SEEN(last_one_missing, wrong(e, GATED) && e->wrong_is_unwritten && e->wrong == 1 &&
                                 e->total % 2 == 1 && e->first_wrong + 1 == e->total)
JUDGE_SEEN(closed_form, wrong(e, GATED) && e->largest_error < 0x1p-10)
JUDGE_SEEN(paths_swapped,
           wrong(e, GATED) && e->first_wrong == 0 && !e->wrong_is_unwritten && e->wrong == e->total)
/* What a row is short of, or too large by, is subnormal in every step. */
JUDGE_SEEN(tiny_squares_lost, wrong(e, ROW_SUMSQ) && !e->wrong_is_unwritten &&
                                  e->largest_error < 2 * FLT_MIN * (double)e->where->size[COLS])
JUDGE_SEEN(narrow_squares, wrong(e, ROW_SUMSQ) && isfinite(e->want) &&
                               fabs(e->got - e->want) < 0x1p-8 * fabs(e->want))
/* Of up to 31 columns one to three are missing: rarely half of the sum. */
JUDGE_SEEN(row_end_ignored, wrong(e, ROW_SUMSQ) && e->where->size[COLS] % 4 != 0 &&
                                e->got < e->want && (e->got == 0 || e->got > 0.75 * e->want))
JUDGE_SEEN(squares_forgotten, wrong(e, ROW_SUMSQ) && e->where->size[COLS] == 1 &&
                                  fabs(e->got * e->got - e->want) < 0x1p-10 * e->want)
JUDGE_SEEN(lanes_left_out, wrong(e, ROW_SUMSQ) && e->got > 0 && e->got <= 0.75 * e->want)
JUDGE_SEEN(order_of_atomics, e->changes_between_runs)
JUDGE_SEEN(odd_end_ignored, outside(e, GATED))
JUDGE_SEEN(sums_of_no_warp, outside(e, ROW_SUMSQ))

/* The first one that is seen counts: the more special stand before the more general. */
static const struct judge_mistake MISTAKES[] = {
    JUDGE_ERROR_IGNORED,
    JUDGE_RIGHT_FOR_THE_LIST,
    {"index_in_32_bits", index_in_32_bits,
     "n, and rows times columns, may go beyond 2^31: an int is negative there, an unsigned begins "
     "again at 2^32, and a float, as of ceilf(), rounds from 2^24 on. Let what counts elements or "
     "blocks be int64_t, and multiply in 64 bits."},
    {"other_axis", other_axis,
     "Smaller cases are right, and here no block writes some of the sums: look at how the number "
     "of a block becomes a row. There has to be a block, or a turn of a loop, for each row; and in "
     "a grid of two axes the number is blockIdx.y * gridDim.x + blockIdx.x."},
    {"two_kernels", two_kernels,
     "The contract allows a call one launch. In gated, two kernels of which each takes every "
     "second element fetch the sectors of both halves twice: one kernel can do both kinds if "
     "each thread takes one of each. In row_sumsq a block can finish its row by itself."},
    {"one_thread_adds", one_thread_adds,
     "At the line that is named one lane of a warp works and 31 wait for it, as where one "
     "thread adds up what all the others have left in shared memory. Let the lanes of each warp "
     "add by shuffles, so that one sum a warp is left, and let a warp add those in the same "
     "way."},
    {"every_second_thread", every_second_thread,
     "At the line that is named, which uses shared memory, lanes are off while others of their "
     "warp work, as in a tree of sums in which every second, every fourth, .. thread adds "
     "(threadIdx.x % (2 * distance)). Let the first threads work instead, so that whole warps "
     "can leave; inside a warp, shuffle."},
    {"neighbours_disagree", neighbours_disagree,
     "The warps execute about twice the instructions that the problem needs, with many lanes "
     "off, as where even and odd lanes want different paths, or every second lane has nothing "
     "to do. Who decides must be the same for all 32 lanes."},
    {"both_paths", both_paths,
     "Nearly all lanes are on, yet the warps execute about twice the instructions that the "
     "problem needs, as where each element goes through both paths and one result is thrown "
     "away. Selecting pays only for a path of a few instructions."},
    {"row_per_thread", row_per_thread,
     "Neighbouring lanes read addresses far apart, as where each thread walks through a row, or "
     "a stretch of one, by itself: 32 sectors for 32 floats. Let neighbouring threads take "
     "neighbouring columns of one row, and add up their sums at the end."},
    {"strided_tree", strided_tree,
     "Lanes of a warp ask one bank for different words. In a tree whose words are 2, 4, 8, .. "
     "apart, add place t + distance to place t instead, from the largest distance down. Where "
     "even and odd elements have an array each, let the second start 16 words further on."},
    {"large_blocks", large_blocks, /* not seen before all counters are as they should be */
     "Few blocks of 768 threads or more fit on a multiprocessor: while the warps of one wait at a "
     "barrier for the last of them, they load nothing. Try blocks of 128 or 256 threads, each of "
     "which adds up several quads, and let no warp wait for what all could do."},
    {"done_twice", done_twice,
     "In place, one thread writes what another uses, as where two of them do the same element: "
     "the second takes a result for an input. Look at the last block, and at what is done by "
     "every block."},
    {"barrier_missing", barrier_missing,
     "A place is written while it is used. Between a write to shared memory and another thread's "
     "use there must be a barrier, inside a warp, too: since Volta its lanes do not move in "
     "lockstep. Use __syncwarp(), or let the lanes exchange registers by __shfl_down_sync. What "
     "cp.async copies has to be waited for, and a place in global memory wants one writer."},
    {"axis_too_long", axis_too_long,
     "A grid has at most 65,535 blocks along y and z, and 2^31 - 1 along x. Small cases were "
     "launched, and this one was not: work out its blocks along each axis, in 64 bits, and let x "
     "have the rows."},
    {"lanes_that_are_not_there", lanes_that_are_not_there,
     "The last warp of the block is not full: its block has a number of threads that 32 does not "
     "divide, so a shuffle takes values from lanes that do not exist. Make blocks of whole warps, "
     "and let threads that have nothing to add bring a 0."},
    {"barrier_in_branch", barrier_in_branch,
     "A barrier is a meeting: all threads of the block must come to __syncthreads(), and exactly "
     "the lanes that a mask names must come to a shuffle. Take it out of the condition, or name "
     "all lanes."},
    {"sums_never_stored", sums_never_stored,
     "You read what was never written, such as sums of warps that do not exist, or an output that "
     "you add to before it was set. Give such lanes a 0 of their own."},
    {"float2_anyway", float2_anyway,
     "A float2 must lie on a multiple of 8 bytes, and the contract promises only 4. Look at the "
     "pointer first: all lanes find the same answer, so the branch is cheap."},
    {"last_one_missing", last_one_missing,
     "With an odd n the last element has no partner, but it is even, and wants its path."},
    {"closed_form", closed_form,
     "Nearly right is wrong here: the paths are defined to the last bit, each step with its own "
     "rounding. Call them as they are given."},
    {"paths_swapped", paths_swapped,
     "Every element is wrong: do the even ones, 0 among them, take lesson3_decay, and the odd "
     "ones lesson3_orbit?"},
    {"odd_end_ignored", odd_end_ignored,
     "With an odd n, the last pair has only one element: ask before you touch the second one, and "
     "still give the first its path."},
    {"sums_of_no_warp", sums_of_no_warp,
     "256 threads are 8 warps, so there are 8 sums, and the other lanes of the warp that adds "
     "them up take a 0. Or, if it is x that is read: a row ends after cols elements."},
    {"squares_forgotten", squares_forgotten,
     "One column, and the result is its value: what is asked for is the sum of the squares."},
    {"tiny_squares_lost", tiny_squares_lost,
     "What is lost of the sum is less than 2^-125 a column: numbers below 2^-126 are subnormal. "
     "They are set to 0 by instructions with .ftz and by -ftz=true, as squares and as sums, or by "
     "a comparison with a number that seemed small enough. The contract wants them kept."},
    {"narrow_squares", narrow_squares,
     "The sum is close, but not as close as FP32 is, as where the values go through a narrower "
     "type, such as FP16, or where a square is left out that is very small."},
    {"row_end_ignored", row_end_ignored,
     "The sum is too small where cols is not a multiple of 4: does each column have a thread, the "
     "first and the last ones, too? And does every row still start on a multiple of 16 bytes "
     "then?"},
    {"lanes_left_out", lanes_left_out,
     "Only part of the sum arrives. To bring 32 lanes together it takes distances 16, 8, 4, 2 and "
     "1, and then the sums of all warps of the block."},
    {"order_of_atomics", order_of_atomics,
     "Two calls on the same input gave different bits. Is the order in which floats are added "
     "that in which threads happen to come, as with atomics? A sum of floats rounds differently "
     "in each order. Let each sum have its place in shared memory, or in a lane, and add the "
     "places in an order of your own."},
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

/* With about as few instructions as the reference, which shuffles. */
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
    .clauses = CLAUSES,
    .clause_count = sizeof CLAUSES / sizeof *CLAUSES,
    .context = CONTEXT,
    .cases = CASES,
    .case_count = sizeof CASES / sizeof *CASES,
    .drawn = draw_cases,
    .drawn_large = draw_large,
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
    .launch = launch,
    .bars = BARS,
    .bar_count = sizeof BARS / sizeof *BARS,
    .utilization_bar = 0.80, /* calibration.csv: right ones from 0.90, large blocks 0.24 */
    .gold_bar = 0.88,
    .hints = HINTS,
    .asked = ASKED,
    .asked_count = sizeof ASKED / sizeof *ASKED,
    .mistakes = MISTAKES,
    .mistake_count = sizeof MISTAKES / sizeof *MISTAKES,
};
JUDGE(DIVERGENCE);
