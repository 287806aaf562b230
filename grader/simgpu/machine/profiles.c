/* profiles.c - the GPU models that can be simulated: one table, every number with its source.
 *
 * Rates marked (m) were measured; the others are the vendor's. DRAM rates are what a copy
 * reaches, since that is the ceiling a kernel is held to, not the datasheet's peak.
 */
#include "machine.h"

#include <string.h>

#define GIB (UINT64_C(1) << 30)
#define MIB (UINT64_C(1) << 20)
#define KIB 1024u

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
        .l2_bytes_per_s = 9.4e12, /* (m) 16 MiB read eight times over */
        .fp32_lanes = 128,
        .fp64_lanes = 64,
        .int_lanes = 64,
        .sfu_lanes = 16,
        .tensor_f16_flops = 4096,
        .launch_ns = 930, /* (m) 100 tiny kernels in a graph: 93 us */
        .dram_latency_ns = 330, /* (m) pointer chases */
        .l2_latency_ns = 145,
        .cluster_latency_cycles = 180, /* not measured here, nor is the next: Luo et al., */
        .cluster_bytes = 16,           /* Benchmarking and Dissecting the Nvidia Hopper GPU
                                        * Architecture, arXiv:2402.13499, of an H100 PCIe: 3.3 TB/s
                                        * by clusters of two, 114 multiprocessors at 1755 MHz */
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
        .source = "NVIDIA Turing GPU architecture whitepaper; copy rate taken as 0.8 of peak",
    },
    {.key = NULL},
};

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
