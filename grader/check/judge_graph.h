/* judge_graph.h - a call as a graph, for contracts that say it can be captured into one.
 *
 * For a judge's launch, which runs in the runner. The capture is a strict one: whatever a graph
 * cannot hold (a wait, an allocation, work on another stream) ends it with an error.
 */
#ifndef CHECK_JUDGE_GRAPH_H
#define CHECK_JUDGE_GRAPH_H

#include "check/judge.h"

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

#endif
