/* Results are wrong before a kernel comes to what the simulated device does not know. */
#include "tests/course/tiny_judge.h"

TINY_JUDGE("33_wrong_then_unknown", "WRONG numerics");
