/* graphs.cu - what a graph saves in a small training step, and how much of a copy a step hides.
 *
 *     graphs [-r rounds] [-n columns] [-o table.csv] library.so ...
 *
 * Each library is a submission of lesson 10, built as the grader builds it; the first one is the
 * reference of the others (the solution, as the Makefile gives it). Three tables:
 *
 *     graphs_small   steps of 32 x 64-64-32, one after the other: the kernels are short
 *     graphs_large   steps of 1024 x 4096-256-16, whose batch has 16 MiB. In the same run the
 *                    copies alone are timed, and the kernels alone, as two graphs in turn: like a
 *                    step's, they find two batches in turn, which share the L2 cache. What a step
 *                    takes less than both together, over the shorter of the two, is how much of it
 *                    is hidden.
 *     graphs_tiles   one product in one launch of 64 blocks, and in 64 launches on eight streams
 *
 * A sample is RUNS steps, or products, between two events in one stream. -n gives the large network
 * fewer columns of x than 4096, and a quarter as many rows, to try the program itself.
 */
#define BENCH_NAME "graphs"
#include "bench.h"
#include "contracts/10_graphs.h"
#include "tile_gemm.h"
#include "train_step.h"

#include <dlfcn.h>
#include <math.h>

enum { LARGE_IN = 4096 };
enum { MOST_LIBRARIES = 32, WARM_UP_ROUNDS = 2, SMALL_RUNS = 200, LARGE_RUNS = 60, BATCHES = 4 };

typedef cudaError_t create_function(struct lesson10_step **, const struct quest_training *);
typedef cudaError_t run_function(struct lesson10_step *, const float *, cudaStream_t);
typedef cudaError_t destroy_function(struct lesson10_step *);

struct library {
    const char *from;
    create_function *create;
    run_function *run;
    destroy_function *destroy;
    struct lesson10_step *step;
};
static struct library libraries[MOST_LIBRARIES];
static int library_count;
static cudaStream_t stream;
static FILE *csv;
static const char *device_name;

static void *symbol_of(void *library, const char *path, const char *name)
{
    void *symbol = dlsym(library, name);
    if (!symbol)
        stop("%s does not define %s", path, name);
    return symbol;
}

static void add_library(const char *path)
{
    void *library = dlopen(path, RTLD_NOW | RTLD_LOCAL);
    if (!library)
        stop("%s", dlerror());
    if (library_count == MOST_LIBRARIES)
        stop("more than %d libraries", MOST_LIBRARIES);
    libraries[library_count++] = {
        bench_name_of(path), (create_function *)symbol_of(library, path, "lesson10_create"),
        (run_function *)symbol_of(library, path, "lesson10_run"),
        (destroy_function *)symbol_of(library, path, "lesson10_destroy"), NULL};
}

/* --- Tables ----------------------------------------------------------------------------------- */

/* A ratio is NAN where there is none. */
static void note(const char *name, const char *from, double time_us, double overlap,
                 double of_reference)
{
    printf("%-14s %-34s %10.2f", name, from, time_us);
    isnan(overlap) ? printf(" %8s", "") : printf(" %8.3f", overlap);
    isnan(of_reference) ? printf("\n") : printf(" %13.3f\n", of_reference);
    if (!csv)
        return;
    fprintf(csv, "%s,%s,%s,%.2f,", name, from, device_name, time_us);
    bench_write_ratio(csv, overlap, ',');
    bench_write_ratio(csv, of_reference, '\n');
}

/* --- A network -------------------------------------------------------------------------------- */

enum { PLACES = 2 };

struct network {
    const char *name;
    struct quest_training training;
    int runs;
    float *h_batches, *d_batches[PLACES], *scratch;
    cudaGraphExec_t graphs[PLACES];
};

static void make_network(struct network *network)
{
    struct quest_training *t = &network->training;
    size_t parameters = training_parameters(t), floats = training_batch_floats(t);
    t->p = bench_random_floats((int64_t)parameters);
    t->m = bench_random_floats((int64_t)parameters);
    CHECK(cudaMalloc(&t->v, parameters * sizeof *t->v));
    CHECK(cudaMemset(t->v, 0, parameters * sizeof *t->v));
    CHECK(cudaMalloc(&t->step, sizeof *t->step));
    CHECK(cudaMemset(t->step, 0, sizeof *t->step));
    for (float *&batch : network->d_batches)
        batch = bench_random_floats((int64_t)floats);
    CHECK(cudaMalloc(&network->scratch, training_scratch_floats(t) * sizeof(float)));
    CHECK(cudaHostAlloc(&network->h_batches, BATCHES * floats * sizeof(float), 0));
    for (int i = 0; i < BATCHES; i++)
        CHECK(cudaMemcpy(network->h_batches + i * floats, network->d_batches[0],
                         floats * sizeof(float), cudaMemcpyDeviceToHost));
}

static const float *batch_of(const struct network *network, int run)
{
    return network->h_batches + (size_t)(run % BATCHES) * training_batch_floats(&network->training);
}

/* --- Subjects --------------------------------------------------------------------------------- */

/* One sample of a network's work, queued on the stream. */
struct subject {
    void (*queue)(const struct network *network, void *context);
    void *context;
    float sample_us[BENCH_MOST_ROUNDS];
    double time_us; /* of a run */
};

static void queue_library(const struct network *network, void *context)
{
    const struct library *library = (const struct library *)context;
    for (int run = 0; run < network->runs; run++)
        CHECK(library->run(library->step, batch_of(network, run), stream));
}

static void queue_copies(const struct network *network, void *)
{
    for (int run = 0; run < network->runs; run++)
        CHECK(cudaMemcpyAsync(network->d_batches[run % PLACES], batch_of(network, run),
                              training_batch_floats(&network->training) * sizeof(float),
                              cudaMemcpyHostToDevice, stream));
}

static void queue_graphs(const struct network *network, void *)
{
    for (int run = 0; run < network->runs; run++)
        CHECK(cudaGraphLaunch(network->graphs[run % PLACES], stream));
}

static void make_graphs(struct network *network)
{
    for (int i = 0; i < PLACES; i++) {
        cudaGraph_t recorded;
        CHECK(cudaStreamBeginCapture(stream, cudaStreamCaptureModeRelaxed));
        CHECK(training_launch(&network->training, network->d_batches[i], network->scratch, stream));
        CHECK(cudaStreamEndCapture(stream, &recorded));
        CHECK(cudaGraphInstantiate(&network->graphs[i], recorded, 0));
        CHECK(cudaGraphDestroy(recorded));
    }
}

static float sample_us(const struct network *network, const struct subject *subject,
                       const struct bench_stopwatch *watch)
{
    float time_ms;
    CHECK(cudaEventRecord(watch->start, stream));
    subject->queue(network, subject->context);
    CHECK(cudaEventRecord(watch->end, stream));
    CHECK(cudaStreamSynchronize(stream));
    CHECK(cudaEventElapsedTime(&time_ms, watch->start, watch->end));
    return time_ms * 1e3f;
}

static void time_all(const struct network *network, struct subject *subjects, int count,
                     const struct bench_stopwatch *watch, int rounds)
{
    for (int round = -WARM_UP_ROUNDS; round < rounds; round++)
        for (int i = 0; i < count; i++) {
            struct subject *subject = &subjects[(i + round + WARM_UP_ROUNDS) % count];
            float time_us = sample_us(network, subject, watch);
            if (round >= 0)
                subject->sample_us[round] = time_us;
        }
    for (int i = 0; i < count; i++)
        subjects[i].time_us = bench_median(subjects[i].sample_us, rounds) / network->runs;
}

/* --- Steps ------------------------------------------------------------------------------------ */

enum { COPIES, KERNELS, YARDSTICKS };

static void bench_steps(struct network *network, const struct bench_stopwatch *watch, int rounds)
{
    static struct subject subjects[YARDSTICKS + MOST_LIBRARIES];
    make_network(network);
    make_graphs(network);
    subjects[COPIES] = {queue_copies, NULL};
    subjects[KERNELS] = {queue_graphs, NULL};
    for (int i = 0; i < library_count; i++) {
        CHECK(libraries[i].create(&libraries[i].step, &network->training));
        subjects[YARDSTICKS + i] = {queue_library, &libraries[i]};
    }
    time_all(network, subjects, YARDSTICKS + library_count, watch, rounds);
    double copy_us = subjects[COPIES].time_us, kernels_us = subjects[KERNELS].time_us;
    note(network->name, "copies alone", copy_us, NAN, NAN);
    note(network->name, "kernels alone", kernels_us, NAN, NAN);
    for (int i = 0; i < library_count; i++) {
        double time_us = subjects[YARDSTICKS + i].time_us;
        note(network->name, libraries[i].from, time_us,
             (copy_us + kernels_us - time_us) / fmin(copy_us, kernels_us),
             subjects[YARDSTICKS].time_us / time_us);
        CHECK(libraries[i].destroy(libraries[i].step));
    }
}

/* --- Tiles ------------------------------------------------------------------------------------ */

enum { PRODUCT_SIDE = 1024, TILE_STREAMS = 8, PRODUCT_RUNS = 10 };

struct product {
    float *A, *B, *C;
    cudaStream_t streams[TILE_STREAMS];
    cudaEvent_t forked, joined;
};

static __global__ void __launch_bounds__(TILE_THREADS, TILE_BLOCKS)
    multiply(const float *A, const float *B, float *C, int side)
{
    float sum[TILE_SUM_ROWS][TILE_SUM_COLS];
    tile_gemm(A, B, side, side, side, sum);
#pragma unroll
    for (int r = 0; r < TILE_SUM_ROWS; r++)
#pragma unroll
        for (int c = 0; c < TILE_SUM_COLS; c++)
            C[(int64_t)tile_row(r) * side + tile_col(c)] = sum[r][c];
}

static void queue_whole(const struct network *, void *context)
{
    const struct product *product = (const struct product *)context;
    for (int run = 0; run < PRODUCT_RUNS; run++)
        multiply<<<tile_grid(PRODUCT_SIDE, PRODUCT_SIDE), TILE_THREADS, 0, stream>>>(
            product->A, product->B, product->C, PRODUCT_SIDE);
    CHECK(cudaGetLastError());
}

static void queue_tiles(const struct network *, void *context)
{
    const struct product *product = (const struct product *)context;
    for (int run = 0; run < PRODUCT_RUNS; run++) {
        int tile = 0;
        CHECK(cudaEventRecord(product->forked, stream));
        for (cudaStream_t own : product->streams)
            CHECK(cudaStreamWaitEvent(own, product->forked, 0));
        for (int row = 0; row < PRODUCT_SIDE; row += TILE_ROWS)
            for (int col = 0; col < PRODUCT_SIDE; col += TILE_COLS)
                multiply<<<1, TILE_THREADS, 0, product->streams[tile++ % TILE_STREAMS]>>>(
                    product->A + row * PRODUCT_SIDE, product->B + col,
                    product->C + row * PRODUCT_SIDE + col, PRODUCT_SIDE);
        CHECK(cudaGetLastError());
        for (cudaStream_t own : product->streams) {
            CHECK(cudaEventRecord(product->joined, own));
            CHECK(cudaStreamWaitEvent(stream, product->joined, 0));
        }
    }
}

static void bench_tiles(const struct bench_stopwatch *watch, int rounds)
{
    static struct subject subjects[2];
    struct network network = {"graphs_tiles"};
    struct product product;
    network.runs = PRODUCT_RUNS;
    product.A = bench_random_floats(PRODUCT_SIDE * PRODUCT_SIDE);
    product.B = bench_random_floats(PRODUCT_SIDE * PRODUCT_SIDE);
    product.C = bench_random_floats(PRODUCT_SIDE * PRODUCT_SIDE);
    CHECK(cudaEventCreateWithFlags(&product.forked, cudaEventDisableTiming));
    CHECK(cudaEventCreateWithFlags(&product.joined, cudaEventDisableTiming));
    for (cudaStream_t &own : product.streams)
        CHECK(cudaStreamCreateWithFlags(&own, cudaStreamNonBlocking));
    subjects[0] = {queue_whole, &product};
    subjects[1] = {queue_tiles, &product};
    time_all(&network, subjects, 2, watch, rounds);
    note(network.name, "one launch", subjects[0].time_us, NAN, NAN);
    note(network.name, "64 tiles on 8 streams", subjects[1].time_us, NAN,
         subjects[0].time_us / subjects[1].time_us);
}

static struct network network_of(const char *name, int batch, int in, int hidden, int out, int runs)
{
    struct network network = {name};
    network.training.batch = batch, network.training.in = in;
    network.training.hidden = hidden, network.training.out = out;
    network.training.drop = 0.1f, network.training.lr = 1e-3f;
    network.training.beta1 = 0.9f, network.training.beta2 = 0.999f, network.training.eps = 1e-8f;
    network.runs = runs;
    return network;
}

int main(int argc, char **argv)
{
    struct bench_options options = bench_options_of(argc, argv, LARGE_IN);
    struct cudaDeviceProp device;
    CHECK(cudaGetDeviceProperties(&device, 0));
    device_name = device.name;
    for (int i = options.libraries; i < argc; i++)
        add_library(argv[i]);
    csv = options.csv ? fopen(options.csv, "w") : NULL;
    if (options.csv && !csv)
        stop("%s: cannot be written", options.csv);
    if (csv)
        fprintf(csv, "name,from,device,time_us,overlap,of_reference\n");
    CHECK(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking));
    struct bench_stopwatch watch = bench_stopwatch_new(&device);
    printf("%s, %d rounds, medians, microseconds of a run\n%-14s %-34s %10s %8s %13s\n",
           device.name, options.rounds, "", "", "time us", "overlap", "of reference");
    struct network small = network_of("graphs_small", 32, 64, 64, 32, SMALL_RUNS);
    int in = options.side ? options.side : LARGE_IN;
    struct network large = network_of("graphs_large", (in + 3) / 4, in, 256, 16, LARGE_RUNS);
    bench_steps(&small, &watch, options.rounds);
    bench_steps(&large, &watch, options.rounds);
    bench_tiles(&watch, options.rounds);
    if (csv && fclose(csv) != 0)
        stop("%s: cannot be written", options.csv);
    return 0;
}
