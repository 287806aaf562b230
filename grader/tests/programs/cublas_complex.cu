// cublas_complex.cu - cuBLAS with complex numbers, held against sums on the host.
#include "cublas_program.h"

#include <complex>

typedef std::complex<double> value;
enum { M = 19, N = 13, K = 11, LD = 23 };
static const cublasOperation_t OPS[] = {CUBLAS_OP_N, CUBLAS_OP_T, CUBLAS_OP_C};
static const cublasFillMode_t FILLS[] = {CUBLAS_FILL_MODE_LOWER, CUBLAS_FILL_MODE_UPPER};

/* LD * LD complex numbers, on the host and on the device. */
struct matrix {
    numbers parts;
    matrix(cudaDataType real, int count = LD * LD) : parts(real, 2 * count) {}
    value at(size_t i) const { return value(parts.at(2 * i), parts.at(2 * i + 1)); }
    value at(int row, int column) const { return at(column * LD + row); }
    value at(cublasOperation_t op, int row, int column) const
    {
        value found = op == CUBLAS_OP_N ? at(row, column) : at(column, row);
        return op == CUBLAS_OP_C ? std::conj(found) : found;
    }
    cuDoubleComplex *z() const { return (cuDoubleComplex *)parts.device; }
    cuComplex *c() const { return (cuComplex *)parts.device; }
    std::vector<value> fetched() const
    {
        std::vector<double> got = parts.fetched();
        std::vector<value> values(got.size() / 2);
        for (size_t i = 0; i < values.size(); i++)
            values[i] = value(got[2 * i], got[2 * i + 1]);
        return values;
    }
};

static const value ALPHA(0.75, -0.5), BETA(-0.25, 1.5);
static const cuDoubleComplex z_alpha = {0.75, -0.5}, z_beta = {-0.25, 1.5};
static const cuComplex c_alpha = {0.75f, -0.5f}, c_beta = {-0.25f, 1.5f};

static bool near(value is, value wanted, double tolerance = 1e-12)
{
    return std::abs(is - wanted) < tolerance * (10 + std::abs(wanted));
}

static value product(const matrix &a, cublasOperation_t op_a, const matrix &b,
                     cublasOperation_t op_b, int row, int column, int k)
{
    value sum = 0;
    for (int i = 0; i < k; i++)
        sum += a.at(op_a, row, i) * b.at(op_b, i, column);
    return sum;
}

// --- Products --------------------------------------------------------------------------------

enum kind { SIMPLE, THREE, EX };

static void call_gemm(cublasHandle_t handle, kind kind, bool wide, cublasOperation_t op_a,
                      cublasOperation_t op_b, const matrix &a, const matrix &b, const matrix &c)
{
    cudaDataType type = wide ? CUDA_C_64F : CUDA_C_32F;
    cublasComputeType_t compute = wide ? CUBLAS_COMPUTE_64F : CUBLAS_COMPUTE_32F;
    const void *alpha = wide ? (const void *)&z_alpha : &c_alpha;
    const void *beta = wide ? (const void *)&z_beta : &c_beta;
    if (kind == EX)
        BLAS(cublasGemmEx(handle, op_a, op_b, M, N, K, alpha, a.z(), type, LD, b.z(), type, LD,
                          beta, c.z(), type, LD, compute, CUBLAS_GEMM_DEFAULT));
    else if (wide && kind == THREE)
        BLAS(cublasZgemm3m(handle, op_a, op_b, M, N, K, &z_alpha, a.z(), LD, b.z(), LD, &z_beta,
                           c.z(), LD));
    else if (kind == THREE)
        BLAS(cublasCgemm3m(handle, op_a, op_b, M, N, K, &c_alpha, a.c(), LD, b.c(), LD, &c_beta,
                           c.c(), LD));
    else if (wide)
        BLAS(cublasZgemm(handle, op_a, op_b, M, N, K, &z_alpha, a.z(), LD, b.z(), LD, &z_beta,
                         c.z(), LD));
    else
        BLAS(cublasCgemm(handle, op_a, op_b, M, N, K, &c_alpha, a.c(), LD, b.c(), LD, &c_beta,
                         c.c(), LD));
}

static void products(cublasHandle_t handle, kind kind, bool wide)
{
    for (cublasOperation_t op_a : OPS)
        for (cublasOperation_t op_b : OPS) {
            cudaDataType real = wide ? CUDA_R_64F : CUDA_R_32F;
            matrix a(real), b(real), c(real);
            call_gemm(handle, kind, wide, op_a, op_b, a, b, c);
            std::vector<value> got = c.fetched();
            for (int column = 0; column < N; column++)
                for (int row = 0; row < M; row++)
                    EXPECT(near(got[column * LD + row],
                                ALPHA * product(a, op_a, b, op_b, row, column, K) +
                                    BETA * c.at(row, column),
                                wide ? 1e-12 : 1e-5));
            EXPECT(got[M] == c.at(M, 0)); // below the matrix nothing is written
        }
}

// Two matrices of a batch, the second LD * LD numbers after the first.
static void batches(cublasHandle_t handle, bool pointers)
{
    enum { STRIDE = LD * LD };
    matrix a(CUDA_R_64F, 2 * STRIDE), b(CUDA_R_64F, 2 * STRIDE), c(CUDA_R_64F, 2 * STRIDE);
    cuDoubleComplex *h_places[] = {a.z(), a.z() + STRIDE, b.z(),
                                   b.z() + STRIDE, c.z(), c.z() + STRIDE};
    cuDoubleComplex **places;
    CHECK(cudaMalloc(&places, sizeof h_places));
    CHECK(cudaMemcpy(places, h_places, sizeof h_places, cudaMemcpyHostToDevice));
    if (pointers)
        BLAS(cublasZgemmBatched(handle, CUBLAS_OP_C, CUBLAS_OP_N, M, N, K, &z_alpha, places, LD,
                                places + 2, LD, &z_beta, places + 4, LD, 2));
    else
        BLAS(cublasZgemmStridedBatched(handle, CUBLAS_OP_C, CUBLAS_OP_N, M, N, K, &z_alpha, a.z(),
                                       LD, STRIDE, b.z(), LD, STRIDE, &z_beta, c.z(), LD, STRIDE,
                                       2));
    std::vector<value> got = c.fetched();
    for (size_t batch = 0; batch < 2; batch++)
        for (int column = 0; column < N; column++)
            for (int row = 0; row < M; row++) {
                size_t first = batch * STRIDE, at = first + column * LD + row;
                value sum = 0;
                for (int k = 0; k < K; k++)
                    sum += std::conj(a.at(first + row * LD + k)) * b.at(first + column * LD + k);
                EXPECT(near(got[at], ALPHA * sum + BETA * c.at(at)));
            }
    CHECK(cudaFree(places));
}

static void factors_on_the_device(cublasHandle_t handle)
{
    matrix a(CUDA_R_64F), b(CUDA_R_64F), c(CUDA_R_64F), x(CUDA_R_64F);
    cuDoubleComplex *factors, h_factors[] = {z_alpha, z_beta};
    CHECK(cudaMalloc(&factors, sizeof h_factors));
    CHECK(cudaMemcpy(factors, h_factors, sizeof h_factors, cudaMemcpyHostToDevice));
    BLAS(cublasSetPointerMode(handle, CUBLAS_POINTER_MODE_DEVICE));
    BLAS(cublasZgemm(handle, CUBLAS_OP_N, CUBLAS_OP_N, M, N, K, factors, a.z(), LD, b.z(), LD,
                     factors + 1, c.z(), LD));
    BLAS(cublasZscal(handle, N, factors, x.z(), 1));
    BLAS(cublasZdotc(handle, N, a.z(), 1, b.z(), 1, factors));
    BLAS(cublasZdscal(handle, N, (double *)(factors + 1), b.z(), 1));
    BLAS(cublasSetPointerMode(handle, CUBLAS_POINTER_MODE_HOST));
    CHECK(cudaMemcpy(h_factors, factors, sizeof h_factors, cudaMemcpyDeviceToHost));
    value dot = 0;
    for (int i = 0; i < N; i++)
        dot += std::conj(a.at(i)) * b.at(i);
    EXPECT(near(value(h_factors[0].x, h_factors[0].y), dot));
    std::vector<value> got = c.fetched(), scaled = x.fetched(), halved = b.fetched();
    EXPECT(near(got[LD], ALPHA * product(a, CUBLAS_OP_N, b, CUBLAS_OP_N, 0, 1, K) +
                             BETA * c.at(0, 1)));
    EXPECT(near(scaled[N - 1], ALPHA * x.at(N - 1)));
    EXPECT(near(halved[N - 1], BETA.real() * b.at(N - 1)));
    CHECK(cudaFree(factors));
}

// --- Vectors ---------------------------------------------------------------------------------

static void vectors(cublasHandle_t handle)
{
    matrix x(CUDA_R_64F, 2 * N), y(CUDA_R_64F, 3 * N);
    cuDoubleComplex dot_u, dot_c;
    const double c = 0.6, s = 0.8, half = 0.5;
    double norm, sum;
    int largest, smallest, h_largest = 0, h_smallest = 0;
    value u = 0, v = 0;
    double squares = 0, sizes = 0, size[N];
    BLAS(cublasZdotu(handle, N, x.z(), 2, y.z(), 3, &dot_u));
    BLAS(cublasZdotc(handle, N, x.z(), 2, y.z(), 3, &dot_c));
    BLAS(cublasDznrm2(handle, N, x.z(), 2, &norm));
    BLAS(cublasDzasum(handle, N, x.z(), 2, &sum));
    BLAS(cublasIzamax(handle, N, x.z(), 2, &largest));
    BLAS(cublasIzamin(handle, N, x.z(), 2, &smallest));
    for (int i = 0; i < N; i++) {
        u += x.at(2 * i) * y.at(3 * i);
        v += std::conj(x.at(2 * i)) * y.at(3 * i);
        squares += std::norm(x.at(2 * i));
        sizes += size[i] = fabs(x.at(2 * i).real()) + fabs(x.at(2 * i).imag());
        h_largest = size[i] > size[h_largest] ? i : h_largest;
        h_smallest = size[i] < size[h_smallest] ? i : h_smallest;
    }
    EXPECT(near(value(dot_u.x, dot_u.y), u) && near(value(dot_c.x, dot_c.y), v));
    EXPECT(near(norm, sqrt(squares)) && near(sum, sizes));
    EXPECT(largest == h_largest + 1 && smallest == h_smallest + 1);
    BLAS(cublasZaxpy(handle, N, &z_alpha, x.z(), 2, y.z(), 3));
    BLAS(cublasZdscal(handle, N, &half, y.z(), 3));
    BLAS(cublasZswap(handle, N, x.z(), 2, y.z(), 3));
    BLAS(cublasZrot(handle, N, x.z(), 2, y.z(), 3, &c, &z_beta));
    std::vector<value> to_x = x.fetched(), to_y = y.fetched();
    for (int i = 0; i < N; i++) {
        value from = half * (ALPHA * x.at(2 * i) + y.at(3 * i)), to = x.at(2 * i);
        EXPECT(near(to_x[2 * i], c * from + BETA * to));
        EXPECT(near(to_y[3 * i], c * to - std::conj(BETA) * from));
        EXPECT(to_x[2 * i + 1] == x.at(2 * i + 1) && to_y[3 * i + 1] == y.at(3 * i + 1));
    }
    BLAS(cublasZdrot(handle, N, x.z(), 2, y.z(), 3, &c, &s));
    EXPECT(near(x.fetched()[0], c * to_x[0] + s * to_y[0]));
}

static void in_single_precision(cublasHandle_t handle)
{
    matrix x(CUDA_R_32F, N), y(CUDA_R_32F, N);
    cuComplex dot;
    float norm;
    value sum = 0;
    double squares = 0;
    BLAS(cublasCdotc(handle, N, x.c(), 1, y.c(), 1, &dot));
    BLAS(cublasScnrm2(handle, N, x.c(), 1, &norm));
    BLAS(cublasCaxpy(handle, N, &c_alpha, x.c(), 1, y.c(), 1));
    std::vector<value> got = y.fetched();
    for (int i = 0; i < N; i++) {
        sum += std::conj(x.at(i)) * y.at(i);
        squares += std::norm(x.at(i));
        EXPECT(near(got[i], ALPHA * x.at(i) + y.at(i), 1e-6));
    }
    EXPECT(near(value(dot.x, dot.y), sum, 1e-6) && near(norm, sqrt(squares), 1e-6));
    BLAS(cublasDotcEx(handle, N, x.c(), CUDA_C_32F, 1, y.c(), CUDA_C_32F, 1, &dot, CUDA_C_32F,
                      CUDA_C_32F));
    matrix a(CUDA_R_32F), c(CUDA_R_32F), d(CUDA_R_32F);
    const float real_alpha = 0.5f, zero = 0;
    BLAS(cublasCgemmEx(handle, CUBLAS_OP_N, CUBLAS_OP_C, N, N, K, &c_alpha, a.c(), CUDA_C_32F, LD,
                       a.c(), CUDA_C_32F, LD, &c_beta, c.c(), CUDA_C_32F, LD));
    BLAS(cublasCherkEx(handle, CUBLAS_FILL_MODE_UPPER, CUBLAS_OP_N, N, K, &real_alpha, a.c(),
                       CUDA_C_32F, LD, &zero, d.c(), CUDA_C_32F, LD));
    value product_12 = product(a, CUBLAS_OP_N, a, CUBLAS_OP_C, 1, 2, K);
    EXPECT(near(c.fetched()[2 * LD + 1], ALPHA * product_12 + BETA * c.at(1, 2), 1e-5));
    EXPECT(near(d.fetched()[2 * LD + 1], 0.5 * product_12, 1e-5));
    BLAS(cublasNrm2Ex(handle, N, x.c(), CUDA_C_32F, 1, &norm, CUDA_R_32F, CUDA_R_32F));
    EXPECT(near(norm, sqrt(squares), 1e-6));
}

// --- A matrix and vectors --------------------------------------------------------------------

static void matrix_and_vectors(cublasHandle_t handle)
{
    for (cublasOperation_t op : OPS) {
        matrix a(CUDA_R_64F), x(CUDA_R_64F), y(CUDA_R_64F);
        BLAS(cublasZgemv(handle, op, M, N, &z_alpha, a.z(), LD, x.z(), 1, &z_beta, y.z(), -2));
        int rows = op == CUBLAS_OP_N ? M : N, columns = op == CUBLAS_OP_N ? N : M;
        std::vector<value> got = y.fetched();
        for (int i = 0; i < rows; i++) {
            value sum = 0;
            size_t at = 2 * (rows - 1 - i);
            for (int k = 0; k < columns; k++)
                sum += a.at(op, i, k) * x.at(k);
            EXPECT(near(got[at], ALPHA * sum + BETA * y.at(at)));
        }
    }
    matrix a(CUDA_R_64F), x(CUDA_R_64F), y(CUDA_R_64F);
    BLAS(cublasZgeru(handle, M, N, &z_alpha, x.z(), 1, y.z(), 1, a.z(), LD));
    std::vector<value> u = a.fetched();
    a.parts.send();
    BLAS(cublasZgerc(handle, M, N, &z_alpha, x.z(), 1, y.z(), 1, a.z(), LD));
    std::vector<value> c = a.fetched();
    for (int column = 0; column < N; column++)
        for (int row = 0; row < M; row++) {
            value old = a.at(row, column), factor = ALPHA * x.at(row);
            EXPECT(near(u[column * LD + row], old + factor * y.at(column)));
            EXPECT(near(c[column * LD + row], old + factor * std::conj(y.at(column))));
        }
}

static void sums(cublasHandle_t handle)
{
    for (cublasOperation_t op_a : OPS)
        for (cublasOperation_t op_b : OPS) {
            matrix a(CUDA_R_64F), b(CUDA_R_64F), c(CUDA_R_64F);
            BLAS(cublasZgeam(handle, op_a, op_b, M, N, &z_alpha, a.z(), LD, &z_beta, b.z(), LD,
                             c.z(), LD));
            std::vector<value> got = c.fetched();
            for (int column = 0; column < N; column++)
                for (int row = 0; row < M; row++)
                    EXPECT(near(got[column * LD + row], ALPHA * a.at(op_a, row, column) +
                                                            BETA * b.at(op_b, row, column)));
        }
}

// --- Symmetric, Hermitian and triangular matrices --------------------------------------------

static bool within(cublasFillMode_t fill, int row, int column)
{
    return fill == CUBLAS_FILL_MODE_UPPER ? row <= column : row >= column;
}

/* Element (row, column) of a matrix of which one triangle is stored. */
static value mirrored(const matrix &a, cublasFillMode_t fill, bool hermitian, int row, int column)
{
    value found = within(fill, row, column) ? a.at(row, column) : a.at(column, row);
    if (hermitian && row == column)
        return found.real();
    return hermitian && !within(fill, row, column) ? std::conj(found) : found;
}

static value triangle(const matrix &a, cublasFillMode_t fill, cublasOperation_t op, int i, int j)
{
    int row = op == CUBLAS_OP_N ? i : j, column = op == CUBLAS_OP_N ? j : i;
    value found = within(fill, row, column) ? a.at(row, column) : 0;
    return op == CUBLAS_OP_C ? std::conj(found) : found;
}

/* What rank-k updates add: alpha op(A) op(B)', the second factor conjugated if Hermitian. */
static value outer(const matrix &a, const matrix &b, bool turned, bool hermitian, int row,
                   int column)
{
    value sum = 0;
    cublasOperation_t op = !turned ? CUBLAS_OP_N : hermitian ? CUBLAS_OP_C : CUBLAS_OP_T;
    for (int k = 0; k < K; k++) {
        value second = b.at(op, column, k);
        sum += a.at(op, row, k) * (hermitian ? std::conj(second) : second);
    }
    return sum;
}

static void rank_k(cublasHandle_t handle, cublasFillMode_t fill, bool turned, bool hermitian,
                   bool two)
{
    matrix a(CUDA_R_64F), b(CUDA_R_64F), c(CUDA_R_64F);
    const double real_alpha = 0.75, real_beta = -0.5;
    cublasOperation_t op = !turned ? CUBLAS_OP_N : hermitian ? CUBLAS_OP_C : CUBLAS_OP_T;
    if (two && hermitian)
        BLAS(cublasZher2k(handle, fill, op, N, K, &z_alpha, a.z(), LD, b.z(), LD, &real_beta,
                          c.z(), LD));
    else if (two)
        BLAS(cublasZsyr2k(handle, fill, op, N, K, &z_alpha, a.z(), LD, b.z(), LD, &z_beta, c.z(),
                          LD));
    else if (hermitian)
        BLAS(cublasZherk(handle, fill, op, N, K, &real_alpha, a.z(), LD, &real_beta, c.z(), LD));
    else
        BLAS(cublasZsyrk(handle, fill, op, N, K, &z_alpha, a.z(), LD, &z_beta, c.z(), LD));
    value alpha = hermitian && !two ? real_alpha : ALPHA, beta = hermitian ? real_beta : BETA;
    std::vector<value> got = c.fetched();
    for (int column = 0; column < N; column++)
        for (int row = 0; row < N; row++) {
            value old = hermitian && row == column ? c.at(row, column).real() : c.at(row, column);
            value sum = alpha * outer(a, two ? b : a, turned, hermitian, row, column) + beta * old;
            if (two)
                sum += (hermitian ? std::conj(alpha) : alpha) *
                       outer(b, a, turned, hermitian, row, column);
            EXPECT(within(fill, row, column) ? near(got[column * LD + row], sum)
                                             : got[column * LD + row] == c.at(row, column));
        }
}

static void symmetric_products(cublasHandle_t handle, cublasFillMode_t fill, bool left,
                               bool hermitian)
{
    matrix a(CUDA_R_64F), b(CUDA_R_64F), c(CUDA_R_64F);
    cublasSideMode_t side = left ? CUBLAS_SIDE_LEFT : CUBLAS_SIDE_RIGHT;
    BLAS((hermitian ? cublasZhemm : cublasZsymm)(handle, side, fill, M, N, &z_alpha, a.z(), LD,
                                                 b.z(), LD, &z_beta, c.z(), LD));
    std::vector<value> got = c.fetched();
    for (int column = 0; column < N; column++)
        for (int row = 0; row < M; row++) {
            value sum = 0;
            for (int k = 0; k < (left ? M : N); k++)
                sum += left ? mirrored(a, fill, hermitian, row, k) * b.at(k, column)
                            : b.at(row, k) * mirrored(a, fill, hermitian, k, column);
            EXPECT(near(got[column * LD + row], ALPHA * sum + BETA * c.at(row, column)));
        }
}

static void hermitian_and_vectors(cublasHandle_t handle, cublasFillMode_t fill)
{
    matrix a(CUDA_R_64F), x(CUDA_R_64F), y(CUDA_R_64F);
    const double real_alpha = 0.75;
    BLAS(cublasZhemv(handle, fill, N, &z_alpha, a.z(), LD, x.z(), 2, &z_beta, y.z(), 3));
    std::vector<value> product = y.fetched();
    BLAS(cublasZher(handle, fill, N, &real_alpha, x.z(), 2, a.z(), LD));
    std::vector<value> first = a.fetched();
    BLAS(cublasZher2(handle, fill, N, &z_alpha, x.z(), 2, y.z(), 3, a.z(), LD));
    std::vector<value> second = a.fetched();
    for (int row = 0; row < N; row++) {
        value sum = 0;
        for (int k = 0; k < N; k++)
            sum += mirrored(a, fill, true, row, k) * x.at(2 * k);
        EXPECT(near(product[3 * row], ALPHA * sum + BETA * y.at(3 * row)));
        for (int column = 0; column < N; column++) {
            size_t at = column * LD + row;
            value old = row == column ? a.at(row, row).real() : a.at(row, column);
            value one = real_alpha * x.at(2 * row) * std::conj(x.at(2 * column));
            value two = ALPHA * x.at(2 * row) * std::conj(product[3 * column]) +
                        std::conj(ALPHA) * product[3 * row] * std::conj(x.at(2 * column));
            bool is_written = within(fill, row, column);
            EXPECT(near(first[at], is_written ? old + one : a.at(row, column)));
            EXPECT(near(second[at], is_written ? old + one + two : a.at(row, column)));
        }
    }
}

static void triangles(cublasHandle_t handle, cublasFillMode_t fill, cublasOperation_t op, bool left)
{
    matrix a(CUDA_R_64F), b(CUDA_R_64F), c(CUDA_R_64F), x(CUDA_R_64F);
    cublasSideMode_t side = left ? CUBLAS_SIDE_LEFT : CUBLAS_SIDE_RIGHT;
    cublasDiagType_t diagonal = CUBLAS_DIAG_NON_UNIT;
    const cuDoubleComplex one = {1, 0};
    for (int i = 0; i < LD; i++)
        a.parts.set(2 * (i * LD + i), 6);
    a.parts.send();
    BLAS(cublasZtrmm(handle, side, fill, op, diagonal, M, N, &z_alpha, a.z(), LD, b.z(), LD, c.z(),
                     LD));
    std::vector<value> got = c.fetched();
    BLAS(cublasZtrsm(handle, side, fill, op, diagonal, M, N, &one, a.z(), LD, c.z(), LD));
    std::vector<value> back = c.fetched();
    for (int column = 0; column < N; column++)
        for (int row = 0; row < M; row++) {
            value sum = 0;
            for (int k = 0; k < (left ? M : N); k++)
                sum += left ? triangle(a, fill, op, row, k) * b.at(k, column)
                            : b.at(row, k) * triangle(a, fill, op, k, column);
            EXPECT(near(got[column * LD + row], ALPHA * sum));
            EXPECT(near(back[column * LD + row], ALPHA * b.at(row, column)));
        }
    BLAS(cublasZtrmv(handle, fill, op, diagonal, N, a.z(), LD, x.z(), 2));
    std::vector<value> product = x.fetched();
    BLAS(cublasZtrsv(handle, fill, op, diagonal, N, a.z(), LD, x.z(), 2));
    std::vector<value> again = x.fetched();
    for (int row = 0; row < N; row++) {
        value sum = 0;
        for (int k = 0; k < N; k++)
            sum += triangle(a, fill, op, row, k) * x.at(2 * k);
        EXPECT(near(product[2 * row], sum) && near(again[2 * row], x.at(2 * row)));
    }
}

// --- Batches of factors ----------------------------------------------------------------------

/* A batch of one: N x N matrices with a leading dimension of LD. */
template <typename T> struct batch_of_one {
    T **place;
    explicit batch_of_one(void *matrix)
    {
        CHECK(cudaMalloc(&place, sizeof *place));
        CHECK(cudaMemcpy(place, &matrix, sizeof matrix, cudaMemcpyHostToDevice));
    }
    ~batch_of_one() { cudaFree(place); }
};

static void factors(cublasHandle_t handle, cublasOperation_t op)
{
    matrix a(CUDA_R_64F), b(CUDA_R_64F), c(CUDA_R_64F);
    batch_of_one<cuDoubleComplex> p_a(a.z()), p_b(b.z()), p_c(c.z());
    int *pivots, *info, h_info = 1, failed = 1;
    CHECK(cudaMalloc(&pivots, (N + 1) * sizeof *pivots));
    info = pivots + N;
    BLAS(cublasZgetrfBatched(handle, N, p_a.place, LD, pivots, info, 1));
    CHECK(cudaMemcpy(&failed, info, sizeof failed, cudaMemcpyDeviceToHost));
    BLAS(cublasZgetrsBatched(handle, op, N, K, p_a.place, LD, pivots, p_b.place, LD, &h_info, 1));
    BLAS(cublasZgetriBatched(handle, N, p_a.place, LD, pivots, p_c.place, LD, info, 1));
    EXPECT(failed == 0 && h_info == 0);
    std::vector<value> solution = b.fetched(), inverse = c.fetched();
    for (int column = 0; column < N; column++)
        for (int row = 0; row < N; row++) {
            value sum = 0, one = 0;
            for (int k = 0; k < N; k++) {
                sum += a.at(op, row, k) * solution[column * LD + k];
                one += a.at(row, k) * inverse[column * LD + k];
            }
            EXPECT(column >= K || near(sum, b.at(row, column), 1e-10));
            EXPECT(near(one, row == column, 1e-10));
        }
    CHECK(cudaFree(pivots));
}

static void inverse_in_single_precision(cublasHandle_t handle)
{
    matrix a(CUDA_R_32F), c(CUDA_R_32F);
    batch_of_one<cuComplex> p_a(a.c()), p_c(c.c());
    int *info;
    CHECK(cudaMalloc(&info, sizeof *info));
    BLAS(cublasCmatinvBatched(handle, N, p_a.place, LD, p_c.place, LD, info, 1));
    std::vector<value> inverse = c.fetched();
    for (int column = 0; column < N; column++)
        for (int row = 0; row < N; row++) {
            value one = 0;
            for (int k = 0; k < N; k++)
                one += a.at(row, k) * inverse[column * LD + k];
            EXPECT(near(one, row == column, 1e-4));
        }
    CHECK(cudaFree(info));
}

int main()
{
    cublasHandle_t handle;
    BLAS(cublasCreate(&handle));
    for (bool wide : {false, true})
        for (kind kind : {SIMPLE, THREE, EX})
            products(handle, kind, wide);
    batches(handle, false);
    batches(handle, true);
    factors_on_the_device(handle);
    vectors(handle);
    in_single_precision(handle);
    matrix_and_vectors(handle);
    sums(handle);
    for (cublasOperation_t op : OPS)
        factors(handle, op);
    inverse_in_single_precision(handle);
    for (cublasFillMode_t fill : FILLS) {
        for (bool hermitian : {false, true})
            for (bool two : {false, true}) {
                rank_k(handle, fill, two, hermitian, false);
                rank_k(handle, fill, two, hermitian, true);
                symmetric_products(handle, fill, two, hermitian);
            }
        hermitian_and_vectors(handle, fill);
        for (cublasOperation_t op : OPS)
            for (bool left : {false, true})
                triangles(handle, fill, op, left);
    }
    BLAS(cublasDestroy(handle));
    return 0;
}
