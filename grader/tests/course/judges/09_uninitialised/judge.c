/* Reads its output before anyone wrote it. */
#include "tests/course/tiny_judge.h"

TINY_JUDGE("09_uninitialised", "UNINITIALISED safety line 7");
