/* walk.h - what is in a graph that was captured: its nodes by kind, those of graphs in it as
 * well. */
#ifndef RUNNER_WALK_H
#define RUNNER_WALK_H

#include "runner/protocol.h"

/* Adds to nodes. An error of CUDA's where the graph cannot be walked. */
cudaError_t walk_graph(cudaGraph_t graph, struct runner_nodes *nodes);

#endif
