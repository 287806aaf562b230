/* stream.c - streams and events are the runtime's. */
#include "serve.h"

CUresult cuStreamCreate(CUstream *stream, unsigned flags)
{
    SERVE(cuStreamCreate);
    return serve_result(RUNTIME(cudaStreamCreateWithFlags)(stream, flags));
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
