// runtime.cu - an ordinary program that uses a bit of everything: streams, events, symbols, managed
// and pinned memory, host functions, graphs, printf. It checks itself.
#include "program.h"

#include <vector>

__constant__ float bias;
__device__ int launches;
__managed__ int touched = 1;

__global__ void axpy(int n, float a, const float *x, float *y)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        y[i] = a * x[i] + y[i] + bias;
    if (i == 0) {
        atomicAdd(&launches, 1);
        touched += 5;
        printf("axpy of %d with %.1f %s\n", n, a, "done");
    }
}

static void remember(void *flag)
{
    *(int *)flag = 42;
}

static void run_in_a_stream(float *x, float *y, int n)
{
    cudaStream_t stream;
    cudaEvent_t begin, end;
    float ms;
    int flag = 0, count;
    CHECK(cudaStreamCreate(&stream));
    CHECK(cudaEventCreate(&begin));
    CHECK(cudaEventCreate(&end));
    CHECK(cudaEventRecord(begin, stream));
    axpy<<<(n + 255) / 256, 256, 0, stream>>>(n, 2, x, y);
    CHECK(cudaGetLastError());
    CHECK(cudaEventRecord(end, stream));
    CHECK(cudaLaunchHostFunc(stream, remember, &flag));
    CHECK(cudaStreamSynchronize(stream));
    CHECK(cudaEventElapsedTime(&ms, begin, end));
    CHECK(cudaMemcpyFromSymbol(&count, launches, sizeof count));
    EXPECT(flag == 42 && ms > 0 && count == 1 && touched == 6);
    CHECK(cudaStreamDestroy(stream));
}

static void replay_a_graph(float *x, float *y, std::vector<float> &host)
{
    int n = (int)host.size();
    cudaStream_t stream;
    cudaGraph_t graph;
    cudaGraphExec_t exec;
    std::vector<float> result(n);
    CHECK(cudaStreamCreate(&stream));
    CHECK(cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal));
    CHECK(cudaMemcpyAsync(x, host.data(), n * sizeof(float), cudaMemcpyHostToDevice, stream));
    axpy<<<(n + 255) / 256, 256, 0, stream>>>(n, 1, x, y);
    CHECK(cudaMemcpyAsync(result.data(), y, n * sizeof(float), cudaMemcpyDeviceToHost, stream));
    CHECK(cudaStreamEndCapture(stream, &graph));
    CHECK(cudaGraphInstantiate(&exec, graph, 0));
    for (int i = 0; i < 3; i++)
        CHECK(cudaGraphLaunch(exec, stream));
    CHECK(cudaStreamSynchronize(stream));
    EXPECT(result[7] == 6 + 3 * 4);
    for (float &value : host) // a replay reads what is there when it runs
        value = 10;
    CHECK(cudaGraphLaunch(exec, stream));
    CHECK(cudaStreamSynchronize(stream));
    EXPECT(result[7] == 18 + 13);
}

int main()
{
    int n = 1 << 20, *pinned;
    float *x, *y, three = 3;
    std::vector<float> ones(n, 1), result(n);
    CHECK(cudaMalloc(&x, n * sizeof(float)));
    CHECK(cudaMalloc(&y, n * sizeof(float)));
    CHECK(cudaMemcpy(x, ones.data(), n * sizeof(float), cudaMemcpyHostToDevice));
    CHECK(cudaMemcpy(y, ones.data(), n * sizeof(float), cudaMemcpyHostToDevice));
    CHECK(cudaMemcpyToSymbol(bias, &three, sizeof three));
    run_in_a_stream(x, y, n);
    CHECK(cudaMemcpy(result.data(), y, n * sizeof(float), cudaMemcpyDeviceToHost));
    for (float value : result)
        EXPECT(value == 6);
    replay_a_graph(x, y, ones);
    axpy<<<1, 2000>>>(n, 1, x, y);
    cudaError_t refused = cudaGetLastError(); /* the second since toolkit 13 */
    EXPECT(refused == cudaErrorInvalidConfiguration || refused == cudaErrorInvalidValue);
    CHECK(cudaMallocHost(&pinned, 400));
    pinned[3] = 9;
    CHECK(cudaMemcpyAsync(x, pinned, 400, cudaMemcpyHostToDevice));
    CHECK(cudaMemcpyAsync(pinned + 50, x + 3, 4, cudaMemcpyDeviceToHost));
    CHECK(cudaDeviceSynchronize());
    EXPECT(pinned[50] == 9);
    axpy<<<(n + 511) / 256, 256>>>(n + 300, 1, x, y); // one step too far
    EXPECT(cudaDeviceSynchronize() == cudaErrorIllegalAddress);
    EXPECT(cudaFree(x) == cudaErrorIllegalAddress); // and the context stays broken
    printf("all is as it should be\n");
    return 0;
}
