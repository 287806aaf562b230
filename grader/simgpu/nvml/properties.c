/* properties.c - what the device has: memory, an architecture, clocks. */
#include "nvml.h"

#include <stddef.h>

nvmlReturn_t nvml_attribute(enum cudaDeviceAttr attribute, int *value)
{
    return nvml_status_of(cudaDeviceGetAttribute(value, attribute, 0));
}

/* --- Memory ----------------------------------------------------------------------------------- */

static nvmlReturn_t memory_of(nvmlDevice_t device, const void *answer, size_t *free, size_t *total)
{
    nvmlReturn_t status = nvml_may_ask_of(device, answer);
    return status == NVML_SUCCESS ? nvml_status_of(cudaMemGetInfo(free, total)) : status;
}

nvmlReturn_t nvmlDeviceGetMemoryInfo(nvmlDevice_t device, nvmlMemory_t *memory)
{
    size_t free = 0, total = 0;
    nvmlReturn_t status = memory_of(device, memory, &free, &total);
    if (status == NVML_SUCCESS)
        *memory = (nvmlMemory_t){.total = total, .free = free, .used = total - free};
    return status;
}

/* No driver or firmware reserves any of it. */
nvmlReturn_t nvmlDeviceGetMemoryInfo_v2(nvmlDevice_t device, nvmlMemory_v2_t *memory)
{
    const unsigned VERSION = sizeof *memory | 2 << 24;
    size_t free = 0, total = 0;
    nvmlReturn_t status = memory_of(device, memory, &free, &total);
    if (status != NVML_SUCCESS)
        return status;
    if (memory->version != VERSION)
        return NVML_ERROR_ARGUMENT_VERSION_MISMATCH;
    *memory =
        (nvmlMemory_v2_t){.version = VERSION, .total = total, .free = free, .used = total - free};
    return NVML_SUCCESS;
}

nvmlReturn_t nvmlDeviceGetMemoryBusWidth(nvmlDevice_t device, unsigned *bits)
{
    int value = 0;
    nvmlReturn_t status = nvml_may_ask_of(device, bits);
    if (status == NVML_SUCCESS)
        status = nvml_attribute(cudaDevAttrGlobalMemoryBusWidth, &value);
    if (status == NVML_SUCCESS)
        *bits = (unsigned)value;
    return status;
}

/* --- Architecture ----------------------------------------------------------------------------- */

nvmlReturn_t nvmlDeviceGetCudaComputeCapability(nvmlDevice_t device, int *major, int *minor)
{
    nvmlReturn_t status = nvml_may_ask_of(device, major && minor ? device : NULL);
    if (status == NVML_SUCCESS)
        status = nvml_attribute(cudaDevAttrComputeCapabilityMajor, major);
    return status == NVML_SUCCESS ? nvml_attribute(cudaDevAttrComputeCapabilityMinor, minor)
                                  : status;
}

nvmlReturn_t nvmlDeviceGetArchitecture(nvmlDevice_t device, nvmlDeviceArchitecture_t *architecture)
{
    enum { VOLTA = 5, TURING, AMPERE, ADA, HOPPER, BLACKWELL };
    static const struct {
        int from;
        unsigned number;
    } NAMED[] = {{70, VOLTA}, {75, TURING}, {80, AMPERE},
                 {89, ADA},   {90, HOPPER}, {100, BLACKWELL}};
    int major = 0, minor = 0;
    nvmlReturn_t status = nvml_may_ask_of(device, architecture);
    if (status == NVML_SUCCESS)
        status = nvmlDeviceGetCudaComputeCapability(device, &major, &minor);
    if (status != NVML_SUCCESS)
        return status;
    *architecture = 0xffffffff; /* none that NVML had a number for */
    for (size_t i = 0; i < sizeof NAMED / sizeof *NAMED; i++)
        if (10 * major + minor >= NAMED[i].from)
            *architecture = NAMED[i].number;
    return NVML_SUCCESS;
}

nvmlReturn_t nvmlDeviceGetComputeMode(nvmlDevice_t device, nvmlComputeMode_t *mode)
{
    int value = 0;
    nvmlReturn_t status = nvml_may_ask_of(device, mode);
    if (status == NVML_SUCCESS)
        status = nvml_attribute(cudaDevAttrComputeMode, &value);
    if (status == NVML_SUCCESS)
        *mode = (nvmlComputeMode_t)value;
    return status;
}

/* --- Clocks ----------------------------------------------------------------------------------- */

/* The clocks that times are modelled with; they do not depend on the load. */
nvmlReturn_t nvmlDeviceGetClockInfo(nvmlDevice_t device, nvmlClockType_t type, unsigned *mhz)
{
    int khz = 0;
    nvmlReturn_t status = nvml_may_ask_of(device, mhz);
    if (status != NVML_SUCCESS)
        return status;
    switch (type) {
    case NVML_CLOCK_GRAPHICS:
    case NVML_CLOCK_SM: status = nvml_attribute(cudaDevAttrClockRate, &khz); break;
    case NVML_CLOCK_MEM: status = nvml_attribute(cudaDevAttrMemoryClockRate, &khz); break;
    case NVML_CLOCK_VIDEO: return NVML_ERROR_NOT_SUPPORTED;
    default: return NVML_ERROR_INVALID_ARGUMENT;
    }
    if (status == NVML_SUCCESS)
        *mhz = (unsigned)khz / 1000;
    return status;
}

nvmlReturn_t nvmlDeviceGetMaxClockInfo(nvmlDevice_t device, nvmlClockType_t type, unsigned *mhz)
{
    return nvmlDeviceGetClockInfo(device, type, mhz);
}

nvmlReturn_t nvmlDeviceGetClock(nvmlDevice_t device, nvmlClockType_t type, nvmlClockId_t id,
                                unsigned *mhz)
{
    if (id != NVML_CLOCK_ID_CURRENT)
        return nvml_may_ask_of(device, mhz) == NVML_SUCCESS ? NVML_ERROR_NOT_SUPPORTED
                                                            : nvml_may_ask_of(device, mhz);
    return nvmlDeviceGetClockInfo(device, type, mhz);
}
