// kernels.cu - what bench.c times the simulated device with: a kernel that streams, one that works
// in shared memory, one that computes.

enum { TILE = 16, BODIES = 128 };

extern "C" __global__ void saxpy(const float *x, float *y, float *, int count)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < count)
        y[i] = 2.5f * x[i] + y[i];
}

extern "C" __global__ void matmul(const float *a, const float *b, float *c, int n)
{
    __shared__ float s_a[TILE][TILE], s_b[TILE][TILE];
    int row = blockIdx.y * TILE + threadIdx.y, column = blockIdx.x * TILE + threadIdx.x;
    float sum = 0;
    for (int t = 0; t < n; t += TILE) {
        s_a[threadIdx.y][threadIdx.x] = a[row * n + t + threadIdx.x];
        s_b[threadIdx.y][threadIdx.x] = b[(t + threadIdx.y) * n + column];
        __syncthreads();
        for (int k = 0; k < TILE; k++)
            sum += s_a[threadIdx.y][k] * s_b[k][threadIdx.x];
        __syncthreads();
    }
    c[row * n + column] = sum;
}

extern "C" __global__ void nbody(const float4 *bodies, float4 *out, float *, int count)
{
    __shared__ float4 s_bodies[BODIES];
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    float4 here = bodies[i];
    float ax = 0, ay = 0, az = 0;
    for (int t = 0; t < count; t += BODIES) {
        s_bodies[threadIdx.x] = bodies[t + threadIdx.x];
        __syncthreads();
        for (int k = 0; k < BODIES; k++) {
            float4 other = s_bodies[k];
            float dx = other.x - here.x, dy = other.y - here.y, dz = other.z - here.z;
            float inverse = rsqrtf(dx * dx + dy * dy + dz * dz + 1e-3f);
            float pull = other.w * inverse * inverse * inverse;
            ax += dx * pull;
            ay += dy * pull;
            az += dz * pull;
        }
        __syncthreads();
    }
    out[i] = make_float4(ax, ay, az, 0);
}
