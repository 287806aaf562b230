/* tile_gemm.h - the main loop of a matrix product, for kernels with an epilogue of their own.
 *
 * A block of TILE_THREADS threads multiplies TILE_ROWS rows of A by TILE_COLS columns of B. Every
 * thread ends with 8 x 8 sums in its registers, and the kernel decides what to do with them:
 * nothing has been written to memory yet.
 *
 *     static __global__ void __launch_bounds__(TILE_THREADS, TILE_BLOCKS) kernel(...)
 *     {
 *         float sum[TILE_SUM_ROWS][TILE_SUM_COLS];
 *         tile_gemm(A, B, m, n, k, sum);
 *         for each r and c:
 *             sum[r][c] is element (tile_row(r), tile_col(c)) of A B
 *     }
 *
 *     kernel<<<tile_grid(m, n), TILE_THREADS, 0, stream>>>(...);
 *
 * Tiles extend beyond the edges, so the element may be outside the m x n that exist; then its sum
 * is meaningless. Loops over r and c have to be unrolled, or the sums will not stay in registers.
 * Four c's from a multiple of four on are adjacent columns: a float4, if aligned.
 *
 * The ladder that leads to this loop is in solutions/02_tiling/steps; it starts at
 * sgemm_01_naive.cu. How this differs from sgemm_09_ahead.cu is said at tile_loop_of() below.
 */
#ifndef TILE_GEMM_H
#define TILE_GEMM_H

#include <cuda_pipeline_primitives.h>
#include <cuda_runtime.h>
#include <stdint.h>

enum {
    TILE_ROWS = 128,
    TILE_COLS = 128,
    TILE_DEPTH = 16,   /* along k */
    TILE_SUM_ROWS = 8, /* sums of a thread, in squares of 4 x 4 ... */
    TILE_SUM_COLS = 8,
    TILE_SQUARE_DOWN = 32, /* ... this far from one square to the next */
    TILE_SQUARE_ACROSS = 16,
    TILE_WARP_ROWS = 64, /* a warp's lanes stand 8 x 4, with their squares 64 x 32 */
    TILE_WARP_COLS = 32,
    TILE_WARPS_ACROSS = TILE_COLS / TILE_WARP_COLS,
    TILE_THREADS = TILE_ROWS / TILE_WARP_ROWS * TILE_WARPS_ACROSS * 32,
    TILE_BLOCKS = 2, /* a multiprocessor: 128 registers a thread; while one ends, one multiplies */
    TILE_A_PITCH = TILE_ROWS + 4,
    TILE_A_PASS_COLS = 8, /* a warp copies 8 neighbours, that is a sector, of each of 4 rows of A */
    TILE_A_PASS_ROWS = TILE_THREADS / TILE_A_PASS_COLS,
    TILE_A_PASSES = TILE_ROWS / TILE_A_PASS_ROWS,
    TILE_B_ROW_QUADS = TILE_COLS / 4,
    TILE_B_PASS_ROWS = TILE_THREADS / TILE_B_ROW_QUADS,
    TILE_A_COL_PASSES = TILE_DEPTH / TILE_A_PASS_COLS,
    TILE_A_PARTS = TILE_A_PASSES * TILE_A_COL_PASSES, /* copies of a thread for a stage: of A ... */
    TILE_PARTS = TILE_A_PARTS + TILE_DEPTH / TILE_B_PASS_ROWS, /* ... and in all */
};

/* --- Where a thread's sums belong ------------------------------------------------------------- */

static inline dim3 tile_grid(int64_t m, int64_t n)
{
    return dim3((unsigned)((n + TILE_COLS - 1) / TILE_COLS),
                (unsigned)((m + TILE_ROWS - 1) / TILE_ROWS));
}

/* Inside the tile: the first row of the thread's squares. Lanes 0 and 1 are side by side, 2 and 3
 * below them, and so on; lanes 16 to 31 are to their right. */
static __device__ __forceinline__ int tile_thread_row(void)
{
    int lane = threadIdx.x % 32, warp = threadIdx.x / 32;
    return warp / TILE_WARPS_ACROSS * TILE_WARP_ROWS + lane / 2 % 8 * 4;
}

static __device__ __forceinline__ int tile_thread_col(void)
{
    int lane = threadIdx.x % 32, warp = threadIdx.x / 32;
    return warp % TILE_WARPS_ACROSS * TILE_WARP_COLS + (lane / 16 * 2 + lane % 2) * 4;
}

static __device__ __forceinline__ int tile_row(int r)
{
    return (int)blockIdx.y * TILE_ROWS + tile_thread_row() + r / 4 * TILE_SQUARE_DOWN + r % 4;
}

static __device__ __forceinline__ int tile_col(int c)
{
    return (int)blockIdx.x * TILE_COLS + tile_thread_col() + c / 4 * TILE_SQUARE_ACROSS + c % 4;
}

/* --- Copies from global to shared memory, past the registers ---------------------------------- */

/* Shared memory has two: one in use, one on its way. */
struct tile_stage {
    float a[TILE_DEPTH][TILE_A_PITCH]; /* turned: a[k][row] */
    float b[TILE_DEPTH][TILE_COLS];
};

enum { TILE_STAGE_FLOATS = sizeof(struct tile_stage) / sizeof(float) };

/* Where a thread copies from and to next. Instead of rows of A and columns of B that do not exist,
 * it reads the last ones that do: the sums that these are added to are not used, either. */
struct tile_copier {
    const float *a[TILE_A_PASSES], *b; /* a: a pointer for each row */
    float *s_a, *s_b;
    int last_col; /* of B, counted from b on */
    bool wide;    /* rows of B can be read by float4 */
};

/* Starts a copy of one float; if it is not inside, nothing is read and a zero arrives. */
static __device__ __forceinline__ void tile_copy_float(float *s_to, const float *from, bool inside)
{
    asm volatile("cp.async.ca.shared.global [%0], [%1], 4, %2;" ::"r"(
                     (unsigned)__cvta_generic_to_shared(s_to)),
                 "l"(from), "r"(inside ? 4 : 0));
}

static __device__ __forceinline__ void tile_copy_quad(float *s_to, const float *from, bool inside)
{
    asm volatile("cp.async.cg.shared.global [%0], [%1], 16, %2;" ::"r"(
                     (unsigned)__cvta_generic_to_shared(s_to)),
                 "l"(from), "r"(inside ? 16 : 0));
}

static __device__ __forceinline__ struct tile_copier
tile_copier_start(const float *A, const float *B, int m, int n, int k, struct tile_stage *s_stage)
{
    int a_row = threadIdx.x / TILE_A_PASS_COLS, a_col = threadIdx.x % TILE_A_PASS_COLS;
    int b_row = threadIdx.x / TILE_B_ROW_QUADS, b_col = threadIdx.x % TILE_B_ROW_QUADS * 4;
    struct tile_copier copier;
    copier.s_a = &s_stage->a[a_col][a_row];
    copier.s_b = &s_stage->b[b_row][b_col];
    copier.wide = (uintptr_t)B % sizeof(float4) == 0 && n % 4 == 0;
    a_row += (int)blockIdx.y * TILE_ROWS;
    b_col = min((int)blockIdx.x * TILE_COLS + b_col, copier.wide ? n - 4 : n - 1);
    for (int i = 0; i < TILE_A_PASSES; i++)
        copier.a[i] = A + (int64_t)min(a_row + i * TILE_A_PASS_ROWS, m - 1) * k + a_col;
    copier.b = B + (int64_t)b_row * n + b_col;
    copier.last_col = n - 1 - b_col;
    return copier;
}

/* Starts the copies of one stage, depth columns of A and rows of B with zeros after them, and
 * advances along k. For a whole tile, no tests are needed. */
template <bool WIDE>
static __device__ __forceinline__ void tile_copy_stage(struct tile_copier &copier, int n, int depth)
{
    int a_col = threadIdx.x % TILE_A_PASS_COLS, b_row = threadIdx.x / TILE_B_ROW_QUADS;
    bool whole = depth == TILE_DEPTH;
#pragma unroll
    for (int i = 0; i < TILE_A_PASSES; i++) {
#pragma unroll
        for (int col = 0; col < TILE_DEPTH; col += TILE_A_PASS_COLS)
            tile_copy_float(copier.s_a + col * TILE_A_PITCH + i * TILE_A_PASS_ROWS,
                            copier.a[i] + col, whole || col + a_col < depth);
        copier.a[i] += depth;
    }
    if (WIDE) {
#pragma unroll
        for (int row = 0; row < TILE_DEPTH; row += TILE_B_PASS_ROWS)
            tile_copy_quad(copier.s_b + row * TILE_COLS, copier.b + (int64_t)row * n,
                           whole || row + b_row < depth);
    } else {
#pragma unroll 1 /* rare, and so not worth its code */
        for (int i = 0; i < TILE_DEPTH / TILE_B_PASS_ROWS * 4; i++) {
            int row = i / 4 * TILE_B_PASS_ROWS, col = i % 4;
            tile_copy_float(copier.s_b + row * TILE_COLS + col,
                            copier.b + (int64_t)row * n + min(col, copier.last_col),
                            whole || row + b_row < depth);
        }
    }
    copier.b += (int64_t)depth * n;
    __pipeline_commit();
}

/* Starts one of the TILE_PARTS copies of a whole stage; the last one advances along k. */
static __device__ __forceinline__ void tile_copy_part(struct tile_copier &copier, int n, int part)
{
    if (part < TILE_A_PARTS) {
        int i = part / TILE_A_COL_PASSES, col = part % TILE_A_COL_PASSES * TILE_A_PASS_COLS;
        tile_copy_float(copier.s_a + col * TILE_A_PITCH + i * TILE_A_PASS_ROWS, copier.a[i] + col,
                        true);
        if (col == TILE_DEPTH - TILE_A_PASS_COLS)
            copier.a[i] += TILE_DEPTH;
    } else {
        int row = (part - TILE_A_PARTS) * TILE_B_PASS_ROWS;
        tile_copy_quad(copier.s_b + row * TILE_COLS, copier.b + (int64_t)row * n, true);
    }
    if (part == TILE_PARTS - 1) {
        copier.b += (int64_t)TILE_DEPTH * n;
        __pipeline_commit();
    }
}

/* --- Sums ------------------------------------------------------------------------------------- */

/* A thread's part of one column of the tile of A, and of one row of the tile of B. */
struct tile_fragment {
    float a[TILE_SUM_ROWS], b[TILE_SUM_COLS];
};

static __device__ __forceinline__ void tile_read_quad(const float *s_from, float *to)
{
    float4 quad = *(const float4 *)s_from;
    to[0] = quad.x;
    to[1] = quad.y;
    to[2] = quad.z;
    to[3] = quad.w;
}

static __device__ __forceinline__ void tile_read_fragment(const float *s_a, const float *s_b,
                                                          struct tile_fragment &to)
{
#pragma unroll
    for (int square = 0; square < TILE_SUM_ROWS / 4; square++)
        tile_read_quad(s_a + square * TILE_SQUARE_DOWN, to.a + 4 * square);
#pragma unroll
    for (int square = 0; square < TILE_SUM_COLS / 4; square++)
        tile_read_quad(s_b + square * TILE_SQUARE_ACROSS, to.b + 4 * square);
}

/* Down one column and up the next: two multiply-adds in a row always share an operand. */
static __device__ __forceinline__ void
tile_multiply(const struct tile_fragment &f, const float (&before)[TILE_SUM_ROWS][TILE_SUM_COLS],
              float (&sum)[TILE_SUM_ROWS][TILE_SUM_COLS])
{
#pragma unroll
    for (int c = 0; c < TILE_SUM_COLS; c++)
#pragma unroll
        for (int i = 0; i < TILE_SUM_ROWS; i++) {
            int r = c % 2 ? TILE_SUM_ROWS - 1 - i : i;
            sum[r][c] = before[r][c] + f.a[r] * f.b[c];
        }
}

/* The loop over k, for whatever brings the tiles. A copier has
 *
 *     A_PITCH, B_PITCH     floats from one k to the next in shared memory, where tiles are turned
 *                          as in struct tile_stage: multiples of 4
 *     STAGE_FLOATS         floats from one stage to the other
 *     PARTS                copies of a thread for a whole stage that can start one by one: up to
 *                          2 (TILE_DEPTH - 1); 0 if they start together
 *     copy_stage(depth)    starts the copies of one stage, depth of k with zeros after them,
 *                          commits them and advances along k
 *     copy_part(part)      starts one of PARTS; the last one does the rest of copy_stage
 *     turn(floats)         from now on, copies go so many floats further on in shared memory
 *
 * s_a and s_b are where the thread's first row and column are in the first stage.
 *
 * A fragment is multiplied in the iteration after the one that reads it, and the last one after the
 * loop, from partial to sum. So the two need not share their registers. Four sums that are stored
 * as a float4 need consecutive registers; in the loop, that would put a multiply-add's operands
 * into the same register bank, from which it can read only one at a time.
 *
 * A scheduler issues one instruction a cycle, so any other instruction takes the place of a
 * multiply-add. Hence the piece of k that is less than a tile comes first, all other tiles are
 * whole, and the loop tests nothing; and the pointers into shared memory step from one stage to the
 * other and back, since computing them again would take ten instructions.
 *
 * All warps leave the barrier together. If they started their copies at once, the first fragments
 * would have to queue behind them; so each of the next few iterations makes two copies. */
template <class COPIER>
static __device__ __forceinline__ void tile_loop_of(COPIER copier, const float *s_a,
                                                    const float *s_b, int k,
                                                    float (&sum)[TILE_SUM_ROWS][TILE_SUM_COLS])
{
    struct tile_fragment fragment[2] = {};
    float partial[TILE_SUM_ROWS][TILE_SUM_COLS] = {};
    int tiles = (k + TILE_DEPTH - 1) / TILE_DEPTH, step = COPIER::STAGE_FLOATS;

    copier.copy_stage(k - max(tiles - 1, 0) * TILE_DEPTH);
    copier.turn(step);
#pragma unroll 1
    for (; tiles > 0; tiles--) {
        __pipeline_wait_prior(0);
        __syncthreads(); /* this stage is complete, and the one before is no longer needed */
        const bool more = tiles > 1;
        if (COPIER::PARTS == 0 && more)
            copier.copy_stage(TILE_DEPTH);
#pragma unroll
        for (int i = 0; i < TILE_DEPTH; i++) {
            if (COPIER::PARTS > 0 && more)
#pragma unroll
                for (int part = 2 * i - 2; part < 2 * i; part++)
                    if (part >= 0 && part < COPIER::PARTS)
                        copier.copy_part(part);
            tile_read_fragment(s_a + i * COPIER::A_PITCH, s_b + i * COPIER::B_PITCH,
                               fragment[i % 2]);
            tile_multiply(fragment[(i + 1) % 2], partial, partial);
        }
        s_a += step;
        s_b += step;
        copier.turn(-step);
        step = -step;
    }
    tile_multiply(fragment[(TILE_DEPTH - 1) % 2], partial, sum);
}

/* WIDE is copier.wide: tested once, not for every tile. */
template <bool WIDE> struct tile_rows {
    enum {
        A_PITCH = TILE_A_PITCH,
        B_PITCH = TILE_COLS,
        STAGE_FLOATS = TILE_STAGE_FLOATS,
        PARTS = WIDE ? TILE_PARTS : 0,
    };
    struct tile_copier from;
    int n;
    __device__ __forceinline__ void copy_stage(int depth)
    {
        tile_copy_stage<WIDE>(from, n, depth);
    }
    __device__ __forceinline__ void copy_part(int part)
    {
        tile_copy_part(from, n, part);
    }
    __device__ __forceinline__ void turn(int floats)
    {
        from.s_a += floats;
        from.s_b += floats;
    }
};

template <bool WIDE>
static __device__ __forceinline__ void tile_loop(struct tile_copier copier,
                                                 const struct tile_stage *s_stage, int n, int k,
                                                 float (&sum)[TILE_SUM_ROWS][TILE_SUM_COLS])
{
    tile_loop_of(tile_rows<WIDE>{copier, n}, &s_stage->a[0][tile_thread_row()],
                 &s_stage->b[0][tile_thread_col()], k, sum);
}

/* The thread's sums of A B, for m x k floats of A and k x n of B, row-major and aligned to 4 bytes.
 * All threads of the block must come here. Sides are at most 1,000,000. */
static __device__ __forceinline__ void tile_gemm(const float *A, const float *B, int m, int n,
                                                 int k, float (&sum)[TILE_SUM_ROWS][TILE_SUM_COLS])
{
    __shared__ __align__(16) struct tile_stage s_stage[2];
    struct tile_copier copier = tile_copier_start(A, B, m, n, k, s_stage);
    if (copier.wide)
        tile_loop<true>(copier, s_stage, n, k, sum);
    else
        tile_loop<false>(copier, s_stage, n, k, sum);
}

#endif
