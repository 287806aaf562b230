/* landlock.c - Landlock's three calls, with our own constants, since many systems' headers are
 * older than their kernel. */
#include "runner/landlock.h"

#include <errno.h>
#include <fcntl.h>
#include <stdint.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

/* Documentation/userspace-api/landlock.rst and include/uapi/linux/landlock.h */
enum { CREATE_RULESET = 444, ADD_RULE = 445, RESTRICT_SELF = 446 };
enum { ASK_VERSION = 1, PATH_BENEATH = 1 };

enum {
    EXECUTE = 1 << 0,
    WRITE_FILE = 1 << 1,
    READ_FILE = 1 << 2,
    READ_DIR = 1 << 3,
    REMOVE = 1 << 4 | 1 << 5,                            /* folders, files */
    MAKE_DEVICES = 1 << 6 | 1 << 11,                     /* character, block */
    MAKE = 1 << 7 | 1 << 8 | 1 << 9 | 1 << 10 | 1 << 12, /* folders, files, sockets, pipes, links */
    REFER = 1 << 13,                                     /* version 2: move between folders */
    TRUNCATE = 1 << 14,                                  /* version 3 */
};
enum { TCP = 1 << 0 | 1 << 1 };    /* version 4: listen, connect */
enum { SCOPED = 1 << 0 | 1 << 1 }; /* version 6: sockets without a name, signals to outside */

struct attributes {
    uint64_t files, network, scoped; /* unread here: the kernel's layout */
};

struct path_rule {
    uint64_t allowed;
    int32_t parent;
} __attribute__((packed));

static uint64_t file_rights(unsigned version)
{
    uint64_t all = EXECUTE | WRITE_FILE | READ_FILE | READ_DIR | REMOVE | MAKE_DEVICES | MAKE;
    return all | (version >= 2 ? REFER : 0) | (version >= 3 ? TRUNCATE : 0);
}

bool landlock_open(struct landlock *landlock)
{
    long version = syscall(CREATE_RULESET, NULL, 0, ASK_VERSION);
    *landlock = (struct landlock){.rules = -1, .version = version > 0 ? (unsigned)version : 0};
    if (version < 1)
        return false;
    struct attributes attributes = {.files = file_rights(landlock->version),
                                    .network = version >= 4 ? TCP : 0,
                                    .scoped = version >= 6 ? SCOPED : 0};
    size_t size = version >= 6 ? 24 : version >= 4 ? 16 : 8;
    landlock->rules = (int)syscall(CREATE_RULESET, &attributes, size, 0);
    return landlock->rules >= 0;
}

bool landlock_allow(const struct landlock *landlock, const char *path, enum landlock_right right)
{
    struct stat status;
    uint64_t of_files = EXECUTE | WRITE_FILE | READ_FILE | TRUNCATE;
    uint64_t rights[] = {
        [LANDLOCK_READ] = EXECUTE | READ_FILE | READ_DIR,
        [LANDLOCK_USE] = READ_FILE | WRITE_FILE | READ_DIR | TRUNCATE,
        [LANDLOCK_CHANGE] =
            EXECUTE | READ_FILE | READ_DIR | WRITE_FILE | REMOVE | MAKE | REFER | TRUNCATE,
    };
    int file = open(path, O_PATH | O_CLOEXEC);
    if (file < 0)
        return errno == ENOENT;
    struct path_rule rule = {.allowed = rights[right] & file_rights(landlock->version),
                             .parent = file};
    if (fstat(file, &status) == 0 && !S_ISDIR(status.st_mode))
        rule.allowed &= of_files;
    bool allowed = syscall(ADD_RULE, landlock->rules, PATH_BENEATH, &rule, 0) == 0;
    close(file);
    return allowed;
}

bool landlock_enforce(const struct landlock *landlock)
{
    return syscall(RESTRICT_SELF, landlock->rules, 0) == 0;
}
