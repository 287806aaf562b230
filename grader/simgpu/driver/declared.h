/* declared.h - the headers that declare the driver API; preprocessed for stubs.awk. */
#include <cuda.h>
#if __has_include(<cudaProfiler.h>)
#include <cudaProfiler.h>
#endif
