/* walk.h - what a captured graph contains: its nodes by kind, including those of graphs in it. */
#ifndef RUNNER_WALK_H
#define RUNNER_WALK_H

#include "runner/protocol.h"

/* Adds to nodes. A CUDA error if the graph cannot be walked. */
cudaError_t walk_graph(cudaGraph_t graph, struct runner_nodes *nodes);

#endif
