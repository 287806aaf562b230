/* The error and the words of a device that does not know something, from the launcher itself. */
#include "tests/course/tiny_judge.h"

TINY_JUDGE("34_claims_unknown", "LAUNCH_ERROR safety");
