// Asks for what a kernel's history has most holes in: io_uring, bpf, perf events, userfaultfd. None
// is needed to launch a kernel.
#include "redteam/probe.h"

#include <linux/io_uring.h>
#include <linux/perf_event.h>
#include <sys/syscall.h>

static bool opened(const char *what, long fd)
{
    if (fd >= 0)
        fprintf(stderr, "%s works\n", what);
    return fd >= 0;
}

static bool wall_is_open(void)
{
    struct io_uring_params ring = {0};
    struct perf_event_attr event = {0};
    event.type = PERF_TYPE_SOFTWARE;
    event.size = sizeof event;
    uint32_t map[18] = {2 /* an array */, 4, 4, 1};
    return opened("io_uring", syscall(SYS_io_uring_setup, 1, &ring)) ||
           opened("perf", syscall(SYS_perf_event_open, &event, 0, -1, -1, 0)) ||
           opened("bpf", syscall(SYS_bpf, 0, map, sizeof map)) ||
           opened("userfaultfd", syscall(SYS_userfaultfd, 0));
}
