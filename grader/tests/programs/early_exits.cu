// early_exits.cu - threads that leave the kernel before a barrier: since Volta nobody waits for
// them, however many of a warp they are and by whichever way they leave. Each kernel runs with a
// block of 256 threads of which n stay, for every n. `make programs` runs the program also built
// with -G, which inlines nothing, and with every check on.
#include "program.h"

#include <vector>

enum { THREADS = 256, ROUNDS = 5, FEWER = 7 };

__global__ void returns(int *out, int n)
{
    __shared__ int s_row[THREADS];
    int i = threadIdx.x;
    if (i >= n)
        return;
    s_row[i] = i;
    __syncthreads();
    out[i] = s_row[n - 1 - i];
}

__global__ void writes_and_returns(int *out, int n)
{
    __shared__ int s_row[THREADS];
    int i = threadIdx.x;
    if (i >= n) {
        out[i] = -5;
        return;
    }
    s_row[i] = i;
    __syncthreads();
    out[i] = s_row[n - 1 - i];
}

__global__ void has_all_in_a_condition(int *out, int n)
{
    __shared__ int s_row[THREADS];
    int i = threadIdx.x;
    if (i < n) {
        s_row[i] = i;
        __syncthreads();
        out[i] = s_row[n - 1 - i];
    }
}

/* Every round some more leave. */
__global__ void returns_from_a_loop(int *out, int n)
{
    __shared__ int s_row[THREADS];
    int i = threadIdx.x;
    for (int round = 0, count = n; round < ROUNDS; round++, count -= FEWER) {
        if (i >= count)
            return;
        s_row[i] = i + round;
        __syncthreads();
        out[i] = s_row[count - 1 - i] - round;
        __syncthreads();
    }
}

/* One thread returns in each round, after it has written something. */
__global__ void returns_in_its_round(int *out, int n)
{
    __shared__ int s_row[THREADS];
    int i = threadIdx.x;
    for (int round = 0; round < n; round++) {
        if (i == n - 1 - round) {
            out[i] = round;
            return;
        }
        s_row[i] = round;
        __syncthreads();
    }
}

/* The same, but the loop asks a variable: the thread walks past the barrier to the loop's end. */
__global__ void says_that_it_leaves(int *out, int n)
{
    __shared__ int s_row[THREADS];
    int i = threadIdx.x;
    bool stays = true;
    for (int round = 0; round < n && stays; round++) {
        s_row[i] = round;
        if (i == n - 1 - round)
            stays = false;
        if (stays)
            __syncthreads();
    }
    if (!stays)
        out[i] = s_row[i];
}

/* Odd threads begin in the middle of the first round; threads leave at the top of any. */
__global__ void begins_in_the_middle(int *out, int n)
{
    __shared__ int s_row[THREADS];
    int i = threadIdx.x, round = 0;
    for (bool begins = i & 1;; begins = false) {
        if (!begins) {
            if (i >= n || round == ROUNDS)
                break;
            s_row[i] = n - 1 - i + round;
        }
        __syncthreads();
        round++;
    }
    if (i < n)
        out[i] = s_row[i] - ROUNDS + 1;
}

/* A loop that threads leave one by one, and the kernel with it; how often is only known there. */
__global__ void loops_while(int *out, int n)
{
    __shared__ int s_left[THREADS];
    int i = threadIdx.x;
    s_left[i] = n - i;
    while (s_left[i] > 0) {
        __syncthreads();
        out[i] = n - i - s_left[i];
        s_left[i] -= 8;
    }
}

__device__ __noinline__ void store_reversed(int *out, int *s_row, int i, int n)
{
    if (i >= n)
        return;
    s_row[i] = i;
    __syncthreads();
    out[i] = s_row[n - 1 - i];
}

__global__ void returns_from_a_function(int *out, int n)
{
    __shared__ int s_row[THREADS];
    store_reversed(out, s_row, threadIdx.x, n);
}

__device__ __noinline__ bool meet(int *s_row, int i, int n)
{
    if (i >= n)
        return false;
    s_row[i] = i;
    __syncthreads();
    return true;
}

__global__ void asks_a_function(int *out, int n)
{
    __shared__ int s_row[THREADS];
    int i = threadIdx.x;
    if (!meet(s_row, i, n))
        return;
    out[i] = s_row[n - 1 - i];
}

__device__ __noinline__ void leave_unless(bool stay)
{
    if (!stay)
        asm volatile("exit;");
}

__global__ void exits_in_a_function(int *out, int n)
{
    __shared__ int s_row[THREADS];
    int i = threadIdx.x;
    leave_unless(i < n);
    s_row[i] = i;
    __syncthreads();
    out[i] = s_row[n - 1 - i];
}

/* A warp counts whole at a named barrier, exited threads or not. */
__global__ void names_a_barrier(int *out, int n)
{
    __shared__ int s_row[THREADS];
    int i = threadIdx.x, whole_warps = (n + 31) / 32 * 32;
    if (i >= n)
        return;
    s_row[i] = i;
    asm volatile("bar.sync 3, %0;" ::"r"(whole_warps) : "memory");
    out[i] = s_row[n - 1 - i];
}

/* Warp 0 waits for the others, which only say that they have come. */
__global__ void arrives(int *out, int n)
{
    __shared__ int s_row[THREADS];
    int i = threadIdx.x, whole_warps = (n + 31) / 32 * 32;
    if (i >= n)
        return;
    s_row[i] = i;
    if (i >= 32) {
        asm volatile("bar.arrive 5, %0;" ::"r"(whole_warps) : "memory");
        return;
    }
    asm volatile("bar.sync 5, %0;" ::"r"(whole_warps) : "memory");
    for (int k = i; k < n; k += 32)
        out[k] = s_row[n - 1 - k];
}

__global__ void votes(int *out, int n)
{
    int i = threadIdx.x;
    if (i >= n)
        return;
    int all = __syncthreads_count(1), every = __syncthreads_and(i < n);
    int any = __syncthreads_or(i >= n);
    out[i] = all == n && every && !any ? n - 1 - i : -1;
}

/* Masks may name threads that have left; only their values are nobody's. */
__global__ void syncs_its_warp(int *out, int n)
{
    __shared__ int s_row[THREADS];
    int i = threadIdx.x, first = i & ~31;
    if (i >= n)
        return;
    s_row[i] = n - 1 - i;
    __syncwarp();
    int last = min(first + 31, n - 1);
    int mirrored = s_row[first + last - i];
    out[i] = __shfl_sync(0xffffffff, mirrored, first + last - i - first);
}

/* Of each warp other threads leave. */
__global__ void thins_its_warps(int *out, int n)
{
    __shared__ int s_row[THREADS];
    int i = threadIdx.x;
    out[i] = n - 1 - i;
    s_row[i] = 0;
    if (i % 32 > n % 32 && i % 32 != i / 32)
        return;
    for (int round = 0; round < 3; round++) {
        s_row[i] = round;
        __syncthreads();
        if (s_row[i / 32 * 33] != round) /* a thread that stays */
            out[i] = -1;
        __syncthreads();
    }
}

typedef void kernel(int *, int);

static const struct {
    const char *name;
    kernel *run;
} KERNELS[] = {
#define KERNEL(name) {#name, name}
    KERNEL(returns), KERNEL(writes_and_returns), KERNEL(has_all_in_a_condition),
    KERNEL(returns_in_its_round), KERNEL(says_that_it_leaves), KERNEL(begins_in_the_middle),
    KERNEL(returns_from_a_loop), KERNEL(loops_while), KERNEL(returns_from_a_function),
    KERNEL(asks_a_function), KERNEL(exits_in_a_function), KERNEL(names_a_barrier),
    KERNEL(arrives), KERNEL(votes), KERNEL(syncs_its_warp), KERNEL(thins_its_warps),
};

/* What the thread i of n that stay has to have written. */
static bool is_right(kernel *run, int value, int i, int n)
{
    if (run == returns_from_a_loop)
        for (int round = 1; round < ROUNDS && i < n - FEWER; round++)
            n -= FEWER;
    if (run == loops_while)
        return value == (n - i - 1) / 8 * 8;
    return value == n - 1 - i;
}

int main()
{
    int *d_out;
    std::vector<int> h_out(THREADS);
    CHECK(cudaMalloc(&d_out, THREADS * sizeof(int)));
    for (const auto &kernel : KERNELS)
        for (int n = 1; n <= THREADS; n++) {
            CHECK(cudaMemset(d_out, 0xFF, THREADS * sizeof(int)));
            kernel.run<<<1, THREADS>>>(d_out, n);
            CHECK(cudaMemcpy(h_out.data(), d_out, THREADS * sizeof(int), cudaMemcpyDeviceToHost));
            for (int i = 0; i < n; i++)
                if (!is_right(kernel.run, h_out[i], i, n)) {
                    printf("%s: thread %d of %d wrote %d\n", kernel.name, i, n, h_out[i]);
                    return 1;
                }
        }
    printf("all is as it should be\n");
    return 0;
}
