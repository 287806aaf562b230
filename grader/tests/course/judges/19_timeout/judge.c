/* A kernel without an end. */
#include "tests/course/tiny_judge.h"

TINY_JUDGE("19_timeout", "TIMEOUT safety");
