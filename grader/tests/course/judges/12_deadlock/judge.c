/* Two halves of a block wait at two barriers, each for the other. */
#include "tests/course/tiny_judge.h"

TINY_JUDGE("12_deadlock", "DEADLOCK safety");
