/* small.cu - launches that leave the device half empty, or bind its blocks together: tiny grids,
 * low occupancy, fences, flags, locks, cooperative kernels, late blocks. */
#include "../bank.h"

#include <cooperative_groups.h>

namespace cg = cooperative_groups;

/* An optimiser's step on a little tensor. */
__global__ void step_of_few(const float *w, const float *g, float *out, float rate, int n)
{
    int i = thread_index();
    if (i < n)
        out[i] = w[i] - rate * g[i] / (sqrtf(g[i] * g[i]) + 1e-8f);
}

/* One thread does it all, as in a first program. */
__global__ void serial_sum(const float *x, float *out, int n)
{
    float sum = 0;
    for (int i = 0; i < n; i++)
        sum += x[i];
    *out = sum;
}

/* One block adds up everything. */
__global__ void one_block_sum(const float4 *x, float *out, int quads)
{
    __shared__ float s[1024];
    float sum = 0;
    for (int i = threadIdx.x; i < quads; i += blockDim.x)
        sum += x[i].x + x[i].y + x[i].z + x[i].w;
    s[threadIdx.x] = sum;
    for (int half = blockDim.x / 2; half; half /= 2) {
        __syncthreads();
        if (threadIdx.x < half)
            s[threadIdx.x] += s[threadIdx.x + half];
    }
    if (threadIdx.x == 0)
        *out = s[0];
}

/* A streaming kernel that asks for so much shared memory that few blocks fit. */
__global__ void with_room(const float *x, float *out, int each)
{
    extern __shared__ float s_room[];
    int t = threadIdx.x;
    for (int k = 0; k < each; k++) {
        int i = (blockIdx.x * each + k) * blockDim.x + t;
        s_room[t] = x[i];
        __syncthreads();
        out[i] = s_room[blockDim.x - 1 - t];
        __syncthreads();
    }
}

/* Loads that wait for each other, in a few warps. */
__global__ void followed(const int *next, int *out, int hops)
{
    int at = thread_index() * 97;
    for (int k = 0; k < hops; k++)
        at = next[at & 0x3fffff];
    out[thread_index()] = at;
}

/* A partial sum is published, and the last block adds them up. */
__global__ void last_block_adds(const float *x, volatile float *parts, int *ticket, float *out,
                                int n)
{
    __shared__ float s[256];
    __shared__ bool is_last;
    float sum = 0;
    for (int i = thread_index(); i < n; i += thread_count())
        sum += x[i];
    s[threadIdx.x] = sum;
    for (int half = 128; half; half /= 2) {
        __syncthreads();
        if (threadIdx.x < half)
            s[threadIdx.x] += s[threadIdx.x + half];
    }
    if (threadIdx.x == 0) {
        parts[blockIdx.x] = s[0];
        __threadfence();
        is_last = atomicInc((unsigned *)ticket, gridDim.x - 1) == gridDim.x - 1;
    }
    __syncthreads();
    if (is_last && threadIdx.x < 32) {
        __threadfence();
        sum = 0;
        for (int i = threadIdx.x; i < gridDim.x; i += 32)
            sum += parts[i];
        for (int offset = 16; offset; offset /= 2)
            sum += __shfl_down_sync(~0u, sum, offset);
        if (threadIdx.x == 0)
            *out = sum;
    }
}

/* A fence after every store, of the block or of the device. */
template <bool DEVICE> __global__ void stored_and_fenced(const float *x, float *out, int each)
{
    int i = thread_index();
    for (int k = 0; k < each; k++) {
        out[k * thread_count() + i] = x[k * thread_count() + i] + 1;
        if (DEVICE)
            __threadfence();
        else
            __threadfence_block();
    }
}

/* Sweeps of a smoothing step with the whole grid in step. */
__global__ void smoothed_in_step(const float *x, float *a, float *b, int n, int sweeps)
{
    cg::grid_group grid = cg::this_grid();
    for (int i = thread_index(); i < n; i += thread_count())
        a[i] = x[i];
    for (int s = 0; s < sweeps; s++) {
        grid.sync();
        for (int i = thread_index(); i < n; i += thread_count())
            b[i] = 0.5f * a[i] + 0.25f * (a[i ? i - 1 : 0] + a[i < n - 1 ? i + 1 : i]);
        float *swap = a;
        a = b;
        b = swap;
    }
}

/* A norm and the scaling by it in one cooperative kernel. */
__global__ void normalised_in_one(const float *x, float *parts, float *out, int n)
{
    __shared__ float s[8];
    cg::grid_group grid = cg::this_grid();
    float sum = 0;
    for (int i = thread_index(); i < n; i += thread_count())
        sum += x[i] * x[i];
    for (int offset = 16; offset; offset /= 2)
        sum += __shfl_xor_sync(~0u, sum, offset);
    if (threadIdx.x % 32 == 0)
        s[threadIdx.x / 32] = sum;
    __syncthreads();
    if (threadIdx.x == 0)
        parts[blockIdx.x] = s[0] + s[1] + s[2] + s[3] + s[4] + s[5] + s[6] + s[7];
    grid.sync();
    sum = 0;
    for (int i = 0; i < gridDim.x; i++)
        sum += parts[i];
    float scale = rsqrtf(sum);
    for (int i = thread_index(); i < n; i += thread_count())
        out[i] = x[i] * scale;
}

/* Nothing but barriers of the grid. */
__global__ void grid_barriers(float *out, int turns)
{
    cg::grid_group grid = cg::this_grid();
    for (int k = 0; k < turns; k++)
        grid.sync();
    out[thread_index()] = turns;
}

/* Blocks draw rows of work from a counter until none is left. The counter is wound back by the last
 * block to leave. */
__global__ void rows_drawn(const float *x, float *out, int *counter, int rows)
{
    __shared__ int s_row;
    for (;;) {
        if (threadIdx.x == 0)
            s_row = atomicAdd(&counter[0], 1);
        __syncthreads();
        int row = s_row;
        __syncthreads();
        if (row >= rows)
            break;
        float v = x[row * 256 + threadIdx.x];
        for (int k = 0; k < (row & 63); k++)
            v = v * 0.9f + 0.05f;
        out[row * 256 + threadIdx.x] = v;
    }
    if (threadIdx.x == 0 && atomicAdd(&counter[1], 1) == gridDim.x - 1) {
        atomicExch(&counter[0], 0);
        atomicExch(&counter[1], 0);
    }
}

/* The last block has much more to do than the others. */
__global__ void heavy_last(const float *x, float *out, int turns)
{
    int i = thread_index();
    float v = x[i];
    for (int k = 0; k < (blockIdx.x == gridDim.x - 1 ? turns : 8); k++)
        v = v * 0.9f + 0.05f;
    out[i] = v;
}

#define SMALL(name, ...) BANK_ROW(name, BANK_COLD, __VA_ARGS__)

/* A row that is launched with the right to synchronise its grid. */
#define TOGETHER(name_, grid_, block_, kernel_, ...)                                               \
    {                                                                                              \
        name_, #kernel_, BANK_COLD, dim3(grid_), dim3(block_), 0, (const void *)kernel_,           \
            [](const struct bank_row *row, const struct bank_data *data) {                         \
                cudaLaunchConfig_t config = {};                                                    \
                cudaLaunchAttribute attribute = {};                                                \
                attribute.id = cudaLaunchAttributeCooperative;                                     \
                attribute.val.cooperative = 1;                                                     \
                config.gridDim = row->grid;                                                        \
                config.blockDim = row->block;                                                      \
                config.attrs = &attribute;                                                         \
                config.numAttrs = 1;                                                               \
                cudaLaunchKernelEx(&config, kernel_, __VA_ARGS__);                                 \
            }                                                                                      \
    }

static const struct bank_row ROWS[] = {
    SMALL("step_of_few_1000", 4, 256, 0, step_of_few, data->x, data->y, data->out, 0.01f, 1000),
    SMALL("step_of_few_50000", 196, 256, 0, step_of_few, data->x, data->y, data->out, 0.01f, 50000),
    BANK_ROW("step_of_few_768_again", BANK_WARM, 3, 256, 0, step_of_few, data->x, data->y,
             data->out, 0.01f, 768),
    SMALL("serial_sum_2000", 1, 1, 0, serial_sum, data->x, data->out, 2000),
    SMALL("one_block_sum_1M", 1, KI, 0, one_block_sum, (const float4 *)data->x, data->out,
          256 * KI),
    SMALL("one_block_sum_4096", 1, 128, 0, one_block_sum, (const float4 *)data->x, data->out, KI),
    SMALL("with_room_of_100_KiB", 528, 128, 100 * KI, with_room, data->x, data->out, 32),
    SMALL("with_room_of_20_KiB", 2 * KI, 64, 20 * KI, with_room, data->x, data->out, 32),
    SMALL("followed_by_one_warp", 1, 32, 0, followed, data->shuffled, (int *)data->out, 40),
    SMALL("followed_by_264_warps", 132, 64, 0, followed, data->shuffled, (int *)data->out, 40),
    SMALL("last_block_adds_4M", 264, 256, 0, last_block_adds, data->x, data->out, data->counters,
          data->out + MI, 4 * MI),
    SMALL("last_block_adds_64K", 32, 256, 0, last_block_adds, data->x, data->out, data->counters,
          data->out + MI, 64 * KI),
    SMALL("stored_and_fenced_in_block_4M", KI, 256, 0, stored_and_fenced<false>, data->x, data->out,
          16),
    SMALL("stored_and_fenced_device_2M", KI, 256, 0, stored_and_fenced<true>, data->x, data->out,
          8),
    TOGETHER("smoothed_in_step_1M_of_4", 264, 512, smoothed_in_step, data->x, data->out,
             data->out + 2 * MI, MI, 4),
    TOGETHER("smoothed_in_step_64K_ten_times", 64, 256, smoothed_in_step, data->x, data->out,
             data->out + 2 * MI, 64 * KI, 10),
    TOGETHER("normalised_in_one_4M", 396, 256, normalised_in_one, data->x, data->out,
             data->out + MI, 4 * MI),
    TOGETHER("grid_barriers_132x128", 132, 128, grid_barriers, data->out, 10),
    TOGETHER("grid_barriers_16x1024", 16, KI, grid_barriers, data->out, 10),
    SMALL("rows_drawn_8K", 264, 256, 0, rows_drawn, data->x, data->out, data->counters + MI,
          8 * KI),
    SMALL("heavy_last_of_1000", 1000, 256, 0, heavy_last, data->x, data->out, 2000),
};
BANK_FAMILY(small)
