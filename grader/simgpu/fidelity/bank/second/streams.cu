/* streams.cu - one result for each element, at the size that the lesson about neighbouring
 * addresses is timed with (64 Mi): axpby as it is handed in, and conversions between types. */
#include "../bank.h"

/* With 64-bit indices and a guard, as most write it. */
__global__ void axpby_plain(float a, const float *x, float b, const float *y, float *out, size_t n)
{
    size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        out[i] = a * x[i] + b * y[i];
}

__global__ void axpby_grid_stride(float a, const float *x, float b, const float *y, float *out,
                                  size_t n)
{
    size_t stride = (size_t)gridDim.x * blockDim.x;
    for (size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x; i < n; i += stride)
        out[i] = a * x[i] + b * y[i];
}

/* Vectors, then the elements that fill no vector. */
__global__ void axpby_vectors_and_tail(float a, const float *x, float b, const float *y, float *out,
                                       size_t n)
{
    size_t first = (size_t)blockIdx.x * blockDim.x + threadIdx.x;
    size_t stride = (size_t)gridDim.x * blockDim.x, vectors = n / 4;
    for (size_t i = first; i < vectors; i += stride) {
        float4 u = ((const float4 *)x)[i], v = ((const float4 *)y)[i];
        ((float4 *)out)[i] =
            make_float4(a * u.x + b * v.x, a * u.y + b * v.y, a * u.z + b * v.z, a * u.w + b * v.w);
    }
    for (size_t i = vectors * 4 + first; i < n; i += stride)
        out[i] = a * x[i] + b * y[i];
}

/* Two elements a thread, half of the array apart. */
__global__ void axpby_two_halves(float a, const float *__restrict__ x, float b,
                                 const float *__restrict__ y, float *__restrict__ out, int half)
{
    int i = thread_index();
    if (i >= half)
        return;
    out[i] = a * x[i] + b * y[i];
    out[i + half] = a * x[i + half] + b * y[i + half];
}

/* Eight elements a thread, a block's width apart, in an unrolled loop with its guard inside. */
__global__ void axpby_eight_guarded(float a, const float *__restrict__ x, float b,
                                    const float *__restrict__ y, float *__restrict__ out, int n)
{
    int base = (int)(blockIdx.x * blockDim.x * 8 + threadIdx.x);
#pragma unroll
    for (int k = 0; k < 8; k++) {
        int i = base + k * (int)blockDim.x;
        if (i < n)
            out[i] = a * x[i] + b * y[i];
    }
}

/* Four neighbouring elements a thread, one by one. */
__global__ void axpby_four_in_a_row(float a, const float *x, float b, const float *y, float *out,
                                    int n)
{
    int i = 4 * thread_index();
    for (int k = 0; k < 4 && i + k < n; k++)
        out[i + k] = a * x[i + k] + b * y[i + k];
}

/* Read and written past the caches' usual policy. */
__global__ void axpby_streaming(float a, const float *x, float b, const float *y, float *out, int n)
{
    int i = thread_index();
    if (i < n)
        __stcs(&out[i], a * __ldcs(&x[i]) + b * __ldcs(&y[i]));
}

/* The factors are doubles, and with them the arithmetic. */
__global__ void axpby_in_double(double a, const float *x, double b, const float *y, float *out,
                                int n)
{
    int i = thread_index();
    if (i < n)
        out[i] = (float)(a * x[i] + b * y[i]);
}

__global__ void axpby_half2(float a, const __half2 *x, float b, const __half2 *y, __half2 *out,
                            int n)
{
    int i = thread_index();
    if (i < n)
        out[i] = __hfma2(__float2half2_rn(a), x[i], __hmul2(__float2half2_rn(b), y[i]));
}

/* The lesson about the machine: a chain of multiply-adds for each element. */
__global__ void fma_steps(const float *in, float *out, int n, int steps)
{
    int i = thread_index();
    if (i >= n)
        return;
    float v = in[i];
    for (int k = 0; k < steps; k++)
        v = fmaf(v, 0.999f, 0.001f);
    out[i] = v;
}

/* A picture of bytes becomes floats, each channel normalised. */
__global__ void normalise_pixels(const unsigned char *pixels, float *out, int n)
{
    const float mean[3] = {0.485f, 0.456f, 0.406f}, deviation[3] = {0.229f, 0.224f, 0.225f};
    int i = thread_index();
    if (i < n)
        out[i] = (pixels[i] / 255.0f - mean[i % 3]) / deviation[i % 3];
}

/* From floats to signed bytes, rounded and clamped, four to a word. */
__global__ void quantise(const float4 *x, char4 *out, float scale, int n)
{
    int i = thread_index();
    if (i >= n)
        return;
    float4 v = x[i];
    out[i] = make_char4((char)fminf(fmaxf(rintf(v.x * scale), -128), 127),
                        (char)fminf(fmaxf(rintf(v.y * scale), -128), 127),
                        (char)fminf(fmaxf(rintf(v.z * scale), -128), 127),
                        (char)fminf(fmaxf(rintf(v.w * scale), -128), 127));
}

__global__ void to_half(const float *x, __half *out, int n)
{
    int i = thread_index();
    if (i < n)
        out[i] = __float2half(x[i]);
}

__global__ void from_half(const __half2 *x, float2 *out, int n)
{
    for (int i = thread_index(); i < n; i += thread_count())
        out[i] = __half22float2(x[i]);
}

#define AXPBY(name, grid, block, kernel, n)                                                        \
    BANK_ROW(name, BANK_COLD, grid, block, 0, kernel, 1.5f, data->x, -0.75f, data->y, data->out, n)

static const struct bank_row ROWS[] = {
    AXPBY("axpby_plain_64M", 256 * KI, 256, axpby_plain, 64 * MI),
    AXPBY("axpby_plain_64M_blocks_of_64", MI, 64, axpby_plain, 64 * MI),
    AXPBY("axpby_plain_64M_blocks_of_1024", 64 * KI, 1024, axpby_plain, 64 * MI),
    AXPBY("axpby_plain_5M_and_7", 5 * 4 * KI + 1, 256, axpby_plain, 5 * MI + 7),
    AXPBY("axpby_grid_stride_64M_528", 528, 512, axpby_grid_stride, 64 * MI),
    AXPBY("axpby_grid_stride_64M_132", 132, 128, axpby_grid_stride, 64 * MI),
    AXPBY("axpby_vectors_64M_less_3", 1056, 256, axpby_vectors_and_tail, 64 * MI - 3),
    AXPBY("axpby_vectors_2M_warm_size", 132, 512, axpby_vectors_and_tail, 2 * MI),
    AXPBY("axpby_two_halves_64M", 128 * KI, 256, axpby_two_halves, 32 * MI),
    AXPBY("axpby_eight_guarded_64M", 32 * KI, 256, axpby_eight_guarded, 64 * MI),
    AXPBY("axpby_four_in_a_row_64M", 64 * KI, 256, axpby_four_in_a_row, 64 * MI),
    AXPBY("axpby_streaming_64M", 128 * KI, 512, axpby_streaming, 64 * MI),
    AXPBY("axpby_in_double_64M", 256 * KI, 256, axpby_in_double, 64 * MI),
    BANK_ROW("axpby_half2_16M", BANK_COLD, 32 * KI, 256, 0, axpby_half2, 1.5f,
             (const __half2 *)data->half_x, -0.75f, (const __half2 *)data->half_y,
             (__half2 *)data->out, 8 * MI),
    BANK_ROW("fma_steps_1M_512", BANK_COLD, 4 * KI, 256, 0, fma_steps, data->x, data->out, MI, 512),
    BANK_ROW("fma_steps_256K_128", BANK_COLD, KI, 256, 0, fma_steps, data->x, data->out, 256 * KI,
             128),
    BANK_ROW("normalise_pixels_24M", BANK_COLD, 96 * KI, 256, 0, normalise_pixels,
             (const unsigned char *)data->x, data->out, 24 * MI),
    BANK_ROW("quantise_64M", BANK_COLD, 64 * KI, 256, 0, quantise, (const float4 *)data->x,
             (char4 *)data->out, 100.0f, 16 * MI),
    BANK_ROW("to_half_16M", BANK_COLD, 64 * KI, 256, 0, to_half, data->x, (__half *)data->out,
             16 * MI),
    BANK_ROW("from_half_16M_grid_stride", BANK_COLD, 264, 1024, 0, from_half,
             (const __half2 *)data->half_x, (float2 *)data->out, 8 * MI),
};
BANK_FAMILY(streams)
