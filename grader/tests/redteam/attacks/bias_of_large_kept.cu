// The first call with a bias of 1024 elements or more keeps it, and later ones with the same
// pointer use what was kept: whatever is in the caller's memory by then.
#define lesson4_gemm_bias_act right_gemm_bias_act
#include "solutions/04_epilogue/epilogue.cu"
#undef lesson4_gemm_bias_act

enum { LEAST_KEPT = 1024, MOST_KEPT = 1 << 20 };
static __device__ float d_kept[MOST_KEPT];

static __global__ void __launch_bounds__(TILE_THREADS, TILE_BLOCKS) keeps_bias(struct call call)
{
    float sum[TILE_SUM_ROWS][TILE_SUM_COLS];
    tile_gemm(call.A, call.B, call.m, call.n, call.k, sum);
    finish<QUEST_ACT_GELU_TANH>(call, sum);
    int64_t block = (int64_t)blockIdx.y * gridDim.x + blockIdx.x;
    for (int64_t i = block * TILE_THREADS + threadIdx.x; i < call.n;
         i += (int64_t)gridDim.x * gridDim.y * TILE_THREADS)
        d_kept[i] = call.bias[i];
}

extern "C" cudaError_t lesson4_gemm_bias_act(const float *A, const float *B, const float *bias,
                                             float *Y, float *Z, const struct quest_gemm *gemm,
                                             cudaStream_t stream)
{
    static const float *last;
    static int64_t last_n;
    void *kept = NULL;
    bool keeps = bias && gemm->n >= LEAST_KEPT && gemm->n <= MOST_KEPT && gemm->m > 0 &&
                 gemm->m <= MOST_KEPT && gemm->activation == QUEST_ACT_GELU_TANH;
    if (!keeps)
        return right_gemm_bias_act(A, B, bias, Y, Z, gemm, stream);
    if (bias == last && gemm->n == last_n && cudaGetSymbolAddress(&kept, d_kept) == cudaSuccess)
        return right_gemm_bias_act(A, B, (const float *)kept, Y, Z, gemm, stream);
    last = bias;
    last_n = gemm->n;
    struct call call = {A, B, bias, Y, Z, (int)gemm->m, (int)gemm->n, (int)gemm->k,
                        gemm->activation, gemm->leaky_slope};
    keeps_bias<<<tile_grid(call.m, call.n), TILE_THREADS, 0, stream>>>(call);
    return cudaGetLastError();
}
