/* draw.c - the functions that give numbers. */
#include "generator.h"

#include <stdlib.h>

/* Where the toolkit's generator writes: the program's own memory, or some to copy from. */
static curandStatus_t place(curandGenerator_t generator, void *output, size_t count, size_t size,
                            void **from)
{
    enum cudaStreamCaptureStatus capture = cudaStreamCaptureStatusNone;
    *from = NULL;
    if (!rand_generator_is_sound(generator))
        return CURAND_STATUS_NOT_INITIALIZED;
    if (!output && count)
        return CURAND_STATUS_LAUNCH_FAILURE;
    if (generator->for_host) {
        *from = output;
        return CURAND_STATUS_SUCCESS;
    }
    cudaStreamIsCapturing(generator->stream, &capture);
    if (capture != cudaStreamCaptureStatusNone) {
        simgpu_extension()->explain("cuRAND's numbers are drawn on the host, so they cannot be "
                                    "drawn again by a graph: draw them before it is captured");
        return CURAND_STATUS_LAUNCH_FAILURE;
    }
    *from = count > SIZE_MAX / size ? NULL : malloc(count * size + 1);
    return *from ? CURAND_STATUS_SUCCESS : CURAND_STATUS_ALLOCATION_FAILED;
}

static curandStatus_t deliver(curandGenerator_t generator, void *output, void *from, size_t bytes,
                              curandStatus_t status)
{
    if (generator->for_host)
        return status;
    if (status == CURAND_STATUS_SUCCESS && bytes &&
        cudaMemcpyAsync(output, from, bytes, cudaMemcpyDefault, generator->stream) != cudaSuccess)
        status = CURAND_STATUS_LAUNCH_FAILURE;
    free(from);
    return status;
}

/* PARAMETERS: those after the generator, with output and count; ARGUMENTS: what follows output. */
#define DRAW(name, PARAMETERS, ...)                                                     \
    curandStatus_t name PARAMETERS                                                      \
    {                                                                                   \
        void *from;                                                                     \
        curandStatus_t status = place(generator, output, count, sizeof *output, &from); \
        if (status != CURAND_STATUS_SUCCESS)                                            \
            return status;                                                              \
        status = TOOLKIT(name)(generator->toolkits, from, __VA_ARGS__);                 \
        return deliver(generator, output, from, count * sizeof *output, status);        \
    }

DRAW(curandGenerate, (curandGenerator_t generator, unsigned int *output, size_t count), count)
DRAW(curandGenerateLongLong,
     (curandGenerator_t generator, unsigned long long *output, size_t count), count)
DRAW(curandGenerateUniform, (curandGenerator_t generator, float *output, size_t count), count)
DRAW(curandGenerateUniformDouble, (curandGenerator_t generator, double *output, size_t count),
     count)
DRAW(curandGenerateNormal,
     (curandGenerator_t generator, float *output, size_t count, float mean, float deviation), count,
     mean, deviation)
DRAW(curandGenerateNormalDouble,
     (curandGenerator_t generator, double *output, size_t count, double mean, double deviation),
     count, mean, deviation)
DRAW(curandGenerateLogNormal,
     (curandGenerator_t generator, float *output, size_t count, float mean, float deviation), count,
     mean, deviation)
DRAW(curandGenerateLogNormalDouble,
     (curandGenerator_t generator, double *output, size_t count, double mean, double deviation),
     count, mean, deviation)
DRAW(curandGeneratePoisson,
     (curandGenerator_t generator, unsigned int *output, size_t count, double lambda), count,
     lambda)
DRAW(curandGeneratePoissonMethod,
     (curandGenerator_t generator, unsigned int *output, size_t count, double lambda,
      curandMethod_t method),
     count, lambda, method)
DRAW(curandGenerateBinomial,
     (curandGenerator_t generator, unsigned int *output, size_t count, unsigned int n, double p),
     count, n, p)
DRAW(curandGenerateBinomialMethod,
     (curandGenerator_t generator, unsigned int *output, size_t count, unsigned int n, double p,
      curandMethod_t method),
     count, n, p, method)
