/* arrays.cu - an output for each input: indices, widths, layouts and types as people choose
 * them. */
#include "../bank.h"

#include <cstdint>
#include <cuda_bf16.h>

/* Lesson 1's sum with one element a thread and a 64-bit guard. */
__global__ void scaled_sum(const float *x, const float *y, float *out, int64_t n, float a, float b)
{
    int64_t i = (int64_t)blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        out[i] = a * x[i] + b * y[i];
}

/* The same by a loop over the grid, two float4 in flight, and the rest one by one. */
__global__ void scaled_sum_by_eights(const float *__restrict__ x, const float *__restrict__ y,
                                     float *__restrict__ out, int n, float a, float b)
{
    const float4 *x4 = (const float4 *)x, *y4 = (const float4 *)y;
    float4 *o4 = (float4 *)out;
    int quads = n / 4, step = thread_count(), i = thread_index();
    for (; i + step < quads; i += 2 * step) {
        float4 p = x4[i], q = x4[i + step], r = y4[i], s = y4[i + step];
        o4[i] = make_float4(a * p.x + b * r.x, a * p.y + b * r.y, a * p.z + b * r.z,
                            a * p.w + b * r.w);
        o4[i + step] = make_float4(a * q.x + b * s.x, a * q.y + b * s.y, a * q.z + b * s.z,
                                   a * q.w + b * s.w);
    }
    if (i < quads) {
        float4 p = x4[i], r = y4[i];
        o4[i] = make_float4(a * p.x + b * r.x, a * p.y + b * r.y, a * p.z + b * r.z,
                            a * p.w + b * r.w);
    }
    int last = quads * 4 + thread_index();
    if (last < n)
        out[last] = a * x[last] + b * y[last];
}

/* Each thread has a stretch of its own: what someone used to CPUs writes first. */
__global__ void scaled_sum_by_stretches(const float *x, const float *y, float *out, int each,
                                        float a, float b)
{
    int from = thread_index() * each;
    for (int i = from; i < from + each; i++)
        out[i] = a * x[i] + b * y[i];
}

/* Inputs that start one float past a line, outputs that do not. */
__global__ void scaled_sum_shifted(const float *x, const float *y, float *out, float a)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    out[i] = a * x[i + 1] + y[i + 3];
}

/* Only every third element is touched. */
__global__ void every_third(const float *x, float *out, int n)
{
    int i = 3 * (blockIdx.x * blockDim.x + threadIdx.x);
    if (i < n)
        out[i] = x[i] * x[i];
}

struct particle {
    float x, y, z, vx, vy, vz, mass, charge;
};

/* A step of motion over an array of structures, each read as a whole. */
__global__ void move_particles(const particle *in, particle *out, float dt, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    particle p = in[i];
    p.x += dt * p.vx;
    p.y += dt * p.vy;
    p.z += dt * p.vz;
    out[i] = p;
}

/* The same step with an array for each member. */
__global__ void move_planes(const float *in, float *out, float dt, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
#pragma unroll
    for (int axis = 0; axis < 3; axis++) {
        out[axis * n + i] = in[axis * n + i] + dt * in[(3 + axis) * n + i];
        out[(3 + axis) * n + i] = in[(3 + axis) * n + i];
    }
}

/* A ReLU over pairs of halves. */
__global__ void relu_pairs(const __half2 *x, __half2 *out, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        out[i] = __hmax2(x[i], __float2half2_rn(0.0f));
}

/* A SiLU of sixteen bytes of halves a thread, computed in float. */
__global__ void silu_by_eight_halves(const uint4 *x, uint4 *out, int n)
{
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) {
        uint4 v = x[i];
        __half2 *h = reinterpret_cast<__half2 *>(&v);
#pragma unroll
        for (int k = 0; k < 4; k++) {
            float2 f = __half22float2(h[k]);
            f.x = f.x / (1.0f + __expf(-f.x));
            f.y = f.y / (1.0f + __expf(-f.y));
            h[k] = __float22half2_rn(f);
        }
        out[i] = v;
    }
}

/* Weights in place: plain descent with decay. */
__global__ void descend_in_place(float *weights, const float *gradient, float rate, float decay)
{
    int i = thread_index();
    weights[i] -= rate * (gradient[i] + decay * weights[i]);
}

/* The moving average of gradients in place, four at a time. */
__global__ void average_in_place(float4 *average, const float4 *gradient, float keep)
{
    int i = thread_index();
    float4 m = average[i], g = gradient[i];
    m.x = keep * m.x + (1 - keep) * g.x;
    m.y = keep * m.y + (1 - keep) * g.y;
    m.z = keep * m.z + (1 - keep) * g.z;
    m.w = keep * m.w + (1 - keep) * g.w;
    average[i] = m;
}

/* A residual, a bias along the rows and a clamp, with indices for both axes. */
__global__ void residual_and_bias(const float *x, const float *skip, const float *bias, float *out,
                                  int rows, int cols)
{
    int c = blockIdx.x * blockDim.x + threadIdx.x, r = blockIdx.y;
    if (c < cols && r < rows) {
        float v = x[r * cols + c] + skip[r * cols + c] + bias[c];
        out[r * cols + c] = fminf(fmaxf(v, -6.0f), 6.0f);
    }
}

/* Bytes of an image to grey. */
__global__ void grey(const uchar3 *rgb, unsigned char *out, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) {
        uchar3 p = rgb[i];
        out[i] = (unsigned char)(0.299f * p.x + 0.587f * p.y + 0.114f * p.z);
    }
}

/* Floats to brain floats, two float4 a thread. */
__global__ void round_to_brain(const float4 *x, uint4 *out)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    float4 a = x[2 * i], b = x[2 * i + 1];
    __nv_bfloat162 v[4] = {__floats2bfloat162_rn(a.x, a.y), __floats2bfloat162_rn(a.z, a.w),
                           __floats2bfloat162_rn(b.x, b.y), __floats2bfloat162_rn(b.z, b.w)};
    out[i] = *reinterpret_cast<uint4 *>(v);
}

/* Streaming hints on both sides. */
__global__ void negate_streaming(const float4 *x, float4 *out, int n)
{
    for (int i = thread_index(); i < n; i += thread_count()) {
        float4 v = __ldcs(&x[i]);
        __stcs(&out[i], make_float4(-v.x, -v.y, -v.z, -v.w));
    }
}

#define EACH(name, grid, block, kernel, ...)                                                       \
    BANK_ROW(name, BANK_COLD, grid, block, 0, kernel, __VA_ARGS__)

static const struct bank_row ROWS[] = {
    EACH("scaled_sum_4194304", 16 * KI, 256, scaled_sum, data->x, data->y, data->out,
         (int64_t)4194304, 2.0f, -0.5f),
    EACH("scaled_sum_3000001_of_128", 23438, 128, scaled_sum, data->x, data->y, data->out,
         (int64_t)3000001, 2.0f, -0.5f),
    BANK_ROW("scaled_sum_262144_warm", BANK_WARM, KI, 256, 0, scaled_sum, data->x, data->y,
             data->out, (int64_t)262144, 2.0f, -0.5f),
    EACH("scaled_sum_by_eights_67108864", 1056, 256, scaled_sum_by_eights, data->x, data->y,
         data->out, 64 * MI, 2.0f, -0.5f),
    EACH("scaled_sum_by_eights_4000003", 528, 256, scaled_sum_by_eights, data->x, data->y,
         data->out, 4000003, 2.0f, -0.5f),
    EACH("scaled_sum_by_stretches_of_16", KI, 256, scaled_sum_by_stretches, data->x, data->y,
         data->out, 16, 2.0f, -0.5f),
    EACH("scaled_sum_shifted_16M", 64 * KI, 256, scaled_sum_shifted, data->x, data->y, data->out,
         1.5f),
    EACH("every_third_of_24M", 32 * KI, 256, every_third, data->x, data->out, 24 * MI),
    EACH("move_particles_2M", 8 * KI, 256, move_particles, (const particle *)data->x,
         (particle *)data->out, 0.01f, 2 * MI),
    EACH("move_planes_2M", 8 * KI, 256, move_planes, data->x, data->out, 0.01f, 2 * MI),
    EACH("relu_pairs_16M", 16 * KI, 512, relu_pairs, (const __half2 *)data->half_x,
         (__half2 *)data->out, 8 * MI),
    EACH("silu_by_eight_halves_16M", 792, 256, silu_by_eight_halves, (const uint4 *)data->half_x,
         (uint4 *)data->out, 2 * MI),
    EACH("descend_in_place_4M", 8 * KI, 512, descend_in_place, data->weights, data->x, 1e-4f,
         0.01f),
    EACH("average_in_place_4M", 4 * KI, 256, average_in_place, (float4 *)data->momentum,
         (const float4 *)data->y, 0.9f),
    EACH("residual_and_bias_4096x1000", dim3(8, 4096), 128, residual_and_bias, data->x, data->y,
         data->y + 32 * MI, data->out, 4096, 1000),
    EACH("grey_of_12_megapixels", 46875, 256, grey, (const uchar3 *)data->x,
         (unsigned char *)data->out, 12000000),
    EACH("round_to_brain_32M", 16 * KI, 256, round_to_brain, (const float4 *)data->x,
         (uint4 *)data->out),
    EACH("negate_streaming_64M", 528, 1024, negate_streaming, (const float4 *)data->x,
         (float4 *)data->out, 16 * MI),
};
BANK_FAMILY(arrays)
