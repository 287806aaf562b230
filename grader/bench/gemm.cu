/* gemm.cu - how near matrix products come to cuBLAS, with and without a fused end.
 *
 *     gemm [-r rounds] [-n side] [-o table.csv] library.so ...
 *
 * Each library is a solution, a step or any other submission, built as the grader builds it; every
 * launcher of the table below that it defines is timed. The first library that defines one is the
 * reference of the others (the solution, as the Makefile gives them): the last column is what the
 * grader holds against a lesson's bar.
 *
 * The peer is cublasSgemm on the same matrices, stored the same way, in the same run and without
 * tensor cores: by default it computes in FP32 proper, and so it does in its pedantic mode; the
 * faster one counts. It stops at the product, while lesson 4 goes on to bias and activation, and
 * lesson 7 to a bias: those ratios say what the end costs. What a PyTorch user would call instead
 * is timed by peers.py.
 *
 * Shapes are square in C, side x side; -n gives a smaller one, to try the program itself.
 */
#define BENCH_NAME "gemm"
#include "bench.h"
#include "cublas.h"
#include "quest.h"

#include <dlfcn.h>
#include <math.h>

enum { MOST_SUBJECTS = 256, WARM_UP_ROUNDS = 2 };

static int side = 4096;
static float *d_a, *d_b, *d_bias, *d_y, *d_z;

/* --- What is timed ---------------------------------------------------------------------------- */

typedef cudaError_t sgemm(const float *, const float *, float *, int, int, int, cudaStream_t);
typedef cudaError_t gemm_bias_act(const float *, const float *, const float *, float *, float *,
                                  const struct quest_gemm *, cudaStream_t);
typedef cudaError_t gemm_layout(const float *, const float *, const float *, float *, int64_t, bool,
                                const struct quest_gemm *, cudaStream_t);
/* The product by cuBLAS in this mode. */
typedef bool cublas_product(int mode, const float *, const float *, float *, int m, int n, int k);

static cudaError_t run_sgemm(void *symbol, int k, bool)
{
    return ((sgemm *)symbol)(d_a, d_b, d_y, side, side, k, NULL);
}

static cudaError_t run_gemm_bias_gelu(void *symbol, int k, bool save_z)
{
    struct quest_gemm gemm = {side, side, k};
    gemm.with_bias = true;
    gemm.save_z = save_z;
    gemm.activation = QUEST_ACT_GELU_TANH;
    return ((gemm_bias_act *)symbol)(d_a, d_b, d_bias, d_y, save_z ? d_z : NULL, &gemm, NULL);
}

/* A and Y stored transposed, as the grader times it. */
static cudaError_t run_gemm_layout(void *symbol, int k, bool)
{
    struct quest_gemm gemm = {side, side, k, true};
    gemm.with_bias = true;
    return ((gemm_layout *)symbol)(d_a, d_b, d_bias, d_y, side, true, &gemm, NULL);
}

struct work {
    const char *launcher, *name; /* the symbol; what the table calls what it does here */
    cudaError_t (*run)(void *symbol, int k, bool save_z);
    int depth; /* k, or 0 for side */
    bool save_z;
    const char *should_be;
    cublas_product *peer; /* in the same layout */
};

static const char SGEMM_BAR[] = "the top of the ladder at least 0.92 of cuBLAS";
static const char EPILOGUE_BAR[] = "the solution as fast as F.linear alone, which peers.py times";
static const char LAYOUT_BAR[] = "the solution at least 0.95 of cuBLAS, also with -n 2048";

static const struct work WORKS[] = {
    {"lesson2_sgemm", "lesson2_sgemm", run_sgemm, 0, false, SGEMM_BAR, cublas_row_major},
    {"lesson4_gemm_bias_act", "lesson4_gemm_bias_gelu", run_gemm_bias_gelu, 256, false,
     EPILOGUE_BAR, cublas_row_major},
    {"lesson4_gemm_bias_act", "lesson4_gemm_bias_gelu", run_gemm_bias_gelu, 1024, false,
     EPILOGUE_BAR, cublas_row_major},
    {"lesson4_gemm_bias_act", "lesson4_gemm_bias_gelu_z", run_gemm_bias_gelu, 256, true,
     "slow entries below the bar of lesson 4, of reference: this is what the grader times",
     cublas_row_major},
    {"lesson7_gemm_layout", "lesson7_gemm_layout_at_b_yt", run_gemm_layout, 0, false, LAYOUT_BAR,
     cublas_turned},
};
enum { WORK_COUNT = sizeof WORKS / sizeof *WORKS };

struct subject {
    const struct work *work;
    void *symbol; /* NULL: cuBLAS, in this mode */
    int cublas_mode;
    const char *from;
    double time_us;
    float sample_us[BENCH_MOST_ROUNDS];
};

static struct subject subjects[MOST_SUBJECTS];
static int subject_count;

static void add_subject(const struct work *work, void *symbol, int cublas_mode, const char *from)
{
    if (subject_count == MOST_SUBJECTS)
        stop("more than %d lines; give fewer libraries", MOST_SUBJECTS);
    subjects[subject_count].work = work;
    subjects[subject_count].symbol = symbol;
    subjects[subject_count].cublas_mode = cublas_mode;
    subjects[subject_count].from = from;
    subject_count++;
}

static void add_library(const char *path)
{
    void *library = dlopen(path, RTLD_NOW | RTLD_LOCAL);
    if (!library)
        stop("%s", dlerror());
    int before = subject_count;
    for (int i = 0; i < WORK_COUNT; i++) {
        void *symbol = dlsym(library, WORKS[i].launcher);
        if (symbol)
            add_subject(&WORKS[i], symbol, 0, bench_name_of(path));
    }
    if (subject_count == before)
        stop("%s defines none of the launchers that are timed here", path);
}

static int depth_of(const struct work *work)
{
    return work->depth ? work->depth : side;
}

/* --- Timing ----------------------------------------------------------------------------------- */

static void allocate(void)
{
    int64_t deepest = side;
    for (int i = 0; i < WORK_COUNT; i++)
        if (WORKS[i].depth > deepest)
            deepest = WORKS[i].depth;
    d_a = bench_random_floats(side * deepest);
    d_b = bench_random_floats(deepest * side);
    d_bias = bench_random_floats(side);
    d_y = bench_random_floats((int64_t)side * side);
    d_z = bench_random_floats((int64_t)side * side);
}

static cudaError_t run(const struct subject *subject)
{
    const struct work *work = subject->work;
    int k = depth_of(work);
    if (subject->symbol)
        return work->run(subject->symbol, k, work->save_z);
    if (!work->peer(subject->cublas_mode, d_a, d_b, d_y, side, side, k))
        stop("cublasSgemm fails at k = %d", k);
    return cudaSuccess;
}

static void time_all(const struct bench_stopwatch *watch, int rounds)
{
    for (int round = -WARM_UP_ROUNDS; round < rounds; round++)
        for (int i = 0; i < subject_count; i++) {
            struct subject *subject = &subjects[(i + round + WARM_UP_ROUNDS) % subject_count];
            bench_start(watch);
            CHECK(run(subject));
            float time_us = bench_end_us(watch);
            if (round >= 0)
                subject->sample_us[round] = time_us;
        }
    for (int i = 0; i < subject_count; i++)
        subjects[i].time_us = bench_median(subjects[i].sample_us, rounds);
}

/* --- Table ------------------------------------------------------------------------------------ */

static double tflop_per_s(const struct subject *subject)
{
    return 2.0 * side * side * depth_of(subject->work) / subject->time_us * 1e-6;
}

/* The fastest cuBLAS of this work; NAN when there is none. */
static double peer_us(const struct work *work)
{
    double best_us = NAN;
    for (int i = 0; i < subject_count; i++)
        if (subjects[i].work == work && !subjects[i].symbol)
            best_us = fmin(best_us, subjects[i].time_us);
    return best_us;
}

/* The first library's time. */
static double reference_us(const struct work *work)
{
    for (int i = 0; i < subject_count; i++)
        if (subjects[i].work == work && subjects[i].symbol)
            return subjects[i].time_us;
    return NAN;
}

static void print_ratio(double ratio)
{
    if (isnan(ratio))
        printf(" %12s", "-");
    else
        printf(" %12.3f", ratio);
}

static void print_work(const struct work *work, int rounds)
{
    if (isnan(reference_us(work)))
        return;
    printf("\n%s, %d x %d x %d\n  should be: %s\n", work->name, side, side, depth_of(work),
           work->should_be);
    printf("  %-34s %10s %8s %9s %12s %12s\n", "", "time ms", "spread", "TFLOP/s", "of cuBLAS",
           "of reference");
    for (int i = 0; i < subject_count; i++) {
        const struct subject *subject = &subjects[i];
        if (subject->work != work)
            continue;
        printf("  %-34s %10.4f %7.1f%% %9.2f", subject->from, subject->time_us * 1e-3,
               100 * bench_spread(subject->sample_us, rounds), tflop_per_s(subject));
        print_ratio(peer_us(work) / subject->time_us);
        print_ratio(reference_us(work) / subject->time_us);
        putchar('\n');
    }
}

/* A row for each subject, as the notes read them: lessons/site/bench/gemm.csv. */
static void write_csv(const char *path, const char *device)
{
    FILE *file = fopen(path, "w");
    if (!file)
        stop("%s: cannot be written", path);
    fprintf(file, "name,from,device,time_us,tflop_per_s,of_cublas,of_reference\n");
    for (int i = 0; i < subject_count; i++) {
        const struct subject *subject = &subjects[i];
        const struct work *work = subject->work;
        fprintf(file, "%s_%dx%dx%d,%s,%s,%.2f,%.3f,", work->name, side, side, depth_of(work),
                subject->from, device, subject->time_us, tflop_per_s(subject));
        bench_write_ratio(file, peer_us(work) / subject->time_us, ',');
        bench_write_ratio(file, reference_us(work) / subject->time_us, '\n');
    }
    if (fclose(file) != 0)
        stop("%s: cannot be written", path);
}

int main(int argc, char **argv)
{
    struct bench_options options = bench_options_of(argc, argv, 16384);
    if (options.side)
        side = options.side;
    struct cudaDeviceProp device;
    CHECK(cudaGetDeviceProperties(&device, 0));
    cublas_load();
    for (int i = 0; i < WORK_COUNT && cublas.handle; i++) {
        add_subject(&WORKS[i], NULL, CUBLAS_DEFAULT, "cublasSgemm");
        add_subject(&WORKS[i], NULL, CUBLAS_PEDANTIC, "cublasSgemm_pedantic");
    }
    for (int i = options.libraries; i < argc; i++)
        add_library(argv[i]);
    allocate();
    struct bench_stopwatch watch = bench_stopwatch_new(&device);
    time_all(&watch, options.rounds);
    printf("%s, %d rounds, medians; spread is between the quartiles; ratios are of speeds\n",
           device.name, options.rounds);
    for (int i = 0; i < WORK_COUNT; i++)
        print_work(&WORKS[i], options.rounds);
    if (options.csv)
        write_csv(options.csv, device.name);
    return 0;
}
