/* plan_file.h - lesson 6's file: a stamp (contracts/06_gemm.h), followed by the implementation's
 * own bytes.
 *
 * Plans are useful only with the library and the device that they were made with. So a file is
 * accepted only if its stamp is the one that would be written here and now for these bytes.
 *
 * A file under its own name is always complete. Saving writes another file next to it, flushes that
 * to disk, and renames it, which POSIX does in one step: a process that is killed before that
 * leaves the old file, and a reader sees one or the other. If two processes save at once, the one
 * that renames last wins: what only the other one knew is not in the file, and is asked about
 * again. (Merging would need a lock, and a rule for two answers to one question.)
 */
#ifndef PLAN_FILE_H
#define PLAN_FILE_H

#include "contracts/06_gemm.h"

#include <cublasLt.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { PLAN_FILE_MOST_BYTES = 1 << 26, PLAN_FILE_MOST_PATH = 4096 };

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

/* When this returns true, all of it is on the disk: otherwise the name could get there before the
 * bytes. */
static inline bool plan_file_fill(FILE *file, const struct lesson6_stamp *stamp, const void *bytes,
                                  size_t count)
{
    bool written = fwrite(stamp, sizeof *stamp, 1, file) == 1 &&
                   fwrite(bytes, 1, count, file) == count && fflush(file) == 0 &&
                   fsync(fileno(file)) == 0;
    return fclose(file) == 0 && written;
}

/* Writes a stamp, and count bytes after it. cudaErrorUnknown, and the file unchanged, if they
 * cannot be written. */
static inline cudaError_t plan_file_write(const char *path, const void *bytes, size_t count)
{
    char beside[PLAN_FILE_MOST_PATH];
    struct lesson6_stamp stamp;
    if (plan_file_stamp(&stamp, bytes, count) != cudaSuccess)
        return cudaErrorUnknown;
    int length = snprintf(beside, sizeof beside, "%s.XXXXXX", path);
    int file_number = length < (int)sizeof beside ? mkstemp(beside) : -1;
    if (file_number < 0)
        return cudaErrorUnknown;
    FILE *file = fdopen(file_number, "wb");
    if (!file)
        close(file_number);
    if (file && plan_file_fill(file, &stamp, bytes, count) && rename(beside, path) == 0)
        return cudaSuccess;
    unlink(beside);
    return cudaErrorUnknown;
}

/* Reads the bytes after the stamp; free() them. cudaErrorInvalidValue, and *bytes NULL, if there is
 * no such file or it is not accepted. */
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
