/* library.cu - stands for NVIDIA's libraries: it holds a CUDA runtime of its own. */
#include <cuda_runtime.h>

extern "C" int library_create(void **handle)
{
    return cudaMalloc(handle, 64);
}
