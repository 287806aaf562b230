/* blaslt.h - the drop-in libcublasLt: a program's descriptors, and questions to the device.
 *
 * Descriptors live in memory that the program may own (the ..Init functions), so each is a plain
 * struct that fits the opaque one of the toolkit's header, and begins with a mark that tells what
 * it is. What an algorithm can do is answered here (../algo.c); which ones to try, and the product
 * itself, are left to the device (../../device/blaslt.c).
 *
 * Reading order: handle.c, attribute.c and the descriptors (layout.c, descriptor.c, preference.c),
 * problem.c (from descriptors to ../matmul.h), algorithm.c, heuristic.c, matmul.c.
 */
#ifndef BLASLT_CLIENT_H
#define BLASLT_CLIENT_H

#include "../../client/extension.h"
#include "../algo.h"
#include "status.h"

#include <cublasLt.h>

/* --- Marks ------------------------------------------------------------------------------------ */

enum mark {
    MARK_HANDLE = 0x4c746863,
    MARK_LAYOUT = 0x4c746c61,
    MARK_DESCRIPTOR = 0x4c746465,
    MARK_PREFERENCE = 0x4c747072,
    MARK_TRANSFORM = 0x4c747472,
};

/* --- Handles: handle.c ------------------------------------------------------------------------ */

struct cublasLtContext {
    enum mark mark;
    uint32_t multiprocessors; /* of the device, for the wave count of a check */
};

bool handle_is_sound(cublasLtHandle_t handle);

/* --- Attributes: attribute.c ------------------------------------------------------------------ */

/* Where an attribute lies in its descriptor. */
struct attribute {
    int number;
    uint32_t offset, bytes;
};

cublasStatus_t attribute_set(void *descriptor, const struct attribute *list, size_t count,
                             int number, const void *from, size_t bytes);
cublasStatus_t attribute_get(const void *descriptor, const struct attribute *list, size_t count,
                             int number, void *to, size_t bytes, size_t *written);
/* The rules of every ..GetAttribute, for a value that is at hand. */
cublasStatus_t attribute_copy(const void *value, size_t value_bytes, void *to, size_t bytes,
                              size_t *written);

/* --- Descriptors ------------------------------------------------------------------------------ */

struct layout {
    uint32_t mark, type;
    uint64_t rows, columns;
    int64_t ld, batch_stride, plane_offset;
    int32_t order, batch_count;
    uint32_t batch_mode, pad;
};

struct descriptor {
    uint32_t mark;
    int32_t compute, scale_type, pointer_mode, transpose_a, transpose_b, transpose_c, fill_mode;
    uint32_t epilogue;
    int32_t bias_type, aux_type, processors_wanted;
    int32_t scale_mode[7]; /* A, B, C, D, auxiliary, D out; one spare */
    int8_t fast_accumulation;
    int64_t bias_batch_stride, aux_ld, aux_batch_stride, alpha_batch_stride;
    uint64_t bias, aux;
    uint64_t scale[9]; /* pointers for narrower types than we have: must stay NULL */
};

struct preference {
    uint32_t mark, search_mode;
    uint64_t workspace_bytes;
    uint32_t reductions;
    uint32_t alignment_a, alignment_b, alignment_c, alignment_d;
    float most_waves;
    uint64_t implementations;
};

/* NULL unless it is one. */
const struct layout *layout_of(cublasLtMatrixLayout_t handle);
const struct descriptor *descriptor_of(cublasLtMatmulDesc_t handle);
const struct preference *preference_of(cublasLtMatmulPreference_t handle);
/* As cublasLtMatmulPreferenceCreate sets it up. */
void preference_default(struct preference *preference);

/* --- Problems: problem.c ---------------------------------------------------------------------- */

cublasStatus_t problem_of(cublasLtMatmulDesc_t descriptor, cublasLtMatrixLayout_t a,
                          cublasLtMatrixLayout_t b, cublasLtMatrixLayout_t c,
                          cublasLtMatrixLayout_t d, struct matmul_problem *problem);

/* --- Questions that come back: repeated.c ----------------------------------------------------- */

/* A question about an algorithm, as bytes. The device counts it unless it is the first of its kind:
 * asking once whether an algorithm from a file fits is reasonable. */
void question_asked(const void *question, size_t bytes);

/* --- Algorithms: algorithm.c, heuristic.c ----------------------------------------------------- */

/* The best guess under the default preferences: what a NULL algorithm stands for. */
cublasStatus_t heuristic_default(const struct matmul_problem *problem,
                                 uint64_t words[MATMUL_ALGO_WORDS]);

/* For a function that is not supported: says its name. */
cublasStatus_t blaslt_missing(const char *function);

#endif
