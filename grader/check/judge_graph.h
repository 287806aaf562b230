/* judge_graph.h - a call as a graph, for contracts that say it can be captured into one; and a call
 * whose launch fails, for contracts that say what is returned then.
 *
 * For a judge's launch, which runs in the runner. The capture is a strict one: whatever a graph
 * cannot hold (a wait, an allocation, work on another stream) ends it with an error.
 */
#ifndef CHECK_JUDGE_GRAPH_H
#define CHECK_JUDGE_GRAPH_H

#include "check/judge.h"

typedef cudaError_t judge_calls(const struct judge_call *call);

/* How often this process has called functions that ask the device, as far as a judge stands in
 * front of them. */
extern uint64_t judge_device_questions;

/* Capture body, and launch what was captured once. Returns body's error, or the first other one. */
cudaError_t judge_graph(const struct judge_call *call, judge_calls *body);

/* Capture body. No kernel runs, so arguments may be larger than any memory, but each launch has to
 * be one that a device accepts. Returns body's error, or the first other one; the caller destroys
 * what was recorded, which may be there in spite of an error. */
cudaError_t judge_capture(const struct judge_call *call, judge_calls *body, cudaGraph_t *recorded);

/* Capture body, and launch nothing of it. Returns body's error, or the capture's. */
cudaError_t judge_capture_alone(const struct judge_call *call, judge_calls *body);

/* Capture largest, a call of sizes for which there is no memory, and launch nothing of it; then
 * call body. Returns the first error. */
cudaError_t judge_largest_first(const struct judge_call *call, judge_calls *largest,
                                judge_calls *body);

/* Launch a graph once. It may be destroyed at once; what was launched goes on. */
cudaError_t judge_launch_graph(cudaGraph_t graph, cudaStream_t stream);

/* Capture body, and by itself another one, and launch both as one graph in which their launches
 * take turns: the first of body, the first of other, the second of body, and so on. So what one
 * call keeps outside its arguments is there when the other one runs. For contracts that allow calls
 * at the same time; of launches, copies and sets. */
cudaError_t judge_in_turn(const struct judge_call *call, judge_calls *body, judge_calls *other);

/* The error of every launch on a stream whose capture has gone wrong (CUDA Runtime API, "Graph
 * Management"): a case of judge_without_launch is refused_with this. */
#define JUDGE_LAUNCH_FAILS cudaErrorStreamCaptureInvalidated

/* Call body with a stream that accepts no work, while everything else is in order. Returns
 * JUDGE_LAUNCH_FAILS if body gave an error (a wait or a copy has a different one than a launch), if
 * it ended in an exception, or if the stream accepts work after all; otherwise what body
 * returned. */
cudaError_t judge_without_launch(const struct judge_call *call, judge_calls *body);

#endif
