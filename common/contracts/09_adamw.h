/* 09_adamw.h - contract of lesson 9: AdamW over a list of tensors, in one launch or two.
 *
 * What happens to each element of each tensor, where p, m, v on the right are the values before
 * the call, and ^ is a power:
 *
 *     m = beta1 m + (1 - beta1) g
 *     v = beta2 v + (1 - beta2) g g
 *     p = p - rate (weight_decay p + (m / (1 - beta1^t)) / (sqrt(v / (1 - beta2^t)) + eps))
 *
 *     rate = lr decay_rate^(*step / decay_steps)    a real quotient, not a whole one
 *     t    = *step + 1                              a real number, too: it may be 2^64
 *
 * p takes the new m and v, and the decay takes the old p. This is Loshchilov and Hutter's decoupled
 * weight decay: it enters neither m nor v.
 *
 * rate and both corrections, 1 - beta1^t and 1 - beta2^t, are off by 4 * 2^-24 of themselves at
 * most, at any step. The rest is FP32 arithmetic in any order: what is subnormal is not set to 0, a
 * gradient of FP16 is converted without a change, and nothing is kept in a narrower type. So v is
 * never negative. NaN and an infinite g spread as the formulas say, and into no other element. What
 * becomes of an infinite p, m or v depends on the order of operations, and is left open.
 *
 * tensors    count of them, in host memory; read before the call returns, as is hyper.
 * count      0 to LESSON9_MOST_TENSORS.
 * step       one number on the device: how many steps were done before. It is read when the kernel
 *            runs, so a graph replayed after *step has changed does that step. The call does not
 *            count it up: only the caller knows when all of a step's work is done.
 * workspace  LESSON9_WORKSPACE_BYTES on the device, aligned to 256, for whatever a call needs to
 *            put there. What it holds before the call does not matter. Calls that run at the same
 *            time get different ones; what a call keeps on the device is there, and in no variable
 *            of the program's.
 *
 * Only the given stream is used; nothing is allocated, copied to or from the host or waited for, so
 * a call can be captured into a graph; and it is two kernel launches at most.
 *
 * Returns cudaErrorInvalidValue for a count out of range, an n below 0, more elements in all than
 * LESSON9_MOST_ELEMENTS, a tensor that has elements and a pointer that is NULL, or a field of hyper
 * that is out of range, as NaN is. A list without elements launches nothing and succeeds. Otherwise
 * it returns what the launch returned.
 */
#ifndef CONTRACTS_09_ADAMW_H
#define CONTRACTS_09_ADAMW_H

#include "quest.h"

#include <cuda_runtime.h>

/* Tensors in a list, and elements in all of them together. */
#define LESSON9_MOST_TENSORS 640
#define LESSON9_MOST_ELEMENTS ((INT64_C(1) << 34) - 1)
#define LESSON9_WORKSPACE_BYTES 65536

/* Device pointers, each aligned to its element and no better: 4 bytes, or 2 for a gradient of FP16.
 * Nothing overlaps. A tensor without elements may have any pointers. g is not written, nor is what
 * lies between tensors. */
struct quest_adamw_tensor {
    float *p;
    const void *g; /* n floats; or n numbers of FP16, if half_gradient */
    float *m, *v;  /* the moments: running means of g and of g g */
    int64_t n;     /* elements, 0 or more; beyond 2^32 is allowed */
    bool half_gradient;
};

struct quest_adamw {
    float lr;            /* 0 or more, finite */
    float beta1, beta2;  /* at least 0, less than 1 */
    float eps;           /* more than 0, finite */
    float weight_decay;  /* 0 or more, finite */
    float decay_rate;    /* more than 0, at most 1; 1 leaves lr as it is */
    int64_t decay_steps; /* 1 or more: after so many steps lr is decay_rate times what it was */
};

#ifdef __cplusplus
extern "C"
#endif
    cudaError_t
    lesson9_adamw(const struct quest_adamw_tensor *tensors, int count,
                  const struct quest_adamw *hyper, const uint64_t *step, void *workspace,
                  cudaStream_t stream);

#endif
