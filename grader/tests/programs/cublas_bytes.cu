// cublas_bytes.cu - cuBLAS: products of 8-bit integers, which are exact.
#include "cublas_program.h"

#include <cstdint>

enum { M = 12, N = 20, K = 40, LD = 44, STRIDE = LD * LD, COUNT = 2 };

struct bytes {
    std::vector<int8_t> host;
    int8_t *device;
    bytes() : host(COUNT * STRIDE)
    {
        for (int8_t &value : host)
            value = (int8_t)(128 * uniform());
        host[0] = -128;
        CHECK(cudaMalloc(&device, host.size()));
        CHECK(cudaMemcpy(device, host.data(), host.size(), cudaMemcpyHostToDevice));
    }
    ~bytes() { cudaFree(device); }
};

static long long sum_of(const bytes &a, bool turn_a, const bytes &b, bool turn_b, int batch,
                        int row, int column)
{
    long long sum = 0;
    for (int k = 0; k < K; k++)
        sum += a.host[batch * STRIDE + (turn_a ? row * LD + k : k * LD + row)] *
               b.host[batch * STRIDE + (turn_b ? k * LD + column : column * LD + k)];
    return sum;
}

/* The result has 32 bits a number: an int32_t or a float. */
template <typename T> struct result {
    std::vector<T> before, after;
    T *device;
    result() : before(COUNT * STRIDE), after(COUNT * STRIDE)
    {
        for (T &value : before)
            value = (T)(1000 * uniform());
        CHECK(cudaMalloc(&device, before.size() * sizeof(T)));
        CHECK(cudaMemcpy(device, before.data(), before.size() * sizeof(T), cudaMemcpyDefault));
    }
    ~result() { cudaFree(device); }
    void fetch()
    {
        CHECK(cudaMemcpy(after.data(), device, after.size() * sizeof(T), cudaMemcpyDefault));
    }
};

template <typename T>
static void product(cublasHandle_t handle, bool turn_a, bool turn_b, bool batch, T alpha, T beta)
{
    bool integer = (T)0.5 == 0;
    bytes a, b;
    result<T> c;
    cudaDataType type = integer ? CUDA_R_32I : CUDA_R_32F;
    cublasComputeType_t compute = integer ? CUBLAS_COMPUTE_32I : CUBLAS_COMPUTE_32F;
    cublasOperation_t op_a = turn_a ? CUBLAS_OP_T : CUBLAS_OP_N;
    cublasOperation_t op_b = turn_b ? CUBLAS_OP_T : CUBLAS_OP_N;
    if (batch)
        BLAS(cublasGemmStridedBatchedEx(handle, op_a, op_b, M, N, K, &alpha, a.device, CUDA_R_8I,
                                        LD, STRIDE, b.device, CUDA_R_8I, LD, STRIDE, &beta,
                                        c.device, type, LD, STRIDE, COUNT, compute,
                                        CUBLAS_GEMM_DEFAULT));
    else
        BLAS(cublasGemmEx(handle, op_a, op_b, M, N, K, &alpha, a.device, CUDA_R_8I, LD, b.device,
                          CUDA_R_8I, LD, &beta, c.device, type, LD, compute, CUBLAS_GEMM_DEFAULT));
    c.fetch();
    for (int i = 0; i < (batch ? COUNT : 1); i++)
        for (int column = 0; column < N; column++)
            for (int row = 0; row < M; row++) {
                size_t at = i * STRIDE + column * LD + row;
                T wanted =
                    alpha * (T)sum_of(a, turn_a, b, turn_b, i, row, column) + beta * c.before[at];
                EXPECT(fabs((double)c.after[at] - (double)wanted) <= (integer ? 0 : 0.25));
            }
    EXPECT(c.after[M] == c.before[M]);
}

int main()
{
    cublasHandle_t handle;
    BLAS(cublasCreate(&handle));
    for (bool turn_a : {false, true})
        for (bool turn_b : {false, true}) {
            product<int32_t>(handle, turn_a, turn_b, false, 1, 0);
            product<int32_t>(handle, turn_a, turn_b, true, -3, 2);
            product<float>(handle, turn_a, turn_b, false, 0.5f, 2.0f);
        }
    BLAS(cublasDestroy(handle));
    return 0;
}
