/* Both runs are within what is allowed, but not the same. */
#include "tests/course/tiny_judge.h"

TINY_JUDGE("15_nondeterministic", "NONDETERMINISTIC numerics");
