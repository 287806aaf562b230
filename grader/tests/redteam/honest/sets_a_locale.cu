// Sets a locale, a mask of files and its own signal mask, and leaves them so.
#include "redteam/axpby.h"

#include <locale.h>
#include <signal.h>
#include <sys/stat.h>

LAUNCHER
{
    sigset_t some;
    sigemptyset(&some);
    sigaddset(&some, SIGUSR2);
    setlocale(LC_ALL, "");
    umask(077);
    sigprocmask(SIG_BLOCK, &some, NULL);
    return good_axpby(x, y, out, n, a, b, stream);
}
