/* socket.c - see socket.h. */
#include "socket.h"

#include "protocol.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

bool socket_read(int socket, void *bytes, size_t size)
{
    for (unsigned char *at = bytes; size;) {
        ssize_t got = recv(socket, at, size, 0);
        if (got < 0 && errno == EINTR)
            continue;
        if (got <= 0)
            return false;
        at += got;
        size -= (size_t)got;
    }
    return true;
}

bool socket_write(int socket, const void *bytes, size_t size)
{
    for (const unsigned char *at = bytes; size;) {
        ssize_t sent = send(socket, at, size, MSG_NOSIGNAL);
        if (sent < 0 && errno == EINTR)
            continue;
        if (sent <= 0)
            return false;
        at += sent;
        size -= (size_t)sent;
    }
    return true;
}

bool socket_write_both(int socket, const void *first, size_t first_size, const void *second,
                       size_t second_size)
{
    struct iovec vectors[2] = {{(void *)first, first_size}, {(void *)second, second_size}};
    struct msghdr message = {.msg_iov = vectors, .msg_iovlen = second_size ? 2 : 1};
    ssize_t sent;
    do
        sent = sendmsg(socket, &message, MSG_NOSIGNAL);
    while (sent < 0 && errno == EINTR);
    if (sent < 0)
        return false;
    size_t of_first = (size_t)sent < first_size ? (size_t)sent : first_size;
    size_t of_second = (size_t)sent - of_first;
    return socket_write(socket, (const char *)first + of_first, first_size - of_first) &&
           socket_write(socket, (const char *)second + of_second, second_size - of_second);
}

bool socket_send_fd(int socket, const void *bytes, size_t size, int fd)
{
    union {
        struct cmsghdr header;
        char space[CMSG_SPACE(sizeof(int))];
    } control = {0};
    struct iovec vector = {(void *)bytes, size};
    struct msghdr message = {.msg_iov = &vector,
                             .msg_iovlen = 1,
                             .msg_control = control.space,
                             .msg_controllen = sizeof control.space};
    struct cmsghdr *header = CMSG_FIRSTHDR(&message);
    header->cmsg_level = SOL_SOCKET;
    header->cmsg_type = SCM_RIGHTS;
    header->cmsg_len = CMSG_LEN(sizeof fd);
    memcpy(CMSG_DATA(header), &fd, sizeof fd);
    return sendmsg(socket, &message, MSG_NOSIGNAL) == (ssize_t)size;
}

bool socket_read_fd(int socket, void *bytes, size_t size, int *fd)
{
    union {
        struct cmsghdr header;
        char space[CMSG_SPACE(sizeof(int))];
    } control;
    struct iovec vector = {bytes, size};
    struct msghdr message = {.msg_iov = &vector,
                             .msg_iovlen = 1,
                             .msg_control = control.space,
                             .msg_controllen = sizeof control.space};
    ssize_t got;
    *fd = -1;
    do
        got = recvmsg(socket, &message, MSG_CMSG_CLOEXEC);
    while (got < 0 && errno == EINTR);
    if (got <= 0)
        return false;
    struct cmsghdr *header = CMSG_FIRSTHDR(&message);
    if (header && header->cmsg_type == SCM_RIGHTS)
        memcpy(fd, CMSG_DATA(header), sizeof *fd);
    return socket_read(socket, (char *)bytes + got, size - (size_t)got);
}

/* --- The device ------------------------------------------------------------------------------- */

/* Connecting to the name of a descriptor that names a socket connects to that socket. */
static bool names_socket(int fd)
{
    struct stat file;
    int flags = fcntl(fd, F_GETFL);
    return flags >= 0 && (flags & O_PATH) && fstat(fd, &file) == 0 && S_ISSOCK(file.st_mode);
}

static bool find_address(struct sockaddr_un *address)
{
    const char *path = getenv("SIMGPU_SOCKET");
    *address = (struct sockaddr_un){.sun_family = AF_UNIX};
    if (path && *path && strlen(path) < sizeof address->sun_path)
        strcpy(address->sun_path, path);
    else if (!path && names_socket(DEVICE_FD))
        snprintf(address->sun_path, sizeof address->sun_path, "/proc/self/fd/%d", DEVICE_FD);
    return address->sun_path[0];
}

int socket_to_device(void)
{
    struct sockaddr_un address;
    int line = find_address(&address) ? socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0) : -1;
    if (line >= 0 && connect(line, (const struct sockaddr *)&address, sizeof address) == 0)
        return line;
    if (line >= 0)
        close(line);
    return -1;
}

pid_t socket_peer(int socket)
{
    struct ucred peer;
    socklen_t size = sizeof peer;
    return getsockopt(socket, SOL_SOCKET, SO_PEERCRED, &peer, &size) == 0 ? peer.pid : 0;
}
