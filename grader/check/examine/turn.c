/* turn.c - see turn.h. */
#include "check/examine/turn.h"

#include "lib/files.h"
#include "lib/process.h"

#include <errno.h>
#include <fcntl.h>
#include <sys/file.h>
#include <unistd.h>

static int open_lock(const char *name, const char *ending)
{
    return open(path_of("%s%s", name, ending).text, O_RDWR | O_CREAT | O_CLOEXEC, 0666);
}

static void lock(struct turn *turn, int file, int how)
{
    int64_t start_ns = process_now_ns();
    while (file >= 0 && flock(file, how) != 0 && errno == EINTR)
        ;
    turn->waited_seconds += (double)(process_now_ns() - start_ns) * 1e-9;
}

static void unlock(int file)
{
    if (file >= 0)
        flock(file, LOCK_UN);
}

void turn_open(struct turn *turn, const char *name)
{
    *turn = (struct turn){.device = -1, .door = -1, .memory = -1};
    if (!*name)
        return;
    turn->device = open_lock(name, "");
    turn->door = open_lock(name, ".door");
    turn->memory = open_lock(name, ".memory");
}

static void enter(struct turn *turn, int how)
{
    unlock(turn->device);
    lock(turn, turn->door, LOCK_EX);
    lock(turn, turn->device, how);
    unlock(turn->door);
}

void turn_share(struct turn *turn)
{
    enter(turn, LOCK_SH);
}

void turn_alone(struct turn *turn)
{
    enter(turn, LOCK_EX);
}

void turn_take_memory(struct turn *turn)
{
    lock(turn, turn->memory, LOCK_EX);
}

void turn_give_memory(struct turn *turn)
{
    unlock(turn->memory);
}

void turn_close(struct turn *turn)
{
    const int files[] = {turn->device, turn->door, turn->memory};
    for (int i = 0; i < 3; i++)
        if (files[i] >= 0)
            close(files[i]);
    *turn = (struct turn){
        .device = -1, .door = -1, .memory = -1, .waited_seconds = turn->waited_seconds};
}
