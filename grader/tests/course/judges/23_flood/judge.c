/* Prints a megabyte, which is not a mistake and changes no verdict. */
#include "tests/course/tiny_judge.h"

TINY_JUDGE("23_flood", "PASS");
