// Has a thread of the host that waits for ever, as a logger or a pool would.
#include "redteam/axpby.h"

#include <condition_variable>
#include <mutex>
#include <thread>

static std::mutex lock;
static std::condition_variable work;

LAUNCHER
{
    static bool started;
    if (!started)
        std::thread([] {
            std::unique_lock<std::mutex> held(lock);
            for (;;)
                work.wait(held);
        }).detach();
    started = true;
    return good_axpby(x, y, out, n, a, b, stream);
}
