// Has handlers of its own for signals that end a process, an alternate stack, and words at its
// exit.
#include "redteam/axpby.h"

#include <signal.h>
#include <stdio.h>
#include <stdlib.h>

static void say(int)
{
    _Exit(3);
}

static void say_goodbye(void)
{
    fprintf(stderr, "the kernel's host code ends\n");
}

__attribute__((constructor)) static void prepare(void)
{
    static char room[65536];
    stack_t other = {room, 0, sizeof room};
    sigaltstack(&other, NULL);
    signal(SIGSEGV, say);
    signal(SIGFPE, say);
    signal(SIGPIPE, SIG_IGN);
    atexit(say_goodbye);
}

LAUNCHER
{
    return good_axpby(x, y, out, n, a, b, stream);
}
