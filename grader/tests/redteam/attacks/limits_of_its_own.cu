// Takes from itself what the runner needs (files, memory, processor time, file sizes), so that the
// grader's next command fails as on a machine that has run out of it.
#include "redteam/axpby.h"

#include <sys/resource.h>

LAUNCHER
{
    static int calls;
    const struct rlimit none = {0, 0};
    if (++calls == 40) {
        setrlimit(RLIMIT_NOFILE, &none);
        setrlimit(RLIMIT_AS, &none);
        setrlimit(RLIMIT_DATA, &none);
        setrlimit(RLIMIT_FSIZE, &none);
    }
    return slow_axpby(x, y, out, n, a, b, stream);
}
