// cublas_batches.cu - cuBLAS: batches of products with vectors, and of triangular systems.
#include "cublas_program.h"

enum { M = 17, N = 9, LD = 20, COUNT = 5, STRIDE = LD * LD };

/* Pointers to each of a batch, in an array on the device. */
struct pointers {
    void **places;
    explicit pointers(const numbers &all)
    {
        void *h_places[COUNT];
        for (int i = 0; i < COUNT; i++)
            h_places[i] = all.device + i * STRIDE * type_bytes(all.type);
        CHECK(cudaMalloc(&places, sizeof h_places));
        CHECK(cudaMemcpy(places, h_places, sizeof h_places, cudaMemcpyHostToDevice));
    }
    ~pointers() { cudaFree(places); }
};

static void call_gemv(cublasHandle_t handle, cublasOperation_t op, bool strided, const numbers &a,
                      const numbers &x, const numbers &y)
{
    const float alpha = 0.5f, beta = 2;
    const double wide_alpha = 0.5, wide_beta = 2;
    pointers p_a(a), p_x(x), p_y(y);
    if (a.type == CUDA_R_64F && strided)
        BLAS(cublasDgemvStridedBatched(handle, op, M, N, &wide_alpha, a.doubles(), LD, STRIDE,
                                       x.doubles(), 1, STRIDE, &wide_beta, y.doubles(), -2, STRIDE,
                                       COUNT));
    else if (a.type == CUDA_R_64F)
        BLAS(cublasDgemvBatched(handle, op, M, N, &wide_alpha, (const double **)p_a.places, LD,
                                (const double **)p_x.places, 1, &wide_beta, (double **)p_y.places,
                                -2, COUNT));
    else if (a.type == CUDA_R_16F && strided)
        BLAS(cublasHSHgemvStridedBatched(handle, op, M, N, &alpha, (const __half *)a.device, LD,
                                         STRIDE, (const __half *)x.device, 1, STRIDE, &beta,
                                         (__half *)y.device, -2, STRIDE, COUNT));
    else if (a.type == CUDA_R_16F)
        BLAS(cublasHSHgemvBatched(handle, op, M, N, &alpha, (const __half **)p_a.places, LD,
                                  (const __half **)p_x.places, 1, &beta, (__half **)p_y.places, -2,
                                  COUNT));
    else if (strided)
        BLAS(cublasSgemvStridedBatched(handle, op, M, N, &alpha, a.floats(), LD, STRIDE, x.floats(),
                                       1, STRIDE, &beta, y.floats(), -2, STRIDE, COUNT));
    else
        BLAS(cublasSgemvBatched(handle, op, M, N, &alpha, (const float **)p_a.places, LD,
                                (const float **)p_x.places, 1, &beta, (float **)p_y.places, -2,
                                COUNT));
}

static void products(cublasHandle_t handle, cudaDataType type, cublasOperation_t op, bool strided)
{
    numbers a(type, COUNT * STRIDE), x(type, COUNT * STRIDE), y(type, COUNT * STRIDE);
    call_gemv(handle, op, strided, a, x, y);
    std::vector<double> got = y.fetched();
    bool turned = op != CUBLAS_OP_N;
    int rows = turned ? N : M, columns = turned ? M : N;
    for (int i = 0; i < COUNT; i++) {
        for (int row = 0; row < rows; row++) {
            double sum = 0;
            int at = i * STRIDE + 2 * (rows - 1 - row);
            for (int k = 0; k < columns; k++)
                sum += a.at(i * STRIDE + (turned ? row * LD + k : k * LD + row)) *
                       x.at(i * STRIDE + k);
            double wanted = 0.5 * sum + 2 * y.at(at);
            EXPECT(fabs(got[at] - wanted) <= 4 * type_step(type) * (1 + fabs(wanted)));
            EXPECT(got[at + 1] == y.at(at + 1));
        }
    }
}

static void systems(cublasHandle_t handle, cublasSideMode_t side, cublasOperation_t op)
{
    numbers a(CUDA_R_64F, COUNT * STRIDE), b(CUDA_R_64F, COUNT * STRIDE);
    const double alpha = 1.5;
    bool left = side == CUBLAS_SIDE_LEFT;
    for (int i = 0; i < COUNT * STRIDE; i++)
        if (i % STRIDE % (LD + 1) == 0)
            a.set(i, 4 + i / STRIDE);
    a.send();
    pointers p_a(a), p_b(b);
    BLAS(cublasDtrsmBatched(handle, side, CUBLAS_FILL_MODE_LOWER, op, CUBLAS_DIAG_NON_UNIT, M, N,
                            &alpha, (const double **)p_a.places, LD, (double **)p_b.places, LD,
                            COUNT));
    std::vector<double> got = b.fetched();
    for (int i = 0; i < COUNT; i++)
        for (int column = 0; column < N; column++)
            for (int row = 0; row < M; row++) {
                double sum = 0;
                for (int k = 0; k < (left ? M : N); k++) {
                    int r = left ? row : k, c = left ? k : column;
                    int low = op == CUBLAS_OP_N ? r : c, high = op == CUBLAS_OP_N ? c : r;
                    double factor = low >= high ? a.at(i * STRIDE + high * LD + low) : 0;
                    sum += factor * got[i * STRIDE + (left ? column * LD + k : k * LD + row)];
                }
                EXPECT(fabs(sum - alpha * b.at(i * STRIDE + column * LD + row)) < 1e-12);
            }
}

int main()
{
    const float one = 1;
    cublasHandle_t handle;
    BLAS(cublasCreate(&handle));
    for (cublasOperation_t op : {CUBLAS_OP_N, CUBLAS_OP_T}) {
        for (cudaDataType type : {CUDA_R_32F, CUDA_R_64F, CUDA_R_16F})
            for (bool strided : {false, true})
                products(handle, type, op, strided);
        systems(handle, CUBLAS_SIDE_LEFT, op);
        systems(handle, CUBLAS_SIDE_RIGHT, op);
    }
    GIVES(CUBLAS_STATUS_INVALID_VALUE,
          cublasStrsmBatched(handle, CUBLAS_SIDE_LEFT, CUBLAS_FILL_MODE_LOWER, CUBLAS_OP_N,
                             CUBLAS_DIAG_UNIT, 1, 1, &one, NULL, 1, NULL, 1, -1));
    BLAS(cublasDestroy(handle));
    return 0;
}
