// correct.cu - runs the correct kernels that the command line names, and says which gave a wrong
// result.
#include "correct.h"

#include <cstdio>
#include <cstdlib>
#include <cstring>

const correct *correct::first;
static const char *running;

void check(cudaError_t error, const char *file, int line)
{
    if (error == cudaSuccess)
        return;
    fprintf(stderr, "%s:%d: in %s: %s\n", file, line, running, cudaGetErrorName(error));
    exit(1);
}

extern "C" void switch_on_checks(void);

int main(int count, char **words)
{
    const char *name = count == 2 ? words[1] : "list";
    bool list = strcmp(name, "list") == 0, all = strcmp(name, "all") == 0;
    int right = 0, wrong = 0;
    if (!list)
        switch_on_checks();
    for (const correct *kernel = correct::first; kernel; kernel = kernel->next) {
        if (list) {
            puts(kernel->name);
        } else if (all || strcmp(name, kernel->name) == 0) {
            running = kernel->name;
            bool ok = kernel->run();
            CHECK(cudaDeviceSynchronize());
            if (!ok)
                printf("  FAIL  %s: the result is wrong\n", kernel->name);
            (ok ? right : wrong)++;
        }
    }
    if (!list)
        printf("  %-5s correct  %d of %d correct kernels right, and none reported\n",
               wrong || !right ? "FAIL" : "ok", right, right + wrong);
    return !list && (wrong || !right);
}
