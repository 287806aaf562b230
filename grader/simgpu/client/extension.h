/* extension.h - what another drop-in library needs from the drop-in libcudart: the connection to
 * the device, and work on a program's streams. libcublasLt (../blaslt/client) uses it.
 */
#ifndef SIMGPU_EXTENSION_H
#define SIMGPU_EXTENSION_H

#include "client.h"

struct simgpu_extension {
    /* Send a request, wait for the reply: connection.c. */
    cudaError_t (*perform)(struct call *call);
    /* Queue work for a stream, or make it a node of the graph being captured; *number gets the
     * device's number of the stream. cudaErrorInvalidResourceHandle for an invalid handle. */
    cudaError_t (*submit)(cudaStream_t stream, struct call *call, uint64_t *number);
    /* Spoils all active captures. */
    void (*spoil_captures)(void);
    /* Tell the user once, on stderr. */
    void (*explain)(const char *format, ...) __attribute__((format(printf, 1, 2)));
};

/* Never NULL. */
const struct simgpu_extension *simgpu_extension(void);

#endif
