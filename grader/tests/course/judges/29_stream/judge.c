/* A launch that forgets the stream it was given. */
#include "tests/course/tiny_judge.h"

TINY_JUDGE("29_stream", "STREAM safety");
