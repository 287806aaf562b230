// cublas_stored.cu - cuBLAS with matrices of which a band is stored, or a packed triangle.
#include "cublas_program.h"

#include <complex>

typedef std::complex<double> value;
enum { N = 14, M = 11, K = 3, BELOW = 2, ABOVE = 4, LD = 8 };
static const value ALPHA(0.75, -0.5), BETA(-0.25, 1.5);
static const cuDoubleComplex z_alpha = {0.75, -0.5}, z_beta = {-0.25, 1.5};
static const cublasOperation_t OPS[] = {CUBLAS_OP_N, CUBLAS_OP_T, CUBLAS_OP_C};
static const cublasFillMode_t FILLS[] = {CUBLAS_FILL_MODE_LOWER, CUBLAS_FILL_MODE_UPPER};

/* Complex numbers on the host and on the device; real ones have their first parts. */
struct values {
    numbers parts;
    explicit values(int count) : parts(CUDA_R_64F, 2 * count) {}
    value at(int i) const { return value(parts.at(2 * i), parts.at(2 * i + 1)); }
    cuDoubleComplex *z() const { return (cuDoubleComplex *)parts.device; }
    std::vector<value> fetched() const
    {
        std::vector<double> got = parts.fetched();
        std::vector<value> result(got.size() / 2);
        for (size_t i = 0; i < result.size(); i++)
            result[i] = value(got[2 * i], got[2 * i + 1]);
        return result;
    }
};

struct dense {
    value at[N][N];
    value op(cublasOperation_t op, int i, int j) const
    {
        value found = op == CUBLAS_OP_N ? at[i][j] : at[j][i];
        return op == CUBLAS_OP_C ? std::conj(found) : found;
    }
};

static bool near(value is, value wanted)
{
    return std::abs(is - wanted) < 1e-12 * (10 + std::abs(wanted));
}

static bool within(cublasFillMode_t fill, int row, int column)
{
    return fill == CUBLAS_FILL_MODE_UPPER ? row <= column : row >= column;
}

static int packed_place(cublasFillMode_t fill, int row, int column)
{
    return fill == CUBLAS_FILL_MODE_UPPER ? row + column * (column + 1) / 2
                                          : row + (2 * N - column - 1) * column / 2;
}

static int band_place(int above, int row, int column)
{
    return above + row - column + column * LD;
}

/* What the stored elements mean: a triangle, packed or a band of k, and the mirrored rest. */
static dense meaning(const values &a, cublasFillMode_t fill, bool packed, bool mirrored)
{
    dense all = {};
    int above = fill == CUBLAS_FILL_MODE_UPPER ? K : 0;
    for (int j = 0; j < N; j++)
        for (int i = 0; i < N; i++)
            if (within(fill, i, j) && (packed || abs(i - j) <= K)) {
                value found =
                    a.at(packed ? packed_place(fill, i, j) : band_place(above, i, j));
                if (mirrored)
                    all.at[j][i] = std::conj(found);
                all.at[i][j] = mirrored && i == j ? found.real() : found;
            }
    return all;
}

static void general_band(cublasHandle_t handle, cublasOperation_t op)
{
    values a(LD * N), x(2 * N), y(2 * N);
    dense all = {};
    BLAS(cublasZgbmv(handle, op, M, N, BELOW, ABOVE, &z_alpha, a.z(), LD, x.z(), 1, &z_beta, y.z(),
                     -2));
    for (int j = 0; j < N; j++)
        for (int i = 0; i < M; i++)
            all.at[i][j] = i - j <= BELOW && j - i <= ABOVE ? a.at(band_place(ABOVE, i, j)) : 0;
    int rows = op == CUBLAS_OP_N ? M : N, columns = op == CUBLAS_OP_N ? N : M;
    std::vector<value> got = y.fetched();
    for (int i = 0; i < rows; i++) {
        value sum = 0;
        int at = 2 * (rows - 1 - i);
        for (int k = 0; k < columns; k++)
            sum += all.op(op, i, k) * x.at(k);
        EXPECT(near(got[at], ALPHA * sum + BETA * y.at(at)));
    }
}

static void hermitian(cublasHandle_t handle, cublasFillMode_t fill, bool packed)
{
    values a(LD * N), x(N), y(2 * N);
    if (packed)
        BLAS(cublasZhpmv(handle, fill, N, &z_alpha, a.z(), x.z(), 1, &z_beta, y.z(), 2));
    else
        BLAS(cublasZhbmv(handle, fill, N, K, &z_alpha, a.z(), LD, x.z(), 1, &z_beta, y.z(), 2));
    dense all = meaning(a, fill, packed, true);
    std::vector<value> got = y.fetched();
    for (int i = 0; i < N; i++) {
        value sum = 0;
        for (int k = 0; k < N; k++)
            sum += all.at[i][k] * x.at(k);
        EXPECT(near(got[2 * i], ALPHA * sum + BETA * y.at(2 * i)));
    }
}

static void symmetric(cublasHandle_t handle, cublasFillMode_t fill, bool packed)
{
    numbers a(CUDA_R_64F, LD * N), x(CUDA_R_64F, N), y(CUDA_R_64F, N);
    const double alpha = 0.5, beta = 3;
    int above = fill == CUBLAS_FILL_MODE_UPPER ? K : 0;
    if (packed)
        BLAS(cublasDspmv(handle, fill, N, &alpha, a.doubles(), x.doubles(), 1, &beta, y.doubles(),
                         1));
    else
        BLAS(cublasDsbmv(handle, fill, N, K, &alpha, a.doubles(), LD, x.doubles(), 1, &beta,
                         y.doubles(), 1));
    std::vector<double> got = y.fetched();
    for (int i = 0; i < N; i++) {
        double sum = 0;
        for (int k = 0; k < N; k++) {
            int row = within(fill, i, k) ? i : k, column = row == i ? k : i;
            if (packed || abs(i - k) <= K)
                sum += x.at(k) * a.at(packed ? packed_place(fill, row, column)
                                             : band_place(above, row, column));
        }
        EXPECT(near(got[i], alpha * sum + beta * y.at(i)));
    }
}

static void triangle(cublasHandle_t handle, cublasFillMode_t fill, cublasOperation_t op,
                     bool packed, cublasDiagType_t diagonal)
{
    values a(LD * N), x(2 * N);
    int above = fill == CUBLAS_FILL_MODE_UPPER ? K : 0;
    for (int i = 0; i < N; i++) // so that the system is well conditioned
        a.parts.set(2 * (packed ? packed_place(fill, i, i) : band_place(above, i, i)), 9);
    a.parts.send();
    if (packed)
        BLAS(cublasZtpmv(handle, fill, op, diagonal, N, a.z(), x.z(), 2));
    else
        BLAS(cublasZtbmv(handle, fill, op, diagonal, N, K, a.z(), LD, x.z(), 2));
    std::vector<value> product = x.fetched();
    if (packed)
        BLAS(cublasZtpsv(handle, fill, op, diagonal, N, a.z(), x.z(), 2));
    else
        BLAS(cublasZtbsv(handle, fill, op, diagonal, N, K, a.z(), LD, x.z(), 2));
    std::vector<value> back = x.fetched();
    dense all = meaning(a, fill, packed, false);
    for (int i = 0; i < N; i++) {
        value sum = 0;
        if (diagonal == CUBLAS_DIAG_UNIT)
            all.at[i][i] = 1;
        for (int k = 0; k < N; k++)
            sum += all.op(op, i, k) * x.at(2 * k);
        EXPECT(near(product[2 * i], sum));
        EXPECT(std::abs(back[2 * i] - x.at(2 * i)) < 1e-6);
    }
}

static void updates(cublasHandle_t handle, cublasFillMode_t fill)
{
    values a(LD * N), x(N), y(2 * N);
    const double real_alpha = 0.75;
    BLAS(cublasZhpr(handle, fill, N, &real_alpha, x.z(), 1, a.z()));
    std::vector<value> first = a.fetched();
    BLAS(cublasZhpr2(handle, fill, N, &z_alpha, x.z(), 1, y.z(), 2, a.z()));
    std::vector<value> second = a.fetched();
    for (int j = 0; j < N; j++)
        for (int i = 0; i < N; i++)
            if (within(fill, i, j)) {
                int at = packed_place(fill, i, j);
                value old = i == j ? a.at(at).real() : a.at(at);
                value one = real_alpha * x.at(i) * std::conj(x.at(j));
                value two = ALPHA * x.at(i) * std::conj(y.at(2 * j)) +
                            std::conj(ALPHA) * y.at(2 * i) * std::conj(x.at(j));
                EXPECT(near(first[at], old + one) && near(second[at], old + one + two));
            }
}

static void real_updates(cublasHandle_t handle, cublasFillMode_t fill)
{
    numbers a(CUDA_R_32F, LD * N), x(CUDA_R_32F, N), y(CUDA_R_32F, N);
    const float alpha = 0.5f;
    BLAS(cublasSspr(handle, fill, N, &alpha, x.floats(), 1, a.floats()));
    BLAS(cublasSspr2(handle, fill, N, &alpha, x.floats(), 1, y.floats(), 1, a.floats()));
    std::vector<double> got = a.fetched();
    for (int j = 0; j < N; j++)
        for (int i = 0; i < N; i++)
            if (within(fill, i, j)) {
                int at = packed_place(fill, i, j);
                double added = x.at(i) * x.at(j) + x.at(i) * y.at(j) + y.at(i) * x.at(j);
                EXPECT(fabs(got[at] - a.at(at) - alpha * added) < 1e-6);
            }
}

int main()
{
    const float one = 1;
    cublasHandle_t handle;
    BLAS(cublasCreate(&handle));
    for (cublasOperation_t op : OPS)
        general_band(handle, op);
    for (cublasFillMode_t fill : FILLS) {
        for (bool packed : {false, true}) {
            hermitian(handle, fill, packed);
            symmetric(handle, fill, packed);
            for (cublasOperation_t op : OPS)
                triangle(handle, fill, op, packed, CUBLAS_DIAG_NON_UNIT);
            triangle(handle, fill, CUBLAS_OP_N, packed, CUBLAS_DIAG_UNIT);
        }
        updates(handle, fill);
        real_updates(handle, fill);
    }
    GIVES(CUBLAS_STATUS_INVALID_VALUE,
          cublasSgbmv(handle, CUBLAS_OP_N, 4, 4, 1, 1, &one, NULL, 2, NULL, 1, &one, NULL, 1));
    BLAS(cublasDestroy(handle));
    return 0;
}
