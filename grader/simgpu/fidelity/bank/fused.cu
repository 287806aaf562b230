/* fused.cu - kernels of whole programs: an optimiser's update, bodies that attract each other, a
 * product with its epilogue. */
#include "bank.h"

struct adamw {
    float rate, beta1, beta2, epsilon, decay;
};

/* One parameter: two moments, bias corrections taken as done. */
static __device__ float adamw_step(const struct adamw hyper, float weight, float gradient,
                                   float &momentum, float &variance)
{
    momentum = hyper.beta1 * momentum + (1.0f - hyper.beta1) * gradient;
    variance = hyper.beta2 * variance + (1.0f - hyper.beta2) * gradient * gradient;
    float step = momentum / (sqrtf(variance) + hyper.epsilon) + hyper.decay * weight;
    return weight - hyper.rate * step;
}

/* AdamW: four streams in, three out, 28 bytes for some fifteen operations. */
__global__ void adamw_scalar(struct adamw hyper, float *weights, const float *gradients,
                             float *momentum, float *variance, int n)
{
    int i = thread_index();
    if (i >= n)
        return;
    float m = momentum[i], v = variance[i];
    weights[i] = adamw_step(hyper, weights[i], gradients[i], m, v);
    momentum[i] = m;
    variance[i] = v;
}

/* The same, 16 bytes a lane. */
__global__ void adamw_float4(struct adamw hyper, float4 *weights, const float4 *gradients,
                             float4 *momentum, float4 *variance, int n)
{
    int i = thread_index();
    if (i >= n)
        return;
    float4 w = weights[i], g = gradients[i], m = momentum[i], v = variance[i];
    w.x = adamw_step(hyper, w.x, g.x, m.x, v.x);
    w.y = adamw_step(hyper, w.y, g.y, m.y, v.y);
    w.z = adamw_step(hyper, w.z, g.z, m.z, v.z);
    w.w = adamw_step(hyper, w.w, g.w, m.w, v.w);
    weights[i] = w;
    momentum[i] = m;
    variance[i] = v;
}

/* All pairs of bodies, 256 at a time through shared memory: arithmetic on broadcast words. */
__global__ void bodies(const float4 *body, float4 *out, int n)
{
    __shared__ float4 s_body[256];
    float4 own = body[thread_index()];
    float ax = 0, ay = 0, az = 0;
    for (int first = 0; first < n; first += 256) {
        s_body[threadIdx.x] = body[first + threadIdx.x];
        __syncthreads();
        for (int j = 0; j < 256; j++) {
            float4 other = s_body[j];
            float dx = other.x - own.x, dy = other.y - own.y, dz = other.z - own.z;
            float inverse = rsqrtf(dx * dx + dy * dy + dz * dz + 0.01f);
            float pull = other.w * inverse * inverse * inverse;
            ax += pull * dx;
            ay += pull * dy;
            az += pull * dz;
        }
        __syncthreads();
    }
    out[thread_index()] = make_float4(ax, ay, az, 0);
}

/* Polynomials by Horner's rule: DEGREE multiply-adds for 8 bytes, from memory-bound to not. */
template <int DEGREE> __global__ void polynomial(const float *x, float *out, int n)
{
    int i = thread_index();
    if (i >= n)
        return;
    float v = x[i], sum = 1.0f;
    for (int k = 0; k < DEGREE; k++)
        sum = sum * v + 0.5f;
    out[i] = sum;
}

/* Mandelbrot: the number of steps differs from pixel to pixel, neighbours mostly agree. */
__global__ void mandelbrot(int *out, int width, int height, int most)
{
    int column = blockIdx.x * blockDim.x + threadIdx.x, row = blockIdx.y * blockDim.y + threadIdx.y;
    float cx = -2.0f + 3.0f * (float)column / (float)width;
    float cy = -1.5f + 3.0f * (float)row / (float)height;
    float zx = 0, zy = 0;
    int steps = 0;
    while (steps < most && zx * zx + zy * zy < 4.0f) {
        float next = zx * zx - zy * zy + cx;
        zy = 2.0f * zx * zy + cy;
        zx = next;
        steps++;
    }
    out[row * width + column] = steps;
}

/* Half-precision storage, single-precision sums: y = sum over a row, a warp each. */
__global__ void half_rows(const __half2 *x, float *out, int columns)
{
    int row = thread_index() / 32, lane = (int)(threadIdx.x % 32);
    float sum = 0;
    for (int j = lane; j < columns / 2; j += 32) {
        float2 v = __half22float2(x[row * (columns / 2) + j]);
        sum += v.x + v.y;
    }
    for (int d = 16; d > 0; d /= 2)
        sum += __shfl_xor_sync(0xFFFFFFFFu, sum, d);
    if (lane == 0)
        out[row] = sum;
}

static const struct adamw HYPER = {1e-3f, 0.9f, 0.999f, 1e-8f, 0.01f};

static const struct bank_row ROWS[] = {
    BANK_ROW("adamw_scalar_4M", BANK_COLD, 16 * KI, 256, 0, adamw_scalar, HYPER, data->weights,
             data->x, data->momentum, data->variance, 4 * MI),
    BANK_ROW("adamw_float4_4M", BANK_COLD, 4 * KI, 256, 0, adamw_float4, HYPER,
             (float4 *)data->weights, (float4 *)data->x, (float4 *)data->momentum,
             (float4 *)data->variance, 1 * MI),
    BANK_ROW("bodies_4096", BANK_COLD, 16, 256, 0, bodies, (float4 *)data->x, (float4 *)data->out,
             4096),
    BANK_ROW("polynomial_8_4M", BANK_COLD, 16 * KI, 256, 0, polynomial<8>, data->x, data->out,
             4 * MI),
    BANK_ROW("polynomial_64_4M", BANK_COLD, 16 * KI, 256, 0, polynomial<64>, data->x, data->out,
             4 * MI),
    BANK_ROW("mandelbrot_512", BANK_COLD, dim3(16, 64), dim3(32, 8), 0, mandelbrot,
             (int *)data->out, 512, 512, 256),
    BANK_ROW("half_rows_16384x1024", BANK_COLD, 2 * KI, 256, 0, half_rows, (__half2 *)data->half_x,
             data->out, 1024),
};
BANK_FAMILY(fused)
