// graph_update.cu - changing a graph that is ready to run: node by node, as a whole, and by turning
// nodes off.
#include "program.h"

enum { N = 512 };

__global__ void fill(int *to, int value)
{
    to[threadIdx.x] = value;
}

__global__ void twice(int *to, int value)
{
    to[threadIdx.x] = 2 * value;
}

static int *d_first, *d_second, h_values[N];

static cudaKernelNodeParams kernel_parameters(void (*kernel)(int *, int), int **to, int *value)
{
    static void *arguments[2];
    cudaKernelNodeParams parameters = {};
    arguments[0] = to;
    arguments[1] = value;
    parameters.func = (void *)kernel;
    parameters.gridDim = dim3(1);
    parameters.blockDim = dim3(N);
    parameters.kernelParams = arguments;
    return parameters;
}

// A kernel, and a copy of what it made to the host behind it.
static cudaGraph_t make(void (*kernel)(int *, int), int value, cudaGraphNode_t *first,
                        cudaGraphNode_t *second)
{
    cudaGraph_t graph;
    cudaKernelNodeParams parameters = kernel_parameters(kernel, &d_first, &value);
    CHECK(cudaGraphCreate(&graph, 0));
    CHECK(cudaGraphAddKernelNode(first, graph, NULL, 0, &parameters));
    CHECK(cudaGraphAddMemcpyNode1D(second, graph, first, 1, h_values, d_first, sizeof h_values,
                                   cudaMemcpyDeviceToHost));
    return graph;
}

static int run(cudaGraphExec_t exec)
{
    h_values[N - 1] = -1;
    CHECK(cudaGraphLaunch(exec, 0));
    CHECK(cudaStreamSynchronize(0));
    return h_values[N - 1];
}

static void change_nodes(cudaGraphExec_t exec, cudaGraphNode_t kernel, cudaGraphNode_t copy)
{
    int value = 21;
    unsigned enabled = 9;
    cudaKernelNodeParams parameters = kernel_parameters(twice, &d_first, &value);
    CHECK(cudaGraphExecKernelNodeSetParams(exec, kernel, &parameters));
    EXPECT(run(exec) == 42);
    CHECK(cudaMemset(d_second, 1, N * sizeof(int)));
    CHECK(cudaGraphExecMemcpyNodeSetParams1D(exec, copy, h_values, d_second, sizeof h_values,
                                             cudaMemcpyDeviceToHost));
    EXPECT(run(exec) == 0x01010101);
    FAILS(cudaGraphExecMemcpyNodeSetParams1D(exec, copy, d_first, d_second, sizeof h_values,
                                             cudaMemcpyDeviceToDevice),
          cudaErrorInvalidValue); // another kind of memory
    CHECK(cudaGraphExecMemcpyNodeSetParams1D(exec, copy, h_values, d_first, sizeof h_values,
                                             cudaMemcpyDeviceToHost));
    CHECK(cudaGraphNodeSetEnabled(exec, kernel, 0));
    CHECK(cudaGraphNodeGetEnabled(exec, kernel, &enabled));
    EXPECT(enabled == 0);
    CHECK(cudaMemset(d_first, 2, N * sizeof(int)));
    EXPECT(run(exec) == 0x02020202);
    CHECK(cudaGraphNodeSetEnabled(exec, kernel, 1));
    EXPECT(run(exec) == 42);
}

static void update_whole(cudaGraphExec_t exec)
{
    cudaGraphNode_t kernel, copy, more;
    cudaGraphExecUpdateResultInfo result;
    cudaGraph_t graph = make(fill, 5, &kernel, &copy);
    CHECK(cudaGraphExecUpdate(exec, graph, &result));
    EXPECT(result.result == cudaGraphExecUpdateSuccess);
    EXPECT(run(exec) == 5);
    CHECK(cudaGraphAddEmptyNode(&more, graph, &copy, 1));
    FAILS(cudaGraphExecUpdate(exec, graph, &result), cudaErrorGraphExecUpdateFailure);
    EXPECT(result.result == cudaGraphExecUpdateErrorTopologyChanged);
    EXPECT(run(exec) == 5); // it goes on as it was
    CHECK(cudaGraphDestroy(graph));
}

static void update_other_type(cudaGraphExec_t exec)
{
    cudaGraph_t graph;
    cudaGraphNode_t first, second;
    cudaGraphExecUpdateResultInfo result;
    cudaMemsetParams set = {};
    set.dst = d_first;
    set.elementSize = 4;
    set.width = N;
    set.height = 1;
    CHECK(cudaGraphCreate(&graph, 0));
    CHECK(cudaGraphAddMemsetNode(&first, graph, NULL, 0, &set));
    CHECK(cudaGraphAddMemcpyNode1D(&second, graph, &first, 1, h_values, d_first, sizeof h_values,
                                   cudaMemcpyDeviceToHost));
    FAILS(cudaGraphExecUpdate(exec, graph, &result), cudaErrorGraphExecUpdateFailure);
    EXPECT(result.result == cudaGraphExecUpdateErrorNodeTypeChanged);
    EXPECT(result.errorNode == first);
    CHECK(cudaGraphDestroy(graph));
}

// What a node of the graph says after the graph was made executable does not change the latter.
static void change_graph_only(cudaGraph_t graph, cudaGraphExec_t exec, cudaGraphNode_t kernel)
{
    cudaGraphExec_t later;
    int value = 77;
    cudaKernelNodeParams parameters = kernel_parameters(fill, &d_first, &value);
    CHECK(cudaGraphKernelNodeSetParams(kernel, &parameters));
    EXPECT(run(exec) == 3);
    CHECK(cudaGraphInstantiate(&later, graph, 0));
    EXPECT(run(later) == 77);
    CHECK(cudaGraphExecDestroy(later));
}

int main()
{
    cudaGraphNode_t kernel, copy;
    cudaGraphExec_t exec;
    CHECK(cudaMalloc(&d_first, sizeof h_values));
    CHECK(cudaMalloc(&d_second, sizeof h_values));
    cudaGraph_t graph = make(fill, 3, &kernel, &copy);
    CHECK(cudaGraphInstantiate(&exec, graph, 0));
    EXPECT(run(exec) == 3);
    change_graph_only(graph, exec, kernel);
    change_nodes(exec, kernel, copy);
    update_whole(exec);
    update_other_type(exec);
    CHECK(cudaGraphDestroy(graph)); // the executable graph does not need it
    EXPECT(run(exec) == 5);
    CHECK(cudaGraphExecDestroy(exec));
    printf("all is as it should be\n");
    return 0;
}
