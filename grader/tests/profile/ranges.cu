// ranges.cu - a program with NVTX ranges of every kind, for profile.sh.
#include <cstdio>
#include <nvtx3/nvToolsExt.h>
#include <pthread.h>

__global__ void first(float *x)
{
    x[threadIdx.x] += 1;
}

__global__ void second(float *x)
{
    x[threadIdx.x] *= 2;
}

static float *x;

static void *other_thread(void *)
{
    nvtxRangePushA("other thread");
    second<<<1, 32>>>(x);
    nvtxRangePop();
    return NULL;
}

static void nest()
{
    nvtxRangePushA("outer");
    for (int i = 0; i < 2; i++) {
        nvtxRangePushA("inner");
        nvtxRangePushA("inner"); // counts, but its kernels count once
        first<<<1, 32>>>(x);
        nvtxRangePop();
        nvtxRangePop();
    }
    second<<<1, 32>>>(x);
    nvtxRangePop();
    nvtxRangePop(); // one too many
}

static void launch_graph()
{
    cudaStream_t stream;
    cudaGraph_t graph;
    cudaGraphExec_t exec;
    cudaStreamCreate(&stream);
    cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal);
    second<<<1, 32, 0, stream>>>(x);
    cudaStreamEndCapture(stream, &graph);
    cudaGraphInstantiate(&exec, graph, NULL, NULL, 0);
    nvtxRangePushA("graph");
    cudaGraphLaunch(exec, stream);
    nvtxRangePop();
    cudaStreamSynchronize(stream);
}

static void name_in_other_ways()
{
    nvtxDomainHandle_t domain = nvtxDomainCreateA("library");
    nvtxEventAttributes_t event = {0};
    event.version = NVTX_VERSION;
    event.size = NVTX_EVENT_ATTRIB_STRUCT_SIZE;
    event.messageType = NVTX_MESSAGE_TYPE_REGISTERED;
    event.message.registered = nvtxDomainRegisterStringW(domain, L"gr\u00f6\u00dfe");
    nvtxDomainRangePushEx(domain, &event);
    nvtxDomainRangePop(domain);
    nvtxDomainDestroy(domain);
}

int main()
{
    pthread_t thread;
    cudaMalloc(&x, 32 * sizeof *x);
    cudaMemset(x, 0, 32 * sizeof *x);
    nvtxRangeId_t whole = nvtxRangeStartA("whole");
    nest();
    pthread_create(&thread, NULL, other_thread, NULL);
    pthread_join(thread, NULL);
    launch_graph();
    name_in_other_ways();
    cudaError_t error = cudaDeviceSynchronize();
    nvtxRangeEnd(whole);
    printf("%s\n", cudaGetErrorName(error));
    return error != cudaSuccess;
}
