/* Right, coalesced, and busy with nothing. */
#include "tests/course/tiny_judge.h"

TINY_JUDGE("04_slow_time", "SLOW utilization");
