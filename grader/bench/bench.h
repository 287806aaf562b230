/* bench.h - what the timing programs share: samples that can be compared with each other.
 *
 * The rules: before each sample a buffer of several times the L2 is read (not written, which would
 * leave dirty lines for the sample to pay for); times are CUDA events; the subjects take turns,
 * which is the program's part; and the median of the rounds counts. Inputs are random: on zeros
 * some kernels run faster than they ever will in earnest.
 *
 * For programs of one file: they include this once, in CUDA C++. Anything that goes wrong ends the
 * program with a sentence.
 */
#ifndef BENCH_H
#define BENCH_H

#include <cuda_runtime.h>
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define stop(...) (fprintf(stderr, BENCH_NAME ": " __VA_ARGS__), fputc('\n', stderr), exit(1))

#define CHECK(call)                                           \
    do {                                                      \
        cudaError_t error = (call);                           \
        if (error != cudaSuccess)                             \
            stop("%s: %s", #call, cudaGetErrorString(error)); \
    } while (0)

enum { BENCH_THREADS = 256, BENCH_MOST_ROUNDS = 200, BENCH_LEAST_ROUNDS = 3 };
enum { BENCH_FLUSH_CACHES = 4, BENCH_LEAST_FLUSH_BYTES = 64 << 20 };

/* --- Memory ----------------------------------------------------------------------------------- */

/* Uniform in [-1, 1]. */
static __global__ void bench_fill_random(float *values, int64_t count)
{
    int64_t i = (int64_t)blockIdx.x * BENCH_THREADS + threadIdx.x;
    uint32_t word = (uint32_t)i * 0x9E3779B9u;
    word = (word ^ word >> 16) * 0x85EBCA6Bu;
    word = (word ^ word >> 13) * 0xC2B2AE35u;
    if (i < count)
        values[i] = (float)(int32_t)(word ^ word >> 16) * 0x1p-31f;
}

/* count random floats of device memory. */
static float *bench_random_floats(int64_t count)
{
    float *d_values;
    CHECK(cudaMalloc(&d_values, (size_t)count * sizeof *d_values));
    bench_fill_random<<<(unsigned)((count + BENCH_THREADS - 1) / BENCH_THREADS), BENCH_THREADS>>>(
        d_values, count);
    CHECK(cudaGetLastError());
    return d_values;
}

/* --- Timing ----------------------------------------------------------------------------------- */

struct bench_stopwatch {
    cudaEvent_t start, end;
    float *d_flush, *d_sink;
    int64_t flush_quads;
};

static __global__ void bench_read_all(const float4 *values, int64_t quads, float *sink)
{
    float sum = 0;
    for (int64_t i = (int64_t)blockIdx.x * BENCH_THREADS + threadIdx.x; i < quads;
         i += (int64_t)gridDim.x * BENCH_THREADS)
        sum += values[i].x + values[i].y + values[i].z + values[i].w;
    if (sum == 1e30f) /* never, but the compiler cannot know */
        *sink = sum;
}

static struct bench_stopwatch bench_stopwatch_new(const struct cudaDeviceProp *device)
{
    struct bench_stopwatch watch;
    int64_t flush_bytes = BENCH_FLUSH_CACHES * (int64_t)device->l2CacheSize;
    if (flush_bytes < BENCH_LEAST_FLUSH_BYTES)
        flush_bytes = BENCH_LEAST_FLUSH_BYTES;
    watch.flush_quads = flush_bytes / (int64_t)sizeof(float4);
    watch.d_flush = bench_random_floats(watch.flush_quads * 4);
    watch.d_sink = bench_random_floats(1);
    CHECK(cudaEventCreate(&watch.start));
    CHECK(cudaEventCreate(&watch.end));
    return watch;
}

/* What is launched between these two is timed. */
static void bench_start(const struct bench_stopwatch *watch)
{
    bench_read_all<<<1024, BENCH_THREADS>>>((const float4 *)watch->d_flush, watch->flush_quads,
                                            watch->d_sink);
    CHECK(cudaEventRecord(watch->start));
}

static float bench_end_us(const struct bench_stopwatch *watch)
{
    float time_ms;
    CHECK(cudaEventRecord(watch->end));
    CHECK(cudaEventSynchronize(watch->end));
    CHECK(cudaEventElapsedTime(&time_ms, watch->start, watch->end));
    return time_ms * 1e3f;
}

/* --- Samples ---------------------------------------------------------------------------------- */

static int bench_by_time(const void *a, const void *b)
{
    float first = *(const float *)a, second = *(const float *)b;
    return (first > second) - (first < second);
}

/* Sorts the samples; returns the median. */
static double bench_median(float *samples, int count)
{
    qsort(samples, (size_t)count, sizeof *samples, bench_by_time);
    return samples[count / 2];
}

/* How many times as fast ours is, round by round, so that a clock that changes changes both: the
 * median of the ratios, and between which two of them the middle half lies. */
struct bench_ratio {
    double median, low, high;
};

/* Of samples that are still in the order of the rounds. */
static inline struct bench_ratio bench_ratio_of(const float *theirs, const float *ours, int count)
{
    float ratios[BENCH_MOST_ROUNDS];
    struct bench_ratio ratio;
    for (int round = 0; round < count; round++)
        ratios[round] = theirs[round] / ours[round];
    ratio.median = bench_median(ratios, count);
    ratio.low = ratios[count / 4];
    ratio.high = ratios[count * 3 / 4];
    return ratio;
}

/* Of sorted samples: what lies between the quartiles, over the median. */
static double bench_spread(const float *sorted, int count)
{
    return (sorted[count * 3 / 4] - sorted[count / 4]) / sorted[count / 2];
}

/* --- What is asked for ------------------------------------------------------------------------ */

struct bench_options {
    int rounds;
    int side;        /* of matrices; 0 when none is named */
    const char *csv; /* also write the table there; or NULL */
    int libraries;   /* index of the first one in argv */
};

/* A program whose largest_side is 0 takes no side. */
static struct bench_options bench_options_of(int argc, char **argv, int largest_side)
{
    struct bench_options options = {20, 0, NULL, 1};
    bool known = true;
    for (; options.libraries + 1 < argc && argv[options.libraries][0] == '-';
         options.libraries += 2) {
        const char *option = argv[options.libraries], *value = argv[options.libraries + 1];
        if (strcmp(option, "-r") == 0)
            options.rounds = atoi(value);
        else if (strcmp(option, "-n") == 0)
            options.side = atoi(value);
        else if (strcmp(option, "-o") == 0)
            options.csv = value;
        else
            known = false;
    }
    if (!known || options.rounds < BENCH_LEAST_ROUNDS || options.rounds > BENCH_MOST_ROUNDS ||
        options.side < 0 || options.side > largest_side || options.libraries >= argc)
        stop("usage: " BENCH_NAME " [-r rounds, %d to %d]%s [-o table.csv] library.so ...",
             BENCH_LEAST_ROUNDS, BENCH_MOST_ROUNDS, largest_side ? " [-n side]" : "");
    return options;
}

/* --- Tables ----------------------------------------------------------------------------------- */

/* A field of a CSV, empty where there is no such ratio (NAN), and what ends it. */
static inline void bench_write_ratio(FILE *file, double ratio, char end)
{
    if (!isnan(ratio))
        fprintf(file, "%.4f", ratio);
    fputc(end, file);
}

/* --- Names ------------------------------------------------------------------------------------ */

/* "slow/both_paths" of ".../slow/both_paths.so"; never freed. */
static const char *bench_name_of(const char *path)
{
    const char *name = path, *folder = path;
    for (const char *at = path; *at; at++)
        if (*at == '/') {
            folder = name;
            name = at + 1;
        }
    char *both = strdup(folder);
    if (!both)
        stop("out of memory");
    char *ending = strstr(both, ".so");
    if (ending)
        *ending = '\0';
    return both;
}

#endif
