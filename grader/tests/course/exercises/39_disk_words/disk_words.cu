#include "tiny.h"

#error No space left on device: CPU time limit exceeded, Unsupported gpu architecture
