/* fmaf.c - a fused multiply-add of floats. WebAssembly has no such instruction, and musl's fmaf
 * relies on modes of rounding, which are not there either: this one wins over libc's. */
#include "numbers.h"

float fmaf(float a, float b, float c)
{
    return (float)fma_to_odd(a, b, c);
}
