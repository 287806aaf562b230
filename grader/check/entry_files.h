/* entry_files.h - the files of a corpus: each entry is NAME.cu, or NAME.patch against another file
 * of the course (patch.h). Whoever lists or reads entries does so through here, and sees NAME.cu.
 */
#ifndef CHECK_ENTRY_FILES_H
#define CHECK_ENTRY_FILES_H

#include "check/corpus.h"
#include "check/course.h"
#include "check/patch.h"

/* An entry "NAME.cu" of a folder "right", ... of a lesson's corpus. */
struct entry_file {
    const struct course *course;
    const struct lesson *lesson;
    const char *folder, *name;
};

/* The entries' names, sorted; the caller frees each and the list. Returns how many, or -1 if there
 * is no such folder. */
int entry_files_list(const struct lesson *lesson, const char *folder, char ***names);
/* The entry's whole text; the caller frees it. NULL with a sentence. */
char *entry_file_text(const struct entry_file *entry, enum patch_place place, char *reason,
                      size_t reason_bytes);
/* The path of a file with this text: the entry's own, or, of a patch, build/corpus/NN_slug/right/
 * NAME.cu, which is written when it is not there or its text has changed. False with a sentence. */
bool entry_file_path(const struct entry_file *entry, struct path *path, char *reason,
                     size_t reason_bytes);
/* That path, and which verdict the first line asks for. False with a sentence. */
bool entry_file_read(const struct entry_file *entry, struct path *path,
                     struct expectation *expectation, char *reason, size_t reason_bytes);

#endif
