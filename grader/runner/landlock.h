/* landlock.h - which files a process may touch, told to the kernel by the process itself.
 *
 * What the second kind of walls has in place of mounts of its own: needs no privilege and works in
 * containers, from Linux 5.13 on. A file that is named in no rule cannot be opened, executed or
 * made; that it exists can still be seen by its name. Source: Documentation/userspace-api/landlock.
 */
#ifndef RUNNER_LANDLOCK_H
#define RUNNER_LANDLOCK_H

#include <stdbool.h>

enum landlock_right {
    LANDLOCK_READ,             /* and list, and execute */
    LANDLOCK_USE,              /* read and write what is there: a device node, a socket */
    LANDLOCK_CHANGE,           /* and make and remove files in it */
};

struct landlock {
    int rules;                 /* a descriptor; -1 when Landlock is not to be had */
    unsigned version;          /* of the kernel's Landlock; 0 for none */
};

/* False, with errno, where the kernel has none. */
bool landlock_open(struct landlock *landlock);
/* Allow that for path, and for all below it if it is a folder; no error when it is missing. */
bool landlock_allow(const struct landlock *landlock, const char *path, enum landlock_right right);
/* From now on, for this thread and all that it starts: nothing else. Needs no_new_privs. */
bool landlock_enforce(const struct landlock *landlock);

#endif
