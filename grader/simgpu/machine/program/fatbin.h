/* fatbin.h - the container nvcc puts device code into: PTX text and machine code (cubins), each
 * plain or compressed.
 *
 * The format is not documented; what is known of it is drawn in fatbin.c. Every byte is checked,
 * since a program may hand over anything.
 */
#ifndef SIM_FATBIN_H
#define SIM_FATBIN_H

#include "machine.h"

struct fatbin {
    char *ptx; /* not zero-terminated; NULL when there is none that fits */
    size_t ptx_bytes;
    unsigned char *cubin; /* NULL when there is none */
    size_t cubin_bytes;
    unsigned ptx_arch; /* 80 of compute_80 */
};

/* The newest PTX that a device of compute capability arch (90 for 9.0) may run, and the machine
 * code that comes nearest to arch. image may also be plain PTX text. False with error set: no
 * container, no PTX in it, or damaged. Free what is returned with fatbin_free. */
bool fatbin_read(const void *image, size_t size_bytes, unsigned arch, struct fatbin *fatbin,
                 struct sim_error *error);
void fatbin_free(struct fatbin *fatbin);

enum { FATBIN_LEAST_BYTES = 16 }; /* of a container: its header */
/* The size of the container that starts at image, as its header says; 0 if it is none. */
size_t fatbin_size(const void *image);

/* What ptxas found out about a kernel, from a cubin's .nv.info section. */
struct cubin_kernel {
    unsigned registers;   /* a thread */
    unsigned frame_bytes; /* local memory a thread */
};
/* False when the cubin is damaged or does not know the kernel. */
bool cubin_find(const unsigned char *cubin, size_t size_bytes, const char *kernel,
                struct cubin_kernel *found);

#endif
