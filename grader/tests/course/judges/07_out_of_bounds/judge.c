/* Threads past the end work as well. */
#include "tests/course/tiny_judge.h"

TINY_JUDGE("07_out_of_bounds", "OUT_OF_BOUNDS safety line 6");
