/* That there is no device is only claimed: the grader asks the device. */
#include "tests/course/tiny_judge.h"

TINY_JUDGE("37_says_no_device", "DISTURBS safety");
