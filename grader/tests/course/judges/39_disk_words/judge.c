/* What a compiler quotes says nothing about the disk. */
#include "tests/course/tiny_judge.h"

TINY_JUDGE("39_disk_words", "BUILD");
