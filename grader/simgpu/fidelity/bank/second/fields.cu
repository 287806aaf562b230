/* fields.cu - pictures, fields and bodies: stencils in two and three dimensions, filters, fractals,
 * forces between bodies. */
#include "../bank.h"

__constant__ float MASK[25] = {1, 4, 6, 4, 1, 4, 16, 24, 16, 4, 6, 24, 36,
                               24, 6, 4, 16, 24, 16, 4, 1, 4, 6, 4, 1};

/* Heat: five points, straight from global memory. */
__global__ void five_points(const float *in, float *out, int width, int height)
{
    int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x < 1 || y < 1 || x >= width - 1 || y >= height - 1)
        return;
    int i = y * width + x;
    out[i] = in[i] + 0.1f * (in[i - 1] + in[i + 1] + in[i - width] + in[i + width] - 4 * in[i]);
}

/* Nine points from a tile with a border. */
__global__ void nine_points_tile(const float *in, float *out, int width)
{
    __shared__ float s_tile[18][34];
    int x0 = blockIdx.x * 32, y0 = blockIdx.y * 16, thread = threadIdx.y * 32 + threadIdx.x;
    for (int j = thread; j < 18 * 34; j += 512)
        s_tile[j / 34][j % 34] = in[(y0 + j / 34) * width + x0 + j % 34];
    __syncthreads();
    float sum = 0;
#pragma unroll
    for (int dy = 0; dy < 3; dy++)
#pragma unroll
        for (int dx = 0; dx < 3; dx++)
            sum += s_tile[threadIdx.y + dy][threadIdx.x + dx] * (dx == 1 && dy == 1 ? 8 : -1);
    out[(y0 + threadIdx.y + 1) * width + x0 + threadIdx.x + 1] = sum;
}

/* Seven points of a cube, one thread each. */
__global__ void seven_points(const float *in, float *out, int n)
{
    int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
    int z = blockIdx.z * blockDim.z + threadIdx.z, i = (z * n + y) * n + x;
    if (x > 0 && y > 0 && z > 0 && x < n - 1 && y < n - 1 && z < n - 1)
        out[i] = 0.4f * in[i] + 0.1f * (in[i - 1] + in[i + 1] + in[i - n] + in[i + n] +
                                        in[i - n * n] + in[i + n * n]);
}

/* The same by columns: a thread walks through the planes with three of them in registers. */
__global__ void seven_points_walk(const float *in, float *out, int n)
{
    int x = blockIdx.x * 32 + threadIdx.x + 1, y = blockIdx.y * 8 + threadIdx.y + 1;
    if (x >= n - 1 || y >= n - 1)
        return;
    int i = y * n + x, plane = n * n;
    float below = in[i], here = in[i + plane];
    for (int z = 1; z < n - 1; z++) {
        i += plane;
        float above = in[i + plane];
        out[i] = 0.4f * here +
                 0.1f * (in[i - 1] + in[i + 1] + in[i - n] + in[i + n] + below + above);
        below = here;
        here = above;
    }
}

/* A filter of 5 x 5 with its weights in constant memory, clamped at the border. */
__global__ void filter_clamped(const float *in, float *out, int width, int height)
{
    int x = blockIdx.x * 16 + threadIdx.x, y = blockIdx.y * 16 + threadIdx.y;
    float sum = 0;
    for (int dy = -2; dy <= 2; dy++)
        for (int dx = -2; dx <= 2; dx++) {
            int u = min(max(x + dx, 0), width - 1), v = min(max(y + dy, 0), height - 1);
            sum += in[v * width + u] * MASK[(dy + 2) * 5 + dx + 2];
        }
    out[y * width + x] = sum / 256;
}

/* Blur along the rows, a tile with a border of eight. */
__global__ void blur_rows(const float *in, float *out, int width)
{
    __shared__ float s_row[256 + 16];
    int base = blockIdx.y * width + blockIdx.x * 256;
    s_row[threadIdx.x] = in[base + threadIdx.x];
    if (threadIdx.x < 16)
        s_row[256 + threadIdx.x] = in[base + 256 + threadIdx.x];
    __syncthreads();
    float sum = 0;
#pragma unroll
    for (int d = 0; d < 17; d++)
        sum += s_row[threadIdx.x + d];
    out[base + threadIdx.x] = sum * (1 / 17.0f);
}

/* Edges of a picture of bytes. */
__global__ void edges(const unsigned char *in, unsigned char *out, int width, int height)
{
    int x = blockIdx.x * 32 + threadIdx.x, y = blockIdx.y * 8 + threadIdx.y;
    if (x == 0 || y == 0 || x >= width - 1 || y >= height - 1)
        return;
    const unsigned char *p = in + y * width + x;
    int gx = p[1 - width] + 2 * p[1] + p[1 + width] - p[-1 - width] - 2 * p[-1] - p[-1 + width];
    int gy = p[width - 1] + 2 * p[width] + p[width + 1] - p[-width - 1] - 2 * p[-width] -
             p[-width + 1];
    out[y * width + x] = (unsigned char)min(255, (int)sqrtf((float)(gx * gx + gy * gy)));
}

/* Conway's game, on a ring. */
__global__ void life(const unsigned char *in, unsigned char *out, int width)
{
    int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y, around = 0;
    for (int dy = -1; dy <= 1; dy++)
        for (int dx = -1; dx <= 1; dx++)
            if (dx || dy)
                around += in[(y + dy + gridDim.y) % gridDim.y * width +
                             (x + dx + width) % width] & 1;
    out[y * width + x] = around == 3 || (around == 2 && (in[y * width + x] & 1));
}

/* Mandelbrot's set: the number of turns differs from point to point. */
template <typename T> __global__ void fractal(int *out, int width, int height, int most)
{
    int column = blockIdx.x * blockDim.x + threadIdx.x, row = blockIdx.y * blockDim.y + threadIdx.y;
    T cx = (T)-2.2 + (T)3.2 * column / width, cy = (T)-1.4 + (T)2.8 * row / height, x = 0, y = 0;
    int turns = 0;
    while (turns < most && x * x + y * y < 4) {
        T next = x * x - y * y + cx;
        y = 2 * x * y + cy;
        x = next;
        turns++;
    }
    out[row * width + column] = turns;
}

/* Forces between all bodies, without a tile. */
__global__ void forces_plain(const float4 *bodies, float4 *out, int n)
{
    float4 me = bodies[thread_index()];
    float fx = 0, fy = 0, fz = 0;
    for (int j = 0; j < n; j++) {
        float4 other = bodies[j];
        float dx = other.x - me.x, dy = other.y - me.y, dz = other.z - me.z;
        float near = rsqrtf(dx * dx + dy * dy + dz * dz + 0.01f);
        float pull = other.w * near * near * near;
        fx += dx * pull, fy += dy * pull, fz += dz * pull;
    }
    out[thread_index()] = make_float4(fx, fy, fz, 0);
}

/* Only bodies that are near count: most lanes skip most of them. */
__global__ void forces_near(const float *x, const float *y, float *out, int n, float reach)
{
    int i = thread_index();
    float mx = x[i], my = y[i], energy = 0;
    for (int j = 0; j < n; j++) {
        float dx = x[j] - mx, dy = y[j] - my, square = dx * dx + dy * dy;
        if (square < reach && j != i) {
            float sixth = 1 / (square * square * square + 1e-3f);
            energy += sixth * sixth - sixth;
        }
    }
    out[i] = energy;
}

#define FIELD(name, grid, block, kernel, ...)                                                      \
    BANK_ROW(name, BANK_COLD, grid, block, 0, kernel, __VA_ARGS__)

static const struct bank_row ROWS[] = {
    FIELD("five_points_4096", dim3(128, 512), dim3(32, 8), five_points, data->x, data->out, 4 * KI,
          4 * KI),
    FIELD("five_points_1000x1000_square", dim3(63, 63), dim3(16, 16), five_points, data->x,
          data->out, 1000, 1000),
    FIELD("nine_points_tile_2048", dim3(63, 127), dim3(32, 16), nine_points_tile, data->x,
          data->out, 2 * KI),
    FIELD("seven_points_256", dim3(8, 64, 128), dim3(32, 4, 2), seven_points, data->x, data->out,
          256),
    FIELD("seven_points_walk_256", dim3(8, 32), dim3(32, 8), seven_points_walk, data->x, data->out,
          256),
    FIELD("filter_clamped_1024", dim3(64, 64), dim3(16, 16), filter_clamped, data->x, data->out, KI,
          KI),
    FIELD("blur_rows_4096x2048", dim3(16, 2048), 256, blur_rows, data->x, data->out, 4 * KI),
    FIELD("edges_4096", dim3(128, 512), dim3(32, 8), edges, (const unsigned char *)data->x,
          (unsigned char *)data->out, 4 * KI, 4 * KI),
    FIELD("life_2048", dim3(8, 2048), 256, life, (const unsigned char *)data->x,
          (unsigned char *)data->out, 2 * KI),
    FIELD("fractal_800x600_300", dim3(25, 75), dim3(32, 8), fractal<float>, (int *)data->out, 800,
          600, 300),
    FIELD("fractal_double_512_100", dim3(32, 32), dim3(16, 16), fractal<double>, (int *)data->out,
          512, 512, 100),
    FIELD("forces_plain_8192", 64, 128, forces_plain, (const float4 *)data->x, (float4 *)data->out,
          8 * KI),
    FIELD("forces_near_8192", 32, 256, forces_near, data->x, data->y, data->out, 8 * KI, 0.02f),
};
BANK_FAMILY(fields)
