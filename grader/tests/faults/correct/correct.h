// correct.h - what every correct kernel is written with.
//
// These kernels look like faults and are none: each does something near a mistake that planted/
// makes, in the way the CUDA programming guide allows. None may be reported, by the simulated
// device or by compute-sanitizer, and each compares its result with one computed on the host.
//
//     correct list            their names
//     correct all             runs every one
//     correct NAME            runs one
#ifndef CORRECT_H
#define CORRECT_H

#include <cstddef>
#include <cuda_runtime.h>
#include <vector>

struct correct {
    const char *name;
    bool (*run)(); // true when the result is right
    const correct *next;
    static const correct *first;
    correct(const char *its_name, bool (*its_run)()) : name(its_name), run(its_run), next(first)
    {
        first = this;
    }
};

#define CORRECT(name)                                       \
    static bool name##_run();                               \
    static const correct name##_correct(#name, name##_run); \
    static bool name##_run()

// Ends the program with the error's name, unless the call succeeded.
void check(cudaError_t error, const char *file, int line);
#define CHECK(call) check(call, __FILE__, __LINE__)

typedef std::vector<int> ints;

// Device memory of its own, freed at the end of its life.
template <class T> class device_array
{
  public:
    explicit device_array(size_t count) : size(count)
    {
        CHECK(cudaMalloc(&at, count * sizeof(T)));
    }
    explicit device_array(const std::vector<T> &values) : device_array(values.size())
    {
        CHECK(cudaMemcpy(at, values.data(), size * sizeof(T), cudaMemcpyHostToDevice));
    }
    device_array(const device_array &) = delete;
    ~device_array()
    {
        cudaFree(at);
    }
    operator T *() const
    {
        return at;
    }
    std::vector<T> values() const
    {
        std::vector<T> result(size);
        CHECK(cudaGetLastError());
        CHECK(cudaMemcpy(result.data(), at, size * sizeof(T), cudaMemcpyDeviceToHost));
        return result;
    }

  private:
    T *at = nullptr;
    size_t size;
};
typedef device_array<int> device_ints;

// count numbers without order, from 0 to 99; the same each time.
inline ints numbers(size_t count)
{
    ints result(count);
    unsigned state = 12345;
    for (int &value : result) {
        state = state * 1664525u + 1013904223u;
        value = (int)(state >> 16) % 100;
    }
    return result;
}

// value(i) for each i below count.
template <class F> ints made_of(size_t count, F value)
{
    ints result(count);
    for (size_t i = 0; i < count; i++)
        result[i] = value((int)i);
    return result;
}

inline int sum_of(const ints &values)
{
    int sum = 0;
    for (int value : values)
        sum += value;
    return sum;
}

#endif
