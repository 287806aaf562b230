/* program.cu - launches a kernel, and calls a function of a library when it is given both by name.
 * It ends with 0 even when that function fails, as careless programs do. */
#include <cuda_runtime.h>
#include <dlfcn.h>
#include <stdio.h>

extern "C" int library_create(void **handle);

__global__ void set(int *p)
{
    *p = 1;
}

static int call(const char *file, const char *name)
{
    char handle[4096] = {0};
    void *library = dlopen(file, RTLD_NOW);
    int (*function)(void *, int) =
        library ? (int (*)(void *, int))dlsym(library, name) : NULL;
    if (!function)
        return 77;
    printf("%s gave %d\n", name, function(handle, 100));
    return 0;
}

int main(int count, char **words)
{
    int *p, got = 0;
    if (count == 3)
        return call(words[1], words[2]);
    if (count == 2)
        return printf("it gave %d\n", library_create((void **)&p)) < 0;
    if (cudaMalloc(&p, sizeof *p) == cudaSuccess) {
        set<<<1, 1>>>(p);
        cudaMemcpy(&got, p, sizeof got, cudaMemcpyDeviceToHost);
    }
    printf("got %d\n", got);
    return 0;
}
