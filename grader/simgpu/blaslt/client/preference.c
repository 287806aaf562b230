/* preference.c - cublasLtMatmulPreference_t: what a heuristic may count on. Two defaults are traps:
 * no workspace, and pointers that are multiples of 256 bytes.
 */
#include "blaslt.h"

#include <stdlib.h>
#include <string.h>

_Static_assert(sizeof(struct preference) <= sizeof(cublasLtMatmulPreferenceOpaque_t), "must fit");

enum { DEFAULT_ALIGNMENT = 256 };

#define IN_PREFERENCE(number, field)                                       \
    {                                                                      \
        CUBLASLT_MATMUL_PREF_##number, offsetof(struct preference, field), \
            sizeof(((struct preference *)0)->field)                        \
    }

static const struct attribute ATTRIBUTES[] = {
    IN_PREFERENCE(SEARCH_MODE, search_mode),
    IN_PREFERENCE(MAX_WORKSPACE_BYTES, workspace_bytes),
    IN_PREFERENCE(REDUCTION_SCHEME_MASK, reductions),
    IN_PREFERENCE(MIN_ALIGNMENT_A_BYTES, alignment_a),
    IN_PREFERENCE(MIN_ALIGNMENT_B_BYTES, alignment_b),
    IN_PREFERENCE(MIN_ALIGNMENT_C_BYTES, alignment_c),
    IN_PREFERENCE(MIN_ALIGNMENT_D_BYTES, alignment_d),
    IN_PREFERENCE(MAX_WAVES_COUNT, most_waves),
    IN_PREFERENCE(IMPL_MASK, implementations),
};
enum { ATTRIBUTE_COUNT = sizeof ATTRIBUTES / sizeof *ATTRIBUTES };

const struct preference *preference_of(cublasLtMatmulPreference_t handle)
{
    const struct preference *preference = (const struct preference *)handle;
    return preference && preference->mark == MARK_PREFERENCE ? preference : NULL;
}

void preference_default(struct preference *preference)
{
    *preference = (struct preference){.mark = MARK_PREFERENCE,
                                      .search_mode = CUBLASLT_SEARCH_BEST_FIT,
                                      .reductions = CUBLASLT_REDUCTION_SCHEME_MASK,
                                      .alignment_a = DEFAULT_ALIGNMENT,
                                      .alignment_b = DEFAULT_ALIGNMENT,
                                      .alignment_c = DEFAULT_ALIGNMENT,
                                      .alignment_d = DEFAULT_ALIGNMENT,
                                      .implementations = UINT64_MAX};
}

cublasStatus_t cublasLtMatmulPreferenceInit_internal(cublasLtMatmulPreference_t handle, size_t size)
{
    struct preference preference;
    if (!handle)
        return CUBLAS_STATUS_INVALID_VALUE;
    if (size < sizeof *handle)
        return CUBLAS_STATUS_ALLOC_FAILED;
    preference_default(&preference);
    memcpy(handle, &preference, sizeof preference);
    return CUBLAS_STATUS_SUCCESS;
}

cublasStatus_t cublasLtMatmulPreferenceCreate(cublasLtMatmulPreference_t *handle)
{
    if (!handle)
        return CUBLAS_STATUS_INVALID_VALUE;
    *handle = calloc(1, sizeof **handle);
    if (!*handle)
        return CUBLAS_STATUS_ALLOC_FAILED;
    return cublasLtMatmulPreferenceInit_internal(*handle, sizeof **handle);
}

cublasStatus_t cublasLtMatmulPreferenceDestroy(cublasLtMatmulPreference_t handle)
{
    free(handle);
    return CUBLAS_STATUS_SUCCESS;
}

cublasStatus_t cublasLtMatmulPreferenceSetAttribute(cublasLtMatmulPreference_t handle,
                                                    cublasLtMatmulPreferenceAttributes_t attribute,
                                                    const void *from, size_t bytes)
{
    if (!preference_of(handle))
        return CUBLAS_STATUS_INVALID_VALUE;
    return attribute_set(handle, ATTRIBUTES, ATTRIBUTE_COUNT, attribute, from, bytes);
}

cublasStatus_t cublasLtMatmulPreferenceGetAttribute(cublasLtMatmulPreference_t handle,
                                                    cublasLtMatmulPreferenceAttributes_t attribute,
                                                    void *to, size_t bytes, size_t *written)
{
    if (!preference_of(handle))
        return CUBLAS_STATUS_INVALID_VALUE;
    return attribute_get(handle, ATTRIBUTES, ATTRIBUTE_COUNT, attribute, to, bytes, written);
}
