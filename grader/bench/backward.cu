/* backward.cu - lesson 8's gradients beside cuBLAS.
 *
 *     backward [-r rounds] [-n rows] [-o table.csv] library.so ...
 *
 * Each library is a solution or any other submission, built as the grader builds it. The first is
 * the reference of the others (the solution, as the Makefile gives them): the last column is what
 * the grader holds against the lesson's bar.
 *
 * The peer is the two products alone, cublasSgemm twice, in the same run, on the same matrices and
 * without tensor cores: by default it computes in FP32 proper, and so it does in its pedantic mode;
 * the faster one counts. It takes gY for gZ, and computes neither act' nor the sums of the bias:
 * that ratio says what the rest of the backward pass costs.
 *
 * m is 4096, n and k are 1024; -n gives another m, to try the program itself.
 */
#define BENCH_NAME "backward"
#include "bench.h"
#include "cublas.h"
#include "quest.h"

#include <dlfcn.h>
#include <math.h>

enum { MOST_SUBJECTS = 64, WARM_UP_ROUNDS = 2, COLS = 1024, DEPTH = 1024 };

static int rows = 4096;
static float *d_a, *d_b, *d_gy, *d_z, *d_ga, *d_gb, *d_gbias;

typedef size_t workspace_function(const struct quest_gemm *);
typedef cudaError_t backward_function(const float *, const float *, const float *, const float *,
                                      float *, float *, float *, const struct quest_gemm *, void *,
                                      size_t, cudaStream_t);

struct subject {
    const char *from;
    backward_function *backward; /* NULL: cuBLAS, in this mode */
    int cublas_mode;
    void *d_workspace;
    size_t workspace_bytes;
    double time_us;
    float sample_us[BENCH_MOST_ROUNDS];
};

static struct subject subjects[MOST_SUBJECTS];
static int subject_count;

/* --- What is timed ---------------------------------------------------------------------------- */

static struct quest_gemm gemm_of_all(void)
{
    struct quest_gemm gemm = {rows, COLS, DEPTH};
    gemm.with_bias = true;
    gemm.save_z = true;
    gemm.activation = QUEST_ACT_GELU_TANH;
    return gemm;
}

static struct subject *add_subject(const char *from)
{
    if (subject_count == MOST_SUBJECTS)
        stop("more than %d lines; give fewer libraries", MOST_SUBJECTS);
    subjects[subject_count].from = from;
    return &subjects[subject_count++];
}

static void add_library(const char *path)
{
    void *library = dlopen(path, RTLD_NOW | RTLD_LOCAL);
    if (!library)
        stop("%s", dlerror());
    struct subject *subject = add_subject(bench_name_of(path));
    subject->backward = (backward_function *)dlsym(library, "lesson8_gemm_bias_act_backward");
    workspace_function *workspace = (workspace_function *)dlsym(library, "lesson8_workspace");
    if (!subject->backward || !workspace)
        stop("%s defines no launcher of lesson 8", path);
    struct quest_gemm gemm = gemm_of_all();
    subject->workspace_bytes = workspace(&gemm);
    if (subject->workspace_bytes)
        CHECK(cudaMalloc(&subject->d_workspace, subject->workspace_bytes));
}

/* Row by row, what cuBLAS takes for gA turned is B turned by gZ turned; and for gB turned, gZ
 * turned by A. */
static bool run_cublas(int mode)
{
    const float one = 1, zero = 0;
    return cublas.set_math_mode(cublas.handle, mode) == 0 &&
           cublas.sgemm(cublas.handle, CUBLAS_TURNED, CUBLAS_AS_IT_IS, DEPTH, rows, COLS, &one, d_b,
                        COLS, d_gy, COLS, &zero, d_ga, DEPTH) == 0 &&
           cublas.sgemm(cublas.handle, CUBLAS_AS_IT_IS, CUBLAS_TURNED, COLS, DEPTH, rows, &one,
                        d_gy, COLS, d_a, DEPTH, &zero, d_gb, COLS) == 0;
}

static void run(const struct subject *subject)
{
    struct quest_gemm gemm = gemm_of_all();
    if (subject->backward)
        CHECK(subject->backward(d_a, d_b, d_gy, d_z, d_ga, d_gb, d_gbias, &gemm,
                                subject->d_workspace, subject->workspace_bytes, NULL));
    else if (!run_cublas(subject->cublas_mode))
        stop("cublasSgemm fails");
}

static void allocate(void)
{
    d_a = bench_random_floats((int64_t)rows * DEPTH);
    d_b = bench_random_floats((int64_t)DEPTH * COLS);
    d_gy = bench_random_floats((int64_t)rows * COLS);
    d_z = bench_random_floats((int64_t)rows * COLS);
    d_ga = bench_random_floats((int64_t)rows * DEPTH);
    d_gb = bench_random_floats((int64_t)DEPTH * COLS);
    d_gbias = bench_random_floats(COLS);
}

static void time_all(const struct bench_stopwatch *watch, int rounds)
{
    for (int round = -WARM_UP_ROUNDS; round < rounds; round++)
        for (int i = 0; i < subject_count; i++) {
            struct subject *subject = &subjects[(i + round + WARM_UP_ROUNDS) % subject_count];
            bench_start(watch);
            run(subject);
            float time_us = bench_end_us(watch);
            if (round >= 0)
                subject->sample_us[round] = time_us;
        }
    for (int i = 0; i < subject_count; i++)
        subjects[i].time_us = bench_median(subjects[i].sample_us, rounds);
}

/* --- Table ------------------------------------------------------------------------------------ */

/* Of both products. */
static double tflop_per_s(const struct subject *subject)
{
    return 4.0 * rows * COLS * DEPTH / subject->time_us * 1e-6;
}

/* The fastest cuBLAS; NAN when there is none. */
static double peer_us(void)
{
    double best_us = NAN;
    for (int i = 0; i < subject_count; i++)
        if (!subjects[i].backward)
            best_us = fmin(best_us, subjects[i].time_us);
    return best_us;
}

/* The first library's time. */
static double reference_us(void)
{
    for (int i = 0; i < subject_count; i++)
        if (subjects[i].backward)
            return subjects[i].time_us;
    return NAN;
}

static void print_all(int rounds)
{
    printf("\nlesson8_backward, %d x %d x %d\n  should be: the step at least 0.97 of cuBLAS's "
           "two products alone\n",
           rows, COLS, DEPTH);
    printf("  %-34s %10s %8s %9s %12s %12s\n", "", "time ms", "spread", "TFLOP/s", "of cuBLAS",
           "of reference");
    for (int i = 0; i < subject_count; i++) {
        const struct subject *subject = &subjects[i];
        printf("  %-34s %10.4f %7.1f%% %9.2f %12.3f %12.3f\n", subject->from,
               subject->time_us * 1e-3, 100 * bench_spread(subject->sample_us, rounds),
               tflop_per_s(subject), peer_us() / subject->time_us,
               reference_us() / subject->time_us);
    }
}

/* A row for each subject, as the notes read them: lessons/site/bench/backward.csv. */
static void write_csv(const char *path, const char *device)
{
    FILE *file = fopen(path, "w");
    if (!file)
        stop("%s: cannot be written", path);
    fprintf(file, "name,from,device,time_us,tflop_per_s,of_cublas,of_reference\n");
    for (int i = 0; i < subject_count; i++) {
        const struct subject *subject = &subjects[i];
        fprintf(file, "lesson8_backward_%dx%dx%d,%s,%s,%.2f,%.3f,", rows, COLS, DEPTH,
                subject->from, device, subject->time_us, tflop_per_s(subject));
        bench_write_ratio(file, peer_us() / subject->time_us, ',');
        bench_write_ratio(file, reference_us() / subject->time_us, '\n');
    }
    if (fclose(file) != 0)
        stop("%s: cannot be written", path);
}

int main(int argc, char **argv)
{
    struct bench_options options = bench_options_of(argc, argv, 16384);
    if (options.side)
        rows = options.side;
    struct cudaDeviceProp device;
    CHECK(cudaGetDeviceProperties(&device, 0));
    cublas_load();
    if (cublas.handle) {
        add_subject("cublasSgemm_twice");
        struct subject *pedantic = add_subject("cublasSgemm_pedantic_twice");
        pedantic->cublas_mode = CUBLAS_PEDANTIC;
    }
    for (int i = options.libraries; i < argc; i++)
        add_library(argv[i]);
    allocate();
    struct bench_stopwatch watch = bench_stopwatch_new(&device);
    time_all(&watch, options.rounds);
    printf("%s, %d rounds, medians; spread is between the quartiles; ratios are of speeds\n",
           device.name, options.rounds);
    print_all(options.rounds);
    if (options.csv)
        write_csv(options.csv, device.name);
    return 0;
}
