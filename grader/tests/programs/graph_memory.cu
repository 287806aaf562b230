// graph_memory.cu - graphs that allocate and free memory themselves, and things of the program
// that live as long as a graph does.
#include "program.h"

#include <unistd.h>

enum { N = 1 << 16 };
static const size_t BYTES = N * sizeof(int);

__global__ void fill(int *to, int value)
{
    to[blockIdx.x * blockDim.x + threadIdx.x] = value;
}

static int h_values[N];

static void captured_allocation(cudaStream_t stream)
{
    cudaGraph_t graph;
    cudaGraphExec_t exec;
    int *d_values;
    CHECK(cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal));
    CHECK(cudaMallocAsync(&d_values, BYTES, stream));
    fill<<<N / 256, 256, 0, stream>>>(d_values, 5);
    CHECK(cudaMemcpyAsync(h_values, d_values, BYTES, cudaMemcpyDeviceToHost, stream));
    CHECK(cudaFreeAsync(d_values, stream));
    CHECK(cudaStreamEndCapture(stream, &graph));
    CHECK(cudaGraphInstantiate(&exec, graph, 0));
    for (int i = 0; i < 2; i++) {
        h_values[N - 1] = 0;
        CHECK(cudaGraphLaunch(exec, stream));
        CHECK(cudaStreamSynchronize(stream));
        EXPECT(h_values[N - 1] == 5);
    }
    CHECK(cudaGraphExecDestroy(exec));
    CHECK(cudaGraphDestroy(graph));
}

static cudaGraph_t allocating_graph(void **pointer)
{
    cudaGraph_t graph;
    cudaGraphNode_t allocate, kernel;
    cudaMemAllocNodeParams memory = {};
    memory.poolProps.allocType = cudaMemAllocationTypePinned;
    memory.poolProps.location.type = cudaMemLocationTypeDevice;
    memory.poolProps.location.id = 0;
    memory.bytesize = BYTES;
    CHECK(cudaGraphCreate(&graph, 0));
    CHECK(cudaGraphAddMemAllocNode(&allocate, graph, NULL, 0, &memory));
    EXPECT(memory.dptr != NULL);
    int value = 9;
    void *arguments[] = {&memory.dptr, &value};
    cudaKernelNodeParams parameters = {};
    parameters.func = (void *)fill;
    parameters.gridDim = dim3(N / 256);
    parameters.blockDim = dim3(256);
    parameters.kernelParams = arguments;
    CHECK(cudaGraphAddKernelNode(&kernel, graph, &allocate, 1, &parameters));
    *pointer = memory.dptr;
    return graph;
}

// Memory that outlives its graph's launch, until the program frees it.
static void kept_allocation(cudaStream_t stream)
{
    void *pointer;
    cudaGraphExec_t exec;
    cudaGraph_t clone, graph = allocating_graph(&pointer);
    EXPECT(cudaGraphClone(&clone, graph) != cudaSuccess); // two owners of one address
    cudaGetLastError();
    CHECK(cudaGraphInstantiate(&exec, graph, 0));
    CHECK(cudaGraphLaunch(exec, stream));
    CHECK(cudaMemcpyAsync(h_values, pointer, BYTES, cudaMemcpyDeviceToHost, stream));
    CHECK(cudaStreamSynchronize(stream));
    EXPECT(h_values[0] == 9 && h_values[N - 1] == 9);
    FAILS(cudaGraphLaunch(exec, stream), cudaErrorInvalidValue); // it is still there
    CHECK(cudaFreeAsync(pointer, stream));
    CHECK(cudaGraphLaunch(exec, stream)); // at the same address
    CHECK(cudaStreamSynchronize(stream));
    CHECK(cudaFree(pointer));
    CHECK(cudaGraphExecDestroy(exec));
    CHECK(cudaGraphDestroy(graph));
}

static volatile int destroyed;

static void destroy(void *thing)
{
    destroyed += *(int *)thing;
}

static void user_object(void)
{
    cudaUserObject_t object;
    cudaGraph_t graph;
    cudaGraphExec_t exec;
    cudaGraphNode_t node;
    static int thing = 1;
    CHECK(cudaUserObjectCreate(&object, &thing, destroy, 1, cudaUserObjectNoDestructorSync));
    CHECK(cudaGraphCreate(&graph, 0));
    CHECK(cudaGraphAddEmptyNode(&node, graph, NULL, 0));
    CHECK(cudaGraphRetainUserObject(graph, object, 1, cudaGraphUserObjectMove));
    CHECK(cudaGraphInstantiate(&exec, graph, 0));
    CHECK(cudaGraphDestroy(graph));
    EXPECT(destroyed == 0); // the executable graph has it, too
    CHECK(cudaGraphLaunch(exec, 0));
    CHECK(cudaDeviceSynchronize());
    CHECK(cudaGraphExecDestroy(exec));
    for (int i = 0; i < 1000 && !destroyed; i++) // a device may take its time
        usleep(1000);
    EXPECT(destroyed == 1);
}

int main()
{
    cudaStream_t stream;
    CHECK(cudaStreamCreate(&stream));
    captured_allocation(stream);
    kept_allocation(stream);
    user_object();
    CHECK(cudaDeviceGraphMemTrim(0));
    printf("all is as it should be\n");
    return 0;
}
