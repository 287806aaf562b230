/* elementwise.cu - how near the kernels that only move memory come to the copy rate.
 *
 *     elementwise [-r rounds] library.so ...
 *
 * Each library is a solution, a step or any other submission, built as the grader builds it; every
 * launcher of the table below that it defines is timed. The yardstick is measured in the same run:
 * the faster of cudaMemcpyAsync and a plain copy kernel.
 *
 * What makes the numbers comparable: every sample works through the same 2^26 floats, in one
 * launch or in several that lie side by side, so that caches and launch gaps weigh alike; before
 * each sample a buffer of several times the L2 is read (not written, which would leave dirty lines
 * for the sample to pay for); the subjects take turns, starting at another one each round; and the
 * median of the rounds counts. Times are CUDA events.
 *
 * lesson3_gated is bound by arithmetic, not by memory: compare its lines with each other.
 */
#include "quest.h"

#include <cuda_runtime.h>
#include <dlfcn.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define CHECK(call)                                                                            \
    do {                                                                                       \
        cudaError_t error = (call);                                                            \
        if (error != cudaSuccess)                                                              \
            stop("%s: %s", #call, cudaGetErrorString(error));                                  \
    } while (0)

#define stop(...) (fprintf(stderr, "elementwise: " __VA_ARGS__), fputc('\n', stderr), exit(1))

enum { BLOCK_THREADS = 256, MOST_SUBJECTS = 128, MOST_ROUNDS = 200, LEAST_ROUNDS = 20 };
enum { FLUSH_CACHES = 4, LEAST_FLUSH_BYTES = 64 << 20 };

static const int64_t ELEMENTS = INT64_C(1) << 26; /* of a sample */

/* Buffers of ELEMENTS floats; the step of dropout. */
static float *d_in, *d_out, *d_flush;
static uint64_t *d_step;
static int64_t flush_elements;

/* --- What is timed ---------------------------------------------------------------------------- */

typedef cudaError_t transpose(const float *, float *, int, int, cudaStream_t);
typedef cudaError_t gated(const float *, float *, int64_t, cudaStream_t);
typedef cudaError_t row_sumsq(const float *, float *, int, int, cudaStream_t);
typedef cudaError_t dropout(const float *, float *, int64_t, float, struct quest_rng_key,
                            const uint64_t *, cudaStream_t);

static cudaError_t run_transpose(void *symbol, int64_t)
{
    return ((transpose *)symbol)(d_in, d_out, 8192, 8192, NULL);
}

static cudaError_t run_gated(void *symbol, int64_t first)
{
    return ((gated *)symbol)(d_in + first, d_out + first, 1 << 24, NULL);
}

static cudaError_t run_sumsq_4096(void *symbol, int64_t first)
{
    return ((row_sumsq *)symbol)(d_in + first, d_out, 4096, 4096, NULL);
}

static cudaError_t run_sumsq_16384(void *symbol, int64_t)
{
    return ((row_sumsq *)symbol)(d_in, d_out, 16384, 4096, NULL);
}

static cudaError_t run_dropout(void *symbol, int64_t)
{
    const struct quest_rng_key key = {2026, 3};
    return ((dropout *)symbol)(d_in, d_out, ELEMENTS, 0.1f, key, d_step, NULL);
}

static cudaError_t run_memcpy(void *, int64_t)
{
    return cudaMemcpyAsync(d_out, d_in, (size_t)ELEMENTS * sizeof(float),
                           cudaMemcpyDeviceToDevice, NULL);
}

static __global__ void copy_quads(const float4 *in, float4 *out)
{
    int64_t i = (int64_t)blockIdx.x * BLOCK_THREADS + threadIdx.x;
    out[i] = in[i];
}

static cudaError_t run_copy_kernel(void *, int64_t)
{
    copy_quads<<<(unsigned)(ELEMENTS / 4 / BLOCK_THREADS), BLOCK_THREADS>>>((const float4 *)d_in,
                                                                            (float4 *)d_out);
    return cudaGetLastError();
}

struct work {
    const char *launcher, *problem;
    cudaError_t (*run)(void *symbol, int64_t first);
    int64_t elements;     /* of one launch; a sample is ELEMENTS / elements launches */
    double element_bytes; /* that the problem must move */
};

static const struct work COPIES[] = {
    {"cudaMemcpyAsync", "2^26", run_memcpy, ELEMENTS, 8},
    {"copy kernel", "2^26", run_copy_kernel, ELEMENTS, 8},
};

static const struct work WORKS[] = {
    {"lesson2_transpose", "8192 x 8192", run_transpose, ELEMENTS, 8},
    {"lesson3_gated", "2^24", run_gated, ELEMENTS / 4, 8},
    {"lesson3_row_sumsq", "4096 x 4096", run_sumsq_4096, ELEMENTS / 4, 4},
    {"lesson3_row_sumsq", "16384 x 4096", run_sumsq_16384, ELEMENTS, 4},
    {"lesson5_dropout_fwd", "2^26, p = 0.1", run_dropout, ELEMENTS, 8},
};

struct subject {
    const struct work *work;
    void *symbol;
    const char *from;     /* the library's folder and name */
    float sample_us[MOST_ROUNDS];
};

static struct subject subjects[MOST_SUBJECTS];
static int subject_count;

static void add_subject(const struct work *work, void *symbol, const char *from)
{
    if (subject_count == MOST_SUBJECTS)
        stop("more than %d launchers; give fewer libraries", MOST_SUBJECTS);
    subjects[subject_count].work = work;
    subjects[subject_count].symbol = symbol;
    subjects[subject_count].from = from;
    subject_count++;
}

/* "slow/both_paths" of ".../slow/both_paths.so". */
static const char *name_of(const char *path)
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

static void add_library(const char *path)
{
    void *library = dlopen(path, RTLD_NOW | RTLD_LOCAL);
    if (!library)
        stop("%s", dlerror());
    int before = subject_count;
    for (size_t i = 0; i < sizeof WORKS / sizeof *WORKS; i++) {
        void *symbol = dlsym(library, WORKS[i].launcher);
        if (symbol)
            add_subject(&WORKS[i], symbol, name_of(path));
    }
    if (subject_count == before)
        stop("%s defines none of the launchers that are timed here", path);
}

/* --- Memory ----------------------------------------------------------------------------------- */

/* Uniform in [-1, 1]: on zeros some kernels run faster than they ever will in earnest. */
static __global__ void fill_random(float *values, int64_t count)
{
    int64_t i = (int64_t)blockIdx.x * BLOCK_THREADS + threadIdx.x;
    uint32_t word = (uint32_t)i * 0x9E3779B9u;
    word = (word ^ word >> 16) * 0x85EBCA6Bu;
    word = (word ^ word >> 13) * 0xC2B2AE35u;
    if (i < count)
        values[i] = (float)(int32_t)(word ^ word >> 16) * 0x1p-31f;
}

static __global__ void read_all(const float4 *values, int64_t quads, float *sink)
{
    float sum = 0;
    for (int64_t i = (int64_t)blockIdx.x * BLOCK_THREADS + threadIdx.x; i < quads;
         i += (int64_t)gridDim.x * BLOCK_THREADS)
        sum += values[i].x + values[i].y + values[i].z + values[i].w;
    if (sum == 1e30f) /* never, but the compiler cannot know */
        *sink = sum;
}

static void fill(float *d_values, int64_t count)
{
    fill_random<<<(unsigned)((count + BLOCK_THREADS - 1) / BLOCK_THREADS), BLOCK_THREADS>>>(
        d_values, count);
    CHECK(cudaGetLastError());
}

static void allocate(int64_t l2_bytes)
{
    int64_t flush_bytes = FLUSH_CACHES * l2_bytes;
    if (flush_bytes < LEAST_FLUSH_BYTES)
        flush_bytes = LEAST_FLUSH_BYTES;
    flush_elements = flush_bytes / (int64_t)sizeof *d_flush;
    CHECK(cudaMalloc(&d_in, (size_t)ELEMENTS * sizeof *d_in));
    CHECK(cudaMalloc(&d_out, (size_t)ELEMENTS * sizeof *d_out));
    CHECK(cudaMalloc(&d_flush, (size_t)flush_elements * sizeof *d_flush));
    CHECK(cudaMalloc(&d_step, sizeof *d_step));
    CHECK(cudaMemset(d_step, 1, sizeof *d_step));
    fill(d_in, ELEMENTS);
    fill(d_flush, flush_elements);
}

/* --- Timing ----------------------------------------------------------------------------------- */

static float sample_us(const struct subject *subject, cudaEvent_t start, cudaEvent_t end)
{
    const struct work *work = subject->work;
    float time_ms;
    read_all<<<1024, BLOCK_THREADS>>>((const float4 *)d_flush, flush_elements / 4, d_out);
    CHECK(cudaEventRecord(start));
    for (int64_t first = 0; first < ELEMENTS; first += work->elements)
        CHECK(work->run(subject->symbol, first));
    CHECK(cudaEventRecord(end));
    CHECK(cudaEventSynchronize(end));
    CHECK(cudaEventElapsedTime(&time_ms, start, end));
    return time_ms * 1e3f;
}

static void time_all(int rounds)
{
    const int warm_up = 2;
    cudaEvent_t start, end;
    CHECK(cudaEventCreate(&start));
    CHECK(cudaEventCreate(&end));
    for (int round = -warm_up; round < rounds; round++)
        for (int i = 0; i < subject_count; i++) {
            struct subject *subject = &subjects[(i + round + warm_up) % subject_count];
            float time_us = sample_us(subject, start, end);
            if (round >= 0)
                subject->sample_us[round] = time_us;
        }
}

static int by_time(const void *a, const void *b)
{
    float first = *(const float *)a, second = *(const float *)b;
    return (first > second) - (first < second);
}

/* --- Table ------------------------------------------------------------------------------------ */

static double rate_gb_s(const struct subject *subject, int rounds)
{
    return subject->work->element_bytes * ELEMENTS / subject->sample_us[rounds / 2] * 1e-3;
}

static void print_all(int rounds)
{
    for (int i = 0; i < subject_count; i++)
        qsort(subjects[i].sample_us, (size_t)rounds, sizeof(float), by_time);
    double copy = rate_gb_s(&subjects[0], rounds), other = rate_gb_s(&subjects[1], rounds);
    if (other > copy)
        copy = other;
    printf("%-20s %-26s %-14s %10s %10s %10s %8s\n", "launcher", "from", "problem", "time us",
           "spread", "GB/s", "of copy");
    for (int i = 0; i < subject_count; i++) {
        const struct subject *subject = &subjects[i];
        const float *sorted = subject->sample_us;
        double launches = (double)(ELEMENTS / subject->work->elements);
        double spread = (sorted[rounds * 3 / 4] - sorted[rounds / 4]) / sorted[rounds / 2];
        printf("%-20s %-26s %-14s %10.2f %9.1f%% %10.0f %8.3f\n", subject->work->launcher,
               subject->from, subject->work->problem, sorted[rounds / 2] / launches,
               100 * spread, rate_gb_s(subject, rounds), rate_gb_s(subject, rounds) / copy);
    }
}

int main(int argc, char **argv)
{
    int rounds = 30, first = 1;
    if (argc > 2 && strcmp(argv[1], "-r") == 0) {
        rounds = atoi(argv[2]);
        first = 3;
    }
    if (rounds < LEAST_ROUNDS || rounds > MOST_ROUNDS || first >= argc)
        stop("usage: elementwise [-r rounds, %d to %d] library.so ...", LEAST_ROUNDS, MOST_ROUNDS);
    struct cudaDeviceProp device;
    CHECK(cudaGetDeviceProperties(&device, 0));
    for (size_t i = 0; i < sizeof COPIES / sizeof *COPIES; i++)
        add_subject(&COPIES[i], NULL, "-");
    for (int i = first; i < argc; i++)
        add_library(argv[i]);
    allocate(device.l2CacheSize);
    time_all(rounds);
    printf("%s, %d rounds, medians; spread is between the quartiles; GB/s of what the problem "
           "must move\n", device.name, rounds);
    print_all(rounds);
    return 0;
}
