/* bench.c - how fast the simulated device is: a line a case, with what it should be at least.
 *
 *     bench KERNELS.ptx SIMGPU PROGRAM [CASE]       all cases, or saxpy, matmul, nbody or start
 *
 * A rate is thread instructions (counted by the machine itself) over the time of a launch from its
 * making to its last block; the best of a few. One thread is timed by the processor time it takes,
 * so that other work on the machine matters little; two threads need two idle cores, and are timed
 * by the clock. The exit status is 1 when a figure misses its bar.
 */
#include "machine.h"

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

static const uint64_t ARENA = UINT64_C(0x200000000000), ARENA_BYTES = UINT64_C(1) << 36;
enum { TRIES = 4, MOST_THREADS = 2 };

/* --- The machine ------------------------------------------------------------------------------ */

struct machine {
    struct sim_machine *machine;
    struct sim_context *context;
    struct module *module;
};

static bool commit(void *owner, uint64_t address, uint64_t bytes)
{
    (void)owner;
    return bytes == 0 || mprotect((void *)address, bytes, PROT_READ | PROT_WRITE) == 0;
}

static void release(void *owner, uint64_t address, uint64_t bytes)
{
    (void)owner;
    if (bytes)
        madvise((void *)address, bytes, MADV_DONTNEED);
}

static void fail(const char *what)
{
    fprintf(stderr, "bench: %s\n", what);
    exit(1);
}

static char *read_file(const char *path)
{
    FILE *file = fopen(path, "r");
    char *text = calloc(1, 1 << 20);
    if (!file || !text || fread(text, 1, (1 << 20) - 1, file) == 0)
        fail("the kernels' PTX cannot be read");
    fclose(file);
    return text;
}

static void open_machine(struct machine *machine, const char *ptx_path)
{
    struct sim_error error = {0};
    void *host = mmap((void *)ARENA, ARENA_BYTES, PROT_NONE,
                      MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_FIXED_NOREPLACE, -1, 0);
    struct sim_arena arena = {ARENA, ARENA_BYTES, host, NULL, commit, release};
    char *ptx = read_file(ptx_path);
    if (host != (void *)ARENA)
        fail("the address range of device memory is taken");
    machine->machine = sim_machine_new(sim_profile_named("h200"), &arena, &error);
    machine->context = machine->machine ? sim_context_new(machine->machine, &error) : NULL;
    if (machine->context)
        sim_watch_initialisation(machine->context, true);
    machine->module = machine->context
                          ? sim_module_load(machine->context, ptx, strlen(ptx), &error)
                          : NULL;
    if (!machine->module)
        fail(error.message);
    free(ptx);
}

/* Filled with small numbers, so that the initialisation check has nothing to say. */
static uint64_t buffer(struct machine *machine, uint64_t size_bytes)
{
    struct sim_error error;
    uint64_t address =
        sim_allocate(machine->context, size_bytes, SIM_MEMORY_DEVICE, NULL, &error);
    float *at = (float *)sim_host_pointer(machine->context, address, size_bytes, true, &error);
    if (!at)
        fail(error.message);
    for (uint64_t i = 0; i < size_bytes / sizeof *at; i++)
        at[i] = (float)(i % 17) / 16;
    return address;
}

/* --- Launches --------------------------------------------------------------------------------- */

struct kernel {
    const char *name;
    uint32_t grid[3], block[3];
    uint64_t buffer_bytes;
    uint32_t count;              /* the kernel's last parameter */
    double least[3];             /* G thread instructions a second, by enum watching; 0 for none */
};

enum watching { COUNTERS, EVERY_CHECK, NO_OBSERVERS, WATCHINGS };
static const char *const WATCHING_NAMES[WATCHINGS] = {"counters", "every check", "no observers"};

static const struct kernel KERNELS[] = {
    {"saxpy", {16384, 1, 1}, {256, 1, 1}, 16 << 20, 4 << 20, {1.5, 0.5, 0}},
    {"matmul", {20, 20, 1}, {16, 16, 1}, 320 * 320 * 4, 320, {1.0, 0.5, 0}},
    {"nbody", {16, 1, 1}, {128, 1, 1}, 2048 * 16, 2048, {1.0, 0.5, 0}},
};

struct turn {
    struct launch *launch;
    uint32_t worker;
};

static void *work(void *argument)
{
    const struct turn *turn = argument;
    sim_launch_work(turn->launch, turn->worker);
    return NULL;
}

static double seconds(clockid_t clock)
{
    struct timespec now;
    clock_gettime(clock, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

static void work_all(struct launch *launch, uint32_t threads)
{
    pthread_t thread[MOST_THREADS];
    struct turn turn[MOST_THREADS];
    for (uint32_t i = 1; i < threads; i++) {
        turn[i] = (struct turn){launch, i};
        if (pthread_create(&thread[i], NULL, work, &turn[i]) != 0)
            fail("no thread can be started");
    }
    sim_launch_work(launch, 0);
    for (uint32_t i = 1; i < threads; i++)
        pthread_join(thread[i], NULL);
}

/* The time of one launch; *inst gets its thread instructions where they are counted. */
static double launch_s(struct machine *machine, const struct kernel *kernel,
                       const uint64_t *buffers, enum watching watching, uint32_t threads,
                       uint64_t *inst)
{
    clockid_t clock = threads == 1 ? CLOCK_PROCESS_CPUTIME_ID : CLOCK_MONOTONIC;
    struct sim_launch_config config = {.count = watching != NO_OBSERVERS, .workers = threads,
                                       .checks = watching == EVERY_CHECK ? SIM_CHECK_ALL : 0};
    struct sim_error error = {0};
    unsigned char parameters[32];
    memcpy(config.grid, kernel->grid, sizeof config.grid);
    memcpy(config.block, kernel->block, sizeof config.block);
    memcpy(parameters, buffers, 24);
    memcpy(parameters + 24, &kernel->count, sizeof kernel->count);
    double start = seconds(clock);
    struct launch *launch =
        sim_launch_new(machine->context, sim_module_kernel(machine->module, kernel->name), &config,
                       parameters, &error);
    if (!launch)
        fail(error.message);
    work_all(launch, threads);
    double taken = seconds(clock) - start;
    if (sim_launch_fault(launch))
        fail(sim_launch_fault(launch)->message);
    const struct sim_launch_result *result = sim_launch_result(launch);
    if (result)
        *inst = result->totals.thread_inst;
    sim_launch_free(launch);
    return taken;
}

/* --- Reports ---------------------------------------------------------------------------------- */

static bool missed;

static void print_bar(double value, double least, const char *bar)
{
    bool good = least == 0 || value >= least;
    missed |= !good;
    if (least > 0)
        printf("   at least %s%s", bar, good ? "" : "   MISSED");
    putchar('\n');
    fflush(stdout);
}

static double rate(struct machine *machine, const struct kernel *kernel, const uint64_t *buffers,
                   enum watching watching, uint32_t threads, uint64_t *inst)
{
    double best = 1e9;
    for (int i = 0; i < TRIES; i++) {
        double taken = launch_s(machine, kernel, buffers, watching, threads, inst);
        best = taken < best ? taken : best;
    }
    return (double)*inst / best * 1e-9;
}

static void bench_kernel(struct machine *machine, const struct kernel *kernel)
{
    uint64_t inst = 0, buffers[3];
    for (int i = 0; i < 3; i++)
        buffers[i] = buffer(machine, kernel->buffer_bytes);
    for (enum watching watching = 0; watching < WATCHINGS; watching++) {
        double one = rate(machine, kernel, buffers, watching, 1, &inst), two;
        char bar[32];
        snprintf(bar, sizeof bar, "%.1f", kernel->least[watching]);
        printf("%-8s %-13s 1 thread   %6.2f Gthread-inst/s", kernel->name,
               WATCHING_NAMES[watching], one);
        print_bar(one, kernel->least[watching], bar);
        two = rate(machine, kernel, buffers, watching, 2, &inst);
        printf("%-8s %-13s 2 threads  %6.2f Gthread-inst/s  %.2f x", kernel->name,
               WATCHING_NAMES[watching], two, two / one);
        print_bar(two / one, watching == COUNTERS ? 1.8 : 0, "1.8 x");
    }
}

/* Runs the program under simgpu; *done_ns gets what it printed. Peak memory in MiB, or -1. */
static double run_program(char **words, const char *mode, double *done_s)
{
    int ends[2];
    struct rusage usage;
    int status = 0;
    char text[64] = "";
    if (pipe(ends) != 0)
        return -1;
    pid_t child = fork();
    if (child == 0) {
        dup2(ends[1], STDOUT_FILENO);
        execl(words[2], words[2], "run", "--quiet", "--", words[3], mode, (char *)NULL);
        _exit(127);
    }
    close(ends[1]);
    ssize_t size = read(ends[0], text, sizeof text - 1);
    close(ends[0]);
    if (child < 0 || wait4(child, &status, 0, &usage) < 0 || status != 0 || size <= 0)
        return -1;
    *done_s = strtod(text, NULL) * 1e-9;
    return (double)usage.ru_maxrss / 1024;
}

static void bench_program(char **words)
{
    double best = 1e9, done = 0, memory = 0;
    for (int i = 0; i < TRIES && memory >= 0; i++) {
        double start = seconds(CLOCK_MONOTONIC);
        memory = run_program(words, "first", &done);
        best = done - start < best ? done - start : best;
    }
    printf("from the start of a program to the end of its first kernel  %.0f ms", best * 1e3);
    printf("   at most 50 ms%s\n", best > 0.05 || memory < 0 ? "   MISSED" : "");
    memory = run_program(words, "large", &done);
    printf("memory of a device that holds 64 GiB with 1 MiB touched     %.0f MiB", memory);
    printf("   at most 256 MiB%s\n", memory > 256 || memory < 0 ? "   MISSED" : "");
    missed |= best > 0.05 || memory > 256 || memory < 0;
}

int main(int count, char **words)
{
    struct machine machine = {0};
    const char *only = count == 5 && *words[4] ? words[4] : NULL;
    if (count != 4 && count != 5) {
        fputs("usage: bench KERNELS.ptx SIMGPU PROGRAM [CASE]\n", stderr);
        return 64;
    }
    open_machine(&machine, words[1]);
    for (size_t i = 0; i < sizeof KERNELS / sizeof *KERNELS; i++)
        if (!only || strcmp(only, KERNELS[i].name) == 0)
            bench_kernel(&machine, &KERNELS[i]);
    sim_context_free(machine.context);
    sim_machine_free(machine.machine);
    if (!only || strcmp(only, "start") == 0)
        bench_program(words);
    return missed;
}
