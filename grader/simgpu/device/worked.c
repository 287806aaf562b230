/* worked.c - how long something took, without its waiting for a processor: work_watch.h, for this
 * process and all below it, including the graded programs.
 */
#include "device.h"

#include <unistd.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

struct work_moment worked_look(void)
{
    static struct work_watch watch;
    pthread_mutex_lock(&lock);
    if (watch.root == 0)
        work_watch_open(&watch, getpid());
    struct work_moment now = work_watch_look(&watch);
    pthread_mutex_unlock(&lock);
    return now;
}

static struct work_moment now_of_wall(void)
{
    return (struct work_moment){.wall_ns = work_wall_ns()};
}

struct work_moment worked_exactly(const struct device *device)
{
    return device->options.count && device->options.hold_back ? worked_look() : now_of_wall();
}

struct work_moment worked_now(const struct device *device)
{
    return device->options.sampling.untimed ? now_of_wall() : worked_exactly(device);
}

double worked_since_ns(const struct device *device, const struct work_moment *from)
{
    const struct work_moment now = worked_now(device);
    return (double)work_between_ns(from, &now);
}
