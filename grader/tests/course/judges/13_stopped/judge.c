/* An assertion fails. */
#include "tests/course/tiny_judge.h"

TINY_JUDGE("13_stopped", "STOPPED safety");
