/* source.c - accepts a submitted file, or says in one sentence why not. */
#include "check/source.h"

#include "lib/files.h"
#include "lib/hash.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

/* NULL when the file may be read. */
static const char *objection(const char *path, bool strict, struct stat *status)
{
    if ((strict ? lstat : stat)(path, status) != 0)
        return errno == ENOENT ? "there is no such file" : strerror(errno);
    if (S_ISDIR(status->st_mode))
        return "this is a folder; name the .cu file in it";
    if (S_ISLNK(status->st_mode))
        return "this is a symbolic link; hand in the file itself";
    if (!S_ISREG(status->st_mode))
        return "this is not a regular file";
    if (status->st_size == 0)
        return "the file is empty";
    if (status->st_size > SOURCE_MOST_BYTES)
        return "the file is too large: a kernel's source has at most 256 KiB";
    return NULL;
}

bool source_read(const char *path, bool strict, struct source *source, char *reason,
                 size_t reason_bytes)
{
    return source_read_as(path, path, strict, source, reason, reason_bytes);
}

bool source_read_as(const char *path, const char *shown, bool strict, struct source *source,
                    char *reason, size_t reason_bytes)
{
    struct stat status;
    struct hash hash;
    memset(source, 0, sizeof *source);
    const char *why = objection(path, strict, &status);
    if (!why) {
        source->text = file_read(path, SOURCE_MOST_BYTES, &source->bytes);
        why = !source->text                               ? strerror(errno)
              : memchr(source->text, '\0', source->bytes) ? "the file is not text"
                                                          : NULL;
    }
    if (why) {
        snprintf(reason, reason_bytes, "%s: %s", shown, why);
        source_free(source);
        return false;
    }
    hash_init(&hash);
    hash_add(&hash, source->text, source->bytes);
    hash_text(&hash, source->sha256);
    return true;
}

void source_free(struct source *source)
{
    free(source->text);
    source->text = NULL;
}

char *source_line(const struct source *source, unsigned number)
{
    const char *line = source->text;
    for (unsigned at = 1; line && at < number; at++) {
        line = strchr(line, '\n');
        line = line ? line + 1 : NULL;
    }
    if (!line || number == 0)
        return NULL;
    line += strspn(line, " \t");
    return strndup(line, strcspn(line, "\r\n"));
}
