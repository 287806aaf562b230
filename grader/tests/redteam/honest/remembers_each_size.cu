// Keeps a table of sizes, with a lock, an exception that it catches and memory of the C++ library.
#include "redteam/axpby.h"

#include <map>
#include <mutex>
#include <stdexcept>

static std::map<int64_t, unsigned> known;
static std::mutex lock;

static unsigned blocks_for(int64_t n)
{
    std::lock_guard<std::mutex> guard(lock);
    try {
        return known.at(n);
    } catch (const std::out_of_range &) {
        return known[n] = good_blocks(n);
    }
}

LAUNCHER
{
    if (n > 0)
        good_kernel<<<blocks_for(n), 256, 0, stream>>>(x, y, out, n, a, b);
    return cudaGetLastError();
}
