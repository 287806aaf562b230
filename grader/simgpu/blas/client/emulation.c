/* emulation.c - how products are emulated with tensor cores. Here products have their own
 * precision, which no emulation exceeds, so the settings are remembered but change nothing. */
#include "handle.h"

#if CUBLAS_VERSION >= 130000

/* Set...(handle, value) and Get...(handle, value). */
#define SETTING(name, type, member)                                    \
    cublasStatus_t cublasSet##name(cublasHandle_t handle, type value)  \
    {                                                                  \
        if (!blas_handle_is_sound(handle))                             \
            return CUBLAS_STATUS_NOT_INITIALIZED;                      \
        handle->emulation.member = value;                              \
        return CUBLAS_STATUS_SUCCESS;                                  \
    }                                                                  \
    cublasStatus_t cublasGet##name(cublasHandle_t handle, type *value) \
    {                                                                  \
        if (!blas_handle_is_sound(handle))                             \
            return CUBLAS_STATUS_NOT_INITIALIZED;                      \
        if (!value)                                                    \
            return CUBLAS_STATUS_INVALID_VALUE;                        \
        *value = handle->emulation.member;                             \
        return CUBLAS_STATUS_SUCCESS;                                  \
    }

SETTING(EmulationStrategy, cublasEmulationStrategy_t, strategy)
SETTING(EmulationSpecialValuesSupport, cudaEmulationSpecialValuesSupport, special_values)
SETTING(FixedPointEmulationMantissaControl, cudaEmulationMantissaControl, control)
SETTING(FixedPointEmulationMaxMantissaBitCount, int, most_bits)
SETTING(FixedPointEmulationMantissaBitOffset, int, offset)
SETTING(FixedPointEmulationMantissaBitCountPointer, int *, count)

#endif
