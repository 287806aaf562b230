/* memory_share.c - how much of this machine's memory the programs on a graded device may take.
 *
 * Device memory belongs to this process, and is created where it is touched: a program may ask for
 * as much as an H200 has, but a laptop does not have it. What is noted about it (which bytes were
 * written, who touched a line last, traces) and what a program can have without end (events,
 * streams, graphs, modules, queued work) lies here, too. So a thread watches how much is resident
 * in all. Past the limit (lib/memory_limits.h), every program except the one in control is ended:
 * its kernels are stopped, its requests are no longer answered, and its memory is freed with its
 * connections. Work that touches much at a time (copies, sets, payloads) looks in between. Memory
 * that a program's process maps as well may be resident in neither, and is limited by its size
 * when it is asked for (sim_limit_shared).
 */
#include "device.h"

#include "lib/memory_limits.h"

#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

/* How often to look: a processor touches some tens of megabytes meanwhile, in large pages. */
static const long LOOK_NS = 5 * 1000000L;
enum { GRACE_LOOKS = 200 };

/* proc(5), /proc/pid/statm: the second number is how many pages are resident. 0 if it cannot be
 * read. */
static uint64_t resident_bytes(void)
{
    static int file = -1; /* of the one thread that looks */
    char text[128] = "", *pages = text;
    if (file < 0)
        file = open("/proc/self/statm", O_RDONLY | O_CLOEXEC);
    if (file < 0 || pread(file, text, sizeof text - 1, 0) <= 0)
        return 0;
    strtoull(text, &pages, 10);
    return strtoull(pages, NULL, 10) * (uint64_t)sysconf(_SC_PAGESIZE);
}

static void say(struct device *device, uint64_t resident)
{
    struct sim_fault *fault = &device->memory.fault;
    *fault = (struct sim_fault){.kind = SIM_FAULT_MEMORY_SHARE,
                                .advice = "allocate and write no more than the problem needs"};
    snprintf(fault->message, sizeof fault->message,
             "what it asks of the device takes %.1f GB of this machine's memory; %.1f GB are "
             "allowed",
             (double)resident * 1e-9, (double)device->memory.most_bytes * 1e-9);
}

static void wait_a_little(void)
{
    nanosleep(&(struct timespec){.tv_nsec = LOOK_NS}, NULL);
}

/* Then their memory is free again before the next look. */
static void end_programs(struct device *device, uint64_t resident)
{
    pthread_mutex_lock(&device->lock);
    if (!device->memory.is_passed)
        say(device, resident);
    device->memory.is_passed = true;
    window_evict(device, false);
    pthread_mutex_unlock(&device->lock);
    for (int i = 0; i < GRACE_LOOKS; i++) {
        wait_a_little();
        pthread_mutex_lock(&device->lock);
        window_stop_evicted(device);
        pthread_mutex_unlock(&device->lock);
    }
}

static void *look(void *argument)
{
    struct device *device = argument;
    for (;;) {
        wait_a_little();
        uint64_t resident = resident_bytes();
        if (resident > device->memory.most_bytes)
            end_programs(device, resident);
    }
    return NULL;
}

bool memory_share_watch(struct device *device, uint64_t most_bytes)
{
    pthread_t thread;
    const struct memory_limits limits = memory_limits();
    device->memory.most_bytes = most_bytes ? most_bytes : limits.device;
    sim_limit_shared(device->machine, most_bytes ? most_bytes : limits.shared);
    if (pthread_create(&thread, NULL, look, device) != 0)
        return false;
    pthread_setname_np(thread, "memory-share"); /* work_watch.c knows it */
    return pthread_detach(thread) == 0;
}

bool memory_share_left(const struct client *client)
{
    return !client->is_evicted;
}

void memory_share_tell(struct device *device)
{
    if (!device->memory.is_passed)
        return;
    history_refuse_all(device, &device->memory.fault);
    device->memory.is_passed = false;
}
