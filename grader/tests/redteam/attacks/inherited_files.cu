// Looks through the files it was started with for one of the grader's: a folder of the course, a
// control line, a terminal into which it could type. It gets its pipes and its socket, no more.
#include "redteam/probe.h"

static bool wall_is_open(void)
{
    for (int fd = 0; fd < 256; fd++) {
        char path[64], target[512];
        snprintf(path, sizeof path, "/proc/self/fd/%d", fd);
        ssize_t bytes = readlink(path, target, sizeof target - 1);
        if (bytes <= 0)
            continue;
        target[bytes] = '\0';
        bool is_file = target[0] == '/' && strncmp(target, "/dev/null", 9) != 0 &&
                       strncmp(target, "/memfd:", 7) != 0 &&
                       strncmp(target, "/dev/nvidia", 11) != 0 &&
                       strncmp(target, "/proc/", 6) != 0 && strncmp(target, "/sys/", 5) != 0;
        if (strstr(target, "(deleted)") || strstr(target, "/socket")) // meant for it
            continue;
        if (isatty(fd) || is_file) {
            fprintf(stderr, "%d is %s\n", fd, target);
            return true;
        }
    }
    return false;
}
