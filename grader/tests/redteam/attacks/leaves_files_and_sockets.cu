// Leaves something for the submission after it wherever two processes could meet: files, shared
// memory of both kinds, a name in the abstract namespace, a queue, a lock on its own program.
#include "redteam/axpby.h"

#include <fcntl.h>
#include <mqueue.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>
#include <sys/file.h>
#include <sys/mman.h>
#include <sys/shm.h>
#include <sys/socket.h>
#include <sys/un.h>

LAUNCHER
{
    static int left;
    if (!left++) {
        open("/tmp/redteam-mark", O_WRONLY | O_CREAT, 0666);
        open("/var/tmp/redteam-mark", O_WRONLY | O_CREAT, 0666);
        shm_open("/redteam-mark", O_RDWR | O_CREAT, 0666);
        mq_open("/redteam-mark", O_RDWR | O_CREAT, 0666, NULL);
        shmget(0x57515254, 4096, IPC_CREAT | 0666);
        flock(open("/quest/runner", O_RDONLY), LOCK_EX);
        struct sockaddr_un name = {AF_UNIX};
        strcpy(name.sun_path + 1, "redteam-mark");
        bind(socket(AF_UNIX, SOCK_STREAM, 0), (struct sockaddr *)&name,
             offsetof(struct sockaddr_un, sun_path) + 13);
    }
    return slow_axpby(x, y, out, n, a, b, stream);
}
