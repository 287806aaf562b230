// cufft.cu - cuFFT: transforms of one to three axes, complex and real, in place and not, packed and
// with a layout, held against the sum that defines them.
#include "program.h"

#include <cmath>
#include <complex>
#include <cufftXt.h>
#include <vector>

#define DONE(call) EXPECT((call) == CUFFT_SUCCESS)

typedef std::complex<float> complex;
typedef std::vector<complex> complexes;
typedef std::vector<float> floats;

template <typename T> static T *device(const std::vector<T> &values)
{
    T *d_values;
    CHECK(cudaMalloc(&d_values, values.size() * sizeof(T)));
    CHECK(cudaMemcpy(d_values, values.data(), values.size() * sizeof(T), cudaMemcpyHostToDevice));
    return d_values;
}

template <typename T> static std::vector<T> host(const T *d_values, size_t count)
{
    std::vector<T> values(count);
    CHECK(cudaMemcpy(values.data(), d_values, count * sizeof(T), cudaMemcpyDeviceToHost));
    return values;
}

static float number(int i)
{
    return (float)((i * 37 + 11) % 101) / 101 - 0.5f;
}

static complexes some(int count)
{
    complexes values;
    for (int i = 0; i < count; i++)
        values.push_back({number(i), number(3 * i + 1)});
    return values;
}

static floats some_real(int count)
{
    floats values;
    for (int i = 0; i < count; i++)
        values.push_back(number(i));
    return values;
}

// One element of a transform of x * y * z elements.
static complex element(const complex *in, int x, int y, int z, int i, int j, int k, int sign)
{
    std::complex<double> sum = 0;
    for (int a = 0; a < x; a++)
        for (int b = 0; b < y; b++)
            for (int c = 0; c < z; c++) {
                double turns = (double)i * a / x + (double)j * b / y + (double)k * c / z;
                sum += std::complex<double>(in[(a * y + b) * z + c]) *
                       std::polar(1.0, sign * 2 * M_PI * turns);
            }
    return complex(sum);
}

static complexes transform(const complexes &in, int x, int y, int z, int sign)
{
    complexes out;
    for (int first = 0; first < (int)in.size(); first += x * y * z)
        for (int i = 0; i < x * y * z; i++)
            out.push_back(
                element(&in[first], x, y, z, i / (y * z), i / z % y, i % z, sign));
    return out;
}

static bool near(complex a, complex b)
{
    return std::abs(a - b) < 1e-3f;
}

static bool near(const complexes &a, const complexes &b)
{
    for (size_t i = 0; i < a.size(); i++)
        if (!near(a[i], b[i]))
            return false;
    return a.size() == b.size();
}

static cufftComplex *as_cuda(complex *values)
{
    return reinterpret_cast<cufftComplex *>(values);
}

static void complex_transforms(cufftHandle plan, int x, int y, int z, int batches)
{
    const complexes in = some(x * y * z * batches);
    complex *d_in = device(in), *d_out = device(complexes(in.size()));
    DONE(cufftExecC2C(plan, as_cuda(d_in), as_cuda(d_out), CUFFT_FORWARD));
    EXPECT(near(host(d_out, in.size()), transform(in, x, y, z, -1)));
    DONE(cufftExecC2C(plan, as_cuda(d_in), as_cuda(d_in), CUFFT_INVERSE)); // in place
    EXPECT(near(host(d_in, in.size()), transform(in, x, y, z, 1)));
    DONE(cufftDestroy(plan));
}

// Half of the last axis comes out, and goes back to what it came from, times the elements' number.
static void real_transforms(int x, int y, bool in_place)
{
    const int half = y / 2 + 1, padded = in_place ? 2 * half : y;
    const floats in = some_real(x * y);
    floats rows(x * padded);
    complexes wide;
    cufftHandle there, back;
    for (int i = 0; i < x * y; i++) {
        rows[i / y * padded + i % y] = in[i];
        wide.push_back(in[i]);
    }
    float *d_real = device(rows);
    cufftComplex *d_half = (cufftComplex *)(in_place ? d_real : device(floats(2 * x * half)));
    DONE(cufftPlan2d(&there, x, y, CUFFT_R2C));
    DONE(cufftPlan2d(&back, x, y, CUFFT_C2R));
    DONE(cufftExecR2C(there, d_real, d_half));
    const complexes all = transform(wide, x, y, 1, -1), halves = host((complex *)d_half, x * half);
    for (int i = 0; i < x * half; i++)
        EXPECT(near(halves[i], all[i / half * y + i % half]));
    DONE(cufftExecC2R(back, d_half, d_real));
    const floats again = host(d_real, x * padded);
    for (int i = 0; i < x * y; i++)
        EXPECT(fabsf(again[i / y * padded + i % y] / (x * y) - in[i]) < 1e-4f);
}

// Two transforms of 6 elements, every third and every second, and what lies between stays.
static void with_a_layout()
{
    int size[] = {6}, in_embed[] = {6}, out_embed[] = {6};
    const complexes in = some(40);
    complexes dense;
    for (int batch = 0; batch < 2; batch++)
        for (int i = 0; i < 6; i++)
            dense.push_back(in[batch * 20 + i * 3]);
    const complexes expected = transform(dense, 6, 1, 1, -1);
    complex *d_in = device(in), *d_out = device(complexes(30, complex(7, 7)));
    cufftHandle plan;
    DONE(cufftPlanMany(&plan, 1, size, in_embed, 3, 20, out_embed, 2, 15, CUFFT_C2C, 2));
    DONE(cufftExecC2C(plan, as_cuda(d_in), as_cuda(d_out), CUFFT_FORWARD));
    const complexes out = host(d_out, 30);
    for (int i = 0; i < 12; i++)
        EXPECT(near(out[i / 6 * 15 + i % 6 * 2], expected[i]));
    EXPECT(out[1] == complex(7, 7) && out[13] == complex(7, 7));
}

static void by_names_of_types()
{
    long long size = 12;
    size_t work;
    cufftHandle plan;
    DONE(cufftCreate(&plan));
    DONE(cufftXtMakePlanMany(plan, 1, &size, NULL, 1, 1, CUDA_C_32F, NULL, 1, 1, CUDA_C_32F, 1,
                             &work, CUDA_C_32F));
    complex_transforms(plan, 12, 1, 1, 1);
}

static void double_precision()
{
    std::vector<std::complex<double>> in(1000);
    for (int i = 0; i < 1000; i++)
        in[i] = number(i);
    std::complex<double> *d_in = device(in);
    cufftDoubleComplex *values = reinterpret_cast<cufftDoubleComplex *>(d_in);
    cufftHandle plan;
    DONE(cufftPlan1d(&plan, 1000, CUFFT_Z2Z, 1));
    DONE(cufftExecZ2Z(plan, values, values, CUFFT_FORWARD));
    DONE(cufftExecZ2Z(plan, values, values, CUFFT_INVERSE));
    const auto again = host(d_in, 1000);
    for (int i = 0; i < 1000; i++)
        EXPECT(std::abs(again[i] / 1000.0 - in[i]) < 1e-12);
}

__global__ void twice(cufftComplex *values)
{
    values[threadIdx.x].x *= 2;
    values[threadIdx.x].y *= 2;
}

static void in_the_order_of_a_stream()
{
    const complexes in = some(16);
    complex *d_values = device(in);
    complexes expected = transform(in, 16, 1, 1, -1);
    cudaStream_t stream;
    cufftHandle plan;
    CHECK(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking));
    DONE(cufftPlan1d(&plan, 16, CUFFT_C2C, 1));
    DONE(cufftSetStream(plan, stream));
    twice<<<1, 16, 0, stream>>>(as_cuda(d_values));
    DONE(cufftExecC2C(plan, as_cuda(d_values), as_cuda(d_values), CUFFT_FORWARD));
    twice<<<1, 16, 0, stream>>>(as_cuda(d_values));
    CHECK(cudaStreamSynchronize(stream));
    for (complex &value : expected)
        value *= 4;
    EXPECT(near(host(d_values, 16), expected));
}

int main()
{
    cufftHandle plan;
    for (int size : {1, 2, 7, 16, 30, 97}) {
        DONE(cufftPlan1d(&plan, size, CUFFT_C2C, 3));
        complex_transforms(plan, size, 1, 1, 3);
    }
    DONE(cufftPlan2d(&plan, 6, 10, CUFFT_C2C));
    complex_transforms(plan, 6, 10, 1, 1);
    DONE(cufftPlan3d(&plan, 4, 3, 5, CUFFT_C2C));
    complex_transforms(plan, 4, 3, 5, 1);
    for (int in_place = 0; in_place < 2; in_place++) {
        real_transforms(5, 8, in_place);
        real_transforms(4, 7, in_place);
        real_transforms(1, 9, in_place);
    }
    with_a_layout();
    by_names_of_types();
    double_precision();
    in_the_order_of_a_stream();
    EXPECT(cufftExecC2C(9999, NULL, NULL, CUFFT_FORWARD) == CUFFT_INVALID_PLAN);
    return 0;
}
