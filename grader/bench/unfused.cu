/* unfused.cu - lesson 6 where rows are no multiples of 16 bytes, against what a patient user of the
 * library can do without its epilogue, on a GPU.
 *
 *     unfused [-r rounds] [-d divisor] [-o table.csv] library.so
 *
 * For each problem and each size of workspace two subjects take turns: the library's best product
 * without bias and activation, which is the fastest of CANDIDATES that it names for that workspace,
 * and after it one pass over Y that adds the bias and applies GELU; and the submission, with a
 * workspace of the same size. It should have 0.95 of the speed of the first, or more. -d divides
 * all sides, to try the program itself. The same problems beside PyTorch are timed by peers.py.
 */
#define BENCH_NAME "unfused"
#include "bench.h"
#include "lt_matmul.h"

#include <cuda_bf16.h>
#include <cuda_fp16.h>
#include <dlfcn.h>

enum { WARM_UP_ROUNDS = 2, CANDIDATES = 24, TRIES = 7, PASS_ELEMENTS = 8 };
static const double SHOULD_BE = 0.95;

struct problem {
    int64_t m, n, k;
};

static const struct problem PROBLEMS[] = {
    {4099, 4099, 4099}, {4096, 4096, 4095}, {1024, 50257, 768}, {512, 768, 50257}};
static const int ROOMS_MIB[] = {0, 32, 64, 256};
enum {
    PROBLEM_COUNT = sizeof PROBLEMS / sizeof *PROBLEMS,
    ROOM_COUNT = sizeof ROOMS_MIB / sizeof *ROOMS_MIB,
    MOST_ROOM_MIB = 256
};

static struct {
    decltype(&lesson6_create) create;
    decltype(&lesson6_gemm) gemm;
    decltype(&lesson6_destroy) destroy;
} ours;

static struct {
    uint16_t *A, *B, *bias, *Y, *Y_unfused;
    char *workspace;
} d;

static cublasLtHandle_t handle;

/* --- The pass --------------------------------------------------------------------------------- */

static __device__ float gelu(float z)
{
    return __fdividef(z, 1 + __expf(-1.5957691f * (z + 0.044715f * z * z * z)));
}

/* In place; Y lies at a multiple of 16 bytes, and all but its end is read and written by 16. */
template <class element>
static __global__ void add_and_activate(element *Y, const element *bias, int64_t count, int64_t n)
{
    int64_t first = ((int64_t)blockIdx.x * blockDim.x + threadIdx.x) * PASS_ELEMENTS;
    int64_t column = first % n;
    union {
        uint4 quad;
        element of[PASS_ELEMENTS];
    } values;
    bool whole = first + PASS_ELEMENTS <= count;
    if (whole)
        values.quad = *(const uint4 *)&Y[first];
#pragma unroll
    for (int i = 0; i < PASS_ELEMENTS; i++) {
        if (first + i >= count)
            break;
        float z = (float)(whole ? values.of[i] : Y[first + i]) + (float)bias[column];
        column = column + 1 == n ? 0 : column + 1;
        values.of[i] = (element)gelu(z);
        if (!whole)
            Y[first + i] = values.of[i];
    }
    if (whole)
        *(uint4 *)&Y[first] = values.quad;
}

static void run_pass(enum lesson6_type type, const struct problem *problem)
{
    int64_t count = problem->m * problem->n;
    int64_t threads = (count + PASS_ELEMENTS - 1) / PASS_ELEMENTS;
    unsigned blocks = (unsigned)((threads + BENCH_THREADS - 1) / BENCH_THREADS);
    if (type == LESSON6_F16)
        add_and_activate<<<blocks, BENCH_THREADS>>>((__half *)d.Y_unfused, (const __half *)d.bias,
                                                    count, problem->n);
    else
        add_and_activate<<<blocks, BENCH_THREADS>>>((__nv_bfloat16 *)d.Y_unfused,
                                                    (const __nv_bfloat16 *)d.bias, count,
                                                    problem->n);
    CHECK(cudaGetLastError());
}

/* --- Subjects --------------------------------------------------------------------------------- */

struct subjects {
    enum lesson6_type type;
    const struct problem *problem;
    size_t room_bytes;
    struct lt_matmul matmul;
    cublasLtMatmulAlgo_t algo;
    struct lesson6_context *context;
};

/* As a linear layer has it: weights by rows of k, so B is transposed. */
static struct quest_gemm gemm_of(const struct problem *problem, bool fused)
{
    struct quest_gemm gemm = {};
    gemm.m = problem->m;
    gemm.n = problem->n;
    gemm.k = problem->k;
    gemm.transpose_b = true;
    gemm.with_bias = fused;
    gemm.activation = fused ? QUEST_ACT_GELU_TANH : QUEST_ACT_NONE;
    return gemm;
}

static cudaError_t run_product(struct subjects *subjects, const cublasLtMatmulAlgo_t *algo)
{
    const struct lt_places at = {d.A, d.B, NULL, d.Y_unfused, d.workspace, subjects->room_bytes};
    return lt_run(handle, &subjects->matmul, algo, &at, NULL);
}

static void run_unfused(struct subjects *subjects)
{
    CHECK(run_product(subjects, &subjects->algo));
    run_pass(subjects->type, subjects->problem);
}

static void run_ours(struct subjects *subjects)
{
    struct quest_gemm gemm = gemm_of(subjects->problem, true);
    CHECK(ours.gemm(subjects->context, subjects->type, d.A, d.B, d.bias, d.Y, &gemm, NULL));
}

/* The fastest of those that the library names, by the median of some runs each. */
static void choose(struct subjects *subjects, const struct bench_stopwatch *watch)
{
    struct quest_gemm gemm = gemm_of(subjects->problem, false);
    const struct lt_promise promise = {subjects->room_bytes, 16, 16, 16};
    cublasLtMatmulHeuristicResult_t results[CANDIDATES];
    int found;
    double best_us = INFINITY;
    CHECK(lt_describe(&subjects->matmul, subjects->type, &gemm, lt_packed(&gemm)));
    CHECK(lt_candidates(handle, &subjects->matmul, &promise, CANDIDATES, results, &found));
    for (int i = 0; i < found; i++) {
        float tries[TRIES];
        bool runs = run_product(subjects, &results[i].algo) == cudaSuccess; /* loads its kernel */
        for (int j = 0; j < TRIES && runs; j++) {
            bench_start(watch);
            CHECK(run_product(subjects, &results[i].algo));
            tries[j] = bench_end_us(watch);
        }
        double time_us = runs ? bench_median(tries, TRIES) : INFINITY;
        if (time_us < best_us)
            subjects->algo = results[i].algo;
        best_us = fmin(time_us, best_us);
    }
}

/* --- Timing ----------------------------------------------------------------------------------- */

struct result {
    double unfused_us, ours_us;
    struct bench_ratio ours_faster;
};

/* A sample is two runs, see cublaslt.cu. */
static float sample_us(const struct bench_stopwatch *watch, struct subjects *subjects, bool is_ours)
{
    float time_us = 0;
    for (int i = 0; i < 2; i++) {
        bench_start(watch);
        if (is_ours)
            run_ours(subjects);
        else
            run_unfused(subjects);
        time_us += bench_end_us(watch) / 2;
    }
    return time_us;
}

static struct result time_both(const struct bench_stopwatch *watch, struct subjects *subjects,
                               int rounds)
{
    static float theirs[BENCH_MOST_ROUNDS], own[BENCH_MOST_ROUNDS];
    struct result result;
    choose(subjects, watch);
    run_ours(subjects); /* it may measure now */
    for (int round = -WARM_UP_ROUNDS; round < rounds; round++) {
        float first = sample_us(watch, subjects, round % 2), second;
        second = sample_us(watch, subjects, !(round % 2));
        if (round >= 0) {
            own[round] = round % 2 ? first : second;
            theirs[round] = round % 2 ? second : first;
        }
    }
    result.ours_faster = bench_ratio_of(theirs, own, rounds);
    result.unfused_us = bench_median(theirs, rounds);
    result.ours_us = bench_median(own, rounds);
    lt_forget(&subjects->matmul);
    return result;
}

/* --- All of them ------------------------------------------------------------------------------ */

static __global__ void narrow(const float *from, uint16_t *to, int64_t count, bool is_f16)
{
    int64_t i = (int64_t)blockIdx.x * blockDim.x + threadIdx.x;
    if (i < count)
        to[i] = is_f16 ? __half_as_ushort(__float2half(from[i]))
                       : __bfloat16_as_ushort(__float2bfloat16(from[i]));
}

static void fill(uint16_t **to, int64_t count, enum lesson6_type type)
{
    float *values = bench_random_floats(count);
    CHECK(cudaMalloc(to, (size_t)count * sizeof **to));
    narrow<<<(unsigned)((count + BENCH_THREADS - 1) / BENCH_THREADS), BENCH_THREADS>>>(
        values, *to, count, type == LESSON6_F16);
    CHECK(cudaGetLastError());
    CHECK(cudaFree(values));
}

static void allocate(const struct problem *problem, enum lesson6_type type)
{
    fill(&d.A, problem->m * problem->k, type);
    fill(&d.B, problem->n * problem->k, type);
    fill(&d.bias, problem->n, type);
    CHECK(cudaMalloc(&d.Y, (size_t)(problem->m * problem->n) * sizeof *d.Y));
    CHECK(cudaMalloc(&d.Y_unfused, (size_t)(problem->m * problem->n) * sizeof *d.Y));
}

static void release(void)
{
    uint16_t *const list[] = {d.A, d.B, d.bias, d.Y, d.Y_unfused};
    for (size_t i = 0; i < sizeof list / sizeof *list; i++)
        CHECK(cudaFree(list[i]));
}

static void time_problem(const struct bench_stopwatch *watch, const struct problem *problem,
                         enum lesson6_type type, int rounds, const char *device, FILE *file)
{
    const char *name = type == LESSON6_F16 ? "f16" : "bf16";
    allocate(problem, type);
    for (int i = 0; i < ROOM_COUNT; i++) {
        struct subjects subjects = {type, problem, (size_t)ROOMS_MIB[i] << 20};
        CHECK(ours.create(&subjects.context, ROOMS_MIB[i] ? d.workspace : NULL,
                          subjects.room_bytes));
        struct result result = time_both(watch, &subjects, rounds);
        CHECK(ours.destroy(subjects.context));
        printf("  %5lld x %5lld x %5lld, %-4s %3d MiB: unfused %10.2f us, ours %10.2f us, %.3f "
               "(%.3f to %.3f) times as fast%s\n",
               (long long)problem->m, (long long)problem->n, (long long)problem->k, name,
               ROOMS_MIB[i], result.unfused_us, result.ours_us, result.ours_faster.median,
               result.ours_faster.low, result.ours_faster.high,
               result.ours_faster.median < SHOULD_BE ? "   TOO SLOW" : "");
        fflush(stdout);
        if (file)
            fprintf(file, "%s_%lldx%lldx%lld_%dMiB,%s,%.2f,%.2f,%.4f,%.4f,%.4f\n", name,
                    (long long)problem->m, (long long)problem->n, (long long)problem->k,
                    ROOMS_MIB[i], device, result.unfused_us, result.ours_us,
                    result.ours_faster.median, result.ours_faster.low, result.ours_faster.high);
    }
    release();
}

static void load_ours(const char *path)
{
    void *library = dlopen(path, RTLD_NOW | RTLD_LOCAL);
    if (!library)
        stop("%s", dlerror());
    ours.create = (decltype(ours.create))dlsym(library, "lesson6_create");
    ours.gemm = (decltype(ours.gemm))dlsym(library, "lesson6_gemm");
    ours.destroy = (decltype(ours.destroy))dlsym(library, "lesson6_destroy");
    if (!ours.create || !ours.gemm || !ours.destroy)
        stop("the library does not define all of lesson 6");
}

struct options {
    int rounds, divisor;
    const char *csv, *library;
};

static struct options options_of(int argc, char **argv)
{
    struct options options = {100, 1, NULL, NULL};
    bool known = true;
    int i = 1;
    for (; i + 1 < argc && argv[i][0] == '-'; i += 2) {
        switch (argv[i][1]) {
        case 'r': options.rounds = atoi(argv[i + 1]); break;
        case 'd': options.divisor = atoi(argv[i + 1]); break;
        case 'o': options.csv = argv[i + 1]; break;
        default: known = false; break;
        }
    }
    options.library = i < argc ? argv[i] : NULL;
    if (!known || !options.library || options.rounds < BENCH_LEAST_ROUNDS ||
        options.rounds > BENCH_MOST_ROUNDS || options.divisor < 1 || options.divisor > 64)
        stop("usage: unfused [-r rounds, %d to %d] [-d divisor, 1 to 64] [-o table.csv] library.so",
             BENCH_LEAST_ROUNDS, BENCH_MOST_ROUNDS);
    return options;
}

int main(int argc, char **argv)
{
    struct options options = options_of(argc, argv);
    struct cudaDeviceProp device;
    CHECK(cudaGetDeviceProperties(&device, 0));
    load_ours(options.library);
    CHECK(lt_error(cublasLtCreate(&handle)));
    CHECK(cudaMalloc(&d.workspace, (size_t)MOST_ROOM_MIB << 20));
    FILE *file = options.csv ? fopen(options.csv, "w") : NULL;
    if (options.csv && !file)
        stop("%s: cannot be written", options.csv);
    if (file)
        fprintf(file, "name,device,unfused_us,ours_us,ours_times_as_fast,ratio_low,ratio_high\n");
    struct bench_stopwatch watch = bench_stopwatch_new(&device);
    printf("%s, cuBLASLt %zu, %d rounds, medians: the library's best product and one pass (should "
           "be at least %.2f times as fast)\n",
           device.name, cublasLtGetVersion(), options.rounds, SHOULD_BE);
    for (int i = 0; i < PROBLEM_COUNT; i++) {
        struct problem problem = PROBLEMS[i];
        problem.m = (problem.m + options.divisor - 1) / options.divisor;
        problem.n = (problem.n + options.divisor - 1) / options.divisor;
        problem.k = (problem.k + options.divisor - 1) / options.divisor;
        time_problem(&watch, &problem, LESSON6_F16, options.rounds, device.name, file);
        time_problem(&watch, &problem, LESSON6_BF16, options.rounds, device.name, file);
    }
    if (file && fclose(file) != 0)
        stop("%s: cannot be written", options.csv);
    return 0;
}
