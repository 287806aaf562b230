/* bank.h - the bank: kernels of every family the lessons touch, each with the launches that are
 * measured on a real device and modelled on the simulated one (make fidelity).
 *
 * A family is one .cu file: kernels of a few lines, each with a comment that says what it shows,
 * and below them the family's table with a row for each launch. A new launch is a new row, a new
 * kernel a function and a row; a new family is a file and a name in BANK_FAMILIES.
 *
 * Rules for a row: between about 2 us and 3 ms on an H200; at most 0.3 G thread instructions, in
 * a few cases 1 G, so that the simulated device gets through the bank in seconds; results depend
 * on all the work, so that the compiler cannot drop any; no kernel writes what another reads.
 *
 * Read next: elementwise.cu for the kernels, bank.cu for what the program does with them.
 */
#ifndef BANK_H
#define BANK_H

#include <cuda_fp16.h>
#include <cuda_runtime.h>
#include <stdbool.h>
#include <stddef.h>

constexpr int KI = 1 << 10, MI = 1 << 20;

/* Where all rows read and write; device pointers. Inputs are random, zero-mean where a sign makes
 * sense, and the same in every run (data.cu). */
struct bank_data {
    float *x, *y;              /* 64 Mi each, in [-1, 1) */
    float *out;                /* 64 Mi: what rows write; no row reads it */
    float *weights, *momentum; /* 4 Mi each: updated in place by the optimiser rows only */
    float *variance;           /* 4 Mi, positive, likewise */
    __half *half_x, *half_y;   /* 16 Mi each, in [-1, 1) */
    double *double_x;          /* 1 Mi, in [-1, 1) */
    int *in_order;             /* 4 Mi: 0, 1, 2, ... */
    int *nearby;               /* 4 Mi: a permutation that stays within groups of 1024 */
    int *shuffled;             /* 4 Mi: a permutation of all */
    int *zeros;                /* 16 Mi zeros: read only */
    int *counters;             /* 4 Mi, zero at first: targets of atomics; no row reads them */
    float *sums;               /* 1 Ki, likewise */
};

enum bank_cache {
    BANK_COLD, /* nothing of the data is in a cache when the launch starts */
    BANK_WARM, /* the same launch has just run */
};

/* One launch. */
struct bank_row {
    const char *name;   /* of the launch, unique in the bank */
    const char *kernel; /* as written in the row: "(fma_chain<4>)" */
    enum bank_cache cache;
    dim3 grid, block;
    unsigned shared_bytes; /* dynamic, a block */
    const void *function;  /* the kernel, for questions to the runtime */
    void (*launch)(const struct bank_row *row, const struct bank_data *data);
};

struct bank_family {
    const char *name;
    const struct bank_row *rows;
    size_t count;
};

/* A row. What follows the kernel are its arguments, in terms of `data`. A kernel whose name has a
 * comma in it stands in parentheses. */
#define BANK_ROW(name_, cache_, grid_, block_, shared_bytes_, kernel_, ...)                       \
    {                                                                                             \
        name_, #kernel_, cache_, dim3(grid_), dim3(block_), shared_bytes_, (const void *)kernel_, \
            [](const struct bank_row *row, const struct bank_data *data) {                        \
                (void)data;                                                                       \
                kernel_<<<row->grid, row->block, row->shared_bytes>>>(__VA_ARGS__);               \
            }                                                                                     \
    }

/* In the order of the table. The programs `fresh`, `second`, `third`, `fourth` and `fifth` are
 * made of the same parts as `bank`, with other families, and half of the launches of each are set
 * aside (see set_aside.h): `fresh` has launches of the kinds that the model got wrong, the others
 * what learners and others write, by authors who had not read the model. */
#ifdef BANK_FIFTH
#define BANK_FAMILIES(FAMILY) \
    FAMILY(arrays)            \
    FAMILY(axes)              \
    FAMILY(tiles)             \
    FAMILY(stages)            \
    FAMILY(tails)             \
    FAMILY(adders)            \
    FAMILY(nets)              \
    FAMILY(dice)              \
    FAMILY(tables)            \
    FAMILY(lattices)          \
    FAMILY(numbers)           \
    FAMILY(branches)          \
    FAMILY(small)             \
    FAMILY(repairs_memory)    \
    FAMILY(repairs_work)
#elif defined(BANK_FOURTH)
#define BANK_FAMILIES(FAMILY) \
    FAMILY(vectors)           \
    FAMILY(copies)            \
    FAMILY(gemms)             \
    FAMILY(sums)              \
    FAMILY(norms)             \
    FAMILY(chance)            \
    FAMILY(orders)            \
    FAMILY(meshes)            \
    FAMILY(sparse)            \
    FAMILY(rarities)          \
    FAMILY(edits_memory)      \
    FAMILY(edits_work)
#elif defined(BANK_THIRD)
#define BANK_FAMILIES(FAMILY) \
    FAMILY(maps)              \
    FAMILY(flips)             \
    FAMILY(matmuls)           \
    FAMILY(matrices)          \
    FAMILY(folds)             \
    FAMILY(layers)            \
    FAMILY(draws)             \
    FAMILY(scans)             \
    FAMILY(grids)             \
    FAMILY(oddities)          \
    FAMILY(fixes_memory)      \
    FAMILY(fixes_work)
#elif defined(BANK_SECOND)
#define BANK_FAMILIES(FAMILY) \
    FAMILY(streams)           \
    FAMILY(turns)             \
    FAMILY(squares)           \
    FAMILY(totals)            \
    FAMILY(endings)           \
    FAMILY(models)            \
    FAMILY(fields)            \
    FAMILY(searches)          \
    FAMILY(corners)           \
    FAMILY(mends_memory)      \
    FAMILY(mends_work)
#elif defined(BANK_FRESH)
#define BANK_FAMILIES(FAMILY) \
    FAMILY(guards)            \
    FAMILY(spills)            \
    FAMILY(waits)             \
    FAMILY(integers)          \
    FAMILY(calls)             \
    FAMILY(steps)             \
    FAMILY(uneven)            \
    FAMILY(products)          \
    FAMILY(variants)          \
    FAMILY(pairs_memory)      \
    FAMILY(pairs_work)
#else
#define BANK_FAMILIES(FAMILY) \
    FAMILY(launch)            \
    FAMILY(elementwise)       \
    FAMILY(gather)            \
    FAMILY(transpose)         \
    FAMILY(gemm)              \
    FAMILY(arithmetic)        \
    FAMILY(activation)        \
    FAMILY(divergence)        \
    FAMILY(reduction)         \
    FAMILY(atomics)           \
    FAMILY(rows)              \
    FAMILY(latency)           \
    FAMILY(shared)            \
    FAMILY(spaces)            \
    FAMILY(tensor)            \
    FAMILY(fused)             \
    FAMILY(pipelines)
#endif

#define BANK_DECLARE(name) extern const struct bank_family bank_##name;
BANK_FAMILIES(BANK_DECLARE)
#undef BANK_DECLARE

/* At the end of a family's file, after `static const struct bank_row ROWS[]`. */
#define BANK_FAMILY(name) \
    const struct bank_family bank_##name = {#name, ROWS, sizeof ROWS / sizeof *ROWS};

/* What most kernels start with. */
static __device__ __forceinline__ int thread_index(void)
{
    return (int)(blockIdx.x * blockDim.x + threadIdx.x);
}

static __device__ __forceinline__ int thread_count(void)
{
    return (int)(gridDim.x * blockDim.x);
}

/* --- data.cu --------------------------------------------------------------------------------- */

/* Allocate and fill. A CUDA error says why it failed; then nothing is left allocated that
 * cudaDeviceReset would not free. */
cudaError_t bank_data_fill(struct bank_data *data);

/* --- stopwatch.cu ---------------------------------------------------------------------------- */

enum { BANK_REPEATS = 31 };

struct bank_stopwatch {
    cudaEvent_t start, stop;
    float4 *scrub; /* twice the L2 */
    size_t scrub_bytes;
};

struct bank_times {
    double median_ns, least_ns, most_ns;
};

cudaError_t bank_stopwatch_open(struct bank_stopwatch *watch);
/* Time a row, or the stopwatch itself when row is NULL: two events with nothing between. */
cudaError_t bank_stopwatch_time(struct bank_stopwatch *watch, const struct bank_row *row,
                                const struct bank_data *data, struct bank_times *times);
/* The clock that the multiprocessors run at now. */
cudaError_t bank_stopwatch_clock(struct bank_stopwatch *watch, double *clock_mhz);
/* Launch row once, with permission to use the shared memory it asks for. */
cudaError_t bank_run(const struct bank_row *row, const struct bank_data *data);

#endif
