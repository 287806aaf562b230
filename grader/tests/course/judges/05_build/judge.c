/* Does not compile. */
#include "tests/course/tiny_judge.h"

TINY_JUDGE("05_build", "BUILD build");
