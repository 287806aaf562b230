// Takes 5 GiB in /tmp and /dev/shm, which are memory: files are limited one by one, and there may
// be any number.
#include "redteam/probe.h"

static bool wall_is_open(void)
{
    for (int i = 0; i < 5; i++) {
        char path[64];
        snprintf(path, sizeof path, "%s/redteam-mark-%d", i % 2 ? "/tmp" : "/dev/shm", i);
        int file = open(path, O_WRONLY | O_CREAT, 0600);
        if (file < 0 || posix_fallocate(file, 0, (off_t)1000 << 20) != 0)
            return false;
    }
    return true;
}
