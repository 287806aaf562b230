/* 07_layout.h - contract of lesson 7: a matrix product in whatever layout its operands have.
 *
 *     Y = op(A) op(B) + bias
 *
 * gemm   what is asked for, in host memory, read before the call returns (see quest.h). Its
 *        activation is QUEST_ACT_NONE, and save_z is false. m, n and k are 0 to
 *        LESSON7_LARGEST_SIDE each.
 * A      m x k floats; k x m if transpose_a.
 * B      k x n floats; n x k if transpose_b.
 * bias   n floats, the same for every row of op(A); NULL if, and only if, with_bias is false.
 * Y      m rows of n floats; n rows of m if y_transposed, and then element (row, col) of the
 *        product is stored in row col, column row.
 * ldy    the leading dimension of Y, the distance in floats from one stored row to the next: at
 *        least the length of a row, at most LESSON7_LARGEST_SIDE. What lies between the end of a
 *        row and the start of the next one keeps its value, and is not stored to: it may be another
 *        call's.
 *
 * All matrices are row-major, A and B without gaps between rows; pointers are device pointers,
 * aligned to 4 bytes and no better; nothing overlaps; what the elements of Y held before does not
 * matter. k = 0 is allowed: then each element of Y is its bias, or zero.
 *
 * FP32 arithmetic, in any order: inputs are not rounded to a narrower type, and what is subnormal
 * is not set to 0. A NaN spreads as the formula says and no further.
 *
 * Only the given stream is used; nothing is allocated, copied or waited for, so a call can be
 * captured into a graph; and it is one kernel launch.
 *
 * Returns cudaErrorInvalidValue for a size out of range, an ldy out of range, an activation,
 * save_z, or a bias that is there when its flag says no, or the other way round. Y without elements
 * launches nothing and succeeds. Otherwise it returns what the launch returned.
 */
#ifndef CONTRACTS_07_LAYOUT_H
#define CONTRACTS_07_LAYOUT_H

#include "quest.h"

#include <cuda_runtime.h>

/* So that a grid of tiles fits in its limits, and an offset inside a tile in 32 bits. */
enum { LESSON7_LARGEST_SIDE = 1000000 };

#ifdef __cplusplus
extern "C"
#endif
    cudaError_t
    lesson7_gemm_layout(const float *A, const float *B, const float *bias, float *Y, int64_t ldy,
                        bool y_transposed, const struct quest_gemm *gemm, cudaStream_t stream);

#endif
