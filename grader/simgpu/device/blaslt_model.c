/* blaslt_model.c - how long a product would take: a roofline with tiles.
 *
 * The blocks of a grid, one a multiprocessor at a time, each compute a tile of D over their part of
 * k. A tile takes as long as its multiplications at the rate of its units, or as its share of A and
 * B takes from L2, whichever is longer; the last wave is as long as a full one, however few blocks
 * it has. If DRAM needs longer to move every matrix once, that counts. The device's profile (struct
 * sim_model) says how much of the device's peaks it reaches, and what comes on top.
 */
#include "blaslt.h"

#include <math.h>

static double ceil_divide(uint64_t value, uint64_t divisor)
{
    return (double)((value + divisor - 1) / divisor);
}

static double matrix_bytes(const struct matmul_matrix *matrix, uint32_t batches)
{
    return (double)matrix->rows * (double)matrix->columns * matmul_type_bytes(matrix->type) *
           batches;
}

/* The GPUs of data centres, which have units for doubles at all, have tensor cores for them, too,
 * at twice the rate (data sheets of A100 and H200: 19.5 and 67 TFLOP/s). Not measured here. */
static double double_flop_per_cycle(const struct sim_profile *profile)
{
    bool has_tensor_cores = profile->fp64_lanes >= profile->fp32_lanes / 2;
    return profile->fp64_lanes * (has_tensor_cores ? 4 : 2);
}

/* Multiply-adds of two operations each, per nanosecond and multiprocessor. TF32 has half the rate
 * of the 16-bit types, and bytes have twice that rate (data sheets). */
static double flop_per_ns(const struct sim_profile *profile, const struct matmul_problem *problem,
                          const struct algo_family *family)
{
    double flop_per_cycle = family->math == ALGO_FMA      ? 2 * profile->fp32_lanes
                            : family->math == ALGO_DOUBLE ? double_flop_per_cycle(profile)
                                                          : profile->tensor_f16_flops;
    if (family->math == ALGO_TENSOR && problem->compute == MATMUL_COMPUTE_32F_FAST_TF32)
        flop_per_cycle /= 2;
    if (problem->a.type == MATMUL_I8)
        flop_per_cycle *= 2;
    return flop_per_cycle * profile->clock_mhz * 1e-3 * profile->model->product_sustained *
           family->rate;
}

/* One tile over its part of k. */
static double tile_ns(const struct sim_profile *profile, const struct matmul_problem *problem,
                      const struct algo *algo, bool *l2_bound)
{
    const struct algo_tile *tile = algo_tile(algo->tile);
    double k = ceil_divide(matmul_k(problem), algo->splits);
    int parts = matmul_is_complex(problem->a.type) ? 4 : 1; /* products of reals in one of these */
    double flop = 2.0 * tile->rows * tile->columns * k * parts;
    double bytes = (double)(tile->rows + tile->columns) * k * matmul_type_bytes(problem->a.type);
    double l2_bytes_per_ns = profile->l2_bytes_per_s * 1e-9 / profile->multiprocessors;
    double compute_ns = flop / flop_per_ns(profile, problem, algo_family(algo->family));
    double fetch_ns = bytes / l2_bytes_per_ns;
    *l2_bound = fetch_ns > compute_ns;
    return fmax(compute_ns, fetch_ns) + profile->model->product_tile_ns;
}

/* What adding the parts of a split sum costs. */
static double gather_ns(const struct sim_profile *profile, const struct matmul_problem *problem,
                        const struct algo *algo, double *bytes)
{
    double elements = (double)matmul_m(problem) * (double)matmul_n(problem) * problem->batch_count;
    bool as_float =
        algo->reduction == MATMUL_REDUCTION_COMPUTE_TYPE && problem->d.type != MATMUL_F64;
    double part = as_float ? sizeof(float) : matmul_type_bytes(problem->d.type);
    *bytes = 0;
    if (algo->splits == 1)
        return 0;
    *bytes = 2 * elements * part * algo->splits;
    double moving_ns = *bytes / (profile->l2_bytes_per_s * 1e-9);
    return moving_ns + (algo->reduction == MATMUL_REDUCTION_INPLACE
                            ? profile->model->product_turn_ns * algo->splits
                            : profile->launch_ns + profile->model->product_gather_ns);
}

/* What an epilogue in a kernel of its own costs: it reads and writes the product once more. */
static double finish_ns(const struct sim_profile *profile, const struct matmul_problem *problem,
                        const struct algo *algo, double *bytes)
{
    *bytes = 0;
    if (!algo_finishes_apart(algo_family(algo->family), problem))
        return 0;
    *bytes = 2 * matrix_bytes(&problem->d, problem->batch_count);
    return profile->launch_ns + profile->model->product_gather_ns +
           *bytes / (profile->l2_bytes_per_s * 1e-9);
}

static void fill_bytes(const struct matmul_problem *problem, bool reads_c,
                       struct library_estimate *estimate)
{
    uint32_t batches = problem->batch_count;
    double aux = (double)matmul_m(problem) * (double)matmul_n(problem) * batches *
                 (problem->epilogue & (MATMUL_EPILOGUE_RELU | MATMUL_EPILOGUE_DRELU)
                      ? 0.125
                      : matmul_type_bytes(problem->aux_type));
    bool backward = problem->epilogue & (MATMUL_EPILOGUE_DRELU | MATMUL_EPILOGUE_DGELU);
    if (!(problem->epilogue & MATMUL_EPILOGUE_AUX))
        aux = 0;
    estimate->dram_read_bytes =
        matrix_bytes(&problem->a, batches) + matrix_bytes(&problem->b, batches) +
        (reads_c ? matrix_bytes(&problem->c, batches) : 0) + (backward ? aux : 0);
    estimate->dram_write_bytes = matrix_bytes(&problem->d, batches) + (backward ? 0 : aux);
}

struct library_estimate blaslt_estimate(const struct sim_profile *profile,
                                        const struct matmul_problem *problem,
                                        const struct algo *algo)
{
    const struct algo_tile *tile = algo_tile(algo->tile);
    struct library_estimate estimate = {0};
    bool l2_bound;
    double rows = ceil_divide(matmul_m(problem), tile->rows);
    double columns = ceil_divide(matmul_n(problem), tile->columns), gather_bytes, finish_bytes;
    double blocks = rows * columns * problem->batch_count * algo->splits;
    double one_ns = tile_ns(profile, problem, algo, &l2_bound);
    double work_ns = ceil(blocks / profile->multiprocessors) * one_ns;
    fill_bytes(problem, false, &estimate);
    double dram_ns = (estimate.dram_read_bytes + estimate.dram_write_bytes) /
                     (profile->dram_bytes_per_s * 1e-9 * profile->model->product_read_share);
    estimate.blocks = (uint64_t)blocks;
    estimate.waves = blocks / profile->multiprocessors;
    double tail_ns = gather_ns(profile, problem, algo, &gather_bytes) +
                     finish_ns(profile, problem, algo, &finish_bytes);
    estimate.l2_bytes = (double)(tile->rows + tile->columns) * (double)matmul_k(problem) * rows *
                            columns * problem->batch_count * matmul_type_bytes(problem->a.type) +
                        gather_bytes + finish_bytes;
    bool tensor = algo_family(algo->family)->math == ALGO_TENSOR;
    if (tensor)
        estimate.tensor_instructions = rows * columns * problem->batch_count * tile->rows *
                                       tile->columns * (double)matmul_k(problem) / (16 * 8 * 16);
    double start_ns = profile->model->product_start_ns;
    estimate.time_ns = profile->launch_ns + start_ns + fmax(work_ns, dram_ns) + tail_ns;
    estimate.bound = start_ns + tail_ns > fmax(work_ns, dram_ns)      ? "latency"
                     : dram_ns > work_ns                              ? "DRAM"
                     : l2_bound                                       ? "L2"
                     : tensor                                         ? "tensor cores"
                     : algo_family(algo->family)->math == ALGO_DOUBLE ? "FP64"
                                                                      : "FP32";
    return estimate;
}
