/* judge_graph.c - captures a call, or spoils the capture before it. */
#include "check/judge_graph.h"

#include <dlfcn.h>
#include <setjmp.h>

uint64_t judge_device_questions;

cudaError_t judge_capture(const struct judge_call *call, judge_calls *body, cudaGraph_t *recorded)
{
    *recorded = NULL;
    cudaError_t error = cudaStreamBeginCapture(call->stream, cudaStreamCaptureModeGlobal);
    if (error != cudaSuccess)
        return error;
    cudaError_t called = body(call);
    error = cudaStreamEndCapture(call->stream, recorded);
    return called != cudaSuccess ? called : error;
}

cudaError_t judge_capture_alone(const struct judge_call *call, judge_calls *body)
{
    cudaGraph_t recorded;
    cudaError_t error = judge_capture(call, body, &recorded);
    if (recorded)
        cudaGraphDestroy(recorded);
    return error;
}

cudaError_t judge_largest_first(const struct judge_call *call, judge_calls *largest,
                                judge_calls *body)
{
    cudaError_t error = judge_capture_alone(call, largest);
    return error == cudaSuccess ? body(call) : error;
}

cudaError_t judge_launch_graph(cudaGraph_t graph, cudaStream_t stream)
{
    cudaGraphExec_t executable = NULL;
    cudaError_t error = cudaGraphInstantiate(&executable, graph, 0);
    if (error == cudaSuccess)
        error = cudaGraphLaunch(executable, stream);
    if (executable)
        cudaGraphExecDestroy(executable);
    return error;
}

cudaError_t judge_graph(const struct judge_call *call, judge_calls *body)
{
    cudaGraph_t recorded;
    cudaError_t error = judge_capture(call, body, &recorded);
    if (error == cudaSuccess)
        error = judge_launch_graph(recorded, call->stream);
    if (recorded)
        cudaGraphDestroy(recorded);
    return error;
}

/* Thrust reports an error by an exception. If one leaves the launcher, the process ends where no
 * caller expects it; but the error is not hidden, which is all that such a case asks. */
static jmp_buf exception_left;

static void leave_exception(void)
{
    longjmp(exception_left, 1);
}

static cudaError_t call_or_exception(const struct judge_call *call, judge_calls *body)
{
    typedef void handler(void);
    typedef handler *set_terminate(handler *); /* std::set_terminate, if a C++ library is loaded */
    void *library = dlopen("libstdc++.so.6", RTLD_LAZY | RTLD_NOLOAD);
    set_terminate *set = NULL;
    if (library)
        *(void **)&set = dlsym(library, "_ZSt13set_terminatePFvvE");
    handler *before = set ? set(leave_exception) : NULL;
    cudaError_t error = setjmp(exception_left) ? JUDGE_LAUNCH_FAILS : body(call);
    if (set)
        set(before);
    if (library)
        dlclose(library);
    return error;
}

static void do_nothing(void *nothing)
{
    (void)nothing;
}

/* Waiting for a stream that is being captured is not allowed, and spoils the capture. The mode is
 * relaxed, so that work on other streams continues as usual. */
cudaError_t judge_without_launch(const struct judge_call *call, judge_calls *body)
{
    cudaGraph_t recorded = NULL;
    cudaError_t error = cudaStreamBeginCapture(call->stream, cudaStreamCaptureModeRelaxed);
    if (error != cudaSuccess)
        return error;
    cudaStreamSynchronize(call->stream);
    cudaError_t fails = cudaLaunchHostFunc(call->stream, do_nothing, NULL);
    cudaGetLastError(); /* clears our own errors */
    error = call_or_exception(call, body);
    if (fails == cudaSuccess || error != cudaSuccess)
        error = JUDGE_LAUNCH_FAILS;
    cudaStreamEndCapture(call->stream, &recorded);
    if (recorded)
        cudaGraphDestroy(recorded);
    cudaGetLastError();
    return error;
}
