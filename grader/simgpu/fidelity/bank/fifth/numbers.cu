/* numbers.cu - what a number costs: divisions, 64-bit integers, transcendental functions, doubles,
 * halves, chains of multiply-adds. */
#include "../bank.h"

#include <cstdint>

/* Lesson 0's chain: one value a thread, STEPS multiply-adds. */
template <int CHAINS> __global__ void multiply_add_chains(const float *x, float *out, int steps)
{
    int i = thread_index();
    float v[CHAINS], sum = 0;
    for (int k = 0; k < CHAINS; k++)
        v[k] = x[i] + k;
#pragma unroll 8
    for (int s = 0; s < steps; s++)
#pragma unroll
        for (int k = 0; k < CHAINS; k++)
            v[k] = fmaf(v[k], 0.999f, 0.25f);
    for (int k = 0; k < CHAINS; k++)
        sum += v[k];
    out[i] = sum;
}

/* Remainder and quotient by a divisor that only the launch knows. */
template <typename T> __global__ void divided(const int *x, int *out, T divisor, int turns)
{
    int i = thread_index();
    T value = (T)x[i] * 12345 + 678;
    for (int k = 0; k < turns; k++)
        value = value / divisor + (value % divisor) * 31;
    out[i] = (int)value;
}

/* Indices of a tensor of five axes, by division, in 32 or 64 bits. */
template <typename T> __global__ void permuted_axes(const float *x, float *out, T a, T b, T c, T d,
                                                    T e)
{
    T i = (T)blockIdx.x * blockDim.x + threadIdx.x;
    T ie = i % e, id = i / e % d, ic = i / (e * d) % c, ib = i / (e * d * c) % b,
      ia = i / (e * d * c * b);
    out[(((ic * a + ia) * e + ie) * b + ib) * d + id] = x[i];
}

/* Products modulo a prime of 61 bits. */
__global__ void modular_products(const int *x, uint64_t *out, int turns)
{
    const uint64_t P = (1ull << 61) - 1;
    uint64_t v = x[thread_index()] + 2, w = v;
    for (int k = 0; k < turns; k++) {
        uint64_t high = __umul64hi(v, w), low = v * w;
        v = (low & P) + (low >> 61 | high << 3);
        v = (v & P) + (v >> 61);
    }
    out[thread_index()] = v;
}

/* Bits counted, reversed, found; shifts by data. */
__global__ void bits_mixed(const uint32_t *x, uint32_t *out, int turns)
{
    uint32_t v = x[thread_index()];
    for (int k = 0; k < turns; k++)
        v = __brev(v) + (v << (__popc(v) & 7)) + __clz(v) * 0x1000193u + __byte_perm(v, k, 0x1032);
    out[thread_index()] = v;
}

/* Sine and cosine in full, of numbers near zero, and a root. */
__global__ void sines_and_roots(const float *x, float *out, float far)
{
    int i = thread_index();
    float v = x[i] * far;
    out[i] = sinf(v) * sqrtf(fabsf(v)) + cosf(v + 0.5f);
}

/* Exponentials and logarithms, as the compiler has them or by hardware. */
template <bool FAST> __global__ void powers_and_logs(const float *x, float *out)
{
    int i = thread_index();
    float v = fabsf(x[i]) + 0.5f;
#pragma unroll
    for (int k = 0; k < 4; k++)
        v = FAST ? __powf(v, 0.7f) + __logf(v + 1.5f) * __expf(-v)
                 : powf(v, 0.7f) + logf(v + 1.5f) * expf(-v);
    out[i] = v;
}

/* The hyperbolic tangent in its three forms. */
template <int FORM> __global__ void tanh_forms(const float4 *x, float4 *out)
{
    int i = thread_index();
    float4 v = x[i];
    float *f = &v.x;
#pragma unroll
    for (int k = 0; k < 4; k++) {
        float u = 3 * f[k];
        if (FORM == 0)
            f[k] = tanhf(u);
        else if (FORM == 1)
            f[k] = 1 - 2 / (__expf(2 * u) + 1);
        else
            asm("tanh.approx.f32 %0, %1;" : "=f"(f[k]) : "f"(u));
    }
    out[i] = v;
}

/* Newton's method for a root in doubles. */
__global__ void newton_in_doubles(const double *x, double *out, int turns)
{
    int i = thread_index();
    double a = x[i] * x[i] + 0.1, v = 1;
    for (int k = 0; k < turns; k++)
        v = 0.5 * (v + a / v);
    out[i] = v;
}

/* Products of halves, by pairs and one by one. */
template <bool PAIRS> __global__ void half_chains(const __half2 *x, __half2 *out, int turns)
{
    __half2 v = x[thread_index()];
    const __half2 a = __float2half2_rn(0.75f), b = __float2half2_rn(0.125f);
    for (int k = 0; k < turns; k++)
        if (PAIRS)
            v = __hfma2(v, a, b);
        else
            v = __halves2half2(__hfma(__low2half(v), __low2half(a), __low2half(b)),
                               __hfma(__high2half(v), __high2half(a), __high2half(b)));
    out[thread_index()] = v;
}

/* Distances on a sphere. */
__global__ void haversines(const float2 *from, const float2 *to, float *out)
{
    int i = thread_index();
    float2 a = from[i], b = to[i];
    float u = __sinf(0.5f * (a.x - b.x)), v = __sinf(0.5f * (a.y - b.y));
    out[i] = 12742.0f * asinf(sqrtf(u * u + __cosf(a.x) * __cosf(b.x) * v * v));
}

#define NUMBER(name, grid, block, kernel, ...)                                                     \
    BANK_ROW(name, BANK_COLD, grid, block, 0, kernel, __VA_ARGS__)

static const struct bank_row ROWS[] = {
    NUMBER("multiply_add_chains_1_of_256K", KI, 256, multiply_add_chains<1>, data->x, data->out,
           128),
    NUMBER("multiply_add_chains_1_of_16K_by_2048", 64, 256, multiply_add_chains<1>, data->x,
           data->out, 2048),
    NUMBER("multiply_add_chains_4_of_512K", 2 * KI, 256, multiply_add_chains<4>, data->x, data->out,
           128),
    NUMBER("divided_in_32_bits_256K", KI, 256, divided<int>, data->shuffled, (int *)data->out, 1337,
           16),
    NUMBER("divided_in_64_bits_128K", 512, 256, divided<long long>, data->shuffled,
           (int *)data->out, 133700000000ll, 8),
    NUMBER("permuted_axes_in_32_bits_4M", 16 * KI, 256, permuted_axes<int>, data->x, data->out, 8,
           32, 16, 64, 16),
    NUMBER("permuted_axes_in_64_bits_1M_of_five", 4 * KI, 256, permuted_axes<int64_t>, data->x,
           data->out, 4, 16, 16, 64, 16),
    NUMBER("modular_products_512K", 2 * KI, 256, modular_products, data->shuffled,
           (uint64_t *)data->out, 24),
    NUMBER("bits_mixed_1M", 4 * KI, 256, bits_mixed, (const uint32_t *)data->shuffled,
           (uint32_t *)data->out, 12),
    NUMBER("sines_and_roots_2M_near", 8 * KI, 256, sines_and_roots, data->x, data->out, 3.0f),
    NUMBER("sines_and_roots_256K_far_out", KI, 256, sines_and_roots, data->x, data->out, 1e7f),
    NUMBER("powers_and_logs_512K", 2 * KI, 256, powers_and_logs<false>, data->x, data->out),
    NUMBER("powers_and_logs_fast_2M", 8 * KI, 256, powers_and_logs<true>, data->x, data->out),
    NUMBER("tanh_in_full_8M", 8 * KI, 256, tanh_forms<0>, (const float4 *)data->x,
           (float4 *)data->out),
    NUMBER("tanh_by_exponential_16M", 16 * KI, 256, tanh_forms<1>, (const float4 *)data->x,
           (float4 *)data->out),
    NUMBER("tanh_by_hardware_16M", 16 * KI, 256, tanh_forms<2>, (const float4 *)data->x,
           (float4 *)data->out),
    NUMBER("newton_in_doubles_256K_of_8", KI, 256, newton_in_doubles, data->double_x,
           (double *)data->out, 8),
    NUMBER("half_chains_by_pairs_1M", 4 * KI, 256, half_chains<true>,
           (const __half2 *)data->half_x, (__half2 *)data->out, 96),
    NUMBER("half_chains_single_1M", 4 * KI, 256, half_chains<false>, (const __half2 *)data->half_x,
           (__half2 *)data->out, 24),
    NUMBER("haversines_4M", 16 * KI, 256, haversines, (const float2 *)data->x,
           (const float2 *)data->y, data->out),
};
BANK_FAMILY(numbers)
