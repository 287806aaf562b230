/* An empty file. */
#include "tests/course/tiny_judge.h"

TINY_JUDGE("24_refused", "REFUSED build");
