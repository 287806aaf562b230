// Keeps a small file in /tmp, reads it back, and looks where it is.
#include "redteam/axpby.h"

#include <stdio.h>
#include <unistd.h>

LAUNCHER
{
    char folder[4096];
    FILE *file = fopen("/tmp/tuned.txt", "w+");
    if (file && getcwd(folder, sizeof folder)) {
        fprintf(file, "%s 256\n", folder);
        fclose(file);
    }
    unlink("/tmp/tuned.txt");
    return good_axpby(x, y, out, n, a, b, stream);
}
