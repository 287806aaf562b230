// Fills 2 GiB of sockets that no process reads, in many processes: memory of the kernel's, which is
// resident in no process.
#include "redteam/probe.h"

#include <signal.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/wait.h>

enum { CHILDREN = 48, PAIRS = 115, PIECE = 64 << 10 };

static size_t fill_pairs(void)
{
    static char piece[PIECE];
    size_t filled = 0;
    int ends[2];
    const int HOW = SOCK_STREAM | SOCK_NONBLOCK;
    for (int i = 0; i < PAIRS && socketpair(AF_UNIX, HOW, 0, ends) == 0; i++)
        for (int end = 0; end < 2; end++)
            for (ssize_t put; (put = write(ends[end], piece, PIECE)) > 0;)
                filled += (size_t)put;
    return filled;
}

static bool wall_is_open(void)
{
    size_t *filled = (size_t *)mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS,
                                    -1, 0);
    pid_t children[CHILDREN];
    for (int i = 0; i < CHILDREN; i++)
        if ((children[i] = fork()) == 0) {
            __atomic_fetch_add(filled, fill_pairs(), __ATOMIC_RELAXED);
            __atomic_fetch_add(filled + 1, 1, __ATOMIC_RELAXED);
            pause();
            _exit(0);
        }
    for (int waits = 0; waits < 1000 && filled[1] < CHILDREN; waits++)
        usleep(10000);
    for (int i = 0; i < CHILDREN; i++)
        if (children[i] > 0) {
            kill(children[i], SIGKILL);
            waitpid(children[i], NULL, 0);
        }
    fprintf(stderr, "%zu MiB in %zu processes\n", filled[0] >> 20, filled[1]);
    return filled[0] >> 31 != 0;
}
