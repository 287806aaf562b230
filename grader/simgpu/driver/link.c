/* link.c - the driver's linker, for one piece of code: the result is the piece that was added.
 * Several pieces would have to be linked, which the simulated device leaves to nvcc. */
#include "serve.h"

#include <stdlib.h>
#include <string.h>

struct CUlinkState_st {
    char *code;
    size_t bytes;
    int pieces;
};

CUresult cuLinkCreate_v2(unsigned count, CUjit_option *options, void **values, CUlinkState *state)
{
    (void)count, (void)options, (void)values;
    SERVE(cuLinkCreate);
    *state = calloc(1, sizeof **state);
    return *state ? CUDA_SUCCESS : CUDA_ERROR_OUT_OF_MEMORY;
}

CUresult cuLinkAddData_v2(CUlinkState state, CUjitInputType type, void *data, size_t bytes,
                          const char *name, unsigned count, CUjit_option *options, void **values)
{
    (void)name, (void)count, (void)options, (void)values;
    SERVE(cuLinkAddData);
    if (!state || !data || type == CU_JIT_INPUT_LIBRARY || type == CU_JIT_INPUT_OBJECT)
        return CUDA_ERROR_INVALID_VALUE;
    if (state->pieces++)
        return (CUresult)driver_refuse("cuLinkAddData of a second piece of code");
    state->code = calloc(1, bytes + 1); /* PTX text gets its end */
    if (!state->code)
        return CUDA_ERROR_OUT_OF_MEMORY;
    memcpy(state->code, data, bytes);
    state->bytes = bytes;
    return CUDA_SUCCESS;
}

CUresult cuLinkComplete(CUlinkState state, void **code, size_t *bytes)
{
    SERVE(cuLinkComplete);
    if (!state || !state->code)
        return CUDA_ERROR_INVALID_VALUE;
    *code = state->code;
    if (bytes)
        *bytes = state->bytes;
    return CUDA_SUCCESS;
}

CUresult cuLinkDestroy(CUlinkState state)
{
    SERVE(cuLinkDestroy);
    if (state)
        free(state->code);
    free(state);
    return CUDA_SUCCESS;
}
