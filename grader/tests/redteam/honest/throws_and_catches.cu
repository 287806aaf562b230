// Throws an exception in each call and catches it, keeps what it knows of a thread in that thread,
// and asks for memory of the host by new.
#include "redteam/axpby.h"

#include <memory>
#include <stdexcept>
#include <string>

static thread_local int calls;

static int64_t checked(int64_t n)
{
    if (n % 2)
        throw std::length_error("odd: " + std::to_string(n));
    return n;
}

LAUNCHER
{
    auto name = std::make_unique<std::string>("call " + std::to_string(++calls));
    try {
        n = checked(n);
    } catch (const std::length_error &error) {
        name->append(error.what());
    }
    return name->empty() ? cudaErrorUnknown : good_axpby(x, y, out, n, a, b, stream);
}
