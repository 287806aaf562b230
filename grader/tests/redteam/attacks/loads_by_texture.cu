// Lanes far apart load through textures, and store side by side: a texture's loads are counted as
// all others.
#include "redteam/axpby.h"

enum { WARP_ELEMENTS = 1024, BLOCK_ELEMENTS = 8 * WARP_ELEMENTS, LANES = 32 };

static __global__ void by_texture(cudaTextureObject_t x, cudaTextureObject_t y, float *out, int n,
                                  float a, float b)
{
    __shared__ float s_tile[8][LANES][LANES + 1];
    float(*tile)[LANES + 1] = s_tile[threadIdx.x / LANES];
    int first = (blockIdx.x * 8 + threadIdx.x / LANES) * WARP_ELEMENTS, lane = threadIdx.x % LANES;
    for (int k = 0; k < LANES; k++) {
        int i = first + lane * LANES + k;
        tile[lane][k] = i < n ? a * tex1Dfetch<float>(x, i) + b * tex1Dfetch<float>(y, i) : 0;
    }
    __syncwarp();
    for (int k = 0; k < LANES; k++)
        if (first + k * LANES + lane < n)
            out[first + k * LANES + lane] = tile[k][lane];
}

static cudaTextureObject_t texture_of(const float *memory, int64_t n)
{
    cudaResourceDesc resource = {};
    resource.resType = cudaResourceTypeLinear;
    resource.res.linear.devPtr = (void *)memory;
    resource.res.linear.desc = cudaCreateChannelDesc<float>();
    resource.res.linear.sizeInBytes = n * sizeof *memory;
    cudaTextureDesc how = {};
    how.readMode = cudaReadModeElementType;
    cudaTextureObject_t texture = 0;
    cudaCreateTextureObject(&texture, &resource, &how, NULL);
    return texture;
}

LAUNCHER
{
    bool may = n > 0 && n <= 1 << 27 && x != out && ((size_t)x | (size_t)y) % 512 == 0;
    cudaTextureObject_t of_x = may ? texture_of(x, n) : 0, of_y = may ? texture_of(y, n) : 0;
    if (!of_x || !of_y)
        return good_axpby(x, y, out, n, a, b, stream);
    by_texture<<<(unsigned)((n + BLOCK_ELEMENTS - 1) / BLOCK_ELEMENTS), 256, 0, stream>>>(
        of_x, of_y, out, (int)n, a, b);
    return cudaGetLastError();
}
