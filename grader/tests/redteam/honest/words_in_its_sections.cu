// Has sections, symbols and numbers of its own in its file: the assembler's words, the time of the
// build, a counter of the compiler's, weak and hidden names, a main of its own.
#include "redteam/axpby.h"

#include <string.h>

asm(".section .own_words, \"a\", @progbits\n\t.ascii \"" __FILE__ "\"\n\t.text\n");
static const char BUILT[] = __DATE__ " " __TIME__;
static const int NUMBERS[] = {__COUNTER__, __COUNTER__, __LINE__};
extern "C" __attribute__((weak)) int somewhere_else(void);
extern "C" __attribute__((visibility("hidden"))) int main(void)
{
    return NUMBERS[0];
}

LAUNCHER
{
    if (somewhere_else || strlen(BUILT) < 10)
        return cudaErrorUnknown;
    return good_axpby(x, y, out, n, a, b, stream);
}
