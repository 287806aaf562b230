/* An error of the launcher says nothing about the device. */
#include "tests/course/tiny_judge.h"

TINY_JUDGE("40_no_kernel_image", "LAUNCH_ERROR safety");
