// cusparse.cu - cuSPARSE: products, triangular systems, sums, factors and changes of form, held
// against the plainest loops over a dense matrix.
#include "program.h"

#include <cmath>
#include <cusparse.h>
#include <vector>

#define DONE(call) EXPECT((call) == CUSPARSE_STATUS_SUCCESS)

typedef std::vector<float> floats;
typedef std::vector<int> ints;

static const auto PLAIN = CUSPARSE_OPERATION_NON_TRANSPOSE;
static const auto TURNED = CUSPARSE_OPERATION_TRANSPOSE;
static const auto I32 = CUSPARSE_INDEX_32I;

static cusparseHandle_t handle;

template <typename T> static T *device(const std::vector<T> &values)
{
    T *d_values;
    CHECK(cudaMalloc(&d_values, values.size() * sizeof(T) + 1));
    CHECK(cudaMemcpy(d_values, values.data(), values.size() * sizeof(T), cudaMemcpyHostToDevice));
    return d_values;
}

template <typename T> static std::vector<T> host(const T *d_values, size_t count)
{
    std::vector<T> values(count);
    CHECK(cudaMemcpy(values.data(), d_values, count * sizeof(T), cudaMemcpyDeviceToHost));
    return values;
}

static bool near(const floats &a, const floats &b)
{
    for (size_t i = 0; i < a.size(); i++)
        if (!(fabsf(a[i] - b[i]) < 1e-4f))
            return false;
    return a.size() == b.size();
}

// A matrix of 3 x 4 by row, by place and dense: 1 0 2 0 | 0 3 0 0 | 4 0 5 6
static const ints OFFSETS = {0, 2, 3, 6}, ROWS = {0, 0, 1, 2, 2, 2}, COLUMNS = {0, 2, 1, 0, 2, 3};
static const floats VALUES = {1, 2, 3, 4, 5, 6}, DENSE = {1, 0, 2, 0, 0, 3, 0, 0, 4, 0, 5, 6};
enum { M = 3, N = 4, COUNT = 6 };

static cusparseSpMatDescr_t matrix(bool by_place)
{
    cusparseSpMatDescr_t made;
    if (by_place)
        DONE(cusparseCreateCoo(&made, M, N, COUNT, device(ROWS), device(COLUMNS), device(VALUES),
                               I32, CUSPARSE_INDEX_BASE_ZERO, CUDA_R_32F));
    else
        DONE(cusparseCreateCsr(&made, M, N, COUNT, device(OFFSETS), device(COLUMNS),
                               device(VALUES), I32, I32, CUSPARSE_INDEX_BASE_ZERO, CUDA_R_32F));
    return made;
}

static cusparseDnVecDescr_t vector(const floats &values, float **d_values)
{
    cusparseDnVecDescr_t made;
    *d_values = device(values);
    DONE(cusparseCreateDnVec(&made, (int64_t)values.size(), *d_values, CUDA_R_32F));
    return made;
}

static cusparseDnMatDescr_t grid(int rows, int columns, const floats &values, float **d_values)
{
    cusparseDnMatDescr_t made;
    *d_values = device(values);
    DONE(cusparseCreateDnMat(&made, rows, columns, columns, *d_values, CUDA_R_32F,
                             CUSPARSE_ORDER_ROW));
    return made;
}

// With beta 0, what is not a number does not survive.
static void times_a_vector(bool by_place)
{
    float alpha = 2, beta = 0, *d_x, *d_y, *d_z;
    size_t bytes;
    cusparseDnVecDescr_t x = vector({1, 2, 3, 4}, &d_x), y = vector({NAN, NAN, NAN}, &d_y);
    cusparseSpMatDescr_t a = matrix(by_place);
    DONE(cusparseSpMV_bufferSize(handle, PLAIN, &alpha, a, x, &beta, y, CUDA_R_32F,
                                 CUSPARSE_SPMV_ALG_DEFAULT, &bytes));
    DONE(cusparseSpMV(handle, PLAIN, &alpha, a, x, &beta, y, CUDA_R_32F,
                      CUSPARSE_SPMV_ALG_DEFAULT, device(floats(bytes / sizeof(float) + 1))));
    EXPECT(near(host(d_y, M), {14, 12, 86}));
    beta = -1;
    cusparseDnVecDescr_t z = vector({1, 1, 1, 1}, &d_z);
    DONE(cusparseSpMV(handle, TURNED, &alpha, a, y, &beta, z, CUDA_R_32F,
                      CUSPARSE_SPMV_ALG_DEFAULT, device(floats(bytes / sizeof(float) + 1))));
    EXPECT(near(host(d_z, N), {2 * (14 + 4 * 86) - 1, 2 * 36 - 1, 2 * (28 + 5 * 86) - 1,
                               2 * 6 * 86 - 1}));
}

static void times_a_dense_matrix()
{
    float alpha = 1, beta = 1, *d_b, *d_c;
    size_t bytes;
    cusparseDnMatDescr_t b = grid(2, N, {1, 2, 3, 4, 5, 6, 7, 8}, &d_b);
    cusparseDnMatDescr_t c = grid(M, 2, {1, 1, 1, 1, 1, 1}, &d_c);
    cusparseSpMatDescr_t a = matrix(false);
    DONE(cusparseSpMM_bufferSize(handle, PLAIN, TURNED, &alpha, a, b, &beta, c, CUDA_R_32F,
                                 CUSPARSE_SPMM_ALG_DEFAULT, &bytes));
    DONE(cusparseSpMM(handle, PLAIN, TURNED, &alpha, a, b, &beta, c, CUDA_R_32F,
                      CUSPARSE_SPMM_ALG_DEFAULT, device(floats(bytes / sizeof(float) + 1))));
    EXPECT(near(host(d_c, M * 2), {8, 20, 7, 19, 44, 104}));
}

// What lies between the rows of a dense matrix stays as it was.
static void to_dense_and_back()
{
    float *d_dense = device(floats(M * (N + 1), 7.f));
    cusparseDnMatDescr_t dense;
    cusparseSpMatDescr_t back;
    int *d_offsets = device(ints(M + 1));
    int64_t rows, columns, count;
    void *buffer = device(floats(64));
    DONE(cusparseCreateDnMat(&dense, M, N, N + 1, d_dense, CUDA_R_32F, CUSPARSE_ORDER_ROW));
    DONE(cusparseSparseToDense(handle, matrix(true), dense, CUSPARSE_SPARSETODENSE_ALG_DEFAULT,
                               buffer));
    floats written = host(d_dense, M * (N + 1) - 1);
    for (int i = 0; i < M * N; i++)
        EXPECT(written[i / N * (N + 1) + i % N] == DENSE[i]);
    EXPECT(written[N] == 7);
    DONE(cusparseCreateCsr(&back, M, N, 0, d_offsets, NULL, NULL, I32, I32,
                           CUSPARSE_INDEX_BASE_ONE, CUDA_R_32F));
    DONE(cusparseDenseToSparse_analysis(handle, dense, back, CUSPARSE_DENSETOSPARSE_ALG_DEFAULT,
                                        buffer));
    DONE(cusparseSpMatGetSize(back, &rows, &columns, &count));
    EXPECT(count == COUNT);
    int *d_columns = device(ints(COUNT));
    float *d_values = device(floats(COUNT));
    DONE(cusparseCsrSetPointers(back, d_offsets, d_columns, d_values));
    DONE(cusparseDenseToSparse_convert(handle, dense, back, CUSPARSE_DENSETOSPARSE_ALG_DEFAULT,
                                       buffer));
    EXPECT(host(d_values, COUNT) == VALUES);
    EXPECT(host(d_offsets, M + 1) == ints({1, 3, 4, 7}));
    EXPECT(host(d_columns, COUNT) == ints({1, 3, 2, 1, 3, 4}));
}

// 2 1 0 | 4 5 3 | 0 6 8: each triangle, with and without its diagonal, as it is and turned.
static void triangles()
{
    const floats full = {2, 1, 0, 4, 5, 3, 0, 6, 8}, right = {2, 7, 9};
    int *d_offsets = device(ints({0, 2, 5, 7})), *d_columns = device(ints({0, 1, 0, 1, 2, 1, 2}));
    float *d_values = device(floats({2, 1, 4, 5, 3, 6, 8})), *d_x, *d_y, alpha = 2;
    cusparseDnVecDescr_t x = vector(right, &d_x), y = vector({0, 0, 0}, &d_y);
    for (int kind = 0; kind < 8; kind++) {
        cusparseFillMode_t fill = kind & 1 ? CUSPARSE_FILL_MODE_UPPER : CUSPARSE_FILL_MODE_LOWER;
        cusparseDiagType_t unit = kind & 2 ? CUSPARSE_DIAG_TYPE_UNIT : CUSPARSE_DIAG_TYPE_NON_UNIT;
        cusparseOperation_t operation = kind & 4 ? TURNED : PLAIN;
        cusparseSpMatDescr_t a;
        cusparseSpSVDescr_t solver;
        size_t bytes;
        DONE(cusparseCreateCsr(&a, 3, 3, 7, d_offsets, d_columns, d_values, I32, I32,
                               CUSPARSE_INDEX_BASE_ZERO, CUDA_R_32F));
        DONE(cusparseSpMatSetAttribute(a, CUSPARSE_SPMAT_FILL_MODE, &fill, sizeof fill));
        DONE(cusparseSpMatSetAttribute(a, CUSPARSE_SPMAT_DIAG_TYPE, &unit, sizeof unit));
        DONE(cusparseSpSV_createDescr(&solver));
        DONE(cusparseSpSV_bufferSize(handle, operation, &alpha, a, x, y, CUDA_R_32F,
                                     CUSPARSE_SPSV_ALG_DEFAULT, solver, &bytes));
        DONE(cusparseSpSV_analysis(handle, operation, &alpha, a, x, y, CUDA_R_32F,
                                   CUSPARSE_SPSV_ALG_DEFAULT, solver,
                                   device(floats(bytes / sizeof(float) + 1))));
        DONE(cusparseSpSV_solve(handle, operation, &alpha, a, x, y, CUDA_R_32F,
                                CUSPARSE_SPSV_ALG_DEFAULT, solver));
        floats solution = host(d_y, 3), product(3);
        for (int i = 0; i < 3; i++)
            for (int j = 0; j < 3; j++) {
                int row = kind & 4 ? j : i, column = kind & 4 ? i : j;
                bool inside = kind & 1 ? column >= row : column <= row;
                float value = row == column && kind & 2 ? 1 : full[row * 3 + column];
                product[i] += inside ? value * solution[j] : 0;
            }
        EXPECT(near(product, {4, 14, 18}));
        DONE(cusparseSpSV_destroyDescr(solver));
        DONE(cusparseDestroySpMat(a));
    }
}

// (3 x 4) times its transpose, given as columns.
static void sparse_times_sparse()
{
    cusparseSpMatDescr_t a = matrix(false), b, c;
    cusparseSpGEMMDescr_t work;
    float alpha = 1, beta = 0;
    size_t first = 0, second = 0;
    int64_t rows, columns, count;
    int *d_offsets = device(ints(M + 1));
    DONE(cusparseCreateCsr(&b, N, M, COUNT, device(ints({0, 2, 3, 5, 6})),
                           device(ints({0, 2, 1, 0, 2, 2})), device(floats({1, 4, 3, 2, 5, 6})),
                           I32, I32, CUSPARSE_INDEX_BASE_ZERO, CUDA_R_32F));
    DONE(cusparseCreateCsr(&c, M, M, 0, d_offsets, NULL, NULL, I32, I32, CUSPARSE_INDEX_BASE_ZERO,
                           CUDA_R_32F));
    DONE(cusparseSpGEMM_createDescr(&work));
#define GEMM(step, ...)                                                                           \
    DONE(cusparseSpGEMM_##step(handle, PLAIN, PLAIN, &alpha, a, b, &beta, c, CUDA_R_32F,          \
                               CUSPARSE_SPGEMM_DEFAULT, work, ##__VA_ARGS__))
    GEMM(workEstimation, &first, NULL);
    GEMM(workEstimation, &first, device(std::vector<char>(first)));
    GEMM(compute, &second, NULL);
    GEMM(compute, &second, device(std::vector<char>(second)));
    DONE(cusparseSpMatGetSize(c, &rows, &columns, &count));
    EXPECT(count == 5);
    int *d_columns = device(ints((size_t)count));
    float *d_values = device(floats((size_t)count));
    DONE(cusparseCsrSetPointers(c, d_offsets, d_columns, d_values));
    GEMM(copy);
    EXPECT(host(d_offsets, M + 1) == ints({0, 2, 3, 5}));
    // Columns within a row come in no promised order.
    floats product(M * M);
    ints places = host(d_columns, (size_t)count);
    floats values = host(d_values, (size_t)count);
    for (int i = 0; i < 5; i++)
        product[(size_t)((i < 2 ? 0 : i < 3 ? 1 : 2) * M + places[i])] = values[i];
    EXPECT(near(product, {5, 0, 14, 0, 9, 0, 14, 0, 77}));
}

static void sums()
{
    cusparseMatDescr_t general;
    float alpha = 2, beta = -1, *d_values;
    int total = 0, *d_offsets = device(ints(M + 1)), *d_columns;
    void *buffer = device(floats(4096));
    DONE(cusparseCreateMatDescr(&general));
    int *a_offsets = device(OFFSETS), *a_columns = device(COLUMNS);
    int *b_offsets = device(ints({0, 1, 2, 2})), *b_columns = device(ints({0, 3}));
    float *a_values = device(VALUES), *b_values = device(floats({2, 9}));
    DONE(cusparseXcsrgeam2Nnz(handle, M, N, general, COUNT, a_offsets, a_columns, general, 2,
                              b_offsets, b_columns, general, d_offsets, &total, buffer));
    EXPECT(total == 7);
    d_columns = device(ints(7));
    d_values = device(floats(7));
    DONE(cusparseScsrgeam2(handle, M, N, &alpha, general, COUNT, a_values, a_offsets, a_columns,
                           &beta, general, 2, b_values, b_offsets, b_columns, general, d_values,
                           d_offsets, d_columns, buffer));
    EXPECT(host(d_offsets, M + 1) == ints({0, 2, 4, 7}));
    EXPECT(host(d_columns, 7) == ints({0, 2, 1, 3, 0, 2, 3}));
    EXPECT(near(host(d_values, 7), {0, 4, 6, -9, 8, 10, 12}));
}

static void sparse_vectors()
{
    cusparseSpVecDescr_t x;
    float *d_y, *d_x = device(floats({10, 20})), alpha = 2, beta = 3;
    cusparseDnVecDescr_t y = vector({1, 2, 3, 4}, &d_y);
    DONE(cusparseCreateSpVec(&x, 4, 2, device(ints({1, 3})), d_x, I32, CUSPARSE_INDEX_BASE_ZERO,
                             CUDA_R_32F));
    DONE(cusparseAxpby(handle, &alpha, x, &beta, y));
    EXPECT(near(host(d_y, 4), {3, 26, 9, 52}));
    DONE(cusparseGather(handle, y, x));
    EXPECT(near(host(d_x, 2), {26, 52}));
}

// A function sees what a kernel before it wrote on the handle's stream, and the kernel after it
// sees the result.
__global__ void add_one(float *values)
{
    values[threadIdx.x] += 1;
}

static void in_the_order_of_a_stream()
{
    cudaStream_t stream;
    float alpha = 1, beta = 0, *d_x, *d_y;
    cusparseDnVecDescr_t x = vector({0, 1, 2, 3}, &d_x), y = vector({0, 0, 0}, &d_y);
    CHECK(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking));
    DONE(cusparseSetStream(handle, stream));
    add_one<<<1, N, 0, stream>>>(d_x);
    DONE(cusparseSpMV(handle, PLAIN, &alpha, matrix(false), x, &beta, y, CUDA_R_32F,
                      CUSPARSE_SPMV_ALG_DEFAULT, device(floats(64))));
    add_one<<<1, M, 0, stream>>>(d_y);
    CHECK(cudaStreamSynchronize(stream));
    EXPECT(near(host(d_y, M), {8, 7, 44}));
    DONE(cusparseSetStream(handle, 0));
}

int main()
{
    DONE(cusparseCreate(&handle));
    times_a_vector(false);
    times_a_vector(true);
    times_a_dense_matrix();
    to_dense_and_back();
    triangles();
    sparse_times_sparse();
    sums();
    sparse_vectors();
    in_the_order_of_a_stream();
    DONE(cusparseDestroy(handle));
    return 0;
}
