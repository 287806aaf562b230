/* connection.c - the line to the device process. */
#include "client.h"

#include <errno.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int line = -1;
static pid_t owner;          /* the process that opened the line: a forked child opens its own */
static uint64_t number;
static cudaError_t line_error = cudaSuccess; /* why there is none, for good */

/* --- Bytes ------------------------------------------------------------------------------------ */

static bool write_all(int socket, const void *bytes, size_t size)
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

static bool read_all(int socket, void *bytes, size_t size)
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

static bool skip(int socket, uint64_t size)
{
    char waste[4096];
    while (size) {
        size_t piece = size < sizeof waste ? (size_t)size : sizeof waste;
        if (!read_all(socket, waste, piece))
            return false;
        size -= piece;
    }
    return true;
}

/* A reply, and the descriptor that may come with its first byte. */
static bool read_reply(int socket, struct reply *reply, int *fd)
{
    union {
        struct cmsghdr header;
        char space[CMSG_SPACE(sizeof(int))];
    } control;
    struct iovec vector = {reply, sizeof *reply};
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
    return read_all(socket, (char *)reply + got, sizeof *reply - (size_t)got);
}

/* --- Opening ---------------------------------------------------------------------------------- */

static int connect_to_device(void)
{
    const char *path = getenv("SIMGPU_SOCKET");
    struct sockaddr_un address = {.sun_family = AF_UNIX};
    if (!path || !*path || strlen(path) >= sizeof address.sun_path)
        return -1;
    strcpy(address.sun_path, path);
    int socket_fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
    if (socket_fd >= 0 &&
        connect(socket_fd, (const struct sockaddr *)&address, sizeof address) == 0)
        return socket_fd;
    if (socket_fd >= 0)
        close(socket_fd);
    return -1;
}

static bool introduce(int socket)
{
    struct request hello = {.kind = REQUEST_HELLO};
    struct reply reply;
    const char *token = getenv("SIMGPU_CONTROL");
    hello.hello.version = PROTOCOL_VERSION;
    hello.hello.toolkit = CUDART_VERSION;
    hello.hello.process = (uint64_t)getpid();
    if (token)
        snprintf(hello.hello.token, sizeof hello.hello.token, "%s", token);
    if (!write_all(socket, &hello, sizeof hello) || !read_all(socket, &reply, sizeof reply))
        return false;
    number = reply.value[0];
    return true;
}

/* The lock is held. */
static bool ensure_line(void)
{
    if (line >= 0 && owner == getpid())
        return true;
    if (line >= 0) { /* the parent's: a forked child has a context of its own */
        close(line);
        line = -1;
        line_error = cudaSuccess;
    }
    if (line_error != cudaSuccess)
        return false;
    line = connect_to_device();
    owner = getpid();
    if (line >= 0 && introduce(line))
        return true;
    explain("no simulated device answers; start the program as: simgpu run -- program");
    line_error = cudaErrorNoDevice;
    if (line >= 0)
        close(line);
    line = -1;
    return false;
}

int connection_open_second(void)
{
    return connect_to_device();
}

uint64_t connection_number(void)
{
    pthread_mutex_lock(&lock);
    uint64_t result = ensure_line() ? number : 0;
    pthread_mutex_unlock(&lock);
    return result;
}

/* --- Calling ---------------------------------------------------------------------------------- */

struct call new_call(enum request_kind kind)
{
    return (struct call){.request = {.kind = kind}, .fd = -1};
}

/* printf in kernels writes to the program's standard output, as on a device: when the host next
 * has a word with it. */
static bool show_printed(int socket, uint64_t bytes)
{
    char text[4096];
    while (bytes) {
        size_t piece = bytes < sizeof text ? (size_t)bytes : sizeof text;
        if (!read_all(socket, text, piece))
            return false;
        fwrite(text, 1, piece, stdout);
        bytes -= piece;
    }
    return true;
}

static bool exchange(struct call *call)
{
    call->request.payload_bytes = call->payload_bytes;
    if (!write_all(line, &call->request, sizeof call->request) ||
        !write_all(line, call->payload, call->payload_bytes) ||
        !read_reply(line, &call->reply, &call->fd) ||
        !show_printed(line, call->reply.printed_bytes))
        return false;
    uint64_t kept = call->reply.payload_bytes;
    if (!call->answer && kept) { /* the caller takes all of it, however much it is */
        call->answer = malloc(kept);
        call->answer_room = call->answer ? kept : 0;
    }
    if (kept > call->answer_room)
        kept = call->answer_room;
    call->answer_bytes = kept;
    return read_all(line, call->answer, kept) && skip(line, call->reply.payload_bytes - kept);
}

cudaError_t perform(struct call *call)
{
    cudaError_t error = cudaSuccess;
    pthread_mutex_lock(&lock);
    if (!ensure_line()) {
        error = line_error;
    } else if (!exchange(call)) {
        explain("the simulated device is gone");
        close(line);
        line = -1;
        error = line_error = cudaErrorDevicesUnavailable;
    } else {
        error = (cudaError_t)call->reply.error;
    }
    pthread_mutex_unlock(&lock);
    if (error == cudaErrorNotSupported && call->reply.message[0])
        explain("%.250s", call->reply.message);
    return error;
}
