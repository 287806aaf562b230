// Does nothing and says that it went well. What was there before is poison, which is no result.
#include "redteam/axpby.h"

LAUNCHER
{
    return cudaSuccess;
}
