// memory_mistakes.cu - memory that is freed twice, in the middle, or with the wrong function: an
// error each time, and the memory that is there stays usable.
#include "program.h"

int main()
{
    char *d_freed, *d_values, *managed, *pinned, on_stack = 0;
    CHECK(cudaMalloc(&d_freed, 4000));
    CHECK(cudaFree(d_freed));
    FAILS(cudaFree(d_freed), cudaErrorInvalidValue);

    CHECK(cudaMalloc(&d_values, 5000));
    FAILS(cudaFree(d_values + 64), cudaErrorInvalidValue);
    FAILS(cudaFreeHost(d_values), cudaErrorInvalidValue);
    CHECK(cudaMemset(d_values, 1, 5000));
    CHECK(cudaFree(d_values));

    CHECK(cudaMallocManaged(&managed, 6000));
    FAILS(cudaFree(managed + 8), cudaErrorInvalidValue);
    managed[5999] = 1;
    CHECK(cudaFree(managed));

    CHECK(cudaMallocHost(&pinned, 7000));
    FAILS(cudaFree(pinned), cudaErrorInvalidValue);
    pinned[6999] = 1;
    CHECK(cudaFreeHost(pinned));
    FAILS(cudaFreeHost(&on_stack), cudaErrorInvalidValue);
    printf("all is as it should be\n");
    return 0;
}
