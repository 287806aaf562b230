/* device.c - a device and a clock that do what a script says, in place of examine/watch.cu: so a
 * check on a GPU can be made to end in every possible way, repeatably, where there is no GPU.
 *
 * The clock advances by the modelled time of the simulated device's work, plus the cost of each
 * reading. SCRIPT in the environment says what is wrong with it; each word is optional:
 *
 *     late=US     each reading is up to so many microseconds late, a drawn share of it
 *     busy=N      the device has other work while at least N runners exist
 */
#include "check/examine/watch.h"

#include <dirent.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "simgpu/simgpu.h"

#define READING_NS 30e3 /* from a moment to the reading of it: an H200's windows take 20 to 60 us */
#define LATE_NS 15e3    /* a kernel on an empty device: 11 to 32 us on an H200 */

/* The number after a word of the script; -1 without it. */
static double word(const char *name)
{
    const char *script = getenv("SCRIPT"), *at = script ? strstr(script, name) : NULL;
    return at ? atof(at + strlen(name)) : -1;
}

static double drawn(void)
{
    static uint64_t state = 20;
    state ^= state << 13;
    state ^= state >> 7;
    state ^= state << 17;
    return (double)(state >> 11) * 0x1p-53;
}

int64_t watch_clock_ns(void)
{
    static double read_ns;
    struct simgpu_report *report;
    const struct simgpu_api *simgpu = simgpu_api();
    if (simgpu->report(&report) != SIMGPU_OK)
        abort();
    double late_ns = word("late=") > 0 ? word("late=") * 1e3 * drawn() : 0;
    double now_ns = report->device_ns + (read_ns += READING_NS) + late_ns;
    simgpu->report_free(report);
    return (int64_t)now_ns;
}

static bool is_runner(const char *process)
{
    char path[300], program[300];
    snprintf(path, sizeof path, "/proc/%s/exe", process);
    ssize_t length = readlink(path, program, sizeof program - 1);
    program[length > 0 ? length : 0] = 0;
    return strstr(program, "/scripted-runner") != NULL;
}

static int count_runners(void)
{
    int count = 0;
    DIR *processes = opendir("/proc");
    for (struct dirent *entry; processes && (entry = readdir(processes));)
        count += is_runner(entry->d_name);
    if (processes)
        closedir(processes);
    return count;
}

/* On a simulated device timed_window.h waits for a late kernel for ever, since it takes turns with
 * whatever the host does. So one that never starts has no time at all. */
bool watch_device(double duration_ns, struct watched *seen)
{
    double busy = word("busy=");
    bool is_busy = busy >= 0 && count_runners() >= busy;
    *seen = (struct watched){.duration_ns = duration_ns, .late_ns = is_busy ? NAN : LATE_NS};
    return true;
}
