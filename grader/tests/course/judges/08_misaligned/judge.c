/* A float2 where only floats are aligned. */
#include "tests/course/tiny_judge.h"

TINY_JUDGE("08_misaligned", "MISALIGNED safety");
