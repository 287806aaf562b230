// blocks.cu - blocks that work in shared memory, with barriers where they are needed and nowhere
// else.
#include "correct.h"

#include <algorithm>
#include <cooperative_groups.h>

namespace blocks {

enum { THREADS = 128, TILE = 16 };

typedef void kernel(const int *in, int *out, int count);

static ints run(kernel *launch, const ints &in, size_t out_count, dim3 block = THREADS,
                unsigned grid = 1, unsigned dynamic_bytes = 0)
{
    device_ints d_in(in), d_out(out_count);
    CHECK(cudaMemset(d_out, 0, out_count * sizeof(int)));
    launch<<<grid, block, dynamic_bytes>>>(d_in, d_out, (int)in.size());
    return d_out.values();
}

__global__ void sum_of_halves(const int *in, int *out, int)
{
    __shared__ int s_sum[THREADS];
    unsigned i = threadIdx.x;
    s_sum[i] = in[i];
    for (unsigned half = THREADS / 2; half > 0; half /= 2) {
        __syncthreads();
        if (i < half)
            s_sum[i] += s_sum[i + half];
    }
    if (i == 0)
        *out = s_sum[0];
}

CORRECT(sum_of_halves)
{
    ints in = numbers(THREADS);
    return run(sum_of_halves, in, 1)[0] == sum_of(in);
}

__global__ void sum_by_stride(const int *in, int *out, int)
{
    __shared__ int s_sum[THREADS];
    unsigned i = threadIdx.x;
    s_sum[i] = in[i];
    __syncthreads();
    for (unsigned stride = 1; stride < THREADS; stride *= 2) {
        if (i % (2 * stride) == 0)
            s_sum[i] += s_sum[i + stride];
        __syncthreads();
    }
    out[i] = s_sum[0];
}

CORRECT(sum_by_stride)
{
    ints in = numbers(THREADS);
    return run(sum_by_stride, in, THREADS) == ints(THREADS, sum_of(in));
}

__device__ int sum_of_block(int value)
{
    __shared__ int s_sums[32];
    unsigned lane = threadIdx.x % 32, warp = threadIdx.x / 32;
    for (int by = 16; by > 0; by /= 2)
        value += __shfl_down_sync(0xffffffff, value, by);
    __syncthreads(); // of the sums before
    if (lane == 0)
        s_sums[warp] = value;
    __syncthreads();
    value = lane < blockDim.x / 32 ? s_sums[lane] : 0;
    for (int by = 16; by > 0; by /= 2)
        value += __shfl_xor_sync(0xffffffff, value, by);
    return value;
}

__global__ void sums_one_after_another(const int *in, int *out, int)
{
    unsigned i = threadIdx.x;
    int first = sum_of_block(in[i]);
    int second = sum_of_block(in[i] + first);
    out[i] = sum_of_block(second % 7);
}

CORRECT(sums_one_after_another)
{
    ints in = numbers(THREADS);
    int first = sum_of(in), second = first + THREADS * first;
    return run(sums_one_after_another, in, THREADS) == ints(THREADS, THREADS * (second % 7));
}

__global__ void scan_with_two_rows(const int *in, int *out, int)
{
    __shared__ int s_rows[2][THREADS];
    unsigned i = threadIdx.x;
    int now = 0;
    s_rows[0][i] = in[i];
    for (unsigned by = 1; by < THREADS; by *= 2) {
        __syncthreads();
        s_rows[now ^ 1][i] = s_rows[now][i] + (i >= by ? s_rows[now][i - by] : 0);
        now ^= 1;
    }
    out[i] = s_rows[now][i];
}

CORRECT(scan_with_two_rows)
{
    ints in = numbers(THREADS), sums = in;
    for (int i = 1; i < THREADS; i++)
        sums[i] += sums[i - 1];
    return run(scan_with_two_rows, in, THREADS) == sums;
}

__global__ void scan_in_place(const int *in, int *out, int)
{
    __shared__ int s_row[THREADS];
    unsigned i = threadIdx.x;
    s_row[i] = in[i];
    for (unsigned by = 1; by < THREADS; by *= 2) {
        __syncthreads();
        int below = i >= by ? s_row[i - by] : 0;
        __syncthreads();
        s_row[i] += below;
    }
    out[i] = s_row[i];
}

CORRECT(scan_in_place)
{
    ints in = numbers(THREADS), sums = in;
    for (int i = 1; i < THREADS; i++)
        sums[i] += sums[i - 1];
    return run(scan_in_place, in, THREADS) == sums;
}

__global__ void scan_up_and_down_a_tree(const int *in, int *out, int)
{
    __shared__ int s_tree[2 * THREADS];
    unsigned i = threadIdx.x, offset = 1;
    s_tree[2 * i] = in[2 * i];
    s_tree[2 * i + 1] = in[2 * i + 1];
    for (unsigned d = THREADS; d > 0; d /= 2, offset *= 2) {
        __syncthreads();
        if (i < d)
            s_tree[offset * (2 * i + 2) - 1] += s_tree[offset * (2 * i + 1) - 1];
    }
    if (i == 0)
        s_tree[2 * THREADS - 1] = 0;
    for (unsigned d = 1; d < 2 * THREADS; d *= 2) {
        offset /= 2;
        __syncthreads();
        if (i < d) {
            unsigned a = offset * (2 * i + 1) - 1, b = offset * (2 * i + 2) - 1;
            int left = s_tree[a];
            s_tree[a] = s_tree[b];
            s_tree[b] += left;
        }
    }
    __syncthreads();
    out[2 * i] = s_tree[2 * i];
    out[2 * i + 1] = s_tree[2 * i + 1];
}

CORRECT(scan_up_and_down_a_tree)
{
    ints in = numbers(2 * THREADS), sums(2 * THREADS);
    for (int i = 1; i < 2 * THREADS; i++)
        sums[i] = sums[i - 1] + in[i - 1];
    return run(scan_up_and_down_a_tree, in, 2 * THREADS) == sums;
}

__global__ void histogram_in_shared_memory(const int *in, int *out, int count)
{
    __shared__ int s_bins[10];
    for (int b = threadIdx.x; b < 10; b += blockDim.x)
        s_bins[b] = 0;
    __syncthreads();
    for (int i = threadIdx.x; i < count; i += blockDim.x)
        atomicAdd(&s_bins[in[i] / 10], 1);
    __syncthreads();
    if (threadIdx.x < 10)
        atomicAdd(&out[threadIdx.x], s_bins[threadIdx.x]);
}

CORRECT(histogram_in_shared_memory)
{
    ints in = numbers(1000), bins(10);
    for (int value : in)
        bins[value / 10]++;
    return run(histogram_in_shared_memory, in, 10) == bins;
}

__global__ void histogram_for_each_warp(const int *in, int *out, int count)
{
    __shared__ int s_bins[THREADS / 32][10];
    int warp = threadIdx.x / 32, lane = threadIdx.x % 32;
    if (lane < 10)
        s_bins[warp][lane] = 0;
    __syncwarp();
    for (int i = threadIdx.x; i < count; i += blockDim.x)
        atomicAdd(&s_bins[warp][in[i] / 10], 1);
    __syncthreads();
    if (threadIdx.x < 10)
        for (int w = 0; w < THREADS / 32; w++)
            out[threadIdx.x] += s_bins[w][threadIdx.x];
}

CORRECT(histogram_for_each_warp)
{
    ints in = numbers(777), bins(10);
    for (int value : in)
        bins[value / 10]++;
    return run(histogram_for_each_warp, in, 10) == bins;
}

__global__ void bytes_side_by_side(const int *in, int *out, int)
{
    __shared__ unsigned char s_bytes[THREADS];
    unsigned i = threadIdx.x;
    s_bytes[i] = (unsigned char)in[i]; // four lanes a word, each its own byte
    __syncthreads();
    out[i] = s_bytes[THREADS - 1 - i];
}

CORRECT(bytes_side_by_side)
{
    ints in = numbers(THREADS);
    return run(bytes_side_by_side, in, THREADS) ==
           made_of(THREADS, [&](int i) { return in[THREADS - 1 - i]; });
}

__global__ void shorts_of_two_warps(const int *in, int *out, int)
{
    __shared__ short s_halves[64];
    unsigned i = threadIdx.x;
    unsigned place = i % 32 * 2 + i / 32; // the two warps share every word
    s_halves[place] = (short)in[i];
    short own = s_halves[place];
    __syncthreads();
    out[i] = own + s_halves[place ^ 1];
}

CORRECT(shorts_of_two_warps)
{
    ints in = numbers(64);
    return run(shorts_of_two_warps, in, 64, 64) ==
           made_of(64, [&](int i) { return in[i] + in[(i + 32) % 64]; });
}

__global__ void transpose_with_padding(const int *in, int *out, int)
{
    __shared__ int s_tile[32][33];
    for (int y = threadIdx.y; y < 32; y += 8)
        s_tile[y][threadIdx.x] = in[y * 32 + threadIdx.x];
    __syncthreads();
    for (int y = threadIdx.y; y < 32; y += 8)
        out[y * 32 + threadIdx.x] = s_tile[threadIdx.x][y];
}

CORRECT(transpose_with_padding)
{
    ints in = numbers(1024);
    return run(transpose_with_padding, in, 1024, dim3(32, 8)) ==
           made_of(1024, [&](int i) { return in[i % 32 * 32 + i / 32]; });
}

/* Rows of 37 by 21: blocks at the edges have threads with nothing to do. */
__global__ void transpose_with_edges(const int *in, int *out, int)
{
    const int width = 37, height = 21;
    __shared__ int s_tile[TILE][TILE + 1];
    int tile = blockIdx.x, x0 = tile % 3 * TILE, y0 = tile / 3 * TILE;
    int x = x0 + threadIdx.x, y = y0 + threadIdx.y;
    if (x < width && y < height)
        s_tile[threadIdx.y][threadIdx.x] = in[y * width + x];
    __syncthreads();
    x = x0 + threadIdx.y;
    y = y0 + threadIdx.x;
    if (x < width && y < height)
        out[x * height + y] = s_tile[threadIdx.x][threadIdx.y];
}

CORRECT(transpose_with_edges)
{
    ints in = numbers(37 * 21);
    return run(transpose_with_edges, in, 37 * 21, dim3(TILE, TILE), 6) ==
           made_of(37 * 21, [&](int i) { return in[i % 21 * 37 + i / 21]; });
}

__global__ void product_of_tiles(const int *in, int *out, int)
{
    const int n = 48;
    const int *a = in, *b = in + n * n;
    __shared__ int s_a[TILE][TILE], s_b[TILE][TILE];
    int row = blockIdx.x / 3 * TILE + threadIdx.y, column = blockIdx.x % 3 * TILE + threadIdx.x;
    int sum = 0;
    for (int t = 0; t < n; t += TILE) {
        s_a[threadIdx.y][threadIdx.x] = a[row * n + t + threadIdx.x];
        s_b[threadIdx.y][threadIdx.x] = b[(t + threadIdx.y) * n + column];
        __syncthreads();
        for (int k = 0; k < TILE; k++)
            sum += s_a[threadIdx.y][k] * s_b[k][threadIdx.x];
        __syncthreads();
    }
    out[row * n + column] = sum;
}

CORRECT(product_of_tiles)
{
    const int n = 48;
    ints in = numbers(2 * n * n);
    return run(product_of_tiles, in, n * n, dim3(TILE, TILE), 9) == made_of(n * n, [&](int i) {
               int sum = 0;
               for (int k = 0; k < n; k++)
                   sum += in[i / n * n + k] * in[n * n + k * n + i % n];
               return sum;
           });
}

/* The tile that is read and the tile that is filled are two, so one barrier a step is enough. */
__global__ void two_tiles_in_turn(const int *in, int *out, int)
{
    __shared__ int s_row[2][THREADS];
    unsigned i = threadIdx.x;
    int sum = 0;
    s_row[0][i] = in[i];
    for (int step = 0; step < 6; step++) {
        __syncthreads();
        if (step < 5)
            s_row[(step + 1) & 1][i] = in[(step + 1) * THREADS + i];
        sum += s_row[step & 1][THREADS - 1 - i];
    }
    out[i] = sum;
}

CORRECT(two_tiles_in_turn)
{
    ints in = numbers(6 * THREADS);
    return run(two_tiles_in_turn, in, THREADS) == made_of(THREADS, [&](int i) {
               int sum = 0;
               for (int step = 0; step < 6; step++)
                   sum += in[step * THREADS + THREADS - 1 - i];
               return sum;
           });
}

__global__ void one_memory_for_two_types(const int *in, int *out, int)
{
    __shared__ union {
        int whole[THREADS];
        double wide[THREADS / 2];
        unsigned char bytes[4 * THREADS];
    } s_memory;
    unsigned i = threadIdx.x;
    s_memory.whole[i] = in[i];
    __syncthreads();
    int left = s_memory.whole[(i + 1) % THREADS];
    __syncthreads();
    if (i < THREADS / 2)
        s_memory.wide[i] = left;
    __syncthreads();
    int wide = (int)s_memory.wide[(THREADS - 1 - i) / 2];
    __syncthreads();
    s_memory.bytes[i] = (unsigned char)wide;
    out[i] = left + s_memory.bytes[i];
}

CORRECT(one_memory_for_two_types)
{
    ints in = numbers(THREADS);
    return run(one_memory_for_two_types, in, THREADS) == made_of(THREADS, [&](int i) {
               return in[(i + 1) % THREADS] + in[(THREADS - 1 - i) / 2 + 1];
           });
}

__global__ void dynamic_memory_in_parts(const int *in, int *out, int count)
{
    extern __shared__ int s_all[];
    int *s_first = s_all;
    double *s_second = (double *)(s_all + count);
    unsigned i = threadIdx.x;
    s_first[i] = in[i];
    s_second[i] = 2 * in[i];
    __syncthreads();
    out[i] = s_first[count - 1 - i] + (int)s_second[i ^ 1];
}

CORRECT(dynamic_memory_in_parts)
{
    ints in = numbers(THREADS);
    return run(dynamic_memory_in_parts, in, THREADS, THREADS, 1, THREADS * 12) ==
           made_of(THREADS, [&](int i) { return in[THREADS - 1 - i] + 2 * in[i ^ 1]; });
}

__global__ void dynamic_memory_to_the_last_byte(const int *in, int *out, int)
{
    extern __shared__ int s_all[];
    unsigned i = threadIdx.x;
    char *s_last = (char *)s_all + 4 * THREADS;
    s_all[i] = in[i];
    if (i == 0)
        s_last[2] = 5;
    __syncthreads();
    out[i] = s_all[i ^ 3] + s_last[2];
}

CORRECT(dynamic_memory_to_the_last_byte)
{
    ints in = numbers(THREADS);
    return run(dynamic_memory_to_the_last_byte, in, THREADS, THREADS, 1, 4 * THREADS + 3) ==
           made_of(THREADS, [&](int i) { return in[i ^ 3] + 5; });
}

__global__ void a_hundred_kilobytes(const int *in, int *out, int)
{
    extern __shared__ int s_all[];
    unsigned i = threadIdx.x;
    for (int k = 0; k < 200; k++)
        s_all[k * THREADS + i] = in[i] + k;
    __syncthreads();
    out[i] = s_all[199 * THREADS + (i + 1) % THREADS];
}

CORRECT(a_hundred_kilobytes)
{
    ints in = numbers(THREADS);
    CHECK(cudaFuncSetAttribute(a_hundred_kilobytes, cudaFuncAttributeMaxDynamicSharedMemorySize,
                               200 * THREADS * 4));
    return run(a_hundred_kilobytes, in, THREADS, THREADS, 1, 200 * THREADS * 4) ==
           made_of(THREADS, [&](int i) { return in[(i + 1) % THREADS] + 199; });
}

__global__ void bitonic_sort(const int *in, int *out, int)
{
    __shared__ int s_keys[2 * THREADS];
    unsigned i = threadIdx.x;
    s_keys[i] = in[i];
    s_keys[i + THREADS] = in[i + THREADS];
    for (unsigned size = 2; size <= 2 * THREADS; size *= 2)
        for (unsigned stride = size / 2; stride > 0; stride /= 2) {
            __syncthreads();
            unsigned a = 2 * i - (i & (stride - 1)), b = a + stride;
            bool up = (a & size) == 0;
            if ((s_keys[a] > s_keys[b]) == up) {
                int key = s_keys[a];
                s_keys[a] = s_keys[b];
                s_keys[b] = key;
            }
        }
    __syncthreads();
    out[i] = s_keys[i];
    out[i + THREADS] = s_keys[i + THREADS];
}

CORRECT(bitonic_sort)
{
    ints in = numbers(2 * THREADS), sorted = in;
    std::sort(sorted.begin(), sorted.end());
    return run(bitonic_sort, in, 2 * THREADS) == sorted;
}

__global__ void stencil_with_halo(const int *in, int *out, int count)
{
    __shared__ int s_row[THREADS + 2];
    int i = blockIdx.x * THREADS + threadIdx.x, at = threadIdx.x + 1;
    s_row[at] = i < count ? in[i] : 0;
    if (threadIdx.x == 0)
        s_row[0] = i > 0 ? in[i - 1] : 0;
    if (threadIdx.x == THREADS - 1)
        s_row[THREADS + 1] = i + 1 < count ? in[i + 1] : 0;
    __syncthreads();
    if (i < count)
        out[i] = s_row[at - 1] + s_row[at] + s_row[at + 1];
}

CORRECT(stencil_with_halo)
{
    const int n = 300;
    ints in = numbers(n);
    return run(stencil_with_halo, in, n, THREADS, 3) == made_of(n, [&](int i) {
               return (i ? in[i - 1] : 0) + in[i] + (i + 1 < n ? in[i + 1] : 0);
           });
}

__global__ void stencil_through_the_end(const int *in, int *out, int count)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < count)
        out[i] = in[max(i - 1, 0)] + in[min(i + 1, count - 1)];
}

CORRECT(stencil_through_the_end)
{
    ints in = numbers(200);
    return run(stencil_through_the_end, in, 200, 64, 4) ==
           made_of(200, [&](int i) { return in[i ? i - 1 : 0] + in[i < 199 ? i + 1 : 199]; });
}

/* All store the same: it does not matter who is last, nor who reads when. */
__global__ void all_say_the_same(const int *in, int *out, int count)
{
    __shared__ int s_count, s_found;
    unsigned i = threadIdx.x;
    s_count = count;
    s_found = 0;
    __syncthreads();
    if (in[i] > 90)
        s_found = 1;
    __syncthreads();
    out[i] = s_count + s_found;
}

CORRECT(all_say_the_same)
{
    ints in = numbers(THREADS);
    bool found = *std::max_element(in.begin(), in.end()) > 90;
    return run(all_say_the_same, in, THREADS) == ints(THREADS, THREADS + found);
}

__global__ void one_decides_for_all(const int *in, int *out, int)
{
    __shared__ bool s_goes_on;
    __shared__ int s_sum;
    unsigned i = threadIdx.x;
    if (i == 0)
        s_sum = 0;
    for (int step = 0;; step++) {
        if (i == 0) {
            s_sum += in[step];
            s_goes_on = s_sum < 200;
        }
        __syncthreads();
        bool goes_on = s_goes_on;
        __syncthreads();
        if (!goes_on)
            break;
    }
    out[i] = s_sum;
}

CORRECT(one_decides_for_all)
{
    ints in = numbers(THREADS);
    int sum = 0, step = 0;
    do
        sum += in[step++];
    while (sum < 200);
    return run(one_decides_for_all, in, THREADS) == ints(THREADS, sum);
}

__global__ void threads_beyond_the_end_still_meet(const int *in, int *out, int count)
{
    __shared__ int s_row[THREADS];
    int i = blockIdx.x * THREADS + threadIdx.x;
    s_row[threadIdx.x] = i < count ? in[i] : 0;
    __syncthreads();
    if (i >= count)
        return;
    out[i] = s_row[threadIdx.x ^ 1];
}

CORRECT(threads_beyond_the_end_still_meet)
{
    ints in = numbers(202);
    return run(threads_beyond_the_end_still_meet, in, 202, THREADS, 2) ==
           made_of(202, [&](int i) { return in[i ^ 1]; });
}

/* Threads that have ended count as arrived: those that still run meet without them. */
__global__ void some_leave_before_the_barrier(const int *in, int *out, int)
{
    __shared__ int s_row[64];
    unsigned i = threadIdx.x;
    if (i >= 64)
        return;
    s_row[i] = in[i];
    __syncthreads();
    out[i] = s_row[63 - i];
}

CORRECT(some_leave_before_the_barrier)
{
    ints in = numbers(64);
    return run(some_leave_before_the_barrier, in, 64) ==
           made_of(64, [&](int i) { return in[63 - i]; });
}

__global__ void barriers_that_count(const int *in, int *out, int)
{
    unsigned i = threadIdx.x;
    int large = __syncthreads_count(in[i] > 50);
    int any = __syncthreads_or(in[i] == 99), all = __syncthreads_and(in[i] >= 0);
    out[i] = 4 * large + 2 * (any != 0) + (all != 0);
}

CORRECT(barriers_that_count)
{
    ints in = numbers(THREADS);
    int large = 0, any = 0;
    for (int value : in) {
        large += value > 50;
        any |= value == 99;
    }
    return run(barriers_that_count, in, THREADS) == ints(THREADS, 4 * large + 2 * any + 1);
}

__global__ void as_many_steps_as_the_block_says(const int *in, int *out, int)
{
    __shared__ int s_sum;
    unsigned i = threadIdx.x;
    if (i == 0)
        s_sum = 0;
    for (unsigned step = 0; step < 3 + blockIdx.x; step++) { // the same for all of a block
        __syncthreads();
        if (i == step)
            s_sum += in[i];
    }
    __syncthreads();
    if (i == 0)
        out[blockIdx.x] = s_sum;
}

CORRECT(as_many_steps_as_the_block_says)
{
    ints in = numbers(THREADS);
    return run(as_many_steps_as_the_block_says, in, 4, THREADS, 4) == made_of(4, [&](int b) {
               int sum = 0;
               for (int i = 0; i < 3 + b; i++)
                   sum += in[i];
               return sum;
           });
}

__global__ void compacted_with_one_counter(const int *in, int *out, int count)
{
    __shared__ int s_count, s_kept[THREADS];
    unsigned i = threadIdx.x;
    if (i == 0)
        s_count = 0;
    __syncthreads();
    if ((int)i < count && in[i] % 2)
        s_kept[atomicAdd(&s_count, 1)] = in[i];
    __syncthreads();
    if ((int)i < s_count)
        atomicAdd(out, s_kept[i]);
    if (i == 0)
        out[1] = s_count;
}

CORRECT(compacted_with_one_counter)
{
    ints in = numbers(100), out = run(compacted_with_one_counter, in, 2);
    int count = 0, sum = 0;
    for (int value : in)
        if (value % 2) {
            count++;
            sum += value;
        }
    return out[0] == sum && out[1] == count;
}

__global__ void most_by_atomics(const int *in, int *out, int)
{
    __shared__ int s_most;
    __shared__ unsigned long long s_where;
    unsigned i = threadIdx.x;
    if (i == 0) {
        s_most = -1;
        s_where = 0;
    }
    __syncthreads();
    atomicMax(&s_most, in[i]);
    __syncthreads();
    if (in[i] == s_most)
        atomicMax(&s_where, (unsigned long long)i);
    __syncthreads();
    if (i == 0)
        *out = 1000 * (int)s_where + s_most;
}

CORRECT(most_by_atomics)
{
    ints in = numbers(THREADS);
    int where = 0;
    for (int i = 0; i < THREADS; i++)
        where = in[i] >= in[where] ? i : where;
    return run(most_by_atomics, in, 1)[0] == 1000 * where + in[where];
}

__global__ void float4_rows_read_as_floats(const int *in, int *out, int)
{
    __shared__ int4 s_four[THREADS];
    unsigned i = threadIdx.x;
    s_four[i] = ((const int4 *)in)[i];
    __syncthreads();
    out[i] = ((const int *)s_four)[4 * THREADS - 1 - i];
}

CORRECT(float4_rows_read_as_floats)
{
    ints in = numbers(4 * THREADS);
    return run(float4_rows_read_as_floats, in, THREADS) ==
           made_of(THREADS, [&](int i) { return in[4 * THREADS - 1 - i]; });
}

__global__ void tiles_larger_than_a_warp(const int *in, int *out, int)
{
    namespace cg = cooperative_groups;
    __shared__ int s_row[THREADS];
    cg::thread_block block = cg::this_thread_block();
    unsigned i = block.thread_rank();
    s_row[i] = in[i];
    block.sync();
    out[i] = s_row[(i + 40) % THREADS];
}

CORRECT(tiles_larger_than_a_warp)
{
    ints in = numbers(THREADS);
    return run(tiles_larger_than_a_warp, in, THREADS) ==
           made_of(THREADS, [&](int i) { return in[(i + 40) % THREADS]; });
}

__global__ void own_places_need_no_barrier(const int *in, int *out, int)
{
    __shared__ int s_stack[8][THREADS];
    unsigned i = threadIdx.x;
    int depth = 0;
    for (int k = 0; k < 8; k++)
        if ((in[i] + k) % 3)
            s_stack[depth++][i] = k;
    int sum = 0;
    while (depth)
        sum = 10 * sum + s_stack[--depth][i];
    out[i] = sum;
}

CORRECT(own_places_need_no_barrier)
{
    ints in = numbers(THREADS);
    return run(own_places_need_no_barrier, in, THREADS) == made_of(THREADS, [&](int i) {
               int sum = 0;
               for (int k = 8; k-- > 0;)
                   if ((in[i] + k) % 3)
                       sum = 10 * sum + k;
               return sum;
           });
}

__global__ void a_row_is_read_by_all(const int *in, int *out, int)
{
    __shared__ int s_weights[9];
    unsigned i = threadIdx.x;
    if (i < 9)
        s_weights[i] = in[i];
    __syncthreads();
    int sum = 0;
    for (int k = 0; k < 9; k++)
        sum += s_weights[k] * in[(i + k) % THREADS];
    out[i] = sum;
}

CORRECT(a_row_is_read_by_all)
{
    ints in = numbers(THREADS);
    return run(a_row_is_read_by_all, in, THREADS) == made_of(THREADS, [&](int i) {
               int sum = 0;
               for (int k = 0; k < 9; k++)
                   sum += in[k] * in[(i + k) % THREADS];
               return sum;
           });
}

/* One thread sets a counter up and counts first; all others see both at a barrier. */
__global__ void set_up_and_counted_by_one(const int *in, int *out, int)
{
    __shared__ int s_sum;
    unsigned i = threadIdx.x;
    if (i == 40) {
        s_sum = 7;
        atomicAdd(&s_sum, in[i]);
        s_sum += 1;
    }
    __syncthreads();
    if (i != 40)
        atomicAdd(&s_sum, in[i]);
    __syncthreads();
    out[i] = s_sum;
}

CORRECT(set_up_and_counted_by_one)
{
    ints in = numbers(THREADS);
    int sum = 8;
    for (int value : in)
        sum += value;
    return run(set_up_and_counted_by_one, in, THREADS) ==
           made_of(THREADS, [&](int) { return sum; });
}

/* Every round sets the counter to zero again, between two barriers. */
__global__ void set_up_in_every_round(const int *in, int *out, int)
{
    __shared__ int s_count;
    unsigned i = threadIdx.x;
    int sum = 0;
    for (int k = 1; k <= 4; k++) {
        if (i == 0)
            s_count = 0;
        __syncthreads();
        if (in[i] % k == 0)
            atomicAdd(&s_count, 1);
        __syncthreads();
        sum = 100 * sum + s_count;
        __syncthreads();
    }
    out[i] = sum;
}

CORRECT(set_up_in_every_round)
{
    ints in = numbers(THREADS);
    int sum = 0;
    for (int k = 1; k <= 4; k++) {
        int count = 0;
        for (int value : in)
            count += value % k == 0;
        sum = 100 * sum + count;
    }
    return run(set_up_in_every_round, in, THREADS) == made_of(THREADS, [&](int) { return sum; });
}

} // namespace blocks
