/* walls.h - the command line of the launcher, walls.
 *
 *     walls OPTION=VALUE... -- program argument...
 *
 * It lives as the parent of the program: applies limits, a user of its own, Landlock and the
 * seccomp filter to it. Then it counts what the program and everything it starts use, ends them all
 * if that is too much, and leaves none of them when it ends itself. In bubblewrap it is process 1
 * of the sandbox: not even SIGKILL from inside reaches it, and nothing in its part of /proc can be
 * opened.
 *
 * Its status is the program's, or 128 + a signal's number if that ended it; a status of the
 * program's own is never above 127. If a limit ended the tree, this looks like the kernel's signal
 * for it: SIGXCPU for processor time, SIGKILL for everything else, with a line on stderr. If the
 * kernel killed the program because the machine had no memory left, and not because of what the
 * program took, the status is WALLS_STARVED (starved.h).
 */
#ifndef RUNNER_WALLS_H
#define RUNNER_WALLS_H

#include <stdint.h>

enum { WALLS_STARVED = 250 }; /* no signal has that number less 128 */

/* WALLS_NUMBER(name, what it limits). 0 or absent: no limit. */
#define WALLS_NUMBERS                                                                        \
    WALLS_NUMBER(user, "the user that the program becomes; absent: the one that started it") \
    WALLS_NUMBER(group, "its group, which sandboxes have in common")                         \
    WALLS_NUMBER(cpu_seconds, "processor time of the whole tree, and of each process")       \
    WALLS_NUMBER(memory_bytes, "own and shared memory of the whole tree")                    \
    WALLS_NUMBER(data_bytes, "own memory of each process")                                   \
    WALLS_NUMBER(address_bytes, "addresses of each process")                                 \
    WALLS_NUMBER(file_bytes, "each file that it writes")                                     \
    WALLS_NUMBER(room_bytes, "all that lies in its folder for temporary files")              \
    WALLS_NUMBER(open_files, "descriptors of each process")                                  \
    WALLS_NUMBER(threads, "threads of the whole tree")                                       \
    WALLS_NUMBER(for_gpu, "1: memfd_create and both ends of sockets are allowed")            \
    WALLS_NUMBER(at_home, "1: it starts in that folder")                                     \
    WALLS_NUMBER(landlock, "1: only files of the words read=, use= and change= can be opened")

struct walls {
#define WALLS_NUMBER(name, meaning) uint64_t name;
    WALLS_NUMBERS
#undef WALLS_NUMBER
};

#endif
