// waits.cu - blocks that wait for each other, by whatever they find in global memory or on the
// clock. waits.sh has the simulated device run it with one thread and with several: what it counts
// must be the same each time.
#include "program.h"

#include <cooperative_groups.h>
#include <vector>

namespace cg = cooperative_groups;
enum { BLOCKS = 160, THREADS = 128, ALL = BLOCKS * THREADS, ROUNDS = 4, LOCKERS = 1024 };
static const long long TICKS = 30000000; // of clock(), too

typedef std::vector<int> ints;

static ints values_of(const int *d_values, size_t count)
{
    ints h_values(count);
    CHECK(cudaGetLastError());
    CHECK(cudaMemcpy(h_values.data(), d_values, count * sizeof(int), cudaMemcpyDeviceToHost));
    return h_values;
}

static int *zeros(size_t count)
{
    int *d_values;
    CHECK(cudaMalloc(&d_values, count * sizeof(int)));
    CHECK(cudaMemset(d_values, 0, count * sizeof(int)));
    return d_values;
}

/* --- A barrier of the grid ------------------------------------------------------------------- */

/* In a debug build of CUDA 13.0 an H200 lets the last lane of the warp that waits for the other
 * blocks pass by a later barrier, unless that warp's lanes are together before and after it. */
static __device__ void sync(const cg::grid_group &grid)
{
    __syncwarp();
    grid.sync();
    __syncwarp();
}

__global__ void pass_on(int *from, int *to)
{
    cg::grid_group grid = cg::this_grid();
    unsigned i = grid.thread_rank(), count = grid.size();
    from[i] = (int)i;
    for (int round = 0; round < ROUNDS; round++) {
        sync(grid);
        to[i] = from[(i + THREADS + 1) % count];
        sync(grid);
        from[i] = to[i];
    }
}

static void grid_barrier()
{
    int *d_from = zeros(ALL), *d_to = zeros(ALL);
    void *arguments[] = {&d_from, &d_to};
    CHECK(cudaLaunchCooperativeKernel((void *)pass_on, BLOCKS, THREADS, arguments, 0, 0));
    ints values = values_of(d_from, ALL);
    for (int i = 0; i < ALL; i++)
        EXPECT(values[i] == (i + ROUNDS * (THREADS + 1)) % ALL);
}

/* --- Flags ----------------------------------------------------------------------------------- */

/* Each block waits for the next one, which starts later; step -1: for the one before. */
__global__ void wait_for_a_neighbour(volatile int *ready, int step, int pause, int *out)
{
    int neighbour = (int)blockIdx.x + step;
    if (threadIdx.x == 0 && neighbour >= 0 && neighbour < (int)gridDim.x) {
        unsigned ns = 8;
        while (ready[neighbour] == 0)
            if (pause) {
                __nanosleep(ns);
                ns = ns < 256 ? 2 * ns : ns;
            }
    }
    __syncthreads();
    out[blockIdx.x * blockDim.x + threadIdx.x] = (int)blockIdx.x;
    __syncthreads();
    if (threadIdx.x == 0) {
        __threadfence();
        ready[blockIdx.x] = 1;
    }
}

static void flags()
{
    for (int step = -1; step <= 1; step += 2)
        for (int pause = 0; pause < 2; pause++) {
            int *d_ready = zeros(BLOCKS), *d_out = zeros(ALL);
            wait_for_a_neighbour<<<BLOCKS, THREADS>>>(d_ready, step, pause, d_out);
            ints values = values_of(d_out, ALL);
            for (int i = 0; i < ALL; i++)
                EXPECT(values[i] == i / THREADS);
        }
}

/* --- Locks ----------------------------------------------------------------------------------- */

__global__ void add_under_a_lock(int *lock, volatile int *sum, int every)
{
    if (threadIdx.x % every != 0)
        return;
    while (atomicCAS(lock, 0, 1) != 0)
        ;
    __threadfence();
    *sum = *sum + 1;
    __threadfence();
    atomicExch(lock, 0);
}

/* Every lane takes the lock, also while others of its warp wait for it. */
static void locks()
{
    int *d_cells = zeros(4);
    add_under_a_lock<<<BLOCKS, THREADS>>>(d_cells, d_cells + 1, 32);
    add_under_a_lock<<<LOCKERS / THREADS, THREADS>>>(d_cells + 2, d_cells + 3, 1);
    ints cells = values_of(d_cells, 4);
    EXPECT(cells[0] == 0 && cells[1] == ALL / 32 && cells[2] == 0 && cells[3] == LOCKERS);
}

/* --- The block that is last ------------------------------------------------------------------ */

__global__ void sum_up(const int *in, int *sums, unsigned *done, int *out)
{
    __shared__ int s_sum;
    __shared__ bool s_last;
    if (threadIdx.x == 0)
        s_sum = 0;
    __syncthreads();
    atomicAdd(&s_sum, in[blockIdx.x * THREADS + threadIdx.x]);
    __syncthreads();
    if (threadIdx.x == 0) {
        sums[blockIdx.x] = s_sum;
        __threadfence();
        s_last = atomicInc(done, gridDim.x) == gridDim.x - 1;
        s_sum = 0;
    }
    __syncthreads();
    if (!s_last)
        return;
    for (unsigned b = threadIdx.x; b < gridDim.x; b += THREADS)
        atomicAdd(&s_sum, ((volatile int *)sums)[b]);
    __syncthreads();
    if (threadIdx.x == 0)
        *out = s_sum;
}

static void last_block()
{
    int *d_in = zeros(ALL), *d_sums = zeros(BLOCKS), *d_out = zeros(1);
    ints h_in(ALL);
    for (int i = 0; i < ALL; i++)
        h_in[i] = i % 7;
    CHECK(cudaMemcpy(d_in, h_in.data(), ALL * sizeof(int), cudaMemcpyHostToDevice));
    sum_up<<<BLOCKS, THREADS>>>(d_in, d_sums, (unsigned *)zeros(1), d_out);
    int expected = 0;
    for (int value : h_in)
        expected += value;
    EXPECT(values_of(d_out, 1)[0] == expected);
}

/* --- The clock ------------------------------------------------------------------------------- */

__global__ void wait_for_the_clock(long long ticks, int *waited)
{
    long long start = clock64(), passed = 0;
    while (passed < ticks)
        passed = clock64() - start;
    clock_t start_32 = clock();
    while (clock() - start_32 < (clock_t)ticks)
        ;
    waited[blockIdx.x] = clock64() - start >= 2 * ticks;
}

/* Waits for what never comes, but not for ever. */
__global__ void give_up(volatile int *flag, long long ticks, int *gave_up)
{
    long long start = clock64();
    while (*flag == 0)
        if (clock64() - start > ticks) {
            *gave_up = 1;
            return;
        }
}

static void clocks()
{
    int *d_waited = zeros(8), *d_flag = zeros(2);
    wait_for_the_clock<<<8, 32>>>(TICKS, d_waited);
    give_up<<<1, 1>>>(d_flag, TICKS, d_flag + 1);
    for (int waited : values_of(d_waited, 8))
        EXPECT(waited);
    EXPECT(values_of(d_flag, 2)[1] == 1);
}

int main()
{
    grid_barrier();
    flags();
    locks();
    last_block();
    clocks();
    printf("all is as it should be\n");
    return 0;
}
