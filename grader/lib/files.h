/* files.h - the few things done with files, each such that a full disk or a second process cannot
 * leave half a file behind. Functions that fail return false or NULL and leave the cause in errno.
 */
#ifndef LIB_FILES_H
#define LIB_FILES_H

#include <limits.h>
#include <stdbool.h>
#include <stddef.h>

/* A path by value: it is never freed. */
struct path {
    char text[PATH_MAX];
};

/* As printf; empty if it would be too long, and then no file can be opened by it. */
struct path path_of(const char *format, ...) __attribute__((format(printf, 1, 2)));
/* The part after the last slash. */
const char *path_base(const char *path);
/* The path made absolute, with links followed; empty when there is no such file. */
struct path path_real(const char *path);

/* The whole file, with a zero after it; the caller frees it. EFBIG when it is longer than
 * most_bytes. size_bytes may be NULL. */
char *file_read(const char *path, size_t most_bytes, size_t *size_bytes);
/* The file is afterwards complete or unchanged: written under another name and renamed. */
bool file_write(const char *path, const void *data, size_t size_bytes);
bool file_exists(const char *path);
/* A folder and those above it; no error when it is there. */
bool folder_make(const char *path);
/* The folder and everything in it; no error when it is not there. */
bool folder_remove(const char *path);
/* Names in the folder that end in suffix, sorted; the caller frees each and the list. Returns how
 * many, or -1. */
int folder_list(const char *path, const char *suffix, char ***names);

#endif
