// Has line ends of Windows, a mark of byte order in front, and no line end at its end.
#include "redteam/axpby.h" /* @WINDOWS@ */

LAUNCHER
{
    return good_axpby(x, y, out, n, a, b, stream);
}
