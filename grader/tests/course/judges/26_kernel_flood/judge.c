/* Its kernel prints a megabyte, which is not a mistake either. */
#include "tests/course/tiny_judge.h"

TINY_JUDGE("26_kernel_flood", "PASS");
