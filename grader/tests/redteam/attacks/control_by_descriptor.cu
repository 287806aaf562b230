// Says HELLO on every line that it can open or was given, to find one that may control the device:
// switch its checks off, open a window of its own. Only the grader's is one.
#include "redteam/probe.h"
#include "redteam/control.h"

static bool wall_is_open(void)
{
    return line_in_control() >= 0;
}
