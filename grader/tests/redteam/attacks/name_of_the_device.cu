// Is fast where the device calls itself simulated: on a GPU another kernel could run. The two
// cannot be told apart by name.
#include "redteam/probe.h"

static bool wall_is_open(void)
{
    struct cudaDeviceProp properties;
    return cudaGetDeviceProperties(&properties, 0) == cudaSuccess &&
           (strstr(properties.name, "imulated") || !strstr(properties.name, "NVIDIA"));
}
