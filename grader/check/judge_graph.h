/* judge_graph.h - a call as a graph, for contracts that say it can be captured into one; and a call
 * whose launch fails, for contracts that say what is returned then.
 *
 * For a judge's launch, which runs in the runner. The capture is a strict one: whatever a graph
 * cannot hold (a wait, an allocation, work on another stream) ends it with an error.
 */
#ifndef CHECK_JUDGE_GRAPH_H
#define CHECK_JUDGE_GRAPH_H

#include "check/judge.h"
#include "check/verdict.h"

#include <dlfcn.h>
#include <setjmp.h>

/* Capture body, and launch what was captured once. Returns body's error, or the first other one. */
static inline cudaError_t judge_graph(const struct judge_call *call,
                                      cudaError_t (*body)(const struct judge_call *))
{
    cudaGraph_t recorded = NULL;
    cudaGraphExec_t graph = NULL;
    cudaError_t error = cudaStreamBeginCapture(call->stream, cudaStreamCaptureModeGlobal);
    if (error != cudaSuccess)
        return error;
    cudaError_t called = body(call);
    error = cudaStreamEndCapture(call->stream, &recorded);
    if (called != cudaSuccess)
        error = called;
    if (error == cudaSuccess)
        error = cudaGraphInstantiate(&graph, recorded, 0);
    if (error == cudaSuccess)
        error = cudaGraphLaunch(graph, call->stream);
    if (graph)
        cudaGraphExecDestroy(graph);
    if (recorded)
        cudaGraphDestroy(recorded);
    return error;
}

/* The error of every launch on a stream whose capture has gone wrong (CUDA Runtime API, "Graph
 * Management"): a case of judge_without_launch is refused_with this. */
#define JUDGE_LAUNCH_FAILS cudaErrorStreamCaptureInvalidated

/* Thrust reports an error by an exception. If one leaves the launcher, the process ends where no
 * caller expects it; but the error is not hidden, which is all that such a case asks. */
static jmp_buf judge_exception_left;

static inline void judge_leave_exception(void)
{
    longjmp(judge_exception_left, 1);
}

static inline cudaError_t judge_call_or_exception(const struct judge_call *call,
                                                  cudaError_t (*body)(const struct judge_call *))
{
    typedef void handler(void);
    typedef handler *set_terminate(handler *); /* std::set_terminate, if a C++ library is loaded */
    void *library = dlopen("libstdc++.so.6", RTLD_LAZY | RTLD_NOLOAD);
    set_terminate *set = NULL;
    if (library)
        *(void **)&set = dlsym(library, "_ZSt13set_terminatePFvvE");
    handler *before = set ? set(judge_leave_exception) : NULL;
    cudaError_t error = setjmp(judge_exception_left) ? JUDGE_LAUNCH_FAILS : body(call);
    if (set)
        set(before);
    if (library)
        dlclose(library);
    return error;
}

static inline void judge_do_nothing(void *nothing)
{
    (void)nothing;
}

/* Call body with a stream that accepts no work, while everything else is in order: waiting for a
 * stream that is being captured is not allowed, and spoils the capture. The mode is relaxed, so
 * that work on other streams continues as usual. Returns JUDGE_LAUNCH_FAILS if body gave an error
 * (a wait or a copy has a different one than a launch), if it ended in an exception, or if the
 * stream accepts work after all; otherwise what body returned. */
static inline cudaError_t judge_without_launch(const struct judge_call *call,
                                               cudaError_t (*body)(const struct judge_call *))
{
    cudaGraph_t recorded = NULL;
    cudaError_t error = cudaStreamBeginCapture(call->stream, cudaStreamCaptureModeRelaxed);
    if (error != cudaSuccess)
        return error;
    cudaStreamSynchronize(call->stream);
    cudaError_t fails = cudaLaunchHostFunc(call->stream, judge_do_nothing, NULL);
    cudaGetLastError(); /* clears our own errors */
    error = judge_call_or_exception(call, body);
    if (fails == cudaSuccess || error != cudaSuccess)
        error = JUDGE_LAUNCH_FAILS;
    cudaStreamEndCapture(call->stream, &recorded);
    if (recorded)
        cudaGraphDestroy(recorded);
    cudaGetLastError();
    return error;
}

/* clang-format off */
/* The mistake that such a case reveals. */
static inline bool judge_error_ignored(const struct judge_evidence *e)
{
    return e->verdict == VERDICT_ARGUMENTS && e->where &&
           e->where->refused_with == JUDGE_LAUNCH_FAILS && e->error == cudaSuccess;
}
#define JUDGE_ERROR_IGNORED                                                                    \
    {"error_ignored", judge_error_ignored,                                                     \
     "The launch failed, and the launcher returned cudaSuccess. A launch gives no value of its " \
     "own: cudaGetLastError(), right after it, does, and that is what the launcher returns."}
/* clang-format on */

#endif
