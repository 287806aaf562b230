/* Reads what another warp may not have written yet. */
#include "tests/course/tiny_judge.h"

TINY_JUDGE("10_race", "RACE safety");
