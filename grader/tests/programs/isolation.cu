// isolation.cu - two programs on one device: neither can touch the other's memory, but what is
// handed over by CUDA IPC. The program starts itself again, and tells its twin an address and a
// handle.
#include "program.h"

#include <cstring>
#include <sys/wait.h>
#include <unistd.h>

static const size_t BYTES = 4 << 20;
enum { SECRET = 1234567 };

__global__ void read(const int *from, int *to)
{
    *to = *from;
}

__global__ void write(int *to, int value)
{
    *to = value;
}

static void try_everything(int *foreign)
{
    int h_value = 0;
    cudaPointerAttributes attributes;
    FAILS(cudaMemcpy(&h_value, foreign, 4, cudaMemcpyDeviceToHost), cudaErrorInvalidValue);
    FAILS(cudaMemcpy(foreign, &h_value, 4, cudaMemcpyHostToDevice), cudaErrorInvalidValue);
    EXPECT(cudaMemset(foreign, 0, 4) != cudaSuccess);
    cudaGetLastError();
    FAILS(cudaFree(foreign), cudaErrorInvalidValue);
    EXPECT(cudaPointerGetAttributes(&attributes, foreign) != cudaSuccess ||
           attributes.type == cudaMemoryTypeUnregistered);
    cudaGetLastError();
    EXPECT(h_value == 0);
}

static void use_handle(const char *text)
{
    cudaIpcMemHandle_t handle, wrong;
    int *shared, *d_value, h_value = 0;
    for (size_t i = 0; i < sizeof handle; i++) {
        unsigned byte;
        EXPECT(sscanf(text + 2 * i, "%2x", &byte) == 1);
        ((unsigned char *)&handle)[i] = (unsigned char)byte;
    }
    memset(&wrong, 0x5A, sizeof wrong);
    EXPECT(cudaIpcOpenMemHandle((void **)&shared, wrong, cudaIpcMemLazyEnablePeerAccess) !=
           cudaSuccess);
    cudaGetLastError();
    CHECK(cudaIpcOpenMemHandle((void **)&shared, handle, cudaIpcMemLazyEnablePeerAccess));
    CHECK(cudaMalloc(&d_value, 4));
    read<<<1, 1>>>(shared, d_value);
    CHECK(cudaMemcpy(&h_value, d_value, 4, cudaMemcpyDeviceToHost));
    EXPECT(h_value == SECRET);
    write<<<1, 1>>>(shared, SECRET + 1);
    CHECK(cudaDeviceSynchronize());
    FAILS(cudaFree(shared), cudaErrorInvalidValue); // it is not ours
    CHECK(cudaIpcCloseMemHandle(shared));
    EXPECT(cudaMemcpy(&h_value, shared, 4, cudaMemcpyDeviceToHost) != cudaSuccess); // no more
    cudaGetLastError();
}

static void be_the_other(int *foreign, const char *handle, const char *what)
{
    CHECK(cudaFree(NULL));
    if (strcmp(what, "calls") == 0)
        try_everything(foreign);
    if (strcmp(what, "handle") == 0)
        use_handle(handle);
    if (strcmp(what, "kernel") == 0) {
        write<<<1, 1>>>(foreign, 0);
        FAILS(cudaDeviceSynchronize(), cudaErrorIllegalAddress);
    }
}

static void start(const char *self, const char *address, const char *handle, const char *what)
{
    int status;
    pid_t other = fork();
    EXPECT(other >= 0);
    if (other == 0) {
        execl(self, self, address, handle, what, (char *)NULL);
        _exit(127);
    }
    EXPECT(waitpid(other, &status, 0) == other);
    EXPECT(WIFEXITED(status) && WEXITSTATUS(status) == 0);
}

int main(int count, char **words)
{
    int *d_secret, h_value = SECRET;
    cudaIpcMemHandle_t handle;
    char address[32], text[2 * sizeof handle + 1];
    if (count > 3) {
        be_the_other((int *)strtoull(words[1], NULL, 16), words[2], words[3]);
        return 0;
    }
    CHECK(cudaMalloc(&d_secret, BYTES));
    CHECK(cudaMemcpy(d_secret, &h_value, 4, cudaMemcpyHostToDevice));
    CHECK(cudaIpcGetMemHandle(&handle, d_secret));
    for (size_t i = 0; i < sizeof handle; i++)
        snprintf(text + 2 * i, 3, "%02x", ((unsigned char *)&handle)[i]);
    snprintf(address, sizeof address, "%p", (void *)d_secret);
    start(words[0], address, text, "calls");
    start(words[0], address, text, "kernel");
    CHECK(cudaMemcpy(&h_value, d_secret, 4, cudaMemcpyDeviceToHost));
    EXPECT(h_value == SECRET);
    start(words[0], address, text, "handle");
    CHECK(cudaMemcpy(&h_value, d_secret, 4, cudaMemcpyDeviceToHost));
    EXPECT(h_value == SECRET + 1);
    CHECK(cudaFree(d_secret));
    printf("all is as it should be\n");
    return 0;
}
