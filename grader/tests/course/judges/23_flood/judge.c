/* Prints a megabyte; that is no mistake, and no verdict either. */
#include "tests/course/tiny_judge.h"

TINY_JUDGE("23_flood", "PASS");
