/* handle.c - which device, and what it is called. There is one, number 0. */
#include "nvml.h"

#include <stdio.h>
#include <string.h>
#include <strings.h>

struct nvmlDevice_st nvml_only_device = {0};

enum { UUID_BYTES = 16, UUID_TEXT = 4 + 2 * UUID_BYTES + 4 + 1 };

nvmlReturn_t nvml_may_ask_of(nvmlDevice_t device, const void *answer)
{
    nvmlReturn_t status = nvml_may_ask();
    if (status != NVML_SUCCESS)
        return status;
    return device == &nvml_only_device && answer ? NVML_SUCCESS : NVML_ERROR_INVALID_ARGUMENT;
}

static nvmlReturn_t properties(nvmlDevice_t device, const void *answer, struct cudaDeviceProp *to)
{
    nvmlReturn_t status = nvml_may_ask_of(device, answer);
    return status == NVML_SUCCESS ? nvml_status_of(cudaGetDeviceProperties(to, 0)) : status;
}

nvmlReturn_t nvmlDeviceGetCount_v2(unsigned *count)
{
    nvmlReturn_t status = nvml_may_ask_of(&nvml_only_device, count);
    if (status == NVML_SUCCESS)
        *count = 1;
    return status;
}

nvmlReturn_t nvmlDeviceGetHandleByIndex_v2(unsigned index, nvmlDevice_t *device)
{
    nvmlReturn_t status = nvml_may_ask_of(&nvml_only_device, device);
    if (status != NVML_SUCCESS)
        return status;
    if (index != nvml_only_device.index)
        return NVML_ERROR_INVALID_ARGUMENT;
    *device = &nvml_only_device;
    return NVML_SUCCESS;
}

/* "GPU-8ad0..." with the dashes of a UUID. */
static void write_uuid(const struct cudaDeviceProp *of, char text[UUID_TEXT])
{
    char *at = text + sprintf(text, "GPU-");
    for (int i = 0; i < UUID_BYTES; i++)
        at += sprintf(at, "%s%02x", i == 4 || i == 6 || i == 8 || i == 10 ? "-" : "",
                      (unsigned char)of->uuid.bytes[i]);
}

nvmlReturn_t nvmlDeviceGetUUID(nvmlDevice_t device, char *uuid, unsigned length)
{
    struct cudaDeviceProp of;
    char text[UUID_TEXT];
    nvmlReturn_t status = properties(device, uuid, &of);
    if (status != NVML_SUCCESS)
        return status;
    write_uuid(&of, text);
    return nvml_copy_text(text, uuid, length);
}

nvmlReturn_t nvmlDeviceGetHandleByUUID(const char *uuid, nvmlDevice_t *device)
{
    char text[UUID_TEXT];
    nvmlReturn_t status = nvmlDeviceGetUUID(&nvml_only_device, text, sizeof text);
    if (status != NVML_SUCCESS)
        return status;
    if (!uuid || !device)
        return NVML_ERROR_INVALID_ARGUMENT;
    if (strcasecmp(uuid, text) != 0)
        return NVML_ERROR_NOT_FOUND;
    *device = &nvml_only_device;
    return NVML_SUCCESS;
}

/* As cudaDeviceGetByPCIBusId has it, which knows how a place may be written. */
nvmlReturn_t nvmlDeviceGetHandleByPciBusId_v2(const char *id, nvmlDevice_t *device)
{
    int number = -1;
    nvmlReturn_t status = nvml_may_ask_of(&nvml_only_device, device);
    if (status != NVML_SUCCESS)
        return status;
    if (!id)
        return NVML_ERROR_INVALID_ARGUMENT;
    if (cudaDeviceGetByPCIBusId(&number, id) != cudaSuccess) {
        cudaGetLastError();
        return NVML_ERROR_NOT_FOUND;
    }
    *device = &nvml_only_device;
    return NVML_SUCCESS;
}

nvmlReturn_t nvmlDeviceGetIndex(nvmlDevice_t device, unsigned *index)
{
    nvmlReturn_t status = nvml_may_ask_of(device, index);
    if (status == NVML_SUCCESS)
        *index = device->index;
    return status;
}

nvmlReturn_t nvmlDeviceGetName(nvmlDevice_t device, char *name, unsigned length)
{
    struct cudaDeviceProp of;
    nvmlReturn_t status = properties(device, name, &of);
    return status == NVML_SUCCESS ? nvml_copy_text(of.name, name, length) : status;
}

nvmlReturn_t nvmlDeviceGetPciInfo_v3(nvmlDevice_t device, nvmlPciInfo_t *pci)
{
    struct cudaDeviceProp of;
    nvmlReturn_t status = properties(device, pci, &of);
    if (status != NVML_SUCCESS)
        return status;
    memset(pci, 0, sizeof *pci);
    pci->pciDeviceId = pci->pciSubSystemId = 0; /* no maker has numbered it */
    pci->domain = (unsigned)of.pciDomainID;
    pci->bus = (unsigned)of.pciBusID;
    pci->device = (unsigned)of.pciDeviceID;
    snprintf(pci->busIdLegacy, sizeof pci->busIdLegacy, "%04X:%02X:%02X.0", pci->domain & 0xffff,
             pci->bus & 0xff, pci->device & 0xff);
    snprintf(pci->busId, sizeof pci->busId, "%08X:%02X:%02X.0", pci->domain, pci->bus & 0xff,
             pci->device & 0xff);
    return NVML_SUCCESS;
}

/* --- Names of older versions, which answer the same ------------------------------------------- */

nvmlReturn_t nvmlDeviceGetCount(unsigned *count);
nvmlReturn_t nvmlDeviceGetCount(unsigned *count)
{
    return nvmlDeviceGetCount_v2(count);
}

nvmlReturn_t nvmlDeviceGetHandleByIndex(unsigned index, nvmlDevice_t *device);
nvmlReturn_t nvmlDeviceGetHandleByIndex(unsigned index, nvmlDevice_t *device)
{
    return nvmlDeviceGetHandleByIndex_v2(index, device);
}

nvmlReturn_t nvmlDeviceGetHandleByPciBusId(const char *id, nvmlDevice_t *device);
nvmlReturn_t nvmlDeviceGetHandleByPciBusId(const char *id, nvmlDevice_t *device)
{
    return nvmlDeviceGetHandleByPciBusId_v2(id, device);
}
