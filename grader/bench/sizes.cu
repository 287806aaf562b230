/* sizes.cu - lesson 2 at sizes that its timed case does not have, on a GPU.
 *
 *     sizes [-r rounds] [-o table.csv] library.so ...
 *
 * Each library defines lesson2_sgemm or lesson2_transpose or both. A product is held to cublasSgemm
 * (in FP32 proper; the faster of its default and its pedantic mode), a transposition to a copy of
 * as many floats, made in the same run: the faster of cudaMemcpyAsync and a plain kernel. Some of
 * the sizes are odd on purpose: rows then begin at any multiple of 4 bytes.
 */
#define BENCH_NAME "sizes"
#include "bench.h"
#include "cublas.h"

#include <math.h>

enum { MOST_SUBJECTS = 12, WARM_UP_ROUNDS = 2 };
static const int64_t MOST_FLOATS = INT64_C(8300) * 8300;

typedef cudaError_t sgemm(const float *, const float *, float *, int, int, int, cudaStream_t);
typedef cudaError_t transpose(const float *, float *, int, int, cudaStream_t);

struct size {
    int m, n, k; /* k is 0: a transposition of m x n */
};

static const struct size SIZES[] = {
    {8192, 8192, 0},      {8191, 8193, 0},      {8193, 8191, 0},    {4096, 1000, 0},
    {10001, 4099, 0},     {512, 512, 512},      {513, 511, 515},    {600, 600, 600},
    {700, 900, 800},      {768, 768, 768},      {896, 896, 896},    {1000, 1000, 1000},
    {1024, 1024, 1024},   {1025, 1023, 1027},   {1152, 1152, 1152}, {1280, 1280, 1280},
    {1408, 1408, 1408},   {1536, 1536, 1536},   {1664, 1664, 1664}, {1920, 1920, 1920},
    {2048, 2048, 2048},   {2049, 2047, 2051},   {2304, 2304, 2304}, {2560, 2560, 2560},
    {3072, 3072, 3072},   {3333, 3333, 3333},   {4096, 4096, 4096}, {4097, 4095, 4099},
    {8192, 8192, 8192},   {512, 4096, 1024},    {4096, 512, 2048},  {512, 512, 8192},
    {8192, 1024, 512},
};
enum { SIZE_COUNT = sizeof SIZES / sizeof *SIZES };

static float *d_in, *d_more, *d_out;

/* --- Subjects --------------------------------------------------------------------------------- */

struct subject {
    const char *from;
    bool is_peer;
    cudaError_t (*run)(const struct subject *subject, const struct size *size);
    void *symbol;
    int mode; /* of cuBLAS */
    float sample_us[BENCH_MOST_ROUNDS];
    double time_us;
};

static struct subject products[MOST_SUBJECTS], transpositions[MOST_SUBJECTS];
static int product_count, transposition_count;

static cudaError_t run_sgemm(const struct subject *subject, const struct size *size)
{
    return ((sgemm *)subject->symbol)(d_in, d_more, d_out, size->m, size->n, size->k, NULL);
}

static cudaError_t run_transpose(const struct subject *subject, const struct size *size)
{
    return ((transpose *)subject->symbol)(d_in, d_out, size->m, size->n, NULL);
}

static cudaError_t run_cublas(const struct subject *subject, const struct size *size)
{
    bool done = cublas_row_major(subject->mode, d_in, d_more, d_out, size->m, size->n, size->k);
    return done ? cudaSuccess : cudaErrorUnknown;
}

static cudaError_t run_memcpy(const struct subject *, const struct size *size)
{
    return cudaMemcpyAsync(d_out, d_in, (size_t)size->m * size->n * sizeof(float),
                           cudaMemcpyDeviceToDevice, NULL);
}

static __global__ void copy_quads(const float4 *in, float4 *out, int64_t quads)
{
    int64_t i = (int64_t)blockIdx.x * BENCH_THREADS + threadIdx.x;
    if (i < quads)
        out[i] = in[i];
}

static cudaError_t run_copy(const struct subject *, const struct size *size)
{
    int64_t quads = (int64_t)size->m * size->n / 4;
    copy_quads<<<(unsigned)((quads + BENCH_THREADS - 1) / BENCH_THREADS), BENCH_THREADS>>>(
        (const float4 *)d_in, (float4 *)d_out, quads);
    return cudaGetLastError();
}

static void add(struct subject *list, int *count, const struct subject &subject)
{
    if (*count == MOST_SUBJECTS)
        stop("more than %d subjects; give fewer libraries", MOST_SUBJECTS);
    list[(*count)++] = subject;
}

static void add_peers(void)
{
    add(transpositions, &transposition_count, {"cudaMemcpyAsync", true, run_memcpy});
    add(transpositions, &transposition_count, {"copy kernel", true, run_copy});
    cublas_load();
    if (!cublas.handle)
        return;
    add(products, &product_count, {"cublasSgemm", true, run_cublas, NULL, CUBLAS_DEFAULT});
    add(products, &product_count,
        {"cublasSgemm_pedantic", true, run_cublas, NULL, CUBLAS_PEDANTIC});
}

static void add_library(const char *path)
{
    void *library = dlopen(path, RTLD_NOW | RTLD_LOCAL);
    if (!library)
        stop("%s", dlerror());
    void *product = dlsym(library, "lesson2_sgemm");
    void *transposition = dlsym(library, "lesson2_transpose");
    if (!product && !transposition)
        stop("%s defines neither lesson2_sgemm nor lesson2_transpose", path);
    if (product)
        add(products, &product_count, {bench_name_of(path), false, run_sgemm, product});
    if (transposition)
        add(transpositions, &transposition_count,
            {bench_name_of(path), false, run_transpose, transposition});
}

/* --- Timing and table ------------------------------------------------------------------------- */

static void time_all(const struct bench_stopwatch *watch, const struct size *size,
                     struct subject *list, int count, int rounds)
{
    for (int round = -WARM_UP_ROUNDS; round < rounds; round++)
        for (int i = 0; i < count; i++) {
            struct subject *subject = &list[(i + round + WARM_UP_ROUNDS) % count];
            bench_start(watch);
            CHECK(subject->run(subject, size));
            float time_us = bench_end_us(watch);
            if (round >= 0)
                subject->sample_us[round] = time_us;
        }
    for (int i = 0; i < count; i++)
        list[i].time_us = bench_median(list[i].sample_us, rounds);
}

static double peer_us(const struct subject *list, int count)
{
    double best_us = NAN;
    for (int i = 0; i < count; i++)
        if (list[i].is_peer)
            best_us = fmin(best_us, list[i].time_us);
    return best_us;
}

static const char *text_of(const struct size *size)
{
    static char text[48];
    if (size->k > 0)
        snprintf(text, sizeof text, "%d x %d x %d", size->m, size->n, size->k);
    else
        snprintf(text, sizeof text, "%d x %d", size->m, size->n);
    return text;
}

static void print(const struct size *size, const struct subject *list, int count, FILE *csv)
{
    double peer = peer_us(list, count);
    for (int i = 0; i < count; i++) {
        const struct subject *subject = &list[i];
        if (subject->is_peer)
            continue;
        printf("  %-20s %-28s %10.2f us %10.2f us %8.3f\n", text_of(size), subject->from, peer,
               subject->time_us, peer / subject->time_us);
        if (csv)
            fprintf(csv, "%s,%s,%.2f,%.2f,%.4f\n", text_of(size), subject->from, peer,
                    subject->time_us, peer / subject->time_us);
    }
}

int main(int argc, char **argv)
{
    struct bench_options options = bench_options_of(argc, argv, 0);
    struct cudaDeviceProp device;
    CHECK(cudaGetDeviceProperties(&device, 0));
    add_peers();
    for (int i = options.libraries; i < argc; i++)
        add_library(argv[i]);
    d_in = bench_random_floats(MOST_FLOATS);
    d_more = bench_random_floats(MOST_FLOATS);
    d_out = bench_random_floats(MOST_FLOATS);
    struct bench_stopwatch watch = bench_stopwatch_new(&device);
    FILE *csv = options.csv ? fopen(options.csv, "w") : NULL;
    if (options.csv && !csv)
        stop("%s: cannot be written", options.csv);
    if (csv)
        fprintf(csv, "size,from,peer_us,time_us,of_peer\n");
    printf("%s, %d rounds, medians; the ratio is of speeds: of cuBLAS (should be 0.92 at least,\n"
           "of the top of the ladder), of the copy (0.80 at least)\n  %-20s %-28s %13s %13s %8s\n",
           device.name, options.rounds, "size", "", "peer", "time", "of peer");
    for (int i = 0; i < SIZE_COUNT; i++) {
        bool is_product = SIZES[i].k > 0;
        struct subject *list = is_product ? products : transpositions;
        int count = is_product ? product_count : transposition_count;
        time_all(&watch, &SIZES[i], list, count, options.rounds);
        print(&SIZES[i], list, count, csv);
    }
    if (csv && fclose(csv) != 0)
        stop("%s: cannot be written", options.csv);
    return 0;
}
