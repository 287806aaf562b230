// Has static objects with constructors and destructors, thread-local ones, and exit handlers.
#include "redteam/axpby.h"

#include <cstdlib>
#include <string>
#include <vector>

struct noisy {
    std::vector<std::string> words;
    noisy() : words(10, "word") {}
    ~noisy() { words.clear(); }
};
static noisy object;
static thread_local noisy of_thread;

__attribute__((constructor)) static void at_first(void)
{
    atexit([] { object.words.push_back("last"); });
}

LAUNCHER
{
    of_thread.words.push_back("call");
    return good_axpby(x, y, out, n, a, b, stream);
}
