/* Every thread comes to an instruction that the simulated device does not know: the launch is
 * refused. */
#include "tests/course/tiny_judge.h"

TINY_JUDGE("32_not_simulated", "NOT_SIMULATED safety line 8");
