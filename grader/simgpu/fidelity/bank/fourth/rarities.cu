/* rarities.cu - strings and bytes, local arrays, divergent loops, whole numbers, costly functions,
 * tiny grids, loops of few blocks, lanes and votes. */
#include "../bank.h"

#include <cstdint>

/* Small letters become capital ones, four at a time or one. */
__global__ void capitals_four(const uchar4 *in, uchar4 *out)
{
    uchar4 v = in[thread_index()];
    v.x -= v.x >= 'a' && v.x <= 'z' ? 32 : 0;
    v.y -= v.y >= 'a' && v.y <= 'z' ? 32 : 0;
    v.z -= v.z >= 'a' && v.z <= 'z' ? 32 : 0;
    v.w -= v.w >= 'a' && v.w <= 'z' ? 32 : 0;
    out[thread_index()] = v;
}

/* Where words begin, counted over the text. */
__global__ void count_words(const char *text, int *count, int n)
{
    int words = 0;
    for (int i = thread_index() + 1; i < n; i += thread_count()) {
        bool letter = (text[i] | 32) >= 'a', before = (text[i - 1] | 32) >= 'a';
        words += letter && !before;
    }
    words = __reduce_add_sync(~0u, words);
    if ((threadIdx.x & 31) == 0)
        atomicAdd(count, words);
}

/* Bytes as pairs of hexadecimal digits. */
__global__ void to_hexadecimal(const uint32_t *in, uint2 *out)
{
    uint32_t v = in[thread_index()], word[2] = {0, 0};
    for (int k = 0; k < 8; k++) {
        uint32_t digit = v >> 4 * (k ^ 1) & 15;
        word[k / 4] |= (digit + (digit < 10 ? '0' : 'a' - 10)) << k % 4 * 8;
    }
    out[thread_index()] = make_uint2(word[0], word[1]);
}

/* A checksum of 256 bytes each, by a table that threads make for their block. */
__global__ void checksum_by_table(const uint4 *in, uint32_t *out)
{
    __shared__ uint32_t s_table[256];
    for (int j = threadIdx.x; j < 256; j += blockDim.x) {
        uint32_t c = j;
        for (int k = 0; k < 8; k++)
            c = c & 1 ? 0xEDB88320u ^ c >> 1 : c >> 1;
        s_table[j] = c;
    }
    __syncthreads();
    uint32_t crc = ~0u;
    for (int j = 0; j < 16; j++) {
        uint4 v = in[thread_index() * 16 + j];
        const uint32_t word[4] = {v.x, v.y, v.z, v.w};
#pragma unroll
        for (int k = 0; k < 16; k++)
            crc = s_table[(crc ^ word[k / 4] >> k % 4 * 8) & 255] ^ crc >> 8;
    }
    out[thread_index()] = ~crc;
}

/* How far two words of 16 letters are apart, by a row of a table in local memory. */
__global__ void edit_distance(const unsigned char *a, const unsigned char *b, int *out, int letters)
{
    int i = thread_index();
    int row[17];
    for (int k = 0; k <= letters; k++)
        row[k] = k;
    for (int j = 1; j <= letters; j++) {
        int diagonal = row[0];
        row[0] = j;
        int c = b[i * 16 + j - 1] & 3;
        for (int k = 1; k <= letters; k++) {
            int up = row[k];
            row[k] = min(min(up, row[k - 1]) + 1, diagonal + ((a[i * 16 + k - 1] & 3) != c));
            diagonal = up;
        }
    }
    out[i] = row[letters];
}

/* A stack in local memory, pushed and popped as bits of the data say. */
__global__ void stack_machine(const int *code, int *out, int steps)
{
    int stack[32], top = 0, acc = thread_index();
    for (int k = 0; k < steps; k++) {
        int op = code[(thread_index() + k * 997) & 0x3FFFFF];
        if (op & 1)
            stack[top++ & 31] = acc + op;
        else if (top)
            acc ^= stack[--top & 31];
        acc = acc * 5 + 1;
    }
    out[thread_index()] = acc + top;
}

/* Forty-eight numbers live at once in threads that may have forty registers. */
__global__ void __launch_bounds__(256, 6) too_many_alive(const float *x, float *out, int rounds)
{
    float v[48];
    int i = thread_index();
#pragma unroll
    for (int j = 0; j < 48; j++)
        v[j] = x[i + j * 1024];
#pragma unroll 1
    for (int r = 0; r < rounds; r++)
#pragma unroll
        for (int j = 0; j < 48; j++)
            v[j] = fmaf(v[j], v[(j + 7) % 48], 0.5f);
    float sum = 0;
#pragma unroll
    for (int j = 0; j < 48; j++)
        sum += v[j];
    out[i] = sum;
}

/* Newton's steps until a root is near enough, fewer or more of them. */
__global__ void roots_until_near(const float *x, float *out, float near)
{
    int i = thread_index();
    float a = fabsf(x[i]) * fabsf(x[i]) * 1e4f + 1e-4f, r = 1;
    int steps = 0;
    while (fabsf(r * r - a) > near * a && steps < 40) {
        r = 0.5f * (r + a / r);
        steps++;
    }
    out[i] = r + steps;
}

/* As many turns as the lane's own length, with an early end by a vote. */
__global__ void turns_with_votes(const int *length, float *out)
{
    int i = thread_index(), mine = length[i] & 63;
    float v = 1;
    for (int k = 0; __any_sync(~0u, k < mine); k++)
        if (k < mine)
            v = v * 0.9f + sinf(v + k);
    out[i] = v;
}

/* Minutes, hours, days and years of seconds: quotients and remainders by constants. */
__global__ void calendar(const int *seconds, int4 *out)
{
    int i = thread_index();
    unsigned s = (unsigned)seconds[i] * 377u;
    unsigned days = s / 86400, hour = s % 86400 / 3600, year = (days * 400 + 200) / 146097;
    out[i] = make_int4(s % 60, s / 60 % 60 + 100 * hour, days % 7, 1970 + year);
}

/* Sums of decimal digits by a divisor that is not known before. */
__global__ void digit_sums(const int *in, int *out, int base)
{
    int i = thread_index(), v = in[i], sum = 0;
    while (v > 0) {
        sum += v % base;
        v /= base;
    }
    out[i] = sum;
}

/* A price by the formula of Black and Scholes, with the error function. */
__global__ void option_formula(const float *x, const float *y, float *call, float *put)
{
    int i = thread_index();
    float s = 20 + 10 * x[i], k = 20 + 10 * y[i], t = 1.5f + x[i], vol = 0.3f, rate = 0.02f;
    float root = sqrtf(t), d1 = (logf(s / k) + (rate + 0.5f * vol * vol) * t) / (vol * root);
    float d2 = d1 - vol * root, n1 = normcdff(d1), n2 = normcdff(d2), e = expf(-rate * t);
    call[i] = s * n1 - k * e * n2;
    put[i] = k * e * (1 - n2) - s * (1 - n1);
}

/* Functions that the library takes many steps for. */
__global__ void rare_functions(const float *x, float *out)
{
    int i = thread_index();
    float v = fabsf(x[i]) + 0.5f;
    out[i] = lgammaf(v) + erfcf(v) + cbrtf(v) + atanhf(v * 0.5f) + powf(v, 1.7f);
}

/* In doubles: a logarithm and an exponential of each. */
__global__ void powers_of_doubles(const double *x, double *out)
{
    int i = thread_index();
    out[i] = exp(x[i] * 3) + log(fabs(x[i]) + 0.1);
}

/* Almost nothing to do, by few threads. */
__global__ void scale_a_little(const float *x, float *out, float a, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        out[i] = a * x[i];
}

/* One block does all of it, by rounds with a barrier. */
__global__ void all_by_one_block(const float *x, float *out, int rounds)
{
    __shared__ float s_v[1024];
    float v = x[threadIdx.x];
    for (int r = 0; r < rounds; r++) {
        s_v[threadIdx.x] = v;
        __syncthreads();
        v = 0.5f * (s_v[(threadIdx.x + 1) & 1023] + s_v[(threadIdx.x + 1023) & 1023]) +
            x[r * 1024 + threadIdx.x];
        __syncthreads();
    }
    out[threadIdx.x] = v;
}

/* Blocks stay and take tiles in turn; each tile is smoothed in shared memory. */
__global__ void tiles_by_stayers(const float *x, float *out, int tiles)
{
    __shared__ float s_x[512];
    for (int tile = blockIdx.x; tile < tiles; tile += gridDim.x) {
        s_x[threadIdx.x] = x[tile * 512 + threadIdx.x];
        s_x[threadIdx.x + 256] = x[tile * 512 + threadIdx.x + 256];
        __syncthreads();
        for (int j = threadIdx.x; j < 512; j += 256)
            out[tile * 512 + j] =
                0.5f * s_x[j] + 0.25f * (s_x[(j + 1) & 511] + s_x[(j + 511) & 511]);
        __syncthreads();
    }
}

/* Rows of growing length, a block to a row: the last ones are the longest. */
__global__ void growing_rows(const float *x, float *out, int step)
{
    int length = (blockIdx.x + 1) * step;
    float sum = 0;
    for (int j = threadIdx.x; j < length; j += blockDim.x)
        sum += x[(size_t)blockIdx.x * 8192 + j] * 0.5f;
    for (int d = 16; d; d >>= 1)
        sum += __shfl_xor_sync(~0u, sum, d);
    out[thread_index()] = sum;
}

/* A matrix of 32 x 32 bits turned by 32 votes. */
__global__ void bits_turned(const uint32_t *in, uint32_t *out)
{
    int lane = threadIdx.x & 31;
    uint32_t word = in[thread_index()], mine = 0;
#pragma unroll
    for (int k = 0; k < 32; k++) {
        uint32_t votes = __ballot_sync(~0u, word >> k & 1);
        mine = lane == k ? votes : mine;
    }
    out[thread_index()] = mine;
}

/* A Walsh-Hadamard transform of 32 lanes and eight words each, by shuffles. */
__global__ void hadamard_256(const float *x, float *out)
{
    int base = thread_index() / 32 * 256 + (threadIdx.x & 31);
    float v[8];
#pragma unroll
    for (int j = 0; j < 8; j++)
        v[j] = x[base + j * 32];
#pragma unroll
    for (int j = 0; j < 8; j++)
#pragma unroll
        for (int d = 1; d < 32; d *= 2) {
            float other = __shfl_xor_sync(~0u, v[j], d);
            v[j] = threadIdx.x & d ? other - v[j] : v[j] + other;
        }
#pragma unroll
    for (int d = 1; d < 8; d *= 2)
#pragma unroll
        for (int j = 0; j < 8; j++)
            if (!(j & d)) {
                float a = v[j], b = v[j + d];
                v[j] = a + b;
                v[j + d] = a - b;
            }
#pragma unroll
    for (int j = 0; j < 8; j++)
        out[base + j * 32] = v[j] * 0.0625f;
}

#define EACH(name, grid, block, kernel, ...)                                                       \
    BANK_ROW(name, BANK_COLD, grid, block, 0, kernel, __VA_ARGS__)

static const struct bank_row ROWS[] = {
    EACH("capitals_four_32M", 32 * KI, 256, capitals_four, (const uchar4 *)data->half_x,
         (uchar4 *)data->out),
    EACH("count_words_16M", 264, 512, count_words, (const char *)data->half_x,
         data->counters + 3 * MI + 320, 16 * MI),
    EACH("to_hexadecimal_4M_words", 16 * KI, 256, to_hexadecimal, (const uint32_t *)data->x,
         (uint2 *)data->out),
    EACH("checksum_by_table_64K_blocks", 512, 128, checksum_by_table, (const uint4 *)data->half_x,
         (uint32_t *)data->out),
    EACH("edit_distance_256K", 2 * KI, 128, edit_distance, (const unsigned char *)data->half_x,
         (const unsigned char *)data->shuffled, (int *)data->out, 16),
    EACH("stack_machine_128K", 512, 256, stack_machine, data->shuffled, (int *)data->out, 100),
    EACH("too_many_alive_200K", 792, 256, too_many_alive, data->x, data->out, 10),
    EACH("roots_until_near_4M", 16 * KI, 256, roots_until_near, data->x, data->out, 1e-6f),
    EACH("turns_with_votes_512K", 4 * KI, 128, turns_with_votes, data->shuffled, data->out),
    EACH("calendar_4M", 8 * KI, 512, calendar, data->shuffled, (int4 *)data->out),
    EACH("digit_sums_1M_of_tens", 4 * KI, 256, digit_sums, data->shuffled, (int *)data->out, 10),
    EACH("digit_sums_256K_of_threes", KI, 256, digit_sums, data->shuffled, (int *)data->out, 3),
    EACH("option_formula_4M", 16 * KI, 256, option_formula, data->x, data->y, data->out,
         data->out + 16 * MI),
    EACH("rare_functions_2M", 8 * KI, 256, rare_functions, data->x, data->out),
    EACH("powers_of_doubles_1M", 8 * KI, 128, powers_of_doubles, data->double_x,
         (double *)data->out),
    EACH("scale_a_little_one_warp", 1, 32, scale_a_little, data->x, data->out, 2.0f, 32),
    EACH("scale_a_little_5000_of_33_blocks", 33, 160, scale_a_little, data->x, data->out, 2.0f,
         5000),
    EACH("scale_a_little_300K", 1172, 256, scale_a_little, data->x, data->out, 2.0f, 300000),
    EACH("all_by_one_block_200", 1, KI, all_by_one_block, data->x, data->out, 200),
    EACH("tiles_by_stayers_16M", 792, 256, tiles_by_stayers, data->x, data->out, 32 * KI),
    EACH("growing_rows_2000", 2000, 128, growing_rows, data->x, data->out, 4),
    EACH("growing_rows_700_steep", 700, 128, growing_rows, data->x, data->out, 11),
    EACH("bits_turned_4M", 16 * KI, 256, bits_turned, (const uint32_t *)data->shuffled,
         (uint32_t *)data->out),
    EACH("hadamard_256_8M", 4 * KI, 256, hadamard_256, data->x, data->out),
};
BANK_FAMILY(rarities)
