/* patterns.cu - twelve ways for 32 lanes to address memory, each through sixteen kernels: one warp,
 * one access, so that every counter of the hardware can be read off by hand.
 *
 * measured/patterns.csv has what an H200 counted, a row a launch, in the order in which this
 * program launches. Neither that order nor the kernels may change without measuring again.
 */
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <utility>

enum { LANES = 32, PATTERNS = 12, SHARED_BYTES = 32768 };

/* The pattern is a template parameter only to give each launch a kernel name of its own. */
template <typename T, int PATTERN>
__global__ void global_load(const T *from, const int *index, T *to)
{
    T value = from[index[threadIdx.x]];
    *(volatile char *)to = *(char *)&value;
}

template <typename T, int PATTERN> __global__ void global_store(T *to, const int *index, T value)
{
    to[index[threadIdx.x]] = value;
}

template <typename T, int PATTERN> __global__ void shared_load(const int *index, T *to)
{
    extern __shared__ char s_bytes[];
    T *from = (T *)s_bytes;
    int at = index[threadIdx.x];
    for (int k = threadIdx.x; k < SHARED_BYTES / 4; k += 32)
        ((int *)s_bytes)[k] = k;
    __syncthreads();
    T value = from[at];
    to[threadIdx.x] = value;
}

template <typename T, int PATTERN> __global__ void shared_store(const int *index, T value, int *to)
{
    extern __shared__ char s_bytes[];
    T *elements = (T *)s_bytes;
    int at = index[threadIdx.x];
    elements[at] = value;
    __syncthreads();
    to[threadIdx.x] = ((int *)s_bytes)[at & 1023];
}

template <int PATTERN> __global__ void shared_atomic(const int *index, int *to)
{
    extern __shared__ int s_count[];
    s_count[threadIdx.x] = 0;
    __syncthreads();
    atomicAdd(&s_count[index[threadIdx.x]], 1);
    __syncthreads();
    to[threadIdx.x] = s_count[threadIdx.x];
}

template <int PATTERN> __global__ void global_atomic(const int *index, int *count)
{
    atomicAdd(&count[index[threadIdx.x]], 1);
}

/* Odd numbers walk one loop, even ones another: here the pattern is the lanes' data. */
template <int PATTERN> __global__ void branch(const int *in, int *out)
{
    int i = threadIdx.x, value = in[i];
    if (value & 1) {
        for (int k = 0; k < value; k++)
            out[i] += k * value;
    } else {
        for (int k = 0; k < 3; k++)
            out[i + 32] -= in[k] * value;
    }
}

/* What each lane uses as its index: neighbours, reversed, one for all, strides, pairs, two halves
 * 33 apart, one further on, swapped, random. */
static void fill_patterns(int pattern[PATTERNS][LANES])
{
    unsigned random = 12345;
    for (int lane = 0; lane < LANES; lane++) {
        random = random * 1664525u + 1013904223u;
        const int index[PATTERNS] = {lane,      31 - lane, 0,
                                     2 * lane,  4 * lane,  8 * lane,
                                     32 * lane, lane / 2,  lane / 16 * 33,
                                     lane + 1,  lane ^ 1,  (int)(random >> 22 & 255)};
        for (int k = 0; k < PATTERNS; k++)
            pattern[k][lane] = index[k];
    }
}

static void check(cudaError_t error)
{
    if (error == cudaSuccess)
        return;
    fprintf(stderr, "patterns: %s.\n", cudaGetErrorString(error));
    exit(1);
}

/* The sixteen launches of one pattern. */
template <int P> static void run(const int (*pattern)[LANES], int *d_index, char *d_buffer)
{
    char *d_out = d_buffer + (1 << 20);
    const int2 two = {1, 1};
    const int4 four = {1, 1, 1, 1};
    check(cudaMemcpy(d_index, pattern[P], LANES * sizeof(int), cudaMemcpyHostToDevice));
    global_load<uint8_t, P><<<1, LANES>>>((uint8_t *)d_buffer, d_index, (uint8_t *)d_out);
    global_load<int, P><<<1, LANES>>>((int *)d_buffer, d_index, (int *)d_out);
    global_load<int2, P><<<1, LANES>>>((int2 *)d_buffer, d_index, (int2 *)d_out);
    global_load<int4, P><<<1, LANES>>>((int4 *)d_buffer, d_index, (int4 *)d_out);
    global_store<int, P><<<1, LANES>>>((int *)d_buffer, d_index, 1);
    global_store<int4, P><<<1, LANES>>>((int4 *)d_buffer, d_index, four);
    shared_load<uint8_t, P><<<1, LANES, SHARED_BYTES>>>(d_index, (uint8_t *)d_buffer);
    shared_load<int, P><<<1, LANES, SHARED_BYTES>>>(d_index, (int *)d_buffer);
    shared_load<int2, P><<<1, LANES, SHARED_BYTES>>>(d_index, (int2 *)d_buffer);
    shared_load<int4, P><<<1, LANES, SHARED_BYTES>>>(d_index, (int4 *)d_buffer);
    shared_store<int, P><<<1, LANES, SHARED_BYTES>>>(d_index, 1, (int *)d_buffer);
    shared_store<int2, P><<<1, LANES, SHARED_BYTES>>>(d_index, two, (int *)d_buffer);
    shared_store<int4, P><<<1, LANES, SHARED_BYTES>>>(d_index, four, (int *)d_buffer);
    shared_atomic<P><<<1, LANES, SHARED_BYTES>>>(d_index, (int *)d_buffer);
    global_atomic<P><<<1, LANES>>>(d_index, (int *)d_buffer);
    branch<P><<<1, LANES>>>(d_index, (int *)d_buffer);
    check(cudaGetLastError());
}

template <int... P>
static void run_all(std::integer_sequence<int, P...>, const int (*pattern)[LANES], int *d_index,
                    char *d_buffer)
{
    (run<P>(pattern, d_index, d_buffer), ...);
}

int main()
{
    int pattern[PATTERNS][LANES], *d_index;
    char *d_buffer;
    const size_t buffer_bytes = 1 << 22;
    fill_patterns(pattern);
    check(cudaMalloc(&d_index, LANES * 16 * sizeof(int)));
    check(cudaMalloc(&d_buffer, buffer_bytes));
    check(cudaMemset(d_buffer, 0, buffer_bytes));
    run_all(std::make_integer_sequence<int, PATTERNS>(), pattern, d_index, d_buffer);
    check(cudaDeviceSynchronize());
    check(cudaFree(d_buffer));
    check(cudaFree(d_index));
    return 0;
}
