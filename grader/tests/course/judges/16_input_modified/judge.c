/* Clears its input. */
#include "tests/course/tiny_judge.h"

TINY_JUDGE("16_input_modified", "INPUT_MODIFIED numerics");
