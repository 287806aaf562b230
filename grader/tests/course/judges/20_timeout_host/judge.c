/* A launcher without an end. */
#include "tests/course/tiny_judge.h"

TINY_JUDGE("20_timeout_host", "TIMEOUT safety");
