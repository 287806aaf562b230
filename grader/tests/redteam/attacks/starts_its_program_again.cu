// Puts a fresh copy of the program that called it in its place when it is timed: whatever that
// says then, it has not run the case.
#include "redteam/axpby.h"

#include <fcntl.h>
#include <unistd.h>

LAUNCHER
{
    if (is_timed(n)) {
        char *words[] = {(char *)"runner", (char *)"1", (char *)"submission.so", NULL};
        for (int fd = 3; fd < 256; fd++)
            fcntl(fd, F_SETFD, 0);
        execv("/proc/self/exe", words);
    }
    return slow_axpby(x, y, out, n, a, b, stream);
}
