/* Writes into the grader's pipe. */
#include "tests/course/tiny_judge.h"

TINY_JUDGE("28_babble", "CRASH safety");
