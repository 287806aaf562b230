/* oddities.cu - what fits no other family: persistent blocks, few blocks, integers, lanes that
 * part, registers that do not suffice, recursion, transforms. */
#include "../bank.h"

#include <cuda/barrier>

/* One block works through all of an array, with barriers between its parts. */
__global__ void one_block_sums(const float *x, float *out, int n)
{
    __shared__ float s_carry, s_word[1024];
    if (threadIdx.x == 0)
        s_carry = 0;
    for (int i = threadIdx.x; i < n; i += 1024) {
        s_word[threadIdx.x] = x[i];
        __syncthreads();
        for (int s = 512; s > 0; s /= 2) {
            if (threadIdx.x < s)
                s_word[threadIdx.x] += s_word[threadIdx.x + s];
            __syncthreads();
        }
        if (threadIdx.x == 0)
            s_carry = s_carry * 0.5f + s_word[0];
    }
    if (threadIdx.x == 0)
        out[0] = s_carry;
}

/* A warp for each list: steps that wait for one another, in memory no cache holds. */
__global__ void chains(const int *next, int *out, int steps)
{
    int at = (blockIdx.x * blockDim.x + threadIdx.x) * 61;
    for (int k = 0; k < steps; k++)
        at = next[at];
    out[blockIdx.x * blockDim.x + threadIdx.x] = at;
}

/* Escape from the Mandelbrot set, 32 x 8 pixels a block. */
__global__ void escapes(int *out, int width, int height, int most)
{
    int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x >= width || y >= height)
        return;
    float cx = -2.2f + 3.0f * x / width, cy = -1.2f + 2.4f * y / height, u = 0, v = 0;
    int k = 0;
    while (k < most && u * u + v * v < 4) {
        float t = u * u - v * v + cx;
        v = 2 * u * v + cy;
        u = t;
        k++;
    }
    out[y * width + x] = k;
}

/* Queens on a board of nine, from the first two rows on, with a stack of the thread's own. */
__global__ void queens(int *out, int side)
{
    int first = blockIdx.x, second = threadIdx.x % side, third = threadIdx.x / side;
    unsigned columns[12], left[12], right[12], open[12], full = (1u << side) - 1;
    int count = 0, row = 3;
    unsigned a = 1u << first, b = 1u << second, c = 1u << third;
    unsigned l = a << 2 | b << 1, r = a >> 2 | b >> 1;
    bool good = third < side && !(b & (a | a << 1 | a >> 1)) && !(c & (a | b | l | r));
    columns[3] = a | b | c;
    left[3] = (l | c) << 1;
    right[3] = (r | c) >> 1;
    open[3] = good ? full & ~(columns[3] | left[3] | right[3]) : 0;
    while (row >= 3) {
        if (open[row] == 0) {
            row--;
            continue;
        }
        unsigned bit = open[row] & -open[row];
        open[row] ^= bit;
        if (row == side - 1) {
            count++;
            continue;
        }
        columns[row + 1] = columns[row] | bit;
        left[row + 1] = (left[row] | bit) << 1;
        right[row + 1] = (right[row] | bit) >> 1;
        row++;
        open[row] = full & ~(columns[row] | left[row] | right[row]);
    }
    out[blockIdx.x * blockDim.x + threadIdx.x] = count;
}

/* A mixing of 64 rounds on eight words, as hashes of files do it. */
static __device__ __forceinline__ unsigned turn(unsigned v, int bits)
{
    return v >> bits | v << (32 - bits);
}

__global__ void digests(const uint4 *x, unsigned *out)
{
    unsigned w[16], h[8];
    int i = blockIdx.x * blockDim.x + threadIdx.x;
#pragma unroll
    for (int j = 0; j < 4; j++) {
        uint4 v = x[i * 4 + j];
        w[j * 4] = v.x, w[j * 4 + 1] = v.y, w[j * 4 + 2] = v.z, w[j * 4 + 3] = v.w;
    }
#pragma unroll
    for (int j = 0; j < 8; j++)
        h[j] = 0x6A09E667u * (j + 1);
#pragma unroll
    for (int k = 0; k < 64; k++) {
        if (k >= 16)
            w[k & 15] += w[(k + 9) & 15] +
                         (turn(w[(k + 14) & 15], 17) ^ turn(w[(k + 14) & 15], 19)) +
                         (turn(w[(k + 1) & 15], 7) ^ turn(w[(k + 1) & 15], 18));
        unsigned t = h[7] + (turn(h[4], 6) ^ turn(h[4], 11) ^ turn(h[4], 25)) +
                     ((h[4] & h[5]) ^ (~h[4] & h[6])) + w[k & 15] + 0x428A2F98u * k;
        unsigned u = (turn(h[0], 2) ^ turn(h[0], 13) ^ turn(h[0], 22)) +
                     ((h[0] & h[1]) ^ (h[0] & h[2]) ^ (h[1] & h[2]));
        h[7] = h[6], h[6] = h[5], h[5] = h[4], h[4] = h[3] + t;
        h[3] = h[2], h[2] = h[1], h[1] = h[0], h[0] = t + u;
    }
    out[i] = h[0] ^ h[3] ^ h[5];
}

/* A transform of 1024 complex numbers in shared memory, two a thread, ten rounds. */
__global__ void __launch_bounds__(512) transforms(const float2 *x, float2 *out)
{
    __shared__ float2 s_value[1024];
    for (int j = threadIdx.x; j < 1024; j += 512)
        s_value[__brev(j) >> 22] = x[blockIdx.x * 1024 + j];
    for (int half = 1; half < 1024; half *= 2) {
        __syncthreads();
        int at = threadIdx.x / half * 2 * half + threadIdx.x % half;
        float sine, cosine, angle = -3.14159265f * (threadIdx.x % half) / half;
        __sincosf(angle, &sine, &cosine);
        float2 u = s_value[at], v = s_value[at + half];
        v = make_float2(v.x * cosine - v.y * sine, v.x * sine + v.y * cosine);
        s_value[at] = make_float2(u.x + v.x, u.y + v.y);
        s_value[at + half] = make_float2(u.x - v.x, u.y - v.y);
    }
    __syncthreads();
    for (int j = threadIdx.x; j < 1024; j += 512)
        out[blockIdx.x * 1024 + j] = s_value[j];
}

/* Equations of 16 unknowns solved by a thread; the matrix lies in local memory. */
__global__ void __launch_bounds__(128) eliminations(const float *x, float *out, int pivot)
{
    float a[16][16], sum = 0;
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    for (int j = 0; j < 256; j++)
        a[j / 16][j % 16] = x[i + j * 8192] + (j % 17 == 0 ? 8 : 0);
    for (int k = 0; k < 16; k++)
        for (int row = k + 1; row < 16; row++) {
            float factor = a[row][(k + pivot) & 15] / a[k][(k + pivot) & 15];
            for (int column = k; column < 16; column++)
                a[row][column] -= factor * a[k][column];
        }
    for (int k = 0; k < 16; k++)
        sum += a[k][k];
    out[i] = sum;
}

/* Sixty sums where the launch bounds leave 40 registers. */
__global__ void __launch_bounds__(512, 3) crowded_sums(const float *x, float *out, int turns)
{
    float v[60], sum = 0;
    int i = blockIdx.x * blockDim.x + threadIdx.x;
#pragma unroll
    for (int j = 0; j < 60; j++)
        v[j] = x[i + j * 4096];
    for (int k = 0; k < turns; k++)
#pragma unroll
        for (int j = 0; j < 60; j++)
            v[j] = v[j] * v[(j + 7) % 60] + 0.5f;
#pragma unroll
    for (int j = 0; j < 60; j++)
        sum += v[j];
    out[i] = sum;
}

/* A power by recursion, as deep as the data says. */
static __device__ __noinline__ float power(float v, int exponent)
{
    if (exponent == 0)
        return 1;
    float half = power(v, exponent / 2);
    return exponent % 2 ? half * half * v : half * half;
}

__global__ void powers(const float *x, const int *exponents, float *out)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    out[i] = power(x[i], exponents[i] & 255);
}

/* Producers fill one half of shared memory while consumers read the other; barriers in pairs. */
__global__ void __launch_bounds__(256) two_roles(const float *x, float *out, int rounds)
{
    using barrier = cuda::barrier<cuda::thread_scope_block>;
    __shared__ float s_word[2][128];
#pragma nv_diag_suppress static_var_with_dynamic_init
    __shared__ barrier s_full[2], s_empty[2];
    if (threadIdx.x < 2) {
        init(&s_full[threadIdx.x], 256);
        init(&s_empty[threadIdx.x], 256);
    }
    __syncthreads();
    int t = threadIdx.x % 128;
    float sum = 0;
    for (int k = 0; k < rounds; k++) {
        int half = k & 1;
        if (threadIdx.x < 128) {
            if (k >= 2)
                s_empty[half].arrive_and_wait();
            s_word[half][t] = x[(blockIdx.x * rounds + k) * 128 + t];
            (void)s_full[half].arrive();
        } else {
            s_full[half].arrive_and_wait();
            sum = sum * 0.5f + s_word[half][t ^ 1] + s_word[half][(t + 37) & 127];
            if (k + 2 < rounds)
                (void)s_empty[half].arrive();
        }
    }
    if (threadIdx.x >= 128)
        out[blockIdx.x * 128 + t] = sum;
}

/* Work drawn by warps from a counter, pieces of very different length. Each warp draws once in
 * vain, and with the last such draw the counter is 0 again. */
__global__ void drawn_by_warps(const float *x, float *out, unsigned *ticket, unsigned pieces)
{
    unsigned lane = threadIdx.x % 32, warps = gridDim.x * (blockDim.x / 32);
    for (;;) {
        unsigned piece = 0;
        if (lane == 0)
            piece = atomicInc(ticket, pieces + warps - 1);
        piece = __shfl_sync(0xFFFFFFFFu, piece, 0);
        if (piece >= pieces)
            break;
        float v = x[piece * 32 + lane];
        for (int k = (piece * 7919 & 255) * 4; k >= 0; k--)
            v = v * 0.75f + 0.125f;
        out[piece * 32 + lane] = v;
    }
}

/* A slot of a table taken by compare and swap. */
__global__ void take_slots(const int *keys, int *table, int mask)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x, key = keys[i] + 1;
    unsigned at = key * 2654435761u;
    for (int k = 0; k < 8; k++) {
        int seen = atomicCAS(&table[(at + k) & mask], 0, key);
        if (seen == 0 || seen == key)
            break;
    }
}

/* Twelve ways to go on, by the element's number, as a switch. */
__global__ void twelve_ways(const float *x, float *out, int way_shift)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    float v = x[i];
    switch ((i >> way_shift) % 6) {
    case 0: v = sinf(v); break;
    case 1: v = __expf(v) + 1; break;
    case 2: v = rsqrtf(v * v + 1); break;
    case 3: v = atanf(v); break;
    case 4: v = log1pf(v * v); break;
    case 5: v = cbrtf(v); break;
    }
    out[i] = v;
}

/* Remainders by a prime of 61 bits, by 64-bit products and their high halves. */
__global__ void remainders(const unsigned long long *x, unsigned long long *out, int turns)
{
    const unsigned long long prime = (1ull << 61) - 1;
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    unsigned long long v = x[i] & prime;
    for (int k = 0; k < turns; k++) {
        unsigned long long low = v * v, high = __umul64hi(v, v);
        v = (low & prime) + (low >> 61 | high << 3) + 1;
        v = v >= prime ? v - prime : v;
    }
    out[i] = v % 1000003;
}

#define EACH(name, grid, block, kernel, ...)                                                       \
    BANK_ROW(name, BANK_COLD, grid, block, 0, kernel, __VA_ARGS__)

static const struct bank_row ROWS[] = {
    EACH("one_block_sums_256K", 1, 1024, one_block_sums, data->x, data->out, 256 * KI),
    EACH("chains_64K_24", 256, 256, chains, data->shuffled, (int *)data->out, 24),
    EACH("escapes_1000x800_200", dim3(32, 100), dim3(32, 8), escapes, (int *)data->out, 1000, 800,
         200),
    EACH("queens_9", 9, 96, queens, (int *)data->out, 9),
    EACH("digests_128K", 512, 256, digests, (const uint4 *)data->x, (unsigned *)data->out),
    EACH("transforms_2048", 2 * KI, 512, transforms, (const float2 *)data->x, (float2 *)data->out),
    EACH("eliminations_8K", 64, 128, eliminations, data->x, data->out, 0),
    EACH("crowded_sums_396_blocks", 396, 512, crowded_sums, data->x, data->out, 6),
    EACH("powers_512K", 2 * KI, 256, powers, data->x, data->shuffled, data->out),
    EACH("two_roles_792", 792, 256, two_roles, data->x, data->out, 48),
    EACH("drawn_by_warps_16K", 264, 256, drawn_by_warps, data->x, data->out,
         (unsigned *)data->counters + 64, 16000),
    EACH("take_slots_256K", KI, 256, take_slots, data->shuffled, data->counters + 3 * MI,
         1048575),
    EACH("ways_by_lane_4M", 16 * KI, 256, twelve_ways, data->x, data->out, 0),
    EACH("ways_by_warp_4M", 16 * KI, 256, twelve_ways, data->x, data->out, 5),
    EACH("remainders_512K_32", 2 * KI, 256, remainders, (const unsigned long long *)data->x,
         (unsigned long long *)data->out, 32),
};
BANK_FAMILY(oddities)
