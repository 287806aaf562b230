/* data.cu - what the bank's rows read: random numbers, always the same, zero-mean.
 *
 * Zeros would not do: a device runs faster and cooler on them. The host makes a block of numbers
 * and copies it over; the device repeats it until a buffer is full, so that filling half a
 * gigabyte costs a few copies.
 */
#include "bank.h"

#include <cstdint>
#include <vector>

enum { BLOCK_ELEMENTS = 4 * MI, GROUP = 1024 };

/* SplitMix64 (Steele, Lea and Flood, 2014). */
static uint64_t next_random(uint64_t *state)
{
    uint64_t z = *state += UINT64_C(0x9E3779B97F4A7C15);
    z = (z ^ z >> 30) * UINT64_C(0xBF58476D1CE4E5B9);
    z = (z ^ z >> 27) * UINT64_C(0x94D049BB133111EB);
    return z ^ z >> 31;
}

/* In [least, most). */
static float next_float(uint64_t *state, float least, float most)
{
    return least + (most - least) * (float)(next_random(state) >> 40) * 0x1p-24f;
}

/* A permutation of the numbers below 2^bits: every step can be undone. */
static int shuffle(int number, int bits)
{
    uint32_t mask = (UINT32_C(1) << bits) - 1, u = (uint32_t)number;
    for (int round = 0; round < 3; round++) {
        u = u * UINT32_C(0x2C1B3C6D) & mask;
        u ^= u >> (bits / 2);
    }
    return (int)u;
}

/* Allocate count elements and fill them with repetitions of block, or with zeros. */
template <typename T> static cudaError_t fill(T **buffer, size_t count, const std::vector<T> &block)
{
    size_t done = block.size() < count ? block.size() : count;
    cudaError_t error = cudaMalloc(buffer, count * sizeof(T));
    if (error != cudaSuccess)
        return error;
    if (block.empty())
        return cudaMemset(*buffer, 0, count * sizeof(T));
    error = cudaMemcpy(*buffer, block.data(), done * sizeof(T), cudaMemcpyHostToDevice);
    while (error == cudaSuccess && done < count) {
        size_t more = done < count - done ? done : count - done;
        error = cudaMemcpy(*buffer + done, *buffer, more * sizeof(T), cudaMemcpyDeviceToDevice);
        done += more;
    }
    return error;
}

static std::vector<float> random_floats(uint64_t seed, float least, float most)
{
    std::vector<float> numbers(BLOCK_ELEMENTS);
    for (float &number : numbers)
        number = next_float(&seed, least, most);
    return numbers;
}

static cudaError_t fill_floats(struct bank_data *data)
{
    struct {
        float **buffer;
        size_t count;
        float least, most;
    } buffers[] = {
        {&data->x, 64 * MI, -1, 1},
        {&data->y, 64 * MI, -1, 1},
        {&data->weights, 4 * MI, -1, 1},
        {&data->momentum, 4 * MI, -0.1f, 0.1f},
        {&data->variance, 4 * MI, 0.001f, 0.01f},
    };
    cudaError_t error = cudaSuccess;
    uint64_t seed = 1;
    for (auto &buffer : buffers)
        if (error == cudaSuccess)
            error =
                fill(buffer.buffer, buffer.count, random_floats(seed++, buffer.least, buffer.most));
    return error;
}

static cudaError_t fill_others(struct bank_data *data)
{
    uint64_t seed = 1000;
    std::vector<__half> halves(BLOCK_ELEMENTS);
    std::vector<double> doubles(MI);
    for (__half &number : halves)
        number = __float2half(next_float(&seed, -1, 1));
    for (double &number : doubles)
        number = next_float(&seed, -1, 1);
    cudaError_t error = fill(&data->half_x, 16 * MI, halves);
    if (error == cudaSuccess)
        error = fill(&data->half_y, 16 * MI, halves);
    if (error == cudaSuccess)
        error = fill(&data->double_x, 1 * MI, doubles);
    return error;
}

static cudaError_t fill_indices(struct bank_data *data)
{
    std::vector<int> in_order(4 * MI), nearby(4 * MI), shuffled(4 * MI);
    for (int i = 0; i < 4 * MI; i++) {
        in_order[i] = i;
        nearby[i] = i / GROUP * GROUP + shuffle(i % GROUP, 10);
        shuffled[i] = shuffle(i, 22);
    }
    cudaError_t error = fill(&data->in_order, 4 * MI, in_order);
    if (error == cudaSuccess)
        error = fill(&data->nearby, 4 * MI, nearby);
    if (error == cudaSuccess)
        error = fill(&data->shuffled, 4 * MI, shuffled);
    return error;
}

cudaError_t bank_data_fill(struct bank_data *data)
{
    const std::vector<int> no_integers;
    const std::vector<float> no_floats;
    *data = {};
    cudaError_t error = fill_floats(data);
    if (error == cudaSuccess)
        error = fill_others(data);
    if (error == cudaSuccess)
        error = fill_indices(data);
    if (error == cudaSuccess)
        error = fill(&data->zeros, 16 * MI, no_integers);
    if (error == cudaSuccess)
        error = fill(&data->counters, 4 * MI, no_integers);
    if (error == cudaSuccess)
        error = fill(&data->sums, 1 * KI, no_floats);
    if (error == cudaSuccess)
        error = cudaMalloc(&data->out, 64 * MI * sizeof(float));
    return error;
}
