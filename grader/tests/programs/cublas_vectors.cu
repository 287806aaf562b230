/* cublas_vectors.cu - a program that calls what cuBLAS has besides products, on floats and doubles,
 * and compares the results with plain loops in double. */
#include "cublas_program.h"

#include <algorithm>

static const int N = 1000;
static const cublasOperation_t N_T[] = {CUBLAS_OP_N, CUBLAS_OP_T};

/* The name for either type; handle and x (a struct numbers) tell which. */
#define EITHER(type_, name, ...)                                                                 \
    do {                                                                                         \
        if ((type_) == CUDA_R_64F) {                                                             \
            typedef double real;                                                                 \
            BLAS(cublasD##name(handle, __VA_ARGS__));                                            \
        } else {                                                                                 \
            typedef float real;                                                                  \
            BLAS(cublasS##name(handle, __VA_ARGS__));                                            \
        }                                                                                        \
    } while (0)
#define IN(from) ((real *)(from).device)
#define SCALAR(value) (scalar_of<real>(value))

template <class real> static const real *scalar_of(double value)
{
    static real kept[2];
    static int next;
    next = !next;
    kept[next] = (real)value;
    return &kept[next];
}

static bool near(double got, double want, double size, cudaDataType type)
{
    bool is_near = fabs(got - want) <= 8 * type_step(type) * size + 1e-300;
    if (!is_near)
        printf("%.9g, not %.9g\n", got, want);
    return is_near;
}

/* Where element i of a vector lies. */
static size_t place(int i, int n, int step)
{
    return step > 0 ? (size_t)i * step : (size_t)(i - n + 1) * step;
}

static int steps(int n, int step)
{
    return (n - 1) * abs(step) + 1;
}

/* --- Level 1 ---------------------------------------------------------------------------------- */

static void vectors(cublasHandle_t handle, cudaDataType type, int x_step, int y_step)
{
    const double alpha = 0.75;
    numbers x(type, steps(N, x_step)), y(type, steps(N, y_step));
    std::vector<double> old = y.fetched();
    EITHER(type, axpy, N, SCALAR(alpha), IN(x), x_step, IN(y), y_step);
    std::vector<double> got = y.fetched();
    for (int i = 0; i < N; i++) {
        double from = alpha * x.at(place(i, N, x_step)), to = old[place(i, N, y_step)];
        EXPECT(near(got[place(i, N, y_step)], from + to, fabs(from) + fabs(to), type));
        old[place(i, N, y_step)] = got[place(i, N, y_step)];
    }
    EXPECT(got == old); /* nothing between the elements is touched */
    EITHER(type, copy, N, IN(x), x_step, IN(y), y_step);
    got = y.fetched();
    for (int i = 0; i < N; i++)
        EXPECT(got[place(i, N, y_step)] == x.at(place(i, N, x_step)));
    y.send();
    EITHER(type, swap, N, IN(x), x_step, IN(y), y_step);
    got = x.fetched();
    for (int i = 0; i < N; i++)
        EXPECT(got[place(i, N, x_step)] == y.at(place(i, N, y_step)));
    x.send();
    y.send();
    const double c = 0.6, s = 0.8;
    EITHER(type, rot, N, IN(x), x_step, IN(y), y_step, SCALAR(c), SCALAR(s));
    got = y.fetched();
    for (int i = 0; i < N; i++) {
        double from = s * x.at(place(i, N, x_step)), to = c * y.at(place(i, N, y_step));
        EXPECT(near(got[place(i, N, y_step)], to - from, fabs(from) + fabs(to), type));
    }
}

static void scaled(cublasHandle_t handle, cudaDataType type)
{
    numbers x(type, steps(N, 3));
    std::vector<double> want = x.fetched();
    EITHER(type, scal, N, SCALAR(-2), IN(x), 3);
    for (int i = 0; i < N; i++)
        want[3 * i] *= -2;
    EXPECT(x.fetched() == want);
    EITHER(type, scal, 0, SCALAR(5), IN(x), 3);
    EXPECT(x.fetched() == want);
}

/* The result goes to the host, or where it is on the device. */
#define RESULT(type_, name, result, ...)                                                         \
    do {                                                                                         \
        if ((type_) == CUDA_R_64F) {                                                             \
            typedef double real;                                                                 \
            real host = -1;                                                                      \
            BLAS(cublasD##name(handle, __VA_ARGS__, &host));                                     \
            (result) = host;                                                                     \
        } else {                                                                                 \
            typedef float real;                                                                  \
            real host = -1;                                                                      \
            BLAS(cublasS##name(handle, __VA_ARGS__, &host));                                     \
            (result) = host;                                                                     \
        }                                                                                        \
    } while (0)

static void sums(cublasHandle_t handle, cudaDataType type)
{
    numbers x(type, steps(N, 2)), y(type, N);
    long double dot = 0, dot_size = 0, squares = 0, absolute = 0;
    double got;
    for (int i = 0; i < N; i++) {
        long double a = x.at(2 * i), product = a * y.at(N - 1 - i);
        dot += product;
        dot_size += fabsl(product);
        squares += a * a;
        absolute += fabsl(a);
    }
    RESULT(type, dot, got, N, IN(x), 2, IN(y), -1);
    EXPECT(near(got, dot, dot_size, type));
    RESULT(type, nrm2, got, N, IN(x), 2);
    EXPECT(near(got, sqrtl(squares), sqrtl(squares), type));
    RESULT(type, asum, got, N, IN(x), 2);
    EXPECT(near(got, absolute, absolute, type));
    RESULT(type, dot, got, 0, IN(x), 2, IN(y), 1);
    EXPECT(got == 0);
    RESULT(type, nrm2, got, 0, IN(x), 1);
    EXPECT(got == 0);
}

static void extremes(cublasHandle_t handle)
{
    numbers x(CUDA_R_32F, N), d(CUDA_R_64F, N);
    int place = 0;
    int64_t wide = 0;
    x.set(700, -3), x.set(800, 3), x.set(123, 1e-9), x.set(124, -1e-9);
    d.set(17, 9), d.set(18, 1e-200);
    x.send();
    d.send();
    BLAS(cublasIsamax(handle, N, x.floats(), 1, &place));
    EXPECT(place == 701); /* the first of equal ones, counted from 1 */
    BLAS(cublasIsamin(handle, N, x.floats(), 1, &place));
    EXPECT(place == 124);
    BLAS(cublasIdamax(handle, N, d.doubles(), 1, &place));
    EXPECT(place == 18);
    BLAS(cublasIdamin_64(handle, N, d.doubles(), 1, &wide));
    EXPECT(wide == 19);
    BLAS(cublasIsamax(handle, 0, x.floats(), 1, &place));
    EXPECT(place == 0);
}

static void results_on_the_device(cublasHandle_t handle)
{
    numbers x(CUDA_R_32F, N), y(CUDA_R_32F, N), result(CUDA_R_32F, 1);
    double dot = 0, size = 0;
    for (int i = 0; i < N; i++) {
        dot += x.at(i) * y.at(i);
        size += fabs(x.at(i) * y.at(i));
    }
    BLAS(cublasSetPointerMode(handle, CUBLAS_POINTER_MODE_DEVICE));
    BLAS(cublasSdot(handle, N, x.floats(), 1, y.floats(), 1, result.floats()));
    double got = result.fetched()[0];
    EXPECT(near(got, dot, size, CUDA_R_32F));
    BLAS(cublasSaxpy(handle, N, result.floats(), x.floats(), 1, y.floats(), 1));
    BLAS(cublasSetPointerMode(handle, CUBLAS_POINTER_MODE_HOST));
    std::vector<double> after = y.fetched();
    for (int i = 0; i < N; i++)
        EXPECT(near(after[i], got * x.at(i) + y.at(i), fabs(got) + 1, CUDA_R_32F));
}

/* --- A matrix and vectors --------------------------------------------------------------------- */

static void matrix_times_vector(cublasHandle_t handle, cudaDataType type, cublasOperation_t op,
                                int x_step, int y_step, double beta)
{
    const int m = 37, n = 61, lda = 40;
    const int x_count = op == CUBLAS_OP_N ? n : m, y_count = op == CUBLAS_OP_N ? m : n;
    const double alpha = -1.5;
    numbers a(type, lda * n), x(type, steps(x_count, x_step)), y(type, steps(y_count, y_step));
    if (beta == 0)
        y.fill(NAN); /* it must not be read */
    EITHER(type, gemv, op, m, n, SCALAR(alpha), IN(a), lda, IN(x), x_step, SCALAR(beta), IN(y),
           y_step);
    std::vector<double> got = y.fetched();
    for (int i = 0; i < y_count; i++) {
        double sum = 0, size = 0, old = beta == 0 ? 0 : beta * y.at(place(i, y_count, y_step));
        for (int j = 0; j < x_count; j++) {
            double product = a.at(op == CUBLAS_OP_N ? j * lda + i : i * lda + j) *
                             x.at(place(j, x_count, x_step));
            sum += product;
            size += fabs(product);
        }
        EXPECT(near(got[place(i, y_count, y_step)], alpha * sum + old,
                    fabs(alpha) * size + fabs(old), type));
    }
}

static void rank_one(cublasHandle_t handle, cudaDataType type)
{
    const int m = 19, n = 23, lda = 20;
    const double alpha = 2;
    numbers a(type, lda * n), x(type, m), y(type, steps(n, 2));
    EITHER(type, ger, m, n, SCALAR(alpha), IN(x), 1, IN(y), 2, IN(a), lda);
    std::vector<double> got = a.fetched();
    for (int j = 0; j < n; j++)
        for (int i = 0; i < lda; i++) {
            double old = a.at(j * lda + i), more = i < m ? alpha * x.at(i) * y.at(2 * j) : 0;
            EXPECT(near(got[j * lda + i], old + more, fabs(old) + fabs(more), type));
        }
}

/* --- Matrices --------------------------------------------------------------------------------- */

static void sum_of_matrices(cublasHandle_t handle, cudaDataType type, cublasOperation_t op_a,
                            cublasOperation_t op_b)
{
    const int m = 33, n = 18, ld = 35;
    const double alpha = 2, beta = -3;
    numbers a(type, ld * 33), b(type, ld * 33), c(type, ld * n);
    EITHER(type, geam, op_a, op_b, m, n, SCALAR(alpha), IN(a), ld, SCALAR(beta), IN(b), ld, IN(c),
           ld);
    std::vector<double> got = c.fetched();
    for (int j = 0; j < n; j++)
        for (int i = 0; i < m; i++) {
            double left = alpha * a.at(op_a == CUBLAS_OP_N ? j * ld + i : i * ld + j);
            double right = beta * b.at(op_b == CUBLAS_OP_N ? j * ld + i : i * ld + j);
            EXPECT(near(got[j * ld + i], left + right, fabs(left) + fabs(right), type));
        }
}

/* What solves a triangular system, put back into it, gives the right side. */
static void triangles(cublasHandle_t handle, cublasSideMode_t side, cublasFillMode_t fill,
                      cublasOperation_t op, cublasDiagType_t diagonal)
{
    const int m = 14, n = 9, count = side == CUBLAS_SIDE_LEFT ? m : n;
    const double alpha = 2;
    cudaDataType type = CUDA_R_64F;
    numbers a(type, count * count), b(type, m * n);
    for (int i = 0; i < count; i++)
        a.set(i * count + i, 4 + a.at(i * count + i));
    a.send();
    EITHER(type, trsm, side, fill, op, diagonal, m, n, SCALAR(alpha), IN(a), count, IN(b), m);
    std::vector<double> x = b.fetched();
    /* element (i, j) of op(A) */
    auto triangle = [&](int i, int j) {
        if (op != CUBLAS_OP_N)
            std::swap(i, j);
        bool kept = fill == CUBLAS_FILL_MODE_UPPER ? i < j : i > j;
        return i == j ? (diagonal == CUBLAS_DIAG_UNIT ? 1 : a.at(j * count + i))
                      : kept ? a.at(j * count + i) : 0;
    };
    for (int j = 0; j < n; j++)
        for (int i = 0; i < m; i++) {
            double sum = 0, size = 0;
            for (int k = 0; k < count; k++) {
                double product = side == CUBLAS_SIDE_LEFT ? triangle(i, k) * x[j * m + k]
                                                          : x[k * m + i] * triangle(k, j);
                sum += product;
                size += fabs(product);
            }
            EXPECT(near(sum, alpha * b.at(j * m + i), 4 * size, type));
        }
}

static void diagonal_times_matrix(cublasHandle_t handle, cublasSideMode_t side)
{
    const int m = 12, n = 21, ld = 13;
    numbers a(CUDA_R_32F, ld * n), x(CUDA_R_32F, 21), c(CUDA_R_32F, ld * n);
    BLAS(cublasSdgmm(handle, side, m, n, a.floats(), ld, x.floats(), 1, c.floats(), ld));
    std::vector<double> got = c.fetched();
    for (int j = 0; j < n; j++)
        for (int i = 0; i < m; i++) {
            double want = a.at(j * ld + i) * x.at(side == CUBLAS_SIDE_LEFT ? i : j);
            EXPECT(near(got[j * ld + i], want, fabs(want), CUDA_R_32F));
        }
}

/* --- The rest --------------------------------------------------------------------------------- */

static void transfers()
{
    numbers x(CUDA_R_32F, 3 * N);
    std::vector<float> host(2 * N), back(2 * N, 0);
    for (float &value : host)
        value = (float)uniform();
    BLAS(cublasSetVector(N, sizeof(float), host.data(), 2, x.device, 3));
    BLAS(cublasGetVector(N, sizeof(float), x.device, 3, back.data(), 2));
    for (int i = 0; i < N; i++)
        EXPECT(back[2 * i] == host[2 * i] && back[2 * i + 1] == 0);
    BLAS(cublasSetMatrix(30, 40, sizeof(float), host.data(), 50, x.device, 64));
    BLAS(cublasGetMatrix(30, 40, sizeof(float), x.device, 64, back.data(), 50));
    EXPECT(back[39 * 50 + 29] == host[39 * 50 + 29]);
    GIVES(CUBLAS_STATUS_MAPPING_ERROR, /* the copy is refused: its rows overlap */
          cublasSetMatrix(30, 40, sizeof(float), host.data(), 29, x.device, 64));
    GIVES(CUBLAS_STATUS_INVALID_VALUE, cublasSetVector(N, 0, host.data(), 1, x.device, 1));
}

static void invalid_values(cublasHandle_t handle)
{
    numbers a(CUDA_R_32F, 64), x(CUDA_R_32F, 8);
    const float one = 1;
    GIVES(CUBLAS_STATUS_INVALID_VALUE,
          cublasSgemv(handle, CUBLAS_OP_N, 8, 8, &one, a.floats(), 7, x.floats(), 1, &one,
                      x.floats(), 1));
    GIVES(CUBLAS_STATUS_INVALID_VALUE,
          cublasSger(handle, -1, 8, &one, x.floats(), 1, x.floats(), 1, a.floats(), 8));
    GIVES(CUBLAS_STATUS_INVALID_VALUE,
          cublasSgeam(handle, CUBLAS_OP_T, CUBLAS_OP_N, 8, 8, &one, a.floats(), 8, &one,
                      a.floats(), 8, a.floats(), 8)); /* in place, and transposed */
    GIVES(CUBLAS_STATUS_NOT_INITIALIZED,
          cublasSaxpy(NULL, 8, &one, x.floats(), 1, x.floats(), 1));
}

/* A rotation that is set up turns its two numbers into r and 0; each form of a modified one. */
static void rotations(cublasHandle_t handle)
{
    for (double b : {0.5, -4.0, 0.0}) {
        double r = -2, told = b, c, s;
        BLAS(cublasDrotg(handle, &r, &told, &c, &s));
        EXPECT(fabs(c * -2 + s * b - r) < 1e-14 && fabs(c * b - s * -2) < 1e-14);
        EXPECT(fabs(c * c + s * s - 1) < 1e-14);
    }
    cuDoubleComplex r = {1, -2}, b = {0.5, 3}, s;
    double c;
    BLAS(cublasZrotg(handle, &r, &b, &c, &s));
    EXPECT(fabs(c * 1 + s.x * 0.5 - s.y * 3 - r.x) < 1e-14); // c a + s b = r
    EXPECT(fabs(c * -2 + s.x * 3 + s.y * 0.5 - r.y) < 1e-14);
    EXPECT(fabs(c * 0.5 - (s.x * 1 + s.y * -2)) < 1e-14); // c b - conj(s) a = 0
    EXPECT(fabs(c * 3 - (s.x * -2 - s.y * 1)) < 1e-14);
    const float h[][4] = {{2, 3, 5, 7}, {1, 3, 5, 1}, {2, 1, -1, 7}, {1, 0, 0, 1}};
    for (int form = 0; form < 4; form++) { // flags -1, 0, 1 and -2; elements by columns
        const float parameters[] = {form == 3 ? -2.0f : (float)(form - 1), 2, 5, 3, 7};
        numbers x(CUDA_R_32F, 20), y(CUDA_R_32F, 20);
        BLAS(cublasSrotm(handle, 10, x.floats(), 2, y.floats(), -1, parameters));
        std::vector<double> got_x = x.fetched(), got_y = y.fetched();
        for (int i = 0; i < 10; i++) {
            double from = x.at(2 * i), to = y.at(9 - i);
            EXPECT(fabs(got_x[2 * i] - (h[form][0] * from + h[form][1] * to)) < 1e-6 * 10);
            EXPECT(fabs(got_y[9 - i] - (h[form][2] * from + h[form][3] * to)) < 1e-6 * 10);
        }
    }
    float *numbers_there, h_numbers[4] = {3, 4};
    CHECK(cudaMalloc(&numbers_there, sizeof h_numbers));
    CHECK(cudaMemcpy(numbers_there, h_numbers, sizeof h_numbers, cudaMemcpyHostToDevice));
    BLAS(cublasSetPointerMode(handle, CUBLAS_POINTER_MODE_DEVICE));
    BLAS(cublasSrotg(handle, numbers_there, numbers_there + 1, numbers_there + 2,
                     numbers_there + 3));
    BLAS(cublasSetPointerMode(handle, CUBLAS_POINTER_MODE_HOST));
    CHECK(cudaMemcpy(h_numbers, numbers_there, sizeof h_numbers, cudaMemcpyDeviceToHost));
    EXPECT(fabs(h_numbers[0] - 5) < 1e-6 && fabs(h_numbers[2] - 0.6) < 1e-6);
    CHECK(cudaFree(numbers_there));
}

int main()
{
    cublasHandle_t handle;
    BLAS(cublasCreate(&handle));
    rotations(handle);
    for (cudaDataType type : {CUDA_R_32F, CUDA_R_64F}) {
        for (int x_step : {1, 2, -3})
            for (int y_step : {1, -1, 4})
                vectors(handle, type, x_step, y_step);
        scaled(handle, type);
        sums(handle, type);
        for (cublasOperation_t op : N_T)
            for (double beta : {0.0, 0.5})
                for (int step : {1, -2})
                    matrix_times_vector(handle, type, op, step, 3, beta);
        rank_one(handle, type);
        for (cublasOperation_t op_a : N_T)
            for (cublasOperation_t op_b : N_T)
                sum_of_matrices(handle, type, op_a, op_b);
    }
    extremes(handle);
    results_on_the_device(handle);
    for (cublasSideMode_t side : {CUBLAS_SIDE_LEFT, CUBLAS_SIDE_RIGHT}) {
        diagonal_times_matrix(handle, side);
        for (cublasFillMode_t fill : {CUBLAS_FILL_MODE_LOWER, CUBLAS_FILL_MODE_UPPER})
            for (cublasOperation_t op : N_T)
                for (cublasDiagType_t diagonal : {CUBLAS_DIAG_NON_UNIT, CUBLAS_DIAG_UNIT})
                    triangles(handle, side, fill, op, diagonal);
    }
    transfers();
    invalid_values(handle);
    BLAS(cublasDestroy(handle));
    printf("ok\n");
    return 0;
}
