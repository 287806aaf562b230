// nvml.cu - NVIDIA's management library and the runtime speak of the same device, and NVML makes up
// nothing that it does not know. A toolkit may come without nvml.h.
#include "program.h"

#include <cstring>
#pragma GCC diagnostic ignored "-Wdeprecated-declarations" // nvmlDeviceGetTemperature, since 13.0
#if __has_include(<nvml.h>)
#include <nvml.h>
#else
#include "simgpu/nvml/declared.h"
#endif

#define ANSWERS(call) EXPECT((call) == NVML_SUCCESS)

static nvmlDevice_t device;

static void asks_after_init_only()
{
    unsigned count = 0;
    EXPECT(nvmlDeviceGetCount_v2(&count) == NVML_ERROR_UNINITIALIZED);
    EXPECT(nvmlShutdown() == NVML_ERROR_UNINITIALIZED);
    ANSWERS(nvmlInit_v2());
    ANSWERS(nvmlInit_v2());
    ANSWERS(nvmlShutdown());
    ANSWERS(nvmlDeviceGetCount_v2(&count));
    EXPECT(count >= 1);
    EXPECT(nvmlDeviceGetCount_v2(NULL) == NVML_ERROR_INVALID_ARGUMENT);
    EXPECT(nvmlDeviceGetHandleByIndex_v2(count, &device) == NVML_ERROR_INVALID_ARGUMENT);
}

// The runtime's device 0 is found by its place, since NVML may count in another order.
static void one_device_by_three_names(const cudaDeviceProp &properties)
{
    char place[32], uuid[96];
    nvmlDevice_t again = NULL;
    nvmlPciInfo_t pci;
    unsigned index = 99;
    CHECK(cudaDeviceGetPCIBusId(place, sizeof place, 0));
    ANSWERS(nvmlDeviceGetHandleByPciBusId_v2(place, &device));
    ANSWERS(nvmlDeviceGetIndex(device, &index));
    ANSWERS(nvmlDeviceGetHandleByIndex_v2(index, &again));
    EXPECT(again == device);
    ANSWERS(nvmlDeviceGetUUID(device, uuid, sizeof uuid));
    ANSWERS(nvmlDeviceGetHandleByUUID(uuid, &again));
    EXPECT(again == device && strncmp(uuid, "GPU-", 4) == 0 && strlen(uuid) == 40);
    unsigned first = 0;
    EXPECT(sscanf(uuid + 4, "%2x", &first) == 1);
    EXPECT(first == (unsigned char)properties.uuid.bytes[0]);
    ANSWERS(nvmlDeviceGetPciInfo_v3(device, &pci));
    EXPECT((int)pci.bus == properties.pciBusID && (int)pci.device == properties.pciDeviceID);
    EXPECT(strcasecmp(pci.busId + 4, place) == 0 && strcasecmp(pci.busIdLegacy, place) == 0);
    EXPECT(pci.pciDeviceId == 0 || (pci.pciDeviceId & 0xffff) == 0x10de);
    EXPECT((pci.pciDeviceId == 0) == (pci.pciSubSystemId == 0));
    EXPECT(nvmlDeviceGetHandleByPciBusId_v2("0000:77:1f.0", &again) == NVML_ERROR_NOT_FOUND);
    EXPECT(nvmlDeviceGetHandleByUUID("GPU-0", &again) != NVML_SUCCESS);
}

static void says_what_the_runtime_says(const cudaDeviceProp &properties)
{
    char name[96];
    int major = 0, minor = 0, version = 0, cuda_version = -1;
    nvmlComputeMode_t mode;
    ANSWERS(nvmlDeviceGetName(device, name, sizeof name));
    EXPECT(strcmp(name, properties.name) == 0);
    EXPECT(nvmlDeviceGetName(device, name, 4) == NVML_ERROR_INSUFFICIENT_SIZE);
    ANSWERS(nvmlDeviceGetCudaComputeCapability(device, &major, &minor));
    EXPECT(major == properties.major && minor == properties.minor);
    ANSWERS(nvmlSystemGetCudaDriverVersion(&version));
    CHECK(cudaDriverGetVersion(&cuda_version));
    EXPECT(version == cuda_version);
    ANSWERS(nvmlSystemGetDriverVersion(name, sizeof name));
    EXPECT(name[0] >= '0' && name[0] <= '9');
    ANSWERS(nvmlDeviceGetComputeMode(device, &mode));
}

static void memory_is_what_is_allocated()
{
    enum { BYTES = 64 << 20 };
    nvmlMemory_t before, after;
    nvmlMemory_v2_t other;
    void *memory;
    CHECK(cudaFree(NULL));
    ANSWERS(nvmlDeviceGetMemoryInfo(device, &before));
    CHECK(cudaMalloc(&memory, BYTES));
    ANSWERS(nvmlDeviceGetMemoryInfo(device, &after));
    EXPECT(before.total == after.total && after.used >= before.used + BYTES);
    EXPECT(after.total == after.free + after.used);
    other.version = sizeof other | 2 << 24;
    ANSWERS(nvmlDeviceGetMemoryInfo_v2(device, &other));
    EXPECT(other.total == after.total);
    EXPECT(other.total == other.free + other.used + other.reserved);
    other.version = 1;
    EXPECT(nvmlDeviceGetMemoryInfo_v2(device, &other) != NVML_SUCCESS);
    CHECK(cudaFree(memory));
}

static void told_or_not_supported(nvmlReturn_t status)
{
    EXPECT(status == NVML_SUCCESS || status == NVML_ERROR_NOT_SUPPORTED);
}

static void clocks_load_and_heat()
{
    unsigned now = 0, most = 0, value = 0;
    nvmlUtilization_t load;
    ANSWERS(nvmlDeviceGetClockInfo(device, NVML_CLOCK_SM, &now));
    ANSWERS(nvmlDeviceGetMaxClockInfo(device, NVML_CLOCK_SM, &most));
    EXPECT(now > 0 && now <= most && most > 200 && most < 10000);
    nvmlClockType_t none = (nvmlClockType_t)77;
    EXPECT(nvmlDeviceGetClockInfo(device, none, &now) != NVML_SUCCESS);
    told_or_not_supported(nvmlDeviceGetUtilizationRates(device, &load));
    told_or_not_supported(nvmlDeviceGetTemperature(device, NVML_TEMPERATURE_GPU, &value));
    told_or_not_supported(nvmlDeviceGetPowerUsage(device, &value));
}

int main()
{
    cudaDeviceProp properties;
    CHECK(cudaGetDeviceProperties(&properties, 0));
    asks_after_init_only();
    one_device_by_three_names(properties);
    says_what_the_runtime_says(properties);
    memory_is_what_is_allocated();
    clocks_load_and_heat();
    EXPECT(strcmp(nvmlErrorString(NVML_ERROR_NOT_SUPPORTED), "Not Supported") == 0);
    EXPECT(strcmp(nvmlErrorString(NVML_SUCCESS), "Success") == 0);
    ANSWERS(nvmlShutdown());
    EXPECT(nvmlDeviceGetName(device, NULL, 0) == NVML_ERROR_UNINITIALIZED);
    printf("all is as it should be\n");
    return 0;
}
