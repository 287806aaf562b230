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

#include "check/judge.h"
#include "check/verdict.h"

#include <string.h>

enum { TRANSPOSE_ROWS, TRANSPOSE_COLS };      /* judge_case.size */
enum { TRANSPOSE_IN, TRANSPOSE_OUT };         /* buffers */

#define TRANSPOSE_CASE(number, text, rows, cols, ...)                                          \
    {.name = "transpose, " text, .launcher = number,                                           \
     .size = {[TRANSPOSE_ROWS] = rows, [TRANSPOSE_COLS] = cols}, __VA_ARGS__}

/* For the initialiser of judge.c's table; number is the launcher's index. */
#define TRANSPOSE_CASES(number)                                                                \
    TRANSPOSE_CASE(number, "0 x 7", 0, 7),                                                     \
    TRANSPOSE_CASE(number, "1 x 1", 1, 1),                                                     \
    TRANSPOSE_CASE(number, "32 x 32", 32, 32),                                                 \
    TRANSPOSE_CASE(number, "33 x 17", 33, 17),                                                 \
    TRANSPOSE_CASE(number, "1 x 513", 1, 513),                                                 \
    TRANSPOSE_CASE(number, "513 x 1", 513, 1),                                                 \
    TRANSPOSE_CASE(number, "64 x 36", 64, 36),                                                 \
    TRANSPOSE_CASE(number, "127 x 130", 127, 130),                                             \
    TRANSPOSE_CASE(number, "128 x 64, in one element off", 128, 64,                            \
                   .offset_bytes = {[TRANSPOSE_IN] = sizeof(float)}),                          \
    TRANSPOSE_CASE(number, "64 x 128, out one element off", 64, 128,                           \
                   .offset_bytes = {[TRANSPOSE_OUT] = sizeof(float)}),                         \
    TRANSPOSE_CASE(number, "40 x 72, NaN and infinities", 40, 72,                              \
                   .data = JUDGE_DATA_SPECIALS),                                               \
    TRANSPOSE_CASE(number, "260 x 516", 260, 516)

static inline struct judge_case transpose_timed(const struct judge_device *device,
                                                uint32_t number)
{
    const struct judge_case small = TRANSPOSE_CASE(number, "1024 x 1024", 1024, 1024);
    const struct judge_case middle = TRANSPOSE_CASE(number, "4096 x 4096", 4096, 4096);
    const struct judge_case large = TRANSPOSE_CASE(number, "8192 x 8192", 8192, 8192);
    /* No more than an eighth of the memory for both matrices. */
    bool fits = device->memory_bytes / 8 >= UINT64_C(8) * 8192 * 8192;
    return device->simulated ? small : fits ? large : middle;
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
    for (int64_t row = 0; row < rows; row++)
        for (int64_t col = 0; col < cols; col++)
            out[col * rows + row] = in[row * cols + col];
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

/* A numerics case of the transpose, told by its name, so that no launcher's index is needed. */
static inline bool transpose_failed(const struct judge_evidence *e, enum verdict verdict)
{
    return e->verdict == (int)verdict && e->where &&
           strncmp(e->where->name, "transpose", strlen("transpose")) == 0;
}

/* The timed case: only a transpose moves every byte once, and loads without waste. */
static inline bool transpose_is_slow(const struct judge_evidence *e)
{
    return e->verdict == VERDICT_SLOW && e->counter[JUDGE_BYTES_RATIO] < 1.1 &&
           e->counter[JUDGE_LOAD_EFFICIENCY] > 0.95;
}

static inline bool transpose_edge_missing(const struct judge_evidence *e)
{
    return transpose_failed(e, VERDICT_WRONG) && e->wrong_is_unwritten;
}

static inline bool transpose_sides_exchanged(const struct judge_evidence *e)
{
    return transpose_failed(e, VERDICT_OUT_OF_BOUNDS);
}

/* A warp reads what its own lanes wrote unmet, or what nobody has written yet. */
static inline bool transpose_barrier_missing(const struct judge_evidence *e)
{
    return transpose_failed(e, VERDICT_RACE) || transpose_failed(e, VERDICT_UNINITIALISED);
}

static inline bool transpose_store_strided(const struct judge_evidence *e)
{
    return transpose_is_slow(e) && e->counter[JUDGE_STORE_EFFICIENCY] < 0.5;
}

static inline bool transpose_tile_unpadded(const struct judge_evidence *e)
{
    return transpose_is_slow(e) && e->counter[JUDGE_WAVEFRONT_RATIO] > 1.05;
}

#define TRANSPOSE_MISTAKES                                                                     \
    {"transpose_edge_missing", transpose_edge_missing,                                         \
     "Elements at the right or lower edge were never written. The grid must be rounded up, and " \
     "each thread of the last tiles must ask whether its element exists: once when it reads, "  \
     "and once more, with the sides exchanged, when it writes."},                              \
    {"transpose_sides_exchanged", transpose_sides_exchanged,                                   \
     "Square matrices forgive what others do not: a row of out is as long as in is high. "     \
     "out[column][row] lies at column * rows + row."},                                         \
    {"transpose_barrier_missing", transpose_barrier_missing,                                   \
     "A thread writes out what another thread has read in: between the two, the whole block "  \
     "must meet, at __syncthreads()."},                                                        \
    {"transpose_store_strided", transpose_store_strided,                                       \
     "Loads are coalesced and stores are not: neighbouring lanes write addresses a whole row " \
     "apart. Read a tile by rows, and let the lanes exchange it through shared memory."},      \
    {"transpose_tile_unpadded", transpose_tile_unpadded,                                       \
     "The lanes of a warp read a column of the tile, and with rows of 32 words all of it lies " \
     "in one bank. Make the rows one word longer."}

#endif
