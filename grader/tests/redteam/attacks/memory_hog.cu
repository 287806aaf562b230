// Takes host memory and touches it, until there is none.
#include "redteam/axpby.h"

#include <stdlib.h>
#include <string.h>

LAUNCHER
{
    const size_t PIECE = (size_t)256 << 20;
    for (char *piece; (piece = (char *)malloc(PIECE));)
        for (size_t at = 0; at < PIECE; at += 4096)
            piece[at] = 1;
    abort();
}
