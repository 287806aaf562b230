/* occupancy.c - how many blocks of a kernel a multiprocessor holds at once.
 *
 * Four things run out: warps, blocks, shared memory, registers. Registers are handed out to whole
 * warps, 256 at a time (CUDA occupancy calculator, compute capability 7.0 to 9.0); shared memory
 * in pieces of 128 bytes (1024 of them reserved for the system on 8.0 and later).
 */
#include "machine_internal.h"

enum { REGISTER_UNIT = 256, SHARED_UNIT = 128, UNKNOWN_REGISTERS = 32 };

static unsigned rounded_up(unsigned value, unsigned unit)
{
    return (value + unit - 1) / unit * unit;
}

unsigned sim_occupancy(const struct sim_context *context, const struct function *kernel,
                       unsigned block_threads, uint32_t dynamic_shared_bytes,
                       const char **limited_by)
{
    const struct sim_profile *profile = &context->machine->profile;
    unsigned warps = (block_threads + WARP_LANES - 1) / WARP_LANES;
    unsigned registers = kernel->ptxas_registers ? kernel->ptxas_registers : UNKNOWN_REGISTERS;
    unsigned warp_registers = rounded_up(registers * WARP_LANES, REGISTER_UNIT);
    unsigned shared = rounded_up(
        kernel->shared_bytes + dynamic_shared_bytes + profile->shared_bytes_reserved, SHARED_UNIT);
    /* each of the schedulers has its own part of the registers */
    unsigned by_registers = profile->registers / profile->schedulers / warp_registers *
                            profile->schedulers / (warps ? warps : 1);
    const struct {
        const char *name;
        unsigned blocks;
    } limits[] = {
        {"warps", warps ? profile->warps / warps : profile->blocks},
        {"blocks", profile->blocks},
        {"registers", by_registers},
        {"shared memory", shared ? profile->shared_bytes / shared : profile->blocks},
    };
    unsigned least = 0;
    for (unsigned i = 1; i < sizeof limits / sizeof *limits; i++)
        if (limits[i].blocks < limits[least].blocks)
            least = i;
    if (limited_by)
        *limited_by = limits[least].name;
    return limits[least].blocks;
}
