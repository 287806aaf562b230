/* calls.cu - functions that are really called: by pointer, by table, through a virtual table, and
 * plain ones that must not be inlined; and code that is large. */
#include "../bank.h"

typedef float (*activation)(float);

static __device__ float relu(float v) { return fmaxf(v, 0); }
static __device__ float leaky(float v) { return v > 0 ? v : 0.01f * v; }
static __device__ float swish(float v) { return v / (1 + __expf(-v)); }
static __device__ float soft(float v) { return v / (1 + fabsf(v)); }

static __device__ activation TABLE[] = {relu, leaky, swish, soft};

/* One function for the launch, by number. */
__global__ void call_by_number(const float *x, float *out, int which)
{
    activation function = TABLE[which];
    int i = thread_index();
    out[i] = function(x[i]);
}

/* The same, four elements a thread. */
__global__ void call_four(const float *x, float *out, int which)
{
    activation function = TABLE[which];
    int i = 4 * thread_index();
    float4 v = *(const float4 *)&x[i];
    *(float4 *)&out[i] = make_float4(function(v.x), function(v.y), function(v.z), function(v.w));
}

/* A function of its own for each lane: four ways through every warp. */
__global__ void call_by_lane(const float *x, float *out)
{
    int i = thread_index();
    out[i] = TABLE[threadIdx.x % 4](x[i]);
}

struct shape {
    __device__ virtual float apply(float v) const = 0;
};
struct scaled : shape {
    __device__ float apply(float v) const override { return 3 * v + 1; }
};
struct squared : shape {
    __device__ float apply(float v) const override { return v * v - 1; }
};

/* Virtual functions, in a loop. */
__global__ void call_virtual(const float *x, float *out, int steps)
{
    scaled first;
    squared second;
    const shape *shapes[2] = {&first, &second};
    float v = x[thread_index()];
    for (int k = 0; k < steps; k++)
        v = shapes[(k + (int)blockIdx.x) % 2]->apply(v) * 0.25f;
    out[thread_index()] = v;
}

static __device__ __noinline__ float polynomial(float v, float a)
{
    return ((a * v + 0.5f) * v - 0.25f) * v + a;
}

__global__ void call_plain(const float *x, float *out, int steps)
{
    float v = x[thread_index()];
#pragma unroll 1
    for (int k = 0; k < steps; k++)
        v = polynomial(v, 0.125f);
    out[thread_index()] = v;
}

/* Once an element, in a kernel that moves data. */
__global__ void call_plain_streaming(const float *x, float *out)
{
    int i = thread_index();
    out[i] = polynomial(x[i], 0.125f);
}

/* Twelve activations behind a switch, chosen for the launch. */
static __device__ __forceinline__ float by_switch(float v, int which)
{
    switch (which) {
    case 0: return fmaxf(v, 0);
    case 1: return v > 0 ? v : 0.01f * v;
    case 2: return 0.5f * v * (1 + erff(v * 0.70710678f));
    case 3: return 0.5f * v * (1 + tanhf(0.79788456f * (v + 0.044715f * v * v * v)));
    case 4: return v / (1 + expf(-v));
    case 5: return tanhf(v);
    case 6: return 1 / (1 + expf(-v));
    case 7: return v / (1 + fabsf(v));
    case 8: return log1pf(expf(v));
    case 9: return v * tanhf(log1pf(expf(v)));
    case 10: return v > 0 ? v : expm1f(v);
    default: return fminf(fmaxf(v / 6 + 0.5f, 0), 1);
    }
}

__global__ void switch_of_twelve(const float *x, float *out, int which)
{
    int i = 4 * thread_index();
    float4 v = *(const float4 *)&x[i];
    *(float4 *)&out[i] = make_float4(by_switch(v.x, which), by_switch(v.y, which),
                                     by_switch(v.z, which), by_switch(v.w, which));
}

#define EACH(name, kernel, ...)                                                                    \
    BANK_ROW(name, BANK_COLD, 16 * KI, 256, 0, kernel, data->x, data->out, ##__VA_ARGS__)

static const struct bank_row ROWS[] = {
    EACH("call_by_number_relu", call_by_number, 0),
    EACH("call_by_number_swish", call_by_number, 2),
    BANK_ROW("call_four_leaky", BANK_COLD, 8 * KI, 256, 0, call_four, data->x, data->out, 1),
    EACH("call_by_lane", call_by_lane),
    BANK_ROW("call_virtual", BANK_COLD, 1056, 256, 0, call_virtual, data->x, data->out, 32),
    BANK_ROW("call_plain", BANK_COLD, 1056, 256, 0, call_plain, data->x, data->out, 192),
    EACH("call_plain_streaming", call_plain_streaming),
    BANK_ROW("switch_of_twelve_erf", BANK_COLD, 8 * KI, 256, 0, switch_of_twelve, data->x,
             data->out, 2),
    BANK_ROW("switch_of_twelve_mish", BANK_COLD, 8 * KI, 256, 0, switch_of_twelve, data->x,
             data->out, 9),
};
BANK_FAMILY(calls)
