/* Host memory has a limit of its own. */
#include "tests/course/tiny_judge.h"

TINY_JUDGE("30_memory", "LAUNCH_ERROR safety");
