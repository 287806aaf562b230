/* Another name than the contract has. */
#include "tests/course/tiny_judge.h"

TINY_JUDGE("06_no_launcher", "NO_LAUNCHER safety");
