/* activation.cu - elementwise layers of a network: arithmetic that may outweigh the memory. */
#include "bank.h"

/* Four elements a thread through an activation. */
template <float (*ACTIVATION)(float)>
static __device__ void apply(const float4 *x, float4 *out, int n)
{
    int i = thread_index();
    if (i >= n)
        return;
    float4 v = x[i];
    out[i] = make_float4(ACTIVATION(v.x), ACTIVATION(v.y), ACTIVATION(v.z), ACTIVATION(v.w));
}

static __device__ float erf_form(float v)
{
    return 0.5f * v * (1.0f + erff(v * 0.70710678f));
}

static __device__ float tanh_form(float v)
{
    return 0.5f * v * (1.0f + tanhf(0.79788456f * (v + 0.044715f * v * v * v)));
}

static __device__ float rectified(float v)
{
    return fmaxf(v, 0.0f);
}

/* GELU by its definition. */
__global__ void gelu_erf(const float4 *x, float4 *out, int n)
{
    apply<erf_form>(x, out, n);
}

/* GELU by the tanh that approximates it. */
__global__ void gelu_tanh(const float4 *x, float4 *out, int n)
{
    apply<tanh_form>(x, out, n);
}

/* ReLU: a single instruction, so memory decides. */
__global__ void relu(const float4 *x, float4 *out, int n)
{
    apply<rectified>(x, out, n);
}

/* An activation and its bias, as they follow a linear layer: y = relu(x + bias[column]). */
__global__ void bias_relu(const float *x, const float *bias, float *out, int columns)
{
    int column = thread_index(), i = blockIdx.y * columns + column;
    if (column < columns)
        out[i] = fmaxf(x[i] + bias[column], 0.0f);
}

/* Ten rounds of Philox 4x32 (Salmon et al., 2011): four random words for a counter. */
static __device__ uint4 philox(uint4 counter, uint2 key)
{
    for (int round = 0; round < 10; round++) {
        unsigned high0 = __umulhi(0xD2511F53u, counter.x), low0 = 0xD2511F53u * counter.x;
        unsigned high1 = __umulhi(0xCD9E8D57u, counter.z), low1 = 0xCD9E8D57u * counter.z;
        counter = make_uint4(high1 ^ counter.y ^ key.x, low1, high0 ^ counter.w ^ key.y, low0);
        key.x += 0x9E3779B9u;
        key.y += 0xBB67AE85u;
    }
    return counter;
}

/* Dropout, one draw of four words for four elements. */
__global__ void dropout_four(const float4 *x, float4 *out, int n, unsigned threshold, float scale)
{
    int i = thread_index();
    if (i >= n)
        return;
    uint4 words = philox(make_uint4((unsigned)i, 0, 0, 0), make_uint2(42, 7));
    float4 v = x[i];
    out[i] = make_float4(
        words.x < threshold ? 0.0f : v.x * scale, words.y < threshold ? 0.0f : v.y * scale,
        words.z < threshold ? 0.0f : v.z * scale, words.w < threshold ? 0.0f : v.w * scale);
}

/* Dropout, a draw for each element: three of the four words go to waste. */
__global__ void dropout_one(const float *x, float *out, int n, unsigned threshold, float scale)
{
    int i = thread_index();
    if (i >= n)
        return;
    uint4 words = philox(make_uint4((unsigned)i, 0, 0, 0), make_uint2(42, 7));
    out[i] = words.x < threshold ? 0.0f : x[i] * scale;
}

#define FOUR_EACH(name, kernel)                                                                    \
    BANK_ROW(name, BANK_COLD, 8 * KI, 256, 0, kernel, (float4 *)data->x, (float4 *)data->out,      \
             2 * MI)

static const struct bank_row ROWS[] = {
    FOUR_EACH("relu_8M", relu),
    FOUR_EACH("gelu_erf_8M", gelu_erf),
    FOUR_EACH("gelu_tanh_8M", gelu_tanh),
    BANK_ROW("bias_relu_4096x1024", BANK_COLD, dim3(4, 4096), 256, 0, bias_relu, data->x, data->y,
             data->out, 1024),
    BANK_ROW("dropout_four_8M", BANK_COLD, 8 * KI, 256, 0, dropout_four, (float4 *)data->x,
             (float4 *)data->out, 2 * MI, 429496730u, 1.0f / 0.9f),
    BANK_ROW("dropout_one_2M", BANK_COLD, 8 * KI, 256, 0, dropout_one, data->x, data->out, 2 * MI,
             429496730u, 1.0f / 0.9f),
};
BANK_FAMILY(activation)
