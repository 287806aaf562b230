// mathematics.cu - CUDA's own functions err no more than the CUDA C++ Programming Guide says (5.5,
// floating-point computation: single- and double-precision functions, maximum ulp error).
//
// nvcc builds them on approximate instructions: expf on ex2.approx, tanhf on rcp.approx, fmodf on
// div.approx. So this holds a device's approximate instructions to what CUDA needs of them.
//
//     mathematics [POWER [NAME]]    2^POWER operands a function (default: 15), or of this one alone
#include "program.h"

#include <cfloat>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <vector>

template <typename T>
struct function {
    const char *name;
    void (*kernel)(const T *x, const T *y, T *result, int n);
    long double (*truth)(long double x, long double y);
    double x_low, x_high, y_low, y_high;
    double most_ulps; // from the rounded true result
};

// --- Truth ---------------------------------------------------------------------------------------

typedef long double wide;

static const wide PI = 3.14159265358979323846264338327950288L;

static wide erfcx_wide(wide x)
{
    return expl(x * x) * erfcl(x);
}

static wide normcdf_wide(wide x)
{
    return erfcl(-x / sqrtl(2)) / 2;
}

static wide i0_wide(wide x)
{
    return std::cyl_bessel_il(0, x < 0 ? -x : x);
}

// The x of [low, high] at which a rising function has the value.
static wide inverse(wide (*rising)(wide), wide value, wide low, wide high)
{
    for (int i = 0; i < 80; i++) {
        wide middle = (low + high) / 2;
        (rising(middle) < value ? low : high) = middle;
    }
    return (low + high) / 2;
}

static wide minus_erfc(wide x)
{
    return -erfcl(x);
}

// --- The functions -------------------------------------------------------------------------------

#define KERNEL(T, name, call)                                                                    \
    static __global__ void name##_##T(const T *xs, const T *ys, T *result, int n)                \
    {                                                                                            \
        int i = blockIdx.x * blockDim.x + threadIdx.x;                                           \
        if (i >= n)                                                                              \
            return;                                                                              \
        [[maybe_unused]] T x = xs[i], y = ys[i];                                                 \
        result[i] = call;                                                                        \
    }

// FUNCTION(call on x and y, truth, range of x, range of y, ulps)
#define FLOATS(FUNCTION)                                                                         \
    FUNCTION(rsqrtf, rsqrtf(x), 1 / sqrtl(x), 1e-44, 3e38, 0, 0, 2)                              \
    FUNCTION(sqrtf, sqrtf(x), sqrtl(x), 1e-44, 3e38, 0, 0, 0)                                    \
    FUNCTION(quotient, x / y, x / y, -1e30, 1e30, 1e-30, 1e30, 0)                                \
    FUNCTION(reciprocal, 1 / x, 1 / x, 1e-44, 3e38, 0, 0, 0)                                     \
    FUNCTION(frsqrt_rn, __frsqrt_rn(x), 1 / sqrtl(x), 1e-44, 3e38, 0, 0, 0)                      \
    FUNCTION(fmodf, fmodf(x, y), fmodl(x, y), -1e30, 1e30, 1e-30, 1e30, 0)                       \
    FUNCTION(remainderf, remainderf(x, y), remainderl(x, y), -1e9, 1e9, 1e-9, 1e9, 0)            \
    FUNCTION(cbrtf, cbrtf(x), cbrtl(x), -3e38, 3e38, 0, 0, 1)                                    \
    FUNCTION(rcbrtf, rcbrtf(x), 1 / cbrtl(x), 1e-44, 3e38, 0, 0, 1)                              \
    FUNCTION(hypotf, hypotf(x, y), hypotl(x, y), 1e-37, 1e38, 1e-37, 1e38, 3)                    \
    FUNCTION(rhypotf, rhypotf(x, y), 1 / hypotl(x, y), 1e-37, 1e38, 1e-37, 1e38, 2)              \
    FUNCTION(expf, expf(x), expl(x), -104, 89, 0, 0, 2)                                          \
    FUNCTION(exp2f, exp2f(x), exp2l(x), -150, 128, 0, 0, 2)                                      \
    FUNCTION(exp10f, exp10f(x), powl(10, x), -45, 38.5, 0, 0, 2)                                 \
    FUNCTION(expm1f, expm1f(x), expm1l(x), -20, 89, 0, 0, 1)                                     \
    FUNCTION(logf, logf(x), logl(x), 1e-44, 3e38, 0, 0, 1)                                       \
    FUNCTION(log2f, log2f(x), log2l(x), 1e-44, 3e38, 0, 0, 1)                                    \
    FUNCTION(log10f, log10f(x), log10l(x), 1e-44, 3e38, 0, 0, 2)                                 \
    FUNCTION(log1pf, log1pf(x), log1pl(x), -0.999, 3e38, 0, 0, 1)                                \
    FUNCTION(sinf, sinf(x), sinl(x), -1e6, 1e6, 0, 0, 2)                                         \
    FUNCTION(cosf, cosf(x), cosl(x), -1e6, 1e6, 0, 0, 2)                                         \
    FUNCTION(tanf, tanf(x), tanl(x), -1e6, 1e6, 0, 0, 4)                                         \
    FUNCTION(sinpif, sinpif(x), sinl(PI * x), -0.5, 0.5, 0, 0, 1)                                \
    FUNCTION(asinf, asinf(x), asinl(x), -1, 1, 0, 0, 2)                                          \
    FUNCTION(acosf, acosf(x), acosl(x), -1, 1, 0, 0, 2)                                          \
    FUNCTION(atanf, atanf(x), atanl(x), -3e38, 3e38, 0, 0, 2)                                    \
    FUNCTION(atan2f, atan2f(x, y), atan2l(x, y), -1e18, 1e18, -1e18, 1e18, 3)                    \
    FUNCTION(sinhf, sinhf(x), sinhl(x), -89, 89, 0, 0, 3)                                        \
    FUNCTION(coshf, coshf(x), coshl(x), -89, 89, 0, 0, 2)                                        \
    FUNCTION(tanhf, tanhf(x), tanhl(x), -20, 20, 0, 0, 2)                                        \
    FUNCTION(asinhf, asinhf(x), asinhl(x), -3e38, 3e38, 0, 0, 3)                                 \
    FUNCTION(acoshf, acoshf(x), acoshl(x), 1, 3e38, 0, 0, 4)                                     \
    FUNCTION(atanhf, atanhf(x), atanhl(x), -1, 1, 0, 0, 3)                                       \
    FUNCTION(powf, powf(x, y), powl(x, y), 1e-6, 1e6, -6, 6, 4)                                  \
    FUNCTION(erff, erff(x), erfl(x), -5, 5, 0, 0, 2)                                             \
    FUNCTION(erfcf, erfcf(x), erfcl(x), -5, 10.5, 0, 0, 4)                                       \
    FUNCTION(erfcxf, erfcxf(x), erfcx_wide(x), -9, 50, 0, 0, 4)                                  \
    FUNCTION(erfinvf, erfinvf(x), inverse(erfl, x, -8, 8), -1, 1, 0, 0, 2)                       \
    FUNCTION(erfcinvf, erfcinvf(x), inverse(minus_erfc, -x, -8, 15), 1e-37, 2, 0, 0, 4)          \
    FUNCTION(normcdff, normcdff(x), normcdf_wide(x), -14, 6, 0, 0, 5)                            \
    FUNCTION(normcdfinvf, normcdfinvf(x), inverse(normcdf_wide, x, -20, 9), 1e-37, 1, 0, 0, 5)   \
    FUNCTION(lgammaf, lgammaf(x), lgammal(x), 1e-6, 1e30, 0, 0, 6)                               \
    FUNCTION(tgammaf, tgammaf(x), tgammal(x), -30, 35, 0, 0, 5)                                  \
    FUNCTION(cyl_bessel_i0f, cyl_bessel_i0f(x), i0_wide(x), 0, 80, 0, 0, 6)

#define DOUBLES(FUNCTION)                                                                        \
    FUNCTION(rsqrt, rsqrt(x), 1 / sqrtl(x), 1e-307, 1e308, 0, 0, 1)                              \
    FUNCTION(quotient, x / y, (double)x / (double)y, -1e150, 1e150, 1e-150, 1e150, 0)            \
    FUNCTION(cbrt, cbrt(x), cbrtl(x), -1e308, 1e308, 0, 0, 1)                                    \
    FUNCTION(exp, exp(x), expl(x), -745, 709, 0, 0, 1)                                           \
    FUNCTION(log, log(x), logl(x), 1e-307, 1e308, 0, 0, 1)                                       \
    FUNCTION(log1p, log1p(x), log1pl(x), -0.999, 1e308, 0, 0, 1)                                 \
    FUNCTION(sin, sin(x), sinl(x), -1e5, 1e5, 0, 0, 2)                                           \
    FUNCTION(tan, tan(x), tanl(x), -1e5, 1e5, 0, 0, 2)                                           \
    FUNCTION(asin, asin(x), asinl(x), -1, 1, 0, 0, 2)                                            \
    FUNCTION(acos, acos(x), acosl(x), -1, 1, 0, 0, 2)                                            \
    FUNCTION(atan, atan(x), atanl(x), -1e300, 1e300, 0, 0, 2)                                    \
    FUNCTION(cosh, cosh(x), coshl(x), -700, 700, 0, 0, 1)                                        \
    FUNCTION(tanh, tanh(x), tanhl(x), -20, 20, 0, 0, 1)                                          \
    FUNCTION(pow, pow(x, y), powl(x, y), 1e-6, 1e6, -20, 20, 2)                                  \
    FUNCTION(erf, erf(x), erfl(x), -6, 6, 0, 0, 2)                                               \
    FUNCTION(erfc, erfc(x), erfcl(x), -6, 26, 0, 0, 5)                                           \
    FUNCTION(hypot, hypot(x, y), hypotl(x, y), 1e-150, 1e150, 1e-150, 1e150, 2)

#define FLOAT_KERNEL(name, call, truth, ...) KERNEL(float, name, call)
#define DOUBLE_KERNEL(name, call, truth, ...) KERNEL(double, name, call)
FLOATS(FLOAT_KERNEL)
DOUBLES(DOUBLE_KERNEL)

#define ROW(T, name, truth, ...)                                                                 \
    {#name, name##_##T, [](wide x, [[maybe_unused]] wide y) -> wide { return truth; }, __VA_ARGS__},
#define FLOAT_ROW(name, call, truth, ...) ROW(float, name, truth, __VA_ARGS__)
#define DOUBLE_ROW(name, call, truth, ...) ROW(double, name, truth, __VA_ARGS__)
static const function<float> FLOAT_FUNCTIONS[] = {FLOATS(FLOAT_ROW)};
static const function<double> DOUBLE_FUNCTIONS[] = {DOUBLES(DOUBLE_ROW)};

// --- Comparison ----------------------------------------------------------------------------------

static uint64_t random_state = 1;

static double uniform() // of [0, 1)
{
    random_state = random_state * 6364136223846793005u + 1442695040888963407u;
    return (double)(random_state >> 11) * 0x1p-53;
}

// From low to high: every other one evenly, the others evenly in their logarithm.
template <typename T>
static T operand(double low, double high, int i)
{
    double size = fmax(fabs(low), fabs(high)), least = low > 0 ? low : size * 1e-12;
    double value = low + (high - low) * uniform();
    if (i % 2 && size > 0)
        value = least * pow(size / least, uniform()) * (low >= 0 || uniform() < 0.5 ? 1 : -1);
    return (T)fmin(fmax(value, low), high);
}

// Places of a number in the order of all numbers: neighbours differ by 1.
static int64_t place(float value)
{
    int32_t bits;
    memcpy(&bits, &value, sizeof bits);
    return bits < 0 ? -(int64_t)(bits & INT32_MAX) : bits;
}

static int64_t place(double value)
{
    int64_t bits;
    memcpy(&bits, &value, sizeof bits);
    return bits < 0 ? -(bits & INT64_MAX) : bits;
}

template <typename T>
static double ulps_between(T got, T want)
{
    if (got != got || want != want)
        return (got != got) == (want != want) ? 0 : INFINITY;
    return fabs((double)(place(got) - place(want)));
}

template <typename T>
static bool holds(const function<T> &tested, int count)
{
    std::vector<T> x(count), y(count), got(count);
    T *d_x, *d_y, *d_result;
    size_t bytes = count * sizeof(T);
    double worst = 0;
    int at = 0;
    for (int i = 0; i < count; i++) {
        x[i] = operand<T>(tested.x_low, tested.x_high, i);
        y[i] = operand<T>(tested.y_low, tested.y_high, i / 2);
    }
    CHECK(cudaMalloc(&d_x, bytes));
    CHECK(cudaMalloc(&d_y, bytes));
    CHECK(cudaMalloc(&d_result, bytes));
    CHECK(cudaMemcpy(d_x, x.data(), bytes, cudaMemcpyHostToDevice));
    CHECK(cudaMemcpy(d_y, y.data(), bytes, cudaMemcpyHostToDevice));
    tested.kernel<<<(count + 255) / 256, 256>>>(d_x, d_y, d_result, count);
    CHECK(cudaGetLastError());
    CHECK(cudaMemcpy(got.data(), d_result, bytes, cudaMemcpyDeviceToHost));
    for (int i = 0; i < count; i++) {
        double ulps = ulps_between(got[i], (T)tested.truth(x[i], y[i]));
        if (ulps > worst) {
            worst = ulps;
            at = i;
        }
    }
    CHECK(cudaFree(d_x));
    CHECK(cudaFree(d_y));
    CHECK(cudaFree(d_result));
    printf("%s%-16s %2g ulp of %g at %.9g, %.9g: %.9g\n", sizeof(T) == 8 ? "double " : "",
           tested.name, worst, tested.most_ulps, (double)x[at], (double)y[at], (double)got[at]);
    return worst <= tested.most_ulps;
}

int main(int argc, char **argv)
{
    int count = 1 << (argc > 1 ? atoi(argv[1]) : 15);
    const char *name = argc > 2 ? argv[2] : NULL;
    bool all = true;
    for (const function<float> &tested : FLOAT_FUNCTIONS)
        all = (name && strcmp(name, tested.name) ? true : holds(tested, count)) && all;
    for (const function<double> &tested : DOUBLE_FUNCTIONS)
        all = (name && strcmp(name, tested.name) ? true : holds(tested, count)) && all;
    EXPECT(all);
}
