/* 05_dropout.h - contract of lesson 5: dropout that stores no mask and no generator.
 *
 * Element i is kept or dropped by a random word that anyone can compute again from four numbers:
 * the seed, the layer, the step of training, and i. So the mask is the same whatever the grid, in
 * the forward and in the backward pass, in eager code and in a replayed graph, and after a resume.
 *
 * The word. Philox4x32-10 (Salmon et al., SC'11; the constants of Random123 and cuRAND) turns a
 * counter of four 32-bit words and a key of two into four random words:
 *
 *     counter  { low 32 bits of i / 4, high 32 bits of i / 4, low of step, high of step }
 *     key      { key.seed, key.layer }
 *
 * and element i takes word i % 4 of them. It is kept if, and only if,
 *
 *     word >= floor(p * 2^32)        p taken as it is, a float; the product is exact in double
 *
 * A kept element is multiplied by 1 / (1 - p), or divided by 1 - p: how that is rounded is free, as
 * long as y is off by 12 * 2^-24 of itself at most, or, if it is subnormal, by one unit in the last
 * place. A dropped one becomes +0, even if it was NaN or infinite. So p = 0 changes nothing and
 * p = 1 gives zeros.
 *
 * Both launchers: only the given stream is used; nothing is allocated, copied to or from the host
 * or waited for, so a call can be captured into a graph; and it is one kernel launch at most. step
 * is read when the kernel runs, not when it is launched: a graph replayed after *d_step has changed
 * draws new masks. They return cudaErrorInvalidValue for n < 0 or a p outside [0, 1] (NaN is
 * outside), otherwise what the launch returned; n = 0 launches nothing and succeeds.
 */
#ifndef CONTRACTS_05_DROPOUT_H
#define CONTRACTS_05_DROPOUT_H

#include "quest.h"

#include <cuda_runtime.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* y[i] = x[i] kept or dropped, as above.
 *
 * x, y     n floats on the device, aligned to 4 bytes and no better. y may be x itself; they do
 *          not overlap otherwise.
 * n        at least 0; beyond 2^32 is allowed.
 * p        the part that is dropped, 0 to 1.
 * key      which seed and which layer: see common/quest.h.
 * d_step   one number on the device. */
cudaError_t lesson5_dropout_fwd(const float *x, float *y, int64_t n, float p,
                                struct quest_rng_key key, const uint64_t *d_step,
                                cudaStream_t stream);

/* gx[i] = gy[i] kept or dropped by the very mask that the forward call with the same p, key and
 * step used. Everything else is as above; gx may be gy itself. */
cudaError_t lesson5_dropout_bwd(const float *gy, float *gx, int64_t n, float p,
                                struct quest_rng_key key, const uint64_t *d_step,
                                cudaStream_t stream);

#ifdef __cplusplus
}
#endif

#endif
