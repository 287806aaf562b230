/* plan_file.h - lesson 6's file: a stamp (contracts/06_gemm.h), and behind it the implementation's
 * own bytes.
 *
 * Plans are worth something to the library and the device they were made with, and to no others. So
 * a file is believed if its stamp is the one that would be written here and now, over these bytes.
 */
#ifndef PLAN_FILE_H
#define PLAN_FILE_H

#include "contracts/06_gemm.h"

#include <cublasLt.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { PLAN_FILE_MOST_BYTES = 1 << 26 };

static inline cudaError_t plan_file_stamp(struct lesson6_stamp *stamp, const void *bytes,
                                          size_t count)
{
    struct cudaDeviceProp properties;
    int device;
    cudaError_t error = cudaGetDevice(&device);
    if (error == cudaSuccess)
        error = cudaGetDeviceProperties(&properties, device);
    memset(stamp, 0, sizeof *stamp);
    stamp->magic = LESSON6_MAGIC;
    stamp->library_version = cublasLtGetVersion();
    if (error == cudaSuccess)
        snprintf(stamp->device, sizeof stamp->device, "%s", properties.name);
    stamp->bytes = count;
    stamp->checksum = lesson6_checksum(bytes, count);
    return error;
}

/* A stamp, and behind it count bytes. cudaErrorUnknown when they cannot be written. */
static inline cudaError_t plan_file_write(const char *path, const void *bytes, size_t count)
{
    struct lesson6_stamp stamp;
    cudaError_t error = plan_file_stamp(&stamp, bytes, count);
    FILE *file = error == cudaSuccess ? fopen(path, "wb") : NULL;
    if (!file)
        return error == cudaSuccess ? cudaErrorUnknown : error;
    bool written = fwrite(&stamp, sizeof stamp, 1, file) == 1 &&
                   fwrite(bytes, 1, count, file) == count;
    return fclose(file) == 0 && written ? cudaSuccess : cudaErrorUnknown;
}

/* The bytes behind the stamp; free() them. cudaErrorInvalidValue, and *bytes NULL, when there is
 * no such file or it is not to be believed. */
static inline cudaError_t plan_file_read(const char *path, void **bytes, size_t *count)
{
    struct lesson6_stamp stamp, here;
    FILE *file = fopen(path, "rb");
    *bytes = NULL;
    if (!file)
        return cudaErrorInvalidValue;
    bool whole = fread(&stamp, sizeof stamp, 1, file) == 1 && stamp.bytes <= PLAN_FILE_MOST_BYTES;
    if (whole)
        *bytes = malloc(stamp.bytes + 1);
    whole = *bytes && fread(*bytes, 1, stamp.bytes + 1, file) == stamp.bytes; /* and no more */
    fclose(file);
    if (whole && plan_file_stamp(&here, *bytes, stamp.bytes) == cudaSuccess &&
        memcmp(&stamp, &here, sizeof here) == 0) {
        *count = stamp.bytes;
        return cudaSuccess;
    }
    free(*bytes);
    *bytes = NULL;
    return cudaErrorInvalidValue;
}

#endif
