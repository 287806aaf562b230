// graph_conditional.cu - conditional nodes of graphs: what kernels set decides what runs, once or
// again and again, in bodies inside bodies, captured ones too.
#include "program.h"

#include <cstring>

static int *d_counts, h_counts[4];

// A row of counts says which bodies ran, and how often.
static void clear(void)
{
    CHECK(cudaMemset(d_counts, 0, sizeof h_counts));
}

static bool counted(int a, int b, int c, int d)
{
    const int wanted[] = {a, b, c, d};
    CHECK(cudaMemcpy(h_counts, d_counts, sizeof h_counts, cudaMemcpyDeviceToHost));
    for (int i = 0; i < 4; i++)
        if (h_counts[i] != wanted[i])
            printf("count %d is %d, not %d\n", i, h_counts[i], wanted[i]);
    return memcmp(h_counts, wanted, sizeof wanted) == 0;
}

__global__ void count(int *counts, int which)
{
    counts[which]++;
}

__global__ void count_and_set(int *counts, int which, cudaGraphConditionalHandle handle, int last)
{
    counts[which]++;
    cudaGraphSetConditional(handle, counts[which] < last);
}

__global__ void set(cudaGraphConditionalHandle handle, const unsigned *value)
{
    cudaGraphSetConditional(handle, *value);
}

// --- Making nodes ----------------------------------------------------------------------------

static cudaGraphNode_t add(cudaGraph_t graph, const cudaGraphNode_t *before, void *kernel,
                           void **arguments)
{
    cudaGraphNode_t node;
    cudaKernelNodeParams parameters = {};
    parameters.func = kernel;
    parameters.gridDim = parameters.blockDim = dim3(1);
    parameters.kernelParams = arguments;
    CHECK(cudaGraphAddKernelNode(&node, graph, before, before != NULL, &parameters));
    return node;
}

static cudaGraphNode_t add_count(cudaGraph_t graph, const cudaGraphNode_t *before, int which)
{
    void *arguments[] = {&d_counts, &which};
    return add(graph, before, (void *)count, arguments);
}

static cudaGraphNode_t add_round(cudaGraph_t graph, const cudaGraphNode_t *before, int which,
                                 cudaGraphConditionalHandle handle, int last)
{
    void *arguments[] = {&d_counts, &which, &handle, &last};
    return add(graph, before, (void *)count_and_set, arguments);
}

static cudaGraphNode_t add_conditional(cudaGraph_t graph, const cudaGraphNode_t *before,
                                       cudaGraphConditionalHandle handle,
                                       cudaGraphConditionalNodeType type, int size,
                                       cudaGraph_t *bodies)
{
    cudaGraphNode_t node;
    cudaGraphNodeType found;
    cudaGraphNodeParams parameters = {};
    parameters.type = cudaGraphNodeTypeConditional;
    parameters.conditional.handle = handle;
    parameters.conditional.type = type;
    parameters.conditional.size = size;
#if CUDART_VERSION >= 13000
    CHECK(cudaGraphAddNode(&node, graph, before, NULL, before != NULL, &parameters));
#else
    CHECK(cudaGraphAddNode(&node, graph, before, before != NULL, &parameters));
#endif
    for (int i = 0; i < size; i++)
        bodies[i] = parameters.conditional.phGraph_out[i];
    CHECK(cudaGraphNodeGetType(node, &found));
    EXPECT(found == cudaGraphNodeTypeConditional);
    return node;
}

static cudaGraphExec_t instantiate(cudaGraph_t graph)
{
    cudaGraphExec_t exec;
    CHECK(cudaGraphInstantiateWithFlags(&exec, graph, 0));
    return exec;
}

static void run(cudaGraphExec_t exec)
{
    CHECK(cudaGraphLaunch(exec, 0));
    CHECK(cudaStreamSynchronize(0));
}

static void drop(cudaGraphExec_t exec, cudaGraph_t graph)
{
    CHECK(cudaGraphExecDestroy(exec));
    CHECK(cudaGraphDestroy(graph));
}

// --- What is chosen --------------------------------------------------------------------------

// A kernel that sets the value, then the node, then a kernel that counts that all is over.
static void choices(cudaGraphConditionalNodeType type, int size, const int ran[4][4])
{
    cudaGraph_t graph, bodies[3];
    cudaGraphConditionalHandle handle;
    unsigned *d_value;
    CHECK(cudaMalloc(&d_value, sizeof *d_value));
    CHECK(cudaGraphCreate(&graph, 0));
    CHECK(cudaGraphConditionalHandleCreate(&handle, graph));
    void *arguments[] = {&handle, &d_value};
    cudaGraphNode_t setter = add(graph, NULL, (void *)set, arguments);
    cudaGraphNode_t node = add_conditional(graph, &setter, handle, type, size, bodies);
    for (int i = 0; i < size; i++)
        add_count(bodies[i], NULL, i);
    add_count(graph, &node, 3);
    cudaGraphExec_t exec = instantiate(graph);
    for (unsigned value = 0; value < 4; value++) {
        clear();
        CHECK(cudaMemcpy(d_value, &value, sizeof value, cudaMemcpyHostToDevice));
        run(exec);
        EXPECT(counted(ran[value][0], ran[value][1], ran[value][2], ran[value][3]));
    }
    drop(exec, graph);
    CHECK(cudaFree(d_value));
}

static void if_else_and_switch(void)
{
    const int if_ran[4][4] = {{0, 0, 0, 1}, {1, 0, 0, 1}, {1, 0, 0, 1}, {1, 0, 0, 1}};
    choices(cudaGraphCondTypeIf, 1, if_ran);
#if CUDART_VERSION >= 12080
    const int else_ran[4][4] = {{0, 1, 0, 1}, {1, 0, 0, 1}, {1, 0, 0, 1}, {1, 0, 0, 1}};
    const int switch_ran[4][4] = {{1, 0, 0, 1}, {0, 1, 0, 1}, {0, 0, 1, 1}, {0, 0, 0, 1}};
    choices(cudaGraphCondTypeIf, 2, else_ran);
    choices(cudaGraphCondTypeSwitch, 3, switch_ran);
#endif
}

// --- Loops -----------------------------------------------------------------------------------

// The first value comes back with every launch, two of which may be queued at a time.
static void loops(void)
{
    cudaGraph_t graph, body;
    cudaGraphConditionalHandle handle;
    CHECK(cudaGraphCreate(&graph, 0));
    CHECK(cudaGraphConditionalHandleCreate(&handle, graph, 1, cudaGraphCondAssignDefault));
    add_conditional(graph, NULL, handle, cudaGraphCondTypeWhile, 1, &body);
    cudaGraphNode_t first = add_count(body, NULL, 0);
    add_round(body, &first, 1, handle, 7);
    cudaGraphExec_t exec = instantiate(graph);
    clear();
    run(exec);
    EXPECT(counted(7, 7, 0, 0));
    clear();
    CHECK(cudaGraphLaunch(exec, 0));
    CHECK(cudaGraphLaunch(exec, 0)); // its first round finds 7 rounds done
    CHECK(cudaStreamSynchronize(0));
    EXPECT(counted(8, 8, 0, 0));
    CHECK(cudaGraphLaunch(exec, 0));
    drop(exec, graph); // the launch goes on
    CHECK(cudaDeviceSynchronize());
    EXPECT(counted(9, 9, 0, 0));
}

__global__ void begin_row(int *counts, cudaGraphConditionalHandle columns)
{
    counts[1] = 0;
    cudaGraphSetConditional(columns, 1);
}

// A loop of 3 rounds, whose body holds a loop of 4.
static void loop_in_a_loop(void)
{
    cudaGraph_t graph, row, column;
    cudaGraphConditionalHandle rows, columns;
    CHECK(cudaGraphCreate(&graph, 0));
    CHECK(cudaGraphConditionalHandleCreate(&rows, graph, 1, cudaGraphCondAssignDefault));
    CHECK(cudaGraphConditionalHandleCreate(&columns, graph));
    add_conditional(graph, NULL, rows, cudaGraphCondTypeWhile, 1, &row);
    void *arguments[] = {&d_counts, &columns};
    cudaGraphNode_t begin = add(row, NULL, (void *)begin_row, arguments);
    cudaGraphNode_t inner = add_conditional(row, &begin, columns, cudaGraphCondTypeWhile, 1,
                                            &column);
    cudaGraphNode_t cell = add_count(column, NULL, 2);
    add_round(column, &cell, 1, columns, 4);
    add_round(row, &inner, 0, rows, 3);
    cudaGraphExec_t exec = instantiate(graph);
    clear();
    run(exec);
    EXPECT(counted(3, 4, 12, 0));
    drop(exec, graph);
}

// --- Capture ---------------------------------------------------------------------------------

static void captured(void)
{
    cudaStream_t stream;
    cudaGraph_t graph, body, given;
    cudaGraphConditionalHandle handle;
    cudaStreamCaptureStatus status;
    const cudaGraphNode_t *ends;
    size_t end_count;
    CHECK(cudaStreamCreate(&stream));
    CHECK(cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal));
    count<<<1, 1, 0, stream>>>(d_counts, 0);
#if CUDART_VERSION >= 13000
    CHECK(cudaStreamGetCaptureInfo(stream, &status, NULL, &graph, &ends, NULL, &end_count));
#else
    CHECK(cudaStreamGetCaptureInfo_v2(stream, &status, NULL, &graph, &ends, &end_count));
#endif
    EXPECT(status == cudaStreamCaptureStatusActive && end_count == 1);
    CHECK(cudaGraphConditionalHandleCreate(&handle, graph, 1, cudaGraphCondAssignDefault));
    cudaGraphNode_t node = add_conditional(graph, ends, handle, cudaGraphCondTypeWhile, 1, &body);
#if CUDART_VERSION >= 13000
    CHECK(cudaStreamUpdateCaptureDependencies(stream, &node, NULL, 1,
                                              cudaStreamSetCaptureDependencies));
#else
    CHECK(cudaStreamUpdateCaptureDependencies(stream, &node, 1, cudaStreamSetCaptureDependencies));
#endif
    count<<<1, 1, 0, stream>>>(d_counts, 3);
    CHECK(cudaStreamEndCapture(stream, &graph));
    CHECK(cudaStreamBeginCaptureToGraph(stream, body, NULL, NULL, 0, cudaStreamCaptureModeGlobal));
    CHECK(cudaMemsetAsync(d_counts + 2, 0, sizeof(int), stream));
    count<<<1, 1, 0, stream>>>(d_counts, 2);
    count_and_set<<<1, 1, 0, stream>>>(d_counts, 1, handle, 5);
    CHECK(cudaStreamEndCapture(stream, &given));
    EXPECT(given == body);
    cudaGraphExec_t exec = instantiate(graph);
    clear();
    CHECK(cudaGraphLaunch(exec, stream));
    CHECK(cudaStreamSynchronize(stream));
    EXPECT(counted(1, 5, 1, 1));
    drop(exec, graph);
    CHECK(cudaStreamDestroy(stream));
}

// --- Changing --------------------------------------------------------------------------------

// A loop of so many rounds, each of which counts at which.
static cudaGraph_t loop_of(int which, int last, cudaGraphNode_t *round)
{
    cudaGraph_t graph, body;
    cudaGraphConditionalHandle handle;
    CHECK(cudaGraphCreate(&graph, 0));
    CHECK(cudaGraphConditionalHandleCreate(&handle, graph, 1, cudaGraphCondAssignDefault));
    add_conditional(graph, NULL, handle, cudaGraphCondTypeWhile, 1, &body);
    cudaGraphNode_t first = add_count(body, NULL, 3);
    *round = add_round(body, &first, which, handle, last);
    return graph;
}

static void updates(void)
{
    cudaGraphNode_t round, other_round;
    cudaGraph_t graph = loop_of(0, 2, &round), other = loop_of(1, 6, &other_round);
    cudaGraphExec_t exec = instantiate(graph);
    cudaGraphExecUpdateResultInfo result;
    CHECK(cudaGraphExecUpdate(exec, other, &result));
    EXPECT(result.result == cudaGraphExecUpdateSuccess);
    clear();
    run(exec);
    EXPECT(counted(0, 6, 0, 6));
    drop(exec, other);
    CHECK(cudaGraphDestroy(graph));
}

static void mistakes(void)
{
    cudaGraph_t graph, bodies[1];
    cudaGraphConditionalHandle handle, unused;
    cudaGraphExec_t exec;
    cudaGraphNodeParams parameters = {};
    cudaGraphNode_t node;
    CHECK(cudaGraphCreate(&graph, 0));
    CHECK(cudaGraphConditionalHandleCreate(&handle, graph));
    parameters.type = cudaGraphNodeTypeConditional;
    parameters.conditional.handle = handle;
    parameters.conditional.type = cudaGraphCondTypeWhile;
    parameters.conditional.size = 2; // a loop has one body
#if CUDART_VERSION >= 13000
    FAILS(cudaGraphAddNode(&node, graph, NULL, NULL, 0, &parameters), cudaErrorInvalidValue);
#else
    FAILS(cudaGraphAddNode(&node, graph, NULL, 0, &parameters), cudaErrorInvalidValue);
#endif
    add_conditional(graph, NULL, handle, cudaGraphCondTypeWhile, 1, bodies);
    CHECK(cudaGraphConditionalHandleCreate(&unused, graph));
    EXPECT(cudaGraphInstantiateWithFlags(&exec, graph, 0) != cudaSuccess);
    cudaGetLastError();
    CHECK(cudaGraphDestroy(graph));
}

int main()
{
    CHECK(cudaMalloc(&d_counts, sizeof h_counts));
    if_else_and_switch();
    loops();
    loop_in_a_loop();
    captured();
    updates();
    mistakes();
    CHECK(cudaFree(d_counts));
    return 0;
}
