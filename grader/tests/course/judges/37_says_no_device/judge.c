/* A claim that there is no device is one: the grader asks the device. */
#include "tests/course/tiny_judge.h"

TINY_JUDGE("37_says_no_device", "DISTURBS safety");
