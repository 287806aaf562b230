/* stream.c - streams and events are the runtime's. */
#include "serve.h"

CUresult cuStreamCreate(CUstream *stream, unsigned flags)
{
    SERVE(cuStreamCreate);
    return serve_result(RUNTIME(cudaStreamCreateWithFlags)(stream, flags));
}

CUresult cuStreamCreateWithPriority(CUstream *stream, unsigned flags, int priority)
{
    SERVE(cuStreamCreateWithPriority);
    return serve_result(RUNTIME(cudaStreamCreateWithPriority)(stream, flags, priority));
}

CUresult cuCtxGetStreamPriorityRange(int *least, int *greatest)
{
    SERVE(cuCtxGetStreamPriorityRange);
    return serve_result(RUNTIME(cudaDeviceGetStreamPriorityRange)(least, greatest));
}

CUresult cuStreamGetPriority(CUstream stream, int *priority)
{
    SERVE(cuStreamGetPriority);
    return serve_result(RUNTIME(cudaStreamGetPriority)(stream, priority));
}

#if CUDA_VERSION >= 12080
CUresult cuStreamGetDevice(CUstream stream, CUdevice *device)
{
    SERVE(cuStreamGetDevice);
    return serve_result(RUNTIME(cudaStreamGetDevice)(stream, device));
}
#endif

CUresult cuStreamGetFlags(CUstream stream, unsigned *flags)
{
    SERVE(cuStreamGetFlags);
    return serve_result(RUNTIME(cudaStreamGetFlags)(stream, flags));
}

CUresult cuStreamGetId(CUstream stream, unsigned long long *id)
{
    SERVE(cuStreamGetId);
    return serve_result(RUNTIME(cudaStreamGetId)(stream, id));
}

CUresult cuStreamIsCapturing(CUstream stream, CUstreamCaptureStatus *status)
{
    SERVE(cuStreamIsCapturing);
    return serve_result(
        RUNTIME(cudaStreamIsCapturing)(stream, (enum cudaStreamCaptureStatus *)status));
}

CUresult cuStreamDestroy_v2(CUstream stream)
{
    SERVE(cuStreamDestroy);
    return serve_result(RUNTIME(cudaStreamDestroy)(stream));
}

CUresult cuStreamSynchronize(CUstream stream)
{
    SERVE(cuStreamSynchronize);
    return serve_result(RUNTIME(cudaStreamSynchronize)(stream));
}

CUresult cuStreamQuery(CUstream stream)
{
    SERVE(cuStreamQuery);
    return serve_result(RUNTIME(cudaStreamQuery)(stream));
}

CUresult cuStreamWaitEvent(CUstream stream, CUevent event, unsigned flags)
{
    SERVE(cuStreamWaitEvent);
    return serve_result(RUNTIME(cudaStreamWaitEvent)(stream, event, flags));
}

/* --- Host functions --------------------------------------------------------------------------- */

CUresult cuLaunchHostFunc(CUstream stream, CUhostFn function, void *data)
{
    SERVE(cuLaunchHostFunc);
    return serve_result(RUNTIME(cudaLaunchHostFunc)(stream, function, data));
}

/* Every error that a stream can end with has the same number in both APIs. */
CUresult cuStreamAddCallback(CUstream stream, CUstreamCallback callback, void *data, unsigned flags)
{
    SERVE(cuStreamAddCallback);
    return serve_result(
        RUNTIME(cudaStreamAddCallback)(stream, (cudaStreamCallback_t)callback, data, flags));
}

/* --- Events ----------------------------------------------------------------------------------- */

CUresult cuEventCreate(CUevent *event, unsigned flags)
{
    SERVE(cuEventCreate);
    return serve_result(RUNTIME(cudaEventCreateWithFlags)(event, flags));
}

CUresult cuEventDestroy_v2(CUevent event)
{
    SERVE(cuEventDestroy);
    return serve_result(RUNTIME(cudaEventDestroy)(event));
}

CUresult cuEventRecord(CUevent event, CUstream stream)
{
    SERVE(cuEventRecord);
    return serve_result(RUNTIME(cudaEventRecord)(event, stream));
}

CUresult cuEventRecordWithFlags(CUevent event, CUstream stream, unsigned flags)
{
    SERVE(cuEventRecordWithFlags);
    return serve_result(RUNTIME(cudaEventRecordWithFlags)(event, stream, flags));
}

CUresult cuEventQuery(CUevent event)
{
    SERVE(cuEventQuery);
    return serve_result(RUNTIME(cudaEventQuery)(event));
}

CUresult cuEventSynchronize(CUevent event)
{
    SERVE(cuEventSynchronize);
    return serve_result(RUNTIME(cudaEventSynchronize)(event));
}

static CUresult elapsed(float *milliseconds, CUevent start, CUevent end)
{
    return serve_result(RUNTIME(cudaEventElapsedTime)(milliseconds, start, end));
}

CUresult cuEventElapsedTime(float *milliseconds, CUevent start, CUevent end)
{
    SERVE(cuEventElapsedTime);
    return elapsed(milliseconds, start, end);
}

#if CUDA_VERSION >= 12080
CUresult cuEventElapsedTime_v2(float *milliseconds, CUevent start, CUevent end)
{
    SERVE(cuEventElapsedTime);
    return elapsed(milliseconds, start, end);
}
#endif
