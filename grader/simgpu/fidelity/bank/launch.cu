/* launch.cu - what a launch costs when its threads have next to nothing to do. */
#include "bank.h"

/* Nothing at all: what is left is the launch itself. */
__global__ void empty(void)
{
}

/* A launch too small to fill the device, up to one that does. */
__global__ void scale_few(const float *x, float *out, int n)
{
    int i = thread_index();
    if (i < n)
        out[i] = 2.0f * x[i];
}

/* One block alone does what the whole device could share. */
__global__ void one_block(const float *x, float *out, int n)
{
    for (int i = (int)threadIdx.x; i < n; i += (int)blockDim.x)
        out[i] = 2.0f * x[i];
}

/* The last blocks to start have the most to do: the tail runs on a nearly empty device. */
__global__ void late_long_blocks(const float *x, float *out, int steps)
{
    int i = thread_index();
    int turns = blockIdx.x + 4 < gridDim.x ? steps : 32 * steps;
    float v = x[i];
    for (int k = 0; k < turns; k++)
        v = v * 0.75f + 0.125f;
    out[i] = v;
}

/* Blocks that fill a multiprocessor each: one block more than there are takes twice as long. */
__global__ void __launch_bounds__(1024) block_each(const float *x, float *out, int steps)
{
    int i = thread_index();
    float v = x[i];
    for (int k = 0; k < steps; k++)
        v = v * 0.75f + 0.125f;
    out[i] = v;
}

static const struct bank_row ROWS[] = {
    BANK_ROW("empty", BANK_WARM, 1, 32, 0, empty),
    BANK_ROW("empty_64K_blocks", BANK_WARM, 64 * KI, 128, 0, empty),
    BANK_ROW("scale_1K", BANK_COLD, 4, 256, 0, scale_few, data->x, data->out, 1 * KI),
    BANK_ROW("scale_16K", BANK_COLD, 64, 256, 0, scale_few, data->x, data->out, 16 * KI),
    BANK_ROW("scale_256K", BANK_COLD, 1 * KI, 256, 0, scale_few, data->x, data->out, 256 * KI),
    BANK_ROW("one_block_256K", BANK_COLD, 1, 1024, 0, one_block, data->x, data->out, 256 * KI),
    BANK_ROW("late_long_blocks", BANK_COLD, 1056, 256, 0, late_long_blocks, data->x, data->out,
             128),
    BANK_ROW("block_each_132", BANK_COLD, 132, 1024, 160 * KI, block_each, data->x, data->out,
             1024),
    BANK_ROW("block_each_133", BANK_COLD, 133, 1024, 160 * KI, block_each, data->x, data->out,
             1024),
};
BANK_FAMILY(launch)
