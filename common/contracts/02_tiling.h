/* 02_tiling.h - contract of lesson 2: two launchers that fetch once and use often.
 *
 * Both: matrices are row-major, without gaps between rows; pointers are device pointers, aligned to
 * 4 bytes and no better; nothing overlaps; what the output held before does not matter. Only the
 * given stream is used; nothing is allocated, copied or waited for, so a call can be captured into
 * a graph, and a call is one kernel launch.
 *
 * Each side is 0 to LESSON2_LARGEST_SIDE; for any other a launcher returns cudaErrorInvalidValue.
 * An output without elements launches nothing and succeeds. Otherwise they return what the launch
 * returned.
 */
#ifndef CONTRACTS_02_TILING_H
#define CONTRACTS_02_TILING_H

#include <cuda_runtime.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* So that a grid of tiles fits in its limits, and an offset inside a tile in 32 bits. */
enum { LESSON2_LARGEST_SIDE = 1000000 };

/* out[col][row] = in[row][col], bit for bit.
 *
 * in   rows x cols floats.
 * out  cols x rows floats. */
cudaError_t lesson2_transpose(const float *in, float *out, int rows, int cols, cudaStream_t stream);

/* C[row][col] = the sum over i of A[row][i] * B[i][col].
 *
 * A  m x k floats.
 * B  k x n floats.
 * C  m x n floats; zeros when k is 0.
 *
 * FP32 arithmetic, in any order, but the same bits each time it is called: inputs are not rounded
 * to a narrower type, and what is subnormal is not set to 0. A NaN or an infinity spreads as the
 * formula says, to its row or column of C and no further. */
cudaError_t lesson2_sgemm(const float *A, const float *B, float *C, int m, int n, int k,
                          cudaStream_t stream);

#ifdef __cplusplus
}
#endif

#endif
