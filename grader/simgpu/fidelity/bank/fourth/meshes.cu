/* meshes.cu - grids in two and three dimensions, transforms and bodies. */
#include "../bank.h"

#include <cstdint>

/* A step of Jacobi's iteration with the inner points only. */
__global__ void jacobi_inner(const double *u, double *next, int nx, int ny)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x + 1;
    int j = blockIdx.y * blockDim.y + threadIdx.y + 1;
    if (i < nx - 1 && j < ny - 1)
        next[j * nx + i] = 0.25 * (u[j * nx + i - 1] + u[j * nx + i + 1] + u[(j - 1) * nx + i] +
                                   u[(j + 1) * nx + i]);
}

/* The same in floats from a tile with a halo that border threads fetch. */
__global__ void jacobi_with_halo(const float *u, float *next, int n)
{
    __shared__ float s_u[18][34];
    int x = blockIdx.x * 32 + threadIdx.x, y = blockIdx.y * 16 + threadIdx.y;
    int tx = threadIdx.x + 1, ty = threadIdx.y + 1;
    s_u[ty][tx] = u[y * n + x];
    if (threadIdx.x == 0)
        s_u[ty][0] = x > 0 ? u[y * n + x - 1] : 0;
    if (threadIdx.x == 31)
        s_u[ty][33] = x < n - 1 ? u[y * n + x + 1] : 0;
    if (threadIdx.y == 0)
        s_u[0][tx] = y > 0 ? u[(y - 1) * n + x] : 0;
    if (threadIdx.y == 15)
        s_u[17][tx] = y < n - 1 ? u[(y + 1) * n + x] : 0;
    __syncthreads();
    next[y * n + x] =
        0.25f * (s_u[ty][tx - 1] + s_u[ty][tx + 1] + s_u[ty - 1][tx] + s_u[ty + 1][tx]);
}

/* Eight neighbours along each axis of a volume: the Laplacian of a wave, a thread to a point. */
__global__ void wave_of_eighth_order(const float *u, const float *before, float *next, int n)
{
    const float c[5] = {-2.847222f, 1.6f, -0.2f, 0.025396f, -0.001785f};
    int x = blockIdx.x * blockDim.x + threadIdx.x + 4;
    int y = blockIdx.y * blockDim.y + threadIdx.y + 4;
    int z = blockIdx.z + 4;
    if (x >= n - 4 || y >= n - 4 || z >= n - 4)
        return;
    int i = (z * n + y) * n + x;
    float sum = 3 * c[0] * u[i];
#pragma unroll
    for (int k = 1; k <= 4; k++)
        sum += c[k] * (u[i - k] + u[i + k] + u[i - k * n] + u[i + k * n] + u[i - k * n * n] +
                       u[i + k * n * n]);
    next[i] = 2 * u[i] - before[i] + 0.1f * sum;
}

/* Seven points of a volume: a column of blocks walks along z with three planes in registers. */
__global__ void seven_points_in_columns(const float *u, float *next, int nx, int ny, int nz)
{
    int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x < 1 || y < 1 || x >= nx - 1 || y >= ny - 1)
        return;
    int plane = nx * ny, i = y * nx + x;
    float below = u[i], here = u[i + plane], above;
    for (int z = 1; z < nz - 1; z++) {
        i += plane;
        above = u[i + plane];
        next[i] = here * 0.4f +
                  0.1f * (below + above + u[i - 1] + u[i + 1] + u[i - nx] + u[i + nx]);
        below = here;
        here = above;
    }
}

/* Edges of a picture of bytes by Sobel's two filters. */
__global__ void sobel_bytes(const unsigned char *in, unsigned char *out, int w, int h)
{
    int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x < 1 || y < 1 || x >= w - 1 || y >= h - 1)
        return;
    const unsigned char *p = in + y * w + x;
    int gx = p[1 - w] + 2 * p[1] + p[1 + w] - p[-1 - w] - 2 * p[-1] - p[-1 + w];
    int gy = p[w - 1] + 2 * p[w] + p[w + 1] - p[-w - 1] - 2 * p[-w] - p[-w + 1];
    out[y * w + x] = (unsigned char)min(255, abs(gx) + abs(gy));
}

/* A filter of 33 weights in constant memory along a signal. */
__constant__ float c_taps[33] = {0.01f, 0.02f, 0.03f, 0.04f, 0.05f, 0.06f, 0.07f, 0.08f, 0.09f,
                                 0.1f,  0.11f, 0.12f, 0.13f, 0.14f, 0.15f, 0.16f, 0.2f,  0.16f,
                                 0.15f, 0.14f, 0.13f, 0.12f, 0.11f, 0.1f,  0.09f, 0.08f, 0.07f,
                                 0.06f, 0.05f, 0.04f, 0.03f, 0.02f, 0.01f};
__global__ void filter_33(const float *in, float *out)
{
    __shared__ float s_in[256 + 32];
    int i = blockIdx.x * 256 + threadIdx.x;
    s_in[threadIdx.x] = in[i];
    if (threadIdx.x < 32)
        s_in[threadIdx.x + 256] = in[i + 256];
    __syncthreads();
    float sum = 0;
#pragma unroll
    for (int k = 0; k < 33; k++)
        sum += c_taps[k] * s_in[threadIdx.x + k];
    out[i] = sum;
}

/* What stands where the wind came from, between four points. */
__global__ void carried_by_wind(const float *field, const float2 *wind, float *out, int n, float dt)
{
    int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
    float2 v = wind[y * n + x];
    float fx = fminf(fmaxf(x - dt * v.x, 0), n - 1.001f);
    float fy = fminf(fmaxf(y - dt * v.y, 0), n - 1.001f);
    int ix = (int)fx, iy = (int)fy;
    fx -= ix;
    fy -= iy;
    const float *p = field + iy * n + ix;
    out[y * n + x] =
        (1 - fy) * ((1 - fx) * p[0] + fx * p[1]) + fy * ((1 - fx) * p[n] + fx * p[n + 1]);
}

/* Nine densities of a lattice gas come in from neighbours and collide. */
__global__ void lattice_step(const float *f, float *out, int side)
{
    const int dx[9] = {0, 1, 0, -1, 0, 1, -1, -1, 1}, dy[9] = {0, 0, 1, 0, -1, 1, 1, -1, -1};
    const float w[9] = {0.444444f, 0.111111f, 0.111111f, 0.111111f, 0.111111f,
                        0.027777f, 0.027777f, 0.027777f, 0.027777f};
    int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y, mask = side - 1;
    float g[9], rho = 10, ux = 0, uy = 0;
#pragma unroll
    for (int k = 0; k < 9; k++) {
        g[k] = f[k * side * side + ((y - dy[k]) & mask) * side + ((x - dx[k]) & mask)];
        rho += g[k];
        ux += g[k] * dx[k];
        uy += g[k] * dy[k];
    }
    ux /= rho;
    uy /= rho;
    float square = 1.5f * (ux * ux + uy * uy);
#pragma unroll
    for (int k = 0; k < 9; k++) {
        float along = 3 * (dx[k] * ux + dy[k] * uy);
        float even = w[k] * rho * (1 + along + 0.5f * along * along - square);
        out[k * side * side + y * side + x] = g[k] + 0.6f * (even - g[k]);
    }
}

/* One stage of a transform over all of memory, two points a thread. */
__global__ void butterfly_stage(const float2 *in, float2 *out, int half)
{
    int t = blockIdx.x * blockDim.x + threadIdx.x, k = t & (half - 1), at = 2 * (t - k) + k;
    float sine, cosine;
    __sincosf(-3.14159265f * k / half, &sine, &cosine);
    float2 a = in[at], b = in[at + half];
    b = make_float2(b.x * cosine - b.y * sine, b.x * sine + b.y * cosine);
    out[at] = make_float2(a.x + b.x, a.y + b.y);
    out[at + half] = make_float2(a.x - b.x, a.y - b.y);
}

/* 1024 points of each block in shared memory, four at a time. */
__global__ void fft_1024_by_fours(const float2 *in, float2 *out)
{
    __shared__ float2 s_v[1024];
    int t = threadIdx.x;
    float2 v[4];
    for (int j = 0; j < 4; j++)
        v[j] = in[blockIdx.x * 1024 + j * 256 + t];
    for (int size = 1; size < 1024; size *= 4) {
        int k = t & (size - 1);
        float angle = -1.57079633f * k / size, sine, cosine;
#pragma unroll
        for (int j = 1; j < 4; j++) {
            sincosf(angle * j, &sine, &cosine);
            v[j] = make_float2(v[j].x * cosine - v[j].y * sine, v[j].x * sine + v[j].y * cosine);
        }
        float2 a = make_float2(v[0].x + v[2].x, v[0].y + v[2].y);
        float2 b = make_float2(v[0].x - v[2].x, v[0].y - v[2].y);
        float2 c = make_float2(v[1].x + v[3].x, v[1].y + v[3].y);
        float2 d = make_float2(v[1].y - v[3].y, v[3].x - v[1].x);
        int to = (t - k) * 4 + k;
        __syncthreads();
        s_v[to] = make_float2(a.x + c.x, a.y + c.y);
        s_v[to + size] = make_float2(b.x + d.x, b.y + d.y);
        s_v[to + 2 * size] = make_float2(a.x - c.x, a.y - c.y);
        s_v[to + 3 * size] = make_float2(b.x - d.x, b.y - d.y);
        __syncthreads();
        for (int j = 0; j < 4; j++)
            v[j] = s_v[j * 256 + t];
    }
    for (int j = 0; j < 4; j++)
        out[blockIdx.x * 1024 + j * 256 + t] = v[j];
}

/* Every body pulls at every other, tiles of bodies in shared memory. */
__global__ void gravity_by_tiles(const float4 *body, float4 *out, int n)
{
    __shared__ float4 s_body[128];
    int i = blockIdx.x * 128 + threadIdx.x;
    float4 me = body[i];
    float ax = 0, ay = 0, az = 0;
    for (int tile = 0; tile < n; tile += 128) {
        s_body[threadIdx.x] = body[tile + threadIdx.x];
        __syncthreads();
#pragma unroll 8
        for (int j = 0; j < 128; j++) {
            float4 b = s_body[j];
            float dx = b.x - me.x, dy = b.y - me.y, dz = b.z - me.z;
            float r = rsqrtf(dx * dx + dy * dy + dz * dz + 0.01f), f = b.w * r * r * r;
            ax += dx * f;
            ay += dy * f;
            az += dz * f;
        }
        __syncthreads();
    }
    out[i] = make_float4(ax, ay, az, 0);
}

/* Pairs of atoms by a potential, all read from global memory, far ones left out. */
__global__ void potential_within(const float *x, const float *y, const float *z, float *out, int n,
                                 float reach)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    float px = x[i], py = y[i], pz = z[i], sum = 0;
    for (int j = 0; j < n; j++) {
        float dx = x[j] - px, dy = y[j] - py, dz = z[j] - pz, r2 = dx * dx + dy * dy + dz * dz;
        if (r2 < reach && j != i) {
            float s = 0.01f / (r2 + 0.001f), s3 = s * s * s;
            sum += 4 * (s3 * s3 - s3);
        }
    }
    out[i] = sum;
}

#define EACH(name, grid, block, kernel, ...)                                                       \
    BANK_ROW(name, BANK_COLD, grid, block, 0, kernel, __VA_ARGS__)

static const struct bank_row ROWS[] = {
    EACH("jacobi_inner_doubles_1024", dim3(32, 128), dim3(32, 8), jacobi_inner, data->double_x,
         (double *)data->out, KI, KI),
    EACH("jacobi_with_halo_4096", dim3(128, 256), dim3(32, 16), jacobi_with_halo, data->x,
         data->out, 4 * KI),
    EACH("wave_of_eighth_order_200", dim3(6, 24, 192), dim3(32, 8), wave_of_eighth_order, data->x,
         data->y, data->out, 200),
    EACH("seven_points_in_columns_256", dim3(8, 32), dim3(32, 8), seven_points_in_columns, data->x,
         data->out, 256, 256, 256),
    EACH("seven_points_in_columns_1000x500x20", dim3(32, 63), dim3(32, 8),
         seven_points_in_columns, data->x, data->out, 1000, 500, 20),
    EACH("sobel_bytes_1920x1080", dim3(60, 135), dim3(32, 8), sobel_bytes,
         (const unsigned char *)data->half_x, (unsigned char *)data->out, 1920, 1080),
    EACH("filter_33_4M", 16 * KI, 256, filter_33, data->x, data->out),
    EACH("carried_by_wind_2048", dim3(128, 128), dim3(16, 16), carried_by_wind, data->x,
         (const float2 *)data->y, data->out, 2 * KI, 3.0f),
    EACH("lattice_step_1024", dim3(8, KI), 128, lattice_step, data->x, data->out, KI),
    EACH("butterfly_stage_4M_far", 8 * KI, 256, butterfly_stage, (const float2 *)data->x,
         (float2 *)data->out, MI),
    EACH("butterfly_stage_4M_near", 8 * KI, 256, butterfly_stage, (const float2 *)data->x,
         (float2 *)data->out, 2),
    EACH("fft_1024_by_fours_1024", KI, 256, fft_1024_by_fours, (const float2 *)data->x,
         (float2 *)data->out),
    EACH("gravity_by_tiles_4096", 32, 128, gravity_by_tiles, (const float4 *)data->x,
         (float4 *)data->out, 4 * KI),
    EACH("potential_within_3072", 24, 128, potential_within, data->x, data->y, data->x + MI,
         data->out, 3 * KI, 0.05f),
};
BANK_FAMILY(meshes)
