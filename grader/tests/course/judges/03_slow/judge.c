/* Neighbouring lanes are far apart. */
#include "tests/course/tiny_judge.h"

TINY_JUDGE("03_slow", "SLOW counters line 9");
