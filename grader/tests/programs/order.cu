// order.cu - work of several streams, ordered as it must be. Named on the command line, one way to
// order it is forgotten: then the program may still be right, by luck. It exits with 3 when it is
// not; `simgpu run --seed N` sees to that.
#include "program.h"

#include <cstring>

enum { ROUNDS = 24, N = 1024 };

__global__ void fill(int *to, int value)
{
    to[blockIdx.x * blockDim.x + threadIdx.x] = value;
}

__global__ void copy(const int *from, int *to)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    to[i] = from[i];
}

static const char *forgotten = "";

static bool forgets(const char *what)
{
    return strcmp(forgotten, what) == 0;
}

static void tell_wrong(const char *what)
{
    printf("wrong without %s\n", what);
    exit(3);
}

// A stream makes what another one uses.
static void events(cudaStream_t maker, cudaStream_t user)
{
    int *d_made, *d_used, h_used[ROUNDS];
    cudaEvent_t made;
    CHECK(cudaMalloc(&d_made, ROUNDS * N * sizeof(int)));
    CHECK(cudaMalloc(&d_used, ROUNDS * N * sizeof(int)));
    CHECK(cudaEventCreateWithFlags(&made, cudaEventDisableTiming));
    CHECK(cudaMemset(d_made, 0, ROUNDS * N * sizeof(int)));
    CHECK(cudaDeviceSynchronize());
    for (int i = 0; i < ROUNDS; i++) {
        fill<<<N / 256, 256, 0, maker>>>(d_made + i * N, i + 1);
        CHECK(cudaEventRecord(made, maker));
        if (!forgets("the wait for an event"))
            CHECK(cudaStreamWaitEvent(user, made, 0));
        copy<<<N / 256, 256, 0, user>>>(d_made + i * N, d_used + i * N);
    }
    CHECK(cudaMemcpy2D(h_used, sizeof(int), d_used, N * sizeof(int), sizeof(int), ROUNDS,
                       cudaMemcpyDeviceToHost));
    CHECK(cudaDeviceSynchronize());
    for (int i = 0; i < ROUNDS; i++)
        if (h_used[i] != i + 1)
            tell_wrong("the wait for an event");
}

// The host reads what a stream makes.
static void host(cudaStream_t maker)
{
    int *h_result;
    CHECK(cudaMallocHost(&h_result, N * sizeof(int)));
    memset(h_result, 0, N * sizeof(int));
    fill<<<N / 256, 256, 0, maker>>>(h_result, 7);
    if (!forgets("waiting for the stream"))
        CHECK(cudaStreamSynchronize(maker));
    if (h_result[0] != 7)
        tell_wrong("waiting for the stream");
    CHECK(cudaDeviceSynchronize());
}

// Streams wait for the legacy stream, unless they were made not to.
static void legacy(void)
{
    cudaStream_t user;
    int *d_made, *d_used, h_used[ROUNDS];
    CHECK(cudaStreamCreateWithFlags(&user, forgets("a stream that blocks") ? cudaStreamNonBlocking
                                                                          : cudaStreamDefault));
    CHECK(cudaMalloc(&d_made, ROUNDS * N * sizeof(int)));
    CHECK(cudaMalloc(&d_used, ROUNDS * N * sizeof(int)));
    CHECK(cudaMemset(d_made, 0, ROUNDS * N * sizeof(int)));
    CHECK(cudaDeviceSynchronize());
    for (int i = 0; i < ROUNDS; i++) {
        fill<<<N / 256, 256>>>(d_made + i * N, i + 1);
        copy<<<N / 256, 256, 0, user>>>(d_made + i * N, d_used + i * N);
    }
    CHECK(cudaDeviceSynchronize());
    CHECK(cudaMemcpy2D(h_used, sizeof(int), d_used, N * sizeof(int), sizeof(int), ROUNDS,
                       cudaMemcpyDeviceToHost));
    for (int i = 0; i < ROUNDS; i++)
        if (h_used[i] != i + 1)
            tell_wrong("a stream that blocks");
}

// Memory goes when the stream that frees it has come that far, whoever still uses it.
static void freeing(cudaStream_t owner, cudaStream_t user)
{
    int *d_source[ROUNDS], *d_used;
    cudaEvent_t used;
    CHECK(cudaMalloc(&d_used, N * sizeof(int)));
    CHECK(cudaEventCreateWithFlags(&used, cudaEventDisableTiming));
    for (int i = 0; i < ROUNDS; i++)
        CHECK(cudaMallocAsync(&d_source[i], N * sizeof(int), owner));
    CHECK(cudaStreamSynchronize(owner));
    for (int i = 0; i < ROUNDS; i++) {
        copy<<<N / 256, 256, 0, user>>>(d_source[i], d_used);
        CHECK(cudaEventRecord(used, user));
        if (!forgets("waiting before freeing"))
            CHECK(cudaStreamWaitEvent(owner, used, 0));
        CHECK(cudaFreeAsync(d_source[i], owner));
    }
    if (cudaDeviceSynchronize() != cudaSuccess)
        tell_wrong("waiting before freeing");
}

// Branches of a graph that nothing ties together.
static void graph(void)
{
    cudaGraph_t graph;
    cudaGraphExec_t exec;
    cudaGraphNode_t fills[ROUNDS], copies[ROUNDS];
    int *d_made, *d_used, h_used[ROUNDS];
    CHECK(cudaMalloc(&d_made, ROUNDS * N * sizeof(int)));
    CHECK(cudaMalloc(&d_used, ROUNDS * N * sizeof(int)));
    CHECK(cudaMemset(d_made, 0, ROUNDS * N * sizeof(int)));
    CHECK(cudaGraphCreate(&graph, 0));
    for (int i = 0; i < ROUNDS; i++) {
        int *made = d_made + i * N, *use = d_used + i * N, value = i + 1;
        void *fill_arguments[] = {&made, &value}, *copy_arguments[] = {&made, &use};
        cudaKernelNodeParams kernel = {};
        kernel.func = (void *)fill;
        kernel.gridDim = dim3(N / 256);
        kernel.blockDim = dim3(256);
        kernel.kernelParams = fill_arguments;
        CHECK(cudaGraphAddKernelNode(&fills[i], graph, NULL, 0, &kernel));
        kernel.func = (void *)copy;
        kernel.kernelParams = copy_arguments;
        CHECK(cudaGraphAddKernelNode(&copies[i], graph, &fills[i],
                                     forgets("an edge in the graph") ? 0 : 1, &kernel));
    }
    CHECK(cudaGraphInstantiate(&exec, graph, 0));
    CHECK(cudaGraphLaunch(exec, 0));
    CHECK(cudaMemcpy2D(h_used, sizeof(int), d_used, N * sizeof(int), sizeof(int), ROUNDS,
                       cudaMemcpyDeviceToHost));
    for (int i = 0; i < ROUNDS; i++)
        if (h_used[i] != i + 1)
            tell_wrong("an edge in the graph");
}

int main(int count, char **words)
{
    cudaStream_t first, second;
    if (count > 1)
        forgotten = words[1];
    CHECK(cudaStreamCreate(&first));
    CHECK(cudaStreamCreate(&second));
    events(first, second);
    host(first);
    legacy();
    freeing(first, second);
    graph();
    printf("all is as it should be\n");
    return 0;
}
