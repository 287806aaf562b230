// races_between_warps.cu - shared memory that two warps touch with no barrier in between.
#include "planted.h"

namespace races_between_warps {

enum { THREADS = 64, TILE = 16 };

// fault read_before_written: shared memory race
//     s_row[i] = in[i];
//     ^
// other
//     out[i] = s_row[(i + 32) & 63];
//     ^
// says with no barrier in between
// sanitizer racecheck hazard
__global__ void read_before_written(const int *in, int *out)
{
    __shared__ int s_row[THREADS];
    unsigned i = threadIdx.x;
    s_row[i] = 0;
    __syncthreads();
    s_row[i] = in[i];
    out[i] = s_row[(i + 32) & 63];
}

// fault first_read_before_written: shared memory race
//     s_row[i] = in[i];
//     ^
// by thread (32,0,0) of block (0,0,0)
// other thread (0,0,0)
//     out[i] = s_row[(i + 32) & 63];
//     ^
// sanitizer racecheck hazard
__global__ void first_read_before_written(const int *in, int *out)
{
    __shared__ int s_row[THREADS];
    unsigned i = threadIdx.x;
    s_row[i] = in[i];
    out[i] = s_row[(i + 32) & 63];
}

// fault second_barrier_missing: shared memory race
//     s_tile[threadIdx.y][threadIdx.x] = in[(t * TILE + threadIdx.y) * TILE + threadIdx.x];
//     ^
// other
//     sum += s_tile[threadIdx.x][k];
//     ^
// says the loop's next turn
// sanitizer racecheck hazard
__global__ void second_barrier_missing(const int *in, int *out)
{
    __shared__ int s_tile[TILE][TILE];
    int sum = 0;
    for (int t = 0; t < 2; t++) {
        s_tile[threadIdx.y][threadIdx.x] = in[(t * TILE + threadIdx.y) * TILE + threadIdx.x];
        __syncthreads();
#pragma unroll 1
        for (int k = 0; k < TILE; k++)
            sum += s_tile[threadIdx.x][k];
    }
    out[threadIdx.y * TILE + threadIdx.x] = sum;
}

// fault read_before_many_others: shared memory race
//     s_row[i] = 0;
//     ^
// by thread (0,0,0) of block (0,0,0)
// other thread (32,0,0)
//     sum = s_row[i - 32];
//     ^
// says with no barrier in between
// sanitizer racecheck hazard
__global__ void read_before_many_others(const int *in, int *out)
{
    __shared__ int s_row[THREADS];
    unsigned i = threadIdx.x;
    int sum = 0;
    s_row[i] = in[i];
    __syncthreads();
    if (i >= 32) {
        sum = s_row[i - 32];
#pragma unroll 1
        for (unsigned turn = 0; turn < 1100; turn++) // each in another order
            sum += s_row[32 + (i * (2 * turn + 1) & 31)];
    } else {
        s_row[i] = 0;
    }
    out[i] = sum;
}

// fault late_reader: shared memory race
//     out[threadIdx.x] += s_first;
//     ^
// other
//     s_first = in[t];
//     ^
// says the loop's next turn
// sanitizer racecheck hazard
__global__ void late_reader(const int *in, int *out)
{
    __shared__ int s_first;
#pragma unroll 1
    for (int t = 0; t < 2; t++) {
        if (threadIdx.x == 32)
            s_first = in[t];
        __syncthreads();
        if (threadIdx.x < 32)
            out[threadIdx.x] += s_first;
    }
}

// fault two_writers: shared memory race
//     s_best = (int)(i / 32);
//     ^
// by thread (32,0,0) of block (0,0,0)
// other thread (0,0,0)
//     s_best = (int)(i / 32);
//     ^
// says writes shared memory at offset 0, which thread (0,0,0) wrote
// sanitizer racecheck hazard
__global__ void two_writers(const int *, int *out)
{
    __shared__ int s_best;
    unsigned i = threadIdx.x;
    if (i % 32 == 0)
        s_best = (int)(i / 32);
    __syncthreads();
    out[i] = s_best;
}

// fault no_barrier_between_levels: shared memory race
//     s_sum[i] += s_sum[i + half];
//     ^
// other
//     s_sum[i] += s_sum[i + half];
//     ^
// sanitizer racecheck hazard
__global__ void no_barrier_between_levels(const int *in, int *out)
{
    __shared__ int s_sum[4 * THREADS];
    unsigned i = threadIdx.x;
    s_sum[i] = in[i];
    __syncthreads();
#pragma unroll 1
    for (unsigned half = 2 * THREADS; half > 0; half /= 2)
        if (i < half)
            s_sum[i] += s_sum[i + half];
    if (i == 0)
        *out = s_sum[0];
}

// The loop has no turn here, and no turn of another loop comes before the first line again.
// fault barrier_only_in_a_loop_of_no_turns: shared memory race
//     s_row[i] = in[i];
//     ^
// other
//     out[i] = s_row[i ^ 32];
//     ^
// says put a __syncthreads() between the two
// sanitizer racecheck hazard
__global__ void barrier_only_in_a_loop_of_no_turns(const int *in, int *out)
{
    __shared__ int s_row[THREADS];
    unsigned i = threadIdx.x;
    s_row[i] = in[i];
#pragma unroll 1
    for (unsigned turn = 0; turn < blockDim.x / 1000; turn++)
        __syncthreads();
    out[i] = s_row[i ^ 32];
}

// fault barrier_only_before_the_loop: shared memory race
//     s_row[i] = mean;
//     ^
// other
//     int mean = (s_row[i] + s_row[(i + 1) & 63]) / 2;
//     ^
// sanitizer none: racecheck knows the last reader only
__global__ void barrier_only_before_the_loop(const int *in, int *out)
{
    __shared__ int s_row[THREADS];
    unsigned i = threadIdx.x;
    s_row[i] = in[i];
#pragma unroll 1
    for (int step = 0; step < 3; step++) {
        __syncthreads();
        int mean = (s_row[i] + s_row[(i + 1) & 63]) / 2;
        s_row[i] = mean;
    }
    __syncthreads();
    out[i] = s_row[i];
}

// fault double_buffer_not_switched: shared memory race
//     sum += s_row[now][63 - i];
//     ^
// other
//     s_row[now][i] = in[(step * THREADS + i) & 63];
//     ^
// sanitizer racecheck hazard
__global__ void double_buffer_not_switched(const int *in, int *out)
{
    __shared__ int s_row[2][THREADS];
    unsigned i = threadIdx.x;
    int sum = 0, now = 0, turn = in[0] & 2;
#pragma unroll 1
    for (int step = 0; step < 4; step++) {
        s_row[now][i] = in[(step * THREADS + i) & 63];
        __syncthreads();
        sum += s_row[now][63 - i];
        now ^= turn;
    }
    out[i] = sum;
}

// fault histogram_without_atomics: shared memory race
//     s_bins[bin]++;
//     ^
// other
//     s_bins[bin]++;
//     ^
// sanitizer racecheck hazard
__global__ void histogram_without_atomics(const int *in, int *out)
{
    __shared__ int s_bins[4];
    unsigned i = threadIdx.x;
    if (i < 4)
        s_bins[i] = 0;
    __syncthreads();
    int bin = (in[i] + (int)i / 8) & 3;
    s_bins[bin]++;
    __syncthreads();
    if (i < 4)
        out[i] = s_bins[i];
}

// fault one_thread_tells_all: shared memory race
//     s_count = in[0] + 5;
//     ^
// by thread (32,0,0) of block (0,0,0)
// other
//     out[i] = (int)i + s_count;
//     ^
// sanitizer racecheck hazard
__global__ void one_thread_tells_all(const int *in, int *out)
{
    __shared__ int s_count;
    unsigned i = threadIdx.x;
    if (i == 32)
        s_count = in[0] + 5;
    out[i] = (int)i + s_count;
}

// fault count_read_too_early: shared memory race
//     *out = s_count;
//     ^
// by thread (63,0,0) of block (0,0,0)
// other
//     atomicAdd(&s_count, in[i] + 1);
//     ^
// says updated at line
// sanitizer none: racecheck leaves atomics out
__global__ void count_read_too_early(const int *in, int *out)
{
    __shared__ int s_count;
    unsigned i = threadIdx.x;
    if (i == 0)
        s_count = 0;
    __syncthreads();
    atomicAdd(&s_count, in[i] + 1);
    if (i == 63)
        *out = s_count;
}

// fault wide_read_of_single_writes: shared memory race
//     float4 four = ((const float4 *)s_row)[i & 15];
//     ^
// other
//     s_row[i] = (float)in[i];
//     ^
// sanitizer racecheck hazard
__global__ void wide_read_of_single_writes(const int *in, int *out)
{
    __shared__ __align__(16) float s_row[THREADS];
    unsigned i = threadIdx.x;
    s_row[i] = 0;
    __syncthreads();
    s_row[i] = (float)in[i];
    float4 four = ((const float4 *)s_row)[i & 15];
    out[i] = (int)(four.x + four.y + four.z + four.w);
}

// fault wrong_named_barrier: shared memory race
//     out[i] = s_row[i - 32];
//     ^
// other
//     s_row[i] = in[i];
//     ^
// sanitizer racecheck Race reported
__global__ void wrong_named_barrier(const int *in, int *out)
{
    __shared__ int s_row[THREADS];
    unsigned i = threadIdx.x;
    if (i < 32) {
        s_row[i] = in[i];
        asm volatile("bar.arrive 1, 64;" ::: "memory");
        asm volatile("bar.sync 2, 32;" ::: "memory");
    } else {
        asm volatile("bar.sync 3, 32;" ::: "memory");
        out[i] = s_row[i - 32];
        asm volatile("bar.sync 1, 64;" ::: "memory");
    }
}

// fault flag_without_fence: shared memory race
//     out[i] = s_data;
//     ^
// other thread (0,0,0)
//     s_data = in[0] + 1;
//     ^
// sanitizer racecheck Race reported
__global__ void flag_without_fence(const int *in, int *out)
{
    __shared__ int s_data;
    __shared__ volatile int s_ready;
    unsigned i = threadIdx.x;
    if (i == 0)
        s_ready = 0;
    __syncthreads();
    if (i == 0) {
        s_data = in[0] + 1;
        s_ready = 1;
    }
    if (i == 32) {
        while (!s_ready)
            ;
        out[i] = s_data;
    }
}

// fault last_warp_sums_too_early: shared memory race
//     int sum = i < 2 ? s_sums[i] : 0;
//     ^
// other
//     s_sums[i / 32] = total;
//     ^
// sanitizer racecheck hazard
__global__ void last_warp_sums_too_early(const int *in, int *out)
{
    __shared__ int s_sums[2];
    unsigned i = threadIdx.x;
    if (i < 2)
        s_sums[i] = 0;
    __syncthreads();
    int total = __reduce_add_sync(0xffffffff, in[i]);
    if (i % 32 == 0)
        s_sums[i / 32] = total;
    int sum = i < 2 ? s_sums[i] : 0;
    out[i] = sum;
}

// fault first_counter_sets_it_up: shared memory race
//     atomicMax(&s_most, in[i]);
//     ^
// by thread (32,0,0) of block (0,0,0)
// other thread (0,0,0)
//     s_most = -1;
//     ^
// says __syncthreads()
// sanitizer none: the atomic of the same thread hides the store from racecheck
__global__ void first_counter_sets_it_up(const int *in, int *out)
{
    __shared__ int s_most;
    unsigned i = threadIdx.x;
    if (i == 0)
        s_most = -1;
    if (i % 32 == 0)
        atomicMax(&s_most, in[i]);
    __syncthreads();
    out[i] = s_most;
}

// fault other_warps_read_what_was_counted: shared memory race
//     out[i] = s_count;
//     ^
// by thread (32,0,0) of block (0,0,0)
// other thread (0,0,0)
//     atomicAdd(&s_count, in[i]);
//     ^
// says __syncthreads()
// sanitizer racecheck hazard
__global__ void other_warps_read_what_was_counted(const int *in, int *out)
{
    __shared__ int s_count;
    unsigned i = threadIdx.x;
    if (i == 0) {
        s_count = 1;
        atomicAdd(&s_count, in[i]);
    }
    __syncwarp();
    out[i] = s_count;
}

static void launch(void (*kernel)(const int *, int *), dim3 block = THREADS)
{
    int in[8 * THREADS], *d_in, *d_out;
    for (int i = 0; i < 8 * THREADS; i++)
        in[i] = 3 * i + 1;
    CHECK(cudaMalloc(&d_in, sizeof in));
    CHECK(cudaMalloc(&d_out, sizeof in));
    CHECK(cudaMemcpy(d_in, in, sizeof in, cudaMemcpyHostToDevice));
    kernel<<<1, block>>>(d_in, d_out);
}

PLANTED(read_before_written)
{
    launch(read_before_written);
}

PLANTED(first_read_before_written)
{
    launch(first_read_before_written);
}

PLANTED(second_barrier_missing)
{
    launch(second_barrier_missing, dim3(TILE, TILE));
}

PLANTED(read_before_many_others)
{
    launch(read_before_many_others);
}

PLANTED(late_reader)
{
    launch(late_reader);
}

PLANTED(two_writers)
{
    launch(two_writers);
}

PLANTED(no_barrier_between_levels)
{
    launch(no_barrier_between_levels, 4 * THREADS);
}

PLANTED(barrier_only_in_a_loop_of_no_turns)
{
    launch(barrier_only_in_a_loop_of_no_turns);
}

PLANTED(barrier_only_before_the_loop)
{
    launch(barrier_only_before_the_loop);
}

PLANTED(double_buffer_not_switched)
{
    launch(double_buffer_not_switched);
}

PLANTED(histogram_without_atomics)
{
    launch(histogram_without_atomics);
}

PLANTED(one_thread_tells_all)
{
    launch(one_thread_tells_all);
}

PLANTED(count_read_too_early)
{
    launch(count_read_too_early);
}

PLANTED(wide_read_of_single_writes)
{
    launch(wide_read_of_single_writes);
}

PLANTED(wrong_named_barrier)
{
    launch(wrong_named_barrier);
}

PLANTED(flag_without_fence)
{
    launch(flag_without_fence);
}

PLANTED(last_warp_sums_too_early)
{
    launch(last_warp_sums_too_early);
}

PLANTED(first_counter_sets_it_up)
{
    launch(first_counter_sets_it_up);
}

PLANTED(other_warps_read_what_was_counted)
{
    launch(other_warps_read_what_was_counted);
}

} // namespace races_between_warps
