// conditions.cu - conditions of graphs that a kernel sets where it cannot.
#include "planted.h"

namespace conditions {

// fault condition_outside_its_graph: no such condition
//     cudaGraphSetConditional(handle, again);
//     ^
// by thread (0,0,0) of block (0,0,0)
// says which no node of a graph around it has
// sanitizer none
__global__ void condition_outside_its_graph(cudaGraphConditionalHandle handle, unsigned again)
{
    cudaGraphSetConditional(handle, again);
}

PLANTED(condition_outside_its_graph)
{
    cudaGraph_t graph;
    cudaGraphConditionalHandle handle;
    CHECK(cudaGraphCreate(&graph, 0));
    CHECK(cudaGraphConditionalHandleCreate(&handle, graph));
    condition_outside_its_graph<<<1, 1>>>(handle, 1);
}

} // namespace conditions
