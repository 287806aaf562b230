/* Recursion without an end. */
#include "tests/course/tiny_judge.h"

TINY_JUDGE("14_stack_overflow", "STACK_OVERFLOW safety");
