/* The launcher writes to address 16. */
#include "tests/course/tiny_judge.h"

TINY_JUDGE("21_crash", "CRASH safety");
