// killed.cu - programs that are killed at any moment leave nothing behind on the device: no memory,
// and nothing of theirs in the process that simulates it.
//
// A simulated device is ours alone, and has to the byte what it had. A GPU may be shared, and
// others take and give back memory meanwhile. There what the killed would have left is the measure:
// half the victims surely held memory when they died, so a leak is missed only if others give back
// as much in the same moments; and if others take as much, the next round shows that it was not us.
#include "program.h"

#include <csignal>
#include <cstring>
#include <dirent.h>
#include <poll.h>
#include <sys/wait.h>
#include <unistd.h>

enum { SIMULATED_VICTIMS = 40, GPU_VICTIMS = 16, GPU_ROUNDS = 3 };
enum { PATIENCE_MS = 20000 }; // for a victim to hold memory: a GPU's driver needs a second at most
static const size_t HELD_BYTES = 256 << 20;

__global__ void spin(int *values, int rounds)
{
    for (int i = 0; i < rounds; i++)
        values[threadIdx.x] += i;
}

static void nothing(void *)
{
}

// A little of everything, for ever. Says on ready when it first holds memory, and closes it.
static void live(int ready)
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
        CHECK(cudaMalloc(&d_values, HELD_BYTES));
        if (ready >= 0) {
            EXPECT(write(ready, "", 1) == 1);
            close(ready);
            ready = -1;
        }
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

static bool simulated(void)
{
    return getenv("SIMGPU_SOCKET") != NULL;
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
    if (!simulated())
        return 0;
    snprintf(path, sizeof path, "/proc/%d/%s", (int)getppid(), what);
    DIR *folder = opendir(path);
    EXPECT(folder);
    while (readdir(folder))
        count++;
    closedir(folder);
    return count;
}

// Kill a victim after_us after its start, or after it first held memory.
static void kill_one(const char *self, unsigned after_us, bool holds_memory)
{
    int status, ready[2];
    char descriptor[16];
    EXPECT(pipe(ready) == 0);
    pid_t victim = fork();
    EXPECT(victim >= 0);
    if (victim == 0) {
        snprintf(descriptor, sizeof descriptor, "%d", ready[1]);
        execl(self, self, "victim", descriptor, (char *)NULL);
        _exit(127);
    }
    close(ready[1]);
    struct pollfd look = {ready[0], POLLIN, 0};
    if (holds_memory)
        EXPECT(poll(&look, 1, PATIENCE_MS) == 1 && (look.revents & POLLIN));
    usleep(after_us);
    kill(victim, SIGKILL);
    EXPECT(waitpid(victim, &status, 0) == victim);
    EXPECT(WIFSIGNALED(status)); // it lived until then
    close(ready[0]);
}

// Whether the device has as much free memory as before some were killed, give or take slack bytes.
static bool kill_some(const char *self, unsigned victims, size_t slack)
{
    size_t before = free_bytes();
    for (unsigned i = 0; i < victims; i++)
        kill_one(self, i * i * 50, i % 2); // up to 80 ms
    for (int i = 0; i < 200 && free_bytes() + slack < before; i++)
        usleep(10000); // a device needs a moment to see it
    size_t after = free_bytes();
    printf("%u programs killed; free before %zu MiB, after %zu MiB\n", victims, before >> 20,
           after >> 20);
    return after + slack >= before;
}

int main(int count, char **words)
{
    if (count > 2 && strcmp(words[1], "victim") == 0)
        live(atoi(words[2]));
    free_bytes(); // the device knows of us
    int threads = count_of("task"), files = count_of("fd");
    if (simulated()) {
        EXPECT(kill_some(words[0], SIMULATED_VICTIMS, 0));
    } else {
        bool clean = false;
        for (int round = 0; round < GPU_ROUNDS && !clean; round++)
            clean = kill_some(words[0], GPU_VICTIMS, GPU_VICTIMS / 2 * HELD_BYTES / 2);
        EXPECT(clean);
    }
    for (int i = 0; i < 200 && count_of("task") > threads; i++)
        usleep(10000);
    EXPECT(count_of("task") <= threads && count_of("fd") <= files);
    return 0;
}
