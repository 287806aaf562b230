/* kernels.h - the kernels of timeline programs. Each name says what part of the device it takes:
 *
 *     tiny     1 block that writes one number
 *     lone     1 block of 32 threads, AMOUNT dependent FMAs
 *     half     66 blocks with so much shared memory that each has a multiprocessor for itself
 *     full     132 such blocks: every multiprocessor of an H200
 *     waves    264 of them: every multiprocessor twice
 *     light    132 blocks without shared memory: several such launches fit next to each other
 *     dense    1056 blocks that keep all FMA units busy, AMOUNT FMAs a thread
 *     sweep    y = a x + y over AMOUNT MiB of each: as fast as DRAM
 */
#ifndef TIMELINE_KERNELS_H
#define TIMELINE_KERNELS_H

#include "script.h"

#include <cuda_runtime.h>

/* Call once, before any launch. */
cudaError_t kernels_prepare(void);
/* Launch what step asks for; words is device memory of 512 MiB of step's stream alone. */
cudaError_t kernels_launch(const struct step *step, float *words, cudaStream_t stream);
/* Keep the device busy until its clock has settled. */
cudaError_t kernels_warm_up(float *words);

#endif
