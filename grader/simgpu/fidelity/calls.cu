/* calls.cu - what calls of the runtime cost the host, and what the device makes of many tiny
 * launches: the constants at the top of device/requests_work.c come from here.
 *
 *     calls                  a table as CSV: name, ns a call on the host, ns a call on the device
 *
 * Each row is the median of ROUNDS rounds of CALLS calls into an empty queue; the device's figure
 * is that of events around the round, and an event pair's own time is left in it.
 */
#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cuda_runtime.h>
#include <functional>

enum { CALLS = 100, ROUNDS = 21 };

struct pack {
    void *pointers[8];
    long long sizes[4];
};

__global__ void nothing() {}
__global__ void nothing_of_many(struct pack pack) { (void)pack; }
__global__ void little(float *out) { out[threadIdx.x] = (float)blockIdx.x; }

static cudaStream_t stream;
static cudaEvent_t start, stop, mark;
static float *d_words;
static float host_words[64];
static cudaGraphExec_t graph_of_100;

static cudaError_t capture(void)
{
    cudaGraph_t graph;
    cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal);
    for (int i = 0; i < 100; i++)
        little<<<1, 32, 0, stream>>>(d_words);
    cudaStreamEndCapture(stream, &graph);
    return cudaGraphInstantiate(&graph_of_100, graph, 0);
}

static void measure(const char *name, int calls, const std::function<void()> &call)
{
    double host_ns[ROUNDS], device_ns[ROUNDS];
    for (int round = -2; round < ROUNDS; round++) {
        cudaStreamSynchronize(stream);
        cudaEventRecord(start, stream);
        auto from = std::chrono::steady_clock::now();
        for (int i = 0; i < calls; i++)
            call();
        std::chrono::duration<double, std::nano> passed = std::chrono::steady_clock::now() - from;
        cudaEventRecord(stop, stream);
        cudaEventSynchronize(stop);
        float ms = 0;
        cudaEventElapsedTime(&ms, start, stop);
        if (round >= 0) {
            host_ns[round] = passed.count() / calls;
            device_ns[round] = ms * 1e6 / calls;
        }
    }
    std::sort(host_ns, host_ns + ROUNDS);
    std::sort(device_ns, device_ns + ROUNDS);
    printf("%s,%.0f,%.0f\n", name, host_ns[ROUNDS / 2], device_ns[ROUNDS / 2]);
}

int main()
{
    struct pack pack = {};
    cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking);
    cudaEventCreate(&start);
    cudaEventCreate(&stop);
    cudaEventCreateWithFlags(&mark, cudaEventDisableTiming);
    cudaMalloc(&d_words, 1 << 20);
    if (capture() != cudaSuccess) {
        fprintf(stderr, "calls: %s.\n", cudaGetErrorString(cudaGetLastError()));
        return 2;
    }
    printf("name,host_ns,device_ns\n");
    measure("launch", CALLS, [] { nothing<<<1, 32, 0, stream>>>(); });
    measure("launch_of_many_arguments", CALLS,
            [&] { nothing_of_many<<<1, 32, 0, stream>>>(pack); });
    measure("launch_that_writes", CALLS, [] { little<<<1, 32, 0, stream>>>(d_words); });
    measure("launch_of_1000_blocks", CALLS, [] { nothing<<<1000, 256, 0, stream>>>(); });
    measure("graph_of_100", 10, [] { cudaGraphLaunch(graph_of_100, stream); });
    measure("memset", CALLS, [] { cudaMemsetAsync(d_words, 0, 256, stream); });
    measure("copy_on_device", CALLS,
            [] { cudaMemcpyAsync(d_words, d_words + 64, 256, cudaMemcpyDefault, stream); });
    measure("copy_to_device", CALLS,
            [] { cudaMemcpyAsync(d_words, host_words, 256, cudaMemcpyDefault, stream); });
    measure("copy_to_host_and_wait", CALLS,
            [] { cudaMemcpy(host_words, d_words, 256, cudaMemcpyDefault); });
    measure("launch_and_wait", CALLS, [] {
        nothing<<<1, 32, 0, stream>>>();
        cudaStreamSynchronize(stream);
    });
    measure("event_record", CALLS, [] { cudaEventRecord(mark, stream); });
    measure("event_query", CALLS, [] { cudaEventQuery(mark); });
    measure("stream_wait_event", CALLS, [] { cudaStreamWaitEvent(stream, mark, 0); });
    measure("malloc_async_and_free", CALLS, [] {
        void *words;
        cudaMallocAsync(&words, 4096, stream);
        cudaFreeAsync(words, stream);
    });
    measure("malloc_and_free", 10, [] {
        void *words;
        cudaMalloc(&words, 1 << 20);
        cudaFree(words);
    });
    measure("last_error", CALLS, [] { cudaGetLastError(); });
    cudaError_t error = cudaDeviceSynchronize();
    if (error != cudaSuccess)
        fprintf(stderr, "calls: %s.\n", cudaGetErrorString(error));
    return error != cudaSuccess;
}
