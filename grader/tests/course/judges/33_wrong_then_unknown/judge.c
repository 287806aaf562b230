/* Results are wrong before a kernel comes to an instruction that the simulated device does not
 * know. */
#include "tests/course/tiny_judge.h"

TINY_JUDGE("33_wrong_then_unknown", "WRONG numerics");
