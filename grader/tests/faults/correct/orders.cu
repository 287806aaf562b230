// orders.cu - global memory that blocks share in an order of their own making.
#include "correct.h"

#include <cooperative_groups.h>
#include <cuda/atomic>

namespace orders {

namespace cg = cooperative_groups;
enum { THREADS = 64, BLOCKS = 5, COUNT = THREADS * BLOCKS };

struct memory {
    ints in = numbers(COUNT);
    device_ints numbers_, out, other;
    device_array<unsigned> count;
    memory()
        : numbers_(in), out(ints(COUNT, 0)), other(ints(COUNT, 0)),
          count(std::vector<unsigned>(COUNT))
    {
    }
};

typedef void kernel(const int *in, int *out, int *other, unsigned *count);

static ints run(kernel *launch, memory &m, unsigned blocks = BLOCKS, unsigned threads = THREADS)
{
    launch<<<blocks, threads>>>(m.numbers_, m.out, m.other, m.count);
    return m.out.values();
}

static ints run_together(kernel *launch, memory &m)
{
    const int *in = m.numbers_;
    int *out = m.out, *other = m.other;
    unsigned *count = m.count;
    void *arguments[4] = {&in, &out, &other, &count};
    CHECK(cudaLaunchCooperativeKernel((const void *)launch, BLOCKS, THREADS, arguments, 0, 0));
    return m.out.values();
}

/* Every thread fences, and the barrier lets the first one tell. The sums are read plainly. */
__global__ void every_thread_fences(const int *in, int *out, int *other, unsigned *count)
{
    __shared__ bool s_last;
    unsigned i = blockIdx.x * THREADS + threadIdx.x;
    other[i] = 2 * in[i];
    __threadfence();
    __syncthreads();
    if (threadIdx.x == 0)
        s_last = atomicInc(count, gridDim.x) == gridDim.x - 1;
    __syncthreads();
    for (unsigned k = threadIdx.x; s_last && k < COUNT; k += THREADS)
        out[k] = other[k] + 1;
}

CORRECT(every_thread_fences)
{
    memory m;
    return run(every_thread_fences, m) == made_of(COUNT, [&](int i) { return 2 * m.in[i] + 1; });
}

/* The barrier comes first: the fence of one thread is for all that its block has done. */
__global__ void one_fence_behind_the_barrier(const int *in, int *out, int *other, unsigned *count)
{
    __shared__ unsigned s_turn;
    unsigned i = blockIdx.x * THREADS + threadIdx.x;
    other[i] = 3 * in[i];
    __syncthreads();
    if (threadIdx.x == 0) {
        __threadfence();
        s_turn = atomicAdd(count, 1u);
        __threadfence();
    }
    __syncthreads();
    if (s_turn < gridDim.x - 1)
        return;
    for (unsigned k = threadIdx.x; k < COUNT; k += THREADS)
        out[k] = other[k];
    if (threadIdx.x == 0)
        *count = 0; /* for the next launch */
}

CORRECT(one_fence_behind_the_barrier)
{
    memory m;
    run(one_fence_behind_the_barrier, m);
    return run(one_fence_behind_the_barrier, m) ==
               made_of(COUNT, [&](int i) { return 3 * m.in[i]; }) &&
           m.count.values()[0] == 0;
}

enum { EMPTY, OWN, ALL };

/* A decoupled look-back: status and value apart, ordered by fences. */
__global__ void look_back_at_sums(const int *in, int *out, int *other, unsigned *count)
{
    volatile unsigned *status = count;
    volatile int *own = other, *all = other + 32;
    __shared__ int s_before;
    unsigned b = blockIdx.x, i = b * THREADS + threadIdx.x;
    if (threadIdx.x == 0) {
        int sum = 0, before = 0;
        for (int k = 0; k < THREADS; k++)
            sum += in[b * THREADS + k];
        own[b] = sum;
        __threadfence();
        status[b] = OWN;
        for (int look = (int)b - 1; look >= 0; look--) {
            unsigned seen;
            while ((seen = status[look]) == EMPTY)
                ;
            __threadfence();
            before += seen == ALL ? all[look] : own[look];
            if (seen == ALL)
                break;
        }
        all[b] = before + sum;
        __threadfence();
        status[b] = ALL;
        s_before = before;
    }
    __syncthreads();
    out[i] = s_before + in[i];
}

static bool is_sum_before(const memory &m, const ints &out)
{
    return out == made_of(COUNT, [&](int i) {
               int sum = m.in[i];
               for (int k = 0; k < i / THREADS * THREADS; k++)
                   sum += m.in[k];
               return sum;
           });
}

CORRECT(look_back_at_sums)
{
    memory m;
    return is_sum_before(m, run(look_back_at_sums, m));
}

/* Status and value in one word need no fence. */
__global__ void look_back_at_one_word(const int *in, int *out, int *other, unsigned *)
{
    volatile unsigned long long *words = (unsigned long long *)other;
    __shared__ int s_before;
    unsigned b = blockIdx.x, i = b * THREADS + threadIdx.x;
    if (threadIdx.x == 0) {
        unsigned long long seen = 0;
        int sum = 0;
        for (int k = 0; k < THREADS; k++)
            sum += in[b * THREADS + k];
        while (b > 0 && !((seen = words[b - 1]) >> 32))
            ;
        s_before = (int)(unsigned)seen;
        words[b] = (unsigned long long)ALL << 32 | (unsigned)(s_before + sum);
    }
    __syncthreads();
    out[i] = s_before + in[i];
}

CORRECT(look_back_at_one_word)
{
    memory m;
    return is_sum_before(m, run(look_back_at_one_word, m));
}

/* What is handed from block to block is plain; a block reads it behind the acquire of another. */
__global__ void plain_sums_behind_an_acquire(const int *in, int *out, int *other, unsigned *count)
{
    __shared__ int s_before;
    unsigned b = blockIdx.x, i = b * THREADS + threadIdx.x;
    cuda::atomic_ref<unsigned, cuda::thread_scope_device> ready(count[b]);
    if (threadIdx.x == 0 && b > 0) {
        cuda::atomic_ref<unsigned, cuda::thread_scope_device> before(count[b - 1]);
        while (before.load(cuda::memory_order_acquire) == 0)
            ;
    }
    __syncthreads();
    if (threadIdx.x == 33) {
        int sum = 0;
        for (int k = 0; k < THREADS; k++)
            sum += in[b * THREADS + k];
        s_before = b > 0 ? other[b - 1] : 0;
        other[b] = s_before + sum;
    }
    __syncthreads();
    if (threadIdx.x == 0)
        ready.store(1, cuda::memory_order_release);
    out[i] = s_before + in[i];
}

CORRECT(plain_sums_behind_an_acquire)
{
    memory m;
    return is_sum_before(m, run(plain_sums_behind_an_acquire, m));
}

/* The flag by the instructions themselves. */
__global__ void release_and_acquire_in_ptx(const int *in, int *out, int *other, unsigned *count)
{
    unsigned flag = 0;
    if (blockIdx.x == 0) {
        other[threadIdx.x] = in[threadIdx.x] + 5;
        __syncthreads();
        if (threadIdx.x == 0)
            asm volatile("st.release.gpu.global.u32 [%0], 1;" ::"l"(count) : "memory");
        return;
    }
    if (threadIdx.x == 0)
        while (!flag)
            asm volatile("ld.acquire.gpu.global.u32 %0, [%1];"
                         : "=r"(flag)
                         : "l"(count)
                         : "memory");
    __syncthreads();
    out[(blockIdx.x - 1) * THREADS + threadIdx.x] = other[threadIdx.x];
}

CORRECT(release_and_acquire_in_ptx)
{
    memory m;
    return run(release_and_acquire_in_ptx, m) ==
           made_of(COUNT, [&](int i) {
               return i < COUNT - THREADS ? m.in[i % THREADS] + 5 : 0;
           });
}

/* A reduction that releases, as cuda::atomic counts. */
__global__ void a_count_that_releases(const int *in, int *out, int *other, unsigned *count)
{
    unsigned i = blockIdx.x * THREADS + threadIdx.x;
    cuda::atomic_ref<unsigned, cuda::thread_scope_device> arrived(*count);
    other[i] = in[i] + 6;
    arrived.fetch_add(1, cuda::memory_order_release);
    while (arrived.load(cuda::memory_order_acquire) < COUNT)
        ;
    out[i] = other[(i + THREADS) % COUNT];
}

CORRECT(a_count_that_releases)
{
    memory m;
    return run(a_count_that_releases, m) ==
           made_of(COUNT, [&](int i) { return m.in[(i + THREADS) % COUNT] + 6; });
}

/* --- Locks ------------------------------------------------------------------------------------ */

__global__ void plain_data_behind_a_lock(const int *in, int *out, int *, unsigned *lock)
{
    if (threadIdx.x % 32)
        return;
    while (atomicCAS(lock, 0u, 1u) != 0)
        ;
    __threadfence();
    out[0] = out[0] + in[blockIdx.x];
    out[1]++;
    __threadfence();
    atomicExch(lock, 0u);
}

CORRECT(plain_data_behind_a_lock)
{
    memory m;
    ints out = run(plain_data_behind_a_lock, m);
    int sum = 0;
    for (int b = 0; b < BLOCKS; b++)
        sum += 2 * m.in[b];
    return out[0] == sum && out[1] == 2 * BLOCKS;
}

/* One thread holds the lock for its block. */
__global__ void a_lock_of_the_block(const int *in, int *out, int *, unsigned *lock)
{
    if (threadIdx.x == 0)
        while (atomicExch(lock, 1u) != 0)
            ;
    __syncthreads();
    out[threadIdx.x] += in[blockIdx.x * THREADS + threadIdx.x];
    __threadfence();
    __syncthreads();
    if (threadIdx.x == 0)
        atomicExch(lock, 0u);
}

static bool is_sum_of_blocks(const memory &m, const ints &out)
{
    return out == made_of(COUNT, [&](int i) {
               int sum = 0;
               for (int b = 0; b < BLOCKS && i < THREADS; b++)
                   sum += m.in[b * THREADS + i];
               return sum;
           });
}

CORRECT(a_lock_of_the_block)
{
    memory m;
    return is_sum_of_blocks(m, run(a_lock_of_the_block, m));
}

/* The lock is given back by a volatile store. */
__global__ void a_volatile_unlock(const int *in, int *out, int *, unsigned *lock)
{
    if (threadIdx.x)
        return;
    while (atomicCAS(lock, 0u, 1u) != 0)
        ;
    __threadfence();
    *out += in[blockIdx.x];
    __threadfence();
    *(volatile unsigned *)lock = 0;
}

CORRECT(a_volatile_unlock)
{
    memory m;
    int sum = 0;
    for (int b = 0; b < BLOCKS; b++)
        sum += m.in[b];
    return run(a_volatile_unlock, m)[0] == sum;
}

__global__ void tickets(const int *in, int *out, int *, unsigned *count)
{
    volatile unsigned *serving = count + 1;
    if (threadIdx.x)
        return;
    unsigned mine = atomicAdd(count, 1u);
    while (*serving != mine)
        ;
    __threadfence();
    out[0] = 3 * out[0] % 1009 + in[mine];
    __threadfence();
    *serving = mine + 1;
}

CORRECT(tickets)
{
    memory m;
    int sum = 0;
    for (int b = 0; b < BLOCKS; b++)
        sum = 3 * sum % 1009 + m.in[b];
    return run(tickets, m)[0] == sum;
}

/* Parts of a sum join in order, as a product split along k does it. */
__global__ void parts_join_in_turn(const int *in, int *out, int *, unsigned *count)
{
    volatile unsigned *turn = count;
    if (threadIdx.x == 0)
        while (*turn != blockIdx.x)
            ;
    __syncthreads();
    out[threadIdx.x] += in[blockIdx.x * THREADS + threadIdx.x];
    __threadfence();
    __syncthreads();
    if (threadIdx.x == 0)
        *turn = blockIdx.x + 1;
}

CORRECT(parts_join_in_turn)
{
    memory m;
    return is_sum_of_blocks(m, run(parts_join_in_turn, m));
}

/* --- Grids that meet -------------------------------------------------------------------------- */

__global__ void two_buffers_take_turns(const int *in, int *out, int *other, unsigned *)
{
    cg::grid_group grid = cg::this_grid();
    unsigned i = blockIdx.x * THREADS + threadIdx.x;
    int *from = other, *to = out;
    other[i] = in[i];
    for (int step = 0; step < 5; step++) {
        grid.sync();
        to[i] = (from[(i + 1) % COUNT] + from[(i + COUNT - 1) % COUNT]) % 100;
        int *swap = from;
        from = to;
        to = swap;
    }
}

CORRECT(two_buffers_take_turns)
{
    memory m;
    ints from = m.in;
    for (int step = 0; step < 5; step++) {
        ints old = from;
        from = made_of(COUNT, [&](int i) {
            return (old[(i + 1) % COUNT] + old[(i + COUNT - 1) % COUNT]) % 100;
        });
    }
    return run_together(two_buffers_take_turns, m) == from;
}

__global__ void the_grid_reduces(const int *in, int *out, int *other, unsigned *)
{
    cg::grid_group grid = cg::this_grid();
    unsigned i = blockIdx.x * THREADS + threadIdx.x;
    other[i] = in[i];
    for (unsigned half = 256; half > 0; half /= 2) {
        grid.sync();
        if (i < half && i + half < COUNT)
            other[i] += other[i + half];
    }
    grid.sync();
    out[i] = other[0];
}

CORRECT(the_grid_reduces)
{
    memory m;
    return run_together(the_grid_reduces, m) == ints(COUNT, sum_of(m.in));
}

/* Red and black cells by turns, in place. */
__global__ void red_and_black(const int *in, int *out, int *, unsigned *)
{
    cg::grid_group grid = cg::this_grid();
    int i = (int)(blockIdx.x * THREADS + threadIdx.x);
    out[i] = in[i];
    for (int step = 0; step < 6; step++) {
        grid.sync();
        if (i > 0 && i < COUNT - 1 && i % 2 == step % 2)
            out[i] = (out[i - 1] + out[i + 1]) / 2;
    }
}

CORRECT(red_and_black)
{
    memory m;
    ints x = m.in;
    for (int step = 0; step < 6; step++)
        for (int i = 1; i < COUNT - 1; i++)
            if (i % 2 == step % 2)
                x[i] = (x[i - 1] + x[i + 1]) / 2;
    return run_together(red_and_black, m) == x;
}

/* A barrier of flags: each block has its own, and the first looks at all. */
__global__ void a_barrier_of_flags(const int *in, int *out, int *other, unsigned *count)
{
    volatile unsigned *come = count, *go = count + BLOCKS;
    unsigned i = blockIdx.x * THREADS + threadIdx.x;
    other[i] = in[i] + 8;
    __threadfence();
    __syncthreads();
    if (blockIdx.x == 0) {
        if (threadIdx.x < BLOCKS && threadIdx.x > 0)
            while (!come[threadIdx.x])
                ;
        __syncthreads();
        if (threadIdx.x < BLOCKS)
            go[threadIdx.x] = 1;
    } else if (threadIdx.x == 0) {
        come[blockIdx.x] = 1;
        while (!go[blockIdx.x])
            ;
    }
    __threadfence();
    __syncthreads();
    out[i] = other[COUNT - 1 - i];
}

CORRECT(a_barrier_of_flags)
{
    memory m;
    return run(a_barrier_of_flags, m) ==
           made_of(COUNT, [&](int i) { return m.in[COUNT - 1 - i] + 8; });
}

/* A wave through rows: a block's row waits for that of the block before it, piece by piece. */
__global__ void a_wave_of_rows(const int *in, int *out, int *, unsigned *count)
{
    volatile unsigned *done = count;
    int b = (int)blockIdx.x;
    if (threadIdx.x)
        return;
    for (unsigned k = 0; k < THREADS; k++) {
        while (b > 0 && done[b - 1] <= k)
            ;
        __threadfence();
        int above = b > 0 ? out[(b - 1) * THREADS + k] : 0;
        int left = k > 0 ? out[b * THREADS + k - 1] : 0;
        out[b * THREADS + k] = (above > left ? above : left) + in[b * THREADS + k];
        __threadfence();
        done[b] = k + 1;
    }
}

CORRECT(a_wave_of_rows)
{
    memory m;
    ints x(COUNT);
    for (int i = 0; i < COUNT; i++) {
        int above = i >= THREADS ? x[i - THREADS] : 0, left = i % THREADS ? x[i - 1] : 0;
        x[i] = (above > left ? above : left) + m.in[i];
    }
    return run(a_wave_of_rows, m) == x;
}

/* --- Queues ----------------------------------------------------------------------------------- */

__global__ void a_queue_with_flags(const int *in, int *out, int *queue, unsigned *full)
{
    if (threadIdx.x)
        return;
    if (blockIdx.x == 0) {
        for (unsigned i = 0; i < 20; i++) {
            queue[i] = in[i] + 1;
            __threadfence();
            atomicExch(&full[1 + i], 1u);
        }
        return;
    }
    for (unsigned i = atomicAdd(full, 1u); i < 20; i = atomicAdd(full, 1u)) {
        while (atomicAdd(&full[1 + i], 0u) == 0)
            ;
        out[i] = queue[i];
    }
}

CORRECT(a_queue_with_flags)
{
    memory m;
    return run(a_queue_with_flags, m) ==
           made_of(COUNT, [&](int i) { return i < 20 ? m.in[i] + 1 : 0; });
}

/* A slot is emptied and filled again: full and empty take turns. */
__global__ void a_slot_between_two_blocks(const int *in, int *out, int *slot, unsigned *state)
{
    volatile unsigned *full = state;
    if (threadIdx.x)
        return;
    for (unsigned i = 0; i < 30; i++) {
        while (*full != (blockIdx.x == 1))
            ;
        __threadfence();
        if (blockIdx.x == 0)
            *slot = in[i];
        else
            out[i] = *slot;
        __threadfence();
        *full = blockIdx.x == 0;
    }
}

CORRECT(a_slot_between_two_blocks)
{
    memory m;
    return run(a_slot_between_two_blocks, m, 2) ==
           made_of(COUNT, [&](int i) { return i < 30 ? m.in[i] : 0; });
}

struct item {
    int value, next;
};

/* A list that grows at its head, and is walked by the last block. */
__global__ void a_list_of_the_grid(const int *in, int *out, int *other, unsigned *count)
{
    struct item *items = (struct item *)other;
    int *head = (int *)count + 1, i = (int)(blockIdx.x * 8 + threadIdx.x);
    if (threadIdx.x < 8) {
        items[i].value = in[i];
        items[i].next = atomicExch(head, i + 1);
    }
    __threadfence();
    __syncthreads();
    if (threadIdx.x == 0 && atomicAdd(count, 1u) == gridDim.x - 1) {
        __threadfence();
        for (int at = *head; at; at = items[at - 1].next)
            *out += items[at - 1].value;
    }
}

CORRECT(a_list_of_the_grid)
{
    memory m;
    int sum = 0;
    for (int i = 0; i < 8 * BLOCKS; i++)
        sum += m.in[i];
    return run(a_list_of_the_grid, m)[0] == sum;
}

/* Threads of one block hand a word on through global memory, with a fence of the block. */
__global__ void a_flag_within_the_block(const int *in, int *out, int *other, unsigned *count)
{
    volatile unsigned *flag = &count[blockIdx.x];
    if (threadIdx.x == 0) {
        other[blockIdx.x] = in[blockIdx.x] + 4;
        __threadfence_block();
        *flag = 1;
    }
    if (threadIdx.x == 32) {
        while (!*flag)
            ;
        __threadfence_block();
        out[blockIdx.x] = other[blockIdx.x];
    }
}

CORRECT(a_flag_within_the_block)
{
    memory m;
    return run(a_flag_within_the_block, m) ==
           made_of(COUNT, [&](int i) { return i < BLOCKS ? m.in[i] + 4 : 0; });
}

} // namespace orders
