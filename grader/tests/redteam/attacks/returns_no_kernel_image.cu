// Returns the error of a device that is too old for the course.
#include "redteam/axpby.h"

LAUNCHER
{
    return cudaErrorNoKernelImageForDevice;
}
