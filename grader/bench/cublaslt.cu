/* cublaslt.cu - lesson 6 against a plain call of cuBLASLt, on a GPU.
 *
 *     cublaslt [-r rounds] [-n side] [-o table.csv] library.so
 *
 * The library is a submission of lesson 6, built as the grader builds it. For each problem three
 * subjects take turns: cuBLASLt by its own first guess (planned once, aligned, with 32 MiB of
 * workspace: what the plain call of a careful user does), the same without bias and activation, and
 * the submission, which may have measured. Results of the first and the last are compared.
 *
 * Then what a call costs the host, once its problem is known; and how often a second process asks
 * the library after it has loaded what this one saved. Queries are counted here, in front of the
 * library: the submission's calls of cublasLtMatmulAlgoGetHeuristic come by this program.
 *
 * -n gives a smaller side than 4096, to try the program itself. PyTorch's F.linear and
 * _addmm_activation on the same problems are timed by peers.py.
 */
#define BENCH_NAME "cublaslt"
#include "bench.h"
#include "lt_matmul.h"

#include <cuda_bf16.h>
#include <cuda_fp16.h>
#include <dlfcn.h>
#include <math.h>
#include <time.h>
#include <unistd.h>

enum { WARM_UP_ROUNDS = 2, HOST_CALLS = 32, HOST_BATCHES = 101, LARGEST_SIDE = 16384 };
enum { LT_WORKSPACE_BYTES = 32 << 20, OUR_WORKSPACE_BYTES = 256 << 20 };

/* --- Counting --------------------------------------------------------------------------------- */

static int queries;

/* Stands before the library's function of that name: -rdynamic makes it the one that all find. */
extern "C" cublasStatus_t cublasLtMatmulAlgoGetHeuristic(
    cublasLtHandle_t handle, cublasLtMatmulDesc_t operation, cublasLtMatrixLayout_t a,
    cublasLtMatrixLayout_t b, cublasLtMatrixLayout_t c, cublasLtMatrixLayout_t d,
    cublasLtMatmulPreference_t preference, int wanted, cublasLtMatmulHeuristicResult_t results[],
    int *written)
{
    typedef decltype(&cublasLtMatmulAlgoGetHeuristic) function;
    static function next = (function)dlsym(RTLD_NEXT, "cublasLtMatmulAlgoGetHeuristic");
    if (!next)
        stop("%s", dlerror());
    queries++;
    return next(handle, operation, a, b, c, d, preference, wanted, results, written);
}

/* --- The submission --------------------------------------------------------------------------- */

static struct {
    decltype(&lesson6_create) create;
    decltype(&lesson6_gemm) gemm;
    decltype(&lesson6_save) save;
    decltype(&lesson6_load) load;
    decltype(&lesson6_destroy) destroy;
} ours;

static void *symbol_of(void *library, const char *name)
{
    void *symbol = dlsym(library, name);
    if (!symbol)
        stop("the library does not define %s", name);
    return symbol;
}

static void load_ours(const char *path)
{
    void *library = dlopen(path, RTLD_NOW | RTLD_LOCAL);
    if (!library)
        stop("%s", dlerror());
    ours.create = (decltype(ours.create))symbol_of(library, "lesson6_create");
    ours.gemm = (decltype(ours.gemm))symbol_of(library, "lesson6_gemm");
    ours.save = (decltype(ours.save))symbol_of(library, "lesson6_save");
    ours.load = (decltype(ours.load))symbol_of(library, "lesson6_load");
    ours.destroy = (decltype(ours.destroy))symbol_of(library, "lesson6_destroy");
}

/* --- Problems --------------------------------------------------------------------------------- */

static int side = 4096;

struct problem {
    const char *name, *should_be;
    enum lesson6_type type;
    int64_t m, n, k; /* 0 stands for side, -1 for 2 side, -2 for side + 3 */
};

static const char NOT_SLOWER[] = "not slower than F.linear + gelu and _addmm_activation";
static const char PADDED[] = "at least 4 x F.linear";

static const struct problem PROBLEMS[] = {
    {"f16", NOT_SLOWER, LESSON6_F16, 0, 0, 0},     {"bf16", NOT_SLOWER, LESSON6_BF16, 0, 0, 0},
    {"f16", NOT_SLOWER, LESSON6_F16, -1, 0, 0},    {"bf16", NOT_SLOWER, LESSON6_BF16, -1, 0, 0},
    {"f16", NOT_SLOWER, LESSON6_F16, 1, 0, 0},     {"bf16", NOT_SLOWER, LESSON6_BF16, 1, 0, 0},
    {"f16", NOT_SLOWER, LESSON6_F16, 8, 0, 0},     {"bf16", NOT_SLOWER, LESSON6_BF16, 8, 0, 0},
    {"f16", NOT_SLOWER, LESSON6_F16, 64, 0, 0},    {"bf16", NOT_SLOWER, LESSON6_BF16, 64, 0, 0},
    {"f16", PADDED, LESSON6_F16, -2, -2, -2},      {"bf16", PADDED, LESSON6_BF16, -2, -2, -2},
};
enum { PROBLEM_COUNT = sizeof PROBLEMS / sizeof *PROBLEMS };

static int64_t size_of(int64_t size)
{
    return size == 0 ? side : size == -1 ? 2 * (int64_t)side : size == -2 ? side + 3 : size;
}

/* As a linear layer has it: weights by rows of k, so B is transposed. */
static struct quest_gemm gemm_of(const struct problem *problem, bool fused)
{
    struct quest_gemm gemm = {};
    gemm.m = size_of(problem->m);
    gemm.n = size_of(problem->n);
    gemm.k = size_of(problem->k);
    gemm.transpose_b = true;
    gemm.with_bias = fused;
    gemm.activation = fused ? QUEST_ACT_GELU_TANH : QUEST_ACT_NONE;
    return gemm;
}

/* --- Memory ----------------------------------------------------------------------------------- */

static struct {
    uint16_t *A, *B, *bias, *Y, *Y_plain;
    void *workspace, *our_workspace;
} d;

static __global__ void narrow(const float *from, uint16_t *to, int64_t count, bool is_f16)
{
    int64_t i = (int64_t)blockIdx.x * blockDim.x + threadIdx.x;
    if (i < count)
        to[i] = is_f16 ? __half_as_ushort(__float2half(from[i]))
                       : __bfloat16_as_ushort(__float2bfloat16(from[i]));
}

static void fill(uint16_t *to, int64_t count, enum lesson6_type type)
{
    float *values = bench_random_floats(count);
    narrow<<<(unsigned)((count + BENCH_THREADS - 1) / BENCH_THREADS), BENCH_THREADS>>>(
        values, to, count, type == LESSON6_F16);
    CHECK(cudaGetLastError());
    CHECK(cudaFree(values));
}

static void fill_inputs(const struct problem *problem)
{
    struct quest_gemm gemm = gemm_of(problem, true);
    fill(d.A, gemm.m * gemm.k, problem->type);
    fill(d.B, gemm.n * gemm.k, problem->type);
    fill(d.bias, gemm.n, problem->type);
}

static void allocate(void)
{
    int64_t longest = 2 * (int64_t)side, most = longest * (side + 3) * 2;
    if (longest < side + 3)
        longest = side + 3;
    CHECK(cudaMalloc(&d.A, (size_t)most));
    CHECK(cudaMalloc(&d.B, (size_t)most));
    CHECK(cudaMalloc(&d.Y, (size_t)most));
    CHECK(cudaMalloc(&d.Y_plain, (size_t)most));
    CHECK(cudaMalloc(&d.bias, (size_t)longest * 2));
    CHECK(cudaMalloc(&d.workspace, LT_WORKSPACE_BYTES));
    CHECK(cudaMalloc(&d.our_workspace, OUR_WORKSPACE_BYTES));
}

/* --- Subjects --------------------------------------------------------------------------------- */

struct plain {
    struct lt_matmul matmul;
    cublasLtMatmulAlgo_t algo;
};

static cublasLtHandle_t handle;
static struct lesson6_context *context;

static struct plain plan_plain(const struct problem *problem, bool fused)
{
    struct plain plain;
    struct quest_gemm gemm = gemm_of(problem, fused);
    struct lt_pitches pitches = lt_packed(&gemm);
    const struct lt_promise promise = {LT_WORKSPACE_BYTES, 16, 16, 16};
    cublasLtMatmulHeuristicResult_t result;
    int found;
    CHECK(lt_describe(&plain.matmul, problem->type, &gemm, pitches));
    CHECK(lt_candidates(handle, &plain.matmul, &promise, 1, &result, &found));
    plain.algo = result.algo;
    return plain;
}

static void run_plain(struct plain *plain)
{
    const struct lt_places at = {d.A, d.B, d.bias, d.Y_plain, d.workspace, LT_WORKSPACE_BYTES};
    CHECK(lt_run(handle, &plain->matmul, &plain->algo, &at, NULL));
}

static void run_ours(const struct problem *problem)
{
    struct quest_gemm gemm = gemm_of(problem, true);
    CHECK(ours.gemm(context, problem->type, d.A, d.B, d.bias, d.Y, &gemm, NULL));
}

enum subject { LT_ALONE, LT_FUSED, OURS, SUBJECTS };
static const char *const SUBJECT_NAMES[SUBJECTS] = {"cublasLtMatmul", "cublasLtMatmul_bias_gelu",
                                                    "lesson6_gemm_bias_gelu"};

struct result {
    double time_us[SUBJECTS], spread[SUBJECTS];
    struct bench_ratio ours_faster[SUBJECTS];
    double first_ms;             /* our first call, which may load kernels and measure */
    float worst;                 /* |ours - plain| / (|plain| + root mean square) */
};

/* --- Comparing -------------------------------------------------------------------------------- */

static double value_of(uint16_t bits, enum lesson6_type type)
{
    uint32_t wide = (uint32_t)bits << 16;
    float value;
    memcpy(&value, &wide, sizeof value);
    return type == LESSON6_F16 ? (double)__half2float(__ushort_as_half(bits)) : (double)value;
}

/* The largest difference, as a share of the plain result and the root mean square of all. Two that
 * are rounded apart differ by 2^-10 of it in f16, by 2^-7 in bf16. */
static float compare(const struct problem *problem)
{
    size_t count = (size_t)(size_of(problem->m) * size_of(problem->n));
    uint16_t *got = (uint16_t *)malloc(2 * count), *want = (uint16_t *)malloc(2 * count);
    double squares = 0, worst = 0;
    if (!got || !want)
        stop("out of memory");
    CHECK(cudaMemcpy(got, d.Y, 2 * count, cudaMemcpyDeviceToHost));
    CHECK(cudaMemcpy(want, d.Y_plain, 2 * count, cudaMemcpyDeviceToHost));
    for (size_t i = 0; i < count; i++) {
        double value = value_of(want[i], problem->type);
        squares += value * value;
    }
    double mean = sqrt(squares / (double)count);
    for (size_t i = 0; i < count; i++) {
        double a = value_of(got[i], problem->type), b = value_of(want[i], problem->type);
        double share = fabs(a - b) / (fabs(b) + mean);
        worst = share <= worst ? worst : share; /* a NaN is the worst */
    }
    free(got);
    free(want);
    return (float)worst;
}

/* --- Timing ----------------------------------------------------------------------------------- */

static double host_now_us(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec * 1e6 + (double)now.tv_nsec * 1e-3;
}

struct subjects {
    const struct problem *problem;
    struct plain alone, fused;
};

static float run_us(const struct bench_stopwatch *watch, struct subjects *subjects, int subject)
{
    bench_start(watch);
    if (subject == OURS)
        run_ours(subjects->problem);
    else
        run_plain(subject == LT_ALONE ? &subjects->alone : &subjects->fused);
    return bench_end_us(watch);
}

/* A sample is two runs: what is left in the L2 takes turns between two states (seen on an H200), so
 * that single runs of a small problem have two medians, up to 6 % apart. */
static struct result time_problem(const struct bench_stopwatch *watch,
                                  const struct problem *problem, int rounds)
{
    static float samples[SUBJECTS][BENCH_MOST_ROUNDS];
    struct subjects subjects = {problem, plan_plain(problem, false), plan_plain(problem, true)};
    struct result result;
    fill_inputs(problem);
    double start_us = host_now_us();
    run_ours(problem); /* it may measure now */
    CHECK(cudaDeviceSynchronize());
    result.first_ms = (host_now_us() - start_us) * 1e-3;
    for (int round = -WARM_UP_ROUNDS; round < rounds; round++)
        for (int i = 0; i < SUBJECTS; i++) {
            int subject = (i + round + WARM_UP_ROUNDS) % SUBJECTS;
            float first_us = run_us(watch, &subjects, subject);
            float second_us = run_us(watch, &subjects, subject);
            if (round >= 0)
                samples[subject][round] = (first_us + second_us) / 2;
        }
    for (int i = 0; i < SUBJECTS; i++)
        result.ours_faster[i] = bench_ratio_of(samples[i], samples[OURS], rounds);
    for (int i = 0; i < SUBJECTS; i++) {
        result.time_us[i] = bench_median(samples[i], rounds);
        result.spread[i] = bench_spread(samples[i], rounds);
    }
    run_plain(&subjects.fused);
    result.worst = compare(problem);
    lt_forget(&subjects.alone.matmul);
    lt_forget(&subjects.fused.matmul);
    return result;
}

/* --- What the host pays ----------------------------------------------------------------------- */

/* A small problem, so that the queue does not fill. */
static const struct problem SMALL = {"f16", "", LESSON6_F16, 16, 64, 64};

static __global__ void nothing(void)
{
}

enum host_call { HOST_OURS, HOST_NEW, HOST_LT, HOST_GRAPH, HOST_KERNEL, HOST_KINDS };
static const char *const HOST_NAMES[HOST_KINDS] = {
    "lesson6_gemm, of a known problem", "the same, with another Y each time",
    "cublasLtMatmul alone",
    "lesson6_gemm captured once, a graph launch", "an empty kernel"};

static cudaGraphExec_t captured_small(cudaStream_t stream)
{
    struct quest_gemm gemm = gemm_of(&SMALL, true);
    cudaGraph_t graph;
    cudaGraphExec_t exec;
    CHECK(cudaStreamBeginCapture(stream, cudaStreamCaptureModeRelaxed));
    CHECK(ours.gemm(context, SMALL.type, d.A, d.B, d.bias, d.Y, &gemm, stream));
    CHECK(cudaStreamEndCapture(stream, &graph));
    CHECK(cudaGraphInstantiate(&exec, graph, 0));
    CHECK(cudaGraphDestroy(graph));
    return exec;
}

/* The same problem, and a place for the result that no call before has had. */
static void run_ours_elsewhere(void)
{
    static int64_t call;
    struct quest_gemm gemm = gemm_of(&SMALL, true);
    int64_t places = (int64_t)side * side / (gemm.m * gemm.n);
    uint16_t *Y = d.Y + call++ % places * gemm.m * gemm.n;
    CHECK(ours.gemm(context, SMALL.type, d.A, d.B, d.bias, Y, &gemm, NULL));
}

static void call_host(enum host_call kind, struct plain *plain, cudaGraphExec_t exec,
                      cudaStream_t stream)
{
    switch (kind) {
    case HOST_OURS: run_ours(&SMALL); break;
    case HOST_NEW: run_ours_elsewhere(); break;
    case HOST_LT: run_plain(plain); break;
    case HOST_GRAPH: CHECK(cudaGraphLaunch(exec, stream)); break;
    default: nothing<<<1, 32>>>(); break;
    }
}

/* Time of the host for one call of each kind, in us: the median of short batches, each of which
 * starts with an empty queue, so that no call waits for room in it. (On an H200 batches of 8 and of
 * 512 calls gave the same.) The kinds take turns. */
static void host_costs_us(struct plain *plain, cudaGraphExec_t exec, cudaStream_t stream,
                          double costs_us[HOST_KINDS])
{
    static float samples[HOST_KINDS][HOST_BATCHES];
    for (int batch = -1; batch < HOST_BATCHES; batch++)
        for (int kind = 0; kind < HOST_KINDS; kind++) {
            double start_us = host_now_us();
            for (int call = 0; call < HOST_CALLS; call++)
                call_host((enum host_call)kind, plain, exec, stream);
            if (batch >= 0)
                samples[kind][batch] = (float)((host_now_us() - start_us) / HOST_CALLS);
            CHECK(cudaDeviceSynchronize());
        }
    for (int kind = 0; kind < HOST_KINDS; kind++)
        costs_us[kind] = bench_median(samples[kind], HOST_BATCHES);
}

static void print_host_costs(void)
{
    struct plain plain = plan_plain(&SMALL, true);
    double costs_us[HOST_KINDS];
    cudaStream_t stream;
    run_ours(&SMALL);
    CHECK(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking));
    cudaGraphExec_t exec = captured_small(stream);
    host_costs_us(&plain, exec, stream, costs_us);
    printf("\nhost time of a call (lesson6_gemm: at most 5 us, and with new pointers hardly "
           "more than the library's)\n");
    for (int kind = 0; kind < HOST_KINDS; kind++)
        printf("  %-44s %8.2f us\n", HOST_NAMES[kind], costs_us[kind]);
    printf("  %-44s %8.2f us\n", "what lesson6_gemm adds, with another Y",
           costs_us[HOST_NEW] - costs_us[HOST_LT]);
    CHECK(cudaGraphExecDestroy(exec));
    CHECK(cudaStreamDestroy(stream));
    lt_forget(&plain.matmul);
}

/* --- The second process ----------------------------------------------------------------------- */

static int run_all_loaded(const char *path)
{
    CHECK(ours.load(context, path));
    for (int i = 0; i < PROBLEM_COUNT; i++)
        run_ours(&PROBLEMS[i]);
    CHECK(cudaDeviceSynchronize());
    return queries;
}

/* This program once more, as another process: it ends with the number of queries. -1 on failure. */
static int queries_of_second(const char *program, const char *library)
{
    char path[64], command[8192];
    snprintf(path, sizeof path, "/tmp/bench-plans-%ld", (long)getpid());
    CHECK(ours.save(context, path));
    snprintf(command, sizeof command, "'%s' -n %d -l '%s' '%s'", program, side, path, library);
    FILE *second = popen(command, "r");
    int count = -1;
    if (!second || fscanf(second, "%d", &count) != 1)
        count = -1;
    if (second && pclose(second) != 0)
        count = -1;
    unlink(path);
    return count;
}

/* --- Table ------------------------------------------------------------------------------------ */

static double flop_of(const struct problem *problem)
{
    return 2.0 * size_of(problem->m) * size_of(problem->n) * size_of(problem->k);
}

static const float WORST_ALLOWED = 0.02f; /* two roundings apart in bf16 */

static void print_result(const struct problem *problem, const struct result *result)
{
    printf("\n%lld x %lld x %lld, %s\n  should be: %s (see peers.py)\n",
           (long long)size_of(problem->m), (long long)size_of(problem->n),
           (long long)size_of(problem->k), problem->name, problem->should_be);
    printf("  %-28s %12s %8s %9s   %s\n", "", "time us", "spread", "TFLOP/s",
           "ours, times as fast");
    for (int i = 0; i < SUBJECTS; i++) {
        const struct bench_ratio *ratio = &result->ours_faster[i];
        printf("  %-28s %12.2f %7.1f%% %9.2f   %.3f (%.3f to %.3f)\n", SUBJECT_NAMES[i],
               result->time_us[i], 100 * result->spread[i],
               flop_of(problem) / result->time_us[i] * 1e-6, ratio->median, ratio->low,
               ratio->high);
    }
    printf("  largest difference of the results %.2g of what they are%s; our first call took "
           "%.0f ms\n", result->worst, result->worst < WORST_ALLOWED ? "" : "   WRONG",
           result->first_ms);
    fflush(stdout);
}

static void write_row(FILE *file, const struct problem *problem, const struct result *result,
                      const char *device)
{
    for (int i = 0; file && i < SUBJECTS; i++) {
        const struct bench_ratio *ratio = &result->ours_faster[i];
        fprintf(file, "%s_%s_%lldx%lldx%lld,%s,%.2f,%.3f,%.4f,%.4f,%.4f\n", SUBJECT_NAMES[i],
                problem->name, (long long)size_of(problem->m), (long long)size_of(problem->n),
                (long long)size_of(problem->k), device, result->time_us[i],
                flop_of(problem) / result->time_us[i] * 1e-6, ratio->median, ratio->low,
                ratio->high);
    }
}

struct options {
    int rounds;
    const char *csv, *load, *library;
};

static struct options options_of(int argc, char **argv)
{
    struct options options = {100, NULL, NULL, NULL};
    bool known = true;
    int i = 1;
    for (; i + 1 < argc && argv[i][0] == '-'; i += 2) {
        const char *value = argv[i + 1];
        switch (argv[i][1]) {
        case 'r': options.rounds = atoi(value); break;
        case 'n': side = atoi(value); break;
        case 'o': options.csv = value; break;
        case 'l': options.load = value; break;
        default: known = false; break;
        }
    }
    options.library = i < argc ? argv[i] : NULL;
    if (!known || !options.library || options.rounds < BENCH_LEAST_ROUNDS || side < 8 ||
        options.rounds > BENCH_MOST_ROUNDS || side > LARGEST_SIDE)
        stop("usage: cublaslt [-r rounds, %d to %d] [-n side, 8 to %d] [-o table.csv] library.so",
             BENCH_LEAST_ROUNDS, BENCH_MOST_ROUNDS, LARGEST_SIDE);
    return options;
}

static void time_all(const struct options *options, const char *device,
                     const struct bench_stopwatch *watch)
{
    FILE *file = options->csv ? fopen(options->csv, "w") : NULL;
    if (options->csv && !file)
        stop("%s: cannot be written", options->csv);
    if (file)
        fprintf(file, "name,device,time_us,tflop_per_s,ours_times_as_fast,"
                      "ratio_low,ratio_high\n");
    printf("%s, cuBLASLt %zu, %d rounds, medians; between the quartiles lie the spread and, in "
           "brackets, the ratios of the rounds\n", device, cublasLtGetVersion(), options->rounds);
    for (int i = 0; i < PROBLEM_COUNT; i++) {
        struct result result = time_problem(watch, &PROBLEMS[i], options->rounds);
        print_result(&PROBLEMS[i], &result);
        write_row(file, &PROBLEMS[i], &result, device);
    }
    if (file && fclose(file) != 0)
        stop("%s: cannot be written", options->csv);
}

int main(int argc, char **argv)
{
    struct options options = options_of(argc, argv);
    struct cudaDeviceProp device;
    CHECK(cudaGetDeviceProperties(&device, 0));
    load_ours(options.library);
    CHECK(lt_error(cublasLtCreate(&handle)));
    allocate();
    CHECK(ours.create(&context, d.our_workspace, OUR_WORKSPACE_BYTES));
    if (options.load) {
        printf("%d\n", run_all_loaded(options.load));
        return 0;
    }
    struct bench_stopwatch watch = bench_stopwatch_new(&device);
    time_all(&options, device.name, &watch);
    print_host_costs();
    int second = queries_of_second(argv[0], options.library);
    if (second < 0)
        stop("the second process did not run");
    printf("heuristic queries: %d in this process; %d in a second one that loaded its plans "
           "(should be 0)\n", queries, second);
    return 0;
}
