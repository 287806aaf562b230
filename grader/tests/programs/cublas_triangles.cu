// cublas_triangles.cu - cuBLAS: products with symmetric and triangular matrices.
#include "cublas_program.h"

enum { M = 37, N = 21, LD = 40 };
static const cublasOperation_t N_T[] = {CUBLAS_OP_N, CUBLAS_OP_T};
static const cublasFillMode_t FILLS[] = {CUBLAS_FILL_MODE_LOWER, CUBLAS_FILL_MODE_UPPER};

static bool within(cublasFillMode_t fill, int row, int column)
{
    return fill == CUBLAS_FILL_MODE_UPPER ? row <= column : row >= column;
}

static double at(const numbers &matrix, int row, int column, bool turned = false)
{
    return turned ? matrix.at(row * LD + column) : matrix.at(column * LD + row);
}

static double symmetric(const numbers &a, cublasFillMode_t fill, int row, int column)
{
    return within(fill, row, column) ? at(a, row, column) : at(a, column, row);
}

/* Element (i, j) of op(A), of a triangle. */
static double triangle(const numbers &a, cublasFillMode_t fill, cublasOperation_t op, bool unit,
                       int i, int j)
{
    int row = op == CUBLAS_OP_N ? i : j, column = op == CUBLAS_OP_N ? j : i;
    return row == column && unit ? 1 : within(fill, row, column) ? at(a, row, column) : 0;
}

static bool near(double is, double wanted)
{
    return fabs(is - wanted) < 1e-12 * (1 + fabs(wanted)) * LD;
}

/* C = 0.5 (op(A) op(B)' [+ op(B) op(A)']) + beta C of N x N, the sum over M. */
static void rank_k(cublasHandle_t handle, cublasFillMode_t fill, cublasOperation_t op, int kind,
                   double beta)
{
    numbers a(CUDA_R_64F, LD * LD), b(CUDA_R_64F, LD * LD), c(CUDA_R_64F, LD * LD);
    const double alpha = 0.5;
    bool turned = op != CUBLAS_OP_N;
    if (kind == 0)
        BLAS(cublasDsyrk(handle, fill, op, N, M, &alpha, a.doubles(), LD, &beta, c.doubles(), LD));
    else if (kind == 1)
        BLAS(cublasDsyrkx(handle, fill, op, N, M, &alpha, a.doubles(), LD, b.doubles(), LD, &beta,
                          c.doubles(), LD));
    else
        BLAS(cublasDsyr2k(handle, fill, op, N, M, &alpha, a.doubles(), LD, b.doubles(), LD, &beta,
                          c.doubles(), LD));
    std::vector<double> got = c.fetched();
    for (int column = 0; column < N; column++)
        for (int row = 0; row < N; row++) {
            double sum = 0;
            for (int k = 0; k < M; k++) {
                const numbers &other = kind ? b : a;
                sum += at(a, row, k, turned) * at(other, column, k, turned);
                sum += kind == 2 ? at(b, row, k, turned) * at(a, column, k, turned) : 0;
            }
            double old = at(c, row, column);
            EXPECT(within(fill, row, column) ? near(got[column * LD + row],
                                                    alpha * sum + beta * old)
                                             : got[column * LD + row] == old);
        }
}

static void symmetric_product(cublasHandle_t handle, cublasSideMode_t side, cublasFillMode_t fill)
{
    numbers a(CUDA_R_64F, LD * LD), b(CUDA_R_64F, LD * LD), c(CUDA_R_64F, LD * LD);
    const double alpha = -2, beta = 0.25;
    bool left = side == CUBLAS_SIDE_LEFT;
    BLAS(cublasDsymm(handle, side, fill, M, N, &alpha, a.doubles(), LD, b.doubles(), LD, &beta,
                     c.doubles(), LD));
    std::vector<double> got = c.fetched();
    for (int column = 0; column < N; column++)
        for (int row = 0; row < M; row++) {
            double sum = 0;
            for (int k = 0; k < (left ? M : N); k++)
                sum += left ? symmetric(a, fill, row, k) * at(b, k, column)
                            : at(b, row, k) * symmetric(a, fill, k, column);
            EXPECT(near(got[column * LD + row], alpha * sum + beta * at(c, row, column)));
        }
}

static void triangular_product(cublasHandle_t handle, cublasSideMode_t side, cublasFillMode_t fill,
                               cublasOperation_t op, cublasDiagType_t diagonal, bool in_place)
{
    numbers a(CUDA_R_64F, LD * LD), b(CUDA_R_64F, LD * LD), c(CUDA_R_64F, LD * LD);
    const double alpha = 3;
    bool left = side == CUBLAS_SIDE_LEFT, unit = diagonal == CUBLAS_DIAG_UNIT;
    numbers &to = in_place ? b : c;
    BLAS(cublasDtrmm(handle, side, fill, op, diagonal, M, N, &alpha, a.doubles(), LD, b.doubles(),
                     LD, to.doubles(), LD));
    std::vector<double> got = to.fetched();
    for (int column = 0; column < N; column++)
        for (int row = 0; row < M; row++) {
            double sum = 0;
            for (int k = 0; k < (left ? M : N); k++)
                sum += left ? triangle(a, fill, op, unit, row, k) * at(b, k, column)
                            : at(b, row, k) * triangle(a, fill, op, unit, k, column);
            EXPECT(near(got[column * LD + row], alpha * sum));
        }
}

/* With vectors of step 2; trsv undoes trmv. */
static void vectors(cublasHandle_t handle, cublasFillMode_t fill)
{
    numbers a(CUDA_R_32F, LD * LD), x(CUDA_R_32F, 2 * N), y(CUDA_R_32F, 2 * N);
    const float alpha = 0.5f, beta = 2;
    BLAS(cublasSsymv(handle, fill, N, &alpha, a.floats(), LD, x.floats(), 2, &beta, y.floats(),
                     2));
    std::vector<double> got = y.fetched();
    for (int i = 0; i < N; i++) {
        double sum = 0;
        for (int k = 0; k < N; k++)
            sum += symmetric(a, fill, i, k) * x.at(2 * k);
        EXPECT(fabs(got[2 * i] - (alpha * sum + beta * y.at(2 * i))) < 1e-4);
        EXPECT(got[2 * i + 1] == y.at(2 * i + 1));
    }
    BLAS(cublasSsyr2(handle, fill, N, &alpha, x.floats(), 2, y.floats(), 2, a.floats(), LD));
    std::vector<double> summed = a.fetched();
    for (int column = 0; column < N; column++)
        for (int row = 0; row < N; row++)
            EXPECT(fabs(summed[column * LD + row] - at(a, row, column) -
                        (within(fill, row, column) ? alpha * (x.at(2 * row) * got[2 * column] +
                                                              got[2 * row] * x.at(2 * column))
                                                   : 0)) < 1e-4);
    for (cublasOperation_t op : N_T) {
        numbers t(CUDA_R_32F, LD * LD), v(CUDA_R_32F, 2 * N);
        for (int i = 0; i < N; i++)
            t.set(i * LD + i, 8);
        t.send();
        BLAS(cublasStrmv(handle, fill, op, CUBLAS_DIAG_NON_UNIT, N, t.floats(), LD, v.floats(),
                         2));
        std::vector<double> product = v.fetched();
        double sum = 0;
        for (int k = 0; k < N; k++)
            sum += triangle(t, fill, op, false, 4, k) * v.at(2 * k);
        EXPECT(fabs(product[8] - sum) < 1e-4);
        BLAS(cublasStrsv(handle, fill, op, CUBLAS_DIAG_NON_UNIT, N, t.floats(), LD, v.floats(),
                         2));
        std::vector<double> back = v.fetched();
        for (int i = 0; i < N; i++)
            EXPECT(fabs(back[2 * i] - v.at(2 * i)) < 1e-4);
    }
}

int main()
{
    cublasHandle_t handle;
    BLAS(cublasCreate(&handle));
    for (cublasFillMode_t fill : FILLS) {
        for (cublasOperation_t op : N_T)
            for (int kind = 0; kind < 3; kind++)
                for (double beta : {0.0, 0.75})
                    rank_k(handle, fill, op, kind, beta);
        for (cublasSideMode_t side : {CUBLAS_SIDE_LEFT, CUBLAS_SIDE_RIGHT}) {
            symmetric_product(handle, side, fill);
            for (cublasOperation_t op : N_T)
                for (cublasDiagType_t diagonal : {CUBLAS_DIAG_NON_UNIT, CUBLAS_DIAG_UNIT})
                    for (bool in_place : {false, true})
                        triangular_product(handle, side, fill, op, diagonal, in_place);
        }
        vectors(handle, fill);
    }
    BLAS(cublasDestroy(handle));
    return 0;
}
