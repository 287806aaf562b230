/* process_seen.c - what the kernel says of a process: proc(5), /proc/pid/stat. */
#include "process_seen.h"

#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

bool process_look(pid_t process, struct process_seen *seen)
{
    char name[32], text[1024];
    int parent;
    unsigned long long user, system;
    snprintf(name, sizeof name, "/proc/%d/stat", (int)process);
    int file = open(name, O_RDONLY | O_CLOEXEC);
    ssize_t got = file >= 0 ? read(file, text, sizeof text - 1) : -1;
    if (file >= 0)
        close(file);
    if (got <= 0)
        return false;
    text[got] = 0;
    const char *end = strrchr(text, ')'); /* a program's name may hold anything */
    if (!end || sscanf(end, ") %c %d %*d %*d %*d %*d %*u %*u %*u %*u %*u %llu %llu", &seen->state,
                       &parent, &user, &system) != 4)
        return false;
    seen->parent = (pid_t)parent;
    seen->ticks = user + system;
    return true;
}
