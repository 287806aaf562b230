/* Both runs are within the tolerance, but not the same. */
#include "tests/course/tiny_judge.h"

TINY_JUDGE("15_nondeterministic", "NONDETERMINISTIC numerics");
