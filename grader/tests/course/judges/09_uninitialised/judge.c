/* Reads its output before any thread has written it. */
#include "tests/course/tiny_judge.h"

TINY_JUDGE("09_uninitialised", "UNINITIALISED safety line 7");
