/* serve.h - the functions of the driver API that a program may call: those of the drop-in
 * libcudart, under the driver's names. There is one device, and one context, which is the
 * runtime's.
 *
 * A library that holds a runtime of its own is refused all the same (refuse.c): it would need the
 * rest of the driver. So every function first checks its caller.
 *
 * Reading order: serve.c, context.c, module.c, library.c, link.c, memory.c, pointer.c, pool.c,
 * array.c, virtual.c, stream.c, by_name.c.
 */
#ifndef DRIVER_SERVE_H
#define DRIVER_SERVE_H

#define __CUDA_API_VERSION_INTERNAL /* all versions of each name, and no macros */
#include <cuda.h>
#include <cuda_runtime_api.h>
#include <stdbool.h>
#include <stddef.h>

int driver_refuse(const char *function);
/* May the code at that address call the driver? */
bool serve_caller(const void *address);
#define SERVE(function)                                 \
    do {                                                \
        if (!serve_caller(__builtin_return_address(0))) \
            return (CUresult)driver_refuse(#function);  \
    } while (0)

/* The drop-in libcudart's function of that name; it exists. */
void *serve_runtime(const char *function);
#define RUNTIME(function) ((__typeof__(&function))serve_runtime(#function))
/* The driver's result for that result of the runtime, which then does not remember the error. */
CUresult serve_result(cudaError_t error);

/* context.c: the context; NULL is not written to. */
CUresult serve_current(CUcontext *context);
/* module.c: an attribute of a function. */
CUresult serve_attribute(int *value, CUfunction_attribute attribute, CUfunction function);

static inline void *pointer_of(CUdeviceptr address)
{
    return (void *)address;
}

#endif
