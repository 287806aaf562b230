// Defines the runtime's own calls under other names of the assembler's, so that the runner would
// find its event's time and its synchronisation here.
#include "redteam/axpby.h"

asm(".globl cudaEventElapsedTime\n.type cudaEventElapsedTime,@function\n"
    "cudaEventElapsedTime:\nmovl $0, (%rdi)\nxorl %eax, %eax\nret\n"
    ".globl cudaDeviceSynchronize\n.type cudaDeviceSynchronize,@function\n"
    "cudaDeviceSynchronize:\nxorl %eax, %eax\nret\n");

LAUNCHER
{
    return slow_axpby(x, y, out, n, a, b, stream);
}
