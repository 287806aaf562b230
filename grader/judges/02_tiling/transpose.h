/* transpose.h - lesson 2, the part of the judge that is about lesson2_transpose.
 *
 * The gentlest way into shared memory: nothing is computed, so the truth is a copy and every bit
 * counts. What can go wrong is where things go, hence the cases: sides that no tile divides, sides
 * that differ, single rows and columns, pointers that are aligned to a float and no better.
 *
 * judge.c puts this beside the matrix product: cases and mistakes by the two lists, the functions
 * by the launcher's index.
 */
#ifndef JUDGE_TRANSPOSE_H
#define JUDGE_TRANSPOSE_H

#include "check/judge_graph.h"
#include "check/judge_seen.h"
#include "clauses.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { TRANSPOSE_ROWS, TRANSPOSE_COLS }; /* judge_case.size */
enum { TRANSPOSE_IN, TRANSPOSE_OUT };    /* buffers */

#define TRANSPOSE_CASE(number, text, rows, cols, ...)                           \
    {                                                                           \
        .name = "transpose, " text, .launcher = number,                         \
        .size = {[TRANSPOSE_ROWS] = rows, [TRANSPOSE_COLS] = cols}, __VA_ARGS__ \
    }

#define TRANSPOSE_OFF(in_bytes, out_bytes) \
    .offset_bytes = {[TRANSPOSE_IN] = in_bytes, [TRANSPOSE_OUT] = out_bytes}, ASK(ALIGNMENT)

/* clang-format off */
/* For the initialiser of judge.c's table; number is the launcher's index. */
#define TRANSPOSE_CASES(number)                                                                \
    TRANSPOSE_CASE(number, "1 x 1", 1, 1, ASK(SIDES)),                                         \
    TRANSPOSE_CASE(number, "32 x 32", 32, 32, ASK(TURNED)),                                    \
    TRANSPOSE_CASE(number, "33 x 17", 33, 17, ASK(LAYOUT)),                                    \
    TRANSPOSE_CASE(number, "1 x 513", 1, 513, ASK(SIDES)),                                     \
    TRANSPOSE_CASE(number, "513 x 1", 513, 1, ASK(SIDES)),                                     \
    TRANSPOSE_CASE(number, "64 x 36", 64, 36, ASK(LAYOUT)),                                    \
    TRANSPOSE_CASE(number, "127 x 130", 127, 130, ASK(LAYOUT)),                                \
    TRANSPOSE_CASE(number, "128 x 64, in one element off", 128, 64, TRANSPOSE_OFF(4, 0)),      \
    TRANSPOSE_CASE(number, "64 x 128, out one element off", 64, 128, TRANSPOSE_OFF(0, 4)),     \
    TRANSPOSE_CASE(number, "64 x 128, both two elements off", 64, 128, TRANSPOSE_OFF(8, 8)),   \
    TRANSPOSE_CASE(number, "128 x 68, both one element off", 128, 68, TRANSPOSE_OFF(4, 4)),    \
    TRANSPOSE_CASE(number, "68 x 128, both three off", 68, 128, TRANSPOSE_OFF(12, 12)),        \
    TRANSPOSE_CASE(number, "40 x 72, NaN and infinities", 40, 72,                              \
                   .data = JUDGE_DATA_SPECIALS, ASK(TURNED)),                                  \
    TRANSPOSE_CASE(number, "97 x 33, NaN and infinities", 97, 33,                              \
                   .data = JUDGE_DATA_SPECIALS, ASK(TURNED)),                                  \
    TRANSPOSE_CASE(number, "260 x 516", 260, 516, ASK(TURNED)),                                \
    TRANSPOSE_CASE(number, "1 x 1, first of a process", 1, 1, FIRST, ASK(SIDES)),              \
    TRANSPOSE_CASE(number, "64 x 96", 64, 96, ASK(TURNED)),                                    \
    TRANSPOSE_CASE(number, "64 x 96, then in one off", 64, 96, TRANSPOSE_OFF(4, 0),            \
                   .after = 1),                                                                \
    TRANSPOSE_CASE(number, "64 x 96, then out one off", 64, 96, TRANSPOSE_OFF(0, 4),           \
                   .after = 2),                                                                \
    TRANSPOSE_CASE(number, "64 x 96, then 63 x 96", 63, 96, .after = 3, ASK(SIDES)),           \
    TRANSPOSE_CASE(number, "64 x 96, then 64 x 95", 64, 95, .after = 4, ASK(SIDES))

/* What is told apart before any arithmetic, and how calls are made. After all others, so that it is
 * not what a beginner hears first. Of two negative sides the product is positive, and so may be the
 * number of tiles. */
#define TRANSPOSE_ARGUMENTS(number)                                                            \
    TRANSPOSE_CASE(number, "0 x 7", 0, 7, .launches_nothing = 1, ASK(EMPTY)),                  \
    TRANSPOSE_CASE(number, "7 x 0", 7, 0, .launches_nothing = 1, ASK(EMPTY)),                  \
    TRANSPOSE_CASE(number, "1000000 x 0", 1000000, 0, .launches_nothing = 1,                   \
                   .asks = JUDGE_ASKS(EMPTY) | JUDGE_ASKS(SIDES)),                             \
    TRANSPOSE_CASE(number, "65 x 33, captured", 65, 33, .script = AS_GRAPH, ASK(GRAPH)),       \
    TRANSPOSE_CASE(number, "65 x 33, and the launch fails", 65, 33,                            \
                   .refused_with = JUDGE_LAUNCH_FAILS, ASK(RETURNS)),                          \
    TRANSPOSE_REFUSED(number, "-1 x 5", -1, 5),                                                \
    TRANSPOSE_REFUSED(number, "5 x -1", 5, -1),                                                \
    TRANSPOSE_REFUSED(number, "-3 x -5", -3, -5),                                              \
    TRANSPOSE_REFUSED(number, "-100 x -100", -100, -100),                                      \
    TRANSPOSE_REFUSED(number, "0 x -1", 0, -1),                                                \
    TRANSPOSE_REFUSED(number, "-1 x 0", -1, 0),                                                \
    TRANSPOSE_REFUSED(number, "1000001 x 1", 1000001, 1),                                      \
    TRANSPOSE_REFUSED(number, "1 x 1000001", 1, 1000001),                                      \
    TRANSPOSE_REFUSED(number, "0 x 1000001", 0, 1000001),                                      \
    TRANSPOSE_REFUSED(number, "-2^31 x 1", INT32_MIN, 1),                                      \
    TRANSPOSE_REFUSED(number, "1 x 2^31 - 1", 1, INT32_MAX)
/* clang-format on */

#define TRANSPOSE_REFUSED(number, text, rows, cols) \
    TRANSPOSE_CASE(number, text, rows, cols, .refused_with = cudaErrorInvalidValue, ASK(REFUSED))

/* Single columns and rows of the longest side: an axis of the grid ends at 65,535. And more than
 * 2^32 elements, and than 2^34, where an unsigned that counts float4 begins again. */
#define TRANSPOSE_LARGE(number)                                            \
    TRANSPOSE_CASE(number, "1000000 x 1", 1000000, 1, ASK(SIDES)),         \
        TRANSPOSE_CASE(number, "1 x 1000000", 1, 1000000, ASK(SIDES)),     \
        TRANSPOSE_CASE(number, "6000 x 750001", 6000, 750001, ASK(SIDES)), \
        TRANSPOSE_CASE(number, "131072 x 139264", 131072, 139264, ASK(SIDES))

static inline struct judge_case transpose_timed(const struct judge_device *device, uint32_t number)
{
    const struct judge_case small = TRANSPOSE_CASE(number, "1024 x 1024", 1024, 1024);
    const struct judge_case middle = TRANSPOSE_CASE(number, "4096 x 4096", 4096, 4096);
    const struct judge_case large = TRANSPOSE_CASE(number, "8192 x 8192", 8192, 8192);
    /* No more than an eighth of the memory for both matrices. */
    bool fits = device->memory_bytes / 8 >= UINT64_C(8) * 8192 * 8192;
    return device->simulated ? small : fits ? large : middle;
}

/* --- Regimes ---------------------------------------------------------------------------------- */

static inline void transpose_turn(struct judge_case *problem, int64_t rows, int64_t cols,
                                  const char *text)
{
    problem->size[TRANSPOSE_ROWS] = rows;
    problem->size[TRANSPOSE_COLS] = cols;
    snprintf(problem->name, sizeof problem->name, "transpose, %lld x %lld%s", (long long)rows,
             (long long)cols, text);
}

/* Sides that no float4 divides. */
static inline void transpose_odd(struct judge_case *problem)
{
    problem->offset_bytes[TRANSPOSE_IN] = problem->offset_bytes[TRANSPOSE_OUT] = sizeof(float);
    transpose_turn(problem, problem->size[TRANSPOSE_ROWS] - 1, problem->size[TRANSPOSE_COLS] + 1,
                   ", one element off");
}

/* One tile of 32, half of one of 64. */
static inline void transpose_few_long_rows(struct judge_case *problem)
{
    transpose_turn(problem, 32, LESSON2_LARGEST_SIDE, "");
}

static inline void transpose_many_short_rows(struct judge_case *problem)
{
    transpose_turn(problem, LESSON2_LARGEST_SIDE, 32, "");
}

static inline void transpose_past_int(struct judge_case *problem)
{
    transpose_turn(problem, 50000, 50000, "");
}

static inline void transpose_small(struct judge_case *problem)
{
    transpose_turn(problem, 256, 256, "");
}

/* clang-format off */
#define TRANSPOSE_REGIMES(number)                                                              \
    {"odd", 1 << number, transpose_odd, .same_shape = true,                                    \
     .says = "odd sides and addresses are slow", .look_at = JUDGE_LOOK_AT_ODD},                \
    {"few_long_rows", 1 << number, transpose_few_long_rows,                                    \
     .says = "few long rows are slow", .look_at = JUDGE_LOOK_AT_THIN},                         \
    {"many_short_rows", 1 << number, transpose_many_short_rows,                                \
     .says = "many short rows are slow", .look_at = JUDGE_LOOK_AT_THIN},                       \
    {"past_int", 1 << number, transpose_past_int,                                              \
     .says = "more than 2^31 elements are slow", .look_at = JUDGE_LOOK_AT_SIZE},               \
    {"small", 1 << number, transpose_small,                                                    \
     .share = JUDGE_SMALL_SHARE, .says = "a small matrix is slow", .look_at = JUDGE_LOOK_AT_SMALL}
/* clang-format on */

static inline void transpose_name(struct judge_case *problem)
{
    snprintf(problem->name, sizeof problem->name, "transpose, %lld x %lld%s, drawn",
             (long long)problem->size[TRANSPOSE_ROWS], (long long)problem->size[TRANSPOSE_COLS],
             problem->data ? ", any bits" : "");
}

/* One of two sides alike in size, one of two that are not, and a middle one, whose sides may have
 * any size from 48 on: tiles of 32 and of 64 hang over shorter ones by more than they move, and a
 * few blocks that go through all of them would seem endless. */
static inline struct judge_case transpose_drawn(uint32_t number, int which, uint64_t *seed)
{
    bool is_thin = which == 1, is_middle = which == 2, is_turned = judge_draw(seed, 0, 1);
    int64_t rows = is_middle ? judge_draw_size(seed, 48, 60000)
                   : is_thin ? judge_draw_size(seed, 2, 40)
                             : judge_draw_size(seed, 2, 300);
    int64_t cols = is_middle ? judge_draw(seed, JUDGE_MIDDLE_LEAST, JUDGE_MIDDLE_MOST) / rows
                   : is_thin ? judge_draw_size(seed, 301, 6000)
                             : judge_draw_size(seed, 2, 300);
    struct judge_case problem =
        TRANSPOSE_CASE(number, "", is_turned ? cols : rows, is_turned ? rows : cols,
                       .once = is_middle, .data = JUDGE_DATA_BITS);
    if (is_middle)
        judge_draw_pointers(seed, 2, false, &problem);
    transpose_name(&problem);
    return problem;
}

/* Larger: sides of whole float4 and pointers to them. */
static inline struct judge_case transpose_drawn_even(uint32_t number, uint64_t *seed)
{
    int64_t rows = 4 * judge_draw_size(seed, 2500 / 4, MOST_OF_A_SIDE / 4);
    int64_t cols = 4 * judge_draw_size(seed, 2500 / 4, MOST_OF_A_SIDE / 4);
    struct judge_case problem = TRANSPOSE_CASE(number, "", rows, cols, .data = JUDGE_DATA_BITS);
    transpose_name(&problem);
    return problem;
}

/* And any sides, between pointers that lie anywhere. */
static inline struct judge_case transpose_drawn_any(uint32_t number, uint64_t *seed)
{
    int64_t a = judge_draw_size(seed, 2500, LESSON2_LARGEST_SIDE), b = draw_other(seed, 48, a);
    bool is_tall = judge_draw(seed, 0, 1);
    struct judge_case problem =
        TRANSPOSE_CASE(number, "", is_tall ? a : b, is_tall ? b : a, .data = JUDGE_DATA_BITS);
    judge_draw_pointers(seed, 2, false, &problem);
    transpose_name(&problem);
    return problem;
}

static inline size_t transpose_buffers(const struct judge_case *problem,
                                       struct judge_buffer *buffers)
{
    uint64_t rows = (uint64_t)problem->size[TRANSPOSE_ROWS];
    uint64_t cols = (uint64_t)problem->size[TRANSPOSE_COLS];
    buffers[TRANSPOSE_IN] =
        (struct judge_buffer){.name = "in", JUDGE_IN, JUDGE_F32, rows * cols, cols};
    buffers[TRANSPOSE_OUT] =
        (struct judge_buffer){.name = "out", JUDGE_OUT, JUDGE_F32, rows * cols, rows};
    return 2;
}

static inline void transpose_truth(const struct judge_case *problem, struct judge_host *buffers)
{
    const float *in = buffers[TRANSPOSE_IN].input;
    double *out = buffers[TRANSPOSE_OUT].expected;
    int64_t rows = problem->size[TRANSPOSE_ROWS], cols = problem->size[TRANSPOSE_COLS];
    buffers[TRANSPOSE_OUT].same_bits = true;
    for (int64_t row = 0; row < rows; row++)
        for (int64_t col = 0; col < cols; col++)
            out[col * rows + row] = in[row * cols + col];
}

static inline void transpose_truth_at(const struct judge_case *problem,
                                      const struct judge_inputs *inputs, uint64_t first,
                                      uint64_t count, double *expected, double *allowed)
{
    uint64_t rows = (uint64_t)problem->size[TRANSPOSE_ROWS];
    uint64_t cols = (uint64_t)problem->size[TRANSPOSE_COLS];
    for (uint64_t i = 0; i < count; i++) {
        uint64_t col = (first + i) / rows, row = (first + i) % rows;
        float value;
        judge_input(inputs, TRANSPOSE_IN, row * cols + col, 1, &value);
        expected[i] = value;
        allowed[i] = JUDGE_SAME_BITS;
    }
}

static inline struct judge_work transpose_work(const struct judge_case *problem)
{
    double rows = (double)problem->size[TRANSPOSE_ROWS];
    return (struct judge_work){.bytes = 8 * rows * (double)problem->size[TRANSPOSE_COLS]};
}

static inline cudaError_t transpose_launch(const struct judge_call *call)
{
    typedef cudaError_t transpose(const float *, float *, int, int, cudaStream_t);
    const struct judge_case *problem = call->problem;
    return ((transpose *)call->symbols[problem->launcher])(
        call->buffers[TRANSPOSE_IN], call->buffers[TRANSPOSE_OUT],
        (int)problem->size[TRANSPOSE_ROWS], (int)problem->size[TRANSPOSE_COLS], call->stream);
}

/* --- Mistakes that are recognised ------------------------------------------------------------- */

/* A case of the transpose, told by its name, so that no launcher's index is needed. */
static inline bool transpose_failed(const struct judge_evidence *e, enum verdict verdict)
{
    return judge_failed(e, verdict) &&
           strncmp(e->where->name, "transpose", strlen("transpose")) == 0;
}

static inline bool transpose_slow(const struct judge_evidence *e, enum judge_counter counter,
                                  double least, double most)
{
    return transpose_failed(e, VERDICT_SLOW) && judge_slow(e, counter, least, most);
}

/* More than one tile of 32 x 32. */
static inline bool transpose_has_tiles(const struct judge_evidence *e)
{
    return e->where->size[TRANSPOSE_ROWS] > 32 || e->where->size[TRANSPOSE_COLS] > 32;
}

/* clang-format off */
/* Right as long as offsets fit 32 bits, and tiles an axis of the grid. */
JUDGE_SEEN(transpose_offset_in_32_bits,
               e->is_large && (transpose_failed(e, VERDICT_OUT_OF_BOUNDS) ||
                               transpose_failed(e, VERDICT_WRONG)) &&
                   e->where->size[TRANSPOSE_ROWS] * e->where->size[TRANSPOSE_COLS] > INT32_MAX)
JUDGE_SEEN(transpose_axis_too_long, e->is_large && transpose_failed(e, VERDICT_LAUNCH_ERROR))
JUDGE_SEEN(transpose_edge_missing,
               transpose_failed(e, VERDICT_WRONG) && e->wrong_is_unwritten)
/* A single tile is right, barrier and all; with more, a block writes what it has not read. */
JUDGE_SEEN(transpose_mirror_forgotten,
               ((transpose_failed(e, VERDICT_WRONG) && e->where->data == JUDGE_DATA_UNIFORM) ||
                transpose_failed(e, VERDICT_UNINITIALISED)) &&
                   transpose_has_tiles(e))
/* Plain numbers were moved to their places in smaller cases. */
JUDGE_SEEN(transpose_calculates,
               transpose_failed(e, VERDICT_WRONG) && e->where->data == JUDGE_DATA_SPECIALS)
/* A square larger than a tile was right, and the first case with two different sides is not. */
JUDGE_SEEN(transpose_sides_exchanged,
               transpose_failed(e, VERDICT_OUT_OF_BOUNDS) &&
                   e->where->size[TRANSPOSE_ROWS] != e->where->size[TRANSPOSE_COLS])
/* A warp reads what its own lanes wrote unmet, or what nobody has written yet. */
JUDGE_SEEN(transpose_barrier_missing, (transpose_failed(e, VERDICT_RACE) && !e->global_race) ||
                                              transpose_failed(e, VERDICT_UNINITIALISED))
JUDGE_SEEN(transpose_barrier_in_branch, transpose_failed(e, VERDICT_BARRIER))
JUDGE_SEEN(transpose_load_strided, transpose_slow(e, JUDGE_LOAD_EFFICIENCY, 0, 0.5) &&
                                           e->counter[JUDGE_STORE_EFFICIENCY] >= 0.95)
JUDGE_SEEN(transpose_not_exchanged, transpose_slow(e, JUDGE_STORE_EFFICIENCY, 0, 0.5) &&
                                            e->counter[JUDGE_LOAD_EFFICIENCY] >= 0.95 &&
                                            e->kernel.shared_requests > 0)
JUDGE_SEEN(transpose_store_strided, transpose_slow(e, JUDGE_STORE_EFFICIENCY, 0, 0.5) &&
                                            e->counter[JUDGE_LOAD_EFFICIENCY] >= 0.95 &&
                                            e->kernel.shared_requests == 0)
JUDGE_SEEN(transpose_tile_unpadded, transpose_slow(e, JUDGE_WAVEFRONT_RATIO, 4, INFINITY))

/* The first one that is seen counts: the more special stand before the more general. */
#define TRANSPOSE_MISTAKES                                                                     \
    {"transpose_offset_in_32_bits", transpose_offset_in_32_bits,                               \
     "Sides fit an int, their product does not: from 2^31 elements on, row * cols + col is "   \
     "negative as an int, and as an unsigned it begins again at 2^32. Multiply in 64 bits, "   \
     "and widen before that, not after: (int64_t)row * cols + col."},                          \
    {"transpose_axis_too_long", transpose_axis_too_long,                                       \
     "A grid has at most 65,535 blocks along y and z, and 2^31 - 1 along x. A side of 1,000,000 " \
     "is more tiles than that unless a tile is large, or x has them all."},                    \
    {"transpose_edge_missing", transpose_edge_missing,                                         \
     "Elements were never written. The grid must be rounded up, and each thread of the "       \
     "last tiles must ask whether its element exists: once when it reads, and once more, "     \
     "with the sides exchanged, when it writes."},                                             \
    {"transpose_mirror_forgotten", transpose_mirror_forgotten,                                 \
     "The block that has read the tile at (x, y) of in writes the tile at (y, x) of out: for " \
     "the store, blockIdx.x and blockIdx.y change places, and threadIdx.x still runs along the " \
     "row. The guard asks about the row and column that are written: out has cols rows."},     \
    {"transpose_calculates", transpose_calculates,                                             \
     "Plain numbers arrive, and special ones do not: a NaN, an infinity, -0 or a number below " \
     "2^-126 is changed on the way. Bits are moved as they are: nothing is added, multiplied, " \
     "compared or converted."},                                                                \
    {"transpose_sides_exchanged", transpose_sides_exchanged,                                   \
     "An index leaves its array where the sides differ: a row of out is as long as in is high, " \
     "out[column][row] lies at column * rows + row, and the guard of the store asks for the row " \
     "and the column that are written."},                                         \
    {"transpose_barrier_missing", transpose_barrier_missing,                                   \
     "A place of the tile is used while, or before, it is written. Between what is put in "     \
     "and what is taken out, the whole block must meet, at __syncthreads(), and a cp.async "    \
     "must be waited for before that."},                                                        \
    {"transpose_barrier_in_branch", transpose_barrier_in_branch,                               \
     "A thread that has nothing to read may have something to write, and all threads of the "  \
     "block must come to __syncthreads(): do not return early. Put a guard on the load, and "  \
     "another one on the store."},                                                             \
    {"transpose_load_strided", transpose_load_strided,                                         \
     "Stores are coalesced and loads are not: exchanging the axes only moves the strided side. " \
     "Read a tile by rows into shared memory, meet, and write it out by rows, too."},          \
    {"transpose_not_exchanged", transpose_not_exchanged,                                       \
     "The tile goes through shared memory, but stores touch twice the sectors that they "      \
     "need, or more, as where neighbouring lanes take words out of it, but still store "       \
     "them a row of out apart. Let threadIdx.x run along a row of out, and let each thread "   \
     "take what belongs there: of a tile that was filled at [threadIdx.y][threadIdx.x], the "  \
     "word at [threadIdx.x][threadIdx.y], which another thread has put in."},                  \
    {"transpose_store_strided", transpose_store_strided,                                       \
     "Loads are coalesced and stores are not, as where neighbouring lanes write "              \
     "addresses a whole row apart. Read a tile by rows, and let the lanes exchange it "        \
     "through shared memory."},                                                                \
    {"transpose_tile_unpadded", transpose_tile_unpadded,                                       \
     "Lanes of a warp use few banks, as where they read or write a column of a tile "          \
     "whose rows are a multiple of 32 words, or nearly. Make the rows one word longer."}
/* clang-format on */

#endif
