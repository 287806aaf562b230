/* library.c - begin, end, versions, errors. */
#include "nvml.h"
#include "../client/extension.h"

#include <stdatomic.h>
#include <stdio.h>
#include <string.h>

static atomic_int begun; /* calls of nvmlInit less those of nvmlShutdown */

nvmlReturn_t nvml_may_ask(void)
{
    return atomic_load(&begun) > 0 ? NVML_SUCCESS : NVML_ERROR_UNINITIALIZED;
}

nvmlReturn_t nvml_status_of(cudaError_t error)
{
    return error == cudaSuccess                    ? NVML_SUCCESS
           : error == cudaErrorNoDevice            ? NVML_ERROR_DRIVER_NOT_LOADED
           : error == cudaErrorInitializationError ? NVML_ERROR_DRIVER_NOT_LOADED
                                                   : NVML_ERROR_UNKNOWN;
}

nvmlReturn_t nvmlInitWithFlags(unsigned flags)
{
    int count = 0;
    (void)flags;
    nvmlReturn_t status = nvml_status_of(cudaGetDeviceCount(&count));
    if (status == NVML_SUCCESS)
        atomic_fetch_add(&begun, 1);
    return status;
}

nvmlReturn_t nvmlInit_v2(void)
{
    return nvmlInitWithFlags(0);
}

nvmlReturn_t nvmlInit(void);
nvmlReturn_t nvmlInit(void)
{
    return nvmlInitWithFlags(0);
}

nvmlReturn_t nvmlShutdown(void)
{
    if (atomic_fetch_sub(&begun, 1) > 0)
        return NVML_SUCCESS;
    atomic_fetch_add(&begun, 1);
    return NVML_ERROR_UNINITIALIZED;
}

const char *nvmlErrorString(nvmlReturn_t status)
{
    switch (status) {
#define STATUS(name, number, text) \
    case name: return text;
        NVML_STATUSES(STATUS)
#undef STATUS
    default: return "Unknown Error";
    }
}

nvmlReturn_t nvml_copy_text(const char *text, char *to, unsigned length)
{
    if (!to)
        return NVML_ERROR_INVALID_ARGUMENT;
    if (strlen(text) >= length)
        return NVML_ERROR_INSUFFICIENT_SIZE;
    strcpy(to, text);
    return NVML_SUCCESS;
}

/* There is no driver: the answer is the version of CUDA that is served, with a note that it is
 * simulated. */
static nvmlReturn_t version_text(char *version, unsigned length)
{
    char text[64];
    int number = 0;
    nvmlReturn_t status = nvml_may_ask();
    if (status == NVML_SUCCESS)
        status = nvml_status_of(cudaDriverGetVersion(&number));
    snprintf(text, sizeof text, "%d.%d (simulated)", number / 1000, number % 1000 / 10);
    return status == NVML_SUCCESS ? nvml_copy_text(text, version, length) : status;
}

nvmlReturn_t nvmlSystemGetDriverVersion(char *version, unsigned length)
{
    return version_text(version, length);
}

nvmlReturn_t nvmlSystemGetNVMLVersion(char *version, unsigned length)
{
    return version_text(version, length);
}

/* May be asked at any time. */
nvmlReturn_t nvmlSystemGetCudaDriverVersion(int *version)
{
    return version ? nvml_status_of(cudaDriverGetVersion(version)) : NVML_ERROR_INVALID_ARGUMENT;
}

nvmlReturn_t nvmlSystemGetCudaDriverVersion_v2(int *version)
{
    return nvmlSystemGetCudaDriverVersion(version);
}

/* Weak, so that a program can be linked with this library and the toolkit's libcudart. */
#pragma weak simgpu_extension

int nvml_refuse(const char *function);
int nvml_refuse(const char *function)
{
    if (nvml_may_ask() != NVML_SUCCESS)
        return NVML_ERROR_UNINITIALIZED;
    if (simgpu_extension)
        simgpu_extension()->explain("%s is not supported by the simulated device", function);
    return NVML_ERROR_NOT_SUPPORTED;
}
