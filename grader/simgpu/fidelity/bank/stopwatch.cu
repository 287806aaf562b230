/* stopwatch.cu - how long one launch of a row takes, measured with CUDA events.
 *
 * Three things would spoil the number, and each has its remedy:
 *
 *     caches that still hold the data   before a cold launch, a buffer of twice the L2 is written
 *                                       and then read: the reading throws out the dirty lines
 *                                       too, which the launch would otherwise have to write back
 *     the host, slower than the device  the device is kept busy (with that, or by spinning) while
 *                                       the host queues event, launch, event behind each other
 *     a device that has gone to sleep   it spins until its clock has settled
 *
 * What is left is the events' own time: the caller measures it with a row of NULL and says so
 * beside the numbers.
 */
#include "bank.h"

#include <algorithm>

enum { SETTLE_CYCLES = 600 * 1000 * 1000, HOLD_CYCLES = 120 * 1000, WARM_UPS = 3 };

static __global__ void scrub_write(float4 *buffer, size_t count, float value)
{
    size_t stride = (size_t)gridDim.x * blockDim.x;
    for (size_t i = blockIdx.x * blockDim.x + threadIdx.x; i < count; i += stride)
        buffer[i] = make_float4(value, 0, 0, 0);
}

static __global__ void scrub_read(const float4 *buffer, float *out, size_t count)
{
    size_t stride = (size_t)gridDim.x * blockDim.x;
    float sum = 0;
    for (size_t i = blockIdx.x * blockDim.x + threadIdx.x; i < count; i += stride)
        sum += buffer[i].x;
    if (sum == -1.0f) /* never: what was written is positive */
        *out = sum;
}

static __global__ void spin(long long cycles, long long *nanoseconds)
{
    long long start = clock64(), start_ns, end_ns;
    asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(start_ns));
    while (clock64() - start < cycles)
        ;
    asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(end_ns));
    *nanoseconds = end_ns - start_ns;
}

cudaError_t bank_run(const struct bank_row *row, const struct bank_data *data)
{
    if (row->shared_bytes > 48 * KI) {
        cudaError_t error = cudaFuncSetAttribute(
            row->function, cudaFuncAttributeMaxDynamicSharedMemorySize, (int)row->shared_bytes);
        if (error != cudaSuccess)
            return error;
    }
    row->launch(row, data);
    return cudaGetLastError();
}

cudaError_t bank_stopwatch_open(struct bank_stopwatch *watch)
{
    struct cudaDeviceProp device;
    cudaError_t error = cudaGetDeviceProperties(&device, 0);
    if (error != cudaSuccess)
        return error;
    watch->scrub_bytes = 2 * (size_t)device.l2CacheSize;
    error = cudaMalloc(&watch->scrub, watch->scrub_bytes + sizeof(float4));
    if (error == cudaSuccess)
        error = cudaEventCreate(&watch->start);
    if (error == cudaSuccess)
        error = cudaEventCreate(&watch->stop);
    if (error != cudaSuccess)
        return error;
    spin<<<1, 1>>>(SETTLE_CYCLES, (long long *)watch->scrub);
    return cudaDeviceSynchronize();
}

cudaError_t bank_stopwatch_clock(struct bank_stopwatch *watch, double *clock_mhz)
{
    const long long cycles = 20 * 1000 * 1000;
    long long nanoseconds = 0;
    spin<<<1, 1>>>(cycles, (long long *)watch->scrub);
    cudaError_t error =
        cudaMemcpy(&nanoseconds, watch->scrub, sizeof nanoseconds, cudaMemcpyDeviceToHost);
    *clock_mhz = nanoseconds > 0 ? 1e3 * (double)cycles / (double)nanoseconds : 0;
    return error;
}

/* Bring the caches into the state the row wants, and keep the device busy for a while. */
static void prepare(const struct bank_stopwatch *watch, bool cold)
{
    size_t count = watch->scrub_bytes / sizeof *watch->scrub;
    if (cold) {
        scrub_write<<<1056, 256>>>(watch->scrub, count, 1.0f);
        scrub_read<<<1056, 256>>>(watch->scrub, (float *)(watch->scrub + count), count);
    }
    spin<<<1, 1>>>(HOLD_CYCLES, (long long *)(watch->scrub + count));
}

static cudaError_t time_once(const struct bank_stopwatch *watch, const struct bank_row *row,
                             const struct bank_data *data, double *time_ns)
{
    float milliseconds = 0;
    prepare(watch, row && row->cache == BANK_COLD);
    cudaError_t error = cudaEventRecord(watch->start);
    if (error == cudaSuccess && row)
        error = bank_run(row, data);
    if (error == cudaSuccess)
        error = cudaEventRecord(watch->stop);
    if (error == cudaSuccess)
        error = cudaEventSynchronize(watch->stop);
    if (error == cudaSuccess)
        error = cudaEventElapsedTime(&milliseconds, watch->start, watch->stop);
    *time_ns = milliseconds * 1e6;
    return error;
}

cudaError_t bank_stopwatch_time(struct bank_stopwatch *watch, const struct bank_row *row,
                                const struct bank_data *data, struct bank_times *times)
{
    double measured_ns[BANK_REPEATS];
    cudaError_t error = cudaSuccess;
    for (int i = 0; i < WARM_UPS && error == cudaSuccess; i++)
        error = time_once(watch, row, data, &measured_ns[0]);
    for (int i = 0; i < BANK_REPEATS && error == cudaSuccess; i++)
        error = time_once(watch, row, data, &measured_ns[i]);
    if (error != cudaSuccess)
        return error;
    std::sort(measured_ns, measured_ns + BANK_REPEATS);
    *times = {measured_ns[BANK_REPEATS / 2], measured_ns[0], measured_ns[BANK_REPEATS - 1]};
    return cudaSuccess;
}
