// bounds.cu - accesses outside what was allocated: by one element, by far, through every kind of
// memory and every kind of access.
#include "planted.h"

namespace bounds {

enum { COUNT = 100, THREADS = 64 };

// fault store_past_end: out of bounds
//     out[i] = 1.0f;
//     ^
// by thread (36,0,0) of block (1,0,0)
// says just past the end of the 400-byte buffer
// made
//     CHECK(cudaMalloc(&d_out, COUNT * sizeof(float)));
// sanitizer memcheck Invalid __global__ write of size 4 bytes
__global__ void store_past_end(float *out)
{
    unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
    out[i] = 1.0f;
}

PLANTED(store_past_end)
{
    float *d_out;
    CHECK(cudaMalloc(&d_out, COUNT * sizeof(float)));
    store_past_end<<<2, THREADS>>>(d_out);
}

// fault load_past_end: out of bounds
//     out[i] = in[i + 1] - in[i];
//     ^
// by thread (35,0,0) of block (1,0,0)
// says just past the end of the 400-byte buffer
// made
//     CHECK(cudaMalloc(&d_in, COUNT * sizeof(float)));
// sanitizer memcheck Invalid __global__ read of size 4 bytes
__global__ void load_past_end(const float *in, float *out)
{
    unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < COUNT)
        out[i] = in[i + 1] - in[i];
}

PLANTED(load_past_end)
{
    float *d_in, *d_out;
    CHECK(cudaMalloc(&d_in, COUNT * sizeof(float)));
    CHECK(cudaMalloc(&d_out, COUNT * sizeof(float)));
    CHECK(cudaMemset(d_in, 0, COUNT * sizeof(float)));
    load_past_end<<<2, THREADS>>>(d_in, d_out);
}

// fault helper_past_end: out of bounds
//     return in[i + 1]; // this line, not the one that calls
//     ^
// by thread (35,0,0) of block (1,0,0)
// says just past the end of the 400-byte buffer
// sanitizer memcheck Invalid __global__ read of size 4 bytes
static __device__ __forceinline__ float next_one(const float *in, unsigned i)
{
    return in[i + 1]; // this line, not the one that calls
}

__global__ void helper_past_end(const float *in, float *out)
{
    unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < COUNT)
        out[i] = next_one(in, i);
}

PLANTED(helper_past_end)
{
    float *d_in, *d_out;
    CHECK(cudaMalloc(&d_in, COUNT * sizeof(float)));
    CHECK(cudaMalloc(&d_out, COUNT * sizeof(float)));
    CHECK(cudaMemset(d_in, 0, COUNT * sizeof(float)));
    helper_past_end<<<2, THREADS>>>(d_in, d_out);
}

// fault store_before_start: out of bounds
//     out[i - 1] = i;
//     ^
// by thread (0,0,0) of block (0,0,0)
// says 4 bytes before the start of the 256-byte buffer
// made
//     CHECK(cudaMalloc(&d_out, THREADS * sizeof(int)));
// sanitizer memcheck Invalid __global__ write of size 4 bytes
__global__ void store_before_start(int *out)
{
    int i = (int)threadIdx.x;
    out[i - 1] = i;
}

PLANTED(store_before_start)
{
    int *d_out;
    CHECK(cudaMalloc(&d_out, THREADS * sizeof(int)));
    store_before_start<<<1, THREADS>>>(d_out);
}

// fault load_far_outside: out of bounds
//     out[i] = in[(long)table[i] << 40];
//     ^
// by thread (1,0,0) of block (0,0,0)
// says it is not an address of device memory
// sanitizer memcheck Invalid __global__ read of size 4 bytes
__global__ void load_far_outside(const int *table, const float *in, float *out)
{
    unsigned i = threadIdx.x;
    out[i] = in[(long)table[i] << 40];
}

PLANTED(load_far_outside)
{
    int table[THREADS], *d_table;
    float *d_in, *d_out;
    for (int i = 0; i < THREADS; i++)
        table[i] = i;
    CHECK(cudaMalloc(&d_table, sizeof table));
    CHECK(cudaMalloc(&d_in, THREADS * sizeof(float)));
    CHECK(cudaMalloc(&d_out, THREADS * sizeof(float)));
    CHECK(cudaMemset(d_in, 0, THREADS * sizeof(float)));
    CHECK(cudaMemcpy(d_table, table, sizeof table, cudaMemcpyHostToDevice));
    load_far_outside<<<1, THREADS>>>(d_table, d_in, d_out);
}

// fault vector_store_over_the_end: out of bounds
//     out[i] = make_float4(0, 1, 2, 3);
//     ^
// by thread (31,0,0) of block (0,0,0)
// says its last 8 bytes lie past the end of the 504-byte buffer
// made
//     CHECK(cudaMalloc(&d_out, 126 * sizeof(float)));
// sanitizer memcheck Invalid __global__ write of size 16 bytes
__global__ void vector_store_over_the_end(float4 *out)
{
    unsigned i = threadIdx.x;
    out[i] = make_float4(0, 1, 2, 3);
}

PLANTED(vector_store_over_the_end)
{
    float4 *d_out;
    CHECK(cudaMalloc(&d_out, 126 * sizeof(float)));
    vector_store_over_the_end<<<1, 32>>>(d_out);
}

// fault vector_load_past_end: out of bounds
//     out[i] = in[i].x + in[i].y;
//     ^
// by thread (50,0,0) of block (0,0,0)
// says just past the end of the 800-byte buffer
// sanitizer memcheck Invalid __global__ read of size 16 bytes
__global__ void vector_load_past_end(const double2 *in, double *out)
{
    unsigned i = threadIdx.x;
    out[i] = in[i].x + in[i].y;
}

PLANTED(vector_load_past_end)
{
    double2 *d_in;
    double *d_out;
    CHECK(cudaMalloc(&d_in, 50 * sizeof(double2)));
    CHECK(cudaMalloc(&d_out, THREADS * sizeof(double)));
    CHECK(cudaMemset(d_in, 0, 50 * sizeof(double2)));
    vector_load_past_end<<<1, THREADS>>>(d_in, d_out);
}

// fault atomic_past_end: out of bounds
//     atomicAdd(&bins[values[i]], 1u);
//     ^
// by thread (63,0,0) of block (0,0,0)
// says updates 4 bytes of global memory
// says just past the end of the 252-byte buffer
// made
//     CHECK(cudaMalloc(&d_bins, (THREADS - 1) * sizeof(unsigned)));
// sanitizer memcheck Invalid __global__ atomic of size 4 bytes
__global__ void atomic_past_end(const unsigned *values, unsigned *bins)
{
    unsigned i = threadIdx.x;
    atomicAdd(&bins[values[i]], 1u);
}

PLANTED(atomic_past_end)
{
    unsigned values[THREADS], *d_values, *d_bins;
    for (unsigned i = 0; i < THREADS; i++)
        values[i] = i;
    CHECK(cudaMalloc(&d_values, sizeof values));
    CHECK(cudaMalloc(&d_bins, (THREADS - 1) * sizeof(unsigned)));
    CHECK(cudaMemset(d_bins, 0, (THREADS - 1) * sizeof(unsigned)));
    CHECK(cudaMemcpy(d_values, values, sizeof values, cudaMemcpyHostToDevice));
    atomic_past_end<<<1, THREADS>>>(d_values, d_bins);
}

// fault byte_past_end: out of bounds
//     text[i] = (char)(text[i] + 1);
//     ^
// by thread (13,0,0) of block (0,0,0)
// says just past the end of the 13-byte buffer
// sanitizer memcheck Invalid __global__ read of size 1 bytes
__global__ void byte_past_end(char *text)
{
    unsigned i = threadIdx.x;
    text[i] = (char)(text[i] + 1);
}

PLANTED(byte_past_end)
{
    char *d_text;
    CHECK(cudaMalloc(&d_text, 13));
    CHECK(cudaMemset(d_text, 'a', 13));
    byte_past_end<<<1, 32>>>(d_text);
}

// fault width_for_height: out of bounds
//     out[x * height + y] = in[y * width + x];
//     ^
// by thread (0,4,0) of block (0,0,0)
// says just past the end of the 128-byte buffer
// sanitizer memcheck Invalid __global__ read of size 4 bytes
__global__ void width_for_height(const int *in, int *out, int width, int height)
{
    unsigned x = threadIdx.x, y = threadIdx.y;
    out[x * height + y] = in[y * width + x];
}

PLANTED(width_for_height)
{
    int *d_in, *d_out;
    CHECK(cudaMalloc(&d_in, 8 * 4 * sizeof(int)));
    CHECK(cudaMalloc(&d_out, 8 * 4 * sizeof(int)));
    CHECK(cudaMemset(d_in, 0, 8 * 4 * sizeof(int)));
    width_for_height<<<1, dim3(4, 8)>>>(d_in, d_out, 8, 4);
}

// fault row_past_the_pitch: out of bounds
//     row[x] = 7;
//     ^
// by thread (0,2,0) of block (0,0,0)
// says 512 bytes past the end of the 1024-byte buffer
// sanitizer memcheck Invalid __global__ write of size 4 bytes
__global__ void row_past_the_pitch(int *image, size_t pitch)
{
    int *row = (int *)((char *)image + threadIdx.y * pitch);
    unsigned x = threadIdx.x;
    row[x] = 7;
}

PLANTED(row_past_the_pitch)
{
    int *d_image;
    CHECK(cudaMalloc(&d_image, 2 * 512));
    row_past_the_pitch<<<1, dim3(4, 3)>>>(d_image, 768);
}

// fault shared_past_end: out of bounds
//     out[i] = s_near[i + 1];
//     ^
// by thread (63,0,0) of block (0,0,0)
// says reads 4 bytes of shared memory just past its end: the block has 256 bytes
// sanitizer memcheck Invalid __shared__ read of size 4 bytes
__global__ void shared_past_end(int *out)
{
    __shared__ int s_near[THREADS];
    unsigned i = threadIdx.x;
    s_near[i] = (int)i;
    __syncthreads();
    out[i] = s_near[i + 1];
}

PLANTED(shared_past_end)
{
    int *d_out;
    CHECK(cudaMalloc(&d_out, THREADS * sizeof(int)));
    shared_past_end<<<1, THREADS>>>(d_out);
}

// fault shared_before_start: out of bounds
//     s_row[i - 1] = out[i];
//     ^
// by thread (0,0,0) of block (0,0,0)
// says writes 4 bytes of shared memory 4 bytes before its start: the block has 256 bytes
// sanitizer none: the kilobyte before belongs to the system
__global__ void shared_before_start(int *out)
{
    __shared__ int s_row[THREADS];
    int i = (int)threadIdx.x;
    s_row[i - 1] = out[i];
    __syncthreads();
    out[i] = s_row[i / 2];
}

PLANTED(shared_before_start)
{
    int *d_out;
    CHECK(cudaMalloc(&d_out, THREADS * sizeof(int)));
    CHECK(cudaMemset(d_out, 0, THREADS * sizeof(int)));
    shared_before_start<<<1, THREADS>>>(d_out);
}

// fault dynamic_shared_forgotten: out of bounds
//     s_all[i] = out[i];
//     ^
// by thread (0,0,0) of block (0,0,0)
// says writes 4 bytes of shared memory just past its end: the block has 0 bytes
// sanitizer memcheck Invalid __shared__ write of size 4 bytes
__global__ void dynamic_shared_forgotten(int *out)
{
    extern __shared__ int s_all[];
    unsigned i = threadIdx.x;
    s_all[i] = out[i];
    __syncthreads();
    out[i] = s_all[i ^ 1];
}

PLANTED(dynamic_shared_forgotten)
{
    int *d_out;
    CHECK(cudaMalloc(&d_out, THREADS * sizeof(int)));
    CHECK(cudaMemset(d_out, 0, THREADS * sizeof(int)));
    dynamic_shared_forgotten<<<1, THREADS>>>(d_out);
}

// fault dynamic_shared_in_elements: out of bounds
//     s_both[THREADS + i] = 2 * i;
//     ^
// by thread (0,0,0) of block (0,0,0)
// says writes 8 bytes of shared memory 448 bytes past its end: the block has 64 bytes
// sanitizer memcheck Invalid __shared__ write of size 8 bytes
__global__ void dynamic_shared_in_elements(double *out)
{
    extern __shared__ double s_both[];
    unsigned i = threadIdx.x;
    s_both[THREADS + i] = 2 * i;
    __syncthreads();
    out[i] = s_both[THREADS + (i ^ 1)];
}

PLANTED(dynamic_shared_in_elements)
{
    double *d_out;
    CHECK(cudaMalloc(&d_out, THREADS * sizeof(double)));
    dynamic_shared_in_elements<<<1, THREADS, THREADS>>>(d_out);
}

// fault local_past_end: out of bounds
//     near[(i + shift) & 31] = i;
//     ^
// by thread (8,0,0) of block (0,0,0)
// says of local memory just past its end: the thread has 32 bytes
// sanitizer memcheck Invalid __local__ write of size 4 bytes
__global__ void local_past_end(int *out, int shift)
{
    int near[8], i = (int)threadIdx.x;
    near[(i + shift) & 31] = i;
    out[i] = near[(i + shift + 1) & 7];
}

PLANTED(local_past_end)
{
    int *d_out;
    CHECK(cudaMalloc(&d_out, 32 * sizeof(int)));
    local_past_end<<<1, 32>>>(d_out, 0);
}

__constant__ float c_weights[9];

// fault constant_past_end: out of bounds
//     out[i] = c_weights[i];
//     ^
// by thread (9,0,0) of block (0,0,0)
// says just past the end of the 36-byte device variable bounds::c_weights
// sanitizer none
__global__ void constant_past_end(float *out)
{
    unsigned i = threadIdx.x;
    out[i] = c_weights[i];
}

PLANTED(constant_past_end)
{
    float *d_out;
    CHECK(cudaMalloc(&d_out, 32 * sizeof(float)));
    constant_past_end<<<1, 32>>>(d_out);
}

__device__ int totals[4];

// fault variable_past_end: out of bounds
//     totals[i & 7] = (int)i;
//     ^
// by thread (4,0,0) of block (0,0,0)
// says just past the end of the 16-byte device variable bounds::totals
// sanitizer memcheck Invalid __global__ write of size 4 bytes
__global__ void variable_past_end()
{
    unsigned i = threadIdx.x;
    totals[i & 7] = (int)i;
}

PLANTED(variable_past_end)
{
    variable_past_end<<<1, 32>>>();
}

// fault heap_past_end: out of bounds
//     own[i] = i;
//     ^
// by thread (0,0,0) of block (0,0,0)
// says just past the end of the 40-byte
// sanitizer memcheck Invalid __global__ write of size 4 bytes
__global__ void heap_past_end(int count)
{
    int *own = (int *)malloc(10 * sizeof(int));
    for (int i = 0; i < count; i++)
        own[i] = i;
    free(own);
}

PLANTED(heap_past_end)
{
    heap_past_end<<<1, 1>>>(11);
}

// fault copy_in_kernel_past_end: out of bounds
//     memcpy(out + 10 * i, in, 10 * sizeof(int));
//     ^
// by thread (3,0,0) of block (0,0,0)
// says just past the end of the 120-byte buffer
// sanitizer memcheck Invalid __global__ write of size
__global__ void copy_in_kernel_past_end(const int *in, int *out)
{
    unsigned i = threadIdx.x;
    memcpy(out + 10 * i, in, 10 * sizeof(int));
}

PLANTED(copy_in_kernel_past_end)
{
    int *d_in, *d_out;
    CHECK(cudaMalloc(&d_in, 10 * sizeof(int)));
    CHECK(cudaMalloc(&d_out, 30 * sizeof(int)));
    CHECK(cudaMemset(d_in, 0, 10 * sizeof(int)));
    copy_in_kernel_past_end<<<1, 4>>>(d_in, d_out);
}

// fault host_array: out of bounds
//     __global__ void host_array(int *out) { out[threadIdx.x] = 1; }
// by thread (0,0,0) of block (0,0,0)
// says it is not an address of device memory, but looks like one of the host
// says cudaMalloc
// sanitizer memcheck Invalid __global__ write of size
__global__ void host_array(int *out) { out[threadIdx.x] = 1; }

PLANTED(host_array)
{
    static int out[COUNT];
    host_array<<<1, 32>>>(out);
}

// fault no_dynamic_shared: out of bounds
//     values[threadIdx.x] = (int)threadIdx.x;
//     ^
// by thread (0,0,0) of block (0,0,0)
// says the block has 0 bytes
// says its size with the launch, <<<blocks, threads, bytes>>>
// sanitizer memcheck Invalid __shared__ write of size
__global__ void no_dynamic_shared(int *out)
{
    extern __shared__ int values[];
    values[threadIdx.x] = (int)threadIdx.x;
    __syncthreads();
    out[threadIdx.x] = values[31 - threadIdx.x];
}

PLANTED(no_dynamic_shared)
{
    int *d_out;
    CHECK(cudaMalloc(&d_out, COUNT * sizeof(int)));
    no_dynamic_shared<<<1, 32>>>(d_out);
}

// fault memset_past_end: refused
// says invalid argument
// says 4 bytes too many for the 400-byte buffer
// sanitizer memcheck cudaErrorInvalidValue
PLANTED(memset_past_end)
{
    int *d_out;
    CHECK(cudaMalloc(&d_out, COUNT * sizeof(int)));
    CHECK(cudaMemset(d_out, 0, (COUNT + 1) * sizeof(int)));
}

// fault copy_past_end: refused
// says invalid argument
// says 400 bytes too many for the 400-byte buffer
// sanitizer memcheck cudaErrorInvalidValue
PLANTED(copy_past_end)
{
    static const double in[COUNT] = {0};
    float *d_out;
    CHECK(cudaMalloc(&d_out, COUNT * sizeof(float)));
    CHECK(cudaMemcpy(d_out, in, sizeof in, cudaMemcpyHostToDevice));
}

} // namespace bounds
