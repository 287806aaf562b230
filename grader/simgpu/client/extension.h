/* extension.h - what a further drop-in library needs of the drop-in libcudart it stands on: the
 * line to the device, and work on a program's streams. libcublasLt (../blaslt/client) is the one
 * that does.
 */
#ifndef SIMGPU_EXTENSION_H
#define SIMGPU_EXTENSION_H

#include "client.h"

struct simgpu_extension {
    /* Send a request, wait for the reply: connection.c. */
    cudaError_t (*perform)(struct call *call);
    /* Work for a stream, or a node of the graph it is captured into; *number gets the device's
     * number of the stream. cudaErrorInvalidResourceHandle for a handle that is none. */
    cudaError_t (*submit)(cudaStream_t stream, struct call *call, uint64_t *number);
    /* What no capture that is under way survives. */
    void (*spoil_captures)(void);
    /* Tell the user once, on stderr. */
    void (*explain)(const char *format, ...) __attribute__((format(printf, 1, 2)));
};

/* Never NULL. */
const struct simgpu_extension *simgpu_extension(void);

#endif
