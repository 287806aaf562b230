/* A barrier inside a condition that lanes disagree about. */
#include "tests/course/tiny_judge.h"

TINY_JUDGE("11_barrier", "BARRIER safety");
