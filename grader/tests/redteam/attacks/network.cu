// Looks for a way out: a route, a listener on this host, a name in the abstract namespace, the
// hypervisor. There must be none.
#include "redteam/probe.h"

#include <arpa/inet.h>
#include <netinet/in.h>
#include <sys/socket.h>

static bool reaches(const char *address, int port, int type)
{
    struct sockaddr_in to = {.sin_family = AF_INET, .sin_port = htons((uint16_t)port)};
    inet_pton(AF_INET, address, &to.sin_addr);
    int line = socket(AF_INET, type, 0);
    bool reached = line >= 0 && connect(line, (struct sockaddr *)&to, sizeof to) == 0;
    if (line >= 0)
        close(line);
    return reached;
}

static bool wall_is_open(void)
{
    char text[4096];
    read_some("/proc/net/route", text, sizeof text);
    const char *rest = strchr(text, '\n');
    return reaches("192.0.2.1", 53, SOCK_DGRAM) || reaches("127.0.0.1", 22, SOCK_STREAM) ||
           (rest && rest[1]) || socket(AF_VSOCK, SOCK_STREAM, 0) >= 0;
}
