// memory.cu - memory used to its last byte, in every way it can be had, and odd-looking addresses.
#include "correct.h"

#include <cstdint>
#include <cstring>

namespace memory {

enum { THREADS = 64 };

__global__ void to_the_last_element(const int *in, int *out, int count)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < count)
        out[count - 1 - i] = in[i];
}

CORRECT(to_the_last_element)
{
    ints in = numbers(101);
    device_ints d_in(in), d_out(101);
    to_the_last_element<<<2, THREADS>>>(d_in, d_out, 101);
    return d_out.values() == made_of(101, [&](int i) { return in[100 - i]; });
}

__global__ void strides_over_the_grid(const int *in, int *out, int count)
{
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < count; i += gridDim.x * blockDim.x)
        out[i] = 2 * in[i];
}

CORRECT(strides_over_the_grid)
{
    ints in = numbers(1003);
    device_ints d_in(in), d_out(1003);
    strides_over_the_grid<<<3, THREADS>>>(d_in, d_out, 1003);
    return d_out.values() == made_of(1003, [&](int i) { return 2 * in[i]; });
}

CORRECT(nothing_to_do)
{
    ints in = numbers(1);
    device_ints d_in(in), d_out(in);
    strides_over_the_grid<<<3, THREADS>>>(d_in, d_out, 0);
    strides_over_the_grid<<<3, THREADS>>>(nullptr, nullptr, 0);
    return d_out.values() == in;
}

__global__ void fours_and_a_tail(const int *in, int *out, int count)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (4 * i + 3 < count) {
        int4 four = ((const int4 *)in)[i];
        ((int4 *)out)[i] = make_int4(four.w, four.z, four.y, four.x);
    } else {
        for (int k = 4 * i; k < count; k++)
            out[k] = in[k];
    }
}

CORRECT(fours_and_a_tail)
{
    ints in = numbers(131);
    device_ints d_in(in), d_out(131);
    fours_and_a_tail<<<1, THREADS>>>(d_in, d_out, 131);
    return d_out.values() ==
           made_of(131, [&](int i) { return i < 128 ? in[i / 4 * 4 + 3 - i % 4] : in[i]; });
}

/* A first few by themselves until the address is a multiple of 16, then fours. */
__global__ void aligned_by_hand(const int *in, int *out, int count)
{
    int head = (int)((16 - (uintptr_t)in % 16) % 16 / 4), i = threadIdx.x;
    head = min(head, count);
    if (i < head)
        out[i] = in[i];
    int fours = (count - head) / 4;
    if (i < fours) {
        int4 four = ((const int4 *)(in + head))[i];
        int *to = out + head + 4 * i;
        to[0] = four.x;
        to[1] = four.y;
        to[2] = four.z;
        to[3] = four.w;
    }
    int k = head + 4 * fours + i;
    if (k < count)
        out[k] = in[k];
}

CORRECT(aligned_by_hand)
{
    ints in = numbers(100);
    for (int from = 0; from < 4; from++) {
        device_ints d_in(in), d_out(100 - from);
        aligned_by_hand<<<1, THREADS>>>(d_in + from, d_out, 100 - from);
        if (d_out.values() != ints(in.begin() + from, in.end()))
            return false;
    }
    return true;
}

struct __attribute__((packed)) record {
    char kind;
    int value;
};

/* The compiler knows that the struct is packed, and loads bytes. */
__global__ void packed_records(const record *in, int *out)
{
    out[threadIdx.x] = in[threadIdx.x].value + in[threadIdx.x].kind;
}

CORRECT(packed_records)
{
    std::vector<record> in(THREADS);
    for (int i = 0; i < THREADS; i++)
        in[i] = {(char)i, 1000 * i};
    device_array<record> d_in(in);
    device_ints d_out(THREADS);
    packed_records<<<1, THREADS>>>(d_in, d_out);
    return d_out.values() == made_of(THREADS, [](int i) { return 1001 * i; });
}

__global__ void copied_by_memcpy(const char *in, int *out)
{
    int value;
    memcpy(&value, in + 5 * threadIdx.x, sizeof value);
    out[threadIdx.x] = value;
}

CORRECT(copied_by_memcpy)
{
    std::vector<char> in(5 * THREADS);
    ints truth(THREADS);
    for (size_t i = 0; i < in.size(); i++)
        in[i] = (char)(7 * i);
    for (int i = 0; i < THREADS; i++)
        memcpy(&truth[i], &in[5 * i], 4);
    device_array<char> d_in(in);
    device_ints d_out(THREADS);
    copied_by_memcpy<<<1, THREADS>>>(d_in, d_out);
    return d_out.values() == truth;
}

/* The index wraps below zero and comes back: only the sum matters. */
__global__ void offsets_that_wrap(const int *in, int *out)
{
    unsigned i = threadIdx.x;
    const int *middle = in + THREADS;
    out[i] = middle[(int)i - THREADS] + in[i - 5u + 5u] + *(in + i + 1 - 1);
}

CORRECT(offsets_that_wrap)
{
    ints in = numbers(THREADS);
    device_ints d_in(in), d_out(THREADS);
    offsets_that_wrap<<<1, THREADS>>>(d_in, d_out);
    return d_out.values() == made_of(THREADS, [&](int i) { return 3 * in[i]; });
}

CORRECT(freed_and_allocated_again)
{
    ints in = numbers(500);
    for (int round = 0; round < 20; round++) {
        device_ints d_in(in), d_out(500);
        strides_over_the_grid<<<2, THREADS>>>(d_in, d_out, 500);
        if (d_out.values() != made_of(500, [&](int i) { return 2 * in[i]; }))
            return false;
    }
    return true;
}

CORRECT(freed_behind_the_kernel)
{
    ints in = numbers(500), out(500);
    int *d_in, *d_out;
    cudaStream_t stream;
    CHECK(cudaStreamCreate(&stream));
    CHECK(cudaMallocAsync(&d_in, 500 * sizeof(int), stream));
    CHECK(cudaMallocAsync(&d_out, 500 * sizeof(int), stream));
    CHECK(cudaMemcpyAsync(d_in, in.data(), 500 * sizeof(int), cudaMemcpyHostToDevice, stream));
    strides_over_the_grid<<<2, THREADS, 0, stream>>>(d_in, d_out, 500);
    CHECK(cudaFreeAsync(d_in, stream));
    CHECK(cudaMemcpyAsync(out.data(), d_out, 500 * sizeof(int), cudaMemcpyDeviceToHost, stream));
    CHECK(cudaFreeAsync(d_out, stream));
    CHECK(cudaStreamSynchronize(stream));
    CHECK(cudaStreamDestroy(stream));
    return out == made_of(500, [&](int i) { return 2 * in[i]; });
}

CORRECT(managed_memory)
{
    int *values;
    CHECK(cudaMallocManaged(&values, 2 * 300 * sizeof(int)));
    for (int i = 0; i < 300; i++)
        values[i] = i;
    strides_over_the_grid<<<2, THREADS>>>(values, values + 300, 300);
    CHECK(cudaDeviceSynchronize());
    bool right = true;
    for (int i = 0; i < 300; i++)
        right &= values[300 + i] == 2 * i;
    CHECK(cudaFree(values));
    return right;
}

CORRECT(pinned_memory)
{
    int *h_values, *d_values;
    CHECK(cudaHostAlloc(&h_values, 2 * 300 * sizeof(int), cudaHostAllocMapped));
    CHECK(cudaHostGetDevicePointer(&d_values, h_values, 0));
    for (int i = 0; i < 300; i++)
        h_values[i] = 3 * i;
    strides_over_the_grid<<<2, THREADS>>>(d_values, d_values + 300, 300);
    CHECK(cudaDeviceSynchronize());
    bool right = true;
    for (int i = 0; i < 300; i++)
        right &= h_values[300 + i] == 6 * i;
    CHECK(cudaFreeHost(h_values));
    return right;
}

CORRECT(copied_on_the_device)
{
    ints in = numbers(300);
    device_ints d_in(in), d_between(300), d_out(300);
    CHECK(cudaMemcpy(d_between, d_in, 150 * sizeof(int), cudaMemcpyDeviceToDevice));
    CHECK(cudaMemcpy(d_between + 150, d_in + 150, 150 * sizeof(int), cudaMemcpyDeviceToDevice));
    strides_over_the_grid<<<2, THREADS>>>(d_between, d_out, 300);
    return d_out.values() == made_of(300, [&](int i) { return 2 * in[i]; });
}

__global__ void rows_with_a_pitch(int *image, size_t pitch, int width, int height)
{
    int x = threadIdx.x, y = blockIdx.x;
    if (x < width && y < height)
        ((int *)((char *)image + y * pitch))[x] = 100 * y + x;
}

CORRECT(rows_with_a_pitch)
{
    const int width = 37, height = 11;
    int *d_image;
    size_t pitch;
    ints out(width * height);
    CHECK(cudaMallocPitch(&d_image, &pitch, width * sizeof(int), height));
    rows_with_a_pitch<<<height, THREADS>>>(d_image, pitch, width, height);
    CHECK(cudaMemcpy2D(out.data(), width * sizeof(int), d_image, pitch, width * sizeof(int), height,
                       cudaMemcpyDeviceToHost));
    CHECK(cudaFree(d_image));
    return out == made_of(width * height, [&](int i) { return 100 * (i / width) + i % width; });
}

__global__ void written_in_part(int *out)
{
    unsigned i = threadIdx.x;
    if (i % 2)
        out[i] = (int)i;
}

__global__ void read_in_the_same_part(const int *in, int *out)
{
    unsigned i = threadIdx.x;
    out[i] = i % 2 ? in[i] : -1;
}

CORRECT(only_what_was_written_is_read)
{
    device_ints d_between(THREADS), d_out(THREADS);
    written_in_part<<<1, THREADS>>>(d_between);
    read_in_the_same_part<<<1, THREADS>>>(d_between, d_out);
    return d_out.values() == made_of(THREADS, [](int i) { return i % 2 ? i : -1; });
}

__device__ int call_count;
__device__ int table[4] = {3, 1, 4, 1};
__constant__ int c_weights[5];

__global__ void variables_of_the_device(int *out)
{
    unsigned i = threadIdx.x;
    atomicAdd(&call_count, 1);
    out[i] = table[i % 4] + c_weights[i % 5];
}

CORRECT(variables_of_the_device)
{
    const int weights[5] = {10, 20, 30, 40, 50}, digits[4] = {3, 1, 4, 1};
    int count = 0;
    device_ints d_out(THREADS);
    CHECK(cudaMemcpyToSymbol(c_weights, weights, sizeof weights));
    variables_of_the_device<<<1, THREADS>>>(d_out);
    CHECK(cudaMemcpyFromSymbol(&count, call_count, sizeof count));
    return count == THREADS &&
           d_out.values() ==
               made_of(THREADS, [&](int i) { return digits[i % 4] + weights[i % 5]; });
}

__global__ void arrays_of_each_thread(const int *in, int *out)
{
    int own[10], i = (int)threadIdx.x;
    for (int k = 0; k < 10; k++)
        own[k] = in[(i + k) % THREADS];
    for (int k = 1; k < 10; k++) // sorted by insertion
        for (int j = k; j > 0 && own[j - 1] > own[j]; j--) {
            int value = own[j];
            own[j] = own[j - 1];
            own[j - 1] = value;
        }
    out[i] = own[in[i] % 10];
}

CORRECT(arrays_of_each_thread)
{
    ints in = numbers(THREADS);
    device_ints d_in(in), d_out(THREADS);
    arrays_of_each_thread<<<1, THREADS>>>(d_in, d_out);
    ints out = d_out.values();
    for (int i = 0; i < THREADS; i++) {
        int below = 0, same = 0;
        for (int k = 0; k < 10; k++) {
            below += in[(i + k) % THREADS] < out[i];
            same += in[(i + k) % THREADS] == out[i];
        }
        if (!(below <= in[i] % 10 && in[i] % 10 < below + same))
            return false;
    }
    return true;
}

__device__ __noinline__ void swap_ends(int *values, int count)
{
    int first = values[0];
    values[0] = values[count - 1];
    values[count - 1] = first;
    if (count > 2)
        swap_ends(values + 1, count - 2);
}

/* A function works on an array of the one that called it, deep down. */
__global__ void arrays_handed_to_functions(const int *in, int *out)
{
    int own[12], i = (int)threadIdx.x;
    for (int k = 0; k < 12; k++)
        own[k] = in[(i + k) % THREADS];
    swap_ends(own, 12);
    out[i] = own[i % 12];
}

CORRECT(arrays_handed_to_functions)
{
    ints in = numbers(THREADS);
    device_ints d_in(in), d_out(THREADS);
    arrays_handed_to_functions<<<1, THREADS>>>(d_in, d_out);
    return d_out.values() ==
           made_of(THREADS, [&](int i) { return in[(i + 11 - i % 12) % THREADS]; });
}

__device__ __noinline__ int fibonacci(int n)
{
    return n < 2 ? n : fibonacci(n - 1) + fibonacci(n - 2);
}

__global__ void recursion(int *out)
{
    out[threadIdx.x] = fibonacci((int)threadIdx.x % 12);
}

CORRECT(recursion)
{
    const int truth[12] = {0, 1, 1, 2, 3, 5, 8, 13, 21, 34, 55, 89};
    device_ints d_out(THREADS);
    recursion<<<1, THREADS>>>(d_out);
    return d_out.values() == made_of(THREADS, [&](int i) { return truth[i % 12]; });
}

typedef int operation(int, int);
__device__ int plus(int a, int b)
{
    return a + b;
}
__device__ int times(int a, int b)
{
    return a * b;
}
__device__ operation *operations[3] = {plus, times, nullptr};

__global__ void functions_by_pointer(const int *in, int *out)
{
    unsigned i = threadIdx.x;
    operation *chosen = operations[i % 3];
    out[i] = chosen ? chosen(in[i], 3) : in[i];
}

CORRECT(functions_by_pointer)
{
    ints in = numbers(THREADS);
    device_ints d_in(in), d_out(THREADS);
    functions_by_pointer<<<1, THREADS>>>(d_in, d_out);
    return d_out.values() == made_of(THREADS, [&](int i) {
               return i % 3 == 0 ? in[i] + 3 : i % 3 == 1 ? in[i] * 3 : in[i];
           });
}

__global__ void memory_of_the_heap(const int *in, int *out)
{
    int i = (int)threadIdx.x, count = 1 + in[i] % 5;
    int *own = (int *)malloc(count * sizeof(int));
    for (int k = 0; k < count; k++)
        own[k] = in[i] + k;
    out[i] = own[count - 1];
    free(own);
    free(nullptr);
}

CORRECT(memory_of_the_heap)
{
    ints in = numbers(THREADS);
    device_ints d_in(in), d_out(THREADS);
    memory_of_the_heap<<<1, THREADS>>>(d_in, d_out);
    return d_out.values() == made_of(THREADS, [&](int i) { return in[i] + in[i] % 5; });
}

struct list {
    int value;
    const list *next;
};

__global__ void lists_of_different_lengths(const list *const *first, int *out)
{
    int sum = 0;
    for (const list *at = first[threadIdx.x]; at; at = at->next)
        sum += at->value;
    out[threadIdx.x] = sum;
}

CORRECT(lists_of_different_lengths)
{
    list nodes[THREADS], *d_nodes;
    std::vector<const list *> first(THREADS);
    CHECK(cudaMalloc(&d_nodes, sizeof nodes));
    for (int i = 0; i < THREADS; i++) {
        nodes[i] = {i, i % 7 ? d_nodes + i - 1 : nullptr};
        first[i] = i % 5 ? d_nodes + i : nullptr;
    }
    CHECK(cudaMemcpy(d_nodes, nodes, sizeof nodes, cudaMemcpyHostToDevice));
    device_array<const list *> d_first(first);
    device_ints d_out(THREADS);
    lists_of_different_lengths<<<1, THREADS>>>(d_first, d_out);
    ints out = d_out.values();
    CHECK(cudaFree(d_nodes));
    return out == made_of(THREADS, [&](int i) {
               int sum = 0;
               for (int k = i; i % 5 && k >= i / 7 * 7; k--)
                   sum += k;
               return sum;
           });
}

struct matrix {
    int rows[4][4];
    double scale;
};

__global__ void structs_by_value(matrix m, int *out)
{
    unsigned i = threadIdx.x;
    out[i] = (int)(m.scale * m.rows[i % 4][i / 4 % 4]);
}

CORRECT(structs_by_value)
{
    matrix m;
    m.scale = 2.5;
    for (int i = 0; i < 16; i++)
        m.rows[i % 4][i / 4] = 2 * i;
    device_ints d_out(THREADS);
    structs_by_value<<<1, THREADS>>>(m, d_out);
    return d_out.values() == made_of(THREADS, [](int i) { return 5 * (i % 16); });
}

/* A pointer that may mean shared or global memory. */
__device__ __noinline__ int sum_behind(const int *values, int count)
{
    int sum = 0;
    for (int i = 0; i < count; i++)
        sum += values[i];
    return sum;
}

__global__ void pointers_to_any_memory(const int *in, int *out)
{
    __shared__ int s_row[THREADS];
    int own[4] = {1, 2, 3, (int)threadIdx.x};
    unsigned i = threadIdx.x;
    s_row[i] = in[i];
    __syncthreads();
    const int *chosen = i % 3 == 0 ? s_row : i % 3 == 1 ? in : own;
    out[i] = sum_behind(chosen, 4);
}

CORRECT(pointers_to_any_memory)
{
    ints in = numbers(THREADS);
    device_ints d_in(in), d_out(THREADS);
    pointers_to_any_memory<<<1, THREADS>>>(d_in, d_out);
    int four = in[0] + in[1] + in[2] + in[3];
    return d_out.values() == made_of(THREADS, [&](int i) { return i % 3 == 2 ? 6 + i : four; });
}

__global__ void bits_without_a_float(const float *in, int *out)
{
    unsigned i = threadIdx.x;
    out[i] = __float_as_int(in[i]) & 0x7fffff ? 1 : 0;
}

CORRECT(nan_and_infinity_are_numbers_too)
{
    std::vector<float> in(THREADS, 1.0f / 0.0f);
    in[3] = 0.0f / 0.0f;
    device_array<float> d_in(in);
    device_ints d_out(THREADS);
    bits_without_a_float<<<1, THREADS>>>(d_in, d_out);
    return d_out.values() == made_of(THREADS, [](int i) { return i == 3; });
}

// Structures with padding, which is copied with the rest and which nobody has written.
struct __align__(16) point {
    int x, y, z;
};

__global__ void points_of(const int *in, point *out, int count)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < count) {
        out[i].x = in[i];
        out[i].y = 2 * in[i];
        out[i].z = 3 * in[i];
    }
}

__global__ void points_turned(const point *in, int4 *out, int count)
{
    __shared__ point s_points[THREADS];
    int i = threadIdx.x;
    if (i < count) {
        s_points[i].x = in[i].x;
        s_points[i].z = in[i].z;
    }
    __syncthreads();
    if (i < count) {
        point other = s_points[count - 1 - i];
        out[i] = *(const int4 *)&in[count - 1 - i];
        out[i].y = other.x + other.z;
    }
}

CORRECT(padding_is_copied_unwritten)
{
    ints in = numbers(THREADS);
    device_ints d_in(in);
    device_array<point> d_points(THREADS);
    device_array<int4> d_out(THREADS);
    points_of<<<1, THREADS>>>(d_in, d_points, THREADS);
    points_turned<<<1, THREADS>>>(d_points, d_out, THREADS);
    std::vector<int4> out = d_out.values();
    for (int i = 0; i < THREADS; i++) {
        int other = in[THREADS - 1 - i];
        if (out[i].x != other || out[i].y != 4 * other || out[i].z != 3 * other)
            return false;
    }
    return true;
}

} // namespace memory
