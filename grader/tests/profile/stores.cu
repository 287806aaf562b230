// stores.cu - stores of which ptxas makes one, and stores that stay two: what stores.sh counts.
//
// The kernels whose names end in _apart and _wide store the same to the same places: the first word
// by word, the other by a vector. Of those that end in _sides and _select, the first stores on
// every side of a branch, the other where they have met again.
#include <cstdio>
#include <cstring>

enum { BLOCKS = 32, THREADS = 256, WORDS = 8192, FEW = 4 };

#define KERNEL(name, T) __global__ void name(const T *in, T *out, int n)

// Where the thread is, and two values that differ from lane to lane.
#define START(T)                                              \
    const int t = threadIdx.x, i = blockIdx.x * THREADS + t; \
    const T a = in[i], b = in[i + WORDS];

// Whatever order they were stored in, somebody reads them.
#define FINISH(array)            \
    __syncthreads();             \
    out[i] = (array)[THREADS - 1 - t]

// --- To shared memory, side by side --------------------------------------------------------------

KERNEL(pair_apart, float)
{
    __shared__ float s_row[2 * THREADS];
    START(float)
    s_row[2 * t] = a;
    s_row[2 * t + 1] = b;
    FINISH(s_row);
}

KERNEL(pair_wide, float)
{
    __shared__ float2 s_row[THREADS];
    START(float)
    s_row[t] = make_float2(a, b);
    FINISH((float *)s_row);
}

KERNEL(backwards_apart, float)
{
    __shared__ float s_row[2 * THREADS];
    START(float)
    s_row[2 * t + 1] = b;
    s_row[2 * t] = a;
    FINISH(s_row);
}

KERNEL(four_apart, float)
{
    __shared__ float s_row[4 * THREADS];
    START(float)
    s_row[4 * t + 2] = a;
    s_row[4 * t] = b;
    s_row[4 * t + 3] = a + b;
    s_row[4 * t + 1] = a * b;
    FINISH(s_row);
}

KERNEL(four_wide, float)
{
    __shared__ float4 s_row[THREADS];
    START(float)
    s_row[t] = make_float4(b, a * b, a, a + b);
    FINISH((float *)s_row);
}

KERNEL(doubles_apart, double)
{
    __shared__ double s_row[2 * THREADS];
    START(double)
    s_row[2 * t] = a;
    s_row[2 * t + 1] = b;
    FINISH(s_row);
}

KERNEL(doubles_wide, double)
{
    __shared__ double2 s_row[THREADS];
    START(double)
    s_row[t] = make_double2(a, b);
    FINISH((double *)s_row);
}

KERNEL(loop_apart, float)
{
    __shared__ float s_row[2 * THREADS * FEW];
    START(float)
    float v = a;
#pragma unroll 1
    for (int k = 0; k < FEW; k++, v = v * b + 1) {
        s_row[k * 2 * THREADS + 2 * t] = v;
        s_row[k * 2 * THREADS + 2 * t + 1] = v * a;
    }
    FINISH(s_row);
}

KERNEL(loop_wide, float)
{
    __shared__ float2 s_row[THREADS * FEW];
    START(float)
    float v = a;
#pragma unroll 1
    for (int k = 0; k < FEW; k++, v = v * b + 1)
        s_row[k * THREADS + t] = make_float2(v, v * a);
    FINISH((float *)s_row);
}

// Each thread's own run of 16 words: 16 lanes meet in a bank.
KERNEL(runs_apart, float)
{
    __shared__ float s_run[16 * THREADS];
    START(float)
    float v = a;
    for (int k = 0; k < 16; k += 2, v = v * b + 1) {
        s_run[t * 16 + k] = v;
        s_run[t * 16 + k + 1] = v * a;
    }
    FINISH(s_run);
}

KERNEL(runs_wide, float)
{
    __shared__ float4 s_run[4 * THREADS];
    START(float)
    float v = a;
    for (int k = 0; k < 4; k++) {
        float next = v * b + 1;
        s_run[t * 4 + k] = make_float4(v, v * a, next, next * a);
        v = next * b + 1;
    }
    FINISH((float *)s_run);
}

// Neither has an array: their places are known.
KERNEL(variables_apart, float)
{
    __shared__ float s_first, s_second;
    START(float)
    if (t % 32 == 0) {
        s_first = a;
        s_second = b;
    }
    __syncthreads();
    out[i] = s_first + s_second;
}

KERNEL(pairs_in_sides, float)
{
    __shared__ float s_row[2 * THREADS];
    START(float)
    if (t & 1) {
        s_row[2 * t] = a * 3;
        s_row[2 * t + 1] = b;
    } else if (n > 0) {
        s_row[2 * t] = b;
        s_row[2 * t + 1] = a * a;
    }
    FINISH(s_row);
}

// A root has a call in it, for the numbers that are hard.
KERNEL(around_a_call, float)
{
    __shared__ float s_row[2 * THREADS];
    START(float)
    s_row[2 * t] = b;
    s_row[2 * t + 1] = sqrtf(a);
    FINISH(s_row);
}

// Not aligned for a wider one, and under two conditions.
KERNEL(at_every_third, float)
{
    __shared__ float s_row[3 * THREADS];
    START(float)
    s_row[3 * t] = a;
    s_row[3 * t + 1] = b;
    FINISH(s_row);
}

KERNEL(under_two_guards, float)
{
    __shared__ float s_row[2 * THREADS];
    START(float)
    if (t < n)
        s_row[2 * t] = a;
    if (t < n + 32)
        s_row[2 * t + 1] = b;
    FINISH(s_row);
}

// A race on the first word of a pair alone, which the second one carries.
KERNEL(raced, float)
{
    __shared__ float s_row[2 * THREADS];
    START(float)
    s_row[2 * t] = a;
    s_row[2 * t + 1] = b;
    out[i] = s_row[2 * (THREADS - 1 - t)];
}

// --- On the sides of a branch --------------------------------------------------------------------

#define BRANCH(name, T, first, second)                  \
    KERNEL(name##_sides, T)                             \
    {                                                   \
        const int t = blockIdx.x * THREADS + threadIdx.x; \
        if (t >= n)                                     \
            return;                                     \
        const T x = in[t];                              \
        if (t % 2)                                      \
            out[t] = first;                             \
        else                                            \
            out[t] = second;                            \
    }                                                   \
    KERNEL(name##_select, T)                            \
    {                                                   \
        const int t = blockIdx.x * THREADS + threadIdx.x; \
        if (t >= n)                                     \
            return;                                     \
        const T x = in[t];                              \
        T y;                                            \
        if (t % 2)                                      \
            y = first;                                  \
        else                                            \
            y = second;                                 \
        out[t] = y;                                     \
    }
BRANCH(short, float, x * 2 + 1, x * x * 3)
BRANCH(long, float, x * 2 + 1, sqrtf(x + 2) / (x + 7))
BRANCH(vector, float4, make_float4(x.y, 1, x.w, x.x), make_float4(x.x * x.y, x.z, 2, x.w))

KERNEL(three_sides, float)
{
    const int t = blockIdx.x * THREADS + threadIdx.x;
    if (t >= n)
        return;
    if (t % 3 == 0)
        out[t] = in[t] * 2;
    else if (t % 3 == 1)
        out[t] = in[t] * in[t];
    else
        out[t] = sqrtf(in[t] + 3);
}

KERNEL(two_places_sides, float)
{
    const int t = blockIdx.x * THREADS + threadIdx.x;
    if (t >= n)
        return;
    if (t % 2)
        out[t] = in[t] * 2;
    else
        out[t + n] = in[t] * 3;
}

KERNEL(loop_sides, float)
{
    for (int t = threadIdx.x; t < FEW * THREADS; t += THREADS) {
        float x = in[t];
        if (t % 2 == 0) {
            if (n < 0)
                continue;
            out[t] = x * 2;
        } else {
            out[t] = sqrtf(x + 3);
        }
    }
}

KERNEL(shared_sides, float)
{
    __shared__ float s_row[THREADS];
    START(float)
    if (t < n) {
        if (t % 2)
            s_row[t] = a * 2 + b;
        else
            s_row[t] = sqrtf(a + 3);
    }
    FINISH(s_row);
}

template <typename T> static void launch(void (*kernel)(const T *, T *, int), void *data)
{
    kernel<<<BLOCKS, THREADS>>>((const T *)data, (T *)data + 2 * WORDS, WORDS);
}

int main(int count, char **arguments)
{
    void *data;
    cudaMalloc(&data, 4 * WORDS * sizeof(float4));
    cudaMemset(data, 0, 4 * WORDS * sizeof(float4));
    if (count > 1 && strcmp(arguments[1], "race") == 0) {
        launch(raced, data);
        return cudaDeviceSynchronize() != cudaSuccess;
    }
    launch(pair_apart, data), launch(pair_wide, data), launch(backwards_apart, data);
    launch(four_apart, data), launch(four_wide, data);
    launch(doubles_apart, data), launch(doubles_wide, data);
    launch(loop_apart, data), launch(loop_wide, data);
    launch(runs_apart, data), launch(runs_wide, data);
    launch(variables_apart, data);
    launch(pairs_in_sides, data), launch(around_a_call, data);
    launch(at_every_third, data), launch(under_two_guards, data);
    launch(short_sides, data), launch(short_select, data);
    launch(long_sides, data), launch(long_select, data);
    launch(vector_sides, data), launch(vector_select, data);
    launch(three_sides, data), launch(two_places_sides, data);
    launch(loop_sides, data), launch(shared_sides, data);
    cudaError_t error = cudaDeviceSynchronize();
    puts(cudaGetErrorName(error));
    return error != cudaSuccess;
}
