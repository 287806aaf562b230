/* gpu_ptx.c - the cases of grader/tests/ptx on a real GPU: does it do what they expect?
 *
 *     make build/test/gpu_ptx && build/test/gpu_ptx FILE.test ...
 *
 * A line for each file, and every mismatch in full; exit status 1 when there is one. Cases that
 * must fail are left out: a fault would end the program's use of the GPU. With --ptx it prints the
 * modules instead of running them (try: ... --ptx x.test | ptxas -arch=sm_90a -o /dev/null -).
 */
#include "ptx_cases.h"

#include <cuda_runtime_api.h>
#include <stdlib.h>
#include <string.h>

struct device {
    unsigned sm; /* compute capability times 10 */
    char target[16];
};

/* Where a case's inputs, results and memory lie in the three buffers of its file. */
struct place {
    size_t inputs, results, memory;
};

struct buffers {
    unsigned char *host_inputs, *host_results;
    void *device_inputs, *device_results, *device_memory;
};

static bool check(cudaError_t status, const char *what, const char *file)
{
    if (status == cudaSuccess)
        return true;
    fprintf(stderr, "%s: %s: %s\n", file, what, cudaGetErrorString(status));
    return false;
}

static bool runs_on(const struct ptx_case *one, const void *context)
{
    const struct device *device = context;
    return !one->refusal && !one->only_simulated && one->needs_sm <= device->sm;
}

/* The target with the instructions of just this GPU, where there is such a one. */
static bool find_device(struct device *device)
{
    int major, minor;
    if (!check(cudaDeviceGetAttribute(&major, cudaDevAttrComputeCapabilityMajor, 0), "no GPU",
               "gpu_ptx") ||
        !check(cudaDeviceGetAttribute(&minor, cudaDevAttrComputeCapabilityMinor, 0), "no GPU",
               "gpu_ptx"))
        return false;
    device->sm = (unsigned)(10 * major + minor);
    snprintf(device->target, sizeof device->target, "sm_%u%s", device->sm, major >= 9 ? "a" : "");
    return true;
}

static bool load(const struct cases_file *file, const struct device *device, cudaLibrary_t *library)
{
    char log[4096] = "";
    enum cudaJitOption options[] = {cudaJitErrorLogBuffer, cudaJitErrorLogBufferSizeBytes};
    void *values[] = {log, (void *)sizeof log};
    char *text = cases_module(file, device->target, runs_on, device);
    if (!text)
        return check(cudaErrorMemoryAllocation, "cannot make its kernels", file->name);
    cudaError_t status = cudaLibraryLoadData(library, text, options, values, 2, NULL, NULL, 0);
    free(text);
    if (check(status, "its kernels do not load", file->name))
        return true;
    fprintf(stderr, "%s\n", log);
    return false;
}

/* --- Buffers ---------------------------------------------------------------------------------- */

/* places[count] is the end: how large the buffers are. */
static struct place *lay_out(const struct cases_file *file, const struct device *device)
{
    struct place *places = calloc(file->count + 1, sizeof *places);
    for (size_t i = 0; places && i < file->count; i++) {
        const struct ptx_case *one = &file->cases[i];
        bool runs = runs_on(one, device);
        places[i + 1].inputs = places[i].inputs + (runs ? cases_inputs_bytes(one) : 0);
        places[i + 1].results = places[i].results + (runs ? cases_results_bytes(one) : 0);
        places[i + 1].memory = places[i].memory + (runs ? cases_memory_bytes(one) : 0);
    }
    return places;
}

static bool make_buffers(const struct cases_file *file, const struct device *device,
                         const struct place *places, struct buffers *buffers)
{
    const struct place *end = &places[file->count];
    buffers->host_inputs = malloc(end->inputs + 1);
    buffers->host_results = malloc(end->results + 1);
    if (!buffers->host_inputs || !buffers->host_results)
        return check(cudaErrorMemoryAllocation, "no host memory", file->name);
    for (size_t i = 0; i < file->count; i++)
        if (runs_on(&file->cases[i], device)) {
            cases_fill_inputs(&file->cases[i], buffers->host_inputs + places[i].inputs);
            cases_clear_results(&file->cases[i], buffers->host_results + places[i].results);
        }
    return check(cudaMalloc(&buffers->device_inputs, end->inputs + 1), "inputs", file->name) &&
           check(cudaMalloc(&buffers->device_results, end->results + 1), "results", file->name) &&
           check(cudaMalloc(&buffers->device_memory, end->memory + 1), "memory", file->name) &&
           check(cudaMemset(buffers->device_memory, 0, end->memory + 1), "memory", file->name) &&
           check(cudaMemcpy(buffers->device_inputs, buffers->host_inputs, end->inputs,
                            cudaMemcpyHostToDevice),
                 "inputs", file->name) &&
           check(cudaMemcpy(buffers->device_results, buffers->host_results, end->results,
                            cudaMemcpyHostToDevice),
                 "results", file->name);
}

static void free_buffers(struct buffers *buffers)
{
    cudaFree(buffers->device_inputs);
    cudaFree(buffers->device_results);
    cudaFree(buffers->device_memory);
    free(buffers->host_inputs);
    free(buffers->host_results);
}

/* --- Running ---------------------------------------------------------------------------------- */

static bool launch(const struct ptx_case *one, cudaLibrary_t library, const struct place *place,
                   const struct buffers *buffers)
{
    char name[32];
    uint32_t grid[3];
    cudaKernel_t kernel;
    char *inputs = (char *)buffers->device_inputs + place->inputs;
    char *results = (char *)buffers->device_results + place->results;
    char *memory = (char *)buffers->device_memory + place->memory;
    void *parameters[] = {&inputs, &results, &memory};
    cases_kernel_name(one, name, sizeof name);
    cases_blocks(one, grid);
    return check(cudaLibraryGetKernel(&kernel, library, name), name, one->file) &&
           check(cudaLaunchKernel((const void *)kernel, (dim3){grid[0], grid[1], grid[2]},
                                  (dim3){one->block[0], one->block[1], one->block[2]}, parameters,
                                  0, NULL),
                 name, one->file) &&
           check(cudaDeviceSynchronize(), name, one->file); /* a fault has the name of its case */
}

static bool run_all(const struct cases_file *file, const struct device *device,
                    cudaLibrary_t library, const struct place *places,
                    const struct buffers *buffers)
{
    for (size_t i = 0; i < file->count; i++)
        if (runs_on(&file->cases[i], device) &&
            !launch(&file->cases[i], library, &places[i], buffers))
            return false;
    return check(cudaMemcpy(buffers->host_results, buffers->device_results,
                            places[file->count].results, cudaMemcpyDeviceToHost),
                 "results", file->name);
}

static void compare_all(const struct cases_file *file, const struct device *device,
                        const struct place *places, const struct buffers *buffers,
                        struct cases_tally *tally)
{
    char *report = NULL;
    size_t size;
    FILE *out = open_memstream(&report, &size);
    for (size_t i = 0; out && i < file->count; i++)
        if (runs_on(&file->cases[i], device))
            cases_compare(&file->cases[i], buffers->host_results + places[i].results, tally, out);
    if (out)
        fclose(out);
    printf("%-20s %5u cases  %s", file->name, tally->cases, tally->wrong ? "WRONG" : "ok");
    if (tally->wrong)
        printf(": %u results", tally->wrong);
    if (tally->open)
        printf("  (%u open, %u unlike the guess)", tally->open, tally->unlike);
    printf("\n%s", report ? report : "");
    free(report);
}

static bool run_file(const struct cases_file *file, const struct device *device)
{
    struct cases_tally tally = {0};
    struct buffers buffers = {0};
    cudaLibrary_t library = NULL;
    struct place *places = lay_out(file, device);
    bool ok = places && load(file, device, &library) &&
              make_buffers(file, device, places, &buffers) &&
              run_all(file, device, library, places, &buffers);
    if (ok)
        compare_all(file, device, places, &buffers, &tally);
    free_buffers(&buffers);
    if (library)
        cudaLibraryUnload(library);
    free(places);
    return ok && tally.wrong == 0;
}

static bool print_module(const struct cases_file *file)
{
    static const struct device ANY = {999, "sm_90a"};
    char *text = cases_module(file, ANY.target, runs_on, &ANY);
    if (text)
        fputs(text, stdout);
    free(text);
    return text != NULL;
}

int main(int argc, char **argv)
{
    struct device device = {0};
    char error[400];
    bool ok = true, print = argc > 1 && strcmp(argv[1], "--ptx") == 0;
    if (argc < 2 + print) {
        fprintf(stderr, "usage: gpu_ptx [--ptx] FILE.test ...\n");
        return 2;
    }
    if (!print && !find_device(&device))
        return 2;
    for (int i = 1 + print; i < argc; i++) {
        struct cases_file file;
        if (!cases_read(argv[i], &file, error, sizeof error)) {
            fprintf(stderr, "%s\n", error);
            ok = false;
            continue;
        }
        for (size_t k = 0; k < file.count; k++)
            file.cases[k].guarded &= !file.cases[k].guarded_simulated;
        ok = (print ? print_module(&file) : run_file(&file, &device)) && ok;
        cases_free(&file);
    }
    return ok ? 0 : 1;
}
