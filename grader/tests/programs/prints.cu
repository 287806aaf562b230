// prints.cu - what kernels print is what the same printf prints on the host.
#include "program.h"

#include <cstring>
#include <unistd.h>

#define LINES(line)                                                                              \
    line("plain, 100 %%\n");                                                                     \
    line("%d|%5d|%-5d|%05d|%+d|% d\n", -1, 42, 42, 42, 42, 42);                                  \
    line("%u %x %X %#x %o %i\n", 4000000000u, 255, 255, 255, 8, -9);                             \
    line("%ld %lld %llu %lx\n", -5l, 1ll << 40, ~0ull, 1l << 33);                                \
    line("%f %.2f %10.3e %g %G %a\n", 1.5, 3.14159, 12345.678, 1e-7, 1e10, 1.0);                 \
    line("%c|%s|%8s|%-8s|\n", 'z', "text", "right", "left");                                     \
    line("%*d|%-*d|%.3s|%.0f\n", 6, 42, 6, 42, "abcdef", 2.5);                                   \
    line("%f %f\n", -0.0, 1e300 * 1e10);

#define ON_DEVICE(...) printf(__VA_ARGS__)
#define ON_HOST(...) used += snprintf(expected + used, sizeof expected - used, __VA_ARGS__)

__global__ void print(int *count)
{
    LINES(ON_DEVICE)
    *count = printf("%d %s %f\n", 1, "two", 3.0);
}

static char expected[4096], printed[4096];

// What fills printed goes to a file in place of the terminal meanwhile.
static void run(int *count)
{
    FILE *file = tmpfile();
    EXPECT(file);
    fflush(stdout);
    int terminal = dup(1);
    EXPECT(terminal >= 0 && dup2(fileno(file), 1) == 1);
    print<<<1, 1>>>(count);
    cudaError_t error = cudaDeviceSynchronize();
    fflush(stdout);
    EXPECT(dup2(terminal, 1) == 1);
    CHECK(error);
    rewind(file);
    printed[fread(printed, 1, sizeof printed - 1, file)] = 0;
    fclose(file);
}

int main()
{
    size_t used = 0;
    int *count;
    CHECK(cudaMallocManaged(&count, sizeof *count));
    LINES(ON_HOST)
    ON_HOST("%d %s %f\n", 1, "two", 3.0);
    run(count);
    if (strcmp(printed, expected) != 0) {
        printf("expected:\n%sprinted:\n%s", expected, printed);
        return 1;
    }
    EXPECT(*count == 3);
    printf("%zu bytes printed as expected\n", used);
    return 0;
}
