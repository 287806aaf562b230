/* archive.h - takes the .cu files out of a zip file that somebody else made.
 *
 * Nothing that the zip file says is trusted: no name in it becomes a name of a file here (what is
 * unpacked is numbered, so no path can leave the folder and no two names can meet), no link is
 * made, sizes are counted and not believed, and all is limited. Only .cu files, Gradescope's
 * submission_metadata.yml and zip files, which the caller may open in turn, are unpacked.
 *
 * The zip file is read by libzip; where the grader is built without it, none is readable.
 */
#ifndef CLASS_ARCHIVE_H
#define CLASS_ARCHIVE_H

#include "class/handed_in.h"

#include <stdint.h>

struct archive_limits {
    uint64_t files; /* that the zip file lists, folders too */
    uint64_t bytes; /* that are unpacked of it, together */
    uint64_t ratio; /* of bytes unpacked to bytes of the zip file, once it is more than a MiB */
};
extern const struct archive_limits archive_limits;        /* of a zip file that is handed in */
extern const struct archive_limits archive_limits_nested; /* of one in a zip file */

struct archive_entry {
    const char *name; /* with slashes between folders; any bytes but zeros. May start with a slash
                          * or have "..", but only when state is HANDED_IN_BAD */
    const char *path; /* HANDED_IN: the unpacked file */
    enum handed_in_state state;
    const char *problem; /* what is wrong, to be written after the name: "is encrypted: ..." */
    int64_t modified_ns; /* since 1970, as the zip file has it; 0 when it does not */
};

struct archive_job {
    const char *path; /* of the zip file */
    const char *into; /* the folder for unpacked files, which exists */
    unsigned *next;   /* the number of the next file there */
    const struct archive_limits *limits;
    bool is_nested; /* then zip files in it are not unpacked */
    void (*tell)(void *context, const struct archive_entry *entry);
    void *context;
};

/* Tell of each entry. HANDED_IN when the zip file was read to its end; else HANDED_IN_BAD or
 * HANDED_IN_BLOCKED, and what is wrong, to be written after the zip file's name: then some of its
 * entries may not have been told of. */
enum handed_in_state archive_unpack(const struct archive_job *job, char *problem,
                                    size_t problem_bytes);

#endif
