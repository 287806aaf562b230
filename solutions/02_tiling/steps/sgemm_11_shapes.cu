// Sgemm, step 11: the tile that fits the problem.
//
// Changed: six shapes of tile instead of one, and the launcher picks by size. 1024 x 1024 has only
// 32 tiles of 128 x 256, so three quarters of an H200 stand still; of 64 x 128 it has 128. But a
// block of so few sums has few warps, and nothing hides what they wait for. So warps share a tile
// in another way, too: slices. Each slice adds up every second (or fourth) 8 of k, and at the end
// the sums of all slices are added, always in the same order. Copies of B that are no float4 are
// now code of their own, without a loop.
// Expected: all multiprocessors at work from 512 x 512 on; odd sides nearly as fast as even ones.
// Measured on an H200, as a ratio to cuBLAS in the same run: 1.31 at 512 x 512 x 512, 1.23 at 1024,
// 0.97 at 2048 and 4096, 1.03 at 4097 x 4095 x 4099; of 31 such sizes the least is 0.90, at 1025 x
// 1023 x 1027. Step 10: 0.36 at 1024, 0.87 at 4097 x 4095 x 4099.
#include "contracts/02_tiling.h"

#include <cuda_pipeline_primitives.h>

struct problem {
    const float *A, *B;
    float *C;
    int m, n, k;
};

// A tile of C, and how a block computes it. All of it is known to the compiler.
template <int TILE_ROWS, int TILE_COLS, int THREAD_SUMS_DOWN, int THREAD_SUMS_ACROSS,
          int WARP_LANES_DOWN, int K_SLICES, int BLOCKS_AT_ONCE>
struct shape {
    enum {
        ROWS = TILE_ROWS,
        COLS = TILE_COLS,
        THREAD_ROWS = THREAD_SUMS_DOWN, // sums of a thread, in squares of 4 x 4 ...
        THREAD_COLS = THREAD_SUMS_ACROSS,
        SLICES = K_SLICES,
        BLOCKS = BLOCKS_AT_ONCE,        // on a multiprocessor
        DEPTH = 8,                      // of a slice's part of a stage, along k
        STAGES = 3,
        WARP_LANES = 32,
        LANES_DOWN = WARP_LANES_DOWN,   // a warp's lanes: 8 x 4, or 4 x 8
        LANES_ACROSS = WARP_LANES / LANES_DOWN,
        SQUARES_DOWN = 4 * LANES_DOWN,  // ... so far from one to the next
        SQUARES_ACROSS = 4 * LANES_ACROSS,
        WARP_ROWS = LANES_DOWN * THREAD_ROWS,
        WARP_COLS = LANES_ACROSS * THREAD_COLS,
        WARPS_ACROSS = COLS / WARP_COLS,
        SLICE_THREADS = ROWS / WARP_ROWS * WARPS_ACROSS * WARP_LANES,
        THREADS = SLICE_THREADS * SLICES,
        THREAD_SUMS = THREAD_ROWS * THREAD_COLS,
        A_PASS_ROWS = THREADS / DEPTH,  // a warp copies 8 neighbours, a sector, of each of 4 rows
    };
    struct slice {
        float a[DEPTH][ROWS + 4]; // turned: a[k][row]
        float b[DEPTH][COLS];
    };
    struct stage {
        struct slice of[SLICES];
    };
    enum {
        SLICE_FLOATS = sizeof(struct slice) / sizeof(float),
        STAGE_BYTES = STAGES * sizeof(struct stage),
        HANDED_BYTES = SLICES / 2 * SLICE_THREADS * THREAD_SUMS * sizeof(float),
        SHARED_BYTES = STAGE_BYTES > HANDED_BYTES ? STAGE_BYTES : HANDED_BYTES,
    };
    static_assert(ROWS % A_PASS_ROWS == 0 && THREADS % COLS == 0, "copies come out even");
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

// Where a thread copies from next, how many rows and columns of A and B are left from there, and
// where in a stage its first float of each goes.
struct copier {
    const float *a, *b;
    int a_rows, a_cols, b_rows, b_cols;
    int to_a, to_b;
};

// Threads side by side copy this many neighbours of a row of B.
template <class S, bool WIDE> struct row_of_b {
    enum { THREADS = WIDE ? S::COLS / 4 : S::COLS, PASS_ROWS = S::THREADS / THREADS };
};

template <class S, bool WIDE> static __device__ struct copier copier_start(const struct problem &p)
{
    enum { B_THREADS = row_of_b<S, WIDE>::THREADS };
    int a_col = threadIdx.x % S::DEPTH, a_tile_row = threadIdx.x / S::DEPTH;
    int b_row = threadIdx.x / B_THREADS, b_tile_col = threadIdx.x % B_THREADS * (WIDE ? 4 : 1);
    int a_row = blockIdx.y * S::ROWS + a_tile_row, b_col = blockIdx.x * S::COLS + b_tile_col;
    return {p.A + (int64_t)a_row * p.k + a_col, p.B + (int64_t)b_row * p.n + b_col,
            p.m - a_row, p.k - a_col, p.k - b_row, p.n - b_col,
            a_col * (S::ROWS + 4) + a_tile_row,
            b_row / S::DEPTH * S::SLICE_FLOATS + b_row % S::DEPTH * S::COLS + b_tile_col};
}

// Starts the copies of one stage and moves on along k.
template <class S, bool WIDE>
static __device__ void copy_stage(const struct problem &p, struct copier &from,
                                  typename S::stage *s_stage)
{
    enum { B_PASS_ROWS = row_of_b<S, WIDE>::PASS_ROWS, STAGE_DEPTH = S::DEPTH * S::SLICES };
    float *s_a = &s_stage->of[0].a[0][0] + from.to_a, *s_b = &s_stage->of[0].b[0][0] + from.to_b;
#pragma unroll
    for (int pass = 0; pass < S::ROWS * S::SLICES; pass += S::A_PASS_ROWS) {
        int row = pass % S::ROWS, slice = pass / S::ROWS;
        copy_float(s_a + slice * S::SLICE_FLOATS + row,
                   from.a + (int64_t)row * p.k + slice * S::DEPTH,
                   row < from.a_rows && slice * S::DEPTH < from.a_cols);
    }
#pragma unroll
    for (int row = 0; row < STAGE_DEPTH; row += B_PASS_ROWS) {
        float *s_to = s_b + row / S::DEPTH * S::SLICE_FLOATS + row % S::DEPTH * S::COLS;
        bool inside = row < from.b_rows && from.b_cols > 0;
        if (WIDE)
            copy_quad(s_to, from.b, inside);
        else
            copy_float(s_to, from.b, inside);
        from.b += (int64_t)B_PASS_ROWS * p.n;
    }
    from.a += STAGE_DEPTH;
    from.a_cols -= STAGE_DEPTH;
    from.b_rows -= STAGE_DEPTH;
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
template <class S> struct fragment {
    float a[S::THREAD_ROWS], b[S::THREAD_COLS];
};

template <class S>
static __device__ void read_fragment(const float *s_a, const float *s_b, struct fragment<S> &to)
{
#pragma unroll
    for (int i = 0; i < S::THREAD_ROWS / 4; i++)
        read_quad(s_a + i * S::SQUARES_DOWN, to.a + 4 * i);
#pragma unroll
    for (int i = 0; i < S::THREAD_COLS / 4; i++)
        read_quad(s_b + i * S::SQUARES_ACROSS, to.b + 4 * i);
}

// Down one column and up the next: two multiply-adds in a row always share an operand, which then
// need not be read again from the register file.
template <class S>
static __device__ void multiply(const struct fragment<S> &f,
                                float (&sum)[S::THREAD_ROWS][S::THREAD_COLS])
{
#pragma unroll
    for (int c = 0; c < S::THREAD_COLS; c++)
#pragma unroll
        for (int i = 0; i < S::THREAD_ROWS; i++) {
            int r = c % 2 ? S::THREAD_ROWS - 1 - i : i;
            sum[r][c] += f.a[r] * f.b[c];
        }
}

// The upper half of the slices hands its sums to the lower half, until slice 0 has all of them.
template <class S>
static __device__ void add_slices(int slice, float *s_handed,
                                  float (&sum)[S::THREAD_ROWS][S::THREAD_COLS])
{
    int thread = threadIdx.x % S::SLICE_THREADS;
#pragma unroll
    for (int half = S::SLICES / 2; half > 0; half /= 2) {
        __syncthreads(); // nobody reads what is overwritten now
#pragma unroll
        for (int i = 0; i < S::THREAD_SUMS; i++)
            if (slice >= half && slice < 2 * half)
                s_handed[((slice - half) * S::THREAD_SUMS + i) * S::SLICE_THREADS + thread] =
                    sum[i / S::THREAD_COLS][i % S::THREAD_COLS];
        __syncthreads();
#pragma unroll
        for (int i = 0; i < S::THREAD_SUMS; i++)
            if (slice < half)
                sum[i / S::THREAD_COLS][i % S::THREAD_COLS] +=
                    s_handed[(slice * S::THREAD_SUMS + i) * S::SLICE_THREADS + thread];
    }
}

template <bool WIDE>
static __device__ void store_quad(const struct problem &p, int row, int col, const float *quad)
{
    float *to = p.C + (int64_t)row * p.n + col;
    if (WIDE && row < p.m && col < p.n)
        *(float4 *)to = make_float4(quad[0], quad[1], quad[2], quad[3]);
#pragma unroll
    for (int i = 0; i < 4 && !WIDE; i++)
        if (row < p.m && col + i < p.n)
            to[i] = quad[i];
}

template <class S, bool WIDE>
static __global__ void __launch_bounds__(S::THREADS, S::BLOCKS) sgemm(struct problem p)
{
    extern __shared__ __align__(16) char s_memory[];
    typename S::stage *s_stage = (typename S::stage *)s_memory;
    int slice = threadIdx.x / S::SLICE_THREADS;
    int lane = threadIdx.x % S::WARP_LANES, warp = threadIdx.x % S::SLICE_THREADS / S::WARP_LANES;
    int row = warp / S::WARPS_ACROSS * S::WARP_ROWS + lane / 2 % S::LANES_DOWN * 4;
    int col = warp % S::WARPS_ACROSS * S::WARP_COLS +
              (lane / (2 * S::LANES_DOWN) * 2 + lane % 2) * 4;

    struct copier copier = copier_start<S, WIDE>(p);
    for (int stage = 0; stage < S::STAGES - 1; stage++)
        copy_stage<S, WIDE>(p, copier, &s_stage[stage]);
    __pipeline_wait_prior(S::STAGES - 2);
    __syncthreads();

    struct fragment<S> fragment[2];
    float sum[S::THREAD_ROWS][S::THREAD_COLS] = {{0}};
    int now = 0, next = S::STAGES - 1;
    read_fragment<S>(&s_stage[now].of[slice].a[0][row], &s_stage[now].of[slice].b[0][col],
                     fragment[0]);
    for (int first = 0; first < p.k; first += S::DEPTH * S::SLICES) {
#pragma unroll
        for (int i = 0; i < S::DEPTH; i++) {
            if (i == S::DEPTH - 1) { // the next fragment lies in the next stage
                __pipeline_wait_prior(S::STAGES - 2);
                __syncthreads();
                now = now == S::STAGES - 1 ? 0 : now + 1;
            }
            int ahead = (i + 1) % S::DEPTH;
            read_fragment<S>(&s_stage[now].of[slice].a[ahead][row],
                             &s_stage[now].of[slice].b[ahead][col], fragment[ahead % 2]);
            if (i == 0) {
                copy_stage<S, WIDE>(p, copier, &s_stage[next]);
                next = next == S::STAGES - 1 ? 0 : next + 1;
            }
            multiply<S>(fragment[i % 2], sum);
        }
    }
    __pipeline_wait_prior(0); // a copy that still arrived would overwrite what is handed over
    add_slices<S>(slice, (float *)s_memory, sum);
    if (slice > 0)
        return;
    row += blockIdx.y * S::ROWS;
    col += blockIdx.x * S::COLS;
#pragma unroll
    for (int r = 0; r < S::THREAD_ROWS; r++)
#pragma unroll
        for (int c = 0; c < S::THREAD_COLS; c += 4)
            store_quad<WIDE>(p, row + r % 4 + r / 4 * S::SQUARES_DOWN,
                             col + c / 4 * S::SQUARES_ACROSS, &sum[r][c]);
}

// --- The choice ----------------------------------------------------------------------------------

static int64_t tiles_along(int side, int tile)
{
    return (side + tile - 1) / tile;
}

template <class S>
static cudaError_t launch(const struct problem &p, bool wide, cudaStream_t stream)
{
    void (*kernel)(struct problem) = wide ? sgemm<S, true> : sgemm<S, false>;
    cudaError_t error = cudaFuncSetAttribute(
        (const void *)kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, S::SHARED_BYTES);
    if (error != cudaSuccess)
        return error;
    dim3 grid((unsigned)tiles_along(p.n, S::COLS), (unsigned)tiles_along(p.m, S::ROWS));
    kernel<<<grid, S::THREADS, S::SHARED_BYTES, stream>>>(p);
    return cudaGetLastError();
}

// Speeds are relative: multiply-adds in a time, with every multiprocessor at work (medians on an
// H200). Odd rows are slower by the copies of single floats.
struct choice {
    int rows, cols, wide_speed, odd_speed;
    cudaError_t (*launch)(const struct problem &p, bool wide, cudaStream_t stream);
};

static const struct choice CHOICES[] = {
    {128, 256, 198, 180, launch<shape<128, 256, 8, 16, 8, 1, 1>>},
    {128, 128, 191, 166, launch<shape<128, 128, 8, 16, 8, 2, 1>>},
    {64, 128, 180, 168, launch<shape<64, 128, 8, 16, 8, 4, 1>>},
    {64, 128, 165, 174, launch<shape<64, 128, 8, 8, 8, 2, 2>>},
    {64, 64, 174, 166, launch<shape<64, 64, 8, 8, 8, 2, 3>>},
    {32, 64, 166, 149, launch<shape<32, 64, 8, 8, 4, 4, 2>>},
};

// The multiprocessor that gets most tiles decides.
static double time_of(const struct choice &choice, const struct problem &p, bool wide,
                      int multiprocessors)
{
    int64_t tiles = tiles_along(p.m, choice.rows) * tiles_along(p.n, choice.cols);
    int64_t turns = (tiles + multiprocessors - 1) / multiprocessors;
    return (double)turns * choice.rows * choice.cols /
           (wide ? choice.wide_speed : choice.odd_speed);
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
    int device, multiprocessors;
    cudaError_t error = cudaGetDevice(&device);
    if (error == cudaSuccess)
        error = cudaDeviceGetAttribute(&multiprocessors, cudaDevAttrMultiProcessorCount, device);
    if (error != cudaSuccess)
        return error;
    struct problem p = {A, B, C, m, n, k};
    bool wide = ((uintptr_t)B | (uintptr_t)C) % sizeof(float4) == 0 && n % 4 == 0;
    const struct choice *best = &CHOICES[0];
    for (const struct choice &choice : CHOICES)
        if (time_of(choice, p, wide, multiprocessors) < time_of(*best, p, wide, multiprocessors))
            best = &choice;
    return best->launch(p, wide, stream);
}
