// shares.cu - global memory of which each thread has its share, or all may have the same.
#include "correct.h"

#include <cooperative_groups.h>
#include <cuda_pipeline.h>

namespace shares {

namespace cg = cooperative_groups;
enum { THREADS = 64, BLOCKS = 5, COUNT = THREADS * BLOCKS };

__device__ unsigned thread()
{
    return blockIdx.x * blockDim.x + threadIdx.x;
}

__global__ void a_byte_each(const int *in, char *out)
{
    out[thread()] = (char)in[thread()];
    out[thread()] += 1;
}

CORRECT(a_byte_each)
{
    ints in = numbers(COUNT);
    device_ints d_in(in);
    device_array<char> d_out(COUNT);
    a_byte_each<<<COUNT / 32, 32>>>(d_in, d_out);
    a_byte_each<<<COUNT / 10, 10>>>(d_in, d_out); /* blocks meet within a word */
    std::vector<char> out = d_out.values();
    for (int i = 0; i < COUNT; i++)
        if (out[i] != in[i] + 1)
            return false;
    return true;
}

__global__ void a_halfword_each(const int *in, short *out)
{
    out[COUNT - 1 - thread()] = (short)(2 * in[thread()]);
}

CORRECT(a_halfword_each)
{
    ints in = numbers(COUNT);
    device_ints d_in(in);
    device_array<short> d_out(COUNT);
    a_halfword_each<<<COUNT / 5, 5>>>(d_in, d_out);
    std::vector<short> out = d_out.values();
    for (int i = 0; i < COUNT; i++)
        if (out[COUNT - 1 - i] != 2 * in[i])
            return false;
    return true;
}

union halves {
    int word;
    short half[2];
};

__global__ void halves_of_a_union(const int *in, union halves *out)
{
    out[threadIdx.x].half[blockIdx.x] = (short)in[threadIdx.x * 2 + blockIdx.x];
}

CORRECT(halves_of_a_union)
{
    ints in = numbers(128);
    device_ints d_in(in);
    device_array<union halves> d_out(64);
    halves_of_a_union<<<2, 64>>>(d_in, d_out);
    std::vector<union halves> out = d_out.values();
    for (int i = 0; i < 128; i++)
        if (out[i / 2].half[i % 2] != in[i])
            return false;
    return true;
}

struct packed {
    unsigned char flag, kind;
    unsigned short size;
};

/* Members of one word by different blocks; the bit field by one. */
__global__ void members_of_one_word(const int *in, struct packed *out)
{
    if (blockIdx.x == 0)
        out[threadIdx.x].flag = (unsigned char)in[threadIdx.x];
    else if (blockIdx.x == 1)
        out[threadIdx.x].kind = (unsigned char)(in[threadIdx.x] + 1);
    else
        out[threadIdx.x].size = (unsigned short)(in[threadIdx.x] + 2);
}

CORRECT(members_of_one_word)
{
    ints in = numbers(THREADS);
    device_ints d_in(in);
    device_array<struct packed> d_out(THREADS);
    members_of_one_word<<<3, THREADS>>>(d_in, d_out);
    std::vector<struct packed> out = d_out.values();
    for (int i = 0; i < THREADS; i++)
        if (out[i].flag != in[i] || out[i].kind != in[i] + 1 || out[i].size != in[i] + 2)
            return false;
    return true;
}

/* --- In place --------------------------------------------------------------------------------- */

__global__ void ends_change_places(int *x)
{
    unsigned i = thread();
    if (i >= COUNT / 2)
        return;
    int here = x[i];
    x[i] = x[COUNT - 1 - i];
    x[COUNT - 1 - i] = here;
}

CORRECT(ends_change_places)
{
    ints in = numbers(COUNT);
    device_ints d_x(in);
    ends_change_places<<<BLOCKS, THREADS>>>(d_x);
    return d_x.values() == made_of(COUNT, [&](int i) { return in[COUNT - 1 - i]; });
}

__global__ void one_colour(int *x, int colour)
{
    int i = (int)thread();
    if (i > 0 && i < COUNT - 1 && i % 2 == colour)
        x[i] = (x[i - 1] + x[i + 1]) / 2;
}

CORRECT(one_colour)
{
    ints x = numbers(COUNT);
    device_ints d_x(x);
    for (int step = 0; step < 4; step++) {
        one_colour<<<BLOCKS, THREADS>>>(d_x, step % 2);
        for (int i = 1; i < COUNT - 1; i++)
            if (i % 2 == step % 2)
                x[i] = (x[i - 1] + x[i + 1]) / 2;
    }
    return d_x.values() == x;
}

/* The row and the column of the step do not change in it: they are written with what they are. */
__global__ void shortest_ways(int *way, int n, int k)
{
    int row = (int)blockIdx.x, column = (int)threadIdx.x;
    int over = way[row * n + k] + way[k * n + column], here = way[row * n + column];
    way[row * n + column] = over < here ? over : here;
}

CORRECT(shortest_ways)
{
    enum { N = 16 };
    ints way = numbers(N * N);
    for (int i = 0; i < N; i++)
        way[i * N + i] = 0;
    device_ints d_way(way);
    for (int k = 0; k < N; k++) {
        shortest_ways<<<N, N>>>(d_way, N, k);
        for (int i = 0; i < N * N; i++) {
            int over = way[i / N * N + k] + way[k * N + i % N];
            way[i] = over < way[i] ? over : way[i];
        }
    }
    return d_way.values() == way;
}

/* Odd and even pairs by turns, in global memory, by one block with barriers. */
__global__ void pairs_sorted_by_turns(int *x)
{
    for (unsigned step = 0; step < THREADS; step++) {
        unsigned i = 2 * threadIdx.x + step % 2;
        if (i + 1 < THREADS && x[i] > x[i + 1]) {
            int here = x[i];
            x[i] = x[i + 1];
            x[i + 1] = here;
        }
        __syncthreads();
    }
}

CORRECT(pairs_sorted_by_turns)
{
    ints in = numbers(THREADS);
    device_ints d_x(in);
    pairs_sorted_by_turns<<<1, THREADS>>>(d_x);
    ints out = d_x.values();
    for (int i = 0; i + 1 < THREADS; i++)
        if (out[i] > out[i + 1])
            return false;
    return sum_of(out) == sum_of(in);
}

/* --- Scratch ---------------------------------------------------------------------------------- */

__global__ void scratch_of_the_block(const int *in, int *scratch, int *out)
{
    unsigned i = thread(), first = blockIdx.x * THREADS;
    scratch[i] = in[i];
    for (unsigned half = THREADS / 2; half > 0; half /= 2) {
        __syncthreads();
        if (threadIdx.x < half)
            scratch[i] += scratch[i + half];
    }
    __syncthreads();
    out[i] = scratch[first];
}

CORRECT(scratch_of_the_block)
{
    ints in = numbers(COUNT);
    device_ints d_in(in), d_scratch(COUNT), d_out(COUNT);
    scratch_of_the_block<<<BLOCKS, THREADS>>>(d_in, d_scratch, d_out);
    return d_out.values() == made_of(COUNT, [&](int i) {
               int sum = 0;
               for (int k = 0; k < THREADS; k++)
                   sum += in[i / THREADS * THREADS + k];
               return sum;
           });
}

__global__ void scratch_of_the_warp(const int *in, int *scratch, int *out)
{
    unsigned i = thread();
    for (int step = 0; step < 3; step++) {
        scratch[i] = in[i] + step;
        __syncwarp();
        out[i] = scratch[i ^ 5];
        __syncwarp();
    }
}

CORRECT(scratch_of_the_warp)
{
    ints in = numbers(COUNT);
    device_ints d_in(in), d_scratch(COUNT), d_out(COUNT);
    scratch_of_the_warp<<<BLOCKS, THREADS>>>(d_in, d_scratch, d_out);
    return d_out.values() == made_of(COUNT, [&](int i) { return in[i ^ 5] + 2; });
}

__global__ void memory_of_the_thread(const int *in, int *out)
{
    int *mine = (int *)malloc(4 * sizeof(int));
    for (int k = 0; k < 4; k++)
        mine[k] = in[thread()] + k;
    out[thread()] = mine[thread() % 4];
    free(mine);
}

CORRECT(memory_of_the_thread)
{
    ints in = numbers(COUNT);
    device_ints d_in(in), d_out(COUNT);
    memory_of_the_thread<<<BLOCKS, THREADS>>>(d_in, d_out);
    return d_out.values() == made_of(COUNT, [&](int i) { return in[i] + i % 4; });
}

__global__ void rows_of_four(const int4 *in, int4 *out)
{
    int4 row = in[thread()];
    out[thread()] = make_int4(row.w, row.z, row.y, row.x);
}

CORRECT(rows_of_four)
{
    ints in = numbers(4 * COUNT);
    device_ints d_in(in), d_out(4 * COUNT);
    rows_of_four<<<BLOCKS, THREADS>>>((const int4 *)(int *)d_in, (int4 *)(int *)d_out);
    return d_out.values() == made_of(4 * COUNT, [&](int i) { return in[i / 4 * 4 + 3 - i % 4]; });
}

__global__ void copied_without_registers(const int *in, int *out)
{
    __shared__ int s_row[THREADS];
    __pipeline_memcpy_async(&s_row[threadIdx.x], &in[thread()], sizeof(int));
    __pipeline_commit();
    __pipeline_wait_prior(0);
    __syncthreads();
    out[thread()] = s_row[THREADS - 1 - threadIdx.x];
}

CORRECT(copied_without_registers)
{
    ints in = numbers(COUNT);
    device_ints d_in(in), d_out(COUNT);
    copied_without_registers<<<BLOCKS, THREADS>>>(d_in, d_out);
    return d_out.values() == made_of(COUNT, [&](int i) {
               return in[i / THREADS * THREADS + THREADS - 1 - i % THREADS];
           });
}

/* --- Equal values ----------------------------------------------------------------------------- */

__global__ void any_below(const int *in, int limit, bool *found)
{
    if (in[thread()] < limit)
        *found = true;
}

CORRECT(any_below)
{
    ints in = numbers(COUNT);
    device_ints d_in(in);
    device_array<bool> d_found(1);
    CHECK(cudaMemset(d_found, 0, 1));
    any_below<<<BLOCKS, THREADS>>>(d_in, 50, d_found);
    bool found;
    CHECK(cudaMemcpy(&found, d_found, 1, cudaMemcpyDeviceToHost));
    return found;
}

/* A level of a graph search: who finds a vertex, and how often, does not matter. */
__global__ void next_level(const int *edges, int *level, int depth, int *changed)
{
    unsigned v = thread();
    if (level[v] != depth)
        return;
    for (int k = 0; k < 3; k++) {
        int w = edges[3 * v + k];
        if (level[w] < 0) {
            level[w] = depth + 1;
            *changed = 1;
        }
    }
}

CORRECT(next_level)
{
    ints edges = made_of(3 * COUNT, [](int i) { return (i * 31 + 7) % COUNT; });
    ints level(COUNT, -1), want(COUNT, -1);
    level[0] = want[0] = 0;
    device_ints d_edges(edges), d_level(level), d_changed(ints(1, 1));
    for (int depth = 0; d_changed.values()[0]; depth++) {
        CHECK(cudaMemset(d_changed, 0, sizeof(int)));
        next_level<<<BLOCKS, THREADS>>>(d_edges, d_level, depth, d_changed);
        for (int v = 0; v < COUNT; v++)
            for (int k = 0; want[v] == depth && k < 3; k++)
                if (want[edges[3 * v + k]] < 0)
                    want[edges[3 * v + k]] = depth + 1;
    }
    return d_level.values() == want;
}

/* Blocks make the rows between them twice, with the same result. */
__global__ void tiles_that_overlap(const int *in, int *out)
{
    unsigned i = blockIdx.x * 60 + threadIdx.x;
    out[i] = 2 * in[i];
}

CORRECT(tiles_that_overlap)
{
    ints in = numbers(COUNT);
    device_ints d_in(in), d_out(COUNT);
    tiles_that_overlap<<<4, THREADS>>>(d_in, d_out);
    ints out = d_out.values();
    for (int i = 0; i < 3 * 60 + THREADS; i++)
        if (out[i] != 2 * in[i])
            return false;
    return true;
}

/* The flag is plain where it is set and volatile where it is polled. */
__global__ void a_plain_flag_is_polled(const int *in, int *data, int *flag, int *out)
{
    if (blockIdx.x == 0) {
        *data = in[0] + 9;
        __threadfence();
        *flag = 1;
    } else {
        while (*(volatile int *)flag == 0)
            ;
        __threadfence();
        *out = *data;
    }
}

CORRECT(a_plain_flag_is_polled)
{
    ints in = numbers(1);
    device_ints d_in(in), d_data(1), d_flag(ints(1, 0)), d_out(1);
    a_plain_flag_is_polled<<<2, 1>>>(d_in, d_data, d_flag, d_out);
    return d_out.values()[0] == in[0] + 9;
}

/* --- Atomics ---------------------------------------------------------------------------------- */

__device__ double add_by_compare_and_swap(double *to, double value)
{
    unsigned long long *word = (unsigned long long *)to, old = *word, assumed;
    do {
        assumed = old;
        old = atomicCAS(word, assumed,
                        __double_as_longlong(value + __longlong_as_double((long long)assumed)));
    } while (assumed != old);
    return __longlong_as_double((long long)old);
}

__global__ void doubles_are_added(const int *in, double *sum)
{
    add_by_compare_and_swap(sum, in[thread()]);
}

CORRECT(doubles_are_added)
{
    ints in = numbers(COUNT);
    device_ints d_in(in);
    device_array<double> d_sum(std::vector<double>(1));
    doubles_are_added<<<BLOCKS, THREADS>>>(d_in, d_sum);
    return d_sum.values()[0] == sum_of(in);
}

__global__ void the_least_if_less(const int *in, int *least)
{
    if (in[thread()] < *least)
        atomicMin(least, in[thread()]);
}

CORRECT(the_least_if_less)
{
    ints in = numbers(COUNT);
    device_ints d_in(in), d_least(ints(1, 1000));
    the_least_if_less<<<BLOCKS, THREADS>>>(d_in, d_least);
    int least = 1000;
    for (int value : in)
        least = value < least ? value : least;
    return d_least.values()[0] == least;
}

__global__ void one_atomic_a_group(const int *in, unsigned *count)
{
    if (in[thread()] < 50) {
        cg::coalesced_group group = cg::coalesced_threads();
        if (group.thread_rank() == 0)
            atomicAdd(count, group.size());
    }
}

CORRECT(one_atomic_a_group)
{
    ints in = numbers(COUNT);
    device_ints d_in(in);
    device_array<unsigned> d_count(std::vector<unsigned>(1));
    one_atomic_a_group<<<BLOCKS, THREADS>>>(d_in, d_count);
    unsigned count = 0;
    for (int value : in)
        count += value < 50;
    return d_count.values()[0] == count;
}

__global__ void kept_in_any_order(const int *in, unsigned *count, int *out)
{
    if (in[thread()] < 50)
        out[atomicAdd(count, 1u)] = in[thread()];
}

CORRECT(kept_in_any_order)
{
    ints in = numbers(COUNT);
    device_ints d_in(in), d_out(ints(COUNT, 0));
    device_array<unsigned> d_count(std::vector<unsigned>(1));
    kept_in_any_order<<<BLOCKS, THREADS>>>(d_in, d_count, d_out);
    int sum = 0;
    for (int value : in)
        sum += value < 50 ? value : 0;
    return sum_of(d_out.values()) == sum;
}

/* A count for each block needs atomics of the block only. */
__global__ void a_count_for_each_block(const int *in, unsigned *count)
{
    if (in[thread()] < 30)
        atomicAdd_block(&count[blockIdx.x], 1u);
}

CORRECT(a_count_for_each_block)
{
    ints in = numbers(COUNT);
    device_ints d_in(in);
    std::vector<unsigned> want(BLOCKS);
    device_array<unsigned> d_count(want);
    a_count_for_each_block<<<BLOCKS, THREADS>>>(d_in, d_count);
    for (int i = 0; i < COUNT; i++)
        want[i / THREADS] += in[i] < 30;
    return d_count.values() == want;
}

/* The winner of a slot writes its value; nobody reads it in this launch. */
__global__ void slots_and_values(const int *keys, int *slots, int *values)
{
    int key = keys[thread()], at = key * 13 % 256;
    for (;; at = (at + 1) % 256) {
        if (slots[at] == key)
            return;
        int was = atomicCAS(&slots[at], -1, key);
        if (was == -1)
            values[at] = 2 * key;
        if (was == -1 || was == key)
            return;
    }
}

CORRECT(slots_and_values)
{
    ints in = numbers(COUNT);
    device_ints d_in(in), d_slots(ints(256, -1)), d_values(ints(256, -2));
    slots_and_values<<<BLOCKS, THREADS>>>(d_in, d_slots, d_values);
    ints slots = d_slots.values(), values = d_values.values();
    for (int i = 0; i < 256; i++)
        if (values[i] != 2 * slots[i])
            return false;
    return true;
}

/* Trees of equal vertices are joined by compare-and-swap, and walked by plain loads. */
__device__ int root_of(const int *parent, int v)
{
    while (parent[v] != v)
        v = parent[v];
    return v;
}

__global__ void join_neighbours(int *parent)
{
    int a = (int)thread(), b = (a + 7) % COUNT;
    for (;;) {
        a = root_of(parent, a);
        b = root_of(parent, b);
        if (a == b)
            return;
        int low = a < b ? a : b, high = a < b ? b : a;
        if (atomicCAS(&parent[high], high, low) == high)
            return;
    }
}

CORRECT(join_neighbours)
{
    device_ints d_parent(made_of(COUNT, [](int i) { return i; }));
    join_neighbours<<<BLOCKS, THREADS>>>(d_parent);
    ints parent = d_parent.values();
    for (int v = 0; v < COUNT; v++) {
        int root = v;
        while (parent[root] != root)
            root = parent[root];
        if (root != 0)
            return false;
    }
    return true;
}

/* --- Launches --------------------------------------------------------------------------------- */

__global__ void add_neighbour(const int *in, int *out)
{
    out[thread()] = in[thread()] + in[(thread() + 1) % COUNT];
}

/* The end of a launch orders all. */
CORRECT(one_launch_after_another)
{
    ints in = numbers(COUNT);
    device_ints d_a(in), d_b(COUNT);
    add_neighbour<<<BLOCKS, THREADS>>>(d_a, d_b);
    add_neighbour<<<BLOCKS, THREADS>>>(d_b, d_a);
    return d_a.values() == made_of(COUNT, [&](int i) {
               return in[i] + 2 * in[(i + 1) % COUNT] + in[(i + 2) % COUNT];
           });
}

} // namespace shares
