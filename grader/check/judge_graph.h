/* judge_graph.h - a call as a graph, for contracts that say it can be captured into one; and a call
 * whose launch fails, for those that say what is returned then.
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

/* What every launch on a stream gives whose capture has gone wrong (CUDA Runtime API, "Graph
 * Management"): a case of judge_without_launch is refused_with this. */
#define JUDGE_LAUNCH_FAILS cudaErrorStreamCaptureInvalidated

/* Thrust tells of an error by an exception. One that leaves the launcher ends the process where
 * nobody expects it, but it keeps no error quiet, which is what such a case asks for. */
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

/* Call body with a stream that takes no work, and nothing else amiss: a wait for a stream that is
 * captured is not allowed, and spoils the capture. The mode is relaxed, so that whatever does not
 * use that stream goes on as ever. Returns JUDGE_LAUNCH_FAILS if body gave an error (a wait or a
 * copy has another one than a launch), or ended in an exception, or if the stream takes work all
 * the same; else what it gave. */
static inline cudaError_t judge_without_launch(const struct judge_call *call,
                                               cudaError_t (*body)(const struct judge_call *))
{
    cudaGraph_t recorded = NULL;
    cudaError_t error = cudaStreamBeginCapture(call->stream, cudaStreamCaptureModeRelaxed);
    if (error != cudaSuccess)
        return error;
    cudaStreamSynchronize(call->stream);
    cudaError_t fails = cudaLaunchHostFunc(call->stream, judge_do_nothing, NULL);
    cudaGetLastError(); /* those were ours */
    error = judge_call_or_exception(call, body);
    if (fails == cudaSuccess || error != cudaSuccess)
        error = JUDGE_LAUNCH_FAILS;
    cudaStreamEndCapture(call->stream, &recorded);
    if (recorded)
        cudaGraphDestroy(recorded);
    cudaGetLastError();
    return error;
}

/* The mistake that such a case shows. */
static inline bool judge_error_ignored(const struct judge_evidence *e)
{
    return e->verdict == VERDICT_ARGUMENTS && e->where &&
           e->where->refused_with == JUDGE_LAUNCH_FAILS && e->error == cudaSuccess;
}
#define JUDGE_ERROR_IGNORED                                                                    \
    {"error_ignored", judge_error_ignored,                                                     \
     "The launch failed, and the launcher returned cudaSuccess. A launch gives no value of its " \
     "own: cudaGetLastError(), right after it, does, and that is what the launcher returns."}

#endif
