/* process_seen.c - see process_seen.h. */
#include "lib/process_seen.h"

#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

bool process_read(const char *path, char *text, size_t room)
{
    int file = open(path, O_RDONLY | O_CLOEXEC);
    ssize_t got = file >= 0 ? read(file, text, room - 1) : -1;
    if (file >= 0)
        close(file);
    text[got < 0 ? 0 : got] = '\0';
    return got > 0;
}

/* The name in field 2 may hold anything, so the last bracket ends it. */
static bool look(const char *path, struct process_seen *seen)
{
    char text[1024];
    long parent, threads;
    unsigned long long user, system;
    long long waited_user, waited_system;
    process_read(path, text, sizeof text);
    const char *end = strrchr(text, ')');
    if (!end ||
        sscanf(end,
               ") %c %ld %*d %*d %*d %*d %*u %*u %*u %*u %*u %llu %llu %lld %lld %*d "
               "%*d %ld",
               &seen->state, &parent, &user, &system, &waited_user, &waited_system, &threads) != 7)
        return false;
    seen->parent = (pid_t)parent;
    seen->threads = (unsigned)threads;
    seen->ticks = user + system;
    seen->waited_ticks = (uint64_t)(waited_user + waited_system);
    return true;
}

bool process_look(pid_t process, struct process_seen *seen)
{
    char path[64];
    snprintf(path, sizeof path, "/proc/%d/stat", (int)process);
    return look(path, seen);
}

bool process_look_at_thread(pid_t process, const char *thread, struct process_seen *seen)
{
    char path[320];
    snprintf(path, sizeof path, "/proc/%d/task/%s/stat", (int)process, thread);
    return look(path, seen);
}
