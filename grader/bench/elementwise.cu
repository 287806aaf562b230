/* elementwise.cu - how near the kernels that only move memory come to the copy rate.
 *
 *     elementwise [-r rounds] [-o table.csv] library.so ...
 *
 * Each library is a solution, a step or any other submission, built as the grader builds it; every
 * launcher of the table below that it defines is timed. The yardstick is measured in the same run:
 * the faster of cudaMemcpyAsync and a plain copy kernel. Each launch has to start and to end, so
 * one that only reads 64 MiB reaches less: the kernel of read.h, which does nothing else, shows how
 * much, and no row sum can be faster. The first library that defines a launcher is the reference of
 * the others (the solution, as the Makefile gives them): the last column is what the grader holds
 * against a lesson's bar.
 *
 * What makes the numbers comparable: every sample works through the same 2^26 floats, in one
 * launch or in several that lie side by side, so that caches and launch gaps weigh alike; the
 * subjects take turns, starting at another one each round; and the rules of bench.h.
 *
 * lesson3_gated is bound by arithmetic, not by memory: compare its lines with each other.
 */
#define BENCH_NAME "elementwise"
#include "bench.h"
#include "quest.h"
#include "read.h"

#include <dlfcn.h>
#include <math.h>

enum { MOST_SUBJECTS = 128 };

static const int64_t ELEMENTS = INT64_C(1) << 26; /* of a sample */

/* Buffers of ELEMENTS floats; the step of dropout. */
static float *d_in, *d_more, *d_out;
static uint64_t *d_step;

/* --- What is timed ---------------------------------------------------------------------------- */

typedef cudaError_t axpby(const float *, const float *, float *, int64_t, float, float,
                          cudaStream_t);
typedef cudaError_t transpose(const float *, float *, int, int, cudaStream_t);
typedef cudaError_t gated(const float *, float *, int64_t, cudaStream_t);
typedef cudaError_t row_sumsq(const float *, float *, int, int, cudaStream_t);
typedef cudaError_t dropout(const float *, float *, int64_t, float, struct quest_rng_key,
                            const uint64_t *, cudaStream_t);

static cudaError_t run_axpby(void *symbol, int64_t)
{
    return ((axpby *)symbol)(d_in, d_more, d_out, ELEMENTS, 1.5f, -0.5f, NULL);
}

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
    int64_t i = (int64_t)blockIdx.x * BENCH_THREADS + threadIdx.x;
    out[i] = in[i];
}

static cudaError_t run_copy_kernel(void *, int64_t)
{
    copy_quads<<<(unsigned)(ELEMENTS / 4 / BENCH_THREADS), BENCH_THREADS>>>((const float4 *)d_in,
                                                                            (float4 *)d_out);
    return cudaGetLastError();
}

static cudaError_t run_read_kernel(void *, int64_t first)
{
    return read_launch(d_in + first, d_out, ELEMENTS / 4, NULL);
}

static cudaError_t run_read_all(void *, int64_t)
{
    return read_launch(d_in, d_out, ELEMENTS, NULL);
}

struct work {
    const char *launcher, *problem, *name; /* the symbol, shown beside it, and both as one word */
    cudaError_t (*run)(void *symbol, int64_t first);
    int64_t elements;     /* of one launch; a sample is ELEMENTS / elements launches */
    double element_bytes; /* that the problem must move */
};

static const struct work YARDSTICKS[] = {
    {"cudaMemcpyAsync", "2^26", "memcpy_2p26", run_memcpy, ELEMENTS, 8},
    {"copy kernel", "2^26", "copy_2p26", run_copy_kernel, ELEMENTS, 8},
    {"read kernel", "2^24", "read_2p24", run_read_kernel, ELEMENTS / 4, 4},
    {"read kernel", "2^26", "read_2p26", run_read_all, ELEMENTS, 4},
};

static const struct work WORKS[] = {
    {"lesson1_axpby", "2^26", "lesson1_axpby_2p26", run_axpby, ELEMENTS, 12},
    {"lesson2_transpose", "8192 x 8192", "lesson2_transpose_8192x8192", run_transpose, ELEMENTS, 8},
    {"lesson3_gated", "2^24", "lesson3_gated_2p24", run_gated, ELEMENTS / 4, 8},
    {"lesson3_row_sumsq", "4096 x 4096", "lesson3_row_sumsq_4096x4096", run_sumsq_4096,
     ELEMENTS / 4, 4},
    {"lesson3_row_sumsq", "16384 x 4096", "lesson3_row_sumsq_16384x4096", run_sumsq_16384, ELEMENTS,
     4},
    {"lesson5_dropout_fwd", "2^26, p = 0.1", "lesson5_dropout_fwd_2p26", run_dropout, ELEMENTS, 8},
};

struct subject {
    const struct work *work;
    void *symbol;
    const char *from;     /* the library's folder and name */
    double time_us;       /* of a sample */
    float sample_us[BENCH_MOST_ROUNDS];
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

static void add_library(const char *path)
{
    void *library = dlopen(path, RTLD_NOW | RTLD_LOCAL);
    if (!library)
        stop("%s", dlerror());
    int before = subject_count;
    for (size_t i = 0; i < sizeof WORKS / sizeof *WORKS; i++) {
        void *symbol = dlsym(library, WORKS[i].launcher);
        if (symbol)
            add_subject(&WORKS[i], symbol, bench_name_of(path));
    }
    if (subject_count == before)
        stop("%s defines none of the launchers that are timed here", path);
}

static void allocate(void)
{
    d_in = bench_random_floats(ELEMENTS);
    d_more = bench_random_floats(ELEMENTS);
    d_out = bench_random_floats(ELEMENTS);
    CHECK(cudaMalloc(&d_step, sizeof *d_step));
    CHECK(cudaMemset(d_step, 1, sizeof *d_step));
}

/* --- Timing ----------------------------------------------------------------------------------- */

static void time_all(const struct bench_stopwatch *watch, int rounds)
{
    const int warm_up = 2;
    for (int round = -warm_up; round < rounds; round++)
        for (int i = 0; i < subject_count; i++) {
            struct subject *subject = &subjects[(i + round + warm_up) % subject_count];
            const struct work *work = subject->work;
            bench_start(watch);
            for (int64_t first = 0; first < ELEMENTS; first += work->elements)
                CHECK(work->run(subject->symbol, first));
            float time_us = bench_end_us(watch);
            if (round >= 0)
                subject->sample_us[round] = time_us;
        }
    for (int i = 0; i < subject_count; i++)
        subjects[i].time_us = bench_median(subjects[i].sample_us, rounds);
}

/* --- Table ------------------------------------------------------------------------------------ */

static double rate_gb_s(const struct subject *subject)
{
    return subject->work->element_bytes * ELEMENTS / subject->time_us * 1e-3;
}

static double of_copy(const struct subject *subject)
{
    return rate_gb_s(subject) / fmax(rate_gb_s(&subjects[0]), rate_gb_s(&subjects[1]));
}

/* The first one with the same work is the reference. */
static double of_reference(const struct subject *subject)
{
    const struct subject *reference = subjects;
    while (reference->work != subject->work)
        reference++;
    return reference->time_us / subject->time_us;
}

static double launch_us(const struct subject *subject)
{
    return subject->time_us / (double)(ELEMENTS / subject->work->elements);
}

static void print_all(int rounds)
{
    printf("%-20s %-26s %-14s %10s %8s %9s %8s %13s\n", "launcher", "from", "problem", "time us",
           "spread", "GB/s", "of copy", "of reference");
    for (int i = 0; i < subject_count; i++) {
        const struct subject *subject = &subjects[i];
        printf("%-20s %-26s %-14s %10.2f %7.1f%% %9.0f %8.3f %13.3f\n", subject->work->launcher,
               subject->from, subject->work->problem, launch_us(subject),
               100 * bench_spread(subject->sample_us, rounds), rate_gb_s(subject),
               of_copy(subject), of_reference(subject));
    }
}

/* A row for each subject, as the notes read them: lessons/site/bench/elementwise.csv. */
static void write_csv(const char *path, const char *device)
{
    FILE *file = fopen(path, "w");
    if (!file)
        stop("%s: cannot be written", path);
    fprintf(file, "name,from,device,time_us,gbytes_per_s,of_copy,of_reference\n");
    for (int i = 0; i < subject_count; i++)
        fprintf(file, "%s,%s,%s,%.2f,%.1f,%.4f,%.4f\n", subjects[i].work->name, subjects[i].from,
                device, launch_us(&subjects[i]), rate_gb_s(&subjects[i]), of_copy(&subjects[i]),
                of_reference(&subjects[i]));
    if (fclose(file) != 0)
        stop("%s: cannot be written", path);
}

int main(int argc, char **argv)
{
    struct bench_options options = bench_options_of(argc, argv, 0);
    struct cudaDeviceProp device;
    CHECK(cudaGetDeviceProperties(&device, 0));
    for (size_t i = 0; i < sizeof YARDSTICKS / sizeof *YARDSTICKS; i++)
        add_subject(&YARDSTICKS[i], NULL, "-");
    for (int i = options.libraries; i < argc; i++)
        add_library(argv[i]);
    allocate();
    struct bench_stopwatch watch = bench_stopwatch_new(&device);
    time_all(&watch, options.rounds);
    printf("%s, %d rounds, medians; spread is between the quartiles; GB/s of what the problem "
           "must move\n", device.name, options.rounds);
    print_all(options.rounds);
    if (options.csv)
        write_csv(options.csv, device.name);
    return 0;
}
