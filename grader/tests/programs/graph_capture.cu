// graph_capture.cu - streams recorded as a graph: forks and joins by events, a graph inside of a
// capture, and what may not be recorded.
#include "program.h"

enum { N = 4096 };

__global__ void add(int *values, int amount)
{
    values[blockIdx.x * blockDim.x + threadIdx.x] += amount;
}

__global__ void sum(const int *a, const int *b, int *to)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    to[i] = a[i] + b[i];
}

static int *d_a, *d_b, *d_sum, h_sum[N];
static cudaStream_t first, second;
static cudaEvent_t fork_here, join_here;

static size_t node_count(cudaGraph_t graph)
{
    size_t count;
    CHECK(cudaGraphGetNodes(graph, NULL, &count));
    return count;
}

// Two branches that meet again.
static cudaGraph_t capture_fork(void)
{
    cudaGraph_t graph;
    cudaStreamCaptureStatus status;
    CHECK(cudaStreamBeginCapture(first, cudaStreamCaptureModeGlobal));
    CHECK(cudaMemsetAsync(d_a, 0, N * sizeof(int), first));
    CHECK(cudaEventRecord(fork_here, first));
    CHECK(cudaStreamWaitEvent(second, fork_here, 0));
    CHECK(cudaStreamIsCapturing(second, &status));
    EXPECT(status == cudaStreamCaptureStatusActive);
    add<<<N / 256, 256, 0, first>>>(d_a, 3);
    CHECK(cudaMemsetAsync(d_b, 0, N * sizeof(int), second));
    add<<<N / 256, 256, 0, second>>>(d_b, 4);
    CHECK(cudaEventRecord(join_here, second));
    CHECK(cudaStreamWaitEvent(first, join_here, 0));
    sum<<<N / 256, 256, 0, first>>>(d_a, d_b, d_sum);
    CHECK(cudaMemcpyAsync(h_sum, d_sum, sizeof h_sum, cudaMemcpyDeviceToHost, first));
    CHECK(cudaStreamEndCapture(first, &graph));
    CHECK(cudaStreamIsCapturing(second, &status));
    EXPECT(status == cudaStreamCaptureStatusNone);
    return graph;
}

static void fork_and_join(void)
{
    cudaGraphExec_t exec;
    h_sum[0] = 0;
    cudaGraph_t graph = capture_fork();
    EXPECT(h_sum[0] == 0); // nothing has run
    EXPECT(node_count(graph) == 6);
    CHECK(cudaGraphInstantiate(&exec, graph, 0));
    CHECK(cudaGraphLaunch(exec, first));
    CHECK(cudaStreamSynchronize(first));
    for (int i = 0; i < N; i++)
        EXPECT(h_sum[i] == 7);

    cudaGraph_t outer;
    CHECK(cudaStreamBeginCapture(first, cudaStreamCaptureModeGlobal));
    FAILS(cudaGraphLaunch(exec, first), cudaErrorStreamCaptureUnsupported); // and spoils it
    FAILS(cudaStreamEndCapture(first, &outer), cudaErrorStreamCaptureInvalidated);

    cudaGraphNode_t child;
    CHECK(cudaGraphCreate(&outer, 0));
    CHECK(cudaGraphAddChildGraphNode(&child, outer, NULL, 0, graph));
    CHECK(cudaStreamBeginCaptureToGraph(first, outer, &child, NULL, 1,
                                        cudaStreamCaptureModeGlobal));
    add<<<N / 256, 256, 0, first>>>(d_sum, 1);
    CHECK(cudaMemcpyAsync(h_sum, d_sum, sizeof h_sum, cudaMemcpyDeviceToHost, first));
    CHECK(cudaStreamEndCapture(first, &outer));
    EXPECT(node_count(outer) == 3);
    CHECK(cudaGraphExecDestroy(exec));
    CHECK(cudaGraphInstantiate(&exec, outer, 0));
    CHECK(cudaGraphLaunch(exec, second));
    CHECK(cudaStreamSynchronize(second));
    EXPECT(h_sum[N - 1] == 8);
    CHECK(cudaGraphExecDestroy(exec));
    CHECK(cudaGraphDestroy(outer));
    CHECK(cudaGraphDestroy(graph));
}

// A stream that has joined again may go while the capture lasts.
static void a_stream_that_goes(void)
{
    cudaGraph_t graph;
    cudaStream_t passing;
    CHECK(cudaStreamBeginCapture(first, cudaStreamCaptureModeGlobal));
    CHECK(cudaStreamCreateWithFlags(&passing, cudaStreamNonBlocking));
    CHECK(cudaEventRecord(fork_here, first));
    CHECK(cudaStreamWaitEvent(passing, fork_here, 0));
    add<<<N / 256, 256, 0, passing>>>(d_b, 1);
    CHECK(cudaEventRecord(join_here, passing));
    CHECK(cudaStreamWaitEvent(first, join_here, 0));
    CHECK(cudaStreamDestroy(passing));
    CHECK(cudaStreamEndCapture(first, &graph));
    EXPECT(node_count(graph) == 1);
    CHECK(cudaGraphDestroy(graph));
}

static void not_joined(void)
{
    cudaGraph_t graph;
    CHECK(cudaStreamBeginCapture(first, cudaStreamCaptureModeGlobal));
    CHECK(cudaEventRecord(fork_here, first));
    CHECK(cudaStreamWaitEvent(second, fork_here, 0));
    add<<<N / 256, 256, 0, second>>>(d_b, 1);
    FAILS(cudaStreamEndCapture(first, &graph), cudaErrorStreamCaptureUnjoined);
    EXPECT(graph == NULL);
}

static void waiting_spoils_it(void)
{
    cudaGraph_t graph;
    cudaStreamCaptureStatus status;
    CHECK(cudaStreamBeginCapture(first, cudaStreamCaptureModeGlobal));
    FAILS(cudaStreamSynchronize(first), cudaErrorStreamCaptureUnsupported);
    CHECK(cudaStreamIsCapturing(first, &status));
    EXPECT(status == cudaStreamCaptureStatusInvalidated);
    add<<<N / 256, 256, 0, first>>>(d_b, 1);
    EXPECT(cudaGetLastError() == cudaErrorStreamCaptureInvalidated);
    FAILS(cudaStreamEndCapture(first, &graph), cudaErrorStreamCaptureInvalidated);
    EXPECT(graph == NULL);
    CHECK(cudaStreamBeginCapture(first, cudaStreamCaptureModeRelaxed));
    FAILS(cudaDeviceSynchronize(), cudaErrorStreamCaptureUnsupported); // in every mode
    FAILS(cudaStreamEndCapture(first, &graph), cudaErrorStreamCaptureInvalidated);
}

static void a_grid_too_large_spoils_it(void)
{
    cudaGraph_t graph;
    CHECK(cudaStreamBeginCapture(first, cudaStreamCaptureModeGlobal));
    add<<<dim3(1, 65536), 256, 0, first>>>(d_b, 1);
    EXPECT(cudaGetLastError() != cudaSuccess);
    FAILS(cudaStreamEndCapture(first, &graph), cudaErrorStreamCaptureInvalidated);
}

static void allocating_spoils_it(void)
{
    cudaGraph_t graph;
    int *d_more;
    CHECK(cudaStreamBeginCapture(first, cudaStreamCaptureModeGlobal));
    FAILS(cudaMalloc(&d_more, 4), cudaErrorStreamCaptureUnsupported);
    FAILS(cudaStreamEndCapture(first, &graph), cudaErrorStreamCaptureInvalidated);
    CHECK(cudaStreamBeginCapture(first, cudaStreamCaptureModeGlobal));
    FAILS(cudaFree(NULL), cudaErrorStreamCaptureUnsupported);
    FAILS(cudaStreamEndCapture(first, &graph), cudaErrorStreamCaptureInvalidated);
    CHECK(cudaStreamBeginCapture(first, cudaStreamCaptureModeRelaxed));
    CHECK(cudaFree(NULL));
    CHECK(cudaMalloc(&d_more, 4)); // whoever captures so knows what they do
    CHECK(cudaStreamEndCapture(first, &graph));
    CHECK(cudaGraphDestroy(graph));
    CHECK(cudaFree(d_more));
}

static void the_legacy_stream_spoils_it(void)
{
    cudaGraph_t graph;
    CHECK(cudaStreamBeginCapture(first, cudaStreamCaptureModeRelaxed));
    add<<<N / 256, 256>>>(d_b, 1);
    EXPECT(cudaGetLastError() == cudaErrorStreamCaptureImplicit);
    FAILS(cudaStreamEndCapture(first, &graph), cudaErrorStreamCaptureInvalidated);
    FAILS(cudaStreamBeginCapture(cudaStreamLegacy, cudaStreamCaptureModeGlobal),
          cudaErrorStreamCaptureUnsupported);
}

static void events_of_a_capture(void)
{
    cudaGraph_t graph;
    CHECK(cudaEventRecord(fork_here, second)); // not a part of it
    CHECK(cudaStreamSynchronize(second));
    CHECK(cudaStreamBeginCapture(first, cudaStreamCaptureModeRelaxed));
    CHECK(cudaEventRecord(join_here, first));
    FAILS(cudaEventSynchronize(join_here), cudaErrorCapturedEvent);
    cudaStreamEndCapture(first, &graph);
    cudaGetLastError();
    if (graph)
        CHECK(cudaGraphDestroy(graph));
    CHECK(cudaStreamBeginCapture(first, cudaStreamCaptureModeRelaxed));
    FAILS(cudaStreamWaitEvent(first, fork_here, 0), cudaErrorStreamCaptureIsolation);
    FAILS(cudaStreamEndCapture(first, &graph), cudaErrorStreamCaptureInvalidated);
}

int main()
{
    CHECK(cudaMalloc(&d_a, N * sizeof(int)));
    CHECK(cudaMalloc(&d_b, N * sizeof(int)));
    CHECK(cudaMalloc(&d_sum, N * sizeof(int)));
    CHECK(cudaStreamCreate(&first));
    CHECK(cudaStreamCreate(&second));
    CHECK(cudaEventCreateWithFlags(&fork_here, cudaEventDisableTiming));
    CHECK(cudaEventCreateWithFlags(&join_here, cudaEventDisableTiming));
    fork_and_join();
    a_stream_that_goes();
    not_joined();
    waiting_spoils_it();
    a_grid_too_large_spoils_it();
    allocating_spoils_it();
    the_legacy_stream_spoils_it();
    events_of_a_capture();
    fork_and_join(); // no trace is left of what failed
    printf("all is as it should be\n");
    return 0;
}
