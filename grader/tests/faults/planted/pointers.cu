// pointers.cu - pointers that are null, stale, of the wrong memory, or not a multiple of what is
// loaded through them.
#include "planted.h"

namespace pointers {

enum { THREADS = 64 };

// fault float4_at_odd_float: misaligned address
//     float4 v = ((const float4 *)(in + 1))[i];
//     ^
// by thread (0,0,0) of block (0,0,0)
// says which is not a multiple of 16
// sanitizer memcheck Invalid __global__ read of size 16 bytes
__global__ void float4_at_odd_float(const float *in, float *out)
{
    unsigned i = threadIdx.x;
    float4 v = ((const float4 *)(in + 1))[i];
    out[i] = v.x + v.y + v.z + v.w;
}

PLANTED(float4_at_odd_float)
{
    float *d_in, *d_out;
    CHECK(cudaMalloc(&d_in, 5 * THREADS * sizeof(float)));
    CHECK(cudaMalloc(&d_out, THREADS * sizeof(float)));
    CHECK(cudaMemset(d_in, 0, 5 * THREADS * sizeof(float)));
    float4_at_odd_float<<<1, THREADS>>>(d_in, d_out);
}

// fault pair_at_odd_row: misaligned address
//     *(float2 *)(out + y * width) = make_float2(1, 2);
//     ^
// by thread (0,1,0) of block (0,0,0)
// says writes 8 bytes of global memory
// says which is not a multiple of 8
// sanitizer memcheck Invalid __global__ write of size 8 bytes
__global__ void pair_at_odd_row(float *out, int width)
{
    unsigned y = threadIdx.y;
    *(float2 *)(out + y * width) = make_float2(1, 2);
}

PLANTED(pair_at_odd_row)
{
    float *d_out;
    CHECK(cudaMalloc(&d_out, 8 * 5 * sizeof(float)));
    pair_at_odd_row<<<1, dim3(1, 8)>>>(d_out, 5);
}

// fault double_among_bytes: misaligned address
//     *(double *)(s_bytes + 4 + 8 * i) = i;
//     ^
// by thread (0,0,0) of block (0,0,0)
// says writes 8 bytes of shared memory
// sanitizer memcheck Invalid __shared__ write of size 8 bytes
__global__ void double_among_bytes(double *out, unsigned last)
{
    __shared__ __align__(8) unsigned char s_bytes[8 * THREADS + 8];
    unsigned i = threadIdx.x;
    *(double *)(s_bytes + 4 + 8 * i) = i;
    __syncthreads();
    out[i] = *(double *)(s_bytes + 4 + 8 * (last - i));
}

PLANTED(double_among_bytes)
{
    double *d_out;
    CHECK(cudaMalloc(&d_out, THREADS * sizeof(double)));
    double_among_bytes<<<1, THREADS>>>(d_out, THREADS - 1);
}

// fault atomic_of_halves: misaligned address
//     atomicAdd((unsigned long long *)(sums + i), 1ull);
//     ^
// by thread (1,0,0) of block (0,0,0)
// says updates 8 bytes of global memory
// sanitizer memcheck Invalid __global__ atomic of size 8 bytes
__global__ void atomic_of_halves(unsigned *sums)
{
    unsigned i = threadIdx.x;
    atomicAdd((unsigned long long *)(sums + i), 1ull);
}

PLANTED(atomic_of_halves)
{
    unsigned *d_sums;
    CHECK(cudaMalloc(&d_sums, 2 * THREADS * sizeof(unsigned)));
    CHECK(cudaMemset(d_sums, 0, 2 * THREADS * sizeof(unsigned)));
    atomic_of_halves<<<1, THREADS>>>(d_sums);
}

// fault used_after_free: use after free
//     out[i] = in[i];
//     ^
// by thread (0,0,0) of block (0,0,0)
// says which was freed
// made
//     CHECK(cudaMalloc(&d_in, THREADS * sizeof(int)));
// sanitizer memcheck Invalid __global__ read of size 4 bytes
__global__ void used_after_free(const int *in, int *out)
{
    unsigned i = threadIdx.x;
    out[i] = in[i];
}

PLANTED(used_after_free)
{
    int *d_in, *d_out;
    CHECK(cudaMalloc(&d_in, THREADS * sizeof(int)));
    CHECK(cudaMalloc(&d_out, THREADS * sizeof(int)));
    CHECK(cudaFree(d_in));
    used_after_free<<<1, THREADS>>>(d_in, d_out);
}

// fault freed_and_allocated_anew: use after free
//     list[i] = 2;
//     ^
// by thread (0,0,0) of block (0,0,0)
// says which was freed
// sanitizer none
__global__ void freed_and_allocated_anew(int *list)
{
    unsigned i = threadIdx.x;
    list[i] = 2;
}

PLANTED(freed_and_allocated_anew)
{
    int *d_list, *d_longer;
    CHECK(cudaMalloc(&d_list, THREADS * sizeof(int)));
    freed_and_allocated_anew<<<1, THREADS>>>(d_list);
    CHECK(cudaFree(d_list));
    CHECK(cudaMalloc(&d_longer, THREADS * sizeof(int)));
    freed_and_allocated_anew<<<1, THREADS>>>(d_list);
}

// The pointer to what was freed comes from memory.
// fault freed_node: use after free
//     out[i] = node->values[i];
//     ^
// by thread (0,0,0) of block (0,0,0)
// says which was freed
// sanitizer memcheck Invalid __global__ read of size 4 bytes
struct node {
    const int *values;
};

__global__ void freed_node(const node *node, int *out)
{
    unsigned i = threadIdx.x;
    out[i] = node->values[i];
}

PLANTED(freed_node)
{
    node *d_node, node = {};
    int *d_values, *d_out;
    CHECK(cudaMalloc(&d_values, THREADS * sizeof(int)));
    CHECK(cudaMalloc(&d_out, THREADS * sizeof(int)));
    CHECK(cudaMalloc(&d_node, sizeof node));
    node.values = d_values;
    CHECK(cudaMemcpy(d_node, &node, sizeof node, cudaMemcpyHostToDevice));
    CHECK(cudaFree(d_values));
    freed_node<<<1, THREADS>>>(d_node, d_out);
}

// What lies there was freed, but the kernel has no pointer to it: an index went astray.
// fault index_into_freed: out of bounds
//     out[i] = in[(int)i - back];
//     ^
// by thread (0,0,0) of block (0,0,0)
// says bytes before the start of the
// made
//     CHECK(cudaMalloc(&d_in, THREADS * sizeof(int))); // its own
// sanitizer memcheck Invalid __global__ read of size 4 bytes
__global__ void index_into_freed(const int *in, int back, int *out)
{
    unsigned i = threadIdx.x;
    out[i] = in[(int)i - back];
}

PLANTED(index_into_freed)
{
    int *d_old, *d_in, *d_out;
    CHECK(cudaMalloc(&d_old, THREADS * sizeof(int)));
    CHECK(cudaMalloc(&d_in, THREADS * sizeof(int))); // its own
    CHECK(cudaMalloc(&d_out, THREADS * sizeof(int)));
    CHECK(cudaFree(d_old));
    index_into_freed<<<1, THREADS>>>(d_in, (int)(d_in - d_old), d_out);
}

// fault freed_in_kernel: use after free
//     out[0] = own[1];
//     ^
// by thread (0,0,0) of block (0,0,0)
// says which was freed
// sanitizer memcheck Invalid __global__ read of size 4 bytes
__global__ void freed_in_kernel(int *out)
{
    volatile int *own = (int *)malloc(4 * sizeof(int));
    own[1] = 3;
    free((void *)own);
    out[0] = own[1];
}

PLANTED(freed_in_kernel)
{
    int *d_out;
    CHECK(cudaMalloc(&d_out, sizeof(int)));
    freed_in_kernel<<<1, 1>>>(d_out);
}

// fault null_output: null pointer
//     out[i] = 2 * i;
//     ^
// by thread (0,0,0) of block (0,0,0)
// says it is a null pointer
// sanitizer memcheck Invalid __global__ write of size 4 bytes
__global__ void null_output(unsigned *out)
{
    unsigned i = threadIdx.x;
    out[i] = 2 * i;
}

PLANTED(null_output)
{
    null_output<<<1, THREADS>>>(nullptr);
}

struct list {
    int value;
    const list *next;
};

// fault end_of_list_ignored: null pointer
//     sum += at->value;
//     ^
// by thread (0,0,0) of block (0,0,0)
// says it is a null pointer
// sanitizer memcheck Invalid __global__ read of size 4 bytes
__global__ void end_of_list_ignored(const list *first, int count, int *out)
{
    int sum = 0;
    for (const list *at = first; count-- > 0; at = at->next)
        sum += at->value;
    *out = sum;
}

PLANTED(end_of_list_ignored)
{
    list nodes[3], *d_nodes;
    int *d_out;
    CHECK(cudaMalloc(&d_nodes, sizeof nodes));
    CHECK(cudaMalloc(&d_out, sizeof(int)));
    for (int i = 0; i < 3; i++)
        nodes[i] = {i, i < 2 ? d_nodes + i + 1 : nullptr};
    CHECK(cudaMemcpy(d_nodes, nodes, sizeof nodes, cudaMemcpyHostToDevice));
    end_of_list_ignored<<<1, 1>>>(d_nodes, 4, d_out);
}

// fault pointer_of_nothing: out of bounds
//     *out = **from;
//     ^
// by thread (0,0,0) of block (0,0,0)
// says it is not an address of device memory
__global__ void pointer_of_nothing(int **from, int *out)
{
    *out = **from;
}

PLANTED(pointer_of_nothing)
{
    unsigned long long garbage = 0xd7f8ec01b4b0138d; // a multiple of nothing
    int **d_from, *d_out;
    CHECK(cudaMalloc(&d_from, sizeof garbage));
    CHECK(cudaMalloc(&d_out, sizeof(int)));
    CHECK(cudaMemcpy(d_from, &garbage, sizeof garbage, cudaMemcpyHostToDevice));
    pointer_of_nothing<<<1, 1>>>(d_from, d_out);
}

// fault host_pointer: out of bounds
//     out[i] = 2 * out[i];
//     ^
// by thread (0,0,0) of block (0,0,0)
// says it is not an address of device memory
// sanitizer memcheck Invalid __global__ read of size 4 bytes
__global__ void host_pointer(int *out)
{
    unsigned i = threadIdx.x;
    out[i] = 2 * out[i];
}

PLANTED(host_pointer)
{
    static int h_out[THREADS];
    host_pointer<<<1, THREADS>>>(h_out);
}

typedef int operation(int);
__device__ int twice(int x)
{
    return 2 * x;
}
__device__ operation *operations[2] = {twice, nullptr};

// fault function_never_set: call of something that is not a function
//     out[i] = operations[i & 1](i);
//     ^
// by thread (1,0,0) of block (0,0,0)
// says calls an address that is not a function
// sanitizer memcheck Invalid PC
__global__ void function_never_set(int *out)
{
    int i = (int)threadIdx.x;
    out[i] = operations[i & 1](i);
}

PLANTED(function_never_set)
{
    int *d_out;
    CHECK(cudaMalloc(&d_out, THREADS * sizeof(int)));
    function_never_set<<<1, THREADS>>>(d_out);
}

} // namespace pointers
