/* elementwise.cu - one result from one element: what the order of addresses does to memory. */
#include "bank.h"

/* Neighbouring lanes, neighbouring floats: 4 sectors a request. */
__global__ void scale(const float *x, float *out, int n)
{
    int i = thread_index();
    if (i < n)
        out[i] = 2.0f * x[i];
}

/* Wider accesses: fewer instructions for the same bytes. */
template <typename T> __global__ void copy(const T *x, T *out, int n)
{
    int i = thread_index();
    if (i < n)
        out[i] = x[i];
}

/* Two inputs for one output. */
__global__ void axpby(const float *x, const float *y, float *out, int n)
{
    int i = thread_index();
    if (i < n)
        out[i] = 0.75f * x[i] + 1.25f * y[i];
}

/* The same in pieces of 16 bytes: three streams as wide as a lane can ask. */
__global__ void axpby_float4(const float4 *x, const float4 *y, float4 *out, int n)
{
    int i = thread_index();
    if (i >= n)
        return;
    float4 a = x[i], b = y[i];
    out[i] = make_float4(0.75f * a.x + 1.25f * b.x, 0.75f * a.y + 1.25f * b.y,
                         0.75f * a.z + 1.25f * b.z, 0.75f * a.w + 1.25f * b.w);
}

/* Two half-precision numbers in each 4 bytes. */
__global__ void scale_half2(const __half2 *x, __half2 *out, int n)
{
    int i = thread_index();
    if (i < n)
        out[i] = __hmul2(x[i], __float2half2_rn(2.0f));
}

/* Lanes read stride floats apart: up to a sector for each lane. */
__global__ void strided_read(const float *x, float *out, int n, int stride)
{
    int i = thread_index();
    if (i < n)
        out[i] = x[i * stride];
}

/* Lanes write stride floats apart: sectors are written in part. */
__global__ void strided_write(const float *x, float *out, int n, int stride)
{
    int i = thread_index();
    if (i < n)
        out[i * stride] = x[i];
}

/* Reading from one float further on: a fifth sector for each request. */
__global__ void offset_read(const float *x, float *out, int n)
{
    int i = thread_index();
    if (i < n)
        out[i] = x[i + 1];
}

/* Writing to one float further on. */
__global__ void offset_write(const float *x, float *out, int n)
{
    int i = thread_index();
    if (i < n)
        out[i + 1] = x[i];
}

struct particle {
    float x, y, z, mass, vx, vy, vz, charge;
};

/* Array of structures: three fields of 32 bytes, read 32 bytes apart. */
__global__ void array_of_structures(const struct particle *particles, float *out, int n)
{
    int i = thread_index();
    if (i < n)
        out[i] = particles[i].x * particles[i].vx + particles[i].mass;
}

/* Structure of arrays: the same three fields, each with its neighbours. */
__global__ void structure_of_arrays(const float *x, const float *vx, const float *mass, float *out,
                                    int n)
{
    int i = thread_index();
    if (i < n)
        out[i] = x[i] * vx[i] + mass[i];
}

/* Each thread walks a piece of its own: lanes are a whole piece apart. */
__global__ void chunk_per_thread(const float *x, float *out, int chunk)
{
    int first = thread_index() * chunk;
    for (int k = 0; k < chunk; k++)
        out[first + k] = 2.0f * x[first + k];
}

/* All threads walk side by side; how many there are is the grid's choice. */
__global__ void grid_stride(const float *x, float *out, int n)
{
    for (int i = thread_index(); i < n; i += thread_count())
        out[i] = 2.0f * x[i];
}

/* Four loads under way before the first is used. */
__global__ void four_in_flight(const float *x, float *out, int n)
{
    int i = thread_index(), quarter = n / 4;
    if (i >= quarter)
        return;
    float a = x[i], b = x[i + quarter], c = x[i + 2 * quarter], d = x[i + 3 * quarter];
    out[i] = 2.0f * a;
    out[i + quarter] = 2.0f * b;
    out[i + 2 * quarter] = 2.0f * c;
    out[i + 3 * quarter] = 2.0f * d;
}

/* Reads only; the sum of a million random numbers is never exactly this. */
__global__ void read_only(const float4 *x, float *out, int n)
{
    float sum = 0;
    for (int i = thread_index(); i < n; i += thread_count()) {
        float4 v = x[i];
        sum += v.x + v.y + v.z + v.w;
    }
    if (sum == 12345.678f)
        out[0] = sum;
}

/* Writes only. */
__global__ void write_only(float4 *out, int n)
{
    int i = thread_index();
    if (i < n)
        out[i] = make_float4((float)i, 1.5f, 2.5f, 3.5f);
}

/* 16 MiB eight times over, each time by other multiprocessors: from L2 after the first. */
__global__ void read_again_from_l2(const float4 *x, float *out, int n, int times)
{
    int i = thread_index();
    float sum = 0;
    for (int k = 0; k < times; k++) {
        float4 v = x[(i + k * (n / times)) & (n - 1)];
        sum += v.x + v.y + v.z + v.w;
    }
    out[i] = sum;
}

/* 4 KiB a block, many times over: from L1 after the first. */
__global__ void read_again_from_l1(const float *x, float *out, int times)
{
    const float *own = x + blockIdx.x * 1024;
    float sum = 0;
    for (int k = 0; k < times; k++)
        sum += own[(threadIdx.x + k * 37) & 1023];
    out[thread_index()] = sum;
}

#define STRIDED(stride)                                                                            \
    BANK_ROW("strided_read_" #stride "_2M", BANK_COLD, 8 * KI, 256, 0, strided_read, data->x,      \
             data->out, 2 * MI, stride)

static const struct bank_row ROWS[] = {
    BANK_ROW("scale_1M", BANK_COLD, 4 * KI, 256, 0, scale, data->x, data->out, 1 * MI),
    BANK_ROW("scale_1M_warm", BANK_WARM, 4 * KI, 256, 0, scale, data->x, data->out, 1 * MI),
    BANK_ROW("scale_4M", BANK_COLD, 16 * KI, 256, 0, scale, data->x, data->out, 4 * MI),
    BANK_ROW("scale_4M_warm", BANK_WARM, 16 * KI, 256, 0, scale, data->x, data->out, 4 * MI),
    BANK_ROW("scale_4M_blocks_of_32", BANK_COLD, 128 * KI, 32, 0, scale, data->x, data->out,
             4 * MI),
    BANK_ROW("scale_4M_blocks_of_1024", BANK_COLD, 4 * KI, 1024, 0, scale, data->x, data->out,
             4 * MI),
    BANK_ROW("scale_16M", BANK_COLD, 64 * KI, 256, 0, scale, data->x, data->out, 16 * MI),
    BANK_ROW("scale_16M_two_blocks_each", BANK_COLD, 64 * KI, 256, 100 * KI, scale, data->x,
             data->out, 16 * MI),
    BANK_ROW("scale_64M", BANK_COLD, 256 * KI, 256, 0, scale, data->x, data->out, 64 * MI),
    BANK_ROW("copy_float2_16M", BANK_COLD, 32 * KI, 256, 0, copy<float2>, (float2 *)data->x,
             (float2 *)data->out, 8 * MI),
    BANK_ROW("copy_float4_16M", BANK_COLD, 16 * KI, 256, 0, copy<float4>, (float4 *)data->x,
             (float4 *)data->out, 4 * MI),
    BANK_ROW("copy_float4_64M", BANK_COLD, 64 * KI, 256, 0, copy<float4>, (float4 *)data->x,
             (float4 *)data->out, 16 * MI),
    BANK_ROW("copy_bytes_16M", BANK_COLD, 64 * KI, 256, 0, copy<char>, (char *)data->x,
             (char *)data->out, 16 * MI),
    BANK_ROW("scale_half2_16M", BANK_COLD, 32 * KI, 256, 0, scale_half2, (__half2 *)data->half_x,
             (__half2 *)data->out, 8 * MI),
    BANK_ROW("axpby_16M", BANK_COLD, 64 * KI, 256, 0, axpby, data->x, data->y, data->out, 16 * MI),
    BANK_ROW("axpby_float4_16M", BANK_COLD, 16 * KI, 256, 0, axpby_float4, (float4 *)data->x,
             (float4 *)data->y, (float4 *)data->out, 4 * MI),
    BANK_ROW("axpby_float4_64M", BANK_COLD, 64 * KI, 256, 0, axpby_float4, (float4 *)data->x,
             (float4 *)data->y, (float4 *)data->out, 16 * MI),
    STRIDED(2),
    STRIDED(3),
    STRIDED(4),
    STRIDED(8),
    STRIDED(32),
    BANK_ROW("strided_write_2_2M", BANK_COLD, 8 * KI, 256, 0, strided_write, data->x, data->out,
             2 * MI, 2),
    BANK_ROW("strided_write_8_2M", BANK_COLD, 8 * KI, 256, 0, strided_write, data->x, data->out,
             2 * MI, 8),
    BANK_ROW("strided_write_32_2M", BANK_COLD, 8 * KI, 256, 0, strided_write, data->x, data->out,
             2 * MI, 32),
    BANK_ROW("offset_read_16M", BANK_COLD, 64 * KI, 256, 0, offset_read, data->x, data->out,
             16 * MI),
    BANK_ROW("offset_write_16M", BANK_COLD, 64 * KI, 256, 0, offset_write, data->x, data->out,
             16 * MI),
    BANK_ROW("array_of_structures_2M", BANK_COLD, 8 * KI, 256, 0, array_of_structures,
             (struct particle *)data->x, data->out, 2 * MI),
    BANK_ROW("structure_of_arrays_2M", BANK_COLD, 8 * KI, 256, 0, structure_of_arrays, data->x,
             data->x + 2 * MI, data->x + 4 * MI, data->out, 2 * MI),
    BANK_ROW("chunk_per_thread_8_4M", BANK_COLD, 2 * KI, 256, 0, chunk_per_thread, data->x,
             data->out, 8),
    BANK_ROW("chunk_per_thread_64_4M", BANK_COLD, 256, 256, 0, chunk_per_thread, data->x, data->out,
             64),
    BANK_ROW("grid_stride_16_blocks_4M", BANK_COLD, 16, 256, 0, grid_stride, data->x, data->out,
             4 * MI),
    BANK_ROW("grid_stride_132_blocks_16M", BANK_COLD, 132, 256, 0, grid_stride, data->x, data->out,
             16 * MI),
    BANK_ROW("grid_stride_1056_blocks_16M", BANK_COLD, 1056, 256, 0, grid_stride, data->x,
             data->out, 16 * MI),
    BANK_ROW("four_in_flight_16M", BANK_COLD, 16 * KI, 256, 0, four_in_flight, data->x, data->out,
             16 * MI),
    BANK_ROW("read_only_64M", BANK_COLD, 1056, 256, 0, read_only, (float4 *)data->x, data->out,
             16 * MI),
    BANK_ROW("write_only_16M", BANK_COLD, 16 * KI, 256, 0, write_only, (float4 *)data->out, 4 * MI),
    BANK_ROW("read_again_from_l2_4M", BANK_COLD, 4 * KI, 256, 0, read_again_from_l2,
             (float4 *)data->x, data->out, 1 * MI, 8),
    BANK_ROW("read_again_from_l1_512K", BANK_COLD, 512, 256, 0, read_again_from_l1, data->x,
             data->out, 256),
};
BANK_FAMILY(elementwise)
