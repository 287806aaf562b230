/* nvml.h - the drop-in libnvidia-ml: what a program may ask of the device besides CUDA.
 *
 * It tells what is true of a simulated device: its name, places and sizes, memory, and the clocks
 * that its times are modelled with. It has no load, temperature or power, so queries for these are
 * refused, with one sentence, as a board without the sensor refuses them. There is one device, and
 * its answers are those of the drop-in libcudart.
 *
 * Reading order: declared.h (the interface), library.c, handle.c, properties.c. Every other
 * function of NVML (functions.txt) becomes a stub that says its name: stubs.awk.
 */
#ifndef SIMGPU_NVML_H
#define SIMGPU_NVML_H

#include "declared.h"

#include <cuda_runtime_api.h>
#include <stdbool.h>

struct nvmlDevice_st {
    unsigned index;
};

/* May it be asked? NVML_SUCCESS, or why not: before nvmlInit, no such device, or no answer. */
nvmlReturn_t nvml_may_ask(void);
nvmlReturn_t nvml_may_ask_of(nvmlDevice_t device, const void *answer);
/* An error of the drop-in libcudart, as NVML has it. */
nvmlReturn_t nvml_status_of(cudaError_t error);
nvmlReturn_t nvml_copy_text(const char *text, char *to, unsigned length);
nvmlReturn_t nvml_attribute(enum cudaDeviceAttr attribute, int *value);
extern struct nvmlDevice_st nvml_only_device;

#endif
