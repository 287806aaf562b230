/* landlock.h - a process tells the kernel which files it may itself access.
 *
 * The second kind of walls uses this instead of mounts: it needs no privilege and works in
 * containers, from Linux 5.13 on. A file that no rule names cannot be opened, executed or made; but
 * a process that knows its name can see that it exists. Source:
 * Documentation/userspace-api/landlock.
 */
#ifndef RUNNER_LANDLOCK_H
#define RUNNER_LANDLOCK_H

#include <stdbool.h>

enum landlock_right {
    LANDLOCK_READ,   /* and list, and execute */
    LANDLOCK_USE,    /* read and write what is there: a device node, a socket */
    LANDLOCK_CHANGE, /* and make and remove files in it */
};

struct landlock {
    int rules;        /* a descriptor; -1 if there is no Landlock */
    unsigned version; /* of the kernel's Landlock; 0 for none */
};

/* False, with errno, if the kernel has none. */
bool landlock_open(struct landlock *landlock);
/* Allow that for path, and for everything below it if it is a folder; no error if it is missing. */
bool landlock_allow(const struct landlock *landlock, const char *path, enum landlock_right right);
/* From now on, this thread and everything that it starts may do nothing else. Needs
 * no_new_privs. */
bool landlock_enforce(const struct landlock *landlock);

#endif
