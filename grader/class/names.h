/* names.h - what the name of one file or folder says, without a look into it or into the roster. */
#ifndef CLASS_NAMES_H
#define CLASS_NAMES_H

#include <stdbool.h>
#include <stddef.h>

enum name_kind {
    NAME_SOURCE,   /* x.cu, x.CU */
    NAME_ZIP,      /* x.zip */
    NAME_METADATA, /* submission_metadata.yml, of Gradescope */
    NAME_HIDDEN,   /* .git, ._x.cu, __MACOSX */
    NAME_RENAMED,  /* x.cu.txt: a .cu file to which something appended an ending */
    NAME_ARCHIVE,  /* x.tar.gz, x.7z: an archive that is not unpacked here */
    NAME_OTHER
};

enum name_kind name_kind(const char *name);
/* How long the name is without ".cu" or ".zip". */
size_t name_stem(const char *name);

/* What Canvas and Moodle put into a name. */
struct name_parts {
    enum { NAME_PLAIN, NAME_CANVAS, NAME_MOODLE } system;
    size_t whose;       /* so many bytes of the name are the student's name */
    const char *number; /* Canvas: of the student; Moodle: of the participant; in the name */
    size_t digits;      /* of number */
    bool late;          /* Canvas */
    const char *file;   /* what the student called it; in the name; "" for a folder */
    size_t file_stem;   /* Canvas: its length without the ending and "-2" */
    unsigned version;   /* Canvas: 2 for "x-2.cu"; else 0 */
};
struct name_parts name_parts(const char *name);

/* How many of the first length bytes come before an ending that names a lesson: "ann_lesson3" and
 * "ann.03_divergence" give 3. length itself when there is none. */
size_t name_before_lesson(const char *name, size_t length);

#endif
