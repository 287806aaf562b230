/* library.h - lesson 6, in the runner: a library that fails, and what is left of it in the end. */
#ifndef JUDGE_GEMM_LIBRARY_H
#define JUDGE_GEMM_LIBRARY_H

#include "judges/06_gemm/calls.h"

static inline cudaError_t answer(const struct judge_call *call, const uint32_t *answers,
                                 size_t bytes)
{
    return cudaMemcpyAsync(call->buffers[ANSWERS], answers, bytes, cudaMemcpyHostToDevice,
                           call->stream);
}

/* What is said to have been done has been done, by whatever detour. After an error the library
 * works again, and so must the context, or another one where none could be made. */
static inline cudaError_t fail_and_go_on(const struct judge_call *call)
{
    struct lesson6_context *context = NULL;
    front.down = (enum front_down)call->problem->real[DOWN];
    cudaError_t error = create(call, &context);
    bool is_made = error == cudaSuccess;
    if (is_made)
        error = call_once(call, context);
    front.down = NOTHING_DOWN;
    if (error != cudaSuccess) {
        error = is_made ? cudaSuccess : create(call, &context);
        if (error == cudaSuccess)
            error = call_once(call, context);
    }
    if (context)
        destroy(call, context);
    return error;
}

/* What a process has once was made in cases before. */
static inline cudaError_t library_fails(const struct judge_call *call)
{
    long before = front.alive;
    cudaError_t error = fail_and_go_on(call);
    uint32_t is_freed = front.alive <= before;
    return error == cudaSuccess ? answer(call, &is_freed, sizeof is_freed) : error;
}

#endif
