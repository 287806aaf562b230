/* One element is off by one. */
#include "tests/course/tiny_judge.h"

TINY_JUDGE("02_wrong", "WRONG numerics");
