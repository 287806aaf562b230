/* library_work.h - what the kernels of a library (cuBLASLt, cuBLAS) share: they are computed here
 * and not by the machine, on the program's memory, and recorded like launches.
 */
#ifndef DEVICE_LIBRARY_WORK_H
#define DEVICE_LIBRARY_WORK_H

#include "device.h"

/* --- Operands --------------------------------------------------------------------------------- */

/* Where the operands of a call are for this process, found one after another. */
struct finder {
    struct sim_context *context;
    struct sim_error error;
    const char *what; /* the one that was not found, or NULL */
};

/* NULL for an address of 0, for no bytes, and after something was not found. written: the call
 * fills it. */
void *finder_find(struct finder *finder, const char *what, uint64_t address, uint64_t bytes,
                  bool written);
/* The same for a required operand: an address of 0 is not found. */
void *finder_need(struct finder *finder, const char *what, uint64_t address, uint64_t bytes,
                  bool written);

/* --- What is remembered ----------------------------------------------------------------------- */

struct library_estimate {
    double time_ns; /* modelled, from start to end */
    double waves;   /* blocks for each multiprocessor */
    double dram_read_bytes, dram_write_bytes, l2_bytes;
    double tensor_instructions; /* warp instructions of 16 x 8 x 16 */
    uint64_t blocks;
    const char *bound; /* "tensor cores", "FP32", "FP64", "L2", "DRAM" or
                                           "latency" */
};

/* As a launch of a kernel of that name. */
void library_remember(struct client *client, const char *name,
                      const struct library_estimate *estimate);
/* The context breaks, as after a kernel that read outside its memory; error is what the program is
 * told. */
void library_fail(struct client *client, const char *name, const struct library_estimate *estimate,
                  int error, const char *message);

#endif
