// Has the assembler embed the environment and the command line of the process that compiles it, to
// look for the grader's secrets in them when it runs.
#include "redteam/probe.h"

asm(".pushsection .rodata\nembedded: .incbin \"/proc/1/environ\"\n.incbin \"/proc/self/environ\"\n"
    ".incbin \"/proc/1/cmdline\"\n.byte 0\nembedded_end: .popsection");
extern "C" const char embedded[], embedded_end[];

static bool wall_is_open(void)
{
    return embedded_end - embedded > 1;
}
