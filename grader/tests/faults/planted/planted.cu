// planted.cu - finds the fault that the command line names, and commits it.
#include "planted.h"

#include <cstdio>
#include <cstdlib>
#include <cstring>

const planted *planted::first;

void check(cudaError_t error, const char *file, int line)
{
    if (error == cudaSuccess)
        return;
    fprintf(stderr, "%s:%d: %s: %s\n", file, line, cudaGetErrorName(error),
            cudaGetErrorString(error));
    exit(1);
}

extern "C" void switch_on_checks(void);

int main(int count, char **words)
{
    const char *name = count == 2 ? words[1] : "list";
    for (const planted *fault = planted::first; fault; fault = fault->next)
        if (strcmp(name, "list") == 0) {
            puts(fault->name);
        } else if (strcmp(name, fault->name) == 0) {
            switch_on_checks();
            fault->commit();
            CHECK(cudaGetLastError());
            CHECK(cudaDeviceSynchronize());
            return 0;
        }
    return strcmp(name, "list") == 0 ? 0 : 64;
}
