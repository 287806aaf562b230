// A probe: an attack that asks one question of the walls. Where they are open it would be right and
// fast (PASS); where they hold it launches the slow kernel, and gets SLOW. So its verdict is the
// answer. It defines wall_is_open(), which is called once, in the first call of the launcher.
#ifndef PARTS_PROBE_H
#define PARTS_PROBE_H
#include "redteam/axpby.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/types.h>
#include <unistd.h>

static bool wall_is_open(void);

LAUNCHER
{
    static int open_is = -1;
    if (open_is < 0)
        open_is = wall_is_open();
    return (open_is ? good_axpby : slow_axpby)(x, y, out, n, a, b, stream);
}

// Up to the last byte that fits; what was read, always ended by a 0.
static inline size_t read_some(const char *path, char *text, size_t bytes)
{
    int file = open(path, O_RDONLY);
    size_t used = 0;
    ssize_t got;
    while (file >= 0 && used + 1 < bytes && (got = read(file, text + used, bytes - 1 - used)) > 0)
        used += (size_t)got;
    if (file >= 0)
        close(file);
    text[used] = '\0';
    return used;
}

static inline bool opens_for_writing(const char *path)
{
    int file = open(path, O_WRONLY);
    if (file < 0)
        return false;
    fprintf(stderr, "%s can be written\n", path);
    close(file);
    return true;
}
#endif
