// Sends the device what no client sends: random kinds, sizes and handles, a payload of 256 GB, a
// line that says nothing. The device outlives all of it.
#include "redteam/control.h"

static uint32_t drawn(void)
{
    static uint32_t state = 1;
    return state = state * 1664525 + 1013904223;
}

LAUNCHER
{
    static int tried;
    struct reply reply;
    for (; tried < 200; tried++) {
        struct request request;
        int line = line_open();
        for (size_t i = 0; i < sizeof request / 4; i++)
            ((uint32_t *)&request)[i] = drawn() >> drawn() % 32;
        request.kind = drawn() % (REQUESTS + 3);
        request.payload_bytes = tried % 5 ? 0 : (uint64_t)drawn() << drawn() % 20;
        struct timeval patience = {0, 2000};
        setsockopt(line, SOL_SOCKET, SO_RCVTIMEO, &patience, sizeof patience);
        if (tried % 3)
            line_hello(line);
        line_ask(line, &request, &reply);
        if (tried % 10)
            close(line);
    }
    return slow_axpby(x, y, out, n, a, b, stream);
}
