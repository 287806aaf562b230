/* bench.c - how fast the simulated device is: a line a case, with what it should be at least.
 *
 *     bench KERNELS.ptx SIMGPU PROGRAM [CASE]       all cases, or saxpy, matmul, nbody or start
 *
 * A rate is thread instructions (counted by the machine itself) over the time of a launch from its
 * making to its last block; the best of a few. One thread is timed by the processor time it takes,
 * so that other work on the machine matters little; two threads need two idle cores, and are timed
 * by the clock.
 *
 * What a second thread gains is also up to the machine: two virtual cores may be one real one, and
 * be so for a second only. So launches of one worker, of two workers, and two launches at once that
 * have nothing in common take turns, and the gains are medians over these rounds. The two launches
 * show what the machine allows. The exit status is 1 when a figure misses its bar.
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
enum { TRIES = 4, ROUNDS = 7, BUFFERS = 3 };
/* What two threads must gain; where two launches apart gain less, this part of it. */
static const double LEAST_GAIN = 1.8, LEAST_SHARE = 0.9;

/* --- The machine ------------------------------------------------------------------------------ */

struct machine {
    struct sim_machine *machine;
    struct sim_context *context;
    struct module *module;
};

/* As the device process has it (device/arena.c): large buffers in large pages. */
static bool commit(void *owner, uint64_t address, uint64_t bytes)
{
    (void)owner;
    if (bytes && mprotect((void *)address, bytes, PROT_READ | PROT_WRITE) != 0)
        return false;
    if (bytes >= 4 << 20)
        madvise((void *)address, bytes, MADV_HUGEPAGE);
    return true;
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
    struct sim_arena arena = {
        .address = ARENA, .bytes = ARENA_BYTES, .host = host, .commit = commit, .release = release};
    char *ptx = read_file(ptx_path);
    if (host != (void *)ARENA)
        fail("the address range of device memory is taken");
    machine->machine = sim_machine_new(sim_profile_named("h200"), &arena, &error);
    machine->context = machine->machine ? sim_context_new(machine->machine, &error) : NULL;
    if (machine->context)
        sim_watch_initialisation(machine->context, true);
    machine->module =
        machine->context ? sim_module_load(machine->context, ptx, strlen(ptx), &error) : NULL;
    if (!machine->module)
        fail(error.message);
    free(ptx);
}

/* Filled with small numbers, so that the initialisation check has nothing to say. */
static uint64_t buffer(struct machine *machine, uint64_t size_bytes)
{
    struct sim_error error;
    uint64_t address = sim_allocate(machine->context, size_bytes, SIM_MEMORY_DEVICE, NULL, &error);
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
    uint32_t count;  /* the kernel's last parameter */
    double least[3]; /* G thread instructions a second, by enum watching; 0 for none */
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

static struct launch *make_launch(struct machine *machine, const struct kernel *kernel,
                                  const uint64_t *buffers, enum watching watching, uint32_t workers)
{
    struct sim_launch_config config = {.count = watching != NO_OBSERVERS,
                                       .workers = workers,
                                       .checks = watching == EVERY_CHECK ? SIM_CHECK_ALL : 0};
    struct sim_error error = {0};
    unsigned char parameters[32];
    memcpy(config.grid, kernel->grid, sizeof config.grid);
    memcpy(config.block, kernel->block, sizeof config.block);
    memcpy(parameters, buffers, 24);
    memcpy(parameters + 24, &kernel->count, sizeof kernel->count);
    struct launch *launch =
        sim_launch_new(machine->context, sim_module_kernel(machine->module, kernel->name), &config,
                       parameters, &error);
    if (!launch)
        fail(error.message);
    return launch;
}

/* Thread instructions, where they are counted. */
static void end_launch(struct launch *launch, uint64_t *inst)
{
    if (sim_launch_fault(launch))
        fail(sim_launch_fault(launch)->message);
    const struct sim_launch_result *result = sim_launch_result(launch);
    if (result)
        *inst = result->totals.thread_inst;
    sim_launch_free(launch);
}

/* Two threads at work: on two launches, or on one of two workers. */
static void work_both(struct launch *first, struct launch *second)
{
    struct turn turn = {second, second == first};
    pthread_t thread;
    if (pthread_create(&thread, NULL, work, &turn) != 0)
        fail("no thread can be started");
    sim_launch_work(first, 0);
    pthread_join(thread, NULL);
}

struct round {
    double one_s, two_s; /* of a launch of one worker; of two */
    double apart_s;      /* of two launches of a worker each, at once */
};

static struct round take_round(struct machine *machine, const struct kernel *kernel,
                               const uint64_t buffers[2][BUFFERS], enum watching watching,
                               uint64_t *inst)
{
    struct round round;
    double start = seconds(CLOCK_PROCESS_CPUTIME_ID);
    struct launch *launch = make_launch(machine, kernel, buffers[0], watching, 1), *other;
    sim_launch_work(launch, 0);
    round.one_s = seconds(CLOCK_PROCESS_CPUTIME_ID) - start;
    end_launch(launch, inst);

    start = seconds(CLOCK_MONOTONIC);
    launch = make_launch(machine, kernel, buffers[0], watching, 2);
    work_both(launch, launch);
    round.two_s = seconds(CLOCK_MONOTONIC) - start;
    end_launch(launch, inst);

    start = seconds(CLOCK_MONOTONIC);
    launch = make_launch(machine, kernel, buffers[0], watching, 1);
    other = make_launch(machine, kernel, buffers[1], watching, 1);
    work_both(launch, other);
    round.apart_s = seconds(CLOCK_MONOTONIC) - start;
    end_launch(launch, inst);
    end_launch(other, inst);
    return round;
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

static int by_size(const void *a, const void *b)
{
    double first = *(const double *)a, second = *(const double *)b;
    return (first > second) - (first < second);
}

static double median(double values[ROUNDS])
{
    qsort(values, ROUNDS, sizeof *values, by_size);
    return values[ROUNDS / 2];
}

static void print_one_thread(const struct kernel *kernel, enum watching watching, double rate)
{
    char bar[32];
    snprintf(bar, sizeof bar, "%.1f", kernel->least[watching]);
    printf("%-8s %-13s 1 thread   %6.2f Gthread-inst/s", kernel->name, WATCHING_NAMES[watching],
           rate);
    print_bar(rate, kernel->least[watching], bar);
}

static void print_two_threads(const struct kernel *kernel, enum watching watching, double rate,
                              double gain, double apart)
{
    char bar[80];
    double allowed = LEAST_SHARE * apart, least = allowed < LEAST_GAIN ? allowed : LEAST_GAIN;
    snprintf(bar, sizeof bar, "%.1f x, or %.1f of two launches apart: %.2f x", LEAST_GAIN,
             LEAST_SHARE, apart);
    printf("%-8s %-13s 2 threads  %6.2f Gthread-inst/s  %.2f x", kernel->name,
           WATCHING_NAMES[watching], rate, gain);
    print_bar(gain, least, bar);
}

static void bench_kernel(struct machine *machine, const struct kernel *kernel)
{
    uint64_t inst = 0, buffers[2][BUFFERS];
    for (int i = 0; i < 2 * BUFFERS; i++)
        buffers[i / BUFFERS][i % BUFFERS] = buffer(machine, kernel->buffer_bytes);
    for (enum watching watching = 0; watching < WATCHINGS; watching++) {
        double one_s = 1e9, two_s = 1e9, gain[ROUNDS], apart[ROUNDS];
        for (int i = 0; i < ROUNDS; i++) {
            struct round round = take_round(machine, kernel, buffers, watching, &inst);
            one_s = round.one_s < one_s ? round.one_s : one_s;
            two_s = round.two_s < two_s ? round.two_s : two_s;
            gain[i] = round.one_s / round.two_s;
            apart[i] = 2 * round.one_s / round.apart_s;
        }
        print_one_thread(kernel, watching, (double)inst / one_s * 1e-9);
        print_two_threads(kernel, watching, (double)inst / two_s * 1e-9, median(gain),
                          median(apart));
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
    if (!only || strcmp(only, "start") == 0) /* first: a child begins with its parent's memory */
        bench_program(words);
    if (only && strcmp(only, "start") == 0)
        return missed;
    open_machine(&machine, words[1]);
    for (size_t i = 0; i < sizeof KERNELS / sizeof *KERNELS; i++)
        if (!only || strcmp(only, KERNELS[i].name) == 0)
            bench_kernel(&machine, &KERNELS[i]);
    sim_context_free(machine.context);
    sim_machine_free(machine.machine);
    return missed;
}
