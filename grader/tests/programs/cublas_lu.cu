// cublas_lu.cu - cuBLAS: LU factors of batches of matrices, and systems and inverses by them.
#include "cublas_program.h"

enum { N = 13, LD = 15, COUNT = 3, COLUMNS = 4 };

/* clang-format off */
static cublasStatus_t getrf(cublasHandle_t handle, float *const *a, int *pivots, int *info)
{
    return cublasSgetrfBatched(handle, N, a, LD, pivots, info, COUNT);
}
static cublasStatus_t getrf(cublasHandle_t handle, double *const *a, int *pivots, int *info)
{
    return cublasDgetrfBatched(handle, N, a, LD, pivots, info, COUNT);
}
static cublasStatus_t getrs(cublasHandle_t handle, cublasOperation_t op, float *const *a,
                            const int *pivots, float *const *b, int *info)
{
    return cublasSgetrsBatched(handle, op, N, COLUMNS, a, LD, pivots, b, LD, info, COUNT);
}
static cublasStatus_t getrs(cublasHandle_t handle, cublasOperation_t op, double *const *a,
                            const int *pivots, double *const *b, int *info)
{
    return cublasDgetrsBatched(handle, op, N, COLUMNS, a, LD, pivots, b, LD, info, COUNT);
}
static cublasStatus_t getri(cublasHandle_t handle, float *const *a, const int *pivots,
                            float *const *c, int *info)
{
    return cublasSgetriBatched(handle, N, a, LD, pivots, c, LD, info, COUNT);
}
static cublasStatus_t getri(cublasHandle_t handle, double *const *a, const int *pivots,
                            double *const *c, int *info)
{
    return cublasDgetriBatched(handle, N, a, LD, pivots, c, LD, info, COUNT);
}
static cublasStatus_t matinv(cublasHandle_t handle, float *const *a, float *const *c, int *info)
{
    return cublasSmatinvBatched(handle, N, a, LD, c, LD, info, COUNT);
}
static cublasStatus_t matinv(cublasHandle_t handle, double *const *a, double *const *c, int *info)
{
    return cublasDmatinvBatched(handle, N, a, LD, c, LD, info, COUNT);
}
/* clang-format on */

/* COUNT matrices of N x N, or N x COLUMNS, in managed memory, with the pointers to them. */
template <class T> struct matrices {
    T **at;
    int columns;

    explicit matrices(int columns) : columns(columns)
    {
        CHECK(cudaMallocManaged(&at, COUNT * sizeof *at));
        for (int i = 0; i < COUNT; i++) {
            CHECK(cudaMallocManaged(&at[i], LD * columns * sizeof(T)));
            for (int j = 0; j < LD * columns; j++)
                at[i][j] = (T)uniform();
        }
    }
    matrices(const matrices &) = delete;
    std::vector<T> copy(int i) const { return std::vector<T>(at[i], at[i] + LD * columns); }
};

/* Is the product of op(A), as it was, and X the matrix that is wanted? */
template <class T>
static bool solves(const std::vector<T> &a, bool turned, const T *x, const T *wanted, int columns)
{
    double worst = 0;
    for (int column = 0; column < columns; column++)
        for (int row = 0; row < N; row++) {
            double sum = 0;
            for (int k = 0; k < N; k++)
                sum += (double)a[turned ? row * LD + k : k * LD + row] * x[column * LD + k];
            double is = wanted ? wanted[column * LD + row] : row == column;
            worst = fmax(worst, fabs(sum - is));
        }
    return worst < (sizeof(T) == 8 ? 1e-11 : 1e-3);
}

/* pivoting: rows may change places; without it, the matrices have a heavy diagonal. */
template <class T> static void systems(cublasHandle_t handle, bool pivoting, cublasOperation_t op)
{
    matrices<T> a(N), b(COLUMNS), c(N);
    int *pivots = nullptr, *info, host_info = 7;
    std::vector<T> was[COUNT], side[COUNT];
    CHECK(cudaMallocManaged(&info, COUNT * sizeof *info));
    if (pivoting)
        CHECK(cudaMallocManaged(&pivots, COUNT * N * sizeof *pivots));
    for (int i = 0; i < COUNT; i++) {
        for (int j = 0; !pivoting && j < N; j++)
            a.at[i][j * LD + j] += 2 * N;
        info[i] = 7;
        was[i] = a.copy(i);
        side[i] = b.copy(i);
    }
    BLAS(getrf(handle, a.at, pivots, info));
    CHECK(cudaDeviceSynchronize());
    for (int i = 0; i < COUNT; i++) {
        EXPECT(info[i] == 0);
        EXPECT(a.at[i][LD - 1] == was[i][LD - 1]); /* below the matrix nothing changes */
        for (int j = 0; pivoting && j < N; j++)
            EXPECT(pivots[i * N + j] > j && pivots[i * N + j] <= N);
    }
    BLAS(getrs(handle, op, a.at, pivots, b.at, &host_info));
    BLAS(getri(handle, a.at, pivots, c.at, info));
    CHECK(cudaDeviceSynchronize());
    EXPECT(host_info == 0);
    for (int i = 0; i < COUNT; i++) {
        EXPECT(solves(was[i], op != CUBLAS_OP_N, b.at[i], side[i].data(), COLUMNS));
        EXPECT(info[i] == 0 && solves(was[i], false, c.at[i], (const T *)nullptr, N));
    }
}

/* Of the second matrix the fourth column is 0: it has no inverse, the others have. */
template <class T> static void inverses(cublasHandle_t handle)
{
    matrices<T> a(N), c(N);
    int *pivots, *info;
    std::vector<T> was[COUNT];
    CHECK(cudaMallocManaged(&info, COUNT * sizeof *info));
    CHECK(cudaMallocManaged(&pivots, COUNT * N * sizeof *pivots));
    for (int row = 0; row < N; row++)
        a.at[1][3 * LD + row] = 0;
    for (int i = 0; i < COUNT; i++)
        was[i] = a.copy(i);
    BLAS(matinv(handle, a.at, c.at, info));
    CHECK(cudaDeviceSynchronize());
    EXPECT(info[0] == 0 && info[1] == 4 && info[2] == 0);
    EXPECT(a.copy(0) == was[0]);
    EXPECT(solves(was[0], false, c.at[0], (const T *)nullptr, N));
    EXPECT(solves(was[2], false, c.at[2], (const T *)nullptr, N));
    BLAS(getrf(handle, a.at, pivots, info));
    CHECK(cudaDeviceSynchronize());
    EXPECT(info[0] == 0 && info[1] == 4 && info[2] == 0);
    GIVES(CUBLAS_STATUS_INVALID_VALUE,
          cublasDgetrfBatched(handle, N, nullptr, N - 1, pivots, info, COUNT));
}

int main()
{
    cublasHandle_t handle;
    BLAS(cublasCreate(&handle));
    for (int pivoting = 0; pivoting < 2; pivoting++)
        for (cublasOperation_t op : {CUBLAS_OP_N, CUBLAS_OP_T}) {
            systems<float>(handle, pivoting, op);
            systems<double>(handle, pivoting, op);
        }
    inverses<float>(handle);
    inverses<double>(handle);
    BLAS(cublasDestroy(handle));
    return 0;
}
