// copies.cu - cp.async copies that are waited for, and barriers that only some warps meet at.
//
// racecheck reports producer_and_consumer_in_a_loop: it knows no bar.arrive behind a read.
// synccheck reports the_same_barrier_from_two_places, as if it were a __syncthreads().
#include "correct.h"

#include <cooperative_groups.h>
#include <cooperative_groups/memcpy_async.h>
#include <cuda_awbarrier_primitives.h>
#include <cuda_pipeline.h>

namespace copies {

enum { THREADS = 64, STEPS = 6 };

typedef void kernel(const int *in, int *out, int count);

static ints run(kernel *launch, const ints &in, size_t out_count, dim3 block = THREADS,
                unsigned grid = 1)
{
    device_ints d_in(in), d_out(out_count);
    CHECK(cudaMemset(d_out, 0, out_count * sizeof(int)));
    launch<<<grid, block>>>(d_in, d_out, (int)in.size());
    return d_out.values();
}

__global__ void copied_and_waited_for(const int *in, int *out, int)
{
    __shared__ int s_row[THREADS];
    unsigned i = threadIdx.x;
    __pipeline_memcpy_async(&s_row[i], &in[i], sizeof(int));
    __pipeline_commit();
    __pipeline_wait_prior(0);
    __syncthreads();
    out[i] = s_row[i ^ 32];
}

CORRECT(copied_and_waited_for)
{
    ints in = numbers(THREADS);
    return run(copied_and_waited_for, in, THREADS) ==
           made_of(THREADS, [&](int i) { return in[i ^ 32]; });
}

__global__ void own_copy_needs_no_barrier(const int *in, int *out, int)
{
    __shared__ int s_row[THREADS];
    unsigned i = threadIdx.x;
    __pipeline_memcpy_async(&s_row[i], &in[i], sizeof(int));
    __pipeline_commit();
    int other = in[i ^ 1];
    __pipeline_wait_prior(0);
    out[i] = s_row[i] + other;
}

CORRECT(own_copy_needs_no_barrier)
{
    ints in = numbers(THREADS);
    return run(own_copy_needs_no_barrier, in, THREADS) ==
           made_of(THREADS, [&](int i) { return in[i] + in[i ^ 1]; });
}

__global__ void two_stages(const int *in, int *out, int)
{
    __shared__ int s_row[2][THREADS];
    unsigned i = threadIdx.x;
    int sum = 0;
    __pipeline_memcpy_async(&s_row[0][i], &in[i], sizeof(int));
    __pipeline_commit();
    for (int step = 0; step < STEPS; step++) {
        if (step + 1 < STEPS)
            __pipeline_memcpy_async(&s_row[(step + 1) & 1][i], &in[(step + 1) * THREADS + i],
                                    sizeof(int));
        __pipeline_commit();
        __pipeline_wait_prior(1);
        __syncthreads();
        sum += s_row[step & 1][THREADS - 1 - i];
        __syncthreads();
    }
    out[i] = sum;
}

static ints sum_of_steps(const ints &in)
{
    return made_of(THREADS, [&](int i) {
        int sum = 0;
        for (int step = 0; step < STEPS; step++)
            sum += in[step * THREADS + THREADS - 1 - i];
        return sum;
    });
}

CORRECT(two_stages)
{
    ints in = numbers(STEPS * THREADS);
    return run(two_stages, in, THREADS) == sum_of_steps(in);
}

/* The stage that is filled was read two steps ago, so one barrier a step is enough. */
__global__ void three_stages_one_barrier(const int *in, int *out, int)
{
    __shared__ int s_row[3][THREADS];
    unsigned i = threadIdx.x;
    int sum = 0;
    for (int step = 0; step < 2; step++) {
        __pipeline_memcpy_async(&s_row[step][i], &in[step * THREADS + i], sizeof(int));
        __pipeline_commit();
    }
    for (int step = 0; step < STEPS; step++) {
        __pipeline_wait_prior(1);
        __syncthreads();
        if (step + 2 < STEPS)
            __pipeline_memcpy_async(&s_row[(step + 2) % 3][i], &in[(step + 2) * THREADS + i],
                                    sizeof(int));
        __pipeline_commit();
        sum += s_row[step % 3][THREADS - 1 - i];
    }
    out[i] = sum;
}

CORRECT(three_stages_one_barrier)
{
    ints in = numbers(STEPS * THREADS);
    return run(three_stages_one_barrier, in, THREADS) == sum_of_steps(in);
}

/* More copies than a warp begins with room for, of which some are always under way. */
__global__ void many_groups_in_turn(const int *in, int *out, int)
{
    enum { EACH = 9, ROUNDS = 20, AHEAD = 2 };
    __shared__ int s_rows[AHEAD + 1][EACH][THREADS];
    unsigned i = threadIdx.x;
    int sum = 0;
    for (int round = 0; round < ROUNDS + AHEAD; round++) {
        for (int row = 0; row < EACH && round < ROUNDS; row++)
            __pipeline_memcpy_async(&s_rows[round % (AHEAD + 1)][row][i],
                                    &in[(round * EACH + row) * THREADS + i], sizeof(int));
        __pipeline_commit();
        __pipeline_wait_prior(AHEAD);
        for (int row = 0; row < EACH && round >= AHEAD; row++)
            sum = 3 * sum + s_rows[(round - AHEAD) % (AHEAD + 1)][row][i];
    }
    out[i] = sum;
}

CORRECT(many_groups_in_turn)
{
    enum { ROWS = 9 * 20 };
    ints in = numbers(ROWS * THREADS);
    return run(many_groups_in_turn, in, THREADS) == made_of(THREADS, [&](int i) {
               unsigned sum = 0;
               for (int row = 0; row < ROWS; row++)
                   sum = 3 * sum + (unsigned)in[row * THREADS + i];
               return (int)sum;
           });
}

__global__ void sixteen_bytes_at_a_time(const int *in, int *out, int)
{
    __shared__ int4 s_row[THREADS];
    unsigned i = threadIdx.x;
    __pipeline_memcpy_async(&s_row[i], (const int4 *)in + i, sizeof(int4));
    __pipeline_commit();
    __pipeline_wait_prior(0);
    __syncthreads();
    out[i] = ((int *)s_row)[4 * THREADS - 1 - i];
}

CORRECT(sixteen_bytes_at_a_time)
{
    ints in = numbers(4 * THREADS);
    return run(sixteen_bytes_at_a_time, in, THREADS) ==
           made_of(THREADS, [&](int i) { return in[4 * THREADS - 1 - i]; });
}

__global__ void the_end_is_filled_with_zeros(const int *in, int *out, int count)
{
    __shared__ int s_row[THREADS];
    unsigned i = threadIdx.x;
    bool has = (int)i < count;
    __pipeline_memcpy_async(&s_row[i], has ? &in[i] : in, sizeof(int), has ? 0 : sizeof(int));
    __pipeline_commit();
    __pipeline_wait_prior(0);
    __syncthreads();
    out[i] = s_row[THREADS - 1 - i];
}

CORRECT(the_end_is_filled_with_zeros)
{
    ints in = numbers(50);
    return run(the_end_is_filled_with_zeros, in, THREADS) ==
           made_of(THREADS, [&](int i) { return THREADS - 1 - i < 50 ? in[THREADS - 1 - i] : 0; });
}

__global__ void waits_for_all_at_once(const int *in, int *out, int)
{
    __shared__ int s_row[4][THREADS];
    unsigned i = threadIdx.x, to = (unsigned)__cvta_generic_to_shared(&s_row[0][i]);
    for (unsigned k = 0; k < 4; k++)
        asm volatile("cp.async.ca.shared.global [%0], [%1], 4;" ::"r"(to + 4 * THREADS * k),
                     "l"(in + THREADS * k + i));
    asm volatile("cp.async.wait_all;" ::: "memory");
    __syncthreads();
    out[i] = s_row[0][i ^ 5] + s_row[3][i ^ 33];
}

CORRECT(waits_for_all_at_once)
{
    ints in = numbers(4 * THREADS);
    return run(waits_for_all_at_once, in, THREADS) ==
           made_of(THREADS, [&](int i) { return in[i ^ 5] + in[3 * THREADS + (i ^ 33)]; });
}

__global__ void one_warp_copies_for_all(const int *in, int *out, int)
{
    __shared__ int s_row[THREADS];
    unsigned i = threadIdx.x;
    if (i < 32) {
        __pipeline_memcpy_async(&s_row[i], &in[i], sizeof(int));
        __pipeline_memcpy_async(&s_row[i + 32], &in[i + 32], sizeof(int));
        __pipeline_commit();
        __pipeline_wait_prior(0);
    }
    __syncthreads();
    out[i] = s_row[i ^ 7];
}

CORRECT(one_warp_copies_for_all)
{
    ints in = numbers(THREADS);
    return run(one_warp_copies_for_all, in, THREADS) ==
           made_of(THREADS, [&](int i) { return in[i ^ 7]; });
}

__global__ void copies_within_a_warp(const int *in, int *out, int)
{
    __shared__ int s_row[THREADS];
    unsigned i = threadIdx.x;
    __pipeline_memcpy_async(&s_row[i], &in[i], sizeof(int));
    __pipeline_commit();
    __pipeline_wait_prior(0);
    __syncwarp();
    out[i] = s_row[i ^ 31];
}

CORRECT(copies_within_a_warp)
{
    ints in = numbers(THREADS);
    return run(copies_within_a_warp, in, THREADS) ==
           made_of(THREADS, [&](int i) { return in[i ^ 31]; });
}

/* Each warp has a ring of its own, four stages deep, and never meets another warp. */
__global__ void a_ring_for_each_warp(const int *in, int *out, int count)
{
    enum { STAGES = 4, LANES = 32 };
    __shared__ int s_ring[THREADS / LANES][STAGES][LANES];
    int warp = threadIdx.x / LANES, lane = threadIdx.x % LANES, step = THREADS, asked = 0;
    int first = warp * LANES + lane;
    for (; asked < STAGES - 1; asked++) {
        if (first + asked * step < count)
            __pipeline_memcpy_async(&s_ring[warp][asked][lane], &in[first + asked * step],
                                    sizeof(int));
        __pipeline_commit();
    }
    for (int turn = 0; first + turn * step < count; turn++, asked++) {
        __pipeline_wait_prior(STAGES - 2);
        __syncwarp(); // all lanes' words are there, and all have read the stage before
        if (first + asked * step < count)
            __pipeline_memcpy_async(&s_ring[warp][asked % STAGES][lane],
                                    &in[first + asked * step], sizeof(int));
        __pipeline_commit();
        out[first + turn * step] = s_ring[warp][turn % STAGES][LANES - 1 - lane];
    }
}

CORRECT(a_ring_for_each_warp)
{
    ints in = numbers(THREADS * STEPS);
    return run(a_ring_for_each_warp, in, in.size()) ==
           made_of(in.size(), [&](int i) { return in[i / 32 * 32 + 31 - i % 32]; });
}

/* Nobody reads what was copied last: it need not be waited for. */
__global__ void the_last_copy_is_not_needed(const int *in, int *out, int)
{
    __shared__ int s_row[2][THREADS];
    unsigned i = threadIdx.x;
    __pipeline_memcpy_async(&s_row[0][i], &in[i], sizeof(int));
    __pipeline_commit();
    __pipeline_memcpy_async(&s_row[1][i], &in[i], sizeof(int));
    __pipeline_commit();
    __pipeline_wait_prior(1);
    __syncthreads();
    out[i] = s_row[0][i ^ 1];
}

CORRECT(the_last_copy_is_not_needed)
{
    ints in = numbers(THREADS);
    return run(the_last_copy_is_not_needed, in, THREADS, THREADS, 2) ==
           made_of(THREADS, [&](int i) { return in[i ^ 1]; });
}

__global__ void a_group_copies_together(const int *in, int *out, int)
{
    namespace cg = cooperative_groups;
    __shared__ __align__(16) int s_row[4 * THREADS];
    cg::thread_block block = cg::this_thread_block();
    cg::memcpy_async(block, s_row, in, sizeof s_row);
    cg::wait(block);
    unsigned i = threadIdx.x;
    out[i] = s_row[4 * THREADS - 1 - i];
}

CORRECT(a_group_copies_together)
{
    ints in = numbers(4 * THREADS);
    return run(a_group_copies_together, in, THREADS) ==
           made_of(THREADS, [&](int i) { return in[4 * THREADS - 1 - i]; });
}

/* --- Barriers by number ----------------------------------------------------------------------- */

__device__ void meet(int id, int threads)
{
    asm volatile("bar.sync %0, %1;" ::"r"(id), "r"(threads) : "memory");
}

__device__ void arrive(int id, int threads)
{
    asm volatile("bar.arrive %0, %1;" ::"r"(id), "r"(threads) : "memory");
}

__global__ void producer_and_consumer(const int *in, int *out, int)
{
    __shared__ int s_row[32];
    unsigned i = threadIdx.x;
    if (i < 32) {
        s_row[i] = in[i];
        arrive(1, 64);
    } else {
        meet(1, 64);
        out[i - 32] = s_row[63 - i];
    }
}

CORRECT(producer_and_consumer)
{
    ints in = numbers(32);
    return run(producer_and_consumer, in, 32) == made_of(32, [&](int i) { return in[31 - i]; });
}

/* Barrier 1: the row is full; barrier 2: it is empty again. */
__global__ void producer_and_consumer_in_a_loop(const int *in, int *out, int)
{
    __shared__ int s_row[32];
    unsigned lane = threadIdx.x % 32;
    int sum = 0;
    for (int step = 0; step < STEPS; step++)
        if (threadIdx.x < 32) {
            if (step > 0)
                meet(2, 64);
            s_row[lane] = in[32 * step + lane];
            arrive(1, 64);
        } else {
            meet(1, 64);
            sum += s_row[31 - lane];
            if (step + 1 < STEPS)
                arrive(2, 64);
        }
    if (threadIdx.x >= 32)
        out[lane] = sum;
}

CORRECT(producer_and_consumer_in_a_loop)
{
    ints in = numbers(32 * STEPS);
    return run(producer_and_consumer_in_a_loop, in, 32) == made_of(32, [&](int i) {
               int sum = 0;
               for (int step = 0; step < STEPS; step++)
                   sum += in[32 * step + 31 - i];
               return sum;
           });
}

__global__ void two_rows_in_flight(const int *in, int *out, int)
{
    __shared__ int s_row[2][32];
    unsigned lane = threadIdx.x % 32;
    int sum = 0;
    for (int step = 0; step < STEPS; step++) {
        int row = step & 1;
        if (threadIdx.x < 32) {
            if (step > 1)
                meet(3 + row, 64);
            s_row[row][lane] = in[32 * step + lane];
            arrive(1 + row, 64);
        } else {
            meet(1 + row, 64);
            sum += s_row[row][31 - lane];
            if (step + 2 < STEPS)
                arrive(3 + row, 64);
        }
    }
    if (threadIdx.x >= 32)
        out[lane] = sum;
}

CORRECT(two_rows_in_flight)
{
    ints in = numbers(32 * STEPS);
    return run(two_rows_in_flight, in, 32) == made_of(32, [&](int i) {
               int sum = 0;
               for (int step = 0; step < STEPS; step++)
                   sum += in[32 * step + 31 - i];
               return sum;
           });
}

__global__ void halves_of_a_block_by_themselves(const int *in, int *out, int)
{
    __shared__ int s_row[4 * 32];
    unsigned i = threadIdx.x, half = i / 64;
    s_row[i] = in[i];
    for (unsigned step = 0; step < 2 + half; step++) { // each half as often as it likes
        meet(1 + half, 64);
        int next = s_row[half * 64 + (i + 33) % 64];
        meet(1 + half, 64);
        s_row[i] = next;
    }
    out[i] = s_row[i];
}

CORRECT(halves_of_a_block_by_themselves)
{
    ints in = numbers(128);
    return run(halves_of_a_block_by_themselves, in, 128, 128) == made_of(128, [&](int i) {
               int half = i / 64;
               return in[half * 64 + (i + 33 * (2 + half)) % 64];
           });
}

/* The second barrier of all hands on what was passed by the first of some. */
__global__ void named_and_then_all(const int *in, int *out, int)
{
    __shared__ int s_row[96];
    unsigned i = threadIdx.x;
    s_row[i] = in[i];
    int near = 0;
    if (i < 64) {
        meet(1, 64);
        near = s_row[63 - i];
    }
    __syncthreads();
    out[i] = near + s_row[95 - i];
}

CORRECT(named_and_then_all)
{
    ints in = numbers(96);
    return run(named_and_then_all, in, 96, 96) ==
           made_of(96, [&](int i) { return (i < 64 ? in[63 - i] : 0) + in[95 - i]; });
}

/* Warp 0 tells warp 1, warp 1 tells warp 2: what warp 0 wrote is then known to warp 2. */
__global__ void passed_on_through_a_third(const int *in, int *out, int)
{
    __shared__ int s_row[32];
    unsigned warp = threadIdx.x / 32, lane = threadIdx.x % 32;
    if (warp == 0) {
        s_row[lane] = in[lane];
        arrive(1, 64);
    } else if (warp == 1) {
        meet(1, 64);
        arrive(2, 64);
    } else {
        meet(2, 64);
        out[lane] = s_row[31 - lane];
    }
}

CORRECT(passed_on_through_a_third)
{
    ints in = numbers(32);
    return run(passed_on_through_a_third, in, 32, 96) ==
           made_of(32, [&](int i) { return in[31 - i]; });
}

__global__ void the_same_barrier_from_two_places(const int *in, int *out, int)
{
    __shared__ int s_row[64];
    unsigned i = threadIdx.x;
    if (i < 32) {
        s_row[i] = in[i] + 1;
        meet(1, 64);
    } else {
        s_row[i] = in[i] - 1;
        meet(1, 64);
    }
    out[i] = s_row[i ^ 32];
}

CORRECT(the_same_barrier_from_two_places)
{
    ints in = numbers(64);
    return run(the_same_barrier_from_two_places, in, 64) ==
           made_of(64, [&](int i) { return in[i ^ 32] + (i < 32 ? -1 : 1); });
}

/* An arrival of copies hands on all that its thread did before it: its own store, too. */
__global__ void stored_before_copies_arrive(const int *in, int *out, int count)
{
    __shared__ __mbarrier_t s_copied, s_read;
    __shared__ int s_row[32], s_own[32];
    unsigned i = threadIdx.x, lane = i % 32;
    if (i == 0) {
        __mbarrier_init(&s_copied, THREADS);
        __mbarrier_init(&s_read, THREADS);
    }
    __syncthreads();
    for (int first = 0; first < count; first += 32)
        if (i < 32) {
            s_own[i] = first + (int)i;
            __pipeline_memcpy_async(&s_row[i], &in[first + (int)i], sizeof(int));
            asm volatile("cp.async.mbarrier.arrive.noinc.shared.b64 [%0];"
                         ::"r"((unsigned)__cvta_generic_to_shared(&s_copied)) : "memory");
            __mbarrier_token_t token = __mbarrier_arrive(&s_read);
            while (!__mbarrier_test_wait(&s_read, token))
                ;
        } else {
            __mbarrier_token_t token = __mbarrier_arrive(&s_copied);
            while (!__mbarrier_test_wait(&s_copied, token))
                ;
            out[first + (int)lane] = s_row[31 - lane] + s_own[lane ^ 1];
            __mbarrier_arrive(&s_read);
        }
}

CORRECT(stored_before_copies_arrive)
{
    ints in = numbers(4 * 32);
    return run(stored_before_copies_arrive, in, in.size()) == made_of(4 * 32, [&](int i) {
               return in[i / 32 * 32 + 31 - i % 32] + (i ^ 1);
           });
}

} // namespace copies
