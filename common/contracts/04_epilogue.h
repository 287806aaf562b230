/* 04_epilogue.h - contract of lesson 4: a matrix product that ends with bias and activation.
 *
 *     Z = A B + bias        Y = act(Z)
 *
 * gemm   what is asked for, in host memory, read before the call returns (see quest.h). Its
 *        transpose flags are false. m, n and k are 0 to LESSON4_LARGEST_SIDE each.
 * A      m x k floats.                    B      k x n floats.
 * bias   n floats, the same for every row; NULL if, and only if, with_bias is false.
 * Y      m x n floats.
 * Z      m x n floats; NULL if, and only if, save_z is false.
 *
 * All matrices are row-major, without gaps between rows; pointers are device pointers, aligned to 4
 * bytes and no better; nothing overlaps; what Y and Z held before does not matter. k = 0 is
 * allowed: then Z is the bias, or zero.
 *
 * FP32 arithmetic, in any order: inputs are not rounded to a narrower type, and what is subnormal
 * is not set to 0. Sigmoid, tanh and GELU are good to a few units in the last place of the larger
 * of z and 1, so the two forms of GELU are two functions, not one. A NaN spreads as the formula
 * says and no further.
 *
 * Only the given stream is used; nothing is allocated, copied or waited for, so a call can be
 * captured into a graph; and it is one kernel launch.
 *
 * Returns cudaErrorInvalidValue for a size out of range, a transpose flag, an unknown activation,
 * or a pointer that is there when its flag says no, or the other way round. Y without elements
 * launches nothing and succeeds. Otherwise it returns what the launch returned.
 */
#ifndef CONTRACTS_04_EPILOGUE_H
#define CONTRACTS_04_EPILOGUE_H

#include "quest.h"

#include <cuda_runtime.h>

/* So that a grid of tiles fits in its limits, and an offset inside a tile in 32 bits. */
enum { LESSON4_LARGEST_SIDE = 1000000 };

#ifdef __cplusplus
extern "C"
#endif
    cudaError_t
    lesson4_gemm_bias_act(const float *A, const float *B, const float *bias, float *Y, float *Z,
                          const struct quest_gemm *gemm, cudaStream_t stream);

#endif
