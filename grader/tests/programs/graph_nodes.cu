// graph_nodes.cu - a graph built by hand with a node of every common type, run, asked after its
// shape, cloned, taken apart.
#include "program.h"

#include <cstring>

enum { N = 1000 };
__device__ int table[N];

__global__ void add(int *values, int amount)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < N)
        values[i] += amount + table[i];
}

static void count_up(void *counter)
{
    ++*(int *)counter;
}

struct buffers {
    int *d_values, *h_values, *h_table;
    int calls;
    cudaEvent_t before, after;
};

struct nodes {
    cudaGraphNode_t start, record, set, to_table, kernel, child, to_host, function, end;
};

static cudaGraph_t make_child(buffers *b)
{
    cudaGraph_t child;
    cudaGraphNode_t node;
    int amount = 100;
    void *arguments[] = {&b->d_values, &amount};
    cudaKernelNodeParams kernel = {};
    kernel.func = (void *)add;
    kernel.gridDim = dim3(4);
    kernel.blockDim = dim3(256);
    kernel.kernelParams = arguments;
    CHECK(cudaGraphCreate(&child, 0));
    CHECK(cudaGraphAddKernelNode(&node, child, NULL, 0, &kernel));
    return child;
}

static cudaGraph_t make_graph(buffers *b, nodes *n)
{
    cudaGraph_t graph, child = make_child(b);
    int amount = 7;
    void *arguments[] = {&b->d_values, &amount};
    cudaKernelNodeParams kernel = {};
    kernel.func = (void *)add;
    kernel.gridDim = dim3((N + 127) / 128);
    kernel.blockDim = dim3(128);
    kernel.kernelParams = arguments;
    cudaMemsetParams set = {};
    set.dst = b->d_values;
    set.elementSize = 4;
    set.value = 1000;
    set.width = N;
    set.height = 1;
    cudaHostNodeParams host = {count_up, &b->calls};
    CHECK(cudaGraphCreate(&graph, 0));
    CHECK(cudaGraphAddEmptyNode(&n->start, graph, NULL, 0));
    CHECK(cudaGraphAddEventRecordNode(&n->record, graph, &n->start, 1, b->before));
    CHECK(cudaGraphAddMemsetNode(&n->set, graph, &n->record, 1, &set));
    CHECK(cudaGraphAddMemcpyNodeToSymbol(&n->to_table, graph, &n->record, 1, table, b->h_table,
                                         N * sizeof(int), 0, cudaMemcpyHostToDevice));
    cudaGraphNode_t both[] = {n->set, n->to_table};
    CHECK(cudaGraphAddKernelNode(&n->kernel, graph, both, 2, &kernel));
    CHECK(cudaGraphAddChildGraphNode(&n->child, graph, &n->kernel, 1, child));
    CHECK(cudaGraphDestroy(child)); // the node has a copy
    CHECK(cudaGraphAddMemcpyNode1D(&n->to_host, graph, &n->child, 1, b->h_values, b->d_values,
                                   N * sizeof(int), cudaMemcpyDeviceToHost));
    CHECK(cudaGraphAddHostNode(&n->function, graph, &n->to_host, 1, &host));
    CHECK(cudaGraphAddEventRecordNode(&n->end, graph, &n->function, 1, b->after));
    return graph;
}

static void check_values(const buffers *b)
{
    for (int i = 0; i < N; i++)
        EXPECT(b->h_values[i] == 1000 + 7 + 100 + 2 * b->h_table[i]);
}

static void run(cudaGraph_t graph, buffers *b)
{
    cudaGraphExec_t exec;
    cudaStream_t stream;
    float ms = 0;
    CHECK(cudaStreamCreate(&stream));
    CHECK(cudaGraphInstantiate(&exec, graph, 0));
    for (int i = 0; i < 3; i++) { // the table is read anew each time
        for (int j = 0; j < N; j++)
            b->h_table[j] = i + j;
        memset(b->h_values, 0, N * sizeof(int));
        CHECK(cudaGraphLaunch(exec, stream));
        CHECK(cudaStreamSynchronize(stream));
        check_values(b);
    }
    EXPECT(b->calls == 3);
    CHECK(cudaEventElapsedTime(&ms, b->before, b->after));
    EXPECT(ms > 0);
    CHECK(cudaGraphExecDestroy(exec));
    CHECK(cudaStreamDestroy(stream));
}

static size_t position(cudaGraphNode_t node, const cudaGraphNode_t *list, size_t count)
{
    size_t i = 0;
    while (i < count && list[i] != node)
        i++;
    return i;
}

static void inspect(cudaGraph_t graph, const nodes *n, const buffers *b)
{
    cudaGraphNode_t list[16];
    size_t count = 0;
    cudaGraphNodeType type;
    CHECK(cudaGraphGetNodes(graph, NULL, &count));
    EXPECT(count == 9);
    count = 16;
    CHECK(cudaGraphGetNodes(graph, list, &count));
    EXPECT(count == 9 && position(n->kernel, list, 9) < 9 && list[9] == NULL);
    count = 16;
    CHECK(cudaGraphGetRootNodes(graph, list, &count));
    EXPECT(count == 1 && list[0] == n->start);
    CHECK(cudaGraphNodeGetType(n->kernel, &type));
    EXPECT(type == cudaGraphNodeTypeKernel);
    CHECK(cudaGraphNodeGetType(n->child, &type));
    EXPECT(type == cudaGraphNodeTypeGraph);
    CHECK(cudaGraphNodeGetType(n->record, &type));
    EXPECT(type == cudaGraphNodeTypeEventRecord);

    cudaKernelNodeParams kernel;
    CHECK(cudaGraphKernelNodeGetParams(n->kernel, &kernel));
    EXPECT(kernel.gridDim.x == 8 && kernel.blockDim.x == 128);
    EXPECT(*(int *)kernel.kernelParams[1] == 7);
    cudaMemsetParams set;
    CHECK(cudaGraphMemsetNodeGetParams(n->set, &set));
    EXPECT(set.dst == b->d_values && set.value == 1000 && set.width == N);
    cudaHostNodeParams host;
    CHECK(cudaGraphHostNodeGetParams(n->function, &host));
    EXPECT(host.fn == count_up && host.userData == &b->calls);
    cudaEvent_t event;
    CHECK(cudaGraphEventRecordNodeGetEvent(n->end, &event));
    EXPECT(event == b->after);
    cudaGraph_t child;
    CHECK(cudaGraphChildGraphNodeGetGraph(n->child, &child));
    CHECK(cudaGraphGetNodes(child, NULL, &count));
    EXPECT(count == 1);
    FAILS(cudaGraphMemsetNodeGetParams(n->kernel, &set), cudaErrorInvalidValue);
}

#if CUDART_VERSION >= 13000
#define NO_DATA NULL,
#else
#define NO_DATA
#endif

static void inspect_edges(cudaGraph_t graph, const nodes *n)
{
    cudaGraphNode_t from[16], to[16];
    size_t count = 16;
    CHECK(cudaGraphGetEdges(graph, from, to, NO_DATA &count));
    EXPECT(count == 9);
    count = 16;
    CHECK(cudaGraphNodeGetDependencies(n->kernel, from, NO_DATA &count));
    EXPECT(count == 2 && position(n->set, from, 2) + position(n->to_table, from, 2) == 1);
    count = 16;
    CHECK(cudaGraphNodeGetDependentNodes(n->record, to, NO_DATA &count));
    EXPECT(count == 2);
    FAILS(cudaGraphAddDependencies(graph, &n->set, &n->kernel, NO_DATA 1), cudaErrorInvalidValue);
    CHECK(cudaGraphRemoveDependencies(graph, &n->set, &n->kernel, NO_DATA 1));
    FAILS(cudaGraphRemoveDependencies(graph, &n->set, &n->kernel, NO_DATA 1),
          cudaErrorInvalidValue);
    CHECK(cudaGraphAddDependencies(graph, &n->set, &n->kernel, NO_DATA 1));
}

static void clone_and_shorten(cudaGraph_t graph, const nodes *n)
{
    cudaGraph_t clone;
    cudaGraphNode_t node;
    size_t count;
    CHECK(cudaGraphClone(&clone, graph));
    CHECK(cudaGraphNodeFindInClone(&node, n->function, clone));
    EXPECT(node != n->function);
    CHECK(cudaGraphDestroyNode(node));
    CHECK(cudaGraphGetNodes(clone, NULL, &count));
    EXPECT(count == 8);
    count = 0;
    CHECK(cudaGraphNodeFindInClone(&node, n->end, clone)); // it depended on what is gone
    CHECK(cudaGraphNodeGetDependencies(node, NULL, NO_DATA &count));
    EXPECT(count == 0);
    CHECK(cudaGraphDestroy(clone));
    CHECK(cudaGraphGetNodes(graph, NULL, &count));
    EXPECT(count == 9);
}

int main()
{
    buffers b = {};
    nodes n;
    b.h_values = new int[N]();
    b.h_table = new int[N]();
    CHECK(cudaMalloc(&b.d_values, N * sizeof(int)));
    CHECK(cudaEventCreate(&b.before));
    CHECK(cudaEventCreate(&b.after));
    cudaGraph_t graph = make_graph(&b, &n);
    run(graph, &b);
    inspect(graph, &n, &b);
    inspect_edges(graph, &n);
    clone_and_shorten(graph, &n);
    run((b.calls = 0, graph), &b); // all that was asked and changed left it as it was
    FAILS(cudaGraphAddEmptyNode(&n.start, graph, NULL, 1), cudaErrorInvalidValue);
    CHECK(cudaGraphDestroy(graph));
    printf("all is as it should be\n");
    return 0;
}
