/* lattices.cu - stencils in one, two and three dimensions, convolutions and pools. */
#include "../bank.h"

/* Three points of a line. */
__global__ void heat_on_a_line(const float *x, float *out, float k, int n)
{
    int i = thread_index();
    if (i > 0 && i < n - 1)
        out[i] = x[i] + k * (x[i - 1] - 2 * x[i] + x[i + 1]);
}

/* A radius of R on a line, with a halo in shared memory. */
template <int R> __global__ void line_with_halo(const float *x, float *out)
{
    __shared__ float s[256 + 2 * R];
    int t = threadIdx.x, i = R + thread_index();
    s[t + R] = x[i];
    if (t < R) {
        s[t] = x[i - R];
        s[t + 256 + R] = x[i + 256];
    }
    __syncthreads();
    float sum = 0;
#pragma unroll
    for (int k = -R; k <= R; k++)
        sum += s[t + R + k];
    out[i] = sum / (2 * R + 1);
}

/* Five points of a plane, straight from memory. */
__global__ void five_points(const float *x, float *out, int w, int h)
{
    int c = blockIdx.x * blockDim.x + threadIdx.x, r = blockIdx.y * blockDim.y + threadIdx.y;
    if (c > 0 && c < w - 1 && r > 0 && r < h - 1) {
        int i = r * w + c;
        out[i] = 0.2f * (x[i] + x[i - 1] + x[i + 1] + x[i - w] + x[i + w]);
    }
}

/* The same by a tile with its border; threads at the edge fetch the border. */
__global__ void five_points_shared(const float *x, float *out, int w)
{
    __shared__ float s[18][34];
    int tx = threadIdx.x + 1, ty = threadIdx.y + 1;
    int i = (blockIdx.y * 16 + ty) * w + blockIdx.x * 32 + tx;
    s[ty][tx] = x[i];
    if (tx == 1)
        s[ty][0] = x[i - 1];
    if (tx == 32)
        s[ty][33] = x[i + 1];
    if (ty == 1)
        s[0][tx] = x[i - w];
    if (ty == 16)
        s[17][tx] = x[i + w];
    __syncthreads();
    out[i] = 0.2f * (s[ty][tx] + s[ty][tx - 1] + s[ty][tx + 1] + s[ty - 1][tx] + s[ty + 1][tx]);
}

/* A thread goes down a column and keeps three rows in registers. */
__global__ void five_points_marching(const float *x, float *out, int w, int rows)
{
    int c = 1 + thread_index(), r = 1 + blockIdx.y * rows;
    float above = x[(r - 1) * w + c], here = x[r * w + c];
    for (int k = 0; k < rows; k++, r++) {
        float below = x[(r + 1) * w + c];
        out[r * w + c] =
            0.2f * (here + above + below + x[r * w + c - 1] + x[r * w + c + 1]);
        above = here;
        here = below;
    }
}

/* Seven points of a cube, a thread each. */
__global__ void seven_points(const float *x, float *out, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x + 1;
    int j = blockIdx.y * blockDim.y + threadIdx.y + 1;
    int k = blockIdx.z + 1, at = (k * n + j) * n + i;
    if (i < n - 1 && j < n - 1)
        out[at] = 0.4f * x[at] + 0.1f * (x[at - 1] + x[at + 1] + x[at - n] + x[at + n] +
                                         x[at - n * n] + x[at + n * n]);
}

/* All 27 of a cube. */
__global__ void all_27_points(const float *x, float *out, int n)
{
    int i = blockIdx.x * 32 + threadIdx.x + 1, j = blockIdx.y * 8 + threadIdx.y + 1;
    int k = blockIdx.z + 1;
    if (i >= n - 1 || j >= n - 1)
        return;
    float sum = 0;
    for (int dk = -1; dk <= 1; dk++)
        for (int dj = -1; dj <= 1; dj++)
            for (int di = -1; di <= 1; di++)
                sum += x[((k + dk) * n + j + dj) * n + i + di];
    out[(k * n + j) * n + i] = sum / 27;
}

/* A convolution of K x K with weights from memory, borders clamped. */
template <int K> __global__ void convolved(const float *x, const float *weights, float *out, int w,
                                           int h)
{
    int c = blockIdx.x * blockDim.x + threadIdx.x, r = blockIdx.y * blockDim.y + threadIdx.y;
    if (c >= w || r >= h)
        return;
    float sum = 0;
    for (int dr = 0; dr < K; dr++)
        for (int dc = 0; dc < K; dc++) {
            int rr = min(max(r + dr - K / 2, 0), h - 1), cc = min(max(c + dc - K / 2, 0), w - 1);
            sum += weights[dr * K + dc] * x[rr * w + cc];
        }
    out[r * w + c] = sum;
}

/* A layer of 3 x 3 over IN channels; a thread computes a pixel of four channels. */
__global__ void conv_layer(const float *x, const float *weights, float *out, int IN, int w)
{
    int c = blockIdx.x * 32 + threadIdx.x, r = blockIdx.y * 8 + threadIdx.y, o = blockIdx.z * 4;
    float sum[4] = {};
    for (int in = 0; in < IN; in++)
#pragma unroll
        for (int tap = 0; tap < 9; tap++) {
            float v = x[(in * (w + 2) + r + tap / 3) * (w + 2) + c + tap % 3];
#pragma unroll
            for (int k = 0; k < 4; k++)
                sum[k] += v * weights[((o + k) * IN + in) * 9 + tap];
        }
    for (int k = 0; k < 4; k++)
        out[((o + k) * w + r) * w + c] = sum[k];
}

/* The largest of 2 x 2. */
__global__ void pooled(const float2 *x, float *out, int w)
{
    int c = blockIdx.x * blockDim.x + threadIdx.x, r = blockIdx.y;
    float2 a = x[2 * r * w + c], b = x[(2 * r + 1) * w + c];
    out[r * w + c] = fmaxf(fmaxf(a.x, a.y), fmaxf(b.x, b.y));
}

/* Life on a torus, a byte a cell. */
__global__ void life_step(const unsigned char *cells, unsigned char *out, int n)
{
    int c = blockIdx.x * blockDim.x + threadIdx.x, r = blockIdx.y * blockDim.y + threadIdx.y;
    int neighbours = 0;
    for (int dr = -1; dr <= 1; dr++)
        for (int dc = -1; dc <= 1; dc++)
            if (dr || dc)
                neighbours += cells[(r + dr + n) % n * n + (c + dc + n) % n] & 1;
    int alive = cells[r * n + c] & 1;
    out[r * n + c] = neighbours == 3 || (alive && neighbours == 2);
}

#define GRID(name, grid, block, kernel, ...)                                                       \
    BANK_ROW(name, BANK_COLD, grid, block, 0, kernel, __VA_ARGS__)

static const struct bank_row ROWS[] = {
    GRID("heat_on_lines_8M", 32 * KI, 256, heat_on_a_line, data->x, data->out, 0.1f, 8 * MI),
    GRID("line_with_halo_8_4M", 16 * KI, 256, line_with_halo<8>, data->x, data->out),
    GRID("line_with_halo_3_500K", 2 * KI, 256, line_with_halo<3>, data->x, data->out),
    GRID("five_points_plain_2048", dim3(64, 256), dim3(32, 8), five_points, data->x, data->out,
         2048, 2048),
    GRID("five_points_1000x1000_of_16x16", dim3(63, 63), dim3(16, 16), five_points, data->x,
         data->out, 1000, 1000),
    GRID("five_points_shared_2048", dim3(63, 127), dim3(32, 16), five_points_shared, data->x,
         data->out, 2048),
    GRID("five_points_marching_4096", dim3(15, 64), 256, five_points_marching, data->x, data->out,
         4096, 63),
    GRID("seven_points_160_cubed", dim3(5, 20, 158), dim3(32, 8), seven_points, data->x, data->out,
         160),
    GRID("all_27_points_128", dim3(4, 16, 126), dim3(32, 8), all_27_points, data->x, data->out,
         128),
    GRID("convolved_7_640x640", dim3(20, 80), dim3(32, 8), convolved<7>, data->x, data->y,
         data->out, 640, 640),
    GRID("convolved_3_1920x1080", dim3(120, 68), dim3(16, 16), convolved<3>, data->x, data->y,
         data->out, 1920, 1080),
    GRID("conv_layer_16x128", dim3(4, 16, 4), dim3(32, 8), conv_layer, data->x, data->y, data->out,
         16, 128),
    GRID("pooled_8192x4096", dim3(16, 2048), 256, pooled, (const float2 *)data->x, data->out, 4096),
    GRID("life_step_1536x1536", dim3(48, 192), dim3(32, 8), life_step,
         (const unsigned char *)data->x, (unsigned char *)data->out, 1536),
};
BANK_FAMILY(lattices)
