// expect: OUT_OF_BOUNDS numerics mistake sgemm_offset_in_32_bits
// As sgemm_int_offset_of_a, where blocks of 128 x 256 sums are so long that two of them run.
#include "contracts/02_tiling.h"

#include <cuda_pipeline_primitives.h>

enum {
    TILE_ROWS = 128,
    TILE_COLS = 256,
    TILE_DEPTH = 8, // along k
    STAGES = 3,
    WARP_LANES = 32,
    LANES_DOWN = 8, // a warp's lanes: 8 x 4
    LANES_ACROSS = WARP_LANES / LANES_DOWN,
    THREAD_ROWS = 8, // in squares of 4 x 4 sums ...
    THREAD_COLS = 16,
    SQUARES_DOWN = 4 * LANES_DOWN, // ... so far from one to the next
    SQUARES_ACROSS = 4 * LANES_ACROSS,
    WARP_ROWS = LANES_DOWN * THREAD_ROWS,
    WARP_COLS = LANES_ACROSS * THREAD_COLS,
    WARPS_ACROSS = TILE_COLS / WARP_COLS,
    THREADS = TILE_ROWS / WARP_ROWS * WARPS_ACROSS * WARP_LANES,
    A_PITCH = TILE_ROWS + 4,
    A_PASS_ROWS = THREADS / TILE_DEPTH, // a warp copies 8 neighbours, a sector, of each of 4 rows
    B_ROW_QUADS = TILE_COLS / 4,
    B_PASS_ROWS = THREADS / B_ROW_QUADS,
};

struct stage {
    float a[TILE_DEPTH][A_PITCH]; // turned: a[k][row]
    float b[TILE_DEPTH][TILE_COLS];
};

struct problem {
    const float *A, *B;
    float *C;
    int m, n, k;
    bool wide; // B and C can be read and written by float4
};

// --- Copies --------------------------------------------------------------------------------------

// Starts a copy of one float; where it is not inside, nothing is read and a zero arrives.
static __device__ void copy_float(float *s_to, const float *from, bool inside)
{
    asm volatile("cp.async.ca.shared.global [%0], [%1], 4, %2;"
                 :: "r"((unsigned)__cvta_generic_to_shared(s_to)), "l"(from), "r"(inside ? 4 : 0));
}

static __device__ void copy_quad(float *s_to, const float *from, bool inside)
{
    asm volatile("cp.async.cg.shared.global [%0], [%1], 16, %2;"
                 :: "r"((unsigned)__cvta_generic_to_shared(s_to)), "l"(from), "r"(inside ? 16 : 0));
}

// Where a thread copies from next, and how many rows and columns of A and B are left from there.
struct copier {
    const float *a, *b;
    int a_rows, a_cols, b_rows, b_cols;
};

static __device__ struct copier copier_start(const struct problem &p)
{
    int a_row = blockIdx.y * TILE_ROWS + threadIdx.x / TILE_DEPTH;
    int b_col = blockIdx.x * TILE_COLS + threadIdx.x % B_ROW_QUADS * 4;
    int a_col = threadIdx.x % TILE_DEPTH, b_row = threadIdx.x / B_ROW_QUADS;
    return {p.A + a_row * p.k + a_col, p.B + (int64_t)b_row * p.n + b_col,
            p.m - a_row, p.k - a_col, p.k - b_row, p.n - b_col};
}

// Starts the copies of one stage and moves on along k.
static __device__ void copy_stage(const struct problem &p, struct copier &from,
                                  struct stage *s_stage)
{
    float *s_a = &s_stage->a[threadIdx.x % TILE_DEPTH][threadIdx.x / TILE_DEPTH];
    float *s_b = &s_stage->b[threadIdx.x / B_ROW_QUADS][threadIdx.x % B_ROW_QUADS * 4];
#pragma unroll
    for (int row = 0; row < TILE_ROWS; row += A_PASS_ROWS)
        copy_float(s_a + row, from.a + (int64_t)row * p.k,
                   row < from.a_rows && from.a_cols > 0);
    if (p.wide) {
#pragma unroll
        for (int row = 0; row < TILE_DEPTH; row += B_PASS_ROWS)
            copy_quad(s_b + row * TILE_COLS, from.b + (int64_t)row * p.n,
                      row < from.b_rows && from.b_cols > 0);
    } else {
#pragma unroll 1 // rare, and so not worth registers
        for (int i = 0; i < TILE_DEPTH / B_PASS_ROWS * 4; i++) {
            int row = i / 4 * B_PASS_ROWS, col = i % 4;
            copy_float(s_b + row * TILE_COLS + col, from.b + (int64_t)row * p.n + col,
                       row < from.b_rows && col < from.b_cols);
        }
    }
    from.a += TILE_DEPTH;
    from.b += (int64_t)TILE_DEPTH * p.n;
    from.a_cols -= TILE_DEPTH;
    from.b_rows -= TILE_DEPTH;
    __pipeline_commit();
}

// --- Sums ----------------------------------------------------------------------------------------

static __device__ void read_quad(const float *s_from, float *to)
{
    float4 quad = *(const float4 *)s_from;
    to[0] = quad.x;
    to[1] = quad.y;
    to[2] = quad.z;
    to[3] = quad.w;
}

// A thread's part of one column of the tile of A, and of one row of the tile of B.
struct fragment {
    float a[THREAD_ROWS], b[THREAD_COLS];
};

static __device__ void read_fragment(const float *s_a, const float *s_b, struct fragment &to)
{
#pragma unroll
    for (int i = 0; i < THREAD_ROWS / 4; i++)
        read_quad(s_a + i * SQUARES_DOWN, to.a + 4 * i);
#pragma unroll
    for (int i = 0; i < THREAD_COLS / 4; i++)
        read_quad(s_b + i * SQUARES_ACROSS, to.b + 4 * i);
}

// Down one column and up the next: two multiply-adds in a row always share an operand, which then
// need not be read again from the register file.
static __device__ void multiply(const struct fragment &f, float (&sum)[THREAD_ROWS][THREAD_COLS])
{
#pragma unroll
    for (int c = 0; c < THREAD_COLS; c++)
#pragma unroll
        for (int i = 0; i < THREAD_ROWS; i++) {
            int r = c % 2 ? THREAD_ROWS - 1 - i : i;
            sum[r][c] += f.a[r] * f.b[c];
        }
}

static __device__ void store_quad(const struct problem &p, int row, int col, const float *quad)
{
    float *to = p.C + (int64_t)row * p.n + col;
    if (p.wide && row < p.m && col < p.n)
        *(float4 *)to = make_float4(quad[0], quad[1], quad[2], quad[3]);
    for (int i = 0; i < 4 && !p.wide; i++)
        if (row < p.m && col + i < p.n)
            to[i] = quad[i];
}

static __global__ void __launch_bounds__(THREADS) sgemm(struct problem p)
{
    __shared__ __align__(16) struct stage s_stage[STAGES];
    int lane = threadIdx.x % WARP_LANES, warp = threadIdx.x / WARP_LANES;
    int row = warp / WARPS_ACROSS * WARP_ROWS + lane / 2 % LANES_DOWN * 4;
    int col = warp % WARPS_ACROSS * WARP_COLS + (lane / 16 * 2 + lane % 2) * 4;

    struct copier copier = copier_start(p);
    for (int stage = 0; stage < STAGES - 1; stage++)
        copy_stage(p, copier, &s_stage[stage]);
    __pipeline_wait_prior(STAGES - 2);
    __syncthreads();

    struct fragment fragment[2];
    float sum[THREAD_ROWS][THREAD_COLS] = {{0}};
    int now = 0, next = STAGES - 1;
    read_fragment(&s_stage[now].a[0][row], &s_stage[now].b[0][col], fragment[0]);
    for (int first = 0; first < p.k; first += TILE_DEPTH) {
#pragma unroll
        for (int i = 0; i < TILE_DEPTH; i++) {
            if (i == TILE_DEPTH - 1) { // the next fragment lies in the next stage
                __pipeline_wait_prior(STAGES - 2);
                __syncthreads();
                now = now == STAGES - 1 ? 0 : now + 1;
            }
            int ahead = (i + 1) % TILE_DEPTH;
            read_fragment(&s_stage[now].a[ahead][row], &s_stage[now].b[ahead][col],
                          fragment[ahead % 2]);
            if (i == 0) {
                copy_stage(p, copier, &s_stage[next]);
                next = next == STAGES - 1 ? 0 : next + 1;
            }
            multiply(fragment[i % 2], sum);
        }
    }
    row += blockIdx.y * TILE_ROWS;
    col += blockIdx.x * TILE_COLS;
#pragma unroll
    for (int r = 0; r < THREAD_ROWS; r++)
#pragma unroll
        for (int c = 0; c < THREAD_COLS; c += 4)
            store_quad(p, row + r % 4 + r / 4 * SQUARES_DOWN, col + c / 4 * SQUARES_ACROSS,
                       &sum[r][c]);
}

static bool is_side(int side)
{
    return side >= 0 && side <= LESSON2_LARGEST_SIDE;
}

cudaError_t lesson2_sgemm(const float *A, const float *B, float *C, int m, int n, int k,
                          cudaStream_t stream)
{
    if (!is_side(m) || !is_side(n) || !is_side(k))
        return cudaErrorInvalidValue;
    if (m == 0 || n == 0)
        return cudaSuccess;
    dim3 grid((n + TILE_COLS - 1) / TILE_COLS, (m + TILE_ROWS - 1) / TILE_ROWS);
    bool wide = ((uintptr_t)B | (uintptr_t)C) % sizeof(float4) == 0 && n % 4 == 0;
    struct problem p = {A, B, C, m, n, k, wide};
    sgemm<<<grid, THREADS, 0, stream>>>(p);
    return cudaGetLastError();
}

enum { TILE = 32, STEP = 8 };
static __global__ void transpose(const float *in, float *out, int rows, int cols)
{
    __shared__ float s_square[TILE][TILE + 1];
    int x = threadIdx.x, y = threadIdx.y;
    int col = blockIdx.x * TILE + x, row = blockIdx.y * TILE + y;
    for (int down = 0; down < TILE; down += STEP)
        if (row + down < rows && col < cols)
            s_square[y + down][x] = in[(int64_t)(row + down) * cols + col];
    __syncthreads();
    int out_col = blockIdx.y * TILE + x, out_row = blockIdx.x * TILE + y;
    for (int down = 0; down < TILE; down += STEP)
        if (out_row + down < cols && out_col < rows)
            out[(int64_t)(out_row + down) * rows + out_col] = s_square[x][y + down];
}

static dim3 tiles(int rows, int cols)
{
    return dim3((cols + TILE - 1) / TILE, (rows + TILE - 1) / TILE);
}

cudaError_t lesson2_transpose(const float *in, float *out, int rows, int cols,
                              cudaStream_t stream)
{
    if (!is_side(rows) || !is_side(cols))
        return cudaErrorInvalidValue;
    if (rows > 0 && cols > 0)
        transpose<<<tiles(rows, cols), dim3(TILE, STEP), 0, stream>>>(in, out, rows, cols);
    return cudaGetLastError();
}

