/* profiles.c - the GPU models that can be simulated: one table, every number with its source.
 *
 * Rates marked (m) were measured; the others are the vendor's. DRAM rates are what a copy reaches,
 * since that, and not the data sheet's peak, is the ceiling that a kernel is compared with.
 */
#include "machine.h"

#include <string.h>

#define GIB (UINT64_C(1) << 30)
#define MIB (UINT64_C(1) << 20)
#define KIB 1024u

/* Constants fitted to launches measured on an H200 (make fidelity), each to the row of the bank
 * that its comment names. */
static const struct sim_model FITTED_ON_H200 = {
    .shared_latency = 23,     /* chase_shared */
    .l1_latency = 33,         /* chase_8KiB */
    .constant_latency = 8,    /* constant_by_lane, */
    .constant_cycles = 2,     /* the same */
    .l1_least_cycles = 1,     /* reduce_halves, */
    .l1_line_cycles = 1,      /* row_sums_thread */
    .sector_cycles = 0.42,    /* read_again_from_l1 */
    .local_cycles = 3.2,      /* pair_own_table_before: a word of each lane is in a bank */
    .local_line_cycles = 0.2, /* of its own, so lines only have to be found */
    .spill_cycles = 3.8,      /* spill_some */
    .shared_sizes_kib = {8, 16, 32, 64, 100, 132, 164, 196, 228}, /* the profiler's */
    .shared_each_kib = 4,                                         /* shared_config_bytes */
    .shared_least_kib = 32,
    .l1_least_kib = 16,
    .l2_read = {48, 20},              /* read_again_from_l2, gather_shuffled */
    .l2_write = {100, 32},            /* write_only */
    .l2_write_in_part = {0, 90, 160}, /* chunk_per_thread_8; transpose_naive_write */
    .l2_reduce = {50, 50},            /* add_shuffled */
    .l2_atomic = {80, 60},            /* add_and_fetch */
    .hot_sector_turns = 0.75,         /* a request for one sector takes a turn, one for four takes
                                       * three: pair_weights_before, pair_scale_read_once_before:
                                       * 0.885 ns, where pair_hoist_scalar_before takes 0.295 */
    .barrier_cycles = 2.15,           /* barriers_blocks_of_128: a warp */
    .release_cycles = 18,
    .mbarrier_cycles = 20,
    .device_fence_cycles = 740,   /* fence_device_in_loop */
    .system_fence_cycles = 2160,  /* fence_system_each */
    .atomic_release_cycles = 407, /* where the warp has no stores under way: 3.09 of the cycles
                                       * between two instructions of grid_barriers_132x128, whose
                                       * warps execute 1318 of them, and ten releases */
    .same_warp_cycles = 1.6,      /* fma_8_chains_1_warp */
    .branch_cycles = 7,
    .control_cycles = 2.6, /* eight_ways */
    .guard_cycles = 13,
    /* The next five have been the same since the model began, like the counts of costs.def: all
     * launches together confirm them, no single row does. */
    .exchange_cycles = 24,
    .meeting_cycles = 6,
    .lane_number_cycles = 22, /* S2R */
    .block_number_cycles = 14,
    .clock_cycles = 20,
    .parameter_cycles = 25,            /* LDC.64; no row holds it alone, nor the next */
    .product_cycles = 33,              /* of a matrix */
    .lane_sum_cycles = 14 + 5,         /* as costs.def has popc and add */
    .matrix_place_cycles = 22 + 5 * 5, /* S2R of the lane's number, and five instructions one after
                                        * the other: the machine code of tensor_from_shared */
    .piece_issues = 2,                 /* tensor_from_global */
    .engine_cycles = 120,              /* a guess, not yet measured; several copies hide it */
    .block_cycles = 160,               /* copy_crowded_out: one block at a time */
    .block_cycles_a_warp = 2,          /* scale_4M: the warps of a block end further apart */
    .dispatch_ns = 0.605,              /* empty_64K_blocks */
    .start_ns = 508,                   /* empty takes 1440 ns */
    .last_ends_later_ns = 320, /* where launches fill the device, profiled_ns is 1760 ns more
                                       * than sm_active_cycles, in the median of the bank's */
    .same_line_ns = 0.295,     /* pair_hoist_scalar_before */
    .print_ns = 2090,          /* print_by_block */
    .latency_spread = 0.4,     /* few_blocks_1: four lines; a chase knows the mean alone */
    .dirty_share = 0.4,        /* strided_write_8, */
    .fills_kept_bytes = 7e6,   /* the same */
    .scattered_longer = 0.65,  /* gather_apart */
    .lone_longer = 0.5,        /* strided_write_32 */
    .write_back_ns = 220,      /* scale_64M, scale_16M_two_blocks_each */
    /* The next five: a x + b y of 2^26 elements, by 264 to 65535 blocks of 256 threads that stride
     * through the arrays in words, pairs and quads (grader/simgpu/fidelity/README.md, the eleventh
     * change). */
    .turn_ns = 32,
    .fullest = 0.9,
    .dram_window = 20000,
    .served_unevenly = 0.08,
    .served_evenly_to = 0.97,
    .most_of_dram = 1.03,    /* read_only_64M */
    .open_share = 0.9,       /* a chunk of 16 or 64 floats a thread, written or copied as words, */
    .quad_places = 2,        /* and as quads: how many stores miss in L2, by the lines that are
                              * open (grader/simgpu/fidelity/README.md, the twelfth change) */
    .kept_share = 0.62,      /* gather_float4_shuffled_4M */
    .kept_share_first = 0.1, /* pair_row_reread_before: ld.cs */
    .late_steps = 100,
    .in_step_share = 0.5,
    /* A copy's rates, which kernels come to at best: device/timeline_costs.c (up_pinned_256M,
     * down_pinned_32M). The other two are not measured: the head of a packet and its framing, as
     * PCIe has them; and there and back over PCIe 5.0 is said to take 1 to 1.5 us. */
    .bus_read_bytes_per_ns = 55.3,
    .bus_written_bytes_per_ns = 55.5,
    .bus_head_bytes = 24,
    .bus_ns = 1200,
    .atomic_turn_ns = 0.74, /* keep_by_warp_16M, pair_few_places_before */
    .same_sum_ns = 1.77,    /* add_to_one_256K, pair_atomics_warp_before */
    .atomic_parts = 32,     /* histogram_global_1M */
    .as_wanted = 0.75,
    /* cuBLAS, timed with events and a cold L2: bf16 8192 x 4096 x 4096 386 us, 4096 x 4096 x 1024
     * 52 us, 1 x 4096 x 4096 18 us; fp32 4096^3 2677 us; tf32 342 us. */
    .product_sustained = 0.77, /* power limits the clock */
    .product_read_share = 0.65,
    .product_start_ns = 4000,
    .product_tile_ns = 900,
    .product_gather_ns = 1500,
    .product_turn_ns = 500,
    .vector_start_ns = 2000, /* a guess, as the next: these kernels were not measured */
    .panel_ns = 3000,
};

#define HELD_TO_NONE                                                                         \
    "from published figures, never held to a measurement of this GPU; the timing model was " \
    "fitted to an H200"

static const struct sim_profile PROFILES[] = {
    {
        .key = "h200",
        .name = "simulated NVIDIA H200",
        .compute_major = 9,
        .compute_minor = 0,
        .multiprocessors = 132,
        .schedulers = 4,
        .clock_mhz = 1980,
        .tensor_clock_mhz = 1745, /* (m) mean of all launches of the bank with tensor cores, by the
                                   * profiler's cycles and time; the others run at 1980 */
        .memory_clock_mhz = 3201,
        .memory_bus_bits = 6016,
        .memory_bytes = UINT64_C(150109880320),
        .l2_bytes = 60 * MIB,
        .l1_bytes = 256 * KIB,
        .shared_bytes = 228 * KIB,
        .shared_bytes_block = 227 * KIB,
        .shared_bytes_reserved = 1 * KIB,
        .registers = 65536,
        .warps = 64,
        .blocks = 32,
        .dram_bytes_per_s = 4.256e12, /* (m) y.copy_(x) of 2^28 floats */
        .l2_bytes_per_s = 9.4e12,     /* (m) 16 MiB read eight times over */
        .fp32_lanes = 128,
        .fp64_lanes = 64,
        .int_lanes = 64,
        .sfu_lanes = 16,
        .tensor_f16_flops = 4096,
        .launch_ns = 930,       /* (m) 100 tiny kernels in a graph: 93 us */
        .dram_latency_ns = 330, /* (m) pointer chases */
        .l2_latency_ns = 145,
        .cluster_latency_cycles = 180, /* not measured here, nor is the next: Luo et al., */
        .cluster_bytes = 16,           /* Benchmarking and Dissecting the Nvidia Hopper GPU
                                        * Architecture, arXiv:2402.13499, of an H100 PCIe: 3.3 TB/s
                                        * by clusters of two, 114 multiprocessors at 1755 MHz */
        .tensor_share = 0.93, /* (m) tensor_alone: mma.sync does not quite reach the rate of the
                               * newer warpgroup instructions */
        .model = &FITTED_ON_H200,
        .held_to = "measured on this GPU: make fidelity",
        .source = "cudaGetDeviceProperties and timings of an H200 (driver 580, CUDA 13.0); "
                  "Hopper tuning guide, CUDA programming guide table of compute capabilities",
    },
    {
        .key = "a100",
        .name = "simulated NVIDIA A100-SXM4-40GB",
        .compute_major = 8,
        .compute_minor = 0,
        .multiprocessors = 108,
        .schedulers = 4,
        .clock_mhz = 1410,
        .memory_clock_mhz = 1215,
        .memory_bus_bits = 5120,
        .memory_bytes = 40 * GIB,
        .l2_bytes = 40 * MIB,
        .l1_bytes = 192 * KIB,
        .shared_bytes = 164 * KIB,
        .shared_bytes_block = 163 * KIB,
        .shared_bytes_reserved = 1 * KIB,
        .registers = 65536,
        .warps = 64,
        .blocks = 32,
        .dram_bytes_per_s = 1.555e12 * 0.9,
        .l2_bytes_per_s = 4.0e12,
        .fp32_lanes = 64,
        .fp64_lanes = 32,
        .int_lanes = 64,
        .sfu_lanes = 16,
        .tensor_f16_flops = 2048,
        .launch_ns = 1200,
        .dram_latency_ns = 470,
        .l2_latency_ns = 200,
        .tensor_share = 1,
        .model = &FITTED_ON_H200,
        .held_to = HELD_TO_NONE,
        .source = "NVIDIA A100 datasheet and GA100 whitepaper; copy rate taken as 0.9 of peak",
    },
    {
        .key = "rtx4090",
        .name = "simulated NVIDIA GeForce RTX 4090",
        .compute_major = 8,
        .compute_minor = 9,
        .multiprocessors = 128,
        .schedulers = 4,
        .clock_mhz = 2520,
        .memory_clock_mhz = 10501,
        .memory_bus_bits = 384,
        .memory_bytes = 24 * GIB,
        .l2_bytes = 72 * MIB,
        .l1_bytes = 128 * KIB,
        .shared_bytes = 100 * KIB,
        .shared_bytes_block = 99 * KIB,
        .shared_bytes_reserved = 1 * KIB,
        .registers = 65536,
        .warps = 48,
        .blocks = 24,
        .dram_bytes_per_s = 1.008e12 * 0.92,
        .l2_bytes_per_s = 5.0e12,
        .fp32_lanes = 128,
        .fp64_lanes = 2,
        .int_lanes = 64,
        .sfu_lanes = 16,
        .tensor_f16_flops = 1024,
        .launch_ns = 1300,
        .dram_latency_ns = 550,
        .l2_latency_ns = 250,
        .tensor_share = 1,
        .model = &FITTED_ON_H200,
        .held_to = HELD_TO_NONE,
        .source = "NVIDIA Ada GPU architecture whitepaper; copy rate taken as 0.92 of peak",
    },
    {
        .key = "t4",
        .name = "simulated Tesla T4",
        .compute_major = 7,
        .compute_minor = 5,
        .multiprocessors = 40,
        .schedulers = 4,
        .clock_mhz = 1590,
        .memory_clock_mhz = 5001,
        .memory_bus_bits = 256,
        .memory_bytes = 15 * GIB,
        .l2_bytes = 4 * MIB,
        .l1_bytes = 96 * KIB,
        .shared_bytes = 64 * KIB,
        .shared_bytes_block = 64 * KIB,
        .shared_bytes_reserved = 0,
        .registers = 65536,
        .warps = 32,
        .blocks = 16,
        .dram_bytes_per_s = 3.2e11 * 0.8,
        .l2_bytes_per_s = 1.2e12,
        .fp32_lanes = 64,
        .fp64_lanes = 2,
        .int_lanes = 64,
        .sfu_lanes = 16,
        .tensor_f16_flops = 1024,
        .launch_ns = 1800,
        .dram_latency_ns = 500,
        .l2_latency_ns = 220,
        .tensor_share = 1,
        .model = &FITTED_ON_H200,
        .held_to = HELD_TO_NONE,
        .source = "NVIDIA Turing GPU architecture whitepaper; copy rate taken as 0.8 of peak",
    },
    {.key = NULL},
};

struct sim_profile sim_profile_slice(const struct sim_profile *whole, unsigned multiprocessors)
{
    struct sim_profile slice = *whole;
    double part = (double)multiprocessors / whole->multiprocessors;
    slice.multiprocessors = multiprocessors;
    slice.l2_bytes = (uint64_t)((double)whole->l2_bytes * part);
    slice.l2_bytes_per_s *= part;
    slice.dram_bytes_per_s *= part;
    return slice;
}

const struct sim_profile *sim_profiles(void)
{
    return PROFILES;
}

const struct sim_profile *sim_profile_named(const char *key)
{
    for (const struct sim_profile *profile = PROFILES; profile->key; profile++)
        if (strcmp(profile->key, key) == 0)
            return profile;
    return NULL;
}
