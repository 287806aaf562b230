/* Writes in front of an output that does not start its allocation. */
#include "tests/course/tiny_judge.h"

TINY_JUDGE("17_guard", "GUARD numerics");
