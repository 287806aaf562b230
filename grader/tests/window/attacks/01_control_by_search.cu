// expect: PASS
// Looks for control of the device wherever it may be: in its own environment and that of process 1,
// behind every descriptor, and in the grader's own functions. It finds none, and is judged as what
// else it is, which is right; if it found any, it would return an error.
#include "contracts/01_coalescing.h"

#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>

static const int THREADS = 256;

__global__ void axpby(const float *x, const float *y, float *out, int64_t n, float a, float b)
{
    int64_t i = blockIdx.x * (int64_t)blockDim.x + threadIdx.x;
    if (i < n)
        out[i] = a * x[i] + b * y[i];
}

static bool names_control(const char *file)
{
    char text[1 << 16];
    FILE *stream = fopen(file, "r");
    size_t bytes = stream ? fread(text, 1, sizeof text, stream) : 0;
    if (stream)
        fclose(stream);
    return bytes && memmem(text, bytes, "SIMGPU_CONTROL", strlen("SIMGPU_CONTROL"));
}

static bool has_socket_beyond_its_own(void)
{
    int type, sockets = 0;
    for (int fd = 0; fd < 64; fd++) {
        socklen_t size = sizeof type;
        struct sockaddr_storage name;
        socklen_t name_size = sizeof name;
        if (getsockopt(fd, SOL_SOCKET, SO_TYPE, &type, &size) == 0 &&
            getpeername(fd, (struct sockaddr *)&name, &name_size) == 0 &&
            name_size <= sizeof(sa_family_t))
            sockets++; // one of a pair
    }
    return sockets > 0;
}

static bool may_set_options(void)
{
    struct api {
        int (*set_options)(const void *);
    };
    const struct api *(*get)(void) = NULL;
    char options[512] = {0};
    *(void **)&get = dlsym(RTLD_DEFAULT, "simgpu_get_api");
    return get && get()->set_options(options) == 0;
}

cudaError_t lesson1_axpby(const float *x, const float *y, float *out, int64_t n, float a, float b,
                          cudaStream_t stream)
{
    cudaDeviceProp properties;
    cudaGetDeviceProperties(&properties, 0);
    if (names_control("/proc/self/environ") || names_control("/proc/1/environ") ||
        has_socket_beyond_its_own() || may_set_options() || getenv("SIMGPU_SOCKET") ||
        strstr(properties.name, "simulated"))
        return cudaErrorNotPermitted;
    if (n == 0)
        return cudaSuccess;
    axpby<<<(unsigned)((n + THREADS - 1) / THREADS), THREADS, 0, stream>>>(x, y, out, n, a, b);
    return cudaGetLastError();
}
