/* Right as it is shipped. */
#include "tests/course/tiny_judge.h"

TINY_JUDGE("01_pass", "PASS");
