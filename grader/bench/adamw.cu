/* adamw.cu - how near a step of AdamW over the tensors of GPT-2 (small) comes to the copy rate.
 *
 *     adamw [-r rounds] [-n width] [-o table.csv] library.so ...
 *
 * Each library is a submission of lesson 9, built as the grader builds it. The yardsticks move as
 * many bytes in the same run, all of them in one piece: cudaMemcpyAsync, a plain copy kernel, and a
 * kernel that reads four arrays and writes three of them, as AdamW does, without a list and almost
 * without arithmetic. The first library is the reference of the others (the solution, as the
 * Makefile gives it): the last column is what the grader holds against the lesson's bar. What
 * PyTorch takes for the same tensors is timed by peers.py.
 *
 * A step is 28 bytes a parameter, several times the L2, and moves its own state on: p, m and v are
 * those that the sample before it left. The network is 768 wide; -n gives a smaller one, to try the
 * program itself.
 */
#define BENCH_NAME "adamw"
#include "bench.h"
#include "contracts/09_adamw.h"

#include <dlfcn.h>
#include <math.h>

enum { MOST_SUBJECTS = 64, WARM_UP_ROUNDS = 2 };
enum { TABLES = 2, LAYERS = 12, OF_LAYER = 12, TENSORS = TABLES + LAYERS * OF_LAYER + 2 };
enum { WORDS = 50257, PLACES = 1024, WIDTH = 768, LINE = 64 };
static const double BYTES = 28; /* of a parameter */

/* --- The network ------------------------------------------------------------------------------ */

static struct quest_adamw_tensor tensors[TENSORS];
static int64_t width = WIDTH, parameters, room; /* room: of each array, with its gaps */
static float *d_p, *d_g, *d_m, *d_v, *d_in, *d_out;
static uint64_t *d_step;
static void *d_workspace;

static int64_t size_of(int i)
{
    const int64_t w = width, layer[OF_LAYER] = {w, w, 3 * w * w, 3 * w, w * w,     w,
                                                w, w, 4 * w * w, 4 * w, 4 * w * w, w};
    if (i < TABLES)
        return w * (i == 0 ? WORDS : PLACES);
    return i < TABLES + LAYERS * OF_LAYER ? layer[(i - TABLES) % OF_LAYER] : w;
}

static __global__ void make_positive(float *values, int64_t count)
{
    int64_t i = (int64_t)blockIdx.x * BENCH_THREADS + threadIdx.x;
    if (i < count)
        values[i] = fabsf(values[i]);
}

static unsigned blocks_for(int64_t threads)
{
    return (unsigned)((threads + BENCH_THREADS - 1) / BENCH_THREADS);
}

/* Each tensor begins at a multiple of 256 bytes, as an allocation does. */
static void make_network(void)
{
    int64_t at[TENSORS];
    for (int i = 0; i < TENSORS; i++) {
        at[i] = room;
        tensors[i].n = size_of(i);
        parameters += tensors[i].n;
        room += (tensors[i].n + LINE - 1) / LINE * LINE;
    }
    d_p = bench_random_floats(room), d_g = bench_random_floats(room);
    d_m = bench_random_floats(room), d_v = bench_random_floats(room);
    make_positive<<<blocks_for(room), BENCH_THREADS>>>(d_v, room);
    CHECK(cudaGetLastError());
    for (int i = 0; i < TENSORS; i++) {
        tensors[i].p = d_p + at[i], tensors[i].g = d_g + at[i];
        tensors[i].m = d_m + at[i], tensors[i].v = d_v + at[i];
    }
}

static int64_t copied_bytes(void)
{
    int64_t bytes = (int64_t)(BYTES / 2 * (double)parameters);
    return bytes / (int64_t)(sizeof(float4) * BENCH_THREADS) * (int64_t)sizeof(float4) *
           BENCH_THREADS;
}

static void allocate(void)
{
    make_network();
    d_in = bench_random_floats(copied_bytes() / (int64_t)sizeof(float));
    d_out = bench_random_floats(copied_bytes() / (int64_t)sizeof(float));
    CHECK(cudaMalloc(&d_step, sizeof *d_step));
    CHECK(cudaMemset(d_step, 1, sizeof *d_step));
    CHECK(cudaMalloc(&d_workspace, LESSON9_WORKSPACE_BYTES));
}

/* --- What is timed ---------------------------------------------------------------------------- */

typedef cudaError_t adamw(const struct quest_adamw_tensor *, int, const struct quest_adamw *,
                          const uint64_t *, void *, cudaStream_t);

static cudaError_t run_adamw(void *symbol)
{
    const struct quest_adamw hyper = {0.001f, 0.9f, 0.999f, 1e-8f, 0.01f, 0.96f, 1000};
    return ((adamw *)symbol)(tensors, TENSORS, &hyper, d_step, d_workspace, NULL);
}

static cudaError_t run_memcpy(void *)
{
    return cudaMemcpyAsync(d_out, d_in, (size_t)copied_bytes(), cudaMemcpyDeviceToDevice, NULL);
}

static __global__ void copy_quads(const float4 *in, float4 *out)
{
    int64_t i = (int64_t)blockIdx.x * BENCH_THREADS + threadIdx.x;
    out[i] = in[i];
}

static cudaError_t run_copy_kernel(void *)
{
    copy_quads<<<blocks_for(copied_bytes() / (int64_t)sizeof(float4)), BENCH_THREADS>>>(
        (const float4 *)d_in, (float4 *)d_out);
    return cudaGetLastError();
}

/* Of p, g, m and v three are written: each is a little of itself and of the gradient. */
static __global__ void move_quads(float4 *p, const float4 *g, float4 *m, float4 *v, int64_t quads)
{
    int64_t i = (int64_t)blockIdx.x * BENCH_THREADS + threadIdx.x;
    if (i >= quads)
        return;
    float4 a = p[i], b = g[i], c = m[i], d = v[i];
    p[i] = make_float4(a.x + b.x, a.y + b.y, a.z + b.z, a.w + b.w);
    m[i] = make_float4(c.x - b.x, c.y - b.y, c.z - b.z, c.w - b.w);
    v[i] = make_float4(d.x * 0.5f, d.y * 0.5f, d.z * 0.5f, d.w * 0.5f);
}

static cudaError_t run_move_kernel(void *)
{
    int64_t quads = parameters / 4;
    move_quads<<<blocks_for(quads), BENCH_THREADS>>>((float4 *)d_p, (const float4 *)d_g,
                                                     (float4 *)d_m, (float4 *)d_v, quads);
    return cudaGetLastError();
}

struct subject {
    const char *name, *from;
    cudaError_t (*run)(void *symbol);
    void *symbol;
    double time_us;
    float sample_us[BENCH_MOST_ROUNDS];
};

enum { MEMCPY, COPY, MOVE, YARDSTICKS };
static struct subject subjects[MOST_SUBJECTS] = {
    {"cudaMemcpyAsync", "-", run_memcpy},
    {"copy kernel", "-", run_copy_kernel},
    {"4 read, 3 written", "-", run_move_kernel},
};
static int subject_count = YARDSTICKS;

static void add_library(const char *path)
{
    void *library = dlopen(path, RTLD_NOW | RTLD_LOCAL);
    if (!library)
        stop("%s", dlerror());
    if (subject_count == MOST_SUBJECTS)
        stop("more than %d libraries", MOST_SUBJECTS - YARDSTICKS);
    struct subject *subject = &subjects[subject_count++];
    *subject = {"lesson9_adamw", bench_name_of(path), run_adamw, dlsym(library, "lesson9_adamw")};
    if (!subject->symbol)
        stop("%s does not define lesson9_adamw", path);
}

static void time_all(const struct bench_stopwatch *watch, int rounds)
{
    for (int round = -WARM_UP_ROUNDS; round < rounds; round++)
        for (int i = 0; i < subject_count; i++) {
            struct subject *subject = &subjects[(i + round + WARM_UP_ROUNDS) % subject_count];
            bench_start(watch);
            CHECK(subject->run(subject->symbol));
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
    return BYTES * (double)parameters / subject->time_us * 1e-3;
}

static double of_copy(const struct subject *subject)
{
    return fmin(subjects[MEMCPY].time_us, subjects[COPY].time_us) / subject->time_us;
}

static double of_reference(const struct subject *subject)
{
    return subjects[YARDSTICKS].time_us / subject->time_us;
}

static void print_all(int rounds)
{
    printf("%-18s %-32s %10s %8s %9s %8s %13s\n", "launcher", "from", "time us", "spread", "GB/s",
           "of copy", "of reference");
    for (int i = 0; i < subject_count; i++) {
        const struct subject *subject = &subjects[i];
        printf("%-18s %-32s %10.2f %7.1f%% %9.0f %8.3f %13.3f\n", subject->name, subject->from,
               subject->time_us, 100 * bench_spread(subject->sample_us, rounds),
               rate_gb_s(subject), of_copy(subject), of_reference(subject));
    }
}

/* A row for each subject, as the notes read them: lessons/site/bench/adamw.csv. */
static void write_csv(const char *path, const char *device)
{
    FILE *file = fopen(path, "w");
    if (!file)
        stop("%s: cannot be written", path);
    fprintf(file, "name,from,device,time_us,gbytes_per_s,of_copy,of_reference\n");
    for (int i = 0; i < subject_count; i++)
        fprintf(file, "%s,%s,%s,%.2f,%.1f,%.4f,%.4f\n", subjects[i].name, subjects[i].from, device,
                subjects[i].time_us, rate_gb_s(&subjects[i]), of_copy(&subjects[i]),
                of_reference(&subjects[i]));
    if (fclose(file) != 0)
        stop("%s: cannot be written", path);
}

int main(int argc, char **argv)
{
    struct bench_options options = bench_options_of(argc, argv, WIDTH);
    struct cudaDeviceProp device;
    CHECK(cudaGetDeviceProperties(&device, 0));
    width = options.side ? options.side : WIDTH;
    for (int i = options.libraries; i < argc; i++)
        add_library(argv[i]);
    allocate();
    struct bench_stopwatch watch = bench_stopwatch_new(&device);
    time_all(&watch, options.rounds);
    printf("%s, %d rounds, medians; spread is between the quartiles; %lld parameters in %d "
           "tensors, 28 bytes each\n",
           device.name, options.rounds, (long long)parameters, (int)TENSORS);
    print_all(options.rounds);
    if (options.csv)
        write_csv(options.csv, device.name);
    return 0;
}
