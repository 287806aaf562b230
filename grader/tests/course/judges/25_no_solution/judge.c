/* The course itself is broken: its solution does not compile. */
#include "tests/course/tiny_judge.h"

TINY_JUDGE("25_no_solution", "INTERNAL build");
