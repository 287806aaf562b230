// Threads' own variables, a lock, a map and a function object of the C++ library on the way to an
// ordinary launch.
#include "redteam/axpby.h"

#include <functional>
#include <map>
#include <mutex>
#include <vector>

static std::mutex lock;
static std::map<int64_t, unsigned> times_of_size;
static thread_local std::vector<int64_t> sizes;

LAUNCHER
{
    std::function<cudaError_t()> launch = [&] { return good_axpby(x, y, out, n, a, b, stream); };
    std::lock_guard<std::mutex> held(lock);
    times_of_size[n]++;
    sizes.push_back(n);
    return launch();
}
