// killed.cu - programs that are killed at any moment leave nothing behind on the device: no memory,
// and nothing of theirs in the process that simulates it.
#include "program.h"

#include <csignal>
#include <cstring>
#include <dirent.h>
#include <sys/wait.h>
#include <unistd.h>

enum { VICTIMS = 40 };

__global__ void spin(int *values, int rounds)
{
    for (int i = 0; i < rounds; i++)
        values[threadIdx.x] += i;
}

static void nothing(void *)
{
}

// A little of everything, for ever.
static void live(void)
{
    for (;;) {
        int *d_values, *h_pinned, h_values[64];
        cudaStream_t stream;
        cudaEvent_t event;
        cudaGraph_t graph;
        cudaGraphExec_t exec;
        cudaIpcMemHandle_t handle;
        CHECK(cudaStreamCreate(&stream));
        CHECK(cudaEventCreate(&event));
        CHECK(cudaMalloc(&d_values, 256 << 20));
        CHECK(cudaMallocHost(&h_pinned, 1 << 20));
        CHECK(cudaIpcGetMemHandle(&handle, d_values));
        CHECK(cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal));
        spin<<<2, 64, 0, stream>>>(d_values, 100);
        CHECK(cudaLaunchHostFunc(stream, nothing, NULL));
        CHECK(cudaStreamEndCapture(stream, &graph));
        CHECK(cudaGraphInstantiate(&exec, graph, 0));
        CHECK(cudaGraphLaunch(exec, stream));
        CHECK(cudaEventRecord(event, stream));
        spin<<<1, 64, 0, stream>>>(d_values, 1000000);
        CHECK(cudaMemcpyAsync(h_values, d_values, sizeof h_values, cudaMemcpyDeviceToHost, stream));
        CHECK(cudaDeviceReset());
    }
}

static size_t free_bytes(void)
{
    size_t bytes, total;
    CHECK(cudaMemGetInfo(&bytes, &total));
    return bytes;
}

// Entries of a folder of the process that simulates the device; 0 on a GPU.
static int count_of(const char *what)
{
    char path[64];
    int count = 0;
    if (!getenv("SIMGPU_SOCKET"))
        return 0;
    snprintf(path, sizeof path, "/proc/%d/%s", (int)getppid(), what);
    DIR *folder = opendir(path);
    EXPECT(folder);
    while (readdir(folder))
        count++;
    closedir(folder);
    return count;
}

static void kill_one(const char *self, unsigned after_us)
{
    int status;
    pid_t victim = fork();
    EXPECT(victim >= 0);
    if (victim == 0) {
        execl(self, self, "victim", (char *)NULL);
        _exit(127);
    }
    usleep(after_us);
    kill(victim, SIGKILL);
    EXPECT(waitpid(victim, &status, 0) == victim);
    EXPECT(WIFSIGNALED(status)); // it lived until then
}

int main(int count, char **words)
{
    if (count > 1 && strcmp(words[1], "victim") == 0)
        live();
    CHECK(cudaFree(NULL));
    size_t slack = getenv("SIMGPU_SOCKET") ? 0 : 64 << 20; // a GPU's driver keeps some
    size_t before = free_bytes() - slack;
    int threads = count_of("task"), files = count_of("fd");
    for (unsigned i = 0; i < VICTIMS; i++)
        kill_one(words[0], i * i * 50); // up to 80 ms
    for (int i = 0; i < 200 && free_bytes() < before; i++)
        usleep(10000); // a device needs a moment to see it
    EXPECT(free_bytes() >= before);
    for (int i = 0; i < 200 && count_of("task") > threads; i++)
        usleep(10000);
    EXPECT(count_of("task") <= threads && count_of("fd") <= files);
    printf("%d programs killed, nothing is left of them\n", VICTIMS);
    return 0;
}
