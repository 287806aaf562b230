// per_thread.cu - compiled with --default-stream per-thread: every thread has a default stream of
// its own, which waits for nobody else's.
#include "program.h"

#include <atomic>
#include <thread>
#include <vector>

enum { THREADS = 4, N = 1 << 14, ROUNDS = 20 };

__global__ void add(int *values, int amount)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < N)
        values[i] += amount;
}

static void work(int number)
{
    std::vector<int> h_values(N);
    int *d_values;
    CHECK(cudaMalloc(&d_values, N * sizeof(int)));
    CHECK(cudaMemset(d_values, 0, N * sizeof(int)));
    for (int i = 0; i < ROUNDS; i++)
        add<<<(N + 255) / 256, 256>>>(d_values, number);
    CHECK(cudaGetLastError());
    CHECK(cudaMemcpy(h_values.data(), d_values, N * sizeof(int), cudaMemcpyDeviceToHost));
    for (int value : h_values)
        EXPECT(value == ROUNDS * number);
    CHECK(cudaStreamSynchronize(cudaStreamPerThread));
    CHECK(cudaFree(d_values));
}

static std::atomic<bool> let_go;

static void hold(void *)
{
    while (!let_go)
        std::this_thread::yield();
}

// One thread's stream is stuck; another thread's goes on meanwhile.
static void nobody_waits_for_another(void)
{
    std::thread stuck([] {
        int *d_values;
        CHECK(cudaMallocAsync(&d_values, N * sizeof(int), 0));
        CHECK(cudaLaunchHostFunc(0, hold, NULL));
        add<<<1, 1>>>(d_values, 1);
        CHECK(cudaStreamSynchronize(0));
        CHECK(cudaFreeAsync(d_values, 0));
    });
    std::thread goes_on([] {
        int *d_values, h_value = -1;
        CHECK(cudaMallocAsync(&d_values, N * sizeof(int), 0));
        CHECK(cudaMemsetAsync(d_values, 0, N * sizeof(int), 0));
        add<<<1, 1>>>(d_values, 7);
        CHECK(cudaMemcpyAsync(&h_value, d_values, 4, cudaMemcpyDeviceToHost, 0));
        CHECK(cudaStreamSynchronize(0));
        EXPECT(h_value == 7);
        CHECK(cudaFreeAsync(d_values, 0));
        let_go = true;
    });
    goes_on.join();
    stuck.join();
}

int main()
{
    std::vector<std::thread> threads;
    for (int i = 1; i <= THREADS; i++)
        threads.emplace_back(work, i);
    for (auto &thread : threads)
        thread.join();
    nobody_waits_for_another();
    printf("all is as it should be\n");
    return 0;
}
