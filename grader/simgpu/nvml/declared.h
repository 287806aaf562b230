/* declared.h - the part of NVML's interface that is served.
 *
 * A toolkit may come without nvml.h, and a program may have been built on another machine, so the
 * necessary part of it is repeated here, after NVIDIA's NVML API Reference Guide, version 13.
 * Layouts and numbers are the library's ABI. A program includes its own nvml.h.
 *
 * The caller owns all memory. Texts are never cut off: if a text with its zero does not fit into
 * length bytes, the answer is NVML_ERROR_INSUFFICIENT_SIZE.
 */
#ifndef SIMGPU_NVML_DECLARED_H
#define SIMGPU_NVML_DECLARED_H

#ifdef __cplusplus
extern "C" {
#endif

#define NVML_STATUSES(STATUS)                                                                      \
    STATUS(NVML_SUCCESS, 0, "Success")                                                             \
    STATUS(NVML_ERROR_UNINITIALIZED, 1, "Uninitialized")                                           \
    STATUS(NVML_ERROR_INVALID_ARGUMENT, 2, "Invalid Argument")                                     \
    STATUS(NVML_ERROR_NOT_SUPPORTED, 3, "Not Supported")                                           \
    STATUS(NVML_ERROR_NO_PERMISSION, 4, "Insufficient Permissions")                                \
    STATUS(NVML_ERROR_ALREADY_INITIALIZED, 5, "Already Initialized")                               \
    STATUS(NVML_ERROR_NOT_FOUND, 6, "Not Found")                                                   \
    STATUS(NVML_ERROR_INSUFFICIENT_SIZE, 7, "Insufficient Size")                                   \
    STATUS(NVML_ERROR_INSUFFICIENT_POWER, 8, "Insufficient External Power")                        \
    STATUS(NVML_ERROR_DRIVER_NOT_LOADED, 9, "Driver Not Loaded")                                   \
    STATUS(NVML_ERROR_TIMEOUT, 10, "Timeout")                                                      \
    STATUS(NVML_ERROR_IRQ_ISSUE, 11, "Interrupt Request Issue")                                    \
    STATUS(NVML_ERROR_LIBRARY_NOT_FOUND, 12, "NVML Shared Library Not Found")                      \
    STATUS(NVML_ERROR_FUNCTION_NOT_FOUND, 13, "Function Not Found")                                \
    STATUS(NVML_ERROR_CORRUPTED_INFOROM, 14, "Corrupted infoROM")                                  \
    STATUS(NVML_ERROR_GPU_IS_LOST, 15, "GPU is lost")                                              \
    STATUS(NVML_ERROR_RESET_REQUIRED, 16, "GPU requires restart")                                  \
    STATUS(NVML_ERROR_OPERATING_SYSTEM, 17, "The operating system has blocked the request.")       \
    STATUS(NVML_ERROR_LIB_RM_VERSION_MISMATCH, 18, "RM has detected an NVML/RM version mismatch.") \
    STATUS(NVML_ERROR_IN_USE, 19, "In use by another client")                                      \
    STATUS(NVML_ERROR_MEMORY, 20, "Insufficient Memory")                                           \
    STATUS(NVML_ERROR_NO_DATA, 21, "No data")                                                      \
    STATUS(NVML_ERROR_ARGUMENT_VERSION_MISMATCH, 25, "Argument version mismatch")                  \
    STATUS(NVML_ERROR_UNKNOWN, 999, "Unknown Error")

typedef enum {
#define STATUS(name, number, text) name = number,
    NVML_STATUSES(STATUS)
#undef STATUS
} nvmlReturn_t;

typedef struct nvmlDevice_st *nvmlDevice_t;

typedef struct {
    unsigned long long total, free, used; /* bytes */
} nvmlMemory_t;

typedef struct {
    unsigned version; /* the low 24 bits are the size, the others 2 */
    unsigned long long total, reserved, free, used;
} nvmlMemory_v2_t;

typedef struct {
    char busIdLegacy[16]; /* "0000:01:00.0" */
    unsigned domain, bus, device, pciDeviceId, pciSubSystemId;
    char busId[32]; /* "00000000:01:00.0" */
} nvmlPciInfo_t;

typedef struct {
    unsigned gpu, memory; /* percent of the time */
} nvmlUtilization_t;

typedef enum {
    NVML_CLOCK_GRAPHICS,
    NVML_CLOCK_SM,
    NVML_CLOCK_MEM,
    NVML_CLOCK_VIDEO
} nvmlClockType_t;
typedef enum { NVML_CLOCK_ID_CURRENT } nvmlClockId_t;
typedef enum { NVML_TEMPERATURE_GPU } nvmlTemperatureSensors_t;
typedef enum { NVML_COMPUTEMODE_DEFAULT } nvmlComputeMode_t;
typedef unsigned nvmlDeviceArchitecture_t;

/* library.c */
nvmlReturn_t nvmlInit_v2(void);
nvmlReturn_t nvmlInitWithFlags(unsigned flags);
nvmlReturn_t nvmlShutdown(void);
const char *nvmlErrorString(nvmlReturn_t status);
nvmlReturn_t nvmlSystemGetDriverVersion(char *version, unsigned length);
nvmlReturn_t nvmlSystemGetNVMLVersion(char *version, unsigned length);
nvmlReturn_t nvmlSystemGetCudaDriverVersion(int *version);
nvmlReturn_t nvmlSystemGetCudaDriverVersion_v2(int *version);

/* handle.c */
nvmlReturn_t nvmlDeviceGetCount_v2(unsigned *count);
nvmlReturn_t nvmlDeviceGetHandleByIndex_v2(unsigned index, nvmlDevice_t *device);
nvmlReturn_t nvmlDeviceGetHandleByUUID(const char *uuid, nvmlDevice_t *device);
nvmlReturn_t nvmlDeviceGetHandleByPciBusId_v2(const char *id, nvmlDevice_t *device);
nvmlReturn_t nvmlDeviceGetIndex(nvmlDevice_t device, unsigned *index);
nvmlReturn_t nvmlDeviceGetName(nvmlDevice_t device, char *name, unsigned length);
nvmlReturn_t nvmlDeviceGetUUID(nvmlDevice_t device, char *uuid, unsigned length);
nvmlReturn_t nvmlDeviceGetPciInfo_v3(nvmlDevice_t device, nvmlPciInfo_t *pci);

/* properties.c; clocks in MHz */
nvmlReturn_t nvmlDeviceGetMemoryInfo(nvmlDevice_t device, nvmlMemory_t *memory);
nvmlReturn_t nvmlDeviceGetMemoryInfo_v2(nvmlDevice_t device, nvmlMemory_v2_t *memory);
nvmlReturn_t nvmlDeviceGetMemoryBusWidth(nvmlDevice_t device, unsigned *bits);
nvmlReturn_t nvmlDeviceGetCudaComputeCapability(nvmlDevice_t device, int *major, int *minor);
nvmlReturn_t nvmlDeviceGetArchitecture(nvmlDevice_t device, nvmlDeviceArchitecture_t *architecture);
nvmlReturn_t nvmlDeviceGetComputeMode(nvmlDevice_t device, nvmlComputeMode_t *mode);
nvmlReturn_t nvmlDeviceGetClockInfo(nvmlDevice_t device, nvmlClockType_t type, unsigned *mhz);
nvmlReturn_t nvmlDeviceGetMaxClockInfo(nvmlDevice_t device, nvmlClockType_t type, unsigned *mhz);
nvmlReturn_t nvmlDeviceGetClock(nvmlDevice_t device, nvmlClockType_t type, nvmlClockId_t id,
                                unsigned *mhz);

/* Not served (stubs.awk), since a simulated device has none of it. */
nvmlReturn_t nvmlDeviceGetUtilizationRates(nvmlDevice_t device, nvmlUtilization_t *utilization);
nvmlReturn_t nvmlDeviceGetTemperature(nvmlDevice_t device, nvmlTemperatureSensors_t sensor,
                                      unsigned *celsius);
nvmlReturn_t nvmlDeviceGetPowerUsage(nvmlDevice_t device, unsigned *milliwatts);

#ifdef __cplusplus
}
#endif

#endif
