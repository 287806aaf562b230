// Leaves a key in the kernel's keyring of its user, which outlives the sandbox: the next submission
// of the same user could read it. There must be no keyrings in reach.
#include "redteam/probe.h"

#include <sys/syscall.h>

static bool wall_is_open(void)
{
    const int USER_KEYRING = -4, PROCESS_KEYRING = -2;
    return syscall(SYS_add_key, "user", "redteam-mark", "x", 1, PROCESS_KEYRING) >= 0 ||
           syscall(SYS_request_key, "user", "redteam-mark", NULL, USER_KEYRING) >= 0;
}
