/* Lesson 1: out = a x + b y, and what it should cost.
 *
 * A load of 32 neighbouring floats fills 4 sectors of 32 bytes; the same floats fetched one here
 * and one there fill up to 32. So the bar is on sectors, which caches cannot hide, and then on
 * time. Next: mistakes.c. */
#include "check/judge_graph.h"
#include "judges/01_coalescing/problem.h"

#include <float.h>
#include <math.h>
#include <stdio.h>

/* --- Clauses ---------------------------------------------------------------------------------- */

/* clang-format off */
enum clause { FORMULA, ALIGNMENT, IN_PLACE, INPUTS, SIZE, EMPTY, COEFFICIENTS, STREAM, ONE_LAUNCH,
              RETURNS };
/* clang-format on */

static const struct judge_clause CLAUSES[] = {
    [FORMULA] = {"formula", "out[i] = a * x[i] + b * y[i] for i in [0, n)"},
    [ALIGNMENT] = {"alignment", "x, y, out device pointers to n floats each, 4-byte aligned and no "
                                "more than that."},
    [IN_PLACE] = {"in_place", "out may be x itself;"},
    [INPUTS] = {"inputs", "x and y are not written, unless out is x.",
                .always = "every case: inputs are compared after the launch"},
    [SIZE] = {"size", "n 0 or more; may exceed 2^31."},
    [EMPTY] = {"empty", "n = 0 does nothing and succeeds."},
    [COEFFICIENTS] = {"coefficients", "a, b any floats. The formula holds as IEEE arithmetic has "
                                      "it: 0 * NaN is NaN, what no float can hold is "
                                      "infinite, and what is subnormal is not set to 0."},
    [STREAM] = {"stream", "stream the work goes there and is not waited for.",
                .counters = JUDGE_ASKS(JUDGE_SYNCHRONISATIONS),
                .always = "every launch: on no stream but that one"},
    [ONE_LAUNCH] = {"one_launch", "One kernel launch; nothing is allocated.",
                    .counters = JUDGE_ASKS(JUDGE_LAUNCHES) | JUDGE_ASKS(JUDGE_ALLOCATIONS) |
                                JUDGE_ASKS(JUDGE_COPIES)},
    [RETURNS] = {"returns", "Returns cudaSuccess, or the error of the launch.",
                 .always = "every case: what the launcher returns is looked at"},
};

static const char *const CONTEXT[] = {
    "01_coalescing.h - contract of lesson 1: a scaled sum of two arrays.",
    "otherwise nothing overlaps.",
    NULL,
};

/* --- Cases ------------------------------------------------------------------------------------ */

#define ASK(clause) .asks = JUDGE_ASKS(clause)
#define CASE(text, n, ...)                                                               \
    {                                                                                    \
        .name = text, .size = {[N] = (n)}, .real = {[A] = 1.5, [B] = -0.75}, __VA_ARGS__ \
    }
/* Small enough that no product and no sum of the largest float overflows. */
#define SPECIAL(text, n, a, b, ...)                                                \
    {                                                                              \
        .name = text, .size = {[N] = (n)}, .real = {[A] = (a), [B] = (b)},         \
        .data = JUDGE_DATA_SPECIALS, .asks = JUDGE_ASKS(COEFFICIENTS), __VA_ARGS__ \
    }
/* Integers times powers of two, or one and a half of them, are exact: what overflows does so
 * however the formula is rounded. */
#define OVERFLOWS(text, n, a, b, ...)                                              \
    {                                                                              \
        .name = text, .size = {[N] = (n)}, .real = {[A] = (a), [B] = (b)},         \
        .data = JUDGE_DATA_INTEGERS, .asks = JUDGE_ASKS(COEFFICIENTS), __VA_ARGS__ \
    }
#define TIMES(text, a, b)                                                                     \
    {                                                                                         \
        .name = text, .size = {[N] = 1027}, .real = {[A] = (a), [B] = (b)}, ASK(COEFFICIENTS) \
    }
/* A flush to zero loses everything. */
#define SMALL(text, kind, a, b, ...)                                        \
    {                                                                       \
        .name = text, .size = {[N] = 1027}, .real = {[A] = (a), [B] = (b)}, \
        .data = JUDGE_DATA_##kind, ASK(COEFFICIENTS), __VA_ARGS__           \
    }
/* There are so many that whole warps and blocks have nothing else: 0 times what is not finite is
 * NaN. */
#define ZEROS(text, input, a, b)                                             \
    {                                                                        \
        .name = text, .size = {[N] = 20003}, .real = {[A] = (a), [B] = (b)}, \
        .data = JUDGE_DATA_ZEROS_IN_##input, ASK(COEFFICIENTS)               \
    }

/* x, y and out one element past an aligned address: 4, but not 16, divides it. */
#define SHIFTED .offset_bytes = {[X] = 4, [Y] = 4, [OUT] = 4}
/* A cached value that starts as 0 may seem to be set already: so the first call of a process has
 * every argument as close to 0 as the contract allows. */
#define FIRST .processes = 2, .once = 1
#define IN_X .alias = 1 + X, ASK(IN_PLACE)
#define ANY_DATA .data = JUDGE_DATA_SPARSE_WIDE

/* A whole warp comes before a single element: with it, leaving out the last element differs from
 * leaving out the remainder. The cases in place need several blocks, however many elements a thread
 * takes: only there does it show when two blocks do the same element. */
static const struct judge_case CASES[] = {
    CASE("n = 0", 0, .launches_nothing = 1, ASK(EMPTY)),
    CASE("n = 32", 32, ASK(FORMULA)),
    CASE("n = 1", 1, ASK(SIZE)),
    CASE("n = 31", 31, ASK(SIZE)),
    CASE("n = 33", 33, ASK(SIZE)),
    CASE("n = 127", 127, ASK(SIZE)),
    CASE("n = 255", 255, ASK(SIZE)),
    CASE("n = 257", 257, ASK(SIZE)),
    CASE("n = 1023", 1023, ASK(SIZE)),
    CASE("n = 4097", 4097, ASK(SIZE)),
    CASE("n = 4098", 4098, ASK(SIZE)),
    CASE("n = 1, all one element off", 1, SHIFTED, ASK(ALIGNMENT)),
    CASE("n = 1023, x one element off", 1023, .offset_bytes = {[X] = 4}, ASK(ALIGNMENT)),
    CASE("n = 1023, y one element off", 1023, .offset_bytes = {[Y] = 4}, ASK(ALIGNMENT)),
    CASE("n = 1023, out one element off", 1023, .offset_bytes = {[OUT] = 4}, ASK(ALIGNMENT)),
    CASE("n = 1022, all two elements off", 1022, .offset_bytes = {[X] = 8, [Y] = 8, [OUT] = 8},
         ASK(ALIGNMENT)),
    CASE("n = 1023, all three elements off", 1023, .offset_bytes = {[X] = 12, [Y] = 12, [OUT] = 12},
         ASK(ALIGNMENT)),
    CASE("n = 4097, all one element off", 4097, SHIFTED, ASK(ALIGNMENT)),
    CASE("n = 1023, out is x", 1023, IN_X),
    CASE("n = 4097, out is x, all one element off", 4097, SHIFTED, IN_X),
    CASE("n = 4098, out is x, all two elements off", 4098,
         .offset_bytes = {[X] = 8, [Y] = 8, [OUT] = 8}, IN_X),
    CASE("n = 4099, out is x, all three elements off", 4099,
         .offset_bytes = {[X] = 12, [Y] = 12, [OUT] = 12}, IN_X),
    CASE("n = 4097, out is x, y one element off", 4097, .offset_bytes = {[Y] = 4}, IN_X),
    CASE("n = 4098, out is x, which is one off", 4098, .offset_bytes = {[X] = 4, [OUT] = 4}, IN_X),
    CASE("n = 4099, out is x, which is two off", 4099, .offset_bytes = {[X] = 8, [OUT] = 8}, IN_X),
    CASE("n = 4097, out is x, which is three off", 4097, .offset_bytes = {[X] = 12, [OUT] = 12},
         IN_X),
    CASE("n = 4098, out is x", 4098, IN_X),
    CASE("n = 4099, out is x", 4099, IN_X),
    CASE("n = 70001, out is x", 70001, IN_X),
    SMALL("n = 1027, x and y below 2^-64", TINY, 1.5, -0.75),
    SPECIAL("n = 4097, NaN and infinities", 4097, 0.5, 0.25),
    SPECIAL("n = 4099, NaN and infinities", 4099, 0.5, 0.25),
    SPECIAL("n = 4097, a = 0, NaN and infinities", 4097, 0, 0.25),
    SPECIAL("n = 4097, b = 0, NaN and infinities", 4097, 0.5, 0),
    SPECIAL("n = 4097, a = b = 0, NaN and infinities", 4097, 0, 0),
    SPECIAL("n = 4097, a = 1, b = 0, out is x, NaN", 4097, 1, 0, .alias = 1 + X),
    SPECIAL("n = 4097, a = 0, b = 1, out is x, NaN", 4097, 0, 1, .alias = 1 + X),
    SPECIAL("n = 1023, NaN, infinities, one element off", 1023, 0.5, 0.25, SHIFTED),
    TIMES("n = 1027, a = 1", 1, -0.75),
    TIMES("n = 1027, b = 1", 1.5, 1),
    TIMES("n = 1027, a = b = 1", 1, 1),
    TIMES("n = 1027, a = -1, b = 1", -1, 1),
    TIMES("n = 1027, a = b", 1.5, 1.5),
    TIMES("n = 1027, a = infinity", INFINITY, -0.75),
    TIMES("n = 1027, b = NaN", 1.5, NAN),
    ZEROS("n = 20003, a = infinity, zeros in x", FIRST, INFINITY, -0.75),
    ZEROS("n = 20003, b = NaN, zeros in y", SECOND, 1.5, NAN),
    TIMES("n = 1027, a = -infinity", -INFINITY, -0.75),
    TIMES("n = 1027, b = infinity", 1.5, INFINITY),
    TIMES("n = 1027, a = infinity, b = -infinity", INFINITY, -INFINITY),
    OVERFLOWS("n = 1027, sums past the largest float", 1027, 0x1p124, 0x1.8p124),
    OVERFLOWS("n = 1027, products past the largest float", 1027, 0x1p126, 0.25),
    SMALL("n = 1027, subnormal x and y", SUBNORMAL, 1.5, -0.75),
    SMALL("n = 1027, subnormal, all one element off", SUBNORMAL, 1, 1, SHIFTED),
    SMALL("n = 1027, subnormal x and y, large a and b", SUBNORMAL, 0x1.8p100, -0x1.4p99),
    SMALL("n = 1027, subnormal a and b", UNIFORM, 0x1.8p-128, -0x1.4p-130),
    SMALL("n = 1027, a = 1, subnormal b, the largest y", SPECIALS, 1, -0x1.4p-130),
    SMALL("n = 1027, subnormal a, b = 1, the largest x", SPECIALS, 0x1.8p-130, 1),
    SMALL("n = 1027, subnormal products", TINY, 0x1.8p-66, -0x1.4p-67),
    CASE("n = 1000003", 1000003, ASK(SIZE)),
    {.name = "n = 1, a = b = 0, first of a process", .size = {[N] = 1}, FIRST, ASK(COEFFICIENTS)},
    CASE("n = 2048", 2048, ASK(FORMULA)),
    CASE("n = 2048, then x one off", 2048, .offset_bytes = {[X] = 4}, .after = 1, ASK(ALIGNMENT)),
    CASE("n = 2048, then y one off", 2048, .offset_bytes = {[Y] = 4}, .after = 2, ASK(ALIGNMENT)),
    CASE("n = 2048, then out one off", 2048, .offset_bytes = {[OUT] = 4}, .after = 3,
         ASK(ALIGNMENT)),
    CASE("n = 2048, then 2047", 2047, .after = 4, ASK(SIZE)),
    {.name = "n = 2048, then another a",
     .size = {[N] = 2048},
     .real = {[A] = 0.25, [B] = -0.75},
     .after = 5,
     ASK(COEFFICIENTS)},
    {.name = "n = 2048, then another b",
     .size = {[N] = 2048},
     .real = {[A] = 1.5, [B] = 0.25},
     .after = 6,
     ASK(COEFFICIENTS)},
    CASE("n = 33, and the launch fails", 33, .refused_with = JUDGE_LAUNCH_FAILS, ASK(RETURNS)),
};

/* Sizes past the range of an int and of an unsigned, far enough that many blocks are past it:
 * counted in elements, in bytes, and in float4 (2^32 of these are 2^34 elements); draw_large has
 * two more, whose pointers are not aligned. The device has room for little more than two such
 * arrays. With 2^32 + 9 elements, the numbers of the last ones
 * wrap around into the first block's part: in place, elements that are done twice come out
 * wrong. */
static const struct judge_case LARGE[] = {
    CASE("n = 2^31 + 9, all one element off", (INT64_C(1) << 31) + 9, SHIFTED, ANY_DATA, ASK(SIZE)),
    CASE("n = 2^32 + 9, in place", (INT64_C(1) << 32) + 9, .alias = 1 + X, ANY_DATA,
         .asks = JUDGE_ASKS(IN_PLACE) | JUDGE_ASKS(SIZE)),
    CASE("n = 3 * 2^31 + 7", 3 * (INT64_C(1) << 31) + 7, ANY_DATA, ASK(SIZE)),
    CASE("n = 2^34 + 2^30 + 9, in place", (INT64_C(17) << 30) + 9, .alias = 1 + X, ANY_DATA,
         .asks = JUDGE_ASKS(IN_PLACE) | JUDGE_ASKS(SIZE)),
};

static void name_drawn(struct judge_case *problem)
{
    snprintf(problem->name, sizeof problem->name, "n = %lld, a = %.3g, b = %.3g%s",
             (long long)problem->size[N], problem->real[A], problem->real[B],
             problem->data == JUDGE_DATA_SPARSE_WIDE || problem->data == JUDGE_DATA_SPECIALS
                 ? ", NaN"
                 : ", drawn");
}

/* Larger ones: with special values or values of any size, anywhere in memory, in place or not. */
static void draw_all_but_size(uint64_t *seed, bool alike, struct judge_case *problem)
{
    problem->data = JUDGE_DATA_SPARSE_WIDE;
    judge_draw_pointers(seed, BUFFERS, alike, problem);
    if (judge_draw(seed, 0, 1)) {
        problem->alias = 1 + X;
        problem->offset_bytes[OUT] = problem->offset_bytes[X];
    }
}

/* All pointers at each other place in a sector of 32 bytes, where what comes before the first whole
 * sector, or after the last one, has code of its own. */
static size_t draw_places(uint64_t *seed, struct judge_case *cases, size_t room)
{
    size_t count = 0;
    for (size_t place = 1; place < JUDGE_PLACES && count < room; place++) {
        struct judge_case *problem = &cases[count++];
        *problem = (struct judge_case){
            .size = {[N] = judge_draw_size(seed, 64, 6000)},
            .real = {[A] = judge_draw_float(seed), [B] = judge_draw_float(seed)},
            .alias = judge_draw(seed, 0, 1) ? 1 + X : 0};
        judge_draw_place(seed, place, BUFFERS, problem);
        snprintf(problem->name, sizeof problem->name, "n = %lld, %zu off%s, drawn",
                 (long long)problem->size[N], place, problem->alias ? ", in place" : "");
    }
    return count;
}

/* One of the coefficients far smaller than the other: its product may seem to make no difference,
 * but special values in its array do. Neither is more than 1, so that no product overflows.
 * Aligned, and anywhere. */
static size_t draw_far_coefficients(uint64_t *seed, struct judge_case *cases, size_t room)
{
    enum { FAR = 4, LEAST_POWER = 100, MOST_POWER = 125 };
    size_t count = 0;
    for (; count < FAR && count < room; count++) {
        int power = (int)judge_draw(seed, LEAST_POWER, MOST_POWER);
        struct judge_case *problem = &cases[count];
        *problem = (struct judge_case){
            .size = {[N] = judge_draw_size(seed, 64, 6000)},
            .real = {[A] = judge_draw_float(seed) / 2, [B] = judge_draw_float(seed) / 2},
            .data = JUDGE_DATA_SPECIALS};
        double *far = &problem->real[count & 1 ? A : B];
        *far = ldexp(*far, -power);
        if (count & 2)
            judge_draw_pointers(seed, BUFFERS, judge_draw(seed, 0, 1), problem);
        snprintf(problem->name, sizeof problem->name, "n = %lld, a = %.3g, b = %.3g, drawn",
                 (long long)problem->size[N], problem->real[A], problem->real[B]);
    }
    return count;
}

static float any_scalar(uint64_t *seed)
{
    return judge_draw_scalar(seed, judge_draw(seed, 0, JUDGE_SCALARS - 1));
}

/* Small ones, in which each pointer is 0, 1, 2 and 3 elements off an aligned address, whatever the
 * others are; and one of each size up to the large ones. All their elements are compared. */
static size_t draw_cases(uint64_t seed, struct judge_case *cases, size_t room)
{
    /* Of the small ones, in one b = -a, and in another it may be any float. */
    enum { ANY_FLOAT = 0, OPPOSITE = 3, SMALL = 4, DRAWN = 6 };
    struct judge_offsets off[BUFFERS];
    size_t count = 0;
    bool first_alike = judge_draw(&seed, 0, 1);
    for (size_t i = 0; i < BUFFERS; i++)
        off[i] = judge_draw_offsets(&seed);
    for (; count < DRAWN && count < room; count++) {
        bool is_small = count < SMALL;
        cases[count] = (struct judge_case){
            .size = {[N] = is_small ? judge_draw_size(&seed, 2, 6000)
                           : count == SMALL
                               ? judge_draw_size(&seed, 6001, JUDGE_MIDDLE_LEAST)
                               : judge_draw(&seed, JUDGE_MIDDLE_LEAST, JUDGE_MIDDLE_MOST)},
            .real = {[A] = judge_draw_scalar(&seed, count % JUDGE_SCALARS),
                     [B] = judge_draw_scalar(&seed, count % JUDGE_SCALARS)},
            .data = count == ANY_FLOAT ? JUDGE_DATA_WIDE : JUDGE_DATA_UNIFORM,
            .once = !is_small};
        if (count == ANY_FLOAT && judge_draw(&seed, 0, 3) == 0)
            cases[count].real[B] = judge_draw_any_float(&seed);
        if (count == OPPOSITE)
            cases[count].real[B] = -cases[count].real[A];
        for (size_t i = 0; i < BUFFERS && is_small; i++)
            cases[count].offset_bytes[i] = off[i].bytes[count];
        if (!is_small)
            draw_all_but_size(&seed, first_alike == (count == SMALL), &cases[count]);
        name_drawn(&cases[count]);
    }
    count += draw_places(&seed, cases + count, room - count);
    return count + draw_far_coefficients(&seed, cases + count, room - count);
}

/* In one draw of four, one of the two is any float with which no product overflows: beside an
 * infinity in the other array, whether the sum is NaN would depend on how it is rounded. */
static void redraw(uint64_t seed, struct judge_case *problem)
{
    problem->real[A] = any_scalar(&seed);
    problem->real[B] = any_scalar(&seed);
    float any = judge_draw_any_float(&seed);
    if (judge_draw(&seed, 0, 3) == 0)
        problem->real[judge_draw(&seed, A, B)] =
            isfinite(any) && fabsf(any) > 0x1p62f ? 0x1p-66f * any : any;
}

/* Up to an eighth fewer elements, still a multiple of four, and numbers of any kind. */
static void nearby(uint64_t seed, struct judge_case *problem)
{
    problem->data = JUDGE_DATA_SPARSE_WIDE;
    problem->size[N] -= 4 * judge_draw(&seed, 1, problem->size[N] / 32);
}

/* --- Regimes ---------------------------------------------------------------------------------- */

static void turn_places(struct judge_case *problem)
{
    static const char *const NAMES[] = {"x", "y", "out"};
    snprintf(problem->name, sizeof problem->name, "n = %lld%s", (long long)problem->size[N],
             judge_places_text(problem, NAMES, BUFFERS).text);
}

static void turn_odd(struct judge_case *problem)
{
    problem->size[N] -= 1;
    for (int i = 0; i < BUFFERS; i++)
        problem->offset_bytes[i] = sizeof(float);
    problem->alias = 1 + X;
    snprintf(problem->name, sizeof problem->name, "n = %lld, in place, one element off",
             (long long)problem->size[N]);
}

static void turn_in_place(struct judge_case *problem)
{
    problem->alias = 1 + X;
    snprintf(problem->name, sizeof problem->name, "n = %lld, in place",
             (long long)problem->size[N]);
}

/* No number of leading elements can be skipped so that all three pointers suit a vector. */
static void turn_unlike(struct judge_case *problem)
{
    for (int i = 0; i < BUFFERS; i++)
        problem->offset_bytes[i] = (uint32_t)(i + 1) * (uint32_t)sizeof(float);
    snprintf(problem->name, sizeof problem->name, "n = %lld, 1, 2 and 3 elements off",
             (long long)problem->size[N]);
}

static void turn_past_unsigned(struct judge_case *problem)
{
    problem->size[N] = (INT64_C(1) << 32) + (INT64_C(1) << 20);
    snprintf(problem->name, sizeof problem->name, "n = 2^32 + 2^20");
}

/* Between the small cases and the timed one. */
static void turn_medium(struct judge_case *problem)
{
    problem->size[N] = 1 << 23;
    snprintf(problem->name, sizeof problem->name, "n = 2^23");
}

static void turn_small(struct judge_case *problem)
{
    problem->size[N] = 1 << 16;
    snprintf(problem->name, sizeof problem->name, "n = 2^16");
}

static const struct judge_regime REGIMES[] = {
    /* The next one is in place, too: what is slow there by that alone is told as that. */
    {"in_place", .turn = turn_in_place, .same_shape = true, .share = JUDGE_SAME_CODE_SHARE,
     .says = "a call in place is slow", .look_at = JUDGE_LOOK_AT_IN_PLACE},
    {"odd", .turn = turn_odd, .same_shape = true, .says = "odd sizes and addresses are slow",
     .look_at = JUDGE_LOOK_AT_ODD},
    /* In each of these, what a vector asks for fails in another way. */
    {"odd_n", .turn = turn_places, .same_shape = true, .less = {[N] = 1},
     .says = "an odd n is slow", .look_at = JUDGE_LOOK_AT_SIDES},
    {"even_n", .turn = turn_places, .same_shape = true, .less = {[N] = 2},
     .says = "an n that 2 divides and 4 does not is slow", .look_at = JUDGE_LOOK_AT_SIDES},
    {"all_off", .turn = turn_places, .same_shape = true, .off = {[X] = 1, [Y] = 1, [OUT] = 1},
     .says = "odd addresses that are alike are slow", .look_at = JUDGE_LOOK_AT_ODD},
    {"two_off", .turn = turn_places, .same_shape = true, .less = {[N] = 2},
     .off = {[X] = 2, [Y] = 2, [OUT] = 2},
     .says = "sizes and addresses that only pairs of floats fit are slow",
     .look_at = JUDGE_LOOK_AT_SIDES},
    {"x_off", .turn = turn_places, .same_shape = true, .off = {[X] = 1},
     .says = "an odd address of x alone is slow", .look_at = JUDGE_LOOK_AT_PLACES},
    {"y_off", .turn = turn_places, .same_shape = true, .off = {[Y] = 1},
     .says = "an odd address of y alone is slow", .look_at = JUDGE_LOOK_AT_PLACES},
    {"out_off", .turn = turn_places, .same_shape = true, .off = {[OUT] = 1},
     .says = "an odd address of out alone is slow", .look_at = JUDGE_LOOK_AT_PLACES},
    {"x_two_off", .turn = turn_places, .same_shape = true, .off = {[X] = 2},
     .says = "x alone at a multiple of 8 bytes that is none of 16 is slow",
     .look_at = JUDGE_LOOK_AT_PLACES},
    {"y_two_off", .turn = turn_places, .same_shape = true, .off = {[Y] = 2},
     .says = "y alone at a multiple of 8 bytes that is none of 16 is slow",
     .look_at = JUDGE_LOOK_AT_PLACES},
    {"out_two_off", .turn = turn_places, .same_shape = true, .off = {[OUT] = 2},
     .says = "out alone at a multiple of 8 bytes that is none of 16 is slow",
     .look_at = JUDGE_LOOK_AT_PLACES},
    {"unlike_pointers", .turn = turn_unlike, .same_shape = true,
     .says = "pointers that lie differently are slow", .look_at = JUDGE_LOOK_AT_ODD},
    {"past_unsigned", .turn = turn_past_unsigned, .share = JUDGE_SAME_CODE_SHARE,
     .says = "more than 2^32 elements are slow", .look_at = JUDGE_LOOK_AT_SIZE},
    {"medium", .turn = turn_medium, .share = JUDGE_SAME_CODE_SHARE, .says = "a medium size is slow",
     .look_at = JUDGE_LOOK_AT_SIZE},
    {"small", .turn = turn_small, .share = JUDGE_SMALL_SHARE, .says = "a small problem is slow",
     .look_at = JUDGE_LOOK_AT_SMALL},
};

enum { PAST_UNSIGNED = 2, ANY_LARGE, PAST_QUADS, DRAWN_LARGE };

/* Past 2^32, the numbers of the last elements may wrap around into the first block's part, which
 * shows in place; past 2^34, those of float4. Far past it, they are some of every block's. */
static int64_t draw_large_size(size_t number, uint64_t *seed)
{
    int64_t wrapped = judge_draw(seed, 1, 4096);
    return number == PAST_UNSIGNED ? (INT64_C(1) << 33) + wrapped
           : number == PAST_QUADS  ? (INT64_C(17) << 30) + wrapped
           : number == ANY_LARGE   ? judge_draw_size(seed, 1 << 26, INT64_C(1) << 33)
                                   : judge_draw_size(seed, JUDGE_MIDDLE_MOST, 1 << 26);
}

/* In place. Past 2^32 no common float4 suits x and y; past 2^34 one does, some elements on. */
static void draw_off_in_place(uint64_t *seed, bool alike, struct judge_case *problem)
{
    const uint32_t one = sizeof(float);
    uint32_t more = one * (uint32_t)judge_draw(seed, 1, 3);
    judge_draw_off(seed, BUFFERS, problem);
    problem->alias = 1 + X;
    if (!alike)
        problem->offset_bytes[Y] = (problem->offset_bytes[Y] + more) % (4 * one);
}

/* Coefficients that code may treat by themselves, each of x and of y: 0 and 1, and what is infinite
 * or subnormal beside any other. */
static size_t draw_special_coefficients(uint64_t *seed, struct judge_case *cases, size_t room)
{
    const float subnormal = 0x1p-149f * (float)judge_draw(seed, 0x10000, 0x7FFFFF);
    const float beside = any_scalar(seed);
    const float pairs[][2] = {{0, 1}, {INFINITY, beside}, {subnormal, beside}};
    size_t count = 0;
    for (; count < 2 * (sizeof pairs / sizeof *pairs) && count < room; count++) {
        const float *pair = pairs[count / 2], sign = judge_draw(seed, 0, 1) ? 1 : -1;
        struct judge_case *problem = &cases[count];
        *problem = (struct judge_case){
            .size = {[N] = judge_draw_size(seed, JUDGE_MIDDLE_MOST, INT64_C(1) << 33)},
            .real = {[A] = pair[count % 2], [B] = pair[1 - count % 2]}};
        problem->real[count % 2 ? B : A] *= sign;
        draw_all_but_size(seed, judge_draw(seed, 0, 1), problem);
        if (pair[0] == 0) {
            problem->data = JUDGE_DATA_SPECIALS; /* 0 times one shows in no other case */
            problem->alias = 0;                  /* in place, 1 times x is stored unchanged */
        }
        name_drawn(problem);
    }
    return count;
}

/* Up to 2^26, one whose pointers are aligned alike, and one whose are not; a larger one; two whose
 * pointers are not aligned, past the ranges of an unsigned; and special coefficients. */
static size_t draw_large(uint64_t seed, struct judge_case *cases, size_t room)
{
    size_t count = 0;
    for (; count < DRAWN_LARGE && count < room; count++) {
        bool alike = count == ANY_LARGE ? judge_draw(&seed, 0, 1) : count == 1;
        cases[count] = (struct judge_case){.size = {[N] = draw_large_size(count, &seed)}};
        redraw(seed, &cases[count]);
        draw_all_but_size(&seed, alike, &cases[count]);
        if (count == PAST_UNSIGNED || count == PAST_QUADS)
            draw_off_in_place(&seed, count == PAST_QUADS, &cases[count]);
        name_drawn(&cases[count]);
    }
    return count + draw_special_coefficients(&seed, cases + count, room - count);
}

static size_t buffers(const struct judge_case *problem, struct judge_buffer *list)
{
    uint64_t n = (uint64_t)problem->size[N];
    list[X] = (struct judge_buffer){.name = "x", .role = JUDGE_IN, .count = n};
    list[Y] = (struct judge_buffer){.name = "y", .role = JUDGE_IN, .count = n};
    list[OUT] = (struct judge_buffer){.name = "out", .role = JUDGE_OUT, .count = n};
    return BUFFERS;
}

static void truth_of(const struct judge_case *problem, const float *x, const float *y,
                     uint64_t count, double *expected, double *allowed)
{
    for (uint64_t i = 0; i < count; i++) { /* the products are exact in double */
        double ax = problem->real[A] * x[i], by = problem->real[B] * y[i];
        expected[i] = fabs(ax + by) > FLT_MAX ? copysign(INFINITY, ax + by) : ax + by;
        allowed[i] = judge_elementwise_allowed(ax + by, fmax(fabs(ax), fabs(by)));
    }
}

static void truth(const struct judge_case *problem, struct judge_host *host)
{
    truth_of(problem, host[X].input, host[Y].input, host[OUT].count, host[OUT].expected,
             host[OUT].allowed);
}

static void truth_at(const struct judge_case *problem, const struct judge_inputs *inputs,
                     size_t output, uint64_t first, uint64_t count, double *expected,
                     double *allowed)
{
    enum { AT_A_TIME = 256 };
    float x[AT_A_TIME], y[AT_A_TIME];
    (void)output;
    for (uint64_t done = 0; done < count; done += AT_A_TIME) {
        uint64_t part = count - done < AT_A_TIME ? count - done : AT_A_TIME;
        judge_input(inputs, X, first + done, part, x);
        judge_input(inputs, Y, first + done, part, y);
        truth_of(problem, x, y, part, expected + done, allowed + done);
    }
}

static struct judge_work work(const struct judge_case *problem)
{
    double n = (double)problem->size[N];
    return (struct judge_work){.bytes = 12 * n, .flop = 3 * n};
}

/* The largest power of two that fits a sixteenth of the memory, at most 2^26; on the simulated
 * device as much as is interpreted in a tenth of a second. */
static size_t timed(const struct judge_device *device, struct judge_case *cases, size_t room)
{
    int64_t n = device->simulated ? 1 << 22 : 1 << 26;
    while (!device->simulated && (uint64_t)(12 * n) > device->memory_bytes / 16)
        n /= 2;
    if (room == 0)
        return 0;
    cases[0] = (struct judge_case){.size = {[N] = n}, .real = {[A] = 1.5, [B] = -0.75}};
    snprintf(cases[0].name, sizeof cases[0].name, "n = %lld", (long long)n);
    return 1;
}

static cudaError_t call_once(const struct judge_call *call)
{
    const struct judge_case *problem = call->problem;
    cudaError_t (*axpby)(const float *, const float *, float *, int64_t, float, float,
                         cudaStream_t) = NULL;
    *(void **)&axpby = call->symbols[0];
    return axpby(call->buffers[X], call->buffers[Y], call->buffers[OUT], problem->size[N],
                 (float)problem->real[A], (float)problem->real[B], call->stream);
}

static cudaError_t launch(const struct judge_call *call)
{
    bool fails = call->problem->refused_with == JUDGE_LAUNCH_FAILS;
    return fails ? judge_without_launch(call, call_once) : call_once(call);
}

static const struct judge_bar BARS[] = {
    {JUDGE_LAUNCHES, .at_most = 1, .every_case = true,
     .message = "the contract forbids more than one kernel launch a call",
     .look_at = "one kernel can do all of the formula, for all n elements"},
    {JUDGE_LOAD_EFFICIENCY, .at_least = 0.95, .message = "loads touch more sectors than they need",
     .look_at = "neighbouring lanes should read neighbouring addresses in the same instruction"},
    {JUDGE_STORE_EFFICIENCY, .at_least = 0.95,
     .message = "stores touch more sectors than they need",
     .look_at = "neighbouring lanes should write neighbouring addresses in the same instruction"},
    /* The model may take for L2's what another block has read long before: then DRAM has no more to
     * do, and nothing says what the bytes cost. */
    {JUDGE_BYTES_RATIO, .at_most = 1.05, .far_above = 1.5,
     .message = "it moves more bytes than the formula needs",
     .look_at = "read x and y once and write out once: 12 bytes an element"},
    JUDGE_BARS_OF_HOST(true),
};

static const char *const LAUNCHERS[] = {"lesson1_axpby", NULL};

static const char *const HINTS[] = {
    "Look at the figure \"load efficiency\": of the sectors your loads touch, how much is used? A "
    "warp's 32 lanes execute one load together. Which 32 addresses do they ask for at once?",
    "Memory comes in sectors of 32 bytes. Lanes t and t + 1 should touch floats that lie side by "
    "side, so that 32 lanes fill 4 whole sectors. Example: to sum the columns of a matrix stored "
    "row by row, let lane t take column t, not row t.",
    "Let thread t take element t, then t + (number of all threads), and so on: a grid-stride "
    "loop. Neighbouring threads then take neighbouring elements in every turn, and blocks of 256 "
    "threads are cheap to hand out. A float4 brings four neighbours in one load: it needs "
    "addresses that are multiples of 16, so test the three pointers in the kernel, and let single "
    "loads do the rest.",
};

static bool loads_are_coalesced(const struct judge_evidence *e)
{
    return e->counter[JUDGE_LOAD_EFFICIENCY] >= 0.95;
}

static bool all_is_coalesced(const struct judge_evidence *e)
{
    return loads_are_coalesced(e) && e->counter[JUDGE_STORE_EFFICIENCY] >= 0.95;
}

static bool is_by_float4(const struct judge_evidence *e)
{
    return e->kernel.load_width > 12 && e->kernel.store_width > 12;
}

static const struct judge_asked ASKED[] = {
    {2, "Memory comes in sectors", 0, all_is_coalesced},
    {3, "Let thread t take", 0, all_is_coalesced},
    {3, "A float4 brings", 0, is_by_float4},
};

static const struct judge COALESCING = {
    .lesson = "01_coalescing",
    .title = "coalesced elementwise kernel",
    .launchers = LAUNCHERS,
    .as_shipped = "SLOW counters line 16 mistake chunk_per_thread",
    .clauses = &(const struct judge_clauses)JUDGE_ROWS(CLAUSES),
    .context = CONTEXT,
    .cases = CASES,
    .case_count = sizeof CASES / sizeof *CASES,
    .drawn = draw_cases,
    .drawn_large = draw_large,
    .redrawn = redraw,
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
    .utilization_bar = 0.7,
    .gold_bar = 0.92,
    .ceiling = "copy rate",
    .hints = HINTS,
    .asked = ASKED,
    .asked_count = sizeof ASKED / sizeof *ASKED,
    .mistakes = &COALESCING_MISTAKES,
};
JUDGE(COALESCING);
