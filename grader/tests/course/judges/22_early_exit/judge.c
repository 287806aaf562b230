/* The launcher ends the process and says that all is well. */
#include "tests/course/tiny_judge.h"

TINY_JUDGE("22_early_exit", "EARLY_EXIT safety");
