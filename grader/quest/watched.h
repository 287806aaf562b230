/* watched.h - tells when a file has been saved.
 *
 * It looks at the file's time, size and number: ten times a second costs nothing, and works where a
 * file system reports no changes (network drives, some containers), and whether an editor writes
 * into the file or puts another one in its place.
 */
#ifndef QUEST_WATCHED_H
#define QUEST_WATCHED_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/stat.h>

struct watched {
    const char *path;
    struct stat seen;
    bool is_there;         /* a file that is not a folder or a link */
    bool changes;          /* at the last look it was not as it had been seen */
    int64_t changed_at_ns; /* when it last changed, monotonic */
};

/* As the file is now. */
void watched_open(struct watched *watched, const char *path);
/* True once it has been saved since the last time, and has not changed for a moment: some editors
 * write it in several steps. */
bool watched_saved(struct watched *watched);

#endif
