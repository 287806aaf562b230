/* 06_gemm.h - contract of lesson 6: matrix products in 16 bits, planned once and run often.
 *
 *     Y = act(op(A) op(B) + bias)
 *
 * by cuBLASLt. A context keeps what has been worked out for each kind of problem; it can be saved,
 * and loaded by the next process. The usual order of calls: create, load, many gemm, save, destroy.
 *
 * A context belongs to one device and to one stream at a time: its calls are ordered by the caller,
 * so one workspace serves them all. Every function returns cudaErrorInvalidValue for a NULL context
 * or a pointer that is missing. What the library turns down is an error, too, and it is none of the
 * calls after it.
 */
#ifndef CONTRACTS_06_GEMM_H
#define CONTRACTS_06_GEMM_H

#include "quest.h"

#include <cuda_runtime.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

struct lesson6_context; /* yours */

/* What A, B, bias and Y are made of. */
enum lesson6_type { LESSON6_F16, LESSON6_BF16 };

/* workspace: workspace_bytes (0 is allowed) of device memory, aligned to 256 bytes, the caller's.
 * It may be used by any call of the context until it is destroyed, and by nothing else.
 * lesson6_destroy frees what the context has made of the library: handle, descriptions. */
cudaError_t lesson6_create(struct lesson6_context **context, void *workspace,
                           size_t workspace_bytes);
cudaError_t lesson6_destroy(struct lesson6_context *context);

/* gemm   what is asked for, read before the call returns (see quest.h). save_z is false; the
 *        activation is one that the library fuses: NONE, RELU or GELU_TANH. m, n and k are at least
 *        1. Anything else is cudaErrorInvalidValue.
 * A      op(A) is m x k.                  B      op(B) is k x n.
 * bias   n elements, the same for every row; NULL if, and only if, with_bias is false. Aligned to
 *        16 bytes: the library's epilogue refuses others (seen on an H200 with CUDA 13.0).
 * Y      m x n.
 *
 * All matrices are row-major, without gaps between rows. Pointers are device pointers; those of
 * matrices are aligned to one element and no better; nothing overlaps; what Y held before does not
 * matter.
 *
 * Sums are kept in FP32 until the activation has been applied, and are rounded to the type once;
 * but for rows or pointers that are no multiples of 16 bytes the library may round before its
 * epilogue, too.
 *
 * The work goes to the stream and is not waited for. Once a context knows a kind of problem, a call
 * makes no handle, asks the library nothing, and neither allocates device memory nor waits. The
 * first call with a new kind of problem may ask the library; it may also measure what it was
 * offered, and wait for that, unless the stream is being captured: then one question and no
 * measurement have to do. Either way the call can be captured.
 *
 * Questions are cublasLtMatmulAlgoGetHeuristic, AlgoCheck, AlgoGetIds, AlgoInit and
 * AlgoCapGetAttribute, and a cublasLtMatmul without an algorithm. Whether a plan from a file fits
 * may be checked once. */
cudaError_t lesson6_gemm(struct lesson6_context *context, enum lesson6_type type, const void *A,
                         const void *B, const void *bias, void *Y, const struct quest_gemm *gemm,
                         cudaStream_t stream);

/* Write all that the context knows to a file, over whatever it held. cudaErrorUnknown when that
 * cannot be done; then the file is what it was. A process that ends while it saves leaves the old
 * file or the new one, whole; so do several that save at once: the last one's stays.
 *
 * The file begins with a stamp, and what follows is the implementation's own. */
struct lesson6_stamp {
    uint64_t magic;           /* LESSON6_MAGIC */
    uint64_t library_version; /* cublasLtGetVersion() of who wrote it */
    char device[256];         /* name of its cudaDeviceProp, and zeros */
    uint64_t bytes;           /* that follow the stamp */
    uint64_t checksum;        /* lesson6_checksum() of them */
};
#define LESSON6_MAGIC UINT64_C(0x316E616C70365751)
cudaError_t lesson6_save(struct lesson6_context *context, const char *path);

/* Know from here on what the file says, beside what is known already; then none of its problems is
 * asked about again. (It may come from a context with more workspace: what has no room in this one
 * may be asked about again.) A file that is not there, not whole, damaged, or written with another
 * version of the library or on another device, is refused: cudaErrorInvalidValue, and the context
 * is as it was. */
cudaError_t lesson6_load(struct lesson6_context *context, const char *path);

#ifdef __cplusplus
}
#endif

/* FNV-1a: a bit that changed changes it. It is no protection against someone who means to. */
static inline uint64_t lesson6_checksum(const void *bytes, size_t count)
{
    uint64_t hash = UINT64_C(0xCBF29CE484222325);
    for (size_t i = 0; i < count; i++)
        hash = (hash ^ ((const unsigned char *)bytes)[i]) * UINT64_C(0x100000001B3);
    return hash;
}

#endif
