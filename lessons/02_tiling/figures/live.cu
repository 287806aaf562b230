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
