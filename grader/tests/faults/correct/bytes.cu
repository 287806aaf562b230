// bytes.cu - bytes and halves of words in shared memory, each with a thread of its own.
#include "correct.h"

#include <cuda_fp16.h>

namespace bytes {

enum { THREADS = 128 };

__global__ void each_its_byte(const int *in, int *out)
{
    __shared__ char s_row[THREADS];
    unsigned i = threadIdx.x;
    s_row[i] = (char)in[i];
    __syncthreads();
    s_row[i] += 1; /* four threads in a word */
    __syncthreads();
    out[i] = s_row[THREADS - 1 - i];
}

CORRECT(each_its_byte)
{
    ints in = numbers(THREADS);
    device_ints d_in(in), d_out(THREADS);
    each_its_byte<<<2, THREADS>>>(d_in, d_out);
    return d_out.values() == made_of(THREADS, [&](int i) { return in[THREADS - 1 - i] + 1; });
}

/* A scan of bytes: from one half of the buffer to the other. */
__global__ void scan_of_bytes(const int *in, int *out)
{
    __shared__ unsigned char s_row[2][THREADS];
    unsigned i = threadIdx.x, at = 0;
    s_row[0][i] = (unsigned char)(in[i] % 2);
    for (unsigned step = 1; step < THREADS; step *= 2) {
        __syncthreads();
        s_row[1 - at][i] = s_row[at][i] + (i >= step ? s_row[at][i - step] : 0);
        at = 1 - at;
    }
    out[i] = s_row[at][i];
}

CORRECT(scan_of_bytes)
{
    ints in = numbers(THREADS);
    device_ints d_in(in), d_out(THREADS);
    scan_of_bytes<<<1, THREADS>>>(d_in, d_out);
    return d_out.values() == made_of(THREADS, [&](int i) {
               int sum = 0;
               for (int k = 0; k <= i; k++)
                   sum += in[k] % 2;
               return sum;
           });
}

/* Words, then halves, then bytes of the same memory, with barriers in between. */
__global__ void words_halves_and_bytes(const int *in, int *out)
{
    __shared__ union {
        int word[THREADS];
        short half[2 * THREADS];
        char byte[4 * THREADS];
    } s;
    unsigned i = threadIdx.x;
    s.word[i] = in[i];
    s.word[i] = s.word[i] + 1;
    __syncthreads();
    if (i % 2)
        s.half[2 * (i - 1) + 1] = (short)i;
    else
        s.half[2 * (i + 1) + 1] = (short)i;
    __syncthreads();
    if (s.byte[4 * i] & 1)
        s.byte[4 * i + 1] = 3;
    __syncthreads();
    out[i] = s.word[THREADS - 1 - i];
}

CORRECT(words_halves_and_bytes)
{
    ints in = numbers(THREADS);
    device_ints d_in(in), d_out(THREADS);
    words_halves_and_bytes<<<2, THREADS>>>(d_in, d_out);
    return d_out.values() == made_of(THREADS, [&](int k) {
               int i = THREADS - 1 - k, low = in[i] + 1;
               return (low & 1 ? low | 3 << 8 : low) | (i % 2 ? i - 1 : i + 1) << 16;
           });
}

/* Two threads pack a pair of halves, the whole warp reads pairs. */
__global__ void halves_of_a_pair(const int *in, float *out)
{
    __shared__ __half2 s_pairs[THREADS / 2];
    __half *halves = (__half *)s_pairs;
    unsigned i = threadIdx.x;
    halves[i] = __int2half_rn(in[i]);
    __syncthreads();
    __half2 pair = s_pairs[i / 2];
    out[i] = __low2float(pair) + __high2float(pair);
}

CORRECT(halves_of_a_pair)
{
    ints in = numbers(THREADS);
    device_ints d_in(in);
    device_array<float> d_out(THREADS);
    halves_of_a_pair<<<1, THREADS>>>(d_in, d_out);
    std::vector<float> out = d_out.values();
    for (int i = 0; i < THREADS; i++)
        if (out[i] != (float)(in[i / 2 * 2] + in[i / 2 * 2 + 1]))
            return false;
    return true;
}

} // namespace bytes
