// Sgemm, step 9: the next words come while these are multiplied.
//
// Changed: what step 7 does between global and shared memory happens once more between shared
// memory and the registers. A thread keeps two fragments, one that it multiplies and one that is
// being read for the next step of k; even across the barrier, where the next stage begins. And the
// multiply-adds go down one column of the sums and up the next: two in a row always share an
// operand, which need not be read from the register file again.
// Expected: the latency of shared memory and of the barrier hides behind 64 multiply-adds.
// Measured on an H200, 4096 x 4096 x 4096: 46.4 TFLOP/s, 1.09 times step 8.
// Next: sgemm_10_largest.cu
#include "contracts/02_tiling.h"

#include <cuda_pipeline_primitives.h>

enum {
    TILE_ROWS = 128,
    TILE_COLS = 128,
    TILE_DEPTH = 8, // along k
    STAGES = 4,
    WARP_LANES = 32,
    LANES_DOWN = 8, // a warp's lanes: 8 x 4
    LANES_ACROSS = WARP_LANES / LANES_DOWN,
    THREAD_ROWS = 8, // in squares of 4 x 4 sums ...
    THREAD_COLS = 8,
    SQUARES_DOWN = 4 * LANES_DOWN, // ... so far from one to the next
    SQUARES_ACROSS = 4 * LANES_ACROSS,
    WARP_ROWS = LANES_DOWN * THREAD_ROWS,
    WARP_COLS = LANES_ACROSS * THREAD_COLS,
    WARPS_ACROSS = TILE_COLS / WARP_COLS,
    THREADS = TILE_ROWS / WARP_ROWS * WARPS_ACROSS * WARP_LANES,
    A_PITCH = TILE_ROWS + 4,
    A_PASS_COLS = 8, // a warp copies 8 neighbours, that is a sector, of each of 4 rows of A
    A_PASS_ROWS = THREADS / A_PASS_COLS,
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
    int a_row = blockIdx.y * TILE_ROWS + threadIdx.x / A_PASS_COLS;
    int b_col = blockIdx.x * TILE_COLS + threadIdx.x % B_ROW_QUADS * 4;
    int a_col = threadIdx.x % A_PASS_COLS, b_row = threadIdx.x / B_ROW_QUADS;
    return {p.A + (int64_t)a_row * p.k + a_col, p.B + (int64_t)b_row * p.n + b_col,
            p.m - a_row, p.k - a_col, p.k - b_row, p.n - b_col};
}

// Starts the copies of one stage and moves on along k.
static __device__ void copy_stage(const struct problem &p, struct copier &from,
                                  struct stage *s_stage)
{
    float *s_a = &s_stage->a[threadIdx.x % A_PASS_COLS][threadIdx.x / A_PASS_COLS];
    float *s_b = &s_stage->b[threadIdx.x / B_ROW_QUADS][threadIdx.x % B_ROW_QUADS * 4];
#pragma unroll
    for (int row = 0; row < TILE_ROWS; row += A_PASS_ROWS)
#pragma unroll
        for (int col = 0; col < TILE_DEPTH; col += A_PASS_COLS)
            copy_float(s_a + col * A_PITCH + row, from.a + (int64_t)row * p.k + col,
                       row < from.a_rows && col < from.a_cols);
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
                now = (now + 1) % STAGES;
            }
            int ahead = (i + 1) % TILE_DEPTH;
            read_fragment(&s_stage[now].a[ahead][row], &s_stage[now].b[ahead][col],
                          fragment[ahead % 2]);
            if (i == 0) {
                copy_stage(p, copier, &s_stage[next]);
                next = (next + 1) % STAGES;
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
