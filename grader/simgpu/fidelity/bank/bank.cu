/* bank.cu - the program: an ordinary CUDA program that runs the bank on whatever device its
 * runtime library drives.
 *
 *     bank list                                 the rows
 *     bank time [--csv FILE] [--only PATTERN]   each row's time, by events; the table as CSV
 *     bank once [--only PATTERN] [--flush]      each row once, in order: for a profiler
 *
 * PATTERN is that of a row's name or of a family's, as a shell would match it.
 * A row that fails is reported and left out; if it took the device's context with it, the program
 * starts afresh behind it. --flush sweeps the L2 with a memset before each cold row, which a
 * profiler that does so itself (ncu) makes unnecessary.
 *
 * Exit status: 0, 1 when a row failed, 2 when nothing could be done.
 */
#include "bank.h"

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fnmatch.h>

#define BANK_LISTED(name) &bank_##name,
static const struct bank_family *const FAMILIES[] = {BANK_FAMILIES(BANK_LISTED)};
#undef BANK_LISTED

struct options {
    const char *mode, *csv, *only;
    bool flush;
};

/* Everything a run works with; made anew when a row has ruined the context. */
struct session {
    struct options options;
    struct bank_data data;
    struct bank_stopwatch watch;
    void *sweep; /* twice the L2 */
    size_t sweep_bytes;
    FILE *csv;
    int ran, failed;
};

static bool open_session(struct session *session)
{
    struct cudaDeviceProp device;
    cudaError_t error = bank_data_fill(&session->data);
    if (error == cudaSuccess)
        error = cudaGetDeviceProperties(&device, 0);
    if (error == cudaSuccess && session->options.flush) {
        session->sweep_bytes = 2 * (size_t)device.l2CacheSize;
        error = cudaMalloc(&session->sweep, session->sweep_bytes);
    }
    if (error == cudaSuccess && strcmp(session->options.mode, "time") == 0)
        error = bank_stopwatch_open(&session->watch);
    if (error != cudaSuccess)
        fprintf(stderr, "bank: the device could not be prepared: %s.\n", cudaGetErrorString(error));
    return error == cudaSuccess;
}

static void write_dimensions(FILE *file, dim3 size)
{
    fprintf(file, "\"(%u, %u, %u)\"", size.x, size.y, size.z);
}

/* What the times were measured on, as comments above or below the table. */
static void write_device(struct session *session)
{
    struct cudaDeviceProp device;
    struct bank_times times = {0, 0, 0};
    int driver = 0, runtime = 0;
    cudaGetDeviceProperties(&device, 0);
    cudaDriverGetVersion(&driver);
    cudaRuntimeGetVersion(&runtime);
    bank_stopwatch_time(&session->watch, NULL, &session->data, &times);
    fprintf(session->csv,
            "# device: %s, compute capability %d.%d, %d multiprocessors, %.1f MiB L2; CUDA driver "
            "%d, runtime %d\n"
            "# times: by events, median, least and most of %d launches, in ns; cold: L2 swept and "
            "clean before each\n"
            "# two events with nothing between them: %.0f ns (%.0f to %.0f)\n",
            device.name, device.major, device.minor, device.multiProcessorCount,
            (double)device.l2CacheSize / MI, driver, runtime, BANK_REPEATS, times.median_ns,
            times.least_ns, times.most_ns);
}

static void write_clock(struct session *session, const char *when)
{
    double clock_mhz = 0;
    if (bank_stopwatch_clock(&session->watch, &clock_mhz) == cudaSuccess)
        fprintf(session->csv, "# clock %s: %.0f MHz\n", when, clock_mhz);
}

static cudaError_t time_row(struct session *session, int number, const char *family,
                            const struct bank_row *row)
{
    struct bank_times times = {0, 0, 0};
    struct cudaFuncAttributes attributes = {};
    cudaError_t error = cudaFuncGetAttributes(&attributes, row->function);
    if (error == cudaSuccess)
        error = bank_stopwatch_time(&session->watch, row, &session->data, &times);
    fprintf(session->csv, "%d,%s,%s,%s,\"%s\",", number, row->name, family,
            row->cache == BANK_COLD ? "cold" : "warm", row->kernel);
    write_dimensions(session->csv, row->block);
    fputc(',', session->csv);
    write_dimensions(session->csv, row->grid);
    fprintf(session->csv, ",%u,%d,", row->shared_bytes, attributes.numRegs);
    if (error == cudaSuccess)
        fprintf(session->csv, "%.0f,%.0f,%.0f\n", times.median_ns, times.least_ns, times.most_ns);
    else
        fprintf(session->csv, ",,\n");
    fflush(session->csv);
    return error;
}

static cudaError_t run_once(struct session *session, const struct bank_row *row)
{
    cudaError_t error = cudaSuccess;
    if (session->sweep && row->cache == BANK_COLD)
        error = cudaMemset(session->sweep, 1, session->sweep_bytes);
    if (error == cudaSuccess)
        error = bank_run(row, &session->data);
    if (error == cudaSuccess)
        error = cudaDeviceSynchronize();
    return error;
}

static void list_row(int number, const char *family, const struct bank_row *row)
{
    char grid[40], block[40];
    snprintf(grid, sizeof grid, "%u x %u", row->grid.x, row->grid.y);
    snprintf(block, sizeof block, "%u x %u", row->block.x, row->block.y);
    printf("%4d  %-11s  %-34s  %-12s  %-10s  %4u KiB  %s\n", number, family, row->name, grid, block,
           row->shared_bytes / KI, row->cache == BANK_COLD ? "cold" : "warm");
}

/* False when the device cannot go on. */
static bool run_row(struct session *session, int number, const char *family,
                    const struct bank_row *row)
{
    if (session->options.only && fnmatch(session->options.only, row->name, 0) != 0 &&
        fnmatch(session->options.only, family, 0) != 0)
        return true;
    session->ran++;
    if (strcmp(session->options.mode, "list") == 0) {
        list_row(number, family, row);
        return true;
    }
    cudaError_t error = strcmp(session->options.mode, "time") == 0
                            ? time_row(session, number, family, row)
                            : run_once(session, row);
    if (error == cudaSuccess)
        return true;
    fprintf(stderr, "bank: %s failed: %s.\n", row->name, cudaGetErrorString(error));
    session->failed++;
    if (cudaDeviceSynchronize() == cudaSuccess)
        return true;
    cudaDeviceReset();
    return open_session(session);
}

static bool run_rows(struct session *session)
{
    int number = 0;
    for (const struct bank_family *family : FAMILIES)
        for (size_t i = 0; i < family->count; i++)
            if (!run_row(session, number++, family->name, &family->rows[i]))
                return false;
    return true;
}

static bool parse(int count, char **arguments, struct options *options)
{
    options->mode = count > 1 ? arguments[1] : "";
    if (strcmp(options->mode, "list") && strcmp(options->mode, "time") &&
        strcmp(options->mode, "once"))
        return false;
    for (int i = 2; i < count; i++) {
        if (strcmp(arguments[i], "--flush") == 0)
            options->flush = true;
        else if (strcmp(arguments[i], "--csv") == 0 && i + 1 < count)
            options->csv = arguments[++i];
        else if (strcmp(arguments[i], "--only") == 0 && i + 1 < count)
            options->only = arguments[++i];
        else
            return false;
    }
    return true;
}

static int run(struct session *session)
{
    bool is_time = strcmp(session->options.mode, "time") == 0;
    if (strcmp(session->options.mode, "list") != 0 && !open_session(session))
        return 2;
    if (is_time) {
        write_device(session);
        write_clock(session, "before");
        fprintf(session->csv, "launch,name,family,cache,kernel,block,grid,shared_bytes,registers,"
                              "time_ns,time_min_ns,time_max_ns\n");
    }
    bool finished = run_rows(session);
    if (finished && is_time)
        write_clock(session, "after");
    if (session->ran == 0)
        fprintf(stderr, "bank: no row and no family is called %s; `bank list` shows them.\n",
                session->options.only);
    return session->ran == 0 || !finished ? 2 : session->failed ? 1 : 0;
}

int main(int count, char **arguments)
{
    static struct session session;
    if (!parse(count, arguments, &session.options)) {
        fprintf(stderr, "Usage: bank list | time [--csv FILE] | once [--flush]   [--only PATTERN]"
                        "\n");
        return 2;
    }
    session.csv = stdout;
    if (session.options.csv && !(session.csv = fopen(session.options.csv, "w"))) {
        fprintf(stderr, "bank: cannot write %s: %m.\n", session.options.csv);
        return 2;
    }
    int status = run(&session);
    if (fflush(session.csv) != 0 || ferror(session.csv)) {
        fprintf(stderr, "bank: could not write the table: %m.\n");
        status = 2;
    }
    return status;
}
