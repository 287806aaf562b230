// matrices.cu - fragments of which a part is undefined, and the rest used.
#include "correct.h"

#include <cuda_fp16.h>
#include <mma.h>

namespace matrices {

using namespace nvcuda;

enum { N = 16, ROWS = 10 };

static bool is_product(const std::vector<float> &out)
{
    bool right = true;
    for (int i = 0; i < ROWS * N; i++)
        right &= out[i] == (float)(i / N);
    return right;
}

// Rows of A past the matrix are never written; those of the product go into a tile of which only
// the defined ones are copied on.
__global__ void rows_past_the_matrix(const __half *b, float *out)
{
    __shared__ __align__(32) __half s_a[N * N], s_b[N * N];
    __shared__ __align__(32) float s_c[N * N];
    for (int i = threadIdx.x; i < N * N; i += 32) {
        s_b[i] = b[i];
        if (i < ROWS * N)
            s_a[i] = __int2half_rn(i % N == 0 ? i / N : 0);
    }
    __syncwarp();
    wmma::fragment<wmma::matrix_a, N, N, N, __half, wmma::row_major> a;
    wmma::fragment<wmma::matrix_b, N, N, N, __half, wmma::row_major> of_b;
    wmma::fragment<wmma::accumulator, N, N, N, float> c;
    wmma::load_matrix_sync(a, s_a, N);
    wmma::load_matrix_sync(of_b, s_b, N);
    wmma::fill_fragment(c, 0.0f);
    wmma::mma_sync(c, a, of_b, c);
    wmma::store_matrix_sync(s_c, c, N, wmma::mem_row_major);
    __syncwarp();
    for (int i = threadIdx.x; i < ROWS * N; i += 32)
        out[i] = s_c[i];
}

CORRECT(rows_past_the_matrix)
{
    device_array<__half> d_b(std::vector<__half>(N * N, __float2half(1.0f)));
    device_array<float> d_out(ROWS * N);
    rows_past_the_matrix<<<1, 32>>>(d_b, d_out);
    return is_product(d_out.values());
}

// The same with the instructions themselves: 16 x 8 halves of B at a time.
__global__ void rows_by_ldmatrix(float *out)
{
    __shared__ __align__(16) __half s_a[N][N], s_b[N][8];
    int lane = threadIdx.x;
    for (int i = lane; i < N * N; i += 32)
        if (i < ROWS * N)
            s_a[i / N][i % N] = __int2half_rn(i % N == 0 ? i / N : 0);
    for (int i = lane; i < N * 8; i += 32)
        s_b[i / 8][i % 8] = __int2half_rn(1);
    __syncwarp();
    unsigned a[4], b[2];
    unsigned from_a = (unsigned)__cvta_generic_to_shared(&s_a[lane % 16][lane / 16 * 8]);
    unsigned from_b = (unsigned)__cvta_generic_to_shared(&s_b[lane % 16][0]);
    float d[4];
    asm volatile("ldmatrix.sync.aligned.m8n8.x4.shared.b16 {%0, %1, %2, %3}, [%4];"
                 : "=r"(a[0]), "=r"(a[1]), "=r"(a[2]), "=r"(a[3]) : "r"(from_a));
    asm volatile("ldmatrix.sync.aligned.m8n8.x2.trans.shared.b16 {%0, %1}, [%2];"
                 : "=r"(b[0]), "=r"(b[1]) : "r"(from_b));
    asm volatile("mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 "
                 "{%0, %1, %2, %3}, {%4, %5, %6, %7}, {%8, %9}, {%10, %10, %10, %10};"
                 : "=f"(d[0]), "=f"(d[1]), "=f"(d[2]), "=f"(d[3])
                 : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "r"(b[0]), "r"(b[1]), "f"(0.0f));
    for (int i = 0; i < 4; i++) {
        int row = lane / 4 + i / 2 * 8, column = lane % 4 * 2 + i % 2;
        if (row < ROWS) {
            out[row * N + column] = d[i];
            out[row * N + column + 8] = d[i];
        }
    }
}

CORRECT(rows_by_ldmatrix)
{
    device_array<float> d_out(ROWS * N);
    rows_by_ldmatrix<<<1, 32>>>(d_out);
    return is_product(d_out.values());
}

} // namespace matrices
