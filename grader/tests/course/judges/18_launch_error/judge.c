/* Launches a grid without blocks. */
#include "tests/course/tiny_judge.h"

TINY_JUDGE("18_launch_error", "LAUNCH_ERROR safety");
