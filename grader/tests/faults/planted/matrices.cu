// matrices.cu - tiles for tensor cores of which a part was never filled.
#include "planted.h"

#include <cuda_fp16.h>
#include <mma.h>

namespace matrices {

using namespace nvcuda;

enum { N = 16 };

// fault depth_of_a_tile_missing: uninitialised read
//     wmma::load_matrix_sync(a, s_a, N);
//     ^
// other
//     wmma::store_matrix_sync(out, c, N, wmma::mem_row_major);
//     ^
// says what is made of it is stored in global memory
// sanitizer none
__global__ void depth_of_a_tile_missing(const __half *b, float *out, int depth)
{
    __shared__ __align__(32) __half s_a[N * N];
    for (int i = threadIdx.x; i < N * N; i += 32)
        if (i % N < depth)
            s_a[i] = b[i];
    __syncwarp();
    wmma::fragment<wmma::matrix_a, N, N, N, __half, wmma::row_major> a;
    wmma::fragment<wmma::matrix_b, N, N, N, __half, wmma::row_major> of_b;
    wmma::fragment<wmma::accumulator, N, N, N, float> c;
    wmma::load_matrix_sync(a, s_a, N);
    wmma::load_matrix_sync(of_b, b, N);
    wmma::fill_fragment(c, 0.0f);
    wmma::mma_sync(c, a, of_b, c);
    wmma::store_matrix_sync(out, c, N, wmma::mem_row_major);
}

PLANTED(depth_of_a_tile_missing)
{
    __half *d_b;
    float *d_out;
    CHECK(cudaMalloc(&d_b, N * N * sizeof(__half)));
    CHECK(cudaMalloc(&d_out, N * N * sizeof(float)));
    CHECK(cudaMemset(d_b, 0, N * N * sizeof(__half)));
    depth_of_a_tile_missing<<<1, 32>>>(d_b, d_out, 12);
}

// fault row_of_a_tile_missing: uninitialised read
//     asm volatile("ldmatrix.sync.aligned.m8n8.x1.shared.b16 {%0}, [%1];" : "=r"(a) : "r"(from));
//     ^
// other
//     out[lane] = __low2float(*(__half2 *)&a) + 1.0f;
//     ^
// sanitizer none
__global__ void row_of_a_tile_missing(float *out)
{
    __shared__ __align__(16) __half s_a[8][8];
    int lane = threadIdx.x;
    for (int i = lane; i < 56; i += 32)
        s_a[i / 8][i % 8] = __int2half_rn(i);
    __syncwarp();
    unsigned a, from = (unsigned)__cvta_generic_to_shared(&s_a[lane % 8][0]);
    asm volatile("ldmatrix.sync.aligned.m8n8.x1.shared.b16 {%0}, [%1];" : "=r"(a) : "r"(from));
    out[lane] = __low2float(*(__half2 *)&a) + 1.0f;
}

PLANTED(row_of_a_tile_missing)
{
    float *d_out;
    CHECK(cudaMalloc(&d_out, 32 * sizeof(float)));
    row_of_a_tile_missing<<<1, 32>>>(d_out);
}

} // namespace matrices
