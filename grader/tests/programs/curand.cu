// curand.cu - cuRAND's host library: generators for the device give the numbers of generators for
// the host, in the order of their stream.
#include "program.h"

#include <cmath>
#include <curand.h>
#include <vector>

#define DRAWN(call) EXPECT((call) == CURAND_STATUS_SUCCESS)

enum { COUNT = 10000 };

__global__ void half(float *numbers, int count)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < count)
        numbers[i] *= 0.5f;
}

static void seed(curandGenerator_t generator, curandRngType_t type)
{
    if (type < CURAND_RNG_QUASI_DEFAULT)
        DRAWN(curandSetPseudoRandomGeneratorSeed(generator, 1234));
    else
        DRAWN(curandSetQuasiRandomGeneratorDimensions(generator, 2));
    DRAWN(curandSetGeneratorOffset(generator, 5));
}

static std::vector<float> back(const float *d_numbers)
{
    std::vector<float> numbers(COUNT);
    CHECK(cudaMemcpy(numbers.data(), d_numbers, COUNT * sizeof(float), cudaMemcpyDeviceToHost));
    return numbers;
}

static void same_as_on_the_host(curandRngType_t type, float *d_numbers)
{
    curandGenerator_t device, host;
    std::vector<float> numbers(COUNT);
    DRAWN(curandCreateGenerator(&device, type));
    DRAWN(curandCreateGeneratorHost(&host, type));
    seed(device, type);
    seed(host, type);
    for (int time = 0; time < 2; time++) { // the second draw goes on
        DRAWN(curandGenerateUniform(device, d_numbers, COUNT));
        DRAWN(curandGenerateUniform(host, numbers.data(), COUNT));
        EXPECT(back(d_numbers) == numbers);
    }
    DRAWN(curandGenerateNormal(device, d_numbers, COUNT, 3, 2));
    DRAWN(curandGenerateNormal(host, numbers.data(), COUNT, 3, 2));
    std::vector<float> from_device = back(d_numbers);
    for (int i = 0; i < COUNT; i++)
        EXPECT(fabsf(from_device[i] - numbers[i]) < 1e-4f);
    DRAWN(curandDestroyGenerator(device));
    DRAWN(curandDestroyGenerator(host));
}

// What a kernel before it wrote is overwritten, and a kernel after it reads what was drawn.
static void in_the_order_of_a_stream(float *d_numbers)
{
    curandGenerator_t generator;
    cudaStream_t stream;
    CHECK(cudaStreamCreate(&stream));
    DRAWN(curandCreateGenerator(&generator, CURAND_RNG_PSEUDO_DEFAULT));
    DRAWN(curandSetStream(generator, stream));
    half<<<(COUNT + 255) / 256, 256, 0, stream>>>(d_numbers, COUNT);
    DRAWN(curandGenerateUniform(generator, d_numbers, COUNT));
    half<<<(COUNT + 255) / 256, 256, 0, stream>>>(d_numbers, COUNT);
    CHECK(cudaStreamSynchronize(stream));
    double sum = 0;
    for (float number : back(d_numbers)) {
        EXPECT(number > 0 && number <= 0.5f);
        sum += number;
    }
    EXPECT(fabs(sum / COUNT - 0.25) < 0.01);
    DRAWN(curandDestroyGenerator(generator));
    CHECK(cudaStreamDestroy(stream));
}

static void other_numbers(void *d_numbers)
{
    curandGenerator_t generator;
    std::vector<unsigned> counts(COUNT);
    std::vector<double> numbers(COUNT);
    DRAWN(curandCreateGenerator(&generator, CURAND_RNG_PSEUDO_PHILOX4_32_10));
    DRAWN(curandGeneratePoisson(generator, (unsigned *)d_numbers, COUNT, 4));
    CHECK(cudaMemcpy(counts.data(), d_numbers, COUNT * 4, cudaMemcpyDeviceToHost));
    double mean = 0;
    for (unsigned count : counts)
        mean += (double)count / COUNT;
    EXPECT(fabs(mean - 4) < 0.1);
    DRAWN(curandGenerateUniformDouble(generator, (double *)d_numbers, COUNT));
    CHECK(cudaMemcpy(numbers.data(), d_numbers, COUNT * 8, cudaMemcpyDeviceToHost));
    for (double number : numbers)
        EXPECT(number > 0 && number <= 1);
    DRAWN(curandDestroyGenerator(generator));
    DRAWN(curandCreateGenerator(&generator, CURAND_RNG_PSEUDO_XORWOW)); // draws them in pairs
    EXPECT(curandGenerateNormal(generator, (float *)d_numbers, 3, 0, 1) ==
           CURAND_STATUS_LENGTH_NOT_MULTIPLE);
    DRAWN(curandDestroyGenerator(generator));
}

int main()
{
    void *d_numbers;
    int version;
    CHECK(cudaMalloc(&d_numbers, COUNT * sizeof(double)));
    CHECK(cudaMemset(d_numbers, 0, COUNT * sizeof(double)));
    DRAWN(curandGetVersion(&version));
    EXPECT(version >= 10000);
    same_as_on_the_host(CURAND_RNG_PSEUDO_XORWOW, (float *)d_numbers);
    same_as_on_the_host(CURAND_RNG_PSEUDO_PHILOX4_32_10, (float *)d_numbers);
    same_as_on_the_host(CURAND_RNG_PSEUDO_MRG32K3A, (float *)d_numbers);
    same_as_on_the_host(CURAND_RNG_QUASI_SOBOL32, (float *)d_numbers);
    in_the_order_of_a_stream((float *)d_numbers);
    other_numbers(d_numbers);
    CHECK(cudaFree(d_numbers));
    return 0;
}
