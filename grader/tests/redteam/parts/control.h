// A line of its own to the simulated device, without the runtime.
#ifndef PARTS_CONTROL_H
#define PARTS_CONTROL_H
#include "redteam/axpby.h"
#include "simgpu/protocol.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

static inline int line_open(void)
{
    struct sockaddr_un to = {.sun_family = AF_UNIX};
    const char *path = getenv("SIMGPU_SOCKET");
    int line = socket(AF_UNIX, SOCK_STREAM, 0);
    snprintf(to.sun_path, sizeof to.sun_path, "/proc/self/fd/%d", DEVICE_FD);
    if (path)
        snprintf(to.sun_path, sizeof to.sun_path, "%s", path);
    return line >= 0 && connect(line, (struct sockaddr *)&to, sizeof to) == 0 ? line : -1;
}

// The reply's fixed part and its payload, which is not kept; false when the line is gone.
static inline bool line_ask(int line, const struct request *request, struct reply *reply)
{
    char rest[4096];
    if (send(line, request, sizeof *request, MSG_NOSIGNAL) != sizeof *request ||
        recv(line, reply, sizeof *reply, MSG_WAITALL) != sizeof *reply)
        return false;
    for (uint64_t left = reply->payload_bytes + reply->printed_bytes; left;) {
        ssize_t got = recv(line, rest, left < sizeof rest ? left : sizeof rest, 0);
        if (got <= 0)
            return false;
        left -= (uint64_t)got;
    }
    return true;
}

// Says HELLO; true when the device then lets it control.
static inline bool line_hello(int line)
{
    struct request hello = {.kind = REQUEST_HELLO};
    struct reply reply;
    hello.hello.version = PROTOCOL_VERSION;
    hello.hello.toolkit = CUDART_VERSION;
    return line >= 0 && line_ask(line, &hello, &reply) && reply.error == 0 &&
           reply.welcome.in_control;
}

// A line that may control the device, of all that this process was given or can open; or -1.
static inline int line_in_control(void)
{
    int line = line_open();
    if (line_hello(line))
        return line;
    for (int fd = CONTROL_FD; fd < CONTROL_FD + 3; fd++)
        if (fd != line && line_hello(fd))
            return fd;
    return -1;
}
#endif
