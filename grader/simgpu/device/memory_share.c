/* memory_share.c - how much of this machine's memory the programs on a graded device may fill.
 *
 * Device memory belongs to this process, and is created where it is touched: a program may ask for
 * as much as an H200 has, but a laptop does not have it. A thread watches how much is resident.
 * Past the share, every program except the one in control is ended: its kernels are stopped, its
 * requests are no longer answered, and its memory is freed with its connections. Work that touches
 * much at a time (copies, sets, payloads) looks in between.
 */
#include "device.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

/* The share of what is free when the device starts; and what it may always have. */
static const double SHARE = 0.7;
static const uint64_t LEAST_BYTES = UINT64_C(1) << 30;
/* How often to look: a processor touches about 100 MB meanwhile. */
static const long LOOK_NS = 20 * 1000000L;
enum { GRACE_LOOKS = 50 };

/* The number after a name, in a file of /proc; 0 when it is not there. */
static uint64_t number_in(const char *file, const char *name)
{
    char line[256];
    uint64_t number = 0;
    FILE *stream = fopen(file, "re");
    while (stream && !number && fgets(line, sizeof line, stream))
        if (strncmp(line, name, strlen(name)) == 0)
            number = strtoull(line + strlen(name), NULL, 10);
    if (stream)
        fclose(stream);
    return number;
}

static uint64_t resident_bytes(void)
{
    return number_in("/proc/self/status", "VmRSS:") * 1024;
}

static void say(struct device *device, uint64_t resident)
{
    struct sim_fault *fault = &device->memory.fault;
    *fault = (struct sim_fault){.kind = SIM_FAULT_MEMORY_SHARE,
                                .advice = "allocate and write no more than the problem needs"};
    snprintf(fault->message, sizeof fault->message,
             "%.1f GB of device memory were written to; here a program may fill %.1f GB",
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
    uint64_t free_bytes = number_in("/proc/meminfo", "MemAvailable:") * 1024;
    uint64_t share = (uint64_t)(SHARE * (double)free_bytes);
    device->memory.most_bytes = most_bytes ? most_bytes : share > LEAST_BYTES ? share : LEAST_BYTES;
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
