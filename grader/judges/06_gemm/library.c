/* library.c - lesson 6, in the runner: a library that fails, and what is left of it in the end. */
#include "judges/06_gemm/calls.h"
#include "judges/06_gemm/front.h"

cudaError_t gemm_answer(const struct judge_call *call, const uint32_t *answers, size_t bytes)
{
    return cudaMemcpyAsync(call->buffers[ANSWERS], answers, bytes, cudaMemcpyHostToDevice,
                           call->stream);
}

/* What is said to have been done has been done, by whatever detour. After an error the library
 * works again, and so must the context, or another one where none could be made. */
static cudaError_t fail_and_go_on(const struct judge_call *call)
{
    struct lesson6_context *context = NULL;
    front.down = (enum front_down)call->problem->real[DOWN];
    cudaError_t error = gemm_create(call, &context);
    bool is_made = error == cudaSuccess;
    if (is_made)
        error = gemm_call_once(call, context);
    front.down = NOTHING_DOWN;
    if (error != cudaSuccess) {
        error = is_made ? cudaSuccess : gemm_create(call, &context);
        if (error == cudaSuccess)
            error = gemm_call_once(call, context);
    }
    if (context)
        gemm_destroy(call, context);
    return error;
}

/* What a process has once was made in cases before. */
cudaError_t gemm_library_fails(const struct judge_call *call)
{
    long before = front.alive;
    cudaError_t error = fail_and_go_on(call);
    uint32_t is_freed = front.alive <= before;
    return error == cudaSuccess ? gemm_answer(call, &is_freed, sizeof is_freed) : error;
}
