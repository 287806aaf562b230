// live.cu - the kernels of this lesson's live figures (lessons/site/live/js/banks.js, tiles.js).

enum { WORDS = 1408 };

__device__ static void fill(float *s_words)
{
    for (int i = threadIdx.x; i < WORDS; i += blockDim.x)
        s_words[i] = (float)i;
    __syncthreads();
}

// Lane t reads a word that is t * pitch after the first one's.
extern "C" __global__ void banks(float *out, int pitch, int first, int times)
{
    __shared__ float s_words[WORDS];
    fill(s_words);
    const float *from = &s_words[threadIdx.x % 32 * pitch + first];
    float sum = 0;
    for (int i = 0; i < times; i++)
        sum += from[i % 4];
    out[blockIdx.x * blockDim.x + threadIdx.x] = sum;
}

// The same with two words at once, and with four.
extern "C" __global__ void banks_2(float *out, int pitch, int first, int times)
{
    __shared__ __align__(16) float s_words[WORDS];
    fill(s_words);
    const float *from = &s_words[threadIdx.x % 32 * pitch + first];
    float sum = 0;
    for (int i = 0; i < times; i++) {
        float2 two = *(const float2 *)&from[i % 4 * 2];
        sum += two.x + two.y;
    }
    out[blockIdx.x * blockDim.x + threadIdx.x] = sum;
}

extern "C" __global__ void banks_4(float *out, int pitch, int first, int times)
{
    __shared__ __align__(16) float s_words[WORDS];
    fill(s_words);
    const float *from = &s_words[threadIdx.x % 32 * pitch + first];
    float sum = 0;
    for (int i = 0; i < times; i++) {
        float4 four = *(const float4 *)&from[i % 4 * 4];
        sum += four.x + four.y + four.z + four.w;
    }
    out[blockIdx.x * blockDim.x + threadIdx.x] = sum;
}

// C = A * B, square matrices of side rows, without tiles.
extern "C" __global__ void product(const float *A, const float *B, float *C, int side)
{
    int col = blockIdx.x * blockDim.x + threadIdx.x, row = blockIdx.y * blockDim.y + threadIdx.y;
    float sum = 0;
    for (int i = 0; i < side; i++)
        sum += A[row * side + i] * B[i * side + col];
    C[row * side + col] = sum;
}

// The same through tiles, with two barriers in each turn, or without the second.
template <int TILE, bool SECOND>
__device__ static void by_tiles(const float *A, const float *B, float *C, int side)
{
    __shared__ float s_a[TILE][TILE], s_b[TILE][TILE];
    int x = threadIdx.x, y = threadIdx.y;
    int col = blockIdx.x * TILE + x, row = blockIdx.y * TILE + y;
    float sum = 0;
    for (int first = 0; first < side; first += TILE) {
        s_a[y][x] = A[row * side + first + x];
        s_b[y][x] = B[(first + y) * side + col];
        __syncthreads();
        for (int i = 0; i < TILE; i++)
            sum += s_a[y][i] * s_b[i][x];
        if (SECOND)
            __syncthreads();
    }
    C[row * side + col] = sum;
}

extern "C" __global__ void tiles_8(const float *A, const float *B, float *C, int side)
{
    by_tiles<8, true>(A, B, C, side);
}

extern "C" __global__ void tiles_16(const float *A, const float *B, float *C, int side)
{
    by_tiles<16, true>(A, B, C, side);
}

extern "C" __global__ void one_barrier(const float *A, const float *B, float *C, int side)
{
    by_tiles<8, false>(A, B, C, side);
}
