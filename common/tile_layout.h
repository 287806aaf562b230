/* tile_layout.h - copiers for tile_loop_of() (tile_gemm.h) that take an operand as it is stored.
 *
 * An operand of a product has places (rows of the left one, columns of the right one), and at each
 * of them a number for each step of the sum. In memory either the steps of a place are neighbours,
 * or the places of a step:
 *
 *     TILE_ALONG     element (place, step) is at[place * pitch + step]
 *     TILE_ACROSS    element (place, step) is at[step * pitch + place]
 *
 * Lesson 7 shows where this comes from. A block's product, from the first step to the last:
 *
 *     float sum[TILE_SUM_ROWS][TILE_SUM_COLS];
 *     tile_product<TILE_ALONG, TILE_ACROSS>(left, first_row, right, first_col, steps, s_stages,
 *                                           sum);
 *     for each r and c:
 *         sum[r][c] is element (first_row + tile_inner_row(r), first_col + tile_inner_col(c))
 *
 * A tile may extend beyond the places that exist; sums there are meaningless. steps may be 0.
 */
#ifndef TILE_LAYOUT_H
#define TILE_LAYOUT_H

#include "tile_gemm.h"

/* TILE_ACROSS_QUADS: at, and pitch, are multiples of 16 bytes, and the places a multiple of 4. */
enum tile_way { TILE_ALONG, TILE_ACROSS, TILE_ACROSS_QUADS };

/* With places 1 or more. An element's number fits an int, and so does that of a tile past it. */
struct tile_operand {
    const float *at;
    int places, pitch;
};

/* In shared memory both tiles lie across: s_tile[step][place]. The four more of a row send the
 * eight steps of one copy to different banks. */
enum {
    TILE_SIDE = TILE_ROWS,
    TILE_PITCH = TILE_SIDE + 4,
    TILE_FLOATS = TILE_DEPTH * TILE_PITCH,
};
static_assert(TILE_ROWS == TILE_COLS, "either operand can be the left one");

static __device__ __forceinline__ int tile_inner_row(int r)
{
    return tile_thread_row() + r / 4 * TILE_SQUARE_DOWN + r % 4;
}

static __device__ __forceinline__ int tile_inner_col(int c)
{
    return tile_thread_col() + c / 4 * TILE_SQUARE_ACROSS + c % 4;
}

/* How a thread copies its part of an operand's tile, in PARTS copies a stage. Past depth, zeros
 * arrive; instead of a place that does not exist it reads the last one that does. */
template <enum tile_way WAY> struct tile_fetch;

/* Eight lanes read eight steps of a place, a sector, and turn them: a float at a time. */
template <> struct tile_fetch<TILE_ALONG> {
    enum { LANES = 8, PASS = TILE_THREADS / LANES, PASSES = TILE_SIDE / PASS };
    enum { DEPTHS = TILE_DEPTH / LANES, PARTS = PASSES * DEPTHS };
    const float *from[PASSES];
    float *s_to;
    int step;

    __device__ __forceinline__ tile_fetch(const struct tile_operand &of, int first, float *s_tile)
    {
        int place = threadIdx.x / LANES;
        step = threadIdx.x % LANES;
        s_to = s_tile + step * TILE_PITCH + place;
#pragma unroll
        for (int i = 0; i < PASSES; i++)
            from[i] =
                of.at + (int64_t)min(first + place + i * PASS, of.places - 1) * of.pitch + step;
    }
    __device__ __forceinline__ void copy(int part, int depth)
    {
        int i = part / DEPTHS, further = part % DEPTHS * LANES;
        tile_copy_float(s_to + further * TILE_PITCH + i * PASS, from[i] + further,
                        depth == TILE_DEPTH || step + further < depth);
    }
    __device__ __forceinline__ void advance(int depth)
    {
#pragma unroll
        for (int i = 0; i < PASSES; i++)
            from[i] += depth;
    }
};

/* Rows of the tile are stretches of the operand's rows: FLOATS at a time, without turning them. */
template <int FLOATS> struct tile_fetch_across {
    enum { LANES = TILE_SIDE / FLOATS, PASS = TILE_THREADS / LANES, PARTS = TILE_DEPTH / PASS };
    const float *from;
    float *s_to;
    int step, pitch;

    __device__ __forceinline__ tile_fetch_across(const struct tile_operand &of, int first,
                                                 float *s_tile)
    {
        int place = threadIdx.x % LANES * FLOATS;
        step = threadIdx.x / LANES;
        pitch = of.pitch;
        s_to = s_tile + step * TILE_PITCH + place;
        from = of.at + (int64_t)step * pitch + min(first + place, of.places - FLOATS);
    }
    __device__ __forceinline__ void copy(int part, int depth)
    {
        const float *start = from + (int64_t)part * PASS * pitch;
        bool inside = depth == TILE_DEPTH || step + part * PASS < depth;
        if (FLOATS == 4)
            tile_copy_quad(s_to + part * PASS * TILE_PITCH, start, inside);
        else
            tile_copy_float(s_to + part * PASS * TILE_PITCH, start, inside);
    }
    __device__ __forceinline__ void advance(int depth)
    {
        from += (int64_t)depth * pitch;
    }
};

template <> struct tile_fetch<TILE_ACROSS> : tile_fetch_across<1> {
    using tile_fetch_across<1>::tile_fetch_across;
};

template <> struct tile_fetch<TILE_ACROSS_QUADS> : tile_fetch_across<4> {
    using tile_fetch_across<4>::tile_fetch_across;
};

/* What tile_loop_of() wants: both operands, each in its own way. */
template <tile_way LEFT, tile_way RIGHT> struct tile_both {
    enum {
        A_PITCH = TILE_PITCH,
        B_PITCH = TILE_PITCH,
        STAGE_FLOATS = 2 * TILE_FLOATS,
        PARTS = tile_fetch<LEFT>::PARTS + tile_fetch<RIGHT>::PARTS,
    };
    tile_fetch<LEFT> left;
    tile_fetch<RIGHT> right;

    __device__ __forceinline__ void advance(int depth)
    {
        left.advance(depth);
        right.advance(depth);
        __pipeline_commit();
    }
    __device__ __forceinline__ void copy_stage(int depth)
    {
#pragma unroll
        for (int part = 0; part < tile_fetch<LEFT>::PARTS; part++)
            left.copy(part, depth);
#pragma unroll
        for (int part = 0; part < tile_fetch<RIGHT>::PARTS; part++)
            right.copy(part, depth);
        advance(depth);
    }
    __device__ __forceinline__ void copy_part(int part)
    {
        if (part < tile_fetch<LEFT>::PARTS)
            left.copy(part, TILE_DEPTH);
        else
            right.copy(part - tile_fetch<LEFT>::PARTS, TILE_DEPTH);
        if (part == PARTS - 1)
            advance(TILE_DEPTH);
    }
    __device__ __forceinline__ void turn(int floats)
    {
        left.s_to += floats;
        right.s_to += floats;
    }
};

/* Two stages of both tiles: the shared memory of a block. */
enum { TILE_STAGES_FLOATS = 4 * TILE_FLOATS };

/* All threads of the block must come here, with TILE_STAGES_FLOATS of shared memory, aligned to 16
 * bytes, which nothing else uses yet. */
template <enum tile_way LEFT, enum tile_way RIGHT>
static __device__ __forceinline__ void
tile_product(const struct tile_operand &left, int first_row, const struct tile_operand &right,
             int first_col, int steps, float *s_stages, float (&sum)[TILE_SUM_ROWS][TILE_SUM_COLS])
{
    tile_both<LEFT, RIGHT> from = {
        tile_fetch<LEFT>(left, first_row, s_stages),
        tile_fetch<RIGHT>(right, first_col, s_stages + TILE_FLOATS),
    };
    tile_loop_of(from, s_stages + tile_thread_row(), s_stages + TILE_FLOATS + tile_thread_col(),
                 steps, sum);
}

/* Four neighbours of a row, of which so many exist: one float4 if all do and the address allows. */
static __device__ __forceinline__ void tile_store_quad(float *to, const float (&quad)[4],
                                                       int inside, bool aligned)
{
    if (aligned && inside >= 4)
        *(float4 *)to = make_float4(quad[0], quad[1], quad[2], quad[3]);
    else
        for (int i = 0; i < 4; i++)
            if (i < inside)
                to[i] = quad[i];
}

/* What of a thread's sums is inside a matrix of rows x cols, row by row without gaps. */
static __device__ __forceinline__ void tile_store(float *to, int rows, int cols, int first_row,
                                                  int first_col,
                                                  const float (&sum)[TILE_SUM_ROWS][TILE_SUM_COLS])
{
    bool aligned = (uintptr_t)to % sizeof(float4) == 0 && cols % 4 == 0;
#pragma unroll
    for (int r = 0; r < TILE_SUM_ROWS; r++) {
        int row = first_row + tile_inner_row(r);
        if (row >= rows)
            continue;
#pragma unroll
        for (int c = 0; c < TILE_SUM_COLS; c += 4) {
            int col = first_col + tile_inner_col(c);
            const float quad[4] = {sum[r][c], sum[r][c + 1], sum[r][c + 2], sum[r][c + 3]};
            tile_store_quad(to + (int64_t)row * cols + col, quad, cols - col, aligned);
        }
    }
}

#endif
