/* divergence.cu - lanes of a warp that want different things, and the same work sorted so that
 * whole warps agree. */
#include "bank.h"

static __device__ float path_a(float v, int steps)
{
    for (int k = 0; k < steps; k++)
        v = v * 0.75f + 0.125f;
    return v;
}

static __device__ float path_b(float v, int steps)
{
    for (int k = 0; k < steps; k++)
        v = (v - 0.5f) * (v + 0.25f);
    return v;
}

/* Even lanes go one way, odd lanes the other: every warp walks both. */
__global__ void split_by_lane(const float *x, float *out, int steps)
{
    int i = thread_index();
    out[i] = i % 2 ? path_b(x[i], steps) : path_a(x[i], steps);
}

/* The same number of threads on each path, but whole warps: none walks both. */
__global__ void split_by_warp(const float *x, float *out, int steps)
{
    int i = thread_index();
    out[i] = i / 32 % 2 ? path_b(x[i], steps) : path_a(x[i], steps);
}

/* The sign of the data decides: about half the lanes of each warp. */
__global__ void split_by_data(const float *x, float *out, int steps)
{
    int i = thread_index();
    out[i] = x[i] < 0 ? path_b(x[i], steps) : path_a(x[i], steps);
}

/* One lane has work, 31 wait for it. */
__global__ void one_lane_works(const float *x, float *out, int steps)
{
    int i = thread_index();
    float v = x[i];
    if (i % 32 == 0)
        v = path_a(v, steps);
    out[i] = v;
}

/* Eight ways through a switch, by lane: each warp takes all eight. */
__global__ void eight_ways(const float *x, float *out, int steps)
{
    int i = thread_index();
    float v = x[i];
    for (int k = 0; k < steps; k++)
        switch (i % 8) {
        case 0: v = v * 0.5f + 1.0f; break;
        case 1: v = rsqrtf(v * v + 1.0f); break;
        case 2: v = v - 0.25f * v * v; break;
        case 3: v = fabsf(v) + 0.5f; break;
        case 4: v = __expf(-v * v); break;
        case 5: v = fminf(v, 0.5f) * 2.0f; break;
        case 6: v = __fdividef(1.0f, v * v + 2.0f); break;
        default: v = v * v * v - v; break;
        }
    out[i] = v;
}

/* Loops as long as the data says, 0 to 127 turns: a warp takes as long as its longest lane. */
__global__ void loop_by_data(const int *turns, const float *x, float *out)
{
    int i = thread_index();
    out[i] = path_a(x[i], turns[i] % 128);
}

/* The same loops with equal lengths side by side. */
__global__ void loop_by_warp(const float *x, float *out)
{
    int i = thread_index();
    out[i] = path_a(x[i], i / 32 % 128);
}

/* Half the warps leave at once. */
__global__ void half_leave(const float *x, float *out, int steps)
{
    int i = thread_index();
    if (i / 32 % 2)
        return;
    out[i] = path_a(x[i], steps);
}

/* A choice so short that it becomes a select: no branch is left. */
__global__ void short_choice(const float *x, float *out, int steps)
{
    int i = thread_index();
    float v = x[i];
    for (int k = 0; k < steps; k++)
        v = v < 0 ? v * 0.5f + 0.75f : v * 0.25f - 0.5f;
    out[i] = v;
}

#define MILLION(name, kernel, ...) \
    BANK_ROW(name, BANK_COLD, 4 * KI, 256, 0, kernel, __VA_ARGS__)

static const struct bank_row ROWS[] = {
    MILLION("split_by_lane_1M", split_by_lane, data->x, data->out, 64),
    MILLION("split_by_warp_1M", split_by_warp, data->x, data->out, 64),
    MILLION("split_by_data_1M", split_by_data, data->x, data->out, 64),
    MILLION("one_lane_works_1M", one_lane_works, data->x, data->out, 256),
    MILLION("eight_ways_1M", eight_ways, data->x, data->out, 8),
    MILLION("loop_by_data_1M", loop_by_data, data->shuffled, data->x, data->out),
    MILLION("loop_by_warp_1M", loop_by_warp, data->x, data->out),
    MILLION("half_leave_1M", half_leave, data->x, data->out, 128),
    MILLION("short_choice_1M", short_choice, data->x, data->out, 64),
};
BANK_FAMILY(divergence)
