/* searches.cu - irregular work: sorting, searching, sparse matrices, lists, hash tables, queues,
 * numbers. */
#include "../bank.h"

/* Bitonic sort of 1024 numbers in shared memory. */
__global__ void sort_in_block(const float *x, float *out)
{
    __shared__ float s_key[1024];
    int thread = threadIdx.x;
    s_key[thread] = x[blockIdx.x * 1024 + thread];
    for (int size = 2; size <= 1024; size *= 2)
        for (int step = size / 2; step > 0; step /= 2) {
            __syncthreads();
            int other = thread ^ step;
            if (other > thread) {
                float a = s_key[thread], b = s_key[other];
                if ((a > b) == ((thread & size) == 0)) {
                    s_key[thread] = b;
                    s_key[other] = a;
                }
            }
        }
    __syncthreads();
    out[blockIdx.x * 1024 + thread] = s_key[thread];
}

/* One step of the same in global memory. */
__global__ void sort_step(const float *x, float *out, int step)
{
    int i = thread_index(), other = i ^ step;
    float mine = x[i], its = x[other];
    out[i] = (i < other) == (mine < its) ? mine : its;
}

/* How often each digit occurs, by ballots. */
__global__ void count_digits(const int *keys, int *out, int shift)
{
    __shared__ int s_count[16];
    if (threadIdx.x < 16)
        s_count[threadIdx.x] = 0;
    __syncthreads();
    int digit = keys[thread_index()] >> shift & 15;
    unsigned same = __match_any_sync(0xFFFFFFFFu, digit);
    if (threadIdx.x % 32 == __ffs((int)same) - 1)
        atomicAdd(&s_count[digit], __popc(same));
    __syncthreads();
    if (threadIdx.x < 16)
        out[threadIdx.x * gridDim.x + blockIdx.x] = s_count[threadIdx.x];
}

/* Binary search in a sorted table. */
__global__ void search(const int *table, const int *keys, int *out, int size)
{
    int key = keys[thread_index()] & (size - 1), low = 0, high = size;
    while (low < high) {
        int middle = (low + high) / 2;
        if (table[middle] < key)
            low = middle + 1;
        else
            high = middle;
    }
    out[thread_index()] = low;
}

/* A sparse matrix: a row of eight to 39 elements for each thread. */
__global__ void sparse_by_thread(const float *values, const int *columns, const float *x,
                                 float *out, int rows)
{
    int row = thread_index();
    if (row >= rows)
        return;
    int first = row * 24 - row % 4 * 4, length = 8 + (row * 7 & 31);
    float sum = 0;
    for (int j = first; j < first + length; j++)
        sum += values[j] * x[columns[j & (4 * MI - 1)]];
    out[row] = sum;
}

/* The same padded to equal length, column by column. */
__global__ void sparse_padded(const float *values, const int *columns, const float *x, float *out,
                              int rows, int width)
{
    int row = thread_index();
    float sum = 0;
    for (int j = 0; j < width; j++) {
        int at = j * rows + row;
        sum += values[at] * x[columns[at]];
    }
    out[row] = sum;
}

/* By coordinates: an atomic for each element. */
__global__ void sparse_by_element(const float *values, const int *rows, const int *columns,
                                  const float *x, float *out)
{
    int i = thread_index();
    atomicAdd(&out[rows[i] / 16], values[i] * x[columns[i]]);
}

/* What is kept is packed: a ballot and one atomic for each warp. */
__global__ void keep_by_warp(const float *x, float *out, unsigned *count, int n)
{
    int i = thread_index(), lane = threadIdx.x % 32;
    float v = i < n ? x[i] : 0;
    unsigned kept = __ballot_sync(0xFFFFFFFFu, v > 0.2f), first = 0;
    if (lane == 0)
        first = atomicAdd(count, __popc(kept));
    first = __shfl_sync(0xFFFFFFFFu, first, 0);
    if (v > 0.2f)
        out[(first + __popc(kept & ((1u << lane) - 1))) & (32 * MI - 1)] = v;
}

/* Keys into a table of open places, by compare and swap. */
__global__ void insert_keys(const int *keys, int *table, int mask)
{
    int key = keys[thread_index()] + 1;
    unsigned at = (unsigned)key * 2654435761u >> 8;
    for (int probe = 0; probe < 32; probe++, at++) {
        int old = atomicCAS(&table[at & mask], 0, key);
        if (old == 0 || old == key)
            return;
    }
}

/* A list followed for as long as the data says. */
__global__ void follow(const int *next, int *out, int steps)
{
    int at = thread_index();
    for (int k = 0; k < steps; k++)
        at = __ldg(&next[at]);
    out[thread_index()] = at;
}

/* Blocks draw lots of work until none is left; the last to leave sets the counter back. */
__global__ void draw_work(const float *x, float *out, unsigned *drawn, unsigned lots)
{
    __shared__ unsigned s_lot;
    for (;;) {
        if (threadIdx.x == 0)
            s_lot = atomicAdd(drawn, 1);
        __syncthreads();
        unsigned lot = s_lot;
        __syncthreads();
        if (lot >= lots) {
            if (threadIdx.x == 0 && lot == lots + gridDim.x - 1)
                *drawn = 0;
            return;
        }
        float v = x[lot * 256 + threadIdx.x];
        for (int k = 0; k < (int)(lot % 8) * 16; k++)
            v = v * v - 0.5f;
        out[lot * 256 + threadIdx.x] = v;
    }
}

/* Powers by squaring, modulo a 64-bit number. */
__global__ void modular_powers(unsigned long long *out, unsigned exponent,
                               unsigned long long modulus)
{
    unsigned long long base = thread_index() + 3, power = 1;
    for (unsigned e = exponent; e; e >>= 1) {
        if (e & 1)
            power = power * base % modulus;
        base = base * base % modulus;
    }
    out[thread_index()] = power;
}

/* Steps to one, if the halves and three-and-ones lead there. */
__global__ void collatz(int *out)
{
    unsigned long long v = thread_index() + 1;
    int steps = 0;
    while (v != 1 && steps < 200) {
        v = v % 2 ? 3 * v + 1 : v / 2;
        steps++;
    }
    out[thread_index()] = steps;
}

/* Greatest common divisors: lanes leave the loop one by one. */
__global__ void common_divisors(const int *a, int *out)
{
    unsigned u = (unsigned)a[thread_index()] + 1, v = (unsigned)thread_index() + 1;
    while (v) {
        unsigned rest = u % v;
        u = v;
        v = rest;
    }
    out[thread_index()] = (int)u;
}

/* Prices of options: logarithms, roots, exponentials, error functions. */
__global__ void option_prices(const float *x, const float *y, float *calls, float *puts)
{
    int i = thread_index();
    float price = 20 + 10 * x[i], strike = 20 + 10 * y[i], years = 0.5f + 0.4f * x[i] * y[i];
    float root = 0.3f * sqrtf(years), d = (logf(price / strike) + 0.065f * years) / root;
    float share = 0.5f * erfcf(-d * 0.70710678f), cash = 0.5f * erfcf((root - d) * 0.70710678f);
    float worth = price * share - strike * expf(-0.02f * years) * cash;
    calls[i] = worth;
    puts[i] = worth - price + strike * expf(-0.02f * years);
}

/* Waves: a sine, a power and a root for each of 32 terms. */
__global__ void waves(const float *x, float *out)
{
    float v = x[thread_index()], sum = 0;
    for (int k = 1; k <= 32; k++)
        sum += sinf(v * k) * powf((float)k, -1.5f) + cosf(v) / k;
    out[thread_index()] = sum;
}

/* The nearest of 32 centres for points in four dimensions. */
__global__ void nearest_centre(const float4 *points, const float4 *centres, int *out)
{
    __shared__ float4 s_centre[32];
    if (threadIdx.x < 32)
        s_centre[threadIdx.x] = centres[threadIdx.x];
    __syncthreads();
    float4 p = points[thread_index()];
    float best = 1e30f;
    int nearest = 0;
    for (int j = 0; j < 32; j++) {
        float4 c = s_centre[j];
        float dx = p.x - c.x, dy = p.y - c.y, dz = p.z - c.z, dw = p.w - c.w;
        float square = dx * dx + dy * dy + dz * dz + dw * dw;
        if (square < best)
            best = square, nearest = j;
    }
    out[thread_index()] = nearest;
}

/* Eight numbers a thread in an array that data index: how often each residue occurs. */
__global__ void count_in_thread(const int *x, int *out, int steps)
{
    int count[8] = {};
    for (int k = 0; k < steps; k++)
        count[x[k * thread_count() + thread_index()] & 7]++;
    int most = 0;
    for (int j = 1; j < 8; j++)
        if (count[j] > count[most])
            most = j;
    out[thread_index()] = most;
}

#define EACH(name, grid, block, kernel, ...)                                                       \
    BANK_ROW(name, BANK_COLD, grid, block, 0, kernel, __VA_ARGS__)

static const struct bank_row ROWS[] = {
    EACH("sort_blocks_512K", 512, 1024, sort_in_block, data->x, data->out),
    EACH("sort_step_16M_4096", 64 * KI, 256, sort_step, data->x, data->out, 4 * KI),
    EACH("ballot_digits_4M", 16 * KI, 256, count_digits, data->shuffled, (int *)data->out, 12),
    EACH("search_1M_in_4M", 4 * KI, 256, search, data->in_order, data->shuffled, (int *)data->out,
         4 * MI),
    EACH("search_2M_in_4K", 8 * KI, 256, search, data->in_order, data->nearby, (int *)data->out,
         4 * KI),
    EACH("sparse_by_thread_128K", 512, 256, sparse_by_thread, data->x, data->nearby, data->y,
         data->out, 128 * KI),
    EACH("sparse_padded_256K_16", KI, 256, sparse_padded, data->x, data->shuffled, data->y,
         data->out, 256 * KI, 16),
    EACH("sparse_by_element_2M", 8 * KI, 256, sparse_by_element, data->x, data->in_order,
         data->shuffled, data->y, data->out),
    EACH("keep_by_warp_16M", 64 * KI, 256, keep_by_warp, data->x, data->out,
         (unsigned *)data->counters + 4 * KI, 16 * MI),
    EACH("keys_inserted_512K", 2 * KI, 256, insert_keys, data->shuffled, data->counters + MI,
         MI - 1),
    EACH("follow_128K_16", 512, 256, follow, data->shuffled, (int *)data->out, 16),
    EACH("draw_work_16K", 528, 256, draw_work, data->x, data->out,
         (unsigned *)data->counters + 5 * KI, 16 * KI),
    EACH("modular_powers_256K", KI, 256, modular_powers, (unsigned long long *)data->out, 65537u,
         1000000007ull),
    EACH("collatz_512K", 2 * KI, 256, collatz, (int *)data->out),
    EACH("common_divisors_1M", 4 * KI, 256, common_divisors, data->shuffled, (int *)data->out),
    EACH("black_scholes_4M", 32 * KI, 128, option_prices, data->x, data->y, data->out,
         data->out + 32 * MI),
    EACH("waves_512K", 2 * KI, 256, waves, data->x, data->out),
    EACH("nearest_centre_2M", 8 * KI, 256, nearest_centre, (const float4 *)data->x,
         (const float4 *)data->y, (int *)data->out),
    EACH("count_in_thread_132K", 528, 256, count_in_thread, data->shuffled,
         (int *)data->out, 31),
};
BANK_FAMILY(searches)
