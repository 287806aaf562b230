/* 08_backward.h - contract of lesson 8: the gradients of a product with bias and activation.
 *
 *     Z = A B + bias         Y = act(Z)            the forward call, as in lesson 4
 *
 *     gZ = gY act'(Z)                              element by element
 *     gA = gZ B^T            gB = A^T gZ           gBias = the sum of each column of gZ
 *
 * gemm   what the forward call was asked for, in host memory, read before the call returns (see
 *        quest.h). Its transpose flags are false, and save_z is true. m, n and k are 0 to
 *        LESSON8_LARGEST_SIDE each, and no matrix has more than LESSON8_MOST_ELEMENTS.
 * A      m x k floats.                    B      k x n floats.
 * gY     m x n floats, the gradient of Y.
 * Z      m x n floats, which the forward call saved. Whether they are A B + bias does not matter.
 * gA     m x k floats.                    gB     k x n floats.
 * gBias  n floats; NULL if, and only if, with_bias is false.
 * workspace        workspace_bytes on the device, aligned to 16 bytes; what it held before, and
 *                  what it holds afterwards, does not matter. Calls that run at the same time get
 *                  different ones; what a call keeps on the device is there, and in no variable of
 *                  the program's.
 * workspace_bytes  at least what lesson8_workspace() returns for the same gemm.
 *
 * act'   none: 1. relu: 1 where z > 0, 0 where z <= 0. leaky relu: 1 where z > 0, leaky_slope where
 *        z <= 0. The others: the derivative of the formula in quest.h, good to a few units in the
 *        last place of its largest term, or of 1 where that is larger; so the two forms of GELU
 *        have two derivatives, not one.
 *        Where z is large or infinite, that is its limit, 0 or 1. Where z is NaN, act' is NaN, but
 *        for none.
 *
 * All matrices are row-major, without gaps between rows; pointers are device pointers, aligned to 4
 * bytes and no better, but for the workspace; nothing overlaps; what the outputs held before does
 * not matter. Any side may be 0: a sum of nothing is 0.
 *
 * FP32 arithmetic, in any order that is the same each time: the same call gives the same bits.
 * Inputs and gZ are not rounded to a narrower type, and what is subnormal is not set to 0. A NaN
 * spreads as the formulas say and no further; 0 times NaN, or times an infinity, is NaN.
 *
 * Only the given stream is used; nothing is allocated, copied or waited for, so a call can be
 * captured into a graph; and it is at most LESSON8_MOST_LAUNCHES kernel launches.
 *
 * Returns cudaErrorInvalidValue for a size out of range, a transpose flag, save_z that is false, an
 * unknown activation, a gBias that is there when with_bias is false, or the other way round, or too
 * small a workspace. If no output has elements, it launches nothing and succeeds. Otherwise it
 * returns what the launches returned.
 */
#ifndef CONTRACTS_08_BACKWARD_H
#define CONTRACTS_08_BACKWARD_H

#include "quest.h"

#include <cuda_runtime.h>
#include <stddef.h>
#include <stdint.h>

/* So that a grid of tiles fits in its limits, and an element's number in an int. */
enum { LESSON8_LARGEST_SIDE = 1000000, LESSON8_MOST_ELEMENTS = INT32_MAX };

enum { LESSON8_MOST_LAUNCHES = 4 };

#ifdef __cplusplus
extern "C" {
#endif

cudaError_t lesson8_gemm_bias_act_backward(const float *A, const float *B, const float *gY,
                                           const float *Z, float *gA, float *gB, float *gBias,
                                           const struct quest_gemm *gemm, void *workspace,
                                           size_t workspace_bytes, cudaStream_t stream);

/* The bytes of workspace that such a call needs: a multiple of 16, and at most 1 MiB, and 32 bytes
 * for each element of Z, of A and of B. It asks no device. 0 if no output has elements, or if gemm
 * is refused. */
size_t lesson8_workspace(const struct quest_gemm *gemm);

#ifdef __cplusplus
}
#endif

#endif
